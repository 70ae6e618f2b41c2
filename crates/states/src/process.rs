//! Every state of a C program, whole states at a time.
//!
//! A breadth-first search over the states of a [`Process`]: level by level, the workers
//! expand a share of the level each, and one of them then keeps what is new. Seen states are
//! known by a hash of 128 bits, with the state they came from, so that an execution
//! can be found again. Where only one thing can happen it happens at once, without a state of
//! its own.
//!
//! Two different states with the same hash would be taken for one; with 128 bits that does
//! not happen in practice.

use crate::options::Options;
use answer::{
    Bound, Counts, Engine, Execution, Fault, FaultKind, ModelResult, Outcome, Turn, Verdict,
    Violation, Warning,
};
use control::Stop;
use fastrand::Rng;
use machine::{End, Image, Limits, Process, ReplayError, Replayed, Transition, Unsupported};
use memory::Model;
use program::{Program, Span};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Steps without a choice that are taken at once.
const LONGEST_CHAIN: usize = 32;
/// Bytes that a state takes at least: its hash, where it came from and what it leads to.
const BYTES_PER_STATE: u64 = 80;

/// How a single run goes on where several things can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnceSchedule {
    /// The first thread that can go on does.
    First,
    /// Anything, by a sequence of random numbers with this seed.
    Random(u64),
}

/// What came of a single run.
#[derive(Clone, Debug)]
pub struct Once {
    /// What the program printed on standard output.
    pub output: Vec<u8>,
    /// What the program printed on standard error.
    pub errors: Vec<u8>,
    /// What was found.
    pub result: ModelResult,
    /// Operations that were run.
    pub operations: u64,
}

/// Runs a C program once.
pub fn run_once(
    program: &Program,
    model: Model,
    options: &Options,
    schedule: OnceSchedule,
) -> Result<Once, Unsupported> {
    let search = Search::new(program, model, options)?;
    let limits = search.limits(true);
    let mut process = Process::new(&search.image, &limits, options.explain, true);
    let mut found = Found::default();
    let mut output = Vec::new();
    let mut errors = Vec::new();
    let mut steps = Vec::new();
    let mut turns = Vec::new();
    let mut random = match schedule {
        OnceSchedule::First => None,
        OnceSchedule::Random(seed) => Some(Rng::with_seed(seed)),
    };
    loop {
        let printed = process.take_output();
        output.extend(printed.output);
        errors.extend(printed.errors);
        steps.extend(process.take_log());
        let transitions = process.transitions();
        found.counts.transitions += 1;
        if let Some(bound) = search
            .options
            .control
            .limit_reached(search.started, || 0, || 0)
        {
            found.bounds.insert(OrdBound(bound));
            break;
        }
        if transitions.is_empty() {
            // A single run may take as long as it likes.
            if process.resume() {
                turns.push(Turn::Resume);
                continue;
            }
            search.judge(&mut process, &mut found);
            found.bounds.extend(search.stopped(0));
            break;
        }
        let index = random.as_mut();
        let index = index.map_or(0, |random| random.usize(..transitions.len()));
        process.perform(transitions[index]);
        turns.push(transitions[index].into());
    }
    // This is the machine's own run.
    let execution = options.explain.then(|| Execution {
        replayed: true,
        rerun: Some(process.recorded(turns)),
        ..Execution::new(program, steps, None)
    });
    let result = search.result(found, process.started(), execution);
    Ok(Once {
        output,
        errors,
        result,
        operations: process.operations(),
    })
}

/// Explores every state of a C program.
pub(crate) fn run(
    program: &Program,
    model: Model,
    options: &Options,
) -> Result<ModelResult, Unsupported> {
    let search = Search::new(program, model, options)?;
    let mut found = match search.explore(true) {
        Some(found) => found,
        // An escaped pointer reached a private object.
        None => search.explore(false).unwrap_or_default(),
    };
    search.look_for_nothing(&mut found);
    let explained = found.violation.as_ref().zip(found.path.as_ref());
    let explained = explained.filter(|_| options.explain);
    let replayed = explained.map(|(violation, path)| search.replay(violation, path, found.private));
    let result = search.result(found, Vec::new(), None);
    Ok(Replayed::shown(result, &search.image.program, replayed))
}

/// A bound with an order, so that reports do not depend on the order of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OrdBound(Bound);

