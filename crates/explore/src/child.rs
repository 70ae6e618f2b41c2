//! Subtrees that are still to be explored.

use crate::step::Step;
use crate::trace::{EventId, Touch};
use std::sync::Arc;

/// A subtree that has not been explored.
#[derive(Clone, Debug)]
pub struct Child {
    /// The steps that have to happen first.
    pub segment: Vec<Step>,
    /// Then the event that the scheduler wanted at the node.
    pub primary: Step,
    /// The other choices of the last step of the segment are for this child to find.
    pub opens_segment: bool,
    /// The other choices of the primary are for this child to find.
    pub opens_primary: bool,
    /// What the primary and the last step of the segment use in the opposite order, if the latter
    /// may use more in the segment.
    pub known: Option<Arc<Known>>,
    /// The number of steps before the last that are there for the sake of what else it uses.
    pub extra: usize,
}

/// What two events in conflict use.
#[derive(Clone, Debug)]
pub struct Known {
    /// The memory that the first uses.
    pub first: Vec<Touch>,
    /// And the second.
    pub second: Vec<Touch>,
}

/// The children of the nodes of the execution that were not explored yet, by node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending(Vec<Vec<Child>>);

impl Pending {
    /// Notes a child of a node, to be explored later.
    pub fn push(&mut self, node: EventId, child: Child) {
        if self.0.len() <= node {
            self.0.resize_with(node + 1, Vec::new);
        }
        self.0[node].push(child);
    }

    /// The next child to explore, and its node: the deepest.
    pub fn pop(&mut self) -> Option<(EventId, Child)> {
        while let Some(last) = self.0.last_mut() {
            if let Some(child) = last.pop() {
                return Some((self.0.len() - 1, child));
            }
            self.0.pop();
        }
        None
    }

    /// All of them, with their nodes; the last is next.
    pub fn take(&mut self) -> Vec<(EventId, Child)> {
        let nodes = std::mem::take(&mut self.0).into_iter().enumerate();
        nodes
            .flat_map(|(node, children)| children.into_iter().map(move |child| (node, child)))
            .collect()
    }
}
