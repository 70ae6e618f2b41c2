//! What is wrong, as a file has it: the properties of a test by their numbers, the rest in full.

use answer::{Fault, Link, Outcome, Violation, Waiting};
use program::{Program, Span, ThreadId, Word};
use serde::{Deserialize, Serialize};

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stored {
    FinalState(Outcome),
    NoWitness,
    /// The number of the invariant.
    Invariant(usize),
    /// The number of the property.
    Liveness(usize),
    Deadlock(Vec<Waiting>),
    Fault {
        thread: ThreadId,
        span: Span,
        fault: Fault,
    },
    NotSequential(Vec<Link>),
    NotSerial(Outcome),
    Assertion {
        thread: ThreadId,
        span: Span,
    },
    BadAccess {
        thread: ThreadId,
        span: Span,
        address: Word,
    },
}

impl Stored {
    /// A violation of a program. A property that the program does not have is none of its violations.
    pub fn new(program: &Program, violation: &Violation) -> Option<Self> {
        let properties = &program.properties;
        Some(match violation.clone() {
            Violation::FinalState(outcome) => Stored::FinalState(outcome),
            Violation::NoWitness => Stored::NoWitness,
            Violation::Invariant(formula) => {
                let mut invariants = properties.invariants.iter();
                Stored::Invariant(invariants.position(|one| one.formula == formula)?)
            }
            Violation::Liveness(liveness) => {
                let mut all = properties.liveness.iter();
                Stored::Liveness(all.position(|one| *one == liveness)?)
            }
            Violation::Deadlock(waiting) => Stored::Deadlock(waiting),
            Violation::Fault {
                thread,
                span,
                fault,
            } => Stored::Fault {
                thread,
                span,
                fault,
            },
            Violation::NotSequential(cycle) => Stored::NotSequential(cycle),
            Violation::NotSerial(outcome) => Stored::NotSerial(outcome),
            Violation::Assertion { thread, span } => Stored::Assertion { thread, span },
            Violation::BadAccess {
                thread,
                span,
                address,
            } => Stored::BadAccess {
                thread,
                span,
                address,
            },
        })
    }

    /// The violation of the program, unless it has no such property.
    pub fn violation(&self, program: &Program) -> Option<Violation> {
        let properties = &program.properties;
        Some(match self.clone() {
            Stored::FinalState(outcome) => Violation::FinalState(outcome),
            Stored::NoWitness => Violation::NoWitness,
            Stored::Invariant(number) => {
                Violation::Invariant(properties.invariants.get(number)?.formula.clone())
            }
            Stored::Liveness(number) => {
                Violation::Liveness(properties.liveness.get(number)?.clone())
            }
            Stored::Deadlock(waiting) => Violation::Deadlock(waiting),
            Stored::Fault {
                thread,
                span,
                fault,
            } => Violation::Fault {
                thread,
                span,
                fault,
            },
            Stored::NotSequential(cycle) => Violation::NotSequential(cycle),
            Stored::NotSerial(outcome) => Violation::NotSerial(outcome),
            Stored::Assertion { thread, span } => Violation::Assertion { thread, span },
            Stored::BadAccess {
                thread,
                span,
                address,
            } => Violation::BadAccess {
                thread,
                span,
                address,
            },
        })
    }
}
