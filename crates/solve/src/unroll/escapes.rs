//! Pointers to locals that get out of the call that made them.
//!
//! Formulas do not follow the ends of frames, so a program in which such a pointer may exist is answered for "uses of
//! objects that are neither freed nor destroyed" only.
//!
//! A pointer gets out by what a call returns or hands to a thread, or by a store to an object that is not a local of the call. It may have
//! been kept in a local meanwhile: a local *holds* a pointer if one is stored there, or what was loaded from a local that holds one.

use super::Unroller;
use crate::term::{EventId, Term, TermId};
use program::{Address, Word};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

impl Unroller<'_> {
    /// Notes whether a pointer to a local that a call has made, one of these objects, gets out
    /// of the call: by one of these terms, such as its results, or stored to an object that was
    /// there before. Events from this number on are those of the call. A thread's own copies of
    /// objects are locals of what it runs first.
    pub(super) fn note_escapes(&mut self, mut out: Vec<TermId>, made: Range<usize>, events: usize) {
        let base = Address::BASE >> Address::OFFSET_BITS;
        let objects = &self.unrolled.objects;
        let locals: BTreeSet<Word> = made
            .filter(|&object| objects[object].local)
            .map(|object| base + object as Word)
            .collect();
        if locals.is_empty() || self.unrolled.ends_lives {
            return;
        }
        // Stores to locals, and what is stored.
        let mut kept: Vec<(Word, TermId)> = Vec::new();
        for event in &self.unrolled.events[events..] {
            let Some(stored) = event.stored else {
                continue;
            };
            let known = self.unrolled.terms.known(event.address);
            match known.map(|at| at >> Address::OFFSET_BITS) {
                Some(object) if locals.contains(&object) => kept.push((object, stored.value)),
                _ => out.push(stored.value),
            }
        }
        let mut holding = BTreeSet::new();
        loop {
            let before = holding.len();
            for (object, value) in &kept {
                if !holding.contains(object) && self.may_point_to(*value, &locals, &holding) {
                    holding.insert(*object);
                }
            }
            if holding.len() == before {
                break;
            }
        }
        let mut out = out.into_iter();
        self.unrolled.ends_lives = out.any(|term| self.may_point_to(term, &locals, &holding));
    }

    /// Whether a term may be computed from a pointer to one of these locals, of which some hold such pointers.
    fn may_point_to(
        &mut self,
        term: TermId,
        locals: &BTreeSet<Word>,
        holding: &BTreeSet<Word>,
    ) -> bool {
        if !self.mentions(term).is_disjoint(locals) {
            return true;
        }
        !holding.is_empty() && {
            let mut loaded = BTreeSet::new();
            self.loads_of(term, &mut BTreeSet::new(), &mut loaded);
            loaded.into_iter().any(|event: EventId| {
                let address = self.unrolled.events[event.0 as usize].address;
                let known = self.unrolled.terms.known(address);
                known.is_none_or(|at| holding.contains(&(at >> Address::OFFSET_BITS)))
            })
        }
    }

    /// The loads that a term is computed from.
    fn loads_of(&self, id: TermId, seen: &mut BTreeSet<TermId>, loads: &mut BTreeSet<EventId>) {
        if !seen.insert(id) {
            return;
        }
        match self.unrolled.terms.get(id).0 {
            Term::Loaded(event) => {
                loads.insert(event);
            }
            Term::Copy(a)
            | Term::SignExtend(_, a)
            | Term::Unary(_, _, a)
            | Term::Convert(_, _, a) => self.loads_of(a, seen, loads),
            Term::Binary(_, _, a, b) | Term::Select(_, a, b) => {
                self.loads_of(a, seen, loads);
                self.loads_of(b, seen, loads);
            }
            Term::Constant(_) | Term::Undefined | Term::Choice(..) | Term::Ended(_) => {}
        }
    }

    /// The objects whose addresses a term may be or contain, unless it is loaded.
    pub(super) fn mentions(&mut self, id: TermId) -> Rc<BTreeSet<Word>> {
        if let Some(known) = self.mentioned.get(&id) {
            return known.clone();
        }
        let mut objects = BTreeSet::new();
        match self.unrolled.terms.get(id).0 {
            Term::Constant(word) => {
                objects.insert(word >> Address::OFFSET_BITS);
            }
            Term::Copy(a)
            | Term::SignExtend(_, a)
            | Term::Unary(_, _, a)
            | Term::Convert(_, _, a) => {
                objects.extend(self.mentions(a).iter());
            }
            Term::Binary(_, _, a, b) | Term::Select(_, a, b) => {
                objects.extend(self.mentions(a).iter());
                objects.extend(self.mentions(b).iter());
            }
            Term::Undefined | Term::Choice(..) | Term::Loaded(_) | Term::Ended(_) => {}
        }
        let objects = Rc::new(objects);
        self.mentioned.insert(id, objects.clone());
        objects
    }
}
