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

#[cfg(test)]
mod tests {
    use super::*;
    use program::ROUTINES;

    const PAGES: [&str; 2] = [
        include_str!("../../../../docs/reference/library.md"),
        include_str!("../../../../docs/reference/c.md"),
    ];

    #[test]
    fn every_function_is_documented() {
        let prelude = parse(&Source::new("prelude.ll", TEXT)).expect("a module");
        let defined = prelude.functions.iter();
        let defined = defined.filter(|function| !function.is_declaration());
        let names = defined.map(|function| &*prelude.symbol(function.symbol).name);
        let own: Vec<&str> = names
            .filter(|name| !name.starts_with("__fencepost_"))
            .collect();
        assert!(own.len() > 20);
        for name in own {
            let in_table = ROUTINES.iter().any(|row| row.names.contains(&name));
            let quoted = format!("`{name}`");
            let on_page = PAGES.iter().any(|page| page.contains(&quoted));
            assert!(in_table || on_page, "{name}");
        }
    }
}
