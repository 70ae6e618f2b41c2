//! Complaints about the user's input, with where to look.

use crate::{Source, Span};
use std::fmt;

/// Something wrong with an input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file.
    pub source: Source,
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What was expected there; may be empty.
    pub label: String,
    /// Other places involved, each with what it has to do with it.
    pub others: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

/// One line: `file:line:column: message`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.source.name, self.span, self.message)?;
        if !self.label.is_empty() {
            write!(f, " ({})", self.label)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}
