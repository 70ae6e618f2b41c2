//! The functions that C programs may call: the table of [`ROUTINES`] as people read it.

use program::{ROUTINES, RoutineRow};

/// The rows of the table, group by group.
fn groups() -> impl Iterator<Item = &'static [RoutineRow]> {
    ROUTINES.chunk_by(|one, next| one.group == next.group)
}

/// The table for a terminal.
pub fn library_text() -> String {
    let mut text = String::new();
    for group in groups() {
        text += &format!("{}\n", group[0].group);
        for row in group {
            text += &format!("  {}\n      {}\n", row.names.join(", "), row.summary);
        }
        text += "\n";
    }
    text + "Intrinsics of the compiler, __atomic_*, __sync_*, the functions of math.h that are one \
            operation\nand the usual fences in inline assembly work as well. Where a program \
            defines one of these\nfunctions itself, its own is called.\n"
}

/// The table as `docs/library.md`.
pub fn library_markdown() -> String {
    let mut text = "# Library functions

What C programs may call without defining it. `fencepost functions` prints the same list; a
test holds this page to the table in `crates/program/src/routine.rs` that it is made from.
A program that calls anything else is refused, with the name of the function and the line
of the call.

Intrinsics of the compiler (`__builtin_*`), `__atomic_*`, `__sync_*`, the functions of `math.h`
that are one operation (`sqrt`, `fabs`, `floor`, …) and the usual fences in inline assembly
work as well; [c.md](c.md) says more. Where a program defines one of these functions itself,
its own is called.
"
    .to_owned();
    for group in groups() {
        text += &format!("\n## {}\n\n| function | |\n| --- | --- |\n", group[0].group);
        for row in group {
            let names: Vec<String> = row.names.iter().map(|name| format!("`{name}`")).collect();
            text += &format!("| {} | {} |\n", names.join(", "), row.summary);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_page_says_what_the_table_says() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/library.md");
        if std::env::var_os("FENCEPOST_BLESS").is_some() {
            std::fs::write(&path, library_markdown()).expect("a new file");
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        let same = stored == library_markdown();
        assert!(same, "FENCEPOST_BLESS=1 writes docs/library.md anew");
    }

    #[test]
    fn every_function_is_listed_once() {
        let text = library_text();
        let lines = text.lines().filter(|line| line.starts_with("  "));
        let names = lines.filter(|line| !line.starts_with("   "));
        let names: Vec<&str> = names.flat_map(|line| line.trim().split(", ")).collect();
        let all: Vec<&str> = ROUTINES.iter().flat_map(|row| row.names).copied().collect();
        assert_eq!(names, all);
    }

    #[test]
    fn every_heading_stands_once() {
        let headings: Vec<&str> = groups().map(|group| group[0].group).collect();
        let mut once = headings.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), headings.len());
    }
}
