//! The exploration agrees with every interleaving, tried one by one, and with the search of
//! all states.
//!
//! A few hundred programs by default. `FENCEPOST_CASES=20000 cargo test --release
//! -p fencepost-explore --test agreement` is the nightly size, and `FENCEPOST_SEED` makes
//! other programs.

mod coarse;
mod exploring;
mod interleavings;
mod known;
mod logging;
mod monitoring;
mod show;
mod sketch;
mod text;
mod trace;
mod undoing;

use answer::ModelResult;
use memory::Model;
use program::{Program, Word};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use sketch::{Shape, Sketch, sketches};
use std::collections::BTreeSet;

const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];
/// Programs with more states than this, traces being part of them, are passed over.
const MOST_STATES: usize = 20_000;

fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Checks random programs of a shape, a share of `FENCEPOST_CASES`, and shrinks the first that
/// something is wrong with.
fn for_all(shape: Shape, share: u32, check: impl Fn(&Sketch) -> Result<(), String>) {
    let cases = asked("FENCEPOST_CASES").unwrap_or(400) as u32 * share / 100;
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&asked("FENCEPOST_SEED").unwrap_or(1).to_le_bytes());
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(config, random);
    let outcome = runner.run(&sketches(shape), |sketch| {
        check(&sketch).map_err(|complaint| {
            TestCaseError::fail(format!("{complaint}\n{sketch}\n{}", text::text(&sketch)))
        })
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

fn states(program: &Program, model: Model) -> ModelResult {
    let options = states::Options {
        stop_at_violation: false,
        explain: false,
        ..states::Options::default()
    };
    states::run(program, model, &options).expect("the model is supported")
}

fn outcomes(result: &ModelResult) -> BTreeSet<Vec<Word>> {
    let outcomes = result.outcomes.iter();
    outcomes.map(|outcome| outcome.0.clone()).collect()
}

fn same<T: PartialEq + std::fmt::Debug>(
    model: Model,
    what: &str,
    found: T,
    expected: T,
) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!(
            "{model}, {what}: {found:?} instead of {expected:?}"
        )),
    }
}

/// The interleavings have the outcomes of the search of all states, and there are as many
/// without a cycle under TSO and PSO as there are under SC, with the same outcomes.
fn interleavings_are_right(sketch: &Sketch) -> Result<(), String> {
    let program = text::program(sketch);
    let mut sequential = None;
    for model in MODELS {
        let Some(expected) = interleavings::executions(&program, model, MOST_STATES) else {
            return Ok(());
        };
        let all = || expected.traces.values();
        let found = all().filter_map(|ending| ending.outcome.clone()).collect();
        let result = states(&program, model);
        same(model, "outcomes", found, outcomes(&result))?;
        let acyclic = all().filter(|ending| ending.sequential);
        let mut acyclic: Vec<_> = acyclic.map(|ending| ending.outcome.clone()).collect();
        acyclic.sort();
        let known = sequential.get_or_insert_with(|| acyclic.clone());
        same(model, "outcomes of SC", &acyclic, known)?;
        if !expected.cut {
            let waits = all().any(|ending| ending.outcome.is_none());
            same(model, "deadlock", waits, result.violation.is_some())?;
        }
    }
    Ok(())
}

const ACCESSES: Shape = Shape {
    locks: false,
    sections: false,
    sleeps: false,
    awaits: false,
    objects: false,
    frees: false,
    spins: false,
    exchanges: false,
    unobserved: false,
    children: false,
    checks: false,
    accesses: 8,
};
const OBJECTS: Shape = Shape {
    objects: true,
    ..ACCESSES
};
const LOCKS: Shape = Shape {
    locks: true,
    accesses: 9,
    ..ACCESSES
};
const SLEEPS: Shape = Shape {
    sleeps: true,
    ..LOCKS
};
const SECTIONS: Shape = Shape {
    sections: true,
    ..ACCESSES
};
const CHECKS: Shape = Shape {
    checks: true,
    ..ACCESSES
};

#[test]
fn the_interleavings_are_those_of_the_models() {
    for_all(ACCESSES, 20, interleavings_are_right);
    for_all(LOCKS, 20, interleavings_are_right);
    for_all(SLEEPS, 10, interleavings_are_right);
    for_all(SECTIONS, 10, interleavings_are_right);
    for_all(CHECKS, 10, interleavings_are_right);
}
