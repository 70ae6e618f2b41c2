//! States with sets of values, for TSO and SC.
//!
//! A state has controls, memory, and for each thread and location a set of values that contains all values that the location has held in
//! memory since the thread's last fence, read-modify-write or own write there. Under TSO a load returns such a value: a store buffer
//! delays what others see of a thread, so take each thread to run late instead, when its stores are flushed. Then its stores are
//! in memory at once, and its loads return what was there at some time since it last had to wait for its stores, or its own store.
//!
//! Some states are an over-approximation of what is reachable if one of them is above the start, and each step from one of them, with its
//! sets, leads below one of them: the same controls and memory, and larger sets.

use super::system::{Event, System};
use crate::error::Reason;
use crate::line::Line;
use rustc_hash::FxHashMap;

/// Values of a location at most, for sets.
const MOST_VALUES: u32 = 64;

/// Controls, then memory.
type Shared = Box<[u32]>;
/// For each thread, for each location.
type Sets = Box<[u64]>;

/// The states of an invariant, each with its line.
#[derive(Default)]
pub struct ValueSets {
    states: FxHashMap<Shared, Vec<(Sets, u64)>>,
    count: u64,
}

impl ValueSets {
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Reads controls, memory, and for each thread and location a set as the sum of 1 << value, or `*` for all values.
    pub fn read(&mut self, system: &System, mut line: Line<'_>, number: u64) -> Result<(), Reason> {
        let mut shared = system.controls(&mut line, Line::below)?;
        shared.extend(system.memory(&mut line, Line::below)?);
        let sets = system.threads.iter().flat_map(|_| &system.locations);
        let sets = sets.map(|location| {
            if location.values > MOST_VALUES {
                return Err(Reason::OutOfRange(location.values.into()));
            }
            let all = u64::MAX >> (MOST_VALUES - location.values.max(1));
            if line.takes("*") {
                return Ok(all);
            }
            let set = line.count()?;
            (set & !all == 0)
                .then_some(set)
                .ok_or(Reason::OutOfRange(set))
        });
        let sets: Sets = sets.collect::<Result<_, _>>()?;
        line.end()?;
        let same = self.states.entry(shared.into()).or_default();
        if same.iter().any(|(known, _)| *known == sets) {
            return Err(Reason::Twice);
        }
        same.push((sets, number));
        self.count += 1;
        Ok(())
    }

    /// Controls and memory of all states, controls first.
    pub fn shared(&self) -> impl Iterator<Item = &[u32]> {
        self.states.keys().map(|shared| &**shared)
    }

    /// That no state meets a goal.
    pub fn check_goals(&self, system: &System) -> Result<(), Reason> {
        for (shared, states) in &self.states {
            let (controls, memory) = shared.split_at(system.threads.len());
            if system.goals.iter().any(|g| g.is_met(controls, memory)) {
                return Err(Reason::MeetsGoal(states[0].1));
            }
        }
        Ok(())
    }

    /// That the states are an over-approximation.
    pub fn check(&self, system: &System) -> Result<(), Reason> {
        let memory = system.initial();
        let start = vec![0; system.threads.len()];
        let sets: Vec<u64> = memory.iter().map(|value| 1 << value).collect();
        let shared: Shared = start.into_iter().chain(memory).collect();
        if !self.covers(&shared, &sets.repeat(system.threads.len())) {
            return Err(Reason::NoStart);
        }
        for (shared, states) in &self.states {
            for (sets, line) in states {
                for thread in 0..system.threads.len() {
                    for transition in system.threads[thread].from(shared[thread]) {
                        let mut shared = shared.clone();
                        let mut sets = sets.clone();
                        shared[thread] = transition.target;
                        let event = transition.event;
                        let possible = step(system, &mut shared, &mut sets, thread, event);
                        if possible && !self.covers(&shared, &sets) {
                            return Err(Reason::LeadsOut(*line));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn covers(&self, shared: &[u32], sets: &[u64]) -> bool {
        let same = self.states.get(shared).into_iter().flatten();
        let mut above = same.filter(|(large, _)| {
            let mut pairs = sets.iter().zip(large);
            pairs.all(|(small, large)| small & !large == 0)
        });
        above.next().is_some()
    }
}

/// Does an event of a thread, if it is possible.
fn step(
    system: &System,
    shared: &mut [u32],
    sets: &mut [u64],
    thread: usize,
    event: Event,
) -> bool {
    let (threads, locations) = (system.threads.len(), system.locations.len());
    let memory = &mut shared[threads..];
    let own = |location: u32| thread * locations + location as usize;
    match event {
        Event::Skip | Event::Fence | Event::Barrier(_) => {}
        Event::Read(location, value) => return sets[own(location)] >> value & 1 == 1,
        Event::Update(location, read, _) if memory[location as usize] != read => return false,
        Event::Write(location, value) | Event::Update(location, _, value) => {
            memory[location as usize] = value;
            let others = sets.iter_mut().skip(location as usize);
            others.step_by(locations).for_each(|set| *set |= 1 << value);
        }
    }
    match event {
        Event::Write(location, value) => sets[own(location)] = 1 << value,
        Event::Fence | Event::Update(..) => {
            for (set, value) in sets[own(0)..].iter_mut().zip(memory) {
                *set = 1 << *value;
            }
        }
        Event::Skip | Event::Read(..) | Event::Barrier(_) => {}
    }
    true
}
