//! Programs in which a step that goes wrong hid executions once: `--all` finds each violation that their lines
//! `//: MESSAGE` name, and no other.

mod command_line;
mod json_report;
mod programs;

use json_report::check;
use programs::programs;

#[test]
fn what_goes_wrong_hides_nothing_else() {
    let options = ["--engine", "explore", "--all", "--model", "sc,tso,pso"];
    let programs = programs("tests/c/all");
    assert!(programs.len() >= 5, "{programs:?}");
    for path in programs {
        let text = std::fs::read_to_string(&path).expect("a readable program");
        let expected: Vec<&str> = text
            .lines()
            .filter_map(|l| l.strip_prefix("//: "))
            .collect();
        let report = check(&path, &options, &[]);
        for result in report["results"].as_array().expect("results") {
            let name = format!("{}: {result}", path.display());
            assert_eq!(result["counts"]["redundant"], 0, "{name}");
            let others = result["others"].as_array().expect("other violations");
            let violations = [&result["violation"]].into_iter().chain(others);
            let found: Vec<&str> = violations.filter_map(|v| v["message"].as_str()).collect();
            for message in &expected {
                let is_found = found.iter().any(|found| found.contains(message));
                assert!(is_found, "no {message}: {name}");
            }
            assert_eq!(found.len(), expected.len(), "{name}");
        }
    }
}
