//! The exploration: one execution for each trace, and no other.
//!
//! # The tree
//!
//! A scheduler that only looks at the node (the first thread that can go on) picks at every
//! *node* a thread `p`. In the executions below the node, the next event of `p` comes in
//! *versions*, which differ in what happens before it; each version is a child of the node. The
//! scheduler's own version comes at once; another one comes after the steps that have to happen
//! first, its *segment*. The event itself is *primary*, those of the segment are *secondary*.
//! Every trace has exactly one path through this tree: at each node the version of `p`'s next event
//! in the trace. If in the trace something keeps `p` from going on (another thread takes the
//! mutex), the segment ends with the first such event and no primary follows.
//!
//! # Finding the children
//!
//! Versions other than the scheduler's are found by races: a primary `e`, and a later event `f` of
//! another thread in conflict with it and with nothing in between. The version of `e` after `f` has
//! the segment of `e`, then what happens before `f`, then `f`. The same version would be found in
//! many executions below `e`; it is taken from exactly one of them, by two rules that need nothing
//! but the execution at hand:
//!
//! 1. every secondary event after `e` happens before `f`: whatever `f` does not need is as the
//!    scheduler would have it;
//! 2. of the last events of the new segment, `f` is the last in an order that does not depend on the
//!    execution (thread, then kind of step): each version is found from one smaller version.
//!
//! Rule 2 speaks of those last events only that could be missing from the segment. A thread's own
//! update cannot if the primary comes after a load of the thread only because the load reads that
//! store; nor can what makes a step of several accesses use what another last event writes.
//!
//! So nothing has to be remembered of what was explored: no sleep sets, no wakeup trees, and
//! subtrees can be explored anywhere in any order. A thread that waits (for a mutex, or for what
//! it reads in a loop) takes part in races from the moment it begins to wait: if `e` keeps
//! it from going on, its step comes before `e` in another version.

use crate::step::{Step, StepKind};
use crate::trace::{Ended, EventId, NewEvent, Touch, Trace};
use crate::watch::Site;
use answer::{Bound, Waiting};
use machine::{End, Image, Limits, Process, Seen, StoreMode, Transition, WaitsFor};
use program::ThreadId;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Iterations of a loop after which a thread lets others go first.
const ITERATIONS_FIRST: u32 = 16;

/// A subtree that has not been explored.
#[derive(Clone, Debug)]
pub struct Child {
    /// The steps that have to happen first.
    pub segment: Vec<Step>,
    /// Then the event that the scheduler wanted at the node.
    pub primary: Step,
    /// The other ways of the last step of the segment are for this child to find.
    pub opens_segment: bool,
    /// The other ways of the primary are for this child to find.
    pub opens_primary: bool,
    /// What the primary and the last step of the segment use the other way round, if the latter
    /// may use more in the segment.
    pub known: Option<Arc<Known>>,
    /// So many steps before the last are there for the sake of what else it uses.
    pub extra: usize,
}

