//! Limits of a search: its time, the memory of the process, and the user's wish to stop.
//!
//! Every phase looks at them: unrolling, ranges and encoding by [`Limits::check`] and
//! [`Limits::is_over`] in their loops, the solver by its terminator. Once a limit is reached it
//! stays reached, so that a phase may finish its loop in any state.
//!
//! Looks come at the same points of a search each time, as it has one thread, so their number says how far it is without a clock, and
//! may be limited, too.

use crate::refusal::{Halt, NotSolvable};
use crate::search::Options;
use answer::Bound;
use control::{Progress, Stop};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Calls between two looks at the clock.
const CALLS: u32 = 64;

/// When to stop. Clones share what they know.
#[derive(Clone)]
pub struct Limits(Rc<Shared>);

struct Shared {
    stop: Stop,
    calls: Cell<u32>,
    looks: Cell<u64>,
    most_looks: Option<u64>,
    progress: Arc<Progress>,
}

impl Limits {
    /// The limits of a search that begins now.
    pub fn new(options: &Options) -> Self {
        Limits(Rc::new(Shared {
            stop: options.control.stop(),
            calls: Cell::new(0),
            looks: Cell::new(0),
            most_looks: options.max_work,
            progress: options.control.progress.clone(),
        }))
    }

    /// Looks since the search began.
    pub fn looks(&self) -> u64 {
        self.0.looks.get()
    }

    /// The limit that is reached, if one is.
    pub fn reached(&self) -> Option<Bound> {
        let Shared { looks, .. } = &*self.0;
        looks.set(looks.get() + 1);
        self.0.progress.work.store(looks.get(), Ordering::Relaxed);
        self.0.stop.look().or(self.over_work())
    }

    /// The search has done all the work that it may.
    fn over_work(&self) -> Option<Bound> {
        let Shared {
            looks, most_looks, ..
        } = &*self.0;
        let is_over = most_looks.is_some_and(|most| looks.get() > most);
        is_over.then_some(Bound::Interrupted(0))
    }

    /// True if a limit is reached; for loops, so it does not look every time.
    pub fn is_over(&self) -> bool {
        let Shared { stop, calls, .. } = &*self.0;
        calls.set(calls.get().wrapping_add(1));
        if calls.get().is_multiple_of(CALLS) {
            self.reached();
        }
        stop.reached().is_some() || self.over_work().is_some()
    }

    /// Ends a phase if a limit is reached; for loops.
    pub fn check(&self) -> Result<(), Halt> {
        match self.is_over() {
            true => self.end(),
            false => Ok(()),
        }
    }

    /// Ends a phase if a limit has been found to be reached.
    pub fn end(&self) -> Result<(), Halt> {
        match self.0.stop.reached().or(self.over_work()) {
            Some(bound) => Err(Halt::Stopped(bound)),
            None => Ok(()),
        }
    }
}

impl From<NotSolvable> for Halt {
    fn from(refusal: NotSolvable) -> Self {
        Halt::Refused(refusal)
    }
}
