//! Sketches as C.
//!
//! Statements become text in which `$name` is a name of the program. What these names need is found
//! by looking for them: declarations come before their first use, what `main` must do with them
//! first comes first. At the end `$` becomes the prefix of the program, so that many programs fit into one
//! file; without a prefix it is a program of its own.

use crate::library::{GUARDS, HEAD, OBJECTS, SNIPPETS};
use crate::sketch::{
    CELLS, CellType, End, Fence, Location, Operator, Order, REGISTERS, Sketch, Spelling, SpinKind,
    Statement, Storage, Value, each,
};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

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

fn c11(order: Order) -> &'static str {
    match order {
        Order::Plain | Order::Relaxed => "memory_order_relaxed",
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::AcquireRelease => "memory_order_acq_rel",
        Order::Sequential => "memory_order_seq_cst",
    }
}

fn builtin(order: Order) -> &'static str {
    match order {
        Order::Plain | Order::Relaxed => "__ATOMIC_RELAXED",
        Order::Acquire => "__ATOMIC_ACQUIRE",
        Order::Release => "__ATOMIC_RELEASE",
        Order::AcquireRelease => "__ATOMIC_ACQ_REL",
        Order::Sequential => "__ATOMIC_SEQ_CST",
    }
}

fn short(order: Order) -> &'static str {
    match order {
        Order::Plain => "plain",
        Order::Relaxed => "relaxed",
        Order::Acquire => "acquire",
        Order::Release => "release",
        Order::AcquireRelease => "acqrel",
        Order::Sequential => "sequential",
    }
}

fn order_named(name: &str) -> Option<Order> {
    let all = [
        Order::Plain,
        Order::Relaxed,
        Order::Acquire,
        Order::Release,
        Order::AcquireRelease,
        Order::Sequential,
    ];
    all.into_iter().find(|order| short(*order) == name)
}

impl Operator {
    fn name(self) -> &'static str {
        match self {
            Operator::Exchange => "exchange",
            Operator::Add => "fetch_add",
            Operator::Subtract => "fetch_sub",
            Operator::And => "fetch_and",
            Operator::Or => "fetch_or",
            Operator::Xor => "fetch_xor",
            Operator::Nand => "fetch_nand",
        }
    }
}

