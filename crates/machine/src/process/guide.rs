//! Finding a violation on the machine that an engine without a machine claims, with its execution as the guide.
//!
//! The solver's execution says in which order accesses happen in memory. The machine has more steps (stores that are
//! issued, calls, threads that start) and names threads and objects in its own way, so the steps of the two are matched by
//! thread, span and kind of access. States are expanded cheapest first: a transition costs nothing as long as it does
//! what comes next in the execution, or what the execution has nothing to say about, and one for each access out of order.
//! Among equals the one that is furthest goes on, so if the machine can follow, there is no search.
//!
//! No transition is ruled out. So if no state is left, nothing was cut off, and the violation was not met, the machine
//! does not have it at all ([`Guided::Refused`]), and somebody made a mistake. Whatever else happens, and it is not found
//! within the bounds, leaves it open.

use super::{End, Image, Limits, Process, Transition, replay};
use crate::Replayed;
use answer::{AccessEvent, Event, Execution, Outcome, Step, Violation};
use program::{Span, ThreadId};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// Transitions that are tried at most. They are counted, not timed, so that the answer is always the same.
const MOST_TRANSITIONS: usize = 30_000;
/// Operations of threads in all of them.
const MOST_OPERATIONS: u64 = 50_000_000;
/// Bytes of states that wait to be expanded.
const MOST_BYTES: usize = 256 << 20;
/// Stores that wait in a buffer of a program with loops at most, besides those of the execution: of some it says nothing, since nobody reads them.
const MORE_STORES: u32 = 8;

/// What came of a claim.
#[derive(Clone, Debug)]
pub enum Guided {
    /// The machine comes to the violation, which it may describe in other words, on this way.
    Replayed(Box<Violation>, Replayed),
    /// The machine has no execution with the violation.
    Refused,
    /// Not known: the violation was not met within bounds, or something else was.
    Open,
}

/// Looks for a violation on the machine, guided by an execution that is said to show it. `started` names the threads in it
/// beyond those of the program.
pub fn guided_replay(
    image: &Image,
    limits: &Limits,
    violation: &Violation,
    execution: &Execution,
    started: &[String],
) -> Guided {
    let mut limits = limits.clone();
    if image.has_loop && limits.buffer.is_none() {
        // A thread whose loop only stores would go on until its steps are used up.
        limits.buffer = Some(MORE_STORES + most_stores(execution));
    }
    let found = guide(image, &limits, violation, execution, started);
    if found.escaped && limits.private {
        limits.private = false;
        return guide(image, &limits, violation, execution, started).guided;
    }
    found.guided
}

/// The most stores of one thread in an execution that reach memory.
fn most_stores(execution: &Execution) -> u32 {
    let mut stores: HashMap<ThreadId, u32> = HashMap::new();
    for step in &execution.steps {
        if matches!(&step.event, Event::Access(access) if access.kind == AccessEvent::Commit) {
            *stores.entry(step.thread).or_default() += 1;
        }
    }
    stores.into_values().max().unwrap_or_default()
}

fn guide(
    image: &Image,
    limits: &Limits,
    violation: &Violation,
    execution: &Execution,
    started: &[String],
) -> Found {
    let mut search = Search {
        claim: violation,
        similar: None,
        script: Script::new(image, execution, started),
        path: Vec::new(),
        waiting: BinaryHeap::new(),
        seen: HashSet::new(),
        bytes: 0,
        incomplete: false,
        escaped: false,
    };
    let met = search.run(image, limits);
    let met = met.or(search.similar.take().filter(|_| !search.escaped));
    let guided = match met {
        Some((violation, path)) => {
            let mut path = path.into_iter();
            match replay(image, limits, &violation, |_| path.next()) {
                Ok(replayed) => Guided::Replayed(Box::new(violation), replayed),
                Err(_) => Guided::Open,
            }
        }
        None if search.incomplete => Guided::Open,
        None => Guided::Refused,
    };
    Found {
        guided,
        escaped: search.escaped,
    }
}

struct Found {
    guided: Guided,
    /// An address escaped to another thread unnoticed: states were taken for the same that are not.
    escaped: bool,
}

/// What an access does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    Update,
}

/// An access of the execution that is the guide.
struct Cue {
    thread: ThreadId,
    span: Span,
    kind: Kind,
}

/// The execution that is the guide.
struct Script {
    cues: Vec<Cue>,
    /// The functions of its threads.
    functions: Vec<String>,
    /// Threads of the program, which have the same number everywhere.
    own: usize,
    /// Where its accesses are.
    spans: HashSet<Span>,
}