/// Somebody who looks at executions while they are explored.
pub trait Visitor {
    /// A step ended its thread for good; false to stop.
    fn ended(&mut self, explorer: &mut Explorer<'_>, end: End) -> bool;
    /// Nothing can happen any more but spurious wake-ups; false to stop.
    fn stuck(&mut self, explorer: &mut Explorer<'_>) -> bool;
    /// Nothing can happen any more; false to stop.
    fn leaf(&mut self, explorer: &mut Explorer<'_>) -> bool;
}

/// Explores executions one after the other, taking steps back in between.
pub struct Explorer<'a> {
    /// The program as it stands.
    pub process: Process<'a>,
    /// What happened so far.
    pub trace: Trace,
    /// Children of the nodes on the way here that were not explored yet.
    pending: Vec<Vec<Child>>,
    pub(crate) threads: Vec<Waiter>,
    /// When threads began to wait.
    pub(crate) arrivals: Vec<(EventId, ThreadId)>,
    /// Secondary events.
    pub(crate) secondaries: Vec<EventId>,
    /// Events that take another way than the first.
    pub(crate) chosen: Vec<EventId>,
    /// Last events of segments that use more than they would after the primary.
    pub(crate) grown: Vec<Grown>,
    /// Events in all executions.
    pub events: u64,
    /// Children that turned out not to be possible.
    pub redundant: u64,
    /// Most events of an execution.
    pub(crate) most_events: usize,
    /// Threads that were ended for good.
    pub ends: Vec<ThreadEnd>,
    /// Borderline accesses that store buffers were seen to make a difference to.
    pub confirmed: FxHashSet<Site>,
    /// How threads were ended for good before the first event.
    ended_at_start: Vec<End>,
    /// The thread that is left at the end and the steps that it takes, which are no events.
    finish: Option<(ThreadId, usize)>,
    /// How that ended the thread, if not by itself.
    finish_end: Option<Ended>,
    /// The visitor wants no more.
    pub(crate) stopped: bool,
    /// A thread stopped inside an atomic section, or a step used places that depend on what it
    /// reads.
    pub stopped_in_section: bool,
}

/// The end of a thread for good, or the failure of a store that left its buffer.
#[derive(Clone, Copy, Debug)]
pub struct ThreadEnd {
    /// The event that brought it about.
    pub event: EventId,
    /// The thread that ended; none if a buffered store failed, which does not stop its thread.
    pub thread: Option<ThreadId>,
    /// How.
    pub how: Ended,
}

/// What is known of a thread that may wait.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiter {
    /// It reached what it may have to wait for.
    pub arrived: bool,
    /// What that is.
    pub waits: Option<WaitsFor>,
    /// What it saw when it last went round its loop in vain.
    pub spun: Option<Vec<Seen>>,
    /// It was ended for good.
    pub ended: bool,
}

/// The last event of a segment that uses more than it would after the primary: it has versions of
/// its own.
#[derive(Clone, Debug)]
pub(crate) struct Grown {
    /// The event.
    pub event: EventId,
    /// The first event before it that is there for the sake of what else it uses.
    pub first: EventId,
    /// The primary of the segment.
    pub primary: Step,
    /// What both use the other way round.
    pub known: Arc<Known>,
}

/// What two events in conflict use.
#[derive(Clone, Debug)]
pub struct Known {
    /// The first.
    pub first: Vec<Touch>,
    /// The second.
    pub second: Vec<Touch>,
}

/// When the scheduler lets a thread go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// Before others.
    First,
    /// Once the others wait: it went round a loop many times already.
    InLoop,
    /// After those: it is about to join another thread.
    AtJoin,
    /// Last: only a spurious wake-up lets it go on.
    Spurious,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// It happened.
    Went,
    /// It has to wait, or nothing is left to happen.
    Waits,
    /// The visitor wants no more.
    Stopped,
}

impl<'a> Explorer<'a> {
    /// An exploration of a program from its start.
    pub fn new(image: &'a Image, limits: &'a Limits, most_events: usize) -> Self {
        let mut process = Process::new(image, limits, false, false);
        let mut ended_at_start = Vec::new();
        let mut threads: Vec<Waiter> = Vec::new();
        loop {
            let thread = process.last_to_end().index();
            let Some(end) = process.take_end() else {
                break;
            };
            threads.resize_with(threads.len().max(thread + 1), Waiter::default);
            threads[thread].ended = true;
            ended_at_start.push(end);
        }
        process.keep_journal();
        let mut trace = match limits.store_mode {
            StoreMode::Immediate => Trace::watched(image.buffering()),
            StoreMode::Buffered => Trace::new(image.buffering()),
        };
        trace.begin(process.acts());
        process.forget_acts();
        Explorer {
            process,
            trace,
            pending: Vec::new(),
            threads,
            arrivals: Vec::new(),
            secondaries: Vec::new(),
            chosen: Vec::new(),
            grown: Vec::new(),
            events: 0,
            redundant: 0,
            most_events,
            ends: Vec::new(),
            confirmed: FxHashSet::default(),
            ended_at_start,
            finish: None,
            finish_end: None,
            stopped: false,
            stopped_in_section: false,
        }
    }

