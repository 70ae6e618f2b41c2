//! Reading an instruction: its mnemonic and its operands, destination first.

use super::mnemonics::{self, Operation};
use super::registers::{self, View};
use crate::litmus::address::Memory;
use crate::litmus::complaint::{Detail, complaint};
use crate::litmus::cursor::Cursor;
use crate::litmus::text::{Kind, Token, span_of};
use program::{Diagnostic, Source, Span, Width};

/// An operand as written.
#[derive(Clone, Debug)]
pub struct Argument {
    pub what: What,
    pub span: Span,
}

/// What an operand is.
#[derive(Clone, Debug)]
pub enum What {
    Register(View),
    Number(i128),
    /// `$x`: the address of a location.
    Address(String),
    Memory(Memory<View>, Option<Width>),
    Label(Token),
}

/// An instruction as written.
#[derive(Debug)]
pub struct Instruction {
    pub lock: bool,
    pub operation: Operation,
    /// The width that the suffix, registers and size words agree on.
    pub width: Option<Width>,
    pub arguments: Vec<Argument>,
    pub span: Span,
}

const SIZES: [(&str, Width); 4] = [
    ("BYTE", Width::W8),
    ("WORD", Width::W16),
    ("DWORD", Width::W32),
    ("QWORD", Width::W64),
];

/// Reads one instruction, without its labels.
pub fn instruction(source: &Source, tokens: &[Token]) -> Result<Instruction, Diagnostic> {
    let span = span_of(tokens);
    let mut cursor = Cursor::new(source, tokens, span);
    let lock = cursor
        .eat_word("LOCK")
        .then_some(span_of(cursor.since(&Cursor::new(source, tokens, span))));
    let name = cursor.name("an instruction")?;
    let Some((operation, suffix)) = mnemonics::mnemonic(&name.text) else {
        return Err(complaint(
            source,
            name.span,
            format!("unknown instruction `{}`", name.text),
        )
        .expected("an X86 instruction")
        .meant(&name.text, mnemonics::names()));
    };
    let mut arguments = Vec::new();
    while !cursor.at_end() {
        if !arguments.is_empty() {
            cursor.expect(",")?;
        }
        arguments.push(argument(&mut cursor, operation)?);
    }
    let mut found = Instruction {
        lock: lock.is_some(),
        operation,
        width: None,
        arguments,
        span,
    };
    found.check_shape(source, name)?;
    if let Some(lock) = lock {
        found.check_lock(source, lock)?;
    }
    found.width = found.agreed_width(source, suffix, name.span)?;
    Ok(found)
}

fn argument(cursor: &mut Cursor<'_>, operation: Operation) -> Result<Argument, Diagnostic> {
    let start = cursor.clone();
    let what = match operation {
        Operation::Jump | Operation::JumpIf(_) => What::Label(cursor.name("a label")?.clone()),
        _ => operand(cursor)?,
    };
    Ok(Argument {
        what,
        span: span_of(cursor.since(&start)),
    })
}

const OPERAND: &str = "a register, a constant such as `$1`, or memory such as `[x]`";

const INTEL: &str =
    "operands are Intel's: destination first, `EAX` for a register, `[x]` for memory";

fn operand(cursor: &mut Cursor<'_>) -> Result<What, Diagnostic> {
    if cursor.sees("(") || cursor.sees("%") {
        return Err(cursor.unexpected(OPERAND).help(INTEL));
    }
    if cursor.eat("$") {
        if let Some(token) = cursor.peek().filter(|token| token.kind == Kind::Word) {
            cursor.take();
            return Ok(What::Address(token.text.clone()));
        }
        return Ok(What::Number(cursor.number("a number or a location")?));
    }
    if cursor.sees("[") {
        return Ok(What::Memory(memory(cursor)?, None));
    }
    let Some(token) = cursor.peek().filter(|token| token.kind == Kind::Word) else {
        return Ok(What::Number(cursor.number(OPERAND)?));
    };
    if let Some(view) = registers::view(&token.text) {
        cursor.take();
        return Ok(What::Register(view));
    }
    if let Some((_, width)) = SIZES.iter().find(|(size, _)| token.is_word(size)) {
        cursor.take();
        cursor.eat_word("PTR");
        return Ok(What::Memory(memory(cursor)?, Some(*width)));
    }
    let advice = format!("`[{0}]` is the location, `${0}` its address", token.text);
    Err(cursor.unexpected(OPERAND).help(advice))
}

