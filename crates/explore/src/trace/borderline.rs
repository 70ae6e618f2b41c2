//! The accesses at which store buffers could make a difference.
//!
//! Burckhardt and Musuvathi (*Effective Program Verification for Relaxed Memory Models*, CAV 2008)
//! look at executions of sequential consistency only. An access is *borderline* if some write
//! of its place happens before it, and so cannot be missed, but only because of the order
//! of a store and what follows it in its thread, which a store buffer does not keep. Under TSO
//! only loads need to be looked at: an execution that is not sequentially consistent can be put
//! together in the order in which its stores reach memory. Under PSO it is put together in the order
//! in which they are issued; then stores and read-modify-writes may be the first to come too
//! early, too, and what they come before is always a store that waits.
//!
//! The relation of the paper puts a load after all earlier writes of its place. Here a load that reads
//! its own thread's store does not come after the writes of others before that: it may take the
//! value from the store buffer while they are still on their way.

use super::kind::Kind;
use super::relaxed::{NodeId, Relaxed};
use super::{Edge, EventId, Trace};
use machine::Act;

/// An access that could have missed a write that happens before it, if stores waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Borderline {
    /// The access.
    pub event: EventId,
    /// What would come after it instead: the write, and all that comes after it even so.
    pub missed: NodeId,
    /// Whether store buffers do make a difference there, once somebody has found out.
    pub shown: Option<bool>,
}

impl Borderline {
    fn new(event: EventId, missed: NodeId) -> Self {
        let shown = None;
        Borderline {
            event,
            missed,
            shown,
        }
    }
}

impl Trace {
    /// The accesses at which store buffers could make a difference.
    pub fn borderline(&self) -> &[Borderline] {
        self.relaxed.as_ref().map_or(&[], |relaxed| &relaxed.found)
    }

    /// Says whether store buffers make a difference at one of those.
    pub fn show_borderline(&mut self, index: usize, shown: bool) {
        if let Some(relaxed) = &mut self.relaxed {
            relaxed.found[index].shown = Some(shown);
        }
    }

    /// Events that might write if they missed a write, and then come after others that use part of
    /// what they use: those others have to come first to tell.
    pub fn might_write(&self) -> Vec<EventId> {
        let relaxed = self.relaxed.as_deref();
        if !relaxed.is_some_and(|relaxed| relaxed.stores_pass && relaxed.uneven) {
            return Vec::new();
        }
        let might = |id: &EventId| {
            let touches = self.touches_of(*id);
            self.event(*id).may_update
                && touches.iter().all(|touch| !touch.writes)
                && touches.iter().any(|touch| {
                    let mut uses = self.uses[touch.word as usize].iter();
                    uses.any(|found| {
                        found.event as EventId > *id
                            && found.mask & touch.mask != 0
                            && found.mask != touch.mask
                    })
                })
        };
        (0..self.len()).filter(might).collect()
    }

    /// Notes the last event for the relaxed relation, if it is kept, and looks whether it is
    /// borderline.
    pub(super) fn relax(&mut self, acts: &[Act]) {
        let Some(mut relaxed) = self.relaxed.take() else {
            return;
        };
        let id = self.len() - 1;
        let kind = Kind::of(acts, self.event(id).step.thread);
        relaxed.kinds.push(kind);
        // Stores of one step may be flushed apart from each other, but have one row.
        let apart = relaxed.stores_pass && kind.stores > 1;
        let beside = kind.reads || kind.writes || kind.fence_inside;
        relaxed.mixed |= apart || kind.stores > 0 && beside;
        if !relaxed.uneven {
            relaxed.note_uses(self.touches_of(id));
        }
        if kind.special {
            self.begin_row(&mut relaxed, id);
            relaxed.settle_private(acts);
        }
        let looks = relaxed.stores_pass || kind.reads && !kind.writes && !kind.drains;
        let notes = relaxed.asked && kind.reads && !relaxed.stores_pass;
        // What it reads or overwrites of others stands in its edges.
        let meets_others = (looks || notes) && self.edges_of(id).iter().any(|edge| edge.conflict);
        if looks && (meets_others || !relaxed.prepared.is_empty()) {
            self.look(&mut relaxed, id);
        }
        if notes && meets_others {
            for edge in self.edges_of(id).iter().filter(|edge| edge.conflict) {
                relaxed.note_read(id, edge.from);
            }
        }
        if relaxed.len() > id {
            self.add_others(&mut relaxed, id, |edge| edge.conflict);
            self.add_prepared(&mut relaxed, id, |own| !own);
            relaxed.end_event(kind);
        }
        if kind.special {
            let thread = self.event(id).step.thread;
            relaxed.add_special(id, acts, Some(thread));
        }
        self.relaxed = Some(relaxed);
    }

    /// Makes the rows of all events before one, and its own without what comes before it because of
    /// the memory that it uses.
    fn begin_row(&self, relaxed: &mut Relaxed, id: EventId) {
        relaxed.asked = true;
        while relaxed.len() < id {
            let next = relaxed.len();
            self.begin_with(relaxed, next, |_| true);
            self.add_prepared(relaxed, next, |own| !own);
            relaxed.end_event(relaxed.kinds[next]);
        }
        if relaxed.len() == id {
            self.begin_with(relaxed, id, |edge| !edge.conflict);
        }
    }

    /// Begins the row of the next event, with some of the edges into it.
    fn begin_with(&self, relaxed: &mut Relaxed, id: EventId, with: impl Fn(&Edge) -> bool) {
        let kind = relaxed.kinds[id];
        relaxed.begin_event(kind);
        self.add_others(relaxed, id, with);
        if relaxed.stores_pass && (kind.stores > 0 || kind.settles) {
            self.keep_own_order(relaxed, id);
        }
    }

