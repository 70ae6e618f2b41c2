//! The initial state: `{ x=1; uint64_t y; int a[2]={1,2}; 0:EAX=x; }`.

use super::Language;
use super::complaint::{Detail, complaint};
use super::cursor::Cursor;
use super::sections::Part;
use super::text::{Kind, Token, span_of};
use program::{Diagnostic, Source, Span, Width};

/// A value at the start.
#[derive(Clone, Debug)]
pub enum Value {
    Number(i128, Span),
    /// The address of a location.
    Address(String, Span),
}

impl Value {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Value::Number(_, span) | Value::Address(_, span) => *span,
        }
    }
}

/// The type of a location.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// Its width; nothing for a pointer, which is as wide as the accesses to it.
    pub width: Option<Width>,
    pub signed: bool,
    pub span: Span,
}

/// What the initial state says of a location.
pub struct Declaration {
    pub name: String,
    pub span: Span,
    pub type_: Option<Type>,
    /// Number of cells of an array.
    pub cells: Option<usize>,
    pub values: Vec<Value>,
}

/// What the initial state says of a register.
pub struct RegisterValue {
    pub thread: u64,
    pub name: String,
    pub value: Value,
    /// Where the register is named.
    pub span: Span,
}

/// The initial state as written.
#[derive(Default)]
pub struct Init {
    pub locations: Vec<Declaration>,
    pub registers: Vec<RegisterValue>,
}

/// Names of types with their width and sign.
const TYPES: [(&str, u32, bool); 24] = [
    ("int", 32, true),
    ("char", 8, true),
    ("short", 16, true),
    ("long", 64, true),
    ("unsigned", 32, false),
    ("signed", 32, true),
    ("int8_t", 8, true),
    ("int16_t", 16, true),
    ("int32_t", 32, true),
    ("int64_t", 64, true),
    ("uint8_t", 8, false),
    ("uint16_t", 16, false),
    ("uint32_t", 32, false),
    ("uint64_t", 64, false),
    ("intptr_t", 64, true),
    ("uintptr_t", 64, false),
    ("u8", 8, false),
    ("u16", 16, false),
    ("u32", 32, false),
    ("u64", 64, false),
    ("atomic_int", 32, true),
    ("atomic_uint", 32, false),
    ("atomic_long", 64, true),
    ("atomic_t", 32, true),
];

/// Words that say nothing of the width.
const QUALIFIERS: [&str; 3] = ["volatile", "const", "_Atomic"];

/// The types that are one word, with their widths.
pub fn type_names() -> impl Iterator<Item = (&'static str, u32)> {
    TYPES.iter().map(|(name, bits, _)| (*name, *bits))
}

/// Reads the initial state.
pub fn init(source: &Source, part: Part<'_>, language: Language) -> Result<Init, Diagnostic> {
    let mut cursor = part.cursor(source);
    let mut found = Init::default();
    while !cursor.at_end() {
        if cursor.eat(";") {
            continue;
        }
        item(&mut cursor, language, &mut found)?;
        if !cursor.at_end() {
            cursor.expect(";")?;
        }
    }
    Ok(found)
}

fn item(cursor: &mut Cursor<'_>, language: Language, found: &mut Init) -> Result<(), Diagnostic> {
    let type_ = type_name(cursor)?;
    if let Some(thread) = thread_number(cursor) {
        return register(cursor, thread, language, found);
    }
    let bracketed = cursor.eat("[");
    let name = cursor.name("a location, or a register such as `0:EAX`")?;
    if bracketed {
        cursor.expect("]")?;
    }
    let cells = match cursor.eat("[") {
        true => Some(array_length(cursor)?),
        false => None,
    };
    let values = match cursor.eat("=") {
        true => values(cursor)?,
        false => Vec::new(),
    };
    if values.len() > cells.unwrap_or(1) {
        let span = values[cells.unwrap_or(1)].span();
        let message = format!("more values than `{}` has cells", name.text);
        return Err(complaint(cursor.source, span, message)
            .beside(name.span, "declared here")
            .help(format!("write `int {}[{}]`", name.text, values.len())));
    }
    found.locations.push(Declaration {
        name: name.text.clone(),
        span: name.span,
        type_,
        cells,
        values,
    });
    Ok(())
}

