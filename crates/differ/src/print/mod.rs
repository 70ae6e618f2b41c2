//! Sketches as C.
//!
//! Statements become text in which `$name` is a name of the program. What these names need is found
//! by looking for them: declarations come before their first use, what `main` must do with them
//! first comes first. At the end `$` becomes the prefix of the program, so that many programs fit into one
//! file; without a prefix it is a program of its own.

mod access;
mod declare;
mod order;
mod spin;
mod statements;
mod threads;

use crate::library::HEAD;
use crate::sketch::{End, Sketch};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use threads::registers;

/// What a program is printed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Fencepost.
    Checker,
    /// The processor: plain accesses are volatile, and observations are recorded by number.
    Processor,
}

/// A program as text.
pub struct Printed {
    /// The text, without what all programs begin with.
    pub text: String,
    /// What is observed, in the order of the numbers.
    pub observed: Vec<String>,
    /// The statements that `main` begins with.
    pub names: BTreeSet<String>,
}

/// Prints a program whose names begin with `prefix`.
pub fn print(sketch: &Sketch, prefix: &str, target: Target) -> Printed {
    let mut printer = Printer {
        sketch,
        target,
        thread: 0,
        observed: Vec::new(),
        padding: 0,
    };
    let bodies: Vec<String> = (0..sketch.threads.len())
        .map(|thread| printer.thread(thread))
        .collect();
    let main = printer.main();
    let mut found = Found::default();
    for text in bodies.iter().chain([&main.text]) {
        found.scan(text, &printer);
    }
    let mut text = String::new();
    for declaration in &found.declarations {
        let _ = writeln!(text, "{declaration}");
    }
    for body in &bodies {
        text.push_str(body);
    }
    text.push_str("int $main(void) {\n");
    text.push_str(&main.locals);
    for setup in &found.setups {
        let _ = writeln!(text, "    {setup}");
    }
    text.push_str(&main.text);
    text.push_str("}\n");
    Printed {
        text: text.replace('$', prefix),
        observed: printer.observed,
        names: found.names.into_iter().collect(),
    }
}

/// A data type: an operation `o0`, `o1`, … for each thread, with the registers as results.
pub fn print_operations(sketch: &Sketch, prefix: &str) -> String {
    let mut printer = Printer {
        sketch,
        target: Target::Checker,
        thread: 0,
        observed: Vec::new(),
        padding: 0,
    };
    let bodies: Vec<String> = (0..sketch.threads.len())
        .map(|thread| {
            let body = printer.thread(thread);
            let start = format!("static void *$t{thread}(void *a) {{");
            let body = body.replacen(&start, &format!("FP_OPERATION($o{thread}) {{"), 1);
            let body = body.replace("    return a;\n", "");
            body.replace("fp_observe(", "fp_result(")
        })
        .collect();
    let mut found = Found::default();
    bodies.iter().for_each(|body| found.scan(body, &printer));
    let mut text = String::new();
    for declaration in &found.declarations {
        let _ = writeln!(text, "{declaration}");
    }
    bodies.iter().for_each(|body| text.push_str(body));
    text.replace('$', prefix)
}

/// A program of two threads for the processor: `…reset` puts its objects back, `…setup` and `…after` are what `main`
/// does before and after, and the threads are functions. Its objects stand in a section of their own, so that they
/// can be put back between runs. None if the program has something that only the checker knows.
pub fn print_native(sketch: &Sketch, prefix: &str) -> Option<Printed> {
    if sketch.threads.len() != 2 || sketch.end != End::Join || !sketch.before.is_empty() {
        return None;
    }
    let mut printer = Printer {
        sketch,
        target: Target::Processor,
        thread: 0,
        observed: Vec::new(),
        padding: 0,
    };
    let bodies = [printer.thread(0), printer.thread(1)];
    let mut after = registers(&[&sketch.after]);
    printer.thread = 2;
    printer.statements(&sketch.after, 1, &mut after);
    printer.observe(&[&sketch.after], "m", &mut after);
    printer.observe_cells(&mut after);
    let mut found = Found::default();
    for text in bodies.iter().chain([&after]) {
        found.scan(text, &printer);
    }
    let mut text = String::new();
    // One object at least, so that the section is there.
    found
        .declarations
        .push("static long $object = 1;".to_owned());
    for declaration in &found.declarations {
        let function = declaration.ends_with('}');
        let prototype = declaration.ends_with(");") && !declaration.contains('=');
        let fixed = function || prototype || declaration.contains("const ");
        let placed = "static __attribute__((section(\"$data\"), used)) ";
        let _ = match fixed {
            true => writeln!(text, "{declaration}"),
            false => writeln!(text, "{}", declaration.replacen("static ", placed, 1)),
        };
    }
    bodies.iter().for_each(|body| text.push_str(body));
    let _ = writeln!(text, "static void $setup(void) {{");
    for setup in &found.setups {
        let _ = writeln!(text, "    {setup}");
    }
    let _ = writeln!(text, "}}\nstatic void $after(void) {{\n{after}}}");
    Some(Printed {
        text: text.replace('$', prefix),
        observed: printer.observed,
        names: found.names.into_iter().collect(),
    })
}

