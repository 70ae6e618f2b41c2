//! Values that know which of their bits were never initialised.
//!
//! A bit is undefined if it depends on memory or a register that nothing has written.
//! Copying such bits around is fine; deciding on them is not. Logic and shifts by known
//! amounts are followed bit by bit, so that a bit field beside uninitialised ones is
//! defined; sums and products are undefined from the lowest undefined bit on.

use program::{Binary, Width, Word};

/// A word and its undefined bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Value {
    /// The bits.
    /// invariant: undefined bits are 0 here.
    pub word: Word,
    /// Which bits are undefined.
    pub undefined: Word,
}

impl Value {
    /// Nothing known.
    pub const UNDEFINED: Value = Value {
        word: 0,
        undefined: Word::MAX,
    };

    /// A defined word.
    pub fn new(word: Word) -> Self {
        Value { word, undefined: 0 }
    }

    /// A word with these bits undefined.
    pub fn with_undefined(word: Word, undefined: Word) -> Self {
        Value {
            word: word & !undefined,
            undefined,
        }
    }

    /// True if no bit is undefined.
    pub fn is_defined(self) -> bool {
        self.undefined == 0
    }

    /// The value cut to a width.
    pub fn truncate(self, width: Width) -> Self {
        Value {
            word: width.truncate(self.word),
            undefined: width.truncate(self.undefined),
        }
    }

    /// The byte of this number.
    pub fn byte(self, number: u32) -> Self {
        let byte = |word: Word| word >> (8 * number) & 0xff;
        Value {
            word: byte(self.word),
            undefined: byte(self.undefined),
        }
    }

    /// Replaces the byte of this number.
    pub fn set_byte(&mut self, number: u32, byte: Value) {
        let mask = !(0xff << (8 * number));
        self.word = self.word & mask | byte.word << (8 * number);
        self.undefined = self.undefined & mask | byte.undefined << (8 * number);
    }

    /// The value's low bits of a width, sign-extended.
    pub fn sign_extend(self, from: Width) -> Self {
        Value::with_undefined(
            from.signed(self.word) as Word,
            from.signed(self.undefined) as Word,
        )
    }
}

/// Every bit from the lowest one bit on.
fn smear(bits: Word) -> Word {
    bits | bits.wrapping_neg()
}

/// The result of an operation on values of which some bit is undefined.
#[cold]
pub fn binary(operation: Binary, width: Width, a: Value, b: Value) -> Value {
    let (a, b) = (a.truncate(width), b.truncate(width));
    let either = a.undefined | b.undefined;
    if either == 0 {
        return Value::new(operation.apply(width, a.word, b.word));
    }
    let word = operation.apply(width, a.word, b.word);
    let shifted = |by: fn(Word, u32) -> Option<Word>| match (b.undefined, u32::try_from(b.word)) {
        (0, Ok(amount)) => by(a.undefined, amount).unwrap_or(0),
        _ => Word::MAX,
    };
    let undefined = match operation {
        Binary::And => {
            (a.undefined & b.undefined) | (a.undefined & b.word) | (b.undefined & a.word)
        }
        Binary::Or => {
            (a.undefined & b.undefined) | (a.undefined & !b.word) | (b.undefined & !a.word)
        }
        Binary::Xor => either,
        Binary::Add | Binary::Sub | Binary::Mul => smear(either),
        Binary::Shl => shifted(Word::checked_shl),
        Binary::Shr => shifted(Word::checked_shr),
        Binary::Sar if b.undefined == 0 => {
            let amount = b.word.min(63) as u32;
            (width.signed(a.undefined) >> amount) as Word
        }
        Binary::Eq | Binary::Ne if (a.word ^ b.word) & !either != 0 => 0,
        _ => Word::MAX,
    };
    let result = if operation.is_comparison() {
        Width::BIT
    } else {
        width
    };
    Value::with_undefined(word, undefined).truncate(result)
}

/// A row of values, mostly short ones.
#[derive(Clone, Debug, Default)]
pub struct Values {
    first: [Value; Values::SHORT],
    count: usize,
    /// All of them, if they are more.
    all: Vec<Value>,
}

impl Values {
    const SHORT: usize = 6;
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        let mut row = Values::default();
        for value in values {
            if row.count < Values::SHORT {
                row.first[row.count] = value;
            } else {
                if row.all.is_empty() {
                    row.all.extend(row.first);
                }
                row.all.push(value);
            }
            row.count += 1;
        }
        row
    }
}

impl std::ops::Deref for Values {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        match self.count {
            0..=Values::SHORT => &self.first[..self.count],
            _ => &self.all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(word: Word, undefined: Word) -> Value {
        Value::with_undefined(word, undefined)
    }

    #[test]
    fn a_mask_defines_the_bits_that_it_clears() {
        let field = binary(Binary::And, Width::W8, value(0x05, 0xf0), Value::new(0x0f));
        assert_eq!(field, Value::new(0x05));
    }

    #[test]
    fn a_sum_is_undefined_from_the_lowest_undefined_bit_on() {
        let sum = binary(Binary::Add, Width::W8, value(1, 0x10), Value::new(1));
        assert_eq!(sum.undefined, 0xf0);
        assert_eq!(sum.word, 2);
    }

    #[test]
    fn values_that_differ_in_a_defined_bit_are_unequal() {
        let same = binary(Binary::Eq, Width::W8, value(1, 0x80), Value::new(0));
        assert_eq!(same, Value::new(0));
        let unknown = binary(Binary::Eq, Width::W8, value(0, 0x80), Value::new(0));
        assert!(!unknown.is_defined());
    }
}
