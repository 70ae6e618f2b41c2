//! Formulas of the statements, as data.
//!
//! A formula can be written with the parentheses that the grammar of `docs/reference/litmus.md` needs, or
//! with all of them; both must mean the same.

use crate::instruction::{Language, Register, Registers};
use std::fmt::Write;

/// One side of a comparison, or where control stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Number(i128),
    /// A location on the left: `x`, or a cell `a[1]`.
    Location(String),
    /// A location on either side: `[x]`.
    Content(String),
    /// `x` on the right.
    Address(String),
    /// `&x` on the right.
    AddressOf(String),
    /// A register of a thread; the flag asks for `P0:EAX`.
    Register(usize, Register, bool),
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Constant(bool),
    Compare(Value, &'static str, Value),
    /// Control of a thread stands at a label.
    At(usize, String),
    Not(&'static str, Box<Formula>),
    Or(&'static str, Box<Formula>, Box<Formula>),
    And(&'static str, Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
}

/// How names are written.
pub struct Names<'a> {
    pub language: Language,
    pub registers: &'a Registers,
    /// The number of each thread.
    pub order: &'a [usize],
    /// All parentheses are written.
    pub parentheses: bool,
}

impl Formula {
    /// The formulas that it is made of.
    pub fn parts(&self) -> Vec<&Formula> {
        match self {
            Formula::Not(_, only) => vec![only],
            Formula::Or(_, a, b) | Formula::And(_, a, b) | Formula::Implies(a, b) => vec![a, b],
            _ => Vec::new(),
        }
    }

    /// True if it speaks of labels.
    pub fn has_labels(&self) -> bool {
        matches!(self, Formula::At(..)) || self.parts().iter().any(|part| part.has_labels())
    }

    /// Threads that it speaks of.
    pub fn threads(&self, found: &mut Vec<usize>) {
        match self {
            Formula::At(thread, _) => found.push(*thread),
            Formula::Compare(a, _, b) => {
                for value in [a, b] {
                    if let Value::Register(thread, ..) = value {
                        found.push(*thread);
                    }
                }
            }
            _ => self.parts().iter().for_each(|part| part.threads(found)),
        }
    }

    /// Threads after `removed` get the number before theirs.
    pub fn without_thread(&mut self, removed: usize) {
        let lower = |thread: &mut usize| *thread -= usize::from(*thread > removed);
        match self {
            Formula::At(thread, _) => lower(thread),
            Formula::Compare(a, _, b) => {
                for value in [a, b] {
                    if let Value::Register(thread, ..) = value {
                        lower(thread);
                    }
                }
            }
            Formula::Not(_, only) => only.without_thread(removed),
            Formula::Or(_, a, b) | Formula::And(_, a, b) | Formula::Implies(a, b) => {
                a.without_thread(removed);
                b.without_thread(removed);
            }
            Formula::Constant(_) => {}
        }
    }

    /// How tightly it binds; the grammar has one rule for each number.
    fn level(&self) -> u8 {
        match self {
            Formula::Or(..) => 0,
            Formula::And(..) => 1,
            Formula::Implies(..) => 2,
            Formula::Not(..) => 3,
            _ => 4,
        }
    }

    /// Its text.
    pub fn text(&self, names: &Names<'_>) -> String {
        let mut text = String::new();
        self.write(&mut text, names, 0);
        text
    }

    fn write(&self, text: &mut String, names: &Names<'_>, needed: u8) {
        let parentheses = self.level() < needed || (names.parentheses && self.level() < 4);
        if parentheses {
            text.push('(');
        }
        match self {
            Formula::Constant(value) => {
                let _ = write!(text, "{value}");
            }
            Formula::Compare(a, sign, b) => {
                let _ = write!(text, "{}{sign}{}", a.text(names), b.text(names));
            }
            Formula::At(thread, label) => {
                let _ = write!(text, "P{}@{label}", names.order[*thread]);
            }
            Formula::Not(word, only) => {
                text.push_str(word);
                only.write(text, names, 3);
            }
            Formula::Or(word, a, b) => {
                a.write(text, names, 0);
                let _ = write!(text, " {word} ");
                b.write(text, names, 1);
            }
            Formula::And(word, a, b) => {
                a.write(text, names, 1);
                let _ = write!(text, " {word} ");
                b.write(text, names, 2);
            }
            Formula::Implies(a, b) => {
                a.write(text, names, 3);
                text.push_str(" => ");
                b.write(text, names, 2);
            }
        }
        if parentheses {
            text.push(')');
        }
    }
}

impl Value {
    fn text(&self, names: &Names<'_>) -> String {
        match self {
            Value::Number(number) if *number > 99 => format!("0x{number:x}"),
            Value::Number(number) => number.to_string(),
            Value::Location(name) | Value::Address(name) => name.clone(),
            Value::Content(name) => format!("[{name}]"),
            Value::AddressOf(name) => format!("&{name}"),
            Value::Register(thread, register, long) => {
                let p = if *long { "P" } else { "" };
                let name = register.name(names.language, names.registers);
                format!("{p}{}:{name}", names.order[*thread])
            }
        }
    }
}
