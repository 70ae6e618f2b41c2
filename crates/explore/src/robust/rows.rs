//! Making rows of the relaxed relation for events of a trace.

use super::relaxed::Relaxed;
use crate::trace::{Edge, EventId, Trace};

impl Relaxed {
    /// Makes the rows of all events before one, and its own without what comes before it because of
    /// the memory that it uses.
    pub fn begin_row(&mut self, trace: &Trace, id: EventId) {
        self.asked = true;
        while self.len() < id {
            let next = self.len();
            self.begin_with(trace, next, |_| true);
            self.add_prepared_by(trace, next, |own| !own);
            self.end_event(self.kinds[next]);
        }
        if self.len() == id {
            self.begin_with(trace, id, |edge| !edge.conflict);
        }
    }

    /// Ends the row of the last event, if it has one, with what comes before it because of the memory
    /// that it uses.
    pub fn complete_row(&mut self, trace: &Trace, id: EventId) {
        if self.len() > id {
            self.add_others(trace, id, |edge| edge.conflict);
            self.add_prepared_by(trace, id, |own| !own);
            self.end_event(self.kinds[id]);
        }
    }

    /// Begins the row of the next event, with some of the edges into it.
    fn begin_with(&mut self, trace: &Trace, id: EventId, with: impl Fn(&Edge) -> bool) {
        let kind = self.kinds[id];
        self.begin_event(kind);
        self.add_others(trace, id, with);
        if self.stores_pass && (kind.stores > 0 || kind.settles) {
            self.keep_own_order(trace, id);
        }
    }

    /// Adds edges from other threads to the row of the last event.
    fn add_others(&mut self, trace: &Trace, id: EventId, with: impl Fn(&Edge) -> bool) {
        let thread = self.kinds[id].thread;
        for edge in trace.edges_of(id).iter().filter(|edge| with(edge)) {
            if self.kinds[edge.from].thread != thread {
                self.add(self.node_of(edge.from));
            }
        }
    }

    /// A store or read-modify-write comes after its thread's own stores to the same bytes.
    fn keep_own_order(&mut self, trace: &Trace, id: EventId) {
        let thread = self.kinds[id].thread;
        for touch in trace.touches_of(id) {
            for used in trace.uses_of_word(touch.word) {
                let event = used.event as EventId;
                let own = used.writes && used.thread == thread && event < id;
                if own && used.mask & touch.mask != 0 {
                    self.add(self.node_of(event));
                }
            }
        }
        self.add_prepared_by(trace, id, |own| own);
    }

    /// An access comes after the private stores to its bytes: those of its own thread, or those of
    /// others.
    fn add_prepared_by(&mut self, trace: &Trace, id: EventId, with: impl Fn(bool) -> bool) {
        if self.prepared.is_empty() {
            return;
        }
        let thread = self.kinds[id].thread;
        for touch in trace.touches_of(id) {
            let word = trace.address_of_word(touch.word);
            self.add_prepared(word, touch.mask, |by| with(by == thread));
        }
    }
}
