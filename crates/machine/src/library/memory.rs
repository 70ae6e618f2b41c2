//! Copies, fills and comparisons of bytes.

use super::{Call, Caller, Flow, Run};
use answer::{Fault, FaultKind};
use program::in_family::Memory;
use program::{Routine, Width, Word};

impl Caller<'_, '_> {
    pub(super) fn memory_routine(&mut self, routine: Memory) -> Run<Flow> {
        use Memory::*;
        match routine {
            MemoryCopy | MemoryMove => {
                let (to, from, size) = (self.word(0)?, self.word(1)?, self.word(2)?);
                if routine == MemoryCopy && to != from {
                    refuse_overlap(self, (to, size), (from, size))?;
                }
                self.copy(to, from, size)?;
                Ok(Flow::Returns(to))
            }
            MemorySet => {
                let (to, size) = (self.word(0)?, self.word(2)?);
                self.fill(to, size, self.value(1).truncate(Width::W8))?;
                Ok(Flow::Returns(to))
            }
            MemoryCompare => self.compare(),
            MemoryFind | MemoryFindLast => self.find(),
        }
    }

    fn compare(&mut self) -> Run<Flow> {
        let size = self.word(2)?;
        let left = self.read_bytes(self.word(0)?, size)?;
        let right = self.read_bytes(self.word(1)?, size)?;
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
    fn find(&mut self) -> Run<Flow> {
        let (start, wanted, size) = (self.word(0)?, self.word(1)? as u8, self.word(2)?);
        let last = self.routine == Routine::MemoryFindLast;
        for index in 0..size {
            let index = if last { size - 1 - index } else { index };
            let address = start.wrapping_add(index);
            match self.read_bytes(address, 1)?.first() {
                Some((_, 1..)) => {
                    return Err(uninitialised("memchr looks at an uninitialised byte"));
                }
                Some((byte, 0)) if *byte == wanted => return Ok(Flow::Returns(address)),
                _ => {}
            }
        }
        Ok(Flow::Returns(0))
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
