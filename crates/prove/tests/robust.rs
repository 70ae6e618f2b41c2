//! Robustness by attacks against all traces of generated automata without cycles, one by one.

#[path = "agreement/generate.rs"]
mod generate;
#[path = "agreement/traces.rs"]
mod traces;

use control::Control;
use generate::{Numbers, Shape, system};
use prove::attacks::{AttackSearch, Attacks};
use prove::automaton::System;

/// The system without transitions that lead back.
fn without_cycles(mut system: System) -> System {
    for automaton in &mut system.automata {
        for (index, state) in automaton.states.iter_mut().enumerate() {
            state.transitions.retain(|t| t.target.index() > index);
        }
    }
    system
}

fn compare(shape: &Shape, count: u64) {
    let (mut robust, mut attacked, mut cut) = (0, 0, 0);
    for seed in 0..count {
        let system = without_cycles(system(&mut Numbers::new(seed), shape));
        let Some(expected) = traces::is_robust(&system, 40_000) else {
            cut += 1;
            continue;
        };
        let stop = Control::default().stop();
        let found = AttackSearch::new(&system, &[]).run(1_000_000, &stop);
        let found = match found {
            Attacks::Robust => true,
            Attacks::Feasible(_) => false,
            other => panic!("seed {seed}: {other:?}"),
        };
        assert_eq!(found, expected, "seed {seed}\n{system:#?}");
        robust += usize::from(expected);
        attacked += usize::from(!expected);
    }
    eprintln!("{robust} robust, {attacked} not, {cut} too large");
    assert!(robust > 0 && attacked > 0);
}

/// `FENCEPOST_SEEDS=N` tries N of each shape.
fn seeds(usual: u64) -> u64 {
    let asked = std::env::var("FENCEPOST_SEEDS").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(usual)
}

#[test]
fn two_threads() {
    for likely in [1, 3] {
        let shape = Shape {
            threads: 2,
            states: 5,
            locations: 2,
            values: 2,
            transitions: 8,
            fences: 6,
            barriers: 0,
            likely,
        };
        compare(&shape, seeds(120));
    }
}

#[test]
fn three_threads() {
    for (likely, states, transitions) in [(1, 4, 5), (2, 3, 4)] {
        let shape = Shape {
            threads: 3,
            states,
            locations: 2,
            values: 2,
            transitions,
            fences: 4,
            barriers: 0,
            likely,
        };
        compare(&shape, seeds(60));
    }
}

#[test]
fn three_threads_with_three_locations() {
    let shape = Shape {
        threads: 3,
        states: 4,
        locations: 3,
        values: 2,
        transitions: 4,
        fences: 3,
        barriers: 0,
        likely: 2,
    };
    compare(&shape, seeds(60));
}
