//! Accesses of an execution that was recorded elsewhere, the rows of an event log, and what a monitor
//! finds in them.

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
