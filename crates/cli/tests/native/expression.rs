//! Expressions of any scalar type, over the places in scope.
//!
//! Invariant: an expression has no side effects and no undefined behaviour, whatever
//! the places hold. Arithmetic that may overflow is done in an unsigned type at least
//! as wide as `int`; division and conversion from floating types go through the
//! guards of the prelude; shift amounts are masked.

use crate::random::Random;
use crate::scalar::{INT, Scalar, UNSIGNED, WIDE};

/// Something that holds a scalar: a variable, a member, an element, a pointer's target.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    pub scalar: Scalar,
    /// Bit fields have no address.
    pub has_address: bool,
    pub writable: bool,
    /// Members of unions are seen as other types, so no NaN may be put there.
    pub punned: bool,
}

/// An array; `length` is a power of two, so that indices can be masked.
#[derive(Clone, Debug)]
pub struct Array {
    pub text: String,
    pub scalar: Scalar,
    pub length: usize,
}

#[derive(Clone, Default, Debug)]
pub struct Scope {
    pub places: Vec<Place>,
    pub arrays: Vec<Array>,
    /// Variables of struct types: the text and the struct's number.
    pub structs: Vec<(String, usize)>,
    /// Pointer variables and the type of their targets.
    pub pointers: Vec<(String, Scalar)>,
}

pub struct Expressions<'a> {
    pub random: &'a mut Random,
    pub scope: &'a Scope,
}

