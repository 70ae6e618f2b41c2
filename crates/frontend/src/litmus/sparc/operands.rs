//! Reading an instruction: its mnemonic and its operands, destination last.
//!
//! `NAME(i)` is the location `NAME0` on processor 0, `NAME1` on processor 1 and
//! so on, so that one text can serve several processors.

use super::mnemonics::{self, Operation, When};
use crate::litmus::address::Memory;
use crate::litmus::complaint::{Detail, complaint};
use crate::litmus::cursor::Cursor;
use crate::litmus::text::{Kind, Token, span_of};
use program::{Diagnostic, Orderings, Source, Span};

/// A register's name without the `%`, in lower case.
pub type RegisterName = String;

/// An operand as written.
#[derive(Clone, Debug)]
pub struct Argument {
    pub what: What,
    pub span: Span,
}

/// What an operand is.
#[derive(Clone, Debug)]
pub enum What {
    Register(RegisterName),
    Number(i128),
    Memory(Memory<RegisterName>),
    /// A name without brackets: a location.
    Location(String),
    /// `#LoadLoad`.
    Orderings(Orderings),
    Label(Token),
}

/// An instruction as written.
#[derive(Debug)]
pub struct Instruction {
    pub operation: Operation,
    /// A branch with `,a`.
    pub annul: bool,
    pub arguments: Vec<Argument>,
    pub span: Span,
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    processor: usize,
}

/// Reads one instruction of a processor, without its labels.
pub fn instruction(
    source: &Source,
    tokens: &[Token],
    processor: usize,
) -> Result<Instruction, Diagnostic> {
    let span = span_of(tokens);
    let mut reader = Reader {
        cursor: Cursor::new(source, tokens, span),
        processor,
    };
    let name = reader.cursor.name("an instruction")?;
    let Some(operation) = mnemonics::mnemonic(&name.text) else {
        return Err(complaint(
            source,
            name.span,
            format!("unknown instruction `{}`", name.text),
        )
        .expected("a SPARC instruction")
        .meant(&name.text, mnemonics::names()));
    };
    let mut annul = false;
    let arguments = match operation {
        Operation::Branch(_) => {
            annul = reader.branch_options()?;
            vec![reader.label()?]
        }
        Operation::Membar => vec![reader.orderings()?],
        _ => reader.operands()?,
    };
    Ok(Instruction {
        operation,
        annul,
        arguments,
        span,
    })
}

const OPERAND: &str = "a register such as `%r1`, a constant such as `#1`, or a location";

impl<'a> Reader<'a> {
    /// `,a` and the predictions `,pt` and `,pn`, which change nothing.
    fn branch_options(&mut self) -> Result<bool, Diagnostic> {
        let mut annul = false;
        while self.cursor.eat(",") {
            if self.cursor.eat_word("a") {
                annul = true;
            } else if !self.cursor.eat_word("pt") && !self.cursor.eat_word("pn") {
                return Err(self.cursor.unexpected("`a`, `pt` or `pn`"));
            }
        }
        if self.cursor.eat("%") {
            if !self.cursor.eat_word("icc") {
                return Err(self
                    .cursor
                    .unexpected("`%icc`; other condition codes are not supported"));
            }
            self.cursor.expect(",")?;
        }
        Ok(annul)
    }

    fn label(&mut self) -> Result<Argument, Diagnostic> {
        match self.cursor.peek() {
            Some(token) if matches!(token.kind, Kind::Word | Kind::Number) => {
                self.cursor.take();
                self.cursor.finish("the end of the instruction")?;
                Ok(Argument {
                    what: What::Label(token.clone()),
                    span: token.span,
                })
            }
            _ => Err(self.cursor.unexpected("a label")),
        }
    }

    /// `#LoadLoad #StoreStore`, with `|` or `,` between them or not.
    fn orderings(&mut self) -> Result<Argument, Diagnostic> {
        let start = self.cursor.clone();
        let mut all = Orderings::NONE;
        loop {
            if !self.cursor.eat("#") {
                return Err(self.cursor.unexpected("an ordering such as `#LoadLoad`"));
            }
            let name = self.cursor.name("an ordering such as `LoadLoad`")?;
            let Some(orderings) = ordering(&name.text) else {
                let message = format!("unknown ordering `#{}`", name.text);
                let known = Orderings::NAMED.iter().map(|(_, name)| *name);
                return Err(complaint(self.cursor.source, name.span, message)
                    .expected("`LoadLoad`, `LoadStore`, `StoreLoad` or `StoreStore`")
                    .meant(&name.text, known));
            };
            all = all.union(orderings);
            let separated = self.cursor.eat("|") || self.cursor.eat(",");
            if !separated && self.cursor.at_end() {
                break;
            }
        }
        Ok(Argument {
            what: What::Orderings(all),
            span: span_of(self.cursor.since(&start)),
        })
    }

