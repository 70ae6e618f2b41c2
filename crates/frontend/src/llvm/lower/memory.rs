//! Loads, stores and local variables in memory.

use super::functions::{Coder, Lowered};
use super::promote::{Range, Spot};
use super::types::{Leaf, chunks};
use crate::llvm::{
    Access as LlvmAccess, AtomicOrdering, Call, LocalId, Operand as LlvmOperand, Type, TypeId,
};
use program::{
    Access, Binary, Expression, InstructionKind as Kind, MemoryOrder, Operand, Orderings,
    RegisterId, Width, Word,
};

/// Alignments above this are those of all objects.
const MAX_ALIGN: u64 = 1 << 12;

impl<'m> Coder<'_, 'm> {
    /// The value of a promoted variable: its registers, or what several of them make together.
    pub fn load_variable(
        &mut self,
        (alloca, start): Spot,
        value_type: TypeId,
    ) -> Lowered<Vec<Operand>> {
        let leaves = self.leaves(value_type)?;
        let mut values = Vec::with_capacity(leaves.len());
        for leaf in leaves.iter() {
            values.push(self.load_part((alloca, start + leaf.offset), leaf.width)?);
        }
        Ok(values)
    }

    /// The value of one or several parts of a promoted variable.
    pub fn load_part(&mut self, spot: Spot, width: Width) -> Lowered<Operand> {
        let pieces = self.pieces(spot, width)?;
        Ok(match pieces[..] {
            [(_, register)] => Operand::Register(register),
            _ => self.together(&pieces, width),
        })
    }

    /// The value that registers make together.
    fn together(&mut self, pieces: &[(u64, RegisterId)], width: Width) -> Operand {
        let mut value = Operand::Constant(0);
        for (offset, register) in pieces {
            let piece = self.body.resize(width, Operand::Register(*register));
            // A register that was never written has no defined bit at all: those above its width are zeros here.
            let mask = Operand::Constant(self.body.width(*register).truncate(Word::MAX));
            let mut piece = self.body.binary(Binary::And, width, piece, mask);
            if *offset > 0 {
                let by = Operand::Constant(8 * offset);
                piece = self.body.binary(Binary::Shl, width, piece, by);
                piece = self.body.binary(Binary::Or, width, value, piece);
            }
            value = piece;
        }
        value
    }

    /// The registers that an access of a promoted variable covers, by their distance from its start.
    pub fn pieces(&mut self, spot: Spot, width: Width) -> Lowered<Vec<(u64, RegisterId)>> {
        let parts = self.promotion.parts_within(spot, width.bytes().into());
        let register = |(offset, _)| Some((offset, self.variable_at((spot.0, spot.1 + offset))?));
        let pieces: Option<Vec<_>> = parts.into_iter().map(register).collect();
        let pieces = pieces.filter(|pieces| !pieces.is_empty());
        pieces.ok_or_else(|| self.refuse("this use of a variable"))
    }

    /// Writes a promoted variable.
    pub fn store_variable(&mut self, (alloca, start): Spot, value: &'m LlvmOperand) -> Lowered<()> {
        let leaves = self.leaves(value.value_type)?;
        let values = self.operand(value)?;
        let mut writes = Vec::with_capacity(values.len());
        for (leaf, value) in leaves.iter().zip(values) {
            writes.extend(self.pieces_of((alloca, start + leaf.offset), leaf.width, value)?);
        }
        for index in 0..writes.len() {
            let (register, piece) = writes[index];
            // A register that is read later and written now is read now.
            for (_, later) in &mut writes[index + 1..] {
                if *later == Operand::Register(register) {
                    *later = self.copy(register);
                }
            }
            self.write_variable(register, piece, Some(&value.value));
        }
        Ok(())
    }

    /// What a value makes of the registers of a promoted variable that it covers.
    pub fn pieces_of(
        &mut self,
        spot: Spot,
        width: Width,
        value: Operand,
    ) -> Lowered<Vec<(RegisterId, Operand)>> {
        let pieces = self.pieces(spot, width)?;
        if let [(_, register)] = pieces[..] {
            return Ok(vec![(register, value)]);
        }
        let mut writes = Vec::with_capacity(pieces.len());
        for (offset, register) in pieces {
            let by = Operand::Constant(8 * offset);
            let piece = match offset {
                0 => value,
                _ => self.body.binary(Binary::Shr, width, value, by),
            };
            let piece = self.body.resize(self.body.width(register), piece);
            writes.push((register, piece));
        }
        Ok(writes)
    }

    /// Copies or fills promoted variables.
    pub fn range(&mut self, call: &'m Call, range: Range) -> Lowered<()> {
        let [to, second, ..] = &call.arguments[..] else {
            return Ok(());
        };
        let read = match range.from {
            Some(from) => {
                let parts = self.promotion.parts_within(from, range.size);
                let mut values = Vec::with_capacity(parts.len());
                for (offset, width) in parts {
                    let register = self.variable_at((from.0, from.1 + offset));
                    let mut value = register.map(Operand::Register);
                    // Within one variable everything is read before anything is written.
                    if let (Some(old), Some(to)) = (value, range.to)
                        && to.0 == from.0
                    {
                        let copy = self.body.register(width);
                        self.body.assign(copy, Expression::Copy(old));
                        value = Some(Operand::Register(copy));
                    }
                    let value = value.unwrap_or_else(|| self.body.undefined(width));
                    values.push((offset, width, value));
                }
                values
            }
            None => {
                let second = self.scalar_value(second.value_type, &second.value)?;
                let fills = self.is_fill(call);
                let parts = match range.to {
                    Some(to) => self.promotion.parts_within(to, range.size),
                    None => Vec::new(),
                };
                let mut values = Vec::with_capacity(parts.len());
                for (offset, width) in parts {
                    let value = match fills {
                        true => self.repeated(second, width),
                        false => {
                            let at = self.body.offset(second, offset);
                            self.load_leaf(at, width, MemoryOrder::Plain, 1)
                        }
                    };
                    values.push((offset, width, value));
                }
                values
            }
        };
        let address = match range.to {
            Some(_) => None,
            None => Some(self.scalar_value(to.value_type, &to.value)?),
        };
        for (offset, width, value) in read {
            match (range.to, address) {
                (Some((alloca, start)), _) => {
                    if let Some(register) = self.variable_at((alloca, start + offset)) {
                        self.write_variable(register, value, None);
                    }
                }
                (None, Some(address)) => {
                    let at = self.body.offset(address, offset);
                    self.store_leaf(at, value, width, MemoryOrder::Plain, 1);
                }
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// Whether a call that copies or fills fills: its second argument is a byte.
    fn is_fill(&self, call: &Call) -> bool {
        let byte = call.arguments.get(1).map(|argument| argument.value_type);
        byte.is_some_and(|id| matches!(self.lowering.module.type_of(id), Type::Integer(_)))
    }

    /// A byte again and again.
    pub fn repeated(&mut self, byte: Operand, width: Width) -> Operand {
        let byte = self.body.resize(Width::W8, byte);
        let wide = self.body.resize(Width::W64, byte);
        let ones = Operand::Constant(0x0101_0101_0101_0101);
        let word = self.body.binary(Binary::Mul, Width::W64, wide, ones);
        self.body.resize(width, word)
    }

    /// How an access is ordered.
    pub fn order(&self, access: &LlvmAccess) -> MemoryOrder {
        match access.ordering {
            Some(ordering) => memory_order(ordering),
            None if access.volatile => MemoryOrder::Relaxed,
            None => MemoryOrder::Plain,
        }
    }

    /// An order that a load can have.
    pub fn load_order(&mut self, order: MemoryOrder) -> Lowered<MemoryOrder> {
        match order {
            MemoryOrder::Release | MemoryOrder::AcquireRelease => {
                Err(self.refuse("a load that releases"))
            }
            order => Ok(order),
        }
    }

    /// An order that a store can have.
    pub fn store_order(&mut self, order: MemoryOrder) -> Lowered<MemoryOrder> {
        match order {
            MemoryOrder::Acquire | MemoryOrder::AcquireRelease => {
                Err(self.refuse("a store that acquires"))
            }
            order => Ok(order),
        }
    }

    /// The alignment of an access in bytes.
    pub fn align(&mut self, access: &LlvmAccess, value_type: TypeId) -> Lowered<u64> {
        let natural = self.room(value_type)?.align;
        let align = access.align.filter(|align| *align > 0).unwrap_or(natural);
        Ok((1 << align.trailing_zeros()).min(MAX_ALIGN))
    }

    pub fn load(
        &mut self,
        value_type: TypeId,
        pointer: &'m LlvmOperand,
        access: &LlvmAccess,
    ) -> Lowered<Vec<Operand>> {
        let address = self.scalar(pointer)?;
        let order = self.load_order(self.order(access))?;
        let align = self.align(access, value_type)?;
        self.load_from(value_type, address, order, align, access.ordering.is_some())
    }

    /// Loads a value of any type.
    pub fn load_from(
        &mut self,
        value_type: TypeId,
        address: Operand,
        order: MemoryOrder,
        align: u64,
        atomic: bool,
    ) -> Lowered<Vec<Operand>> {
        let leaves = self.memory_leaves(value_type)?;
        let whole = atomic && leaves.len() > 1;
        if whole {
            self.begin_whole(&leaves, order)?;
        }
        let mut parts = Vec::with_capacity(leaves.len());
        for leaf in &leaves {
            let at = self.body.offset(address, leaf.offset);
            let align = align_at(align, leaf.offset);
            let piece = if whole { MemoryOrder::Relaxed } else { order };
            if atomic && !leaf.width.is_access() {
                return Err(self.refuse("an atomic access of this width"));
            }
            parts.push(self.load_leaf(at, leaf.width, piece, align));
        }
        if whole {
            self.end_whole(order);
        }
        self.unpack(value_type, parts)
    }

    pub fn store(
        &mut self,
        value: &'m LlvmOperand,
        pointer: &'m LlvmOperand,
        access: &LlvmAccess,
    ) -> Lowered<()> {
        let parts = self.operand(value)?;
        let address = self.scalar(pointer)?;
        let order = self.store_order(self.order(access))?;
        let align = self.align(access, value.value_type)?;
        let atomic = access.ordering.is_some();
        self.store_to(value.value_type, &parts, address, order, align, atomic)
    }

    /// Stores a value of any type.
    pub fn store_to(
        &mut self,
        value_type: TypeId,
        parts: &[Operand],
        address: Operand,
        order: MemoryOrder,
        align: u64,
        atomic: bool,
    ) -> Lowered<()> {
        let parts = self.pack(value_type, parts)?;
        let leaves = self.memory_leaves(value_type)?;
        let whole = atomic && leaves.len() > 1;
        if whole {
            self.begin_whole(&leaves, order)?;
        }
        for (leaf, part) in leaves.iter().zip(parts) {
            let at = self.body.offset(address, leaf.offset);
            let align = align_at(align, leaf.offset);
            let piece = if whole { MemoryOrder::Relaxed } else { order };
            if atomic && !leaf.width.is_access() {
                return Err(self.refuse("an atomic access of this width"));
            }
            self.store_leaf(at, part, leaf.width, piece, align);
        }
        if whole {
            self.end_whole(order);
        }
        Ok(())
    }

    /// An atomic access of 16 bytes is an atomic section.
    pub fn begin_whole(&mut self, leaves: &[Leaf], order: MemoryOrder) -> Lowered<()> {
        let pair = [Width::W64, Width::W64];
        if leaves.iter().map(|leaf| leaf.width).ne(pair) {
            return Err(self.refuse("an atomic access of this width"));
        }
        if order != MemoryOrder::Relaxed {
            self.body.push(Kind::Fence(Orderings::ALL));
        }
        self.body.push(Kind::AtomicBegin);
        Ok(())
    }

    pub fn end_whole(&mut self, order: MemoryOrder) {
        self.body.push(Kind::AtomicEnd);
        if order != MemoryOrder::Relaxed {
            self.body.push(Kind::Fence(Orderings::ALL));
        }
    }

    /// The leaves of a value in memory. A vector of bits is one integer there.
    fn memory_leaves(&mut self, value_type: TypeId) -> Lowered<Vec<Leaf>> {
        let leaves = self.leaves(value_type)?;
        if !self.lowering.types.packs_bits(value_type) {
            return Ok(leaves.to_vec());
        }
        let widths: Vec<_> = leaves.iter().map(|leaf| leaf.width).collect();
        let words = packed_widths(&widths).into_iter().enumerate();
        let leaf = |(index, width)| Leaf {
            width,
            offset: index as u64 * 8,
        };
        Ok(words.map(leaf).collect())
    }

    fn unpack(&mut self, value_type: TypeId, parts: Vec<Operand>) -> Lowered<Vec<Operand>> {
        if !self.lowering.types.packs_bits(value_type) {
            return Ok(parts);
        }
        let to = self.widths(value_type)?;
        Ok(self.body.repack(&packed_widths(&to), &parts, &to))
    }

    fn pack(&mut self, value_type: TypeId, parts: &[Operand]) -> Lowered<Vec<Operand>> {
        if !self.lowering.types.packs_bits(value_type) {
            return Ok(parts.to_vec());
        }
        let from = self.widths(value_type)?;
        Ok(self.body.repack(&from, parts, &packed_widths(&from)))
    }

    /// Loads one leaf; several accesses if its width is none that memory has.
    pub fn load_leaf(
        &mut self,
        address: Operand,
        width: Width,
        order: MemoryOrder,
        align: u64,
    ) -> Operand {
        if width.is_access() {
            return self.load_word(address, width, Access::ordered(order, align));
        }
        let bytes = u64::from(width.bytes());
        let full = Width::of_bits(bytes as u32 * 8).unwrap_or(Width::W64);
        let mut value = Operand::Constant(0);
        for (offset, size) in chunks(bytes, 8) {
            let at = self.body.offset(address, offset);
            let access = Access::ordered(order, align_at(align, offset));
            let piece = width_of_bytes(size);
            let loaded = self.load_word(at, piece, access);
            let wide = self.body.resize(full, loaded);
            let by = Operand::Constant(offset * 8);
            let moved = self.body.binary(Binary::Shl, full, wide, by);
            value = self.body.binary(Binary::Or, full, value, moved);
        }
        self.body.resize(width, value)
    }

    fn load_word(&mut self, address: Operand, width: Width, access: Access) -> Operand {
        let target = self.body.register(width);
        self.body.push(Kind::Load {
            target,
            address,
            width,
            access,
        });
        Operand::Register(target)
    }

    /// Stores one leaf.
    pub fn store_leaf(
        &mut self,
        address: Operand,
        value: Operand,
        width: Width,
        order: MemoryOrder,
        align: u64,
    ) {
        let bytes = u64::from(width.bytes());
        let full = Width::of_bits(bytes as u32 * 8).unwrap_or(Width::W64);
        let value = self.body.resize(full, value);
        for (offset, size) in chunks(bytes, 8) {
            let at = self.body.offset(address, offset);
            let by = Operand::Constant(offset * 8);
            let moved = self.body.binary(Binary::Shr, full, value, by);
            let piece = width_of_bytes(size);
            let value = self.body.resize(piece, moved);
            self.body.push(Kind::Store {
                address: at,
                value,
                width: piece,
                access: Access::ordered(order, align_at(align, offset)),
            });
        }
    }

    /// A local variable that stays in memory.
    pub fn allocate(
        &mut self,
        result: LocalId,
        element: TypeId,
        count: Option<&'m LlvmOperand>,
    ) -> Lowered<Vec<Operand>> {
        let size = self.room(element)?.size;
        let size = match count {
            None => Operand::Constant(size),
            Some(count) => {
                let value = self.scalar(count)?;
                let value = self.body.resize(Width::W64, value);
                let size = Operand::Constant(size);
                self.body.binary(Binary::Mul, Width::W64, value, size)
            }
        };
        let declared = self.declared(result);
        let name = declared.map_or_else(|| self.local_name(result), |d| d.name.to_owned());
        let layout = declared.and_then(|declared| declared.layout);
        let target = self.body.register(Width::W64);
        self.body.name(target, &format!("&{name}"));
        self.note_object(target);
        self.body.push(Kind::Allocate {
            target,
            size,
            name,
            layout,
        });
        Ok(vec![Operand::Register(target)])
    }

    /// An object that one call needs, made once in each run of the function.
    pub fn temporary(&mut self, size: u64, name: &str) -> Operand {
        let target = self.body.named_register(name, Width::W64);
        self.note_object(target);
        let kind = Kind::Allocate {
            target,
            size: Operand::Constant(size),
            name: name.to_owned(),
            layout: None,
        };
        match self.in_loop {
            false => self.body.push(kind),
            true => {
                let span = self.body.span;
                self.hoisted.push(program::Instruction { kind, span });
            }
        }
        Operand::Register(target)
    }
}

/// The words that hold values of these widths without gaps.
fn packed_widths(widths: &[Width]) -> Vec<Width> {
    let mut bits: u32 = widths.iter().map(|width| width.bits()).sum();
    let mut words = Vec::new();
    while bits > 0 {
        words.push(Width::of_bits(bits.min(64)).unwrap_or(Width::W64));
        bits -= bits.min(64);
    }
    words
}

/// The width of an access of 1, 2, 4 or 8 bytes.
pub(super) fn width_of_bytes(bytes: u64) -> Width {
    Width::of_bits(bytes as u32 * 8).unwrap_or(Width::W64)
}

/// The alignment some bytes behind an aligned place.
pub(super) fn align_at(align: u64, offset: u64) -> u64 {
    match offset {
        0 => align,
        _ => align.min(1 << offset.trailing_zeros()),
    }
}

/// The memory order of an atomic access.
pub(super) fn memory_order(ordering: AtomicOrdering) -> MemoryOrder {
    match ordering {
        AtomicOrdering::Unordered | AtomicOrdering::Monotonic => MemoryOrder::Relaxed,
        AtomicOrdering::Acquire => MemoryOrder::Acquire,
        AtomicOrdering::Release => MemoryOrder::Release,
        AtomicOrdering::AcquireRelease => MemoryOrder::AcquireRelease,
        AtomicOrdering::SequentiallyConsistent => MemoryOrder::SequentiallyConsistent,
    }
}
