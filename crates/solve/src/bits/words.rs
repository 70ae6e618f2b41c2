//! Arithmetic on words of literals, lowest bit first.

use super::gates::Gates;
use crate::sat::Lit;
use program::{Binary, Width, Word};

/// A word of literals, lowest bit first.
pub type Bits = Vec<Lit>;

/// A number as literals.
pub fn constant(word: Word, width: Width) -> Bits {
    let bit = |index| {
        if word >> index & 1 == 1 {
            Lit::TRUE
        } else {
            Lit::FALSE
        }
    };
    (0..width.bits()).map(bit).collect()
}

/// Zero-extends or cuts a word.
pub fn resize(mut bits: Bits, width: Width) -> Bits {
    bits.resize(width.bits() as usize, Lit::FALSE);
    bits
}

impl Gates {
    /// That two words are equal.
    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| !self.xor(x, y)).collect();
        self.all(&same)
    }

    /// The first word where the condition is true, else the second.
    pub fn choose_word(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Bits {
        let pairs = a.iter().zip(b);
        pairs.map(|(&x, &y)| self.choose(condition, x, y)).collect()
    }

    /// The sum with a carry, and the carry that comes out.
    fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Bits, Lit) {
        let mut sum = Bits::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    fn negated(bits: &[Lit]) -> Bits {
        bits.iter().map(|&bit| !bit).collect()
    }

    /// The difference, and whether the first is not less.
    fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Lit) {
        self.add(a, &Self::negated(b), Lit::TRUE)
    }

    /// That the first is less, as unsigned numbers.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = Lit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            less = self.choose(differ, y, less);
        }
        less
    }

    fn flip_sign(bits: &[Lit]) -> Bits {
        let mut bits = bits.to_vec();
        if let Some(sign) = bits.last_mut() {
            *sign = !*sign;
        }
        bits
    }

    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let width = a.len();
        let mut sum = vec![Lit::FALSE; width];
        for (index, &bit) in b.iter().enumerate() {
            if bit == Lit::FALSE {
                continue;
            }
            let mut row = vec![Lit::FALSE; width];
            for place in index..width {
                row[place] = self.and(bit, a[place - index]);
            }
            sum = self.add(&sum, &row, Lit::FALSE).0;
        }
        sum
    }

    /// Shifts by an amount that may be anything; `fill` comes in.
    fn shift(&mut self, a: &[Lit], by: &[Lit], left: bool, fill: Lit) -> Bits {
        let width = a.len();
        let mut bits = a.to_vec();
        let mut out = Lit::FALSE;
        for (stage, &bit) in by.iter().enumerate() {
            if stage >= 7 || 1usize << stage >= width {
                out = self.or(out, bit);
                continue;
            }
            let distance = 1usize << stage;
            let moved: Bits = (0..width)
                .map(|index| match left {
                    true => index.checked_sub(distance).map_or(fill, |from| bits[from]),
                    false => bits.get(index + distance).copied().unwrap_or(fill),
                })
                .collect();
            bits = self.choose_word(bit, &moved, &bits);
        }
        let gone = vec![fill; width];
        self.choose_word(out, &gone, &bits)
    }

    /// The quotient and the remainder of unsigned numbers; of a division by zero, anything.
    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let width = a.len();
        let mut rest = vec![Lit::FALSE; width + 1];
        let mut divisor = b.to_vec();
        divisor.push(Lit::FALSE);
        let mut quotient = vec![Lit::FALSE; width];
        for index in (0..width).rev() {
            rest.rotate_right(1);
            rest[0] = a[index];
            let (difference, enough) = self.subtract(&rest, &divisor);
            quotient[index] = enough;
            rest = self.choose_word(enough, &difference, &rest);
        }
        rest.truncate(width);
        (quotient, rest)
    }

    fn negate_if(&mut self, condition: Lit, bits: &[Lit]) -> Bits {
        let zero = vec![Lit::FALSE; bits.len()];
        let negative = self.subtract(&zero, bits).0;
        self.choose_word(condition, &negative, bits)
    }

    fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (a, b) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
        let (quotient, rest) = self.divide(&a, &b);
        let differ = self.xor(sign_a, sign_b);
        (
            self.negate_if(differ, &quotient),
            self.negate_if(sign_a, &rest),
        )
    }

    /// The result of an operation on two words of one width; `None` for those that only
    /// tables can do.
    pub fn binary(&mut self, operation: Binary, a: &[Lit], b: &[Lit]) -> Option<Bits> {
        let mut each = |gate: fn(&mut Gates, Lit, Lit) -> Lit| {
            let pairs = a.iter().zip(b);
            pairs.map(|(&x, &y)| gate(self, x, y)).collect::<Bits>()
        };
        Some(match operation {
            Binary::And => each(Gates::and),
            Binary::Or => each(Gates::or),
            Binary::Xor => each(Gates::xor),
            Binary::Add => self.add(a, b, Lit::FALSE).0,
            Binary::Sub => self.subtract(a, b).0,
            Binary::Mul => self.multiply(a, b),
            Binary::Shl => self.shift(a, b, true, Lit::FALSE),
            Binary::Shr => self.shift(a, b, false, Lit::FALSE),
            Binary::Sar => {
                let sign = a[a.len() - 1];
                self.shift(a, b, false, sign)
            }
            Binary::Eq => vec![self.equal(a, b)],
            Binary::Ne => vec![!self.equal(a, b)],
            Binary::Ult => vec![self.less(a, b)],
            Binary::Ule => vec![!self.less(b, a)],
            Binary::Slt => vec![self.less(&Self::flip_sign(a), &Self::flip_sign(b))],
            Binary::Sle => vec![!self.less(&Self::flip_sign(b), &Self::flip_sign(a))],
            Binary::Udiv => self.divide(a, b).0,
            Binary::Urem => self.divide(a, b).1,
            Binary::Sdiv => self.divide_signed(a, b).0,
            Binary::Srem => self.divide_signed(a, b).1,
            Binary::AddOverflow | Binary::SubOverflow => {
                let wide = |bits: &[Lit]| {
                    let mut bits = bits.to_vec();
                    bits.push(bits[bits.len() - 1]);
                    bits
                };
                let (a, b) = (wide(a), wide(b));
                let sum = match operation {
                    Binary::AddOverflow => self.add(&a, &b, Lit::FALSE).0,
                    _ => self.subtract(&a, &b).0,
                };
                vec![self.xor(sum[sum.len() - 1], sum[sum.len() - 2])]
            }
            _ => return None,
        })
    }
}
