//! Automata of threads that are run together, as far as it takes to know which values each can read.
//!
//! A thread that is run alone and increments a location finds every value there: its own result comes back to it. So here the
//! threads are run together, in an over-approximation, and a load returns only what it can find there. A state has
//! the controls and memory; besides, for all ways to such a state together, what a thread could still read though memory holds
//! something else, or holds nothing of it yet:
//!
//! - under TSO, values that a location has held in memory since the thread's last fence, update, or own write there (the argument is that of
//!   `forward`), as long as the thread may load them before the next of those (`live`), and until it has loaded a value that is not among
//!   them: that is the last, and what it loads from then on is no older;
//! - under PSO, what the thread has stored since its last fence and may not have reached memory; each may reach it at any time,
//!   and the thread may read any of it. A fence forgets it: where it must have reached memory before, there is a way on which it
//!   did;
//! - under SC nothing.
//!
//! Every transition that a thread takes in the program is found, and nothing else matters: what threads do together is decided later, on the automata.

use super::build::{Builder, MOST_VALUES};
use super::live::LiveCells;
use super::{Allowed, Automaton, Event, Location, NotFinite, StateId, System, Value};
use memory::{Buffering, Model};
use program::{Program, Span};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How far threads are run together at most.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// States of all threads together.
    states: usize,
    /// Values besides those in memory that are carried from state to state.
    besides: usize,
}

impl Effort {
    /// As long as threads alone have not been tried with many values.
    pub const FIRST: Effort = Effort {
        states: 50_000,
        besides: 500_000,
    };
    /// When nothing else is left.
    pub const LAST: Effort = Effort {
        states: 400_000,
        besides: 10_000_000,
    };
}

/// Controls and memory.
type Together = (Box<[StateId]>, Box<[Value]>);

/// A value that a thread can read in a location besides the one in memory.
type Readable = (u16, Location, Value);

/// A set of those.
///
/// invariant: sorted, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Besides(Vec<Readable>);

impl Besides {
    fn contains(&self, readable: Readable) -> bool {
        self.0.binary_search(&readable).is_ok()
    }

    fn insert(&mut self, readable: Readable) {
        if let Err(place) = self.0.binary_search(&readable) {
            self.0.insert(place, readable);
        }
    }

    /// What a thread can read in a location.
    fn of(&self, thread: u16, location: Location) -> &[Readable] {
        let below = |value| {
            self.0
                .partition_point(|readable| *readable < (thread, location, value))
        };
        &self.0[below(Value(0))..below(Value(u16::MAX))]
    }

    fn forget_all_of(&mut self, thread: u16) {
        self.0.retain(|(of, ..)| *of != thread);
    }

    fn forget(&mut self, thread: u16, location: Location) {
        self.0
            .retain(|(of, at, _)| (*of, *at) != (thread, location));
    }

    /// Adds what is in another set; false if all of it was here.
    fn extend(&mut self, other: &Besides) -> bool {
        let mut mine = self.0.iter().peekable();
        let is_new = |readable: &&Readable| {
            while mine.next_if(|known| *known < *readable).is_some() {}
            mine.peek() != Some(readable)
        };
        let new: Vec<Readable> = other.0.iter().filter(is_new).copied().collect();
        self.0.extend_from_slice(&new);
        if !new.is_empty() {
            // Two sorted runs.
            self.0.sort();
        }
        !new.is_empty()
    }
}

/// What is known of controls and memory.
#[derive(Default)]
struct Known {
    besides: Besides,
    /// It has grown since it was explored.
    waits: bool,
}

