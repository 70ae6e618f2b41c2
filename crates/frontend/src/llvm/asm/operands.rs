//! The operands of instructions, in both syntaxes.
//!
//! | | AT&T | Intel |
//! | --- | --- | --- |
//! | a constant | `$4` | `4` |
//! | a register | `%eax` | `eax` |
//! | memory | `8(%rdi,%rcx,4)` | `dword ptr [rdi + rcx*4 + 8]` |
//!
//! A reference to an operand of the C statement may stand for any of them; which, its constraint says.

use super::Parsed;
use super::registers::{self, Register};
use super::text::{Dialect, Reference, Token};
use program::Width;

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A constant.
    Immediate(Sum),
    /// A register.
    Register(Register),
    /// What an operand of the C statement is.
    Reference(Reference),
    /// Memory.
    Memory(Memory),
    /// Where to jump.
    Label(Label),
}

/// A constant, and the address or constant that an operand of the C statement is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The constant.
    pub constant: i64,
    /// What is added to it.
    pub operand: Option<Reference>,
}

/// Memory: the sum of its parts is the address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Constants.
    pub displacement: Sum,
    /// A register.
    pub base: Option<Part>,
    /// A register and what it is multiplied by.
    pub index: Option<(Part, u8)>,
    /// How wide it is, where Intel's syntax says so.
    pub width: Option<Width>,
}

/// A register in an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// By its name.
    Register(Register),
    /// The register of an operand of the C statement.
    Reference(Reference),
}

/// A label, within the statement or of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// `.Lend`
    Named(String),
    /// `1b`, `1f`
    Local {
        /// The number.
        number: u64,
        /// Whether it comes later in the text.
        forward: bool,
    },
}

/// The operands of an instruction, the destination first.
pub fn parse(tokens: &[Token], dialect: Dialect) -> Parsed<Vec<Operand>> {
    let mut cursor = Cursor { tokens, at: 0 };
    let mut operands = Vec::new();
    while cursor.peek().is_some() {
        operands.push(match dialect {
            Dialect::Att => cursor.att()?,
            Dialect::Intel => cursor.intel()?,
        });
        if cursor.peek().is_some() && !cursor.take(',') {
            return Err(WRONG.to_owned());
        }
    }
    if dialect == Dialect::Att {
        operands.reverse();
    }
    Ok(operands)
}

const WRONG: &str = "an operand like this";

