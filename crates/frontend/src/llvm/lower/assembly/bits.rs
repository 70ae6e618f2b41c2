//! Shifts, rotations, and instructions that test, find and count bits.

use super::super::functions::Lowered;
use super::Assembler;
use super::cells::Storage;
use super::operands::Location;
use crate::llvm::asm::instructions::{BitTest, Count, Flag, Operation, Shift};
use crate::llvm::asm::registers::{Family, Part};
use crate::llvm::asm::statements::Instruction;
use program::{Binary, Operand, Unary, UpdateOp, Width};

impl Assembler<'_, '_, '_> {
    pub fn bits(&mut self, instruction: &Instruction) -> Lowered<()> {
        match instruction.operation {
            Operation::Shift(shift) => self.shift(instruction, shift),
            Operation::BitTest(test) => self.bit_test(instruction, test),
            Operation::Scan { reverse } => self.scan(instruction, reverse),
            Operation::Count(count) => self.count(instruction, count),
            _ => Err(self.refuse(&format!("`{}`", instruction.text))),
        }
    }

    fn shift(&mut self, instruction: &Instruction, shift: Shift) -> Lowered<()> {
        let width = self.known_width(instruction)?;
        let (operand, by) = match &instruction.operands[..] {
            [operand] => (operand, Location::Immediate(Operand::Constant(1))),
            [operand, by] => (operand, self.location(by, Width::W8)?),
            _ => return Err(self.refuse(&format!("the operands of `{}`", instruction.text))),
        };
        let location = self.location(operand, width)?;
        let mask = if width == Width::W64 { 63 } else { 31 };
        let by = match by {
            Location::Immediate(Operand::Constant(by)) => Operand::Constant(by & mask),
            Location::Register(Storage::Family(Family::C), Part::Low(_)) => {
                let by = self.value(by, Width::W8);
                let by =
                    (self.coder.body).binary(Binary::And, Width::W8, by, Operand::Constant(mask));
                self.coder.body.resize(width, by)
            }
            _ => return Err(self.refuse(&format!("the operands of `{}`", instruction.text))),
        };
        let value = self.value(location, width);
        let result = self.shifted(shift, width, value, by);
        let is_read = Flag::ALL.into_iter().any(|flag| self.needs(flag));
        match by {
            Operand::Constant(by) => self.shift_flags(shift, width, by, value, result),
            _ if is_read => return Err(self.refuse("flags of a shift by what is no constant")),
            _ => {}
        }
        self.put(location, width, result)
    }

    fn shifted(&mut self, shift: Shift, width: Width, value: Operand, by: Operand) -> Operand {
        let highest = Operand::Constant(u64::from(width.bits()) - 1);
        let body = &mut self.coder.body;
        match shift {
            Shift::Left => body.binary(Binary::Shl, width, value, by),
            Shift::Right => body.binary(Binary::Shr, width, value, by),
            Shift::Arithmetic => {
                // Where all bits are shifted out the sign is left.
                let fits = body.binary(Binary::Ult, width, by, highest);
                let by = body.select(width, fits, by, highest);
                body.binary(Binary::Sar, width, value, by)
            }
            Shift::RotateLeft | Shift::RotateRight => {
                let by = body.binary(Binary::And, width, by, highest);
                let back = body.binary(Binary::Sub, width, Operand::Constant(0), by);
                let back = body.binary(Binary::And, width, back, highest);
                let (left, right) = match shift {
                    Shift::RotateLeft => (by, back),
                    _ => (back, by),
                };
                let left = body.binary(Binary::Shl, width, value, left);
                let right = body.binary(Binary::Shr, width, value, right);
                body.binary(Binary::Or, width, left, right)
            }
        }
    }

    /// Sets the flags as a shift by a known number of bits does; one by none leaves them.
    fn shift_flags(
        &mut self,
        shift: Shift,
        width: Width,
        by: u64,
        value: Operand,
        result: Operand,
    ) {
        let bits = u64::from(width.bits());
        if by == 0 {
            return;
        }
        let rotates = matches!(shift, Shift::RotateLeft | Shift::RotateRight);
        let (from, bit) = match shift {
            Shift::Left => (value, bits.checked_sub(by)),
            Shift::Right => (value, Some(by - 1).filter(|bit| *bit < bits)),
            Shift::Arithmetic => (value, Some((by - 1).min(bits - 1))),
            Shift::RotateLeft => (result, Some(0)),
            Shift::RotateRight => (result, Some(bits - 1)),
        };
        match bit {
            Some(bit) => self.set_to(Flag::Carry, |this| this.bit(width, from, bit)),
            None => self.undefine(&[Flag::Carry]),
        }
        if by == 1 {
            self.set_to(Flag::Overflow, |this| {
                let top = this.highest(width, result);
                let other = match shift {
                    Shift::Left => this.highest(width, value),
                    Shift::Right => return this.highest(width, value),
                    Shift::Arithmetic => return Operand::Constant(0),
                    Shift::RotateLeft => this.bit(width, result, 0),
                    Shift::RotateRight => this.bit(width, result, bits - 2),
                };
                this.coder.body.binary(Binary::Xor, Width::BIT, top, other)
            });
        } else {
            self.undefine(&[Flag::Overflow]);
        }
        if !rotates {
            self.set_result(width, result);
        }
    }

    fn bit(&mut self, width: Width, word: Operand, bit: u64) -> Operand {
        let moved = (self.coder.body).binary(Binary::Shr, width, word, Operand::Constant(bit));
        self.coder.body.resize(Width::BIT, moved)
    }

    /// `bt` and its like. A bit that a register numbers may be anywhere in memory, one that a constant numbers is in the operand.
    fn bit_test(&mut self, instruction: &Instruction, test: BitTest) -> Lowered<()> {
        let width = self.known_width(instruction)?;
        let [operand, number] = self.exactly(instruction)?;
        let mut location = self.location(operand, width)?;
        let number = match self.location(number, width) {
            Ok(location) if !matches!(location, Location::Memory(_)) => location,
            Ok(_) => return Err(self.refuse(&format!("the operands of `{}`", instruction.text))),
            Err(error) => return Err(error),
        };
        let word = self.value(number, width);
        let body = &mut self.coder.body;
        let highest = Operand::Constant(u64::from(width.bits()) - 1);
        let bit = body.binary(Binary::And, width, word, highest);
        if let (Location::Memory(address), Location::Register(..)) = (location, number) {
            let words = Operand::Constant(u64::from(width.bits().trailing_zeros()));
            let words = body.binary(Binary::Sar, width, word, words);
            let words = body.sign_extend(width, Width::W64, words);
            let bytes = Operand::Constant(width.bytes().into());
            let bytes = body.binary(Binary::Mul, Width::W64, words, bytes);
            location = Location::Memory(body.binary(Binary::Add, Width::W64, address, bytes));
        }
        let mask = body.binary(Binary::Shl, width, Operand::Constant(1), bit);
        let ones = Operand::Constant(width.truncate(u64::MAX));
        let others = body.binary(Binary::Xor, width, mask, ones);
        let (update, binary, by) = match test {
            BitTest::Keep | BitTest::Set => (UpdateOp::Or, Binary::Or, mask),
            BitTest::Reset => (UpdateOp::And, Binary::And, others),
            BitTest::Complement => (UpdateOp::Xor, Binary::Xor, mask),
        };
        let old = match (instruction.locked, location) {
            (true, Location::Memory(address)) => self.locked(update, address, width, by),
            (true, _) => return Err(self.refuse("`lock` of what is not in memory")),
            (false, _) => self.value(location, width),
        };
        let old = self.keep(width, old);
        self.set_to(Flag::Carry, |this| {
            let moved = this.coder.body.binary(Binary::Shr, width, old, bit);
            this.coder.body.resize(Width::BIT, moved)
        });
        // What becomes of the zero flag is not said for every processor.
        self.undefine(&[Flag::Zero, Flag::Sign, Flag::Overflow, Flag::Parity]);
        if instruction.locked || test == BitTest::Keep {
            return Ok(());
        }
        let new = self.coder.body.binary(binary, width, old, by);
        self.put(location, width, new)
    }

    fn source(&mut self, instruction: &Instruction) -> Lowered<(Width, Location, Operand)> {
        let width = self.known_width(instruction)?;
        let (to, from) = self.two(instruction, width)?;
        if width == Width::W8 || !matches!(to, Location::Register(..)) {
            return Err(self.refuse(&format!("the operands of `{}`", instruction.text)));
        }
        Ok((width, to, self.value(from, width)))
    }

    fn scan(&mut self, instruction: &Instruction, reverse: bool) -> Lowered<()> {
        let (width, to, value) = self.source(instruction)?;
        let zero = Operand::Constant(0);
        let body = &mut self.coder.body;
        let found = match reverse {
            false => body.unary(Unary::TrailingZeros, width, value),
            true => {
                let zeros = body.unary(Unary::LeadingZeros, width, value);
                let highest = Operand::Constant(u64::from(width.bits()) - 1);
                body.binary(Binary::Sub, width, highest, zeros)
            }
        };
        let none = body.binary(Binary::Eq, width, value, zero);
        let nothing = body.undefined(width);
        let found = body.select(width, none, nothing, found);
        self.set(Flag::Zero, none);
        self.undefine(&[Flag::Carry, Flag::Sign, Flag::Overflow, Flag::Parity]);
        self.put(to, width, found)
    }

    fn count(&mut self, instruction: &Instruction, count: Count) -> Lowered<()> {
        let (width, to, value) = self.source(instruction)?;
        let zero = Operand::Constant(0);
        let operation = match count {
            Count::Ones => Unary::CountOnes,
            Count::TrailingZeros => Unary::TrailingZeros,
            Count::LeadingZeros => Unary::LeadingZeros,
        };
        let body = &mut self.coder.body;
        let counted = body.unary(operation, width, value);
        let none = body.binary(Binary::Eq, width, value, zero);
        let is_zero = body.binary(Binary::Eq, width, counted, zero);
        if count == Count::Ones {
            self.set(Flag::Zero, none);
            for flag in [Flag::Carry, Flag::Sign, Flag::Overflow, Flag::Parity] {
                self.set(flag, zero);
            }
        } else {
            self.set(Flag::Carry, none);
            self.set(Flag::Zero, is_zero);
            self.undefine(&[Flag::Sign, Flag::Overflow, Flag::Parity]);
        }
        self.put(to, width, counted)
    }
}