impl OrdBound {
    fn key(self) -> (u8, u64, Span) {
        match self.0 {
            Bound::StoreBuffer(size) => (0, size.into(), Span::NOWHERE),
            Bound::ReorderBox(size) => (1, size.into(), Span::NOWHERE),
            Bound::Unroll(iterations, at) => (2, iterations.into(), at),
            Bound::Steps(steps, at) => (3, steps, at),
            Bound::Unsupported(at) => (16, 0, at),
            Bound::Values(count) => (4, count.into(), Span::NOWHERE),
            Bound::Waiting => (5, 0, Span::NOWHERE),
            Bound::WaitingAtEnd => (17, 0, Span::NOWHERE),
            Bound::Lifetimes => (13, 0, Span::NOWHERE),
            Bound::Undefined => (15, 0, Span::NOWHERE),
            Bound::NoExecution => (14, 0, Span::NOWHERE),
            Bound::Preemptions(most) => (6, most.into(), Span::NOWHERE),
            Bound::Events(most) => (7, most, Span::NOWHERE),
            Bound::Incomplete(count) => (14, count, Span::NOWHERE),
            Bound::Unconfirmed => (18, 0, Span::NOWHERE),
            Bound::States(count) => (8, count, Span::NOWHERE),
            Bound::Executions(count) => (9, count, Span::NOWHERE),
            Bound::Memory(bytes) => (10, bytes, Span::NOWHERE),
            Bound::Time(time) => (11, time.as_nanos() as u64, Span::NOWHERE),
            Bound::Interrupted(count) => (12, count, Span::NOWHERE),
        }
    }
}

impl Ord for OrdBound {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for OrdBound {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// What a search found.
#[derive(Default)]
struct Found {
    violation: Option<Violation>,
    /// The way to the violation.
    path: Option<Vec<Transition>>,
    private: bool,
    /// Some execution comes to the end.
    ends: bool,
    outcomes: BTreeSet<Vec<u64>>,
    bounds: BTreeSet<OrdBound>,
    warnings: BTreeSet<Warning>,
    counts: Counts,
}

/// Where a state came from.
#[derive(Clone, Copy)]
struct Origin {
    parent: u32,
    transition: Transition,
}

/// The states that were seen, numbered as they were found, and how they follow each other.
#[derive(Default)]
struct States {
    numbers: FxHashMap<u128, u32>,
    origins: Vec<Origin>,
    edges: Vec<(u32, u32)>,
    /// States in which the program may end.
    ends: Vec<u32>,
}

impl States {
    fn len(&self) -> usize {
        self.origins.len()
    }

    fn add_first(&mut self, hash: u128) {
        self.numbers.insert(hash, 0);
        self.origins.push(Origin {
            parent: 0,
            transition: Transition::Commit(program::ThreadId(0), 0),
        });
    }

    /// Adds the successors of a state; those that are new are to be expanded next.
    fn add_successors<'p>(&mut self, expanded: Expanded<'p>, next: &mut Vec<(u32, Process<'p>)>) {
        let parent = expanded.number;
        if expanded.ends {
            self.ends.push(parent);
        }
        for Successor {
            transition,
            hash,
            state,
        } in expanded.successors
        {
            if let Some(state) = state
                && let Entry::Vacant(new) = self.numbers.entry(hash)
            {
                let number = self.origins.len() as u32;
                new.insert(number);
                self.origins.push(Origin { parent, transition });
                next.push((number, state));
            }
            self.edges.push((parent, self.numbers[&hash]));
        }
    }

    /// The first state from which no end can be reached.
    fn never_ends(&mut self) -> Option<u32> {
        self.edges.sort_unstable_by_key(|(_, to)| *to);
        let mut ending = vec![false; self.len()];
        let mut queue = std::mem::take(&mut self.ends);
        while let Some(state) = queue.pop() {
            if std::mem::replace(&mut ending[state as usize], true) {
                continue;
            }
            let first = self.edges.partition_point(|(_, to)| *to < state);
            let into = self.edges[first..]
                .iter()
                .take_while(|(_, to)| *to == state);
            queue.extend(into.map(|(from, _)| *from));
        }
        let stuck = ending.iter().position(|ending| !ending);
        stuck.map(|state| state as u32)
    }

    fn path_to(&self, mut number: u32) -> Vec<Transition> {
        let mut path = Vec::new();
        while number != 0 {
            let origin = self.origins[number as usize];
            path.push(origin.transition);
            number = origin.parent;
        }
        path.reverse();
        path
    }
}

/// How a search goes on after a state.
enum Look {
    GoesOn,
    /// A violation was found, and no other is asked for.
    Stops,
    /// An escaped pointer reached an object that was taken to be private.
    Escaped,
}

struct Search<'a> {
    image: Image,
    program: &'a Program,
    model: Model,
    options: &'a Options,
    started: Instant,
    stop: Arc<Stop>,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, model: Model, options: &'a Options) -> Result<Self, Unsupported> {
        Ok(Search {
            image: Image::with_buffers(program, model)?,
            program,
            model,
            options,
            started: Instant::now(),
            stop: Arc::new(options.control.stop()),
        })
    }

