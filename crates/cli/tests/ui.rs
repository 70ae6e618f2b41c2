//! What `check` prints of every litmus example under the models of machines, `check` of every C program
//! with an error, and what its options make it print, to the letter, but for times.
//!
//! `FENCEPOST_BLESS=1 cargo test -p fencepost --test ui` writes what it prints now;
//! read the difference before you keep it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of what is in a directory, sorted; none if there is no such directory.
fn names_in(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let names = entries.map(|entry| entry.expect("a readable directory").file_name());
    let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Every `<directory>/<name>` for which there is an example.
fn examples() -> Vec<String> {
    let root = repository().join("examples");
    let directories = names_in(&root)
        .into_iter()
        .filter(|name| root.join(name).is_dir());
    let examples = directories.flat_map(|directory| {
        let names = names_in(&root.join(&directory)).into_iter();
        let tests = names.filter_map(|name| name.strip_suffix(".litmus").map(str::to_owned));
        tests
            .map(move |name| format!("{directory}/{name}"))
            .collect::<Vec<_>>()
    });
    examples.collect()
}

/// What the command prints, with times masked.
fn printed(arguments: &[&str]) -> String {
    printed_by("check", arguments)
}

fn printed_by(subcommand: &str, arguments: &[&str]) -> String {
    let jobs: &[&str] = match subcommand {
        "refine" => &[],
        _ => &["--jobs", "1"],
    };
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg(subcommand)
        .args(jobs)
        .args(arguments)
        .current_dir(repository())
        .output()
        .expect("the command runs");
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    // Lines that end with one.
    let times = [
        ", engine ",
        " preemption: ",
        " preemptions: ",
        "looks atomic",
        "not atomic",
        "goes wrong",
    ];
    // A slow machine tells how long it took to read the program.
    let lines = text.lines().filter(|line| !line.ends_with(" for reading"));
    let masked = lines.map(|line| match line.rsplit_once(" in ") {
        // What the others did until then depends on the time.
        _ if line.starts_with("decided by ") => match line.split_once(" (") {
            Some((engine, _)) => format!("{engine} [others]\n"),
            None => format!("{line}\n"),
        },
        Some((start, _)) if times.iter().any(|sign| line.contains(sign)) => {
            format!("{start} in [time]\n")
        }
        _ => match line.split_once("; at their speed ") {
            Some((start, _)) => format!("{start}; at their speed [time]\n"),
            None => format!("{line}\n"),
        },
    });
    masked.collect()
}

/// Compares what is printed with what is stored under `tests/ui`, or stores it.
fn compare(cases: Vec<(String, String)>) {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let bless = std::env::var_os("FENCEPOST_BLESS").is_some();
    let mut wrong = Vec::new();
    for (name, printed) in cases {
        let path = stored.join(format!("{name}.txt"));
        if bless {
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("a new directory");
            std::fs::write(&path, printed).expect("a new file");
        } else if std::fs::read_to_string(&path).ok().as_ref() != Some(&printed) {
            wrong.push(format!("{name} prints\n{printed}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "FENCEPOST_BLESS=1 stores this:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn examples_print_what_is_stored() {
    let examples = examples();
    assert!(examples.len() >= 50, "only {} examples", examples.len());
    let print = |example: String| {
        let file = format!("examples/{example}.litmus");
        let printed = printed(&["--model", "sc,tso,pso,rmo", &file]);
        (example, printed)
    };
    compare(examples.into_iter().map(print).collect());
}

#[test]
fn errors_in_c_print_what_is_stored() {
    let names = names_in(&repository().join("tests/c/errors"));
    assert!(names.len() >= 30, "only {} programs", names.len());
    let print = |name: &String| {
        let file = format!("tests/c/errors/{name}");
        let text = std::fs::read_to_string(repository().join(&file)).expect("a program");
        let races = text.starts_with("// check --races");
        let mut arguments = vec!["--clang", "clang-19", file.as_str()];
        arguments.extend(races.then_some("--races"));
        let name = name.trim_end_matches(".c");
        (format!("c/{name}"), printed(&arguments))
    };
    compare(names.iter().map(print).collect());
}

/// Options of `check`, under the name of what they show.
const OPTIONS: [(&str, &str); 11] = [
    (
        "engine_sat",
        "--engine sat --model sc,tso examples/x86/SB.litmus",
    ),
    ("relaxed", "--model relaxed examples/x86/MP.litmus"),
    ("all", "--all --model sc tests/c/explore/two_errors.c"),
    (
        "count",
        "--count --model sc,tso,pso tests/c/explore/store_buffering.c",
    ),
    (
        "count_in_spite_of_a_violation",
        "--count --model sc,tso,pso tests/c/explore/lost_update.c",
    ),
    (
        "count_states",
        "--count --engine states --model sc,tso tests/c/explore/store_buffering.c",
    ),
    (
        "estimate",
        "--estimate --model sc,tso,pso tests/c/explore/store_buffering.c",
    ),
    (
        "no_preemption",
        "--preemptions 0 tests/c/explore/lost_update.c",
    ),
    (
        "more_and_more_preemptions",
        "--preemptions all tests/c/explore/lost_update.c",
    ),
    (
        "preemptions_until_nothing_is_left_out",
        "--preemptions 0.. tests/c/explore/store_buffering.c",
    ),
    (
        "robust",
        "--robust --model sc,tso tests/c/explore/store_buffering.c",
    ),
];

/// The same of `robust`.
const ROBUST: [(&str, &str); 6] = [
    ("litmus", "examples/x86/SB.litmus"),
    ("litmus_pso", "--model tso,pso examples/x86/MP.litmus"),
    ("c", "examples/c/block_on_idle.c"),
    (
        "c_with_fences",
        "--count --model tso,pso examples/c/block_on_idle.c -- -DTSO_FENCES",
    ),
    (
        "preemptions",
        "--preemptions 0.. examples/c/dekker.c -- -DTSO_FENCES",
    ),
    (
        "wrong_anyway",
        "--model tso,pso tests/c/explore/two_errors.c",
    ),
];

/// The same of `refine`.
const REFINE: [(&str, &str); 4] = [
    (
        "looks_atomic",
        "--test (put|take) --model all tests/c/refine/mailbox.c -- -DFENCES",
    ),
    (
        "not_atomic",
        "--test (put|take) --model tso,pso tests/c/refine/mailbox.c",
    ),
    (
        "wrong_one_after_another",
        "--test (divide|divide) tests/c/refine/counter.c",
    ),
    ("suite", "--suite 3 --model sc tests/c/refine/stack.c"),
];

#[test]
fn options_print_what_is_stored() {
    let print = |directory: &'static str, subcommand: &'static str| {
        move |(name, line): &(&str, &str)| {
            let mut arguments = vec!["--clang", "clang-19"];
            arguments.extend(line.split(' '));
            let printed = printed_by(subcommand, &arguments);
            (format!("{directory}/{name}"), printed)
        }
    };
    let options = OPTIONS.iter().map(print("options", "check"));
    compare(
        options
            .chain(ROBUST.iter().map(print("robust", "robust")))
            .chain(REFINE.iter().map(print("refine", "refine")))
            .collect(),
    );
}

#[test]
fn nothing_is_stored_for_examples_that_are_gone() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let errors = names_in(&repository().join("tests/c/errors"));
    let errors = errors
        .iter()
        .map(|name| format!("c/{}", name.trim_end_matches(".c")));
    let options = OPTIONS.iter().map(|(name, _)| format!("options/{name}"));
    let robust = ROBUST.iter().map(|(name, _)| format!("robust/{name}"));
    let refine = REFINE.iter().map(|(name, _)| format!("refine/{name}"));
    let examples: Vec<String> = examples()
        .into_iter()
        .chain(errors)
        .chain(options)
        .chain(robust)
        .chain(refine)
        .collect();
    for directory in names_in(&stored) {
        for name in names_in(&stored.join(&directory)) {
            let example = format!("{directory}/{}", name.trim_end_matches(".txt"));
            assert!(examples.contains(&example), "{directory}/{name}");
        }
    }
}
