//! Threads with equal automata: states in which they have changed places are explored once, and nothing is lost by that.

#[path = "agreement/explicit.rs"]
mod explicit;
#[path = "agreement/generate.rs"]
mod generate;

use control::Control;
use explicit::explore;
use generate::{Numbers, Shape, system};
use memory::Buffering;
use prove::automaton::{Event, StateId, System};
use prove::bounded::{Action, Bounded, BoundedSearch, RunStep};
use prove::goal::Goal;

const LARGEST: usize = 2;

fn shape() -> Shape {
    Shape {
        threads: 3,
        states: 4,
        locations: 2,
        values: 2,
        transitions: 5,
        fences: 3,
        barriers: 0,
        likely: 2,
    }
}

/// A system of which two or all three threads are alike.
fn alike(numbers: &mut Numbers) -> System {
    let mut system = system(numbers, &shape());
    let first = system.automata[0].clone();
    if numbers.below(2) == 0 {
        system.automata[1] = first.clone();
    }
    system.automata[2] = first;
    system
}

/// Some threads in some states, for some goals with memory.
fn goal(numbers: &mut Numbers, system: &System) -> Goal {
    let automata = system.automata.iter();
    let controls = automata.map(|automaton| {
        let state = StateId(numbers.below(automaton.states.len()) as u32);
        (numbers.below(4) > 0).then_some(state)
    });
    let controls = controls.collect();
    let speaks = numbers.below(3) == 0;
    let memory = system.locations.iter().map(|location| {
        let value = numbers.below(location.words.len());
        (speaks && numbers.below(2) == 0).then_some(prove::automaton::Value(value as u16))
    });
    Goal {
        controls,
        memory: memory.collect(),
    }
}

/// Where the threads are and what memory holds at the end of a run, each step of which must be possible.
fn follow(system: &System, run: &[RunStep]) -> (Vec<StateId>, Vec<u16>) {
    let mut at = vec![StateId(0); system.automata.len()];
    let mut memory: Vec<u16> = system.locations.iter().map(|l| l.initial.0).collect();
    let mut stores: Vec<Vec<(u16, u16)>> = vec![Vec::new(); at.len()];
    for step in run {
        let stores = &mut stores[step.thread];
        match step.action {
            Action::Flush(location, value) => {
                let oldest = stores.iter().position(|(at, _)| *at == location.0);
                let store = stores.remove(oldest.expect("a store to the location"));
                assert_eq!(store.1, value.0);
                memory[location.index()] = value.0;
            }
            Action::Take {
                transition,
                buffered,
            } => {
                let from = &mut at[step.thread];
                let possible = system.automata[step.thread].transitions(*from);
                assert!(possible.contains(&transition));
                *from = transition.target;
                match transition.event {
                    Event::Write(location, value) if buffered => {
                        stores.push((location.0, value.0));
                    }
                    Event::Write(location, value) => memory[location.index()] = value.0,
                    Event::Read(location, value) => {
                        let own = stores.iter().rev().find(|(at, _)| *at == location.0);
                        let seen = own.map_or(memory[location.index()], |(_, value)| *value);
                        assert_eq!((seen, own.is_some()), (value.0, buffered));
                    }
                    Event::Update {
                        location,
                        read,
                        written,
                    } => {
                        assert_eq!(memory[location.index()], read.0);
                        memory[location.index()] = written.unwrap_or(read).0;
                    }
                    Event::Fence => assert!(stores.is_empty()),
                    Event::Skip | Event::Barrier(_) => {}
                }
            }
        }
    }
    (at, memory)
}

#[test]
fn goals_are_met_as_without_symmetry() {
    let (mut met, mut missed, mut fewer) = (0, 0, 0);
    for seed in 0..60 {
        let mut numbers = Numbers::new(seed);
        let system = alike(&mut numbers);
        let stop = Control::default().stop();
        for buffering in [Buffering::PerThread, Buffering::PerLocation] {
            let explicit = (0..=LARGEST).map(|k| explore(&system, buffering, k, 20_000));
            let Some(explicit) = explicit.collect::<Option<Vec<_>>>() else {
                continue;
            };
            for _ in 0..6 {
                let goals = [goal(&mut numbers, &system)];
                let at = format!("seed {seed}, {buffering:?}: {goals:?}\n{system:#?}");
                let smallest = explicit.iter().position(|states| states.meets(&goals[0]));
                let mut search = BoundedSearch::new(&system, &goals, buffering);
                let found = search.run(5_000, &stop);
                let mut plain = BoundedSearch::new(&system, &goals, buffering).plain();
                if plain.run(5_000, &stop) == Bounded::Unreachable {
                    assert_eq!(found, Bounded::Unreachable, "{at}");
                    fewer += usize::from(search.states() < plain.states());
                }
                match (found, smallest) {
                    (
                        Bounded::Met {
                            bound,
                            run,
                            controls,
                            memory,
                            ..
                        },
                        smallest,
                    ) => {
                        match smallest {
                            Some(smallest) => assert_eq!(bound as usize, smallest, "{at}"),
                            None => assert!(bound as usize > LARGEST, "{at}"),
                        }
                        let (at_end, held) = follow(&system, &run);
                        assert_eq!(at_end, controls, "{at}");
                        assert!(
                            memory.iter().zip(&held).all(|(one, two)| one.0 == *two),
                            "{at}"
                        );
                        let value = |location: usize| prove::automaton::Value(held[location]);
                        assert!(goals[0].is_met(|thread| at_end[thread], value), "{at}");
                        met += 1;
                    }
                    (_, smallest) => {
                        assert_eq!(smallest, None, "{at}");
                        missed += 1;
                    }
                }
            }
        }
    }
    assert!(
        met > 50 && missed > 50 && fewer > 20,
        "{met} {missed} {fewer}"
    );
}