    fn limits(&self, private: bool) -> Limits {
        let in_loops = self.image.has_loop.then_some(Options::BUFFER_IN_LOOPS);
        let limits = self.options.limits();
        Limits {
            buffer: self.options.buffer.or(in_loops),
            private: private && limits.private,
            stop: Some(self.stop.clone()),
            ..limits
        }
    }

    /// The limit that was reached after this many states, if one was.
    fn stopped(&self, states: u64) -> Option<OrdBound> {
        self.stop.reached().map(|bound| match bound {
            Bound::Interrupted(_) => OrdBound(Bound::Interrupted(states)),
            other => OrdBound(other),
        })
    }

    /// Notes if no execution comes to the end, or to an assertion: what none does holds of
    /// all. Only a search that has seen everything can tell.
    fn look_for_nothing(&self, found: &mut Found) {
        let searched = found.bounds.iter().all(|bound| bound.0.is_exhausted());
        if found.violation.is_some() || !searched {
            return;
        }
        if found.bounds.is_empty() {
            found.warnings.extend(self.image.unreached_assertions());
        }
        if !found.ends {
            found.bounds.insert(OrdBound(Bound::NoExecution));
        }
    }

    /// Explores everything; `None` if it has to be done again without private objects.
    fn explore(&self, private: bool) -> Option<Found> {
        let limits = self.limits(private);
        let mut states = States::default();
        let mut found = Found {
            private,
            ..Found::default()
        };
        let mut first = Process::new(&self.image, &limits, false, false);
        settle(&mut first);
        if let Some(bound) = self.stopped(1) {
            found.bounds.insert(bound);
            return Some(found);
        }
        states.add_first(first.fingerprint());
        found.counts.states = 1;
        let mut level = vec![(0u32, first)];
        while !level.is_empty() {
            let mut next: Vec<(u32, Process)> = Vec::new();
            let size = level.first().map_or(0, |(_, process)| process.size());
            // Shares small enough that limits are looked at now and then.
            let share = 256 * self.options.jobs.max(1);
            let mut rest = level.into_iter();
            loop {
                let batch: Vec<(u32, Process)> = rest.by_ref().take(share).collect();
                if batch.is_empty() {
                    break;
                }
                let waiting = rest.len() + next.len();
                if let Some(bound) = self.bound_reached(states.len(), waiting * size) {
                    found.bounds.insert(bound);
                    return Some(found);
                }
                for mut expanded in self.expand(batch, &states) {
                    match self.look(&mut expanded, &states, &mut found) {
                        Look::GoesOn => {}
                        Look::Stops => return Some(found),
                        Look::Escaped => return None,
                    }
                    let successors = expanded.successors.len() as u64;
                    found.counts.transitions += successors;
                    self.options.control.progress.add_work(1 + successors);
                    states.add_successors(expanded, &mut next);
                }
                self.report_progress(states.len(), &mut found.counts);
            }
            level = next;
            found.counts.depth += 1;
        }
        found.counts.states = states.len() as u64;
        if let Some(bound) = self.stopped(found.counts.states) {
            found.bounds.insert(bound);
            return Some(found);
        }
        if found.violation.is_none()
            && let Some(stuck) = states.never_ends()
        {
            self.endless(states.path_to(stuck), &mut found);
        }
        Some(found)
    }

    /// The limit that is reached with this many states, and this many bytes of states to expand.
    fn bound_reached(&self, states: usize, waiting: usize) -> Option<OrdBound> {
        let bytes = || states * BYTES_PER_STATE as usize + waiting;
        let control = &self.options.control;
        let limit = control.limit_reached(self.started, || states, bytes);
        self.stopped(states as u64).or(limit.map(OrdBound))
    }

    /// Takes what an expanded state shows besides its successors.
    fn look(&self, expanded: &mut Expanded<'_>, states: &States, found: &mut Found) -> Look {
        found.ends |= expanded.completes;
        let bounds = std::mem::take(&mut expanded.bounds);
        found.bounds.extend(bounds.into_iter().map(OrdBound));
        let Some(mut state) = expanded.state.take() else {
            return Look::GoesOn;
        };
        if state.escaped() && found.private {
            return Look::Escaped;
        }
        self.judge(&mut state, found);
        if found.violation.is_some() && found.path.is_none() {
            found.path = Some(states.path_to(expanded.number));
        }
        if found.violation.is_some() && self.options.stop_at_violation {
            return Look::Stops;
        }
        Look::GoesOn
    }

