//! Why a certificate is refused.

use std::io;
use thiserror::Error;

/// Why a certificate is refused, and where.
#[derive(Debug, Error)]
#[error("line {line}: {reason}")]
pub struct CertificateError {
    /// The line, counted from 1. One past the end when something is missing there.
    pub line: u64,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a line of a certificate.
#[derive(Debug, Error)]
pub enum Reason {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The first line is another one.
    #[error("is not `fencepost certificate 1`")]
    NotACertificate,
    /// There is no such kind of line, or it stands at the wrong place.
    #[error("`{0}` is not expected here")]
    Unexpected(String),
    /// The subject has a second value of this name.
    #[error("says twice what `{0}` is")]
    SecondValue(String),
    /// A word is not a number, or one that is too large.
    #[error("`{0}` is not a number that can stand here")]
    NotANumber(String),
    /// The line ends too early.
    #[error("ends too early")]
    TooShort,
    /// The line goes on after its end.
    #[error("goes on after its end")]
    TooLong,
    /// A literal is of a variable that the problem does not have.
    #[error("there is no variable {0}")]
    NoVariable(u64),
    /// The problem does not have this node.
    #[error("there is no node {0}")]
    NoNode(u64),
    /// The problem does not have this edge.
    #[error("there is no edge {0}")]
    NoEdge(u64),
    /// There is no clause with this id, at least not any more.
    #[error("there is no clause {0}")]
    NoClause(u64),
    /// Another clause has the same id.
    #[error("there already is a clause {0}")]
    SecondClause(u64),
    /// The edges of a lemma make no cycle.
    #[error("edge {0} does not begin where the edge before it ends")]
    NoCycle(u64),
    /// A lemma names no edges.
    #[error("names no edges")]
    EmptyCycle,
    /// A lemma leaves out a literal of its edges.
    #[error("lacks the literal {literal} because of edge {edge}")]
    MissingLiteral {
        /// The literal that should stand in the clause.
        literal: i32,
        /// The edge that depends on its negation.
        edge: u64,
    },
    /// A clause that another one should follow from says nothing yet.
    #[error("clause {0} has more than one literal that is not false")]
    NotUnit(u64),
    /// The clauses named are not enough.
    #[error("does not follow from the clauses that it names")]
    DoesNotFollow,
    /// The empty clause is missing.
    #[error("the proof ends without the empty clause")]
    Unfinished,
    /// The last line of an invariant is missing.
    #[error("the proof ends without its last line")]
    NoEnd,
    /// A number is larger than what it stands for allows.
    #[error("{0} is out of range here")]
    OutOfRange(u64),
    /// There is no thread, or one without states.
    #[error("there is no thread, or one without states")]
    NoThread,
    /// A state or element stands there before.
    #[error("is there already")]
    Twice,
    /// There are no states, or those of different kinds of invariants.
    #[error("has no invariant, or parts of different ones")]
    NoInvariant,
    /// Load buffers and sets of values are no machine for PSO.
    #[error("value sets and load buffers prove nothing under pso")]
    NotForPso,
    /// An older store has no newer one in the buffer before a barrier.
    #[error("an older store has no newer one to its location in the buffer before a barrier")]
    NothingNewer,
    /// The start is not in the invariant.
    #[error("the start is not in the invariant")]
    NoStart,
    /// The start is among what leads to a goal.
    #[error("the start is in the element of line {0}")]
    ContainsStart(u64),
    /// A state of the invariant is one that must not be reached.
    #[error("the state of line {0} meets a goal")]
    MeetsGoal(u64),
    /// A goal is not among what leads to a goal; goals are counted from 1.
    #[error("goal {0} is in no element")]
    GoalLeftOut(u64),
    /// A step leads from a state out of the invariant, or from outside into an element.
    #[error("a step leads out of the invariant at line {0}")]
    LeadsOut(u64),
    /// A thread writes too many locations in too many orders.
    #[error("a thread has too many orders of stores")]
    TooManyOrders,
    /// The text is not as it was written.
    #[error("the text was changed: it has another hash")]
    Changed,
}
