//! Rows that are JSON objects.
//!
//! Written by hand, as a log has millions of rows and most fields are skipped. Values that are skipped
//! are read only as far as it takes to find their end.

use super::row::{Field, Flaw, Row};
use std::borrow::Cow;
use std::ops::Range;

/// Reads an object that fills a line.
pub fn read(line: &str) -> Result<Row<'_>, Flaw> {
    let mut reader = Reader { line, at: 0 };
    let mut row = Row::default();
    reader.skip_space();
    let start = reader.at;
    reader.expect(
        b'{',
        "an object, as in {\"thread\": 1, \"operation\": \"load\", \"address\": \"x\"}",
    )?;
    if reader.next_is(b'}') {
        reader.at += 1;
    } else {
        loop {
            reader.field(&mut row)?;
            if !reader.next_is(b',') {
                break;
            }
            reader.at += 1;
        }
        reader.expect(b'}', "`,` or `}`")?;
    }
    row.place = start..reader.at;
    reader.skip_space();
    match reader.at == line.len() {
        true => Ok(row),
        false => {
            let rest = reader.at..line.len();
            Err(Flaw::new(rest, "something after the object").expected("one object per line"))
        }
    }
}

struct Reader<'a> {
    line: &'a str,
    /// The next byte.
    at: usize,
}

impl<'a> Reader<'a> {
    fn bytes(&self) -> &'a [u8] {
        self.line.as_bytes()
    }

    fn skip_space(&mut self) {
        while matches!(self.bytes().get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Whether this byte comes next, after space.
    fn next_is(&mut self, byte: u8) -> bool {
        self.skip_space();
        self.bytes().get(self.at) == Some(&byte)
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), Flaw> {
        match self.next_is(byte) {
            true => {
                self.at += 1;
                Ok(())
            }
            false => Err(self.unexpected(what)),
        }
    }

    fn unexpected(&self, what: &str) -> Flaw {
        let next = self.line[self.at..].chars().next();
        let message = match next {
            Some(next) => format!("`{next}` in the wrong place"),
            None => "the line ends too soon".to_owned(),
        };
        let length = next.map_or(0, char::len_utf8);
        Flaw::new(self.at..self.at + length, message).expected(what)
    }

    fn field(&mut self, row: &mut Row<'a>) -> Result<(), Flaw> {
        if !self.next_is(b'"') {
            return Err(self.unexpected("the name of a field, in quotes"));
        }
        let name = self.string()?;
        self.expect(b':', "`:`")?;
        self.skip_space();
        let Some(field) = row.field(&name.text) else {
            return self.skip_value();
        };
        if field.is_some() {
            let message = format!("`{}` for the second time", name.text);
            return Err(Flaw::new(name.place, message));
        }
        *field = self.value(&name.text)?;
        Ok(())
    }

    /// A string or a number; nothing for null.
    fn value(&mut self, name: &str) -> Result<Option<Field<'a>>, Flaw> {
        match self.bytes().get(self.at) {
            Some(b'"') => Ok(Some(self.string()?)),
            Some(b'n') if self.line[self.at..].starts_with("null") => {
                self.at += 4;
                Ok(None)
            }
            Some(byte) if byte.is_ascii_digit() || *byte == b'-' => {
                let place = self.scalar();
                let text = &self.line[place.clone()];
                match text.bytes().all(|byte| byte.is_ascii_digit()) {
                    true => Ok(Some(Field {
                        text: Cow::Borrowed(text),
                        place,
                    })),
                    false => {
                        let message = format!("`{text}` in `{name}`");
                        Err(Flaw::new(place, message).expected("a whole number, not negative"))
                    }
                }
            }
            _ => Err(self.unexpected(&format!("a number or a string for `{name}`"))),
        }
    }

    /// The string that begins here.
    fn string(&mut self) -> Result<Field<'a>, Flaw> {
        let start = self.at + 1;
        let mut end = start;
        loop {
            match self.bytes().get(end) {
                None => {
                    let place = self.at..self.line.len();
                    return Err(Flaw::new(place, "a string without end").expected("`\"`"));
                }
                Some(b'"') => break,
                Some(b'\\') => return self.escaped(start),
                Some(_) => end += 1,
            }
        }
        self.at = end + 1;
        Ok(Field {
            text: Cow::Borrowed(&self.line[start..end]),
            place: start..end,
        })
    }

    /// A string with escapes, from its first character.
    fn escaped(&mut self, start: usize) -> Result<Field<'a>, Flaw> {
        let mut text = String::new();
        let mut rest = self.line[start..].char_indices();
        while let Some((offset, next)) = rest.next() {
            let wrong = |end: usize| {
                let place = start + offset..self.line.len().min(start + end);
                Flaw::new(place, "an escape that JSON does not have")
            };
            match next {
                '"' => {
                    self.at = start + offset + 1;
                    return Ok(Field {
                        text: Cow::Owned(text),
                        place: start..start + offset,
                    });
                }
                '\\' => match rest.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, 'b')) => text.push('\u{8}'),
                    Some((_, 'f')) => text.push('\u{c}'),
                    Some((_, same @ ('"' | '\\' | '/'))) => text.push(same),
                    Some((at, 'u')) => {
                        let digits = self.line.get(start + at + 1..start + at + 5);
                        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                        let code = code.ok_or_else(|| wrong(at + 1))?;
                        // Halves of a pair are not put together; they only show in reports.
                        text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                        rest.nth(3);
                    }
                    Some((at, other)) => return Err(wrong(at + other.len_utf8())),
                    None => break,
                },
                other => text.push(other),
            }
        }
        let place = self.at..self.line.len();
        Err(Flaw::new(place, "a string without end").expected("`\"`"))
    }

    /// The bytes up to the next delimiter.
    fn scalar(&mut self) -> Range<usize> {
        let start = self.at;
        let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b':' | b'"');
        let rest = &self.bytes()[start..];
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
        start..self.at
    }

    /// Goes to the end of a value of any kind.
    fn skip_value(&mut self) -> Result<(), Flaw> {
        let mut open = Vec::new();
        loop {
            self.skip_space();
            match self.bytes().get(self.at) {
                Some(b'"') => drop(self.string()?),
                Some(b'{') => self.skip(&mut open, b'}'),
                Some(b'[') => self.skip(&mut open, b']'),
                Some(close @ (b'}' | b']')) if open.last() == Some(close) => {
                    open.pop();
                    self.at += 1;
                }
                Some(b',' | b':') if !open.is_empty() => {
                    self.at += 1;
                    continue;
                }
                Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'-' => {
                    self.scalar();
                }
                _ => return Err(self.unexpected("a value")),
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn skip(&mut self, open: &mut Vec<u8>, close: u8) {
        open.push(close);
        self.at += 1;
    }
}
