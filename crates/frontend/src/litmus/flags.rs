//! Condition codes: what arithmetic leaves in them, and what conditions read.
//!
//! X86 and SPARC have the same four, under other names, with the same rules;
//! X86 has parity, too. Every one is written explicitly; those that nothing
//! reads go away with the other dead writes at the end.

use super::code::Code;
use program::{Binary, Expression, Operand, RegisterId, Width, Word};

/// The names of the condition codes, each a register of one bit.
pub struct Flags {
    pub zero: &'static str,
    pub sign: &'static str,
    pub carry: &'static str,
    pub overflow: &'static str,
    pub parity: Option<&'static str>,
}

/// A test of condition codes, or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    pub test: Test,
    pub negated: bool,
}

/// The tests of condition codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Overflow,
    Below,
    Equal,
    BelowOrEqual,
    Sign,
    /// Only X86 has it.
    Parity,
    Less,
    LessOrEqual,
}

/// A computation that sets flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computation {
    Add,
    Subtract,
    /// And, or, exclusive or.
    Logic(Binary),
    /// Like an addition of 1 that leaves the carry alone.
    Increment,
    /// Like a subtraction of 1 that leaves the carry alone.
    Decrement,
}

impl Computation {
    /// The operation on the values.
    pub fn operation(self) -> Binary {
        match self {
            Computation::Add | Computation::Increment => Binary::Add,
            Computation::Subtract | Computation::Decrement => Binary::Sub,
            Computation::Logic(operation) => operation,
        }
    }
}

const ZERO: Operand = Operand::Constant(0);
const ONE: Operand = Operand::Constant(1);

impl Flags {
    /// Sets the flags as `computation` on `a` and `b` does.
    pub fn set(
        &self,
        code: &mut Code,
        computation: Computation,
        width: Width,
        a: Operand,
        b: Operand,
    ) {
        let result: Operand = code.binary(computation.operation(), width, a, b).into();
        match computation {
            Computation::Subtract => compare(code, self.zero, Binary::Eq, width, a, b),
            _ => compare(code, self.zero, Binary::Eq, width, result, ZERO),
        }
        compare(code, self.sign, Binary::Slt, width, result, ZERO);
        match computation {
            Computation::Add => compare(code, self.carry, Binary::Ult, width, result, a),
            Computation::Subtract => compare(code, self.carry, Binary::Ult, width, a, b),
            Computation::Logic(_) => clear(code, self.carry),
            Computation::Increment | Computation::Decrement => {}
        }
        self.set_overflow(code, computation, width, [a, b, result]);
        if let Some(parity) = self.parity {
            set_parity(code, parity, result);
        }
    }

    fn set_overflow(
        &self,
        code: &mut Code,
        computation: Computation,
        width: Width,
        [a, b, result]: [Operand; 3],
    ) {
        let smallest: Word = 1 << (width.bits() - 1);
        match computation {
            // The result has another sign than both operands.
            Computation::Add => {
                let from_a = code.binary(Binary::Xor, width, result, a);
                let from_b = code.binary(Binary::Xor, width, result, b);
                let both: Operand = code.binary(Binary::And, width, from_a, from_b).into();
                compare(code, self.overflow, Binary::Slt, width, both, ZERO);
            }
            // The sign does not tell which operand is the smaller.
            Computation::Subtract => {
                let less: Operand = code.binary(Binary::Slt, width, a, b).into();
                let sign: Operand = flag(code, self.sign).into();
                compare(code, self.overflow, Binary::Xor, Width::BIT, sign, less);
            }
            Computation::Increment => {
                let wrapped = Operand::Constant(smallest);
                compare(code, self.overflow, Binary::Eq, width, result, wrapped);
            }
            Computation::Decrement => {
                let wrapped = Operand::Constant(smallest - 1);
                compare(code, self.overflow, Binary::Eq, width, result, wrapped);
            }
            Computation::Logic(_) => clear(code, self.overflow),
        }
    }

    /// The bit that says whether a condition holds.
    pub fn condition(&self, code: &mut Code, condition: Condition) -> Operand {
        let bit = Width::BIT;
        let holds: Operand = match condition.test {
            Test::Overflow => flag(code, self.overflow).into(),
            Test::Below => flag(code, self.carry).into(),
            Test::Equal => flag(code, self.zero).into(),
            Test::Sign => flag(code, self.sign).into(),
            Test::Parity => flag(code, self.parity.unwrap_or_default()).into(),
            Test::BelowOrEqual => {
                let [carry, zero] = [self.carry, self.zero].map(|name| flag(code, name));
                code.binary(Binary::Or, bit, carry, zero).into()
            }
            Test::Less => self.less(code).into(),
            Test::LessOrEqual => {
                let (less, zero) = (self.less(code), flag(code, self.zero));
                code.binary(Binary::Or, bit, less, zero).into()
            }
        };
        match condition.negated {
            true => code.binary(Binary::Xor, bit, holds, ONE).into(),
            false => holds,
        }
    }

    fn less(&self, code: &mut Code) -> RegisterId {
        let [sign, overflow] = [self.sign, self.overflow].map(|name| flag(code, name));
        code.binary(Binary::Xor, Width::BIT, sign, overflow)
    }
}

fn flag(code: &mut Code, name: &str) -> RegisterId {
    code.register(name, Width::BIT)
}

fn clear(code: &mut Code, name: &str) {
    let target = flag(code, name);
    code.assign(target, Expression::Copy(ZERO));
}

fn compare(code: &mut Code, name: &str, operation: Binary, width: Width, a: Operand, b: Operand) {
    let target = flag(code, name);
    code.assign(target, Expression::Binary(operation, width, a, b));
}

/// Parity is set if the lowest byte has an even number of ones.
fn set_parity(code: &mut Code, name: &str, result: Operand) {
    let mut folded = result;
    for distance in [4, 2, 1] {
        let by = Operand::Constant(distance);
        let shifted = code.binary(Binary::Shr, Width::W8, folded, by);
        folded = code.binary(Binary::Xor, Width::W8, folded, shifted).into();
    }
    let ones: Operand = code.binary(Binary::And, Width::W8, folded, ONE).into();
    compare(code, name, Binary::Eq, Width::W8, ones, ZERO);
}
