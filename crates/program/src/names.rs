//! How names and observables are spelled in printed programs, for the printer
//! and its reader alike.

use crate::{Binary, Conversion, MemoryOrder, ObjectId, Observable, Program, ThreadId, Unary};
use std::fmt;

/// Words that start an instruction, a value or a formula. As names they are quoted.
const RESERVED: &[&str] = &[
    "align",
    "all",
    "allocate",
    "any",
    "assert",
    "assume",
    "atomic",
    "begin",
    "branch",
    "call",
    "choose",
    "cmpxchg",
    "end",
    "false",
    "fence",
    "jump",
    "library",
    "load",
    "observe",
    "own",
    "register",
    "return",
    "select",
    "sext",
    "store",
    "switch",
    "true",
    "unreachable",
];

pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
        || Binary::named(word).is_some()
        || Unary::named(word).is_some()
        || Conversion::named(word).is_some()
        || MemoryOrder::named(word).is_some()
}

/// The identifier at the start of `text`; empty if there is none. A `%` may
/// start it, for the registers of SPARC.
pub(crate) fn identifier_at(text: &str) -> &str {
    let body = text.strip_prefix('%').unwrap_or(text);
    if !body.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return "";
    }
    let length = body
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(body.len());
    &text[..text.len() - body.len() + length]
}

/// The number at the start of `text`; empty if there is none.
pub(crate) fn digits_at(text: &str) -> &str {
    let length = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..length]
}

/// What may stand for an observable without quotes at the start of `text`: `x`,
/// `a[2]`, `0:EAX`; empty if there is nothing of the kind.
pub(crate) fn observable_name_at(text: &str) -> &str {
    let thread = digits_at(text);
    if !thread.is_empty() {
        let register = text[thread.len()..].strip_prefix(':').map(identifier_at);
        return match register {
            Some(register) if !register.is_empty() => &text[..thread.len() + 1 + register.len()],
            _ => "",
        };
    }
    let object = identifier_at(text);
    if object.is_empty() || is_reserved(object) {
        return "";
    }
    if let Some(rest) = text[object.len()..].strip_prefix('[') {
        let cell = digits_at(rest);
        if !cell.is_empty() && rest[cell.len()..].starts_with(']') {
            return &text[..object.len() + cell.len() + 2];
        }
    }
    object
}

/// A name, in quotes unless it is a plain identifier.
pub(crate) struct Name<'a>(pub &'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0;
        if !name.is_empty() && identifier_at(name) == name && !is_reserved(name) {
            f.write_str(name)
        } else {
            Quoted(name).fmt(f)
        }
    }
}

/// The name of an observable, in quotes unless it looks like one.
pub(crate) struct ObservableName<'a>(pub &'a str);

impl fmt::Display for ObservableName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0;
        if !name.is_empty() && observable_name_at(name) == name {
            f.write_str(name)
        } else {
            Quoted(name).fmt(f)
        }
    }
}

/// A string in quotes, on one line whatever is in it.
pub(crate) struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                _ if c.is_control() => write!(f, "\\u{{{:x}}}", c as u32)?,
                _ => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}

impl Program {
    /// The observable that a bare name stands for: the observed one of that
    /// name, else the whole cell or the whole register of that name.
    pub(crate) fn observable_spelled(&self, name: &str) -> Option<Observable> {
        let observed = self.observed.iter().find(|known| known.name == name);
        observed.cloned().or_else(|| self.whole_observable(name))
    }

    /// The whole cell or the whole register of this name.
    pub(crate) fn whole_observable(&self, name: &str) -> Option<Observable> {
        self.whole_cell(name).or_else(|| self.whole_register(name))
    }

    fn whole_cell(&self, name: &str) -> Option<Observable> {
        let (object, cell) = match self.object_named(name) {
            Some(object) => (object, 0),
            None => self.cell_of_array(name)?,
        };
        let cells = self.objects[object.index()].cells();
        let observable = (cell < cells).then(|| self.observable_cell(object, cell))?;
        (observable.name == name).then_some(observable)
    }

    /// Reads `a[2]`.
    fn cell_of_array(&self, name: &str) -> Option<(ObjectId, usize)> {
        let (object, cell) = name.strip_suffix(']')?.rsplit_once('[')?;
        Some((self.object_named(object)?, cell.parse().ok()?))
    }

    fn whole_register(&self, name: &str) -> Option<Observable> {
        let (thread, register) = name.split_once(':')?;
        let index: usize = thread.parse().ok()?;
        let function = self.threads.get(index)?.function;
        let register = self
            .functions
            .get(function.index())?
            .register_named(register)?;
        let observable = self.observable_register(ThreadId::from(index), register);
        (observable.name == name).then_some(observable)
    }
}
