//! What operations compute, as terms.

use super::{Builder, NoTraces};
use crate::partition::term::{Term, is_known};
use program::{Binary, Expression, Operand, UpdateOp, Width};

impl Builder<'_> {
    pub(super) fn operand(&mut self, operand: &Operand, registers: &[Term]) -> Term {
        match *operand {
            Operand::Register(register) => registers[register.index()],
            Operand::Constant(word) => self.terms.constant(word, Width::W64),
            Operand::Address(address) => self.terms.constant(address.to_word(), Width::W64),
        }
    }

    pub(super) fn expression(
        &mut self,
        expression: &Expression,
        operands: &[Term],
        target: Width,
    ) -> Result<Term, NoTraces> {
        let terms = &mut *self.terms;
        let value = match *expression {
            Expression::Copy(_) => operands[0],
            Expression::SignExtend(from, _) => {
                let low = terms.resize(operands[0], from);
                terms.sign_extend(low, Width::W64)
            }
            Expression::Binary(operation, width, ..) if is_known(operation) => {
                let (a, b) = (
                    terms.resize(operands[0], width),
                    terms.resize(operands[1], width),
                );
                terms.binary(operation, a, b)
            }
            Expression::Select(..) => {
                let condition = terms.is_true(operands[0]);
                let (a, b) = (
                    terms.resize(operands[1], target),
                    terms.resize(operands[2], target),
                );
                terms.select(condition, a, b)
            }
            Expression::Unary(..)
            | Expression::Convert(..)
            | Expression::Binary(..)
            | Expression::Own(_) => {
                return Err(NoTraces::Unsupported);
            }
        };
        Ok(terms.resize(value, target))
    }

    pub(super) fn updated(
        &mut self,
        operation: UpdateOp,
        old: Term,
        operand: Term,
    ) -> Result<Term, NoTraces> {
        let terms = &mut *self.terms;
        let mut pick = |less: Binary, a: Term, b: Term| {
            let condition = terms.binary(less, a, b);
            terms.select(condition, old, operand)
        };
        let binary = match operation {
            UpdateOp::Exchange => return Ok(operand),
            UpdateOp::Add => Binary::Add,
            UpdateOp::Sub => Binary::Sub,
            UpdateOp::And => Binary::And,
            UpdateOp::Or => Binary::Or,
            UpdateOp::Xor => Binary::Xor,
            UpdateOp::Max => return Ok(pick(Binary::Slt, operand, old)),
            UpdateOp::Min => return Ok(pick(Binary::Slt, old, operand)),
            UpdateOp::Umax => return Ok(pick(Binary::Ult, operand, old)),
            UpdateOp::Umin => return Ok(pick(Binary::Ult, old, operand)),
            _ => return Err(NoTraces::Unsupported),
        };
        Ok(terms.binary(binary, old, operand))
    }
}
