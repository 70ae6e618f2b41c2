//! Copies and fills.
//!
//! Where every store would be written to memory at once and nobody wants to know of it, whole
//! slices go from object to object instead of words.

use super::{Caller, Run};
use crate::process::memory::{Bytes, Location};
use crate::process::value::Value;
use ::memory::Buffering;
use program::Word;
use std::sync::Arc;

impl Caller<'_, '_> {
    /// Copies bytes, which may overlap.
    pub fn copy(&mut self, to: Word, from: Word, size: u64) -> Run<()> {
        if size == 0 {
            return Ok(());
        }
        if !self.writes_slices() {
            let bytes = self.read_bytes(from, size)?;
            return self.write_bytes(to, &bytes);
        }
        let source = self.reach(from, size, false)?;
        let target = self.reach(to, size, true)?;
        self.copy_slice(source, target, size as usize);
        self.pass_on_slice(to, target, size as usize);
        Ok(())
    }

    /// Sets each of these bytes to the same value.
    pub fn fill(&mut self, to: Word, size: u64, byte: Value) -> Run<()> {
        if size == 0 {
            return Ok(());
        }
        let target = self.reach(to, size, true)?;
        if !self.writes_slices() {
            let bytes = vec![(byte.word as u8, byte.undefined as u8); size as usize];
            self.write_bytes(to, &bytes)?;
        } else if let Some(block) = self.process.memory.block_mut(target.block) {
            let bytes = Arc::make_mut(&mut block.bytes);
            fill_slice(bytes, target.offset as usize, size as usize, byte);
            self.pass_on_slice(to, target, size as usize);
        }
        Ok(())
    }

    /// True if the thread's stores are written to memory at once and are not recorded one by one.
    fn writes_slices(&self) -> bool {
        let process = &self.process;
        let straight = process.buffering() == Buffering::None || process.is_direct(self.id);
        let limits = process.limits;
        let unrecorded = !limits.traced || limits.unread.is_empty() && process.is_solo(self.id);
        straight && unrecorded && process.log.is_none() && process.races.is_none()
    }

    fn copy_slice(&mut self, source: Location, target: Location, size: usize) {
        let (from, to) = (source.offset as usize, target.offset as usize);
        if source.block == target.block {
            if let Some(block) = self.process.memory.block_mut(target.block) {
                let bytes = Arc::make_mut(&mut block.bytes);
                bytes.data.copy_within(from..from + size, to);
                if !bytes.undefined.is_empty() {
                    bytes.undefined.copy_within(from..from + size, to);
                }
            }
            return;
        }
        let source = self.process.memory.block(source.block);
        let source = source.map(|block| Arc::clone(&block.bytes));
        if let Some(source) = source
            && let Some(block) = self.process.memory.block_mut(target.block)
        {
            copy_between(&source, from, Arc::make_mut(&mut block.bytes), to, size);
        }
    }

    /// Publishes what the words of a stretch just written point to, if others reach it.
    fn pass_on_slice(&mut self, address: Word, at: Location, size: usize) {
        let Some(block) = self.process.memory.block(at.block) else {
            return;
        };
        if self.process.limits.private && block.bytes.private_to == Some(self.id) {
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
            self.process.publish(word);
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
    let Some(bits) = target.undefined.get_mut(to..to + size) else {
        return;
    };
    if undefined.is_empty() {
        bits.fill(0);
    } else {
        bits.copy_from_slice(undefined);
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
