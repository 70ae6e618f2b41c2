//! An over-approximation of PSO with store buffers of any size, in which older stores are merged.
//!
//! A state has controls, memory, and the store buffers of `bounded`, in which at most *k* stores wait to each location one by one. A buffer is cut into
//! *parts* by its barriers. Where one store too many waits to a location, the oldest of those in the part of the newest is *merged*: it becomes one of the older
//! stores that come before those of its location in its part, in no order. Any of them may reach memory, at any time at which the first of the part may, and any number of
//! times, until the oldest that is not merged does; then they are gone. If the part of the newest has no other store to the location, the barrier before
//! the part is taken away first, and the part before joined with it; stores there to locations of which stores are merged behind the barrier are then merged, too.
//!
//! Why every behaviour of PSO is covered: stores of a part to one location leave the buffer in order, so merged ones leave before those that are
//! not, which is allowed, in their order and with their number; a barrier only forbids; and a thread loads its own newest store, or memory if none waits. The newest store
//! to a location is never merged, so loads, fences and read-modify-writes are exact. What is lost is the order of
//! the older stores, and what the barriers that are taken away forbid.
//!
//! With *k* that grows the approximation gets finer. A state with the same buffers and larger sets covers one with smaller sets, which is not explored.
//!
//! A store that does not make anything merge is done at once, as in `bounded`, and for the same reason: it commutes with
//! everything until the thread goes on, and there are only so many in a row.
//!
//! If no goal is met here, none is met under PSO, whatever the size of the buffers. Not guaranteed: that a goal that is met here is met under
//! PSO, so that says nothing.

use crate::automaton::{Event, Location, StateId, System, Transition, Value};
use crate::bounded::{Configuration, Entry};
use crate::goal::Goal;
use control::Stop;
use memory::Buffering;
use rustc_hash::{FxHashMap, FxHashSet};

const PSO: Buffering = Buffering::PerLocation;

/// Merges stores of a thread until at most `kept` to each location wait one by one; whether there was anything to merge.
fn merge(configuration: &mut Configuration, thread: usize, kept: usize) -> bool {
    let mut merged = false;
    while let Some(location) = crowded(&configuration.buffers[thread], kept) {
        merged = true;
        let buffer = &mut configuration.buffers[thread];
        let to_location = |entry: &Entry| matches!(entry, Entry::Store(at, _) if *at == location);
        let newest = buffer.iter().rposition(to_location).unwrap_or(0);
        let is_barrier = |entry: &Entry| matches!(entry, Entry::Barrier(_));
        let barrier = buffer[..newest].iter().rposition(is_barrier);
        let part = barrier.map_or(0, |barrier| barrier + 1);
        let oldest = buffer[part..newest].iter().position(to_location);
        if let Some(oldest) = oldest.map(|oldest| part + oldest) {
            if let Entry::Store(location, value) = buffer[oldest] {
                buffer[oldest] = Entry::Older(location, value);
            }
        } else if let Some(barrier) = barrier {
            join(buffer, barrier);
        }
        configuration.tidy(thread, PSO);
    }
    merged
}

/// Takes a barrier away. What is merged behind it is newer than the stores before it, which have to be merged as well.
fn join(buffer: &mut Vec<Entry>, barrier: usize) {
    let is_barrier = |entry: &Entry| matches!(entry, Entry::Barrier(_));
    let behind = buffer[barrier + 1..]
        .iter()
        .take_while(|entry| !is_barrier(entry));
    let merged: Vec<Location> = behind
        .filter_map(|entry| match *entry {
            Entry::Older(location, _) => Some(location),
            _ => None,
        })
        .collect();
    for entry in buffer[..barrier]
        .iter_mut()
        .rev()
        .take_while(|entry| !is_barrier(entry))
    {
        if let Entry::Store(location, value) = *entry
            && merged.contains(&location)
        {
            *entry = Entry::Older(location, value);
        }
    }
    buffer.remove(barrier);
}

/// A location to which more stores wait one by one than are kept.
fn crowded(buffer: &[Entry], kept: usize) -> Option<Location> {
    let mut counts: FxHashMap<Location, usize> = FxHashMap::default();
    for entry in buffer {
        if let Entry::Store(location, _) = *entry {
            let count = counts.entry(location).or_default();
            *count += 1;
            if *count > kept {
                return Some(location);
            }
        }
    }
    None
}

/// For each thread and part of its buffer, what is merged.
type Older = Vec<(usize, usize, Location, Value)>;

/// A state without what is merged, and that.
fn parts(state: &Configuration) -> (Configuration, Older) {
    let mut older = Older::new();
    let mut rest = state.clone();
    for (thread, buffer) in rest.buffers.iter_mut().enumerate() {
        let mut part = 0;
        buffer.retain(|entry| match *entry {
            Entry::Older(location, value) => {
                older.push((thread, part, location, value));
                false
            }
            Entry::Barrier(_) => {
                part += 1;
                true
            }
            Entry::Store(..) => true,
        });
    }
    (rest, older)
}

