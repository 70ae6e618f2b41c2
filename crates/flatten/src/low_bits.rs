//! What is known of the lowest bits of a number: enough to tell the fields of a struct in
//! an array apart.

use program::{Binary, Width, Word};

/// All numbers whose lowest `known` bits are those of `value`; with 64, one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LowBits {
    /// At most 64.
    known: u32,
    /// invariant: zero above the known bits.
    value: Word,
}

impl LowBits {
    pub const ANY: LowBits = LowBits { known: 0, value: 0 };

    pub fn number(value: Word) -> Self {
        LowBits { known: 64, value }
    }

    fn new(known: u32, value: Word) -> Self {
        let known = known.min(64);
        let mask = if known == 0 {
            0
        } else {
            Word::MAX >> (64 - known)
        };
        LowBits {
            known,
            value: value & mask,
        }
    }

    /// The numbers of both.
    pub fn join(self, other: Self) -> Self {
        let same = (self.value ^ other.value).trailing_zeros();
        LowBits::new(self.known.min(other.known).min(same), self.value)
    }

    /// The only number, if there is one.
    pub fn only(self) -> Option<Word> {
        (self.known == 64).then_some(self.value)
    }

    /// True if every number is a multiple of a power of two.
    pub fn is_multiple_of(self, power: u32) -> bool {
        self.known >= power.trailing_zeros() && self.value.is_multiple_of(power.into())
    }

    /// True if no number is in both.
    pub fn is_apart_from(self, other: Self) -> bool {
        let known = self.known.min(other.known);
        LowBits::new(known, self.value) != LowBits::new(known, other.value)
    }

    /// Cut to a width, and extended with zeros.
    pub fn cut(self, width: Width) -> Self {
        match self.known >= width.bits() {
            true => LowBits::number(width.truncate(self.value)),
            false => self,
        }
    }

    /// The lowest bits of a number of this width, whose upper bits are replaced.
    pub fn extended(self, width: Width) -> Self {
        match self.only() {
            Some(value) => LowBits::number(width.signed(value) as Word),
            None => LowBits::new(self.known.min(width.bits()), self.value),
        }
    }

    /// What an operation makes of two numbers of a width.
    pub fn binary(operation: Binary, width: Width, a: Self, b: Self) -> Self {
        if let (Some(a), Some(b)) = (a.only(), b.only())
            && !operation.fails(width, width.truncate(a), width.truncate(b))
        {
            let result = operation.apply(width, width.truncate(a), width.truncate(b));
            return LowBits::number(result);
        }
        let known = a.known.min(b.known);
        let bits = match operation {
            Binary::Add => LowBits::new(known, a.value.wrapping_add(b.value)),
            Binary::Sub => LowBits::new(known, a.value.wrapping_sub(b.value)),
            Binary::And => LowBits::new(known, a.value & b.value),
            Binary::Or => LowBits::new(known, a.value | b.value),
            Binary::Xor => LowBits::new(known, a.value ^ b.value),
            // (a + 2^k x) (b + 2^l y): the lowest unknown bit is that of 2^k b, 2^l a or 2^(k+l).
            Binary::Mul => {
                let zeros = |bits: LowBits| bits.value.trailing_zeros().min(bits.known);
                let known = (a.known + zeros(b)).min(b.known + zeros(a));
                LowBits::new(known, a.value.wrapping_mul(b.value))
            }
            Binary::Shl => match b.only() {
                Some(by @ 0..=63) => LowBits::new(a.known + by as u32, a.value << by),
                _ => LowBits::ANY,
            },
            _ => LowBits::ANY,
        };
        LowBits::new(bits.known.min(width.bits()), bits.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some sets of numbers, with members of each.
    fn samples() -> Vec<(LowBits, Vec<Word>)> {
        let mut samples = Vec::new();
        for known in [0, 1, 2, 3, 5, 64] {
            for value in [0, 1, 2, 4, 6, 8, 12, 31, 40] {
                let bits = LowBits::new(known, value);
                let others = [0, 1, 3, 17, 1 << 33].map(|x: Word| {
                    bits.value
                        .wrapping_add(if known == 64 { 0 } else { x << known })
                });
                samples.push((bits, others.to_vec()));
            }
        }
        samples
    }

    fn has(bits: LowBits, number: Word) -> bool {
        LowBits::new(bits.known, number) == bits
    }

    #[test]
    fn operations_keep_every_number() {
        let samples = samples();
        for (a, numbers) in &samples {
            for (b, others) in &samples {
                for x in numbers {
                    for y in others {
                        assert!(has(a.join(*b), *x) && has(a.join(*b), *y));
                        assert!(!a.is_apart_from(*b) || x != y);
                        for operation in Binary::ALL {
                            for width in [Width::W32, Width::W64] {
                                let (x, y) = (width.truncate(*x), width.truncate(*y));
                                let result = operation.apply(width, x, y);
                                let (a, b) = (a.cut(width), b.cut(width));
                                let bits = LowBits::binary(*operation, width, a, b);
                                let name = operation.name();
                                assert!(has(bits, result), "{name} {width} {x} {y} {a:?} {b:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}
