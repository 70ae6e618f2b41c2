//! Robustness against TSO: whether every trace with store buffers of any size is one of SC.
//!
//! After Bouajjani, Derevenetc and Meyer, *Checking and Enforcing Robustness against TSO* (ESOP 2013). A trace is who does what in program order, with
//! reads-from, coherence and from-read. By their theorem, which rests on Shasha and Snir, a program that is not robust has a trace that is
//! not one of SC in a computation of one shape, an *attack*:
//!
//! 1. all threads run without store buffers;
//! 2. one thread, the *attacker*, delays a store of a location *x*, and all its stores from then on; it does no fence or read-modify-write, reads its own
//!    delayed stores, and otherwise memory. The others run without store buffers;
//! 3. the attacker loads a location that it has no delayed store of, and stops. From then on others do only what happens after this load: a thread
//!    begins with an access that conflicts with what was done since the load, the load included, and goes on with anything;
//! 4. one of them accesses *x*.
//!
//! The delayed store is then flushed, so the access of 4 comes before it by coherence or from-read; the store comes before the load in the program, and the load
//! before the access of 4. That is a cycle, so whatever is found here is a trace that SC does not have. That one of this shape is found if there is any is
//! the theorem; `tests/agreement.rs` compares it with all traces of generated automata.
//!
//! An attack is a question of reachability without store buffers: beside control and memory a state has the last delayed store to
//! each location, or how locations were accessed since the load. All attacks are looked for in one search, which shares the states of 1.
//!
//! If there is none, what is reachable under TSO is reachable under SC: a trace determines the control of every thread and, all stores flushed, memory.
//! So an SC proof carries over to every buffer size.

mod cycle;

pub use cycle::links;

use crate::automaton::{Automaton, Event, Location, StateId, System, Transition, Value};
use crate::bounded::{Action, RunStep};
use crate::goal::Goal;
use control::Stop;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How a location was accessed by what happens after the attacker's load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Touched {
    #[default]
    No,
    Read,
    Written,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Sequential,
    /// The location of the first delayed store, and the last delayed store to each location.
    Delaying {
        attacker: usize,
        first: Location,
        delayed: Box<[Option<Value>]>,
    },
    /// Which threads have done something since the load.
    Helping {
        attacker: usize,
        first: Location,
        touched: Box<[Touched]>,
        helpers: Box<[bool]>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    controls: Box<[StateId]>,
    memory: Box<[Value]>,
    phase: Phase,
}

/// How far the search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attacks {
    /// There is no attack: every trace is one of SC.
    Robust,
    /// A run that SC does not have.
    Feasible(Vec<RunStep>),
    /// A goal is met without store buffers already: the number of the goal.
    Met(usize),
    /// The budget is spent, or a limit was reached.
    Unknown,
}

/// The search for attacks, and for goals that are met without store buffers.
pub struct AttackSearch<'s> {
    system: &'s System,
    goals: &'s [Goal],
    numbers: FxHashMap<State, u32>,
    /// How each state was reached.
    parents: Vec<Option<(u32, RunStep)>>,
    waiting: VecDeque<(u32, State)>,
    done: Option<Attacks>,
}

impl<'s> AttackSearch<'s> {
    /// The search from the start.
    pub fn new(system: &'s System, goals: &'s [Goal]) -> Self {
        let mut search = AttackSearch {
            system,
            goals,
            numbers: FxHashMap::default(),
            parents: Vec::new(),
            waiting: VecDeque::new(),
            done: None,
        };
        let start = State {
            controls: vec![Automaton::START; system.automata.len()].into(),
            memory: system.locations.iter().map(|l| l.initial).collect(),
            phase: Phase::Sequential,
        };
        search.add(start, None);
        search
    }

    /// States so far.
    pub fn states(&self) -> usize {
        self.parents.len()
    }

