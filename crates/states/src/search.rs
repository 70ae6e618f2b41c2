//! Breadth-first search of all reachable states, by as many workers as wanted.
//!
//! The search goes level by level: all states at one distance from the start,
//! then all at the next. Workers take the states of a level in portions, compute
//! successors with their own [`Expander`] and add them to the common [`Table`].
//! What is found does not depend on the number of workers.

use crate::expander::{Expander, Move};
use crate::layout::Layout;
use crate::table::{Batches, Key, Table};
use crate::{Options, Progress};
use machine::{Processor, Status};
use program::{Bound, Counts, Outcome};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// States that a worker takes at a time.
const PORTION: usize = 256;
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
    /// Some thread failed.
    pub failure: bool,
    /// Some state breaks an invariant.
    pub broken_invariant: bool,
    /// Some state has no successor and is not final.
    pub deadlock: bool,
    /// Why the search stopped before the end.
    pub stopped: Option<Bound>,
}

impl Found {
    /// Something is wrong that no further search can change.
    pub fn is_violation(&self) -> bool {
        self.failure || self.broken_invariant || self.deadlock
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

/// Everything that workers share during a level.
struct Level<'a, const W: usize> {
    layout: &'a Layout<W>,
    table: &'a Table<W>,
    /// The table is cut into shards.
    cut: bool,
    options: &'a Options,
    /// The level's states, in one list per worker that found them.
    frontier: &'a [Vec<Key<W>>],
    /// Portions taken so far.
    taken: AtomicUsize,
    stop: AtomicBool,
    /// Invariants speak of more than memory.
    watch: bool,
    /// There are invariants.
    invariants: bool,
}

/// Visits every state that can be reached. Gives the expanders back, for the next
/// attempt after an [`Overflow`].
pub fn search<'a, P: Processor, const W: usize>(
    expanders: &mut Vec<Expander<'a, P>>,
    layout: &Layout<W>,
    options: &Options,
    progress: &Progress,
) -> Result<Found, Overflow> {
    let components = expanders[0].components();
    let jobs = expanders.len();
    let mut table = Table::<W>::new();
    let mut workers: Vec<Worker<'a, P, W>> = expanders
        .drain(..)
        .enumerate()
        .map(|(number, expander)| Worker {
            expander,
            next: Vec::new(),
            spare: Vec::new(),
            batches: Batches::new(number, jobs),
            found: Found::default(),
            overflow: false,
        })
        .collect();
    let invariants = &components.program.properties.invariants;
    let watch = invariants.iter().any(|i| !i.formula.threads().is_empty());
    let invariants = !invariants.is_empty();

    workers[0].add_initial(layout, &table);
    let mut cut = table.cut_if_large();
    let mut total = Found::default();
    let mut peak = 0;
    let result = loop {
        let frontier: Vec<Vec<Key<W>>> = workers
            .iter_mut()
            .map(|worker| std::mem::replace(&mut worker.next, std::mem::take(&mut worker.spare)))
            .collect();
        let size: usize = frontier.iter().map(Vec::len).sum();
        if overflowed(&workers) {
            break Err(Overflow);
        }
        if size == 0 {
            break Ok(());
        }
        total.counts.depth += 1;
        let level = Level {
            layout,
            table: &table,
            cut,
            options,
            frontier: &frontier,
            taken: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            watch,
            invariants,
        };
        let (own, others) = workers.split_first_mut().expect("at least one worker");
        std::thread::scope(|scope| {
            if cut && size >= WORTH_SHARING {
                for worker in others {
                    scope.spawn(|| worker.run(&level));
                }
            }
            own.run(&level);
        });
        if overflowed(&workers) {
            break Err(Overflow);
        }
        let words = workers.iter().map(|worker| worker.next.capacity());
        let words: usize = words.chain(frontier.iter().map(Vec::capacity)).sum();
        let batches: usize = workers.iter().map(|worker| worker.batches.bytes()).sum();
        peak = peak.max(words * size_of::<Key<W>>() + batches);
        let states = table.len() as u64;
        progress.states.store(states, Ordering::Relaxed);
        progress.depth.store(total.counts.depth, Ordering::Relaxed);
        if level.stop.load(Ordering::Relaxed) {
            total.stopped = Some(options.reason_to_stop(states));
            break Ok(());
        }
        let violated = workers.iter().any(|worker| worker.found.is_violation());
        if violated && options.stop_at_violation {
            break Ok(());
        }
        cut = table.cut_if_large();
        for (worker, mut used) in workers.iter_mut().zip(frontier) {
            used.clear();
            worker.spare = used;
        }
    };
    total.counts.states = table.len() as u64;
    let own: usize = workers.iter().map(|worker| worker.expander.bytes()).sum();
    total.counts.bytes = (table.bytes() + peak + own + components.bytes()) as u64;
    for worker in workers {
        total.counts.transitions += worker.found.counts.transitions;
        total.outcomes.extend(worker.found.outcomes);
        total.failure |= worker.found.failure;
        total.broken_invariant |= worker.found.broken_invariant;
        total.deadlock |= worker.found.deadlock;
        expanders.push(worker.expander);
    }
    result.map(|()| total)
}

