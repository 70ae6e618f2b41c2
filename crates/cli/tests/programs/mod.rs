//! The C programs of the repository.

use super::command_line::repository;
use std::path::PathBuf;

/// Every C file in a directory of the repository, sorted.
pub fn programs(directory: &str) -> Vec<PathBuf> {
    let directory = repository().join(directory);
    let entries = std::fs::read_dir(directory).expect("a directory of programs");
    let paths = entries.map(|entry| entry.expect("a readable directory").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "c"))
        .collect();
    paths.sort();
    paths
}
