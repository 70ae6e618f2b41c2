//! Breadth-first search of all reachable states, by as many workers as wanted.
//!
//! The search goes level by level: all states at one distance from the start,
//! then all at the next. Workers take the states of a level in portions, compute
//! successors with their own [`Expander`] and add them to the common [`Table`].
//! What is found does not depend on the number of workers.

use crate::Options;
use crate::components::Components;
use crate::expander::{Expander, Move};
use crate::layout::Layout;
use crate::table::{Batches, Key, Table};
use answer::{Bound, Counts, Outcome};
use machine::{Failure, Processor};
use program::ThreadId;
use rustc_hash::FxHashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// States that a worker takes at a time.
const PORTION: usize = 256;
/// States of more words than this are those of many threads, which take long to expand: after so
/// many of them limits are looked at again.
const FEW_WORDS: usize = 2;
const WIDE_STATES: usize = 16;
/// A level with fewer states than this is not worth waking other workers for.
const WORTH_SHARING: usize = 2048;

/// What a search found.
#[derive(Debug, Default)]
pub struct Found {
    /// The size of the search.
    pub counts: Counts,
    /// All final states that pass the filter, as far as they are observed, and
    /// whether they satisfy the condition.
    pub outcomes: FxHashSet<(Outcome, bool)>,
    /// What is wrong with some state; the least, if there are several.
    pub wrong: Option<Wrong>,
    /// Why the search stopped before the end.
    pub stopped: Option<Bound>,
}

/// What is wrong with a state, the worst first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// A thread failed.
    Failure(ThreadId, Failure),
    /// The invariant of this number is broken.
    Invariant(usize),
    /// These threads can't go on, and nobody else can.
    Deadlock(Vec<ThreadId>),
}

impl Found {
    fn add(&mut self, wrong: Wrong) {
        if self.wrong.as_ref().is_none_or(|known| wrong < *known) {
            self.wrong = Some(wrong);
        }
    }

    fn merge(&mut self, other: Found) {
        self.counts.transitions += other.counts.transitions;
        self.outcomes.extend(other.outcomes);
        other.wrong.into_iter().for_each(|wrong| self.add(wrong));
    }
}

/// Some component has more kinds than its field in the key has numbers.
pub struct Overflow;

struct Worker<'a, P: Processor, const W: usize> {
    expander: Expander<'a, P>,
    /// States of the next level.
    next: Vec<Key<W>>,
    /// An empty list whose memory is used again.
    spare: Vec<Key<W>>,
    batches: Batches<W>,
    found: Found,
    overflow: bool,
}

/// What stays the same for the whole search.
struct Task<'a, const W: usize> {
    layout: &'a Layout<W>,
    options: &'a Options,
    started: Instant,
    /// There are invariants.
    invariants: bool,
    /// Invariants speak of more than memory.
    watch: bool,
}

impl<const W: usize> Task<'_, W> {
    fn limit_reached(&self, table: &Table<W>) -> Option<Bound> {
        let (states, bytes) = (|| table.len(), || table.bytes());
        self.options
            .control
            .limit_reached(self.started, states, bytes)
    }
}

/// Everything that workers share during a level.
struct Level<'a, const W: usize> {
    task: &'a Task<'a, W>,
    table: &'a Table<W>,
    /// The table is cut into shards.
    cut: bool,
    /// The level's states, in one list per worker that found them.
    frontier: &'a [Vec<Key<W>>],
    /// Portions taken so far.
    taken: AtomicUsize,
    /// No more portions are given out.
    closed: AtomicBool,
    /// Why the search must stop.
    stopped: OnceLock<Bound>,
}

/// Visits every state that can be reached. Gives the expanders back, for the next
/// attempt after an [`Overflow`].
pub fn search<'a, P: Processor, const W: usize>(
    expanders: &mut Vec<Expander<'a, P>>,
    layout: &Layout<W>,
    options: &Options,
    started: Instant,
) -> Result<Found, Overflow> {
    let components = expanders[0].components();
    let invariants = &components.program.properties.invariants;
    let task = Task {
        layout,
        options,
        started,
        invariants: !invariants.is_empty(),
        watch: invariants.iter().any(|i| !i.formula.threads().is_empty()),
    };
    let jobs = expanders.len();
    let mut workers: Vec<Worker<'a, P, W>> = expanders
        .drain(..)
        .enumerate()
        .map(|(number, expander)| Worker::new(expander, number, jobs))
        .collect();
    let mut table = Table::<W>::new();
    let levels = all_levels(&task, &mut table, &mut workers);
    let found = levels.map(|levels| summary(components, &table, &mut workers, levels));
    expanders.extend(workers.into_iter().map(|worker| worker.expander));
    found
}

