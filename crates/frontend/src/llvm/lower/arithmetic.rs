//! Arithmetic, comparisons and conversions, element by element.

use super::functions::{Coder, Lowered};
use crate::llvm::{BinaryOperation, CastOperation, FloatPredicate, IntegerPredicate, Type, TypeId};
use program::{Binary, Conversion, Expression, Operand, Unary, Width};

/// 2^64 as a double and as a float.
const TWO_TO_64: [u64; 2] = [0x43F0_0000_0000_0000, 0x5F80_0000];

impl Coder<'_, '_> {
    /// The number of elements of a vector, and the widths of one.
    pub fn lanes(&mut self, value_type: TypeId) -> Lowered<(usize, TypeId, Vec<Width>)> {
        let (count, element) = self.lowering.types.lanes(value_type);
        let widths = self.widths(element)?;
        Ok((count, element, widths))
    }

    pub fn binary(
        &mut self,
        operation: BinaryOperation,
        value_type: TypeId,
        left: &[Operand],
        right: &[Operand],
    ) -> Lowered<Vec<Operand>> {
        let (_, _, widths) = self.lanes(value_type)?;
        let size = widths.len().max(1);
        let mut parts = Vec::with_capacity(left.len());
        for (a, b) in left.chunks(size).zip(right.chunks(size)) {
            match widths[..] {
                [width] => {
                    let operation = binary_of(operation);
                    parts.push(self.body.binary(operation, width, a[0], b[0]));
                }
                _ => parts.extend(self.wide_binary(operation, &widths, a, b)?),
            }
        }
        Ok(parts)
    }

    fn wide_binary(
        &mut self,
        operation: BinaryOperation,
        widths: &[Width],
        a: &[Operand],
        b: &[Operand],
    ) -> Lowered<Vec<Operand>> {
        use BinaryOperation::*;
        let body = &mut self.body;
        let pair = widths.len() == 2;
        Ok(match operation {
            Add => body.wide_add(widths, a, b),
            Sub => body.wide_sub(widths, a, b),
            And => body.wide_bitwise(Binary::And, widths, a, b),
            Or => body.wide_bitwise(Binary::Or, widths, a, b),
            Xor => body.wide_bitwise(Binary::Xor, widths, a, b),
            ShiftLeft => body.wide_shl(widths, a, b[0]),
            LogicalShiftRight => {
                let moved = body.wide_shr(a, b[0]);
                body.wide_resize(widths, &moved)
            }
            ArithmeticShiftRight => body.wide_sar(widths, a, b[0]),
            Multiply if pair => body.wide_mul(widths, a, b),
            UnsignedDivide if pair => self.wide_divide(widths, a, b, false).0,
            UnsignedRemainder if pair => self.wide_divide(widths, a, b, false).1,
            SignedDivide if pair => self.wide_divide(widths, a, b, true).0,
            SignedRemainder if pair => self.wide_divide(widths, a, b, true).1,
            _ => {
                let what = format!("`{}` of integers this wide", operation.name());
                return Err(self.refuse(&what));
            }
        })
    }

    /// Quotient and remainder of integers of two words.
    fn wide_divide(
        &mut self,
        widths: &[Width],
        a: &[Operand],
        b: &[Operand],
        signed: bool,
    ) -> (Vec<Operand>, Vec<Operand>) {
        let pair = [Width::W64; 2];
        let body = &mut self.body;
        if !signed {
            let (q, r) = self.lowering.divide(body, a, b);
            return (body.wide_resize(widths, &q), body.wide_resize(widths, &r));
        }
        let a = body.wide_sign_extend(widths, &pair, a);
        let b = body.wide_sign_extend(widths, &pair, b);
        let (x, a_negative) = body.wide_absolute(&a);
        let (y, b_negative) = body.wide_absolute(&b);
        let (q, r) = self.lowering.divide(body, &x, &y);
        let differ = body.binary(Binary::Xor, Width::BIT, a_negative, b_negative);
        let q = body.wide_negate_if(differ, &q);
        let r = body.wide_negate_if(a_negative, &r);
        (body.wide_resize(widths, &q), body.wide_resize(widths, &r))
    }

    pub fn float_negate(&mut self, value_type: TypeId, parts: &[Operand]) -> Lowered<Vec<Operand>> {
        self.unary(Unary::Fneg, value_type, parts)
    }