impl Expressions<'_> {
    pub fn of(&mut self, scalar: Scalar, depth: usize) -> String {
        if depth == 0 || self.random.chance(15) {
            return self.leaf(scalar);
        }
        match scalar {
            Scalar::Bool => format!("((_Bool){})", self.condition(depth - 1)),
            Scalar::Float | Scalar::Double => self.floating(scalar, depth - 1),
            Scalar::Integer { .. } => self.integer(scalar, depth - 1),
        }
    }

    fn leaf(&mut self, scalar: Scalar) -> String {
        if self.random.chance(25) {
            return scalar.constant(self.random);
        }
        match self.place() {
            // A bit field that is narrower than int would become one.
            Some(place) if place.scalar == UNSIGNED && !place.has_address => {
                UNSIGNED.convert(&format!("((uint32_t){})", place.text), scalar)
            }
            Some(place) => place.scalar.convert(&place.text, scalar),
            None => scalar.constant(self.random),
        }
    }

    /// A place to read.
    fn place(&mut self) -> Option<Place> {
        if !self.scope.arrays.is_empty() && self.random.chance(30) {
            return Some(self.element(1));
        }
        let places = &self.scope.places;
        (!places.is_empty()).then(|| self.random.pick(places))
    }

    /// An element of an array in scope, which must have one.
    pub fn element(&mut self, depth: usize) -> Place {
        let array = self.random.pick(&self.scope.arrays);
        let index = self.of(UNSIGNED, depth - 1);
        Place {
            text: format!("{}[{index} & {}]", array.text, array.length - 1),
            scalar: array.scalar,
            has_address: true,
            writable: true,
            punned: false,
        }
    }

    pub fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            return format!("({} != 0)", self.leaf(INT));
        }
        match self.random.below(8) {
            0 => format!("(!{})", self.condition(depth - 1)),
            1 => format!(
                "({} && {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            2 => format!(
                "({} || {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            _ => {
                // Both sides may differ in type: the usual conversions are part of the test.
                let left = Scalar::any(self.random);
                let right = match self.random.chance(60) {
                    true => left,
                    false => Scalar::any(self.random),
                };
                let operator = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (a, b) = (self.of(left, depth - 1), self.of(right, depth - 1));
                format!("({a} {operator} {b})")
            }
        }
    }

    fn integer(&mut self, scalar: Scalar, depth: usize) -> String {
        let (name, unsigned) = (scalar.name(), scalar.wrapping().name());
        let mask = scalar.bits() - 1;
        match self.random.below(15) {
            0..=3 => {
                let operator = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                let other = match self.random.chance(70) {
                    true => scalar,
                    false => Scalar::integer(self.random),
                };
                let (a, b) = (self.of(scalar, depth), self.of(other, depth));
                format!("(({name})(({unsigned}){a} {operator} ({unsigned}){b}))")
            }
            4 => {
                let guarded = self.random.pick(&["divide", "rest"]);
                let (a, b) = (self.of(scalar, depth), self.of(scalar, depth));
                format!("{guarded}_{name}({a}, {b})")
            }
            5 => {
                let (a, n) = (self.of(scalar, depth), self.of(UNSIGNED, depth));
                format!("(({name})(({unsigned}){a} << ({n} & {mask})))")
            }
            6 => {
                let (a, n) = (self.of(scalar, depth), self.of(UNSIGNED, depth));
                format!("(({name})({a} >> ({n} & {mask})))")
            }
            7 => format!("(({name})-({unsigned}){})", self.of(scalar, depth)),
            8 => format!("(({name})~{})", self.of(scalar, depth)),
            9 => format!("(({name}){})", self.condition(depth)),
            10 => {
                let condition = self.condition(depth);
                let (a, b) = (self.of(scalar, depth), self.of(scalar, depth));
                format!("(({name})({condition} ? {a} : {b}))")
            }
            11 => {
                let operator = self.random.pick(&["+", "-", "*"]);
                let (a, b) = (self.of(INT, depth), self.of(INT, depth));
                format!("(({name})(({a} % 1000) {operator} ({b} % 999)))")
            }
            12 => {
                let between = Scalar::any(self.random);
                let text = self.of(between, depth);
                between.convert(&text, scalar)
            }
            13 => self.bit_trick(scalar, depth),
            _ => {
                let floating = self.random.pick(&[Scalar::Float, Scalar::Double]);
                let text = self.of(floating, depth);
                floating.convert(&text, scalar)
            }
        }
    }

    fn bit_trick(&mut self, scalar: Scalar, depth: usize) -> String {
        let name = scalar.name();
        let (narrow, wide) = (self.of(UNSIGNED, depth), self.of(WIDE, depth));
        match self.random.below(9) {
            0 => format!("(({name})__builtin_popcount({narrow}))"),
            1 => format!("(({name})__builtin_popcountll({wide}))"),
            2 => format!("(({name})__builtin_clz({narrow} | 1))"),
            3 => format!("(({name})__builtin_ctzll({wide} | 1))"),
            4 => format!("(({name})__builtin_bswap32({narrow}))"),
            5 => format!("(({name})__builtin_bswap64({wide}))"),
            6 => format!("(({name})__builtin_parity({narrow}))"),
            7 => {
                let n = self.random.between(1, 31);
                let variable = self.leaf(UNSIGNED);
                format!("(({name})({variable} << {n} | {variable} >> {}))", 32 - n)
            }
            _ => format!("(({name})__builtin_ffs((int){narrow}))"),
        }
    }

    fn floating(&mut self, scalar: Scalar, depth: usize) -> String {
        let name = scalar.name();
        match self.random.below(10) {
            0..=4 => {
                let operator = self.random.pick(&["+", "-", "*", "/"]);
                let other = match self.random.chance(75) {
                    true => scalar,
                    false => self.random.pick(&[Scalar::Float, Scalar::Double, INT]),
                };
                let (a, b) = (self.of(scalar, depth), self.of(other, depth));
                format!("(({name})({a} {operator} {b}))")
            }
            5 => format!("(-({}))", self.of(scalar, depth)),
            6 => {
                let integer = Scalar::integer(self.random);
                let text = self.of(integer, depth);
                integer.convert(&text, scalar)
            }
            7 => {
                let condition = self.condition(depth);
                let (a, b) = (self.of(scalar, depth), self.of(scalar, depth));
                format!("({condition} ? {a} : {b})")
            }
            8 => {
                let function = self.random.pick(&["fabs", "floor", "ceil"]);
                format!("(({name})__builtin_{function}({}))", self.of(scalar, depth))
            }
            _ => {
                let text = self.of(scalar, depth);
                format!("(({name})__builtin_sqrt(__builtin_fabs({text})))")
            }
        }
    }
}
