//! Which nodes lead to which.
//!
//! The transitive closure of a growing graph, one row of bits per node. An edge that adds
//! nothing costs one look; another costs a row for each node before it. Rows that change are
//! saved, so that edges can be taken back in the reverse order.

use crate::sat::bit_rows::BitRows;

/// The transitive closure of the edges put in so far.
#[derive(Default)]
pub struct Reach {
    rows: BitRows,
    changed: Vec<u32>,
    /// The rows of `changed`, as they were before.
    saved: Vec<u64>,
    reached: Vec<u64>,
}

impl Reach {
    /// Makes room for more nodes. What was put in so far is not taken back any more.
    pub fn grow(&mut self, nodes: usize) {
        self.changed.clear();
        self.saved.clear();
        if nodes > self.rows.size() {
            self.rows.grow(nodes);
        }
    }

    /// Whether there is a path of one or more edges.
    pub fn leads(&self, from: u32, to: u32) -> bool {
        self.rows.has(from, to)
    }

    /// What to give to [`Reach::undo`] to come back to here.
    pub fn mark(&self) -> usize {
        self.changed.len()
    }

    /// Takes back all that was put in since the mark.
    pub fn undo(&mut self, mark: usize) {
        while self.changed.len() > mark {
            let row = self.changed.pop().expect("a change since the mark");
            let start = self.saved.len() - self.rows.words();
            self.rows.row_mut(row).copy_from_slice(&self.saved[start..]);
            self.saved.truncate(start);
        }
    }

    /// Puts in an edge that closes no cycle. Tells each pair (v, u) of `closers` (as row u, bit v)
    /// where u now leads to v and did not before: an edge from v to u would close a cycle.
    pub fn join(&mut self, from: u32, to: u32, closers: &BitRows, found: &mut Vec<(u32, u32)>) {
        self.reached.clear();
        self.reached.extend_from_slice(self.rows.row(to));
        self.reached[to as usize / 64] |= 1 << (to % 64);
        for node in 0..self.rows.size() as u32 {
            let before = node == from || self.rows.has(node, from);
            if !before || self.rows.has(node, to) {
                continue;
            }
            self.changed.push(node);
            self.saved.extend_from_slice(self.rows.row(node));
            let row = self.rows.row_mut(node).iter_mut();
            let words = row.zip(&self.reached).zip(closers.row(node));
            for (index, ((word, &reached), &closers)) in words.enumerate() {
                let mut closing = reached & !*word & closers;
                *word |= reached;
                while closing != 0 {
                    found.push((index as u32 * 64 + closing.trailing_zeros(), node));
                    closing &= closing - 1;
                }
            }
        }
    }
}
