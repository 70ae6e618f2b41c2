//! Where control is within a function: blocks, in iterations of loops.

use super::values::Value;
use crate::guard::Guard;
use crate::term::Terms;
use program::BlockId;

/// A block in iterations of the loops around it.
///
/// Ordered so that whatever leads to a point comes before it: a loop stands where its header
/// does, its iterations one after the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ControlPoint {
    /// For each loop around it the header's rank and the iteration; then the block's own rank.
    steps: Vec<(u32, u32)>,
}

impl ControlPoint {
    pub fn new(rank: u32, loops: impl Iterator<Item = u32>) -> Self {
        let around = loops.map(|header| (header, 0));
        ControlPoint {
            steps: around.chain([(rank, 0)]).collect(),
        }
    }

    /// The point of a block that control goes to from here. A loop that both are in goes on in
    /// the same iteration, or in the next one if its header is where control goes to.
    pub fn next(&self, rank: u32, loops: impl Iterator<Item = u32>) -> ControlPoint {
        let mut steps = Vec::with_capacity(self.steps.len() + 1);
        let mut common = true;
        let back = rank <= self.steps[self.steps.len() - 1].0;
        for (depth, header) in loops.enumerate() {
            let mine = self.steps[..self.steps.len() - 1].get(depth);
            let iteration = match mine {
                Some(&(rank, iteration)) if common && rank == header => iteration,
                _ => {
                    common = false;
                    0
                }
            };
            let again = common && back && header == rank;
            steps.push((header, iteration + u32::from(again)));
        }
        steps.push((rank, 0));
        ControlPoint { steps }
    }

    /// The point of the iteration before, for a point at the start of an iteration.
    pub fn iteration_before(&self) -> ControlPoint {
        let mut steps = self.steps.clone();
        let inner = steps.len() - 2;
        steps[inner].1 -= 1;
        ControlPoint { steps }
    }

    /// The iteration of the innermost loop.
    pub fn iteration(&self) -> u32 {
        match self.steps.len() {
            0 | 1 => 0,
            length => self.steps[length - 2].1,
        }
    }

    /// As numbers, without the iteration of the innermost loop: what names the loop.
    pub fn loop_numbers(&self) -> impl Iterator<Item = u32> + '_ {
        let inner = self.steps.len().saturating_sub(2);
        let steps = self.steps[..inner].iter().flat_map(|&(a, b)| [a, b]);
        steps.chain(self.steps.get(inner).map(|step| step.0))
    }

    /// As numbers.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.steps.iter().flat_map(|&(a, b)| [a, b])
    }
}

/// An atomic section that control is in: its step, and how many are nested.
pub type Section = Option<(u32, u32)>;

/// Control somewhere: when, and with what in the registers.
#[derive(Clone, Debug)]
pub struct Flow {
    pub block: BlockId,
    pub guard: Guard,
    pub registers: Vec<Value>,
    pub section: Section,
}

impl Flow {
    /// Joins control that comes here another way.
    pub fn join(&mut self, other: Flow, terms: &mut Terms) {
        let either = terms.guards.or(self.guard, other.guard);
        let mine = terms.guards.simplify(self.guard, either);
        for (value, theirs) in self.registers.iter_mut().zip(&other.registers) {
            value.join(theirs, mine, self.guard, other.guard, terms);
        }
        self.guard = either;
    }
}
