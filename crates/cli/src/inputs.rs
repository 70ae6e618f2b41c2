//! Finding and reading input files.

use program::Source;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Every file that the user named; a folder stands for the tests in it, sorted.
pub fn expand(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        let Some(listed) = path.is_dir().then(|| tests_in(path)) else {
            files.push(path.clone());
            continue;
        };
        files.extend(listed);
    }
    files
}

fn tests_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut tests: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "litmus"))
        .collect();
    tests.sort();
    tests
}

/// The text of a file; `-` is standard input.
pub fn read(path: &Path) -> Result<Source, String> {
    let mut bytes = Vec::new();
    let name = if path == Path::new("-") {
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| format!("cannot read standard input: {error}"))?;
        "<stdin>".to_owned()
    } else {
        let name = path.display().to_string();
        bytes = std::fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
        name
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => {
            let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            Err(format!("{name}:{}: not UTF-8 text", line + 1))
        }
    }
}
