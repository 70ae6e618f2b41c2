//! The heap.

use super::codes::ENOMEM;
use super::{Call, Flow, Run};
use crate::process::Process;
use crate::process::memory::{Life, Origin};
use crate::process::value::Value;
use answer::{Event, Fault, FaultKind};
use program::Word;
use program::in_family::Heap;
use std::sync::Arc;

/// More than this is never given out.
const MOST_BYTES: u64 = 1 << 32;

impl Process<'_> {
    pub(super) fn heap_routine(&mut self, call: &Call, routine: Heap) -> Run<Flow> {
        use Heap::*;
        let address = match routine {
            Malloc => self.allocate_heap(call, call.word(0)?, false)?,
            Calloc => {
                let Some(size) = call.word(0)?.checked_mul(call.word(1)?) else {
                    return Ok(Flow::Returns(0));
                };
                self.allocate_heap(call, size, true)?
            }
            AlignedAlloc => self.allocate_heap(call, call.word(1)?, false)?,
            PosixMemalign => {
                let address = self.allocate_heap(call, call.word(2)?, false)?;
                if address == 0 {
                    return Ok(Flow::Returns(ENOMEM));
                }
                let place = call.word(0)?;
                self.write_word(call.id, call.span, place, 8, Value::new(address))?;
                0
            }
            Realloc => return self.reallocate(call),
            Free => {
                self.free(call, call.word(0)?)?;
                return Ok(Flow::Done);
            }
            UsableSize => self.usable_size(call)?,
        };
        Ok(Flow::Returns(address))
    }

    /// The address of a new object; 0 if there is no room.
    pub(super) fn allocate_heap(&mut self, call: &Call, size: u64, zeroed: bool) -> Run<Word> {
        if size > MOST_BYTES {
            return Ok(0);
        }
        let made = self.memory.allocate(call.id, size, zeroed, call.span, None);
        let Some(address) = made else {
            return Ok(0);
        };
        // Memory runs out faster than time.
        self.unlooked += size;
        self.make_private(call.id, address);
        self.note(call.id, call.span, |process| {
            let name = process.object_name(address);
            Event::Call(format!("allocates {size} bytes: {name}"))
        });
        Ok(address)
    }

    fn reallocate(&mut self, call: &Call) -> Run<Flow> {
        let (old, size) = (call.word(0)?, call.word(1)?);
        if old == 0 {
            return Ok(Flow::Returns(self.allocate_heap(call, size, false)?));
        }
        let whole = self.freed_size(call, old)?;
        let new = self.allocate_heap(call, size, false)?;
        if new == 0 {
            return Ok(Flow::Returns(0));
        }
        let bytes = self.read_bytes(call.id, old, whole.min(size))?;
        self.write_bytes(call.id, call.span, new, &bytes)?;
        self.free(call, old)?;
        Ok(Flow::Returns(new))
    }

    fn usable_size(&mut self, call: &Call) -> Run<Word> {
        match call.word(0)? {
            0 => Ok(0),
            address => {
                let at = self.reach(call.id, address, 0, false)?;
                self.act_read(call.id, at, 1, program::MemoryOrder::Plain);
                self.freed_size(call, address)
            }
        }
    }

    /// The size of the object that `free` of an address would free. A `free` that fails ends nothing, but reads: it comes
    /// after whatever made it fail.
    fn freed_size(&mut self, call: &Call, address: Word) -> Run<u64> {
        let size = self.size_to_free(address);
        if size.is_err() {
            self.act_on_address(call.id, address, 1);
        }
        size
    }

    fn size_to_free(&self, address: Word) -> Run<u64> {
        let at = self.memory.locate(address);
        let found = at.and_then(|at| Some((at, self.memory.block(at.block)?)));
        let name = self.name_of(address);
        let Some((at, block)) = found else {
            let message = format!("free of {name}, which is no object");
            return Err(Box::new(Fault::new(FaultKind::InvalidFree, message)));
        };
        if block.origin != Origin::Heap || at.offset != 0 {
            let message = match block.origin {
                Origin::Heap => format!("free of {name}, which is inside an object"),
                _ => format!("free of {name}, which no allocation gave"),
            };
            let fault = Fault::new(FaultKind::InvalidFree, message);
            return Err(Box::new(fault.with(block.made_at, "made here")));
        }
        if let Life::Over(span) = block.bytes.life {
            let message = format!("{name} is freed a second time");
            let fault = Fault::new(FaultKind::DoubleFree, message);
            let fault = fault
                .with(span, "freed here")
                .with(block.made_at, "made here");
            return Err(Box::new(fault));
        }
        Ok(block.bytes.size)
    }

    fn free(&mut self, call: &Call, address: Word) -> Run<()> {
        if address == 0 {
            return Ok(());
        }
        let size = self.freed_size(call, address)?;
        let Some(at) = self.memory.locate(address) else {
            return Ok(());
        };
        if !self.is_private(call.id, at.block) {
            self.act_on_object(call.id, at.block, size);
        }
        self.notice_disguise(call.id, at.block);
        self.races_end(call.id, at.block, call.span)?;
        self.note(call.id, call.span, |process| {
            Event::Call(format!("frees {}", process.object_name(address)))
        });
        self.lapse(call.id, at.block);
        if let Some(block) = self.memory.block_mut(at.block) {
            Arc::make_mut(&mut block.bytes).end(call.span);
        }
        Ok(())
    }
}
