//! What must not be reached: states of threads, with or without values in memory.

use crate::automaton::{StateId, System, Value};

/// A set of states of the whole system. A state is in it if every thread that is named stands where the goal says, and,
/// where the goal speaks of memory, all stores are in memory and memory holds these values.
///
/// A goal that does not speak of memory is met in a state whether or not stores wait: they can be flushed, and control
/// stays where it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    /// For each thread, where it stands, or anywhere.
    pub controls: Vec<Option<StateId>>,
    /// For each location, what it holds, or anything.
    pub memory: Vec<Option<Value>>,
}

impl Goal {
    /// One thread in a state, whatever else.
    pub fn thread_at(system: &System, thread: usize, state: StateId) -> Self {
        let mut controls = vec![None; system.automata.len()];
        controls[thread] = Some(state);
        Goal {
            controls,
            memory: vec![None; system.locations.len()],
        }
    }

    /// True if it speaks of memory.
    pub fn speaks_of_memory(&self) -> bool {
        self.memory.iter().any(Option::is_some)
    }

    /// True if threads and memory are as it says.
    pub fn is_met(
        &self,
        control: impl Fn(usize) -> StateId,
        memory: impl Fn(usize) -> Value,
    ) -> bool {
        let mut controls = self.controls.iter().enumerate();
        let mut values = self.memory.iter().enumerate();
        controls.all(|(thread, state)| state.is_none_or(|state| state == control(thread)))
            && values.all(|(location, value)| value.is_none_or(|value| value == memory(location)))
    }
}
