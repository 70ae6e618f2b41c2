//! Programs as text that people read and [`parse`](crate::parse) reads back.
//!
//! ```text
//! program "SB" from "SB.litmus"
//! object x: i32 = 0
//! object a: unsigned i64 = [1, 2] and 6 zeros
//! fn P0() {
//!   register RAX: i64
//! entry:
//!   store i32 release align 4 &x, 1        @4:2+10
//!   RAX = load i32 &a+8                    @5:2+11
//!   branch RAX, entry, done
//! done:
//!   return
//! }
//! thread 0: P0 runs P0 with RAX = 7
//! observe 0:EAX = 0:RAX as i32
//! exists 0:EAX=0 /\ x=1                    @9:1+20
//! ```
//!
//! - A C program starts with `process` instead of `program`.
//! - `&x+4` is an address, also where it stands for a word at the start.
//! - `0:RAX` is a register and `0@label` a label of the thread with that number.
//! - An observable goes by its name if the name says it all, that is, if it is
//!   [observed](Program::observed) or a whole cell or register; otherwise it is
//!   spelled out: `{name = location as unsigned i32}`.
//! - A conjunction or disjunction of one formula is `all(…)` or `any(…)`, of none
//!   `true` or `false`.
//! - `@line:column+length` at the end of a line is the span of what stands there;
//!   `@2/line:column+length` is one in the second file after `from`, counted from 0.
//! - An access that says nothing of its order is relaxed, and one that says nothing of
//!   its alignment may be anywhere. `cmpxchg weak i32 acq_rel or acquire` is acquire where
//!   it fails.
//! - `constant`, `own` and `code f` objects are read only, per thread, or stand for `f`.
//! - `call f(…)` calls a function, `call *r(…)` the one that `r` points to, and
//!   `call library malloc(…)` one of the [library](crate::Routine).
//! - Names other than plain identifiers are quoted.
//!
//! Printing never fails: an index that leads nowhere prints as a name made up
//! for it, which the reader refuses. Texts of source files and layouts of objects
//! ([`Program::types`]) are not printed.

use crate::names::{Name, ObservableName, Quoted};
use crate::{
    Access, Address, BlockId, Callee, Expression, Formula, Function, FunctionId, InstructionKind,
    MemoryOrder, Object, ObjectKind, Observable, ObservedLocation, Operand, Position, Program,
    Property, RegisterId, Span, Term, Terminator, Thread, Word,
};
use std::fmt;

/// Where spans start.
const SPAN_COLUMN: usize = 40;
/// Words from here on are easier to read in hexadecimal.
const HEXADECIMAL_FROM: Word = 1 << 16;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, source) = (Quoted(&self.name), Quoted(&self.source.name));
        let word = if self.process { "process" } else { "program" };
        write!(f, "{word} {name} from {source}")?;
        for file in &self.included {
            write!(f, ", {}", Quoted(&file.name))?;
        }
        writeln!(f)?;
        for object in &self.objects {
            line(f, &self.object_text(object), object.span)?;
        }
        for function in &self.functions {
            self.print_function(f, function)?;
        }
        for (index, thread) in self.threads.iter().enumerate() {
            writeln!(f, "{}", self.thread_text(index, thread))?;
        }
        for observable in &self.observed {
            writeln!(f, "{}", self.observe_text(observable))?;
        }
        let properties = &self.properties;
        if let Some(filter) = &properties.filter {
            writeln!(f, "filter {}", self.formula_text(filter))?;
        }
        if let Some(condition) = &properties.condition {
            let quantifier = condition.quantifier.to_string();
            self.print_property(f, &quantifier, &condition.property)?;
        }
        for invariant in &properties.invariants {
            self.print_property(f, "invariant", invariant)?;
        }
        for liveness in &properties.liveness {
            let word = if liveness.repeatedly {
                "always eventually"
            } else {
                "eventually"
            };
            self.print_property(f, word, &liveness.property)?;
        }
        Ok(())
    }
}

/// One line with its span, if it has one.
fn line(f: &mut fmt::Formatter<'_>, text: &str, span: Span) -> fmt::Result {
    if span == Span::NOWHERE {
        return writeln!(f, "{text}");
    }
    let Span {
        file,
        line,
        column,
        length,
    } = span;
    let file = match file {
        0 => String::new(),
        _ => format!("{file}/"),
    };
    writeln!(f, "{text:<SPAN_COLUMN$} @{file}{line}:{column}+{length}")
}

