//! A litmus test whose threads and registers have no names yet, so that other shapes of the
//! same test can be written.
//!
//! In texts `{t0}` stands for the number of a thread, `{a}` to `{d}` for registers; a register
//! of X86 comes with its width in bits, `{a32}`.

use std::fmt::Write;

/// The language of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// X86 in columns.
    X86,
    /// SPARC, processors under each other.
    Sparc,
}

/// An instruction with the labels before it; labels alone if the text is empty.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Labels.
    pub labels: Vec<String>,
    /// The instruction.
    pub text: String,
}

impl Line {
    /// An instruction without labels.
    pub fn new(text: impl Into<String>) -> Self {
        Line {
            labels: Vec::new(),
            text: text.into(),
        }
    }
}

/// What a test asks.
#[derive(Clone, Debug, Default)]
pub struct Statements {
    /// `filter F`.
    pub filter: Option<String>,
    /// `exists F` and the like.
    pub condition: Option<String>,
    /// `invariant F`, `eventually F`.
    pub of_all_states: Vec<String>,
    /// `locations [...]`.
    pub locations: String,
}

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its language.
    pub language: Language,
    /// Declarations of the initial state.
    pub init: Vec<String>,
    /// The code of each thread.
    pub threads: Vec<Vec<Line>>,
    /// What it asks.
    pub statements: Statements,
    /// Some thread may come back to where it was.
    pub loops: bool,
    /// The number that each thread has in the text.
    pub order: Vec<usize>,
    /// The letter of the register that each of `{a}` to `{d}` is in the text.
    pub registers: [u8; 4],
}

impl Test {
    /// True if an invariant or liveness property speaks of labels.
    pub fn watches_labels(&self) -> bool {
        let mut all = self.statements.of_all_states.iter();
        all.any(|statement| statement.contains('@'))
    }

    fn named(&self, text: &str) -> String {
        let mut named = text.to_owned();
        for (thread, number) in self.order.iter().enumerate() {
            named = named.replace(&format!("{{t{thread}}}"), &format!("\u{1}{number}"));
        }
        for (index, register) in (b'a'..=b'd').zip(self.registers) {
            let index = char::from(index);
            match self.language {
                Language::X86 => {
                    for (bits, name) in [(64, "R#X"), (32, "E#X"), (16, "#X"), (8, "#L")] {
                        let upper = char::from(register.to_ascii_uppercase());
                        let name = name.replace('#', &upper.to_string());
                        named = named.replace(&format!("{{{index}{bits}}}"), &name);
                    }
                }
                Language::Sparc => {
                    let name = format!("r{}", char::from(register));
                    named = named.replace(&format!("{{{index}}}"), &name);
                }
            }
        }
        named.replace('\u{1}', "")
    }

    /// The text of the test.
    pub fn text(&self) -> String {
        let mut text = match self.language {
            Language::X86 => "X86_64 generated\n{ ".to_owned(),
            Language::Sparc => "SPARC generated\n{ ".to_owned(),
        };
        for declaration in &self.init {
            write!(text, "{}; ", self.named(declaration)).expect("a text takes everything");
        }
        text.push_str("}\n");
        let mut threads: Vec<(usize, &Vec<Line>)> =
            self.order.iter().copied().zip(&self.threads).collect();
        threads.sort_by_key(|(number, _)| *number);
        match self.language {
            Language::X86 => self.columns(&mut text, &threads),
            Language::Sparc => self.processors(&mut text, &threads),
        }
        let statements = &self.statements;
        text.push_str(&self.named(&statements.locations));
        let filter = statements.filter.iter().map(|f| format!("filter {f}"));
        let rest = statements.of_all_states.iter().cloned();
        for statement in filter.chain(rest).chain(statements.condition.clone()) {
            text.push('\n');
            text.push_str(&self.named(&statement));
        }
        text.push('\n');
        text
    }

    fn cell(&self, line: &Line) -> String {
        let labels: String = line.labels.iter().map(|l| format!("{l}: ")).collect();
        format!("{labels}{}", self.named(&line.text))
    }

    fn columns(&self, text: &mut String, threads: &[(usize, &Vec<Line>)]) {
        let rows = threads.iter().map(|(_, lines)| lines.len()).max();
        let head: Vec<String> = threads.iter().map(|(n, _)| format!(" P{n} ")).collect();
        text.push_str(&head.join("|"));
        text.push_str(";\n");
        for row in 0..rows.unwrap_or(0) {
            let cells: Vec<String> = threads
                .iter()
                .map(|(_, lines)| lines.get(row).map_or(String::new(), |line| self.cell(line)))
                .collect();
            text.push_str(&format!(" {} ;\n", cells.join(" | ")));
        }
    }

    fn processors(&self, text: &mut String, threads: &[(usize, &Vec<Line>)]) {
        for (number, lines) in threads {
            text.push_str(&format!("Processor {number}\n"));
            for line in *lines {
                text.push_str(&format!("  {}\n", self.cell(line)));
            }
            text.push('\n');
        }
    }
}
