//! A litmus test as data, and its text.

use crate::formula::{Formula, Names};
use crate::instruction::{FRESH, Instruction, Language, Operand, Register, Registers};
use std::collections::BTreeSet;
use std::fmt::Write;

/// An instruction with the labels before it, or labels alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub labels: Vec<String>,
    pub instruction: Option<Instruction>,
}

impl From<Instruction> for Line {
    fn from(instruction: Instruction) -> Self {
        Line {
            labels: Vec::new(),
            instruction: Some(instruction),
        }
    }
}

impl Line {
    /// A label alone.
    pub fn label(label: impl Into<String>) -> Self {
        Line {
            labels: vec![label.into()],
            instruction: None,
        }
    }
}

/// A value at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    Number(i128),
    Address(String),
}

impl Initial {
    fn text(&self, ampersand: bool) -> String {
        match self {
            Initial::Number(number) => number.to_string(),
            Initial::Address(name) if ampersand => format!("&{name}"),
            Initial::Address(name) => name.clone(),
        }
    }
}

/// A location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub name: String,
    pub bits: u32,
    /// Cells of an array.
    pub cells: Option<usize>,
    pub initial: Vec<Initial>,
    /// Its type as written; without one, accesses give the width.
    pub type_: Option<String>,
}

impl Location {
    fn text(&self) -> String {
        let mut text = match &self.type_ {
            Some(type_) => format!("{type_} {}", self.name),
            // Both ways to write it occur.
            None if self.name == "y" => format!("[{}]", self.name),
            None => self.name.clone(),
        };
        if let Some(cells) = self.cells {
            let _ = write!(text, "[{cells}]");
        }
        let ampersand = self.type_.is_some();
        match (&self.initial[..], self.cells) {
            ([], None) if self.type_.is_none() => text.push_str("=0"),
            ([], _) => {}
            ([only], None) => {
                let _ = write!(text, "={}", only.text(ampersand));
            }
            (several, _) => {
                let all: Vec<String> = several.iter().map(|one| one.text(ampersand)).collect();
                let _ = write!(text, "={{{}}}", all.join(","));
            }
        }
        text
    }

    /// The names of its cells.
    pub fn cell_names(&self) -> Vec<String> {
        match self.cells {
            None => vec![self.name.clone()],
            Some(cells) => (0..cells)
                .map(|at| format!("{}[{at}]", self.name))
                .collect(),
        }
    }
}

/// What a test asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statements {
    pub filter: Option<Formula>,
    /// `exists`, `forall`, `~exists` or `not exists`.
    pub condition: Option<(&'static str, Formula)>,
    /// `invariant`, `eventually`, `always eventually`.
    pub of_all_states: Vec<(&'static str, Formula)>,
}

/// How the code is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Columns,
    /// `Processor 0`, and so on.
    Processors,
    /// One text for all threads, under `Processor 0..2`.
    Range,
    /// The same, under `Processor 0,1,2`.
    List,
}

impl Layout {
    /// One text is the code of all threads.
    pub fn is_shared(self) -> bool {
        matches!(self, Layout::Range | Layout::List)
    }
}

/// A litmus test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    pub(crate) language: Language,
    pub(crate) locations: Vec<Location>,
    /// Registers that do not start at 0, by thread.
    pub(crate) initial: Vec<(usize, Register, Initial)>,
    pub(crate) threads: Vec<Vec<Line>>,
    pub(crate) statements: Statements,
    /// A thread may wait for another in a loop, or never leave it.
    pub(crate) spins: bool,
    pub(crate) layout: Layout,
    /// The number that each thread has in the text.
    pub(crate) order: Vec<usize>,
    pub(crate) registers: Registers,
    /// Formulas have all parentheses.
    pub(crate) parentheses: bool,
    /// Registers that are observed, by thread and slot.
    pub(crate) observed: Vec<(usize, usize)>,
}

impl Test {
    /// True if it asks about states that are not final.
    pub(crate) fn watches_states(&self) -> bool {
        !self.statements.of_all_states.is_empty()
    }

    /// True if an invariant or liveness property speaks of labels.
    pub(crate) fn watches_labels(&self) -> bool {
        let mut all = self.statements.of_all_states.iter();
        all.any(|(_, formula)| formula.has_labels())
    }

    /// Some register or location may hold an address.
    pub(crate) fn has_addresses(&self) -> bool {
        let address = |initial: &Initial| matches!(initial, Initial::Address(_));
        let computes = |instruction: &Instruction| {
            instruction.mnemonic == "LEA"
                || instruction
                    .operands
                    .iter()
                    .any(|operand| matches!(operand, Operand::Address(_)))
        };
        self.locations.iter().any(|l| l.initial.iter().any(address))
            || self.initial.iter().any(|(_, _, value)| address(value))
            || self.instructions().any(computes)
    }

