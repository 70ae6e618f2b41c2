//! Limits of a search: its time, the memory of the process, and the user's wish to stop.
//!
//! Every phase looks at them: unrolling, ranges and encoding by [`Limits::check`] and
//! [`Limits::is_over`] in their loops, the solver by its terminator. Once a limit is reached it
//! stays reached, so that a phase may finish its loop in any state.

use crate::refusal::{Halt, NotSolvable};
use crate::search::Options;
use program::Bound;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Calls between two looks at the clock.
const CALLS: u32 = 64;
/// Time between two looks at the memory.
const MEMORY_EVERY: Duration = Duration::from_millis(20);

/// When to stop. Clones share what they know.
#[derive(Clone)]
pub struct Limits(Rc<Shared>);

struct Shared {
    interrupt: Arc<AtomicBool>,
    started: Instant,
    max_time: Option<Duration>,
    max_bytes: Option<u64>,
    calls: Cell<u32>,
    looked: Cell<Option<Instant>>,
    reached: Cell<Option<Bound>>,
}

impl Limits {
    /// The limits of a search that begins now.
    pub fn new(options: &Options) -> Self {
        Limits(Rc::new(Shared {
            interrupt: options.interrupt.clone(),
            started: Instant::now(),
            max_time: options.max_time,
            max_bytes: options.max_bytes,
            calls: Cell::new(0),
            looked: Cell::new(None),
            reached: Cell::new(None),
        }))
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.0.started.elapsed()
    }

    /// The limit that is reached, if one is.
    pub fn reached(&self) -> Option<Bound> {
        let shared = &*self.0;
        if shared.reached.get().is_none() {
            shared.reached.set(self.look());
        }
        shared.reached.get()
    }

    fn look(&self) -> Option<Bound> {
        let shared = &*self.0;
        if shared.interrupt.load(Ordering::Relaxed) {
            return Some(Bound::Interrupted(0));
        }
        let late = |most: &Duration| shared.started.elapsed() >= *most;
        if let Some(most) = shared.max_time.filter(late) {
            return Some(Bound::Time(most));
        }
        let most = shared.max_bytes?;
        let now = Instant::now();
        let recent = |looked: Instant| now - looked < MEMORY_EVERY;
        if shared.looked.get().is_some_and(recent) {
            return None;
        }
        shared.looked.set(Some(now));
        resident_bytes()
            .is_some_and(|bytes| bytes > most)
            .then_some(Bound::Memory(most))
    }

    /// True if a limit is reached; for loops, so it does not look every time.
    pub fn is_over(&self) -> bool {
        let shared = &*self.0;
        shared.calls.set(shared.calls.get().wrapping_add(1));
        if shared.calls.get().is_multiple_of(CALLS) {
            self.reached();
        }
        shared.reached.get().is_some()
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
        match self.0.reached.get() {
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

/// The memory of this process that is in use; `None` where the system does not tell.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
