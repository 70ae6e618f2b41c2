//! Turns of loops that leave everything as it was.

use super::Unroller;
use super::flow::Flow;
use crate::guard::Guard;
use crate::term::{EventId, Term, TermId};
use program::{RegisterId, RegisterSet};

/// How things stood when a turn began.
pub struct Turn {
    pub guard: Guard,
    registers: Vec<TermId>,
    events: usize,
    noise: u32,
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
    ) -> Guard {
        if self.noise != turn.noise {
            return Guard::FALSE;
        }
        let terms = &mut self.unrolled.terms;
        let mut silent = flow.guard;
        for (index, event) in self.unrolled.events.iter().enumerate().skip(turn.events) {
            let Some(stored) = event.stored.filter(|_| event.thread == thread) else {
                continue;
            };
            let mut writes = stored.guard;
            if event.loads {
                // A read-modify-write that writes what it read.
                let loaded = terms.term(Term::Loaded(EventId(index as u32)), event.width);
                let same = terms.equal(loaded, stored.value);
                let same = terms.holds(same);
                writes = terms.guards.minus(writes, same);
            }
            silent = terms.guards.minus(silent, writes);
            if silent == Guard::FALSE {
                return silent;
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
                return Guard::FALSE;
            }
            let same = terms.equal(before, now);
            let same = terms.holds(same);
            silent = terms.guards.and(silent, same);
        }
        silent
    }
}