    /// Explores everything below `child` of the node here (or below the node itself), and, where
    /// events before the node are reversed, below those; false if the visitor stopped it.
    pub fn explore(&mut self, child: Option<&Child>, visitor: &mut impl Visitor) -> bool {
        self.stopped = false;
        let went_on = match child {
            Some(child) => self.enter(child, visitor),
            None => self.report_ended_at_start(visitor) && self.descend(visitor),
        };
        if !went_on {
            return false;
        }
        while let Some((node, child)) = self.next_child() {
            self.back_to(node);
            if !self.enter(&child, visitor) {
                return false;
            }
        }
        true
    }

    /// Tells the visitor of threads that were ended before the first event; false to stop.
    pub fn report_ended_at_start(&mut self, visitor: &mut impl Visitor) -> bool {
        let mut ends = self.ended_at_start.clone().into_iter();
        ends.all(|end| visitor.ended(self, end))
    }

    /// The next subtree to explore, and its node.
    fn next_child(&mut self) -> Option<(EventId, Child)> {
        while let Some(last) = self.pending.last_mut() {
            if let Some(child) = last.pop() {
                return Some((self.pending.len() - 1, child));
            }
            self.pending.pop();
        }
        None
    }

    /// Notes a child of a node, to be explored later.
    pub(crate) fn defer(&mut self, node: EventId, child: Child) {
        if self.pending.len() <= node {
            self.pending.resize_with(node + 1, Vec::new);
        }
        self.pending[node].push(child);
    }

    /// Everything that was found and not explored yet, with its node; the last is next.
    pub fn take_pending(&mut self) -> Vec<(EventId, Child)> {
        let pending = std::mem::take(&mut self.pending);
        let nodes = pending.into_iter().enumerate();
        nodes
            .flat_map(|(node, children)| children.into_iter().map(move |child| (node, child)))
            .collect()
    }

    /// Takes steps back until this many events are left.
    pub fn back_to(&mut self, node: EventId) {
        let mut mark = None;
        while self.trace.len() > node
            && let Some(event) = self.trace.pop()
        {
            mark = Some(event.mark);
            let waiter = &mut self.threads[event.step.thread.index()];
            if let StepKind::Run(_) = event.step.kind {
                waiter.arrived = event.arrived;
                waiter.waits = None;
                waiter.spun = None;
            }
        }
        if let Some(mark) = mark {
            self.process.undo(mark);
        }
        while let Some(end) = self.ends.last()
            && end.event >= node
        {
            if let Some(thread) = end.thread {
                self.threads[thread.index()].ended = false;
            }
            self.ends.pop();
        }
        while let Some((at, thread)) = self.arrivals.last()
            && *at >= node
        {
            let waiter = &mut self.threads[thread.index()];
            (waiter.arrived, waiter.waits) = (false, None);
            self.arrivals.pop();
        }
        while self.secondaries.last().is_some_and(|last| *last >= node) {
            self.secondaries.pop();
        }
        while self.chosen.last().is_some_and(|last| *last >= node) {
            self.chosen.pop();
        }
        while self.grown.last().is_some_and(|last| last.event >= node) {
            self.grown.pop();
        }
        // Another thread may be created in the place of one that is no more.
        self.threads.truncate(self.process.threads());
    }

    /// Goes on as the scheduler would, to the end of the execution; false to stop.
    pub(crate) fn descend(&mut self, visitor: &mut impl Visitor) -> bool {
        loop {
            if self.is_cut() {
                return visitor.leaf(self);
            }
            match self.schedule(visitor) {
                Done::Went => {}
                Done::Stopped => return false,
                Done::Waits => return visitor.leaf(self),
            }
            if self.ends.is_empty() && self.ended_at_start.is_empty() {
                let mark = self.process.mark();
                if let Some(finish) = self.process.run_out() {
                    let go_on = self.finished(finish, visitor);
                    self.process.undo(mark);
                    self.finish = None;
                    return go_on;
                }
            }
        }
    }

