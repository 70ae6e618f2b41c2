//! Integers of more than 64 bits, as rows of words with the lowest first.
//!
//! The last word may be narrower than 64 bits. Shifts rely on the machine's: a word that
//! is shifted by more bits than it has is zero, also where the number of bits, seen as
//! a signed number, is negative.

use super::body::Body;
use program::{Binary, Operand, Width};

const WORD: Width = Width::W64;
const ZERO: Operand = Operand::Constant(0);

impl Body {
    /// The sum.
    pub fn wide_add(&mut self, widths: &[Width], a: &[Operand], b: &[Operand]) -> Vec<Operand> {
        let mut carry = ZERO;
        let mut sum = Vec::with_capacity(widths.len());
        for (index, width) in widths.iter().enumerate() {
            let first = self.binary(Binary::Add, *width, a[index], b[index]);
            let more = self.resize(*width, carry);
            let second = self.binary(Binary::Add, *width, first, more);
            if index + 1 < widths.len() {
                carry = self.binary(Binary::Ult, *width, first, a[index]);
                if index > 0 {
                    let again = self.binary(Binary::Ult, *width, second, first);
                    carry = self.binary(Binary::Or, Width::BIT, carry, again);
                }
            }
            sum.push(second);
        }
        sum
    }

    /// The difference.
    pub fn wide_sub(&mut self, widths: &[Width], a: &[Operand], b: &[Operand]) -> Vec<Operand> {
        let mut borrow = ZERO;
        let mut difference = Vec::with_capacity(widths.len());
        for (index, width) in widths.iter().enumerate() {
            let first = self.binary(Binary::Sub, *width, a[index], b[index]);
            let more = self.resize(*width, borrow);
            let second = self.binary(Binary::Sub, *width, first, more);
            if index + 1 < widths.len() {
                borrow = self.binary(Binary::Ult, *width, a[index], b[index]);
                if index > 0 {
                    let again = self.binary(Binary::Ult, *width, first, more);
                    borrow = self.binary(Binary::Or, Width::BIT, borrow, again);
                }
            }
            difference.push(second);
        }
        difference
    }

    /// The number with the other sign.
    pub fn wide_negate(&mut self, widths: &[Width], a: &[Operand]) -> Vec<Operand> {
        let zeros = vec![ZERO; widths.len()];
        self.wide_sub(widths, &zeros, a)
    }

    /// The product of two integers of two words.
    pub fn wide_mul(&mut self, widths: &[Width], a: &[Operand], b: &[Operand]) -> Vec<Operand> {
        let low = self.binary(Binary::Mul, WORD, a[0], b[0]);
        let high = self.binary(Binary::MulHigh, WORD, a[0], b[0]);
        let cross = self.binary(Binary::Mul, WORD, a[0], b[1]);
        let high = self.binary(Binary::Add, WORD, high, cross);
        let cross = self.binary(Binary::Mul, WORD, a[1], b[0]);
        let high = self.binary(Binary::Add, WORD, high, cross);
        vec![low, self.resize(widths[1], high)]
    }

    /// A bitwise operation.
    pub fn wide_bitwise(
        &mut self,
        operation: Binary,
        widths: &[Width],
        a: &[Operand],
        b: &[Operand],
    ) -> Vec<Operand> {
        let words = widths.iter().zip(a.iter().zip(b));
        words
            .map(|(width, (a, b))| self.binary(operation, *width, *a, *b))
            .collect()
    }

    /// Shifted to the left.
    pub fn wide_shl(&mut self, widths: &[Width], a: &[Operand], by: Operand) -> Vec<Operand> {
        let mut result = Vec::with_capacity(widths.len());
        for (index, width) in widths.iter().enumerate() {
            let mut word = ZERO;
            for (from, part) in a[..=index].iter().enumerate() {
                let piece = self.moved_left(*part, by, 64 * (index - from) as u64);
                word = self.binary(Binary::Or, WORD, word, piece);
            }
            result.push(self.resize(*width, word));
        }
        result
    }

    /// `part` shifted left by `by - distance` bits, in either direction.
    fn moved_left(&mut self, part: Operand, by: Operand, distance: u64) -> Operand {
        let distance = Operand::Constant(distance);
        let left = self.binary(Binary::Sub, WORD, by, distance);
        let right = self.binary(Binary::Sub, WORD, distance, by);
        let a = self.binary(Binary::Shl, WORD, part, left);
        let b = self.binary(Binary::Shr, WORD, part, right);
        match distance == ZERO {
            true => a,
            false => self.binary(Binary::Or, WORD, a, b),
        }
    }

    /// Shifted to the right; words are 64 bits.
    pub fn wide_shr(&mut self, a: &[Operand], by: Operand) -> Vec<Operand> {
        let mut result = Vec::with_capacity(a.len());
        for index in 0..a.len() {
            let mut word = ZERO;
            for (from, part) in a.iter().enumerate().skip(index) {
                let distance = Operand::Constant(64 * (from - index) as u64);
                let right = self.binary(Binary::Sub, WORD, by, distance);
                let left = self.binary(Binary::Sub, WORD, distance, by);
                let mut piece = self.binary(Binary::Shr, WORD, *part, right);
                if distance != ZERO {
                    let b = self.binary(Binary::Shl, WORD, *part, left);
                    piece = self.binary(Binary::Or, WORD, piece, b);
                }
                word = self.binary(Binary::Or, WORD, word, piece);
            }
            result.push(word);
        }
        result
    }

