//! States with store buffers in which older stores are merged, for PSO.
//!
//! A state has controls, memory, and a store buffer for each thread, cut into parts by its barriers. In a part there may be *older* stores to a location
//! to which the part has others as well. A state stands for states with store buffers in which, in place of the older stores of a part to a location, any of them
//! wait, in any order and number, before the others of this part to the location. So an older store may reach memory and be there still, and when another
//! to its location and from its part reaches memory, it is gone.
//!
//! *Merging* makes of a state one that stands for more. While a buffer has more than *k* stores to a location that are not older, look at the part
//! of the newest. If it has others to the location, the oldest of these becomes an older store. If not, the barrier before the part is taken away,
//! which allows more; a store of the part before, to a location with older stores in the part behind, comes before those and becomes one of them.
//!
//! Some states are a proof for PSO if one of them covers the start, each step from one of them leads, after merging, to what one of them
//! covers (the same but for more older stores), and none of them meets a goal.

use super::store_buffers::{State, Waiting, barrier, store};
use super::system::{Model, System};
use crate::error::Reason;
use crate::line::Line;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Older stores: thread, part, location, value.
type Older = BTreeSet<(usize, usize, u32, u32)>;

/// The states of an invariant, each with its line.
#[derive(Default)]
pub struct MergedStores {
    /// Stores to a location that are not older, at most.
    kept: usize,
    /// By states without what is older.
    states: FxHashMap<State, Vec<(Older, State, u64)>>,
    count: u64,
}

impl MergedStores {
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Reads how many stores are kept, once, before all states.
    pub fn read_kept(&mut self, mut line: Line<'_>) -> Result<(), Reason> {
        if self.kept > 0 {
            return Err(Reason::Unexpected("kept".to_owned()));
        }
        self.kept = line.id()? as usize;
        line.end()
    }

    /// Reads a state as `s` has it, with older stores as `o`, location and value.
    pub fn read(&mut self, system: &System, mut line: Line<'_>, number: u64) -> Result<(), Reason> {
        let state = State::read(system, &mut line, true)?;
        line.end()?;
        let mut parts = state
            .buffers
            .iter()
            .flat_map(|b| b.split(|e| barrier(e).is_some()));
        let has_newer = |part: &[Waiting]| {
            let newer = |at: u32| {
                part.iter()
                    .filter_map(store)
                    .any(|(location, _)| location == at)
            };
            part.iter().all(|entry| match *entry {
                Waiting::Older(location, _) => newer(location),
                Waiting::Store(..) | Waiting::Barrier(_) => true,
            })
        };
        if !parts.all(has_newer) {
            return Err(Reason::NothingNewer);
        }
        let (rest, older) = apart(&state);
        let same = self.states.entry(rest).or_default();
        if same.iter().any(|(known, ..)| *known == older) {
            return Err(Reason::Twice);
        }
        same.push((older, state, number));
        self.count += 1;
        Ok(())
    }

    pub fn check(&self, system: &System) -> Result<(), Reason> {
        if system.model != Model::Pso || self.kept == 0 {
            return Err(Reason::NoInvariant);
        }
        if !self.covers(&State::start(system)) {
            return Err(Reason::NoStart);
        }
        for (_, state, line) in self.states.values().flatten() {
            if system.goals.iter().any(|goal| state.meets(goal)) {
                return Err(Reason::MeetsGoal(*line));
            }
            for thread in 0..system.threads.len() {
                let transitions = system.threads[thread].from(state.controls[thread]);
                let mut taken = transitions.filter_map(|t| state.after(Model::Pso, thread, t));
                let mut flushed = state.flushed(Model::Pso, thread);
                let stays = taken.all(|next| self.covers(&self.merged(next, thread)))
                    && flushed.all(|next| self.covers(&next));
                if !stays {
                    return Err(Reason::LeadsOut(*line));
                }
            }
        }
        Ok(())
    }

    fn covers(&self, state: &State) -> bool {
        let (rest, older) = apart(state);
        let mut same = self.states.get(&rest).into_iter().flatten();
        same.any(|(large, ..)| older.is_subset(large))
    }

    fn merged(&self, mut state: State, thread: usize) -> State {
        while let Some(location) = self.crowded(&state.buffers[thread]) {
            let buffer = &mut state.buffers[thread];
            let mut stores = positions(buffer, |entry| {
                store(entry).is_some_and(|(at, _)| at == location)
            });
            let newest = stores.pop().unwrap_or_default();
            let barriers = positions(&buffer[..newest], |entry| barrier(entry).is_some());
            let part = barriers.last().map_or(0, |barrier| barrier + 1);
            match (stores.iter().find(|store| **store >= part), barriers.last()) {
                (Some(oldest), _) => make_older(&mut buffer[*oldest]),
                (None, Some(barrier)) => take_away(buffer, *barrier),
                (None, None) => {}
            }
            state.tidy(Model::Pso, thread);
        }
        state
    }

    /// A location to which more stores wait than are kept.
    fn crowded(&self, buffer: &[Waiting]) -> Option<u32> {
        let stores = || buffer.iter().filter_map(store);
        let mut locations = stores().map(|(location, _)| location);
        locations.find(|location| stores().filter(|(at, _)| at == location).count() > self.kept)
    }
}

fn positions(buffer: &[Waiting], which: impl Fn(&Waiting) -> bool) -> Vec<usize> {
    (0..buffer.len())
        .filter(|index| which(&buffer[*index]))
        .collect()
}

fn make_older(entry: &mut Waiting) {
    if let Waiting::Store(location, value) = *entry {
        *entry = Waiting::Older(location, value);
    }
}

fn take_away(buffer: &mut Vec<Waiting>, at: usize) {
    let is_barrier = |entry: &Waiting| barrier(entry).is_some();
    let begin = buffer[..at]
        .iter()
        .rposition(is_barrier)
        .map_or(0, |before| before + 1);
    let end = buffer[at + 1..].iter().position(is_barrier);
    let end = end.map_or(buffer.len(), |behind| at + 1 + behind);
    let behind = buffer[at + 1..end].to_vec();
    for entry in &mut buffer[begin..at] {
        let comes_before = store(entry).is_some_and(|(location, _)| {
            let older = |entry: &Waiting| matches!(entry, Waiting::Older(to, _) if *to == location);
            behind.iter().any(older)
        });
        if comes_before {
            make_older(entry);
        }
    }
    buffer.remove(at);
}

/// A state without its older stores, and these.
fn apart(state: &State) -> (State, Older) {
    let (mut rest, mut older) = (state.clone(), Older::new());
    for (thread, buffer) in rest.buffers.iter_mut().enumerate() {
        let mut part = 0;
        buffer.retain(|entry| {
            part += usize::from(barrier(entry).is_some());
            let Waiting::Older(location, value) = *entry else {
                return true;
            };
            older.insert((thread, part, location, value));
            false
        });
    }
    (rest, older)
}
