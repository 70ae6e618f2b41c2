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
pub enum Waiting {
    Store(u32, u32),
    Barrier(Held),
    /// Any number of older stores; only in `merged_stores`.
    Older(u32, u32),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub controls: Vec<u32>,
    pub memory: Vec<u32>,
    /// Oldest first, tidy.
    pub buffers: Vec<Vec<Waiting>>,
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
        let state = State::read(system, &mut line, false)?;
        line.end()?;
        let before = self.0.insert(state, number);
        before.map_or(Ok(()), |_| Err(Reason::Twice))
    }

    pub fn check(&self, system: &System) -> Result<(), Reason> {
        if !self.0.contains_key(&State::start(system)) {
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

fn waiting(system: &System, line: &mut Line<'_>, older: bool) -> Result<Waiting, Reason> {
    if system.model == Model::Pso && line.takes("b") {
        return Ok(Waiting::Barrier(held(line)?));
    }
    let older = older && line.takes("o");
    let location = line.below(system.locations.len() as u64)?;
    let values = system.locations[location as usize].values;
    let value = line.below(values.into())?;
    Ok(match older {
        true => Waiting::Older(location, value),
        false => Waiting::Store(location, value),
    })
}

impl State {
    pub fn start(system: &System) -> State {
        State {
            controls: vec![0; system.threads.len()],
            memory: system.initial(),
            buffers: vec![Vec::new(); system.threads.len()],
        }
    }

    /// Reads controls, memory and buffers, perhaps with older stores in them.
    pub fn read(system: &System, line: &mut Line<'_>, older: bool) -> Result<State, Reason> {
        let controls = system.controls(line, Line::below)?;
        let memory = system.memory(line, Line::below)?;
        let buffers = system.threads.iter().map(|_| {
            let length = line.count()?;
            (0..length).map(|_| waiting(system, line, older)).collect()
        });
        Ok(State {
            controls,
            memory,
            buffers: buffers.collect::<Result<_, Reason>>()?,
        })
    }

    pub fn meets(&self, goal: &Goal) -> bool {
        let flushed = self.buffers.iter().all(Vec::is_empty);
        goal.is_met(&self.controls, &self.memory) && (flushed || !goal.speaks_of_memory())
    }

    pub fn after(&self, model: Model, thread: usize, transition: &Transition) -> Option<State> {
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
    pub fn flushed(&self, model: Model, thread: usize) -> impl Iterator<Item = State> + '_ {
        let buffer = &self.buffers[thread];
        let may_leave = move |index: usize, at: u32| {
            buffer[..index].iter().all(|before| match *before {
                Waiting::Store(location, _) => model == Model::Pso && location != at,
                Waiting::Barrier(held) => !held.stores,
                Waiting::Older(..) => true,
            })
        };
        let leaving = buffer.iter().enumerate().filter_map(move |(index, entry)| {
            let (location, value, stays) = match *entry {
                Waiting::Store(location, value) => (location, value, false),
                Waiting::Older(location, value) => (location, value, true),
                Waiting::Barrier(_) => return None,
            };
            may_leave(index, location).then_some((index, location, value, stays))
        });
        leaving.map(move |(index, location, value, stays)| {
            let mut next = self.clone();
            next.memory[location as usize] = value;
            if !stays {
                next.leave(thread, index, location);
                next.tidy(model, thread);
            }
            next
        })
    }

    /// Takes a store out of a buffer, with the older ones to its location in its part.
    fn leave(&mut self, thread: usize, index: usize, location: u32) {
        let buffer = &mut self.buffers[thread];
        buffer.remove(index);
        for before in (0..index).rev() {
            match buffer[before] {
                Waiting::Barrier(_) => break,
                Waiting::Older(at, _) if at == location => drop(buffer.remove(before)),
                Waiting::Older(..) | Waiting::Store(..) => {}
            }
        }
    }

    /// The one form that buffers with the same meaning have: no barrier without a store before it, neighbouring barriers as one, and under
    /// PSO stores between barriers in the order of their locations.
    pub fn tidy(&mut self, model: Model, thread: usize) {
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
            for stores in tidy.split_mut(|entry| barrier(entry).is_some()) {
                stores.sort_by_key(|entry| match *entry {
                    Waiting::Older(location, value) => (location, 0, value),
                    Waiting::Store(location, _) => (location, 1, 0),
                    Waiting::Barrier(_) => (0, 0, 0),
                });
            }
            tidy.dedup_by(|one, two| one == two && matches!(one, Waiting::Older(..)));
        }
        self.buffers[thread] = tidy;
    }
}

pub fn store(entry: &Waiting) -> Option<(u32, u32)> {
    match *entry {
        Waiting::Store(location, value) => Some((location, value)),
        Waiting::Barrier(_) | Waiting::Older(..) => None,
    }
}

pub fn barrier(entry: &Waiting) -> Option<Held> {
    match *entry {
        Waiting::Store(..) | Waiting::Older(..) => None,
        Waiting::Barrier(held) => Some(held),
    }
}