    /// Shifted to the right, with copies of the sign.
    pub fn wide_sar(&mut self, widths: &[Width], a: &[Operand], by: Operand) -> Vec<Operand> {
        let all = vec![WORD; widths.len()];
        let a = self.wide_sign_extend(widths, &all, a);
        let last = a[a.len() - 1];
        let sign = self.binary(Binary::Sar, WORD, last, Operand::Constant(63));
        let moved = self.wide_shr(&a, by);
        let kept = self.wide_shr(&vec![Operand::Constant(u64::MAX); a.len()], by);
        let mut result = Vec::with_capacity(a.len());
        for (index, width) in widths.iter().enumerate() {
            let ones = Operand::Constant(u64::MAX);
            let filled = self.binary(Binary::Xor, WORD, kept[index], ones);
            let fill = self.binary(Binary::And, WORD, sign, filled);
            let word = self.binary(Binary::Or, WORD, moved[index], fill);
            result.push(self.resize(*width, word));
        }
        result
    }

    /// Whether two integers are equal.
    pub fn wide_equal(&mut self, widths: &[Width], a: &[Operand], b: &[Operand]) -> Operand {
        let mut equal = Operand::Constant(1);
        for (index, width) in widths.iter().enumerate() {
            let same = self.binary(Binary::Eq, *width, a[index], b[index]);
            equal = match index {
                0 => same,
                _ => self.binary(Binary::And, Width::BIT, equal, same),
            };
        }
        equal
    }

    /// Whether the first integer is less.
    pub fn wide_less(
        &mut self,
        signed: bool,
        widths: &[Width],
        a: &[Operand],
        b: &[Operand],
    ) -> Operand {
        let mut less = ZERO;
        for (index, width) in widths.iter().enumerate() {
            let operation = match signed && index + 1 == widths.len() {
                true => Binary::Slt,
                false => Binary::Ult,
            };
            let here = self.binary(operation, *width, a[index], b[index]);
            if index == 0 {
                less = here;
                continue;
            }
            let same = self.binary(Binary::Eq, *width, a[index], b[index]);
            less = self.select(Width::BIT, same, less, here);
        }
        less
    }

    /// Zero-extended or cut.
    pub fn wide_resize(&mut self, to: &[Width], a: &[Operand]) -> Vec<Operand> {
        let words = to.iter().enumerate();
        words
            .map(|(index, width)| match a.get(index) {
                Some(part) => self.resize(*width, *part),
                None => ZERO,
            })
            .collect()
    }

    /// Sign-extended, or cut.
    pub fn wide_sign_extend(
        &mut self,
        from: &[Width],
        to: &[Width],
        a: &[Operand],
    ) -> Vec<Operand> {
        let (Some(last), Some(top)) = (from.last(), a.last()) else {
            return vec![ZERO; to.len()];
        };
        let top = self.sign_extend(*last, WORD, *top);
        let sign = match to.len() > from.len() {
            true => self.binary(Binary::Sar, WORD, top, Operand::Constant(63)),
            false => ZERO,
        };
        let words = to.iter().enumerate();
        words
            .map(|(index, width)| {
                let part = match index {
                    _ if index + 1 < a.len() => a[index],
                    _ if index + 1 == a.len() => top,
                    _ => sign,
                };
                self.resize(*width, part)
            })
            .collect()
    }

    /// The same bits cut in another way, the lowest first.
    pub fn repack(&mut self, from: &[Width], parts: &[Operand], to: &[Width]) -> Vec<Operand> {
        if from == to {
            return parts.to_vec();
        }
        let mut result = Vec::with_capacity(to.len());
        // The part that is being cut up, and its first bit.
        let (mut index, mut first) = (0, 0u64);
        let mut start = 0u64;
        for width in to {
            let end = start + u64::from(width.bits());
            let mut value = ZERO;
            while index < from.len() {
                let last = first + u64::from(from[index].bits());
                let (low, high) = (start.max(first), end.min(last));
                if low < high {
                    let by = Operand::Constant(low - first);
                    let cut = self.binary(Binary::Shr, from[index], parts[index], by);
                    let piece = Width::of_bits((high - low) as u32).unwrap_or(WORD);
                    let cut = self.resize(piece, cut);
                    let cut = self.resize(*width, cut);
                    let by = Operand::Constant(low - start);
                    let placed = self.binary(Binary::Shl, *width, cut, by);
                    value = self.binary(Binary::Or, *width, value, placed);
                }
                if last > end {
                    break;
                }
                index += 1;
                first = last;
                if last == end {
                    break;
                }
            }
            result.push(value);
            start = end;
        }
        result
    }
}
