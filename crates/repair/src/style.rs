//! Fences of C as a file writes them: by a macro or a function of its own that stands for one, else in the way of its other fences.

use crate::kind::{Kind, subsets};
use crate::statements::{Token, points, tokens};
use memory::FENCES;
use program::{Orderings, Program, Source};
use std::path::PathBuf;

const ACQUIRE: Orderings = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);
const RELEASE: Orderings = Orderings::LOAD_STORE.union(Orderings::STORE_STORE);

/// The fences of a program.
pub(crate) fn fences(program: &Program) -> Vec<Kind> {
    let sources = program.included.iter().chain([&program.source]);
    // Of a file and its headers all is visible in it.
    let is_header = |source: &&Source| !source.name.ends_with(".c");
    let files = sources.filter(|source| !is_header(source));
    let files: Vec<Vec<String>> = files.map(with_headers).collect();
    let mut kinds = kinds(&files.concat());
    for kind in &mut kinds {
        let mut names = files.iter().map(|texts| own_name(texts, &kind.text));
        let first = names.next().flatten();
        // A name that only some of the files know is of no use in the others.
        if let Some(name) = first.filter(|first| names.all(|name| name.as_ref() == Some(first))) {
            kind.text = name;
        }
    }
    kinds
}

/// The text of a file, and of the headers beside it that it includes.
fn with_headers(source: &Source) -> Vec<String> {
    let mut texts = vec![source.text.to_string()];
    let mut seen = Vec::new();
    let mut open = vec![(PathBuf::from(&*source.name), source.text.to_string())];
    while let Some((path, text)) = open.pop() {
        for line in text.lines() {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            let named = directive.and_then(|rest| rest.strip_prefix("include"));
            let named =
                named.and_then(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
            let Some(header) = named.map(|name| path.with_file_name(name)) else {
                continue;
            };
            if seen.contains(&header) {
                continue;
            }
            seen.push(header.clone());
            if let Ok(text) = std::fs::read_to_string(&header) {
                texts.push(text.clone());
                open.push((header, text));
            }
        }
    }
    texts
}

/// The fences of C in the way that these texts write fences already, or atomic accesses; else by what every compiler understands.
fn kinds(texts: &[String]) -> Vec<Kind> {
    let has = |word: &str| texts.iter().any(|text| text.contains(word));
    let four = |call: &str, order: &str, names: [&str; 4]| -> Vec<Kind> {
        let orderings = [ACQUIRE, RELEASE, ACQUIRE.union(RELEASE), Orderings::ALL];
        let kind = |(name, orderings)| Kind {
            text: format!("{call}({order}{name})"),
            orderings,
        };
        names.into_iter().zip(orderings).map(kind).collect()
    };
    let lower = ["acquire", "release", "acq_rel", "seq_cst"];
    let upper = ["ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"];
    let full = |text: &str| {
        vec![Kind {
            text: text.to_owned(),
            orderings: Orderings::ALL,
        }]
    };
    if ["fp_fence(", "FP_LOAD_", "FP_STORE_"].into_iter().any(has) {
        subsets(fp_fence)
    } else if has("atomic_thread_fence(memory_order") {
        four("atomic_thread_fence", "memory_order_", lower)
    } else if has("__sync_synchronize") {
        full("__sync_synchronize()")
    } else if has("mfence") || has("MFENCE") {
        FENCES
            .iter()
            .filter(|fence| fence.name != "STBAR")
            .map(|fence| Kind {
                text: format!(
                    "__asm__ volatile(\"{}\" ::: \"memory\")",
                    fence.name.to_lowercase()
                ),
                orderings: fence.orders,
            })
            .collect()
    } else if has("stdatomic.h") {
        four("atomic_thread_fence", "memory_order_", lower)
    } else {
        four("__atomic_thread_fence", "__ATOMIC_", upper)
    }
}

fn fp_fence(orderings: Orderings) -> String {
    if orderings == Orderings::ALL {
        return "fp_fence(FP_FULL)".to_owned();
    }
    let names = Orderings::NAMED.into_iter().zip([
        "FP_LOAD_LOAD",
        "FP_STORE_LOAD",
        "FP_LOAD_STORE",
        "FP_STORE_STORE",
    ]);
    let names = names.filter(|((single, _), _)| orderings.contains(*single));
    let names: Vec<&str> = names.map(|(_, name)| name).collect();
    format!("fp_fence({})", names.join(" | "))
}

/// How a text, or one of its headers, calls a fence: a macro or a function without arguments, if all its definitions are that fence.
fn own_name(texts: &[String], fence: &str) -> Option<String> {
    let definitions: Vec<(String, String)> = texts.iter().flat_map(|t| definitions(t)).collect();
    let wanted = normal(fence);
    let is_fence = |body: &str| normal(body) == wanted;
    let found = definitions.iter().find(|(_, body)| is_fence(body));
    let (name, _) = found?;
    let mut same = definitions.iter().filter(|(other, _)| other == name);
    same.all(|(_, body)| is_fence(body)).then(|| name.clone())
}

/// Macros and functions without arguments, as they are called, with what they stand for. Those that stand behind the first place for a
/// fence are left out, as they may not be known there; a function has such places itself.
fn definitions(text: &str) -> Vec<(String, String)> {
    let functions = functions(text);
    let mut points = points(text).into_iter().map(|point| point.offset);
    let is_in_function = |at: usize| functions.iter().any(|f| f.start < at && at < f.end);
    let first = points
        .find(|point| !is_in_function(*point))
        .unwrap_or(text.len());
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        found.extend(definition(line).filter(|_| start < first));
        start += line.len();
    }
    let known = functions
        .into_iter()
        .filter(|function| function.start < first);
    found.extend(known.map(|function| (format!("{}()", function.name), function.body)));
    found
}

