//! A state of the whole system with store buffers, and its packed form.

use crate::automaton::{Automaton, Location, StateId, System, Value};
use crate::goal::Goal;
use memory::Buffering;
use program::{AccessKind, Orderings};

/// What waits in a store buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Entry {
    /// A store.
    Store(Location, Value),
    /// A barrier between stores, with what it orders.
    Barrier(Orderings),
}

impl Entry {
    /// Whether it is a barrier that keeps such an access from overtaking the stores before it.
    pub(super) fn holds_back(self, kind: AccessKind) -> bool {
        matches!(self, Entry::Barrier(orderings) if orderings.orders(AccessKind::STORE, kind))
    }
}

/// A state of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Where the threads stand.
    pub controls: Vec<StateId>,
    /// What the locations hold.
    pub memory: Vec<Value>,
    /// Oldest entry first.
    ///
    /// invariant: no barrier comes first, no two are neighbours, and under PSO stores between them are sorted by location.
    pub buffers: Vec<Vec<Entry>>,
}

/// A barrier in the packed form, in the place of a location; the orderings follow as their place in [`BARRIERS`].
const BARRIER: u16 = u16::MAX;

/// The orderings that can wait in a buffer; loads are performed before a thread goes on.
const BARRIERS: [Orderings; 3] = [
    Orderings::STORE_LOAD,
    Orderings::STORE_STORE,
    Orderings::STORE_LOAD.union(Orderings::STORE_STORE),
];

impl Configuration {
    pub(super) fn start(system: &System) -> Self {
        let threads = system.automata.len();
        Configuration {
            controls: vec![Automaton::START; threads],
            memory: system.locations.iter().map(|l| l.initial).collect(),
            buffers: vec![Vec::new(); threads],
        }
    }

    pub(super) fn waiting_stores(&self, thread: usize) -> usize {
        let entries = self.buffers[thread].iter();
        let stores = entries.filter(|entry| matches!(entry, Entry::Store(..)));
        stores.count()
    }

    /// The newest store to a location that waits in a thread's buffer.
    pub(super) fn newest(&self, thread: usize, location: Location) -> Option<Value> {
        let mut entries = self.buffers[thread].iter().rev();
        entries.find_map(|entry| match *entry {
            Entry::Store(at, value) if at == location => Some(value),
            _ => None,
        })
    }

    /// Brings a thread's buffer into the one form that equal buffers have.
    pub(super) fn tidy(&mut self, thread: usize, buffering: Buffering) {
        let buffer = &mut self.buffers[thread];
        let mut tidy: Vec<Entry> = Vec::with_capacity(buffer.len());
        for entry in buffer.drain(..) {
            match (entry, tidy.last_mut()) {
                (Entry::Barrier(_), None) => {}
                (Entry::Barrier(new), Some(Entry::Barrier(last))) => *last = last.union(new),
                _ => tidy.push(entry),
            }
        }
        if buffering == Buffering::PerLocation {
            let is_barrier = |entry: &Entry| matches!(entry, Entry::Barrier(_));
            for segment in tidy.split_mut(is_barrier) {
                segment.sort_by_key(|entry| match *entry {
                    Entry::Store(location, _) => location,
                    Entry::Barrier(_) => Location(0),
                });
            }
        }
        *buffer = tidy;
    }

    pub(super) fn meets(&self, goal: &Goal) -> bool {
        let flushed = || self.buffers.iter().all(Vec::is_empty);
        goal.is_met(|thread| self.controls[thread], |l| self.memory[l])
            && (!goal.speaks_of_memory() || flushed())
    }

    pub(super) fn pack(&self) -> Vec<u16> {
        let mut packed = Vec::with_capacity(3 * self.controls.len() + self.memory.len());
        for state in &self.controls {
            packed.extend([state.0 as u16, (state.0 >> 16) as u16]);
        }
        packed.extend(self.memory.iter().map(|value| value.0));
        for buffer in &self.buffers {
            packed.push(buffer.len() as u16);
            for entry in buffer {
                packed.extend(match *entry {
                    Entry::Store(location, value) => [location.0, value.0],
                    Entry::Barrier(orderings) => {
                        let place = BARRIERS.iter().position(|known| *known == orderings);
                        [BARRIER, place.expect("a barrier for stores") as u16]
                    }
                });
            }
        }
        packed
    }

    pub(super) fn unpack(system: &System, packed: &[u16]) -> Self {
        let mut words = packed.iter().copied();
        let mut next = || words.next().expect("a packed configuration");
        let controls = system.automata.iter();
        let controls = controls.map(|_| StateId(u32::from(next()) | u32::from(next()) << 16));
        let controls = controls.collect();
        let memory = system.locations.iter().map(|_| Value(next())).collect();
        let buffers = system.automata.iter().map(|_| {
            let length = next();
            let entries = (0..length).map(|_| match (next(), next()) {
                (BARRIER, place) => Entry::Barrier(BARRIERS[usize::from(place)]),
                (location, value) => Entry::Store(Location(location), Value(value)),
            });
            entries.collect()
        });
        let buffers = buffers.collect();
        Configuration {
            controls,
            memory,
            buffers,
        }
    }
}