/// How far a state is in the script.
#[derive(Clone, Default)]
struct Progress {
    /// Accesses of the script that have happened.
    done: Vec<bool>,
    /// The first behind all that have, or were skipped.
    next: usize,
    /// Which thread of the script each thread of the machine is, once it has done something.
    roles: Vec<Option<ThreadId>>,
    /// Accesses out of order.
    cost: u32,
}

impl Script {
    fn new(image: &Image, execution: &Execution, started: &[String]) -> Self {
        let cue = |step: &Step| {
            let Event::Access(access) = &step.event else {
                return None;
            };
            Some(Cue {
                thread: step.thread,
                span: step.span,
                kind: kind(access.kind)?,
            })
        };
        let cues: Vec<Cue> = execution.steps.iter().filter_map(cue).collect();
        let own = image.program.threads.len();
        let functions = vec![String::new(); own].into_iter();
        Script {
            spans: cues.iter().map(|cue| cue.span).collect(),
            cues,
            functions: functions
                .chain(started.iter().map(|name| function_of(name)))
                .collect(),
            own,
        }
    }

    /// Notes what happened in a transition.
    fn follow(&self, process: &Process<'_>, progress: &mut Progress, log: &[Step]) {
        for step in log {
            let role = self.role(process, progress, step);
            // What comes next is looked for before what was skipped.
            let (next, all) = (progress.next, self.cues.len());
            let mine = |at: &usize| !progress.done[*at] && Some(self.cues[*at].thread) == role;
            let mut left = (next..all).chain(0..next).filter(mine);
            let found = match &step.event {
                Event::Access(access) => {
                    let Some(kind) = kind(access.kind) else {
                        continue;
                    };
                    let cue = |at: &usize| (self.cues[*at].span, self.cues[*at].kind);
                    let found = left.find(|at| cue(at) == (step.span, kind));
                    // It should not happen yet, or not at all.
                    if found.is_none() && self.spans.contains(&step.span) {
                        progress.cost += 1;
                    }
                    Vec::from_iter(found)
                }
                // A function of the library may make several accesses.
                Event::Call(_) => left
                    .take_while(|at| self.cues[*at].span == step.span)
                    .collect(),
                _ => Vec::new(),
            };
            for at in found {
                progress.done[at] = true;
                // Accesses before it are skipped: the machine does not log all that the script has.
                progress.cost += u32::from(at != progress.next);
                progress.next = progress.next.max(at + 1);
                while progress.done.get(progress.next) == Some(&true) {
                    progress.next += 1;
                }
            }
        }
    }

    /// True if a thread of the machine is the one of the script that a fault is of.
    fn is_played_by(&self, progress: &Progress, claim: &Violation, thread: ThreadId) -> bool {
        let role = match progress.roles.get(thread.index()) {
            Some(role) if thread.index() >= self.own => *role,
            _ => Some(thread),
        };
        matches!(claim, Violation::Fault { thread, .. } if Some(*thread) == role)
    }

    /// Which thread of the script the thread of a step is. Threads that others start have numbers in the order in which that
    /// happens, which need not be the same; then one with the same function is taken that nobody has been yet, if
    /// possible the one whose turn it is.
    fn role(
        &self,
        process: &Process<'_>,
        progress: &mut Progress,
        step: &Step,
    ) -> Option<ThreadId> {
        let thread = step.thread;
        if thread.index() < self.own {
            return Some(thread);
        }
        if progress.roles.len() <= thread.index() {
            progress.roles.resize(thread.index() + 1, None);
        }
        if progress.roles[thread.index()].is_none() {
            let started = process.started();
            let function = function_of(started.get(thread.index() - self.own)?);
            let free = |role: ThreadId| {
                role.index() >= self.own
                    && self.functions.get(role.index()) == Some(&function)
                    && !progress.roles.contains(&Some(role))
            };
            let due = self.cues.get(progress.next);
            let due = due.filter(|cue| cue.span == step.span);
            let due = due.map(|cue| cue.thread);
            let others = (self.own..self.functions.len()).map(ThreadId::from);
            let mut roles = due.into_iter().chain([thread]).chain(others);
            progress.roles[thread.index()] = roles.find(|role| free(*role));
        }
        progress.roles[thread.index()]
    }
}

/// What an access does, unless it only goes into a store buffer.
fn kind(event: AccessEvent) -> Option<Kind> {
    match event {
        AccessEvent::Load | AccessEvent::Forward => Some(Kind::Read),
        AccessEvent::Commit => Some(Kind::Write),
        AccessEvent::Update => Some(Kind::Update),
        AccessEvent::Buffer => None,
    }
}

/// The function in the name of a thread, as in `thread 2 (writer)`.
fn function_of(name: &str) -> String {
    let function = name.split_once('(').map_or("", |(_, function)| function);
    function.trim_end_matches(')').to_owned()
}