fn word_text(word: Word) -> String {
    if word < HEXADECIMAL_FROM {
        word.to_string()
    } else {
        format!("{word:#x}")
    }
}

/// How an access is ordered and aligned, unless it is as in a litmus test.
struct Ordered<'a>(&'a Access);

impl fmt::Display for Ordered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.order != MemoryOrder::Relaxed {
            write!(f, " {}", self.0.order.name())?;
        }
        if self.0.alignment != 0 {
            match 1u64.checked_shl(self.0.alignment.into()) {
                Some(bytes) => write!(f, " align {bytes}")?,
                None => write!(f, " align ?{}", self.0.alignment)?,
            }
        }
        Ok(())
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn register(function: &Function, register: RegisterId) -> String {
    match function.registers.get(register.index()) {
        Some(found) => Name(&found.name).to_string(),
        None => format!("?{register}"),
    }
}

fn block(function: &Function, block: BlockId) -> String {
    match function.blocks.get(block.index()) {
        Some(found) => Name(&found.label).to_string(),
        None => format!("?{block}"),
    }
}

/// Objects, functions and threads.
impl Program {
    fn object_text(&self, object: &Object) -> String {
        let initial = object
            .initial
            .iter()
            .map(|word| match self.cell_word(*word) {
                Some(address) => self.address_text(address),
                None if object.signed => object.cell.signed(*word).to_string(),
                None => word.to_string(),
            });
        let initial = match (initial.len(), object.zeros) {
            (1, 0) => list(initial),
            (_, 0) => format!("[{}]", list(initial)),
            (_, zeros) => format!("[{}] and {zeros} zeros", list(initial)),
        };
        let kind = match object.kind {
            ObjectKind::Shared => String::new(),
            ObjectKind::Constant => "constant ".to_owned(),
            ObjectKind::PerThread => "own ".to_owned(),
            ObjectKind::Code(function) => format!("code {} ", self.function_text(function)),
        };
        let unsigned = if object.signed { "" } else { "unsigned " };
        let (name, cell) = (Name(&object.name), object.cell);
        format!("object {name}: {kind}{unsigned}{cell} = {initial}")
    }

    fn print_function(&self, f: &mut fmt::Formatter<'_>, function: &Function) -> fmt::Result {
        let parameters = function.registers.len().min(function.parameters as usize);
        let (parameters, registers) = function.registers.split_at(parameters);
        let parameters = parameters
            .iter()
            .map(|register| format!("{}: {}", Name(&register.name), register.width));
        writeln!(f, "fn {}({}) {{", Name(&function.name), list(parameters))?;
        for group in registers.chunk_by(|a, b| a.width == b.width) {
            let names = list(group.iter().map(|r| Name(&r.name).to_string()));
            writeln!(f, "  register {names}: {}", group[0].width)?;
        }
        for block in &function.blocks {
            writeln!(f, "{}:", Name(&block.label))?;
            for instruction in &block.instructions {
                let text = self.instruction_text(function, &instruction.kind);
                line(f, &format!("  {text}"), instruction.span)?;
            }
            let text = self.terminator_text(function, &block.terminator);
            line(f, &format!("  {text}"), block.terminator_span)?;
        }
        writeln!(f, "}}")
    }

    fn thread_text(&self, index: usize, thread: &Thread) -> String {
        let initial = list(thread.initial.iter().map(|(target, word)| {
            let target = match self.functions.get(thread.function.index()) {
                Some(function) => register(function, *target),
                None => format!("?{target}"),
            };
            match self.cell_word(*word) {
                Some(address) => format!("{target} = {}", self.address_text(address)),
                None => format!("{target} = {}", word_text(*word)),
            }
        }));
        let with = if initial.is_empty() { "" } else { " with " };
        let name = Name(&thread.name);
        let function = self.function_text(thread.function);
        format!("thread {index}: {name} runs {function}{with}{initial}")
    }

    fn function_text(&self, function: FunctionId) -> String {
        match self.functions.get(function.index()) {
            Some(found) => Name(&found.name).to_string(),
            None => format!("?{function}"),
        }
    }