/// `[x]`, `[EBX]`, `[EAX+EBX*4+8]`.
fn memory(cursor: &mut Cursor<'_>) -> Result<Memory<View>, Diagnostic> {
    let start = cursor.clone();
    cursor.expect("[")?;
    let mut found = Memory {
        location: None,
        registers: Vec::new(),
        displacement: 0,
        span: Span::NOWHERE,
    };
    let mut negative = cursor.eat("-");
    loop {
        summand(cursor, negative, &mut found)?;
        negative = cursor.sees("-");
        if !cursor.eat("+") && !cursor.eat("-") {
            break;
        }
    }
    cursor.expect("]")?;
    found.span = span_of(cursor.since(&start));
    let widths: Vec<Width> = found.registers.iter().map(|(view, _)| view.width).collect();
    let address = widths.iter().all(|width| *width >= Width::W32);
    if !address || widths.windows(2).any(|pair| pair[0] != pair[1]) {
        let message = "these registers make no address";
        return Err(
            complaint(cursor.source, found.span, message).expected("registers of 32 or of 64 bits")
        );
    }
    found.check(cursor.source)
}

fn summand(
    cursor: &mut Cursor<'_>,
    negative: bool,
    found: &mut Memory<View>,
) -> Result<(), Diagnostic> {
    let what = "a location, a register or a number";
    let here = cursor.clone();
    let Some(token) = cursor.peek().filter(|token| token.kind == Kind::Word) else {
        let number = cursor.number(what)?;
        if cursor.eat("*") {
            let Some(view) = cursor.take().and_then(|token| registers::view(&token.text)) else {
                return Err(here.unexpected("a register after the `*`"));
            };
            return scaled(&here, view, number, negative, found);
        }
        // Numbers have at most 64 bits, so that the sum of all has far fewer than 128.
        found.displacement += if negative { -number } else { number };
        return Ok(());
    };
    cursor.take();
    if let Some(view) = registers::view(&token.text) {
        let scale = match cursor.eat("*") {
            true => cursor.number("1, 2, 4 or 8")?,
            false => 1,
        };
        return scaled(&here, view, scale, negative, found);
    }
    if negative || found.location.is_some() {
        return Err(here.unexpected("a register or a number"));
    }
    found.location = Some(token.text.clone());
    Ok(())
}

fn scaled(
    here: &Cursor<'_>,
    view: View,
    scale: i128,
    negative: bool,
    found: &mut Memory<View>,
) -> Result<(), Diagnostic> {
    let scale = match scale {
        1 | 2 | 4 | 8 if !negative => scale as u64,
        _ => {
            let message = format!("`{}` cannot be scaled like this", view.name);
            return Err(complaint(here.source, here.here(), message)
                .expected("a register times 1, 2, 4 or 8"));
        }
    };
    if found.registers.len() == 2 {
        return Err(here.unexpected("at most two registers in an address"));
    }
    found.registers.push((view, scale));
    Ok(())
}

impl Argument {
    fn is_memory(&self) -> bool {
        matches!(self.what, What::Memory(..))
    }

    fn is_register(&self) -> bool {
        matches!(self.what, What::Register(_))
    }

    fn is_place(&self) -> bool {
        self.is_memory() || self.is_register()
    }
}

impl Instruction {
    /// The memory operand that the instruction accesses, and with which width.
    pub fn access(&self) -> Option<(&Memory<View>, Option<Width>)> {
        if self.operation == Operation::LoadAddress {
            return None;
        }
        self.arguments
            .iter()
            .find_map(|argument| match &argument.what {
                What::Memory(memory, size) => match self.operation {
                    Operation::MoveExtended { .. } => Some((memory, *size)),
                    _ => Some((memory, self.width)),
                },
                _ => None,
            })
    }

