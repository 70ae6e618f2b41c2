//! Library functions that call back into the program: written in C, compiled once, and
//! linked to programs that use them.

use super::{Function, Module, link, parse};
use program::{Diagnostic, Source};

/// `prelude.c`, compiled.
const TEXT: &str = include_str!("../../prelude/prelude.ll");

/// The module with what it uses of the prelude.
pub fn with_prelude(module: Module) -> Result<Module, Diagnostic> {
    let prelude = parse(&Source::new("prelude.ll", TEXT))?;
    let defined = |function: &&Function| !function.is_declaration();
    let mut offered = prelude.functions.iter().filter(defined);
    let wanted = offered.any(|function| {
        let found = module.function(&prelude.symbol(function.symbol).name);
        found.is_some_and(|id| module.functions[id.index()].is_declaration())
    });
    match wanted {
        true => link(vec![module, prelude]),
        false => Ok(module),
    }
}
