//! `printf`: a format and its arguments become bytes, as glibc does it in the C locale.
//!
//! # Limitations
//!
//! `long double` is refused by the front end; wide characters beyond ASCII, which the C locale does
//! not have, and output of more than 16 MB are not supported.

use super::float;
use program::Word;

/// Widest field, and most digits of a number.
const MOST: u32 = 1 << 20;
/// Most bytes of one call.
const MOST_BYTES: usize = 1 << 24;

/// What is said of wide characters that the C locale does not have.
pub(super) const NOT_ASCII: &str = "a wide character that is not ASCII";

/// True for a wide character that the C locale has.
pub(super) fn is_ascii(character: Word) -> bool {
    character < 0x80
}

/// Where the arguments come from.
pub(super) trait Arguments {
    /// Why an argument cannot be had.
    type Error;

    /// The next argument, of 4 or 8 bytes.
    fn next(&mut self, size: u32) -> Result<Word, Self::Error>;

    /// The next argument, which is a floating-point number.
    fn next_float(&mut self) -> Result<Word, Self::Error>;

    /// The string at an address, at most so much of it.
    fn string(&mut self, address: Word, most: u64) -> Result<Vec<u8>, Self::Error>;

    /// The same of wide characters, at most this many bytes.
    fn wide_string(&mut self, address: Word, most: u64) -> Result<Vec<u8>, Self::Error>;

    /// The argument of this number, from 1 on, is next.
    fn choose(&mut self, number: usize) -> Result<(), Self::Error>;

    /// Writes a number of this many bytes, for `%n`.
    fn write(&mut self, address: Word, size: u32, number: Word) -> Result<(), Self::Error>;

    /// What the thread's `errno` says, for `%m`.
    fn error_text(&mut self) -> Result<Vec<u8>, Self::Error>;

    /// The format is wrong.
    fn refuse(&self, message: String) -> Self::Error;

    /// The format is right, but not supported.
    fn unsupported(&self, message: String) -> Self::Error;
}

/// A conversion specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Conversion {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternative: bool,
    pub zero: bool,
    pub width: u32,
    pub precision: Option<u32>,
    length: Length,
    pub letter: u8,
    /// The number of its argument, if it has one.
    position: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Length {
    #[default]
    Int,
    Char,
    Short,
    Long,
    LongDouble,
}

/// What a conversion puts into its field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// Sign and base, which come before zeros that fill the field.
    pub prefix: String,
    pub body: Vec<u8>,
    /// Whether zeros may fill the field.
    pub zeros: bool,
}

/// Formats the arguments, which may be numbered (`%2$d`).
pub(super) fn format<A: Arguments>(format: &[u8], arguments: &mut A) -> Result<Vec<u8>, A::Error> {
    if !format.contains(&b'$') {
        return format_in_order(format, arguments);
    }
    let mut kinds = Kinds::default();
    if let Err(message) = format_in_order(format, &mut kinds) {
        return Err(arguments.refuse(message));
    }
    if kinds.found.is_empty() {
        return format_in_order(format, arguments);
    }
    let mut values = Vec::new();
    for kind in kinds.found {
        values.push(match kind {
            // glibc takes an argument that no conversion uses for an int.
            None => arguments.next(4)?,
            Some(Kind::Integer(size)) => arguments.next(size)?,
            Some(Kind::Float) => arguments.next_float()?,
        });
    }
    let mut numbered = Numbered {
        values,
        chosen: None,
        rest: arguments,
    };
    format_in_order(format, &mut numbered)
}

fn format_in_order<A: Arguments>(format: &[u8], arguments: &mut A) -> Result<Vec<u8>, A::Error> {
    let mut output = Vec::new();
    let mut rest = format;
    while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
        output.extend_from_slice(&rest[..start]);
        rest = &rest[start + 1..];
        let conversion = conversion(&mut rest, arguments)?;
        if conversion.letter == b'%' {
            output.push(b'%');
            continue;
        }
        if let Some(number) = conversion.position {
            arguments.choose(number)?;
        }
        if conversion.letter == b'n' {
            let address = arguments.next(8)?;
            let size = match conversion.length {
                Length::Char => 1,
                Length::Short => 2,
                Length::Int => 4,
                Length::Long | Length::LongDouble => 8,
            };
            arguments.write(address, size, output.len() as Word)?;
            continue;
        }
        let piece = convert(conversion, arguments)?;
        fill(&mut output, conversion, &piece);
        if output.len() > MOST_BYTES {
            return Err(arguments.unsupported("more than 16 MB at once".into()));
        }
    }
    output.extend_from_slice(rest);
    Ok(output)
}

