//! Programs on which an engine was wrong once, and others like them: every engine that accepts a
//! program gives the answer that its first lines ask for, `//: MODELS: VERDICT[: OPTIONS OF
//! CLANG]`, and so does the choice that is made without naming one.

mod command_line;
mod json_report;
mod programs;

use command_line::repository;
use json_report::check;
use programs::programs;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Engines with the models that they know; the first is the default.
const ENGINES: [(&str, &str); 4] = [
    ("auto", "sc,tso,pso,rmo,relaxed"),
    ("explore", "sc,tso,pso"),
    ("states", "sc,tso,pso,rmo"),
    ("sat", "sc,tso,pso,rmo,relaxed"),
];

/// A line that says what is asked.
struct Question {
    models: Vec<String>,
    verdict: String,
    options: Vec<String>,
}

fn questions(path: &Path) -> Vec<Question> {
    let text = std::fs::read_to_string(path).expect("a readable program");
    let lines = text.lines().map_while(|line| line.strip_prefix("//: "));
    let question = |line: &str| {
        let mut parts = line.splitn(3, ": ");
        let models = parts.next().expect("models").split(',');
        let verdict = parts.next().expect("a verdict").trim().to_owned();
        let options = parts.next().unwrap_or_default().split_whitespace();
        Question {
            models: models.map(str::to_owned).collect(),
            verdict,
            options: options.map(str::to_owned).collect(),
        }
    };
    lines.map(question).collect()
}

/// The verdict of an engine under a model; none if it refuses the program.
fn verdict(path: &Path, engine: &str, model: &str, options: &[String]) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    let timeout = ["--timeout", "60"];
    let asked = ["--engine", engine, "--model", model, "--format", "json"];
    command.arg("check").arg(path).args(asked).args(timeout);
    if !options.is_empty() {
        command.arg("--").args(options);
    }
    let output = command.output().expect("the command runs");
    let report: Value = serde_json::from_slice(&output.stdout).ok()?;
    let result = &report["results"][0];
    // An exploration that began an execution in vain was wrong on the way.
    let redundant = result["counts"]["redundant"].as_u64().unwrap_or(0);
    assert_eq!(redundant, 0, "{} {model} {options:?}", path.display());
    // What an engine says that it does not look for is no answer.
    let covers = result["covers"].as_str().unwrap_or_default();
    let partial = [
        "without deadlock or livelock",
        "neither freed nor destroyed",
        "are defined",
    ];
    let partial = partial.into_iter().any(|part| covers.contains(part));
    let verdict = result["verdict"].as_str()?;
    (!(partial && verdict == "holds" && engine != "auto")).then(|| verdict.to_owned())
}

#[test]
fn every_engine_that_accepts_a_program_gives_the_right_answer() {
    let (mut wrong, mut answers) = (Vec::new(), 0);
    for path in &programs("tests/c/engines") {
        let questions = questions(path);
        assert!(!questions.is_empty(), "{} asks nothing", path.display());
        for question in &questions {
            for (engine, known) in ENGINES {
                for model in &question.models {
                    if !known.split(',').any(|known| known == model) {
                        continue;
                    }
                    let found = verdict(path, engine, model, &question.options);
                    answers += u32::from(found.is_some());
                    let right = found
                        .as_deref()
                        .map_or(engine != "auto", |found| found == question.verdict);
                    if !right {
                        let (name, options) = (path.display(), question.options.join(" "));
                        wrong.push(format!(
                            "{name} {options} {model} {engine}: {found:?}, not {}",
                            question.verdict
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(answers > 300, "only {answers} answers");
}

/// Iterations that change nothing are no part of an execution, however often a thread waits again.
#[test]
fn waiting_again_makes_no_executions() {
    let path = repository().join("tests/c/engines/waits_again.c");
    let options = ["--engine", "explore", "--model", "sc,tso,pso", "--count"];
    let report = check(&path, &options, &[]);
    let results = report["results"].as_array().expect("results");
    let executions = results.iter().map(|result| &result["counts"]["executions"]);
    assert_eq!(executions.collect::<Vec<_>>(), [21, 21, 21]);
}
