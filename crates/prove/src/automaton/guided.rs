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
use std::collections::BTreeSet;

/// States of all threads together at most.
const MOST_TOGETHER: usize = 400_000;
/// Values besides those in memory that are carried from state to state, at most.
const MOST_BESIDES: usize = 10_000_000;

/// Controls and memory.
type Together = (Box<[StateId]>, Box<[Value]>);

/// Values that a thread can read in a location besides the one in memory.
type Besides = BTreeSet<(usize, Location, Value)>;

pub(super) fn build(program: &Program, model: Model) -> Result<System, NotFinite> {
    let everything = Allowed::default();
    let mut builder = Builder::new(program, model, true, MOST_VALUES, &everything)?;
    let cells = builder.executable.cells.initial.len();
    let start: Together = (
        vec![Automaton::START; program.threads.len()].into(),
        vec![Value(0); cells].into(),
    );
    let buffering = model.row().buffering;
    let mut known: FxHashMap<Together, Besides> = FxHashMap::default();
    let mut work = vec![start.clone()];
    known.insert(start, Besides::new());
    let live: Vec<LiveCells> = match buffering {
        Buffering::PerThread => {
            let threads = 0..program.threads.len();
            threads.map(|t| LiveCells::of(&builder, t)).collect()
        }
        _ => Vec::new(),
    };
    let mut carried = 0;
    while let Some(state) = work.pop() {
        carried += known[&state].len();
        if known.len() > MOST_TOGETHER || carried > MOST_BESIDES {
            return Err(NotFinite::States {
                thread: "the program".to_owned(),
                register: None,
                span: Span::NOWHERE,
            });
        }
        let besides = known[&state].clone();
        for (next, mut brought) in successors(&mut builder, buffering, &state, &besides)? {
            if !live.is_empty() {
                brought.retain(|(thread, location, _)| {
                    let pc = builder.pc(*thread, next.0[*thread]);
                    pc.is_some_and(|pc| live[*thread].contains(pc, location.index()))
                });
            }
            let before = known.get_mut(&next);
            match before {
                Some(before) if brought.is_subset(before) => continue,
                Some(before) => before.extend(brought),
                None => {
                    known.insert(next.clone(), brought);
                }
            }
            work.push(next);
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
        if let Some(location) = builder.reads(thread, control) {
            builder.demand(thread, control, memory[location.index()])?;
            for &(_, _, value) in of(besides, thread, location) {
                builder.demand(thread, control, value)?;
            }
        }
        for transition in builder.transitions(thread, control) {
            let held = |location: Location| memory[location.index()];
            let readable = |location, value| {
                held(location) == value || besides.contains(&(thread, location, value))
            };
            let mut memory = memory.clone();
            let mut after = besides.clone();
            match transition.event {
                Event::Skip | Event::Barrier(_) => {}
                Event::Read(location, value) if !readable(location, value) => continue,
                Event::Read(location, value) => {
                    let is_old = besides.contains(&(thread, location, value));
                    if buffering == Buffering::PerThread && !is_old {
                        after.retain(|(of, at, _)| (*of, *at) != (thread, location));
                    }
                }
                Event::Fence => after.retain(|(of, ..)| *of != thread),
                Event::Write(location, value) if buffering == Buffering::PerLocation => {
                    after.insert((thread, location, value));
                }
                Event::Write(location, value) => {
                    overwrite(
                        &mut memory,
                        &mut after,
                        controls.len(),
                        buffering,
                        location,
                        value,
                    );
                    after.retain(|(of, at, _)| (*of, *at) != (thread, location));
                }
                Event::Update { location, read, .. } if held(location) != read => continue,
                Event::Update {
                    location,
                    read,
                    written,
                } => {
                    let written = written.unwrap_or(read);
                    overwrite(
                        &mut memory,
                        &mut after,
                        controls.len(),
                        buffering,
                        location,
                        written,
                    );
                    let all = buffering != Buffering::PerLocation;
                    after.retain(|(of, at, _)| *of != thread || !all && *at != location);
                }
            }
            let mut controls = controls.clone();
            controls[thread] = transition.target;
            found.push(((controls, memory), after));
        }
    }
    if buffering == Buffering::PerLocation {
        // What waits may reach memory.
        for &(_, location, value) in besides {
            let mut memory = memory.clone();
            memory[location.index()] = value;
            found.push(((controls.clone(), memory), besides.clone()));
        }
    }
    Ok(found)
}

/// What a thread can read in a location besides the value in memory.
fn of(
    besides: &Besides,
    thread: usize,
    location: Location,
) -> impl Iterator<Item = &(usize, Location, Value)> {
    besides.range((thread, location, Value(0))..=(thread, location, Value(u16::MAX)))
}

/// Writes to memory; under TSO all threads may still read what was there.
fn overwrite(
    memory: &mut [Value],
    besides: &mut Besides,
    threads: usize,
    buffering: Buffering,
    location: Location,
    value: Value,
) {
    let old = std::mem::replace(&mut memory[location.index()], value);
    if buffering == Buffering::PerThread && old != value {
        besides.extend((0..threads).map(|thread| (thread, location, old)));
    }
}