    /// Explores at most this many more states.
    pub fn run(&mut self, budget: usize, stop: &Stop) -> Attacks {
        for expanded in 0..budget {
            if let Some(done) = &self.done {
                return done.clone();
            }
            if expanded % 1024 == 0 && stop.look().is_some() {
                return Attacks::Unknown;
            }
            match self.waiting.pop_front() {
                Some((number, state)) => self.expand(number, &state),
                None => self.done = Some(Attacks::Robust),
            }
        }
        self.done.clone().unwrap_or(Attacks::Unknown)
    }

    fn add(&mut self, state: State, parent: Option<(u32, RunStep)>) {
        if self.numbers.contains_key(&state) {
            return;
        }
        if state.phase == Phase::Sequential && self.done.is_none() {
            let met = |goal: &Goal| goal.is_met(|t| state.controls[t], |l| state.memory[l]);
            let met = self.goals.iter().position(met);
            self.done = met.map(Attacks::Met);
        }
        let number = self.parents.len() as u32;
        self.numbers.insert(state.clone(), number);
        self.parents.push(parent);
        self.waiting.push_back((number, state));
    }

    fn expand(&mut self, number: u32, state: &State) {
        for (thread, automaton) in self.system.automata.iter().enumerate() {
            for &transition in automaton.transitions(state.controls[thread]) {
                match &state.phase {
                    Phase::Sequential => self.sequential(number, state, thread, transition),
                    Phase::Delaying { attacker, .. } if *attacker == thread => {
                        self.attacks(number, state, transition);
                    }
                    Phase::Delaying { .. } => self.undelayed(number, state, thread, transition),
                    Phase::Helping { attacker, .. } if *attacker == thread => {}
                    Phase::Helping { .. } => self.helps(number, state, thread, transition),
                }
            }
        }
    }

    fn push(&mut self, next: State, from: u32, thread: usize, transition: Transition, own: bool) {
        let action = Action::Take {
            transition,
            buffered: own,
        };
        self.add(next, Some((from, RunStep { thread, action })));
    }

    /// A step without store buffers.
    fn undelayed(&mut self, number: u32, state: &State, thread: usize, transition: Transition) {
        if let Some(next) = state.after(thread, transition) {
            self.push(next, number, thread, transition, false);
        }
    }

    /// A step before anything is delayed, after which something may be.
    fn sequential(&mut self, number: u32, state: &State, thread: usize, transition: Transition) {
        self.undelayed(number, state, thread, transition);
        if let Event::Write(location, value) = transition.event {
            let mut delayed: Box<[_]> = vec![None; state.memory.len()].into();
            delayed[location.index()] = Some(value);
            let mut next = state.clone();
            next.controls[thread] = transition.target;
            next.phase = Phase::Delaying {
                attacker: thread,
                first: location,
                delayed,
            };
            self.push(next, number, thread, transition, true);
        }
    }

    /// A step of the attacker.
    fn attacks(&mut self, number: u32, state: &State, transition: Transition) {
        let Phase::Delaying {
            attacker,
            first,
            delayed,
        } = &state.phase
        else {
            return;
        };
        let (attacker, first) = (*attacker, *first);
        if let Event::Read(location, value) = transition.event {
            let own = delayed[location.index()];
            if own.unwrap_or(state.memory[location.index()]) != value {
                return;
            }
        }
        let mut next = state.clone();
        next.controls[attacker] = transition.target;
        match transition.event {
            Event::Skip | Event::Barrier(_) => self.push(next, number, attacker, transition, false),
            // Its stores would have to be flushed before.
            Event::Fence | Event::Update { .. } => {}
            Event::Write(location, value) => {
                let mut delayed = delayed.clone();
                delayed[location.index()] = Some(value);
                next.phase = Phase::Delaying {
                    attacker,
                    first,
                    delayed,
                };
                self.push(next, number, attacker, transition, true);
            }
            Event::Read(location, _) => match delayed[location.index()] {
                Some(_) => self.push(next, number, attacker, transition, true),
                None => {
                    let mut touched: Box<[Touched]> = vec![Touched::No; state.memory.len()].into();
                    touched[location.index()] = Touched::Read;
                    let mut last = next.clone();
                    // Where it stands does not matter any more.
                    last.controls[attacker] = Automaton::START;
                    last.phase = Phase::Helping {
                        attacker,
                        first,
                        touched,
                        helpers: vec![false; state.controls.len()].into(),
                    };
                    self.push(last, number, attacker, transition, false);
                    self.push(next, number, attacker, transition, false);
                }
            },
        }
    }

