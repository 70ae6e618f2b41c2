//! Search with bounded store buffers, for a bound that grows: the fast way to find what is wrong.
//!
//! All states with store buffers of at most *k* stores are explored, for *k* = 0 (that is SC), 1, 2, …, breadth first, so the first goal
//! that is met is met with the smallest buffers, and among those in the fewest steps of each round. What is reachable with *k* stores is
//! reachable with *k* + 1, so a round starts from the states of the round before in which a store found no room.
//! If there is none, larger buffers show nothing new, and the search is complete for every buffer size. Equal numbers of states, or of
//! any projection of them, in two rounds mean nothing.
//!
//! A store into a buffer with room is done at once, and nothing else from there on (`ample`): it commutes with everything
//! that others do and with what leaves the buffer, no goal speaks of the state before it, and buffers being bounded,
//! there is no cycle of such steps.
//!
//! States in which threads with equal automata have changed places are one state (`symmetry`).
//!
//! Buffers work as in `machine`'s store-buffer machine: one queue under TSO; under PSO any store that is the oldest to its location
//! may leave, unless a `#StoreStore` barrier stands before it, and a `#StoreLoad` barrier holds back loads.

mod configuration;
mod symmetry;

pub use configuration::{Configuration, Entry};

use crate::automaton::{Event, Location, StateId, System, Transition, Value};
use crate::goal::Goal;
use control::Stop;
use memory::Buffering;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;
use symmetry::{Moved, Symmetry};

/// A step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// Whose step it is.
    pub thread: usize,
    /// What it is.
    pub action: Action,
}

/// What happens in a step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A transition of the thread's automaton.
    Take {
        /// The transition.
        transition: Transition,
        /// A write goes into the thread's store buffer, or a read takes a store that waits there.
        buffered: bool,
    },
    /// A store reaches memory.
    Flush(Location, Value),
}

/// How far the search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bounded {
    /// A goal is met, with this bound: the number of the goal and the way to it.
    Met {
        /// Its number.
        goal: usize,
        /// Stores in a buffer at most.
        bound: u32,
        /// From the start.
        run: Vec<RunStep>,
        /// Where the threads stand in the end.
        controls: Vec<StateId>,
        /// What the locations hold in the end, if all stores are in memory.
        memory: Vec<Value>,
    },
    /// No goal is met, and no store would need more room: that is so for every buffer size.
    Unreachable,
    /// The budget is spent, or a limit was reached.
    Unknown,
}

type Packed = Rc<[u16]>;

/// The search.
pub struct BoundedSearch<'s> {
    system: &'s System,
    goals: &'s [Goal],
    buffering: Buffering,
    bound: u32,
    numbers: FxHashMap<Packed, u32>,
    states: Vec<Packed>,
    parents: Vec<Option<(u32, RunStep, Moved)>>,
    waiting: VecDeque<u32>,
    symmetry: Symmetry,
    /// States in which a store of the thread found no room.
    blocked: Vec<(u32, usize)>,
    /// States of threads that goals speak of.
    visible: Vec<FxHashSet<StateId>>,
    met: Option<(usize, u32)>,
    /// Every step is a state of its own.
    plain: bool,
}

impl<'s> BoundedSearch<'s> {
    /// The search under a model that buffers stores in this way.
    pub fn new(system: &'s System, goals: &'s [Goal], buffering: Buffering) -> Self {
        let threads = 0..system.automata.len();
        let symmetry = Symmetry::of(system);
        let visible = threads.map(|thread| {
            let like = symmetry.like(thread).iter().chain([&thread]);
            let states =
                like.flat_map(|thread| goals.iter().filter_map(|goal| goal.controls[*thread]));
            states.collect()
        });
        let mut search = BoundedSearch {
            system,
            goals,
            buffering,
            bound: 0,
            numbers: FxHashMap::default(),
            states: Vec::new(),
            parents: Vec::new(),
            waiting: VecDeque::new(),
            blocked: Vec::new(),
            visible: visible.collect(),
            symmetry,
            met: None,
            plain: false,
        };
        search.add(Configuration::start(system), None);
        search
    }

    /// Explores every state, so that those explored are closed under all steps once no goal can be reached.
    pub fn plain(self) -> Self {
        BoundedSearch {
            plain: true,
            symmetry: Symmetry::default(),
            ..self
        }
    }

