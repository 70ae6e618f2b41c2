//! Programs from litmus files, from litmus text, and from printed programs.

#![allow(dead_code, reason = "no test needs all of it")]

use answer::ModelResult;
use memory::Model;
use program::{Program, Source};
use states::{MachineKind, Options};
use std::path::{Path, PathBuf};

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The litmus test in a file.
pub fn file(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let source = Source::new(path.display().to_string(), text);
    frontend::read(&source).unwrap_or_else(|complaint| panic!("{complaint}"))
}

/// A file of `examples/sparc`.
pub fn sparc_example(name: &str) -> Program {
    file(&repository().join(format!("examples/sparc/{name}.litmus")))
}

/// A litmus test.
pub fn litmus(text: &str) -> Program {
    frontend::read(&Source::new("test", text)).unwrap_or_else(|complaint| panic!("{complaint}"))
}

/// A printed program, which has what litmus tests have not: assertions,
/// assumptions, choices. Its first line is left out here.
pub fn printed(text: &str) -> Program {
    let text = format!("program \"test\" from \"test\"\n{text}");
    program::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn run(program: &Program, model: Model, options: &Options) -> ModelResult {
    states::run(program, model, options).expect("a program that the machines run")
}

/// Store buffers where the model can do with them, and reorder boxes.
pub fn both_machines(options: &Options) -> [Options; 2] {
    [MachineKind::Auto, MachineKind::ReorderBoxes].map(|machine| Options {
        machine,
        ..options.clone()
    })
}