/// The macro that a line defines.
fn definition(line: &str) -> Option<(String, String)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("define")?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, body) = rest.split_at(end);
    let (name, body) = match body.strip_prefix("()") {
        Some(body) => (format!("{name}()"), body),
        None if body.starts_with('(') => return None,
        None => (name.to_owned(), body),
    };
    Some((name, body.trim().to_owned()))
}

/// A function without arguments whose body is one statement.
struct Function {
    name: String,
    body: String,
    start: usize,
    end: usize,
}

/// The functions of a text that have no arguments and one statement.
fn functions(text: &str) -> Vec<Function> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    for (index, (start, token)) in tokens.iter().enumerate() {
        let Token::Word(name) = token else { continue };
        let mut rest = tokens[index + 1..].iter().peekable();
        if rest.next_if(|(_, t)| *t == Token::Sign('(')).is_none() {
            continue;
        }
        rest.next_if(|(_, t)| *t == Token::Word("void"));
        let close = rest.next_if(|(_, t)| *t == Token::Sign(')'));
        let open = close.and_then(|_| rest.next_if(|(_, t)| *t == Token::Sign('{')));
        let Some((open, _)) = open else { continue };
        let Some((semicolon, _)) = rest.find(|(_, t)| *t == Token::Sign(';')) else {
            continue;
        };
        if let Some((end, _)) = rest.next_if(|(_, t)| *t == Token::Sign('}')) {
            found.push(Function {
                name: (*name).to_owned(),
                body: text[open + 1..*semicolon].to_owned(),
                start: *start,
                end: *end,
            });
        }
    }
    found
}

/// A text in which only what matters to the compiler is told apart.
fn normal(text: &str) -> String {
    let mut normal = String::new();
    let mut at = 0;
    for (start, token) in tokens(text) {
        if start < at {
            continue;
        }
        match token {
            Token::Word(word) => {
                normal += match word {
                    "__asm__" | "__asm" => "asm",
                    "__volatile__" | "__volatile" => "volatile",
                    word => word,
                };
                normal.push(' ');
                at = start + word.len();
            }
            Token::Sign('"') => {
                let rest = &text[start + 1..];
                let end = rest.find('"').map_or(text.len(), |end| start + end + 2);
                normal += text[start..end].to_ascii_lowercase().trim();
                at = end;
            }
            Token::Sign(';') => {}
            Token::Sign(sign) => normal.push(sign),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_of(source: &str) -> Vec<String> {
        let mut program = Program::empty("a".to_owned(), Source::new("none/a.c", source));
        program.process = true;
        let kinds = fences(&program).into_iter();
        kinds.map(|kind| kind.text).collect()
    }

    #[test]
    fn a_file_has_fences_in_its_own_way() {
        assert_eq!(
            texts_of("x; __sync_synchronize(); y;"),
            ["__sync_synchronize()"]
        );
        assert!(
            texts_of("#include <stdatomic.h>")[3].contains("thread_fence(memory_order_seq_cst)")
        );
        assert!(texts_of("int x;")[3].starts_with("__atomic_thread_fence(__ATOMIC_SEQ_CST"));
        assert!(texts_of("asm(\"mfence\");")[0].contains("\"mfence\""));
        let own = "#include <stdatomic.h>\n#define mb() atomic_thread_fence(memory_order_seq_cst)";
        assert_eq!(texts_of(own)[3], "mb()");
        // A macro that may be nothing is none.
        let maybe = format!("{own}\n#define mb() ((void)0)");
        assert_ne!(texts_of(&maybe)[3], "mb()");
    }

    #[test]
    fn macros_and_functions_are_known_however_they_are_spelled() {
        let rows = [
            (
                "#define mb() asm volatile (\"MFENCE\" : : : \"memory\")",
                "mb()",
            ),
            (
                "# define FULL __asm__ __volatile__(\"mfence\":::\"memory\");",
                "FULL",
            ),
            (
                "static inline void smp_mb(void)\n{\n  __sync_synchronize();\n}",
                "smp_mb()",
            ),
            (
                "void mb() { __asm volatile(\"mfence\" ::: \"memory\"); }",
                "mb()",
            ),
        ];
        for (source, name) in rows {
            assert!(texts_of(source).contains(&name.to_owned()), "{source}");
        }
        // Not known where a fence may be written.
        let late = "void f(void) { x; __sync_synchronize(); }\n#define mb() __sync_synchronize()";
        assert_eq!(texts_of(late), ["__sync_synchronize()"]);
        let other = "#define mb(x) __sync_synchronize()\nvoid g(int i) { __sync_synchronize(); }";
        assert_eq!(texts_of(other), ["__sync_synchronize()"]);
    }
}
