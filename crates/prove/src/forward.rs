//! A cheap over-approximation of what is reachable under TSO, with store buffers of any size.
//!
//! An abstract state has the control of each thread, memory, and for each thread and location the *set* of values that the location has
//! held in memory since the thread's last fence or read-modify-write, or its own last write there, whichever came last. A load may return any of
//! them. What is lost is the order in which a thread learns of writes to different locations; where threads have
//! the fences that they need, little is.
//!
//! Why every behaviour of TSO is covered: take the machine with load buffers (`dual`). In each of its reachable
//! configurations, the values of plain messages, of the own message, and of memory are in the thread's set:
//!
//! - a write of `x := v` by *p* removes older messages of *x* from its buffer, and the set of *p* becomes {v}; other
//!   threads' sets gain *v*;
//! - what is propagated is in memory, so it is in the set;
//! - a fence or a read-modify-write of *p* needs an empty buffer, so {value in memory} is enough for each location;
//! - a read of *x* takes the value of a message of *x* in the buffer, which is in the set.
//!
//! The set of a location is kept only while the thread can read the location before the set starts anew (*live*); otherwise it is
//! left out, so that states that differ in nothing else are the same.
//!
//! If no goal is met here, none is met under TSO, or under SC. Otherwise the result says which controls and memories occur
//! together, by which `dual` leaves out what cannot be reached.

mod views;

pub use views::Views;

use crate::automaton::{Automaton, Event, Location, LocationValues, StateId, System, Value};
use crate::goal::Goal;
use control::Stop;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Most values of a location: a set is a word.
const MOST_VALUES: usize = 64;

/// A state without sets: controls, then memory.
type Projection = Box<[u32]>;

/// What is reachable in the over-approximation.
pub struct Reachable {
    threads: usize,
    states: FxHashSet<Projection>,
    /// States by the controls of some threads, made when they are asked for.
    by_controls: RefCell<FxHashMap<Box<[bool]>, ByControls>>,
    /// No goal is met.
    pub safe: bool,
}

type ByControls = FxHashMap<Box<[u32]>, FxHashSet<Box<[u32]>>>;

impl Reachable {
    /// Explores the over-approximation; nothing if it has more than `most` states, or a location too many values.
    pub fn of(system: &System, goals: &[Goal], most: usize, stop: &Stop) -> Option<Self> {
        let mut search = Search::new(system);
        let mut reachable = Reachable {
            threads: system.automata.len(),
            states: FxHashSet::default(),
            by_controls: RefCell::default(),
            safe: true,
        };
        search.run(most, stop, |state| {
            reachable.safe &= !goals.iter().any(|goal| state.meets(goal));
            reachable.states.insert(state.projection());
        })?;
        Some(reachable)
    }

    /// The number of controls and memories.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Whether some state has these controls, where a thread is named, and these values, where one is given.
    pub fn meets(
        &self,
        control: impl Fn(usize) -> Option<StateId>,
        memory: &[Option<Value>],
    ) -> bool {
        let present: Box<[bool]> = (0..self.threads).map(|t| control(t).is_some()).collect();
        let controls: Box<[u32]> = (0..self.threads)
            .filter_map(|thread| Some(control(thread)?.0))
            .collect();
        let mut by_controls = self.by_controls.borrow_mut();
        let index = by_controls.entry(present).or_insert_with_key(|present| {
            let mut index = ByControls::default();
            for state in &self.states {
                let (controls, memory) = state.split_at(self.threads);
                let controls = controls.iter().zip(present);
                let controls = controls.filter_map(|(control, is)| is.then_some(*control));
                let memories = index.entry(controls.collect()).or_default();
                memories.insert(memory.into());
            }
            index
        });
        index.get(&controls).is_some_and(|memories| {
            memories.iter().any(|held| {
                let mut pairs = memory.iter().zip(held);
                pairs.all(|(value, held)| value.is_none_or(|value| u32::from(value.0) == *held))
            })
        })
    }
}

/// For each state, the locations that the thread can read before their sets start anew.
fn live(automaton: &Automaton) -> Vec<FxHashSet<Location>> {
    let mut live: Vec<FxHashSet<Location>> = vec![FxHashSet::default(); automaton.states.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (source, transition) in automaton.all_transitions() {
            let behind = &live[transition.target.index()];
            let before: Vec<Location> = match transition.event {
                Event::Fence | Event::Update { .. } => Vec::new(),
                Event::Write(written, _) => {
                    let others = behind.iter().filter(|location| **location != written);
                    others.copied().collect()
                }
                Event::Read(read, _) => behind.iter().copied().chain([read]).collect(),
                Event::Skip | Event::Barrier(_) => behind.iter().copied().collect(),
            };
            let known = &mut live[source.index()];
            let count = known.len();
            known.extend(before);
            changed |= known.len() > count;
        }
    }
    live
}

/// Maximal states of the over-approximation, in which sets that are not kept have all values: each step from a state of
/// the over-approximation leads below one of them. Nothing if there are more than `most` states.
pub fn maximal(system: &System, most: usize, stop: &Stop) -> Option<Vec<Abstract>> {
    let mut search = Search::new(system);
    search.run(most, stop, |_| {})?;
    let mut groups: FxHashMap<Projection, Vec<Abstract>> = FxHashMap::default();
    for mut state in search.seen {
        for (thread, live) in search.live.iter().enumerate() {
            let live = &live[state.controls[thread].index()];
            for index in 0..state.memory.len() {
                let location = Location(index as u16);
                if !live.contains(&location) {
                    *state.set(thread, location) = u64::MAX;
                }
            }
        }
        let group = groups.entry(state.projection()).or_default();
        if !group.iter().any(|known| known.is_above(&state)) {
            group.retain(|known| !state.is_above(known));
            group.push(state);
        }
    }
    let mut maximal: Vec<Abstract> = groups.into_values().flatten().collect();
    maximal.sort_unstable();
    Some(maximal)
}

