//! What the command says in JSON.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What `check --format json` says of a file, compiled with these options.
pub fn check(path: &Path, options: &[&str], compiler: &[&str]) -> Value {
    report("check", path, options, compiler)
}

/// What a subcommand says of it.
pub fn report(subcommand: &str, path: &Path, options: &[&str], compiler: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command
        .arg(subcommand)
        .arg(path)
        .args(["--format", "json"])
        .args(options);
    if !compiler.is_empty() {
        command.arg("--").args(compiler);
    }
    let output = command.output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        panic!("{}: {error}\n{text}\n{complaint}", path.display())
    })
}
