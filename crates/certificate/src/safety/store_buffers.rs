//! States with store buffers.
//!
//! A set of states is a proof if the start is in it, every step from one of its states leads to one of its states, and none of
//! them meets a goal. Under SC stores reach memory at once, under TSO they wait in one queue for each thread, under PSO in one queue for
//! each thread and location; barriers wait among them. The size of a buffer has no bound, so a set that is closed is closed for every
//! size.

use super::system::{Event, Goal, Held, Model, System, Transition, held};
use crate::error::Reason;
use crate::line::Line;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Waiting {
    Store(u32, u32),
    Barrier(Held),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    controls: Vec<u32>,
    memory: Vec<u32>,
    /// Oldest first, tidy.
    buffers: Vec<Vec<Waiting>>,
}

/// The states of an invariant, each with its line.
#[derive(Default)]
pub struct StoreBuffers(FxHashMap<State, u64>);

impl StoreBuffers {
    pub fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// Reads controls, memory, and for each thread the length of its buffer and the buffer, a store as its location and value, a
    /// barrier as `b` and what it holds back.
    pub fn read(&mut self, system: &System, mut line: Line<'_>, number: u64) -> Result<(), Reason> {
        let controls = system.controls(&mut line, Line::below)?;
        let memory = system.memory(&mut line, Line::below)?;
        let buffers = system.threads.iter().map(|_| {
            let length = line.count()?;
            (0..length).map(|_| waiting(system, &mut line)).collect()
        });
        let state = State {
            controls,
            memory,
            buffers: buffers.collect::<Result<_, Reason>>()?,
        };
        line.end()?;
        let before = self.0.insert(state, number);
        before.map_or(Ok(()), |_| Err(Reason::Twice))
    }

    pub fn check(&self, system: &System) -> Result<(), Reason> {
        let start = State {
            controls: vec![0; system.threads.len()],
            memory: system.initial(),
            buffers: vec![Vec::new(); system.threads.len()],
        };
        if !self.0.contains_key(&start) {
            return Err(Reason::NoStart);
        }
        for (state, &line) in &self.0 {
            if system.goals.iter().any(|goal| state.meets(goal)) {
                return Err(Reason::MeetsGoal(line));
            }
            for thread in 0..system.threads.len() {
                for transition in system.threads[thread].from(state.controls[thread]) {
                    let next = state.after(system.model, thread, transition);
                    if next.is_some_and(|next| !self.0.contains_key(&next)) {
                        return Err(Reason::LeadsOut(line));
                    }
                }
                let mut flushed = state.flushed(system.model, thread);
                if !flushed.all(|next| self.0.contains_key(&next)) {
                    return Err(Reason::LeadsOut(line));
                }
            }
        }
        Ok(())
    }
}

fn waiting(system: &System, line: &mut Line<'_>) -> Result<Waiting, Reason> {
    if system.model == Model::Pso && line.takes("b") {
        return Ok(Waiting::Barrier(held(line)?));
    }
    let location = line.below(system.locations.len() as u64)?;
    let values = system.locations[location as usize].values;
    Ok(Waiting::Store(location, line.below(values.into())?))
}

impl State {
    fn meets(&self, goal: &Goal) -> bool {
        let flushed = self.buffers.iter().all(Vec::is_empty);
        goal.is_met(&self.controls, &self.memory) && (flushed || !goal.speaks_of_memory())
    }

    fn after(&self, model: Model, thread: usize, transition: &Transition) -> Option<State> {
        let mut next = self.clone();
        next.controls[thread] = transition.target;
        let buffer = &self.buffers[thread];
        let no_store = |at: Option<u32>| {
            let mut stores = buffer.iter().filter_map(store);
            !stores.any(|(location, _)| at.is_none_or(|at| at == location))
        };
        let loads_may_pass = || {
            let mut barriers = buffer.iter().filter_map(barrier);
            !barriers.any(|held| held.loads)
        };
        let stores_may_pass = || {
            let mut barriers = buffer.iter().filter_map(barrier);
            !barriers.any(|held| held.stores)
        };
        let possible = match transition.event {
            Event::Skip => true,
            Event::Fence => no_store(None),
            Event::Barrier(held) => {
                next.buffers[thread].push(Waiting::Barrier(held));
                true
            }
            Event::Read(location, value) => {
                let mut own = buffer.iter().rev().filter_map(store);
                let own = own.find(|(at, _)| *at == location);
                let read = own.map_or(self.memory[location as usize], |(_, value)| value);
                read == value && loads_may_pass()
            }
            Event::Write(location, value) if model == Model::Sc => {
                next.memory[location as usize] = value;
                true
            }
            Event::Write(location, value) => {
                next.buffers[thread].push(Waiting::Store(location, value));
                true
            }
            Event::Update(location, read, left) => {
                next.memory[location as usize] = left;
                let at = (model == Model::Pso).then_some(location);
                let passes = loads_may_pass() && stores_may_pass();
                self.memory[location as usize] == read && no_store(at) && passes
            }
        };
        next.tidy(model, thread);
        possible.then_some(next)
    }

    /// The states after one of a thread's stores has reached memory.
    fn flushed(&self, model: Model, thread: usize) -> impl Iterator<Item = State> + '_ {
        let buffer = &self.buffers[thread];
        let may_leave = move |index: usize, at: u32| {
            buffer[..index].iter().all(|before| match *before {
                Waiting::Store(location, _) => model == Model::Pso && location != at,
                Waiting::Barrier(held) => !held.stores,
            })
        };
        let stores = buffer.iter().enumerate();
        let stores = stores.filter_map(|(index, entry)| Some((index, store(entry)?)));
        let leaving = stores.filter(move |(index, (location, _))| may_leave(*index, *location));
        leaving.map(move |(index, (location, value))| {
            let mut next = self.clone();
            next.buffers[thread].remove(index);
            next.memory[location as usize] = value;
            next.tidy(model, thread);
            next
        })
    }

    /// The one form that buffers with the same meaning have: no barrier without a store before it, neighbouring barriers as one, and under
    /// PSO stores between barriers in the order of their locations.
    fn tidy(&mut self, model: Model, thread: usize) {
        let mut tidy: Vec<Waiting> = Vec::new();
        for entry in std::mem::take(&mut self.buffers[thread]) {
            match (entry, tidy.pop()) {
                (Waiting::Barrier(_), None) => {}
                (Waiting::Barrier(new), Some(Waiting::Barrier(last))) => {
                    tidy.push(Waiting::Barrier(Held {
                        loads: new.loads || last.loads,
                        stores: new.stores || last.stores,
                    }));
                }
                (entry, last) => {
                    tidy.extend(last);
                    tidy.push(entry);
                }
            }
        }
        if model == Model::Pso {
            for stores in tidy.split_mut(|entry| store(entry).is_none()) {
                stores.sort_by_key(|entry| store(entry).map(|(location, _)| location));
            }
        }
        self.buffers[thread] = tidy;
    }
}

fn store(entry: &Waiting) -> Option<(u32, u32)> {
    match *entry {
        Waiting::Store(location, value) => Some((location, value)),
        Waiting::Barrier(_) => None,
    }
}

fn barrier(entry: &Waiting) -> Option<Held> {
    match *entry {
        Waiting::Store(..) => None,
        Waiting::Barrier(held) => Some(held),
    }
}
