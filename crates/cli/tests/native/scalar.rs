//! The scalar types of C that generated programs use: their names, constants,
//! conversions without undefined behaviour, and how they are printed.

use crate::random::Random;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Bool,
    Integer { bits: u32, signed: bool },
    Float,
    Double,
}

pub const INT: Scalar = Scalar::Integer {
    bits: 32,
    signed: true,
};
pub const UNSIGNED: Scalar = Scalar::Integer {
    bits: 32,
    signed: false,
};
pub const WIDE: Scalar = Scalar::Integer {
    bits: 64,
    signed: false,
};

impl Scalar {
    pub fn any(random: &mut Random) -> Self {
        match random.below(20) {
            0 => Self::Bool,
            1 | 2 => Self::Float,
            3 | 4 => Self::Double,
            _ => Self::integer(random),
        }
    }

    pub fn integer(random: &mut Random) -> Self {
        let bits = random.pick(&[8, 8, 16, 16, 32, 32, 32, 64, 64, 128]);
        let signed = random.chance(50);
        Self::Integer { bits, signed }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "_Bool",
            Self::Float => "float",
            Self::Double => "double",
            Self::Integer { bits, signed } => match (bits, signed) {
                (8, true) => "int8_t",
                (16, true) => "int16_t",
                (32, true) => "int32_t",
                (64, true) => "int64_t",
                (_, true) => "int128_t",
                (8, false) => "uint8_t",
                (16, false) => "uint16_t",
                (32, false) => "uint32_t",
                (64, false) => "uint64_t",
                (_, false) => "uint128_t",
            },
        }
    }

    pub fn is_floating(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    /// Bits of an integer.
    pub fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::Integer { bits, .. } => bits,
            Self::Float | Self::Double => panic!("{self:?} is no integer"),
        }
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Self::Integer { signed: true, .. })
    }

    /// The unsigned type in which arithmetic of this type wraps. It is never
    /// narrower than `int`, so that promotion does not bring signs back.
    pub fn wrapping(self) -> Self {
        let bits = self.bits().max(32);
        Self::Integer {
            bits,
            signed: false,
        }
    }

    /// `text`, which has this type, as another type.
    pub fn convert(self, text: &str, to: Self) -> String {
        let name = to.name();
        if self == to {
            text.to_owned()
        } else if self.is_floating() && !to.is_floating() && to != Self::Bool {
            format!("{name}_from({text})")
        } else if to == Self::Float && matches!(self, Self::Integer { bits: 128, .. }) {
            // The largest numbers do not fit in a float.
            format!("((float)(double){text})")
        } else {
            format!("(({name}){text})")
        }
    }

    pub fn constant(self, random: &mut Random) -> String {
        match self {
            Self::Bool => random.pick(&["0", "1"]).to_owned(),
            Self::Float => format!("{}f", floating(random)),
            Self::Double => floating(random),
            Self::Integer { bits, .. } => {
                let low = bit_pattern(random, bits.min(64));
                let name = self.name();
                if bits < 128 {
                    return format!("(({name})UINT64_C({low}))");
                }
                let high = bit_pattern(random, 64);
                format!("(({name})((uint128_t)UINT64_C({high}) << 64 | UINT64_C({low})))")
            }
        }
    }

    /// A call that prints `text`, a value of this type.
    pub fn print(self, text: &str) -> String {
        let format = match self {
            Self::Float => return format!("print_float({text});"),
            Self::Double => return format!("print_double({text});"),
            Self::Bool => "%d",
            Self::Integer { bits, signed } => match (bits, signed) {
                (8, true) => "%hhd",
                (8, false) => "%#x",
                (16, true) => "%hd",
                (16, false) => "%5u",
                (32, true) => "%d",
                (32, false) => "%u",
                (64, true) => return format!("printf(\"%lld \", (long long){text});"),
                (64, false) => return format!("printf(\"%llx \", (unsigned long long){text});"),
                _ => return format!("print_wide((uint128_t){text});"),
            },
        };
        format!("printf(\"{format} \", {text});")
    }
}

fn floating(random: &mut Random) -> String {
    let constants = [
        "0.0",
        "1.0",
        "-1.0",
        "0.5",
        "0.1",
        "-2.75",
        "3.14159",
        "1e10",
        "-1e-5",
        "12345.678",
        "255.9",
        "-128.5",
        "1e-30",
        "2147483648.0",
        "6.02e23",
    ];
    random.pick(&constants).to_owned()
}

/// Small numbers, edges of the range, and anything.
fn bit_pattern(random: &mut Random, bits: u32) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    let pattern = match random.below(6) {
        0 => random.below(8) as u64,
        1 => (random.below(8) as u64).wrapping_neg(),
        2 => 1u64 << random.below(bits as usize),
        3 => mask >> 1,
        4 => random.bits() & 0xffff,
        _ => random.bits(),
    };
    pattern & mask
}
