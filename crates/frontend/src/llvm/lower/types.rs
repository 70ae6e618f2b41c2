//! Sizes and shapes of LLVM types, as the machine sees them.
//!
//! A value of any type is a row of *leaves*, one register each: a scalar is one leaf, an
//! integer of more than 64 bits is one leaf for each 64 bits, the lowest first, and
//! structs, arrays and vectors are the leaves of their elements one after the other.

use crate::llvm::{Module, Type, TypeId};
use program::Width;
use std::rc::Rc;

/// A part of a value that one register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Its width.
    pub width: Width,
    /// Where it lies in memory, in bytes from the start of the value.
    pub offset: u64,
}

/// How much memory a type needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Bytes that a value occupies, filling included: the distance of array elements.
    pub size: u64,
    /// Its alignment in bytes, a power of two.
    pub align: u64,
}

/// Why a type cannot be lowered: the end of "… is not supported".
pub(super) type Unsupported = String;

/// More leaves than this are a mistake, or at least nothing for registers.
const MAX_LEAVES: u64 = 4096;
/// Types nested deeper than this contain themselves.
const MAX_DEPTH: u32 = 256;
/// Objects are smaller than this.
const MAX_SIZE: u64 = 1 << 40;

/// What is known about the types of a module.
pub(super) struct Types<'m> {
    module: &'m Module,
    /// Whether integers of more than 64 bits are aligned to 16 bytes, as from LLVM 18 on.
    wide_aligned: bool,
    rooms: Vec<Option<Result<Room, Unsupported>>>,
    leaves: Vec<Option<Result<Rc<[Leaf]>, Unsupported>>>,
}

impl<'m> Types<'m> {
    pub fn new(module: &'m Module) -> Self {
        Types {
            module,
            wide_aligned: module.data_layout.contains("i128:128"),
            rooms: vec![None; module.types.len()],
            leaves: vec![None; module.types.len()],
        }
    }

    /// The size and alignment of a type.
    pub fn room(&mut self, id: TypeId) -> Result<Room, Unsupported> {
        self.room_at(id, 0)
    }

    fn room_at(&mut self, id: TypeId, depth: u32) -> Result<Room, Unsupported> {
        if depth > MAX_DEPTH {
            return Err("a type that contains itself".to_owned());
        }
        if let Some(known) = &self.rooms[id.index()] {
            return known.clone();
        }
        let found = self.find_room(id, depth);
        self.rooms[id.index()] = Some(found.clone());
        found
    }

    fn find_room(&mut self, id: TypeId, depth: u32) -> Result<Room, Unsupported> {
        let of = |size: u64, align: u64| Room { size, align };
        let room = match self.module.type_of(id) {
            Type::Void | Type::Label | Type::Metadata | Type::Token => of(0, 1),
            Type::Integer(bits) => self.integer_room(*bits),
            Type::Half | Type::BFloat => of(2, 2),
            Type::Float => of(4, 4),
            Type::Double | Type::Pointer { .. } => of(8, 8),
            Type::X86Fp80 | Type::Fp128 | Type::PpcFp128 => of(16, 16),
            Type::Vector {
                count,
                element,
                scalable: false,
            } => {
                let bits = self.bits(*element)?;
                let bytes = checked(count.checked_mul(bits))?.div_ceil(8);
                let align = checked(bytes.max(1).checked_next_power_of_two())?;
                of(bytes.next_multiple_of(align), align)
            }
            Type::Array { count, element } => {
                let element = self.room_at(*element, depth + 1)?;
                of(checked(element.size.checked_mul(*count))?, element.align)
            }
            Type::Struct { packed, fields, .. } => {
                let (mut size, mut align) = (0u64, 1);
                for field in fields {
                    let room = self.room_at(*field, depth + 1)?;
                    if !packed {
                        size = checked(size.checked_next_multiple_of(room.align))?;
                        align = align.max(room.align);
                    }
                    size = checked(size.checked_add(room.size))?;
                }
                of(checked(size.checked_next_multiple_of(align))?, align)
            }
            Type::Vector { .. } | Type::Opaque { .. } | Type::Function { .. } => {
                return Err(self.named(id));
            }
            Type::Target { .. } => return Err(self.named(id)),
        };
        if room.size > MAX_SIZE {
            return Err("an object of more than 2^40 bytes".to_owned());
        }
        Ok(room)
    }

    fn integer_room(&self, bits: u32) -> Room {
        let bytes = u64::from(bits).div_ceil(8).max(1);
        let align = match bytes {
            ..=8 => bytes.next_power_of_two(),
            _ if self.wide_aligned => 16,
            _ => 8,
        };
        let size = bytes.next_multiple_of(align);
        Room { size, align }
    }

    fn named(&self, id: TypeId) -> Unsupported {
        format!("the type `{}`", self.module.describe(id))
    }

    /// The bits of a scalar type.
    pub fn bits(&self, id: TypeId) -> Result<u64, Unsupported> {
        Ok(match self.module.type_of(id) {
            Type::Integer(bits) => u64::from(*bits),
            Type::Float => 32,
            Type::Double | Type::Pointer { .. } => 64,
            _ => return Err(self.named(id)),
        })
    }

