//! Values of the execution that was found, with their undefined bits.
//!
//! The formula has one literal for a whole word that is undefined in some bit. Here values are
//! worked out again, bit by bit, from what the solver chose.

use crate::encode::Encoding;
use crate::sat::Lit;
use crate::term::{Term, TermId};
use crate::unroll::Failure;
use machine::value::{self, Value};
use program::Program;
use rustc_hash::FxHashMap;

impl Encoding {
    /// True if something undefined is used in the execution that was found, where that is what
    /// goes wrong.
    pub fn is_undefined(&self, program: &Program) -> bool {
        let mut exact = Exact {
            encoding: self,
            program,
            known: FxHashMap::default(),
        };
        let wrongs = self.wrongs.iter();
        let mut used = wrongs
            .filter(|wrong| self.solver.value(wrong.literal))
            .map(|wrong| match self.unrolled.wrongs[wrong.wrong].what {
                Failure::Undefined(term, _) => Some(term),
                Failure::Access(event) => Some(self.unrolled.events[event.index()].address),
                Failure::Fault(_) | Failure::Division(..) => None,
            });
        used.any(|term| term.is_some_and(|term| !exact.value(term).is_defined()))
    }
}

struct Exact<'a> {
    encoding: &'a Encoding,
    program: &'a Program,
    known: FxHashMap<TermId, Value>,
}

impl Exact<'_> {
    fn value(&mut self, id: TermId) -> Value {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        // A value that depends on itself counts as undefined.
        self.known.insert(id, Value::UNDEFINED);
        let (term, width) = self.encoding.unrolled.terms.get(id);
        let value = match term {
            Term::Constant(word) => Value::new(word),
            Term::Undefined => Value::UNDEFINED,
            Term::Choice(..) | Term::Ended(_) => Value::new(self.word(id)),
            Term::Loaded(event) => self.loaded(event.index()),
            Term::Copy(a) => self.value(a),
            Term::SignExtend(from, a) => self.value(a).truncate(from).sign_extend(from),
            Term::Unary(_, _, a) | Term::Convert(_, _, a) => match self.value(a).is_defined() {
                true => Value::new(self.word(id)),
                false => Value::UNDEFINED,
            },
            Term::Binary(operation, on, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                value::binary(operation, on, a, b)
            }
            Term::Select(guard, a, b) => {
                let taken = self
                    .encoding
                    .guards
                    .get(&guard)
                    .copied()
                    .unwrap_or(Lit::FALSE);
                self.value(if self.encoding.solver.value(taken) {
                    a
                } else {
                    b
                })
            }
        };
        let value = value.truncate(width);
        self.known.insert(id, value);
        value
    }

    /// The bits that the solver chose.
    fn word(&self, id: TermId) -> program::Word {
        let word = self.encoding.words[id.index()].as_ref();
        word.map_or(0, |word| self.encoding.value(word))
    }

    /// What a load finds: the store that it reads, or the last one of its thread if no other
    /// thread is involved.
    fn loaded(&mut self, load: usize) -> Value {
        let encoding = self.encoding;
        let (events, literals) = (&encoding.unrolled.events, &encoding.events);
        let address = encoding.value(&literals[load].address);
        let from = encoding.reads_from.iter();
        let mut from = from.filter(|(reads, _, of)| *of == load && encoding.solver.value(*reads));
        let own = || {
            (0..events.len()).rev().find(|&store| {
                events[store].thread == events[load].thread
                    && events[store].position < events[load].position
                    && encoding.solver.value(literals[store].stores)
                    && encoding.value(&literals[store].address) == address
            })
        };
        let open = encoding.reads_from.iter().any(|(_, _, of)| *of == load);
        let store = match from.next() {
            Some(&(_, store, _)) => Some(store),
            None if open => None,
            None => own(),
        };
        match store.and_then(|store| events[store].stored) {
            Some(stored) => self.value(stored.value),
            None => {
                let bytes = events[load].width.bytes();
                let initial = encoding.unrolled.initial(self.program, address, bytes);
                let (word, undefined) = initial.unwrap_or((0, 0));
                Value::with_undefined(word, undefined)
            }
        }
    }
}
