//! What the documentation shows is read as it says.

use program::{Diagnostic, Program, Source};
use std::fs;
use std::path::Path;

const LITMUS: &str = include_str!("../../../docs/reference/litmus.md");
const EXAMPLES: &str = include_str!("../../../examples/README.md");

fn read(text: &str) -> Result<Program, Box<Diagnostic>> {
    frontend::read(&Source::new("t", text)).map_err(Box::new)
}

/// The fenced blocks of a document: what stands after the fence, and the text.
fn blocks(document: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let inside = lines.by_ref().take_while(|line| *line != "```");
            found.push((kind, inside.map(|line| format!("{line}\n")).collect()));
        }
    }
    found
}

/// The rows of the table with this heading, cut into cells.
fn rows<'a>(document: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let table = document.lines().skip_while(|line| *line != heading).skip(2);
    table
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

#[test]
fn every_test_in_the_reference_is_read() {
    let blocks = blocks(LITMUS);
    let tests = blocks
        .iter()
        .filter(|(kind, _)| kind.starts_with("litmus") && !kind.ends_with(" bad.litmus"));
    for (_, text) in tests.clone() {
        read(text).unwrap_or_else(|diagnostic| panic!("{diagnostic}\n{text}"));
    }
    assert!(tests.count() >= 5);
    let bad = blocks.iter().find(|(kind, _)| *kind == "litmus bad.litmus");
    let diagnostic = read(&bad.expect("a bad test").1).expect_err("a complaint");
    assert!(LITMUS.contains(&format!("error: {}\n", diagnostic.message)));
}

#[test]
fn every_message_in_the_reference_is_given() {
    let rows = rows(LITMUS, "| written | message | what helps |");
    assert!(!rows.is_empty());
    for row in rows {
        let written = row[0].trim_matches('`');
        let mut parts = ["{ }", "MOV EAX,[x]", ""];
        match written {
            _ if written.starts_with('{') => parts[0] = written,
            _ if written.starts_with("exist") => parts[2] = written,
            _ => parts[1] = written,
        }
        let [init, code, statement] = parts;
        let text = format!("X86 t\n{init}\n P0 ;\n {code} ;\n{statement}\n");
        match read(&text) {
            Ok(_) => panic!("this is accepted:\n{text}"),
            Err(diagnostic) => assert_eq!(diagnostic.message, row[1], "{written}"),
        }
    }
}

#[test]
fn every_example_is_listed() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for language in ["x86", "sparc"] {
        let entries = fs::read_dir(directory.join(language)).expect("a directory");
        let names = entries.map(|entry| entry.expect("a file").file_name());
        for name in names.map(|name| name.to_string_lossy().into_owned()) {
            let link = format!("({language}/{name})");
            assert_eq!(EXAMPLES.matches(&link).count(), 1, "{link}");
        }
    }
}