    /// The byte offset of a field of a struct.
    pub fn field_offset(&mut self, id: TypeId, index: usize) -> Result<u64, Unsupported> {
        let Type::Struct { packed, fields, .. } = self.module.type_of(id) else {
            return Err(self.named(id));
        };
        let mut offset = 0u64;
        for (position, field) in fields.iter().enumerate() {
            let room = self.room(*field)?;
            if !packed {
                offset = checked(offset.checked_next_multiple_of(room.align))?;
            }
            if position == index {
                return Ok(offset);
            }
            offset = checked(offset.checked_add(room.size))?;
        }
        Err(format!("field {index} of {}", self.named(id)))
    }

    /// The leaves of a type.
    pub fn leaves(&mut self, id: TypeId) -> Result<Rc<[Leaf]>, Unsupported> {
        if let Some(known) = &self.leaves[id.index()] {
            return known.clone();
        }
        let mut leaves = Vec::new();
        let found = match self.room(id) {
            Ok(_) | Err(_) if matches!(self.module.type_of(id), Type::Void) => Ok(()),
            Ok(_) => self.push_leaves(id, 0, &mut leaves),
            Err(unsupported) => Err(unsupported),
        };
        let found = found.map(|()| Rc::from(leaves));
        self.leaves[id.index()] = Some(found.clone());
        found
    }

    fn push_leaves(
        &mut self,
        id: TypeId,
        offset: u64,
        leaves: &mut Vec<Leaf>,
    ) -> Result<(), Unsupported> {
        if leaves.len() as u64 > MAX_LEAVES {
            return Err(format!("a value of {}", self.named(id)));
        }
        let module = self.module;
        match module.type_of(id) {
            Type::Integer(bits) => {
                let (mut rest, mut offset) = (*bits, offset);
                if u64::from(rest) > MAX_LEAVES * 64 {
                    return Err(self.named(id));
                }
                while rest > 0 {
                    let part = rest.min(64);
                    let width = Width::of_bits(part).unwrap_or(Width::W64);
                    leaves.push(Leaf { width, offset });
                    rest -= part;
                    offset += 8;
                }
                Ok(())
            }
            Type::Float | Type::Double | Type::Pointer { .. } => {
                let bits = self.bits(id)? as u32;
                let width = Width::of_bits(bits).unwrap_or(Width::W64);
                leaves.push(Leaf { width, offset });
                Ok(())
            }
            Type::Vector { count, element, .. } => {
                let bits = self.bits(*element)?;
                self.push_row(*element, *count, offset, bits / 8, leaves)
            }
            Type::Array { count, element } => {
                let stride = self.room(*element)?.size;
                self.push_row(*element, *count, offset, stride, leaves)
            }
            Type::Struct { fields, .. } => {
                for (index, field) in fields.iter().enumerate() {
                    let start = self.field_offset(id, index)?;
                    self.push_leaves(*field, offset + start, leaves)?;
                }
                Ok(())
            }
            _ => Err(self.named(id)),
        }
    }

    fn push_row(
        &mut self,
        element: TypeId,
        count: u64,
        offset: u64,
        stride: u64,
        leaves: &mut Vec<Leaf>,
    ) -> Result<(), Unsupported> {
        let first = leaves.len();
        for index in 0..count {
            self.push_leaves(element, offset + index * stride, leaves)?;
            if leaves.len() == first {
                break; // elements without leaves, however many
            }
        }
        Ok(())
    }

    /// The number of elements and the element of a vector; one of itself for anything
    /// else.
    pub fn lanes(&self, id: TypeId) -> (usize, TypeId) {
        match self.module.type_of(id) {
            Type::Vector { count, element, .. } => (*count as usize, *element),
            _ => (1, id),
        }
    }

    /// Whether elements of the vector share bytes of memory.
    pub fn packs_bits(&self, id: TypeId) -> bool {
        match self.module.type_of(id) {
            Type::Vector { element, .. } => self.bits(*element).is_ok_and(|bits| bits % 8 != 0),
            _ => false,
        }
    }

    /// The leaves before the element at `indices` of a struct or array, and its type.
    pub fn element(&mut self, id: TypeId, indices: &[u32]) -> Result<(usize, TypeId), Unsupported> {
        let (mut first, mut at) = (0, id);
        for index in indices {
            let index = *index as usize;
            match self.module.type_of(at) {
                Type::Struct { fields, .. } if index < fields.len() => {
                    for field in &fields[..index] {
                        first += self.leaves(*field)?.len();
                    }
                    at = fields[index];
                }
                Type::Array { count, element } if (index as u64) < *count => {
                    first += index * self.leaves(*element)?.len();
                    at = *element;
                }
                _ => return Err(format!("element {index} of {}", self.named(at))),
            }
        }
        Ok((first, at))
    }
}

fn checked(size: Option<u64>) -> Result<u64, Unsupported> {
    size.filter(|size| *size <= MAX_SIZE)
        .ok_or_else(|| "a type of more than 2^40 bytes".to_owned())
}

/// Memory accesses that together cover `bytes` bytes: offset and size of each, a power
/// of two of at most 8 and at most `largest`.
pub(super) fn chunks(bytes: u64, largest: u64) -> impl Iterator<Item = (u64, u64)> {
    let largest = largest.clamp(1, 8);
    let mut offset = 0;
    std::iter::from_fn(move || {
        let rest = bytes - offset;
        if rest == 0 {
            return None;
        }
        let size = (1u64 << rest.ilog2()).min(largest);
        offset += size;
        Some((offset - size, size))
    })
}