fn is_subset(small: &Older, large: &Older) -> bool {
    small.iter().all(|store| large.contains(store))
}

/// How far the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// No goal is met, with buffers of any size.
    Unreachable,
    /// A goal is met, which says nothing if stores were merged.
    Met,
    /// The budget is spent, or a limit was reached.
    Unknown,
}

/// The search.
pub struct MergedSearch<'s> {
    system: &'s System,
    goals: &'s [Goal],
    kept: usize,
    /// By what is not merged: what is, with the packed state.
    seen: FxHashMap<Vec<u16>, Vec<(Older, Vec<u16>)>>,
    waiting: Vec<Configuration>,
    states: usize,
    /// States of threads that goals speak of.
    visible: Vec<FxHashSet<StateId>>,
    met: bool,
    /// Every step is a state of its own.
    plain: bool,
}

impl<'s> MergedSearch<'s> {
    /// The search that keeps this many stores to each location in order, at least one.
    pub fn new(system: &'s System, goals: &'s [Goal], kept: usize) -> Self {
        let threads = 0..system.automata.len();
        let visible = threads.map(|thread| {
            let states = goals.iter().filter_map(|goal| goal.controls[thread]);
            states.collect()
        });
        let mut search = MergedSearch {
            system,
            goals,
            kept,
            seen: FxHashMap::default(),
            waiting: Vec::new(),
            states: 0,
            visible: visible.collect(),
            met: false,
            plain: false,
        };
        search.add(Configuration::start(system));
        search
    }

    /// Explores every state, so that those explored are closed under all steps once no goal can be reached.
    pub fn plain(self) -> Self {
        MergedSearch {
            plain: true,
            ..self
        }
    }

    /// Stores to each location that are kept in order.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// States so far.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The states so far that no other covers.
    pub fn maximal(&self) -> Vec<Configuration> {
        let mut packed: Vec<&Vec<u16>> = self.seen.values().flatten().map(|(_, all)| all).collect();
        packed.sort_unstable();
        let packed = packed.into_iter();
        packed
            .map(|packed| Configuration::unpack(self.system, packed))
            .collect()
    }

    /// Explores at most this many more states.
    pub fn run(&mut self, budget: usize, stop: &Stop) -> Found {
        for expanded in 0..budget {
            if self.met {
                return Found::Met;
            }
            if expanded % 1024 == 0 && stop.look().is_some() {
                return Found::Unknown;
            }
            match self.waiting.pop() {
                Some(state) => self.expand(&state),
                None => return Found::Unreachable,
            }
        }
        Found::Unknown
    }

    fn add(&mut self, state: Configuration) {
        let (rest, older) = parts(&state);
        let known = self.seen.entry(rest.pack()).or_default();
        if known.iter().any(|(large, _)| is_subset(&older, large)) {
            return;
        }
        known.retain(|(small, _)| !is_subset(small, &older));
        known.push((older, state.pack()));
        self.states += 1;
        self.met |= self.goals.iter().any(|goal| state.meets(goal));
        self.waiting.push(state);
    }

    fn transitions(&self, state: &Configuration, thread: usize) -> &'s [Transition] {
        self.system.automata[thread].transitions(state.controls[thread])
    }

    fn expand(&mut self, state: &Configuration) {
        for thread in 0..self.system.automata.len() {
            if let Some(stored) = self.ample(state, thread) {
                return stored.into_iter().for_each(|next| self.add(next));
            }
        }
        for thread in 0..self.system.automata.len() {
            for transition in self.transitions(state, thread) {
                if let Some((next, _)) = self.step(state, thread, transition) {
                    self.add(next);
                }
            }
            for (next, ..) in state.flushed(thread, PSO) {
                self.add(next);
            }
        }
    }

    /// What comes of a thread's stores, if they are all that it does next and nothing has to be merged.
    fn ample(&self, state: &Configuration, thread: usize) -> Option<Vec<Configuration>> {
        let transitions = self.transitions(state, thread);
        let hidden = !self.visible[thread].contains(&state.controls[thread]);
        if self.plain || transitions.is_empty() || !hidden {
            return None;
        }
        let stores = transitions.iter().map(|transition| match transition.event {
            Event::Write(..) => {
                let (next, merged) = self.step(state, thread, transition)?;
                (!merged).then_some(next)
            }
            _ => None,
        });
        stores.collect()
    }

    /// What comes of a transition, and whether stores were merged.
    fn step(
        &self,
        state: &Configuration,
        thread: usize,
        transition: &Transition,
    ) -> Option<(Configuration, bool)> {
        let mut next = match transition.event {
            Event::Write(location, value) => {
                let mut next = state.clone();
                next.buffers[thread].push(Entry::Store(location, value));
                next
            }
            event => state.after(thread, event, PSO)?.0,
        };
        next.controls[thread] = transition.target;
        next.tidy(thread, PSO);
        let merged = merge(&mut next, thread, self.kept);
        Some((next, merged))
    }
}
