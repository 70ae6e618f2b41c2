//! Threads and `main`: what they run, and what they observe.

use super::{Main, Printer, Target};
use crate::library::SNIPPETS;
use crate::sketch::{CELLS, End, Location, REGISTERS, Statement, Storage, each};
use std::collections::BTreeSet;
use std::fmt::Write;

impl Printer<'_> {
    /// The function of a thread.
    pub(super) fn thread(&mut self, thread: usize) -> String {
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
    pub(super) fn observe(&mut self, lists: &[&Vec<Statement>], who: &str, text: &mut String) {
        let mut written = BTreeSet::new();
        for list in lists {
            each(list, &mut |statement| written.extend(statement.target()));
        }
        for register in written {
            let value = format!("r{register}");
            self.observe_one(format!("{who}r{register}"), &value, text);
        }
    }

    pub(super) fn observe_one(&mut self, name: String, value: &str, text: &mut String) {
        let _ = match self.target {
            Target::Checker => writeln!(text, "    fp_observe(\"{name}\", {value});"),
            Target::Processor => {
                writeln!(text, "    fp_record({}, {value});", self.observed.len())
            }
        };
        self.observed.push(name);
    }

    pub(super) fn main(&mut self) -> Main {
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
    pub(super) fn observe_cells(&mut self, text: &mut String) {
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

    pub(super) fn uses_cell(&self, cell: u8) -> bool {
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
}

/// The declaration of the registers that statements use.
pub(super) fn registers(lists: &[&Vec<Statement>]) -> String {
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