    /// All instructions.
    pub(crate) fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        let lines = self.threads.iter().flatten();
        lines.filter_map(|line| line.instruction.as_ref())
    }

    /// Observes every register that a thread's code names, but those left to shapes.
    pub(crate) fn observe(&mut self) {
        self.observed.clear();
        for (thread, lines) in self.threads.iter().enumerate() {
            let named = lines.iter().filter_map(|line| line.instruction.as_ref());
            let slots: BTreeSet<usize> = named
                .flat_map(Instruction::registers)
                .map(|register| register.slot)
                .filter(|slot| *slot < FRESH)
                .collect();
            self.observed
                .extend(slots.iter().map(|slot| (thread, *slot)));
        }
    }

    /// The names of all observed values, in an order that other shapes share.
    pub fn observed_names(&self) -> Vec<String> {
        let cells = self.locations.iter().flat_map(Location::cell_names);
        let mut names: Vec<String> = cells.collect();
        names.sort();
        names.extend(self.observed.iter().map(|(thread, slot)| {
            let name = Register::new(*slot, 64).name(self.language, &self.registers);
            let name = match self.language {
                Language::X86 => name.to_owned(),
                Language::Sparc => name.to_ascii_lowercase(),
            };
            format!("{}:{name}", self.order[*thread])
        }));
        names
    }

    /// Whether the line is in the delay slot of a branch.
    pub(crate) fn is_slot(&self, thread: usize, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        let branch = &self.threads[thread][before].instruction;
        self.language == Language::Sparc
            && branch.as_ref().is_some_and(|branch| {
                let always = matches!(branch.mnemonic.as_str(), "b" | "ba");
                branch.label().is_some() && !(always && branch.suffix.contains(",a"))
            })
    }

    /// The test with a text for each thread, in which no location is `NAME(i)`.
    pub(crate) fn separate(&self) -> Test {
        let mut test = self.clone();
        if !self.layout.is_shared() {
            return test;
        }
        test.layout = Layout::Processors;
        for (number, lines) in test.threads.iter_mut().enumerate() {
            let own = |name: &str| name.replace("(i)", &number.to_string());
            for instruction in lines
                .iter_mut()
                .filter_map(|line| line.instruction.as_mut())
            {
                for operand in &mut instruction.operands {
                    match operand {
                        Operand::Address(name) => *name = own(name),
                        Operand::Memory(memory) => {
                            memory.location = memory.location.as_deref().map(own);
                        }
                        _ => {}
                    }
                }
            }
        }
        test
    }

    fn names(&self) -> Names<'_> {
        Names {
            language: self.language,
            registers: &self.registers,
            order: &self.order,
            parentheses: self.parentheses,
        }
    }

    /// The text of the test.
    pub fn text(&self) -> String {
        let mut text = match self.language {
            Language::X86 if self.threads.len() == 2 => "X86 generated\n{ ",
            Language::X86 => "X86_64 generated\n{ ",
            Language::Sparc => "SPARC generated\n{ ",
        }
        .to_owned();
        for location in &self.locations {
            let _ = write!(text, "{}; ", location.text());
        }
        for (thread, register, value) in &self.initial {
            let name = register.name(self.language, &self.registers);
            let type_ = ["", "uint64_t "][thread % 2];
            let number = self.order[*thread];
            let _ = write!(text, "{type_}{number}:{name}={}; ", value.text(false));
        }
        text.push_str("}\n");
        let mut threads: Vec<(usize, &Vec<Line>)> =
            self.order.iter().copied().zip(&self.threads).collect();
        threads.sort_by_key(|(number, _)| *number);
        match self.layout {
            Layout::Columns => self.columns(&mut text, &threads),
            _ => self.processors(&mut text, &threads),
        }
        self.write_statements(&mut text);
        text
    }

    fn write_statements(&self, text: &mut String) {
        let names = self.names();
        let arrays = self.locations.iter().map(|location| location.name.clone());
        let cells = self
            .locations
            .iter()
            .map(|location| location.cell_names().len());
        let registers = &self.observed_names()[cells.sum()..];
        let shown: Vec<String> = arrays.chain(registers.iter().cloned()).collect();
        let _ = writeln!(text, "locations [{};]", shown.join("; "));
        if let Some(filter) = &self.statements.filter {
            let _ = writeln!(text, "filter {}", filter.text(&names));
        }
        let condition = self.statements.condition.iter();
        for (word, formula) in self.statements.of_all_states.iter().chain(condition) {
            let _ = writeln!(text, "{word} {}", formula.text(&names));
        }
    }

    fn cell(&self, line: &Line) -> String {
        let labels: String = line.labels.iter().map(|l| format!("{l}: ")).collect();
        let instruction = line.instruction.as_ref();
        let text = instruction.map(|one| one.text(self.language, &self.registers));
        format!("{labels}{}", text.unwrap_or_default())
    }

    fn columns(&self, text: &mut String, threads: &[(usize, &Vec<Line>)]) {
        let rows = threads.iter().map(|(_, lines)| lines.len()).max();
        let head: Vec<String> = threads.iter().map(|(n, _)| format!(" P{n} ")).collect();
        let _ = writeln!(text, "{};", head.join("|"));
        for row in 0..rows.unwrap_or(0) {
            let cell = |lines: &Vec<Line>| lines.get(row).map(|line| self.cell(line));
            let cells: Vec<String> = threads
                .iter()
                .map(|(_, lines)| cell(lines).unwrap_or_default())
                .collect();
            let _ = writeln!(text, " {} ;", cells.join(" | "));
        }
    }

    fn processors(&self, text: &mut String, threads: &[(usize, &Vec<Line>)]) {
        let numbers: Vec<String> = threads.iter().map(|(n, _)| n.to_string()).collect();
        for (number, lines) in threads {
            let heading = match self.layout {
                Layout::Range => format!("0..{}", threads.len() - 1),
                Layout::List => numbers.join(","),
                _ => number.to_string(),
            };
            let _ = writeln!(text, "Processor {heading}");
            for line in *lines {
                let _ = writeln!(text, "  {}", self.cell(line));
            }
            text.push('\n');
            if self.layout.is_shared() {
                break;
            }
        }
    }
}
