//! Running the command and reading its JSON.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What `check --format json` says of a file.
pub fn check(path: &Path, options: &[&str], compiler: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command
        .arg("check")
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