    /// The last thread joined the others and ran to its end, without anything that could be in a
    /// race; false to stop.
    fn finished(&mut self, finish: (ThreadId, usize), visitor: &mut impl Visitor) -> bool {
        self.finish = Some(finish);
        let end = self.process.take_end();
        self.finish_end = end.as_ref().map(Ended::of);
        let go_on = end.is_none_or(|end| visitor.ended(self, end)) && visitor.leaf(self);
        self.finish_end = None;
        go_on
    }

    /// Lets the first thread go on that can. A thread that went round a loop often lets others
    /// go first, which may be what the loop needs to end; joining others comes last.
    fn schedule(&mut self, visitor: &mut impl Visitor) -> Done {
        for turn in [Turn::First, Turn::InLoop, Turn::AtJoin, Turn::Spurious] {
            let looping = |index: usize| self.is_looping(ThreadId::from(index));
            if turn == Turn::InLoop && !(0..self.process.threads()).any(looping) {
                continue;
            }
            // A spurious wake-up may come, or not.
            if turn == Turn::Spurious && self.is_stuck() && !visitor.stuck(self) {
                return Done::Stopped;
            }
            match self.schedule_among(turn, visitor) {
                Done::Waits => {}
                done => return done,
            }
        }
        Done::Waits
    }

    /// True if nothing but spurious wake-ups can let a thread go on.
    fn is_stuck(&mut self) -> bool {
        let wakes = |index: usize| self.process.can_only_wake_spuriously(ThreadId::from(index));
        self.process.limits().spurious && (0..self.process.threads()).any(wakes)
    }

    /// True if a thread went round a loop many times.
    fn is_looping(&self, thread: ThreadId) -> bool {
        self.process.iterations(thread) >= ITERATIONS_FIRST
    }

    /// When it is a thread's turn.
    fn turn_of(&self, thread: ThreadId) -> Turn {
        if self.process.can_only_wake_spuriously(thread) {
            Turn::Spurious
        } else if self.process.is_at_join(thread) {
            Turn::AtJoin
        } else if self.is_looping(thread) {
            Turn::InLoop
        } else {
            Turn::First
        }
    }

    /// The same among the threads whose turn it is.
    fn schedule_among(&mut self, turn: Turn, visitor: &mut impl Visitor) -> Done {
        let node = self.trace.len();
        for index in 0..self.process.threads() {
            let thread = ThreadId::from(index);
            if let Some(number) = self.process.next_commit(thread) {
                let kind = StepKind::Commit(number);
                return self.primary(Step { thread, kind }, node, visitor);
            }
            self.room(thread);
            if self.process.has_ended(thread)
                || self.threads[index].ended
                || self.turn_of(thread) != turn
            {
                continue;
            }
            self.arrive(thread);
            let in_vain = self.threads[index].spun.as_ref();
            if in_vain.is_some_and(|seen| !self.process.has_changed(thread, seen)) {
                continue;
            }
            let step = Step {
                thread,
                kind: StepKind::Run(0),
            };
            match self.process.ways(thread) {
                0 => continue,
                1 => {}
                _ => self.open_ways(node, &[], step),
            }
            match self.primary(step, node, visitor) {
                Done::Waits => {}
                done => return done,
            }
        }
        Done::Waits
    }

    /// Does the scheduler's step and looks for races.
    fn primary(&mut self, step: Step, node: EventId, visitor: &mut impl Visitor) -> Done {
        let hopeless = self.hopeless(step);
        if !self.perform(step, true, node) {
            return Done::Waits;
        }
        self.find_races(node, &hopeless);
        self.find_waiting(node);
        match self.look_at_end(visitor) {
            true => Done::Went,
            false => Done::Stopped,
        }
    }