/// The specification at the start of `rest`, which then starts behind it.
fn conversion<A: Arguments>(rest: &mut &[u8], arguments: &mut A) -> Result<Conversion, A::Error> {
    let start = *rest;
    let position = position(rest);
    let mut conversion = flags(rest);
    conversion.position = position;
    let width = number(rest, arguments)?.unwrap_or(0);
    conversion.left |= width < 0;
    conversion.width = width.unsigned_abs();
    if take(rest, b'.') {
        let precision = number(rest, arguments)?.unwrap_or(0);
        conversion.precision = u32::try_from(precision).ok();
    }
    conversion.length = length(rest);
    let Some((letter, behind)) = rest.split_first() else {
        return Err(arguments.refuse("the format ends within a conversion".into()));
    };
    conversion.letter = *letter;
    *rest = behind;
    if conversion.width > MOST {
        let message = format!("a field of {} characters", conversion.width);
        return Err(arguments.unsupported(message));
    }
    let text = || String::from_utf8_lossy(&start[..start.len() - behind.len()]).into_owned();
    if !is_conversion(conversion) {
        return Err(arguments.refuse(format!("%{} is no conversion", text())));
    }
    if is_float(conversion.letter) && conversion.length == Length::LongDouble {
        return Err(arguments.unsupported(format!("the conversion %{}", text())));
    }
    Ok(conversion)
}

fn flags(rest: &mut &[u8]) -> Conversion {
    let mut conversion = Conversion::default();
    while let Some((flag, behind)) = rest.split_first() {
        match flag {
            b'-' => conversion.left = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            b'#' => conversion.alternative = true,
            b'0' => conversion.zero = true,
            // Groups of digits: the C locale has none.
            b'\'' => {}
            _ => break,
        }
        *rest = behind;
    }
    conversion
}

/// The number of an argument, if it has one: digits, and `$`.
fn position(rest: &mut &[u8]) -> Option<usize> {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if rest.get(digits) != Some(&b'$') {
        return None;
    }
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    *rest = &rest[digits + 1..];
    Some(number)
}

/// A width or precision, if there is one: digits, or `*` for an argument.
fn number<A: Arguments>(rest: &mut &[u8], arguments: &mut A) -> Result<Option<i32>, A::Error> {
    if take(rest, b'*') {
        if let Some(number) = position(rest) {
            arguments.choose(number)?;
        }
        return Ok(Some(arguments.next(4)? as i32));
    }
    let mut number = None;
    while let Some((digit @ b'0'..=b'9', behind)) = rest.split_first() {
        let digit = i32::from(digit - b'0');
        number = Some(
            number
                .unwrap_or(0i32)
                .saturating_mul(10)
                .saturating_add(digit),
        );
        *rest = behind;
    }
    Ok(number)
}

fn length(rest: &mut &[u8]) -> Length {
    let Some((letter, behind)) = rest.split_first() else {
        return Length::Int;
    };
    let doubled = behind.first() == Some(letter);
    let (length, taken) = match letter {
        b'h' if doubled => (Length::Char, 2),
        b'h' => (Length::Short, 1),
        b'l' if doubled => (Length::Long, 2),
        b'l' | b'q' | b'j' | b'z' | b't' => (Length::Long, 1),
        b'L' => (Length::LongDouble, 1),
        _ => (Length::Int, 0),
    };
    *rest = &rest[taken..];
    length
}

fn take(rest: &mut &[u8], wanted: u8) -> bool {
    let found = rest.first() == Some(&wanted);
    if found {
        *rest = &rest[1..];
    }
    found
}

fn is_conversion(conversion: Conversion) -> bool {
    match conversion.letter {
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => true,
        b'p' | b'%' | b'n' | b'm' | b'C' | b'S' => true,
        b'c' | b's' => conversion.length != Length::LongDouble,
        letter => is_float(letter),
    }
}

/// True if the argument is one wide character, or a string of them.
fn is_wide(conversion: Conversion) -> bool {
    match conversion.letter {
        b'C' | b'S' => true,
        b'c' | b's' => conversion.length == Length::Long,
        _ => false,
    }
}

