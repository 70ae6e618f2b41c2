//! What programs came to, as documents on a whole run have it: an entry for each program and model, ready for any renderer.

use crate::check::check_text;
use crate::codes::Code;
use crate::explanation::{Explanation, Place};
use crate::format::{Command, Report};
use crate::measures::time;
use crate::robust::robust_text;
use crate::sites::file_name;
use crate::table::{Align, Column, Table};
use crate::view::View;
use answer::{ModelResult, Verdict};
use memory::Model;
use program::{Diagnostic, Program, Span};
use std::fmt;
use std::time::Duration;

/// What one program came to under one model.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The program's name: that of its file, if it has no other.
    pub name: String,
    /// Its file.
    pub file: String,
    /// The subcommand.
    pub command: &'static str,
    /// The model; none if the program was not read.
    pub model: Option<Model>,
    /// The answer.
    pub answer: Answer,
    /// What the answer should be, if that was said.
    pub expected: Option<Expected>,
    /// What it covers, or why there is none.
    pub covers: String,
    /// Time that it took.
    pub time: Duration,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What `--format text` says.
    pub text: String,
}

/// An answer, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A verdict.
    Verdict(Verdict),
    /// The input is bad.
    BadInput,
}

/// What an answer should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// This verdict.
    Verdict(Verdict),
    /// A violation of this kind.
    Code(&'static Code),
}

/// Something that is wrong, with the places that have to do with it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its kind; none for what is wrong with an input or is not as expected.
    pub code: Option<&'static Code>,
    /// In a sentence or two.
    pub message: String,
    /// Where it is.
    pub primary: Option<FilePlace>,
    /// What else has to do with it.
    pub secondary: Vec<FilePlace>,
}

/// A place in a file.
#[derive(Clone, Debug)]
pub struct FilePlace {
    /// The file, as the user named it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The first column, from 1.
    pub column: u32,
    /// Characters.
    pub length: u32,
    /// What happens there; may be empty.
    pub label: String,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Verdict(verdict) => verdict.fmt(f),
            Answer::BadInput => f.write_str("bad input"),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Verdict(verdict) => verdict.fmt(f),
            Expected::Code(code) => code.fmt(f),
        }
    }
}

impl FilePlace {
    fn new(program: &Program, place: &Place) -> Self {
        let Place { span, label } = place;
        FilePlace {
            file: file_name(program, *span).to_owned(),
            line: span.line,
            column: span.column,
            length: span.length,
            label: label.clone(),
        }
    }
}

impl Finding {
    fn new(program: &Program, explanation: &Explanation) -> Self {
        let mut sentences = vec![explanation.message.clone()];
        sentences.extend(explanation.causes(program));
        sentences.extend(explanation.sequential_text().map(str::to_owned));
        let fences = explanation.fences(program);
        if !fences.is_empty() {
            sentences.push(format!("this forbids it: {}", fences.join("; ")));
        }
        let place = |place: &Place| FilePlace::new(program, place);
        Finding {
            code: Some(explanation.code),
            message: sentences.join(". "),
            primary: explanation.primary.as_ref().map(place),
            secondary: explanation.secondary.iter().map(place).collect(),
        }
    }
}

/// An entry for each result of a report.
pub fn entries(report: &Report) -> Vec<Entry> {
    let entry = |result: &ModelResult| entry(report, result);
    report.results.iter().map(entry).collect()
}

fn entry(report: &Report, result: &ModelResult) -> Entry {
    let Report {
        command, program, ..
    } = *report;
    let view = View {
        color: false,
        ..report.view.clone()
    };
    let first = Explanation::new(program, result);
    let others = Explanation::others(program, result);
    let wrong = first.iter().chain(&others);
    Entry {
        name: program.source.name.to_string(),
        file: program.source.name.to_string(),
        command: command.name(),
        model: Some(result.model),
        answer: Answer::Verdict(result.verdict),
        expected: None,
        covers: result.covers(),
        time: result.time,
        findings: wrong.map(|one| Finding::new(program, one)).collect(),
        text: match command {
            Command::Robust => robust_text(program, result, &view),
            _ => check_text(program, result, &view),
        },
    }
}

