//! Copies, fills and comparisons of bytes.
//!
//! Where every store would reach memory at once and nobody wants to know of it, whole
//! slices go from object to object instead of words.

use super::{Call, Flow, Run};
use crate::process::Process;
use crate::process::memory::{Bytes, Location};
use crate::process::value::Value;
use ::memory::Buffering;
use answer::{Fault, FaultKind};
use program::in_family::Memory;
use program::{Routine, ThreadId, Width, Word};
use std::sync::Arc;

impl Process<'_> {
    pub(super) fn memory_routine(&mut self, call: &Call, routine: Memory) -> Run<Flow> {
        use Memory::*;
        match routine {
            MemoryCopy => {
                let (to, from, size) = (call.word(0)?, call.word(1)?, call.word(2)?);
                if to != from {
                    refuse_overlap(call, (to, size), (from, size))?;
                }
                self.copy(call, to, from, size)
            }
            MemoryMove => self.copy(call, call.word(0)?, call.word(1)?, call.word(2)?),
            MemorySet => self.fill(call),
            MemoryCompare => self.compare(call),
            MemoryFind | MemoryFindLast => self.find(call),
        }
    }

    fn copy(&mut self, call: &Call, to: Word, from: Word, size: u64) -> Run<Flow> {
        if size == 0 {
            return Ok(Flow::Returns(to));
        }
        if !self.writes_slices(call.id) {
            let bytes = self.read_bytes(call.id, from, size)?;
            self.write_bytes(call.id, call.span, to, &bytes)?;
            return Ok(Flow::Returns(to));
        }
        let source = self.reach(call.id, from, size, false)?;
        let target = self.reach(call.id, to, size, true)?;
        self.copy_slice(source, target, size as usize);
        self.pass_on_slice(call.id, to, target, size as usize);
        Ok(Flow::Returns(to))
    }

    fn fill(&mut self, call: &Call) -> Run<Flow> {
        let (to, size) = (call.word(0)?, call.word(2)?);
        let byte = call.value(1).truncate(Width::W8);
        if size == 0 {
            return Ok(Flow::Returns(to));
        }
        let target = self.reach(call.id, to, size, true)?;
        if !self.writes_slices(call.id) {
            let bytes = vec![(byte.word as u8, byte.undefined as u8); size as usize];
            self.write_bytes(call.id, call.span, to, &bytes)?;
        } else if let Some(block) = self.memory.block_mut(target.block) {
            let bytes = Arc::make_mut(&mut block.bytes);
            fill_slice(bytes, target.offset as usize, size as usize, byte);
            self.pass_on_slice(call.id, to, target, size as usize);
        }
        Ok(Flow::Returns(to))
    }

    fn compare(&mut self, call: &Call) -> Run<Flow> {
        let size = call.word(2)?;
        let left = self.read_bytes(call.id, call.word(0)?, size)?;
        let right = self.read_bytes(call.id, call.word(1)?, size)?;
        for ((a, a_undefined), (b, b_undefined)) in left.into_iter().zip(right) {
            if a_undefined | b_undefined != 0 {
                return Err(uninitialised("memcmp compares an uninitialised byte"));
            }
            if a != b {
                return Ok(Flow::Returns(difference(a, b)));
            }
        }
        Ok(Flow::Returns(0))
    }

    /// `memchr` looks no further than the byte that it finds.
    fn find(&mut self, call: &Call) -> Run<Flow> {
        let (start, wanted, size) = (call.word(0)?, call.word(1)? as u8, call.word(2)?);
        let last = call.routine == Routine::MemoryFindLast;
        for index in 0..size {
            let index = if last { size - 1 - index } else { index };
            let address = start.wrapping_add(index);
            match self.read_bytes(call.id, address, 1)?.first() {
                Some((_, 1..)) => {
                    return Err(uninitialised("memchr looks at an uninitialised byte"));
                }
                Some((byte, 0)) if *byte == wanted => return Ok(Flow::Returns(address)),
                _ => {}
            }
        }
        Ok(Flow::Returns(0))
    }

    /// True if the thread's stores reach memory at once and are not noted one by one.
    fn writes_slices(&self, id: ThreadId) -> bool {
        let straight = self.buffering() == Buffering::None || self.is_direct(id);
        let untold = !self.limits.traced || self.is_solo(id);
        straight && untold && self.log.is_none() && self.races.is_none()
    }

    fn copy_slice(&mut self, source: Location, target: Location, size: usize) {
        let (from, to) = (source.offset as usize, target.offset as usize);
        if source.block == target.block {
            if let Some(block) = self.memory.block_mut(target.block) {
                let bytes = Arc::make_mut(&mut block.bytes);
                bytes.data.copy_within(from..from + size, to);
                if !bytes.undefined.is_empty() {
                    bytes.undefined.copy_within(from..from + size, to);
                }
            }
            return;
        }
        let source = self
            .memory
            .block(source.block)
            .map(|block| Arc::clone(&block.bytes));
        if let Some(source) = source
            && let Some(block) = self.memory.block_mut(target.block)
        {
            copy_between(&source, from, Arc::make_mut(&mut block.bytes), to, size);
        }
    }

    /// Publishes what the words of a stretch just written point to, if others reach it.
    fn pass_on_slice(&mut self, id: ThreadId, address: Word, at: Location, size: usize) {
        let Some(block) = self.memory.block(at.block) else {
            return;
        };
        if self.limits.private && block.bytes.private_to == Some(id) {
            return;
        }
        let start = at.offset as usize;
        let aligned = start + address.wrapping_neg() as usize % 8;
        let written = block
            .bytes
            .data
            .get(aligned..start + size)
            .unwrap_or_default();
        for word in addresses(written) {
            self.publish(word);
        }
    }
}