    /// In how many ways a step may happen now.
    pub(crate) fn ways(&mut self, step: Step) -> u32 {
        self.room(step.thread);
        match step.kind {
            StepKind::Commit(number) => {
                u32::from(self.process.commit_of(step.thread, number).is_some())
            }
            StepKind::Run(_) if self.threads[step.thread.index()].ended => 0,
            StepKind::Run(_) => self.process.ways(step.thread),
        }
    }

    pub(crate) fn room(&mut self, thread: ThreadId) {
        if self.threads.len() <= thread.index() {
            self.threads
                .resize_with(thread.index() + 1, Waiter::default);
        }
    }

    /// Does a step and adds its event; false if the thread only repeated a loop in which it waits, or if a limit kept
    /// the thread from being started.
    pub(crate) fn perform(&mut self, step: Step, primary: bool, node: EventId) -> bool {
        if step.thread.index() >= self.process.threads() {
            return false;
        }
        self.room(step.thread);
        self.process.forget_acts();
        let mark = self.process.mark();
        let thread = step.thread;
        let (mut footprint_depends_on_value, mut address_depends_on_value, mut may_update) =
            (false, false, false);
        let in_loop = self.process.is_in_loop(thread);
        let place = self.process.place_in_code(thread);
        match step.kind {
            StepKind::Commit(number) => match self.process.commit_of(thread, number) {
                Some(index) => self.process.perform(Transition::Commit(thread, index)),
                None => return false,
            },
            StepKind::Run(choice) => {
                footprint_depends_on_value = self.process.footprint_depends_on_value(thread);
                address_depends_on_value =
                    footprint_depends_on_value && self.process.address_depends_on_value(thread);
                may_update = footprint_depends_on_value && self.process.may_update(thread);
                if !self.process.try_run(thread, choice) {
                    let spun = self.process.spun().to_vec();
                    self.threads[thread.index()].spun = Some(spun);
                    return false;
                }
            }
        }
        let waiter = &mut self.threads[thread.index()];
        let arrived = waiter.arrived;
        if let StepKind::Run(_) = step.kind {
            waiter.arrived = false;
            waiter.waits = None;
            waiter.spun = None;
        }
        let event = NewEvent {
            step,
            primary,
            node,
            mark,
            arrived,
            footprint_depends_on_value,
            may_update,
            in_loop,
            place,
        };
        let id = self.trace.push(event, self.process.acts());
        self.process.forget_acts();
        let is_wide = address_depends_on_value && self.trace.uses_several_places(id);
        self.stopped_in_section |= is_wide || self.process.is_in_section();
        self.events += 1;
        if !primary {
            self.secondaries.push(id);
        }
        if step.choice() != 0 {
            self.chosen.push(id);
        }
        true
    }

    /// Tells the visitor if the last step ended its thread; false to stop.
    pub(crate) fn look_at_end(&mut self, visitor: &mut impl Visitor) -> bool {
        while let Some(end) = self.record_end() {
            self.stopped = !visitor.ended(self, end);
            if self.stopped {
                return false;
            }
        }
        true
    }

    /// Notes that the last step ended a thread, and how, if it did.
    fn record_end(&mut self) -> Option<End> {
        let thread = self.process.last_to_end();
        let end = self.process.take_end()?;
        self.room(thread);
        let event = self.trace.len() - 1;
        // The failure of a buffered store does not stop its thread, which was past the store already.
        let kind = self.trace.event(event).step.kind;
        let ends = matches!(kind, StepKind::Run(_));
        self.threads[thread.index()].ended |= ends;
        self.ends.push(ThreadEnd {
            event,
            thread: ends.then_some(thread),
            how: Ended::of(&end),
        });
        Some(end)
    }

    /// True if something ended its thread in this way.
    pub fn has_ended(&self, how: Ended) -> bool {
        let first = self
            .ended_at_start
            .iter()
            .map(Ended::of)
            .chain(self.finish_end);
        let ends = self.ends.iter().map(|end| end.how);
        first.chain(ends).any(|ended| ended == how)
    }