    /// The states so far.
    pub fn configurations(&self) -> impl Iterator<Item = Configuration> + '_ {
        (0..self.states.len()).map(|state| self.unpack(state as u32))
    }

    /// The bound of the round that is being explored.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// States so far.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Explores at most this many more states, with larger and larger bounds.
    pub fn run(&mut self, budget: usize, stop: &Stop) -> Bounded {
        for expanded in 0..budget {
            if let Some((goal, state)) = self.met {
                let last = self.unpack(state);
                let cast = self.symmetry.meets(&self.goals[goal], &last);
                let cast = cast.unwrap_or_default();
                let (run, controls) = self.symmetry.untangle(self.way_to(state), &cast, &last);
                return Bounded::Met {
                    goal,
                    bound: self.bound,
                    run,
                    controls,
                    memory: last.memory,
                };
            }
            if expanded % 1024 == 0 && stop.look().is_some() {
                return Bounded::Unknown;
            }
            match self.waiting.pop_front() {
                Some(state) => self.expand(state),
                None if self.blocked.is_empty() => return Bounded::Unreachable,
                None => self.grow(),
            }
        }
        Bounded::Unknown
    }

    /// Begins the next round.
    fn grow(&mut self) {
        self.bound += 1;
        for (state, thread) in std::mem::take(&mut self.blocked) {
            let configuration = self.unpack(state);
            self.writes_of(state, &configuration, thread);
        }
    }

    fn unpack(&self, state: u32) -> Configuration {
        Configuration::unpack(self.system, &self.states[state as usize])
    }

    fn way_to(&self, mut state: u32) -> Vec<(RunStep, &Moved)> {
        let mut run = Vec::new();
        while let Some((parent, step, moved)) = &self.parents[state as usize] {
            run.push((*step, moved));
            state = *parent;
        }
        run.reverse();
        run
    }

    fn add(&mut self, mut configuration: Configuration, parent: Option<(u32, RunStep)>) {
        let moved = self.symmetry.sort(&mut configuration);
        let packed: Packed = configuration.pack().into();
        if self.numbers.contains_key(&packed) {
            return;
        }
        let number = self.states.len() as u32;
        self.numbers.insert(packed.clone(), number);
        self.states.push(packed);
        self.parents
            .push(parent.map(|(parent, step)| (parent, step, moved)));
        self.waiting.push_back(number);
        if self.met.is_none() {
            let meets = |goal| self.symmetry.meets(goal, &configuration).is_some();
            let met = self.goals.iter().position(meets);
            self.met = met.map(|goal| (goal, number));
        }
    }

    fn expand(&mut self, state: u32) {
        let configuration = self.unpack(state);
        let threads = 0..self.system.automata.len();
        if let Some(thread) = threads.clone().find(|t| self.is_ample(&configuration, *t)) {
            return self.writes_of(state, &configuration, thread);
        }
        for thread in threads {
            self.steps_of(state, &configuration, thread);
            if self.buffering != Buffering::None {
                self.writes_of(state, &configuration, thread);
            }
            self.flushes_of(state, &configuration, thread);
        }
    }

    fn transitions(&self, configuration: &Configuration, thread: usize) -> &'s [Transition] {
        self.system.automata[thread].transitions(configuration.controls[thread])
    }

    fn has_room(&self, configuration: &Configuration, thread: usize) -> bool {
        configuration.waiting_stores(thread) < self.bound as usize
    }

    /// Whether all that a thread does next is put a store into its buffer.
    fn is_ample(&self, configuration: &Configuration, thread: usize) -> bool {
        let transitions = self.transitions(configuration, thread);
        let is_write = |t: &Transition| matches!(t.event, Event::Write(..));
        !self.plain
            && self.buffering != Buffering::None
            && !transitions.is_empty()
            && transitions.iter().all(is_write)
            && self.has_room(configuration, thread)
            && !self.visible[thread].contains(&configuration.controls[thread])
    }

    /// Puts the stores that a thread may do next into its buffer.
    fn writes_of(&mut self, state: u32, configuration: &Configuration, thread: usize) {
        let room = self.has_room(configuration, thread);
        let mut blocked = false;
        for &transition in self.transitions(configuration, thread) {
            let Event::Write(location, value) = transition.event else {
                continue;
            };
            if !room {
                blocked = true;
                continue;
            }
            let mut next = configuration.clone();
            next.controls[thread] = transition.target;
            next.buffers[thread].push(Entry::Store(location, value));
            self.step(state, next, thread, transition, true);
        }
        if blocked {
            self.blocked.push((state, thread));
        }
    }

    /// Everything else that a thread may do next. Without buffers, stores as well.
    fn steps_of(&mut self, state: u32, configuration: &Configuration, thread: usize) {
        for &transition in self.transitions(configuration, thread) {
            let event = transition.event;
            let next = match event {
                Event::Write(location, value) if self.bound == 0 => {
                    let mut next = configuration.clone();
                    next.memory[location.index()] = value;
                    Some((next, false))
                }
                _ => configuration.after(thread, event, self.buffering),
            };
            if let Some((mut next, buffered)) = next {
                next.controls[thread] = transition.target;
                self.step(state, next, thread, transition, buffered);
            }
        }
    }

    fn step(
        &mut self,
        state: u32,
        mut next: Configuration,
        thread: usize,
        transition: Transition,
        buffered: bool,
    ) {
        next.tidy(thread, self.buffering);
        let action = Action::Take {
            transition,
            buffered,
        };
        self.add(next, Some((state, RunStep { thread, action })));
    }

    /// Lets each store that may leave a buffer reach memory.
    fn flushes_of(&mut self, state: u32, configuration: &Configuration, thread: usize) {
        for (next, location, value) in configuration.flushed(thread, self.buffering) {
            let action = Action::Flush(location, value);
            self.add(next, Some((state, RunStep { thread, action })));
        }
    }
}