/// How the levels went.
struct Levels {
    depth: u64,
    /// Most bytes that lists of states took besides the table.
    peak: usize,
    stopped: Option<Bound>,
}

fn all_levels<P: Processor, const W: usize>(
    task: &Task<'_, W>,
    table: &mut Table<W>,
    workers: &mut [Worker<'_, P, W>],
) -> Result<Levels, Overflow> {
    let progress = &task.options.control.progress;
    let mut levels = Levels {
        depth: 0,
        peak: 0,
        stopped: None,
    };
    progress.states.store(0, Ordering::Relaxed);
    levels.stopped = workers[0].add_initial(task, table)?;
    while levels.stopped.is_none() {
        let cut = table.cut_if_large();
        let frontier: Vec<Vec<Key<W>>> = workers.iter_mut().map(Worker::take_next).collect();
        if frontier.iter().all(Vec::is_empty) {
            break;
        }
        levels.depth += 1;
        progress.depth.store(levels.depth, Ordering::Relaxed);
        let level = Level {
            task,
            table,
            cut,
            frontier: &frontier,
            taken: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            stopped: OnceLock::new(),
        };
        level.run(workers);
        if workers.iter().any(|worker| worker.overflow) {
            return Err(Overflow);
        }
        let words: usize = frontier.iter().map(Vec::capacity).sum();
        let lists = workers.iter().map(Worker::list_bytes).sum::<usize>();
        levels.peak = levels.peak.max(words * size_of::<Key<W>>() + lists);
        levels.stopped = level.stopped.into_inner();
        let wrong = workers.iter().any(|worker| worker.found.wrong.is_some());
        if wrong && task.options.stop_at_violation {
            break;
        }
        progress.add_work(frontier.iter().map(Vec::len).sum::<usize>() as u64);
        for (worker, mut used) in workers.iter_mut().zip(frontier) {
            used.clear();
            worker.spare = used;
        }
    }
    Ok(levels)
}

fn summary<P: Processor, const W: usize>(
    components: &Components<'_, P>,
    table: &Table<W>,
    workers: &mut [Worker<'_, P, W>],
    levels: Levels,
) -> Found {
    let mut total = Found::default();
    let graphs: usize = workers.iter().map(|worker| worker.expander.bytes()).sum();
    for worker in workers {
        total.merge(std::mem::take(&mut worker.found));
    }
    total.counts.states = table.len() as u64;
    total.counts.depth = levels.depth;
    total.counts.bytes = (table.bytes() + levels.peak + graphs + components.bytes()) as u64;
    total.stopped = levels.stopped;
    total
}

impl<'a, P: Processor, const W: usize> Worker<'a, P, W> {
    fn new(expander: Expander<'a, P>, number: usize, jobs: usize) -> Self {
        Worker {
            expander,
            next: Vec::new(),
            spare: Vec::new(),
            batches: Batches::new(number, jobs),
            found: Found::default(),
            overflow: false,
        }
    }

    fn take_next(&mut self) -> Vec<Key<W>> {
        std::mem::replace(&mut self.next, std::mem::take(&mut self.spare))
    }

    fn list_bytes(&self) -> usize {
        self.next.capacity() * size_of::<Key<W>>() + self.batches.bytes()
    }

    /// Adds the initial states; stops if there are too many of them.
    fn add_initial(
        &mut self,
        task: &Task<'_, W>,
        table: &Table<W>,
    ) -> Result<Option<Bound>, Overflow> {
        let symmetry = self.expander.components().symmetry;
        for (number, mut ids) in self.expander.initial().enumerate() {
            let look = number % PORTION == PORTION - 1;
            if let Some(bound) = look.then(|| task.limit_reached(table)).flatten() {
                return Ok(Some(bound));
            }
            symmetry.canonical(&mut self.expander, &mut ids);
            let key = task.layout.pack(&ids).ok_or(Overflow)?;
            if table.insert(key) {
                self.next.push(key);
            }
        }
        Ok(None)
    }

    fn run(&mut self, level: &Level<'_, W>) {
        let mut ids = vec![0; level.task.layout.components()];
        while let Some(portion) = level.portion() {
            let before = self.next.len();
            for (number, key) in portion.iter().enumerate() {
                if W > FEW_WORDS && number % WIDE_STATES == 0 && level.is_over() {
                    break;
                }
                self.expand(level, key, &mut ids);
            }
            let states = &level.task.options.control.progress.states;
            states.fetch_add((self.next.len() - before) as u64, Ordering::Relaxed);
            if self.overflow {
                level.closed.store(true, Ordering::Relaxed);
            }
        }
        self.batches.finish(level.table, &mut self.next);
    }

    #[inline]
    fn expand(&mut self, level: &Level<'_, W>, key: &Key<W>, ids: &mut [u32]) {
        for (index, id) in ids.iter_mut().enumerate() {
            *id = level.task.layout.get(key, index);
        }
        if level.task.invariants {
            self.check_invariants(level, ids);
        }
        let symmetry = self.expander.components().symmetry;
        let memory_index = ids.len() - 1;
        let moved = if symmetry.is_trivial() {
            let Worker {
                expander,
                next,
                batches,
                found,
                overflow,
                ..
            } = self;
            let memory = ids[memory_index];
            expander.moves(ids, |step: Move| {
                found.counts.transitions += 1;
                let mut successor = *key;
                if !level.task.layout.fits(step.thread, step.local)
                    || !level.task.layout.fits(memory_index, step.memory)
                {
                    *overflow = true;
                    return;
                }
                level
                    .task
                    .layout
                    .set(&mut successor, step.thread, step.local);
                if step.memory != memory {
                    level
                        .task
                        .layout
                        .set(&mut successor, memory_index, step.memory);
                }
                level.add(batches, successor, next);
            })
        } else {
            let mut steps = Vec::new();
            let moved = self.expander.moves(ids, |step| steps.push(step));
            self.found.counts.transitions += steps.len() as u64;
            for step in steps {
                let mut successor = ids.to_vec();
                successor[step.thread] = step.local;
                successor[memory_index] = step.memory;
                symmetry.canonical(&mut self.expander, &mut successor);
                match level.task.layout.pack(&successor) {
                    Some(key) => level.add(&mut self.batches, key, &mut self.next),
                    None => self.overflow = true,
                }
            }
            moved
        };
        if let Some((thread, failure)) = self.expander.failure(ids) {
            // A thread that bets goes on.
            if !self.expander.is_betting(ids) {
                self.found.add(Wrong::Failure(thread, failure));
            }
        } else if !moved {
            self.at_end(ids);
        }
    }

    fn check_invariants(&mut self, level: &Level<'_, W>, ids: &[u32]) {
        if level.task.watch || self.expander.memory_breaks_invariant(ids[ids.len() - 1]) {
            let broken = self.expander.broken_invariant(ids);
            broken
                .into_iter()
                .for_each(|number| self.found.add(Wrong::Invariant(number)));
        }
    }

    /// A state in which nobody can do anything: an outcome or a deadlock.
    fn at_end(&mut self, ids: &[u32]) {
        let stuck = self.expander.with_view(ids, |view| view.running());
        if !stuck.is_empty() {
            return self.found.add(Wrong::Deadlock(stuck));
        }
        let symmetry = self.expander.components().symmetry;
        let outcomes = &mut self.found.outcomes;
        symmetry.orbit(&mut self.expander, ids, &mut |expander, ids| {
            outcomes.extend(expander.outcome(ids));
        });
    }
}

impl<'a, const W: usize> Level<'a, W> {
    /// Lets the workers explore the level.
    fn run<P: Processor>(&self, workers: &mut [Worker<'_, P, W>]) {
        let size: usize = self.frontier.iter().map(Vec::len).sum();
        let (own, others) = workers.split_first_mut().expect("at least one worker");
        std::thread::scope(|scope| {
            if self.cut && size >= WORTH_SHARING {
                for worker in others {
                    scope.spawn(|| worker.run(self));
                }
            }
            own.run(self);
        });
    }

    /// Adds a state to the table, and to `next` if it is new.
    #[inline]
    fn add(&self, batches: &mut Batches<W>, key: Key<W>, next: &mut Vec<Key<W>>) {
        if self.cut {
            batches.insert(self.table, key, next);
        } else if self.table.insert(key) {
            next.push(key);
        }
    }

    /// Looks whether a limit is reached; if one is, the level is closed.
    fn is_over(&self) -> bool {
        if let Some(bound) = self.task.limit_reached(self.table) {
            self.stopped.get_or_init(|| bound);
            self.closed.store(true, Ordering::Relaxed);
        }
        self.closed.load(Ordering::Relaxed)
    }

    /// The next states to work on.
    fn portion(&self) -> Option<&'a [Key<W>]> {
        if self.closed.load(Ordering::Relaxed) {
            return None;
        }
        let mut number = self.taken.fetch_add(1, Ordering::Relaxed);
        if number.is_multiple_of(16) && self.is_over() {
            return None;
        }
        for list in self.frontier {
            let portions = list.len().div_ceil(PORTION);
            if number < portions {
                let start = number * PORTION;
                return Some(&list[start..list.len().min(start + PORTION)]);
            }
            number -= portions;
        }
        None
    }
}