    /// A unary operation on each element.
    pub fn unary(
        &mut self,
        operation: Unary,
        value_type: TypeId,
        parts: &[Operand],
    ) -> Lowered<Vec<Operand>> {
        let widths = self.widths(value_type)?;
        let parts = widths.iter().zip(parts);
        Ok(parts
            .map(|(width, part)| self.body.unary(operation, *width, *part))
            .collect())
    }

    pub fn compare(
        &mut self,
        predicate: IntegerPredicate,
        value_type: TypeId,
        left: &[Operand],
        right: &[Operand],
    ) -> Lowered<Vec<Operand>> {
        use IntegerPredicate::*;
        let (_, _, widths) = self.lanes(value_type)?;
        let size = widths.len().max(1);
        let swap = matches!(
            predicate,
            UnsignedGreater | UnsignedGreaterEqual | SignedGreater | SignedGreaterEqual
        );
        let mut parts = Vec::new();
        for (a, b) in left.chunks(size).zip(right.chunks(size)) {
            let (a, b) = if swap { (b, a) } else { (a, b) };
            let operation = match predicate {
                Equal => Binary::Eq,
                NotEqual => Binary::Ne,
                UnsignedGreater | UnsignedLess => Binary::Ult,
                UnsignedGreaterEqual | UnsignedLessEqual => Binary::Ule,
                SignedGreater | SignedLess => Binary::Slt,
                SignedGreaterEqual | SignedLessEqual => Binary::Sle,
            };
            parts.push(match widths[..] {
                [width] => self.body.binary(operation, width, a[0], b[0]),
                _ => self.wide_compare(operation, &widths, a, b),
            });
        }
        Ok(parts)
    }

    fn wide_compare(
        &mut self,
        operation: Binary,
        widths: &[Width],
        a: &[Operand],
        b: &[Operand],
    ) -> Operand {
        let body = &mut self.body;
        match operation {
            Binary::Eq => body.wide_equal(widths, a, b),
            Binary::Ult => body.wide_less(false, widths, a, b),
            Binary::Slt => body.wide_less(true, widths, a, b),
            Binary::Ne => {
                let equal = body.wide_equal(widths, a, b);
                body.not(equal)
            }
            _ => {
                let signed = operation == Binary::Sle;
                let greater = body.wide_less(signed, widths, b, a);
                body.not(greater)
            }
        }
    }

    pub fn float_compare(
        &mut self,
        predicate: FloatPredicate,
        value_type: TypeId,
        left: &[Operand],
        right: &[Operand],
    ) -> Lowered<Vec<Operand>> {
        use Binary::{Feq, Fle, Flt, Funordered};
        use FloatPredicate::*;
        let widths = self.widths(value_type)?;
        let body = &mut self.body;
        let mut parts = Vec::with_capacity(left.len());
        for (index, width) in widths.iter().enumerate() {
            let (a, b) = (left[index], right[index]);
            let mut test = |operation, a, b| body.binary(operation, *width, a, b);
            parts.push(match predicate {
                False => Operand::Constant(0),
                True => Operand::Constant(1),
                OrderedEqual => test(Feq, a, b),
                OrderedGreater => test(Flt, b, a),
                OrderedGreaterEqual => test(Fle, b, a),
                OrderedLess => test(Flt, a, b),
                OrderedLessEqual => test(Fle, a, b),
                Unordered => test(Funordered, a, b),
                OrderedNotEqual => {
                    let (less, greater) = (test(Flt, a, b), test(Flt, b, a));
                    body.binary(Binary::Or, Width::BIT, less, greater)
                }
                UnorderedEqual => {
                    let (unordered, equal) = (test(Funordered, a, b), test(Feq, a, b));
                    body.binary(Binary::Or, Width::BIT, unordered, equal)
                }
                Ordered => {
                    let unordered = test(Funordered, a, b);
                    body.not(unordered)
                }
                UnorderedGreater => {
                    let other = test(Fle, a, b);
                    body.not(other)
                }
                UnorderedGreaterEqual => {
                    let other = test(Flt, a, b);
                    body.not(other)
                }
                UnorderedLess => {
                    let other = test(Fle, b, a);
                    body.not(other)
                }
                UnorderedLessEqual => {
                    let other = test(Flt, b, a);
                    body.not(other)
                }
                UnorderedNotEqual => {
                    let equal = test(Feq, a, b);
                    body.not(equal)
                }
            });
        }
        Ok(parts)
    }

