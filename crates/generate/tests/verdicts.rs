//! The verdicts of `tests/litmus/verdicts`, under every model, on both machines with boxes and
//! buffers of several sizes, by the plain search as well, and by `sat` where it takes the test.

use answer::Verdict;
use memory::Model;
use program::{Program, Source};
use states::{MachineKind, Options};
use std::path::Path;

/// Which models break the test.
enum Broken {
    Never,
    Always,
    /// Every model but these.
    Except(&'static [Model]),
}

use Broken::{Always, Except, Never};

const EXPECTED: [(&str, Broken); 18] = [
    ("register-between-loads", Always),
    (
        "store-and-label-in-one-step",
        Except(&[Model::Tso, Model::Pso, Model::Rmo]),
    ),
    ("falling-into-a-label", Never),
    ("locked-instruction-is-one-step", Never),
    ("implication-binds-tighter-than-and", Always),
    ("failed-cmpxchg-keeps-upper-half", Never),
    ("filter-on-a-value-not-shown", Always),
    ("label-of-a-store-behind-a-load", Always),
    ("label-of-a-nop", Never),
    ("nop-is-a-step", Always),
    ("exchange-of-registers-is-one-step", Never),
    ("fence-waits-for-the-buffer", Never),
    ("locked-exchange-and-register", Never),
    ("unlocked-update-stays-at-its-label", Never),
    ("delay-slot-is-the-next-step", Never),
    ("eventually-at-each-label", Never),
    ("two-views-of-a-register", Always),
    ("filter-on-a-wider-view", Always),
];

fn program(name: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/litmus/verdicts")
        .join(format!("{name}.litmus"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    frontend::read(&Source::new(name, text)).unwrap_or_else(|complaint| panic!("{complaint}"))
}

fn expected(broken: &Broken, model: Model) -> Verdict {
    let is_broken = match broken {
        Never => false,
        Always => true,
        Except(models) => !models.contains(&model),
    };
    match is_broken {
        true => Verdict::Violated,
        false => Verdict::Holds,
    }
}

#[test]
fn machines_have_the_verdicts_of_the_documentation() {
    let mut wrong = Vec::new();
    for (name, broken) in &EXPECTED {
        let program = program(name);
        for model in Model::MACHINES {
            for machine in [MachineKind::Auto, MachineKind::ReorderBoxes] {
                for size in [None, Some(1), Some(2), Some(3)] {
                    for plain in [false, true] {
                        let options = Options {
                            machine,
                            reorder_box: size,
                            plain,
                            ..Options::default()
                        };
                        let result = states::run(&program, model, &options).unwrap();
                        if result.verdict != expected(broken, model) {
                            let verdict = result.verdict;
                            wrong.push(format!(
                                "{name} {model} {machine:?} {size:?} plain {plain}: {verdict:?}"
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn sat_has_the_verdicts_of_the_documentation() {
    for name in [
        "implication-binds-tighter-than-and",
        "failed-cmpxchg-keeps-upper-half",
        "filter-on-a-value-not-shown",
        "two-views-of-a-register",
        "filter-on-a-wider-view",
    ] {
        let (_, broken) = EXPECTED.iter().find(|(known, _)| *known == name).unwrap();
        for model in Model::ALL {
            let options = solve::Options::default();
            let result = solve::run(&program(name), model, &options, false).unwrap();
            assert_eq!(result.verdict, expected(broken, model), "{name} {model}");
        }
    }
}

#[test]
fn every_stored_test_has_a_verdict() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/litmus/verdicts");
    for entry in std::fs::read_dir(directory).expect("the stored tests") {
        let path = entry.expect("a readable directory").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let known = EXPECTED.iter().any(|(known, _)| *known == name);
        assert!(
            known || path.extension().is_some_and(|end| end == "md"),
            "{name}"
        );
    }
}
