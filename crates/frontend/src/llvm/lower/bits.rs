//! Integer operations that LLVM has intrinsics for, made of those of the machine.

use super::body::Body;
use program::{Binary, Operand, Unary, Width};

const ZERO: Operand = Operand::Constant(0);

/// The operation of the machine that an intrinsic on one integer is.
fn unary_operation(stem: &str) -> Option<Unary> {
    Some(match stem {
        "ctpop" => Unary::CountOnes,
        "ctlz" => Unary::LeadingZeros,
        "cttz" => Unary::TrailingZeros,
        "bswap" => Unary::SwapBytes,
        "bitreverse" => Unary::ReverseBits,
        _ => return None,
    })
}

impl Body {
    /// A sum, difference or product, and whether it does not fit.
    pub fn overflow(
        &mut self,
        operation: &str,
        width: Width,
        a: Operand,
        b: Operand,
    ) -> Option<(Operand, Operand)> {
        let (value, test) = match operation {
            "sadd" => (Binary::Add, Binary::AddOverflow),
            "ssub" => (Binary::Sub, Binary::SubOverflow),
            "smul" => (Binary::Mul, Binary::MulOverflow),
            "uadd" => {
                let sum = self.binary(Binary::Add, width, a, b);
                return Some((sum, self.binary(Binary::Ult, width, sum, a)));
            }
            "usub" => {
                let difference = self.binary(Binary::Sub, width, a, b);
                return Some((difference, self.binary(Binary::Ult, width, a, b)));
            }
            "umul" => {
                let product = self.binary(Binary::Mul, width, a, b);
                let high = self.binary(Binary::MulHigh, width, a, b);
                return Some((product, self.binary(Binary::Ne, width, high, ZERO)));
            }
            _ => return None,
        };
        let value = self.binary(value, width, a, b);
        Some((value, self.binary(test, width, a, b)))
    }

    /// The same for integers of two words.
    pub fn wide_overflow(
        &mut self,
        operation: &str,
        widths: &[Width],
        a: &[Operand],
        b: &[Operand],
    ) -> Option<(Vec<Operand>, Operand)> {
        let top = *widths.last()?;
        let last = widths.len() - 1;
        match operation {
            "uadd" => {
                let sum = self.wide_add(widths, a, b);
                let over = self.wide_less(false, widths, &sum, a);
                Some((sum, over))
            }
            "usub" => {
                let difference = self.wide_sub(widths, a, b);
                Some((difference, self.wide_less(false, widths, a, b)))
            }
            "sadd" => {
                let sum = self.wide_add(widths, a, b);
                let x = self.binary(Binary::Xor, top, a[last], sum[last]);
                let y = self.binary(Binary::Xor, top, b[last], sum[last]);
                let both = self.binary(Binary::And, top, x, y);
                let over = self.binary(Binary::Slt, top, both, ZERO);
                Some((sum, over))
            }
            "ssub" => {
                let difference = self.wide_sub(widths, a, b);
                let x = self.binary(Binary::Xor, top, a[last], b[last]);
                let y = self.binary(Binary::Xor, top, a[last], difference[last]);
                let both = self.binary(Binary::And, top, x, y);
                let over = self.binary(Binary::Slt, top, both, ZERO);
                Some((difference, over))
            }
            "umul" if widths == [Width::W64; 2] => Some(self.pair_overflow(a, b)),
            "smul" if widths == [Width::W64; 2] => {
                let (x, a_negative) = self.wide_absolute(a);
                let (y, b_negative) = self.wide_absolute(b);
                let (size, over) = self.pair_overflow(&x, &y);
                let negative = self.binary(Binary::Xor, Width::BIT, a_negative, b_negative);
                let product = self.wide_negate_if(negative, &size);
                let below = self.binary(Binary::Slt, top, product[1], ZERO);
                let wrong = self.binary(Binary::Xor, Width::BIT, below, negative);
                let zero = self.wide_equal(widths, &size, &[ZERO; 2]);
                let some = self.not(zero);
                let wrong = self.binary(Binary::And, Width::BIT, wrong, some);
                let over = self.binary(Binary::Or, Width::BIT, over, wrong);
                Some((product, over))
            }
            _ => None,
        }
    }