impl Printer<'_> {
    /// What a name needs: its declaration, and what `main` does first.
    fn declare(&self, name: &str) -> Option<(String, String)> {
        if let Some(row) = OBJECTS.iter().find(|row| row.name == name) {
            return Some((row.declaration.to_owned(), row.setup.to_owned()));
        }
        if let Some(cell) = name.strip_prefix('c').and_then(|n| n.parse::<u8>().ok()) {
            return Some(self.cell_declaration(cell));
        }
        if let Some(rest) = name.strip_prefix("tc") {
            let cell = rest.parse::<u8>().ok()?;
            let (of, initial) = (self.cell_type(), self.initial(cell));
            return Some((
                format!("static _Thread_local {of} ${name} = {initial};"),
                String::new(),
            ));
        }
        if let Some(rest) = name.strip_prefix('h') {
            rest.parse::<usize>().ok()?;
            return Some((format!("static pthread_t ${name};"), String::new()));
        }
        if let Some(thread) = name.strip_prefix('u').and_then(|n| n.parse::<usize>().ok()) {
            let inner = if self.sketch.form.nested == Some(thread) {
                'n'
            } else {
                't'
            };
            let text = format!("static int ${name}(void *a) {{ ${inner}{thread}(a); return 0; }}");
            return Some((text, String::new()));
        }
        if let Some(thread) = name.strip_prefix('n').and_then(|n| n.parse::<usize>().ok()) {
            let text = format!(
                "static void *${name}(void *a) {{ pthread_t h; pthread_create(&h, 0, $t{thread}, 0); pthread_join(h, 0); return a; }}"
            );
            return Some((text, String::new()));
        }
        if let Some(thread) = name.strip_prefix('t').and_then(|n| n.parse::<usize>().ok()) {
            return Some((format!("static void *$t{thread}(void *a);"), String::new()));
        }
        self.access_function(name).map(|text| (text, String::new()))
    }

    fn cell_type(&self) -> &'static str {
        match self.sketch.cell {
            CellType::Int => "int",
            CellType::Char => "char",
            CellType::Short => "short",
            CellType::Long => "long",
            CellType::Union => "union word",
        }
    }

    fn initial(&self, cell: u8) -> String {
        let value = self.sketch.initial[usize::from(cell)];
        match self.sketch.cell {
            CellType::Union => format!("{{{value}}}"),
            _ => value.to_string(),
        }
    }

    fn cell_declaration(&self, cell: u8) -> (String, String) {
        let (of, initial) = (self.cell_type(), self.initial(cell));
        match self.sketch.form.storage {
            Storage::Static => (format!("static {of} $c{cell} = {initial};"), String::new()),
            Storage::Heap => (
                format!("static {of} *$c{cell};"),
                format!(
                    "$c{cell} = malloc(sizeof({of})); {{ {of} v = {initial}; *$c{cell} = v; }}"
                ),
            ),
            Storage::Frame => (
                format!("static {of} *$c{cell};"),
                format!("$c{cell} = &l{cell};"),
            ),
            Storage::ThreadLocal => (
                format!("static {of} *$c{cell};"),
                format!("$c{cell} = &$tc{cell};"),
            ),
        }
    }

    /// A function for one kind of access: `ld_int_relaxed`, `st_…`, or a pointer to it, `ldp_…`.
    fn access_function(&self, name: &str) -> Option<String> {
        let mut parts = name.split('_');
        let (kind, of, order) = (parts.next()?, parts.next()?, order_named(parts.next()?)?);
        let body = match kind {
            "ld" => format!(
                "static {of} ${name}({of} *p) {{ return {}; }}",
                self.load_text("(*p)", of, order, Spelling::Builtin)
            ),
            "st" => format!(
                "static void ${name}({of} *p, {of} v) {{ {}; }}",
                self.store_text("(*p)", of, "v", order, Spelling::Builtin)
            ),
            "ldp" => format!(
                "static {of} (*${name})({of} *) = $ld_{of}_{};",
                short(order)
            ),
            "stp" => format!(
                "static void (*${name})({of} *, {of}) = $st_{of}_{};",
                short(order)
            ),
            _ => return None,
        };
        Some(body)
    }

    fn spelling(&self) -> Spelling {
        self.sketch.form.spelling
    }

    /// The lvalue of a location and its type.
    fn lvalue(&self, at: Location) -> (String, &'static str) {
        let cell = |cell: u8| match self.sketch.form.storage {
            Storage::Static => format!("$c{}", cell % CELLS),
            _ => format!("(*$c{})", cell % CELLS),
        };
        let (suffix, of) = match (self.sketch.cell, at.part) {
            (CellType::Union, 0) => (".w", "int"),
            (CellType::Union, 1) => (".h[0]", "short"),
            (CellType::Union, 2) => (".h[1]", "short"),
            (CellType::Union, 3) => (".b[0]", "char"),
            (CellType::Union, 4) => (".b[1]", "char"),
            (CellType::Union, 5) => (".b[2]", "char"),
            (CellType::Union, _) => (".b[3]", "char"),
            _ => ("", self.cell_type()),
        };
        let text = match at.index {
            None => format!("{}{suffix}", cell(at.cell)),
            Some(register) => format!(
                "(*(r{register} & 1 ? &{}{suffix} : &{}{suffix}))",
                cell(at.cell + 1),
                cell(at.cell)
            ),
        };
        (text, of)
    }

    fn load_text(&self, place: &str, of: &str, order: Order, spelling: Spelling) -> String {
        match (spelling, order) {
            (Spelling::Function, _) => format!("$ld_{of}_{}(&{place})", short(order)),
            (Spelling::Pointer, _) => format!("$ldp_{of}_{}(&{place})", short(order)),
            (_, Order::Plain) if self.target == Target::Processor => {
                format!("*(volatile {of} *)&{place}")
            }
            (_, Order::Plain) => place.to_owned(),
            (Spelling::C11, _) => {
                format!(
                    "atomic_load_explicit((_Atomic({of}) *)&{place}, {})",
                    c11(order)
                )
            }
            _ => format!("__atomic_load_n(&{place}, {})", builtin(order)),
        }
    }

    fn store_text(
        &self,
        place: &str,
        of: &str,
        value: &str,
        order: Order,
        spelling: Spelling,
    ) -> String {
        match (spelling, order) {
            (Spelling::Function, _) => format!("$st_{of}_{}(&{place}, {value})", short(order)),
            (Spelling::Pointer, _) => format!("$stp_{of}_{}(&{place}, {value})", short(order)),
            (_, Order::Plain) if self.target == Target::Processor => {
                format!("*(volatile {of} *)&{place} = {value}")
            }
            (_, Order::Plain) => format!("{place} = {value}"),
            (Spelling::C11, _) => format!(
                "atomic_store_explicit((_Atomic({of}) *)&{place}, {value}, {})",
                c11(order)
            ),
            _ => format!("__atomic_store_n(&{place}, {value}, {})", builtin(order)),
        }
    }

    fn load(&self, at: Location, order: Order) -> String {
        let (place, of) = self.lvalue(at);
        self.load_text(&place, of, order, self.spelling())
    }

    fn store(&self, at: Location, value: &str, order: Order) -> String {
        let (place, of) = self.lvalue(at);
        self.store_text(&place, of, value, order, self.spelling())
    }

    fn update(&self, operator: Operator, at: Location, value: &str, order: Order) -> String {
        let (place, of) = self.lvalue(at);
        match self.spelling() {
            Spelling::C11 if operator != Operator::Nand => format!(
                "atomic_{}_explicit((_Atomic({of}) *)&{place}, {value}, {})",
                operator.name(),
                c11(order)
            ),
            _ => {
                let end = if operator == Operator::Exchange {
                    "_n"
                } else {
                    ""
                };
                format!(
                    "__atomic_{}{end}(&{place}, {value}, {})",
                    operator.name(),
                    builtin(order)
                )
            }
        }
    }

    fn exchange(&self, at: Location, desired: &str, weak: bool, orders: [Order; 2]) -> String {
        let (place, of) = self.lvalue(at);
        compare_exchange(self.spelling(), &place, of, desired, weak, orders)
    }

    fn value(value: Value) -> String {
        match value.register {
            None => value.constant.to_string(),
            Some(register) => format!("r{register} + {}", value.constant),
        }
    }

    /// The function of a thread.
    fn thread(&mut self, thread: usize) -> String {
        self.thread = thread;
        let statements = &self.sketch.threads[thread];
        let mut text = format!("static void *$t{thread}(void *a) {{\n");
        text.push_str(&registers(&[statements]));
        self.statements(statements, 1, &mut text);
        self.observe(&[statements], &thread.to_string(), &mut text);
        text.push_str("    return a;\n}\n");
        text
    }

    /// Observes the registers that statements write.
    fn observe(&mut self, lists: &[&Vec<Statement>], who: &str, text: &mut String) {
        let mut written = BTreeSet::new();
        for list in lists {
            each(list, &mut |statement| written.extend(statement.target()));
        }
        for register in written {
            let value = format!("r{register}");
            self.observe_one(format!("{who}r{register}"), &value, text);
        }
    }

    fn observe_one(&mut self, name: String, value: &str, text: &mut String) {
        let _ = match self.target {
            Target::Checker => writeln!(text, "    fp_observe(\"{name}\", {value});"),
            Target::Processor => {
                writeln!(text, "    fp_record({}, {value});", self.observed.len())
            }
        };
        self.observed.push(name);
    }

    fn main(&mut self) -> Main {
        let sketch = self.sketch;
        self.thread = sketch.threads.len();
        let mut main = Main::default();
        if sketch.form.storage == Storage::Frame {
            let of = self.cell_type();
            for cell in 0..CELLS {
                let _ = writeln!(main.locals, "    {of} l{cell} = {};", self.initial(cell));
            }
        }
        let own = [&sketch.before, &sketch.after];
        main.locals.push_str(&registers(&own));
        let text = &mut main.text;
        self.statements(&sketch.before, 1, text);
        let started = |thread: usize| sketch.starter(thread).is_some();
        let created: Vec<usize> = {
            let all = sketch.form.order.iter().copied();
            let by_main = all.filter(|thread| !started(*thread));
            by_main
                .filter(|thread| sketch.form.main_runs != Some(*thread))
                .collect()
        };
        let (kind, create, join) = match sketch.form.c11 {
            true => ("thrd_t", "thrd_create", "thrd_join"),
            false => ("pthread_t", "pthread_create", "pthread_join"),
        };
        for thread in &created {
            let _ = writeln!(text, "    {kind} h{thread};");
        }
        for thread in &created {
            let function = match sketch.form.nested == Some(*thread) {
                true => format!("$n{thread}"),
                false => format!("$t{thread}"),
            };
            let _ = match sketch.form.c11 {
                true => writeln!(text, "    {create}(&h{thread}, $u{thread}, 0);"),
                false => writeln!(text, "    {create}(&h{thread}, 0, {function}, 0);"),
            };
        }
        if let Some(thread) = sketch.form.main_runs {
            let _ = writeln!(text, "    $t{thread}(0);");
        }
        match sketch.end {
            End::Join => {}
            End::Return => {
                text.push_str("    return 0;\n");
                return main;
            }
            End::ThreadExit => {
                text.push_str("    pthread_exit(0);\n");
                return main;
            }
            End::Exit => {
                text.push_str("    exit(0);\n");
                return main;
            }
        }
        let mut created = created;
        created.sort_unstable();
        for thread in &created {
            let _ = writeln!(text, "    {join}(h{thread}, 0);");
        }
        for thread in 0..sketch.threads.len() {
            if let Some(false) = sketch.starter(thread) {
                let _ = writeln!(text, "    pthread_join($h{thread}, 0);");
            }
        }
        self.statements(&sketch.after, 1, text);
        self.observe(&own, "m", text);
        self.observe_cells(text);
        text.push_str("    return 0;\n");
        main
    }

    /// Observes what the cells hold.
    fn observe_cells(&mut self, text: &mut String) {
        for cell in 0..CELLS {
            let location = Location {
                cell,
                index: None,
                part: 0,
            };
            if self.uses_cell(cell) {
                let value = self.lvalue(location).0;
                self.observe_one(format!("c{cell}"), &value, text);
            }
        }
    }

    fn uses_cell(&self, cell: u8) -> bool {
        self.sketch.any(|statement| {
            let mut used = false;
            statement.locations(&mut |at| {
                used |= at.cell % CELLS == cell;
                used |= at.index.is_some() && (at.cell + 1) % CELLS == cell;
            });
            if let Statement::Snippet { snippet, which, .. } = statement {
                used |= SNIPPETS[*snippet].code.contains("{c}") && *which == cell;
            }
            used
        })
    }

    fn statements(&mut self, statements: &[Statement], depth: usize, text: &mut String) {
        for statement in statements {
            if self.sketch.form.padded {
                let pads = [
                    "sched_yield();",
                    "{ int z[2]; z[0] = 1; z[1] = z[0]; }",
                    "{ int *q = malloc(sizeof(int)); __atomic_store_n(&$padp, q, __ATOMIC_RELAXED); __atomic_store_n(q, 1, __ATOMIC_RELAXED); free(q); }",
                    "if (0) abort();",
                    "{ int q = 1; __atomic_store_n(&$padp, &q, __ATOMIC_RELAXED); __atomic_store_n(&q, 2, __ATOMIC_RELAXED); }",
                    "fp_retry();",
                    "$pad = 1;",
                    // Of nothing: to copy what is there would load it, which under PSO orders stores around it.
                    "{ int *q = realloc(0, 8); q[1] = 1; free(q); }",
                    "printf(\"%d\", 1);",
                ];
                let pad = pads[self.padding % pads.len()]
                    .replace("$pad", &format!("$pad{}", self.thread));
                self.padding += 1;
                // A loop whose iterations do something does not wait.
                let fits = depth == 1 || !pad.contains(['$', '*', '%']);
                if fits && (self.target == Target::Checker || !pad.contains("fp_")) {
                    line(text, depth, &pad);
                }
            }
            self.statement(statement, depth, text);
        }
    }

    fn statement(&mut self, statement: &Statement, depth: usize, text: &mut String) {
        match statement {
            Statement::If {
                register,
                equal,
                constant,
                then,
                otherwise,
            } => {
                let relation = if *equal { "==" } else { "!=" };
                let head = format!("if (r{register} {relation} {constant}) {{");
                if otherwise.is_empty() {
                    self.around(&head, then, "}", depth, text);
                } else {
                    self.around(&head, then, "} else {", depth, text);
                    self.statements(otherwise, depth + 1, text);
                    line(text, depth, "}");
                }
            }
            Statement::Repeat { times, body } => self.repeat(*times, body, depth, text),
            Statement::Await {
                to,
                at,
                order,
                zero,
                all,
                body,
            } => self.awaiting(*to, at, *order, (*zero, *all), body, depth, text),
            Statement::Stable {
                to,
                at,
                order,
                body,
            } => {
                let load = self.load(*at, *order);
                self.stable(*to, &load, body, depth, text);
            }
            Statement::Spin {
                kind,
                lock,
                take,
                give,
                body,
            } => {
                line(text, depth, &take_spin(*kind, *lock, *take));
                self.statements(body, depth, text);
                line(text, depth, &give_spin(*kind, *lock, *give));
            }
            Statement::Guarded { guard, lock, body } => {
                let row = &GUARDS[*guard];
                let fill = |code: &str| code.replace("{i}", &lock.to_string());
                self.around(&fill(row.open), body, &fill(row.close), depth, text);
            }
            Statement::Section { body } => {
                line(text, depth, "fp_atomic_begin();");
                self.statements(body, depth, text);
                line(text, depth, "fp_atomic_end();");
            }
            Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Update { .. }
            | Statement::CompareExchange { .. }
            | Statement::Fence(_)
            | Statement::Insist { .. }
            | Statement::Retry { .. }
            | Statement::Check { .. }
            | Statement::Start { .. }
            | Statement::Snippet { .. } => {
                for code in self.without_body(statement) {
                    line(text, depth, &code);
                }
            }
        }
    }

    /// A body, with a line before it and one after it.
    fn around(
        &mut self,
        open: &str,
        body: &[Statement],
        close: &str,
        depth: usize,
        text: &mut String,
    ) {
        line(text, depth, open);
        self.statements(body, depth + 1, text);
        line(text, depth, close);
    }

    fn repeat(&mut self, times: u8, body: &[Statement], depth: usize, text: &mut String) {
        if self.sketch.form.unrolled {
            for _ in 0..times {
                self.statements(body, depth, text);
            }
        } else {
            let head = format!("for (int i = 0; i < {times}; i++) {{");
            self.around(&head, body, "}", depth, text);
        }
    }

    /// Runs a body between two loads until these agree.
    fn stable(&mut self, to: u8, load: &str, body: &[Statement], depth: usize, text: &mut String) {
        line(text, depth, "for (;;) {");
        line(text, depth + 1, &format!("long s = {load};"));
        self.statements(body, depth + 1, text);
        let leave = format!("if ({load} == s) {{ r{to} = s; break; }}");
        line(text, depth + 1, &leave);
        line(text, depth, "}");
    }

    /// The lines of a statement that has no body.
    fn without_body(&self, statement: &Statement) -> Vec<String> {
        match statement {
            Statement::Load { to, at, order } => {
                vec![format!("r{to} = {};", self.load(*at, *order))]
            }
            Statement::Store { at, value, order } => {
                vec![format!(
                    "{};",
                    self.store(*at, &Self::value(*value), *order)
                )]
            }
            Statement::Update {
                to,
                operator,
                at,
                value,
                order,
            } => {
                let update = self.update(*operator, *at, &Self::value(*value), *order);
                vec![format!("r{to} = {update};")]
            }
            Statement::CompareExchange {
                to,
                at,
                expected,
                desired,
                weak,
                success,
                failure,
            } => {
                let of = self.lvalue(*at).1;
                let [expected, desired] = [*expected, *desired].map(Self::value);
                let exchange = self.exchange(*at, &desired, *weak, [*success, *failure]);
                vec![format!(
                    "{{ {of} e = {expected}; r{to} = {exchange} * 16; r{to} += e; }}"
                )]
            }
            Statement::Fence(fence) => vec![self.fence(*fence)],
            Statement::Insist {
                at,
                constant,
                order,
            } => self.insist(*at, *constant, *order),
            Statement::Retry { .. } => self.retry(statement),
            Statement::Check {
                assume,
                register,
                equal,
                constant,
            } => {
                let relation = if *equal { "!=" } else { "==" };
                let name = if *assume { "fp_assume" } else { "assert" };
                vec![format!("{name}(r{register} {relation} {constant});")]
            }
            Statement::Start { thread, join: true } => vec![format!(
                "{{ pthread_t h; pthread_create(&h, 0, $t{thread}, 0); pthread_join(h, 0); }}"
            )],
            Statement::Start {
                thread,
                join: false,
            } => vec![format!("pthread_create(&$h{thread}, 0, $t{thread}, 0);")],
            Statement::Snippet {
                snippet,
                to,
                constant,
                which,
            } => vec![self.snippet(*snippet, *to, *constant, *which)],
            Statement::If { .. }
            | Statement::Repeat { .. }
            | Statement::Await { .. }
            | Statement::Stable { .. }
            | Statement::Spin { .. }
            | Statement::Guarded { .. }
            | Statement::Section { .. } => Vec::new(),
        }
    }

    /// Stores a constant until it is read back.
    fn insist(&self, at: Location, constant: u8, order: Order) -> Vec<String> {
        let store = self.store(at, &constant.to_string(), store_part(order));
        let load = self.load(at, load_part(order));
        vec![
            "for (;;) {".to_owned(),
            format!("    {store};"),
            format!("    if ({load} == {constant}) break;"),
            "}".to_owned(),
        ]
    }

    /// Adds a constant by compare-and-exchange until that works.
    fn retry(&self, statement: &Statement) -> Vec<String> {
        let Statement::Retry {
            to,
            at,
            constant,
            weak,
            success,
            failure,
            reload,
        } = statement
        else {
            return Vec::new();
        };
        let of = self.lvalue(*at).1;
        let load = self.load(*at, Order::Relaxed);
        let desired = format!("e + {constant}");
        let exchange = self.exchange(*at, &desired, *weak, [*success, *failure]);
        let again = if *reload {
            format!("e = {load};")
        } else {
            ";".to_owned()
        };
        vec![
            format!("{{ {of} e = {load};"),
            format!("while (!{exchange}) {again}"),
            format!("r{to} = e; }}"),
        ]
    }

    fn snippet(&self, snippet: usize, to: u8, constant: u8, which: u8) -> String {
        let row = &SNIPPETS[snippet];
        let mut code = row.code.to_owned();
        if !row.names.is_empty() {
            let index = usize::from(constant / 4 * 2 + which) % row.names.len();
            code = code.replace('@', row.names[index]);
        }
        let at = Location {
            cell: which,
            index: None,
            part: 0,
        };
        let cell = self.lvalue(at).0;
        code.replace("{r}", &format!("r{to}"))
            .replace("{k}", &(constant % 4).max(1).to_string())
            .replace("{i}", &which.to_string())
            .replace("{t}", &self.thread.to_string())
            .replace("{at}", &format!("&{cell}"))
            .replace("{c}", &cell)
    }

    #[allow(clippy::too_many_arguments)]
    fn awaiting(
        &mut self,
        to: u8,
        at: &[Location],
        order: Order,
        (zero, all): (bool, bool),
        body: &[Statement],
        depth: usize,
        text: &mut String,
    ) {
        if let ([only], []) = (at, body) {
            let not = if zero { "!= 0" } else { "== 0" };
            let load = self.load(*only, order);
            line(text, depth, &format!("while ((r{to} = {load}) {not}) ;"));
            return;
        }
        line(text, depth, "for (;;) {");
        self.statements(body, depth + 1, text);
        let mut names = Vec::new();
        for (index, location) in at.iter().enumerate() {
            let load = self.load(*location, order);
            line(text, depth + 1, &format!("long seen{index} = {load};"));
            names.push(format!("seen{index} {} 0", if zero { "==" } else { "!=" }));
        }
        let condition = names.join(if all { " && " } else { " || " });
        let last = at.len() - 1;
        line(
            text,
            depth + 1,
            &format!("if ({condition}) {{ r{to} = seen{last}; break; }}"),
        );
        line(text, depth, "}");
    }

    fn fence(&self, fence: Fence) -> String {
        match fence {
            Fence::Thread(order) if self.spelling() == Spelling::C11 => {
                format!("atomic_thread_fence({});", c11(order))
            }
            Fence::Thread(order) => format!("__atomic_thread_fence({});", builtin(order)),
            Fence::Signal => "atomic_signal_fence(memory_order_seq_cst);".to_owned(),
            Fence::Kinds(kinds) => format!("fp_fence({});", kinds.max(1)),
            Fence::Sync => "__sync_synchronize();".to_owned(),
            Fence::Assembly(which) => {
                let name = ["mfence", "sfence", "lfence"][usize::from(which % 3)];
                format!("__asm__ __volatile__(\"{name}\" : : : \"memory\");")
            }
        }
    }
}

