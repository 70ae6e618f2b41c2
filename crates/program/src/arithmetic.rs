//! Arithmetic: what expressions and read-modify-writes compute.

use crate::{Address, Operand, Width, Word, float};

macro_rules! operations {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// Every operation.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// The operation's name in printed programs.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The operation of this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|operation| operation.name() == name)
            }
        }
    };
}

operations! {
    /// Arithmetic and comparison on two values of one width.
    Binary {
        /// Sum.
        Add "add",
        /// Difference.
        Sub "sub",
        /// Product.
        Mul "mul",
        /// Bitwise and.
        And "and",
        /// Bitwise or.
        Or "or",
        /// Bitwise exclusive or.
        Xor "xor",
        /// Shift left; 0 when all bits are shifted out.
        Shl "shl",
        /// Logical shift right; 0 when all bits are shifted out.
        Shr "shr",
        /// Arithmetic shift right.
        Sar "sar",
        /// Equal; the result is one bit, as for all comparisons.
        Eq "eq",
        /// Not equal.
        Ne "ne",
        /// Unsigned less.
        Ult "ult",
        /// Unsigned less or equal.
        Ule "ule",
        /// Signed less.
        Slt "slt",
        /// Signed less or equal.
        Sle "sle",
        /// Unsigned quotient. Division by zero is an error of the program.
        Udiv "udiv",
        /// Signed quotient, rounded towards zero. So is a quotient that does not fit.
        Sdiv "sdiv",
        /// Unsigned remainder.
        Urem "urem",
        /// Signed remainder, with the sign of the dividend.
        Srem "srem",
        /// The upper half of the unsigned product.
        MulHigh "mulhigh",
        /// 1 if the signed sum does not fit; the result is one bit.
        AddOverflow "saddo",
        /// 1 if the signed difference does not fit.
        SubOverflow "ssubo",
        /// 1 if the signed product does not fit.
        MulOverflow "smulo",
        /// Sum of floating-point numbers of 32 or 64 bits.
        Fadd "fadd",
        /// Difference of floating-point numbers.
        Fsub "fsub",
        /// Product of floating-point numbers.
        Fmul "fmul",
        /// Quotient of floating-point numbers.
        Fdiv "fdiv",
        /// Remainder of floating-point numbers, as C's `fmod`.
        Frem "frem",
        /// The smaller floating-point number; a number rather than a NaN.
        Fmin "fmin",
        /// The larger floating-point number; a number rather than a NaN.
        Fmax "fmax",
        /// The first number with the sign of the second.
        CopySign "copysign",
        /// Equal floating-point numbers.
        Feq "feq",
        /// Less, as floating-point numbers.
        Flt "flt",
        /// Less or equal, as floating-point numbers.
        Fle "fle",
        /// One of the floating-point numbers is a NaN.
        Funordered "funo",
    }
}

impl Binary {
    /// True for comparisons and tests, whose result is one bit.
    pub fn is_comparison(self) -> bool {
        use Binary::*;
        matches!(
            self,
            Eq | Ne
                | Ult
                | Ule
                | Slt
                | Sle
                | AddOverflow
                | SubOverflow
                | MulOverflow
                | Feq
                | Flt
                | Fle
                | Funordered
        )
    }

    /// True for integer division, which a zero divisor makes an error.
    pub fn divides(self) -> bool {
        use Binary::*;
        matches!(self, Udiv | Sdiv | Urem | Srem)
    }

    /// True if the operation is a division that has no result.
    pub fn fails(self, width: Width, a: Word, b: Word) -> bool {
        use Binary::*;
        let overflows = || width.signed(b) == -1 && a == 1 << (width.bits() - 1);
        match self {
            Udiv | Urem => b == 0,
            Sdiv | Srem => b == 0 || overflows(),
            _ => false,
        }
    }

