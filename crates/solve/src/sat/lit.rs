//! Literals.

use std::ops::Not;

/// A variable or its negation. Variable 1 is the constant true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(i32);

impl Lit {
    /// The literal that always holds.
    pub const TRUE: Lit = Lit(1);
    /// The literal that never holds.
    pub const FALSE: Lit = Lit(-1);

    /// The value of a literal that has the same one in every model.
    pub fn is_constant(self) -> Option<bool> {
        match self {
            Lit::TRUE => Some(true),
            Lit::FALSE => Some(false),
            _ => None,
        }
    }

    /// Whether the literal is a variable and not the negation of one.
    pub fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// The number of the variable.
    pub fn variable(self) -> u32 {
        self.0.unsigned_abs()
    }

    /// The positive literal of a variable.
    pub(super) fn of(variable: u32) -> Lit {
        Lit(i32::try_from(variable).expect("fewer than 2^31 variables"))
    }

    /// The literal that CaDiCaL writes as a number.
    pub(super) fn numbered(number: i32) -> Lit {
        Lit(number)
    }

    /// The literal as CaDiCaL writes it.
    pub(super) fn number(self) -> i32 {
        self.0
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}
