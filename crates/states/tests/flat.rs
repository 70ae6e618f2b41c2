//! C programs made flat: on the machines for litmus tests they do what they do as a process.
//!
//! The programs under `ll` are small C programs as clang prints them, named by what they are.

use answer::{Outcome, Verdict, Violation};
use flatten::flatten;
use memory::Model;
use program::{Program, Source};
use states::{Options, run};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ll");
    let entries = std::fs::read_dir(directory).expect("a directory of programs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

fn read(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let source = Source::new(path.display().to_string(), text);
    frontend::read_llvm(&source).expect("a program")
}

fn named(name: &str) -> Program {
    let file = files()
        .into_iter()
        .find(|path| path.file_stem().is_some_and(|stem| stem == name));
    read(&file.expect("a program of this name"))
}

fn everything() -> Options {
    Options {
        stop_at_violation: false,
        explain: false,
        ..Options::default()
    }
}

fn outcomes(program: &Program, model: Model) -> (Verdict, BTreeSet<Outcome>) {
    let result = run(program, model, &everything()).expect("a program that runs");
    (result.verdict, result.outcomes.into_iter().collect())
}

#[test]
fn flat_programs_do_what_the_process_does() {
    for path in files() {
        let process = read(&path);
        let flat = flatten(&process).expect("a program that can be made flat");
        flat.validate().expect("a program that hangs together");
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let found = outcomes(&flat, model);
            assert_eq!(
                found,
                outcomes(&process, model),
                "{} {model}",
                path.display()
            );
        }
    }
}

#[test]
fn reorder_boxes_allow_at_least_what_store_buffers_do() {
    for path in files() {
        let process = read(&path);
        let (verdict, allowed) = outcomes(&process, Model::Pso);
        let (weaker, more) = outcomes(&process, Model::Rmo);
        assert!(more.is_superset(&allowed), "{}", path.display());
        assert!(verdict == Verdict::Holds || weaker == Verdict::Violated);
    }
}

#[test]
fn loads_are_late_under_rmo_only() {
    let program = named("lb");
    let late = Outcome(vec![2, 2]);
    for model in Model::MACHINES {
        let (_, outcomes) = outcomes(&program, model);
        assert_eq!(outcomes.contains(&late), model == Model::Rmo, "{model}");
    }
}

#[test]
fn violations_name_threads_and_places() {
    let program = named("dekker");
    let result = run(&program, Model::Rmo, &Options::default()).expect("a program that runs");
    let Some(Violation::Assertion { thread, span }) = result.violation else {
        panic!("no assertion fails");
    };
    assert_eq!(result.started, ["thread 1 (worker)", "thread 2 (worker)"]);
    assert!(thread.index() > 0);
    assert!(program.excerpt(span).contains("__assert_fail"));
    let steps = result.execution.expect("an execution").steps;
    let shown = steps.iter().any(|step| match &step.event {
        answer::Event::Access(access) => access.location.name.starts_with("flag["),
        _ => false,
    });
    assert!(shown, "{steps:?}");
    assert_eq!(result.warnings.len(), 1);
}
