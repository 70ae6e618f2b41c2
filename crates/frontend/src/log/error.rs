//! What is wrong with a log.

use super::row::Flaw;
use program::{Diagnostic, Source, Span};
use thiserror::Error as ThisError;

/// Why a log cannot be read.
#[derive(Debug, ThisError)]
pub enum Error {
    /// The file, or standard input, gives nothing.
    #[error("cannot read {name}: {why}")]
    Unreadable {
        /// What was to be read.
        name: String,
        /// What the system says.
        why: String,
    },
    /// Something is wrong with a row.
    #[error(transparent)]
    Row(Box<Diagnostic>),
    /// The rows have no order in which they can have happened.
    #[error(transparent)]
    NotSequential(Box<Diagnostic>),
}

/// Lines up to this one are quoted in complaints: what is quoted from has to be in memory, with empty
/// lines for those before.
const LAST_QUOTED: u64 = 1 << 20;

impl Error {
    pub(super) fn unreadable(name: &str, error: &std::io::Error) -> Self {
        Error::Unreadable {
            name: name.to_owned(),
            why: error.to_string(),
        }
    }

    /// A complaint about a line with this text.
    pub(super) fn row(name: &str, line: u64, text: &str, flaw: Flaw) -> Self {
        let characters = |bytes: usize| text.get(..bytes).map_or(0, |text| text.chars().count());
        let (start, end) = (characters(flaw.place.start), characters(flaw.place.end));
        let quoted = line <= LAST_QUOTED && !text.is_empty();
        let mut lines = String::new();
        if quoted {
            lines = "\n".repeat(line.saturating_sub(1) as usize) + text;
        }
        Error::Row(Box::new(Diagnostic {
            source: Source::new(name, lines),
            message: match quoted {
                true => flaw.message,
                false => format!("line {line}: {}", flaw.message),
            },
            span: match quoted {
                true => Span::new(line as u32, start as u32 + 1, (end - start) as u32),
                false => Span::NOWHERE,
            },
            label: flaw.label,
            others: Vec::new(),
            help: None,
        }))
    }

    /// A complaint about a line that is not in memory any more.
    pub(super) fn line(name: &str, line: u32, message: &str) -> Self {
        Error::Row(whole(name, format!("line {line}: {message}"), None))
    }

    /// The execution is not sequentially consistent, as a line shows, for these reasons.
    pub(super) fn not_sequential(name: &str, line: u32, reasons: String) -> Self {
        let message =
            format!("line {line} shows that the execution is not sequentially consistent");
        Error::NotSequential(whole(name, message, Some(reasons)))
    }
}

/// A complaint about the log as a whole.
fn whole(name: &str, message: String, help: Option<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic {
        source: Source::new(name, ""),
        message,
        span: Span::NOWHERE,
        label: String::new(),
        others: Vec::new(),
        help,
    })
}