/// Words that may be addresses.
fn addresses(bytes: &[u8]) -> Vec<Word> {
    let words = bytes
        .as_chunks()
        .0
        .iter()
        .map(|chunk| Word::from_le_bytes(*chunk));
    words.filter(|word| word >> 20 != 0).collect()
}

fn copy_between(source: &Bytes, from: usize, target: &mut Bytes, to: usize, size: usize) {
    target.data[to..to + size].copy_from_slice(&source.data[from..from + size]);
    let undefined = source.undefined.get(from..from + size).unwrap_or_default();
    if undefined.iter().any(|byte| *byte != 0) && target.undefined.is_empty() {
        target.undefined = vec![0; target.data.len()];
    }
    let Some(place) = target.undefined.get_mut(to..to + size) else {
        return;
    };
    match undefined.is_empty() {
        true => place.fill(0),
        false => place.copy_from_slice(undefined),
    }
}

fn fill_slice(bytes: &mut Bytes, start: usize, size: usize, byte: Value) {
    bytes.data[start..start + size].fill(byte.word as u8);
    if bytes.undefined.is_empty() && !byte.is_defined() {
        bytes.undefined = vec![0; bytes.data.len()];
    }
    if let Some(undefined) = bytes.undefined.get_mut(start..start + size) {
        undefined.fill(byte.undefined as u8);
    }
}

/// A fault if two stretches, each an address and a size, have bytes in common.
pub(super) fn refuse_overlap(call: &Call, a: (Word, u64), b: (Word, u64)) -> Run<()> {
    let (low, high) = if a.0 <= b.0 { (a, b) } else { (b, a) };
    if high.1 > 0 && high.0 - low.0 < low.1 {
        return Err(call.misuse("source and destination overlap"));
    }
    Ok(())
}

pub(super) fn uninitialised(message: impl Into<String>) -> Box<Fault> {
    Box::new(Fault::new(FaultKind::Uninitialised, message))
}

/// The `int` that says how two unlike characters compare.
pub(super) fn difference(a: u8, b: u8) -> Word {
    Width::W32.truncate((i64::from(a) - i64::from(b)) as Word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::memory::Life;

    fn bytes(data: &[u8], undefined: &[u8]) -> Bytes {
        Bytes {
            data: data.to_vec(),
            undefined: undefined.to_vec(),
            size: data.len() as u64,
            life: Life::Alive,
            private_to: None,
        }
    }

    #[test]
    fn a_copy_takes_undefined_bits_along() {
        let mut target = bytes(&[1, 2, 3], &[]);
        copy_between(&bytes(&[7, 0], &[0, 0xff]), 0, &mut target, 1, 2);
        assert_eq!(target, bytes(&[1, 7, 0], &[0, 0, 0xff]));
        copy_between(&bytes(&[5, 6], &[]), 0, &mut target, 1, 2);
        assert_eq!(target, bytes(&[1, 5, 6], &[0, 0, 0]));
    }

    #[test]
    fn a_copy_of_defined_bytes_leaves_a_defined_object_so() {
        let mut target = bytes(&[1, 2], &[]);
        copy_between(&bytes(&[0, 9], &[0xff, 0]), 1, &mut target, 0, 1);
        assert_eq!(target, bytes(&[9, 2], &[]));
    }

    #[test]
    fn a_fill_defines() {
        let mut target = bytes(&[0, 0, 0], &[0xff, 0xff, 0xff]);
        fill_slice(&mut target, 1, 2, Value::new(4));
        assert_eq!(target, bytes(&[0, 4, 4], &[0xff, 0, 0]));
    }

    #[test]
    fn only_words_beyond_the_first_megabyte_may_be_addresses() {
        let mut words = 5u64.to_le_bytes().to_vec();
        words.extend((1u64 << 20).to_le_bytes());
        words.extend([0xff; 7]);
        assert_eq!(addresses(&words), [1 << 20]);
    }
}
