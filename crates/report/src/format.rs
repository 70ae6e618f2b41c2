//! The formats in which a command shows what a program came to: one renderer each.

use crate::check::check_text;
use crate::counts::counts_text;
use crate::entry::{Entry, entries};
use crate::github::github;
use crate::json::json;
use crate::junit::junit;
use crate::measures::time;
use crate::outcomes::outcomes_text;
use crate::robust::robust_text;
use crate::sarif::sarif;
use crate::view::View;
use answer::ModelResult;
use program::Program;
use std::time::Duration;

/// A command that asks the same of one program under several models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `fencepost outcomes`.
    Outcomes,
    /// `fencepost check`.
    Check,
    /// `fencepost robust`.
    Robust,
    /// `fencepost prove`.
    Prove,
}

impl Command {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Command::Outcomes => "outcomes",
            Command::Check => "check",
            Command::Robust => "robust",
            Command::Prove => "prove",
        }
    }
}

/// What one program came to.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    /// Which question was asked.
    pub command: Command,
    /// The program.
    pub program: &'r Program,
    /// How long it took to read it.
    pub reading: Duration,
    /// The answer under each model.
    pub results: &'r [ModelResult],
    /// The sizes of the searches are asked for.
    pub counts: bool,
    /// How it is shown.
    pub view: &'r View,
}

macro_rules! formats {
    ($(#[doc = $doc:literal] $format:ident $name:literal $show:expr;)*) => {
        /// A format: the value of `--format`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Format {
            $(#[doc = $doc] $format,)*
        }

        impl Format {
            /// All of them, as `--format` lists them.
            pub const ALL: &[Format] = &[$(Format::$format),*];

            /// Its name on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Format::$format => $name,)*
                }
            }

            /// Shows what one program came to.
            pub fn show(self, report: &Report) -> String {
                match self {
                    $(Format::$format => $show(report),)*
                }
            }
        }
    };
}

formats! {
    /// For people.
    Text "text" text;
    /// For programs.
    Json "json" |report| format!("{}\n", json(report));
    /// SARIF 2.1.0, for code scanning.
    Sarif "sarif" |report| sarif(&entries(report));
    /// JUnit XML, for test reports.
    Junit "junit" |report| junit(&entries(report));
    /// Annotations of GitHub Actions.
    Github "github" |report| github(&entries(report));
}

impl Format {
    /// The document on a whole run, if the format is one of such documents.
    pub fn document(self, entries: &[Entry]) -> Option<String> {
        match self {
            Format::Text | Format::Json => None,
            Format::Sarif => Some(sarif(entries)),
            Format::Junit => Some(junit(entries)),
            Format::Github => Some(github(entries)),
        }
    }
}

/// Reading that took longer than this is reported.
const LONG: Duration = Duration::from_secs(1);

fn text(report: &Report) -> String {
    let Report {
        program,
        results,
        view,
        ..
    } = *report;
    let texts: Vec<String> = match report.command {
        Command::Outcomes => return outcomes_text(program, results),
        Command::Check | Command::Prove => results
            .iter()
            .map(|r| check_text(program, r, view))
            .collect(),
        Command::Robust => results
            .iter()
            .map(|r| robust_text(program, r, view))
            .collect(),
    };
    let mut text = String::new();
    if report.reading >= LONG {
        let (file, time) = (&program.source.name, time(report.reading));
        text += &format!("{file}: {time} for reading\n");
    }
    text += &texts.join("\n");
    if report.counts {
        text += &format!("\n{}", counts_text(results));
    }
    text
}
