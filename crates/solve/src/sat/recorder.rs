//! Writes down the proof that there is no model.
//!
//! The format stands at the head of the crate `certificate`. CaDiCaL reports each clause that it
//! is given or derives; those that it is given during the search are lemmas of the theory, and
//! the theory has said just before which cycle each of them refuses.

use super::edge::Edge;
use super::lit::Lit;
use cadical_sys::ProofTracer;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes a certificate.
pub struct Recorder {
    sink: Box<dyn Write>,
    subject: Vec<(String, String)>,
    about: Vec<String>,
    /// The lines of the problem's clauses.
    clauses: Vec<String>,
    /// Steps that CaDiCaL takes while it is given the problem.
    early: String,
    begun: bool,
    /// Whether the empty clause is there: nothing needs to follow.
    ended: bool,
    /// The cycles behind lemmas that CaDiCaL is about to report.
    cycles: FxHashMap<Vec<i32>, Vec<u32>>,
    failure: Option<io::Error>,
}

impl Recorder {
    /// A certificate that begins with what it proves, for programs and in words.
    pub fn new(subject: &[(String, String)], about: &[String], sink: Box<dyn Write>) -> Recorder {
        Recorder {
            sink,
            subject: subject.to_vec(),
            about: about.to_vec(),
            clauses: Vec::new(),
            early: String::new(),
            begun: false,
            ended: false,
            cycles: FxHashMap::default(),
            failure: None,
        }
    }

    /// Whether the problem was written and cannot change any more.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Writes the problem.
    pub fn begin(&mut self, variables: u32, nodes: u32, edges: &[Edge]) {
        self.begun = true;
        let mut head = "fencepost certificate 1\n".to_owned();
        for (name, value) in &self.subject {
            head += &format!("for {name} {value}\n");
        }
        for line in self.about.iter().flat_map(|about| about.lines()) {
            head += &format!("about {line}\n");
        }
        let clauses = std::mem::take(&mut self.clauses);
        head += &format!(
            "problem {variables} {nodes} {} {}\n",
            clauses.len(),
            edges.len()
        );
        self.write(&head);
        clauses.iter().for_each(|line| self.write(line));
        for edge in edges {
            let mut line = format!("e {} {}", edge.from, edge.to);
            let when: Vec<i32> = edge.when().map(Lit::number).collect();
            list(&mut line, &when);
            self.write(&(line + "\n"));
        }
        let early = std::mem::take(&mut self.early);
        self.write(&early);
    }

    /// Remembers the cycle behind a clause that CaDiCaL will be given.
    pub fn lemma(&mut self, clause: &[Lit], cycle: Vec<u32>) {
        let numbers = clause.iter().map(|lit| lit.number()).collect();
        self.cycles.insert(sorted(numbers), cycle);
    }

    /// Whether all could be written so far.
    pub fn finish(&mut self) -> io::Result<()> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.sink.flush(),
        }
    }

    fn write(&mut self, text: &str) {
        if self.failure.is_none() {
            self.failure = self.sink.write_all(text.as_bytes()).err();
        }
    }

    /// Writes a line of the proof, or keeps it until the problem is written.
    fn proof(&mut self, line: &str) {
        match (self.ended, self.begun) {
            (true, _) => {}
            (false, true) => self.write(line),
            (false, false) => self.early += line,
        }
    }

    /// Writes a clause with what it follows from.
    fn step(&mut self, kind: char, id: i64, clause: &[i32], from: &[impl std::fmt::Display]) {
        let mut line = format!("{kind} {id}");
        list(&mut line, clause);
        list(&mut line, from);
        self.proof(&(line + "\n"));
        self.ended |= clause.is_empty();
    }
}

/// Adds numbers and a zero to a line.
fn list(line: &mut String, numbers: &[impl std::fmt::Display]) {
    for number in numbers {
        let _ = write!(line, " {number}");
    }
    line.push_str(" 0");
}

fn sorted(mut clause: Vec<i32>) -> Vec<i32> {
    clause.sort_unstable();
    clause
}

impl ProofTracer for Recorder {
    fn add_original_clause(&mut self, id: i64, _: bool, clause: &[i32], _: bool) {
        if !self.begun {
            let mut line = format!("c {id}");
            list(&mut line, clause);
            self.clauses.push(line + "\n");
            if clause.is_empty() {
                self.early.clear();
                self.ended = true;
            }
            return;
        }
        let cycle = self
            .cycles
            .remove(&sorted(clause.to_vec()))
            .unwrap_or_default();
        let edges: Vec<u32> = cycle.iter().map(|edge| edge + 1).collect();
        self.step('l', id, clause, &edges);
    }

    fn add_derived_clause(&mut self, id: i64, _: bool, _: i32, clause: &[i32], from: &[i64]) {
        self.step('d', id, clause, from);
    }

    fn delete_clause(&mut self, id: i64, _: bool, _: &[i32]) {
        self.proof(&format!("x {id} 0\n"));
    }

    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _: i64, _: &[i32], _: &[i64]) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}
