//! The order as clauses.
//!
//! A variable for each pair of nodes says which comes first; clauses for each three nodes say
//! that this is transitive. An edge implies its pair. Slow and plain: a second way to the same
//! answers.

use super::edge::Edge;
use super::lit::Lit;

/// The order as clauses.
#[derive(Default)]
pub struct Transitivity {
    edges: Vec<Edge>,
    /// For each node, whether each earlier one comes before it.
    before: Vec<Vec<Lit>>,
}

impl Transitivity {
    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        self.before.len() as u32
    }

    /// All edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Adds a node, given new variables, and gives its clauses.
    pub fn node(&mut self, variable: impl FnMut() -> Lit) -> (u32, Vec<[Lit; 3]>) {
        let before: Vec<Lit> = std::iter::repeat_with(variable)
            .take(self.before.len())
            .collect();
        let mut clauses = Vec::new();
        for (middle, &middle_last) in before.iter().enumerate() {
            for (first, &first_last) in before[..middle].iter().enumerate() {
                let first_middle = self.before[middle][first];
                clauses.push([!first_middle, !middle_last, first_last]);
                clauses.push([first_middle, middle_last, !first_last]);
            }
        }
        self.before.push(before);
        (self.nodes() - 1, clauses)
    }

    /// Adds an edge and gives its clause.
    pub fn edge(&mut self, edge: Edge) -> Vec<Lit> {
        let mut clause: Vec<Lit> = edge.when().map(|lit| !lit).collect();
        let (from, to) = (edge.from as usize, edge.to as usize);
        match from.cmp(&to) {
            std::cmp::Ordering::Less => clause.push(self.before[to][from]),
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => clause.push(!self.before[from][to]),
        }
        self.edges.push(edge);
        clause
    }
}
