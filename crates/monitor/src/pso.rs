//! Relaxed happens-before under PSO, by vector clocks.
//!
//! Happens-before without the program order from a store to a later load, and from a store to a later
//! write of another location, unless a fence stands between them. An interlocked operation waits for
//! the thread's stores to its own location only, and everything later waits for it. As under
//! [TSO](crate::tso), a load that reads a store of its own thread comes after no write.
//!
//! A general vector clock for this relation needs a group per location, as the stores of a thread
//! are no chain, only the writes of a location are. Its timestamps have an entry for each thread and each
//! location, which is far too much for a log. Here a thread has three groups: its reads
//! (interlocked operations among them), its store-store fences and its store-load fences; a full fence is in
//! both of the latter. Every way along the relation that leaves a location goes through such an
//! event: from a store only writes and reads of the same location follow directly, and the fences
//! of its thread. So timestamps order events of the groups exactly, and a plain store precedes what knows
//! one of the events that follow it directly. Those are written down in the history of
//! the location:
//!
//! - a store keeps how many fences of each kind its thread had passed before: the next one follows it;
//! - a read is an entry of its own, the first of each thread after each write.
//!
//! An event takes O(*N*) steps for *N* threads, and a look at the entries of its location that its thread does
//! not know, at most 64 writes with at most *N* reads each.

use crate::clocks::{Clock, Clocks};
use crate::happens_before::FIRST_THREADS;
use crate::history::{Entry, History, Kind};
use crate::locations::{self, ACCESSES, Location, NEWEST};
use program::{LogEvent, LogOperation};

/// The clocks.
#[derive(Clone, Debug)]
pub struct Pso {
    clocks: Clocks,
    threads: Vec<Thread>,
    locations: Vec<Location>,
}

#[derive(Clone, Copy, Debug)]
struct Thread {
    /// The first of its clocks.
    clock: Clock,
    /// Fences that it has passed.
    store_store: u32,
    store_load: u32,
}

/// Clocks of a thread: what precedes all its later events, its later writes, its later reads; and what
/// precedes those after its next fence.
const ALL: usize = 0;
const WRITES: usize = 1;
const READS: usize = 2;
const STORED: usize = 3;

/// Groups of a thread.
const READ: usize = 0;
const STORE_STORE: usize = 1;
const STORE_LOAD: usize = 2;

fn group(thread: u32, kind: usize) -> usize {
    3 * thread as usize + kind
}

impl Default for Pso {
    fn default() -> Self {
        Pso {
            clocks: Clocks::new(3 * FIRST_THREADS),
            threads: Vec::new(),
            locations: Vec::new(),
        }
    }
}

impl Pso {
    /// Makes room for this thread.
    pub fn know_thread(&mut self, thread: u32) {
        while self.threads.len() <= thread as usize {
            if 3 * self.threads.len() == self.clocks.groups() {
                self.clocks.widen(2 * self.clocks.groups());
            }
            self.threads.push(Thread {
                clock: self.clocks.add(4),
                store_store: 0,
                store_load: 0,
            });
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
            LogOperation::FailedInterlocked => self.failed_interlocked(thread, event.address),
            LogOperation::Fence => self.fence(thread),
            LogOperation::StoreStoreFence => self.store_store_fence(thread),
            LogOperation::StoreLoadFence => self.store_load_fence(thread),
            LogOperation::Start => {
                self.fence(thread);
                let other = self.threads[event.address as usize].clock;
                self.clocks.publish(other + ALL);
            }
            LogOperation::Join => {
                self.fence(event.address);
                let own = self.threads[thread as usize].clock;
                self.clocks.merge(own + ALL);
                self.clocks.advance(group(thread, READ));
                self.clocks.replace(own + ALL);
            }
        }
    }

    fn load(&mut self, thread: u32, location: u32) {
        let own = self.threads[thread as usize].clock;
        let Location { clock, writer } = self.locations[location as usize];
        self.clocks.begin(own + ALL);
        self.clocks.merge(own + READS);
        if writer != Some(thread) {
            self.clocks.merge(clock + NEWEST);
        }
        self.clocks.advance(group(thread, READ));
        self.clocks.replace(own + ALL);
        self.clocks.publish(clock + ACCESSES);
    }

    fn store(&mut self, thread: u32, location: u32) {
        let own = self.threads[thread as usize].clock;
        self.clocks.begin(own + ALL);
        self.clocks.merge(own + WRITES);
        self.write(thread, location);
        self.clocks.publish(own + STORED);
    }

    fn interlocked(&mut self, thread: u32, location: u32) {
        self.begin_interlocked(thread);
        self.clocks.advance(group(thread, READ));
        self.write(thread, location);
        let own = self.threads[thread as usize].clock;
        self.clocks.replace(own + ALL);
    }

