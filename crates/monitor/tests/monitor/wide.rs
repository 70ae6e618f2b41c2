//! Relaxed happens-before under PSO as Definition 7 has it: a group per thread for its reads, one per
//! location for its writes, and one per thread and kind of fence.

use crate::sketch::*;
use monitor::clocks::Clocks;
use program::LogEvent;

const THREADS: usize = 3;
const LOCATIONS: usize = 3;

/// Clocks of a thread.
const KINDS: [&str; 4] = ["all", "writes", "reads", "stored"];

pub struct Wide {
    clocks: Clocks,
    /// Whose the newest write of each location is, if it is a plain store.
    writer: [Option<u32>; LOCATIONS],
}

impl Default for Wide {
    fn default() -> Self {
        let mut clocks = Clocks::new(3 * THREADS + LOCATIONS);
        clocks.add(KINDS.len() * THREADS + 2 * LOCATIONS);
        let writer = [None; LOCATIONS];
        Wide { clocks, writer }
    }
}

/// The clock of what precedes this kind of later event of a thread.
fn own(thread: u32, kind: &str) -> usize {
    let kind = KINDS
        .iter()
        .position(|known| *known == kind)
        .expect("a kind");
    thread as usize * KINDS.len() + kind
}

fn writes(location: u32) -> usize {
    KINDS.len() * THREADS + location as usize
}

fn accesses(location: u32) -> usize {
    writes(location) + LOCATIONS
}

impl Wide {
    /// Takes an event, and gives its timestamp.
    pub fn process(&mut self, event: &LogEvent) -> Vec<u32> {
        let (p, a) = (event.thread, event.address);
        let read = p as usize;
        let (store_store, store_load) = (THREADS + read, 2 * THREADS + read);
        let write = 3 * THREADS + a as usize;
        let all = own(p, "all");
        let (later_writes, later_reads, stored) =
            (own(p, "writes"), own(p, "reads"), own(p, "stored"));
        match event.operation {
            Load => {
                let mut merged = vec![all, later_reads];
                if self.writer[a as usize] != Some(p) {
                    merged.push(writes(a));
                }
                self.event(&merged, &[read], &[all, accesses(a)])
            }
            Store => {
                self.writer[a as usize] = Some(p);
                let merged = [all, later_writes, accesses(a)];
                self.event(&merged, &[write], &[stored, writes(a), accesses(a)])
            }
            Interlocked => {
                self.writer[a as usize] = None;
                let merged = [all, later_writes, later_reads, accesses(a)];
                self.event(&merged, &[read, write], &[all, writes(a), accesses(a)])
            }
            FailedInterlocked => {
                let merged = [all, later_writes, later_reads, writes(a)];
                self.event(&merged, &[read], &[all, accesses(a)])
            }
            Fence | Start => {
                let merged = [all, later_writes, later_reads, stored];
                let mut out = vec![all];
                if event.operation == Start {
                    out.push(own(a, "all"));
                }
                self.event(&merged, &[read, store_store, store_load], &out)
            }
            StoreStoreFence => {
                let merged = [all, later_writes, stored];
                self.event(&merged, &[store_store], &[later_writes])
            }
            StoreLoadFence => {
                let merged = [all, later_reads, stored];
                self.event(&merged, &[store_load], &[later_reads])
            }
            Join => {
                let mut merged: Vec<usize> = KINDS.iter().map(|kind| own(a, kind)).collect();
                merged.push(all);
                self.event(&merged, &[read], &[all])
            }
        }
    }

    fn event(&mut self, merged: &[usize], groups: &[usize], out: &[usize]) -> Vec<u32> {
        self.clocks.begin(merged[0]);
        merged[1..]
            .iter()
            .for_each(|clock| self.clocks.merge(*clock));
        for group in groups {
            self.clocks.advance(*group);
        }
        out.iter().for_each(|clock| self.clocks.publish(*clock));
        self.clocks.stamp().to_vec()
    }
}
