//! Happens-before of a sequentially consistent execution, by vector clocks.
//!
//! The union of program order and conflict order. One group per thread; for each thread a clock with
//! all that happens before its next event, for each location one with what happens before the next
//! load of it and one for the next write of it.

use crate::clocks::{Clock, Clocks};
use program::{LogEvent, LogOperation};

/// Threads that there is room for at first.
pub(super) const FIRST_THREADS: usize = 8;

/// The clocks.
#[derive(Clone, Debug)]
pub struct HappensBefore {
    clocks: Clocks,
    threads: Vec<Clock>,
    locations: Vec<Clock>,
}

/// Of a location: the clock of its writes, and after it that of all its accesses.
const WRITES: usize = 0;
const ACCESSES: usize = 1;

impl Default for HappensBefore {
    fn default() -> Self {
        HappensBefore {
            clocks: Clocks::new(FIRST_THREADS),
            threads: Vec::new(),
            locations: Vec::new(),
        }
    }
}

impl HappensBefore {
    /// Makes room for this thread.
    pub fn know_thread(&mut self, thread: u32) {
        while self.threads.len() <= thread as usize {
            if self.threads.len() == self.clocks.groups() {
                self.clocks.widen(2 * self.clocks.groups());
            }
            self.threads.push(self.clocks.add(1));
        }
    }

    /// Makes room for this location.
    pub fn know_location(&mut self, location: u32) {
        while self.locations.len() <= location as usize {
            self.locations.push(self.clocks.add(2));
        }
    }

    /// What happens before the thread's next event by program order: for each thread, how many
    /// of its events.
    pub fn known(&self, thread: u32) -> &[u32] {
        self.clocks.row(self.threads[thread as usize])
    }

    /// Takes the next event, of threads and locations that are known, and gives its number in
    /// its thread.
    pub fn process(&mut self, event: &LogEvent) -> u32 {
        let thread = self.threads[event.thread as usize];
        self.clocks.begin(thread);
        let mut shared = None;
        match event.operation {
            LogOperation::Load | LogOperation::FailedInterlocked => {
                let location = self.locations[event.address as usize];
                self.clocks.merge(location + WRITES);
                shared = Some(location + ACCESSES);
            }
            LogOperation::Store | LogOperation::Interlocked => {
                let location = self.locations[event.address as usize];
                self.clocks.merge(location + ACCESSES);
                shared = Some(location + ACCESSES);
            }
            LogOperation::Join => self.clocks.merge(self.threads[event.address as usize]),
            LogOperation::Start => shared = Some(self.threads[event.address as usize]),
            LogOperation::Fence | LogOperation::StoreStoreFence | LogOperation::StoreLoadFence => {}
        }
        let number = self.clocks.advance(event.thread as usize);
        self.clocks.replace(thread);
        if let Some(shared) = shared {
            self.clocks.publish(shared);
        }
        if event.operation.writes() {
            let location = self.locations[event.address as usize];
            self.clocks.replace(location + WRITES);
        }
        number
    }

    /// The timestamp of the event processed last.
    pub fn stamp(&self) -> &[u32] {
        self.clocks.stamp()
    }
}
