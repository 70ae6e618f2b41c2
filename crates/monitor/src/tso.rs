//! Relaxed happens-before under TSO, by vector clocks.
//!
//! Fig. 3 of Burckhardt and Musuvathi, *Effective Program Verification for Relaxed Memory Models*
//! (CAV 2008): happens-before without what does not hold in memory, foremost the program order from
//! a store to a later load of its thread.
//! Each thread has two groups, its reads and its writes, and two clocks: `reads` (`lc` in the paper),
//! with what precedes all of its later events, and `writes` (`sc`), with what precedes its later
//! writes.
//!
//! Deviations:
//!
//! 1. In the paper a load comes after all older writes of its location by other threads, also if it reads
//!    a store of its own thread. But a store buffer hands that value on before the older
//!    writes are in memory, if the store is still waiting. So the paper's relation orders too much, and
//!    its monitor misses, in every interleaving, that the first thread of `x=1; r=x; s=y;` beside
//!    `y=1; x=2;` can end with `s=0` and `x=1`. Here a load that reads such a store comes after no
//!    write.
//! 2. In the paper a location has a clock per thread (`mc1`), with the writes that precede the
//!    thread's loads. As a location's timestamps grow from write to write, and by (1), the
//!    timestamp of the newest write serves all threads that it precedes; an event takes O(*N*) steps
//!    instead of O(*N*²).
//! 3. A fence is an interlocked operation on a location of its own, as the paper says; as nothing
//!    else knows that location, it has no clocks.
//! 4. A compare-and-swap that failed is a fence and a load.
//! 5. Threads are started and joined: a thread's buffer is empty when it starts another one and when it
//!    ends.

use crate::clocks::{Clock, Clocks};
use crate::happens_before::FIRST_THREADS;
use crate::history::{Entry, History, Kind};
use crate::locations::{self, ACCESSES, Location, NEWEST};
use program::{LogEvent, LogOperation};

/// The clocks.
#[derive(Clone, Debug)]
pub struct Tso {
    clocks: Clocks,
    /// The first clock of each thread.
    threads: Vec<Clock>,
    locations: Vec<Location>,
}

/// Clocks of a thread.
const READS: usize = 0;
const WRITES: usize = 1;

/// The group of a thread's reads.
fn reads(thread: u32) -> usize {
    2 * thread as usize
}

/// The group of a thread's writes.
fn writes(thread: u32) -> usize {
    2 * thread as usize + 1
}

impl Default for Tso {
    fn default() -> Self {
        Tso {
            clocks: Clocks::new(2 * FIRST_THREADS),
            threads: Vec::new(),
            locations: Vec::new(),
        }
    }
}

impl Tso {
    /// Makes room for this thread.
    pub fn know_thread(&mut self, thread: u32) {
        while self.threads.len() <= thread as usize {
            if 2 * self.threads.len() == self.clocks.groups() {
                self.clocks.widen(2 * self.clocks.groups());
            }
            self.threads.push(self.clocks.add(2));
        }
    }

    /// Makes room for this location.
    pub fn know_location(&mut self, location: u32) {
        locations::know(&mut self.locations, location, &mut self.clocks);
    }

    /// Takes the next event, of threads and locations that are known.
    pub fn process(&mut self, event: &LogEvent) {
        let thread = event.thread;
        match event.operation {
            LogOperation::Load => self.load(thread, event.address),
            LogOperation::Store => self.store(thread, event.address),
            LogOperation::Interlocked => self.interlocked(thread, event.address),
            LogOperation::FailedInterlocked => {
                self.fence(thread);
                self.load(thread, event.address);
            }
            LogOperation::Fence | LogOperation::StoreLoadFence => self.fence(thread),
            LogOperation::StoreStoreFence => {}
            LogOperation::Start => {
                self.fence(thread);
                self.clocks
                    .publish(self.threads[event.address as usize] + READS);
            }
            LogOperation::Join => {
                self.fence(event.address);
                let own = self.threads[thread as usize];
                self.clocks.merge(own + READS);
                self.clocks.advance(reads(thread));
                self.clocks.replace(own + READS);
            }
        }
    }

    fn load(&mut self, thread: u32, location: u32) {
        let own = self.threads[thread as usize];
        let Location { clock, writer } = self.locations[location as usize];
        self.clocks.begin(own + READS);
        if writer != Some(thread) {
            self.clocks.merge(clock + NEWEST);
        }
        self.clocks.advance(reads(thread));
        self.clocks.replace(own + READS);
        self.clocks.publish(clock + ACCESSES);
    }

    fn store(&mut self, thread: u32, location: u32) {
        let own = self.threads[thread as usize];
        self.clocks.begin(own + READS);
        self.clocks.merge(own + WRITES);
        self.write(thread, location);
        self.clocks.replace(own + WRITES);
    }

    fn interlocked(&mut self, thread: u32, location: u32) {
        let own = self.threads[thread as usize];
        self.clocks.begin(own + READS);
        self.clocks.merge(own + WRITES);
        self.clocks.advance(reads(thread));
        self.write(thread, location);
        self.clocks.replace(own + READS);
        self.clocks.replace(own + WRITES);
    }

    /// What stores and interlocked operations do to the location's clocks.
    fn write(&mut self, thread: u32, location: u32) {
        let clock = self.locations[location as usize].clock;
        self.clocks.merge(clock + ACCESSES);
        self.clocks.advance(writes(thread));
        self.clocks.replace(clock + NEWEST);
        self.clocks.replace(clock + ACCESSES);
        self.locations[location as usize].writer = Some(thread);
    }

    fn fence(&mut self, thread: u32) {
        let own = self.threads[thread as usize];
        self.clocks.begin(own + READS);
        self.clocks.merge(own + WRITES);
        self.clocks.advance(reads(thread));
        self.clocks.advance(writes(thread));
        self.clocks.replace(own + READS);
        self.clocks.replace(own + WRITES);
    }

    /// What the write processed last is remembered by.
    pub(super) fn mark(&self, event: &LogEvent) -> (u32, u32) {
        (self.clocks.stamp()[writes(event.thread)], 0)
    }

    /// The newest write that the load could miss: one that `happened` before it, but is not in
    /// memory for certain.
    pub(super) fn missed<'a>(
        &self,
        event: &LogEvent,
        history: &'a History,
        happened: &[u32],
    ) -> Option<&'a Entry> {
        let own = self.threads[event.thread as usize];
        let settled = self.clocks.row(own + READS);
        // All that is settled by the fence within it is settled.
        let fenced = event.operation == LogOperation::FailedInterlocked;
        let fenced = fenced.then(|| self.clocks.row(own + WRITES));
        for write in history.newest_first() {
            debug_assert_ne!(write.kind, Kind::Read);
            let group = writes(write.thread);
            let known = settled[group].max(fenced.map_or(0, |fenced| fenced[group]));
            if write.thread == event.thread || known >= write.first {
                return None;
            }
            if happened[write.thread as usize] >= write.number {
                return Some(write);
            }
        }
        None
    }

    /// The timestamp of the event processed last.
    pub fn stamp(&self) -> &[u32] {
        self.clocks.stamp()
    }
}