struct Cursor<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, sign: char) -> bool {
        self.peek() == Some(&Token::Sign(sign))
    }

    fn take(&mut self, sign: char) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: char) -> Parsed<()> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(WRONG.to_owned()),
        }
    }

    fn is_alone(&self) -> bool {
        matches!(self.tokens.get(self.at + 1), None | Some(Token::Sign(',')))
    }

    /// What stands alone and needs nothing around it.
    fn alone(&mut self) -> Option<Operand> {
        if !self.is_alone() {
            return None;
        }
        let operand = match self.peek()? {
            Token::Operand(reference) => Operand::Reference(*reference),
            Token::LocalLabel { number, forward } => Operand::Label(Label::Local {
                number: *number,
                forward: *forward,
            }),
            Token::Word(name) => Operand::Label(Label::Named(name.clone())),
            _ => return None,
        };
        self.at += 1;
        Some(operand)
    }

    fn att(&mut self) -> Parsed<Operand> {
        if self.take('*') {
            return Err("an indirect jump".to_owned());
        }
        if self.take('$') {
            return Ok(Operand::Immediate(self.sum()?));
        }
        if self.is('%') {
            let register = self.att_register()?;
            return match self.is(':') {
                true => Err("a segment".to_owned()),
                false => Ok(Operand::Register(register)),
            };
        }
        if let Some(operand) = self.alone() {
            return Ok(operand);
        }
        let mut memory = Memory::default();
        if !self.opens_address() {
            memory.displacement = self.sum()?;
        }
        if self.take('(') {
            if !self.is(',') {
                memory.base = self.att_part()?;
            }
            if self.take(',') {
                let index = self.att_part()?.ok_or(WRONG)?;
                let scale = if self.take(',') { self.scale()? } else { 1 };
                memory.index = Some((index, scale));
            }
            self.expect(')')?;
        }
        Ok(Operand::Memory(memory))
    }

    /// Whether `(` is that of an address rather than that of an expression.
    fn opens_address(&self) -> bool {
        let inner = self.tokens.get(self.at + 1);
        self.is('(')
            && matches!(
                inner,
                Some(Token::Sign('%' | ',') | Token::Operand(Reference { .. }))
            )
    }

    fn att_register(&mut self) -> Parsed<Register> {
        self.expect('%')?;
        let Some(Token::Word(name)) = self.peek() else {
            return Err(WRONG.to_owned());
        };
        self.at += 1;
        registers::named(name).ok_or_else(|| format!("the register `%{name}`"))
    }

    /// A register in an address; none for that of the next instruction, which only says that the address is relative.
    fn att_part(&mut self) -> Parsed<Option<Part>> {
        match self.peek() {
            Some(Token::Operand(reference)) => {
                self.at += 1;
                Ok(Some(Part::Reference(*reference)))
            }
            Some(Token::Sign('%')) if matches!(self.tokens.get(self.at + 1), Some(Token::Word(name)) if name == "rip") =>
            {
                self.at += 2;
                Ok(None)
            }
            _ => Ok(Some(Part::Register(self.att_register()?))),
        }
    }

    fn scale(&mut self) -> Parsed<u8> {
        match self.peek() {
            Some(Token::Number(scale @ (1 | 2 | 4 | 8))) => {
                self.at += 1;
                Ok(*scale as u8)
            }
            _ => Err("an index that is scaled like this".to_owned()),
        }
    }

    fn intel(&mut self) -> Parsed<Operand> {
        let mut width = None;
        let mut sized = false;
        if let Some(Token::Word(name)) = self.peek()
            && let Some(named) = size_word(name)
        {
            self.at += 1;
            width = named;
            sized = true;
            if matches!(self.peek(), Some(Token::Word(name)) if name == "ptr") {
                self.at += 1;
            }
        }
        if self.is('[') {
            let mut memory = self.intel_memory()?;
            memory.width = width;
            return Ok(Operand::Memory(memory));
        }
        if let Some(Token::Word(name)) = self.peek()
            && let Some(register) = registers::named(name)
        {
            self.at += 1;
            return Ok(Operand::Register(register));
        }
        match self.alone() {
            Some(Operand::Reference(reference)) if sized => {
                let constant = 0;
                let operand = Some(reference);
                Ok(Operand::Memory(Memory {
                    displacement: Sum { constant, operand },
                    width,
                    ..Memory::default()
                }))
            }
            Some(operand) => Ok(operand),
            None => Ok(Operand::Immediate(self.sum()?)),
        }
    }

    /// `[rdi + 4*rcx - 8]`
    fn intel_memory(&mut self) -> Parsed<Memory> {
        let mut memory = Memory::default();
        self.expect('[')?;
        let mut negative = self.take('-');
        loop {
            self.intel_term(&mut memory, negative)?;
            if self.take(']') {
                return Ok(memory);
            }
            negative = match (self.take('+'), self.take('-')) {
                (true, false) => false,
                (false, true) => true,
                _ => return Err(WRONG.to_owned()),
            };
        }
    }

    fn intel_term(&mut self, memory: &mut Memory, negative: bool) -> Parsed<()> {
        let part = match self.peek() {
            Some(Token::Word(name)) if name == "rip" => {
                self.at += 1;
                return Ok(());
            }
            Some(Token::Word(name)) => {
                let register = registers::named(name);
                let register = register.ok_or_else(|| format!("the register `{name}`"))?;
                Part::Register(register)
            }
            Some(Token::Operand(reference)) => Part::Reference(*reference),
            _ => {
                let number = self.factor()?;
                if self.take('*') {
                    return Err("an index that is scaled like this".to_owned());
                }
                let number = if negative {
                    number.wrapping_neg()
                } else {
                    number
                };
                memory.displacement.constant = memory.displacement.constant.wrapping_add(number);
                return Ok(());
            }
        };
        self.at += 1;
        if negative {
            return Err(WRONG.to_owned());
        }
        if self.take('*') {
            let scale = self.scale()?;
            return match memory.index.replace((part, scale)) {
                None => Ok(()),
                Some(_) => Err(WRONG.to_owned()),
            };
        }
        match (memory.base, memory.index) {
            (None, _) => memory.base = Some(part),
            (Some(_), None) => memory.index = Some((part, 1)),
            _ => return Err(WRONG.to_owned()),
        }
        Ok(())
    }

    /// A sum of constants and at most one operand.
    fn sum(&mut self) -> Parsed<Sum> {
        let mut sum = Sum::default();
        let mut negative = false;
        loop {
            if let Some(Token::Operand(reference)) = self.peek() {
                self.at += 1;
                if negative || sum.operand.replace(*reference).is_some() {
                    return Err(WRONG.to_owned());
                }
            } else {
                let value = self.bits()?;
                let value = if negative {
                    value.wrapping_neg()
                } else {
                    value
                };
                sum.constant = sum.constant.wrapping_add(value);
            }
            negative = match (self.is('+'), self.is('-')) {
                (true, _) => false,
                (_, true) => true,
                _ => return Ok(sum),
            };
            self.at += 1;
        }
    }

    /// Constants with `|`, `&` and `^` between, which bind less than `*`, `<<` and `>>`.
    fn bits(&mut self) -> Parsed<i64> {
        let mut value = self.product()?;
        loop {
            value = if self.take('|') {
                value | self.product()?
            } else if self.take('&') {
                value & self.product()?
            } else if self.take('^') {
                value ^ self.product()?
            } else {
                return Ok(value);
            };
        }
    }

    fn product(&mut self) -> Parsed<i64> {
        let mut value = self.factor()?;
        loop {
            let shift = |sign: char| {
                let twice = [Token::Sign(sign), Token::Sign(sign)];
                self.tokens[self.at..].starts_with(&twice)
            };
            let (left, right) = (shift('<'), shift('>'));
            value = if self.take('*') {
                value.wrapping_mul(self.factor()?)
            } else if left || right {
                self.at += 2;
                let by = self.factor()?;
                let by = u32::try_from(by).ok().filter(|by| *by < 64).ok_or(WRONG)?;
                if left {
                    value << by
                } else {
                    (value as u64 >> by) as i64
                }
            } else {
                return Ok(value);
            };
        }
    }

    fn factor(&mut self) -> Parsed<i64> {
        if self.take('-') {
            return Ok(self.factor()?.wrapping_neg());
        }
        if self.take('+') {
            return self.factor();
        }
        if self.take('~') {
            return Ok(!self.factor()?);
        }
        if self.take('(') {
            let sum = self.sum()?;
            self.expect(')')?;
            return match sum.operand {
                None => Ok(sum.constant),
                Some(_) => Err(WRONG.to_owned()),
            };
        }
        match self.peek() {
            Some(Token::Number(number)) => {
                self.at += 1;
                Ok(*number as i64)
            }
            Some(Token::Word(name)) => Err(format!("the name `{name}`")),
            _ => Err(WRONG.to_owned()),
        }
    }
}