    /// The product of unsigned integers of 128 bits, and whether it does not fit.
    fn pair_overflow(&mut self, a: &[Operand], b: &[Operand]) -> (Vec<Operand>, Operand) {
        let word = Width::W64;
        let low = self.binary(Binary::Mul, word, a[0], b[0]);
        let carried = self.binary(Binary::MulHigh, word, a[0], b[0]);
        let x = self.binary(Binary::Mul, word, a[1], b[0]);
        let y = self.binary(Binary::Mul, word, a[0], b[1]);
        let cross = self.binary(Binary::Add, word, x, y);
        let high = self.binary(Binary::Add, word, carried, cross);
        let mut over = self.binary(Binary::Ult, word, high, carried);
        let first = self.binary(Binary::Ne, word, a[1], ZERO);
        let second = self.binary(Binary::Ne, word, b[1], ZERO);
        let both = self.binary(Binary::And, Width::BIT, first, second);
        let x_high = self.binary(Binary::MulHigh, word, a[1], b[0]);
        let y_high = self.binary(Binary::MulHigh, word, a[0], b[1]);
        let lost = self.binary(Binary::Or, word, x_high, y_high);
        let lost = self.binary(Binary::Ne, word, lost, ZERO);
        for part in [both, lost] {
            over = self.binary(Binary::Or, Width::BIT, over, part);
        }
        (vec![low, high], over)
    }

    /// An operation on one to three integers of one word.
    pub fn integer_operation(
        &mut self,
        stem: &str,
        width: Width,
        to: Width,
        [a, b, c]: [Option<Operand>; 3],
    ) -> Option<Operand> {
        let a = a?;
        if let Some(unary) = unary_operation(stem) {
            return Some(self.unary(unary, width, a));
        }
        if stem == "abs" {
            let negative = self.binary(Binary::Slt, width, a, ZERO);
            let opposite = self.binary(Binary::Sub, width, ZERO, a);
            return Some(self.select(width, negative, opposite, a));
        }
        let b = b?;
        match stem {
            "smax" | "smin" | "umax" | "umin" => {
                let test = if stem.starts_with('s') {
                    Binary::Slt
                } else {
                    Binary::Ult
                };
                let less = self.binary(test, width, a, b);
                let (x, y) = if stem.ends_with("min") {
                    (a, b)
                } else {
                    (b, a)
                };
                Some(self.select(width, less, x, y))
            }
            "uadd.sat" | "usub.sat" | "sadd.sat" | "ssub.sat" => {
                self.saturating(&stem[..4], width, a, b)
            }
            "fshl" | "fshr" => {
                let bits = Operand::Constant(width.bits().into());
                let by = self.binary(Binary::Urem, width, c?, bits);
                let rest = self.binary(Binary::Sub, width, bits, by);
                let (left, right) = if stem == "fshl" {
                    (by, rest)
                } else {
                    (rest, by)
                };
                let high = self.binary(Binary::Shl, width, a, left);
                let low = self.binary(Binary::Shr, width, b, right);
                Some(self.binary(Binary::Or, width, high, low))
            }
            "scmp" | "ucmp" => {
                let test = if stem == "scmp" {
                    Binary::Slt
                } else {
                    Binary::Ult
                };
                let less = self.binary(test, width, a, b);
                let greater = self.binary(test, width, b, a);
                let minus = Operand::Constant(to.truncate(u64::MAX));
                let greater = self.resize(to, greater);
                Some(self.select(to, less, minus, greater))
            }
            "ptrmask" => Some(self.binary(Binary::And, width, a, b)),
            _ => None,
        }
    }

