//! What threads compute, as a graph of shared terms.
//!
//! A term is a word of a width that is a constant, chosen, loaded by an event, or computed
//! from other terms. Equal terms are the same term; what is known at once is computed at once.

use crate::guard::{Guard, Guards};
use program::{Binary, Conversion, Unary, Width, Word};
use rustc_hash::FxHashMap;

/// A term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

impl TermId {
    /// Its index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An access of memory; see [`crate::unroll::Event`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(pub u32);

impl EventId {
    /// Its index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a term comes about. Operands are cut to the operation's width, results to the term's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A number.
    Constant(Word),
    /// What was never written.
    Undefined,
    /// The choice of this number: any number below the bound.
    Choice(u32, Word),
    /// What an event loads.
    Loaded(EventId),
    /// 1 if the thread of this handle has ended.
    Ended(TermId),
    /// The same bits in another width.
    Copy(TermId),
    /// The low bits of this width, sign-extended.
    SignExtend(Width, TermId),
    /// A unary operation on a word of this width.
    Unary(Unary, Width, TermId),
    /// A conversion from a word of this width.
    Convert(Conversion, Width, TermId),
    /// A binary operation on words of this width.
    Binary(Binary, Width, TermId, TermId),
    /// The first term where the guard holds, else the second.
    Select(Guard, TermId, TermId),
}

/// All terms of a program, and the guards that they make.
#[derive(Debug, Default)]
pub struct Terms {
    terms: Vec<(Term, Width)>,
    numbers: FxHashMap<(Term, Width), TermId>,
    /// The guards.
    pub guards: Guards,
    choices: u32,
}

impl Terms {
    /// The term and its width.
    pub fn get(&self, term: TermId) -> (Term, Width) {
        self.terms[term.index()]
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// The term of this form.
    pub fn term(&mut self, term: Term, width: Width) -> TermId {
        let next = TermId(self.terms.len() as u32);
        let number = *self.numbers.entry((term, width)).or_insert(next);
        if number == next {
            self.terms.push((term, width));
        }
        number
    }

    /// The term of this form, which is there.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn find(&self, term: Term, width: Width) -> TermId {
        self.numbers[&(term, width)]
    }

    /// A number.
    pub fn constant(&mut self, word: Word, width: Width) -> TermId {
        self.term(Term::Constant(width.truncate(word)), width)
    }

    /// A new choice below a bound.
    pub fn choice(&mut self, bound: Word, width: Width) -> TermId {
        self.choices += 1;
        self.term(Term::Choice(self.choices - 1, bound), width)
    }

    /// The number that a term always is.
    pub fn known(&self, term: TermId) -> Option<Word> {
        match self.get(term).0 {
            Term::Constant(word) => Some(word),
            _ => None,
        }
    }

    /// The same bits, zero-extended or cut to a width.
    pub fn copy(&mut self, term: TermId, width: Width) -> TermId {
        match self.get(term) {
            (_, same) if same == width => term,
            (Term::Constant(word), _) => self.constant(word, width),
            (Term::Undefined, from) if from > width => self.term(Term::Undefined, width),
            (Term::Copy(inner), from) if from >= width || self.get(inner).1 <= from => {
                self.copy(inner, width)
            }
            _ => self.term(Term::Copy(term), width),
        }
    }

    /// The low bits of width `from`, sign-extended to `width`.
    pub fn sign_extend(&mut self, from: Width, term: TermId, width: Width) -> TermId {
        match self.known(term) {
            Some(word) => self.constant(from.signed(from.truncate(word)) as Word, width),
            None => self.term(Term::SignExtend(from, term), width),
        }
    }

    /// A unary operation.
    pub fn unary(&mut self, operation: Unary, from: Width, term: TermId, width: Width) -> TermId {
        match self.known(term) {
            Some(word) => self.constant(operation.apply(from, from.truncate(word)), width),
            None => self.term(Term::Unary(operation, from, term), width),
        }
    }

    /// A conversion.
    pub fn convert(&mut self, how: Conversion, from: Width, term: TermId, to: Width) -> TermId {
        match self.known(term) {
            Some(word) => self.constant(how.apply(from, to, from.truncate(word)), to),
            None => self.term(Term::Convert(how, from, term), to),
        }
    }

    /// A binary operation on words of width `on`.
    pub fn binary(
        &mut self,
        operation: Binary,
        on: Width,
        a: TermId,
        b: TermId,
        width: Width,
    ) -> TermId {
        let (left, right) = (self.known(a), self.known(b));
        if let (Some(left), Some(right)) = (left, right) {
            let result = operation.apply(on, on.truncate(left), on.truncate(right));
            return self.constant(result, width);
        }
        let neutral = right == Some(0) && matches!(operation, Binary::Add | Binary::Sub);
        if neutral && self.get(a).1 == on {
            return self.copy(a, width);
        }
        self.term(Term::Binary(operation, on, a, b), width)
    }

    /// Whether two terms are equal, as a bit.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.constant(1, Width::BIT);
        }
        let width = self.get(a).1.max(self.get(b).1);
        self.binary(Binary::Eq, width, a, b, Width::BIT)
    }

    /// The first term where the guard holds, else the second.
    pub fn select(&mut self, guard: Guard, a: TermId, b: TermId) -> TermId {
        match guard {
            _ if a == b => a,
            Guard::TRUE => a,
            Guard::FALSE => b,
            _ => {
                let width = self.get(a).1;
                self.term(Term::Select(guard, a, b), width)
            }
        }
    }

    /// That a term is not zero.
    pub fn holds(&mut self, term: TermId) -> Guard {
        let (form, width) = self.get(term);
        match form {
            Term::Constant(word) => Guard::constant(word != 0),
            Term::Copy(inner) if self.get(inner).1 <= width => self.holds(inner),
            Term::Select(guard, a, b) => {
                let (a, b) = (self.holds(a), self.holds(b));
                self.guards.choose(guard, a, b)
            }
            Term::Binary(Binary::Ne | Binary::Eq, on, a, b)
                if self.known(b) == Some(0) && self.get(a).1 <= on =>
            {
                let inner = self.holds(a);
                match form {
                    Term::Binary(Binary::Ne, ..) => inner,
                    _ => self.guards.not(inner),
                }
            }
            Term::Binary(operation @ (Binary::And | Binary::Or | Binary::Xor), _, a, b)
                if width == Width::BIT && self.get(a).1 == width && self.get(b).1 == width =>
            {
                let (a, b) = (self.holds(a), self.holds(b));
                match operation {
                    Binary::And => self.guards.and(a, b),
                    Binary::Or => self.guards.or(a, b),
                    _ => {
                        let no = self.guards.not(b);
                        self.guards.choose(a, no, b)
                    }
                }
            }
            _ if width == Width::BIT => self.guards.atom(term),
            _ => {
                let zero = self.constant(0, width);
                let bit = self.binary(Binary::Ne, width, term, zero, Width::BIT);
                self.guards.atom(bit)
            }
        }
    }
}
