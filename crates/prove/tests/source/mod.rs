//! C programs that are part of a test.

use frontend::c::{self, Compiler};
use program::Program;

/// Reads a program from its text; the name is that of its file.
pub fn read(name: &str, text: &str) -> Program {
    let folder = std::env::temp_dir().join(format!("fencepost-prove-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, text).expect("a file");
    let compiler = Compiler::find(None).expect("a clang");
    let program = c::read_c(std::slice::from_ref(&file), &[], Some(&compiler));
    std::fs::remove_file(file).expect("the file");
    program.unwrap_or_else(|error| panic!("{error}"))
}
