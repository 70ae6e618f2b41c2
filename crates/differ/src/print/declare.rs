//! What names need: declarations, and what `main` does first.

use super::Printer;
use super::order::{order_named, short};
use crate::library::OBJECTS;
use crate::sketch::{CellType, Spelling, Storage};

impl Printer<'_> {
    /// What a name needs: its declaration, and what `main` does first.
    pub(super) fn declare(&self, name: &str) -> Option<(String, String)> {
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

    pub(super) fn cell_type(&self) -> &'static str {
        match self.sketch.cell {
            CellType::Int => "int",
            CellType::Char => "char",
            CellType::Short => "short",
            CellType::Long => "long",
            CellType::Union => "union word",
        }
    }

    pub(super) fn initial(&self, cell: u8) -> String {
        let value = self.sketch.initial[usize::from(cell)];
        match self.sketch.cell {
            CellType::Union => format!("{{{value}}}"),
            _ => value.to_string(),
        }
    }

    pub(super) fn cell_declaration(&self, cell: u8) -> (String, String) {
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
    pub(super) fn access_function(&self, name: &str) -> Option<String> {
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
}