impl Entry {
    /// An input that is no program.
    pub fn bad(
        command: &'static str,
        file: &str,
        message: &str,
        found: Option<&Diagnostic>,
    ) -> Self {
        let primary = found.filter(|found| found.span != Span::NOWHERE);
        let primary = primary.map(|found| FilePlace {
            file: found.source.name.to_string(),
            line: found.span.line,
            column: found.span.column,
            length: found.span.length,
            label: found.label.clone(),
        });
        Entry {
            name: file.to_owned(),
            file: file.to_owned(),
            command,
            model: None,
            answer: Answer::BadInput,
            expected: None,
            covers: message.to_owned(),
            time: Duration::ZERO,
            findings: vec![Finding {
                code: None,
                message: message.to_owned(),
                primary,
                secondary: Vec::new(),
            }],
            text: message.to_owned(),
        }
    }

    /// True if nobody needs to look at it.
    pub fn is_good(&self) -> bool {
        match (self.expected, self.answer) {
            (None, answer) => answer == Answer::Verdict(Verdict::Holds),
            (Some(Expected::Verdict(verdict)), answer) => answer == Answer::Verdict(verdict),
            (Some(Expected::Code(code)), answer) => {
                let mut codes = self.findings.iter().filter_map(|finding| finding.code);
                answer == Answer::Verdict(Verdict::Violated) && codes.any(|found| found == code)
            }
        }
    }

    /// What somebody has to look at: nothing that was expected.
    pub fn complaints(&self) -> Vec<Finding> {
        match self.expected {
            _ if self.is_good() => Vec::new(),
            Some(expected) if self.answer != Answer::BadInput => {
                let (answer, under) = (self.answer, self.under());
                let mut complaints = vec![Finding {
                    code: None,
                    message: format!("{answer}{under}, expected: {expected}"),
                    primary: None,
                    secondary: Vec::new(),
                }];
                complaints.extend(self.findings.iter().cloned());
                complaints
            }
            _ => self.findings.clone(),
        }
    }

    /// ` under tso`.
    pub(crate) fn under(&self) -> String {
        self.model
            .map_or(String::new(), |model| format!(" under {model}"))
    }

    /// A line: what came of it.
    pub fn line(&self) -> String {
        let (name, answer, under) = (&self.name, self.answer, self.under());
        let expected = match self.expected {
            Some(expected) if !self.is_good() => format!(", expected: {expected}"),
            _ => String::new(),
        };
        let what = match (self.answer, self.findings.first()) {
            (Answer::Verdict(Verdict::Undecided), _) => format!(": it covers only {}", self.covers),
            (_, Some(first)) => format!(": {}", first.message.lines().next().unwrap_or_default()),
            (_, None) => String::new(),
        };
        format!("{name}: {answer}{under}{expected}{what}\n")
    }
}

/// A table of what all programs came to, and how many are as they should be.
pub fn summary_text(entries: &[Entry]) -> String {
    let left = Column::new(Align::Left);
    let with_expected = entries.iter().any(|entry| entry.expected.is_some());
    let mut table = Table::new(vec![left, left, left, Column::new(Align::Right), left]);
    for entry in entries {
        let expected = match entry.expected {
            _ if !with_expected => String::new(),
            _ if entry.is_good() => "as expected".to_owned(),
            Some(expected) => format!("expected: {expected}"),
            None => "expected: holds".to_owned(),
        };
        let model = entry.model.map_or("", Model::name);
        let first = entry.findings.first().and_then(|finding| finding.code);
        let code = first.map_or(String::new(), |code| format!(" ({code}, {})", code.title));
        table.row([
            entry.name.clone(),
            model.to_owned(),
            format!("{}{code}", entry.answer),
            time(entry.time),
            expected,
        ]);
    }
    let good = entries.iter().filter(|entry| entry.is_good()).count();
    let what = match with_expected {
        true => "as expected",
        false => "hold",
    };
    let all = entries.len();
    format!("{}\n{good} of {all} {what}\n", table.render())
}