/// A state that waits to be expanded.
struct Node<'a> {
    process: Process<'a>,
    progress: Progress,
    /// The last transition on the way to it.
    way: Option<usize>,
    /// The number of states that were made before it.
    made: usize,
}

impl Node<'_> {
    /// The node with the largest one is expanded next.
    fn rank(&self) -> (Reverse<u32>, usize, usize) {
        (Reverse(self.progress.cost), self.progress.next, self.made)
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Node<'_> {}

impl PartialOrd for Node<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

struct Search<'a> {
    claim: &'a Violation,
    /// The same violation by another thread with the same code, and the way to it.
    similar: Option<(Violation, Vec<Transition>)>,
    script: Script,
    /// Transitions, each with the one before it.
    path: Vec<(Option<usize>, Transition)>,
    waiting: BinaryHeap<Node<'a>>,
    /// States that were met, each with how far it is.
    seen: HashSet<(u128, usize)>,
    bytes: usize,
    /// Something was cut off, or went wrong in another way.
    incomplete: bool,
    escaped: bool,
}

impl<'a> Search<'a> {
    /// The violation as the machine describes it, and the way to it.
    fn run(
        &mut self,
        image: &'a Image,
        limits: &'a Limits,
    ) -> Option<(Violation, Vec<Transition>)> {
        let mut first = Process::new(image, limits, true, false);
        let mut progress = Progress {
            done: vec![false; self.script.cues.len()],
            ..Progress::default()
        };
        let log = first.take_log();
        self.script.follow(&first, &mut progress, &log);
        let mut operations = first.operations();
        let mut made = 0;
        if let Some(met) = self.add(first, progress, None, made) {
            return Some((met, Vec::new()));
        }
        while let Some(mut node) = self.waiting.pop() {
            self.bytes -= node.process.size();
            let stopped = limits.stop.as_ref().is_some_and(|s| s.look().is_some());
            if stopped || self.escaped {
                self.incomplete = true;
                return None;
            }
            // The first transition is expanded first.
            for transition in node.process.transitions().into_iter().rev() {
                made += 1;
                let mut process = node.process.clone();
                process.perform(transition);
                operations += process.operations() - node.process.operations();
                let mut progress = node.progress.clone();
                let log = process.take_log();
                self.script.follow(&process, &mut progress, &log);
                self.path.push((node.way, transition));
                let way = self.path.len() - 1;
                if let Some(met) = self.add(process, progress, Some(way), made) {
                    return Some((met, self.way_to(way)));
                }
                if made > MOST_TRANSITIONS
                    || operations > MOST_OPERATIONS
                    || self.bytes > MOST_BYTES
                {
                    self.incomplete = true;
                    return None;
                }
            }
        }
        None
    }

    /// Keeps a state to be expanded, unless it was met before; the violation, if it is there.
    fn add(
        &mut self,
        mut process: Process<'a>,
        progress: Progress,
        way: Option<usize>,
        made: usize,
    ) -> Option<Violation> {
        self.escaped |= process.escaped();
        if let Some((violation, thread)) = self.met(&process) {
            if thread.is_none_or(|thread| self.script.is_played_by(&progress, self.claim, thread)) {
                return Some(violation);
            }
            let path = way.map_or(Vec::new(), |way| self.way_to(way));
            self.similar.get_or_insert((violation, path));
        }
        self.incomplete |= !process.bounds().is_empty();
        if let Some(end) = process.end() {
            self.incomplete |= !matches!(end, End::Exit(_));
        } else if self.seen.insert((process.fingerprint(), progress.next)) {
            self.bytes += process.size();
            self.waiting.push(Node {
                process,
                progress,
                way,
                made,
            });
        }
        None
    }

    /// The violation as the machine describes it, if a state shows it: the same kind of fault at the same span, with its
    /// thread, or the same outcome.
    fn met(&self, process: &Process<'_>) -> Option<(Violation, Option<ThreadId>)> {
        match (self.claim, process.end()) {
            (Violation::Fault { span, fault, .. }, Some(End::Fault(thread, at, found))) => {
                let violation = || Violation::Fault {
                    thread: *thread,
                    span: *at,
                    fault: (**found).clone(),
                };
                let same = span == at && fault.kind == found.kind;
                same.then(|| (violation(), Some(*thread)))
            }
            (Violation::NotSerial(Outcome(values)), None) => {
                let same = process.is_over() && process.outcome() == *values;
                same.then(|| (self.claim.clone(), None))
            }
            _ => None,
        }
    }

    fn way_to(&self, last: usize) -> Vec<Transition> {
        let step = |at: &usize| self.path[*at].0;
        let mut way: Vec<Transition> = std::iter::successors(Some(last), step)
            .map(|at| self.path[at].1)
            .collect();
        way.reverse();
        way
    }
}
