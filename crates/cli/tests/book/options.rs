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

#[test]
fn every_exit_code_is_in_the_reference() {
    let help = help(&[]);
    let codes = help
        .lines()
        .find_map(|line| line.strip_prefix("Exit codes: "));
    let codes = codes.expect("the codes").trim_end_matches('.').split(", ");
    let page = repository().join("docs/reference/exit-codes.md");
    let page = fs::read_to_string(page).expect("the page");
    for code in codes.clone() {
        let (number, meaning) = code.split_once(' ').expect("a number and a meaning");
        assert!(
            page.contains(&format!("| {number} | {meaning} |")),
            "{code}"
        );
        // And there is a command that ends with it.
        assert!(page.contains(&format!("; echo $?\n{number}\n")), "{code}");
    }
    assert_eq!(codes.count(), 4);
}

#[test]
fn every_kind_of_violation_is_in_the_reference() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    let output = command.arg("explain").output().expect("the command runs");
    let list = String::from_utf8(output.stdout).expect("UTF-8");
    let page = repository().join("docs/reference/violations.md");
    let page = fs::read_to_string(page).expect("the page");
    let codes = list.lines().filter_map(|line| line.split(' ').next());
    for code in codes.clone() {
        let example = format!("\n## {code}\n\n```console\n$ fencepost explain {code}\n");
        assert!(page.contains(&example), "{code}");
    }
    assert!(codes.count() >= 20, "{list}");
}
