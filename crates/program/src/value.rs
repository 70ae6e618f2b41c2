//! Values: machine words, their widths, and addresses packed into words.

use crate::ObjectId;
use std::fmt;

/// A value of up to 64 bits. A value of width *w* has its upper 64 − *w* bits zero.
pub type Word = u64;

/// A number of bits, 1 to 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Width(u8);

impl Width {
    /// One bit: the result of a comparison.
    pub const BIT: Width = Width(1);
    /// A byte.
    pub const W8: Width = Width(8);
    /// Two bytes.
    pub const W16: Width = Width(16);
    /// Four bytes.
    pub const W32: Width = Width(32);
    /// Eight bytes.
    pub const W64: Width = Width(64);

    /// A width of `bits` bits, if that is from 1 to 64.
    pub fn of_bits(bits: u32) -> Option<Width> {
        (1..=64).contains(&bits).then_some(Width(bits as u8))
    }

    /// The number of bits.
    pub fn bits(self) -> u32 {
        u32::from(self.0)
    }

    /// The number of bytes, rounded up.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// True for the widths that one memory access may have.
    pub fn is_access(self) -> bool {
        matches!(self.0, 8 | 16 | 32 | 64)
    }

    /// `word` cut to this width.
    pub fn truncate(self, word: Word) -> Word {
        word & (Word::MAX >> (64 - self.bits()))
    }

    /// `word`, of this width, read as a signed number.
    pub fn signed(self, word: Word) -> i64 {
        let unused = 64 - self.bits();
        ((word << unused) as i64) >> unused
    }

    /// 1 if the signed number does not fit this width, else 0.
    pub(crate) fn lacks(self, number: i128) -> Word {
        let end = 1 << (self.bits() - 1);
        Word::from(!(-end..end).contains(&number))
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{}", self.0)
    }
}

/// An address: an object and a byte offset into it.
///
/// As a word it is `0x4000_0000 + object · 2^20 + offset`, so that the addresses of a
/// litmus test fit a 32-bit register, none is null, those of a C program leave the upper
/// 16 bits free, and address arithmetic within an object is plain arithmetic. An object
/// larger than 2^20 bytes is followed by empty ones that keep its room. No host pointer is
/// ever involved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// The object pointed into.
    pub object: ObjectId,
    /// Byte offset from the object's start.
    pub offset: u32,
}

impl Address {
    /// Where objects start.
    pub const BASE: Word = 0x4000_0000;
    /// Bits of an address within its object.
    pub const OFFSET_BITS: u32 = 20;

    /// The largest size in bytes of an object of a litmus test.
    pub const MAX_OBJECT_SIZE: u32 = 1 << 12;
    /// The largest number of objects of a litmus test: their addresses fit 32 bits.
    pub const MAX_SMALL_OBJECTS: usize = 3 << 10;
    /// The largest number of objects.
    pub const MAX_OBJECTS: usize = (1 << 20) - (Self::BASE >> Self::OFFSET_BITS) as usize;

    /// The start of `object`.
    pub fn of(object: ObjectId) -> Self {
        Address { object, offset: 0 }
    }

    /// The address as a word.
    pub fn to_word(self) -> Word {
        Self::BASE + (Word::from(self.object.0) << Self::OFFSET_BITS) + Word::from(self.offset)
    }

    /// The address that `word` stands for, if any. Whether the object exists
    /// and is that large is for the program to say.
    pub fn from_word(word: Word) -> Option<Self> {
        let packed = word.checked_sub(Self::BASE)?;
        let object = packed >> Self::OFFSET_BITS;
        (object < Self::MAX_OBJECTS as Word).then_some(Address {
            object: ObjectId(object as u32),
            offset: (packed & ((1 << Self::OFFSET_BITS) - 1)) as u32,
        })
    }
}
