//! What the engines did that worked on one answer side by side.

use crate::{Counts, Engine, Verdict};
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