fn is_float(letter: u8) -> bool {
    b"fFeEgGaA".contains(&letter)
}

fn convert<A: Arguments>(conversion: Conversion, arguments: &mut A) -> Result<Piece, A::Error> {
    let precision = conversion.precision;
    let of_number = !matches!(conversion.letter, b's' | b'S');
    if of_number && precision.is_some_and(|precision| precision > MOST) {
        let digits = precision.unwrap_or_default();
        return Err(arguments.unsupported(format!("a number of {digits} digits")));
    }
    match conversion.letter {
        b'c' | b'C' => {
            let character = arguments.next(4)?;
            if is_wide(conversion) && !is_ascii(character) {
                return Err(arguments.unsupported(NOT_ASCII.into()));
            }
            Ok(text(vec![character as u8]))
        }
        b's' | b'S' => string(conversion, arguments),
        b'm' => Ok(text(arguments.error_text()?)),
        b'p' => Ok(pointer(conversion, arguments.next(8)?)),
        letter if is_float(letter) => {
            let number = f64::from_bits(arguments.next_float()?);
            Ok(float::convert(conversion, number))
        }
        _ => integer(conversion, arguments),
    }
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// In this many bytes.
    Integer(u32),
    Float,
}

/// Most arguments that may be numbered.
const MOST_NUMBERED: usize = 4096;

/// Finds out how numbered arguments are passed.
#[derive(Default)]
struct Kinds {
    found: Vec<Option<Kind>>,
    chosen: Option<usize>,
}

impl Kinds {
    fn note(&mut self, kind: Kind) {
        if let Some(number) = self.chosen.take() {
            let room = self.found.len().max(number);
            self.found.resize(room, None);
            self.found[number - 1] = Some(kind);
        }
    }
}

impl Arguments for Kinds {
    type Error = String;

    fn next(&mut self, size: u32) -> Result<Word, String> {
        self.note(Kind::Integer(size));
        Ok(0)
    }

    fn next_float(&mut self) -> Result<Word, String> {
        self.note(Kind::Float);
        Ok(0)
    }

    fn string(&mut self, _: Word, _: u64) -> Result<Vec<u8>, String> {
        Ok(Vec::new())
    }

    fn wide_string(&mut self, _: Word, _: u64) -> Result<Vec<u8>, String> {
        Ok(Vec::new())
    }

    fn choose(&mut self, number: usize) -> Result<(), String> {
        if !(1..=MOST_NUMBERED).contains(&number) {
            return Err(format!("an argument of the number {number}"));
        }
        self.chosen = Some(number);
        Ok(())
    }

    fn write(&mut self, _: Word, _: u32, _: Word) -> Result<(), String> {
        Ok(())
    }

    fn error_text(&mut self) -> Result<Vec<u8>, String> {
        Ok(Vec::new())
    }

    fn refuse(&self, message: String) -> String {
        message
    }

    fn unsupported(&self, message: String) -> String {
        message
    }
}

/// Arguments by their numbers.
struct Numbered<'a, A> {
    values: Vec<Word>,
    chosen: Option<usize>,
    rest: &'a mut A,
}

impl<A: Arguments> Arguments for Numbered<'_, A> {
    type Error = A::Error;

    fn next(&mut self, size: u32) -> Result<Word, A::Error> {
        let chosen = self.chosen.take();
        match chosen.and_then(|number| self.values.get(number - 1)) {
            Some(value) if size == 4 => Ok(value & Word::from(u32::MAX)),
            Some(value) => Ok(*value),
            None => Err(self.refuse("some arguments are numbered, and some not".into())),
        }
    }

    fn next_float(&mut self) -> Result<Word, A::Error> {
        self.next(8)
    }

    fn string(&mut self, address: Word, most: u64) -> Result<Vec<u8>, A::Error> {
        self.rest.string(address, most)
    }

    fn wide_string(&mut self, address: Word, most: u64) -> Result<Vec<u8>, A::Error> {
        self.rest.wide_string(address, most)
    }

    fn choose(&mut self, number: usize) -> Result<(), A::Error> {
        self.chosen = Some(number);
        Ok(())
    }

    fn write(&mut self, address: Word, size: u32, number: Word) -> Result<(), A::Error> {
        self.rest.write(address, size, number)
    }

    fn error_text(&mut self) -> Result<Vec<u8>, A::Error> {
        self.rest.error_text()
    }

    fn refuse(&self, message: String) -> A::Error {
        self.rest.refuse(message)
    }

    fn unsupported(&self, message: String) -> A::Error {
        self.rest.unsupported(message)
    }
}

