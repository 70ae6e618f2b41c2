//! The shortest execution to a state with some property.
//!
//! A search of its own, by one worker and without symmetry, that remembers how it
//! came to each state; so what is shown does not depend on how the states were
//! counted.

use crate::Options;
use crate::expander::{Expander, Move};
use answer::Bound;
use machine::{Choice, Processor, Schedule};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::hash_map::Entry;
use std::time::Instant;

/// Calls between two looks at the limits.
const BETWEEN_LOOKS: u32 = 16;

/// How a state was first reached.
#[derive(Clone, Copy)]
struct Origin {
    /// The state before; itself for an initial state.
    before: u32,
    step: Move,
}

/// States in the order of their distance from the start, each with its way there.
pub struct Paths {
    states: Vec<Box<[u32]>>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    origins: Vec<Origin>,
}

impl Paths {
    /// The initial states.
    pub fn initial<P: Processor>(
        expander: &Expander<'_, P>,
        limit: &Limit<'_>,
    ) -> Result<Self, Bound> {
        let mut paths = Paths {
            states: Vec::new(),
            numbers: FxHashMap::default(),
            origins: Vec::new(),
        };
        let none = Move {
            thread: 0,
            edge: 0,
            way: 0,
            local: 0,
            memory: 0,
        };
        for ids in expander.initial() {
            limit.check(&paths)?;
            paths.add(ids.into(), paths.len(), none);
        }
        Ok(paths)
    }

    /// The number of a state, and whether it is new.
    pub fn add(&mut self, ids: Box<[u32]>, before: u32, step: Move) -> (u32, bool) {
        let number = self.states.len() as u32;
        match self.numbers.entry(ids) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(free) => {
                self.states.push(free.key().clone());
                free.insert(number);
                self.origins.push(Origin { before, step });
                (number, true)
            }
        }
    }

    /// The state that `step` leads to from state `number`.
    pub fn after(&self, number: u32, step: Move) -> Box<[u32]> {
        let mut ids = self.states[number as usize].clone();
        ids[step.thread] = step.local;
        let last = ids.len() - 1;
        ids[last] = step.memory;
        ids
    }

    /// The components of a state.
    pub fn state(&self, number: u32) -> &[u32] {
        &self.states[number as usize]
    }

    /// Bytes taken, roughly: each state is held twice, with its origin.
    fn bytes(&self) -> usize {
        let components = self.states.first().map_or(0, |state| state.len());
        self.states.len() * (2 * components * size_of::<u32>() + 96)
    }

    /// The number of states.
    pub fn len(&self) -> u32 {
        self.states.len() as u32
    }

    /// The execution to state `number`.
    pub fn schedule<P: Processor>(&self, expander: &mut Expander<'_, P>, number: u32) -> Schedule {
        let mut choices = Vec::new();
        let mut at = number;
        loop {
            let Origin { before, step } = self.origins[at as usize];
            if before == at {
                break;
            }
            choices.push(self.choice(expander, before, step));
            at = before;
        }
        choices.reverse();
        Schedule {
            starts: self.starts(expander, at),
            choices,
            repeats_from: None,
        }
    }

    /// A step from state `from` as the machine takes it.
    pub fn choice<P: Processor>(
        &self,
        expander: &mut Expander<'_, P>,
        from: u32,
        step: Move,
    ) -> Choice {
        let local = self.states[from as usize][step.thread];
        Choice {
            thread: step.thread.into(),
            action: expander.action(step.thread, local, step.edge),
            way: step.way,
        }
    }

    /// Which of its possible first states each thread has in an initial state.
    fn starts<P: Processor>(&self, expander: &Expander<'_, P>, initial: u32) -> Vec<u32> {
        let components = expander.components();
        let state = &self.states[initial as usize];
        let start = |thread: usize| {
            let ways = components.processor.start(thread.into(), false);
            let locals = ways.into_iter().map(|(local, _)| local).collect();
            let ids = components.number_locals(thread, locals);
            ids.iter().position(|id| *id == state[thread]).unwrap_or(0) as u32
        };
        (0..components.threads()).map(start).collect()
    }
}

/// How far a search for an execution may go.
pub struct Limit<'a> {
    /// Limits on states and time, and the user's interrupt.
    pub options: &'a Options,
    /// When the search began.
    pub started: Instant,
    /// Calls since the last look.
    pub calls: Cell<u32>,
}

impl Limit<'_> {
    /// Whether the search may go on; looked at now and then only.
    pub fn check(&self, paths: &Paths) -> Result<(), Bound> {
        self.calls.set(self.calls.get() + 1);
        if self.calls.get() < BETWEEN_LOOKS {
            return Ok(());
        }
        self.calls.set(0);
        let (states, bytes) = (|| paths.states.len(), || paths.bytes());
        match self
            .options
            .control
            .limit_reached(self.started, states, bytes)
        {
            Some(bound) => Err(bound),
            None => Ok(()),
        }
    }
}

/// The shortest execution to a state that `goal` accepts, if there is one within the
/// limit. `goal` is given the state and whether somebody can still move.
pub fn shortest<P: Processor>(
    expander: &mut Expander<'_, P>,
    limit: &Limit<'_>,
    mut goal: impl FnMut(&mut Expander<'_, P>, &[u32], bool) -> bool,
) -> Result<Option<Schedule>, Bound> {
    let mut paths = Paths::initial(expander, limit)?;
    let mut number = 0;
    let mut steps = Vec::new();
    while number < paths.len() {
        limit.check(&paths)?;
        let state: Box<[u32]> = paths.state(number).into();
        steps.clear();
        let moved = expander.moves(&state, |step| steps.push(step));
        if goal(expander, &state, moved) {
            return Ok(Some(paths.schedule(expander, number)));
        }
        for &step in &steps {
            let ids = paths.after(number, step);
            paths.add(ids, number, step);
        }
        number += 1;
    }
    Ok(None)
}
