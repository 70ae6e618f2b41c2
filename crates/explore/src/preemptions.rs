//! Executions with few preemptions.
//!
//! A preemption takes the processor from a thread that could go on. Programs too large to
//! exhaust are explored with none, then one, then two: most mistakes need no more. Stores leave
//! store buffers at any time, for free. Every schedule within the bound is tried, but what
//! begins with the same trace, ends in the same thread and has no more preemptions left than
//! something tried before is not tried again.

use crate::explorer::{Explorer, Visitor};
use crate::judge::{Found, Judge};
use crate::run::Exploration;
use crate::step::{Step, StepKind};
use answer::Bound;
use machine::Limits;
use program::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::time::Instant;

/// Explores all executions with at most this many preemptions.
pub(crate) fn explore(
    exploration: &Exploration<'_>,
    limits: &Limits,
    most: u32,
    most_events: usize,
    started: Instant,
) -> Found {
    let judge = Judge::new(exploration.options, started, u64::MAX, &|| false);
    let mut search = Search {
        explorer: Explorer::new(&exploration.image, limits, most_events),
        judge,
        seen: FxHashMap::default(),
        ends: FxHashSet::default(),
        hashes: Vec::new(),
        most,
        left_out: false,
    };
    search.run();
    let mut found = search.judge.found;
    found.counts.events = search.explorer.events;
    found.escaped = search.explorer.process.escaped();
    if search.left_out {
        found.add_bound(Bound::Preemptions(most));
    }
    found
}

struct Search<'a> {
    explorer: Explorer<'a>,
    judge: Judge<'a>,
    /// Most preemptions left with which a trace was reached, for each thread that was last.
    seen: FxHashMap<(u128, Last), u32>,
    /// Traces of whole executions.
    ends: FxHashSet<u128>,
    /// The hash of each event, and of the trace up to it.
    hashes: Vec<(u128, u128)>,
    most: u32,
    left_out: bool,
}

/// The thread that took the last step, if any did.
type Last = Option<ThreadId>;

/// What is still to be tried after a number of events.
struct Node {
    /// Steps, each with the preemptions left after it.
    steps: Vec<(Step, u32)>,
    last: Last,
}

impl Search<'_> {
    fn run(&mut self) {
        if !self.explorer.report_ended_at_start(&mut self.judge) {
            return;
        }
        // As many nodes as there are events, and one more.
        let mut stack: Vec<Node> = self.node(None, self.most).into_iter().collect();
        while let Some(node) = stack.last_mut() {
            let Some((step, left)) = node.steps.pop() else {
                stack.pop();
                let events = stack.len().saturating_sub(1);
                self.explorer.back_to(events);
                self.hashes.truncate(events);
                continue;
            };
            let last = match step.kind {
                StepKind::Run(_) => Some(step.thread),
                StepKind::Commit(_) => node.last,
            };
            let events = self.explorer.trace.len();
            self.explorer.perform(step, true, events);
            if !self.explorer.look_at_end(&mut self.judge) {
                return;
            }
            self.hash_last();
            match self.node(last, left) {
                Some(next) => stack.push(next),
                None => return,
            }
        }
    }

    /// What to try here; `None` to stop.
    fn node(&mut self, last: Last, left: u32) -> Option<Node> {
        let mut steps = Vec::new();
        let hash = self.hashes.last().map_or(0, |(_, trace)| *trace);
        let known = self.seen.get(&(hash, last));
        if known.is_some_and(|known| *known >= left) {
            return Some(Node { steps, last });
        }
        self.seen.insert((hash, last), left);
        let all = self.possible_steps();
        if all.is_empty() || self.explorer.is_cut() {
            let go_on = !self.ends.insert(hash) || self.judge.leaf(&mut self.explorer);
            return go_on.then_some(Node { steps, last });
        }
        let runs = |step: &Step| matches!(step.kind, StepKind::Run(_));
        let process = &self.explorer.process;
        let spurious = |step: &Step| runs(step) && process.can_only_wake_spuriously(step.thread);
        // A spurious wake-up may come, or not.
        if all.iter().all(spurious) && !self.judge.stuck(&mut self.explorer) {
            return None;
        }
        let goes_on = all
            .iter()
            .any(|step| runs(step) && Some(step.thread) == last);
        for step in all.into_iter().rev() {
            let preempts = runs(&step) && goes_on && Some(step.thread) != last;
            match left.checked_sub(u32::from(preempts)) {
                Some(left) => steps.push((step, left)),
                None => self.left_out = true,
            }
        }
        Some(Node { steps, last })
    }

    /// Everything that can happen next.
    fn possible_steps(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        for index in 0..self.explorer.process.threads() {
            let thread = ThreadId::from(index);
            let Explorer {
                process, waiters, ..
            } = &mut self.explorer;
            let commits = process.commits(thread).into_iter();
            steps.extend(commits.map(|number| Step {
                thread,
                kind: StepKind::Commit(number),
            }));
            if process.has_ended(thread) || waiters.of(thread).ended {
                continue;
            }
            let ways = process.ways(thread);
            if ways > 0 && self.only_spins(thread) {
                continue;
            }
            steps.extend((0..ways).map(|choice| Step {
                thread,
                kind: StepKind::Run(choice),
            }));
        }
        steps
    }

    /// True if a thread would only do one more iteration of the loop in which it waits.
    fn only_spins(&mut self, thread: ThreadId) -> bool {
        let process = &mut self.explorer.process;
        if !process.waits_for(thread).is_some_and(|waits| waits.tries) {
            return false;
        }
        let mark = process.mark();
        let goes_on = process.try_run(thread, 0);
        if goes_on {
            process.undo(mark);
        } else {
            self.explorer.spin(thread, mark);
        }
        !goes_on
    }

    /// Adds the last event to the hash of the trace, in which the order of independent events does
    /// not matter.
    fn hash_last(&mut self) {
        let id = self.explorer.trace.len() - 1;
        let edges = self.explorer.trace.edges_of(id).iter();
        let before = edges.fold(0u128, |sum, edge| {
            sum.wrapping_add(self.hashes[edge.from].0)
        });
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let step = self.explorer.trace.event(id).step;
        let half = |salt: u64| u128::from(hasher.hash_one((salt, step, before)));
        let hash = half(1) << 64 | half(2);
        let trace = self.hashes.last().map_or(0, |(_, trace)| *trace);
        self.hashes.push((hash, trace.wrapping_add(hash)));
    }
}
