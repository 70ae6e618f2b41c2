//! Where control can go among blocks.

use program::{Block, BlockId, Terminator};

/// The blocks that control can reach from some, without going through `barred`.
pub(super) fn reachable(
    blocks: &[Block],
    from: impl IntoIterator<Item = BlockId>,
    barred: Option<BlockId>,
) -> Vec<bool> {
    let mut reached = vec![false; blocks.len()];
    let mut stack: Vec<BlockId> = from.into_iter().collect();
    while let Some(block) = stack.pop() {
        if Some(block) != barred && !std::mem::replace(&mut reached[block.index()], true) {
            stack.extend(blocks[block.index()].terminator.successors());
        }
    }
    reached
}

/// For each block, those from which control goes to it.
pub(super) fn predecessors(blocks: &[Block]) -> Vec<Vec<BlockId>> {
    let mut before = vec![Vec::new(); blocks.len()];
    for (index, block) in blocks.iter().enumerate() {
        for next in block.terminator.successors() {
            before[next.index()].push(BlockId::from(index));
        }
    }
    before
}

/// Whether control can come to a block again.
pub(super) fn comes_back(blocks: &[Block], block: BlockId) -> bool {
    let next = blocks[block.index()].terminator.successors();
    reachable(blocks, next, None)[block.index()]
}

/// Whether every way to the end, but for failed assertions, goes through a block.
pub(super) fn is_on_every_path(blocks: &[Block], block: BlockId) -> bool {
    let around = reachable(blocks, [BlockId(0)], Some(block));
    let mut others = blocks.iter().zip(around).filter(|(_, around)| *around);
    !others.any(|(block, _)| matches!(block.terminator, Terminator::Return(_)) && !fails(block))
}

/// Whether a block ends in an assertion that fails.
fn fails(block: &Block) -> bool {
    use program::{InstructionKind as Kind, Operand};
    let last = block
        .instructions
        .last()
        .map(|instruction| &instruction.kind);
    matches!(
        last,
        Some(Kind::Assert {
            condition: Operand::Constant(0)
        })
    )
}
