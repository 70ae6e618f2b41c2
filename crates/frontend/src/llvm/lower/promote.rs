//! Promotion: local variables whose address stays in their function become registers.
//!
//! An `alloca` of a fixed size is promoted if its address is used for nothing but loads
//! and stores at constant offsets that are not atomic, and `memcpy` and the
//! like of a constant size. A volatile one is if a loop writes it: such a variable counts, mostly to pass the time, and in memory
//! every count would make another state. Others stay, as they were meant to. Its parts are as large as these allow: an access covers whole parts,
//! mostly one; a structure that is returned as an integer is read as several. What is
//! covered and no access names is cut into words. `lifetime` calls are ignored: a variable keeps its
//! value where its scope is entered again.

use super::types::Types;
use super::uses::each_local;
use crate::llvm::{
    Access, BlockId, Call, Callee, Constant, Function, InstructionKind, LocalId, Module,
    SymbolTarget, Type, TypeId, Value,
};
use program::Width;
use std::collections::BTreeMap;

/// A place in an alloca: which, and at which byte.
pub(super) type Spot = (LocalId, u64);

/// What promotion found out about a function.
pub(super) struct Promotion {
    /// The spot that a local is the address of, if its alloca is promoted.
    spots: Vec<Option<Spot>>,
    /// The parts of each promoted alloca: width by offset. None for other locals.
    parts: Vec<Option<BTreeMap<u64, Width>>>,
}

/// Larger variables stay in memory.
const MAX_SIZE: u64 = 256;

impl Promotion {
    /// The spot of a promoted variable that a value is the address of.
    pub fn spot(&self, value: &Value) -> Option<Spot> {
        match value {
            Value::Local(local) => self.spots.get(local.index()).copied().flatten(),
            _ => None,
        }
    }

    /// The parts of a promoted alloca.
    pub fn parts(&self, alloca: LocalId) -> Option<&BTreeMap<u64, Width>> {
        self.parts.get(alloca.index())?.as_ref()
    }

    /// What a call copies or fills, if it touches a promoted variable.
    pub fn range(&self, module: &Module, call: &Call) -> Option<Range> {
        let name = callee_name(module, &call.callee).strip_prefix("llvm.")?;
        let fills = name.starts_with("memset.");
        if !fills && !name.starts_with("memcpy.") && !name.starts_with("memmove.") {
            return None;
        }
        let [to, second, size, volatile] = &call.arguments[..] else {
            return None;
        };
        let number = |value: &Value| match value {
            Value::Constant(Constant::Integer(number)) => Some(*number),
            Value::Constant(Constant::Zero) => Some(0),
            _ => None,
        };
        let range = Range {
            to: self.spot(&to.value),
            from: self.spot(&second.value).filter(|_| !fills),
            size: number(&size.value).filter(|size| *size <= MAX_SIZE)?,
        };
        let touches = range.to.is_some() || range.from.is_some();
        (touches && number(&volatile.value) == Some(0)).then_some(range)
    }

    /// The parts of a promoted variable within a range, by their distance from its start.
    pub fn parts_within(&self, (alloca, start): Spot, size: u64) -> Vec<(u64, Width)> {
        let Some(parts) = self.parts(alloca) else {
            return Vec::new();
        };
        let inside = parts.range(start..start.saturating_add(size));
        inside
            .map(|(offset, width)| (offset - start, *width))
            .collect()
    }

    /// Nothing is promoted.
    pub fn none() -> Self {
        Promotion {
            spots: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Looks through a function, its blocks in an order in which values are made before
    /// they are used, `inside` those in loops.
    pub fn of<'m>(
        module: &Module,
        types: &mut Types<'m>,
        function: &Function,
        order: &[BlockId],
        inside: &[bool],
    ) -> Self {
        let mut search = Search {
            module,
            types,
            sizes: vec![0; function.locals.len()],
            volatile: vec![false; function.locals.len()],
            counts: vec![false; function.locals.len()],
            in_loop: false,
            ranges: Vec::new(),
            promotion: Promotion {
                spots: vec![None; function.locals.len()],
                parts: vec![None; function.locals.len()],
            },
        };
        for block in order {
            search.in_loop = inside[block.index()];
            for instruction in &function.blocks[block.index()].instructions {
                search.visit(&instruction.kind, instruction.result);
            }
        }
        search.leave_volatile();
        search.settle();
        let mut promotion = search.promotion;
        for spot in &mut promotion.spots {
            *spot = spot.filter(|(alloca, _)| promotion.parts[alloca.index()].is_some());
        }
        promotion
    }
}

/// A `memcpy`, `memmove` or `memset` of a variable.
#[derive(Clone, Copy)]
pub(super) struct Range {
    /// Where it writes, if that is a promoted variable.
    pub to: Option<Spot>,
    /// Where it reads, if that is one.
    pub from: Option<Spot>,
    /// Number of bytes.
    pub size: u64,
}

struct Search<'a, 'm> {
    module: &'a Module,
    types: &'a mut Types<'m>,
    /// The size of each alloca.
    sizes: Vec<u64>,
    /// Which allocas are accessed as volatile.
    volatile: Vec<bool>,
    /// Which are stored to in a loop.
    counts: Vec<bool>,
    /// The block that is looked at is in a loop.
    in_loop: bool,
    /// Copies and fills.
    ranges: Vec<Range>,
    promotion: Promotion,
}

pub(super) fn callee_name<'a>(module: &'a Module, callee: &Callee) -> &'a str {
    match callee {
        Callee::Value(Value::Constant(Constant::Symbol(symbol))) => {
            let symbol = module.symbol(*symbol);
            match symbol.target {
                SymbolTarget::Function(_) => &symbol.name,
                _ => "",
            }
        }
        _ => "",
    }
}