    pub fn choose(
        &mut self,
        value_type: TypeId,
        condition: &[Operand],
        a: &[Operand],
        b: &[Operand],
    ) -> Lowered<Vec<Operand>> {
        let widths = self.widths(value_type)?;
        let (count, _) = self.lowering.types.lanes(value_type);
        let each = match condition.len() {
            1 => widths.len().max(1),
            lanes if lanes == count => (widths.len() / count.max(1)).max(1),
            _ => return Err(self.refuse("a condition of an unexpected type")),
        };
        let parts = widths.iter().enumerate();
        Ok(parts
            .map(|(index, width)| {
                let condition = condition[index / each];
                self.body.select(*width, condition, a[index], b[index])
            })
            .collect())
    }

    pub fn cast(
        &mut self,
        operation: CastOperation,
        from: TypeId,
        to: TypeId,
        parts: &[Operand],
    ) -> Lowered<Vec<Operand>> {
        if operation == CastOperation::Bitcast {
            let (from, to) = (self.widths(from)?, self.widths(to)?);
            let bits = |widths: &[Width]| widths.iter().map(|w| w.bits()).sum::<u32>();
            if bits(&from) != bits(&to) {
                return Err(self.refuse("a bitcast between sizes"));
            }
            return Ok(self.body.repack(&from, parts, &to));
        }
        let (count, from, source) = self.lanes(from)?;
        let (targets, to, target) = self.lanes(to)?;
        if count != targets {
            return Err(self.refuse("a conversion between vectors of different lengths"));
        }
        let mut result = Vec::new();
        for lane in parts.chunks(source.len().max(1)) {
            result.extend(self.cast_lane(operation, (from, &source), (to, &target), lane)?);
        }
        Ok(result)
    }

    fn cast_lane(
        &mut self,
        operation: CastOperation,
        (from_type, from): (TypeId, &[Width]),
        (to_type, to): (TypeId, &[Width]),
        a: &[Operand],
    ) -> Lowered<Vec<Operand>> {
        use CastOperation::*;
        let module = self.lowering.module;
        let is_float = |id| matches!(module.type_of(id), Type::Float | Type::Double);
        let expected = match operation {
            FloatTruncate | FloatExtend => (true, true),
            FloatToUnsigned | FloatToSigned => (true, false),
            UnsignedToFloat | SignedToFloat => (false, true),
            _ => (false, false),
        };
        if (is_float(from_type), is_float(to_type)) != expected {
            let what = format!("`{}` between these types", operation.name());
            return Err(self.refuse(&what));
        }
        let conversion = match operation {
            Truncate | ZeroExtend | PointerToInteger | PointerToAddress | IntegerToPointer
            | AddressSpaceCast | Bitcast => return Ok(self.body.wide_resize(to, a)),
            SignExtend => {
                return Ok(match (from, to) {
                    ([from], [to]) => vec![self.body.sign_extend(*from, *to, a[0])],
                    _ => self.body.wide_sign_extend(from, to, a),
                });
            }
            FloatTruncate | FloatExtend => Conversion::FloatToFloat,
            FloatToUnsigned => Conversion::FloatToUnsigned,
            FloatToSigned => Conversion::FloatToSigned,
            UnsignedToFloat => Conversion::UnsignedToFloat,
            SignedToFloat => Conversion::SignedToFloat,
        };
        match (from, to) {
            ([from], [to]) => {
                let value = Expression::Convert(conversion, *from, a[0]);
                Ok(vec![self.body.compute(*to, value)])
            }
            ([_, _], [to]) => {
                let signed = conversion == Conversion::SignedToFloat;
                Ok(vec![self.body.wide_to_float(signed, from, *to, a)])
            }
            ([from], [_, _]) => Ok(self.body.float_to_wide(*from, to, a[0])),
            _ => Err(self.refuse("a conversion of integers this wide")),
        }
    }
}

impl super::body::Body {
    /// The other truth value.
    pub fn not(&mut self, condition: Operand) -> Operand {
        let one = Operand::Constant(1);
        self.binary(Binary::Xor, Width::BIT, condition, one)
    }

    /// The absolute value of a signed integer of two words, and whether it is negative.
    pub fn wide_absolute(&mut self, a: &[Operand]) -> (Vec<Operand>, Operand) {
        let zero = Operand::Constant(0);
        let negative = self.binary(Binary::Slt, Width::W64, a[1], zero);
        (self.wide_negate_if(negative, a), negative)
    }

