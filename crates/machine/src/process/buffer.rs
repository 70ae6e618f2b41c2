//! A thread's stores on their way to memory.
//!
//! Entries stand in program order. Under TSO the oldest leaves first; under PSO any entry
//! may leave that no older one overlaps and no StoreStore fence holds back. A StoreLoad
//! fence holds back the loads after it until the entries before it have left.

use super::memory::{BlockId, Location};
use super::value::Value;
use program::{MemoryOrder, Span};
use std::sync::Arc;

/// A store on its way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// Where to.
    pub at: Location,
    /// Bytes.
    pub size: u8,
    /// What.
    pub value: Value,
    /// StoreStore fences before it, of those that still hold something back.
    pub epoch: u32,
    /// Its memory order.
    pub order: MemoryOrder,
    /// Where it stands in the source.
    pub span: Span,
    /// What the store makes known to who reads it, for the detection of races.
    pub release: Option<Arc<[u32]>>,
    /// Its number among the thread's stores, if traces are built.
    pub number: u32,
    /// The thread has ended the life of the object since, so that the store has no effect.
    pub lapsed: bool,
}

impl Pending {
    /// True if it writes one of these bytes.
    pub fn overlaps(&self, at: Location, size: u64) -> bool {
        self.at.block == at.block
            && self.at.offset < at.offset + size
            && at.offset < self.at.offset + u64::from(self.size)
    }
}

/// A store buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Buffer {
    /// Stores, oldest first.
    pub entries: Vec<Pending>,
    /// The epoch of the next store.
    pub epoch: u32,
    /// So many of the oldest entries hold back loads.
    pub held: u32,
    /// A load, even one that no other thread can notice, orders what comes behind it after stores that nothing else
    /// orders it after: a StoreLoad fence came before it, and the model lets stores overtake each other.
    pub fenced: bool,
}

impl Buffer {
    /// True if nothing waits.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Later stores leave after those that wait now.
    pub fn order_stores(&mut self) {
        if self
            .entries
            .last()
            .is_some_and(|last| last.epoch == self.epoch)
        {
            self.epoch += 1;
        }
    }

    /// Later loads wait for the stores that wait now.
    pub fn hold_loads(&mut self) {
        self.held = self.entries.len() as u32;
    }

    /// True if the entry of this index may leave when stores leave in any order.
    pub fn may_leave(&self, index: usize) -> bool {
        let entry = &self.entries[index];
        self.entries[..index]
            .iter()
            .all(|older| older.epoch == entry.epoch && !older.overlaps(entry.at, entry.size.into()))
    }

    /// Takes an entry out.
    pub fn remove(&mut self, index: usize) -> Pending {
        let entry = self.entries.remove(index);
        if (index as u32) < self.held {
            self.held -= 1;
        }
        if self.entries.is_empty() {
            self.epoch = 0;
        } else if let Some(lowest) = self.entries.first().map(|first| first.epoch)
            && lowest > 0
        {
            for entry in &mut self.entries {
                entry.epoch -= lowest;
            }
            self.epoch -= lowest;
        }
        entry
    }

    /// Puts an entry back that was taken out from this index, when the epoch of the next store was `epoch` and so many
    /// entries held back loads.
    pub fn put_back(&mut self, index: usize, entry: Pending, epoch: u32, held: u32) {
        let taken = epoch - self.epoch;
        for entry in &mut self.entries {
            entry.epoch += taken;
        }
        self.entries.insert(index, entry);
        (self.epoch, self.held) = (epoch, held);
    }

    /// The number of the store that a load of the thread takes a byte from.
    pub fn source(&self, at: Location) -> Option<u32> {
        let mut newest = self.entries.iter().rev();
        newest
            .find(|entry| !entry.lapsed && entry.overlaps(at, 1))
            .map(|entry| entry.number)
    }

    /// Marks stores to a block whose life the thread has ended: they have no effect.
    pub fn lapse(&mut self, block: BlockId) {
        let entries = self.entries.iter_mut();
        for entry in entries.filter(|entry| entry.at.block == block) {
            entry.lapsed = true;
        }
    }

    /// Drops what goes to a block that is no more.
    pub fn forget(&mut self, block: BlockId) {
        while let Some(index) = self
            .entries
            .iter()
            .position(|entry| entry.at.block == block)
        {
            self.remove(index);
        }
    }

    /// What a load of the thread sees, given what memory holds; and whether some of it came
    /// from here.
    pub fn forward(&self, at: Location, size: u32, mut value: Value) -> (Value, bool) {
        let mut forwarded = false;
        for entry in &self.entries {
            if entry.lapsed || !entry.overlaps(at, size.into()) {
                continue;
            }
            forwarded = true;
            for byte in 0..u64::from(size) {
                let Some(from) = (at.offset + byte).checked_sub(entry.at.offset) else {
                    continue;
                };
                if from < entry.size.into() {
                    let mask = 0xff << (8 * byte);
                    let take = |word: u64| (word >> (8 * from) & 0xff) << (8 * byte);
                    value.word = value.word & !mask | take(entry.value.word);
                    value.undefined = value.undefined & !mask | take(entry.value.undefined);
                }
            }
        }
        (value, forwarded)
    }
}
