//! Keeps the order acyclic while CaDiCaL searches.
//!
//! CaDiCaL tells which literals become true (IPASIR-UP, Fazekas et al., SAT 2023). The theory
//! keeps the transitive closure of the edges that hold. An edge against the closure is a
//! conflict; an open literal whose edge would be against it is made false.
//!
//! Invariants: `trail[..head]` are the literals whose edges are in `reach` and `paths`, and the
//! ones that `values` knows. Literals of level zero and edges without literals are never taken
//! back. `queue` is sorted by the number of edges that its entries rest on.
//!
//! What it does not rely on: that every cycle is seen at once. `cb_check_found_model` looks at
//! the whole graph again before a model is accepted.

mod paths;
mod propagator;
mod reach;

use super::bit_rows::BitRows;
use super::edge::{Edge, refusal};
use super::lit::Lit;
use super::recorder::Recorder;
use paths::Paths;
use reach::Reach;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// A literal that is true, and what there was before its edges came in.
struct Assigned {
    lit: Lit,
    /// Whether it was not known before: CaDiCaL can tell literals of level zero twice.
    new: bool,
    reach: usize,
    paths: u32,
}

/// Why an open literal is made false: its edge would close a cycle with the first `paths` edges.
#[derive(Clone, Copy, Default)]
struct Reason {
    edge: u32,
    paths: u32,
}

/// The edges of the order, and which of them hold.
#[derive(Default)]
pub struct Theory {
    nodes: u32,
    edges: Vec<Edge>,
    /// How many of `edges` the structures below know.
    known: usize,
    /// The edges that depend on a literal.
    depending: Vec<Vec<u32>>,
    /// The edges from a node to another.
    between: FxHashMap<(u32, u32), Vec<u32>>,
    /// Row u has bit v when there are edges from v to u that depend on literals.
    closers: BitRows,
    values: Vec<Option<bool>>,
    reach: Reach,
    paths: Paths,
    trail: Vec<Assigned>,
    head: usize,
    /// Where on the trail each level begins.
    levels: Vec<usize>,
    queue: VecDeque<(Lit, Reason)>,
    reasons: Vec<Reason>,
    /// The edges of a cycle that holds.
    conflict: Option<Vec<u32>>,
    /// Literals of the clause that CaDiCaL is reading, last first.
    outgoing: Vec<Lit>,
    /// Whether CaDiCaL is in the middle of a clause.
    reading: bool,
    found: Vec<(u32, u32)>,
    lemmas: u64,
    propagates: bool,
    recorder: Option<Rc<RefCell<Recorder>>>,
}

/// The index of a literal in `depending`.
fn slot(lit: Lit) -> usize {
    lit.variable() as usize * 2 + usize::from(!lit.is_positive())
}

