//! Flags: one register of one bit for each that somebody asks for.

use super::Assembler;
use crate::llvm::asm::constraints::Class;
use crate::llvm::asm::instructions::{Condition, Flag, Test};
use program::{Binary, Expression, Operand, Unary, Width};

impl Assembler<'_, '_, '_> {
    /// Makes registers of the flags that the text or an output asks for. They are undefined until an instruction sets them.
    pub fn make_flags(&mut self) {
        for flag in Flag::ALL {
            if self.is_read(flag) {
                let body = &mut self.coder.body;
                let register = body.register(Width::BIT);
                let nothing = body.undefined(Width::BIT);
                body.assign(register, Expression::Copy(nothing));
                self.flags[flag as usize] = Some(register);
            }
        }
    }

    fn is_read(&self, flag: Flag) -> bool {
        let mut outputs = self.constraints.operands.iter();
        self.instructions()
            .any(|instruction| instruction.operation.reads(flag))
            || outputs.any(|output| match output.class {
                Class::Flag(condition) => condition.reads(flag),
                _ => false,
            })
    }

    /// Whether somebody asks for a flag.
    pub fn needs(&self, flag: Flag) -> bool {
        self.flags[flag as usize].is_some()
    }

    /// Sets a flag.
    pub fn set(&mut self, flag: Flag, value: Operand) {
        if let Some(register) = self.flags[flag as usize] {
            self.coder.body.assign(register, Expression::Copy(value));
        }
    }

    /// Sets a flag to what is worked out only if somebody asks for it.
    pub fn set_to(&mut self, flag: Flag, value: impl FnOnce(&mut Self) -> Operand) {
        if self.needs(flag) {
            let value = value(self);
            self.set(flag, value);
        }
    }

    /// Leaves flags without a defined value, as the processor may.
    pub fn undefine(&mut self, flags: &[Flag]) {
        for flag in flags {
            self.set_to(*flag, |this| this.coder.body.undefined(Width::BIT));
        }
    }

    /// A flag's value.
    pub fn flag(&mut self, flag: Flag) -> Operand {
        match self.flags[flag as usize] {
            Some(register) => register.into(),
            None => self.coder.body.undefined(Width::BIT),
        }
    }

    /// Whether a condition holds.
    pub fn condition(&mut self, condition: Condition) -> Operand {
        let bit = Width::BIT;
        let holds = match condition.test {
            Test::Flag(flag) => self.flag(flag),
            Test::BelowOrEqual => {
                let (carry, zero) = (self.flag(Flag::Carry), self.flag(Flag::Zero));
                self.coder.body.binary(Binary::Or, bit, carry, zero)
            }
            Test::Less => self.less(),
            Test::LessOrEqual => {
                let (less, zero) = (self.less(), self.flag(Flag::Zero));
                self.coder.body.binary(Binary::Or, bit, less, zero)
            }
        };
        match condition.wanted {
            // The flag may change before the value is used.
            true => self
                .coder
                .body
                .binary(Binary::Ne, bit, holds, Operand::Constant(0)),
            false => self.coder.body.not(holds),
        }
    }

    fn less(&mut self) -> Operand {
        let (sign, overflow) = (self.flag(Flag::Sign), self.flag(Flag::Overflow));
        self.coder
            .body
            .binary(Binary::Xor, Width::BIT, sign, overflow)
    }

    /// Sets the flags that a result alone decides.
    pub fn set_result(&mut self, width: Width, result: Operand) {
        let zero = Operand::Constant(0);
        self.set_to(Flag::Zero, |this| {
            this.coder.body.binary(Binary::Eq, width, result, zero)
        });
        self.set_to(Flag::Sign, |this| {
            this.coder.body.binary(Binary::Slt, width, result, zero)
        });
        self.set_to(Flag::Parity, |this| {
            let body = &mut this.coder.body;
            let low = body.resize(Width::W8, result);
            let ones = body.unary(Unary::CountOnes, Width::W8, low);
            let odd = body.resize(Width::BIT, ones);
            body.not(odd)
        });
    }

    /// The highest bit of a word.
    pub fn highest(&mut self, width: Width, word: Operand) -> Operand {
        (self.coder.body).binary(Binary::Slt, width, word, Operand::Constant(0))
    }
}
