//! Arithmetic: `add` and its like, `cmp`, `test`, `not`, `neg`, `inc`, `dec`, `imul`, with their flags.

use super::super::functions::Lowered;
use super::Assembler;
use super::operands::Location;
use crate::llvm::asm::instructions::{Arithmetic, Flag, Operation};
use crate::llvm::asm::operands::{Memory, Operand as Written, Part as AddressPart};
use crate::llvm::asm::registers::Family;
use crate::llvm::asm::statements::Instruction;
use program::{Binary, InstructionKind as Kind, Operand, Orderings, UpdateOp, Width};

/// A sum or difference, for its flags: `first ± second`, and what was carried in, give `result`.
#[derive(Clone, Copy)]
struct Sum {
    first: Operand,
    second: Operand,
    carries: bool,
    subtracts: bool,
    result: Operand,
}

impl Assembler<'_, '_, '_> {
    pub fn calculating(&mut self, instruction: &Instruction) -> Lowered<()> {
        match instruction.operation {
            Operation::Arithmetic(operation) => self.arithmetic(instruction, operation),
            Operation::Compare => {
                let width = self.known_width(instruction)?;
                let (first, second) = self.two(instruction, width)?;
                let second = self.value(second, width);
                let first = self.value(first, width);
                self.compared(width, first, second);
                Ok(())
            }
            Operation::Test => {
                let width = self.known_width(instruction)?;
                let (first, second) = self.two(instruction, width)?;
                let (a, b) = (self.value(first, width), self.value(second, width));
                let result = match first == second {
                    true => a,
                    false => self.coder.body.binary(Binary::And, width, a, b),
                };
                self.logical(width, result);
                Ok(())
            }
            Operation::Multiply => self.multiply(instruction),
            _ => self.one_operand(instruction),
        }
    }

    fn arithmetic(&mut self, instruction: &Instruction, operation: Arithmetic) -> Lowered<()> {
        if instruction.locked && self.is_fence(instruction, operation)? {
            return Ok(());
        }
        let width = self.known_width(instruction)?;
        let (to, from) = self.two(instruction, width)?;
        if to == from && matches!(operation, Arithmetic::Xor | Arithmetic::Subtract) {
            // What the register held does not matter.
            let zero = Operand::Constant(0);
            self.compared(width, zero, zero);
            return self.put(to, width, zero);
        }
        let second = self.value(from, width);
        let subtracts = matches!(operation, Arithmetic::Subtract | Arithmetic::SubtractBorrow);
        let carries = matches!(operation, Arithmetic::AddCarry | Arithmetic::SubtractBorrow);
        let carry = match carries {
            true => {
                let carry = self.flag(Flag::Carry);
                Some(self.coder.body.resize(width, carry))
            }
            false => None,
        };
        let (binary, update) = match operation {
            Arithmetic::Add | Arithmetic::AddCarry => (Binary::Add, UpdateOp::Add),
            Arithmetic::Subtract | Arithmetic::SubtractBorrow => (Binary::Sub, UpdateOp::Sub),
            Arithmetic::And => (Binary::And, UpdateOp::And),
            Arithmetic::Or => (Binary::Or, UpdateOp::Or),
            Arithmetic::Xor => (Binary::Xor, UpdateOp::Xor),
        };
        let by = match carry {
            Some(carry) => self.coder.body.binary(Binary::Add, width, second, carry),
            None => second,
        };
        let first = match (instruction.locked, to) {
            (true, Location::Memory(address)) => self.locked(update, address, width, by),
            (true, _) => return Err(self.refuse("`lock` of what is not in memory")),
            (false, _) => self.value(to, width),
        };
        let result = match (to == from, carry) {
            // `sbb %eax, %eax`
            (true, Some(carry)) if subtracts => {
                let zero = Operand::Constant(0);
                self.coder.body.binary(Binary::Sub, width, zero, carry)
            }
            _ => self.coder.body.binary(binary, width, first, by),
        };
        match operation {
            Arithmetic::And | Arithmetic::Or | Arithmetic::Xor => self.logical(width, result),
            _ => self.summed(
                width,
                Sum {
                    first,
                    second,
                    carries,
                    subtracts,
                    result,
                },
            ),
        }
        match instruction.locked {
            true => Ok(()),
            false => self.put(to, width, result),
        }
    }

    /// A locked instruction that leaves the stack as it is, which is how a full fence was written before `mfence`.
    fn is_fence(&mut self, instruction: &Instruction, operation: Arithmetic) -> Lowered<bool> {
        let [Written::Memory(memory), by] = &instruction.operands[..] else {
            return Ok(false);
        };
        let Memory {
            base: Some(AddressPart::Register(base)),
            index: None,
            ..
        } = memory
        else {
            return Ok(false);
        };
        if base.family != Family::STACK {
            return Ok(false);
        }
        let by = self.location(by, Width::W64)?;
        let harmless = match operation {
            Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Or | Arithmetic::Xor => {
                by == Location::Immediate(Operand::Constant(0))
            }
            Arithmetic::And => by == Location::Immediate(Operand::Constant(u64::MAX)),
            _ => false,
        };
        if !harmless {
            return Err(self.refuse(&format!("a change of the stack: `{}`", instruction.text)));
        }
        self.coder.body.push(Kind::Fence(Orderings::ALL));
        self.undefine(&Flag::ALL);
        Ok(true)
    }

    fn one_operand(&mut self, instruction: &Instruction) -> Lowered<()> {
        let width = self.known_width(instruction)?;
        let [operand] = self.exactly(instruction)?;
        let location = self.location(operand, width)?;
        let (one, zero) = (Operand::Constant(1), Operand::Constant(0));
        let ones = Operand::Constant(width.truncate(u64::MAX));
        let operation = instruction.operation;
        let (binary, update, by) = match operation {
            Operation::Increment => (Binary::Add, Some(UpdateOp::Add), one),
            Operation::Decrement => (Binary::Sub, Some(UpdateOp::Sub), one),
            Operation::Not => (Binary::Xor, Some(UpdateOp::Xor), ones),
            _ => (Binary::Sub, None, zero),
        };
        let old = match (instruction.locked, location, update) {
            (true, Location::Memory(address), Some(update)) => {
                self.locked(update, address, width, by)
            }
            (true, Location::Memory(address), None) => {
                self.locked_section(address, width, |this, old| {
                    this.coder.body.binary(Binary::Sub, width, zero, old)
                })
            }
            (true, ..) => return Err(self.refuse("`lock` of what is not in memory")),
            (false, ..) => self.value(location, width),
        };
        let result = match operation {
            Operation::Negate => self.coder.body.binary(Binary::Sub, width, zero, old),
            _ => self.coder.body.binary(binary, width, old, by),
        };
        let sum = |first, second, subtracts| Sum {
            first,
            second,
            carries: false,
            subtracts,
            result,
        };
        match operation {
            Operation::Not => {}
            Operation::Negate => self.summed(width, sum(zero, old, true)),
            // The carry stays as it is.
            _ => {
                let sum = sum(old, one, operation == Operation::Decrement);
                self.set_to(Flag::Overflow, |this| this.overflow(width, sum));
                self.set_result(width, result);
            }
        }
        match instruction.locked {
            true => Ok(()),
            false => self.put(location, width, result),
        }
    }

    fn multiply(&mut self, instruction: &Instruction) -> Lowered<()> {
        let width = self.known_width(instruction)?;
        let (to, first, second) = match &instruction.operands[..] {
            [to, by] => (to, to, by),
            [to, first, second] => (to, first, second),
            _ => return Err(self.refuse(&format!("the operands of `{}`", instruction.text))),
        };
        let locations = [to, first, second].map(|operand| self.location(operand, width));
        let [to, first, second] = locations;
        let (to, first, second) = (to?, first?, second?);
        if width == Width::W8 || !matches!(to, Location::Register(..)) {
            return Err(self.refuse(&format!("the operands of `{}`", instruction.text)));
        }
        let (a, b) = (self.value(first, width), self.value(second, width));
        let product = self.coder.body.binary(Binary::Mul, width, a, b);
        let overflows =
            |this: &mut Self| (this.coder.body).binary(Binary::MulOverflow, width, a, b);
        self.set_to(Flag::Carry, overflows);
        self.set_to(Flag::Overflow, overflows);
        self.undefine(&[Flag::Zero, Flag::Sign, Flag::Parity]);
        self.put(to, width, product)
    }

    /// Sets the flags as a bitwise operation does.
    pub fn logical(&mut self, width: Width, result: Operand) {
        self.set(Flag::Carry, Operand::Constant(0));
        self.set(Flag::Overflow, Operand::Constant(0));
        self.set_result(width, result);
    }

    /// Sets the flags as `cmp` does.
    pub fn compared(&mut self, width: Width, first: Operand, second: Operand) {
        let result = match Flag::ALL.into_iter().any(|flag| self.needs(flag)) {
            true => self.coder.body.binary(Binary::Sub, width, first, second),
            false => return,
        };
        let sum = Sum {
            first,
            second,
            carries: false,
            subtracts: true,
            result,
        };
        self.summed(width, sum);
        // The same, and known of what is not defined in part.
        self.set_to(Flag::Zero, |this| {
            this.coder.body.binary(Binary::Eq, width, first, second)
        });
    }

    /// Sets the flags as `xadd` does.
    pub fn added(&mut self, width: Width, first: Operand, second: Operand, result: Operand) {
        let sum = Sum {
            first,
            second,
            carries: false,
            subtracts: false,
            result,
        };
        self.summed(width, sum);
    }

    fn summed(&mut self, width: Width, sum: Sum) {
        self.set_to(Flag::Overflow, |this| this.overflow(width, sum));
        let carry = |this: &mut Self| this.carry(width, sum);
        // The old carry is part of the result, and was read.
        self.set_to(Flag::Carry, carry);
        self.set_result(width, sum.result);
    }

    fn overflow(&mut self, width: Width, sum: Sum) -> Operand {
        let Sum {
            first,
            second,
            result,
            ..
        } = sum;
        let body = &mut self.coder.body;
        let changed = body.binary(Binary::Xor, width, first, result);
        let other = if sum.subtracts { first } else { result };
        let differs = body.binary(Binary::Xor, width, second, other);
        let both = body.binary(Binary::And, width, changed, differs);
        self.highest(width, both)
    }

    fn carry(&mut self, width: Width, sum: Sum) -> Operand {
        let Sum {
            first,
            second,
            result,
            ..
        } = sum;
        let body = &mut self.coder.body;
        if !sum.carries {
            return match sum.subtracts {
                true => body.binary(Binary::Ult, width, first, second),
                false => body.binary(Binary::Ult, width, result, first),
            };
        }
        // Where both operands have a bit, or one and the result has not; of a difference, with the first operand negated.
        let ones = Operand::Constant(width.truncate(u64::MAX));
        let flip =
            |body: &mut super::super::body::Body, word| body.binary(Binary::Xor, width, word, ones);
        let (left, absent) = match sum.subtracts {
            true => (flip(body, first), result),
            false => (first, flip(body, result)),
        };
        let both = body.binary(Binary::And, width, left, second);
        let either = body.binary(Binary::Or, width, left, second);
        let lost = body.binary(Binary::And, width, either, absent);
        let carries = body.binary(Binary::Or, width, both, lost);
        self.highest(width, carries)
    }
}
