//! The size of a problem and the work done on it.

/// The size of a problem and the work done on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Variables, with those that stand for the order under `OrderBy::Clauses`.
    pub variables: u64,
    /// Clauses, with those that stand for the order under `OrderBy::Clauses`.
    pub clauses: u64,
    /// Nodes of the order.
    pub nodes: u64,
    /// Edges of the order that can hold.
    pub edges: u64,
    /// Conflicts met by the search.
    pub conflicts: u64,
    /// Cycles that were turned into clauses.
    pub lemmas: u64,
}
