//! Without `--engine` several engines work on an answer: it must not depend on the number of workers, nor on time.

mod command_line;
mod json_report;

use command_line::repository;
use json_report::check;
use serde_json::Value;

/// What is shown of an answer, without times and without what engines did that did not decide.
fn shown(report: &Value) -> Vec<Value> {
    let results = report["results"].as_array().expect("results");
    let fields = ["model", "verdict", "covers", "violation", "execution"];
    let shown = |result: &Value| fields.map(|field| result[field].clone());
    results.iter().flat_map(shown).collect()
}

/// `explore` takes long for these, and other engines find what is wrong.
#[test]
fn workers_and_repetition_change_nothing() {
    for (name, engine) in [
        ("tests/c/errors/trylock_spins_for_ever.c", "states"),
        ("tests/c/errors/endless_thread.c", "states"),
    ] {
        let path = repository().join(name);
        let ask = |jobs: &str| check(&path, &["--model", "sc,tso,pso", "--jobs", jobs], &[]);
        let first = ask("1");
        for result in first["results"].as_array().expect("results") {
            assert_eq!(result["verdict"], "violated", "{name}");
            assert_eq!(result["engine"], engine, "{name}");
            assert_eq!(result["portfolio"][0]["engine"], "explore", "{name}");
        }
        for jobs in ["1", "2", "4"] {
            assert_eq!(shown(&ask(jobs)), shown(&first), "{name}, {jobs} workers");
        }
    }
}

/// The solver finds nothing wrong in a program that can have a deadlock, and is not believed.
#[test]
fn an_engine_that_looks_for_less_decides_nothing() {
    let path = repository().join("tests/c/engines/awaits_another_late_store.c");
    let verdict = |options: &[&str]| check(&path, options, &[])["results"][0]["verdict"].clone();
    assert_eq!(verdict(&["--model", "sc", "--engine", "sat"]), "holds");
    assert_eq!(verdict(&["--model", "sc"]), "violated");
}

/// A loop without end is named, with how far it was followed; that is no proof.
#[test]
fn loops_without_end_are_named() {
    let path = repository().join("tests/c/limits/worker_without_end.c");
    for engine in ["sat", "auto"] {
        let options = ["--model", "tso", "--engine", engine, "--timeout", "3"];
        let report = check(&path, &options, &[]);
        let result = &report["results"][0];
        assert_eq!(result["verdict"], "undecided", "{engine}");
        let open = result["loops"].as_array().expect("loops");
        let lines: Vec<&Value> = open.iter().map(|open| &open["line"]).collect();
        assert_eq!(lines, [7], "{engine}: {result}");
        assert!(open[0]["iterations"].as_u64() >= Some(1), "{engine}");
    }
}