pub(super) fn build(program: &Program, model: Model, most: Effort) -> Result<System, NotFinite> {
    let everything = Allowed::default();
    let mut builder = Builder::new(program, model, true, MOST_VALUES, &everything)?;
    let cells = builder.executable.cells.initial.len();
    let start: Together = (
        vec![Automaton::START; program.threads.len()].into(),
        vec![Value(0); cells].into(),
    );
    let buffering = model.row().buffering;
    let mut known: FxHashMap<Together, Known> = FxHashMap::default();
    let waits = Known {
        waits: true,
        ..Known::default()
    };
    known.insert(start.clone(), waits);
    let mut work = VecDeque::from([start]);
    let live: Vec<LiveCells> = match buffering {
        Buffering::PerThread => {
            let threads = 0..program.threads.len();
            threads.map(|t| LiveCells::of(&builder, t)).collect()
        }
        _ => Vec::new(),
    };
    let mut carried = 0;
    while let Some(state) = work.pop_front() {
        let Some(waiting) = known.get_mut(&state).filter(|known| known.waits) else {
            continue;
        };
        waiting.waits = false;
        let besides = waiting.besides.clone();
        carried += besides.0.len();
        if known.len() > most.states || carried > most.besides {
            return Err(NotFinite::States {
                thread: "the program".to_owned(),
                register: None,
                span: Span::NOWHERE,
            });
        }
        for (next, mut brought) in successors(&mut builder, buffering, &state, &besides)? {
            if !live.is_empty() {
                brought.0.retain(|(thread, location, _)| {
                    let thread = usize::from(*thread);
                    let pc = builder.pc(thread, next.0[thread]);
                    pc.is_some_and(|pc| live[thread].contains(pc, location.index()))
                });
            }
            match known.get_mut(&next) {
                Some(before) => {
                    let waits = before.waits;
                    before.waits |= before.besides.extend(&brought);
                    if before.waits && !waits {
                        work.push_back(next);
                    }
                }
                None => {
                    let waits = Known {
                        besides: brought,
                        waits: true,
                    };
                    known.insert(next.clone(), waits);
                    work.push_back(next);
                }
            }
        }
    }
    Ok(builder.finish())
}

fn successors(
    builder: &mut Builder<'_>,
    buffering: Buffering,
    (controls, memory): &Together,
    besides: &Besides,
) -> Result<Vec<(Together, Besides)>, NotFinite> {
    let mut found = Vec::new();
    for thread in 0..controls.len() {
        let control = controls[thread];
        let number = thread as u16;
        if let Some(location) = builder.reads(thread, control) {
            builder.demand(thread, control, memory[location.index()])?;
            for &(_, _, value) in besides.of(number, location) {
                builder.demand(thread, control, value)?;
            }
        }
        for transition in builder.transitions(thread, control) {
            let held = |location: Location| memory[location.index()];
            let possible = match transition.event {
                Event::Read(location, value) => {
                    held(location) == value || besides.contains((number, location, value))
                }
                Event::Update { location, read, .. } => held(location) == read,
                Event::Skip | Event::Barrier(_) | Event::Fence | Event::Write(..) => true,
            };
            if !possible {
                continue;
            }
            let mut memory = memory.clone();
            let mut after = besides.clone();
            let threads = controls.len() as u16;
            match transition.event {
                Event::Skip | Event::Barrier(_) => {}
                Event::Read(location, value) => {
                    let is_old = besides.contains((number, location, value));
                    if buffering == Buffering::PerThread && !is_old {
                        after.forget(number, location);
                    }
                }
                Event::Fence => after.forget_all_of(number),
                Event::Write(location, value) if buffering == Buffering::PerLocation => {
                    after.insert((number, location, value));
                }
                Event::Write(location, value) => {
                    let place = (location, value);
                    overwrite(&mut memory, &mut after, threads, buffering, place);
                    after.forget(number, location);
                }
                Event::Update {
                    location,
                    read,
                    written,
                } => {
                    let place = (location, written.unwrap_or(read));
                    overwrite(&mut memory, &mut after, threads, buffering, place);
                    if buffering == Buffering::PerLocation {
                        after.forget(number, location);
                    } else {
                        after.forget_all_of(number);
                    }
                }
            }
            let mut controls = controls.clone();
            controls[thread] = transition.target;
            found.push(((controls, memory), after));
        }
    }
    if buffering == Buffering::PerLocation {
        // What waits may reach memory.
        for &(_, location, value) in &besides.0 {
            let mut memory = memory.clone();
            memory[location.index()] = value;
            found.push(((controls.clone(), memory), besides.clone()));
        }
    }
    Ok(found)
}

/// Writes to memory; under TSO all threads may still read what was there.
fn overwrite(
    memory: &mut [Value],
    besides: &mut Besides,
    threads: u16,
    buffering: Buffering,
    (location, value): (Location, Value),
) {
    let old = std::mem::replace(&mut memory[location.index()], value);
    if buffering == Buffering::PerThread && old != value {
        for thread in 0..threads {
            besides.insert((thread, location, old));
        }
    }
}