    pub fn wide_negate_if(&mut self, condition: Operand, a: &[Operand]) -> Vec<Operand> {
        let negated = self.wide_negate(&[Width::W64; 2], a);
        let pairs = negated.into_iter().zip(a);
        pairs
            .map(|(negated, a)| self.select(Width::W64, condition, negated, *a))
            .collect()
    }

    /// The number nearest to an integer of two words.
    fn wide_to_float(&mut self, signed: bool, from: &[Width], to: Width, a: &[Operand]) -> Operand {
        let word = Width::W64;
        let pair = [word; 2];
        let (a, negative) = match signed {
            true => {
                let a = self.wide_sign_extend(from, &pair, a);
                self.wide_absolute(&a)
            }
            false => (self.wide_resize(&pair, a), Operand::Constant(0)),
        };
        // The highest 64 bits, with a one behind them if there is one further down: enough
        // to round once and in the right direction.
        let zeros = self.leading_zeros(&pair, &a);
        let moved = self.wide_shl(&pair, &a, zeros);
        let rest = self.binary(Binary::Ne, word, moved[0], Operand::Constant(0));
        let rest = self.resize(word, rest);
        let top = self.binary(Binary::Or, word, moved[1], rest);
        let value = Expression::Convert(Conversion::UnsignedToFloat, word, top);
        let value = self.compute(to, value);
        // Two to the number of bits that `top` stands above the lowest.
        let (bias, fraction) = if to == word { (1023, 52) } else { (127, 23) };
        let exponent = self.binary(Binary::Sub, word, Operand::Constant(bias + 64), zeros);
        let by = Operand::Constant(fraction);
        let scale = self.binary(Binary::Shl, word, exponent, by);
        let scale = self.resize(to, scale);
        let value = self.binary(Binary::Fmul, to, value, scale);
        let opposite = self.unary(Unary::Fneg, to, value);
        self.select(to, negative, opposite, value)
    }

    /// The whole part of a number, as an integer of two words.
    fn float_to_wide(&mut self, from: Width, to: &[Width], a: Operand) -> Vec<Operand> {
        let zero = Operand::Constant(0);
        let negative = self.binary(Binary::Flt, from, a, zero);
        let size = self.unary(Unary::Fabs, from, a);
        let scale = Operand::Constant(TWO_TO_64[usize::from(from == Width::W32)]);
        let quotient = self.binary(Binary::Fdiv, from, size, scale);
        let whole = |value| Expression::Convert(Conversion::FloatToUnsigned, from, value);
        let high = self.compute(Width::W64, whole(quotient));
        let back = Expression::Convert(Conversion::UnsignedToFloat, Width::W64, high);
        let back = self.compute(from, back);
        let back = self.binary(Binary::Fmul, from, back, scale);
        let rest = self.binary(Binary::Fsub, from, size, back);
        let low = self.compute(Width::W64, whole(rest));
        let result = self.wide_negate_if(negative, &[low, high]);
        self.wide_resize(to, &result)
    }
}

/// The machine's operation.
pub(super) fn binary_of(operation: BinaryOperation) -> Binary {
    match operation {
        BinaryOperation::Add => Binary::Add,
        BinaryOperation::Sub => Binary::Sub,
        BinaryOperation::Multiply => Binary::Mul,
        BinaryOperation::UnsignedDivide => Binary::Udiv,
        BinaryOperation::SignedDivide => Binary::Sdiv,
        BinaryOperation::UnsignedRemainder => Binary::Urem,
        BinaryOperation::SignedRemainder => Binary::Srem,
        BinaryOperation::ShiftLeft => Binary::Shl,
        BinaryOperation::LogicalShiftRight => Binary::Shr,
        BinaryOperation::ArithmeticShiftRight => Binary::Sar,
        BinaryOperation::And => Binary::And,
        BinaryOperation::Or => Binary::Or,
        BinaryOperation::Xor => Binary::Xor,
        BinaryOperation::FloatAdd => Binary::Fadd,
        BinaryOperation::FloatSub => Binary::Fsub,
        BinaryOperation::FloatMultiply => Binary::Fmul,
        BinaryOperation::FloatDivide => Binary::Fdiv,
        BinaryOperation::FloatRemainder => Binary::Frem,
    }
}
