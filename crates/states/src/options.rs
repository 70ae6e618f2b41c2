//! What a search is asked to do, and how it tells how far it is.

use machine::{Limits, Stop, resident_bytes};
use program::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Which machine runs the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MachineKind {
    /// Store buffers where the model can do with them, else reorder boxes.
    #[default]
    Auto,
    /// Reorder boxes for every model.
    ReorderBoxes,
}

/// What a search is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Workers.
    pub jobs: usize,
    /// The machine.
    pub machine: MachineKind,
    /// Most entries of a store buffer. By default as many as the program can use,
    /// or [`Options::BUFFER_IN_LOOPS`] if it has loops.
    pub buffer: Option<u32>,
    /// Most entries of a reorder box. By default as many as the program can use,
    /// or [`Options::BOX_IN_LOOPS`] if it has loops.
    pub reorder_box: Option<u32>,
    /// Most turns of a loop of a C program.
    pub unroll: Option<u32>,
    /// Waits on condition variables of C programs may end for no reason.
    pub spurious: bool,
    /// Look for data races in C programs.
    pub races: bool,
    /// Count states that differ only by identical threads changing places once.
    pub symmetry: bool,
    /// Let every single step of every thread be a state of its own.
    pub every_step: bool,
    /// Take every step by itself and search in the plainest way, without anything that
    /// makes searches fast: for comparisons. Litmus tests only.
    pub plain: bool,
    /// Stop at the first failure, broken invariant or deadlock.
    pub stop_at_violation: bool,
    /// Stop after about so many states.
    pub max_states: Option<u64>,
    /// Stop when stored states, or the process as a whole, take so many bytes.
    pub max_bytes: Option<u64>,
    /// Stop after about this time.
    pub max_time: Option<Duration>,
    /// Show an execution for a violation or a witness.
    pub explain: bool,
    /// Set from outside to stop the search.
    pub interrupt: Arc<AtomicBool>,
    /// Told from inside how far the search is.
    pub progress: Arc<Progress>,
}

/// How far a search is.
#[derive(Debug, Default)]
pub struct Progress {
    /// States so far.
    pub states: AtomicU64,
    /// Distance from the start.
    pub depth: AtomicU64,
    /// Executions so far, of an engine that goes through executions.
    pub executions: AtomicU64,
    /// How many executions there may be in all; 0 if nobody knows.
    pub expected: AtomicU64,
    /// Somebody looks, so that guessing is worth the while.
    pub watched: AtomicBool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            jobs: 1,
            machine: MachineKind::Auto,
            buffer: None,
            reorder_box: None,
            unroll: None,
            spurious: false,
            races: false,
            symmetry: true,
            every_step: false,
            plain: false,
            stop_at_violation: true,
            max_states: None,
            max_bytes: None,
            max_time: None,
            explain: true,
            interrupt: Arc::default(),
            progress: Arc::default(),
        }
    }
}

impl Options {
    /// Entries of a store buffer where loops could fill any.
    pub const BUFFER_IN_LOOPS: u32 = 8;
    /// Entries of a reorder box where loops could fill any.
    pub const BOX_IN_LOOPS: u32 = 10;

    /// What a process is asked to do by these options, if nothing else is said.
    pub fn limits(&self) -> Limits {
        Limits {
            buffer: self.buffer,
            unroll: self.unroll,
            spurious: self.spurious,
            races: self.races,
            plain: self.plain,
            private: !self.plain,
            ..Limits::default()
        }
    }

    /// The limits of a search that begins now, for all that works for it.
    pub fn stop(&self) -> Arc<Stop> {
        let stop = Stop::new(&self.interrupt, self.max_time, self.max_bytes);
        Arc::new(stop)
    }

    /// Why to stop now, if there is a reason, given ways to count states and their
    /// bytes.
    pub fn limit_reached(
        &self,
        started: Instant,
        states: impl Fn() -> usize,
        bytes: impl Fn() -> usize,
    ) -> Option<Bound> {
        let states = || states() as u64;
        let bytes = || bytes() as u64;
        if self.interrupt.load(Ordering::Relaxed) {
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
