//! What registers and memory hold, in terms of what they held before and of what was read since.

use crate::process::image::{Image, Op, Slot};
use program::{Binary, Conversion, Unary, Width, Word};

/// The number of a term. Equal terms have the same number.
pub(super) type TermId = u32;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Computation {
    Copy(Width),
    SignExtend(Width, Width),
    Unary(Unary, Width),
    Convert(Conversion, Width, Width),
    Binary(Binary, Width),
    Select,
}

/// What something holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Constant(Word),
    /// What a register of a frame held at the start.
    Register(usize, u32),
    /// What memory held at the start.
    Memory(Place),
    /// The address of the thread's own copy of an object.
    Own(u32, u32),
    /// What the read of this number returned, of so many bits.
    Read(u32, u32),
    Computed(Computation, Vec<TermId>),
}

/// A stretch of memory: an address, or an offset from one that is not known, and a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub base: Option<TermId>,
    pub offset: Word,
    pub size: u8,
}

impl Place {
    /// True if it certainly has nothing in common with another one.
    pub fn is_apart_from(self, other: Place) -> bool {
        let distance = other.offset.wrapping_sub(self.offset);
        let back = self.offset.wrapping_sub(other.offset);
        self.base == other.base && distance >= self.size.into() && back >= other.size.into()
    }
}

/// An operation that computes a register from others: what, the register, from which.
pub(super) fn computation(op: &Op) -> Option<(Computation, u32, Vec<Slot>)> {
    Some(match *op {
        Op::Copy(target, a, width) => (Computation::Copy(width), target, vec![a]),
        Op::SignExtend(target, a, from, to) => (Computation::SignExtend(from, to), target, vec![a]),
        Op::Unary(operation, width, target, a) => {
            (Computation::Unary(operation, width), target, vec![a])
        }
        Op::Convert(conversion, from, to, target, a) => {
            (Computation::Convert(conversion, from, to), target, vec![a])
        }
        // A division may fail.
        Op::Binary(operation, width, target, a, b) if !operation.divides() => {
            (Computation::Binary(operation, width), target, vec![a, b])
        }
        Op::Select(target, condition, a, b) => (Computation::Select, target, vec![condition, a, b]),
        _ => return None,
    })
}

/// All terms.
#[derive(Default)]
pub(super) struct Terms(Vec<Term>);

impl Terms {
    pub fn get(&self, id: TermId) -> &Term {
        &self.0[id as usize]
    }

    /// The number of a term.
    pub fn intern(&mut self, term: Term) -> TermId {
        let known = self.0.iter().position(|known| *known == term);
        let id = known.unwrap_or_else(|| {
            self.0.push(term);
            self.0.len() - 1
        });
        id as TermId
    }

    /// The term of a slot of a frame with these registers.
    pub fn slot(&mut self, image: &Image, registers: &[TermId], slot: Slot) -> TermId {
        match slot.resolve() {
            Ok(register) => registers[register],
            Err(constant) => self.intern(Term::Constant(image.constants[constant])),
        }
    }

    /// What is computed from these terms.
    pub fn compute(&mut self, computation: Computation, from: Vec<TermId>) -> TermId {
        if let Computation::Copy(width) = computation
            && self.bits(from[0]) <= width.bits()
        {
            return from[0];
        }
        let constant = |id: &TermId| match self.get(*id) {
            Term::Constant(word) => Some(*word),
            _ => None,
        };
        let constants: Option<Vec<Word>> = from.iter().map(constant).collect();
        if let Some(words) = constants {
            return self.intern(Term::Constant(apply(computation, &words)));
        }
        self.intern(Term::Computed(computation, from))
    }

    /// The constant that a term is.
    pub fn constant(&self, id: TermId) -> Option<Word> {
        match self.get(id) {
            Term::Constant(word) => Some(*word),
            _ => None,
        }
    }

    /// The stretch of memory at an address.
    pub fn place(&self, address: TermId, size: u8) -> Place {
        let (mut base, mut offset) = (address, 0);
        loop {
            match self.get(base) {
                Term::Constant(word) => {
                    return Place {
                        base: None,
                        offset: offset + word,
                        size,
                    };
                }
                Term::Computed(Computation::Binary(Binary::Add, Width::W64), from)
                    if self.constant(from[1]).is_some() =>
                {
                    offset = self
                        .constant(from[1])
                        .map_or(offset, |by| by.wrapping_add(offset));
                    base = from[0];
                }
                _ => {
                    return Place {
                        base: Some(base),
                        offset,
                        size,
                    };
                }
            }
        }
    }

    /// A term with another read in the place of one.
    pub fn replace(&mut self, id: TermId, read: TermId, by: TermId) -> TermId {
        if id == read {
            return by;
        }
        match self.get(id).clone() {
            Term::Computed(computation, from) => {
                let from = from.iter().map(|from| self.replace(*from, read, by));
                let from = from.collect();
                self.compute(computation, from)
            }
            Term::Memory(place) => {
                let place = self.replace_in(place, read, by);
                self.intern(Term::Memory(place))
            }
            Term::Constant(_) | Term::Register(..) | Term::Own(..) | Term::Read(..) => id,
        }
    }

    /// The same for a stretch of memory.
    pub fn replace_in(&mut self, place: Place, read: TermId, by: TermId) -> Place {
        Place {
            base: place.base.map(|base| self.replace(base, read, by)),
            ..place
        }
    }

    /// The number of low bits of a term that may be set.
    fn bits(&self, id: TermId) -> u32 {
        match self.get(id) {
            Term::Constant(word) => Word::BITS - word.leading_zeros(),
            Term::Read(_, bits) => *bits,
            Term::Memory(place) => 8 * u32::from(place.size),
            Term::Computed(computation, _) => match computation {
                Computation::Copy(width)
                | Computation::SignExtend(_, width)
                | Computation::Convert(_, _, width) => width.bits(),
                Computation::Unary(..) | Computation::Binary(..) | Computation::Select => {
                    Word::BITS
                }
            },
            Term::Register(..) | Term::Own(..) => Word::BITS,
        }
    }
}

fn apply(computation: Computation, words: &[Word]) -> Word {
    match computation {
        Computation::Copy(width) => width.truncate(words[0]),
        Computation::SignExtend(from, to) => to.truncate(from.signed(words[0]) as Word),
        Computation::Unary(operation, width) => operation.apply(width, width.truncate(words[0])),
        Computation::Convert(conversion, from, to) => {
            conversion.apply(from, to, from.truncate(words[0]))
        }
        Computation::Binary(operation, width) => {
            operation.apply(width, width.truncate(words[0]), width.truncate(words[1]))
        }
        Computation::Select if words[0] != 0 => words[1],
        Computation::Select => words[2],
    }
}
