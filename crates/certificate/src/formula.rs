//! Checks the proof that a problem has no solution.

use crate::clauses::Clauses;
use crate::error::Reason;
use crate::graph::{Edge, Graph};
use crate::line::Line;
use crate::summary::FormulaSize;

/// Which lines can come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Clauses,
    Edges,
    Proof,
    Done,
}

/// A problem and the proof that it has no solution, as far as they were read.
pub struct Formula {
    part: Part,
    /// The counts that the problem claims to have.
    claimed: FormulaSize,
    found: FormulaSize,
    clauses: Clauses,
    graph: Graph,
    /// Whether the problem has a clause without literals.
    has_empty: bool,
}

impl Formula {
    /// Begins with the numbers behind `problem`.
    pub fn new(mut line: Line<'_>) -> Result<Self, Reason> {
        let mut formula = Formula {
            part: Part::Clauses,
            claimed: FormulaSize::default(),
            found: FormulaSize::default(),
            clauses: Clauses::default(),
            graph: Graph::default(),
            has_empty: false,
        };
        formula.found.variables = line.count()?;
        formula.found.nodes = line.count()?;
        formula.claimed.clauses = line.count()?;
        formula.claimed.edges = line.count()?;
        formula.advance();
        line.end()?;
        Ok(formula)
    }

    /// Reads a line that begins with this word.
    pub fn line(&mut self, word: &str, line: Line<'_>) -> Result<(), Reason> {
        match (self.part, word) {
            (Part::Clauses, "c") => self.clause(line),
            (Part::Edges, "e") => self.edge(line),
            (Part::Proof, "l") => self.lemma(line),
            (Part::Proof, "d") => self.derived(line),
            (Part::Proof, "x") => self.deleted(line),
            (_, word) => Err(Reason::Unexpected(word.to_owned())),
        }
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

    /// What is proved, if all of it is there.
    pub fn finish(self) -> Result<FormulaSize, Reason> {
        let done = self.part == Part::Done;
        done.then_some(self.found).ok_or(Reason::Unfinished)
    }
}
