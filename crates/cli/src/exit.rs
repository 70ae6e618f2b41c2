//! Exit codes.

use answer::{ModelResult, Verdict};
use report::{Answer, Entry};
use std::process::ExitCode;

/// How the command ends. When several files or models end differently, the
/// largest of the numbers below does not win; the order of the variants does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything holds: 0.
    Holds,
    /// Something was not decided: 3.
    Undecided,
    /// Something is violated: 1.
    Violated,
    /// Bad input or usage: 2.
    BadInput,
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Exit::Holds,
            Verdict::Violated => Exit::Violated,
            Verdict::Undecided => Exit::Undecided,
        }
    }
}

impl Exit {
    /// The worst of several results.
    pub fn of(results: &[ModelResult]) -> Self {
        let exits = results.iter().map(|result| Exit::from(result.verdict));
        exits.max().unwrap_or(Exit::Holds)
    }
}

impl Exit {
    /// What an answer comes to that something was expected of.
    pub fn of_entry(entry: &Entry) -> Self {
        match entry.answer {
            _ if entry.is_good() => Exit::Holds,
            Answer::BadInput => Exit::BadInput,
            Answer::Verdict(Verdict::Undecided) => Exit::Undecided,
            Answer::Verdict(_) => Exit::Violated,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::BadInput => 2,
            Exit::Undecided => 3,
        })
    }
}
