//! What cannot be solved.

use program::Span;
use std::fmt;

/// What a formula cannot say, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSolvable {
    /// What stands in the way.
    pub message: String,
    /// Where.
    pub span: Span,
}

impl fmt::Display for NotSolvable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NotSolvable {}
