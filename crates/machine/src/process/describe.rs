//! Names of locations and texts of values, as people read them.

use super::Process;
use super::memory::{Block, Location, Origin};
use super::value::Value;
use answer::{AccessEvent, Datum, Event, MemoryAccess, part_name, pointee_name, value_text};
use program::{TypeId, Word};

impl Process<'_> {
    /// The name of a location: `x`, `queue.head`, `node#2.next`, `buffer[3]`.
    pub(super) fn location_name(&self, at: Location) -> String {
        let Some(block) = self.memory.block(at.block) else {
            return format!("{:#x}", at.block.base() + at.offset);
        };
        let types = &self.image.program.types;
        part_name(
            types,
            &self.block_name(at, block),
            self.layout(block),
            at.offset,
        )
    }

    /// An access that happened, with names.
    pub(super) fn access_event(
        &self,
        kind: AccessEvent,
        at: Location,
        size: u32,
        value: Value,
        written: Option<Value>,
    ) -> Event {
        let location = answer::Location {
            address: at.block.base() + at.offset,
            size,
            name: self.location_name(at),
        };
        let datum = |value: Value| Datum::text(value.word, self.value_text(at, size, value));
        let access = MemoryAccess::new(kind, location, datum(value), written.map(datum));
        Event::Access(access)
    }

    /// The layout of an object: that of its declaration, or of what the call that made it allocates.
    fn layout(&self, block: &Block) -> Option<TypeId> {
        let made_by_call = block.origin == Origin::Heap;
        let allocated = || self.image.program.allocated_type(block.made_at);
        block
            .layout
            .or_else(|| made_by_call.then(allocated).flatten())
    }

    fn block_name(&self, at: Location, block: &Block) -> String {
        match block.origin {
            Origin::Global(index) => self.image.program.objects[index as usize].name.clone(),
            Origin::Local(local) => match self.image.locals[local as usize].name.as_str() {
                "" => "a temporary".to_owned(),
                name => name.to_owned(),
            },
            Origin::Heap => {
                let (owner, number) = at.block.heap_number();
                self.image
                    .program
                    .heap_name(self.layout(block), owner.into(), number)
            }
        }
    }

    /// The name of the object at an address.
    pub(super) fn object_name(&self, word: Word) -> String {
        let at = self.memory.locate(word);
        match at.and_then(|at| Some((at, self.memory.block(at.block)?))) {
            Some((at, block)) => self.block_name(at, block),
            None => format!("{word:#x}"),
        }
    }

    /// The name of the location at an address.
    pub fn name_of(&self, word: Word) -> String {
        match self.memory.locate(word) {
            Some(at) => self.location_name(at),
            None => format!("{word:#x}"),
        }
    }

    /// A value of `size` bytes at a location, as its type says.
    pub(super) fn value_text(&self, at: Location, size: u32, value: Value) -> String {
        if !value.is_defined() {
            return "undefined".to_owned();
        }
        let block = self.memory.block(at.block);
        let layout = block.and_then(|block| self.layout(block));
        let types = &self.image.program.types;
        let width = super::memory::width_of(size);
        let name = |word| self.pointed_to(word);
        value_text(types, layout, at.offset, width, value.word, name)
    }

    /// The name of what a pointer points to.
    fn pointed_to(&self, word: Word) -> Option<String> {
        let at = self.memory.locate(word)?;
        let block = self.memory.block(at.block)?;
        let types = &self.image.program.types;
        let object = self.block_name(at, block);
        Some(pointee_name(types, &object, self.layout(block), at.offset))
    }
}
