//! What cannot be solved.

use answer::Bound;
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

/// Why there is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It cannot say what the program does.
    Refused(NotSolvable),
    /// A limit was reached before it was made.
    Stopped(Bound),
}

impl Halt {
    /// Whether a limit was reached; otherwise the refusal, as an error.
    pub fn stopped(self) -> Result<Bound, NotSolvable> {
        match self {
            Halt::Refused(refusal) => Err(refusal),
            Halt::Stopped(bound) => Ok(bound),
        }
    }
}

impl fmt::Display for NotSolvable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NotSolvable {}