    /// The result on two words of `width`; 0 where the operation [fails](Binary::fails).
    pub fn apply(self, width: Width, a: Word, b: Word) -> Word {
        let (sa, sb) = (width.signed(a), width.signed(b));
        let bits = Word::from(width.bits());
        let result = match self {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Shl if b >= bits => 0,
            Binary::Shl => a << b,
            Binary::Shr if b >= bits => 0,
            Binary::Shr => a >> b,
            Binary::Sar => (sa >> b.min(bits - 1)) as Word,
            Binary::Eq => Word::from(a == b),
            Binary::Ne => Word::from(a != b),
            Binary::Ult => Word::from(a < b),
            Binary::Ule => Word::from(a <= b),
            Binary::Slt => Word::from(sa < sb),
            Binary::Sle => Word::from(sa <= sb),
            _ if self.divides() && self.fails(width, a, b) => 0,
            Binary::Udiv => a / b,
            Binary::Urem => a % b,
            Binary::Sdiv => (sa / sb) as Word,
            Binary::Srem => (sa % sb) as Word,
            Binary::MulHigh => ((u128::from(a) * u128::from(b)) >> bits) as Word,
            Binary::AddOverflow => width.lacks(i128::from(sa) + i128::from(sb)),
            Binary::SubOverflow => width.lacks(i128::from(sa) - i128::from(sb)),
            Binary::MulOverflow => width.lacks(i128::from(sa) * i128::from(sb)),
            _ => return float::binary(self, width, a, b),
        };
        width.truncate(result)
    }
}

operations! {
    /// What an atomic read-modify-write makes of the old value and its operand.
    UpdateOp {
        /// The operand.
        Exchange "xchg",
        /// Sum.
        Add "add",
        /// Difference.
        Sub "sub",
        /// Bitwise and.
        And "and",
        /// Bitwise or.
        Or "or",
        /// Bitwise exclusive or.
        Xor "xor",
        /// Complement of bitwise and.
        Nand "nand",
        /// The larger, signed.
        Max "max",
        /// The smaller, signed.
        Min "min",
        /// The larger, unsigned.
        Umax "umax",
        /// The smaller, unsigned.
        Umin "umin",
        /// Floating-point sum.
        Fadd "fadd",
        /// Floating-point difference.
        Fsub "fsub",
        /// The larger floating-point number.
        Fmax "fmax",
        /// The smaller floating-point number.
        Fmin "fmin",
        /// One more, or 0 from the operand on.
        IncrementWrap "uinc_wrap",
        /// One less; the operand from 0 or from above the operand.
        DecrementWrap "udec_wrap",
        /// The difference if it is not negative, else the old value.
        SubIf "usub_cond",
        /// The difference, or 0 if it is negative.
        SubSaturating "usub_sat",
    }
}

impl UpdateOp {
    /// The new value of the location.
    pub fn apply(self, width: Width, old: Word, operand: Word) -> Word {
        let pick = |mine: bool| if mine { old } else { operand };
        let binary = match self {
            UpdateOp::Exchange => return width.truncate(operand),
            UpdateOp::Add => Binary::Add,
            UpdateOp::Sub => Binary::Sub,
            UpdateOp::And => Binary::And,
            UpdateOp::Or => Binary::Or,
            UpdateOp::Xor => Binary::Xor,
            UpdateOp::Fadd => Binary::Fadd,
            UpdateOp::Fsub => Binary::Fsub,
            UpdateOp::Fmax => Binary::Fmax,
            UpdateOp::Fmin => Binary::Fmin,
            UpdateOp::Nand => return width.truncate(!(old & operand)),
            UpdateOp::Max => return pick(width.signed(old) > width.signed(operand)),
            UpdateOp::Min => return pick(width.signed(old) < width.signed(operand)),
            UpdateOp::Umax => return old.max(operand),
            UpdateOp::Umin => return old.min(operand),
            UpdateOp::IncrementWrap if old >= operand => return 0,
            UpdateOp::IncrementWrap => return old + 1,
            UpdateOp::DecrementWrap if old == 0 || old > operand => return operand,
            UpdateOp::DecrementWrap => return old - 1,
            UpdateOp::SubIf if old < operand => return old,
            UpdateOp::SubSaturating if old < operand => return 0,
            UpdateOp::SubIf | UpdateOp::SubSaturating => Binary::Sub,
        };
        binary.apply(width, old, operand)
    }
}