    /// A step of another thread after the attacker's load.
    fn helps(&mut self, number: u32, state: &State, thread: usize, transition: Transition) {
        let Phase::Helping {
            attacker,
            first,
            touched,
            helpers,
        } = &state.phase
        else {
            return;
        };
        let Some(mut next) = state.after(thread, transition) else {
            return;
        };
        let access = access(transition.event);
        let conflicts = access.is_some_and(|(location, writes)| {
            let before = touched[location.index()];
            before == Touched::Written || before == Touched::Read && writes
        });
        if !helpers[thread] && !conflicts {
            return;
        }
        let (mut touched, mut helpers) = (touched.clone(), helpers.clone());
        helpers[thread] = true;
        if let Some((location, writes)) = access {
            if location == *first {
                self.feasible(number, *attacker, thread, transition);
                return;
            }
            let now = if writes {
                Touched::Written
            } else {
                Touched::Read
            };
            let touched = &mut touched[location.index()];
            *touched = (*touched).max(now);
        }
        next.phase = Phase::Helping {
            attacker: *attacker,
            first: *first,
            touched,
            helpers,
        };
        self.push(next, number, thread, transition, false);
    }

    /// The run to a state and one step beyond, with what the attacker has delayed flushed in the end.
    fn feasible(&mut self, mut state: u32, attacker: usize, thread: usize, last: Transition) {
        let action = Action::Take {
            transition: last,
            buffered: false,
        };
        let mut run = vec![RunStep { thread, action }];
        while let Some((parent, step)) = self.parents[state as usize] {
            run.push(step);
            state = parent;
        }
        run.reverse();
        let delayed = run.iter().filter_map(|step| match step.action {
            Action::Take {
                transition,
                buffered: true,
            } if step.thread == attacker => match transition.event {
                Event::Write(location, value) => Some(Action::Flush(location, value)),
                _ => None,
            },
            _ => None,
        });
        let flushes = delayed.map(|action| RunStep {
            thread: attacker,
            action,
        });
        let flushes: Vec<RunStep> = flushes.collect();
        run.extend(flushes);
        self.done = Some(Attacks::Feasible(run));
    }
}

/// What an event accesses, and whether it writes there.
fn access(event: Event) -> Option<(Location, bool)> {
    match event {
        Event::Skip | Event::Fence | Event::Barrier(_) => None,
        Event::Read(location, _) => Some((location, false)),
        Event::Write(location, _) => Some((location, true)),
        Event::Update {
            location, written, ..
        } => Some((location, written.is_some())),
    }
}

impl State {
    /// The state after a step without store buffers, if it is possible.
    fn after(&self, thread: usize, transition: Transition) -> Option<State> {
        let held = |location: Location| self.memory[location.index()];
        match transition.event {
            Event::Read(location, value) if held(location) != value => return None,
            Event::Update { location, read, .. } if held(location) != read => return None,
            _ => {}
        }
        let mut next = self.clone();
        next.controls[thread] = transition.target;
        match transition.event {
            Event::Skip | Event::Fence | Event::Barrier(_) | Event::Read(..) => {}
            Event::Write(location, value) => next.memory[location.index()] = value,
            Event::Update {
                location,
                read,
                written,
            } => next.memory[location.index()] = written.unwrap_or(read),
        }
        Some(next)
    }
}
