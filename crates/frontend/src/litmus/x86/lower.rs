//! What the instructions do, in loads, stores, updates and assignments.
//!
//! A plain read-modify-write on memory is a load, a computation and a store. One
//! with `LOCK`, and `XCHG` with memory, is one update between full fences.
//! Results are computed twice, once for the flags and once for the destination,
//! so that nothing but the one assignment is left where no flag is read.

use super::mnemonics::Operation;
use super::operands::{Argument, Instruction, What};
use super::registers::{View, accumulator};
use crate::litmus::code::{Code, Labels};
use crate::litmus::complaint::{Detail, complaint};
use crate::litmus::flags::{Computation, Flags};
use crate::litmus::locations::Locations;
use program::{
    Access, Binary, Diagnostic, Expression, InstructionKind, MemoryOrder, Operand, Orderings,
    RegisterId, Source, Terminator, UpdateOp, Width, Word,
};
use std::collections::HashSet;

/// The translation of one thread.
pub struct Lowering<'a> {
    pub source: &'a Source,
    pub locations: &'a Locations<'a>,
    pub labels: &'a Labels,
    pub code: Code,
    /// Registers that may hold more than 32 bits.
    pub wide: HashSet<&'static str>,
    /// Registers that receive values from memory.
    pub loaded: Vec<&'static str>,
}

pub type Lowered<T = ()> = Result<T, Diagnostic>;

const ONE: Operand = Operand::Constant(1);

const FLAGS: Flags = Flags {
    zero: "ZF",
    sign: "SF",
    carry: "CF",
    overflow: "OF",
    parity: Some("PF"),
};

/// Where a result goes.
pub enum Destination {
    Register(View),
    Memory(Operand),
}