/// A whole file with one program.
pub fn standalone(sketch: &Sketch) -> String {
    let text = match sketch.is_data_type() {
        true => print_operations(sketch, ""),
        false => print(sketch, "", Target::Checker).text,
    };
    format!("{}{text}", head_for(&text))
}

/// The lines of the head that a text needs.
fn head_for(text: &str) -> String {
    let mentions = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let needed: &[(&str, &[&str])] = &[
        (
            "#define _GNU_SOURCE",
            &["_NP", "clock", "memrchr", "pthread_yield", "_np(", "qsort"],
        ),
        ("#include <assert.h>", &["assert("]),
        (
            "#include <ctype.h>",
            &[
                "isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "ispunct",
                "isprint", "isgraph", "iscntrl", "isxdigit", "isblank", "toupper", "tolower",
            ],
        ),
        ("#include <errno.h>", &["errno", "EAGAIN"]),
        ("#include <inttypes.h>", &["max("]),
        ("#include <limits.h>", &["_MAX"]),
        ("#include <malloc.h>", &["usable_size", "memalign"]),
        ("#include <math.h>", &["pow(", "sqrt("]),
        ("#include <pthread.h>", &["pthread"]),
        ("#include <sched.h>", &["sched_yield"]),
        ("#include <semaphore.h>", &["sem_"]),
        ("#include <stdarg.h>", &["va_list"]),
        (
            "#include <stdatomic.h>",
            &["atomic_", "memory_order", "_Atomic"],
        ),
        (
            "#include <stdio.h>",
            &["print", "put", "fwrite", "fflush", "perror"],
        ),
        (
            "#include <stdlib.h>",
            &[
                "alloc", "free(", "exit(", "abort(", "ato", "strto", "qsort", "rand", "abs(",
                "div(", "getenv",
            ],
        ),
        ("#include <string.h>", &["mem", "str", "stpcpy", "bcmp"]),
        (
            "#include <strings.h>",
            &["strcasecmp", "strncasecmp", "index(", "bcmp"],
        ),
        ("#include <sys/time.h>", &["gettimeofday"]),
        (
            "#include <threads.h>",
            &["thrd_", "mtx_", "cnd_", "tss_", "call_once", "once_flag"],
        ),
        ("#include <time.h>", &["timespec", "time(", "clock("]),
        ("#include <unistd.h>", &["sleep(", "getpid", "_exit"]),
        ("#include <fencepost.h>", &["fp_", "FP_"]),
        ("extern void reach_error", &["reach_error", "__VERIFIER_"]),
        ("extern void __VERIFIER_atomic", &["__VERIFIER_atomic"]),
        ("struct pair", &["struct pair"]),
        ("struct mixed", &["struct mixed"]),
        ("struct bits", &["struct bits"]),
        ("union word", &["union word"]),
        ("struct many", &["struct many"]),
    ];
    let wanted = |line: &&str| match line.strip_prefix("extern") {
        Some(names) if names.contains("nondet") => {
            let mut names = names.split([' ', '(', ',']);
            names.any(|name| name.contains("nondet") && text.contains(&format!("{name}(")))
        }
        _ => {
            let row = needed.iter().find(|(start, _)| line.starts_with(start));
            row.is_none_or(|(_, words)| mentions(words))
        }
    };
    HEAD.lines()
        .filter(wanted)
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// Names found in text, with what they need.
#[derive(Default)]
struct Found {
    names: HashSet<String>,
    declarations: Vec<String>,
    setups: Vec<String>,
}

impl Found {
    fn scan(&mut self, text: &str, printer: &Printer<'_>) {
        for piece in text.split('$').skip(1) {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = piece.find(|c| !word(c)).unwrap_or(piece.len());
            let name = &piece[..end];
            if self.names.contains(name) {
                continue;
            }
            self.names.insert(name.to_owned());
            let Some((declaration, setup)) = printer.declare(name) else {
                continue;
            };
            self.scan(&declaration, printer);
            self.scan(&setup, printer);
            self.declarations.push(declaration);
            if !setup.is_empty() {
                self.setups.push(setup);
            }
        }
    }
}

struct Printer<'a> {
    sketch: &'a Sketch,
    target: Target,
    /// The thread that is printed; `main` comes after the last.
    thread: usize,
    observed: Vec<String>,
    padding: usize,
}

#[derive(Default)]
struct Main {
    locals: String,
    text: String,
}
fn line(text: &mut String, depth: usize, line: &str) {
    let _ = writeln!(text, "{:1$}{line}", "", 4 * depth);
}