/// A state of the over-approximation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Abstract {
    /// Where the threads stand.
    pub controls: Box<[StateId]>,
    /// What the locations hold.
    pub memory: Box<[Value]>,
    /// For each thread and location a set of values, as bits.
    pub sets: Box<[u64]>,
}

fn set_of(value: Value) -> u64 {
    1 << value.0
}

impl Abstract {
    fn start(system: &System) -> Self {
        let memory: Box<[Value]> = system.locations.iter().map(|l| l.initial).collect();
        let sets = memory.iter().map(|value| set_of(*value));
        let sets: Vec<u64> = sets.collect();
        Abstract {
            controls: vec![Automaton::START; system.automata.len()].into(),
            sets: sets.repeat(system.automata.len()).into(),
            memory,
        }
    }

    fn set(&mut self, thread: usize, location: Location) -> &mut u64 {
        &mut self.sets[thread * self.memory.len() + location.index()]
    }

    fn holds(&self, thread: usize, location: Location, value: Value) -> bool {
        self.sets[thread * self.memory.len() + location.index()] & set_of(value) != 0
    }

    /// A thread writes; its own set is up to the caller.
    fn write(&mut self, location: Location, value: Value) {
        self.memory[location.index()] = value;
        for thread in 0..self.controls.len() {
            *self.set(thread, location) |= set_of(value);
        }
    }

    /// A thread has nothing left to read but memory.
    fn catch_up(&mut self, thread: usize) {
        for index in 0..self.memory.len() {
            let location = Location(index as u16);
            *self.set(thread, location) = set_of(self.memory[index]);
        }
    }

    /// Whether its sets contain those of a state with the same controls and memory.
    fn is_above(&self, other: &Abstract) -> bool {
        let mut sets = self.sets.iter().zip(&other.sets);
        sets.all(|(mine, theirs)| theirs & !mine == 0)
    }

    fn meets(&self, goal: &Goal) -> bool {
        goal.is_met(|thread| self.controls[thread], |l| self.memory[l])
    }

    fn projection(&self) -> Projection {
        let controls = self.controls.iter().map(|state| state.0);
        let memory = self.memory.iter().map(|value| u32::from(value.0));
        controls.chain(memory).collect()
    }
}

struct Search<'s> {
    system: &'s System,
    live: Vec<Vec<FxHashSet<Location>>>,
    seen: FxHashSet<Abstract>,
    waiting: Vec<Abstract>,
}

impl<'s> Search<'s> {
    fn new(system: &'s System) -> Self {
        let mut search = Search {
            live: system.automata.iter().map(live).collect(),
            system,
            seen: FxHashSet::default(),
            waiting: Vec::new(),
        };
        let small = |location: &LocationValues| location.words.len() <= MOST_VALUES;
        if system.locations.iter().all(small) {
            search.add(Abstract::start(system));
        }
        search
    }

    /// Explores all states; nothing if there are more than `most`, or if a location has too many values.
    fn run(&mut self, most: usize, stop: &Stop, mut visit: impl FnMut(&Abstract)) -> Option<()> {
        let mut count = 0usize;
        while let Some(state) = self.waiting.pop() {
            count += 1;
            let late = count.is_multiple_of(1024) && stop.look().is_some();
            if self.seen.len() > most || late {
                return None;
            }
            visit(&state);
            self.expand(&state);
        }
        (count > 0).then_some(())
    }

    fn add(&mut self, mut state: Abstract) {
        for thread in 0..state.controls.len() {
            let live = &self.live[thread][state.controls[thread].index()];
            for index in 0..state.memory.len() {
                let location = Location(index as u16);
                if !live.contains(&location) {
                    *state.set(thread, location) = 0;
                }
            }
        }
        if !self.seen.contains(&state) {
            self.seen.insert(state.clone());
            self.waiting.push(state);
        }
    }

    fn expand(&mut self, state: &Abstract) {
        let system = self.system;
        for (thread, automaton) in system.automata.iter().enumerate() {
            for transition in automaton.transitions(state.controls[thread]) {
                if let Some(next) = after(state, thread, transition.event) {
                    self.add(next.at(thread, transition.target));
                }
            }
        }
    }
}

impl Abstract {
    fn at(mut self, thread: usize, control: StateId) -> Self {
        self.controls[thread] = control;
        self
    }
}

/// The state after an event of a thread, apart from its control.
fn after(state: &Abstract, thread: usize, event: Event) -> Option<Abstract> {
    let possible = match event {
        Event::Read(location, value) => state.holds(thread, location, value),
        Event::Update { location, read, .. } => state.memory[location.index()] == read,
        Event::Skip | Event::Barrier(_) | Event::Write(..) | Event::Fence => true,
    };
    if !possible {
        return None;
    }
    let mut next = state.clone();
    match event {
        Event::Skip | Event::Barrier(_) | Event::Read(..) => {}
        Event::Write(location, value) => {
            next.write(location, value);
            *next.set(thread, location) = set_of(value);
        }
        Event::Fence => next.catch_up(thread),
        Event::Update {
            location,
            read,
            written,
        } => {
            next.write(location, written.unwrap_or(read));
            next.catch_up(thread);
        }
    }
    Some(next)
}
