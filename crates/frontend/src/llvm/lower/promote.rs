//! Promotion: local variables whose address stays at home become registers.
//!
//! An `alloca` of a fixed size is promoted if its address is used for nothing but loads
//! and stores at constant offsets that are not atomic, `memcpy` and the
//! like of a constant size, comparisons with null, and calls of functions that do nothing else with it (`lent`). It may be kept
//! in a pointer variable that holds nothing else (`held`), as parameters are at `-O0`. A volatile one is if a loop writes it: such a variable counts, mostly to pass the time, and in memory
//! every count would make another state. Others stay, as they were meant to. Its parts are as large as these allow: an access covers whole parts,
//! mostly one; a structure that is returned as an integer is read as several. What is
//! covered and no access names is cut into words. `lifetime` calls are ignored: a variable keeps its
//! value where its scope is entered again.

use super::Lowering;
use super::held::Held;
use super::lent::{LendingCall, Lent};
use super::uses::each_local;
use crate::llvm::{
    Access, BlockId, Call, Callee, Constant, Function, InstructionKind, IntegerPredicate, LocalId,
    Module, Passing, SymbolTarget, Type, TypeId, Value,
};
use program::Width;
use std::collections::BTreeMap;

/// A place in a variable: which, by the alloca or lent parameter that is its address, and at which byte.
pub(super) type Spot = (LocalId, u64);

/// What promotion found out about a function.
#[derive(Default)]
pub(super) struct Promotion {
    /// The spot that a local is the address of, if its variable is promoted.
    spots: Vec<Option<Spot>>,
    /// The parts of each promoted variable: width by offset. None for other locals.
    parts: Vec<Option<BTreeMap<u64, Width>>>,
    /// Which variables are written.
    written: Vec<bool>,
    /// How accesses of each variable are aligned at most, in bytes.
    aligns: Vec<u64>,
    /// The parameters that are addresses of variables of the caller.
    pub lent: Lent,
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

    /// Whether a local is the address of a promoted variable.
    pub fn is_address(&self, local: LocalId) -> bool {
        self.spots.get(local.index()).is_some_and(Option::is_some)
    }

    /// The parts of a promoted variable.
    pub fn parts(&self, variable: LocalId) -> Option<&BTreeMap<u64, Width>> {
        self.parts.get(variable.index())?.as_ref()
    }

