//! Accesses of an execution that was recorded elsewhere, the rows of an event log, and what a monitor
//! finds in them.

use crate::Verdict;
use std::time::Duration;

/// What a row of an event log tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogOperation {
    /// A plain load.
    Load,
    /// A plain store.
    Store,
    /// A read-modify-write that wrote, such as an exchange.
    Interlocked,
    /// A compare-and-swap that failed: it wrote nothing, but waited like one that did.
    FailedInterlocked,
    /// A fence that orders everything before it before everything after it.
    Fence,
    /// A fence that orders stores before stores.
    StoreStoreFence,
    /// A fence that orders stores before loads.
    StoreLoadFence,
    /// The thread starts another one, which the address names.
    Start,
    /// The thread has waited for the end of another one, which the address names.
    Join,
}

impl LogOperation {
    /// Every operation, with the name that logs and reports give it.
    pub const NAMED: [(LogOperation, &'static str); 9] = [
        (LogOperation::Load, "load"),
        (LogOperation::Store, "store"),
        (LogOperation::Interlocked, "interlocked"),
        (LogOperation::FailedInterlocked, "failed-cas"),
        (LogOperation::Fence, "fence"),
        (LogOperation::StoreStoreFence, "store-store-fence"),
        (LogOperation::StoreLoadFence, "store-load-fence"),
        (LogOperation::Start, "start"),
        (LogOperation::Join, "join"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMED[self as usize].1
    }

    /// Whether it reads or writes a location.
    pub fn is_access(self) -> bool {
        self.reads() || self.writes()
    }

    /// Whether it reads a location.
    pub fn reads(self) -> bool {
        use LogOperation::{FailedInterlocked, Interlocked, Load};
        matches!(self, Load | Interlocked | FailedInterlocked)
    }

    /// Whether it writes a location.
    pub fn writes(self) -> bool {
        matches!(self, LogOperation::Store | LogOperation::Interlocked)
    }

    /// Whether its address is a thread.
    pub fn is_of_thread(self) -> bool {
        matches!(self, LogOperation::Start | LogOperation::Join)
    }
}

/// A row of an event log. Threads, locations and source positions are numbered in the order in
/// which they are first named; who read the log knows their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LogEvent {
    /// Whose it is.
    pub thread: u32,
    /// What was done.
    pub operation: LogOperation,
    /// The location, or the other thread; nothing for a fence.
    pub address: u32,
    /// The line of the log, from 1.
    pub line: u32,
    /// The position in the source, or [`LogEvent::NOWHERE`].
    pub at: u32,
}

impl LogEvent {
    /// The position of an event that has none.
    pub const NOWHERE: u32 = u32::MAX;
}

/// A row of a log as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSite {
    /// Whose it is.
    pub thread: String,
    /// What was done.
    pub operation: LogOperation,
    /// The line of the log.
    pub line: u32,
    /// The position in the source, if the log has it.
    pub at: Option<String>,
}

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
    /// The model's name.
    pub model: &'static str,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_the_order_of_the_operations() {
        for (operation, name) in LogOperation::NAMED {
            assert_eq!(operation.name(), name);
        }
    }
}