    fn check_shape(&self, source: &Source, name: &Token) -> Result<(), Diagnostic> {
        use Operation::*;
        let wanted = match self.operation {
            Fence(_) | Nothing => 0,
            Increment | Decrement | Not | Negate | Jump | JumpIf(_) | SetIf(_) => 1,
            _ => 2,
        };
        let (count, text) = (self.arguments.len(), name.text.as_str());
        if count != wanted {
            let message = format!("`{text}` has {wanted} operands, not {count}");
            return Err(complaint(source, self.span, message));
        }
        let refuse = |argument: &Argument, expected: &str| {
            let written = source.excerpt(argument.span);
            let message = format!("`{text}` cannot have `{written}` as operand here");
            Err(complaint(source, argument.span, message).expected(expected))
        };
        let (first, second) = match &self.arguments[..] {
            [] => return Ok(()),
            [only] => (only, None),
            [first, second, ..] => (first, Some(second)),
        };
        let to_register = matches!(
            self.operation,
            LoadAddress | MoveExtended { .. } | MoveIf(_)
        );
        let reads = !matches!(self.operation, Jump | JumpIf(_) | Compare | Test);
        if to_register && !first.is_register() {
            return refuse(first, "a register");
        }
        if reads && !first.is_place() {
            return refuse(first, "a register or memory").map_err(|error| error.help(INTEL));
        }
        let Some(second) = second else {
            return Ok(());
        };
        match self.operation {
            LoadAddress if !second.is_memory() => refuse(second, "memory such as `[x+4]`"),
            MoveExtended { .. } | MoveIf(_) | Exchange if !second.is_place() => {
                refuse(second, "a register or memory")
            }
            ExchangeAdd | CompareExchange if !second.is_register() => refuse(second, "a register"),
            _ if first.is_memory() && second.is_memory() => {
                refuse(second, "a register or a constant beside the memory operand")
            }
            _ => Ok(()),
        }
    }

    fn check_lock(&self, source: &Source, lock: Span) -> Result<(), Diagnostic> {
        use Operation::*;
        let lockable = matches!(
            self.operation,
            Exchange | ExchangeAdd | CompareExchange | Arithmetic(_) | Increment | Decrement | Not
        );
        let complain = |message: &str| complaint(source, lock, message.to_owned());
        let writes_memory = match self.operation {
            Exchange => self.arguments.iter().any(Argument::is_memory),
            _ => self.arguments.first().is_some_and(Argument::is_memory),
        };
        if !lockable {
            let supported = "`ADD SUB AND OR XOR INC DEC NOT XADD XCHG` or `CMPXCHG`";
            return Err(complain("this instruction cannot have `LOCK`").expected(supported));
        }
        if !writes_memory {
            return Err(
                complain("`LOCK` on an instruction that does not write memory")
                    .expected("memory as its first operand"),
            );
        }
        Ok(())
    }

    /// The one width that suffix, registers and size words ask for.
    fn agreed_width(
        &self,
        source: &Source,
        suffix: Option<Width>,
        mnemonic: Span,
    ) -> Result<Option<Width>, Diagnostic> {
        let mut agreed = suffix.map(|width| (width, mnemonic));
        if let Operation::SetIf(_) = self.operation {
            agreed = Some((Width::W8, mnemonic));
        }
        for argument in &self.arguments {
            let width = match &argument.what {
                What::Register(view) => view.width,
                What::Memory(_, Some(size)) => *size,
                _ => continue,
            };
            match agreed {
                Some((before, span)) if before != width => {
                    let (bits, wanted) = (width.bits(), before.bits());
                    let message = format!("an operand of {bits} bits beside one of {wanted}");
                    return Err(complaint(source, argument.span, message)
                        .expected(format!("an operand of {wanted} bits"))
                        .beside(span, format!("{wanted} bits here")));
                }
                _ => agreed = Some((width, argument.span)),
            }
            // The second operand is narrower, or an address.
            let first_decides = matches!(
                self.operation,
                Operation::MoveExtended { .. } | Operation::LoadAddress
            );
            if first_decides {
                break;
            }
        }
        Ok(agreed.map(|(width, _)| width))
    }
}