impl Search<'_, '_> {
    /// Leaves volatile variables in memory, but for those that a loop writes.
    fn leave_volatile(&mut self) {
        for (alloca, parts) in self.promotion.parts.iter_mut().enumerate() {
            if self.volatile[alloca] && !self.counts[alloca] {
                *parts = None;
            }
        }
    }

    /// Makes both sides of every copy agree on their parts, and leaves no gap in what is
    /// copied or filled.
    fn settle(&mut self) {
        let ranges = std::mem::take(&mut self.ranges);
        // Gaps are cut only where both sides have nothing better.
        while ranges
            .iter()
            .fold(false, |changed, range| changed | self.agree(range))
            || ranges.iter().any(|range| self.close_gaps(range))
        {}
    }

    fn agree(&mut self, range: &Range) -> bool {
        match (range.to, range.from) {
            (Some(to), Some(from)) => {
                self.mirror(from, to, range.size) | self.mirror(to, from, range.size)
            }
            _ => false,
        }
    }

    fn close_gaps(&mut self, range: &Range) -> bool {
        let sides = [range.to, range.from];
        let mut sides = sides.into_iter().flatten();
        sides.any(|spot| self.cover(spot, range.size))
    }

    /// Gives one side of a copy the parts of the other; whether anything changed.
    fn mirror(&mut self, from: Spot, to: Spot, size: u64) -> bool {
        if self.promotion.parts(from.0).is_none() || self.promotion.parts(to.0).is_none() {
            return false;
        }
        let mut changed = self.cut_out(from, size) | self.cut_out(to, size);
        for (offset, width) in self.promotion.parts_within(from, size) {
            changed |= self.take_part((to.0, to.1 + offset), width);
        }
        changed
    }

    /// Makes parts of what a range covers and no part has; whether anything changed.
    fn cover(&mut self, spot: Spot, size: u64) -> bool {
        let changed = self.cut_out(spot, size);
        let Some(parts) = self.promotion.parts(spot.0) else {
            return changed;
        };
        let (start, end) = (spot.1, spot.1 + size);
        let mut new = Vec::new();
        let mut at = start;
        for (offset, width) in parts.range(start..end) {
            fill(at, *offset, &mut new);
            at = offset + u64::from(width.bytes());
        }
        fill(at, end, &mut new);
        let changed = changed | !new.is_empty();
        if let Some(parts) = &mut self.promotion.parts[spot.0.index()] {
            parts.extend(new);
        }
        changed
    }

    /// Cuts parts in two where a range begins or ends within them; whether anything changed.
    fn cut_out(&mut self, (alloca, start): Spot, size: u64) -> bool {
        let end = start.saturating_add(size);
        let Some(parts) = self.promotion.parts[alloca.index()].as_mut() else {
            return false;
        };
        if end > self.sizes[alloca.index()] {
            self.demote(alloca);
            return true;
        }
        let mut changed = false;
        for at in [start, end] {
            let Some((&first, &width)) = parts.range(..at).next_back() else {
                continue;
            };
            let last = first + u64::from(width.bytes());
            if last <= at {
                continue;
            }
            if !width.is_access() {
                self.demote(alloca);
                return true;
            }
            let mut halves = Vec::new();
            fill(first, at, &mut halves);
            fill(at, last, &mut halves);
            parts.extend(halves);
            changed = true;
        }
        changed
    }

