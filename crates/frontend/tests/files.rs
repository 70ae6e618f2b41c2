//! Every litmus test that stands in the repository is read.

use program::{Program, Source};
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All `.litmus` files below a directory, if it is there, sorted.
fn litmus_files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten() {
            let path = entry.expect("a readable directory").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|e| e == "litmus") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> Program {
    let text = fs::read_to_string(path).expect("a readable file");
    let name = path.display().to_string();
    frontend::read(&Source::new(name, text)).unwrap_or_else(|d| panic!("{d}\n{:?}", d.help))
}

#[test]
fn examples_are_read_and_named_after_their_files() {
    let files = litmus_files(&repository().join("examples"));
    assert!(files.len() > 40, "only {} examples", files.len());
    for path in files {
        let program = read(&path);
        assert_eq!(Some(program.name.as_ref()), path.file_stem());
        let properties = &program.properties;
        let checks = properties.condition.is_some()
            || !properties.invariants.is_empty()
            || !properties.liveness.is_empty();
        assert!(checks, "{} checks nothing", path.display());
    }
}

#[test]
fn stored_tests_are_read() {
    for path in litmus_files(&repository().join("tests/litmus")) {
        let program = read(&path);
        assert!(!program.threads.is_empty());
    }
}

#[test]
fn every_instruction_of_the_examples_quotes_its_source() {
    for path in litmus_files(&repository().join("examples")) {
        let program = read(&path);
        for function in &program.functions {
            for instruction in function.blocks.iter().flat_map(|b| &b.instructions) {
                let text = program.source.excerpt(instruction.span);
                assert!(!text.is_empty(), "{}", path.display());
                assert_eq!(text, text.trim());
                assert!(!text.contains(['|', ';', ':']), "{text}");
            }
        }
    }
}

#[test]
fn truncated_examples_never_panic() {
    for path in litmus_files(&repository().join("examples")) {
        let text = fs::read_to_string(&path).expect("a readable file");
        for (end, _) in text.char_indices() {
            let _ = frontend::read(&Source::new("cut", &text[..end]));
        }
    }
}

#[test]
fn mutated_examples_never_panic() {
    let pieces = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        "|",
        ",",
        ":",
        "$",
        "%",
        "#",
        "-",
        "+",
        "*",
        "=",
        "~",
        "!",
        "\"",
        "(*",
        "*)",
        "//",
        "--",
        "\n",
        " ",
        "0",
        "9",
        "18446744073709551615",
        "0x",
        "-1",
        "é",
        "\u{0}",
        "P9",
        "LOCK",
        "exists",
        "not",
        "EAX",
        "RAX",
        "x",
        "Processor",
        "..",
        "@",
        "end",
        "\\/",
        "/\\",
        "=>",
    ];
    let mut random = fastrand::Rng::with_seed(1);
    let mut accepted = 0;
    for path in litmus_files(&repository().join("examples")) {
        let text = fs::read_to_string(&path).expect("a readable file");
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for _ in 0..300 {
            let mut mutant = text.clone();
            for _ in 0..=random.usize(..3) {
                let from = starts[random.usize(..starts.len())].min(mutant.len());
                let to = from + random.usize(..6);
                if mutant.is_char_boundary(from) && mutant.is_char_boundary(to) {
                    mutant.replace_range(
                        from..to.min(mutant.len()),
                        pieces[random.usize(..pieces.len())],
                    );
                }
            }
            let source = Source::new("mutant", mutant);
            match frontend::read(&source) {
                Ok(program) => {
                    accepted += 1;
                    assert_eq!(program.validate(), Ok(()));
                }
                Err(diagnostic) => assert!(diagnostic.span.line > 0, "{diagnostic}"),
            }
        }
    }
    assert!(accepted > 0);
}
