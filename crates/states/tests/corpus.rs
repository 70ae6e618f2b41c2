//! Every test of `tests/litmus` has exactly the final states that are stored
//! beside it, under each model stored there, on both machines.

mod reading;

use answer::Outcome;
use memory::Model;
use program::{Address, Program};
use reading::{both_machines, file, repository, run};
use serde_json::{Map, Value};
use states::Options;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Final states as text, with their values in the order of the names.
type States = BTreeSet<String>;

fn tests() -> Vec<PathBuf> {
    let directory = repository().join("tests/litmus");
    let entries = std::fs::read_dir(directory).expect("the stored tests");
    let paths = entries.map(|entry| entry.expect("a readable directory").path());
    let mut tests: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "litmus"))
        .collect();
    tests.sort();
    tests
}

/// The states stored beside a test, for each model.
fn stored(test: &Path) -> Vec<(Model, States)> {
    let text = std::fs::read_to_string(test.with_extension("json")).expect("stored states");
    let models: Map<String, Value> = serde_json::from_str(&text).expect("an object");
    let states = |list: &Value| -> States {
        let list = list.as_array().expect("a list of states");
        let state = |state: &Value| sorted_text(state.as_object().expect("a state").clone());
        list.iter().map(state).collect()
    };
    models
        .iter()
        .map(|(model, list)| (model.parse().expect("a model"), states(list)))
        .collect()
}

fn found(program: &Program, outcomes: &[Outcome]) -> States {
    let state = |outcome: &Outcome| {
        let values = program.observed.iter().zip(&outcome.0);
        let values = values.map(|(observable, &word)| {
            let place = Address::from_word(word).filter(|a| program.cell_at(*a).is_some());
            let value = match place {
                Some(address) => Value::from(program.location_name(address)),
                None => Value::from(observable.number(word) as i64),
            };
            (observable.name.clone(), value)
        });
        sorted_text(values.collect())
    };
    outcomes.iter().map(state).collect()
}

fn sorted_text(mut state: Map<String, Value>) -> String {
    state.sort_keys();
    Value::Object(state).to_string()
}

#[test]
fn stored_tests_have_exactly_the_stored_states() {
    let tests = tests();
    assert!(tests.len() >= 170, "only {} tests", tests.len());
    let mut wrong = Vec::new();
    for test in &tests {
        let program = file(test);
        let stored = stored(test);
        assert_eq!(stored.len(), Model::MACHINES.len(), "{}", test.display());
        for (model, expected) in stored {
            for options in both_machines(&Options::default()) {
                let result = run(&program, model, &options);
                assert!(result.bounds.is_empty(), "{}", test.display());
                if found(&program, &result.outcomes) != expected {
                    wrong.push(format!("{} under {model}", test.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
