//! What monitors find in event logs.

use crate::Verdict;
use memory::Model;
use program::LogSite;
use std::time::Duration;

/// A point where store buffers could make a recorded execution another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPoint {
    /// The access that could go another way.
    pub access: LogSite,
    /// Its location.
    pub address: String,
    /// The write that it could miss or, if it writes itself, come before.
    pub write: LogSite,
}

/// Points with the same positions in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPlace {
    /// The first of them.
    pub first: LogPoint,
    /// How many there are.
    pub points: u64,
}

/// What a monitor found under one model.
#[derive(Clone, Debug)]
pub struct LogResult {
    /// The model.
    pub model: Model,
    /// Borderline points in all.
    pub count: u64,
    /// The first of them.
    pub points: Vec<LogPoint>,
    /// The same by positions in the source, as far as there are any, the first ones.
    pub places: Vec<LogPlace>,
    /// How many writes of a location the monitor looks back at.
    pub looks_back: u32,
    /// Writes that it had to drop, although a thread could still have missed them.
    pub forgotten: u64,
}

/// What monitors found in a log.
#[derive(Clone, Debug)]
pub struct LogReport {
    /// The log's name.
    pub file: String,
    /// Rows that were looked at.
    pub events: u64,
    /// Threads in them.
    pub threads: u64,
    /// Locations in them.
    pub locations: u64,
    /// Whether that was the whole log.
    pub complete: bool,
    /// Time taken.
    pub time: Duration,
    /// One result per model.
    pub results: Vec<LogResult>,
}

impl LogReport {
    /// What a result says about the execution.
    pub fn verdict(&self, result: &LogResult) -> Verdict {
        match (result.count, self.complete) {
            (1.., _) => Verdict::Violated,
            (0, true) => Verdict::Holds,
            (0, false) => Verdict::Undecided,
        }
    }
}
