//! The litmus tests of the repository.

use crate::by_sat;
use memory::Model;
use program::{Program, Source, Word};
use solve::sat::OrderBy;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn tests() -> Vec<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = std::fs::read_dir(repository.join("tests/litmus")).expect("the stored tests");
    let paths = entries.map(|entry| entry.expect("a readable directory").path());
    let litmus = |path: &PathBuf| path.extension().is_some_and(|end| end == "litmus");
    let mut tests: Vec<PathBuf> = paths.filter(litmus).collect();
    tests.sort();
    tests
}

fn by_states(program: &Program, model: Model) -> BTreeSet<Vec<Word>> {
    let options = states::Options {
        stop_at_violation: false,
        explain: false,
        ..states::Options::default()
    };
    let result = states::run(program, model, &options).expect("the machines run it");
    assert!(result.bounds.is_empty());
    result
        .outcomes
        .into_iter()
        .map(|outcome| outcome.0)
        .collect()
}

#[test]
fn litmus_tests_have_the_outcomes_of_the_machines() {
    let tests = tests();
    assert!(tests.len() >= 170);
    for path in tests {
        let text = std::fs::read_to_string(&path).expect("a readable test");
        let source = Source::new(path.display().to_string(), text);
        let mut program = frontend::read(&source).expect("a litmus test");
        program.properties = Default::default();
        for model in Model::MACHINES {
            let found = by_sat(&program, model, OrderBy::Theory);
            assert_eq!(
                found,
                by_states(&program, model),
                "{}, {model}",
                path.display()
            );
        }
    }
}
