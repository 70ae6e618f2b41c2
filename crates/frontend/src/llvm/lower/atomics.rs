//! Atomic read-modify-writes: the instructions, and the library calls `__atomic_…`.

use super::calls::Argument;
use super::functions::{Coder, Lowered};
use super::memory::{memory_order, width_of_bytes};
use super::types::Leaf;
use crate::llvm::{
    Access as LlvmAccess, AtomicOrdering, BinaryOperation, Operand as LlvmOperand, TypeId,
    UpdateOperation,
};
use program::{
    Access, Binary, InstructionKind as Kind, MemoryOrder, Operand, Terminator, UpdateOp, Width,
};

/// Where and how an atomic access happens.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub address: Operand,
    pub order: MemoryOrder,
    /// The order of a compare-exchange that fails.
    pub failure: MemoryOrder,
    /// Its alignment in bytes.
    pub align: u64,
}

/// An integer of 16 bytes in memory.
const PAIR: [Leaf; 2] = [
    Leaf {
        width: Width::W64,
        offset: 0,
    },
    Leaf {
        width: Width::W64,
        offset: 8,
    },
];
const WIDTHS: [Width; 2] = [Width::W64; 2];

impl<'m> Coder<'_, 'm> {
    fn atomic_widths(&mut self, value_type: TypeId) -> Lowered<Vec<Width>> {
        let widths = self.widths(value_type)?;
        match widths[..] {
            [width] if width.is_access() => Ok(widths),
            [Width::W64, Width::W64] => Ok(widths),
            _ => Err(self.refuse("an atomic access of this width")),
        }
    }

    pub fn atomic_update(
        &mut self,
        operation: UpdateOperation,
        pointer: &'m LlvmOperand,
        value: &'m LlvmOperand,
        access: &LlvmAccess,
    ) -> Lowered<Vec<Operand>> {
        let widths = self.atomic_widths(value.value_type)?;
        let address = self.scalar(pointer)?;
        let operand = self.operand(value)?;
        let Some(operation) = update_of(operation) else {
            let what = format!("`atomicrmw {}`", operation.name());
            return Err(self.refuse(&what));
        };
        let target = Target {
            address,
            order: self.order(access),
            failure: MemoryOrder::Relaxed,
            align: self.align(access, value.value_type)?,
        };
        self.update(operation, &widths, target, &operand)
    }

    /// A read-modify-write; the old value.
    pub fn update(
        &mut self,
        operation: UpdateOp,
        widths: &[Width],
        target: Target,
        operand: &[Operand],
    ) -> Lowered<Vec<Operand>> {
        let [width] = *widths else {
            return self.update_pair(operation, target, operand);
        };
        let register = self.body.register(width);
        self.body.push(Kind::Update {
            target: register,
            operation,
            address: target.address,
            operand: operand[0],
            width,
            access: Access::ordered(target.order, target.align),
        });
        Ok(vec![Operand::Register(register)])
    }

    fn update_pair(
        &mut self,
        operation: UpdateOp,
        target: Target,
        operand: &[Operand],
    ) -> Lowered<Vec<Operand>> {
        self.begin_whole(&PAIR, target.order)?;
        let old = self.load_pair(target);
        let body = &mut self.body;
        let pick = |body: &mut super::body::Body, mine: Operand| {
            let pairs = old.iter().zip(operand);
            pairs
                .map(|(old, new)| body.select(Width::W64, mine, *old, *new))
                .collect()
        };
        let new: Vec<Operand> = match operation {
            UpdateOp::Exchange => operand.to_vec(),
            UpdateOp::Add => body.wide_add(&WIDTHS, &old, operand),
            UpdateOp::Sub => body.wide_sub(&WIDTHS, &old, operand),
            UpdateOp::And => body.wide_bitwise(Binary::And, &WIDTHS, &old, operand),
            UpdateOp::Or => body.wide_bitwise(Binary::Or, &WIDTHS, &old, operand),
            UpdateOp::Xor => body.wide_bitwise(Binary::Xor, &WIDTHS, &old, operand),
            UpdateOp::Nand => {
                let both = body.wide_bitwise(Binary::And, &WIDTHS, &old, operand);
                let ones = [Operand::Constant(u64::MAX); 2];
                body.wide_bitwise(Binary::Xor, &WIDTHS, &both, &ones)
            }
            UpdateOp::Max | UpdateOp::Umax => {
                let signed = operation == UpdateOp::Max;
                let greater = body.wide_less(signed, &WIDTHS, operand, &old);
                pick(body, greater)
            }
            UpdateOp::Min | UpdateOp::Umin => {
                let signed = operation == UpdateOp::Min;
                let less = body.wide_less(signed, &WIDTHS, &old, operand);
                pick(body, less)
            }
            _ => return Err(self.refuse("an atomic operation of this width")),
        };
        self.store_pair(target, &new);
        self.end_whole(target.order);
        Ok(old)
    }

    fn load_pair(&mut self, target: Target) -> Vec<Operand> {
        let leaves = PAIR.iter();
        leaves
            .map(|leaf| {
                let at = self.body.offset(target.address, leaf.offset);
                self.load_leaf(at, leaf.width, MemoryOrder::Relaxed, 8)
            })
            .collect()
    }

    fn store_pair(&mut self, target: Target, parts: &[Operand]) {
        for (leaf, part) in PAIR.iter().zip(parts) {
            let at = self.body.offset(target.address, leaf.offset);
            self.store_leaf(at, *part, leaf.width, MemoryOrder::Relaxed, 8);
        }
    }

    pub fn compare_exchange(
        &mut self,
        pointer: &'m LlvmOperand,
        expected: &'m LlvmOperand,
        new: &'m LlvmOperand,
        weak: bool,
        failure: AtomicOrdering,
        access: &LlvmAccess,
    ) -> Lowered<Vec<Operand>> {
        let widths = self.atomic_widths(expected.value_type)?;
        let target = Target {
            address: self.scalar(pointer)?,
            order: self.order(access),
            failure: self.load_order(memory_order(failure))?,
            align: self.align(access, expected.value_type)?,
        };
        let expected = self.operand(expected)?;
        let new = self.operand(new)?;
        if new.len() != expected.len() {
            return Err(self.refuse("a value of an unexpected type"));
        }
        let (mut parts, succeeded) = self.exchange_if(&widths, target, &expected, &new, weak)?;
        parts.push(succeeded);
        Ok(parts)
    }

    /// A compare-exchange: the old value, and whether it wrote.
    pub fn exchange_if(
        &mut self,
        widths: &[Width],
        target: Target,
        expected: &[Operand],
        desired: &[Operand],
        weak: bool,
    ) -> Lowered<(Vec<Operand>, Operand)> {
        let [width] = *widths else {
            return self.exchange_pair_if(target, expected, desired, weak);
        };
        let register = self.body.register(width);
        let succeeded = self.body.register(Width::BIT);
        self.body.push(Kind::CompareExchange {
            target: register,
            address: target.address,
            expected: expected[0],
            desired: desired[0],
            width,
            access: Access::ordered(target.order, target.align),
            failure: target.failure,
            weak,
            succeeded: Some(succeeded),
        });
        Ok((vec![register.into()], succeeded.into()))
    }

    /// A compare-exchange of 16 bytes.
    fn exchange_pair_if(
        &mut self,
        target: Target,
        expected: &[Operand],
        desired: &[Operand],
        weak: bool,
    ) -> Lowered<(Vec<Operand>, Operand)> {
        let may_succeed = weak.then(|| {
            let target = self.body.register(Width::BIT);
            let count = Operand::Constant(2);
            self.body.push(Kind::Choose { target, count });
            // The first way is that it does not fail spuriously.
            (self.body).binary(Binary::Eq, Width::BIT, target.into(), Operand::Constant(0))
        });
        self.begin_whole(&PAIR, target.order)?;
        let old = self.load_pair(target);
        let mut succeeds = self.body.wide_equal(&WIDTHS, &old, expected);
        if let Some(may_succeed) = may_succeed {
            succeeds = (self.body).binary(Binary::And, Width::BIT, succeeds, may_succeed);
        }
        self.only_if(succeeds, true, |this| this.store_pair(target, desired));
        self.end_whole(target.order);
        Ok((old, succeeds))
    }

    /// Code that runs only if a condition holds, or does not.
    fn only_if(&mut self, condition: Operand, holds: bool, code: impl FnOnce(&mut Self)) {
        let [inside, after] = ["inside", "after"].map(|label| self.body.block(label));
        let (then, otherwise) = if holds {
            (inside, after)
        } else {
            (after, inside)
        };
        self.body.finish(Terminator::Branch {
            condition,
            then,
            otherwise,
        });
        self.body.enter(inside);
        code(self);
        self.body.finish(Terminator::Jump(after));
        self.body.enter(after);
    }

    /// The library calls `__atomic_…`; none if the name is none of them.
    pub fn atomic_library(
        &mut self,
        name: &str,
        arguments: &[Argument<'m>],
        result: &[Width],
    ) -> Lowered<Option<Vec<Operand>>> {
        let Some(name) = name.strip_prefix("__atomic_") else {
            return Ok(None);
        };
        let (stem, sized) = match name.rsplit_once('_') {
            Some((stem, size)) if matches!(size, "1" | "2" | "4" | "8" | "16") => {
                (stem, size.parse::<u64>().ok())
            }
            _ => (name, None),
        };
        let constant = |index: usize| match arguments.get(index).and_then(Argument::scalar) {
            Some(Operand::Constant(word)) => Some(word),
            _ => None,
        };
        if matches!(stem, "is_lock_free" | "always_lock_free") {
            let free = constant(0).is_some_and(|size| matches!(size, 1 | 2 | 4 | 8));
            return Ok(Some(vec![Operand::Constant(free.into())]));
        }
        if matches!(stem, "thread_fence" | "signal_fence") {
            if stem == "thread_fence" {
                self.fence(ordering_of(constant(0)));
            }
            return Ok(Some(Vec::new()));
        }
        // Without a size in the name it is the first argument, and values are in memory.
        let (size, rest) = match sized {
            Some(size) => (size, arguments),
            None => match (constant(0), arguments.get(1..)) {
                (Some(size @ (1 | 2 | 4 | 8 | 16)), Some(rest)) => (size, rest),
                _ => return Err(self.refuse("an atomic operation of this size")),
            },
        };
        let call = LibraryCall {
            stem,
            size,
            in_memory: sized.is_none(),
            result,
        };
        self.atomic_call(&call, rest)
    }

    fn atomic_call(
        &mut self,
        call: &LibraryCall<'_>,
        arguments: &[Argument<'m>],
    ) -> Lowered<Option<Vec<Operand>>> {
        let widths = match call.size {
            16 => WIDTHS.to_vec(),
            size => vec![width_of_bytes(size)],
        };
        let stem = call.stem;
        // The orders are the last arguments.
        let orders = if stem == "compare_exchange" { 2 } else { 1 };
        let Some((values, orders)) = arguments
            .len()
            .checked_sub(orders)
            .map(|at| arguments.split_at(at))
        else {
            return Err(self.refuse("a call with too few arguments"));
        };
        let order = |index: usize| {
            let word = match orders.get(index).and_then(Argument::scalar) {
                Some(Operand::Constant(word)) => Some(word),
                _ => None,
            };
            memory_order(ordering_of(word))
        };
        let (Some(address), failure) = (
            values.first().and_then(Argument::scalar),
            order(orders.len() - 1),
        ) else {
            return Err(self.refuse("a call with too few arguments"));
        };
        let target = Target {
            address,
            order: order(0),
            failure,
            align: call.size.min(8),
        };
        match stem {
            "load" => {
                let old = self.atomic_load(&widths, target)?;
                self.atomic_result(call, &widths, values.get(1), old)
            }
            "store" => {
                let new = self.value_of(values, 1, &widths, call.in_memory)?;
                self.atomic_store(&widths, target, &new)?;
                Ok(Some(Vec::new()))
            }
            "exchange" => {
                let new = self.value_of(values, 1, &widths, call.in_memory)?;
                let old = self.update(UpdateOp::Exchange, &widths, target, &new)?;
                self.atomic_result(call, &widths, values.get(2), old)
            }
            "compare_exchange" => self.compare_exchange_call(call, &widths, target, values),
            _ => self.fetch(call, &widths, target, values),
        }
    }

    /// `__atomic_compare_exchange_4`: the location of the expected value gets the old one if it fails.
    fn compare_exchange_call(
        &mut self,
        call: &LibraryCall<'_>,
        widths: &[Width],
        target: Target,
        values: &[Argument<'m>],
    ) -> Lowered<Option<Vec<Operand>>> {
        let Some(location) = values.get(1).and_then(Argument::scalar) else {
            return Err(self.refuse("a call with too few arguments"));
        };
        let expected = self.value_of(values, 1, widths, true)?;
        let desired = self.value_of(values, 2, widths, call.in_memory)?;
        let weak = match values.get(3).and_then(Argument::scalar) {
            Some(Operand::Constant(word)) => word & 1 != 0,
            _ => false,
        };
        self.load_order(target.failure)?;
        let (old, done) = self.exchange_if(widths, target, &expected, &desired, weak)?;
        self.only_if(done, false, |this| this.write_back(widths, location, &old));
        let width = call.result.first().copied().unwrap_or(Width::BIT);
        Ok(Some(vec![self.body.resize(width, done)]))
    }

    /// `__atomic_fetch_add_4`, `__atomic_add_fetch_4`
    fn fetch(
        &mut self,
        call: &LibraryCall<'_>,
        widths: &[Width],
        target: Target,
        values: &[Argument<'m>],
    ) -> Lowered<Option<Vec<Operand>>> {
        let before = call.stem.strip_prefix("fetch_");
        let after = call.stem.strip_suffix("_fetch");
        let Some(operation) = before.or(after).and_then(UpdateOp::named) else {
            return Ok(None);
        };
        let operand = self.value_of(values, 1, widths, false)?;
        let old = self.update(operation, widths, target, &operand)?;
        if before.is_some() {
            return Ok(Some(old));
        }
        let binary = match operation {
            UpdateOp::Add => BinaryOperation::Add,
            UpdateOp::Sub => BinaryOperation::Sub,
            UpdateOp::And | UpdateOp::Nand => BinaryOperation::And,
            UpdateOp::Or => BinaryOperation::Or,
            UpdateOp::Xor => BinaryOperation::Xor,
            _ => return Ok(None),
        };
        let mut new = match *widths {
            [width] => {
                let binary = super::arithmetic::binary_of(binary);
                vec![self.body.binary(binary, width, old[0], operand[0])]
            }
            _ => return Err(self.refuse("an atomic operation of this size")),
        };
        if operation == UpdateOp::Nand {
            let ones = Operand::Constant(widths[0].truncate(u64::MAX));
            new[0] = self.body.binary(Binary::Xor, widths[0], new[0], ones);
        }
        Ok(Some(new))
    }

    fn atomic_load(&mut self, widths: &[Width], target: Target) -> Lowered<Vec<Operand>> {
        self.load_order(target.order)?;
        if let [width] = *widths {
            return Ok(vec![self.load_leaf(
                target.address,
                width,
                target.order,
                target.align,
            )]);
        }
        self.begin_whole(&PAIR, target.order)?;
        let parts = self.load_pair(target);
        self.end_whole(target.order);
        Ok(parts)
    }

    fn atomic_store(&mut self, widths: &[Width], target: Target, new: &[Operand]) -> Lowered<()> {
        self.store_order(target.order)?;
        if let [width] = *widths {
            self.store_leaf(target.address, new[0], width, target.order, target.align);
            return Ok(());
        }
        self.begin_whole(&PAIR, target.order)?;
        self.store_pair(target, new);
        self.end_whole(target.order);
        Ok(())
    }

    fn value_of(
        &mut self,
        values: &[Argument<'m>],
        index: usize,
        widths: &[Width],
        in_memory: bool,
    ) -> Lowered<Vec<Operand>> {
        match values.get(index) {
            Some(argument) => self.atomic_operand(argument, widths, in_memory),
            None => Err(self.refuse("a call with too few arguments")),
        }
    }

    /// An argument: the value itself, or the value in memory that it points to.
    fn atomic_operand(
        &mut self,
        argument: &Argument<'m>,
        widths: &[Width],
        in_memory: bool,
    ) -> Lowered<Vec<Operand>> {
        if !in_memory {
            return match argument.parts.len() == widths.len() {
                true => Ok(argument.parts.clone()),
                false => Err(self.refuse("an argument of an unexpected type")),
            };
        }
        let Some(address) = argument.scalar() else {
            return Err(self.refuse("an argument of an unexpected type"));
        };
        let mut parts = Vec::new();
        for (index, width) in widths.iter().enumerate() {
            let at = self.body.offset(address, 8 * index as u64);
            let align = u64::from(width.bytes());
            parts.push(self.load_leaf(at, *width, MemoryOrder::Plain, align));
        }
        Ok(parts)
    }

    fn write_back(&mut self, widths: &[Width], address: Operand, parts: &[Operand]) {
        for (index, width) in widths.iter().enumerate() {
            let at = self.body.offset(address, 8 * index as u64);
            let align = u64::from(width.bytes());
            self.store_leaf(at, parts[index], *width, MemoryOrder::Plain, align);
        }
    }

    fn atomic_result(
        &mut self,
        call: &LibraryCall<'_>,
        widths: &[Width],
        location: Option<&Argument<'m>>,
        old: Vec<Operand>,
    ) -> Lowered<Option<Vec<Operand>>> {
        if !call.in_memory {
            return Ok(Some(old));
        }
        match location.and_then(Argument::scalar) {
            Some(address) => self.write_back(widths, address, &old),
            None => return Err(self.refuse("a call with too few arguments")),
        }
        Ok(Some(Vec::new()))
    }
}

/// A call of the atomics library.
struct LibraryCall<'a> {
    /// `load`, `fetch_add`
    stem: &'a str,
    /// Bytes of the location.
    size: u64,
    /// Values are passed by address.
    in_memory: bool,
    result: &'a [Width],
}

/// The ordering of C's `memory_order`; the strongest where it is not known.
fn ordering_of(order: Option<u64>) -> AtomicOrdering {
    match order {
        Some(0) => AtomicOrdering::Monotonic,
        Some(1 | 2) => AtomicOrdering::Acquire,
        Some(3) => AtomicOrdering::Release,
        Some(4) => AtomicOrdering::AcquireRelease,
        _ => AtomicOrdering::SequentiallyConsistent,
    }
}

fn update_of(operation: UpdateOperation) -> Option<UpdateOp> {
    Some(match operation {
        UpdateOperation::Exchange => UpdateOp::Exchange,
        UpdateOperation::Add => UpdateOp::Add,
        UpdateOperation::Sub => UpdateOp::Sub,
        UpdateOperation::And => UpdateOp::And,
        UpdateOperation::Nand => UpdateOp::Nand,
        UpdateOperation::Or => UpdateOp::Or,
        UpdateOperation::Xor => UpdateOp::Xor,
        UpdateOperation::Max => UpdateOp::Max,
        UpdateOperation::Min => UpdateOp::Min,
        UpdateOperation::UnsignedMax => UpdateOp::Umax,
        UpdateOperation::UnsignedMin => UpdateOp::Umin,
        UpdateOperation::FloatAdd => UpdateOp::Fadd,
        UpdateOperation::FloatSub => UpdateOp::Fsub,
        UpdateOperation::FloatMax => UpdateOp::Fmax,
        UpdateOperation::FloatMin => UpdateOp::Fmin,
        UpdateOperation::IncrementWrap => UpdateOp::IncrementWrap,
        UpdateOperation::DecrementWrap => UpdateOp::DecrementWrap,
        UpdateOperation::SubConditional => UpdateOp::SubIf,
        UpdateOperation::SubSaturate => UpdateOp::SubSaturating,
        UpdateOperation::FloatMaximum | UpdateOperation::FloatMinimum => return None,
    })
}
