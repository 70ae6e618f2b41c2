//! Names of places and texts of values, as people read them.

use super::Process;
use super::memory::{Block, Location, Origin};
use super::value::Value;
use program::{ScalarKind, Type, Word, part_at};

impl Process<'_> {
    /// The name of the place at a location: `x`, `queue.head`, `node#2.next`, `buffer[3]`.
    pub(super) fn place_name(&self, at: Location) -> String {
        let Some(block) = self.memory.block(at.block) else {
            return format!("{:#x}", at.block.base() + at.offset);
        };
        let object = self.block_name(at, block);
        let Some(layout) = block.layout else {
            return match at.offset {
                0 => object,
                offset => format!("{object}+{offset}"),
            };
        };
        let part = part_at(&self.image.program.types, layout, at.offset);
        let rest = match part.offset {
            0 => String::new(),
            offset => format!("+{offset}"),
        };
        format!("{object}{}{rest}", part.path)
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
                match owner {
                    0 => format!("heap{number}"),
                    _ => format!("heap{owner}.{number}"),
                }
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

    /// The name of the place at an address.
    pub fn name_of(&self, word: Word) -> String {
        match self.memory.locate(word) {
            Some(at) => self.place_name(at),
            None => format!("{word:#x}"),
        }
    }

    /// A value of `size` bytes at a location, as its type says.
    pub(super) fn value_text(&self, at: Location, size: u32, value: Value) -> String {
        if !value.is_defined() {
            return "undefined".to_owned();
        }
        let types = &self.image.program.types;
        let block = self.memory.block(at.block);
        let layout = block.and_then(|block| block.layout);
        let part = layout.map(|layout| part_at(types, layout, at.offset));
        let scalar = part.and_then(|part| types.get(part.layout.index()));
        let width = super::memory::width_of(size);
        match scalar {
            Some(Type::Scalar {
                size: whole,
                signed,
                kind,
            }) if *whole == u64::from(size) => match kind {
                ScalarKind::Float if size == 4 => f32::from_bits(value.word as u32).to_string(),
                ScalarKind::Float => f64::from_bits(value.word).to_string(),
                ScalarKind::Pointer(_) => self.pointer_text(value.word),
                ScalarKind::Integer if *signed => width.signed(value.word).to_string(),
                ScalarKind::Integer => value.word.to_string(),
            },
            _ if size == 8 && value.word >> 20 != 0 => self.pointer_text(value.word),
            _ => width.signed(value.word).to_string(),
        }
    }

    /// A pointer, by the name of what it points to.
    pub(super) fn pointer_text(&self, word: Word) -> String {
        if word == 0 {
            return "NULL".to_owned();
        }
        match self.memory.locate(word) {
            Some(at) if self.memory.block(at.block).is_some() => {
                format!(
                    "&{}",
                    self.place_name(Location {
                        offset: at.offset,
                        ..at
                    })
                )
            }
            _ if word >> 32 == 0 => word.to_string(),
            _ => format!("{word:#x}"),
        }
    }
}
