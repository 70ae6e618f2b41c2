//! Nodes and edges of the order.

use super::lit::Lit;

/// A node of the order. Nodes are numbered in the order in which they are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Node(pub(super) u32);

impl Node {
    /// The number of the node: its index in [`Solver::order`](super::Solver::order).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Says that one node comes before another whenever some literals are true.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// invariant: none is false, none twice unless it is true, no two of one variable.
    when: [Lit; 2],
}

impl Edge {
    /// The edge, unless it never holds.
    pub fn new(from: Node, to: Node, when: &[Lit]) -> Option<Edge> {
        let mut open: Vec<Lit> = when.to_vec();
        open.retain(|&lit| lit != Lit::TRUE);
        open.sort();
        open.dedup();
        assert!(open.len() <= 2, "an edge depends on at most two literals");
        let never = open.contains(&Lit::FALSE) || (open.len() == 2 && open[0] == !open[1]);
        let when = |at: usize| open.get(at).copied().unwrap_or(Lit::TRUE);
        (!never).then(|| Edge {
            from: from.0,
            to: to.0,
            when: [when(0), when(1)],
        })
    }

    /// The literals that make the edge hold when all of them are true.
    pub fn when(&self) -> impl Iterator<Item = Lit> + use<> {
        self.when.into_iter().filter(|&lit| lit != Lit::TRUE)
    }

    /// On how many literals the edge depends.
    pub fn weight(&self) -> usize {
        self.when().count()
    }
}

/// The clause that says that not all of some edges hold.
pub fn refusal<'a>(edges: impl Iterator<Item = &'a Edge>) -> Vec<Lit> {
    let mut clause: Vec<Lit> = edges.flat_map(|edge| edge.when().map(|lit| !lit)).collect();
    clause.sort();
    clause.dedup();
    clause
}
