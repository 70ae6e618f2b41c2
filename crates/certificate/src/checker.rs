//! Reads a certificate line by line: what it is for, then one of the two kinds of proofs.

use crate::error::{CertificateError, Reason};
use crate::formula::Formula;
use crate::line::Line;
use crate::safety::Safety;
use crate::summary::{Proved, Summary};
use std::io::BufRead;

/// Checks a certificate.
///
/// Memory grows with the length of the text, whatever numbers stand in it.
pub fn check(reader: impl BufRead) -> Result<Summary, CertificateError> {
    let mut checker = Checker::default();
    let mut line = 1;
    for text in reader.lines() {
        let read = text.map_err(Reason::from);
        let checked = read.and_then(|text| checker.line(&text, line));
        checked.map_err(|reason| CertificateError { line, reason })?;
        line += 1;
    }
    let summary = checker.finish();
    summary.map_err(|reason| CertificateError { line, reason })
}

/// Which lines can come next.
#[derive(Default)]
enum Part {
    #[default]
    First,
    About,
    Formula(Formula),
    Safety(Box<Safety>),
}

#[derive(Default)]
struct Checker {
    part: Part,
    subject: Vec<(String, String)>,
    about: Vec<String>,
}

impl Checker {
    fn line(&mut self, text: &str, number: u64) -> Result<(), Reason> {
        let mut line = Line::new(text);
        match &mut self.part {
            Part::First => {
                self.part = Part::About;
                let right = text == "fencepost certificate 1";
                right.then_some(()).ok_or(Reason::NotACertificate)
            }
            Part::About => match line.word()? {
                "about" => {
                    let words = text.strip_prefix("about").unwrap_or_default();
                    let words = words.strip_prefix(' ').unwrap_or(words);
                    self.about.push(words.to_owned());
                    Ok(())
                }
                "for" => self.value(line),
                "problem" => {
                    self.part = Part::Formula(Formula::new(line)?);
                    Ok(())
                }
                "system" => {
                    self.part = Part::Safety(Box::new(Safety::new(text, line)?));
                    Ok(())
                }
                word => Err(Reason::Unexpected(word.to_owned())),
            },
            Part::Formula(formula) => formula.line(line.word()?, line),
            Part::Safety(safety) => safety.line(text, number),
        }
    }

    fn value(&mut self, mut line: Line<'_>) -> Result<(), Reason> {
        let name = line.word()?.to_owned();
        if self.subject.iter().any(|(known, _)| *known == name) {
            return Err(Reason::SecondValue(name));
        }
        let value = line.rest().ok_or(Reason::TooShort)?;
        self.subject.push((name, value));
        Ok(())
    }

    fn finish(self) -> Result<Summary, Reason> {
        let proved = match self.part {
            Part::First => return Err(Reason::NotACertificate),
            Part::About => return Err(Reason::Unfinished),
            Part::Formula(formula) => Proved::NoSolution(formula.finish()?),
            Part::Safety(safety) => Proved::Unreachable(safety.finish()?),
        };
        Ok(Summary {
            subject: self.subject,
            about: self.about,
            proved,
        })
    }
}
