//! A state of the whole system with store buffers, and its packed form.

use crate::automaton::{Automaton, Event, Location, StateId, System, Value};
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
    /// Any number of older stores of this value to a location that has a newer one behind them before the next barrier. Only where stores are merged.
    Older(Location, Value),
}

impl Entry {
    /// Whether it is a barrier that keeps such an access from overtaking the stores before it.
    fn holds_back(self, kind: AccessKind) -> bool {
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
    /// invariant: no barrier comes first, no two are neighbours, and under PSO stores between them are sorted by location, those that are merged first.
    pub buffers: Vec<Vec<Entry>>,
}

/// A barrier in the packed form, in the place of a location; the orderings follow as their place in [`BARRIERS`].
const BARRIER: u16 = u16::MAX;

/// Added to a location in the packed form of what is merged; there are fewer locations.
const OLDER: u16 = 1 << 15;

/// The orderings that can wait in a buffer; loads are performed before a thread goes on.
const BARRIERS: [Orderings; 3] = [
    Orderings::STORE_LOAD,
    Orderings::STORE_STORE,
    Orderings::STORE_LOAD.union(Orderings::STORE_STORE),
];

impl Configuration {
    pub(crate) fn start(system: &System) -> Self {
        let threads = system.automata.len();
        Configuration {
            controls: vec![Automaton::START; threads],
            memory: system.locations.iter().map(|l| l.initial).collect(),
            buffers: vec![Vec::new(); threads],
        }
    }

    pub(crate) fn waiting_stores(&self, thread: usize) -> usize {
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

    /// What an event of a thread makes of it, apart from the thread's control, if it is possible, and whether a load took a store that waits. Stores are not
    /// done here.
    pub(crate) fn after(
        &self,
        thread: usize,
        event: Event,
        buffering: Buffering,
    ) -> Option<(Configuration, bool)> {
        let held = |location: Location| self.memory[location.index()];
        let mut buffered = false;
        let possible = match event {
            Event::Skip | Event::Barrier(_) => true,
            Event::Read(location, value) => {
                let own = self.newest(thread, location);
                buffered = own.is_some();
                own.unwrap_or(held(location)) == value && self.may_load(thread)
            }
            Event::Write(..) => false,
            Event::Update { location, read, .. } => {
                held(location) == read && self.may_update(thread, location, buffering)
            }
            Event::Fence => self.waiting_stores(thread) == 0,
        };
        // Most values that a load could return are not there.
        if !possible {
            return None;
        }
        let mut next = self.clone();
        match event {
            Event::Update {
                location,
                read,
                written,
            } => next.memory[location.index()] = written.unwrap_or(read),
            Event::Barrier(orderings) if self.waiting_stores(thread) > 0 => {
                next.buffers[thread].push(Entry::Barrier(orderings));
            }
            _ => {}
        }
        Some((next, buffered))
    }

    fn may_load(&self, thread: usize) -> bool {
        let mut entries = self.buffers[thread].iter();
        entries.all(|entry| !entry.holds_back(AccessKind::LOAD))
    }

    fn may_update(&self, thread: usize, location: Location, buffering: Buffering) -> bool {
        let mut entries = self.buffers[thread].iter();
        entries.all(|entry| match *entry {
            Entry::Store(at, _) | Entry::Older(at, _) => {
                buffering == Buffering::PerLocation && at != location
            }
            Entry::Barrier(_) => !entry.holds_back(AccessKind::UPDATE),
        })
    }

    /// What comes of letting one of a thread's stores that may leave its buffer reach memory, with the store.
    pub(crate) fn flushed(
        &self,
        thread: usize,
        buffering: Buffering,
    ) -> Vec<(Configuration, Location, Value)> {
        let mut found = Vec::new();
        let mut passed = Vec::new();
        for (index, entry) in self.buffers[thread].iter().enumerate() {
            match *entry {
                Entry::Barrier(orderings) if orderings.contains(Orderings::STORE_STORE) => break,
                Entry::Barrier(_) => {}
                Entry::Older(location, value) => {
                    if !passed.contains(&location) {
                        let mut next = self.clone();
                        next.memory[location.index()] = value;
                        found.push((next, location, value));
                    }
                }
                Entry::Store(location, value) => {
                    if !passed.contains(&location) {
                        passed.push(location);
                        let mut next = self.clone();
                        next.buffers[thread].remove(index);
                        // Its older stores stand right before it.
                        let older = |entry: &&Entry| matches!(entry, Entry::Older(..));
                        let before = self.buffers[thread][..index].iter().rev();
                        let older = before.take_while(older).count();
                        next.buffers[thread].drain(index - older..index);
                        next.memory[location.index()] = value;
                        next.tidy(thread, buffering);
                        found.push((next, location, value));
                    }
                    if buffering != Buffering::PerLocation {
                        break;
                    }
                }
            }
        }
        found
    }

    /// Brings a thread's buffer into the one form that equal buffers have.
    pub(crate) fn tidy(&mut self, thread: usize, buffering: Buffering) {
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
                    Entry::Older(location, value) => (location, false, value),
                    Entry::Store(location, _) => (location, true, Value(0)),
                    Entry::Barrier(_) => (Location(0), false, Value(0)),
                });
            }
        }
        tidy.dedup_by(|one, two| one == two && matches!(one, Entry::Older(..)));
        *buffer = tidy;
    }

    pub(crate) fn meets(&self, goal: &Goal) -> bool {
        let flushed = || self.buffers.iter().all(Vec::is_empty);
        goal.is_met(|thread| self.controls[thread], |l| self.memory[l])
            && (!goal.speaks_of_memory() || flushed())
    }

    pub(crate) fn pack(&self) -> Vec<u16> {
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
                    Entry::Older(location, value) => [location.0 | OLDER, value.0],
                });
            }
        }
        packed
    }

    pub(crate) fn unpack(system: &System, packed: &[u16]) -> Self {
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
                (location, value) if location & OLDER != 0 => {
                    Entry::Older(Location(location & !OLDER), Value(value))
                }
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
