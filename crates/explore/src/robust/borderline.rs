//! The accesses at which store buffers could make a difference.
//!
//! Burckhardt and Musuvathi (*Effective Program Verification for Relaxed Memory Models*, CAV 2008)
//! look at executions of sequential consistency only. An access is *borderline* if some write
//! of its location happens before it, and so cannot be missed, but only because of the order
//! of a store and what follows it in its thread, which a store buffer does not keep. Under TSO
//! only loads need to be looked at: an execution that is not sequentially consistent can be put
//! together in the order in which its stores are flushed. Under PSO it is put together in the order
//! in which they are issued; then stores and read-modify-writes may be the first to come too
//! early, too, and what they come before is always a store in a store buffer.
//!
//! The relation of the paper puts a load after all earlier writes of its location. Here a load that reads
//! its own thread's store does not come after the writes of others before that: it may take the
//! value from the store buffer while those are still in store buffers.

use super::monitor::Monitor;
use super::relaxed::NodeId;
use crate::trace::{EventId, Trace};

/// An access that could have missed a write that happens before it, if there were store buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Borderline {
    /// The access.
    pub event: EventId,
    /// What would come after it instead: the write, and all that comes after it even so.
    pub missed: NodeId,
    /// Whether store buffers do make a difference there, once a machine with store buffers was tried.
    pub shown: Option<bool>,
}

impl Borderline {
    fn new(event: EventId, missed: NodeId) -> Self {
        Borderline {
            event,
            missed,
            shown: None,
        }
    }
}

impl Monitor {
    /// Events that might write if they missed a write, and then come after others that use part of
    /// what they use: those others have to come first to tell.
    pub(super) fn might_write(&self, trace: &Trace) -> Vec<EventId> {
        if !(self.relaxed.stores_pass && self.overlaps.found()) {
            return Vec::new();
        }
        let might = |id: &EventId| {
            let touches = trace.touches_of(*id);
            trace.event(*id).may_update
                && touches.iter().all(|touch| !touch.writes)
                && touches.iter().any(|touch| {
                    let mut uses = trace.uses_of_word(touch.word).iter();
                    uses.any(|used| {
                        used.event as EventId > *id
                            && used.mask & touch.mask != 0
                            && used.mask != touch.mask
                    })
                })
        };
        (0..trace.len()).filter(might).collect()
    }

    /// Looks for writes that the last event could have missed, from the newest on.
    pub(super) fn look(&mut self, trace: &Trace, id: EventId) {
        let thread = self.relaxed.kinds[id].thread;
        for touch in trace.touches_of(id) {
            let mut rest = touch.mask;
            for used in trace.uses_of_word(touch.word).iter().rev() {
                let event = used.event as EventId;
                if used.mask & rest == 0 || event == id {
                    continue;
                }
                // What the thread read from memory before comes before all that it does now, and so
                // does all that is older.
                let stops = if used.thread == thread {
                    used.writes || used.own == 0
                } else {
                    used.writes && self.stops(trace, event, id)
                };
                if stops {
                    rest &= !used.mask;
                    if rest == 0 {
                        break;
                    }
                }
            }
            if rest != 0 && !self.relaxed.prepared.is_empty() {
                self.look_at_prepared(trace, id, trace.address_of_word(touch.word), rest);
            }
        }
    }

    /// True if the last event could have missed nothing older than this write of another thread. If
    /// it could have missed the write, that is noted.
    fn stops(&mut self, trace: &Trace, write: EventId, id: EventId) -> bool {
        if self.reads.has_read(&self.relaxed.kinds, id, write) {
            return true;
        }
        if !self.is_known(trace, write, id) {
            return false;
        }
        self.relaxed.begin_row(trace, id);
        let relaxed = &self.relaxed;
        let missed = relaxed.node_of(write);
        // Nothing is written between what a read-modify-write reads and writes.
        let might_write = || {
            let mut touches = trace.touches_of(id).iter();
            trace.event(id).may_update || touches.any(|touch| touch.writes)
        };
        let stops = relaxed.reaches(missed, relaxed.node_of(id))
            || !relaxed.nodes()[missed].waits() && might_write();
        if !stops {
            self.borderline.push(Borderline::new(id, missed));
        }
        stops
    }

    /// The same for stores to memory that was private then.
    fn look_at_prepared(&mut self, trace: &Trace, id: EventId, word: u64, mut rest: u8) {
        self.relaxed.begin_row(trace, id);
        let relaxed = &self.relaxed;
        let thread = relaxed.kinds[id].thread;
        for store in relaxed.prepared.get(&word).into_iter().flatten().rev() {
            let missed = store.node as NodeId;
            if store.mask & rest == 0 {
                continue;
            }
            if store.thread == thread || relaxed.reaches(missed, relaxed.node_of(id)) {
                rest &= !store.mask;
            } else {
                self.borderline.push(Borderline::new(id, missed));
            }
        }
    }

    /// True if a write happens before an event even if the event could miss it: because of what
    /// else the event comes after.
    fn is_known(&mut self, trace: &Trace, write: EventId, id: EventId) -> bool {
        let mut edges = trace.edges_of(id).iter().filter(|edge| !edge.conflict);
        edges.any(|edge| edge.from == write || trace.precedes(write, edge.from))
            || self.overlaps.found() && self.is_known_by_use(trace, write, id)
    }

    /// The same because of other bytes that the event uses: those that others use and that miss the
    /// write as well do not count.
    fn is_known_by_use(&mut self, trace: &Trace, write: EventId, id: EventId) -> bool {
        self.relaxed.begin_row(trace, id);
        let relaxed = &self.relaxed;
        let misses = |from: EventId| relaxed.reaches(relaxed.node_of(write), relaxed.node_of(from));
        // With what it reads then, the event may write where it does not now.
        let might_write = trace.event(id).may_update;
        trace.touches_of(id).iter().any(|touch| {
            let mut uses = trace.uses_of_word(touch.word).iter();
            uses.any(|used| {
                let event = used.event as EventId;
                let own = (used.own as usize).checked_sub(1);
                used.mask & touch.mask != 0
                    && (used.writes || touch.writes || might_write)
                    && event != id
                    && trace.precedes(write, event)
                    && !misses(event)
                    && !own.is_some_and(misses)
            })
        })
    }
}
