//! Guessing the number of executions by exploring small parts of the tree.
//!
//! A walk explores a few executions from the start, as the search would, and then, of all that it
//! has found and left unexplored, picks one subtree at random and goes on from there in the
//! same way, to the end. What it explores after a pick stands for all that it might have picked:
//! it counts once for each, weighed by how likely the pick was. On average that is the
//! number of executions (Knuth's estimate).

use crate::Options;
use crate::child::Child;
use crate::explorer::{Explorer, Visitor};
use crate::perform::PathStep;
use crate::run::{Exploration, MOST_EVENTS};
use crate::trace::EventId;
use answer::Estimate;
use fastrand::Rng;
use machine::{End, Limits, Unsupported};
use memory::Model;
use program::Program;

/// Walks of an estimate.
const WALKS: u32 = 1000;
/// Groups of walks; how far their averages differ is the error of the estimate.
const GROUPS: usize = 20;
/// Executions between two picks.
const EXECUTIONS: u64 = 24;
/// How much larger a subtree is taken to be that begins one event earlier.
const GROWTH: f64 = 1.5;

/// Guesses how many executions [`run`](crate::run) would explore.
pub fn estimate(
    program: &Program,
    model: Model,
    options: &Options,
) -> Result<Estimate, Unsupported> {
    let exploration = Exploration::new(program, model, options)?;
    let limits = exploration.limits(&exploration.reductions());
    Ok(guess(&exploration, &limits))
}

fn guess(exploration: &Exploration<'_>, limits: &Limits) -> Estimate {
    let mut walker = Walker {
        explorer: Explorer::new(&exploration.image, limits, MOST_EVENTS),
        counter: Counter::default(),
        random: Rng::with_seed(0),
    };
    let mut groups = [0.0; GROUPS];
    let mut done = 0;
    while done < WALKS && exploration.stop.look().is_none() {
        let executions = walker.walk();
        // A walk that a limit cut off is no sample.
        if exploration.stop.reached().is_some() {
            break;
        }
        groups[done as usize % GROUPS] += executions;
        done += 1;
        // Everything was explored: there is nothing to guess.
        if walker.counter.all {
            groups = [walker.counter.executions as f64; GROUPS];
            done = GROUPS as u32;
            break;
        }
    }
    let per_group = f64::from(done.max(1)) / GROUPS as f64;
    let mean = groups.iter().sum::<f64>() / f64::from(done.max(1));
    let spread = |group: &f64| (group / per_group - mean).powi(2);
    let variance = groups.iter().map(spread).sum::<f64>() / (GROUPS * (GROUPS - 1)) as f64;
    let error = 2.0 * variance.sqrt();
    let Counter { leaves, events, .. } = walker.counter;
    Estimate {
        executions: mean,
        low: (mean - error).max(1.0).min(mean),
        high: mean + error,
        walks: done,
        explored: leaves,
        events: events as f64 / leaves.max(1) as f64,
    }
}

struct Walker<'a> {
    explorer: Explorer<'a>,
    counter: Counter,
    random: Rng,
}

impl Walker<'_> {
    /// Explores along one line of picks; the number of executions that it stands for.
    fn walk(&mut self) -> f64 {
        let mut path: Vec<PathStep> = Vec::new();
        let mut child: Option<Child> = None;
        let (mut weight, mut total) = (1.0, 0.0);
        loop {
            self.explorer.back_to(0);
            self.explorer.pending.take();
            if !self.explorer.follow(&path) {
                return total;
            }
            self.counter.left = EXECUTIONS;
            self.counter.executions = 0;
            self.explorer.explore(child.as_ref(), &mut self.counter);
            total += weight * self.counter.executions as f64;
            let pending = self.explorer.pending.take();
            self.counter.all = pending.is_empty() && child.is_none();
            if self.explorer.stopped_by_limit().is_some() {
                return total;
            }
            let Some((node, picked, likely)) = self.pick(pending) else {
                return total;
            };
            weight /= likely;
            path = self.explorer.path();
            path.truncate(node);
            child = Some(picked);
        }
    }

    /// Picks a subtree; how likely that was.
    fn pick(&mut self, pending: Vec<(EventId, Child)>) -> Option<(EventId, Child, f64)> {
        let deepest = pending.last()?.0;
        let size = |node: EventId| GROWTH.powi((deepest - node).min(1000) as i32);
        let all: f64 = pending.iter().map(|(node, _)| size(*node)).sum();
        let mut rest = all * self.random.f64();
        let last = pending.len() - 1;
        for (index, (node, child)) in pending.into_iter().enumerate() {
            rest -= size(node);
            if rest < 0.0 || index == last {
                return Some((node, child, size(node) / all));
            }
        }
        None
    }
}

/// Counts a few executions.
#[derive(Default)]
struct Counter {
    /// Executions until it stops.
    left: u64,
    /// Executions since the last pick.
    executions: u64,
    /// Executions of all walks.
    leaves: u64,
    /// Events of those.
    events: u64,
    /// The last walk explored everything.
    all: bool,
}

impl Visitor for Counter {
    fn ended(&mut self, _explorer: &mut Explorer<'_>, _end: End) -> bool {
        true
    }

    fn stuck(&mut self, _: &mut Explorer<'_>) -> bool {
        true
    }

    fn leaf(&mut self, explorer: &mut Explorer<'_>) -> bool {
        self.executions += 1;
        self.leaves += 1;
        self.events += explorer.trace.len() as u64;
        self.left -= 1;
        self.left > 0 && explorer.look_at_limits().is_none()
    }
}