fn store_part(order: Order) -> Order {
    match order {
        Order::Acquire => Order::Relaxed,
        Order::AcquireRelease => Order::Release,
        other => other,
    }
}

fn load_part(order: Order) -> Order {
    match order {
        Order::Release => Order::Relaxed,
        Order::AcquireRelease => Order::Acquire,
        other => other,
    }
}

fn compare_exchange(
    spelling: Spelling,
    place: &str,
    of: &str,
    desired: &str,
    weak: bool,
    [success, failure]: [Order; 2],
) -> String {
    match spelling {
        Spelling::C11 => format!(
            "atomic_compare_exchange_{}_explicit((_Atomic({of}) *)&{place}, &e, {desired}, {}, {})",
            if weak { "weak" } else { "strong" },
            c11(success),
            c11(failure)
        ),
        _ => format!(
            "__atomic_compare_exchange_n(&{place}, &e, {desired}, {}, {}, {})",
            u8::from(weak),
            builtin(success),
            builtin(failure)
        ),
    }
}

fn take_spin(kind: SpinKind, lock: u8, take: Order) -> String {
    let (order, c) = (builtin(take), c11(take));
    let exchange = format!("__atomic_exchange_n(&$lock{lock}, 1, {order})");
    let compare = |weak: u8| {
        format!(
            "__atomic_compare_exchange_n(&$lock{lock}, &e, 1, {weak}, {order}, __ATOMIC_RELAXED)"
        )
    };
    match kind {
        SpinKind::Exchange => format!("while ({exchange}) ;"),
        SpinKind::CompareExchange { weak } => {
            format!(
                "for (;;) {{ int e = 0; if ({}) break; }}",
                compare(weak.into())
            )
        }
        SpinKind::TestAndTestAndSet => format!(
            "for (;;) {{ while (__atomic_load_n(&$lock{lock}, __ATOMIC_RELAXED)) ; if (!{exchange}) break; }}"
        ),
        SpinKind::Ticket => format!(
            "{{ int e = __atomic_fetch_add(&$next{lock}, 1, {order}); while (__atomic_load_n(&$serve{lock}, __ATOMIC_ACQUIRE) != e) ; }}"
        ),
        SpinKind::Flag => format!("while (atomic_flag_test_and_set_explicit(&$flag{lock}, {c})) ;"),
        SpinKind::Backoff => format!(
            "for (;;) {{ int e = 0; if ({}) break; for (int w = 0; w < 1; w++) sched_yield(); }}",
            compare(0)
        ),
        SpinKind::Mcs => format!(
            "{{ struct $node n = {{0, 1}}, *o = __atomic_exchange_n(&$tail{lock}, &n, {order}); \
             if (o) {{ __atomic_store_n(&o->next, &n, __ATOMIC_RELEASE); while (__atomic_load_n(&n.flag, __ATOMIC_ACQUIRE)) ; }}"
        ),
        SpinKind::Clh => format!(
            "{{ struct $node *n = malloc(sizeof *n), *o; __atomic_store_n(&n->flag, 1, __ATOMIC_RELAXED); \
             o = __atomic_exchange_n(&$tail{lock}, n, {order}); \
             if (o) {{ while (__atomic_load_n(&o->flag, __ATOMIC_ACQUIRE)) ; free(o); }}"
        ),
        SpinKind::Array => format!(
            "{{ int e = __atomic_fetch_add(&$next{lock}, 1, {order}) & 3; \
             while (!__atomic_load_n(&$turns{lock}[e], __ATOMIC_ACQUIRE)) ; \
             __atomic_store_n(&$turns{lock}[e], 0, __ATOMIC_RELAXED);"
        ),
    }
}

