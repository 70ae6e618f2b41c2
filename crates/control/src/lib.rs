//! How a search is kept within limits, watched and interrupted, whichever engine it is.
//!
//! A [`Control`] is what the caller holds: limits, a flag that ends the search, numbers that show how far it
//! is. When work begins it makes a [`Stop`] of it, which knows when it began.

mod stop;
mod turn;

pub use stop::{Stop, resident_bytes};
pub use turn::Turn;

use answer::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Limits, progress and interruption of a search. Clones share the flag and the numbers.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// Set from outside to end the search.
    pub interrupt: Arc<AtomicBool>,
    /// End the search after about this time.
    pub max_time: Option<Duration>,
    /// End the search when what it stores, or the process as a whole, takes this many bytes.
    pub max_bytes: Option<u64>,
    /// End the search after about this many states, or executions where the engine explores those.
    pub max_states: Option<u64>,
    /// How far the search is.
    pub progress: Arc<Progress>,
    /// Whether the search may run now.
    pub turn: Arc<Turn>,
}

/// How far a search is.
#[derive(Debug, Default)]
pub struct Progress {
    /// States so far.
    pub states: AtomicU64,
    /// Distance from the start.
    pub depth: AtomicU64,
    /// Executions so far, of an engine that explores executions.
    pub executions: AtomicU64,
    /// Work so far, in a unit of the engine. Work of several threads counts once everything before it, in the order of a
    /// search by one thread, is done: so when a search ends the number does not depend on its workers, nor on time.
    pub work: AtomicU64,
}

impl Progress {
    /// Begins to count anew.
    pub fn reset(&self) {
        let numbers = [&self.states, &self.depth, &self.executions, &self.work];
        for number in numbers {
            number.store(0, Ordering::Relaxed);
        }
    }

    /// Work that was done, with all before it.
    pub fn add_work(&self, work: u64) {
        self.work.fetch_add(work, Ordering::Relaxed);
    }
}

impl Control {
    /// The limits of work that begins now, for all that takes part in it.
    pub fn stop(&self) -> Stop {
        Stop::new(&self.interrupt, self.max_time, self.max_bytes).with_turn(&self.turn)
    }

    /// The same for whoever watches over the search, and does not pause with it.
    pub fn without_turn(&self) -> Self {
        Control {
            turn: Arc::default(),
            ..self.clone()
        }
    }

    /// The same, without the time that has been spent.
    pub fn after(&self, spent: Duration) -> Self {
        let left = |time: Duration| time.saturating_sub(spent);
        self.with_time(self.max_time.map(left))
    }

    /// The same with another limit on time.
    pub fn with_time(&self, max_time: Option<Duration>) -> Self {
        Control {
            max_time,
            ..self.clone()
        }
    }

    /// The same with another limit on states or executions.
    pub fn with_states(&self, max_states: Option<u64>) -> Self {
        Control {
            max_states,
            ..self.clone()
        }
    }

    /// True if the user wants the search to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// The limit that is reached by a search that began at `started`, if one is, given ways to count its states
    /// and their bytes.
    pub fn limit_reached(
        &self,
        started: Instant,
        states: impl Fn() -> usize,
        bytes: impl Fn() -> usize,
    ) -> Option<Bound> {
        self.turn.wait();
        let states = || states() as u64;
        let bytes = || bytes() as u64;
        if self.is_interrupted() {
            return Some(Bound::Interrupted(states()));
        }
        if self.max_states.is_some_and(|most| states() >= most) {
            return Some(Bound::States(states()));
        }
        if self.max_bytes.is_some_and(|most| bytes() >= most) {
            return Some(Bound::Memory(bytes()));
        }
        let resident = |most: &u64| resident_bytes().is_some_and(|bytes| bytes > *most);
        if let Some(most) = self.max_bytes.filter(resident) {
            return Some(Bound::Memory(most));
        }
        let out_of_time = self.max_time.filter(|most| started.elapsed() >= *most);
        out_of_time.map(Bound::Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_was_spent_is_gone() {
        let seconds = Duration::from_secs;
        let control = Control::default().with_time(Some(seconds(5)));
        assert_eq!(control.after(seconds(2)).max_time, Some(seconds(3)));
        assert_eq!(control.after(seconds(9)).max_time, Some(seconds(0)));
        assert_eq!(Control::default().after(seconds(9)).max_time, None);
    }

    #[test]
    fn clones_are_interrupted_together() {
        let control = Control::default();
        let left = control.after(Duration::ZERO);
        control.interrupt.store(true, Ordering::Relaxed);
        let reached = left.limit_reached(Instant::now(), || 7, || 0);
        assert_eq!(reached, Some(Bound::Interrupted(7)));
    }
}
