//! Whether sequential consistency has an execution with the same trace: it has one exactly if the trace and program order
//! together have no cycle.
//!
//! Program order adds edges from a flush to what comes next in program order after its store. Where that has happened already,
//! the flush is *late*, and the edge leads back. The last event of a cycle has an edge to an earlier one, so it is a late flush, and the cycle is
//! there from the moment when that is added. So each late flush is looked at once, when it is added, for all executions that begin
//! alike, and only while there is no cycle yet.

use super::{EventId, Trace, Undo, add_past, has};

impl Trace {
    /// True if sequential consistency has an execution with the same trace.
    pub fn is_sequential(&self) -> bool {
        self.cycles == 0
    }

    /// Notes whether the last event, the flush of a store of this thread, closes a cycle.
    pub(super) fn look_for_cycle(&mut self, thread: u32, number: u32) {
        if self.cycles == 0
            && let Some(next) = self.next_in_program(thread, number)
            && self.comes_before_last(next)
        {
            self.cycles += 1;
            self.undo.push(Undo::Cycle);
        }
    }

    /// True if an event comes before the last one, by the trace and program order.
    fn comes_before_last(&self, id: EventId) -> bool {
        let last = self.len() - 1;
        let mut row = self.past(last).to_vec();
        let mut edges: Vec<(EventId, EventId)> = Vec::new();
        while !has(&row, id) {
            if edges.is_empty() {
                edges.extend(self.program_edges().filter(|(from, _)| *from != last));
            }
            let is_new = |(from, to): &(EventId, EventId)| {
                (*to == last || has(&row, *to)) && !has(&row, *from)
            };
            let Some((from, _)) = edges.iter().copied().find(is_new) else {
                return false;
            };
            add_past(&mut row, self.past(from), from);
        }
        true
    }

    /// Edges from flushes to what comes next in program order, where both have happened.
    fn program_edges(&self) -> impl Iterator<Item = (EventId, EventId)> {
        let threads = self.threads.iter().enumerate();
        threads.flat_map(move |(thread, known)| {
            let stores = known.stores.iter().enumerate();
            stores.filter_map(move |(number, store)| {
                let update = store.update.checked_sub(1)?;
                // A thread that is left alone flushes its stores in a step of its own, which is in program order.
                if !self.is_update(update) {
                    return None;
                }
                let next = self.next_in_program(thread as u32, number as u32)?;
                Some((update as usize, next))
            })
        })
    }
}