impl Theory {
    /// An empty order. If it `propagates`, it sets literals and does not just find conflicts.
    pub fn new(propagates: bool, recorder: Option<Rc<RefCell<Recorder>>>) -> Theory {
        Theory {
            propagates,
            recorder,
            ..Theory::default()
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// All edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// How many cycles became clauses.
    pub fn lemmas(&self) -> u64 {
        self.lemmas
    }

    /// Adds a node.
    pub fn node(&mut self) -> u32 {
        self.nodes += 1;
        self.nodes - 1
    }

    /// Adds an edge, to be looked at when the search is next at level zero.
    pub fn edge(&mut self, edge: Edge) {
        for lit in edge.when() {
            let variable = lit.variable() as usize;
            if self.values.len() <= variable {
                self.values.resize(variable + 1, None);
                self.reasons.resize(variable + 1, Reason::default());
                self.depending.resize_with(variable * 2 + 2, Vec::new);
            }
        }
        self.edges.push(edge);
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.variable() as usize].map(|value| value == lit.is_positive())
    }

    /// Takes in the new edges. Does nothing in the middle of a search.
    fn learn_edges(&mut self) {
        if self.known == self.edges.len() || !self.levels.is_empty() || self.conflict.is_some() {
            return;
        }
        self.reach.grow(self.nodes as usize);
        self.paths.grow(self.nodes as usize);
        self.closers.grow(self.nodes as usize);
        while self.known < self.edges.len() && self.conflict.is_none() {
            let id = self.known as u32;
            self.known += 1;
            let Edge { from, to, .. } = self.edges[id as usize];
            for lit in self.edges[id as usize].when() {
                self.depending[slot(lit)].push(id);
                self.closers.set(to, from);
            }
            self.between.entry((from, to)).or_default().push(id);
            self.consider(id);
        }
    }

    /// Takes in the literals that became true.
    fn catch_up(&mut self) {
        self.learn_edges();
        while self.head < self.trail.len() && self.conflict.is_none() {
            let (reach, paths) = (self.reach.mark(), self.paths.len());
            let assigned = &mut self.trail[self.head];
            (assigned.reach, assigned.paths) = (reach, paths);
            let lit = assigned.lit;
            self.head += 1;
            if self.values[lit.variable() as usize].is_some() {
                continue;
            }
            assigned.new = true;
            self.values[lit.variable() as usize] = Some(lit.is_positive());
            for at in 0..self.depending[slot(lit)].len() {
                self.consider(self.depending[slot(lit)][at]);
                if self.conflict.is_some() {
                    break;
                }
            }
        }
    }

    /// Puts in an edge if it holds; makes its last open literal false if it must not.
    fn consider(&mut self, id: u32) {
        let edge = &self.edges[id as usize];
        let mut open = None;
        for lit in edge.when() {
            match self.value(lit) {
                Some(true) => {}
                Some(false) => return,
                None if open.is_some() => return,
                None => open = Some(lit),
            }
        }
        let closes = edge.from == edge.to || self.reach.leads(edge.to, edge.from);
        match open {
            Some(lit) if closes && self.propagates => {
                let paths = self.paths.len();
                self.queue.push_back((!lit, Reason { edge: id, paths }));
            }
            Some(_) => {}
            None if closes => self.conflict = Some(self.cycle(id, self.paths.len())),
            None => self.insert(id),
        }
    }

    /// Puts in an edge that holds and closes no cycle.
    fn insert(&mut self, id: u32) {
        let edge = &self.edges[id as usize];
        let (from, to) = (edge.from, edge.to);
        let settled = self.levels.is_empty();
        let adds = !self.reach.leads(from, to);
        if adds || !settled {
            let weight = if settled { 0 } else { edge.weight() };
            self.paths.push(id, edge, weight);
        }
        if adds {
            let mut found = std::mem::take(&mut self.found);
            self.reach.join(from, to, &self.closers, &mut found);
            if self.propagates {
                found.iter().for_each(|pair| self.refuse(pair));
            }
            found.clear();
            self.found = found;
        }
    }

    /// Makes the last open literals of edges that would close a cycle false.
    fn refuse(&mut self, pair: &(u32, u32)) {
        for &id in &self.between[pair] {
            let mut open = self.edges[id as usize]
                .when()
                .filter(|&lit| self.value(lit) != Some(true));
            if let (Some(lit), None) = (open.next(), open.next())
                && self.value(lit).is_none()
            {
                let paths = self.paths.len();
                self.queue.push_back((!lit, Reason { edge: id, paths }));
            }
        }
    }

    /// The cycle that an edge closes with some of the first `paths` edges.
    fn cycle(&mut self, id: u32, paths: u32) -> Vec<u32> {
        let Edge { from, to, .. } = self.edges[id as usize];
        let mut cycle = self.paths.cheapest(to, from, paths, &self.reach);
        cycle.push(id);
        cycle
    }

    /// Gets the clause against a cycle ready to be read.
    fn send(&mut self, cycle: Vec<u32>) {
        self.outgoing = refusal(cycle.iter().map(|&id| &self.edges[id as usize]));
        self.reading = true;
        self.lemmas += 1;
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().lemma(&self.outgoing, cycle);
        }
    }

    /// The next literal of the clause, or zero at its end.
    fn next_outgoing(&mut self) -> i32 {
        let lit = self.outgoing.pop();
        self.reading = lit.is_some();
        lit.map_or(0, Lit::number)
    }

    /// Whether all is still true that makes a literal of an edge false.
    fn is_due(&self, lit: Lit, reason: Reason) -> bool {
        let mut others = self.edges[reason.edge as usize]
            .when()
            .filter(|&other| other != !lit);
        self.value(lit).is_none() && others.all(|other| self.value(other) == Some(true))
    }

    /// Forgets what became true above a level.
    fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.levels.get(level) else {
            return;
        };
        self.levels.truncate(level);
        if self.head > start {
            for assigned in self.trail[start..self.head]
                .iter()
                .filter(|assigned| assigned.new)
            {
                self.values[assigned.lit.variable() as usize] = None;
            }
            self.reach.undo(self.trail[start].reach);
            self.paths.truncate(self.trail[start].paths);
            self.head = start;
        }
        self.trail.truncate(start);
        let paths = self.paths.len();
        let kept = self
            .queue
            .partition_point(|(_, reason)| reason.paths <= paths);
        self.queue.truncate(kept);
        self.conflict = None;
    }
}
