//! Division of integers of 65 to 128 bits: a function of the program, made once and on
//! demand, that divides bit by bit.

use super::Lowering;
use super::body::Body;
use program::{
    Binary, Callee, Expression, InstructionKind as Kind, Operand, RegisterId, Terminator, Width,
};

/// Functions that divide.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Divider {
    /// Quotient and remainder of unsigned integers of 128 bits.
    Unsigned,
}

const WORD: Width = Width::W64;
const PAIR: [Width; 2] = [WORD, WORD];

impl Lowering<'_> {
    fn divider(&mut self) -> program::FunctionId {
        if let Some(known) = self.dividers.get(&Divider::Unsigned) {
            return *known;
        }
        let id = program::FunctionId::from(self.functions.len());
        let name = self.function_names.unique("divide_i128");
        self.functions.push(Some(divide(name)));
        self.dividers.insert(Divider::Unsigned, id);
        id
    }

    /// Quotient and remainder of unsigned integers of 128 bits.
    pub fn divide(
        &mut self,
        body: &mut Body,
        a: &[Operand],
        b: &[Operand],
    ) -> (Vec<Operand>, Vec<Operand>) {
        let callee = Callee::Function(self.divider());
        let targets: Vec<_> = (0..4).map(|_| body.register(WORD)).collect();
        let parts: Vec<_> = targets.iter().copied().map(Operand::Register).collect();
        body.push(Kind::Call {
            targets,
            callee,
            arguments: [a, b].concat(),
        });
        (parts[..2].to_vec(), parts[2..].to_vec())
    }
}

fn divide(name: String) -> program::Function {
    let mut body = Body::default();
    let names = ["a_low", "a_high", "b_low", "b_high"];
    let parameters = names.map(|name| body.named_register(name, WORD));
    let [a, b] = [[0, 1], [2, 3]].map(|pair| pair.map(|index: usize| parameters[index]));
    let q = ["quotient_low", "quotient_high"].map(|name| body.named_register(name, WORD));
    let r = ["remainder_low", "remainder_high"].map(|name| body.named_register(name, WORD));
    let bits = body.named_register("bits", WORD);
    let values = |pair: [RegisterId; 2]| pair.map(Operand::Register);
    let [entry, small, start, step, done] =
        ["entry", "small", "start", "step", "done"].map(|label| body.block(label));

    body.enter(entry);
    let high = body.binary(Binary::Or, WORD, a[1].into(), b[1].into());
    body.finish(Terminator::Branch {
        condition: high,
        then: start,
        otherwise: small,
    });

    // Also where both are zero: the machine reports it.
    body.enter(small);
    for (target, operation) in [(q, Binary::Udiv), (r, Binary::Urem)] {
        let value = Expression::Binary(operation, WORD, a[0].into(), b[0].into());
        body.assign(target[0], value);
        body.assign(target[1], Expression::Copy(Operand::Constant(0)));
    }
    body.finish(Terminator::Jump(done));

    body.enter(start);
    let any = body.binary(Binary::Or, WORD, b[0].into(), b[1].into());
    body.binary(Binary::Udiv, WORD, Operand::Constant(1), any);
    for register in [q[0], q[1], r[0], r[1]] {
        body.assign(register, Expression::Copy(Operand::Constant(0)));
    }
    body.assign(bits, Expression::Copy(Operand::Constant(128)));
    body.finish(Terminator::Jump(step));

    body.enter(step);
    let one = Operand::Constant(1);
    let top = body.binary(Binary::Shr, WORD, a[1].into(), Operand::Constant(63));
    let rest = body.wide_shl(&PAIR, &values(r), one);
    let low = body.binary(Binary::Or, WORD, rest[0], top);
    let rest = [low, rest[1]];
    let dividend = body.wide_shl(&PAIR, &values(a), one);
    let quotient = body.wide_shl(&PAIR, &values(q), one);
    let less = body.wide_less(false, &PAIR, &rest, &values(b));
    let reduced = body.wide_sub(&PAIR, &rest, &values(b));
    let digit = body.binary(Binary::Or, WORD, quotient[0], one);
    for index in 0..2 {
        let rest = Expression::Select(less, rest[index], reduced[index]);
        body.assign(r[index], rest);
        body.assign(a[index], Expression::Copy(dividend[index]));
    }
    body.assign(q[0], Expression::Select(less, quotient[0], digit));
    body.assign(q[1], Expression::Copy(quotient[1]));
    let left = Expression::Binary(Binary::Sub, WORD, bits.into(), one);
    body.assign(bits, left);
    body.finish(Terminator::Branch {
        condition: bits.into(),
        then: step,
        otherwise: done,
    });

    body.enter(done);
    let results = [q[0], q[1], r[0], r[1]].map(Operand::Register);
    body.finish(Terminator::Return(results.to_vec()));
    body.into_function(name, 4)
}
