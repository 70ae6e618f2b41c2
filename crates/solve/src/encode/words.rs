//! Terms and guards as literals.

use super::Encoder;
use super::local::Source;
use crate::bits::{Bits, constant, resize};
use crate::guard::Guard;
use crate::range::Range;
use crate::sat::Lit;
use crate::term::{EventId, Term, TermId};
use machine::value::{self, Value};
use program::{Binary, Width, Word};
use rustc_hash::FxHashMap;

/// A term as literals.
#[derive(Clone, Debug)]
pub struct LitWord {
    /// Its bits, lowest first.
    pub bits: Bits,
    /// Some bit of it is undefined.
    pub undefined: Lit,
}

impl Encoder<'_> {
    /// A guard as a literal.
    pub fn guard(&mut self, guard: Guard) -> Lit {
        match guard {
            Guard::TRUE => return Lit::TRUE,
            Guard::FALSE => return Lit::FALSE,
            _ => {}
        }
        if let Some(&known) = self.guards.get(&guard) {
            return known;
        }
        let Some(decision) = self.unrolled.terms.guards.decision(guard) else {
            return Lit::FALSE;
        };
        let term = self.unrolled.terms.guards.term(decision.atom);
        let atom = self.word(term).bits[0];
        let then = self.guard(decision.then);
        let otherwise = self.guard(decision.otherwise);
        let literal = self.gates.choose(atom, then, otherwise);
        self.guards.insert(guard, literal);
        literal
    }

    /// A term as literals.
    pub fn word(&mut self, id: TermId) -> LitWord {
        if let Some(known) = &self.words[id.index()] {
            return known.clone();
        }
        let (term, width) = self.unrolled.terms.get(id);
        let range = self.ranges.of(id);
        let kept = self.model.row().dependences || !self.ranges.may_be_left(id);
        let word = match range.only().filter(|_| kept) {
            Some(value) => LitWord {
                bits: constant(value.word, width),
                undefined: literal(!value.is_defined()),
            },
            None => {
                let mut word = self.compute(id, term, width);
                if kept {
                    self.fix(id, &mut word, width);
                }
                word
            }
        };
        self.words[id.index()] = Some(word.clone());
        word
    }

    /// Bits that are always the same are constants.
    fn fix(&self, id: TermId, word: &mut LitWord, width: Width) {
        let range = self.ranges.of(id);
        if !range.may_be_undefined() {
            word.undefined = Lit::FALSE;
        }
        let (ones, zeros) = match range {
            Range::Set(values) => {
                let ones = values.iter().fold(0, |bits, (value, _)| bits | value.word);
                let always = values.iter().fold(Word::MAX, |bits, (v, _)| bits & v.word);
                (ones, !always)
            }
            Range::Wide { ones, .. } => (*ones, Word::MAX),
        };
        for (index, bit) in word.bits.iter_mut().enumerate().take(width.bits() as usize) {
            if ones >> index & 1 == 0 {
                *bit = Lit::FALSE;
            } else if zeros >> index & 1 == 0 {
                *bit = Lit::TRUE;
            }
        }
    }

    fn compute(&mut self, id: TermId, term: Term, width: Width) -> LitWord {
        match term {
            Term::Constant(word) => LitWord {
                bits: constant(word, width),
                undefined: Lit::FALSE,
            },
            Term::Undefined => LitWord {
                bits: constant(0, width),
                undefined: Lit::TRUE,
            },
            Term::Choice(_, bound) => {
                let word = self.fresh(id, width);
                let limit = constant(bound, Width::W64);
                let value = resize(word.bits.clone(), Width::W64);
                let below = self.gates.binary(Binary::Ult, &value, &limit);
                self.gates.solver.clause(&below.unwrap_or_default());
                word
            }
            Term::Loaded(event) => self.loaded(id, event, width),
            Term::Ended(handle) => LitWord {
                bits: vec![self.ended(handle)],
                undefined: Lit::FALSE,
            },
            Term::Copy(a) => {
                let word = self.word(a);
                LitWord {
                    bits: resize(word.bits, width),
                    undefined: word.undefined,
                }
            }
            Term::SignExtend(from, a) => {
                let word = self.word(a);
                let mut bits = resize(word.bits, from);
                let sign = bits[bits.len() - 1];
                bits.resize(width.bits() as usize, sign);
                LitWord {
                    bits,
                    undefined: word.undefined,
                }
            }
            Term::Unary(operation, from, a) => self.table(width, &[a], |values| {
                operation.apply(from, from.truncate(values[0]))
            }),
            Term::Convert(how, from, a) => self.table(width, &[a], |values| {
                how.apply(from, width, from.truncate(values[0]))
            }),
            Term::Binary(operation, on, a, b) => {
                if self.range_tells_bits(id, operation, on, a, b) {
                    self.undefined_bits = true;
                }
                let (left, right) = (self.word(a), self.word(b));
                let undefined = self.gates.or(left.undefined, right.undefined);
                let [x, y] = [left.bits, right.bits].map(|bits| resize(bits, on));
                match self.gates.binary(operation, &x, &y) {
                    Some(bits) => LitWord {
                        bits: resize(bits, width),
                        undefined,
                    },
                    None => self.table(width, &[a, b], |values| {
                        operation.apply(on, on.truncate(values[0]), on.truncate(values[1]))
                    }),
                }
            }
            Term::Select(guard, a, b) => {
                let (left, right) = (self.word(a), self.word(b));
                let guard = self.guard(guard);
                LitWord {
                    bits: self.gates.choose_word(guard, &left.bits, &right.bits),
                    undefined: self.gates.choose(guard, left.undefined, right.undefined),
                }
            }
        }
    }

    /// True if an operation on a word with undefined bits has a result with and without such:
    /// one literal for the whole word cannot tell which. (Comparing such a word is taken for
    /// wrong even if a defined bit decides.)
    fn range_tells_bits(
        &self,
        id: TermId,
        operation: Binary,
        on: Width,
        a: TermId,
        b: TermId,
    ) -> bool {
        let [of, left, right] = [id, a, b].map(|term| self.ranges.of(term));
        let undefined = left.may_be_undefined() || right.may_be_undefined();
        if operation.is_comparison() || !undefined || !of.may_be_undefined() {
            return false;
        }
        let (Some(left), Some(right)) = (left.values(), right.values()) else {
            return true;
        };
        left.into_iter().any(|x| {
            right.clone().any(|y| {
                let undefined = !x.is_defined() || !y.is_defined();
                undefined && value::binary(operation, on, x, y).is_defined()
            })
        })
    }

    /// A word of new variables; bits that are always alike share one.
    fn fresh(&mut self, id: TermId, width: Width) -> LitWord {
        let bits = match self.ranges.of(id) {
            Range::Set(values) => {
                let mut columns: FxHashMap<u128, Lit> = FxHashMap::default();
                let every = (1u128 << values.len()) - 1;
                (0..width.bits())
                    .map(|index| {
                        let bit = |(number, (value, _)): (usize, &(Value, u32))| {
                            u128::from(value.word >> index & 1) << number
                        };
                        let column = values.iter().enumerate().map(bit).fold(0, |a, b| a | b);
                        let flipped = column & 1 == 1;
                        let column = if flipped { every ^ column } else { column };
                        if column == 0 {
                            return literal(flipped);
                        }
                        let solver = &mut self.gates.solver;
                        let bit = *columns.entry(column).or_insert_with(|| solver.variable());
                        if flipped { !bit } else { bit }
                    })
                    .collect()
            }
            Range::Wide { .. } => (0..width.bits())
                .map(|_| self.gates.solver.variable())
                .collect(),
        };
        let undefined = match self.ranges.of(id).may_be_undefined() {
            true => self.gates.solver.variable(),
            false => Lit::FALSE,
        };
        LitWord { bits, undefined }
    }

    fn loaded(&mut self, id: TermId, event: EventId, width: Width) -> LitWord {
        match self.source(event.index()) {
            Source::Open => {
                let word = self.fresh(id, width);
                if !self.model.row().dependences {
                    self.keep_to_range(id, &word, Lit::TRUE);
                }
                word
            }
            Source::Local(stores) => {
                let mut word = self.initial_word(event.index());
                for store in stores {
                    let same = self.same_event(store, event.index());
                    let stores = self.stores(store);
                    let here = self.gates.and(same, stores);
                    let stored = self.unrolled.events[store].stored.expect("it stores");
                    let value = self.word(stored.value);
                    word = LitWord {
                        bits: self.gates.choose_word(here, &value.bits, &word.bits),
                        undefined: self.gates.choose(here, value.undefined, word.undefined),
                    };
                }
                word
            }
        }
    }

    /// Allows only values of the term's range, then. Where no value can depend on itself, what is
    /// stored sees to that.
    pub fn keep_to_range(&mut self, id: TermId, word: &LitWord, when: Lit) {
        let Range::Set(values) = self.ranges.of(id) else {
            return;
        };
        let mut columns: Vec<(Lit, u32)> = Vec::new();
        for (index, &bit) in word.bits.iter().enumerate() {
            let new =
                bit.is_constant().is_none() && !columns.iter().any(|c| c.0 == bit || c.0 == !bit);
            if new {
                columns.push((bit, index as u32));
            }
        }
        let pattern = |word: Word| {
            let bits = columns.iter().enumerate();
            bits.fold(0u64, |p, (number, &(_, index))| {
                p | (word >> index & 1) << number
            })
        };
        let allowed: Vec<u64> = values
            .iter()
            .map(|(value, _)| pattern(value.word))
            .collect();
        if columns.len() <= 8 {
            for wrong in (0..1u64 << columns.len()).filter(|p| !allowed.contains(p)) {
                let bits = columns.iter().enumerate();
                let others = bits
                    .map(|(number, &(bit, _))| if wrong >> number & 1 == 1 { !bit } else { bit });
                let clause: Vec<Lit> = others.chain([!when]).collect();
                self.gates.solver.clause(&clause);
            }
            return;
        }
        let values: Vec<Word> = values.iter().map(|(value, _)| value.word).collect();
        let mut cases = vec![!when];
        for value in values {
            let bits: Vec<Lit> = word
                .bits
                .iter()
                .enumerate()
                .map(|(index, &bit)| if value >> index & 1 == 1 { bit } else { !bit })
                .collect();
            cases.push(self.gates.all(&bits));
        }
        self.gates.solver.clause(&cases);
    }

    /// What an access finds in memory at the start.
    pub fn initial_word(&mut self, event: usize) -> LitWord {
        let width = self.unrolled.events[event].width;
        let address = self.unrolled.events[event].address;
        let mut word: Option<LitWord> = None;
        for location in self.locations.addresses[event].clone() {
            let Some((bits, undefined)) =
                self.unrolled.initial(self.program, location, width.bytes())
            else {
                continue;
            };
            let here = LitWord {
                bits: constant(bits, width),
                undefined: literal(undefined != 0),
            };
            word = Some(match word {
                None => here,
                Some(others) => {
                    let this = self.is(address, location);
                    LitWord {
                        bits: self.gates.choose_word(this, &here.bits, &others.bits),
                        undefined: self.gates.choose(this, here.undefined, others.undefined),
                    }
                }
            });
        }
        word.unwrap_or(LitWord {
            bits: constant(0, width),
            undefined: Lit::FALSE,
        })
    }

    /// That a term has a value.
    pub fn is(&mut self, id: TermId, value: Word) -> Lit {
        let word = self.word(id);
        let bits = word.bits.iter().enumerate();
        let same: Vec<Lit> = bits
            .map(|(index, &bit)| if value >> index & 1 == 1 { bit } else { !bit })
            .collect();
        self.gates.all(&same)
    }

    /// A function of few values, by cases.
    fn table(
        &mut self,
        width: Width,
        operands: &[TermId],
        function: impl Fn(&[Word]) -> Word,
    ) -> LitWord {
        let mut cases: Vec<(Lit, Vec<Word>)> = vec![(Lit::TRUE, Vec::new())];
        let mut undefined = Lit::FALSE;
        for &operand in operands {
            let flag = self.word(operand).undefined;
            undefined = self.gates.or(undefined, flag);
            let values: Vec<Value> = match self.ranges.of(operand).values() {
                Some(values) => values.collect(),
                None => {
                    self.too_wide = true;
                    Vec::new()
                }
            };
            let mut next = Vec::new();
            for (when, so_far) in &cases {
                for value in &values {
                    let this = self.is(operand, value.word);
                    let when = self.gates.and(*when, this);
                    let mut words = so_far.clone();
                    words.push(value.word);
                    next.push((when, words));
                }
            }
            cases = next;
        }
        let mut bits = vec![Vec::new(); width.bits() as usize];
        for (when, words) in cases {
            let result = width.truncate(function(&words));
            for (index, ones) in bits.iter_mut().enumerate() {
                if result >> index & 1 == 1 {
                    ones.push(when);
                }
            }
        }
        LitWord {
            bits: bits.iter().map(|ones| self.gates.any(ones)).collect(),
            undefined,
        }
    }
}

/// A constant literal.
pub fn literal(value: bool) -> Lit {
    if value { Lit::TRUE } else { Lit::FALSE }
}
