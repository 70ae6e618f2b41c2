//! Rows that are lines of CSV.

use super::row::{Field, Flaw, Row};
use std::borrow::Cow;
use std::ops::Range;

/// What the columns are.
#[derive(Debug)]
pub struct Header {
    /// For each column, which of [`Row::FIELDS`] it is.
    columns: Vec<Option<usize>>,
}

impl Header {
    /// Reads the first line.
    pub fn read(line: &str) -> Result<Self, Flaw> {
        let mut columns = Vec::new();
        for field in Fields::of(line) {
            let field = field?;
            let name = field.text.to_ascii_lowercase();
            let known = Row::FIELDS.iter().position(|known| *known == name);
            if known.is_some() && columns.contains(&known) {
                return Err(Flaw::new(field.place, format!("a second column `{name}`")));
            }
            columns.push(known);
        }
        for (needed, name) in Row::FIELDS.iter().enumerate().take(3) {
            if !columns.contains(&Some(needed)) {
                let flaw = Flaw::new(0..line.len(), format!("no column `{name}`"));
                return Err(flaw.expected(
                    "a header with the columns thread, operation and address, or JSON objects",
                ));
            }
        }
        Ok(Header { columns })
    }

    /// Reads any other line.
    pub fn row<'a>(&self, line: &'a str) -> Result<Row<'a>, Flaw> {
        let mut row = Row {
            place: 0..line.len(),
            ..Row::default()
        };
        let mut columns = self.columns.iter();
        for field in Fields::of(line) {
            let field = field?;
            let Some(column) = columns.next() else {
                let message = format!("more than {} columns", self.columns.len());
                return Err(Flaw::new(field.place, message));
            };
            match column {
                Some(0) => row.thread = Some(field),
                Some(1) => row.operation = Some(field),
                Some(2) => row.address = Some(field),
                Some(3) => row.index = Some(field),
                Some(_) => row.at = Some(field),
                None => {}
            }
        }
        Ok(row)
    }
}

/// The fields of a line.
struct Fields<'a> {
    line: &'a str,
    /// The first byte of the next field; none after the last.
    next: Option<usize>,
}

impl<'a> Fields<'a> {
    fn of(line: &'a str) -> Self {
        Fields {
            line,
            next: Some(0),
        }
    }

    fn plain(&mut self, start: usize) -> Field<'a> {
        let rest = &self.line.as_bytes()[start..];
        let comma = rest.iter().position(|byte| *byte == b',');
        let end = comma.map_or(self.line.len(), |comma| start + comma);
        self.next = comma.map(|_| end + 1);
        let raw = &self.line[start..end];
        let text = raw.trim_ascii();
        let first = start + (raw.len() - raw.trim_ascii_start().len());
        Field {
            text: Cow::Borrowed(text),
            place: first..first + text.len(),
        }
    }

    /// A field in quotes, in which two stand for one.
    fn quoted(&mut self, start: usize) -> Result<Field<'a>, Flaw> {
        let bytes = self.line.as_bytes();
        let mut text = Cow::Borrowed("");
        let mut from = start + 1;
        loop {
            let Some(length) = bytes[from..].iter().position(|byte| *byte == b'"') else {
                let place: Range<usize> = start..self.line.len();
                return Err(Flaw::new(place, "a quote without end").expected("`\"`"));
            };
            let end = from + length;
            match text.is_empty() {
                true => text = Cow::Borrowed(&self.line[from..end]),
                false => text.to_mut().push_str(&self.line[from..end]),
            }
            from = end + 1;
            if bytes.get(from) != Some(&b'"') {
                break;
            }
            text.to_mut().push('"');
            from += 1;
        }
        let place = start..from;
        match bytes.get(from) {
            None => self.next = None,
            Some(b',') => self.next = Some(from + 1),
            Some(_) => {
                let after = Flaw::new(from..self.line.len(), "text after a quote");
                return Err(after.expected("`,`"));
            }
        }
        Ok(Field { text, place })
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, Flaw>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.next?;
        Some(match self.line.as_bytes().get(start) {
            Some(b'"') => self.quoted(start),
            _ => Ok(self.plain(start)),
        })
    }
}