operations! {
    /// Arithmetic on one value.
    Unary {
        /// Number of one bits.
        CountOnes "ctpop",
        /// Number of zero bits above the highest one bit.
        LeadingZeros "ctlz",
        /// Number of zero bits below the lowest one bit.
        TrailingZeros "cttz",
        /// The bytes in reverse order.
        SwapBytes "bswap",
        /// The bits in reverse order.
        ReverseBits "bitreverse",
        /// The floating-point number with the other sign.
        Fneg "fneg",
        /// The floating-point number without its sign.
        Fabs "fabs",
        /// The square root.
        Fsqrt "fsqrt",
        /// The next whole number below.
        Ffloor "ffloor",
        /// The next whole number above.
        Fceil "fceil",
        /// The next whole number towards zero.
        Ftrunc "ftrunc",
        /// The nearest whole number, halves away from zero.
        Fround "fround",
        /// The nearest whole number, halves to even.
        Frint "frint",
    }
}

impl Unary {
    /// The result on a word of `width`.
    pub fn apply(self, width: Width, a: Word) -> Word {
        let unused = 64 - width.bits();
        width.truncate(match self {
            Unary::CountOnes => a.count_ones().into(),
            Unary::LeadingZeros => (a.leading_zeros() - unused).into(),
            Unary::TrailingZeros => a.trailing_zeros().min(width.bits()).into(),
            Unary::SwapBytes => a.swap_bytes() >> unused,
            Unary::ReverseBits => a.reverse_bits() >> unused,
            _ => float::unary(self, width, a),
        })
    }
}

operations! {
    /// Conversions between integers and floating-point numbers of the operand's and
    /// the target's width.
    Conversion {
        /// Signed integer to floating-point number.
        SignedToFloat "sitofp",
        /// Unsigned integer to floating-point number.
        UnsignedToFloat "uitofp",
        /// Floating-point number to signed integer, towards zero, at most to the ends of its range.
        FloatToSigned "fptosi",
        /// Floating-point number to unsigned integer.
        FloatToUnsigned "fptoui",
        /// Floating-point number to one of another width.
        FloatToFloat "fpconv",
    }
}

/// A computation without side effects, but for division by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// The operand itself, zero-extended or cut to the target's width.
    Copy(Operand),
    /// The operand's low bits of the given width, sign-extended to the target's width.
    SignExtend(Width, Operand),
    /// A unary operation on an operand of the given width.
    Unary(Unary, Width, Operand),
    /// A conversion of an operand of the given width to the target's width.
    Convert(Conversion, Width, Operand),
    /// A binary operation on operands of the given width.
    Binary(Binary, Width, Operand, Operand),
    /// The second operand if the first is not zero, else the third.
    Select(Operand, Operand, Operand),
    /// The address of the thread's own copy of (a location in) a per-thread object.
    Own(Address),
}

impl Expression {
    /// True if it divides by something that may be zero, or minus one.
    pub fn may_fail(&self) -> bool {
        match *self {
            Expression::Binary(operation, width, _, Operand::Constant(divisor)) => {
                let divisor = width.signed(divisor);
                operation.divides() && (divisor == 0 || divisor == -1)
            }
            Expression::Binary(operation, ..) => operation.divides(),
            _ => false,
        }
    }

    /// Everything that the expression reads.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        self.up_to_three().into_iter().flatten()
    }

    /// The same in a row.
    pub(crate) fn up_to_three(&self) -> [Option<Operand>; 3] {
        match *self {
            Expression::Copy(a)
            | Expression::SignExtend(_, a)
            | Expression::Unary(_, _, a)
            | Expression::Convert(_, _, a) => [Some(a), None, None],
            Expression::Binary(_, _, a, b) => [Some(a), Some(b), None],
            Expression::Select(a, b, c) => [a, b, c].map(Some),
            Expression::Own(_) => [None; 3],
        }
    }

    /// The value, cut to `target` bits, given the operands in the order of
    /// [`Expression::operands`].
    pub fn evaluate(&self, operands: &[Word], target: Width) -> Word {
        target.truncate(match *self {
            Expression::Copy(_) => operands[0],
            Expression::SignExtend(from, _) => from.signed(operands[0]) as Word,
            Expression::Unary(operation, width, _) => {
                operation.apply(width, width.truncate(operands[0]))
            }
            Expression::Convert(conversion, width, _) => {
                conversion.apply(width, target, width.truncate(operands[0]))
            }
            Expression::Binary(operation, width, ..) => operation.apply(
                width,
                width.truncate(operands[0]),
                width.truncate(operands[1]),
            ),
            Expression::Select(..) => operands[if operands[0] != 0 { 1 } else { 2 }],
            Expression::Own(address) => address.to_word(),
        })
    }
}
