//! Who and where: names of threads, files and places in them.

use program::{Program, Span, ThreadId};

/// The name of a thread: of the program, of those started later, else its number.
pub(crate) fn thread_name(program: &Program, started: &[String], thread: ThreadId) -> String {
    let names = program.threads.iter().map(|thread| &thread.name);
    let name = names.chain(started).nth(thread.index());
    name.map_or_else(|| thread.to_string(), String::clone)
}

/// The name of the file that `span` points into.
pub(crate) fn file_name(program: &Program, span: Span) -> &str {
    program.file(span).map_or("?", |file| &file.name)
}

/// `: MOV [x],$1 (SB.litmus:4:2)`, or nothing for code without a place.
pub(crate) fn site(program: &Program, span: Span) -> String {
    if span == Span::NOWHERE {
        return String::new();
    }
    let text = program.excerpt(span);
    let gap = if text.is_empty() { "" } else { " " };
    format!(": {text}{gap}({}:{span})", file_name(program, span))
}