impl Lowering<'_> {
    /// Translates the instruction of this position.
    pub fn instruction(&mut self, instruction: &Instruction, position: usize) -> Lowered {
        self.code.reach(position);
        self.code.at(instruction.span);
        let width = self.width(instruction);
        match (instruction.operation, &instruction.arguments[..]) {
            (Operation::Nothing, _) => {
                self.code.mark();
                Ok(())
            }
            (Operation::Fence(orderings), _) => {
                self.code.push(InstructionKind::Fence(orderings));
                Ok(())
            }
            (Operation::Jump, [target]) => self.jump(target, position),
            (Operation::JumpIf(condition), [target]) => {
                let then = self.target(target, position)?;
                let holds = FLAGS.condition(&mut self.code, condition);
                let otherwise = self.code.target(position + 1);
                self.code.branch(holds, then, otherwise);
                Ok(())
            }
            (Operation::SetIf(condition), [to]) => {
                let to = self.destination(to)?;
                let holds = FLAGS.condition(&mut self.code, condition);
                self.write(to, Expression::Copy(holds), width);
                Ok(())
            }
            (_, [only]) => self.unary(instruction, only, width),
            (_, [first, second]) => self.binary(instruction, first, second, width),
            _ => Err(complaint(
                self.source,
                instruction.span,
                "this instruction has other operands",
            )),
        }
    }

    /// The width of the instruction.
    fn width(&self, instruction: &Instruction) -> Width {
        let location = instruction.access().map(|(memory, _)| &memory.location);
        let accessed = location.map(|name| self.locations.width_of(name.as_deref()));
        instruction.width.or(accessed).unwrap_or(Width::W32)
    }

    fn target(&mut self, target: &Argument, position: usize) -> Lowered<program::BlockId> {
        let What::Label(label) = &target.what else {
            let message = "a jump goes to a label";
            return Err(complaint(self.source, target.span, message));
        };
        let to = self.labels.position(self.source, label, position)?;
        Ok(self.code.target(to))
    }

    fn jump(&mut self, target: &Argument, position: usize) -> Lowered {
        let block = self.target(target, position)?;
        self.code.end(Terminator::Jump(block));
        Ok(())
    }

    fn unary(&mut self, instruction: &Instruction, only: &Argument, width: Width) -> Lowered {
        let ones = Operand::Constant(width.truncate(Word::MAX));
        match instruction.operation {
            Operation::Increment => {
                self.modify(instruction, only, Computation::Increment, ONE, width)
            }
            Operation::Decrement => {
                self.modify(instruction, only, Computation::Decrement, ONE, width)
            }
            Operation::Not => {
                let to = self.destination(only)?;
                if let (Destination::Memory(address), true) = (&to, instruction.lock) {
                    self.locked_update(UpdateOp::Xor, *address, ones, width);
                    return Ok(());
                }
                let old = self.read(&to, width);
                let flipped = Expression::Binary(Binary::Xor, width, old, ones);
                self.write(to, flipped, width);
                Ok(())
            }
            _ => {
                // NEG: subtract from zero.
                let to = self.destination(only)?;
                let (zero, old) = (Operand::Constant(0), self.read(&to, width));
                FLAGS.set(&mut self.code, Computation::Subtract, width, zero, old);
                let negated = Expression::Binary(Binary::Sub, width, zero, old);
                self.write(to, negated, width);
                Ok(())
            }
        }
    }

    fn binary(
        &mut self,
        instruction: &Instruction,
        first: &Argument,
        second: &Argument,
        width: Width,
    ) -> Lowered {
        match instruction.operation {
            Operation::Move => self.move_(first, second, width),
            Operation::LoadAddress => self.load_address(first, second),
            Operation::MoveExtended { signed } => self.extend(first, second, signed),
            Operation::Exchange => self.exchange(first, second, width),
            Operation::ExchangeAdd => self.exchange_add(instruction, first, second, width),
            Operation::CompareExchange => self.compare_exchange(instruction, first, second, width),
            Operation::Compare => self.test(first, second, Computation::Subtract, width),
            Operation::Test => self.test(first, second, Computation::Logic(Binary::And), width),
            Operation::Arithmetic(operation) => {
                let computation = computation(operation);
                let operand = self.value(second, width)?;
                self.modify(instruction, first, computation, operand, width)
            }
            Operation::MoveIf(condition) => {
                let to = self.destination(first)?;
                let new = self.value(second, width)?;
                let old = self.read(&to, width);
                let holds = FLAGS.condition(&mut self.code, condition);
                self.write(to, Expression::Select(holds, new, old), width);
                Ok(())
            }
            _ => Err(complaint(
                self.source,
                instruction.span,
                "this instruction has other operands",
            )),
        }
    }

    fn move_(&mut self, first: &Argument, second: &Argument, width: Width) -> Lowered {
        if let (What::Register(view), What::Memory(memory, _)) = (&first.what, &second.what) {
            let address = self.address(memory)?;
            self.receive(*view, |target| InstructionKind::Load {
                target,
                address,
                width,
                access: Access::default(),
            });
            return Ok(());
        }
        let to = self.destination(first)?;
        let value = self.value(second, width)?;
        self.write(to, Expression::Copy(value), width);
        Ok(())
    }

    fn load_address(&mut self, first: &Argument, second: &Argument) -> Lowered {
        let (What::Register(view), What::Memory(memory, _)) = (&first.what, &second.what) else {
            return Err(complaint(self.source, second.span, "`LEA` needs memory"));
        };
        if view.width < Width::W32 {
            let message = "an address does not fit this register";
            return Err(
                complaint(self.source, first.span, message).expected("a register of 32 or 64 bits")
            );
        }
        let address = self.address(memory)?;
        let narrowed = match address {
            Operand::Register(_) => {
                let ones = Operand::Constant(view.width.truncate(Word::MAX));
                Expression::Binary(Binary::And, view.width, address, ones)
            }
            _ => Expression::Copy(address),
        };
        self.write_view(*view, narrowed);
        Ok(())
    }

    /// `MOVZX` and `MOVSX`.
    fn extend(&mut self, first: &Argument, second: &Argument, signed: bool) -> Lowered {
        let What::Register(to) = first.what else {
            return Err(complaint(self.source, first.span, "no register"));
        };
        let from = match &second.what {
            What::Register(view) => view.width,
            What::Memory(memory, size) => {
                size.unwrap_or(self.locations.width_of(memory.location.as_deref()))
            }
            _ => to.width,
        };
        if from >= to.width {
            let (from, bits) = (from.bits(), to.width.bits());
            let message = format!("{from} bits cannot be extended to {bits}");
            return Err(complaint(self.source, second.span, message)
                .expected("an operand narrower than the destination")
                .help(
                    "give the operand's size, `BYTE PTR [x]` say, or declare the location's type",
                ));
        }
        let mut value = self.value(second, from)?;
        if matches!(second.what, What::Memory(..)) {
            self.loaded.push(to.name);
        }
        if signed {
            let extended = self.code.word();
            self.code
                .assign(extended, Expression::SignExtend(from, value));
            value = extended.into();
        }
        let ones = Operand::Constant(to.width.truncate(Word::MAX));
        self.write_view(to, Expression::Binary(Binary::And, to.width, value, ones));
        Ok(())
    }

    /// `CMP` and `TEST`.
    fn test(
        &mut self,
        first: &Argument,
        second: &Argument,
        computation: Computation,
        width: Width,
    ) -> Lowered {
        self.code.mark();
        let a = self.value(first, width)?;
        let b = self.value(second, width)?;
        FLAGS.set(&mut self.code, computation, width, a, b);
        Ok(())
    }

    /// A read-modify-write with a constant or a register as second operand.
    fn modify(
        &mut self,
        instruction: &Instruction,
        first: &Argument,
        computation: Computation,
        operand: Operand,
        width: Width,
    ) -> Lowered {
        let operation = computation.operation();
        let to = self.destination(first)?;
        if let (Destination::Memory(address), true) = (&to, instruction.lock) {
            let old = self.locked_update(update(operation), *address, operand, width);
            FLAGS.set(&mut self.code, computation, width, old.into(), operand);
            return Ok(());
        }
        let old = self.read(&to, width);
        FLAGS.set(&mut self.code, computation, width, old, operand);
        self.write(
            to,
            Expression::Binary(operation, width, old, operand),
            width,
        );
        Ok(())
    }

    fn exchange(&mut self, first: &Argument, second: &Argument, width: Width) -> Lowered {
        match (&first.what, &second.what) {
            (What::Register(a), What::Register(b)) => {
                let kept = self.code.word();
                let (a, b) = (*a, *b);
                let old = self.read_view(a);
                self.code.assign(kept, Expression::Copy(old));
                let new = self.read_view(b);
                self.write_view(a, Expression::Copy(new));
                self.write_view(b, Expression::Copy(kept.into()));
                Ok(())
            }
            (What::Register(view), What::Memory(memory, _))
            | (What::Memory(memory, _), What::Register(view)) => {
                let address = self.address(memory)?;
                let operand = self.read_view(*view);
                self.fence();
                self.receive(*view, |target| InstructionKind::Update {
                    target,
                    operation: UpdateOp::Exchange,
                    address,
                    operand,
                    width,
                    access: Access::default(),
                });
                self.fence();
                Ok(())
            }
            _ => {
                let message = "`XCHG` exchanges a register with a register or memory";
                Err(complaint(self.source, second.span, message).expected("a register"))
            }
        }
    }

    fn exchange_add(
        &mut self,
        instruction: &Instruction,
        first: &Argument,
        second: &Argument,
        width: Width,
    ) -> Lowered {
        let What::Register(view) = second.what else {
            return Err(complaint(self.source, second.span, "no register"));
        };
        let to = self.destination(first)?;
        let addend = self.code.word();
        let operand = self.read_view(view);
        self.code.assign(addend, Expression::Copy(operand));
        if let (Destination::Memory(address), true) = (&to, instruction.lock) {
            let address = *address;
            self.fence();
            self.receive(view, |target| InstructionKind::Update {
                target,
                operation: UpdateOp::Add,
                address,
                operand,
                width,
                access: Access::default(),
            });
            self.fence();
            let old = self.read_view(view);
            FLAGS.set(&mut self.code, Computation::Add, width, old, addend.into());
            return Ok(());
        }
        let old = self.code.word();
        let before = self.read(&to, width);
        self.code.assign(old, Expression::Copy(before));
        FLAGS.set(
            &mut self.code,
            Computation::Add,
            width,
            old.into(),
            addend.into(),
        );
        let sum = Expression::Binary(Binary::Add, width, old.into(), addend.into());
        if matches!(to, Destination::Memory(_)) {
            self.loaded.push(view.name);
        }
        // If both are the same register, the sum is what stays.
        self.write_view(view, Expression::Copy(old.into()));
        self.write(to, sum, width);
        Ok(())
    }

    fn compare_exchange(
        &mut self,
        instruction: &Instruction,
        first: &Argument,
        second: &Argument,
        width: Width,
    ) -> Lowered {
        let to = self.destination(first)?;
        let desired = self.value(second, width)?;
        let view = accumulator(width);
        let accumulated = self.read_view(view);
        let expected = self.code.word();
        self.code.assign(expected, Expression::Copy(accumulated));
        let subtract = Computation::Subtract;
        let in_memory = matches!(to, Destination::Memory(_));
        if let (Destination::Memory(address), true) = (&to, instruction.lock) {
            let address = *address;
            let access = |target| InstructionKind::CompareExchange {
                target,
                address,
                expected: accumulated,
                desired,
                width,
                access: Access::default(),
                failure: MemoryOrder::Relaxed,
                weak: false,
                succeeded: None,
            };
            self.fence();
            let old = if self.keeps_upper_half(view) {
                let old = self.code.word();
                self.loaded.push(view.name);
                self.code.push(access(old));
                self.write_unless_equal(view, expected, old);
                old.into()
            } else {
                self.receive(view, access);
                self.read_view(view)
            };
            self.fence();
            FLAGS.set(&mut self.code, subtract, width, expected.into(), old);
            return Ok(());
        }
        let old = self.code.word();
        let before = self.read(&to, width);
        self.code.assign(old, Expression::Copy(before));
        FLAGS.set(&mut self.code, subtract, width, expected.into(), old.into());
        let equal = self.code.binary(Binary::Eq, width, expected, old);
        if in_memory {
            self.loaded.push(view.name);
        }
        // The desired value may be the accumulator's, so it is read before that is written.
        let new = self.code.word();
        self.code
            .assign(new, Expression::Select(equal.into(), desired, old.into()));
        self.write_unless_equal(view, expected, old);
        match to {
            Destination::Register(view) if self.keeps_upper_half(view) => {
                let register = self.code.register(view.register, Width::W64);
                let kept = Expression::Select(equal.into(), new.into(), register.into());
                self.code.assign(register, kept);
            }
            to => self.write(to, Expression::Copy(new.into()), width),
        }
        Ok(())
    }

    /// Whether a write of this part clears bits that may be set, so that it matters
    /// whether there is one.
    fn keeps_upper_half(&self, view: View) -> bool {
        view.width == Width::W32 && self.wide.contains(view.register)
    }

    /// Writes the `old` value to the accumulator, which held `expected`, if they differ.
    fn write_unless_equal(&mut self, view: View, expected: RegisterId, old: RegisterId) {
        if !self.keeps_upper_half(view) {
            return self.write_view(view, Expression::Copy(old.into()));
        }
        let register = self.code.register(view.register, Width::W64);
        let equal = self.code.binary(Binary::Eq, view.width, expected, old);
        let kept = Expression::Select(equal.into(), register.into(), old.into());
        self.code.assign(register, kept);
    }

    fn fence(&mut self) {
        self.code.push(InstructionKind::Fence(Orderings::ALL));
    }

    /// One update between fences; returns the register with the old value.
    fn locked_update(
        &mut self,
        operation: UpdateOp,
        address: Operand,
        operand: Operand,
        width: Width,
    ) -> RegisterId {
        let target = self.code.word();
        self.fence();
        self.code.push(InstructionKind::Update {
            target,
            operation,
            address,
            operand,
            width,
            access: Access::default(),
        });
        self.fence();
        target
    }
}

fn computation(operation: UpdateOp) -> Computation {
    match operation {
        UpdateOp::Sub => Computation::Subtract,
        UpdateOp::And => Computation::Logic(Binary::And),
        UpdateOp::Or => Computation::Logic(Binary::Or),
        UpdateOp::Xor => Computation::Logic(Binary::Xor),
        // No instruction of X86 is any other.
        _ => Computation::Add,
    }
}

fn update(operation: Binary) -> UpdateOp {
    match operation {
        Binary::Sub => UpdateOp::Sub,
        Binary::And => UpdateOp::And,
        Binary::Or => UpdateOp::Or,
        Binary::Xor => UpdateOp::Xor,
        _ => UpdateOp::Add,
    }
}
