//! `fencepost monitor` as a user meets it, and logs that programs record.

use record::{Recorded, Recorder};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const DOCS: &str = include_str!("../../../docs/reference/monitor.md");
const JSON_DOCS: &str = include_str!("../../../docs/reference/json.md");

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A new directory for what one test makes.
fn directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("monitor")
        .join(test);
    std::fs::create_dir_all(&directory).expect("a new directory");
    directory
}

/// Monitors a text on standard input.
fn monitor(text: &str, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(["monitor", "-"]).args(options);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command runs");
    let mut input = child.stdin.take().expect("standard input");
    input
        .write_all(text.as_bytes())
        .expect("it reads everything");
    drop(input);
    child.wait_with_output().expect("the command ends")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

const HEADER: &str = "thread,operation,address,at\n";
const SB: &str = "1,store,x,a.c:1\n1,load,y,a.c:2\n2,store,y,a.c:5\n2,load,x,a.c:6\n";

#[test]
fn the_document_lists_every_operation() {
    let heading = "| operation | meaning |";
    let table = DOCS.lines().skip_while(|line| *line != heading).skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    let names = rows.flat_map(|row| row.split('|').nth(1).expect("a cell").split(','));
    let listed: Vec<&str> = names.map(|name| name.trim().trim_matches('`')).collect();
    let mut known = frontend::log::OPERATIONS.map(|(name, _)| name).to_vec();
    let mut sorted = listed.clone();
    known.sort_unstable();
    sorted.sort_unstable();
    assert_eq!(sorted, known);
}

#[test]
fn a_log_without_points_holds() {
    let fenced = SB
        .replace("1,load", "1,fence,,\n1,load")
        .replace("2,load", "2,fence,,\n2,load");
    let output = monitor(&format!("{HEADER}{fenced}"), &["--model", "tso,pso"]);
    assert_eq!(code(&output), 0);
    let printed = text(&output.stdout);
    let expected =
        "holds under tso: no borderline point\nholds under pso: no borderline point\n6 events";
    assert!(printed.starts_with(expected), "{printed}");
}

#[test]
fn points_beyond_the_limit_are_counted() {
    let rows = SB.repeat(50);
    let output = monitor(&format!("{HEADER}{rows}"), &["--max", "2"]);
    let printed = text(&output.stdout);
    assert_eq!(
        printed
            .lines()
            .filter(|line| line.starts_with("<stdin>:"))
            .count(),
        2
    );
    assert!(printed.contains("\nand "), "{printed}");
    let place = "points: load at a.c:6 could miss the store at a.c:1\n";
    assert!(printed.contains(place), "{printed}");
}

#[test]
fn json_has_the_fields_that_the_document_lists() {
    let options = ["--format", "json", "--model", "tso,pso"];
    let output = monitor(&format!("{HEADER}{SB}"), &options);
    assert_eq!(code(&output), 1);
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["events"], 4);
    assert_eq!(value["results"][0]["points"][0]["write"]["line"], 2);
    assert_eq!(value["results"][1]["model"], "pso");
    let (_, section) = JSON_DOCS.split_once("\n## Monitor\n").expect("a section");
    let (section, _) = section.split_once("\n## ").expect("its end");
    let result = &value["results"][0];
    let objects = [
        &value,
        result,
        &result["points"][0],
        &result["points"][0]["write"],
        &result["places"][0],
    ];
    for field in objects
        .iter()
        .flat_map(|object| object.as_object().expect("an object").keys())
    {
        assert!(section.contains(&format!("`{field}`")), "{field}");
    }
}

#[test]
fn bad_logs_are_bad_input() {
    let output = monitor("thread,operation,address\n1,lod,x\n", &[]);
    assert_eq!(code(&output), 2);
    assert!(
        text(&output.stderr).contains("<stdin>:2:3"),
        "{}",
        text(&output.stderr)
    );
    let empty = monitor(HEADER, &[]);
    assert_eq!(
        (code(&empty), text(&empty.stderr)),
        (2, "fencepost: <stdin> has no events\n".to_owned())
    );
    let rows: String = (0..1025)
        .map(|thread| format!("{thread},load,x,\n"))
        .collect();
    let many = monitor(&format!("{HEADER}{rows}"), &[]);
    assert_eq!(code(&many), 2);
    assert!(text(&many.stderr).contains("<stdin>:1026: more than 1024 threads"));
    assert_eq!(code(&monitor(SB, &["--model", "rmo"])), 2);
}

