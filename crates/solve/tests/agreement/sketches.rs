//! Generated C programs: accesses of mixed sizes, locks, atomic sections, assumptions and
//! assertions, loops that wait, objects that are published.

use crate::sketch::{Shape, Sketch, sketches};
use crate::text;
use answer::{Bound, ModelResult, Violation};
use memory::Model;
use program::Word;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use solve::Options;
use std::cell::Cell;
use std::collections::BTreeSet;

const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];
const ACCESSES: Shape = Shape {
    locks: false,
    sections: false,
    sleeps: false,
    awaits: false,
    objects: false,
    checks: false,
    frees: false,
    spins: false,
    exchanges: false,
    children: false,
    unobserved: false,
    accesses: 8,
};

fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Checks random programs of a shape, at least half of which must be solvable.
fn for_all(shape: Shape, share: u32) {
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
    let solved = Cell::new(0);
    let outcome = runner.run(&sketches(shape), |sketch| {
        let checked = check(&sketch).map_err(|complaint| {
            TestCaseError::fail(format!("{complaint}\n{}", text::text(&sketch)))
        })?;
        solved.set(solved.get() + u32::from(checked));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    assert!(
        solved.get() * 2 >= cases,
        "{} of {cases} solved",
        solved.get()
    );
}

fn outcomes(result: &ModelResult) -> BTreeSet<Vec<Word>> {
    result
        .outcomes
        .iter()
        .map(|outcome| outcome.0.clone())
        .collect()
}

/// Compares outcomes and verdicts; false if the program cannot be solved.
fn check(sketch: &Sketch) -> Result<bool, String> {
    let program = text::program(sketch);
    for model in MODELS {
        let options = explore::Options {
            explain: false,
            all: true,
            outcomes: true,
            ..explore::Options::default()
        };
        // Programs whose executions cannot be explored still have states.
        let search = states::Options {
            explain: false,
            stop_at_violation: false,
            ..states::Options::default()
        };
        let expected = explore::run(&program, model, &options)
            .or_else(|_| states::run(&program, model, &search).map_err(|_| ()));
        let Ok(expected) = expected else {
            return Ok(false);
        };
        let Ok(found) = solve::run(&program, model, &Options::default(), true) else {
            return Ok(false);
        };
        // Executions that end in a deadlock are not seen.
        let waits = matches!(expected.violation, Some(Violation::Deadlock(_)));
        let endless = expected.bounds.iter().any(|b| *b != Bound::Waiting);
        if endless {
            return Ok(false);
        }
        let wrong = expected.violation.is_some() && !waits;
        // Where assumptions fail, the exploration may not come to what happens beside them.
        let more = found.violation.is_some() && (waits || expected.counts.blocked > 0);
        if found.violation.is_some() != wrong && !more {
            return Err(format!(
                "{model}: {:?} instead of {:?}",
                found.violation, expected.violation
            ));
        }
        if found.violation.is_none() && sketch.joins && outcomes(&found) != outcomes(&expected) {
            let (found, expected) = (outcomes(&found), outcomes(&expected));
            let missing: Vec<_> = expected.difference(&found).collect();
            let extra: Vec<_> = found.difference(&expected).collect();
            return Err(format!("{model}: missing {missing:?}, extra {extra:?}"));
        }
    }
    Ok(true)
}

#[test]
fn accesses() {
    for_all(ACCESSES, 40);
}

#[test]
fn objects() {
    let objects = true;
    for_all(
        Shape {
            objects,
            ..ACCESSES
        },
        20,
    );
}

#[test]
fn assumptions_and_assertions() {
    let checks = true;
    for_all(Shape { checks, ..ACCESSES }, 20);
}

#[test]
fn atomic_sections() {
    let sections = true;
    for_all(
        Shape {
            sections,
            ..ACCESSES
        },
        20,
    );
}

#[test]
fn loops_that_wait() {
    let awaits = true;
    for_all(Shape { awaits, ..ACCESSES }, 20);
}
