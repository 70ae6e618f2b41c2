//! What goes wrong with the fewest copies of one thread.
//!
//! Copies that stand at their start, with nothing in their store buffers, are as many as one likes; a state has memory, the threads that are not
//! replicated, and the other copies, which are *active*, as a multiset. States are explored in the order of the copies that it takes to get there: with
//! at most *n* active copies, and with store buffers that grow until no store finds them full, before any with *n* + 1. A copy that is back at its
//! start is as good as a new one. So the first state that is wrong shows the smallest number of copies with which anything is, for every size of
//! store buffers, and states with few copies are explored once and not again for every larger number.
//!
//! A thread that `main` starts first waits for that, once and for all, so what counts as its start is the state behind ([`Entry`](CopiesSearch::entry)).
//!
//! A store into a buffer with room is done at once, as in `bounded`: the copy that does it is active before and after.
//!
//! Not guaranteed: that it ends, if nothing is wrong or buffers grow and grow. Two functions that are replicated are not for it: a copy of one is not a copy of the other, so
//! how many are active at once does not say how many it takes.

use crate::automaton::{Automaton, Event, StateId, System, Transition, Value};
use crate::bounded::{Action, Bounded, Configuration, Entry, RunStep};
use crate::goal::Goal;
use control::Stop;
use memory::Buffering;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// Numbers that states may have in all, each of four bytes.
const MOST_NUMBERS: usize = 100_000_000;

/// A thread: where it stands, with what waits in its store buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Local {
    state: StateId,
    buffer: Vec<Entry>,
}

/// The number of a [`Local`].
type LocalId = u32;

/// Values in memory, then the locals of threads that are not replicated, then those of the active copies, sorted.
type Packed = Rc<[u32]>;

/// Whose step it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mover {
    /// A thread that is not replicated: its place among them.
    Fixed(usize),
    /// A copy that stands like this.
    Copy(LocalId),
}

#[derive(Clone, Copy)]
struct Step {
    mover: Mover,
    /// Where the mover stands afterwards.
    after: LocalId,
    action: Action,
}

/// The search.
pub struct CopiesSearch<'s> {
    system: &'s System,
    goals: &'s [Goal],
    /// The automaton that is replicated, and the others.
    kind: usize,
    /// What a copy does first, if that is to read a value that stays, and nothing else.
    entry: Option<Transition>,
    fixed: Vec<usize>,
    buffering: Buffering,
    bound: u32,
    /// Active copies at most, in what is being explored.
    copies: usize,
    locals: Vec<Local>,
    local_numbers: FxHashMap<Local, LocalId>,
    states: Vec<Packed>,
    numbers: FxHashMap<Packed, u32>,
    parents: Vec<Option<(u32, Step)>>,
    /// Numbers in all states.
    size: usize,
    waiting: VecDeque<u32>,
    /// States with one active copy more.
    later: Vec<u32>,
    /// States in which a store found no room.
    blocked: Vec<(u32, Mover)>,
    /// States of threads that goals speak of.
    visible: FxHashSet<(usize, StateId)>,
}

/// A copy at its start, or behind its entry, with nothing in its store buffer.
const INACTIVE: LocalId = 0;

/// A thread that is not replicated, where it starts.
const AT_START: LocalId = 1;

/// The only transition from the start of an automaton, if it reads what stays there: no other value of the location is ever written, nor any by the automaton itself.
fn entry(system: &System, kind: usize) -> Option<Transition> {
    let [first] = system.automata[kind].transitions(Automaton::START) else {
        return None;
    };
    let Event::Read(location, value) = first.event else {
        return None;
    };
    let stays = |automaton: usize, event: Event| {
        let written = match event {
            Event::Write(at, written) if at == location => Some(written),
            Event::Update {
                location: at,
                written,
                ..
            } if at == location => written,
            _ => None,
        };
        written.is_none_or(|written| automaton != kind && written == value)
    };
    let mut automata = system.automata.iter().enumerate();
    let stays = automata.all(|(number, automaton)| {
        let mut transitions = automaton.all_transitions();
        transitions.all(|(_, transition)| stays(number, transition.event))
    });
    stays.then_some(*first)
}