/// Takes a type and the stars after it, if one stands here.
fn type_name(cursor: &mut Cursor<'_>) -> Result<Option<Type>, Diagnostic> {
    let start = cursor.clone();
    let mut words: Vec<&Token> = Vec::new();
    while let (Some(token), Some(next)) = (cursor.peek(), cursor.peek_at(1)) {
        let more = next.kind == Kind::Word || next.kind == Kind::Number || next.is("*");
        if token.kind != Kind::Word || !more {
            break;
        }
        words.extend(cursor.take());
    }
    let mut pointer = false;
    while cursor.eat("*") {
        pointer = true;
    }
    if words.is_empty() {
        return Ok(None);
    }
    let mut found: Option<(u32, bool)> = None;
    for word in words {
        if QUALIFIERS.contains(&word.text.as_str()) {
            continue;
        }
        let Some((name, width, signed)) = TYPES.iter().find(|t| t.0 == word.text) else {
            let message = format!("unknown type `{}`", word.text);
            return Err(complaint(cursor.source, word.span, message)
                .expected("a type such as `int` or `uint64_t`")
                .meant(&word.text, TYPES.iter().map(|t| t.0)));
        };
        found = Some(match (found, *name) {
            (Some((width, _)), "unsigned") => (width, false),
            (Some((width, _)), "signed") => (width, true),
            (Some((before, sign)), "int") => (before, sign),
            (Some((_, sign)), _) => (*width, sign),
            (None, _) => (*width, *signed),
        });
    }
    let (width, signed) = found.unwrap_or((32, true));
    Ok(Some(Type {
        width: Width::of_bits(width).filter(|_| !pointer),
        signed: signed && !pointer,
        span: span_of(cursor.since(&start)),
    }))
}

/// Takes `0:` or `P0:`, if one stands here.
pub fn thread_number(cursor: &mut Cursor<'_>) -> Option<u64> {
    let number = thread_name(cursor.peek()?)?;
    if !cursor.peek_at(1)?.is(":") {
        return None;
    }
    cursor.take();
    cursor.take();
    Some(number)
}

/// The number in `0` or `P0`.
pub fn thread_name(token: &Token) -> Option<u64> {
    match token.kind {
        Kind::Number => token.text.parse().ok(),
        Kind::Word => token.text.strip_prefix(['P', 'p'])?.parse().ok(),
        _ => None,
    }
}

fn register(
    cursor: &mut Cursor<'_>,
    thread: u64,
    language: Language,
    found: &mut Init,
) -> Result<(), Diagnostic> {
    if language == Language::Sparc {
        cursor.eat("%");
    }
    let name = cursor.name("a register")?;
    // `uint64_t 0:RAX;` gives a register a type and no value.
    if cursor.eat("=") {
        found.registers.push(RegisterValue {
            thread,
            name: name.text.clone(),
            value: value(cursor)?,
            span: name.span,
        });
    }
    Ok(())
}

fn array_length(cursor: &mut Cursor<'_>) -> Result<usize, Diagnostic> {
    let span = cursor.here();
    let length = cursor.number("the number of cells")?;
    cursor.expect("]")?;
    match usize::try_from(length) {
        Ok(cells @ 1..=4096) => Ok(cells),
        _ => {
            let message = format!("an array cannot have {length} cells");
            Err(complaint(cursor.source, span, message).expected("1 to 4096"))
        }
    }
}

/// One value, or several in braces.
fn values(cursor: &mut Cursor<'_>) -> Result<Vec<Value>, Diagnostic> {
    if !cursor.eat("{") {
        return Ok(vec![value(cursor)?]);
    }
    let mut found = Vec::new();
    while !cursor.eat("}") {
        found.push(value(cursor)?);
        if !cursor.sees("}") {
            cursor.expect(",")?;
        }
    }
    Ok(found)
}

fn value(cursor: &mut Cursor<'_>) -> Result<Value, Diagnostic> {
    let what = "a number or a location, whose address it is";
    let start = cursor.clone();
    cursor.eat("&");
    if let Some(token) = cursor.peek().filter(|token| token.kind == Kind::Word) {
        cursor.take();
        return Ok(Value::Address(token.text.clone(), token.span));
    }
    *cursor = start.clone();
    let number = cursor.number(what)?;
    Ok(Value::Number(number, span_of(cursor.since(&start))))
}
