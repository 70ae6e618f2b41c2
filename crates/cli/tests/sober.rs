//! The programs of `examples/robust`: right under SC, neither right nor robust under TSO as they are, and
//! both with their fences. Two roads must say so: executions of SC that are monitored, and those of TSO.

mod command_line;
mod json_report;
mod programs;

use command_line::repository;
use json_report::check;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// With what each program is compiled, and whether it is robust then.
const VERSIONS: [(&[&str], bool); 2] = [(&[], false), (&["-DFENCED"], true)];

/// The programs, by name.
fn examples() -> Vec<PathBuf> {
    let examples = programs::programs("examples/robust");
    assert!(examples.len() >= 5, "{examples:?}");
    examples
}

fn name(path: &Path) -> String {
    let name = path.file_name().expect("a file");
    name.to_string_lossy().into_owned()
}

/// What `fencepost robust` ends with, and what it prints.
fn robust(path: &Path, options: &[&str], defines: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("robust")
        .arg(path)
        .args(["--model", "tso"])
        .args(options)
        .arg("--")
        .args(defines)
        .output()
        .expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text)
}

#[test]
fn fences_make_programs_robust() {
    for path in examples() {
        for (defines, expected) in VERSIONS {
            let (code, text) = robust(&path, &[], defines);
            let wanted = Some(i32::from(!expected));
            assert_eq!(code, wanted, "{} {defines:?}:\n{text}", name(&path));
        }
    }
}

#[test]
fn executions_of_tso_agree() {
    let executions = |result: &Value| result["counts"]["executions"].as_u64();
    for path in examples() {
        for (defines, expected) in VERSIONS {
            let options = ["--all", "--model", "sc,tso"];
            let report = check(&path, &options, defines);
            let (sc, tso) = (&report["results"][0], &report["results"][1]);
            let program = format!("{} {defines:?}", name(&path));
            assert_eq!(sc["verdict"], "holds", "{program}");
            assert_eq!(tso["verdict"] == "holds", expected, "{program}");
            let others = tso["counts"]["not_sequential"].as_u64();
            assert_eq!(others == Some(0), expected, "{program}");
            if expected {
                assert_eq!(executions(tso), executions(sc), "{program}");
            }
        }
    }
}

/// The list in the directory has every program, with how many executions SC has, and how many of those
/// are borderline without fences.
#[test]
fn every_program_is_listed_with_its_counts() {
    let list = repository().join("examples/robust/README.md");
    let list = std::fs::read_to_string(list).expect("a list");
    for path in examples() {
        let link = format!("({})", name(&path));
        let rows: Vec<&str> = list.lines().filter(|line| line.contains(&link)).collect();
        assert_eq!(rows.len(), 1, "{link}");
        let cells: Vec<&str> = rows[0].split('|').map(str::trim).collect();
        let (_, text) = robust(&path, &["--count", "--format", "json"], &[]);
        let report: Value = serde_json::from_str(&text).expect("JSON");
        let counts = &report["results"][0]["counts"];
        let counted = [&counts["executions"], &counts["borderline"]].map(Value::to_string);
        assert_eq!(cells[3..5], counted, "{link}");
    }
}
