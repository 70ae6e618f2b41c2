//! Statements, alone and with bodies.

use super::order::{load_part, store_part};
use super::spin::{give_spin, take_spin};
use super::{Printer, Target, line};
use crate::library::{GUARDS, SNIPPETS};
use crate::sketch::{Again, Location, Order, Statement};

impl Printer<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement], depth: usize, text: &mut String) {
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

    pub(super) fn statement(&mut self, statement: &Statement, depth: usize, text: &mut String) {
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
    pub(super) fn around(
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

    pub(super) fn repeat(
        &mut self,
        times: u8,
        body: &[Statement],
        depth: usize,
        text: &mut String,
    ) {
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
    pub(super) fn stable(
        &mut self,
        to: u8,
        load: &str,
        body: &[Statement],
        depth: usize,
        text: &mut String,
    ) {
        line(text, depth, "for (;;) {");
        line(text, depth + 1, &format!("long s = {load};"));
        self.statements(body, depth + 1, text);
        let leave = format!("if ({load} == s) {{ r{to} = s; break; }}");
        line(text, depth + 1, &leave);
        line(text, depth, "}");
    }

    /// The lines of a statement that has no body.
    pub(super) fn without_body(&self, statement: &Statement) -> Vec<String> {
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
    pub(super) fn insist(&self, at: Location, constant: u8, order: Order) -> Vec<String> {
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
    pub(super) fn retry(&self, statement: &Statement) -> Vec<String> {
        let Statement::Retry {
            to,
            at,
            constant,
            weak,
            success,
            failure,
            first,
            apart,
            again,
            also,
            odd,
            gives_up,
        } = statement
        else {
            return Vec::new();
        };
        let of = self.lvalue(*at).1;
        let load = self.load(*at, Order::Relaxed);
        let desired = format!("e + {constant}");
        let exchange = self.exchange(*at, &desired, *weak, [*success, *failure]);
        let start = first.map_or(load.clone(), |first| first.to_string());
        let reload = format!("e = {load};");
        let mut code = vec![format!("{{ {of} e = {start};")];
        if *apart {
            let more = format!("e + {constant} + 1");
            let apart = self.exchange(*at, &more, *weak, [*success, *failure]);
            code.push(format!("if (!{apart})"));
        }
        if also.is_none() && !odd && !gives_up && *again != Again::Head {
            let again = match again {
                Again::Reload => &reload,
                Again::Found | Again::Head => ";",
            };
            code.push(format!("while (!{exchange}) {again}"));
            code.push(format!("r{to} = e; }}"));
            return code;
        }
        code.insert(0, "{ long q = 0, n = 0;".to_owned());
        code.push("for (;;) {".to_owned());
        let mut body = Vec::new();
        if *again == Again::Head {
            body.push(reload.clone());
        }
        if let Some(also) = also {
            body.push(format!("q = {};", self.load(*also, Order::Relaxed)));
        }
        if *odd {
            body.push("e |= 1;".to_owned());
        }
        body.push(format!("if ({exchange}) break;"));
        if *gives_up {
            body.push("if (++n == 2) break;".to_owned());
        }
        if *again == Again::Reload {
            body.push(reload);
        }
        code.extend(body.into_iter().map(|line| format!("    {line}")));
        code.push("}".to_owned());
        code.push(format!("r{to} = e + 8 * q + 64 * n; }} }}"));
        code
    }

    pub(super) fn snippet(&self, snippet: usize, to: u8, constant: u8, which: u8) -> String {
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
    pub(super) fn awaiting(
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
}
