//! Memory that nobody reads, so that writes to it by different threads are in no conflict.
//!
//! Which memory that is, [`Trace::never_read`] suggests after one execution. Whether it is true of all of them the exploration finds
//! out: a read of it is a [`Clash`](crate::commuting::Clash).

use super::{EventId, Touch, Trace, Use, words_of};
use machine::{Accumulation, Bytes};

/// Addresses take this many bytes. Where one may be written, what is there at the end says which objects are lost.
const ADDRESS_SIZE: u32 = 8;

/// True if two stretches of memory (address and size) have a byte in common.
pub fn overlap(one: (u64, u32), other: (u64, u32)) -> bool {
    one.0 < other.0 + u64::from(other.1) && other.0 < one.0 + u64::from(one.1)
}

impl Trace {
    /// What writes of these bytes commute with.
    pub(super) fn kind_of_write(&self, bytes: Bytes) -> Option<Accumulation> {
        let mut unread = self.unread.iter();
        let is_unread = unread.any(|known| *known == (bytes.address, bytes.size));
        is_unread.then_some(Accumulation::Unread)
    }

    /// What an event reads of the memory that nobody is expected to read.
    pub fn unexpected_read(&self, id: EventId) -> Option<(u64, u32)> {
        let reads = self.touches_of(id).iter().filter(|touch| !touch.writes);
        let mut reads = reads.map(|touch| self.extent(touch));
        reads.find(|read| self.unread.iter().any(|unread| overlap(*unread, *read)))
    }

    /// The memory of a touch: address and size.
    fn extent(&self, touch: &Touch) -> (u64, u32) {
        let first = self.addresses[touch.word as usize] * 8;
        (
            first + u64::from(touch.mask.trailing_zeros()),
            8 - touch.mask.leading_zeros() - touch.mask.trailing_zeros(),
        )
    }

    /// Memory (addresses and sizes) that several threads wrote and none read, each time in one piece, and too short for addresses.
    pub fn never_read(&self) -> Vec<(u64, u32)> {
        let mut found = Vec::new();
        for (word, uses) in self.uses.iter().enumerate() {
            for with in uses {
                let touch = Touch {
                    word: word as u32,
                    mask: with.mask,
                    writes: true,
                    accumulates: None,
                };
                let (address, size) = self.extent(&touch);
                let in_conflict = |other: &&Use| other.mask & with.mask != 0;
                let alike = |other: &Use| {
                    other.writes && other.accumulates.is_none() && other.mask == with.mask
                };
                if address >= Bytes::FIRST
                    && size < ADDRESS_SIZE
                    && words_of(address, size).eq([(address / 8, with.mask)])
                    && uses.iter().filter(in_conflict).all(alike)
                    && uses
                        .iter()
                        .filter(in_conflict)
                        .any(|other| other.thread != with.thread)
                    && !found.contains(&(address, size))
                {
                    found.push((address, size));
                }
            }
        }
        found
    }
}
