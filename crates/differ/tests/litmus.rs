//! The command that a disagreement on a litmus test comes with is one that works.

use generate::Language;
use generate::run::{Options, command, test};
use std::process::Command;
use std::time::Duration;

#[test]
fn the_command_that_finds_a_test_again_works() {
    let options = Options {
        tests: 100,
        seed: 9,
        languages: vec![Language::X86],
        shapes: 3,
        native: Some(Duration::from_millis(2)),
        ..Options::default()
    };
    let text = command(&options, 21);
    let words = text
        .strip_prefix("cargo xtask ")
        .expect("the alias of this binary");
    let binary = env!("CARGO_BIN_EXE_fencepost-differ");
    let output = Command::new(binary).args(words.split(' ')).output();
    let output = output.expect("the command runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}");
    assert!(printed.starts_with("tests 1 x86, shapes "), "{printed}");
    // The test of that number is the one that is shown.
    let shown = Command::new(binary)
        .args(["show", "--litmus", "--seed", "9", "--families", "x86", "21"])
        .output()
        .expect("the command runs");
    let shown = String::from_utf8_lossy(&shown.stdout);
    assert!(shown.starts_with(&test(&options, 21).text()), "{shown}");
}

#[test]
fn options_of_c_programs_are_refused() {
    let binary = env!("CARGO_BIN_EXE_fencepost-differ");
    for words in [
        &["differ", "--litmus", "--families", "lock"][..],
        &["differ", "--litmus", "--engines", "sat"],
    ] {
        let output = Command::new(binary).args(words).output();
        let output = output.expect("the command runs");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}
