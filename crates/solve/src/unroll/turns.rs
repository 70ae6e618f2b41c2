//! Turns of loops that leave everything as it was.
//!
//! A turn may also have stored to objects of its thread that no other thread can know of yet:
//! a local, or a node that is not linked in. It is silent all the same if the thread never
//! reads what it stored there. That is known when the whole thread has been followed
//! ([`Unroller::drop_silent_turns`]).

use super::flow::Flow;
use super::values::Value;
use super::{Event, Object, Unroller, When};
use crate::guard::Guard;
use crate::term::{EventId, Term, TermId, Terms};
use program::{Address, RegisterId, RegisterSet, Word};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// How things stood when a turn began.
pub struct Turn {
    pub guard: Guard,
    registers: Vec<TermId>,
    events: usize,
    noise: u32,
}

/// A turn that is silent if its thread does not read these places before they are stored to
/// again.
pub struct Maybe {
    guard: Guard,
    when: When,
    /// Addresses and sizes.
    places: Vec<(Word, u32)>,
    /// The first event after the turn.
    from: usize,
}

impl Unroller<'_> {
    pub(super) fn begin_turn(&self, flow: &Flow) -> Turn {
        Turn {
            guard: flow.guard,
            registers: flow.registers.iter().map(|value| value.term).collect(),
            events: self.unrolled.events.len(),
            noise: self.noise,
        }
    }

    /// When a turn that ends here, to go round again, has been silent.
    pub(super) fn silent(
        &mut self,
        thread: usize,
        turn: &Turn,
        flow: &Flow,
        live: &RegisterSet,
    ) -> (Guard, Vec<(Word, u32)>) {
        let never = (Guard::FALSE, Vec::new());
        if self.noise != turn.noise {
            return never;
        }
        let mut places = Vec::new();
        let terms = &mut self.unrolled.terms;
        let mut silent = flow.guard;
        for (index, event) in self.unrolled.events.iter().enumerate().skip(turn.events) {
            let Some(stored) = event.stored.filter(|_| event.thread == thread) else {
                continue;
            };
            let mut writes = stored.guard;
            if let Some(place) = place(terms, &self.unrolled.objects, event)
                && !event.loads
            {
                if terms.guards.and(silent, writes) != Guard::FALSE && !places.contains(&place) {
                    places.push(place);
                }
                continue;
            }
            if event.loads {
                // A read-modify-write that writes what it read.
                let loaded = terms.term(Term::Loaded(EventId(index as u32)), event.width);
                let same = terms.equal(loaded, stored.value);
                let same = terms.holds(same);
                writes = terms.guards.minus(writes, same);
            }
            silent = terms.guards.minus(silent, writes);
            if silent == Guard::FALSE {
                return never;
            }
        }
        for (index, &before) in turn.registers.iter().enumerate() {
            let now = flow.registers[index].term;
            if now == before || !live.contains(RegisterId::from(index)) {
                continue;
            }
            if [now, before]
                .iter()
                .any(|&t| terms.get(t).0 == Term::Undefined)
            {
                return never;
            }
            let same = terms.equal(before, now);
            let same = terms.holds(same);
            silent = terms.guards.and(silent, same);
        }
        (silent, places)
    }

    /// Notes that a turn is silent, for sure or maybe.
    pub(super) fn note_silent(&mut self, guard: Guard, when: When, places: Vec<(Word, u32)>) {
        if guard == Guard::FALSE {
            return;
        }
        self.unrolled.waits = true;
        match places.is_empty() {
            true => self.unrolled.silent.push((guard, when)),
            false => self.maybe_silent.push(Maybe {
                guard,
                when,
                places,
                from: self.unrolled.events.len(),
            }),
        }
    }

    /// Leaves out turns of a thread, all of which has been followed, that turn out silent.
    pub(super) fn drop_silent_turns(&mut self, thread: usize) {
        let (mine, others) = std::mem::take(&mut self.maybe_silent)
            .into_iter()
            .partition(|turn| turn.when.thread == thread);
        self.maybe_silent = others;
        for turn in mine {
            let turn: Maybe = turn;
            let mut silent = turn.guard;
            for &place in &turn.places {
                let read = self.read_later(thread, place, turn.from, silent);
                silent = self.unrolled.terms.guards.minus(silent, read);
            }
            if silent != Guard::FALSE {
                self.unrolled.silent.push((silent, turn.when));
            }
        }
    }

    /// When the thread, or any other, reads what a private place holds before event `from`.
    fn read_later(
        &mut self,
        thread: usize,
        (address, bytes): (Word, u32),
        from: usize,
        guard: Guard,
    ) -> Guard {
        let object = address >> Address::OFFSET_BITS;
        let mut kept = guard;
        let mut read = Guard::FALSE;
        // Before the turn as well: once its address is out, others may read it.
        for index in 0..self.unrolled.events.len() {
            let event = &self.unrolled.events[index];
            if event.thread != thread {
                continue;
            }
            let (guard, loads, stored, at) =
                (event.guard, event.loads, event.stored, event.address);
            let size = event.width.bytes();
            let mentions = |this: &mut Self, term| this.mentions(term).contains(&object);
            if let Some(stored) = stored
                && mentions(self, stored.value)
            {
                let out = self.unrolled.terms.guards.and(kept, stored.guard);
                read = self.unrolled.terms.guards.or(read, out);
            }
            if index < from || !mentions(self, at) {
                continue;
            }
            let known = self.unrolled.terms.known(at);
            let guards = &mut self.unrolled.terms.guards;
            if loads {
                let here = guards.and(kept, guard);
                read = guards.or(read, here);
            } else if let Some(stored) = stored
                && known.is_some_and(|at| {
                    at <= address && address + Word::from(bytes) <= at + Word::from(size)
                })
            {
                kept = guards.minus(kept, stored.guard);
            }
        }
        for index in 0..self.handed_over.len() {
            let (by, term, guard) = self.handed_over[index];
            if by == thread && self.mentions(term).contains(&object) {
                let out = self.unrolled.terms.guards.and(kept, guard);
                read = self.unrolled.terms.guards.or(read, out);
            }
        }
        read
    }

    /// Notes whether a pointer to a local that a call has made, one of these objects, gets out
    /// of the call: by its results, or stored to an object that was there before.
    pub(super) fn note_escapes(&mut self, results: &[Value], made: Range<usize>, events: usize) {
        let base = Address::BASE >> Address::OFFSET_BITS;
        let objects = &self.unrolled.objects;
        let locals: BTreeSet<Word> = made
            .filter(|&object| objects[object].local)
            .map(|object| base + object as Word)
            .collect();
        if locals.is_empty() || self.unrolled.ends_lives {
            return;
        }
        let mut out: Vec<TermId> = results.iter().map(|value| value.term).collect();
        for index in events..self.unrolled.events.len() {
            let event = &self.unrolled.events[index];
            let Some(stored) = event.stored else {
                continue;
            };
            let known = self.unrolled.terms.known(event.address);
            if known.is_none_or(|at| !locals.contains(&(at >> Address::OFFSET_BITS))) {
                out.push(stored.value);
            }
        }
        let escapes = |this: &mut Self, term| !this.mentions(term).is_disjoint(&locals);
        self.unrolled.ends_lives = out.into_iter().any(|term| escapes(self, term));
    }

    /// The objects whose addresses a term may be or contain, unless it is loaded.
    fn mentions(&mut self, id: TermId) -> Rc<BTreeSet<Word>> {
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

/// The place of an event, if it is one of an object that the program makes on its way.
fn place(terms: &Terms, objects: &[Object], event: &Event) -> Option<(Word, u32)> {
    let word = terms.known(event.address)?;
    let object = objects.get(Address::from_word(word)?.object.index())?;
    object
        .of_program
        .is_none()
        .then_some((word, event.width.bytes()))
}