/// The width that a word of Intel's syntax means; none for those that are no width of one access.
fn size_word(name: &str) -> Option<Option<Width>> {
    Some(match name {
        "byte" => Some(Width::W8),
        "word" => Some(Width::W16),
        "dword" => Some(Width::W32),
        "qword" => Some(Width::W64),
        "xmmword" | "oword" => None,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::asm::text;

    fn operands(template: &str, dialect: Dialect) -> Parsed<Vec<Operand>> {
        let lines = text::lines(template, dialect)?;
        parse(&lines[0].tokens, dialect)
    }

    fn register(name: &str) -> Part {
        Part::Register(registers::named(name).expect("a register"))
    }

    #[test]
    fn both_syntaxes_say_the_same() {
        for (att, intel) in [
            ("$$4, %eax", "eax, 4"),
            ("$$-0x10, %rax", "rax, -0x10"),
            ("$$(1<<4|3)+1, %cl", "cl, (1<<4|3)+1"),
            ("8(%rdi,%rcx,4), %al", "al, [rdi + rcx*4 + 8]"),
            ("-4(%rsp)", "[rsp-4]"),
            ("(,%rbx,8)", "[rbx*8]"),
            ("($0,${1:q}), $2", "$2, [$0+${1:q}]"),
            ("1b", "1b"),
            (".lend", ".lend"),
        ] {
            let [att, intel] = [operands(att, Dialect::Att), operands(intel, Dialect::Intel)];
            assert!(att.is_ok(), "{att:?}");
            assert_eq!(att, intel);
        }
    }

    #[test]
    fn memory_has_parts() {
        let parsed = operands("dword ptr [r8*2 + rax - 1]", Dialect::Intel).expect("operands");
        let expected = Memory {
            displacement: Sum {
                constant: -1,
                operand: None,
            },
            base: Some(register("rax")),
            index: Some((register("r8"), 2)),
            width: Some(Width::W32),
        };
        assert_eq!(parsed, [Operand::Memory(expected)]);
        let relative = operands("${0:P}(%rip)", Dialect::Att).expect("operands");
        let reference = Reference {
            index: 0,
            modifier: Some('P'),
        };
        let displacement = Sum {
            constant: 0,
            operand: Some(reference),
        };
        let expected = Memory {
            displacement,
            ..Memory::default()
        };
        assert_eq!(relative, [Operand::Memory(expected)]);
    }

    #[test]
    fn what_is_not_read_is_named() {
        for (text, wrong) in [
            ("%fs:0", "the register `%fs`"),
            ("*%rax", "an indirect jump"),
            ("%xmm0", "the register `%xmm0`"),
            ("(%rax,%rbx,3)", "an index that is scaled like this"),
            ("$$symbol", "the name `symbol`"),
            ("(%rax", WRONG),
            ("$$", WRONG),
        ] {
            assert_eq!(
                operands(text, Dialect::Att),
                Err(wrong.to_owned()),
                "{text}"
            );
        }
    }
}