    fn address_text(&self, address: Address) -> String {
        let object = match self.objects.get(address.object.index()) {
            Some(object) => Name(&object.name).to_string(),
            None => format!("?{}", address.object),
        };
        match address.offset {
            0 => format!("&{object}"),
            offset => format!("&{object}+{offset}"),
        }
    }

    /// The cell whose address `word` is.
    fn cell_word(&self, word: Word) -> Option<Address> {
        Address::from_word(word).filter(|address| self.cell_at(*address).is_some())
    }
}

/// Code.
impl Program {
    fn operand_text(&self, function: &Function, operand: Operand) -> String {
        match operand {
            Operand::Register(id) => register(function, id),
            Operand::Constant(word) => word_text(word),
            Operand::Address(address) => self.address_text(address),
        }
    }

    fn expression_text(&self, function: &Function, value: &Expression) -> String {
        let operands = value.operands();
        let operands = list(operands.map(|operand| self.operand_text(function, operand)));
        match value {
            Expression::Copy(_) => operands,
            Expression::SignExtend(width, _) => format!("sext {width} {operands}"),
            Expression::Unary(operation, width, ..) => {
                format!("{} {width} {operands}", operation.name())
            }
            Expression::Convert(conversion, width, ..) => {
                format!("{} {width} {operands}", conversion.name())
            }
            Expression::Binary(operation, width, ..) => {
                format!("{} {width} {operands}", operation.name())
            }
            Expression::Select(..) => format!("select {operands}"),
            Expression::Own(address) => format!("own {}", self.address_text(*address)),
        }
    }

    fn instruction_text(&self, function: &Function, kind: &InstructionKind) -> String {
        use InstructionKind::*;
        let operands = kind.operands();
        let operands = list(operands.map(|operand| self.operand_text(function, operand)));
        let action = match kind {
            Assign { value, .. } => self.expression_text(function, value),
            Load { width, access, .. } => format!("load {width}{} {operands}", Ordered(access)),
            Store { width, access, .. } => format!("store {width}{} {operands}", Ordered(access)),
            Update {
                operation,
                width,
                access,
                ..
            } => {
                let operation = operation.name();
                format!("atomic {operation} {width}{} {operands}", Ordered(access))
            }
            CompareExchange {
                width,
                access,
                failure,
                weak,
                ..
            } => {
                let weak = if *weak { "weak " } else { "" };
                let failure = match failure {
                    MemoryOrder::Relaxed => String::new(),
                    _ => format!(" or {}", failure.name()),
                };
                format!(
                    "cmpxchg {weak}{width}{}{failure} {operands}",
                    Ordered(access)
                )
            }
            Fence(orderings) => format!("fence {orderings}"),
            Call {
                callee, arguments, ..
            } => {
                let arguments = arguments.iter();
                let arguments = list(arguments.map(|a| self.operand_text(function, *a)));
                let callee = match callee {
                    Callee::Function(callee) => self.function_text(*callee),
                    Callee::Pointer(pointer) => {
                        format!("*{}", self.operand_text(function, *pointer))
                    }
                    Callee::Routine(routine) => format!("library {}", routine.name()),
                };
                format!("call {callee}({arguments})")
            }
            Allocate { name, .. } => format!("allocate {} {operands}", Name(name)),
            Assert { .. } => format!("assert {operands}"),
            Assume { .. } => format!("assume {operands}"),
            Choose { .. } => format!("choose {operands}"),
            Observe { name, .. } => format!("observe {} = {operands}", ObservableName(name)),
            AtomicBegin => "begin atomic".to_owned(),
            AtomicEnd => "end atomic".to_owned(),
        };
        let targets = list(kind.targets().map(|target| register(function, target)));
        match targets.is_empty() {
            true => action,
            false => format!("{targets} = {action}"),
        }
    }