    /// Adds edges from other threads to the row of the last event.
    fn add_others(&self, relaxed: &mut Relaxed, id: EventId, with: impl Fn(&Edge) -> bool) {
        let thread = relaxed.kinds[id].thread;
        for edge in self.edges_of(id).iter().filter(|edge| with(edge)) {
            if relaxed.kinds[edge.from].thread != thread {
                relaxed.add(relaxed.node_of(edge.from));
            }
        }
    }

    /// A store or read-modify-write comes after its thread's own stores to the same bytes.
    fn keep_own_order(&self, relaxed: &mut Relaxed, id: EventId) {
        let thread = relaxed.kinds[id].thread;
        for touch in self.touches_of(id) {
            for found in &self.uses[touch.word as usize] {
                let event = found.event as EventId;
                let own = found.writes && found.thread == thread && event < id;
                if own && found.mask & touch.mask != 0 {
                    relaxed.add(relaxed.node_of(event));
                }
            }
        }
        self.add_prepared(relaxed, id, |own| own);
    }

    /// An access comes after the stores to its bytes from before others could reach them.
    fn add_prepared(&self, relaxed: &mut Relaxed, id: EventId, with: impl Fn(bool) -> bool) {
        if relaxed.prepared.is_empty() {
            return;
        }
        let thread = relaxed.kinds[id].thread;
        for touch in self.touches_of(id) {
            let word = self.addresses[touch.word as usize];
            relaxed.add_prepared(word, touch.mask, |by| with(by == thread));
        }
    }

    /// Looks for writes that the last event could have missed, from the newest on.
    fn look(&self, relaxed: &mut Relaxed, id: EventId) {
        let thread = relaxed.kinds[id].thread;
        for touch in self.touches_of(id) {
            let mut rest = touch.mask;
            for found in self.uses[touch.word as usize].iter().rev() {
                let event = found.event as EventId;
                if found.mask & rest == 0 || event == id {
                    continue;
                }
                // What the thread read from memory before comes before all that it does now, and so
                // does all that is older.
                let stops = match found.thread == thread {
                    true => found.writes || found.own == 0,
                    false => found.writes && self.stops(relaxed, event, id),
                };
                if stops {
                    rest &= !found.mask;
                    if rest == 0 {
                        break;
                    }
                }
            }
            if rest != 0 && !relaxed.prepared.is_empty() {
                self.look_at_prepared(relaxed, id, self.addresses[touch.word as usize], rest);
            }
        }
    }

    /// True if the last event could have missed nothing older than this write of another thread. If
    /// it could have missed the write, that is noted.
    fn stops(&self, relaxed: &mut Relaxed, write: EventId, id: EventId) -> bool {
        if relaxed.has_read(id, write) {
            return true;
        }
        if !self.is_known(relaxed, write, id) {
            return false;
        }
        self.begin_row(relaxed, id);
        let missed = relaxed.node_of(write);
        // Nothing is written between what a read-modify-write reads and writes.
        let might_write = || {
            let mut touches = self.touches_of(id).iter();
            self.event(id).may_update || touches.any(|touch| touch.writes)
        };
        let stops = relaxed.reaches(missed, relaxed.node_of(id))
            || !relaxed.nodes()[missed].waits() && might_write();
        if !stops {
            relaxed.found.push(Borderline::new(id, missed));
        }
        stops
    }

    /// The same for stores to what the last event could not reach then.
    fn look_at_prepared(&self, relaxed: &mut Relaxed, id: EventId, word: u64, mut rest: u8) {
        self.begin_row(relaxed, id);
        let thread = relaxed.kinds[id].thread;
        let stores = relaxed.prepared.get(&word).map_or(0, Vec::len);
        for index in (0..stores).rev() {
            let store = relaxed.prepared[&word][index];
            let missed = store.node as NodeId;
            if store.mask & rest == 0 {
                continue;
            }
            if store.thread == thread || relaxed.reaches(missed, relaxed.node_of(id)) {
                rest &= !store.mask;
            } else {
                relaxed.found.push(Borderline::new(id, missed));
            }
        }
    }

    /// True if a write happens before an event even if the event could miss it: because of what
    /// else the event comes after.
    fn is_known(&self, relaxed: &mut Relaxed, write: EventId, id: EventId) -> bool {
        let mut edges = self.edges_of(id).iter().filter(|edge| !edge.conflict);
        edges.any(|edge| edge.from == write || self.precedes(write, edge.from))
            || relaxed.uneven && self.is_known_by_use(relaxed, write, id)
    }

    /// The same because of other bytes that the event uses: those that others use and that miss the
    /// write as well do not count.
    fn is_known_by_use(&self, relaxed: &mut Relaxed, write: EventId, id: EventId) -> bool {
        self.begin_row(relaxed, id);
        let relaxed = &*relaxed;
        let misses = |from: EventId| relaxed.reaches(relaxed.node_of(write), relaxed.node_of(from));
        // With what it reads then, the event may write where it does not now.
        let might_write = self.event(id).may_update;
        self.touches_of(id).iter().any(|touch| {
            let mut uses = self.uses[touch.word as usize].iter();
            uses.any(|found| {
                let event = found.event as EventId;
                let own = (found.own as usize).checked_sub(1);
                found.mask & touch.mask != 0
                    && (found.writes || touch.writes || might_write)
                    && event != id
                    && self.precedes(write, event)
                    && !misses(event)
                    && !own.is_some_and(misses)
            })
        })
    }
}
