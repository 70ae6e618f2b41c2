//! Spreading an exploration over workers.
//!
//! A task is a subtree: the path to its node and the child to begin with. It is explored by
//! one worker up to a number of executions; what is left of it becomes new tasks. Tasks lie on
//! a stack; the same number of them is taken from it each time, whatever the number of
//! workers, and what they leave goes back in their order. So the counts and the violation found
//! first do not depend on the number of workers, and the stack stays as small as that of a
//! depth-first search.

use crate::Options;
use crate::child::Child;
use crate::explorer::Explorer;
use crate::judge::{Found, Judge};
use crate::perform::PathStep;
use machine::{Image, Limits};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Executions of the first task, which is explored by one worker alone.
const FIRST_BUDGET: u64 = 200;
/// Executions of any other task.
const BUDGET: u64 = 500;
/// Executions of a task while there are few, so that there are more soon, and no worker waits long for another.
const SMALL_BUDGET: u64 = 150;
/// Tasks that are taken at a time.
const WIDTH: usize = 48;

/// A subtree to explore.
#[derive(Clone, Debug, Default)]
struct Task {
    path: Vec<PathStep>,
    child: Option<Child>,
}

/// A worker's exploration, on cache lines of its own.
#[repr(align(128))]
struct Worker<'a>(Explorer<'a>);

/// What came of a task.
struct Done {
    found: Found,
    rest: Vec<Task>,
}

/// Explores everything.
pub fn explore(
    image: &Image,
    limits: &Limits,
    options: &Options,
    most_events: usize,
    started: Instant,
) -> Found {
    let worker = || Worker(Explorer::new(image, limits, most_events));
    let mut workers = vec![worker()];
    let mut all = Found::default();
    let mut tasks = vec![Task::default()];
    let mut budget = FIRST_BUDGET;
    while !tasks.is_empty() {
        let batch = tasks.split_off(tasks.len().saturating_sub(WIDTH));
        let jobs = options.jobs.max(1).min(batch.len());
        workers.resize_with(workers.len().max(jobs), worker);
        let done = perform(&mut workers[..jobs], &batch, options, started, budget);
        // The last task of a batch is the first of an exploration by one worker.
        for done in done.into_iter().rev() {
            all.merge(done.found);
            if all.is_decided(options) {
                return all;
            }
            tasks.extend(done.rest);
        }
        budget = if tasks.len() < WIDTH {
            SMALL_BUDGET
        } else {
            BUDGET
        };
    }
    all
}

/// Performs tasks on all workers; what came of them, in order.
fn perform(
    workers: &mut [Worker<'_>],
    batch: &[Task],
    options: &Options,
    started: Instant,
    budget: u64,
) -> Vec<Done> {
    let done: Vec<Mutex<Option<Done>>> = batch.iter().map(|_| Mutex::new(None)).collect();
    let left = AtomicUsize::new(batch.len());
    // The latest task with something that ends the search; those before it are of no use.
    let decided = AtomicUsize::new(0);
    let work_done = Mutex::new(InOrder::new(batch.len()));
    let work = |Worker(explorer): &mut Worker<'_>| {
        while let Some(index) = take(&left) {
            let useless = || decided.load(Ordering::Relaxed) > index;
            if useless() {
                return;
            }
            let judge = Judge::new(options, started, budget, &useless);
            let result = explore_task(explorer, &batch[index], judge);
            if result.found.is_decided(options) {
                decided.fetch_max(index, Ordering::Relaxed);
            } else if let Ok(mut work_done) = work_done.lock() {
                let work = work_done.add(index, result.found.counts.events);
                options.control.progress.add_work(work);
            }
            if let Ok(mut slot) = done[index].lock() {
                *slot = Some(result);
            }
        }
    };
    if let Some((here, others)) = workers.split_first_mut() {
        std::thread::scope(|scope| {
            for worker in others {
                scope.spawn(|| work(worker));
            }
            work(here);
        });
    }
    let done = done
        .into_iter()
        .map(|slot| slot.into_inner().ok().flatten());
    done.map(|done| {
        done.unwrap_or_else(|| Done {
            found: Found::default(),
            rest: Vec::new(),
        })
    })
    .collect()
}

/// Work of tasks, which counts once all tasks before it are done: those with larger indices.
struct InOrder {
    /// Tasks that are done, and whose work has not counted yet.
    waiting: Vec<Option<u64>>,
    /// All tasks from here on have counted.
    counted: usize,
}

impl InOrder {
    fn new(tasks: usize) -> Self {
        InOrder {
            waiting: vec![None; tasks],
            counted: tasks,
        }
    }

    /// A task is done: the work that counts now.
    fn add(&mut self, index: usize, work: u64) -> u64 {
        self.waiting[index] = Some(work);
        let mut counts = 0;
        while let Some(next) = self.counted.checked_sub(1)
            && let Some(work) = self.waiting[next].take()
        {
            counts += work;
            self.counted = next;
        }
        counts
    }
}

/// The index of the next task, from the last to the first.
fn take(left: &AtomicUsize) -> Option<usize> {
    let take = |left: usize| left.checked_sub(1);
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
        .ok()
        .map(|left| left - 1)
}

fn explore_task(explorer: &mut Explorer<'_>, task: &Task, mut judge: Judge<'_>) -> Done {
    explorer.back_to(0);
    explorer.pending.take();
    let (events, redundant) = (explorer.events, explorer.redundant);
    explorer.follow(&task.path);
    if let Some(bound) = explorer.stopped_by_limit() {
        judge.stop(bound);
        return Done {
            found: judge.found,
            rest: Vec::new(),
        };
    }
    let events = events + task.path.len() as u64;
    let finished = explorer.explore(task.child.as_ref(), &mut judge);
    let mut found = judge.found;
    found.counts.events = explorer.events - events;
    found.counts.redundant = explorer.redundant - redundant;
    let mut rest = Vec::new();
    if !finished {
        let path = explorer.path();
        let pending = explorer.pending.take();
        rest = pending
            .into_iter()
            .map(|(node, child)| Task {
                path: path[..node].to_vec(),
                child: Some(child),
            })
            .collect();
    }
    Done { found, rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts_in_the_order_of_tasks() {
        let mut work = InOrder::new(3);
        assert_eq!(work.add(1, 10), 0);
        assert_eq!(work.add(2, 5), 15);
        assert_eq!(work.add(0, 1), 1);
    }
}
