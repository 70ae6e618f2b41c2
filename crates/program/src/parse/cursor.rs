//! Reading one line of a printed program from left to right.

use super::ParseError;
use crate::names::{digits_at, identifier_at, is_reserved, observable_name_at};
use crate::{Access, MemoryOrder, Span, Width, Word};

pub(super) type Read<T> = Result<T, ParseError>;

/// What is left of a line.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Cursor<'a> {
    /// The line of this number, counted from 1.
    pub fn new(text: &'a str, line: usize) -> Self {
        let rest = text.trim();
        Cursor { rest, line }
    }

    pub fn line(&self) -> usize {
        self.line
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn error(&self, message: impl Into<String>) -> ParseError {
        let (line, message) = (self.line, message.into());
        ParseError { line, message }
    }

    /// The complaint that something else was expected here.
    pub fn expected(&self, what: &str) -> ParseError {
        let found: String = self.rest.chars().take(20).collect();
        let found = match found.as_str() {
            "" => "the line ends".to_owned(),
            _ => format!("found `{found}`"),
        };
        self.error(format!("expected {what}, but {found}"))
    }

    /// Moves past the first `bytes` bytes and the space behind them.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest.trim_start();
        taken
    }

    pub fn starts_with(&self, symbol: &str) -> bool {
        self.rest.starts_with(symbol)
    }

    pub fn eat(&mut self, symbol: &str) -> bool {
        let found = self.starts_with(symbol);
        if found {
            self.advance(symbol.len());
        }
        found
    }

    pub fn expect(&mut self, symbol: &str) -> Read<()> {
        match self.eat(symbol) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{symbol}`"))),
        }
    }

    /// The word that comes next, which may be a keyword or a name; else empty.
    pub fn peek_word(&self) -> &'a str {
        identifier_at(self.rest)
    }

    pub fn word(&mut self) -> &'a str {
        self.advance(self.peek_word().len())
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.word();
        }
        found
    }

    pub fn expect_word(&mut self, word: &str) -> Read<()> {
        match self.eat_word(word) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{word}`"))),
        }
    }

    pub fn name(&mut self, what: &str) -> Read<String> {
        if self.starts_with("\"") {
            return self.quoted();
        }
        match self.peek_word() {
            "" => Err(self.expected(what)),
            word if is_reserved(word) => Err(self.expected(what)),
            _ => Ok(self.word().to_owned()),
        }
    }

    pub fn observable_name(&mut self) -> Read<String> {
        if self.starts_with("\"") {
            return self.quoted();
        }
        match observable_name_at(self.rest) {
            "" => Err(self.expected("the name of a value")),
            name => Ok(self.advance(name.len()).to_owned()),
        }
    }

    pub fn quoted(&mut self) -> Read<String> {
        let Some(body) = self.rest.strip_prefix('"') else {
            return Err(self.expected("a name in quotes"));
        };
        let mut name = String::new();
        let mut chars = body.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.advance(1 + at + 1);
                    return Ok(name);
                }
                '\\' => match chars.next() {
                    Some((_, c @ ('"' | '\\'))) => name.push(c),
                    Some((at, 'u')) => {
                        let (code, length) = self.code_point(&body[at + 1..])?;
                        name.push(code);
                        while chars.offset() < at + 1 + length {
                            chars.next();
                        }
                    }
                    _ => return Err(self.error("an unknown escape in a name")),
                },
                _ => name.push(c),
            }
        }
        Err(self.error("a quote that does not end"))
    }

    /// Reads `{1f}` and says how many bytes that took.
    fn code_point(&self, text: &str) -> Read<(char, usize)> {
        text.strip_prefix('{')
            .and_then(|text| text.split_once('}'))
            .and_then(|(digits, _)| {
                let code = u32::from_str_radix(digits, 16).ok()?;
                Some((char::from_u32(code)?, digits.len() + 2))
            })
            .ok_or_else(|| self.error("an unknown escape in a name"))
    }

    /// The digits that come next, and whether `sign` follows without space.
    pub fn digits_before(&self, sign: char) -> bool {
        let digits = digits_at(self.rest);
        !digits.is_empty() && self.rest[digits.len()..].starts_with(sign)
    }

    pub fn starts_with_number(&self) -> bool {
        self.rest
            .strip_prefix('-')
            .unwrap_or(self.rest)
            .starts_with(|c: char| c.is_ascii_digit())
    }

    /// A number without sign, decimal.
    pub fn count(&mut self, what: &str) -> Read<u32> {
        let digits = digits_at(self.rest);
        match digits.parse() {
            Ok(number) => {
                self.advance(digits.len());
                Ok(number)
            }
            Err(_) => Err(self.expected(what)),
        }
    }

    /// A number without sign, decimal or hexadecimal.
    pub fn word_number(&mut self) -> Read<Word> {
        let (digits, radix, skipped) = match self.rest.strip_prefix("0x") {
            Some(rest) => {
                let end = rest.find(|c: char| !c.is_ascii_hexdigit());
                (&rest[..end.unwrap_or(rest.len())], 16, 2)
            }
            None => (digits_at(self.rest), 10, 0),
        };
        match Word::from_str_radix(digits, radix) {
            Ok(number) => {
                self.advance(skipped + digits.len());
                Ok(number)
            }
            Err(_) => Err(self.expected("a number of at most 64 bits")),
        }
    }

    /// A decimal number that may be negative.
    pub fn number(&mut self) -> Read<i128> {
        let sign = usize::from(self.starts_with("-"));
        let length = sign + digits_at(&self.rest[sign..]).len();
        match self.rest[..length].parse() {
            Ok(number) => {
                self.advance(length);
                Ok(number)
            }
            Err(_) => Err(self.expected("a number")),
        }
    }

    pub fn width(&mut self) -> Read<Width> {
        let bits = self.peek_word().strip_prefix('i');
        let bits = bits.filter(|bits| digits_at(bits) == *bits);
        match bits.and_then(|bits| Width::of_bits(bits.parse().ok()?)) {
            Some(width) => {
                self.word();
                Ok(width)
            }
            None => Err(self.expected("a width, such as i32")),
        }
    }

    /// `acquire align 4`: how an access is ordered and aligned.
    pub fn access(&mut self) -> Read<Access> {
        let mut access = Access::default();
        if let Some(order) = self.eat_order() {
            access.order = order;
        }
        if self.eat_word("align") {
            let bytes = self.word_number()?;
            if !bytes.is_power_of_two() {
                return Err(self.error(format!("{bytes} is no power of 2")));
            }
            access.alignment = bytes.trailing_zeros() as u8;
        }
        Ok(access)
    }

    fn eat_order(&mut self) -> Option<MemoryOrder> {
        let order = MemoryOrder::named(self.peek_word());
        if order.is_some() {
            self.word();
        }
        order
    }

    /// The order after `or`: of a compare-and-exchange that fails.
    pub fn failure_order(&mut self) -> Read<MemoryOrder> {
        if !self.eat_word("or") {
            return Ok(MemoryOrder::Relaxed);
        }
        let order = self.eat_order();
        order.ok_or_else(|| self.expected("a memory order, such as acquire"))
    }

    /// `unsigned i32` or `i32`: the width and whether it is signed.
    pub fn signed_width(&mut self) -> Read<(Width, bool)> {
        let signed = !self.eat_word("unsigned");
        Ok((self.width()?, signed))
    }

    /// The end of the line, with the span that may stand before it.
    pub fn span(&mut self) -> Read<Span> {
        if !self.eat("@") {
            return self.end().map(|()| Span::NOWHERE);
        }
        let mut line = self.count("a line number")?;
        let mut file = 0;
        if self.eat("/") {
            file = match u16::try_from(line) {
                Ok(file) => file,
                Err(_) => return Err(self.error("a file's number is at most 65535")),
            };
            line = self.count("a line number")?;
        }
        self.expect(":")?;
        let column = self.count("a column")?;
        self.expect("+")?;
        let length = self.count("a length")?;
        self.end()?;
        Ok(Span {
            file,
            ..Span::new(line, column, length)
        })
    }

    pub fn end(&self) -> Read<()> {
        match self.is_empty() {
            true => Ok(()),
            false => Err(self.expected("the end of the line")),
        }
    }
}