    fn operands(&mut self) -> Result<Vec<Argument>, Diagnostic> {
        let mut found = Vec::new();
        while !self.cursor.at_end() {
            if !found.is_empty() {
                self.cursor.expect(",")?;
            }
            let start = self.cursor.clone();
            let what = self.operand()?;
            found.push(Argument {
                what,
                span: span_of(self.cursor.since(&start)),
            });
        }
        Ok(found)
    }

    fn operand(&mut self) -> Result<What, Diagnostic> {
        if self.cursor.sees("%") {
            return Ok(What::Register(self.register()?));
        }
        if self.cursor.sees("[") {
            return Ok(What::Memory(self.memory()?));
        }
        if self
            .cursor
            .peek()
            .is_some_and(|token| token.kind == Kind::Word)
        {
            return Ok(What::Location(self.location()?));
        }
        self.cursor.eat("#");
        Ok(What::Number(self.cursor.number(OPERAND)?))
    }

    fn register(&mut self) -> Result<RegisterName, Diagnostic> {
        let here = self.cursor.clone();
        self.cursor.expect("%")?;
        let name = self.cursor.name("a register's name")?;
        match super::register(&name.text) {
            Some(view) => Ok(view.register),
            None if name.is_word("g0") => Ok("g0".to_owned()),
            None => Err(here.unexpected("a register whose name starts with a letter")),
        }
    }

    /// `NAME`, or `NAME(i)`.
    fn location(&mut self) -> Result<String, Diagnostic> {
        let name = self.cursor.name("a location")?;
        if !self.cursor.eat("(") {
            return Ok(name.text.clone());
        }
        if !self.cursor.eat_word("i") {
            return Err(self
                .cursor
                .unexpected("`i`, which stands for the processor's number"));
        }
        self.cursor.expect(")")?;
        Ok(format!("{}{}", name.text, self.processor))
    }

    /// `[lock]`, `[%l0+%l1]`, `[buffer+4]`.
    fn memory(&mut self) -> Result<Memory<RegisterName>, Diagnostic> {
        let start = self.cursor.clone();
        self.cursor.expect("[")?;
        let mut found = Memory {
            location: None,
            registers: Vec::new(),
            displacement: 0,
            span: Span::NOWHERE,
        };
        let mut negative = self.cursor.eat("-");
        loop {
            self.summand(negative, &mut found)?;
            negative = self.cursor.sees("-");
            if !self.cursor.eat("+") && !self.cursor.eat("-") {
                break;
            }
        }
        self.cursor.expect("]")?;
        found.span = span_of(self.cursor.since(&start));
        found.check(self.cursor.source)
    }

    fn summand(
        &mut self,
        negative: bool,
        found: &mut Memory<RegisterName>,
    ) -> Result<(), Diagnostic> {
        let is_word = self.cursor.peek().is_some_and(|t| t.kind == Kind::Word);
        if is_word && !negative && found.location.is_none() {
            found.location = Some(self.location()?);
        } else if self.cursor.sees("%") && !negative && found.registers.len() < 2 {
            found.registers.push((self.register()?, 1));
        } else {
            self.cursor.eat("#");
            let number = self.cursor.number("a location, a register or a number")?;
            // Numbers have at most 64 bits, so that the sum of all has far fewer than 128.
            found.displacement += if negative { -number } else { number };
        }
        Ok(())
    }
}

/// `#Sync` waits for everything, and so does `#MemIssue` for accesses to memory;
/// `#Lookaside` orders a store before later loads of the same place.
const WAITING: [(&str, Orderings); 3] = [
    ("Sync", Orderings::ALL),
    ("MemIssue", Orderings::ALL),
    ("Lookaside", Orderings::STORE_LOAD),
];

fn ordering(name: &str) -> Option<Orderings> {
    let known = WAITING
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name));
    known.map_or_else(|| Orderings::named(name), |(_, orderings)| Some(*orderings))
}

/// Everything that a `membar` may name.
pub fn ordering_names() -> impl Iterator<Item = &'static str> {
    let named = Orderings::NAMED.iter().map(|(_, name)| *name);
    named.chain(WAITING.iter().map(|(name, _)| *name))
}

impl Instruction {
    /// True for branches.
    pub fn is_branch(&self) -> bool {
        matches!(self.operation, Operation::Branch(_))
    }

    /// True if the instruction after this one is a delay slot: never after an
    /// annulled branch that is always taken.
    pub fn has_delay_slot(&self) -> bool {
        self.is_branch() && !(self.annul && self.operation == Operation::Branch(When::Always))
    }

    /// The label that a branch goes to.
    pub fn label(&self) -> Option<&Token> {
        self.arguments
            .iter()
            .find_map(|argument| match &argument.what {
                What::Label(label) => Some(label),
                _ => None,
            })
    }
}
