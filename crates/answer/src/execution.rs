//! Executions as data: what happened, step by step, and how the steps hang together.
//!
//! Engines make steps; [`Execution::new`] is the one place that names locations and values that an engine leaves
//! unnamed ([`describe`]) and links the steps ([`links`]): a load to the store that it reads, a store to its flush. What follows from the
//! links stands beside it: [`Execution::relations`] and [`Execution::registers`]. Renderers compute none of it again.

mod describe;
mod links;
mod registers;
mod relations;

use crate::Rerun;
pub use describe::{part_name, pointee_name, value_text};
pub use registers::RegisterWrite;
pub use relations::Relation;

use program::{Address, Orderings, Program, Span, ThreadId, Word};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The index of a step in its execution.
pub type StepId = usize;

/// An execution from the initial state on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// Its steps in the order in which they happened.
    pub steps: Vec<Step>,
    /// For a lasso: the steps from this index on repeat for ever.
    pub repeats_from: Option<usize>,
    /// A machine has run exactly these steps and reached what they are said to show. False for what an engine without
    /// a machine claims.
    pub replayed: bool,
    /// How a machine runs it again, where one has run it.
    pub rerun: Option<Rerun>,
}

impl Execution {
    /// An execution of a program, with names and links, which no machine has replayed.
    pub fn new(program: &Program, mut steps: Vec<Step>, repeats_from: Option<usize>) -> Self {
        describe::describe(program, &mut steps);
        links::link(&mut steps);
        Execution {
            steps,
            repeats_from,
            replayed: false,
            rerun: None,
        }
    }

    /// Keeps only some of the steps.
    pub fn retain(&mut self, keep: impl Fn(&Step) -> bool) {
        let mut ids = 0..;
        let new = self.steps.iter();
        let new = new.map(|step| if keep(step) { ids.next() } else { None });
        let new: Vec<Option<StepId>> = new.collect();
        self.repeats_from = self
            .repeats_from
            .map(|start| new[..start].iter().flatten().count());
        let mut kept = new.iter();
        self.steps
            .retain(|_| kept.next().is_some_and(Option::is_some));
        for step in &mut self.steps {
            if let Event::Access(access) = &mut step.event {
                for link in [
                    &mut access.reads_from,
                    &mut access.overwrites,
                    &mut access.issued_by,
                    &mut access.flushed_by,
                ] {
                    *link = link.and_then(|old| new[old]);
                }
            }
        }
    }
}

/// One step of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Whose instruction it is.
    pub thread: ThreadId,
    /// The instruction.
    pub span: Span,
    /// The calls that the thread is in, outermost first; empty where a program has no calls.
    pub stack: Vec<CallSite>,
    /// What happened to it.
    pub event: Event,
    /// An earlier access of the thread that was still waiting in its reorder box.
    pub ahead_of: Option<Span>,
    /// It happened before an earlier branch of the thread was decided.
    pub speculative: bool,
    /// Its position in the program order of its thread, where steps are listed in memory order instead.
    pub position: Option<u32>,
}

impl Step {
    /// A step in program order.
    pub fn new(thread: ThreadId, span: Span, event: Event) -> Self {
        Step {
            thread,
            span,
            stack: Vec::new(),
            event,
            ahead_of: None,
            speculative: false,
            position: None,
        }
    }
}

/// A call that a thread is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// The function that was called.
    pub function: String,
    /// Where it is called; nowhere for a thread's own function.
    pub span: Span,
}

/// An access that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryAccess {
    /// What became of it.
    pub kind: AccessEvent,
    /// Where.
    pub location: Location,
    /// Value read or written; for a read-modify-write the value read.
    pub value: Datum,
    /// Value that a read-modify-write wrote, if it did.
    pub written: Option<Datum>,
    /// The store that it reads (rf); none if it reads what was there before the execution, or reads nothing. A
    /// store that waits in the store buffer is the step that put it there.
    pub reads_from: Option<StepId>,
    /// The write before it in the coherence order of its location (co); none if it is the first, or writes nothing.
    pub overwrites: Option<StepId>,
    /// For a flush: the step that put the store into the store buffer.
    pub issued_by: Option<StepId>,
    /// For a store that is put into the store buffer: its flush, if it comes to that.
    pub flushed_by: Option<StepId>,
}

impl MemoryAccess {
    /// An access that is not linked yet.
    pub fn new(
        kind: AccessEvent,
        location: Location,
        value: Datum,
        written: Option<Datum>,
    ) -> Self {
        MemoryAccess {
            kind,
            location,
            value,
            written,
            reads_from: None,
            overwrites: None,
            issued_by: None,
            flushed_by: None,
        }
    }

    /// An access to a cell of the program, which [`Execution::new`] names.
    pub fn of_cell(
        kind: AccessEvent,
        location: Address,
        value: Word,
        written: Option<Word>,
    ) -> Self {
        let location = Location {
            address: location.to_word(),
            size: 0,
            name: String::new(),
        };
        MemoryAccess::new(kind, location, Datum::raw(value), written.map(Datum::raw))
    }

    /// The cell of the program that is accessed, if it is one.
    pub fn cell(&self) -> Option<Address> {
        Address::from_word(self.location.address)
    }
}

/// A location of memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Its first byte.
    pub address: Word,
    /// Its size in bytes.
    pub size: u32,
    /// Its name in the source: `x`, `queue.tail`, `nodes[1].value`.
    pub name: String,
}

/// A value, as the machine has it and as people read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datum {
    /// The bits.
    pub word: Word,
    /// How it is shown.
    pub shown: Shown,
}

impl Datum {
    /// A value that is not described yet.
    fn raw(word: Word) -> Self {
        Datum {
            word,
            shown: Shown::Unsigned(word),
        }
    }

    /// A value with its text.
    pub fn text(word: Word, text: String) -> Self {
        Datum {
            word,
            shown: Shown::Text(text),
        }
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shown {
            Shown::Signed(number) => number.fmt(f),
            Shown::Unsigned(number) => number.fmt(f),
            Shown::Text(text) => f.write_str(text),
        }
    }
}

/// How a value is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// A number.
    Signed(i64),
    /// A number from 0 on.
    Unsigned(u64),
    /// A name, or a number as a C program would print it.
    Text(String),
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// Memory was accessed, or a store was put into a store buffer.
    Access(MemoryAccess),
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
    /// A function of the library was called: `lock m`, `malloc(16) = heap1`.
    Call(String),
    /// The program printed this.
    Print(String),
    /// The thread did something wrong.
    Fault(String),
    /// The comparison of which the result made an assertion fail.
    Compare {
        /// Its left operand.
        left: Datum,
        /// Its right operand.
        right: Datum,
    },
    /// An assertion failed.
    AssertFailed,
    /// An access to something that is no location of the program.
    BadAccess {
        /// The address used.
        address: Word,
    },
}

/// What became of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccessEvent {
    /// It read memory.
    Load,
    /// It read a store of its own thread that was not flushed yet.
    Forward,
    /// It went into the store buffer.
    Buffer,
    /// It was written to memory: at once, or flushed from the store buffer.
    Commit,
    /// It read and perhaps wrote memory in one step.
    Update,
}