fn give_spin(kind: SpinKind, lock: u8, give: Order) -> String {
    match kind {
        SpinKind::Ticket => format!("__atomic_fetch_add(&$serve{lock}, 1, {});", builtin(give)),
        SpinKind::Flag => format!("atomic_flag_clear_explicit(&$flag{lock}, {});", c11(give)),
        SpinKind::Mcs => {
            let order = builtin(give);
            format!(
                "struct $node *s = __atomic_load_n(&n.next, __ATOMIC_ACQUIRE), *e = &n; \
                 if (s || !__atomic_compare_exchange_n(&$tail{lock}, &e, (struct $node *)0, 0, {order}, __ATOMIC_RELAXED)) {{ \
                 while (!(s = __atomic_load_n(&n.next, __ATOMIC_ACQUIRE))) ; __atomic_store_n(&s->flag, 0, {order}); }} }}"
            )
        }
        SpinKind::Clh => format!("__atomic_store_n(&n->flag, 0, {}); }}", builtin(give)),
        SpinKind::Array => format!(
            "__atomic_store_n(&$turns{lock}[e + 1 & 3], 1, {}); }}",
            builtin(give)
        ),
        _ => format!("__atomic_store_n(&$lock{lock}, 0, {});", builtin(give)),
    }
}

fn line(text: &mut String, depth: usize, line: &str) {
    let _ = writeln!(text, "{:1$}{line}", "", 4 * depth);
}