    fn visit(&mut self, kind: &InstructionKind, result: Option<LocalId>) {
        match kind {
            InstructionKind::Allocate { element, count, .. } => {
                let room = self.types.room(*element).ok();
                let small = room.filter(|room| count.is_none() && room.size <= MAX_SIZE);
                if let (Some(result), Some(room)) = (result, small) {
                    self.sizes[result.index()] = room.size;
                    self.promotion.spots[result.index()] = Some((result, 0));
                    self.promotion.parts[result.index()] = Some(BTreeMap::new());
                }
            }
            InstructionKind::Cast { operand, to, .. }
                if matches!(self.module.type_of(*to), Type::Pointer { .. }) =>
            {
                if let (Some(result), Some(spot)) = (result, self.promotion.spot(&operand.value)) {
                    self.promotion.spots[result.index()] = Some(spot);
                }
            }
            InstructionKind::GetElementPointer {
                element,
                base,
                indices,
                ..
            } => {
                let Some((alloca, start)) = self.promotion.spot(&base.value) else {
                    return self.escape(kind);
                };
                let offset = self.constant_offset(*element, indices);
                let offset = offset.and_then(|offset| start.checked_add_signed(offset));
                match (offset, result) {
                    (Some(offset), Some(result)) if offset <= MAX_SIZE => {
                        self.promotion.spots[result.index()] = Some((alloca, offset));
                    }
                    _ => self.demote(alloca),
                }
            }
            InstructionKind::Load {
                value_type,
                pointer,
                access,
            } => self.access(&pointer.value, *value_type, access),
            InstructionKind::Store {
                value,
                pointer,
                access,
            } => {
                if let Some((alloca, _)) = self.promotion.spot(&value.value) {
                    self.demote(alloca);
                }
                if let Some((alloca, _)) = self.promotion.spot(&pointer.value) {
                    self.counts[alloca.index()] |= self.in_loop;
                }
                self.access(&pointer.value, value.value_type, access);
            }
            InstructionKind::Call(call) => match self.promotion.range(self.module, call) {
                Some(range) => self.ranges.push(range),
                None if callee_name(self.module, &call.callee).starts_with("llvm.lifetime.") => {}
                None => self.escape(kind),
            },
            _ => self.escape(kind),
        }
    }

    fn demote(&mut self, alloca: LocalId) {
        self.promotion.parts[alloca.index()] = None;
    }

    /// Whatever the instruction uses does not stay in sight.
    fn escape(&mut self, kind: &InstructionKind) {
        each_local(kind, &mut |local| {
            if let Some((alloca, _)) = self.promotion.spots[local.index()] {
                self.promotion.parts[alloca.index()] = None;
            }
        });
    }

    fn access(&mut self, pointer: &Value, value_type: TypeId, access: &Access) {
        let Some((alloca, start)) = self.promotion.spot(pointer) else {
            return;
        };
        if self.promotion.parts[alloca.index()].is_none() {
            return;
        }
        self.volatile[alloca.index()] |= access.volatile;
        let plain = access.ordering.is_none();
        let leaves = self.types.leaves(value_type).ok();
        let leaves = leaves.filter(|_| plain && !self.types.packs_bits(value_type));
        let Some(leaves) = leaves else {
            return self.demote(alloca);
        };
        for leaf in leaves.iter() {
            self.take_part((alloca, start + leaf.offset), leaf.width);
        }
    }

    /// Makes a part, or several, of what an access covers; whether anything changed.
    fn take_part(&mut self, spot: Spot, width: Width) -> bool {
        let size = u64::from(width.bytes());
        let changed = self.cut_out(spot, size);
        let Some(parts) = self.promotion.parts[spot.0.index()].as_mut() else {
            return changed;
        };
        let mut inside = parts.range(spot.1..spot.1 + size);
        match inside.next() {
            None => parts.insert(spot.1, width).is_none(),
            Some((offset, known)) if *offset == spot.1 && *known == width => changed,
            // Parts that are not whole bytes make no larger value.
            Some((_, known)) if !width.is_access() || !known.is_access() => {
                self.demote(spot.0);
                true
            }
            Some(_) if inside.any(|(_, known)| !known.is_access()) => {
                self.demote(spot.0);
                true
            }
            Some(_) => self.cover(spot, size) | changed,
        }
    }

    fn constant_offset(
        &mut self,
        element: TypeId,
        indices: &[crate::llvm::Operand],
    ) -> Option<i64> {
        let (first, rest) = indices.split_first()?;
        let size = self.types.room(element).ok()?.size;
        let mut offset = self.constant_index(first)?.checked_mul(size as i64)?;
        let mut at = element;
        for index in rest {
            let value = self.constant_index(index)?;
            let step = match self.module.type_of(at) {
                Type::Struct { fields, .. } => {
                    let field = usize::try_from(value).ok()?;
                    let step = self.types.field_offset(at, field).ok()? as i64;
                    at = *fields.get(field)?;
                    step
                }
                Type::Array { element, .. } => {
                    at = *element;
                    value.checked_mul(self.types.room(at).ok()?.size as i64)?
                }
                _ => return None,
            };
            offset = offset.checked_add(step)?;
        }
        Some(offset)
    }

    fn constant_index(&self, index: &crate::llvm::Operand) -> Option<i64> {
        let Type::Integer(bits) = self.module.type_of(index.value_type) else {
            return None;
        };
        let width = Width::of_bits(*bits)?;
        match &index.value {
            Value::Constant(Constant::Integer(value)) => Some(width.signed(*value)),
            Value::Constant(Constant::Zero) => Some(0),
            _ => None,
        }
    }
}

/// Cuts a gap into words at places that are multiples of their size.
fn fill(mut at: u64, end: u64, parts: &mut Vec<(u64, Width)>) {
    while at < end {
        let fits = 1u64 << (end - at).ilog2();
        let size = fits.min(1 << at.trailing_zeros().min(3));
        parts.push((at, super::memory::width_of_bytes(size)));
        at += size;
    }
}