    /// Whether a promoted variable is written.
    pub fn is_written(&self, variable: LocalId) -> bool {
        self.written[variable.index()]
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

    /// How the accesses of a variable are aligned at most, in bytes.
    pub fn align(&self, variable: LocalId) -> u64 {
        self.aligns[variable.index()]
    }

    /// Notes that a variable is written.
    pub fn note_write(&mut self, variable: LocalId) {
        self.written[variable.index()] = true;
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

    /// Looks through a function whose caller lends it variables, its blocks in an order in which values are made before
    /// they are used, `inside` those in loops.
    pub fn of<'m>(
        lowering: &mut Lowering<'m>,
        function: &'m Function,
        lent: Lent,
        order: &[BlockId],
        inside: &[bool],
    ) -> Self {
        let locals = function.locals.len();
        let held = Held::of(lowering.module, function);
        let mut search = Search {
            lowering,
            sizes: vec![0; locals],
            borrowed: vec![false; locals],
            volatile: vec![false; locals],
            counts: vec![false; locals],
            in_loop: false,
            ranges: Vec::new(),
            calls: Vec::new(),
            held,
            promotion: Promotion {
                spots: vec![None; locals],
                parts: vec![None; locals],
                written: vec![false; locals],
                aligns: vec![1; locals],
                lent,
            },
        };
        search.borrow(function);
        let mut phis = Vec::new();
        for block in order {
            search.in_loop = inside[block.index()];
            for instruction in &function.blocks[block.index()].instructions {
                match &instruction.kind {
                    phi @ InstructionKind::Phi { .. } => phis.push(phi),
                    kind => search.visit(kind, instruction.result),
                }
            }
        }
        // What a phi takes may be made behind it.
        phis.into_iter().for_each(|phi| search.escape(phi));
        search.leave_in_memory();
        search.settle();
        let mut promotion = search.promotion;
        for spot in &mut promotion.spots {
            *spot = spot.filter(|(variable, _)| promotion.parts[variable.index()].is_some());
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

pub(super) struct Search<'a, 'm> {
    pub lowering: &'a mut Lowering<'m>,
    /// The size of each variable; for one that is lent, what it may be.
    sizes: Vec<u64>,
    /// Which variables are the caller's.
    borrowed: Vec<bool>,
    /// Which are accessed as volatile.
    volatile: Vec<bool>,
    /// Which are stored to in a loop.
    counts: Vec<bool>,
    /// The block that is looked at is in a loop.
    in_loop: bool,
    /// Copies and fills.
    ranges: Vec<Range>,
    /// Calls that variables are lent to.
    pub calls: Vec<LendingCall<'m>>,
    /// Pointer variables that hold one address.
    held: Held,
    pub promotion: Promotion,
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

impl<'m> Search<'_, 'm> {
    /// Takes what the caller lends for variables.
    fn borrow(&mut self, function: &Function) {
        for (index, parameter) in function.parameters.iter().enumerate() {
            let Some(local) = parameter
                .local
                .filter(|_| self.promotion.lent.contains(index))
            else {
                continue;
            };
            let size = match parameter.passing {
                Passing::ByValue(of) => self.lowering.types.room(of).map_or(0, |room| room.size),
                _ => MAX_SIZE,
            };
            self.sizes[local.index()] = size.min(MAX_SIZE);
            self.borrowed[local.index()] = true;
            self.promotion.spots[local.index()] = Some((local, 0));
            self.promotion.parts[local.index()] = Some(BTreeMap::new());
        }
    }

    /// Leaves volatile variables in memory, but for those that a loop writes; and those of the caller that a loop writes: what
    /// a failed attempt to take something from a data type leaves there is mostly not read, which engines find out of memory.
    fn leave_in_memory(&mut self) {
        for (variable, parts) in self.promotion.parts.iter_mut().enumerate() {
            let stays = match self.borrowed[variable] {
                true => self.volatile[variable] || self.counts[variable],
                false => self.volatile[variable] && !self.counts[variable],
            };
            if stays {
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
            || self.agree_with_callees()
            || ranges.iter().any(|range| self.close_gaps(range))
        {}
        for to in ranges.iter().filter_map(|range| range.to) {
            self.promotion.note_write(to.0);
        }
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

    fn visit(&mut self, kind: &'m InstructionKind, result: Option<LocalId>) {
        match kind {
            InstructionKind::Allocate { element, count, .. } => {
                let room = self.lowering.types.room(*element).ok();
                let small = room.filter(|room| count.is_none() && room.size <= MAX_SIZE);
                if let (Some(result), Some(room)) = (result, small) {
                    self.sizes[result.index()] = room.size;
                    self.promotion.spots[result.index()] = Some((result, 0));
                    self.promotion.parts[result.index()] = Some(BTreeMap::new());
                }
            }
            InstructionKind::Cast { operand, to, .. }
                if matches!(self.lowering.module.type_of(*to), Type::Pointer { .. }) =>
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
            } => match self.promotion.spot(&base.value) {
                Some(spot) => {
                    let offset = self.constant_offset(*element, indices);
                    self.field(spot, offset, result);
                }
                None => self.escape(kind),
            },
            InstructionKind::Load {
                value_type,
                pointer,
                access,
            } => {
                if let (Some(spot), Some(result)) = (self.held.by(&pointer.value), result) {
                    self.promotion.spots[result.index()] = Some(spot);
                }
                self.access(&pointer.value, *value_type, access);
            }
            InstructionKind::Store {
                value,
                pointer,
                access,
            } => {
                self.store(&value.value, &pointer.value);
                self.access(&pointer.value, value.value_type, access);
            }
            InstructionKind::Call(call) => match self.promotion.range(self.lowering.module, call) {
                Some(range) => self.range(range, call),
                None if callee_name(self.lowering.module, &call.callee)
                    .starts_with("llvm.lifetime.") => {}
                None => match self.lending(call) {
                    Some(lending) => self.calls.push(lending),
                    None => self.escape(kind),
                },
            },
            InstructionKind::Compare {
                predicate,
                left,
                right,
                ..
            } if is_null_test(*predicate, left, right) => {}
            _ => self.escape(kind),
        }
    }

    /// A part of a variable, at a constant offset from another one; at any other offset the variable stays in memory.
    fn field(&mut self, (alloca, start): Spot, offset: Option<i64>, result: Option<LocalId>) {
        let offset = offset.and_then(|offset| start.checked_add_signed(offset));
        match (offset, result) {
            (Some(offset), Some(result)) if offset <= MAX_SIZE => {
                self.promotion.spots[result.index()] = Some((alloca, offset));
            }
            _ => self.demote(alloca),
        }
    }

    fn store(&mut self, value: &Value, pointer: &Value) {
        if let Some(spot) = self.promotion.spot(value)
            && !self.held.keep(pointer, spot)
        {
            self.demote(spot.0);
        }
        if let Some((variable, _)) = self.promotion.spot(pointer) {
            self.counts[variable.index()] |= self.in_loop;
            self.promotion.note_write(variable);
        }
    }

    /// A call that copies or fills a stretch of a variable.
    fn range(&mut self, range: Range, call: &Call) {
        if let Some((variable, _)) = range.to {
            self.counts[variable.index()] |= self.in_loop;
        }
        for (spot, argument) in [range.to, range.from].iter().zip(&call.arguments) {
            if let Some(spot) = spot {
                self.align(*spot, argument.align.unwrap_or(1));
            }
        }
        self.ranges.push(range);
    }

    pub fn demote(&mut self, variable: LocalId) {
        self.promotion.parts[variable.index()] = None;
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
        let natural = self
            .lowering
            .types
            .room(value_type)
            .map_or(1, |room| room.align);
        self.align((alloca, start), access.align.unwrap_or(natural));
        let plain = access.ordering.is_none();
        let leaves = self.lowering.types.leaves(value_type).ok();
        let leaves = leaves.filter(|_| plain && !self.lowering.types.packs_bits(value_type));
        let Some(leaves) = leaves else {
            return self.demote(alloca);
        };
        for leaf in leaves.iter() {
            self.take_part((alloca, start + leaf.offset), leaf.width);
        }
    }

    /// Leaves a variable in memory if an access is not aligned as it should be: that is a mistake which machines find. What is lent may
    /// begin anywhere, but then it is not lent.
    pub fn align(&mut self, (variable, offset): Spot, align: u64) {
        let align = 1 << align.max(1).trailing_zeros();
        if offset % align != 0 {
            self.demote(variable);
        }
        let known = &mut self.promotion.aligns[variable.index()];
        *known = align.max(*known);
    }

    /// Makes a part, or several, of what an access covers; whether anything changed.
    pub fn take_part(&mut self, spot: Spot, width: Width) -> bool {
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
        let size = self.lowering.types.room(element).ok()?.size;
        let mut offset = self.constant_index(first)?.checked_mul(size as i64)?;
        let mut at = element;
        for index in rest {
            let value = self.constant_index(index)?;
            let step = match self.lowering.module.type_of(at) {
                Type::Struct { fields, .. } => {
                    let field = usize::try_from(value).ok()?;
                    let step = self.lowering.types.field_offset(at, field).ok()? as i64;
                    at = *fields.get(field)?;
                    step
                }
                Type::Array { element, .. } => {
                    at = *element;
                    value.checked_mul(self.lowering.types.room(at).ok()?.size as i64)?
                }
                _ => return None,
            };
            offset = offset.checked_add(step)?;
        }
        Some(offset)
    }

    fn constant_index(&self, index: &crate::llvm::Operand) -> Option<i64> {
        let Type::Integer(bits) = self.lowering.module.type_of(index.value_type) else {
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

/// Whether a comparison only asks whether a pointer is null.
fn is_null_test(predicate: IntegerPredicate, left: &Value, right: &Value) -> bool {
    let is_null = |value: &Value| matches!(value, Value::Constant(Constant::Null | Constant::Zero));
    matches!(
        predicate,
        IntegerPredicate::Equal | IntegerPredicate::NotEqual
    ) && (is_null(left) || is_null(right))
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