    fn failed_interlocked(&mut self, thread: u32, location: u32) {
        let clock = self.locations[location as usize].clock;
        self.begin_interlocked(thread);
        self.clocks.merge(clock + NEWEST);
        self.clocks.advance(group(thread, READ));
        let own = self.threads[thread as usize].clock;
        self.clocks.replace(own + ALL);
        self.clocks.publish(clock + ACCESSES);
    }

    fn begin_interlocked(&mut self, thread: u32) {
        let own = self.threads[thread as usize].clock;
        self.clocks.begin(own + ALL);
        self.clocks.merge(own + WRITES);
        self.clocks.merge(own + READS);
    }

    /// What stores and interlocked operations do to the location's clocks.
    fn write(&mut self, thread: u32, location: u32) {
        let clock = self.locations[location as usize].clock;
        self.clocks.merge(clock + ACCESSES);
        self.clocks.replace(clock + NEWEST);
        self.clocks.replace(clock + ACCESSES);
        self.locations[location as usize].writer = Some(thread);
    }

    fn fence(&mut self, thread: u32) {
        self.begin_interlocked(thread);
        let own = self.threads[thread as usize].clock;
        self.clocks.merge(own + STORED);
        self.pass_store_store(thread);
        self.pass_store_load(thread);
        self.clocks.replace(own + ALL);
    }

    fn store_store_fence(&mut self, thread: u32) {
        let own = self.threads[thread as usize].clock;
        self.clocks.begin(own + ALL);
        self.clocks.merge(own + WRITES);
        self.clocks.merge(own + STORED);
        self.pass_store_store(thread);
        self.clocks.replace(own + WRITES);
    }

    fn store_load_fence(&mut self, thread: u32) {
        let own = self.threads[thread as usize].clock;
        self.clocks.begin(own + ALL);
        self.clocks.merge(own + READS);
        self.clocks.merge(own + STORED);
        self.pass_store_load(thread);
        self.clocks.replace(own + READS);
    }

    fn pass_store_store(&mut self, thread: u32) {
        let passed = self.clocks.advance(group(thread, STORE_STORE));
        self.threads[thread as usize].store_store = passed;
    }

    fn pass_store_load(&mut self, thread: u32) {
        let passed = self.clocks.advance(group(thread, STORE_LOAD));
        self.threads[thread as usize].store_load = passed;
    }

    /// What the access processed last is remembered by: a store by the fences before it, a
    /// read by its number.
    pub(super) fn mark(&self, event: &LogEvent) -> (u32, u32) {
        let thread = self.threads[event.thread as usize];
        match event.operation {
            LogOperation::Store => (thread.store_store, thread.store_load),
            _ => (self.clocks.stamp()[group(event.thread, READ)], 0),
        }
    }

    /// Whether a read is to be remembered: it follows a write, and no earlier read of its thread does.
    pub(super) fn follows(&self, event: &LogEvent, history: &History) -> bool {
        for entry in history.newest_first() {
            let own = entry.thread == event.thread;
            match entry.kind {
                Kind::Read if own => return false,
                Kind::Read => {}
                Kind::Store => return !own || event.operation != LogOperation::Load,
                Kind::Interlocked => return true,
            }
        }
        false
    }

    /// The newest write that the access could miss, or come before: one that `happened` before it,
    /// but is not in memory for certain.
    pub(super) fn missed<'a>(
        &self,
        event: &LogEvent,
        history: &'a History,
        happened: &[u32],
    ) -> Option<&'a Entry> {
        let own = self.threads[event.thread as usize].clock;
        let all = self.clocks.row(own + ALL);
        let writes = self.clocks.row(own + WRITES);
        let reads = self.clocks.row(own + READS);
        let operation = event.operation;
        let (after_writes, after_reads) = match operation {
            LogOperation::Load => (false, true),
            LogOperation::Store => (true, false),
            _ => (true, true),
        };
        let known = |thread: u32, kind: usize| {
            let group = group(thread, kind);
            let by_write = if after_writes { writes[group] } else { 0 };
            let by_read = if after_reads { reads[group] } else { 0 };
            all[group].max(by_write).max(by_read)
        };
        for entry in history.newest_first() {
            let thread = entry.thread;
            let settled = match entry.kind {
                Kind::Read | Kind::Interlocked => known(thread, READ) >= entry.first,
                Kind::Store => {
                    known(thread, STORE_STORE) > entry.first
                        || known(thread, STORE_LOAD) > entry.second
                }
            };
            if settled {
                return None;
            }
            if entry.kind == Kind::Read {
                continue;
            }
            // An interlocked operation is in memory when it happens.
            let too_late = entry.kind == Kind::Interlocked && operation.writes();
            if thread == event.thread || too_late {
                return None;
            }
            if happened[thread as usize] >= entry.number {
                return Some(entry);
            }
        }
        None
    }

    /// The timestamp of the event processed last.
    pub fn stamp(&self) -> &[u32] {
        self.clocks.stamp()
    }

    /// The number of a read in its group, by its timestamp.
    pub fn reads(stamp: &[u32], thread: u32) -> u32 {
        stamp[group(thread, READ)]
    }
}