    /// A sum or difference, or the end of the range that it is beyond.
    fn saturating(
        &mut self,
        operation: &str,
        width: Width,
        a: Operand,
        b: Operand,
    ) -> Option<Operand> {
        let (value, over) = self.overflow(operation, width, a, b)?;
        let end = match operation {
            "uadd" => Operand::Constant(width.truncate(u64::MAX)),
            "usub" => ZERO,
            _ => {
                let least = Operand::Constant(1 << (width.bits() - 1));
                let most = Operand::Constant(width.truncate(u64::MAX) >> 1);
                let negative = self.binary(Binary::Slt, width, a, ZERO);
                self.select(width, negative, least, most)
            }
        };
        Some(self.select(width, over, end, value))
    }

    /// An operation on one to three integers of two words.
    pub fn wide_operation(
        &mut self,
        stem: &str,
        widths: &[Width],
        [a, b, c]: [Option<&[Operand]>; 3],
    ) -> Option<Vec<Operand>> {
        let a = a?;
        let (word, top) = (Width::W64, widths[1]);
        let full = top == word;
        let number = |body: &mut Body, value| vec![body.resize(word, value), ZERO];
        match stem {
            "ctpop" => {
                let low = self.unary(Unary::CountOnes, word, a[0]);
                let high = self.unary(Unary::CountOnes, top, a[1]);
                let high = self.resize(word, high);
                let sum = self.binary(Binary::Add, word, low, high);
                return Some(number(self, sum));
            }
            "ctlz" | "cttz" => {
                let count = self.zeros(stem == "ctlz", widths, a);
                return Some(number(self, count));
            }
            "bswap" | "bitreverse" if full => {
                let operation = match stem {
                    "bswap" => Unary::SwapBytes,
                    _ => Unary::ReverseBits,
                };
                let low = self.unary(operation, word, a[1]);
                let high = self.unary(operation, word, a[0]);
                return Some(vec![low, high]);
            }
            "abs" => {
                let negative = self.binary(Binary::Slt, top, a[1], ZERO);
                let opposite = self.wide_negate(widths, a);
                return Some(self.wide_select(widths, negative, &opposite, a));
            }
            _ => {}
        }
        let b = b?;
        match stem {
            "smax" | "smin" | "umax" | "umin" => {
                let less = self.wide_less(stem.starts_with('s'), widths, a, b);
                let (x, y) = if stem.ends_with("min") {
                    (a, b)
                } else {
                    (b, a)
                };
                Some(self.wide_select(widths, less, x, y))
            }
            "fshl" | "fshr" if full => {
                let mask = Operand::Constant(127);
                let by = self.binary(Binary::And, word, c?[0], mask);
                let rest = self.binary(Binary::Sub, word, Operand::Constant(128), by);
                let (left, right) = if stem == "fshl" {
                    (by, rest)
                } else {
                    (rest, by)
                };
                let high = self.wide_shl(widths, a, left);
                let low = self.wide_shr(b, right);
                Some(self.wide_bitwise(Binary::Or, widths, &high, &low))
            }
            _ => None,
        }
    }

    /// Zero bits above the highest one bit of an integer of two words.
    pub fn leading_zeros(&mut self, widths: &[Width], a: &[Operand]) -> Operand {
        self.zeros(true, widths, a)
    }

    fn zeros(&mut self, leading: bool, widths: &[Width], a: &[Operand]) -> Operand {
        let word = Width::W64;
        let (operation, near, far) = match leading {
            true => (Unary::LeadingZeros, 1, 0),
            false => (Unary::TrailingZeros, 0, 1),
        };
        let first = self.unary(operation, widths[near], a[near]);
        let first = self.resize(word, first);
        let second = self.unary(operation, widths[far], a[far]);
        let second = self.resize(word, second);
        let past = Operand::Constant(widths[near].bits().into());
        let second = self.binary(Binary::Add, word, second, past);
        let here = self.binary(Binary::Ne, widths[near], a[near], ZERO);
        self.select(word, here, first, second)
    }

    fn wide_select(
        &mut self,
        widths: &[Width],
        condition: Operand,
        a: &[Operand],
        b: &[Operand],
    ) -> Vec<Operand> {
        let words = widths.iter().enumerate();
        words
            .map(|(index, width)| self.select(*width, condition, a[index], b[index]))
            .collect()
    }
}