impl<'s> CopiesSearch<'s> {
    /// The search with copies of one automaton, under a model that buffers stores in this way.
    pub fn new(system: &'s System, goals: &'s [Goal], kind: usize, buffering: Buffering) -> Self {
        let others = 0..system.automata.len();
        let named = goals
            .iter()
            .flat_map(|goal| goal.controls.iter().enumerate());
        let mut search = CopiesSearch {
            system,
            goals,
            kind,
            entry: entry(system, kind),
            fixed: others.filter(|automaton| *automaton != kind).collect(),
            buffering,
            bound: 0,
            copies: 0,
            locals: Vec::new(),
            local_numbers: FxHashMap::default(),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            parents: Vec::new(),
            size: 0,
            waiting: VecDeque::new(),
            later: Vec::new(),
            blocked: Vec::new(),
            visible: named.filter_map(|(t, at)| Some((t, (*at)?))).collect(),
        };
        let empty = |state| Local {
            state,
            buffer: Vec::new(),
        };
        let first = search.entry.map(|entry| entry.target);
        search.locals.push(empty(first.unwrap_or(Automaton::START)));
        search.locals.push(empty(Automaton::START));
        let inactive = search.locals[INACTIVE as usize].clone();
        search.local_numbers.insert(inactive, INACTIVE);
        let memory = system.locations.iter().map(|l| u32::from(l.initial.0));
        let fixed = search.fixed.iter().map(|_| AT_START);
        let start: Vec<u32> = memory.chain(fixed).collect();
        search.add(start, None);
        search
    }

    /// The automaton that is replicated.
    pub fn kind(&self) -> usize {
        self.kind
    }

    /// Active copies at most, so far: with fewer, no goal is met.
    pub fn copies(&self) -> usize {
        self.copies
    }

    /// The bound of store buffers, so far.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// States so far.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Explores at most this many more states, until a goal is met, with as few copies as possible; nothing if a limit is reached first.
    ///
    /// The run is one of the system in which the copies are written out: the first stands in the place of the automaton, the others behind all threads.
    pub fn run(&mut self, budget: usize, stop: &Stop) -> Option<Bounded> {
        for expanded in 0..budget {
            let late = expanded % 64 == 0 && stop.look().is_some();
            if late || self.size > MOST_NUMBERS {
                return None;
            }
            match self.waiting.pop_front() {
                Some(state) => {
                    let mut goals = self.goals.iter();
                    if let Some(goal) = goals.position(|goal| self.meets(goal, state)) {
                        return Some(self.met(goal, state));
                    }
                    self.expand(state);
                }
                None if !self.blocked.is_empty() => {
                    self.bound += 1;
                    for (state, mover) in std::mem::take(&mut self.blocked) {
                        self.writes_of(state, mover);
                    }
                }
                None if self.later.is_empty() => return None,
                None => {
                    self.copies += 1;
                    self.waiting.extend(self.later.drain(..));
                }
            }
        }
        None
    }

    fn local(&mut self, local: Local) -> LocalId {
        if let Some(known) = self.local_numbers.get(&local) {
            return *known;
        }
        let number = self.locals.len() as LocalId;
        self.locals.push(local.clone());
        self.local_numbers.insert(local, number);
        number
    }

    /// Where the locals of a state begin, and where those of copies do.
    fn parts(&self) -> (usize, usize) {
        let locals = self.system.locations.len();
        (locals, locals + self.fixed.len())
    }

    fn add(&mut self, state: Vec<u32>, parent: Option<(u32, Step)>) {
        let active = state.len() - self.parts().1;
        let packed: Packed = state.into();
        if self.numbers.contains_key(&packed) {
            return;
        }
        let number = self.states.len() as u32;
        self.size += packed.len();
        self.numbers.insert(packed.clone(), number);
        self.states.push(packed);
        self.parents.push(parent);
        if active > self.copies {
            self.later.push(number);
        } else {
            self.waiting.push_back(number);
        }
    }

    fn meets(&self, goal: &Goal, state: u32) -> bool {
        let state = &self.states[state as usize];
        let (locals, copies) = self.parts();
        let local = |id: &u32| &self.locals[*id as usize];
        let stands = |(automaton, at): (usize, &Option<StateId>)| {
            let Some(at) = at else { return true };
            let place = self.fixed.iter().position(|fixed| *fixed == automaton);
            match place {
                Some(place) => local(&state[locals + place]).state == *at,
                None => state[copies..].iter().any(|id| local(id).state == *at),
            }
        };
        let mut memory = goal.memory.iter().zip(&state[..locals]);
        let flushed = || state[locals..].iter().all(|id| local(id).buffer.is_empty());
        goal.controls.iter().enumerate().all(stands)
            && memory.all(|(value, held)| value.is_none_or(|value| u32::from(value.0) == *held))
            && (!goal.speaks_of_memory() || flushed())
    }

