//! Executions: what happened, step by step, as a person follows it.

use crate::{Address, Orderings, Span, ThreadId, Word};

/// An execution from the initial state on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// Its steps in the order in which they happened.
    pub steps: Vec<Step>,
    /// For a lasso: the steps from this index on repeat for ever.
    pub repeats_from: Option<usize>,
}

/// One step of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whose instruction it is.
    pub thread: ThreadId,
    /// The instruction.
    pub span: Span,
    /// What happened to it.
    pub event: Event,
    /// An earlier access of the thread that was still waiting in its reorder box.
    pub ahead_of: Option<Span>,
    /// It happened before an earlier branch of the thread was decided.
    pub speculative: bool,
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A load took its value from memory.
    Load {
        /// Place read.
        place: Address,
        /// Value read.
        value: Word,
    },
    /// A load took its value from a store of its own thread that had not
    /// reached memory yet.
    Forward {
        /// Place read.
        place: Address,
        /// Value read.
        value: Word,
    },
    /// A store went into the thread's store buffer or reorder box.
    Buffer {
        /// Place to be written.
        place: Address,
        /// Value to be written.
        value: Word,
    },
    /// A store reached memory.
    Commit {
        /// Place written.
        place: Address,
        /// Value written.
        value: Word,
    },
    /// An atomic read-modify-write was performed.
    Update {
        /// Place accessed.
        place: Address,
        /// Value read.
        old: Word,
        /// Value written; `None` where a compare-and-swap failed.
        new: Option<Word>,
    },
    /// A fence was executed, and nothing that it orders was waiting any more.
    Fence(Orderings),
    /// A fence went into the thread's store buffer: what comes later in these
    /// orderings has to wait for the stores before it.
    FenceWaits(Orderings),
    /// A value was computed.
    Compute {
        /// The value.
        value: Word,
    },
    /// A branch was decided.
    Branch {
        /// The condition was not zero.
        taken: bool,
    },
    /// A branch was predicted, before its condition was known.
    Predict {
        /// The condition is predicted not to be zero.
        taken: bool,
    },
    /// A branch turned out other than predicted; what was done since is undone.
    Mispredict {
        /// The condition was not zero.
        taken: bool,
    },
    /// A value was chosen.
    Choose {
        /// The value.
        value: Word,
    },
    /// A named value was observed.
    Observe {
        /// Its name.
        name: String,
        /// The value.
        value: Word,
    },
    /// An access of a C program, its place and value as people read them.
    Access {
        /// What became of it.
        kind: AccessEvent,
        /// Place accessed.
        place: String,
        /// Value read or written; for a read-modify-write the value read.
        value: String,
        /// Value that a read-modify-write wrote, if it did.
        written: Option<String>,
    },
    /// A function of the library was called: `lock m`, `malloc(16) = heap1`.
    Call(String),
    /// The program printed this.
    Print(String),
    /// The thread did something wrong.
    Fault(String),
    /// An assertion failed.
    AssertFailed,
    /// An access to something that is no place of the program.
    BadAccess {
        /// The address used.
        address: Word,
    },
}

/// What became of an access of a C program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessEvent {
    /// It read memory.
    Load,
    /// It read a store of its own thread that had not reached memory.
    Forward,
    /// It went into the store buffer.
    Buffer,
    /// It reached memory.
    Commit,
    /// It read and perhaps wrote memory in one step.
    Update,
}