    fn terminator_text(&self, function: &Function, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Jump(target) => format!("jump {}", block(function, *target)),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => format!(
                "branch {}, {}, {}",
                self.operand_text(function, *condition),
                block(function, *then),
                block(function, *otherwise)
            ),
            Terminator::Switch {
                value,
                cases,
                otherwise,
            } => {
                let cases = cases.iter().map(|(word, target)| {
                    format!(", {} {}", word_text(*word), block(function, *target))
                });
                format!(
                    "switch {}, {}{}",
                    self.operand_text(function, *value),
                    block(function, *otherwise),
                    cases.collect::<String>()
                )
            }
            Terminator::Return(values) if values.is_empty() => "return".to_owned(),
            Terminator::Return(values) => {
                let values = values.iter();
                let values = list(values.map(|value| self.operand_text(function, *value)));
                format!("return {values}")
            }
            Terminator::Unreachable => "unreachable".to_owned(),
        }
    }
}

/// Observables and formulas.
impl Program {
    fn observe_text(&self, observable: &Observable) -> String {
        if self.whole_observable(&observable.name).as_ref() == Some(observable) {
            format!("observe {}", ObservableName(&observable.name))
        } else {
            format!("observe {}", self.spelled_out(observable))
        }
    }

    fn spelled_out(&self, observable: &Observable) -> String {
        let location = match observable.location {
            ObservedLocation::Memory(address) => self.address_text(address),
            ObservedLocation::Observation => "observation".to_owned(),
            ObservedLocation::Register(thread, id) => {
                let thread_function = self.threads.get(thread.index()).map(|t| t.function);
                let function = thread_function.and_then(|id| self.functions.get(id.index()));
                let name = function.map_or(format!("?{id}"), |function| register(function, id));
                format!("{}:{name}", thread.0)
            }
        };
        let unsigned = if observable.signed { "" } else { "unsigned " };
        let (name, width) = (ObservableName(&observable.name), observable.width);
        format!("{name} = {location} as {unsigned}{width}")
    }

    fn print_property(
        &self,
        f: &mut fmt::Formatter<'_>,
        word: &str,
        property: &Property,
    ) -> fmt::Result {
        let formula = self.formula_text(&property.formula);
        line(f, &format!("{word} {formula}"), property.span)
    }

    fn formula_text(&self, formula: &Formula) -> String {
        let several = |parts: &[Formula], sign: &str, empty: &str, one: &str| match parts {
            [] => empty.to_owned(),
            [part] => format!("{one}({})", self.formula_text(part)),
            _ => {
                let parts: Vec<String> = parts.iter().map(|part| self.part_text(part)).collect();
                parts.join(sign)
            }
        };
        match formula {
            Formula::Compare(comparison, a, b) => {
                let (a, b) = (self.term_text(a), self.term_text(b));
                format!("{a}{}{b}", comparison.sign())
            }
            Formula::At(thread, Position::End) => format!("{}@end", thread.0),
            Formula::At(thread, Position::Label(id, label)) => {
                let thread_function = self.threads.get(thread.index()).map(|t| t.function);
                let function = thread_function.and_then(|id| self.functions.get(id.index()));
                let text = function.map_or(format!("?{id}"), |function| block(function, *id));
                let label = shown_as(&text, &Name(label).to_string(), label);
                format!("{}@{text}{label}", thread.0)
            }
            Formula::Not(inner) => format!("~({})", self.formula_text(inner)),
            Formula::And(parts) => several(parts, " /\\ ", "true", "all"),
            Formula::Or(parts) => several(parts, " \\/ ", "false", "any"),
        }
    }

    /// A part of a conjunction or disjunction.
    fn part_text(&self, part: &Formula) -> String {
        match part {
            Formula::And(parts) | Formula::Or(parts) if parts.len() > 1 => {
                format!("({})", self.formula_text(part))
            }
            _ => self.formula_text(part),
        }
    }

    fn term_text(&self, term: &Term) -> String {
        match term {
            Term::Number(number) => number.to_string(),
            Term::Value(observable) => {
                if self.observable_spelled(&observable.name).as_ref() == Some(observable) {
                    ObservableName(&observable.name).to_string()
                } else {
                    format!("{{{}}}", self.spelled_out(observable))
                }
            }
            Term::Address(address, name) => {
                let text = self.address_text(*address);
                let name = shown_as(&self.location_name(*address), name, name);
                format!("{text}{name}")
            }
        }
    }
}

/// ` as "name"` where the source shows something under a name not its own.
fn shown_as(own: &str, shown: &str, name: &str) -> String {
    if own == shown {
        String::new()
    } else {
        format!(" as {}", Quoted(name))
    }
}
