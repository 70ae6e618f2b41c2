//! What a search is asked to do, and how it tells how far it is.

use program::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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
    /// Count states that differ only by identical threads changing places once.
    pub symmetry: bool,
    /// Let every single step of every thread be a state of its own.
    pub every_step: bool,
    /// Stop at the first failure, broken invariant or deadlock.
    pub stop_at_violation: bool,
    /// Stop after about so many states.
    pub max_states: Option<u64>,
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
}

impl Default for Options {
    fn default() -> Self {
        Options {
            jobs: 1,
            machine: MachineKind::Auto,
            buffer: None,
            reorder_box: None,
            symmetry: true,
            every_step: false,
            stop_at_violation: true,
            max_states: None,
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

    /// Whether to stop, given a way to count the states.
    pub(crate) fn should_stop(&self, states: impl FnOnce() -> u64) -> bool {
        self.interrupt.load(Ordering::Relaxed)
            || self.max_states.is_some_and(|most| states() >= most)
    }

    /// Why the search stopped.
    pub(crate) fn reason_to_stop(&self, states: u64) -> Bound {
        if self.interrupt.load(Ordering::Relaxed) {
            Bound::Interrupted(states)
        } else {
            Bound::States(states)
        }
    }
}
