//! Fail, save, replay, and fail in the same way: for every kind of violation that `fencepost explain` lists, and every engine.

use report::{CODES, Code};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn fencepost(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(arguments).current_dir(directory);
    command.env("COLUMNS", "100").env("NO_COLOR", "1");
    command.output().expect("the command runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// A directory with the example of a kind of violations, the name of that file, and the command that finds it.
fn example(kind: &Code) -> (TempDir, Vec<String>) {
    let directory = tempfile::tempdir().expect("a directory");
    let words = kind.command.split_whitespace().skip(1);
    let words = words.map(|word| word.trim_matches('\'').replace("FILE", "example"));
    let words: Vec<String> = words.collect();
    let file = words.iter().find(|word| word.starts_with("example"));
    fs::write(directory.path().join(file.expect("a file")), kind.example).expect("a new file");
    (directory, words)
}

/// The explanation and the execution, without the command that replays it and what some commands say besides.
fn shown(text: &str) -> String {
    let notes = ["-->", "= cause:", "= note:", "= help:", "= more:"];
    let note = |line: &&str| notes.iter().any(|note| line.contains(note));
    let start = text.find("shows it").unwrap_or(0);
    let end = text[start..]
        .find("\nviolated under")
        .map_or(text.len(), |end| start + end);
    let execution = text[start..end].lines().skip(1);
    let lines: Vec<&str> = text.lines().filter(note).chain(execution).collect();
    lines.join("\n").trim().to_owned()
}

/// What is wrong with a replay, if anything; nothing at all if the engine does not find the violation.
fn replayed(kind: &Code, engine: Option<&str>) -> Option<Result<(), String>> {
    let (directory, mut words) = example(kind);
    words.extend(["--save", "saved.json"].map(str::to_owned));
    words.extend(engine.map(|engine| format!("--engine={engine}")));
    if words[0] == "refine" {
        // Not a model that only the solver has.
        words.push("--model=tso".to_owned());
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let first = fencepost(directory.path(), &words);
    let saved = directory.path().join("saved.json");
    if code(&first) != Some(1) || !saved.is_file() {
        return None;
    }
    let again = fencepost(directory.path(), &["replay", "saved.json"]);
    let (first, text_again) = (text(&first), text(&again));
    let same = shown(&first) == shown(&text_again);
    let was_run = text_again
        .lines()
        .next()
        .is_some_and(|line| line.contains(": replayed, "));
    // The machine does not confirm all that the solver claims, and the report says so.
    let was_run = was_run || first.contains("(not replayed on a machine)");
    let told = first.contains("replay: fencepost replay saved.json");
    Some(if code(&again) == Some(1) && same && was_run && told {
        Ok(())
    } else {
        let errors = String::from_utf8_lossy(&again.stderr).into_owned();
        Err(format!(
            "{words:?}\n{first}\n--- replayed:\n{text_again}{errors}"
        ))
    })
}

/// Kinds of which every replay is right, and what is wrong with the others.
fn all(engine: Option<&str>) -> Vec<&'static str> {
    let wrong_or_right = |kind: &'static Code| Some((kind, replayed(kind, engine)?));
    let found: Vec<_> = CODES.iter().filter_map(wrong_or_right).collect();
    let wrong = found.iter().filter_map(|(_, done)| done.as_ref().err());
    let wrong: Vec<&String> = wrong.collect();
    assert!(wrong.is_empty(), "{engine:?}: {wrong:#?}");
    found.iter().map(|(kind, _)| kind.name).collect()
}

#[test]
fn every_kind_of_violation_is_replayed() {
    let kinds = all(None);
    // Where there is no witness there is nothing to show.
    let expected = CODES.iter().map(|code| code.name);
    let expected: Vec<&str> = expected.filter(|name| *name != "no-witness").collect();
    assert_eq!(kinds, expected);
}

#[test]
fn every_kind_that_explore_finds_is_replayed() {
    assert!(all(Some("explore")).len() >= 17);
}

#[test]
fn every_kind_that_states_finds_is_replayed() {
    assert!(all(Some("states")).len() >= 20);
}

#[test]
fn what_sat_finds_and_a_machine_confirms_is_replayed() {
    let kinds = all(Some("sat"));
    assert!(
        kinds.contains(&"assertion") && kinds.contains(&"final-state"),
        "{kinds:?}"
    );
}

const SB: &str = "X86 SB\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n \
                  MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";

/// A directory with some files.
fn files(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        fs::write(directory.path().join(name), text).expect("a new file");
    }
    let path = directory.path().to_owned();
    (directory, path)
}

#[test]
fn witnesses_and_outcomes_are_replayed_under_every_machine() {
    let (_keep, here) = files(&[("SB.litmus", SB)]);
    for options in [
        ["check", "--model=tso", "--machine=auto"],
        ["check", "--model=tso", "--machine=reorder-box"],
        ["check", "--model=rmo", "--machine=auto"],
        ["outcomes", "--model=tso", "--trace=1"],
        [
            "outcomes",
            "--model=sc,pso,rmo",
            "--trace=0:EAX=1 /\\ 1:EAX=1",
        ],
    ] {
        let first = [&options[..], &["SB.litmus", "--save=saved.json"]].concat();
        assert_eq!(code(&fencepost(&here, &first)), Some(0), "{options:?}");
        let again = fencepost(&here, &["replay", "saved.json"]);
        let printed = text(&again);
        assert_eq!(code(&again), Some(0), "{options:?}: {printed}");
        assert!(printed.contains("steps, as they were saved"), "{printed}");
    }
}

#[test]
fn what_only_the_solver_claims_is_shown_and_said_not_to_be_run() {
    let (_keep, here) = files(&[("SB.litmus", SB)]);
    let options = ["check", "--model=relaxed", "SB.litmus", "--save=saved.json"];
    assert_eq!(code(&fencepost(&here, &options)), Some(0));
    let again = text(&fencepost(&here, &["replay", "saved.json"]));
    assert!(
        again.contains("not run again: no machine has run"),
        "{again}"
    );
    assert!(again.contains("The execution, in memory order"), "{again}");
}

#[test]
fn each_step_has_what_memory_is_like_behind_it() {
    let (_keep, here) = files(&[("SB.litmus", SB)]);
    fencepost(&here, &["check", "SB.litmus", "--save=saved.json"]);
    let steps = text(&fencepost(&here, &["replay", "saved.json", "--step"]));
    assert!(steps.contains("\n    store buffer of P0: x=1\n"), "{steps}");
    assert!(steps.contains("    memory: x=1 y=1\n"), "{steps}");
}

#[test]
fn a_run_is_replayed() {
    let program = "#include <assert.h>\n#include <stdio.h>\n\
                   int main(void) { int x = getchar_(); printf(\"%d\", x); assert(x == 0); }\n";
    let program = program.replace("getchar_()", "3");
    let (_keep, here) = files(&[("a.c", &program)]);
    let first = fencepost(&here, &["run", "a.c", "--save", "a run.json"]);
    assert_eq!(code(&first), Some(1));
    let errors = String::from_utf8_lossy(&first.stderr);
    assert!(errors.contains("fencepost replay 'a run.json'"), "{errors}");
    assert_eq!(code(&fencepost(&here, &["replay", "a run.json"])), Some(1));
}

/// The complaint of a replay that is refused.
fn refused(here: &Path) -> String {
    let output = fencepost(here, &["replay", "saved.json"]);
    assert_eq!(code(&output), Some(2));
    assert!(output.stdout.is_empty());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_replay_is_refused_if_the_program_is_another_one() {
    let header = "static int limit = 1;\n";
    let program = "#include <assert.h>\n#include \"limit.h\"\n\
                   int main(void) { assert(limit == 2); }\n";
    let (_keep, here) = files(&[("limit.h", header), ("a.c", program)]);
    assert_eq!(
        code(&fencepost(&here, &["check", "a.c", "--save=saved.json"])),
        Some(1)
    );
    assert_eq!(code(&fencepost(&here, &["replay", "saved.json"])), Some(1));
    let write = |name: &str, text: &str| fs::write(here.join(name), text).expect("a file");
    // A change of the text is one, whatever it means.
    write("a.c", &format!("{program}// the end\n"));
    assert!(refused(&here).contains("a.c has changed since the execution was saved"));
    write("a.c", program);
    write("limit.h", "static int limit = 3;\n");
    assert!(
        refused(&here).contains("limit.h has changed")
            || refused(&here).contains("is not: another clang")
    );
    fs::remove_file(here.join("a.c")).expect("it was there");
    assert!(refused(&here).contains("a.c is not there"));
}

#[test]
fn a_file_that_is_not_as_it_was_saved_is_refused() {
    let (_keep, here) = files(&[("SB.litmus", SB)]);
    fencepost(&here, &["check", "SB.litmus", "--save=saved.json"]);
    let path = here.join("saved.json");
    let good = fs::read_to_string(&path).expect("a file");
    let saved: Value = serde_json::from_str(&good).expect("JSON");
    let refused_with = |change: &dyn Fn(&mut Value)| {
        let mut saved = saved.clone();
        change(&mut saved);
        fs::write(&path, saved.to_string()).expect("a file");
        refused(&here)
    };
    let schema = refused_with(&|saved| saved["schema"] = "fencepost-execution/9".into());
    assert!(
        schema.contains("it has the schema fencepost-execution/9"),
        "{schema}"
    );
    let model = refused_with(&|saved| saved["executions"][0]["question"]["model"] = "pso".into());
    assert!(
        model.contains("the question in it is not the one that was saved"),
        "{model}"
    );
    let unknown = refused_with(&|saved| saved["executions"][0]["more"] = 1.into());
    assert!(unknown.contains("unknown field `more`"), "{unknown}");
    let choices = "/executions/0/execution/rerun/cells/choices";
    let step = refused_with(&|saved| {
        *saved
            .pointer_mut(choices)
            .and_then(|c| c.get_mut(0))
            .expect("a choice") = 99.into();
    });
    assert!(
        step.contains("the execution is not possible any more"),
        "{step}"
    );
    let short = refused_with(&|saved| {
        saved
            .pointer_mut(choices)
            .and_then(Value::as_array_mut)
            .expect("choices")
            .pop();
    });
    assert!(short.contains("does not reach the violation"), "{short}");
    fs::write(&path, "{").expect("a file");
    assert!(refused(&here).contains("line 1: "));
}

#[test]
fn nothing_is_saved_where_nothing_is_shown() {
    let (_keep, here) = files(&[("good.litmus", &SB.replace("exists", "~exists"))]);
    let output = fencepost(
        &here,
        &["check", "--model=sc", "good.litmus", "--save=saved.json"],
    );
    assert_eq!(code(&output), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing is saved"));
    assert!(!here.join("saved.json").exists());
    let output = fencepost(&here, &["check", "good.litmus", "--save=no/such/file.json"]);
    assert_eq!(code(&output), Some(2));
}
