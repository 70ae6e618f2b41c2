//! TSO and PSO with store buffers of at most so many stores, as simply as it can be written. Shares nothing with the searches but
//! the automata.

use memory::Buffering;
use program::Orderings;
use prove::automaton::{Event, System};
use prove::goal::Goal;
use std::collections::HashSet;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Machine {
    at: Vec<u32>,
    memory: Vec<u16>,
    stores: Vec<Vec<Entry>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Entry {
    Store(u16, u16),
    /// Whether it holds back loads, and stores.
    Barrier(bool, bool),
}

fn store(entry: &Entry) -> Option<(u16, u16)> {
    match *entry {
        Entry::Store(location, value) => Some((location, value)),
        Entry::Barrier(..) => None,
    }
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
pub fn explore(system: &System, buffering: Buffering, bound: usize, most: usize) -> Option<States> {
    let start = Machine {
        at: vec![0; system.automata.len()],
        memory: system.locations.iter().map(|l| l.initial.0).collect(),
        stores: vec![Vec::new(); system.automata.len()],
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut work = vec![start];
    while let Some(machine) = work.pop() {
        for next in successors(system, buffering, bound, &machine) {
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

fn successors(
    system: &System,
    buffering: Buffering,
    bound: usize,
    machine: &Machine,
) -> Vec<Machine> {
    let pso = buffering == Buffering::PerLocation;
    let mut found = Vec::new();
    for thread in 0..machine.at.len() {
        for (index, entry) in machine.stores[thread].iter().enumerate() {
            let mut before = machine.stores[thread][..index].iter();
            let Some((location, value)) = store(entry) else {
                continue;
            };
            let overtakes = before.all(|before| match *before {
                Entry::Store(at, _) => pso && at != location,
                Entry::Barrier(_, stores) => !stores,
            });
            if overtakes {
                let mut next = machine.clone();
                next.memory[location as usize] = value;
                let buffer = &mut next.stores[thread];
                buffer.remove(index);
                let leading = buffer.iter().take_while(|entry| store(entry).is_none());
                buffer.drain(..leading.count());
                found.push(next);
            }
        }
        for transition in &system.automata[thread].states[machine.at[thread] as usize].transitions {
            let mut next = machine.clone();
            next.at[thread] = transition.target.0;
            let buffer = &machine.stores[thread];
            let waiting = buffer.iter().filter_map(store).count();
            let held = |loads: bool| {
                buffer.iter().any(|entry| match *entry {
                    Entry::Store(..) => false,
                    Entry::Barrier(holds_loads, holds_stores) => {
                        if loads {
                            holds_loads
                        } else {
                            holds_stores
                        }
                    }
                })
            };
            let possible = match transition.event {
                Event::Skip => true,
                Event::Fence => buffer.is_empty(),
                Event::Read(location, value) => {
                    let mut own = buffer.iter().rev().filter_map(store);
                    let own = own.find(|(at, _)| *at == location.0);
                    let seen = own.map_or(machine.memory[location.index()], |(_, value)| value);
                    seen == value.0 && !held(true)
                }
                // Without a buffer a store reaches memory at once.
                Event::Write(location, value) if bound == 0 => {
                    next.memory[location.index()] = value.0;
                    true
                }
                Event::Write(location, value) => {
                    next.stores[thread].push(Entry::Store(location.0, value.0));
                    waiting < bound
                }
                Event::Update {
                    location,
                    read,
                    written,
                } => {
                    next.memory[location.index()] = written.unwrap_or(read).0;
                    let mut others = buffer.iter().filter_map(store);
                    let alone = others.all(|(at, _)| pso && at != location.0);
                    let first = alone && !held(true) && !held(false);
                    first && machine.memory[location.index()] == read.0
                }
                Event::Barrier(orderings) => {
                    if !buffer.is_empty() {
                        let loads = orderings.contains(Orderings::STORE_LOAD);
                        let stores = orderings.contains(Orderings::STORE_STORE);
                        next.stores[thread].push(Entry::Barrier(loads, stores));
                    }
                    true
                }
            };
            if possible {
                found.push(next);
            }
        }
    }
    found
}
