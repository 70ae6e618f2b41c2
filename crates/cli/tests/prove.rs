//! `fencepost prove`: what it decides for every buffer size is what `check` finds within its bounds.

mod command_line;

use command_line::repository;
use serde_json::Value;
use std::process::{Command, Output};

fn fencepost(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.current_dir(repository()).args(arguments);
    command.output().expect("the command runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn results(command: &str, path: &str) -> Vec<Value> {
    let output = fencepost(&[command, "--model", "sc,tso,pso", "--format", "json", path]);
    let text = stdout(&output);
    if text.is_empty() {
        return Vec::new();
    }
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
    report["results"].as_array().expect("results").clone()
}

#[test]
fn litmus_tests_have_the_verdicts_of_check() {
    let mut compared = 0;
    for folder in ["examples/x86", "examples/sparc"] {
        let files = std::fs::read_dir(repository().join(folder)).expect("a folder");
        let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        files.sort();
        for file in files {
            let path = file.to_str().expect("a name");
            if !path.ends_with(".litmus") {
                continue;
            }
            // Invariants and liveness are refused.
            for (proved, checked) in results("prove", path).iter().zip(results("check", path)) {
                assert_eq!(proved["model"], checked["model"], "{path}");
                assert_eq!(proved["verdict"], checked["verdict"], "{path}: {proved}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 90, "{compared}");
}

#[test]
fn the_report_says_what_a_proof_covers() {
    let path = "examples/prove/peterson.c";
    let output = fencepost(&["prove", path, "--", "-DFENCES"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("holds under tso (everything covered)"));
    let output = fencepost(&["prove", path]);
    assert_eq!(code(&output), 1);
    // The machine has run it.
    let text = stdout(&output);
    assert!(text.contains("An execution that shows it:"), "{text}");
    assert!(text.contains("waits in the buffer"), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let output = fencepost(&["prove", "examples/prove/peterson.c", "--buffer", "3"]);
    assert_eq!(code(&output), 2);
    let output = fencepost(&["prove", "--model", "rmo", "examples/x86/SB.litmus"]);
    assert_eq!(code(&output), 2);
}
