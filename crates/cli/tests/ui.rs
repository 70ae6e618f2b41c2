//! What `check --model all` prints of every example, to the letter, but for times.
//!
//! `FENCEPOST_BLESS=1 cargo test -p fencepost --test ui` writes what it prints now;
//! read the difference before you keep it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of what is in a folder, sorted; none if there is no such folder.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.expect("a readable folder").file_name());
    let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Every `<folder>/<name>` for which there is an example.
fn examples() -> Vec<String> {
    let root = repository().join("examples");
    let folders = names_in(&root)
        .into_iter()
        .filter(|name| root.join(name).is_dir());
    let examples = folders.flat_map(|folder| {
        let names = names_in(&root.join(&folder)).into_iter();
        let tests = names.filter_map(|name| name.strip_suffix(".litmus").map(str::to_owned));
        tests
            .map(move |name| format!("{folder}/{name}"))
            .collect::<Vec<_>>()
    });
    examples.collect()
}

/// What the command prints, with the times of first lines masked.
fn printed(example: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["check", "--model", "all", "--jobs", "1"])
        .arg(format!("examples/{example}.litmus"))
        .current_dir(repository())
        .output()
        .expect("the command runs");
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let masked = text.lines().map(|line| match line.rsplit_once(" in ") {
        Some((start, _)) if line.contains(", engine ") => format!("{start} in [time]\n"),
        _ => format!("{line}\n"),
    });
    masked.collect()
}

#[test]
fn examples_print_what_is_stored() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let bless = std::env::var_os("FENCEPOST_BLESS").is_some();
    let examples = examples();
    assert!(examples.len() >= 50, "only {} examples", examples.len());
    let mut wrong = Vec::new();
    for example in &examples {
        let path = stored.join(format!("{example}.txt"));
        let printed = printed(example);
        if bless {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
            std::fs::write(&path, printed).expect("a new file");
        } else if std::fs::read_to_string(&path).ok().as_ref() != Some(&printed) {
            wrong.push(format!("{example} prints\n{printed}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "FENCEPOST_BLESS=1 stores this:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn nothing_is_stored_for_examples_that_are_gone() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let examples = examples();
    for folder in names_in(&stored) {
        for name in names_in(&stored.join(&folder)) {
            let example = format!("{folder}/{}", name.trim_end_matches(".txt"));
            assert!(examples.contains(&example), "{folder}/{name}");
        }
    }
}
