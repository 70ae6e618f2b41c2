//! Floating-point arithmetic on words that hold the bits of `float` (32) or `double` (64).

use crate::{Binary, Conversion, Unary, Width, Word};

macro_rules! arithmetic {
    ($unary:ident, $binary:ident, $float:ty, $bits:ty) => {
        fn $unary(operation: Unary, a: Word) -> Word {
            let a = <$float>::from_bits(a as $bits);
            let result = match operation {
                Unary::Fneg => -a,
                Unary::Fabs => a.abs(),
                Unary::Fsqrt => a.sqrt(),
                Unary::Ffloor => a.floor(),
                Unary::Fceil => a.ceil(),
                Unary::Ftrunc => a.trunc(),
                Unary::Fround => a.round(),
                Unary::Frint => a.round_ties_even(),
                Unary::CountOnes
                | Unary::LeadingZeros
                | Unary::TrailingZeros
                | Unary::SwapBytes
                | Unary::ReverseBits => return 0,
            };
            result.to_bits().into()
        }

        fn $binary(operation: Binary, a: Word, b: Word) -> Word {
            let a = <$float>::from_bits(a as $bits);
            let b = <$float>::from_bits(b as $bits);
            let result = match operation {
                Binary::Fadd => a + b,
                Binary::Fsub => a - b,
                Binary::Fmul => a * b,
                Binary::Fdiv => a / b,
                Binary::Frem => a % b,
                Binary::Fmin => a.min(b),
                Binary::Fmax => a.max(b),
                Binary::CopySign => a.copysign(b),
                Binary::Feq => return (a == b).into(),
                Binary::Flt => return (a < b).into(),
                Binary::Fle => return (a <= b).into(),
                Binary::Funordered => return (a.is_nan() || b.is_nan()).into(),
                _ => return 0,
            };
            result.to_bits().into()
        }
    };
}

arithmetic!(unary32, binary32, f32, u32);
arithmetic!(unary64, binary64, f64, u64);

pub(crate) fn unary(operation: Unary, width: Width, a: Word) -> Word {
    match width {
        Width::W32 => unary32(operation, a),
        _ => unary64(operation, a),
    }
}

pub(crate) fn binary(operation: Binary, width: Width, a: Word, b: Word) -> Word {
    match width {
        Width::W32 => binary32(operation, a, b),
        _ => binary64(operation, a, b),
    }
}

impl Conversion {
    /// The word of width `from` converted to width `to`.
    pub fn apply(self, from: Width, to: Width, a: Word) -> Word {
        // A float widened to double keeps its value, so one conversion to integers will do.
        let double = match from {
            Width::W32 => f64::from(f32::from_bits(a as u32)),
            _ => f64::from_bits(a),
        };
        let signed = from.signed(a);
        let (single, wide) = match self {
            Conversion::SignedToFloat => (signed as f32, signed as f64),
            Conversion::UnsignedToFloat => (a as f32, a as f64),
            Conversion::FloatToFloat => (double as f32, double),
            Conversion::FloatToSigned => return to.truncate(double as i64 as Word),
            Conversion::FloatToUnsigned => return to.truncate(double as Word),
        };
        match to {
            Width::W32 => single.to_bits().into(),
            _ => wide.to_bits(),
        }
    }
}