    fn automaton(&self, mover: Mover) -> usize {
        match mover {
            Mover::Fixed(place) => self.fixed[place],
            Mover::Copy(_) => self.kind,
        }
    }

    fn local_of(&self, state: &[u32], mover: Mover) -> LocalId {
        match mover {
            Mover::Fixed(place) => state[self.parts().0 + place],
            Mover::Copy(id) => id,
        }
    }

    /// One thread of a state, and memory.
    fn alone(&self, state: &[u32], mover: Mover) -> Configuration {
        let Local {
            state: control,
            buffer,
        } = self.locals[self.local_of(state, mover) as usize].clone();
        let memory = state[..self.parts().0]
            .iter()
            .map(|value| Value(*value as u16));
        Configuration {
            controls: vec![control],
            memory: memory.collect(),
            buffers: vec![buffer],
        }
    }

    fn transitions(&self, alone: &Configuration, mover: Mover) -> &'s [Transition] {
        self.system.automata[self.automaton(mover)].transitions(alone.controls[0])
    }

    fn has_room(&self, alone: &Configuration) -> bool {
        alone.waiting_stores(0) < self.bound as usize
    }

    /// Threads that may do something; of copies that stand alike, one.
    fn movers(&self, state: &[u32]) -> Vec<Mover> {
        let (_, copies) = self.parts();
        let mut active = state[copies..].to_vec();
        active.dedup();
        let fixed = (0..self.fixed.len()).map(Mover::Fixed);
        fixed.chain(active.into_iter().map(Mover::Copy)).collect()
    }

    /// Whether a copy can come behind its entry.
    fn may_begin(&self, state: &[u32]) -> bool {
        match self.entry.map(|entry| entry.event) {
            Some(Event::Read(location, value)) => state[location.index()] == u32::from(value.0),
            _ => true,
        }
    }

    /// Whether a thread has a step, for all that can be seen without taking one.
    fn may_move(&self, state: &[u32], mover: Mover) -> bool {
        let Local {
            state: control,
            buffer,
        } = &self.locals[self.local_of(state, mover) as usize];
        let mut transitions = self.system.automata[self.automaton(mover)]
            .transitions(*control)
            .iter();
        !buffer.is_empty()
            || transitions.any(|transition| match transition.event {
                Event::Read(location, value)
                | Event::Update {
                    location,
                    read: value,
                    ..
                } => state[location.index()] == u32::from(value.0),
                _ => true,
            })
    }

    fn is_ample(&self, state: &[u32], mover: Mover) -> bool {
        let alone = self.alone(state, mover);
        let transitions = self.transitions(&alone, mover);
        let is_write = |t: &Transition| matches!(t.event, Event::Write(..));
        !transitions.is_empty()
            && transitions.iter().all(is_write)
            && self.has_room(&alone)
            && !self
                .visible
                .contains(&(self.automaton(mover), alone.controls[0]))
    }

    fn expand(&mut self, number: u32) {
        let state = self.states[number as usize].clone();
        let mut movers = self.movers(&state);
        if self.buffering != Buffering::None {
            let mut active = movers.iter().copied();
            if let Some(mover) = active.find(|mover| self.is_ample(&state, *mover)) {
                return self.writes_of(number, mover);
            }
        }
        if self.may_begin(&state) {
            movers.push(Mover::Copy(INACTIVE));
        }
        for mover in movers {
            // Most copies wait for what memory does not hold.
            if !self.may_move(&state, mover) {
                continue;
            }
            let alone = self.alone(&state, mover);
            for &transition in self.transitions(&alone, mover) {
                let next = match transition.event {
                    Event::Write(location, value) if self.buffering == Buffering::None => {
                        let mut next = alone.clone();
                        next.memory[location.index()] = value;
                        Some((next, false))
                    }
                    event => alone.after(0, event, self.buffering),
                };
                if let Some((next, buffered)) = next {
                    self.step(number, mover, next, transition, buffered);
                }
            }
            for (next, location, value) in alone.flushed(0, self.buffering) {
                self.arrive(number, mover, next, Action::Flush(location, value));
            }
            if self.buffering != Buffering::None {
                self.writes_of(number, mover);
            }
        }
    }

    /// Puts the stores that a thread may do next into its buffer.
    fn writes_of(&mut self, number: u32, mover: Mover) {
        let alone = self.alone(&self.states[number as usize], mover);
        let room = self.has_room(&alone);
        let mut blocked = false;
        for &transition in self.transitions(&alone, mover) {
            let Event::Write(location, value) = transition.event else {
                continue;
            };
            if !room {
                blocked = true;
                continue;
            }
            let mut next = alone.clone();
            next.buffers[0].push(Entry::Store(location, value));
            self.step(number, mover, next, transition, true);
        }
        if blocked {
            self.blocked.push((number, mover));
        }
    }

    fn step(
        &mut self,
        number: u32,
        mover: Mover,
        mut next: Configuration,
        transition: Transition,
        buffered: bool,
    ) {
        next.controls[0] = transition.target;
        next.tidy(0, self.buffering);
        let action = Action::Take {
            transition,
            buffered,
        };
        self.arrive(number, mover, next, action);
    }

    /// Adds the state in which a thread and memory are as they are now.
    fn arrive(&mut self, number: u32, mover: Mover, mut now: Configuration, action: Action) {
        let after = self.local(Local {
            state: now.controls[0],
            buffer: now.buffers.swap_remove(0),
        });
        let (locals, copies) = self.parts();
        let mut state = self.states[number as usize].to_vec();
        for (value, now) in state.iter_mut().zip(&now.memory) {
            *value = now.0.into();
        }
        match mover {
            Mover::Fixed(place) => state[locals + place] = after,
            Mover::Copy(before) => {
                if before != INACTIVE
                    && let Ok(place) = state[copies..].binary_search(&before)
                {
                    state.remove(copies + place);
                }
                if after != INACTIVE {
                    let place = state[copies..].partition_point(|id| *id < after);
                    state.insert(copies + place, after);
                }
            }
        }
        let step = Step {
            mover,
            after,
            action,
        };
        self.add(state, Some((number, step)));
    }

    /// The way to a state in which a goal is met, with each copy in one place throughout.
    fn met(&self, goal: usize, state: u32) -> Bounded {
        let mut steps = Vec::new();
        let mut at = state;
        while let Some((parent, step)) = self.parents[at as usize] {
            steps.push(step);
            at = parent;
        }
        let mut fixed = vec![AT_START; self.fixed.len()];
        let mut copies = vec![INACTIVE; self.copies];
        let mut begun = vec![self.entry.is_none(); self.copies];
        let mut told = Vec::new();
        for step in steps.into_iter().rev() {
            let copy = match step.mover {
                Mover::Fixed(place) => {
                    fixed[place] = step.after;
                    None
                }
                Mover::Copy(before) => {
                    let like = copies.iter().position(|copy| *copy == before);
                    let copy = like.expect("a copy that stands so");
                    copies[copy] = step.after;
                    if let Some(transition) = self.entry
                        && !std::mem::replace(&mut begun[copy], true)
                    {
                        let action = Action::Take {
                            transition,
                            buffered: false,
                        };
                        told.push((Step { action, ..step }, Some(copy)));
                    }
                    Some(copy)
                }
            };
            told.push((step, copy));
        }
        // The goal speaks of the first copy.
        let named = self.goals[goal].controls[self.kind];
        let control = |id: &LocalId| self.locals[*id as usize].state;
        let first = copies.iter().position(|id| Some(control(id)) == named);
        let first = first.unwrap_or(0);
        let automata = self.system.automata.len();
        let thread = |copy: usize| match copy {
            _ if copy == first => self.kind,
            0 => automata + first - 1,
            _ => automata + copy - 1,
        };
        let run = told.into_iter().map(|(step, copy)| RunStep {
            thread: match (copy, step.mover) {
                (Some(copy), _) => thread(copy),
                (None, mover) => self.automaton(mover),
            },
            action: step.action,
        });
        let mut controls = vec![Automaton::START; automata + self.copies.saturating_sub(1)];
        for (place, id) in fixed.iter().enumerate() {
            controls[self.fixed[place]] = control(id);
        }
        for (copy, id) in copies.iter().enumerate().filter(|(copy, _)| begun[*copy]) {
            controls[thread(copy)] = control(id);
        }
        let memory = &self.states[state as usize][..self.parts().0];
        Bounded::Met {
            goal,
            bound: self.bound,
            run: run.collect(),
            controls,
            memory: memory.iter().map(|value| Value(*value as u16)).collect(),
        }
    }
}
