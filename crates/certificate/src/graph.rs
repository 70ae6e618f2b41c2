//! The edges of the problem.

use crate::error::Reason;

/// An edge, which holds when all of some literals are true.
pub struct Edge {
    pub from: u64,
    pub to: u64,
    pub when: Box<[i32]>,
}

/// The edges of the problem.
#[derive(Default)]
pub struct Graph {
    edges: Vec<Edge>,
}

impl Graph {
    /// Adds an edge.
    pub fn add(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// The number of edges.
    pub fn len(&self) -> u64 {
        self.edges.len() as u64
    }

    fn edge(&self, number: u64) -> Result<&Edge, Reason> {
        let index = usize::try_from(number)
            .ok()
            .and_then(|number| number.checked_sub(1));
        let edge = index.and_then(|index| self.edges.get(index));
        edge.ok_or(Reason::NoEdge(number))
    }

    /// Checks that the edges make a cycle, and that a sorted clause says that not all of them hold.
    pub fn check(&self, clause: &[i32], cycle: &[u64]) -> Result<(), Reason> {
        let last = *cycle.last().ok_or(Reason::EmptyCycle)?;
        let mut reached = self.edge(last)?.to;
        for &number in cycle {
            let edge = self.edge(number)?;
            if edge.from != reached {
                return Err(Reason::NoCycle(number));
            }
            reached = edge.to;
            for literal in edge.when.iter().map(|literal| -literal) {
                if clause.binary_search(&literal).is_err() {
                    let edge = number;
                    return Err(Reason::MissingLiteral { literal, edge });
                }
            }
        }
        Ok(())
    }
}
