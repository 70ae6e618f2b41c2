//! Small C programs, each with what must be found in it on its first line:
//! `// check [OPTIONS]: KIND`, where the kind is `holds` or that of the violation. And the
//! same from every version of clang: the same verdict, outcomes and lines.

mod command_line;
mod json_report;
mod programs;

use command_line::repository;
use json_report::check;
use programs::programs;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Options and expectation of a program.
fn header(path: &Path) -> (Vec<String>, String) {
    let text = std::fs::read_to_string(path).expect("a readable program");
    let line = text.lines().next().unwrap_or_default();
    let line = line
        .strip_prefix("// check")
        .expect("a first line that says what to check");
    let (options, expected) = line.rsplit_once(':').expect("a colon");
    let options = options.split_whitespace().map(str::to_owned).collect();
    (options, expected.trim().to_owned())
}

/// Options of a program, with the models that it is checked under, and expectation.
fn asked(path: &Path) -> (Vec<String>, String) {
    let (mut options, expected) = header(path);
    if !options.iter().any(|option| option == "--model") {
        options.extend(["--model", "sc,tso,pso"].map(str::to_owned));
    }
    (options, expected)
}

fn judged(path: &Path, extra: &[&str]) -> (Value, String) {
    let (options, expected) = asked(path);
    let mut arguments: Vec<&str> = options.iter().map(String::as_str).collect();
    arguments.extend(extra);
    (check(path, &arguments, &[]), expected)
}

/// What the engine sat says; nothing if it refuses the program, and prints no report.
fn judged_by_formula(path: &Path) -> (Vec<Value>, String) {
    let (options, expected) = asked(path);
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.arg("check").arg(path).args(options);
    command.args(["--engine", "sat", "--format", "json"]);
    let output = command.output().expect("the command runs");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let results = report["results"].as_array().cloned();
    (results.unwrap_or_default(), expected)
}

/// What a result came to: `holds`, or the kind of the violation.
fn kind(result: &Value) -> &str {
    match result["verdict"].as_str() {
        Some("violated") => result["violation"]["kind"].as_str().unwrap_or("?"),
        verdict => verdict.unwrap_or("?"),
    }
}

fn all_as_expected(directory: &str) {
    let programs = programs(directory);
    assert!(programs.len() >= 10);
    let mut wrong = Vec::new();
    for path in &programs {
        let (report, expected) = judged(path, &[]);
        let results = report["results"].as_array().cloned().unwrap_or_default();
        if results.is_empty() {
            wrong.push(format!("{}: no result: {report}", path.display()));
        }
        for result in results {
            if kind(&result) != expected {
                let (model, found) = (&result["model"], kind(&result));
                let violation = &result["violation"]["message"];
                wrong.push(format!(
                    "{} {model}: {found}, not {expected}: {violation}",
                    path.display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn errors_are_found() {
    all_as_expected("tests/c/errors");
}

#[test]
fn right_programs_hold() {
    all_as_expected("tests/c/right");
}

/// The engine sat says the same of what it accepts, unless it says that it did not look for it.
#[test]
fn formulas_find_the_same() {
    let (mut wrong, mut answers) = (Vec::new(), 0);
    for path in ["tests/c/errors", "tests/c/right"].map(programs).concat() {
        let (results, expected) = judged_by_formula(&path);
        // Those are limits of the machine.
        if expected == "undecided" {
            continue;
        }
        for result in &results {
            let covers = result["covers"].as_str().unwrap_or_default();
            let found = match kind(result) {
                "undecided" => continue,
                "holds" if covers != "everything" => continue,
                found => found,
            };
            answers += 1;
            if found != expected {
                let model = &result["model"];
                wrong.push(format!(
                    "{} {model}: {found}, not {expected}",
                    path.display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(answers >= 90, "only {answers} answers");
}

#[test]
fn printing_adds_no_executions() {
    let path = repository().join("tests/c/right/print_in_threads.c");
    let executions = |compiler: &[&str]| {
        let report = check(&path, &["--model", "sc,tso,pso"], compiler);
        let results = report["results"].as_array().into_iter().flatten();
        let counts = results.map(|result| result["counts"]["executions"].as_u64());
        counts.collect::<Option<Vec<_>>>().expect("counts")
    };
    assert_eq!(executions(&[]), executions(&["-DQUIET"]));
}

/// What must not depend on the compiler's version.
fn essence(report: &Value) -> Vec<String> {
    let results = report["results"].as_array().into_iter().flatten();
    let essence = results.map(|result| {
        let violation = &result["violation"];
        let (line, column) = (&violation["line"], &violation["text"]);
        format!(
            "{} {} {} {line} {column} {} {}",
            result["model"],
            result["verdict"],
            violation["kind"],
            violation["message"],
            result["outcomes"]
        )
    });
    essence.collect()
}

#[test]
fn versions_of_clang_agree() {
    let mut wrong = Vec::new();
    for path in programs("tests/c/errors")
        .iter()
        .chain(&programs("tests/c/right"))
    {
        let [first, rest @ ..] = ["clang-14", "clang-16", "clang-19"].map(|clang| {
            let (report, _) = judged(path, &["--clang", clang]);
            (clang, essence(&report))
        });
        for other in rest {
            if other.1 != first.1 || first.1.is_empty() {
                wrong.push(format!("{}:\n{first:?}\n{other:?}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn examples_get_their_verdicts() {
    let directory = repository().join("examples/c");
    let table = std::fs::read_to_string(directory.join("expected.tsv")).expect("a table");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    let mut wrong = Vec::new();
    for group in rows.chunk_by(|a, b| a[..2] == b[..2]) {
        let define = match group[0][1] {
            "-" => vec![],
            name => vec![format!("-D{name}")],
        };
        let define: Vec<&str> = define.iter().map(String::as_str).collect();
        let report = check(
            &directory.join(group[0][0]),
            &["--model", "sc,tso,pso"],
            &define,
        );
        for row in group {
            let (file, defines, model, verdict, kinds) = (row[0], row[1], row[2], row[3], row[4]);
            let results = report["results"].as_array().into_iter().flatten();
            let result = results.into_iter().find(|result| result["model"] == model);
            let found = result.map_or("nothing", kind);
            let right = match verdict {
                "holds" => found == "holds",
                _ => kinds.split(',').any(|kind| kind == found),
            };
            if !right {
                wrong.push(format!(
                    "{file} {defines} {model}: {found}, not {verdict} {kinds}"
                ));
            }
        }
    }
    assert!(rows.len() >= 180);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn unroll_is_the_number_of_iterations() {
    let path = repository().join("tests/c/limits/iterations.c");
    for iterations in [2, 3, 8, 9] {
        let define = format!("-DITERATIONS={iterations}");
        for (most, verdict) in [
            (iterations - 1, "undecided"),
            (iterations, "holds"),
            (iterations + 1, "holds"),
        ] {
            for engine in ["explore", "states"] {
                let most = most.to_string();
                let options = ["--engine", engine, "--model", "tso", "--unroll", &most];
                let report = check(&path, &options, &[&define]);
                let result = &report["results"][0];
                assert_eq!(
                    result["verdict"], verdict,
                    "{engine}, {most} of {iterations}: {result}"
                );
            }
        }
    }
}