fn text(body: Vec<u8>) -> Piece {
    Piece {
        body,
        ..Piece::default()
    }
}

fn string<A: Arguments>(conversion: Conversion, arguments: &mut A) -> Result<Piece, A::Error> {
    let address = arguments.next(8)?;
    let most = conversion.precision.map_or(u64::MAX, u64::from);
    Ok(text(match address {
        0 if most < 6 => Vec::new(),
        0 => b"(null)".to_vec(),
        _ if is_wide(conversion) => arguments.wide_string(address, most)?,
        _ => arguments.string(address, most)?,
    }))
}

fn pointer(conversion: Conversion, address: Word) -> Piece {
    if address == 0 {
        return text(b"(nil)".to_vec());
    }
    let conversion = Conversion {
        alternative: true,
        letter: b'x',
        ..conversion
    };
    let mut piece = unsigned(conversion, address);
    piece.prefix.insert_str(0, conversion.sign(false));
    piece
}

fn integer<A: Arguments>(conversion: Conversion, arguments: &mut A) -> Result<Piece, A::Error> {
    let wide = matches!(conversion.length, Length::Long | Length::LongDouble);
    let word = arguments.next(if wide { 8 } else { 4 })?;
    if !matches!(conversion.letter, b'd' | b'i') {
        return Ok(unsigned(
            conversion,
            match conversion.length {
                Length::Char => word & 0xff,
                Length::Short => word & 0xffff,
                Length::Int => word & 0xffff_ffff,
                Length::Long | Length::LongDouble => word,
            },
        ));
    }
    let number = match conversion.length {
        Length::Char => i64::from(word as i8),
        Length::Short => i64::from(word as i16),
        Length::Int => i64::from(word as i32),
        Length::Long | Length::LongDouble => word as i64,
    };
    Ok(Piece {
        prefix: conversion.sign(number < 0).into(),
        body: digits(conversion, number.unsigned_abs().to_string()),
        zeros: conversion.precision.is_none(),
    })
}

fn unsigned(conversion: Conversion, number: u64) -> Piece {
    let (digits_of_number, prefix) = match conversion.letter {
        b'o' => (format!("{number:o}"), ""),
        b'x' => (format!("{number:x}"), "0x"),
        b'X' => (format!("{number:X}"), "0X"),
        _ => (number.to_string(), ""),
    };
    let mut body = digits(conversion, digits_of_number);
    if conversion.letter == b'o' && conversion.alternative && body.first() != Some(&b'0') {
        body.insert(0, b'0');
    }
    let prefix = match conversion.alternative && number != 0 {
        true => prefix.into(),
        false => String::new(),
    };
    Piece {
        prefix,
        body,
        zeros: conversion.precision.is_none(),
    }
}

/// The digits, as many as the precision says. Of the number 0 with precision 0, none.
fn digits(conversion: Conversion, digits: String) -> Vec<u8> {
    match conversion.precision {
        Some(0) if digits == "0" => Vec::new(),
        precision => {
            let missing = (precision.unwrap_or(1) as usize).saturating_sub(digits.len());
            let mut body = vec![b'0'; missing];
            body.extend_from_slice(digits.as_bytes());
            body
        }
    }
}

impl Conversion {
    /// What stands before a number's digits.
    pub fn sign(&self, negative: bool) -> &'static str {
        match self {
            _ if negative => "-",
            Conversion { plus: true, .. } => "+",
            Conversion { space: true, .. } => " ",
            _ => "",
        }
    }
}

/// Puts a piece into its field.
fn fill(output: &mut Vec<u8>, conversion: Conversion, piece: &Piece) {
    let length = piece.prefix.len() + piece.body.len();
    let missing = (conversion.width as usize).saturating_sub(length);
    let zeros = conversion.zero && piece.zeros && !conversion.left;
    let pad = |output: &mut Vec<u8>, when: bool, with: u8| {
        if when {
            output.extend(std::iter::repeat_n(with, missing));
        }
    };
    pad(output, !conversion.left && !zeros, b' ');
    output.extend_from_slice(piece.prefix.as_bytes());
    pad(output, zeros, b'0');
    output.extend_from_slice(&piece.body);
    pad(output, conversion.left, b' ');
}

#[cfg(test)]
mod tests;
