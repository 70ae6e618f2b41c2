//! Smaller automata with the same behaviour.
//!
//! 1. Locations that nobody reads and no condition speaks of are dropped: a store there waits in the buffer and reaches memory
//!    without anybody noticing. So are locations that only ever hold one value.
//! 2. States in which a thread only goes on without an event are passed.
//! 3. States that cannot be told apart are merged: partition refinement, from how the thread stands there, by the events of its
//!    transitions, the instructions that they come from, and where these lead (the coarsest bisimulation).
//! 4. States that cannot be reached any more are dropped.

use super::{Automaton, Event, Location, Standing, State, StateId, System, Transition};
use program::{Formula, ObservedLocation, Program};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn minimise(system: &mut System) {
    for automaton in &mut system.automata {
        pass_skips(automaton);
        merge(automaton);
        drop_unreachable(automaton);
    }
}

/// The locations that a condition or an outcome speaks of.
fn observed(system: &System, program: &Program) -> Vec<bool> {
    let properties = &program.properties;
    let condition = properties.condition.iter().map(|c| &c.property.formula);
    let formulas = properties.formulas_of_all_states();
    let formulas = formulas.chain(condition).chain(&properties.filter);
    let observed: FxHashSet<ObservedLocation> = formulas
        .flat_map(Formula::observables)
        .chain(&program.observed)
        .map(|observable| observable.location)
        .collect();
    let locations = system.locations.iter();
    locations
        .map(|location| observed.contains(&ObservedLocation::Memory(location.address)))
        .collect()
}

pub(super) fn drop_locations(system: &mut System, program: &Program) {
    let observed = observed(system, program);
    let count = system.locations.len();
    let (mut read, mut updated) = (vec![false; count], vec![false; count]);
    for (_, transition) in system.automata.iter().flat_map(|a| a.all_transitions()) {
        match transition.event {
            Event::Read(location, _) => read[location.index()] = true,
            Event::Update { location, .. } => updated[location.index()] = true,
            _ => {}
        }
    }
    let mut kept = vec![None; count];
    let mut locations = Vec::new();
    for (index, location) in system.locations.drain(..).enumerate() {
        let changes = location.words.len() > 1;
        // An update also waits for stores, wherever it is.
        if updated[index] || changes && (read[index] || observed[index]) {
            kept[index] = Some(Location(locations.len() as u16));
            locations.push(location);
        }
    }
    system.locations = locations;
    let transitions = system.automata.iter_mut().flat_map(|a| &mut a.states);
    for transition in transitions.flat_map(|state| &mut state.transitions) {
        transition.event = match transition.event {
            Event::Read(location, value) => {
                let kept = kept[location.index()];
                kept.map_or(Event::Skip, |location| Event::Read(location, value))
            }
            Event::Write(location, value) => {
                let kept = kept[location.index()];
                kept.map_or(Event::Skip, |location| Event::Write(location, value))
            }
            Event::Update {
                location,
                read,
                written,
            } => Event::Update {
                location: kept[location.index()].unwrap_or(location),
                read,
                written,
            },
            other => other,
        };
    }
}

/// Leads every transition to where the thread does something next.
fn pass_skips(automaton: &mut Automaton) {
    let passes = |state: &State| {
        let mut transitions = state.transitions.iter();
        state.standing == Standing::Running
            && !state.transitions.is_empty()
            && transitions.all(|transition| transition.event == Event::Skip)
    };
    let passes: Vec<bool> = automaton.states.iter().map(passes).collect();
    let beyond = |from: StateId| -> Vec<StateId> {
        let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![from]);
        while let Some(state) = work.pop() {
            if !seen.insert(state) {
                continue;
            }
            if passes[state.index()] {
                let next = automaton.transitions(state).iter().rev();
                work.extend(next.map(|transition| transition.target));
            } else {
                found.push(state);
            }
        }
        if found.is_empty() {
            // It goes on for ever without an event; what it did before counts.
            found.push(from);
        }
        found
    };
    let led = |state: &State| -> Vec<Transition> {
        let mut led = Vec::new();
        for transition in &state.transitions {
            let targets = beyond(transition.target).into_iter();
            led.extend(targets.map(|target| Transition {
                target,
                ..*transition
            }));
        }
        led.sort_unstable();
        led.dedup();
        led
    };
    let transitions: Vec<Vec<Transition>> = automaton.states.iter().map(led).collect();
    let first = beyond(Automaton::START);
    for (state, transitions) in automaton.states.iter_mut().zip(transitions) {
        state.transitions = transitions;
    }
    // With one way to begin, that is the start.
    if let [first] = first[..] {
        swap_start(automaton, first);
    }
}

