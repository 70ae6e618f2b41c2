//! Goes through a certificate line by line.

use crate::clauses::Clauses;
use crate::error::{CertificateError, Reason};
use crate::graph::{Edge, Graph};
use crate::line::Line;
use crate::summary::Summary;
use std::io::BufRead;

/// Checks a certificate.
///
/// Time and memory grow with the length of the text, whatever numbers stand in it.
pub fn check(reader: impl BufRead) -> Result<Summary, CertificateError> {
    let mut checker = Checker::default();
    let mut line = 1;
    for text in reader.lines() {
        let read = text.map_err(Reason::from);
        let checked = read.and_then(|text| checker.line(&text));
        checked.map_err(|reason| CertificateError { line, reason })?;
        line += 1;
    }
    let summary = checker.finish();
    summary.map_err(|reason| CertificateError { line, reason })
}

/// Which lines can come next.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    #[default]
    First,
    About,
    Clauses,
    Edges,
    Proof,
    Done,
}

#[derive(Default)]
struct Checker {
    part: Part,
    /// The counts that the problem claims to have.
    claimed: Summary,
    found: Summary,
    clauses: Clauses,
    graph: Graph,
    /// Whether the problem has a clause without literals.
    has_empty: bool,
}

impl Checker {
    fn line(&mut self, text: &str) -> Result<(), Reason> {
        if self.part == Part::First {
            self.part = Part::About;
            let right = text == "fencepost certificate 1";
            return right.then_some(()).ok_or(Reason::NotACertificate);
        }
        let mut line = Line::new(text);
        match (self.part, line.word()?) {
            (Part::About, "about") => {
                let words = text.strip_prefix("about").unwrap_or_default();
                let words = words.strip_prefix(' ').unwrap_or(words);
                self.found.about.push(words.to_owned());
                Ok(())
            }
            (Part::About, "for") => {
                let name = line.word()?.to_owned();
                if self.found.value(&name).is_some() {
                    return Err(Reason::SecondValue(name));
                }
                let value = line.rest().ok_or(Reason::TooShort)?;
                self.found.subject.push((name, value));
                Ok(())
            }
            (Part::About, "problem") => self.problem(line),
            (Part::Clauses, "c") => self.clause(line),
            (Part::Edges, "e") => self.edge(line),
            (Part::Proof, "l") => self.lemma(line),
            (Part::Proof, "d") => self.derived(line),
            (Part::Proof, "x") => self.deleted(line),
            (_, word) => Err(Reason::Unexpected(word.to_owned())),
        }
    }

    fn problem(&mut self, mut line: Line<'_>) -> Result<(), Reason> {
        self.found.variables = line.count()?;
        self.found.nodes = line.count()?;
        self.claimed.clauses = line.count()?;
        self.claimed.edges = line.count()?;
        self.part = Part::Clauses;
        self.advance();
        line.end()
    }

    /// Goes on to the next part when all clauses or edges are there.
    fn advance(&mut self) {
        if self.part == Part::Clauses && self.found.clauses == self.claimed.clauses {
            self.part = Part::Edges;
        }
        if self.part == Part::Edges && self.found.edges == self.claimed.edges {
            self.part = if self.has_empty {
                Part::Done
            } else {
                Part::Proof
            };
        }
    }

    fn clause(&mut self, mut line: Line<'_>) -> Result<(), Reason> {
        let (id, clause) = (line.id()?, line.literals(self.found.variables)?);
        line.end()?;
        self.has_empty |= clause.is_empty();
        self.clauses.add(id, clause)?;
        self.found.clauses += 1;
        self.advance();
        Ok(())
    }

    fn edge(&mut self, mut line: Line<'_>) -> Result<(), Reason> {
        let (from, to) = (line.count()?, line.count()?);
        let when = line.literals(self.found.variables)?;
        line.end()?;
        if let Some(node) = [from, to]
            .into_iter()
            .find(|&node| node >= self.found.nodes)
        {
            return Err(Reason::NoNode(node));
        }
        self.graph.add(Edge { from, to, when });
        self.found.edges = self.graph.len();
        self.advance();
        Ok(())
    }

    fn lemma(&mut self, mut line: Line<'_>) -> Result<(), Reason> {
        let (id, clause) = (line.id()?, line.literals(self.found.variables)?);
        let cycle = line.ids()?;
        line.end()?;
        self.graph.check(&clause, &cycle)?;
        self.found.lemmas += 1;
        self.proved(id, clause)
    }

    fn derived(&mut self, mut line: Line<'_>) -> Result<(), Reason> {
        let (id, clause) = (line.id()?, line.literals(self.found.variables)?);
        let from = line.ids()?;
        line.end()?;
        self.clauses.check(&clause, &from)?;
        self.found.steps += 1;
        self.proved(id, clause)
    }

    fn proved(&mut self, id: u64, clause: Box<[i32]>) -> Result<(), Reason> {
        if clause.is_empty() {
            self.part = Part::Done;
        }
        self.clauses.add(id, clause)
    }

    fn deleted(&mut self, mut line: Line<'_>) -> Result<(), Reason> {
        let ids = line.ids()?;
        line.end()?;
        ids.into_iter().try_for_each(|id| self.clauses.remove(id))
    }

    fn finish(self) -> Result<Summary, Reason> {
        match self.part {
            Part::First => Err(Reason::NotACertificate),
            Part::Done => Ok(self.found),
            _ => Err(Reason::Unfinished),
        }
    }
}
