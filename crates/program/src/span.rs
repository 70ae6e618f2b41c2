//! Where things stand in the user's files.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A stretch of one line of a source file. Lines and columns count from 1;
/// columns and lengths count characters.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Span {
    /// The file: 0 is the program's own, others are in
    /// [`Program::included`](crate::Program::included).
    pub file: u16,
    /// Line, from 1; 0 means "nowhere" (code that no source line stands behind).
    pub line: u32,
    /// First column, from 1.
    pub column: u32,
    /// Number of characters.
    pub length: u32,
}

impl Span {
    /// The span of code that no source line stands behind.
    pub const NOWHERE: Span = Span {
        file: 0,
        line: 0,
        column: 0,
        length: 0,
    };

    /// A stretch of `length` characters at `line` and `column`.
    pub fn new(line: u32, column: u32, length: u32) -> Self {
        Span {
            file: 0,
            line,
            column,
            length,
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The text of a source file, kept so that messages can quote it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file's name as the user gave it.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// Where each line starts, in bytes, once somebody has asked.
    lines: OnceLock<Arc<[usize]>>,
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.text) == (&other.name, &other.text)
    }
}

impl Eq for Source {}

impl Source {
    /// A source file of this name and text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Source {
            name: name.into(),
            text: text.into(),
            lines: OnceLock::new(),
        }
    }

    /// The line of this number, counted from 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        let lines = self.lines.get_or_init(|| {
            let breaks = self.text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(breaks).collect()
        });
        let index = (number as usize).checked_sub(1)?;
        let start = *lines.get(index)?;
        let end = lines.get(index + 1).copied();
        let line = &self.text[start..end.unwrap_or(self.text.len())];
        Some(line.trim_end_matches(['\n', '\r']))
    }

    /// The text under `span`, or nothing where the span leaves the file.
    pub fn excerpt(&self, span: Span) -> &str {
        let Some(line) = self.line(span.line) else {
            return "";
        };
        let first = (span.column as usize).saturating_sub(1);
        let start = byte_of(line, first);
        &line[start..byte_of(line, first + span.length as usize)]
    }
}

fn byte_of(line: &str, column: usize) -> usize {
    line.char_indices()
        .nth(column)
        .map_or(line.len(), |(byte, _)| byte)
}