    fn report_progress(&self, states: usize, counts: &mut Counts) {
        counts.states = states as u64;
        counts.bytes = states as u64 * BYTES_PER_STATE;
        let progress = &self.options.control.progress;
        progress.states.store(counts.states, Ordering::Relaxed);
        progress.depth.store(counts.depth, Ordering::Relaxed);
    }

    /// From the state at the end of a path no end can be reached.
    fn endless(&self, path: Vec<Transition>, found: &mut Found) {
        let limits = self.limits(found.private);
        let mut process = self.follow(&path, &limits);
        if let Some((thread, span)) = process.busy() {
            let message = "the program goes on for ever from here, whatever happens";
            found.violation = Some(Violation::Fault {
                thread,
                span,
                fault: Fault::new(FaultKind::Endless, message),
            });
            found.path = Some(path);
        }
    }

    /// The process at the end of a path.
    fn follow<'p>(&'p self, path: &[Transition], limits: &'p Limits) -> Process<'p> {
        let mut process = Process::new(&self.image, limits, false, false);
        settle(&mut process);
        for transition in path {
            if self.stop.reached().is_some() {
                break;
            }
            process.perform(*transition);
            settle(&mut process);
        }
        process
    }

    /// Expands states, each worker a part of them; in order.
    fn expand<'p>(&self, batch: Vec<(u32, Process<'p>)>, states: &States) -> Vec<Expanded<'p>> {
        let jobs = self.options.jobs.max(1);
        if jobs == 1 || batch.len() < 16 {
            return self.expand_part(batch, states);
        }
        let mut parts: Vec<Vec<(u32, Process<'p>)>> = Vec::new();
        let size = batch.len().div_ceil(jobs);
        let mut rest = batch.into_iter();
        loop {
            let part: Vec<_> = rest.by_ref().take(size).collect();
            if part.is_empty() {
                break;
            }
            parts.push(part);
        }
        std::thread::scope(|scope| {
            let workers: Vec<_> = parts
                .into_iter()
                .map(|part| scope.spawn(|| self.expand_part(part, states)))
                .collect();
            let done = workers.into_iter().map(|worker| worker.join());
            done.flat_map(|part| match part {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
        })
    }

    /// Expands states until a limit is reached.
    fn expand_part<'p>(&self, part: Vec<(u32, Process<'p>)>, states: &States) -> Vec<Expanded<'p>> {
        // States of many threads, or with much memory, take long.
        let goes_on = |_: &(u32, Process<'p>)| self.stop.look().is_none();
        let part = part.into_iter().take_while(goes_on);
        let mut expander = Expander {
            states,
            spare: Vec::new(),
        };
        part.map(|(number, process)| expander.expand(number, process))
            .collect()
    }

    /// Judges a state from which nothing happens any more.
    fn judge(&self, process: &mut Process<'_>, found: &mut Found) {
        for bound in process.bounds() {
            found.bounds.insert(OrdBound(bound));
        }
        match process.end() {
            Some(End::Fault(thread, span, fault)) => {
                let violation = Violation::Fault {
                    thread: *thread,
                    span: *span,
                    fault: (**fault).clone(),
                };
                found.violation.get_or_insert(violation);
                return;
            }
            // Whoever looks at the limits notes this one.
            Some(End::Cut(bound)) if bound.stops_search() => return,
            Some(End::Cut(bound)) => {
                found.bounds.insert(OrdBound(*bound));
                return;
            }
            // A thread whose assumption fails could have been slower.
            Some(End::Exit(_)) => {}
            None if process.is_discarded() => return,
            None => {
                let waiting = process.waiting();
                if !waiting.is_empty() {
                    found.violation.get_or_insert(Violation::Deadlock(waiting));
                    return;
                }
                found.warnings.extend(process.warnings());
            }
        }
        found.ends = true;
        found.outcomes.insert(process.outcome());
    }

    /// Runs the execution to a violation again, chains of steps without a choice included.
    fn replay(
        &self,
        violation: &Violation,
        path: &[Transition],
        private: bool,
    ) -> Result<Replayed, ReplayError> {
        let limits = self.limits(private);
        let mut path = path.iter();
        let mut chain = 0;
        machine::replay(&self.image, &limits, violation, |process| {
            if chain < LONGEST_CHAIN
                && let [only] = process.transitions()[..]
                && !process.is_spurious(only)
            {
                chain += 1;
                return Some(only);
            }
            chain = 0;
            path.next().copied()
        })
    }

    fn result(
        &self,
        found: Found,
        started: Vec<String>,
        execution: Option<Execution>,
    ) -> ModelResult {
        let bounds: Vec<Bound> = found.bounds.iter().map(|bound| bound.0).collect();
        let verdict = Verdict::of(found.violation.is_some(), &bounds);
        let complete = found.violation.is_none() || !self.options.stop_at_violation;
        let outcomes = found.outcomes.into_iter().filter(|_| complete).map(Outcome);
        let mut outcomes: Vec<Outcome> = outcomes.collect();
        Outcome::sort(&mut outcomes, &self.program.observed);
        ModelResult {
            machine: "process",
            verdict,
            bounds,
            counts: found.counts,
            outcomes,
            violation: found.violation,
            warnings: found.warnings.into_iter().collect(),
            started,
            execution,
            time: self.started.elapsed(),
            ..ModelResult::undecided(self.model, Engine::States)
        }
    }
}

