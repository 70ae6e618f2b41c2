//! What the names in formulas stand for.

use super::Language;
use super::complaint::{Detail, complaint};
use super::condition::{Sentence, Side, Thing};
use super::locations::in_width;
use program::{
    Address, Comparison, Diagnostic, Formula, Function, Observable, ObservedLocation, Position,
    Program, Source, Span, Term, Terminator, ThreadId, Width,
};

/// A part of a register that has a name of its own, such as `EAX` of `RAX`.
pub struct RegisterView {
    /// Its name in outcomes.
    pub name: String,
    /// The register of the program.
    pub register: String,
    /// Its width: the low bits of the register.
    pub width: Width,
}

/// A label that stands where another one does: thread, label, the other.
pub type Alias = (usize, String, String);

/// Where names are looked up.
pub struct Scope<'a> {
    /// The text that the names come from.
    pub source: &'a Source,
    pub program: &'a Program,
    /// The language that the program is written in.
    pub language: Language,
    pub aliases: &'a [Alias],
}

impl Scope<'_> {
    /// The formula that a sentence says.
    pub fn formula(&self, sentence: &Sentence) -> Result<Formula, Diagnostic> {
        let all = |parts: &[Sentence]| -> Result<Vec<Formula>, Diagnostic> {
            parts.iter().map(|part| self.formula(part)).collect()
        };
        Ok(match sentence {
            Sentence::Compare(comparison, a, b) => self.compare(*comparison, a, b)?,
            Sentence::At {
                thread,
                label,
                span,
            } => self.position(*thread, label, *span)?,
            Sentence::Not(inner) => Formula::Not(Box::new(self.formula(inner)?)),
            Sentence::And(parts) => Formula::And(all(parts)?),
            Sentence::Or(parts) => Formula::Or(all(parts)?),
        })
    }

    fn complain(&self, span: Span, message: String) -> Diagnostic {
        complaint(self.source, span, message)
    }

    fn compare(&self, sign: Comparison, a: &Side, b: &Side) -> Result<Formula, Diagnostic> {
        let left = self.term(a)?;
        let right = match &b.what {
            Thing::Cell {
                name,
                certain: false,
                ..
            } => self.address_beside(&left, sign, name, b.span)?,
            _ => self.term(b)?,
        };
        self.check_number(&left, &right, a.span)?;
        self.check_number(&right, &left, b.span)?;
        Ok(Formula::Compare(sign, left, right))
    }

    /// A plain name on the right: the location's address, as in `0:EBX=y`.
    fn address_beside(
        &self,
        left: &Term,
        sign: Comparison,
        name: &str,
        span: Span,
    ) -> Result<Term, Diagnostic> {
        let equality = matches!(sign, Comparison::Equal | Comparison::NotEqual);
        if matches!(left, Term::Value(_)) && equality {
            return self.address(name, span);
        }
        let message = format!("`{name}` on the right stands for its address");
        Err(self
            .complain(span, message)
            .expected("a value")
            .help(format!("write `[{name}]` for the value of `{name}`")))
    }

    fn term(&self, side: &Side) -> Result<Term, Diagnostic> {
        match &side.what {
            Thing::Number(number) => Ok(Term::Number(*number)),
            Thing::Address(name) => self.address(name, side.span),
            Thing::Register { .. } | Thing::Cell { .. } => {
                let mut found = self.observables(side)?;
                match (found.pop(), found.is_empty()) {
                    (Some(only), true) => Ok(Term::Value(only)),
                    _ => {
                        let message = format!("`{}` is an array", self.source.excerpt(side.span));
                        Err(self
                            .complain(side.span, message)
                            .expected("one of its cells, such as `a[0]`"))
                    }
                }
            }
        }
    }

    fn address(&self, name: &str, span: Span) -> Result<Term, Diagnostic> {
        let object = self.program.object_named(name);
        let object = object.ok_or_else(|| self.unknown_location(name, span))?;
        Ok(Term::Address(Address::of(object), name.to_owned()))
    }

    /// A number must be one that the value beside it can have.
    fn check_number(&self, number: &Term, beside: &Term, span: Span) -> Result<(), Diagnostic> {
        let (Term::Number(number), Term::Value(observable)) = (number, beside) else {
            return Ok(());
        };
        if in_width(*number, observable.width).is_some() {
            return Ok(());
        }
        let (name, bits) = (&observable.name, observable.width.bits());
        let message = format!("`{name}` has {bits} bits and can never be {number}");
        Err(self.complain(span, message))
    }

    /// What a name in a formula or a `locations` line stands for: one value, or
    /// all cells of an array.
    pub fn observables(&self, side: &Side) -> Result<Vec<Observable>, Diagnostic> {
        match &side.what {
            Thing::Register { thread, name } => Ok(vec![self.register(*thread, name, side.span)?]),
            Thing::Cell { name, index, .. } => self.cells(name, *index, side.span),
            Thing::Number(_) | Thing::Address(_) => {
                let message = format!("`{}` has no value", self.source.excerpt(side.span));
                let wanted = "a location or a register";
                Err(self.complain(side.span, message).expected(wanted))
            }
        }
    }

    fn cells(
        &self,
        name: &str,
        index: Option<i128>,
        span: Span,
    ) -> Result<Vec<Observable>, Diagnostic> {
        let object = self.program.object_named(name);
        let object = object.ok_or_else(|| self.unknown_location(name, span))?;
        let count = self.program.objects[object.index()].cells();
        let cells = match index {
            None => 0..count,
            Some(index) => match usize::try_from(index) {
                Ok(cell) if cell < count => cell..cell + 1,
                _ => {
                    let message = format!("`{name}` has no cell {index}");
                    let wanted = format!("a number below {count}");
                    return Err(self.complain(span, message).expected(wanted));
                }
            },
        };
        Ok(cells
            .map(|cell| self.program.observable_cell(object, cell))
            .collect())
    }

    fn unknown_location(&self, name: &str, span: Span) -> Diagnostic {
        let known = self.program.objects.iter().map(|o| o.name.as_str());
        let complaint = self
            .complain(span, format!("unknown location `{name}`"))
            .expected("a location of the test");
        if self.language.register(name).is_some() {
            return complaint.help(format!("the register of processor 0 is `0:{name}`"));
        }
        complaint.meant(name, known)
    }

    fn thread(&self, number: u64, span: Span) -> Result<ThreadId, Diagnostic> {
        let count = self.program.threads.len();
        match usize::try_from(number) {
            Ok(index) if index < count => Ok(ThreadId::from(index)),
            _ => {
                let last = count.saturating_sub(1);
                Err(self
                    .complain(span, format!("there is no processor {number}"))
                    .expected(format!("a processor from 0 to {last}")))
            }
        }
    }

    fn register(&self, thread: u64, name: &str, span: Span) -> Result<Observable, Diagnostic> {
        let thread = self.thread(thread, span)?;
        let function = self.program.function_of(thread);
        let Some(view) = self.language.register(name) else {
            return Err(self
                .complain(span, format!("unknown register `{name}`"))
                .expected(self.language.registers_expected()));
        };
        let Some(register) = function.register_named(&view.register) else {
            let names = function.registers.iter().map(|r| r.name.as_str());
            let visible = names.filter(|name| self.language.is_register(name));
            return Err(self
                .complain(span, format!("{thread} does not use register `{name}`"))
                .expected("a register of that processor's code")
                .meant(name, visible));
        };
        Ok(Observable {
            name: format!("{}:{}", thread.0, view.name),
            location: ObservedLocation::Register(thread, register),
            width: view.width,
            signed: true,
        })
    }

    fn position(&self, thread: u64, label: &str, span: Span) -> Result<Formula, Diagnostic> {
        let thread = self.thread(thread, span)?;
        let function = self.program.function_of(thread);
        let other = self
            .aliases
            .iter()
            .find(|(at, alias, _)| *at == thread.index() && alias == label)
            .map_or(label, |(_, _, other)| other);
        let position = match function.block_labelled(other) {
            Some(block) if ends_at(function, block.index()) => Position::End,
            Some(block) => Position::Label(block, label.to_owned()),
            None if label == "end" => Position::End,
            None => {
                let known = function.blocks.iter().map(|block| block.label.as_str());
                return Err(self
                    .complain(span, format!("{thread} has no label `{label}`"))
                    .expected("a label of that processor, or `end`")
                    .meant(label, known));
            }
        };
        Ok(Formula::At(thread, position))
    }
}

/// True if nothing follows the start of the block.
fn ends_at(function: &Function, block: usize) -> bool {
    let block = &function.blocks[block];
    block.instructions.is_empty() && matches!(block.terminator, Terminator::Return(_))
}
