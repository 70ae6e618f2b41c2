//! Flags: what arithmetic leaves in `ZF SF CF OF PF`, and what conditions read.
//!
//! Every flag is written explicitly; those that nothing reads go away with the
//! other dead writes at the end.

use super::mnemonics::{Condition, Flags};
use crate::litmus::code::Code;
use program::{Binary, Expression, Operand, RegisterId, Width, Word};

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

fn flag(code: &mut Code, name: &str) -> RegisterId {
    code.register(name, Width::BIT)
}

fn set(code: &mut Code, name: &str, operation: Binary, width: Width, a: Operand, b: Operand) {
    let target = flag(code, name);
    code.assign(target, Expression::Binary(operation, width, a, b));
}

/// Sets the flags as `computation` on `a` and `b` does.
pub fn set_flags(code: &mut Code, computation: Computation, width: Width, a: Operand, b: Operand) {
    let result: Operand = code.binary(computation.operation(), width, a, b).into();
    let subtracts = computation == Computation::Subtract;
    match subtracts {
        true => set(code, "ZF", Binary::Eq, width, a, b),
        false => set(code, "ZF", Binary::Eq, width, result, ZERO),
    }
    set(code, "SF", Binary::Slt, width, result, ZERO);
    carry(code, computation, width, a, b, result);
    overflow(code, computation, width, a, b, result);
    parity(code, result);
}

fn carry(
    code: &mut Code,
    computation: Computation,
    width: Width,
    a: Operand,
    b: Operand,
    result: Operand,
) {
    match computation {
        Computation::Add => set(code, "CF", Binary::Ult, width, result, a),
        Computation::Subtract => set(code, "CF", Binary::Ult, width, a, b),
        Computation::Logic(_) => {
            let target = flag(code, "CF");
            code.assign(target, Expression::Copy(ZERO));
        }
        Computation::Increment | Computation::Decrement => {}
    }
}

fn overflow(
    code: &mut Code,
    computation: Computation,
    width: Width,
    a: Operand,
    b: Operand,
    result: Operand,
) {
    let smallest: Word = 1 << (width.bits() - 1);
    match computation {
        // The result has another sign than both operands.
        Computation::Add => {
            let from_a = code.binary(Binary::Xor, width, result, a);
            let from_b = code.binary(Binary::Xor, width, result, b);
            let both: Operand = code.binary(Binary::And, width, from_a, from_b).into();
            set(code, "OF", Binary::Slt, width, both, ZERO);
        }
        // The sign does not tell which operand is the smaller.
        Computation::Subtract => {
            let less: Operand = code.binary(Binary::Slt, width, a, b).into();
            let sign: Operand = flag(code, "SF").into();
            set(code, "OF", Binary::Xor, Width::BIT, sign, less);
        }
        Computation::Increment => {
            let wrapped = Operand::Constant(smallest);
            set(code, "OF", Binary::Eq, width, result, wrapped);
        }
        Computation::Decrement => {
            let wrapped = Operand::Constant(smallest - 1);
            set(code, "OF", Binary::Eq, width, result, wrapped);
        }
        Computation::Logic(_) => {
            let target = flag(code, "OF");
            code.assign(target, Expression::Copy(ZERO));
        }
    }
}

/// `PF` is set if the lowest byte has an even number of ones.
fn parity(code: &mut Code, result: Operand) {
    let mut folded = result;
    for distance in [4, 2, 1] {
        let by = Operand::Constant(distance);
        let shifted = code.binary(Binary::Shr, Width::W8, folded, by);
        folded = code.binary(Binary::Xor, Width::W8, folded, shifted).into();
    }
    let ones: Operand = code.binary(Binary::And, Width::W8, folded, ONE).into();
    set(code, "PF", Binary::Eq, Width::W8, ones, ZERO);
}

/// The bit that says whether a condition holds.
pub fn condition(code: &mut Code, condition: Condition) -> Operand {
    let bit = Width::BIT;
    let [zero, sign, carry, overflow, parity] =
        ["ZF", "SF", "CF", "OF", "PF"].map(|name| Operand::from(flag(code, name)));
    let holds = match condition.test {
        Flags::Overflow => overflow,
        Flags::Below => carry,
        Flags::Equal => zero,
        Flags::BelowOrEqual => code.binary(Binary::Or, bit, carry, zero).into(),
        Flags::Sign => sign,
        Flags::Parity => parity,
        Flags::Less => code.binary(Binary::Xor, bit, sign, overflow).into(),
        Flags::LessOrEqual => {
            let less = code.binary(Binary::Xor, bit, sign, overflow);
            code.binary(Binary::Or, bit, less, zero).into()
        }
    };
    match condition.negated {
        true => code.binary(Binary::Xor, bit, holds, ONE).into(),
        false => holds,
    }
}
