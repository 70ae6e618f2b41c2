//! Commands and options that pages speak of are there.

use super::{all_pages, page, repository};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// The help of the command, or of a subcommand.
fn help(subcommand: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    let output = command.arg("help").args(subcommand).output();
    String::from_utf8(output.expect("the command runs").stdout).expect("UTF-8")
}

/// The subcommands with their help, from the list that `fencepost help` prints.
pub fn subcommands() -> BTreeMap<String, String> {
    let overview = help(&[]);
    let lines = overview.lines().skip_while(|line| *line != "Commands:");
    let lines = lines.skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && *name != "help");
    names.map(|name| (name.to_owned(), help(&[name]))).collect()
}

/// Whether a help text has an option.
fn has(help: &str, option: &str) -> bool {
    let mut rest = help;
    while let Some((_, behind)) = rest.split_once(option) {
        if !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-') {
            return true;
        }
        rest = behind;
    }
    false
}

#[test]
fn every_option_in_a_sentence_is_there() {
    let subcommands = subcommands();
    assert!(subcommands.len() >= 10, "{subcommands:?}");
    for name in all_pages() {
        let text = fs::read_to_string(repository().join(&name)).expect("the page");
        let lines: Vec<&str> = text.lines().collect();
        for command in page::inline_commands(&lines) {
            let (command, _) = command.split_once(" -- ").unwrap_or((command, ""));
            let mut words = command.split([' ', '[', ']', '|']).skip(1);
            let first = words.next().unwrap_or_default();
            if !first.starts_with(|c: char| c.is_ascii_lowercase()) || first == "help" {
                continue;
            }
            let help = subcommands.get(first);
            let help = help.unwrap_or_else(|| panic!("{name}: `{command}` is no subcommand"));
            for option in words.filter(|word| word.starts_with("--")) {
                assert!(has(help, option), "{name}: `{command}` has no {option}");
            }
        }
    }
}

#[test]
fn every_command_is_in_the_reference() {
    let page = repository().join("docs/reference/command-line.md");
    let page = fs::read_to_string(page).expect("the page");
    for name in subcommands().keys() {
        let example = format!("\n## {name}\n\n```console\n$ fencepost help {name}\n");
        assert!(page.contains(&example), "{name}");
    }
}