#[test]
fn an_execution_that_is_not_sequential_is_a_violation() {
    let rows = "1,store,x,1\n1,load,y,0\n2,store,y,1\n2,load,x,0\n";
    let output = monitor(&format!("thread,operation,address,index\n{rows}"), &[]);
    assert_eq!(code(&output), 1);
    let told = text(&output.stderr);
    assert!(
        told.contains("line 2 shows that the execution is not sequentially consistent"),
        "{told}"
    );
}

/// The newest clang on the path.
fn clang() -> String {
    let versioned = (14..40).rev().map(|version| format!("clang-{version}"));
    let mut names = versioned.chain(["clang".to_owned()]);
    let runs = |name: &String| Command::new(name).arg("--version").output().is_ok();
    names.find(runs).expect("clang is installed")
}

/// Compiles and runs the recorded lock, and monitors its log.
fn recorded_lock(test: &str, flags: &[&str]) -> Output {
    let directory = directory(test);
    let mut compile = Command::new(clang());
    let warnings = [
        "-std=c11",
        "-D_GNU_SOURCE",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
    ];
    compile
        .args(warnings)
        .args(["-pthread", "-I", "crates/frontend/include"])
        .args(flags);
    compile
        .arg("examples/record/lock.c")
        .arg("-o")
        .arg(directory.join("lock"));
    let compiled = compile
        .current_dir(repository())
        .status()
        .expect("clang runs");
    assert!(compiled.success());
    let mut lock = Command::new(directory.join("lock"));
    let output = lock
        .env("FENCEPOST_LOG", directory.join("lock.csv"))
        .output()
        .expect("it runs");
    assert_eq!(text(&output.stdout), "200\n");
    let log = std::fs::read_to_string(directory.join("lock.csv")).expect("it was recorded");
    assert!(
        log.lines().any(|row| row.starts_with("1,start,2,")),
        "{log}"
    );
    monitor(&log, &[])
}

#[test]
fn a_recorded_lock_without_fences_is_borderline() {
    let output = recorded_lock("lock", &[]);
    assert_eq!(code(&output), 1);
    let printed = text(&output.stdout);
    let (access, write) = (
        "at examples/record/lock.c:19 could miss",
        "at examples/record/lock.c:14 (tso)",
    );
    assert!(
        printed.contains(access) && printed.contains(write),
        "{printed}"
    );
}

#[test]
fn a_recorded_lock_with_fences_holds() {
    let output = recorded_lock("fenced", &["-DFENCE"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stdout));
}

/// Store buffering in Rust, with or without fences.
fn recorded_in_rust(fenced: bool) -> Output {
    let recorder = Recorder::to(Vec::new());
    let (x, y) = (
        Recorded::named(&recorder, "x", 0),
        Recorded::named(&recorder, "y", 0),
    );
    let turn = |own: &Recorded<'_, i32, Vec<u8>>, other: &Recorded<'_, i32, Vec<u8>>| {
        own.store(1);
        if fenced {
            recorder.fence();
        }
        other.load()
    };
    recorder.scope(|scope| {
        let thread = scope.spawn(|| turn(&x, &y));
        turn(&y, &x);
        thread.join().expect("it ends");
    });
    let log = recorder.finish().expect("it is written");
    monitor(&text(&log), &[])
}

#[test]
fn rust_programs_are_recorded() {
    assert_eq!(code(&recorded_in_rust(true)), 0);
    // Whichever thread loads last could miss the other's store, unless both stores came first.
    let mut runs = std::iter::repeat_with(|| recorded_in_rust(false)).take(1000);
    assert!(runs.any(|output| code(&output) == 1));
}