    /// The limit that was reached, if one was.
    pub fn stopped_by_limit(&self) -> Option<Bound> {
        self.process.limits().stop.as_ref()?.reached()
    }

    /// The limit that is reached now, if one is.
    pub fn look_at_limits(&self) -> Option<Bound> {
        self.process.limits().stop.as_ref()?.look()
    }

    /// True if the execution is as long as it may get.
    pub fn is_cut(&self) -> bool {
        self.trace.len() >= self.most_events
    }

    /// The steps of the execution so far.
    pub fn path(&self) -> Vec<PathStep> {
        let events = self.trace.events().iter();
        let step = |event: &crate::trace::Event| PathStep {
            step: event.step,
            primary: event.primary,
            node: event.node as u32,
        };
        let (thread, count) = self.finish.unwrap_or((ThreadId(0), 0));
        let last = PathStep {
            step: Step {
                thread,
                kind: StepKind::Run(0),
            },
            primary: true,
            node: self.trace.len() as u32,
        };
        events
            .map(step)
            .chain(std::iter::repeat_n(last, count))
            .collect()
    }

    /// Does the steps of a path again, which must be possible.
    pub fn follow(&mut self, path: &[PathStep]) -> bool {
        path.iter()
            .all(|next| self.redo(next.step, next.primary, next.node as EventId))
    }

    /// Does a step again that was taken back.
    pub(crate) fn redo(&mut self, step: Step, primary: bool, node: EventId) -> bool {
        let done = self.perform(step, primary, node);
        while done && self.record_end().is_some() {}
        done
    }

    /// Everything that can happen next.
    pub fn possible_steps(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        for index in 0..self.process.threads() {
            let thread = ThreadId::from(index);
            self.room(thread);
            let commits = self.process.commits(thread).into_iter();
            steps.extend(commits.map(|number| Step {
                thread,
                kind: StepKind::Commit(number),
            }));
            if self.process.has_ended(thread) || self.threads[index].ended {
                continue;
            }
            let ways = self.process.ways(thread);
            let runs = (0..ways).map(|choice| Step {
                thread,
                kind: StepKind::Run(choice),
            });
            if ways > 0 && self.goes_round_in_vain(thread) {
                continue;
            }
            steps.extend(runs);
        }
        steps
    }

    /// True if a thread would only go round the loop in which it waits.
    fn goes_round_in_vain(&mut self, thread: ThreadId) -> bool {
        if !self
            .process
            .waits_for(thread)
            .is_some_and(|waits| waits.tries)
        {
            return false;
        }
        let mark = self.process.mark();
        let goes_on = self.process.try_run(thread, 0);
        if !goes_on {
            self.threads[thread.index()].spun = Some(self.process.spun().to_vec());
        }
        self.process.undo(mark);
        !goes_on
    }

    /// Does a step that can happen, without looking for races; false if the visitor stopped it.
    pub fn take_step(&mut self, step: Step, visitor: &mut impl Visitor) -> bool {
        let node = self.trace.len();
        self.perform(step, true, node);
        self.look_at_end(visitor)
    }

    /// The threads that wait when nothing can happen any more.
    pub fn waiting(&mut self) -> Vec<Waiting> {
        let mut before = Vec::new();
        for (index, waiter) in self.threads.iter().enumerate() {
            if let Some(seen) = &waiter.spun {
                let thread = ThreadId::from(index);
                before.push((thread, self.process.set_awaited(thread, seen.clone())));
            }
        }
        let waiting = self.process.waiting();
        for (thread, seen) in before {
            self.process.set_awaited(thread, seen);
        }
        waiting
    }
}

/// A step of a path, and how it came to be there.
#[derive(Clone, Copy, Debug)]
pub struct PathStep {
    /// The step.
    pub step: Step,
    primary: bool,
    node: u32,
}
