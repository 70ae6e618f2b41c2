//! What the engines did that worked on one answer side by side.

use crate::{Counts, Engine, Verdict};
use program::Span;
use std::time::Duration;

/// What one engine did towards an answer.
#[derive(Clone, Debug)]
pub struct Part {
    /// The engine.
    pub engine: Engine,
    /// What came of it.
    pub did: Did,
    /// How far it was.
    pub counts: Counts,
    /// Time in which it could run, without its pauses.
    pub time: Duration,
    /// Loops that it did not come to the end of.
    pub loops: Vec<OpenLoop>,
}

/// A loop that goes on beyond what an engine could look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenLoop {
    /// The engine.
    pub engine: Engine,
    /// Where it stands.
    pub span: Span,
    /// In executions in which it has no more iterations than this, the engine found nothing wrong.
    pub iterations: u32,
}

/// What came of the work of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Did {
    /// The answer is its own.
    Decided,
    /// It ended with an answer that was not needed, or not enough.
    Ended {
        /// Its verdict.
        verdict: Verdict,
        /// What the verdict covers.
        covers: String,
    },
    /// It was stopped, as another engine had decided.
    Stopped,
    /// It does not take the program, for this reason.
    Refused(String),
}
