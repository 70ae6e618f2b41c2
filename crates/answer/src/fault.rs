//! What threads of C programs do wrong.

use program::Span;
use serde::{Deserialize, Serialize};

macro_rules! faults {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)*) => {
        /// Kinds of faults.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum FaultKind { $($(#[$doc])* #[serde(rename = $name)] $variant,)* }

        impl FaultKind {
            /// Every kind.
            pub const ALL: &[FaultKind] = &[$(FaultKind::$variant,)*];

            /// Its name in JSON.
            pub fn name(self) -> &'static str {
                match self { $(FaultKind::$variant => $name,)* }
            }
        }
    };
}

faults! {
    /// An assertion failed.
    Assertion "assertion",
    /// `abort`, `reach_error` or a trap was reached.
    Abort "abort",
    /// An access through a null pointer.
    Null "null",
    /// An access to where nothing is.
    Wild "wild",
    /// An access to something that has been freed or has gone out of scope.
    Dangling "dangling",
    /// An access outside the object that the pointer points into.
    Bounds "out-of-bounds",
    /// An access at an address that is not aligned as its type is.
    Misaligned "misaligned",
    /// A write to a constant, or to code.
    ReadOnly "read-only",
    /// Memory freed twice.
    DoubleFree "double-free",
    /// A free of what no allocation gave.
    InvalidFree "invalid-free",
    /// A decision or an address that depends on an uninitialised value.
    Uninitialised "uninitialised",
    /// Division by zero, or with a quotient that does not fit.
    Division "division",
    /// A mutex or another object of the library used wrongly.
    Misuse "misuse",
    /// A call through something that is no function of that kind.
    Call "bad-call",
    /// Code that must not be reached was reached.
    Unreachable "unreachable",
    /// Calls nested without end.
    StackOverflow "stack-overflow",
    /// Two accesses that race.
    Race "race",
    /// A loop that never ends and does nothing.
    Endless "endless",
    /// Something right that is not supported: never a violation, the execution is cut off there
    /// ([`Bound::Unsupported`](crate::Bound::Unsupported)).
    Unsupported "unsupported",
}

/// What a thread did wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, as a sentence without a full stop: `q->head points into node,
    /// which was freed`.
    pub message: String,
    /// Other places involved, each with what it has to do with it.
    pub others: Vec<(Span, String)>,
}

impl Fault {
    /// A fault with no other place involved.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Fault {
            kind,
            message: message.into(),
            others: Vec::new(),
        }
    }

    /// The fault with another place that has to do with it, if that place is known.
    pub fn with(mut self, span: Span, what: impl Into<String>) -> Self {
        if span != Span::NOWHERE {
            self.others.push((span, what.into()));
        }
        self
    }
}

/// What is not wrong, but worth knowing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Warning {
    /// Where.
    pub span: Span,
    /// What.
    pub message: String,
}
