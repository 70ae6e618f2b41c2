//! The heap.

use super::{Caller, Flow, Run};
use crate::process::value::Value;
use program::codes::ENOMEM;
use program::in_family::Heap;

impl Caller<'_, '_> {
    pub(super) fn heap_routine(&mut self, routine: Heap) -> Run<Flow> {
        use Heap::*;
        let result = match routine {
            Malloc => self.allocate(self.word(0)?, false),
            Calloc => match self.word(0)?.checked_mul(self.word(1)?) {
                Some(size) => self.allocate(size, true),
                None => 0,
            },
            AlignedAlloc => self.allocate(self.word(1)?, false),
            PosixMemalign => {
                let address = self.allocate(self.word(2)?, false);
                if address == 0 {
                    return Ok(Flow::Returns(ENOMEM));
                }
                self.write_word(self.word(0)?, 8, Value::new(address))?;
                0
            }
            Realloc => return self.reallocate(),
            Free => {
                let address = self.word(0)?;
                if address != 0 {
                    self.free(address)?;
                }
                return Ok(Flow::Done);
            }
            UsableSize => match self.word(0)? {
                0 => 0,
                address => self.allocated_size(address)?,
            },
        };
        Ok(Flow::Returns(result))
    }

    fn reallocate(&mut self) -> Run<Flow> {
        let (old, size) = (self.word(0)?, self.word(1)?);
        if old == 0 {
            return Ok(Flow::Returns(self.allocate(size, false)));
        }
        let whole = self.size_to_free(old)?;
        let new = self.allocate(size, false);
        if new == 0 {
            return Ok(Flow::Returns(0));
        }
        let bytes = self.read_bytes(old, whole.min(size))?;
        self.write_bytes(new, &bytes)?;
        self.free(old)?;
        Ok(Flow::Returns(new))
    }
}
