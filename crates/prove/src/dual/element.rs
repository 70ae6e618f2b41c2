//! Elements: finitely described sets of configurations of dual TSO that are closed upwards.

use super::buffer::{Message, is_below};
use crate::automaton::{Automaton, StateId, System, Value};
use crate::goal::Goal;

/// Where threads stand that are present.
pub(super) type Controls = Box<[Option<StateId>]>;

/// A thread that is present: in this state, with a load buffer above this one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local {
    /// Its state.
    pub state: StateId,
    /// Oldest message first.
    pub buffer: Box<[Message]>,
}

/// All configurations with threads and memory as it says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Element {
    /// `None` is an absent thread: anywhere, with any buffer.
    pub locals: Vec<Option<Local>>,
    /// `None` is any value.
    pub memory: Box<[Option<Value>]>,
}

impl Element {
    /// Where a goal is met. Buffers may hold anything: it can be deleted.
    pub(super) fn of(goal: &Goal) -> Self {
        let local = |state| Local {
            state,
            buffer: Box::default(),
        };
        Element {
            locals: goal.controls.iter().map(|at| at.map(local)).collect(),
            memory: goal.memory.clone().into(),
        }
    }

    /// Where the threads stand that are present.
    pub(super) fn controls(&self) -> Controls {
        let threads = 0..self.locals.len();
        threads.map(|thread| self.control(thread)).collect()
    }

    /// Where a thread stands, if it is present.
    pub fn control(&self, thread: usize) -> Option<StateId> {
        self.locals[thread].as_ref().map(|local| local.state)
    }

    /// The element with another local of a thread.
    pub(super) fn with_local(&self, thread: usize, state: StateId, buffer: &[Message]) -> Self {
        let mut element = self.clone();
        element.locals[thread] = Some(Local {
            state,
            buffer: buffer.into(),
        });
        element
    }

    /// Takes messages from the tails of buffers that memory holds: they could be propagated now, and the element
    /// without them is below this one.
    pub(super) fn propagate_what_memory_holds(&mut self) {
        for local in self.locals.iter_mut().flatten() {
            let held = |message: &&Message| {
                !message.own && self.memory[message.location.index()] == Some(message.value)
            };
            let count = local.buffer.iter().rev().take_while(held).count();
            if count > 0 {
                local.buffer = local.buffer[..local.buffer.len() - count].into();
            }
        }
    }

    /// True if the system starts in it.
    pub(super) fn contains_start(&self, system: &System) -> bool {
        let mut locals = self.locals.iter().flatten();
        let mut memory = self.memory.iter().zip(&system.locations);
        locals.all(|local| local.state == Automaton::START && local.buffer.is_empty())
            && memory.all(|(value, location)| value.is_none_or(|v| v == location.initial))
    }

    /// True if `other` is a subset, given that threads that are present here are in the same states there.
    pub(super) fn covers(&self, other: &Element) -> bool {
        let mut memory = self.memory.iter().zip(&other.memory);
        let mut locals = self.locals.iter().zip(&other.locals);
        memory.all(|(mine, theirs)| mine.is_none() || mine == theirs)
            && locals.all(|(mine, theirs)| match (mine, theirs) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(mine), Some(theirs)) => {
                    mine.state == theirs.state && is_below(&mine.buffer, &theirs.buffer)
                }
            })
    }
}
