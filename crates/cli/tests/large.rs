//! A C file of several thousand lines, `tests/c/large/library.c`, prints under the interpreter
//! what it prints when it is compiled natively, however its threads are scheduled.

mod command_line;

use command_line::repository;
use std::path::Path;
use std::process::{Command, Output};

/// The newest clang on the path.
fn clang() -> String {
    let versioned = (14..40).rev().map(|version| format!("clang-{version}"));
    let mut names = versioned.chain(["clang".to_owned()]);
    let runs = |name: &String| Command::new(name).arg("--version").output().is_ok();
    names.find(runs).expect("clang is installed")
}

fn run(command: &mut Command) -> Output {
    let output = command.output();
    output.unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn printed(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", output.status);
    String::from_utf8(output.stdout.clone()).expect("text")
}

#[test]
fn a_library_of_thousands_of_lines_runs_as_natively() {
    let source = repository().join("tests/c/large/library.c");
    let lines = std::fs::read_to_string(&source)
        .expect("a readable program")
        .lines()
        .count();
    assert!(lines > 3000, "{lines} lines");

    let executable = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library");
    let mut compile = Command::new(clang());
    compile.args(["-Wall", "-Wextra", "-Werror", "-pthread", "-o"]);
    printed(&run(compile.args([&executable, &source])));
    let expected = printed(&run(&mut Command::new(&executable)));
    assert!(expected.ends_with(" checks\n"), "{expected}");

    for seed in ["1", "2", "3"] {
        let mut interpret = Command::new(env!("CARGO_BIN_EXE_fencepost"));
        interpret.arg("run").arg(&source).args(["--seed", seed]);
        assert_eq!(printed(&run(&mut interpret)), expected, "seed {seed}");
    }
    let mut interpret = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    interpret
        .arg("run")
        .arg(&source)
        .args(["--schedule", "first"]);
    assert_eq!(
        printed(&run(&mut interpret)),
        expected,
        "the first thread first"
    );
}
