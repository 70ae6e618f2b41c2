//! The heap: new objects, and the ends of their lives, which conflict with every use.

use super::{Caller, Run};
use crate::process::memory::{Life, Origin};
use answer::{Event, Fault, FaultKind};
use program::{MemoryOrder, Word};
use std::sync::Arc;

/// More than this is never given out.
const MOST_BYTES: u64 = 1 << 32;

impl Caller<'_, '_> {
    /// The address of a new object; 0 if there is no room.
    pub fn allocate(&mut self, size: u64, zeroed: bool) -> Word {
        if size > MOST_BYTES {
            return 0;
        }
        let (id, span) = (self.id, self.span);
        let made = self.process.memory.allocate(id, size, zeroed, span, None);
        let Some(address) = made else {
            return 0;
        };
        // Memory runs out faster than time.
        self.process.unlooked += size;
        self.process.make_private(id, address);
        self.note(|names| {
            let name = names.allocation(address);
            Event::Call(format!("allocates {size} bytes: {name}"))
        });
        address
    }

    /// The size of an object of the heap, which is read.
    pub fn allocated_size(&mut self, address: Word) -> Run<u64> {
        let at = self.reach(address, 0, false)?;
        let id = self.id;
        self.process.act_read(id, at, 1, MemoryOrder::Plain);
        self.size_to_free(address)
    }

    /// The size of the object that `free` of an address would free. A `free` that fails ends nothing, but reads: it comes
    /// after whatever made it fail.
    pub fn size_to_free(&mut self, address: Word) -> Run<u64> {
        let size = self.whole_allocation(address);
        if size.is_err() {
            self.process.act_on_address(self.call.id, address, 1);
        }
        size
    }

    fn whole_allocation(&self, address: Word) -> Run<u64> {
        let memory = &self.process.memory;
        let at = memory.locate(address);
        let found = at.and_then(|at| Some((at, memory.block(at.block)?)));
        let name = self.process.name_of(address);
        let Some((at, block)) = found else {
            let message = format!("free of {name}, which is no object");
            return Err(Box::new(Fault::new(FaultKind::InvalidFree, message)));
        };
        if block.origin != Origin::Heap || at.offset != 0 {
            let message = match block.origin {
                Origin::Heap => format!("free of {name}, which is inside an object"),
                Origin::Global(_) | Origin::Local(_) => {
                    format!("free of {name}, which no allocation gave")
                }
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

    /// Ends the life of an object of the heap.
    pub fn free(&mut self, address: Word) -> Run<()> {
        let size = self.size_to_free(address)?;
        let (id, span) = (self.id, self.span);
        let Some(at) = self.process.memory.locate(address) else {
            return Ok(());
        };
        if !self.process.is_private(id, at.block) {
            self.process.act_on_object(id, at.block, size);
        }
        self.process.notice_escape(id, at.block);
        self.process.races_end(id, at.block, span)?;
        self.note(|names| Event::Call(format!("frees {}", names.allocation(address))));
        self.process.lapse(id, at.block);
        if let Some(block) = self.process.memory.block_mut(at.block) {
            Arc::make_mut(&mut block.bytes).end(span);
        }
        Ok(())
    }
}