fn overflowed<P: Processor, const W: usize>(workers: &[Worker<'_, P, W>]) -> bool {
    workers.iter().any(|worker| worker.overflow)
}

impl<P: Processor, const W: usize> Worker<'_, P, W> {
    fn add_initial(&mut self, layout: &Layout<W>, table: &Table<W>) {
        let mut first = Vec::new();
        self.expander.initial(|ids| first.push(ids.to_vec()));
        let symmetry = self.expander.components().symmetry;
        for mut ids in first {
            symmetry.canonical(&mut self.expander, &mut ids);
            let Some(key) = layout.pack(&ids) else {
                self.overflow = true;
                return;
            };
            if table.insert(key) {
                self.next.push(key);
            }
        }
    }

    fn run(&mut self, level: &Level<'_, W>) {
        let mut ids = vec![0; level.layout.components()];
        while let Some(portion) = level.portion() {
            for key in portion {
                self.expand(level, key, &mut ids);
            }
            if self.overflow {
                level.stop.store(true, Ordering::Relaxed);
            }
        }
        self.batches.finish(level.table, &mut self.next);
    }

    #[inline]
    fn expand(&mut self, level: &Level<'_, W>, key: &Key<W>, ids: &mut [u32]) {
        for (index, id) in ids.iter_mut().enumerate() {
            *id = level.layout.get(key, index);
        }
        if level.invariants {
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
                if !level.layout.fits(step.thread, step.local)
                    || !level.layout.fits(memory_index, step.memory)
                {
                    *overflow = true;
                    return;
                }
                level.layout.set(&mut successor, step.thread, step.local);
                if step.memory != memory {
                    level.layout.set(&mut successor, memory_index, step.memory);
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
                match level.layout.pack(&successor) {
                    Some(key) => level.add(&mut self.batches, key, &mut self.next),
                    None => self.overflow = true,
                }
            }
            moved
        };
        if !moved {
            self.at_end(ids);
        } else if self.expander.any_failed(ids) {
            self.found.failure = true;
        }
    }

    fn check_invariants(&mut self, level: &Level<'_, W>, ids: &[u32]) {
        if self.expander.memory_breaks_invariant(ids[ids.len() - 1]) {
            self.found.broken_invariant = true;
        } else if level.watch {
            let invariants = &self.expander.components().program.properties.invariants;
            self.found.broken_invariant |= self.expander.with_view(ids, |view| {
                let mut formulas = invariants.iter().map(|invariant| &invariant.formula);
                formulas.any(|formula| formula.evaluate(view) == Some(false))
            });
        }
    }

    /// A state in which nobody can do anything: an outcome, a failure or a deadlock.
    fn at_end(&mut self, ids: &[u32]) {
        let statuses: Vec<Status> = (0..ids.len() - 1)
            .map(|thread| self.expander.status(thread, ids[thread]))
            .collect();
        if statuses
            .iter()
            .any(|status| matches!(status, Status::Failed(_)))
        {
            self.found.failure = true;
        } else if statuses.contains(&Status::Running) {
            self.found.deadlock = true;
        } else {
            let symmetry = self.expander.components().symmetry;
            let outcomes = &mut self.found.outcomes;
            symmetry.orbit(&mut self.expander, ids, &mut |expander, ids| {
                outcomes.extend(expander.outcome(ids));
            });
        }
    }
}

impl<'a, const W: usize> Level<'a, W> {
    /// Adds a state to the table, and to `next` if it is new.
    #[inline]
    fn add(&self, batches: &mut Batches<W>, key: Key<W>, next: &mut Vec<Key<W>>) {
        if self.cut {
            batches.insert(self.table, key, next);
        } else if self.table.insert(key) {
            next.push(key);
        }
    }

    /// The next states to work on.
    fn portion(&self) -> Option<&'a [Key<W>]> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut number = self.taken.fetch_add(1, Ordering::Relaxed);
        if number % 16 == 0 && self.options.should_stop(|| self.table.len() as u64) {
            self.stop.store(true, Ordering::Relaxed);
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