/// Makes a state the first.
fn swap_start(automaton: &mut Automaton, first: StateId) {
    let start = Automaton::START;
    automaton.states.swap(start.index(), first.index());
    let targets = automaton.states.iter_mut().flat_map(|s| &mut s.transitions);
    for target in targets.map(|transition| &mut transition.target) {
        if *target == first {
            *target = start;
        } else if *target == start {
            *target = first;
        }
    }
}

fn merge(automaton: &mut Automaton) {
    let number = |keys: Vec<Vec<u64>>| -> (Vec<u32>, usize) {
        let mut numbers = FxHashMap::default();
        let classes = keys.into_iter().map(|key| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        });
        let classes = classes.collect();
        (classes, numbers.len())
    };
    // Labels of transitions, and how threads stand, as numbers.
    let mut labels: FxHashMap<(Event, program::Span), u64> = FxHashMap::default();
    let mut standings: FxHashMap<(Standing, Vec<(program::RegisterId, u64)>), u64> =
        FxHashMap::default();
    let mut first = Vec::new();
    for state in &automaton.states {
        let next = standings.len() as u64;
        let key = (state.standing, state.observed.clone());
        first.push(vec![*standings.entry(key).or_insert(next)]);
        for transition in &state.transitions {
            let next = labels.len() as u64;
            let label = (transition.event, transition.span);
            labels.entry(label).or_insert(next);
        }
    }
    let (mut classes, mut count) = number(first);
    loop {
        let keys = automaton.states.iter().enumerate().map(|(index, state)| {
            let transitions = state.transitions.iter().map(|transition| {
                let label = labels[&(transition.event, transition.span)];
                label << 32 | u64::from(classes[transition.target.index()])
            });
            let mut key: Vec<u64> = transitions.collect();
            key.sort_unstable();
            key.dedup();
            key.push(u64::from(classes[index]));
            key
        });
        let (finer, more) = number(keys.collect());
        if more == count {
            break;
        }
        (classes, count) = (finer, more);
    }
    // Classes are numbered by their first states, so the start stays the first.
    let mut states: Vec<State> = Vec::new();
    for (index, state) in automaton.states.drain(..).enumerate() {
        if classes[index] as usize == states.len() {
            states.push(state);
        }
    }
    for state in &mut states {
        for transition in &mut state.transitions {
            transition.target = StateId(classes[transition.target.index()]);
        }
        state.transitions.sort_unstable();
        state.transitions.dedup();
    }
    automaton.states = states;
}

fn drop_unreachable(automaton: &mut Automaton) {
    let mut numbers: Vec<Option<StateId>> = vec![None; automaton.states.len()];
    let mut order = vec![Automaton::START];
    numbers[Automaton::START.index()] = Some(Automaton::START);
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        for transition in automaton.transitions(state) {
            if numbers[transition.target.index()].is_none() {
                numbers[transition.target.index()] = Some(StateId(order.len() as u32));
                order.push(transition.target);
            }
        }
    }
    let states = order.iter().map(|state| {
        let mut state = std::mem::take(&mut automaton.states[state.index()]);
        for transition in &mut state.transitions {
            transition.target = numbers[transition.target.index()].unwrap_or(transition.target);
        }
        state
    });
    automaton.states = states.collect();
}