/// The declaration of the registers that statements use.
fn registers(lists: &[&Vec<Statement>]) -> String {
    let mut used = BTreeSet::new();
    for list in lists {
        each(list, &mut |statement| {
            used.extend(statement.target());
            statement.reads(&mut |register| {
                used.insert(register);
            });
        });
    }
    let names: Vec<String> = (0..REGISTERS)
        .filter(|register| used.contains(register))
        .map(|register| format!("r{register} = 0"))
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("    long {};\n", names.join(", ")),
    }
}

impl Statement {
    /// The registers that it reads.
    pub fn reads(&self, visit: &mut dyn FnMut(u8)) {
        self.locations(&mut |at| {
            if let Some(register) = at.index {
                visit(register);
            }
        });
        match self {
            Statement::Store { value, .. } | Statement::Update { value, .. } => {
                value.register.into_iter().for_each(visit);
            }
            Statement::CompareExchange {
                expected, desired, ..
            } => {
                expected.register.into_iter().for_each(&mut *visit);
                desired.register.into_iter().for_each(visit);
            }
            Statement::If { register, .. } | Statement::Check { register, .. } => visit(*register),
            _ => {}
        }
    }

    /// The cells that it accesses.
    pub fn locations(&self, visit: &mut dyn FnMut(Location)) {
        match self {
            Statement::Load { at, .. }
            | Statement::Store { at, .. }
            | Statement::Update { at, .. }
            | Statement::CompareExchange { at, .. }
            | Statement::Stable { at, .. }
            | Statement::Insist { at, .. }
            | Statement::Retry { at, .. } => visit(*at),
            Statement::Await { at, .. } => at.iter().copied().for_each(visit),
            _ => {}
        }
    }
}

impl Sketch {
    /// Whether it is a data type rather than a program.
    pub fn is_data_type(&self) -> bool {
        self.family == "refine"
    }

    /// Whether a thread is started by another one, and if so, whether that one joins it.
    pub fn starter(&self, wanted: usize) -> Option<bool> {
        let mut found = None;
        for list in self.lists() {
            each(list, &mut |statement| {
                if let Statement::Start { thread, join } = statement
                    && *thread == wanted
                {
                    found = Some(*join);
                }
            });
        }
        found
    }
}
