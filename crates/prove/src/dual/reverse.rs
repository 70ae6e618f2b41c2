//! Automata read backwards: which transitions lead to a state, and which write a value.

use crate::automaton::{Automaton, Event, Location, StateId, System, Value};
use rustc_hash::FxHashMap;

/// A transition that writes a value to a location.
pub(super) struct Writer {
    pub source: StateId,
    /// What an update reads there.
    pub read: Option<Value>,
}

/// The transitions of one thread.
#[derive(Default)]
pub(super) struct Reverse {
    /// For each state, the transitions that lead to it.
    into: Vec<Vec<(StateId, Event)>>,
    writers: FxHashMap<(Location, Value), Vec<Writer>>,
}

impl Reverse {
    pub fn of(system: &System) -> Vec<Reverse> {
        system.automata.iter().map(Reverse::of_thread).collect()
    }

    fn of_thread(automaton: &Automaton) -> Reverse {
        let mut reverse = Reverse {
            into: vec![Vec::new(); automaton.states.len()],
            ..Reverse::default()
        };
        for (source, transition) in automaton.all_transitions() {
            reverse.into[transition.target.index()].push((source, transition.event));
            let written = match transition.event {
                Event::Write(location, value) => Some((location, value, None)),
                Event::Update {
                    location,
                    read,
                    written: Some(written),
                } => Some((location, written, Some(read))),
                _ => None,
            };
            if let Some((location, value, read)) = written {
                let writers = reverse.writers.entry((location, value)).or_default();
                writers.push(Writer { source, read });
            }
        }
        reverse
    }

    /// The transitions that lead to a state, each with its source.
    pub fn into(&self, state: StateId) -> &[(StateId, Event)] {
        &self.into[state.index()]
    }

    /// The transitions that write a value to a location.
    pub fn writers(&self, location: Location, value: Value) -> &[Writer] {
        let found = self.writers.get(&(location, value));
        found.map_or(&[], Vec::as_slice)
    }
}
