//! TSO with store buffers of at most so many stores, as simply as it can be written. Shares nothing with the searches but
//! the automata.

use prove::automaton::{Event, System};
use prove::goal::Goal;
use std::collections::HashSet;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Machine {
    at: Vec<u32>,
    memory: Vec<u16>,
    stores: Vec<Vec<(u16, u16)>>,
}

/// The states that are reachable.
pub struct States(HashSet<Machine>);

impl States {
    pub fn meets(&self, goal: &Goal) -> bool {
        let memory_matters = goal.memory.iter().any(|value| value.is_some());
        self.0.iter().any(|machine| {
            let stands = goal.controls.iter().zip(&machine.at);
            let holds = goal.memory.iter().zip(&machine.memory);
            stands
                .into_iter()
                .all(|(want, at)| want.is_none_or(|want| want.0 == *at))
                && holds
                    .into_iter()
                    .all(|(want, held)| want.is_none_or(|want| want.0 == *held))
                && (!memory_matters || machine.stores.iter().all(|buffer| buffer.is_empty()))
        })
    }
}

/// All states with at most `bound` stores in each buffer; nothing if there are more than `most`.
pub fn explore(system: &System, bound: usize, most: usize) -> Option<States> {
    let start = Machine {
        at: vec![0; system.automata.len()],
        memory: system.locations.iter().map(|l| l.initial.0).collect(),
        stores: vec![Vec::new(); system.automata.len()],
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut work = vec![start];
    while let Some(machine) = work.pop() {
        for next in successors(system, bound, &machine) {
            if seen.insert(next.clone()) {
                work.push(next);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(States(seen))
}

fn successors(system: &System, bound: usize, machine: &Machine) -> Vec<Machine> {
    let mut found = Vec::new();
    for thread in 0..machine.at.len() {
        if let Some(&(location, value)) = machine.stores[thread].first() {
            let mut next = machine.clone();
            next.stores[thread].remove(0);
            next.memory[location as usize] = value;
            found.push(next);
        }
        for transition in &system.automata[thread].states[machine.at[thread] as usize].transitions {
            let mut next = machine.clone();
            next.at[thread] = transition.target.0;
            let buffer = &machine.stores[thread];
            let possible = match transition.event {
                Event::Skip => true,
                Event::Fence => buffer.is_empty(),
                Event::Read(location, value) => {
                    let own = buffer.iter().rev().find(|(at, _)| *at == location.0);
                    let seen = own.map_or(machine.memory[location.index()], |(_, value)| *value);
                    seen == value.0
                }
                // Without a buffer a store reaches memory at once.
                Event::Write(location, value) if bound == 0 => {
                    next.memory[location.index()] = value.0;
                    true
                }
                Event::Write(location, value) => {
                    next.stores[thread].push((location.0, value.0));
                    buffer.len() < bound
                }
                Event::Update {
                    location,
                    read,
                    written,
                } => {
                    next.memory[location.index()] = written.unwrap_or(read).0;
                    buffer.is_empty() && machine.memory[location.index()] == read.0
                }
                Event::Barrier(_) => unreachable!("not under TSO"),
            };
            if possible {
                found.push(next);
            }
        }
    }
    found
}
