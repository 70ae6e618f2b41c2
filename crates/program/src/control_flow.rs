//! Facts of a function's control flow: an order of its blocks, who leads to whom, dominators and back edges.
//! Engines ask here; what is live is in [`liveness`](crate::LiveRegisters).

use crate::{BlockId, Function};

/// The control flow of a function.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    /// The blocks that control can reach, in reverse postorder: each after all that lead to it, but for back edges.
    pub order: Vec<BlockId>,
    /// Each block's position in that order; the largest number for those that control cannot reach.
    pub rank: Vec<u32>,
    /// The blocks that lead to each block, of those that control can reach.
    pub predecessors: Vec<Vec<BlockId>>,
    /// Edges that close a cycle in a depth-first walk, sorted: source and target.
    pub back_edges: Vec<(BlockId, BlockId)>,
}

impl ControlFlow {
    /// The control flow of a function.
    pub fn of(function: &Function) -> Self {
        let count = function.blocks.len();
        let successors = |block: BlockId| -> Vec<BlockId> {
            let successors = function.blocks[block.index()].terminator.successors();
            successors.collect()
        };
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; count];
        let (mut order, mut back_edges) = (Vec::new(), Vec::new());
        let mut stack = vec![(BlockId(0), successors(BlockId(0)))];
        marks[0] = Mark::Open;
        while let Some((block, rest)) = stack.last_mut() {
            let block = *block;
            match rest.pop() {
                None => {
                    marks[block.index()] = Mark::Done;
                    order.push(block);
                    stack.pop();
                }
                Some(next) => match marks[next.index()] {
                    Mark::New => {
                        marks[next.index()] = Mark::Open;
                        stack.push((next, successors(next)));
                    }
                    Mark::Open => back_edges.push((block, next)),
                    Mark::Done => {}
                },
            }
        }
        order.reverse();
        back_edges.sort_unstable();
        back_edges.dedup();
        let mut rank = vec![u32::MAX; count];
        let mut predecessors = vec![Vec::new(); count];
        for (index, block) in order.iter().enumerate() {
            rank[block.index()] = index as u32;
            for next in successors(*block) {
                predecessors[next.index()].push(*block);
            }
        }
        ControlFlow {
            order,
            rank,
            predecessors,
            back_edges,
        }
    }

    /// Each block's immediate dominator (Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm*, 2001).
    pub fn dominators(&self) -> Vec<BlockId> {
        let start = self.order[0];
        let mut dominators: Vec<Option<BlockId>> = vec![None; self.rank.len()];
        dominators[start.index()] = Some(start);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &self.order[1..] {
                let known = self.predecessors[block.index()].iter().copied();
                let known = known.filter(|other| dominators[other.index()].is_some());
                let found = known.reduce(|mut mine, mut theirs| {
                    while mine != theirs {
                        let lower = if self.rank[mine.index()] > self.rank[theirs.index()] {
                            &mut mine
                        } else {
                            &mut theirs
                        };
                        *lower = dominators[lower.index()].unwrap_or(start);
                    }
                    mine
                });
                if dominators[block.index()] != found {
                    dominators[block.index()] = found;
                    changed = true;
                }
            }
        }
        dominators.into_iter().map(|d| d.unwrap_or(start)).collect()
    }

    /// The blocks from which control comes to the source of a back edge without leaving its target's loop, and the
    /// target.
    pub fn add_loop(&self, (source, header): (BlockId, BlockId), inside: &mut [bool]) {
        inside[header.index()] = true;
        let mut stack = vec![source];
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut inside[block.index()], true) {
                stack.extend(&self.predecessors[block.index()]);
            }
        }
    }
}

impl Function {
    /// True if some path through the blocks never ends.
    pub fn has_loop(&self) -> bool {
        !ControlFlow::of(self).back_edges.is_empty()
    }
}
