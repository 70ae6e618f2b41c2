//! What a search is asked to do.

use control::Control;
use machine::Limits;

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
    /// Most iterations of a loop of a C program.
    pub unroll: Option<u32>,
    /// Waits on condition variables of C programs may end spuriously.
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
    /// Show an execution for a violation or a witness.
    pub explain: bool,
    /// Limits, progress and interruption.
    pub control: Control,
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
            explain: true,
            control: Control::default(),
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
}
