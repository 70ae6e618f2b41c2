//! Every road to the outcomes of a program gives the same ones: the store-buffer
//! machine, the reorder-box machine, both with every step a state of its own, one
//! worker and several, with and without symmetry, the machine for C programs, and the axioms
//! read literally.
//!
//! A few hundred programs by default. `FENCEPOST_PROGRAMS=50000 cargo test --release
//! -p fencepost-states --test agreement` is the nightly size.

use memory::Model;
use oracle::OracleModel;
use oracle::generate::{GeneratedProgram, Limits, build, programs, sequence};
use program::{Program, Word};
use proptest::prelude::*;
use states::{MachineKind, Options};
use std::collections::BTreeSet;

fn count() -> usize {
    let asked = std::env::var("FENCEPOST_PROGRAMS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(300)
}

fn oracle_model(model: Model) -> OracleModel {
    match model {
        Model::Sc => OracleModel::Sc,
        Model::Tso => OracleModel::Tso,
        Model::Pso => OracleModel::Pso,
        Model::Rmo => OracleModel::Rmo,
        Model::Relaxed => OracleModel::Relaxed,
    }
}

fn outcomes(program: &Program, model: Model, options: &Options) -> BTreeSet<Vec<Word>> {
    let result = states::run(program, model, options).expect("generated programs run");
    assert!(result.bounds.is_empty(), "no bound is in the way");
    result
        .outcomes
        .into_iter()
        .map(|outcome| outcome.0)
        .collect()
}

/// Programs of at most so many accesses are also run with every step a state of
/// its own: a reorder box then has states for everything that may wait in it.
const FEW_ACCESSES: usize = 4;

/// The roads that must agree, by name.
fn roads(model: Model, accesses: usize) -> Vec<(&'static str, Options)> {
    let plain = Options::default();
    let boxes = Options {
        machine: MachineKind::ReorderBoxes,
        ..plain.clone()
    };
    let every_step = |options: &Options| Options {
        every_step: true,
        ..options.clone()
    };
    let mut roads = vec![
        ("store buffers where possible", plain.clone()),
        ("reorder boxes", boxes.clone()),
        (
            "without symmetry, three workers",
            Options {
                symmetry: false,
                jobs: 3,
                ..plain.clone()
            },
        ),
    ];
    if model != Model::Rmo {
        roads.push(("every step a state", every_step(&plain)));
    }
    if accesses <= FEW_ACCESSES {
        roads.push(("reorder boxes, every step a state", every_step(&boxes)));
    }
    roads
}

fn disagreement(generated: &GeneratedProgram) -> Option<String> {
    let program = &build(generated);
    for model in Model::MACHINES {
        let expected = oracle::outcomes(program, oracle_model(model));
        let mut found: Vec<(&str, BTreeSet<Vec<Word>>)> = Vec::new();
        for (road, options) in roads(model, generated.accesses()) {
            found.push((road, outcomes(program, model, &options)));
        }
        if model != Model::Rmo {
            let process = program.as_process();
            let options = Options::default();
            found.push(("as a C program", outcomes(&process, model, &options)));
        }
        for (road, found) in found {
            if found != expected {
                let missing: Vec<_> = expected.difference(&found).collect();
                let extra: Vec<_> = found.difference(&expected).collect();
                return Some(format!(
                    "{model}, {road}: missing {missing:?}, extra {extra:?}"
                ));
            }
        }
    }
    None
}

#[test]
fn every_road_finds_the_outcomes_of_the_axioms() {
    for (number, generated) in sequence(1).take(count()).enumerate() {
        if let Some(text) = disagreement(&generated) {
            panic!("program {number}: {text}\n{generated:#?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: (count() / 4) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// The same with random seeds, for the sake of shrinking.
    #[test]
    fn random_programs_agree_as_well(generated in programs(Limits::default())) {
        let disagreement = disagreement(&generated);
        prop_assert!(disagreement.is_none(), "{}", disagreement.unwrap_or_default());
    }
}
