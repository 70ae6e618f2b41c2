//! Programs in which a step that goes wrong hid executions once: `--all` finds each violation that their lines
//! `//: MESSAGE` name, and no other; `//:tso,pso: MESSAGE` is for these models only.

mod command_line;
mod json_report;
mod programs;

use json_report::check;
use programs::programs;

/// The models and the message that a line of a program expects.
fn expectation(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("//:")?;
    match line.strip_prefix(' ') {
        Some(message) => Some(("sc,tso,pso", message)),
        None => line.split_once(": "),
    }
}

#[test]
fn what_goes_wrong_hides_nothing_else() {
    let options = ["--engine", "explore", "--all", "--model", "sc,tso,pso"];
    let programs = programs("tests/c/all");
    assert!(programs.len() >= 6, "{programs:?}");
    for path in programs {
        let text = std::fs::read_to_string(&path).expect("a readable program");
        let expected: Vec<(&str, &str)> = text.lines().filter_map(expectation).collect();
        let report = check(&path, &options, &[]);
        for result in report["results"].as_array().expect("results") {
            let name = format!("{}: {result}", path.display());
            assert_eq!(result["counts"]["redundant"], 0, "{name}");
            let others = result["others"].as_array().expect("other violations");
            let violations = [&result["violation"]].into_iter().chain(others);
            let found: Vec<&str> = violations.filter_map(|v| v["message"].as_str()).collect();
            let model = result["model"].as_str().expect("a model");
            let expected = expected.iter().filter(|(models, _)| models.contains(model));
            for (_, message) in expected.clone() {
                let is_found = found.iter().any(|found| found.contains(message));
                assert!(is_found, "no {message}: {name}");
            }
            assert_eq!(found.len(), expected.count(), "{name}");
        }
    }
}