/// A state and what may come next.
struct Expanded<'p> {
    number: u32,
    /// The state, if nothing can happen any more, or only spurious wake-ups can, or what changes nothing once main has ended.
    state: Option<Process<'p>>,
    /// The program may end here.
    ends: bool,
    /// An execution that counts may end here, though something could still happen.
    completes: bool,
    /// Bounds that are in the way here.
    bounds: Vec<Bound>,
    successors: Vec<Successor<'p>>,
}

/// What a transition leads to.
struct Successor<'p> {
    transition: Transition,
    hash: u128,
    /// The state, unless it was seen before.
    state: Option<Process<'p>>,
}

/// Expands states, one after another.
struct Expander<'s, 'p> {
    states: &'s States,
    /// States that are not needed any more, for the room that they have.
    spare: Vec<Process<'p>>,
}

impl<'p> Expander<'_, 'p> {
    fn expand(&mut self, number: u32, mut process: Process<'p>) -> Expanded<'p> {
        let transitions = process.transitions();
        let main_has_ended = process.main_has_ended();
        let Some((last, others)) = transitions.split_last().filter(|_| !process.escaped()) else {
            return Expanded {
                number,
                bounds: process.bounds(),
                ends: true,
                completes: main_has_ended,
                state: Some(process),
                successors: Vec::new(),
            };
        };
        // A spurious wake-up may come, or not.
        let stuck = transitions.iter().all(|next| process.is_spurious(*next));
        // Threads that outlive main may do the same for ever.
        let outlived = main_has_ended.then(|| (process.fingerprint(), process.clone()));
        let mut expanded = Expanded {
            number,
            // What goes on for ever beside a failed assumption matters in no execution that counts.
            ends: main_has_ended || process.is_discarded(),
            completes: main_has_ended,
            bounds: process.bounds(),
            state: stuck.then(|| process.clone()),
            successors: Vec::with_capacity(transitions.len()),
        };
        for transition in others {
            let next = self.copy(&mut process);
            if !self.add_successor(&mut expanded, next, *transition) {
                return expanded;
            }
        }
        self.add_successor(&mut expanded, process, *last);
        if let Some((hash, process)) = outlived
            && expanded.successors.iter().all(|next| next.hash == hash)
        {
            expanded.state = Some(process);
        }
        expanded
    }

    fn copy(&mut self, process: &mut Process<'p>) -> Process<'p> {
        match self.spare.pop() {
            Some(spare) => process.copy_in(spare),
            None => process.clone(),
        }
    }

    /// Adds what comes of a state by a transition; false if a limit is reached.
    fn add_successor(
        &mut self,
        expanded: &mut Expanded<'p>,
        mut state: Process<'p>,
        transition: Transition,
    ) -> bool {
        state.perform(transition);
        settle(&mut state);
        // Hashing a large state takes long, so limits are looked at before it; each time would cost too much.
        let stop = state.limits().stop.as_ref();
        if expanded.successors.len().is_multiple_of(4)
            && stop.is_some_and(|stop| stop.look().is_some())
        {
            return false;
        }
        let hash = state.fingerprint();
        let state = if self.states.numbers.contains_key(&hash) {
            self.spare.push(state);
            None
        } else {
            Some(state)
        };
        expanded.successors.push(Successor {
            transition,
            hash,
            state,
        });
        true
    }
}

/// Goes on while only one thing can happen.
fn settle(process: &mut Process<'_>) {
    for _ in 0..LONGEST_CHAIN {
        match process.transitions()[..] {
            [only] if !process.is_spurious(only) => process.perform(only),
            _ => return,
        }
    }
}
