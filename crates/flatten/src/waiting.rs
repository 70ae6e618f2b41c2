//! Loops that only wait.
//!
//! An iteration of a loop that reads, computes and leaves nothing behind (no store, no register
//! that a later iteration reads) may be left out of an execution: the rest is an execution
//! still, since every ordering that went through the iteration goes through the last one
//! as well. So the iterations before the last do not count, and the way back gives the execution
//! up. That way a loop that waits needs no bound on its iterations.

use super::paths::{predecessors, reachable};
use program::{
    Block, BlockId, FunctionId, Instruction, InstructionKind as Kind, Operand, Program, Terminator,
};

/// Cuts the way back of every loop that only waits.
pub(super) fn cut(flat: &mut Program) {
    for function in (0..flat.functions.len()).map(FunctionId::from) {
        let live = flat.live_registers(function);
        let code = &mut flat.functions[function.index()];
        let blocks = &code.blocks;
        let before = predecessors(blocks);
        let only_read: Vec<bool> = blocks.iter().map(only_reads).collect();
        let heads = (0..blocks.len()).map(BlockId::from);
        // Control comes to the head of a loop in two ways, of which one may be the start of the thread.
        let heads = heads.filter(|head| {
            let ways = before[head.index()].len() + usize::from(head.index() == 0);
            only_read[head.index()] && ways > 1
        });
        let heads: Vec<(BlockId, Vec<BlockId>)> = heads
            .filter_map(|head| {
                let iteration = iteration(blocks, &before, &only_read, head)?;
                let written = iteration
                    .iter()
                    .flat_map(|block| &blocks[block.index()].instructions);
                let carried = written
                    .flat_map(|instruction| instruction.kind.targets())
                    .any(|register| live.before(head.index(), 0).contains(register));
                (!carried).then_some((head, iteration))
            })
            .collect();
        for (head, iteration) in heads {
            give_up(&mut code.blocks, head, &iteration);
        }
    }
}

/// The blocks of an iteration of the loop that starts at a block; none if there is no such loop, or an iteration does more than read.
fn iteration(
    blocks: &[Block],
    before: &[Vec<BlockId>],
    only_read: &[bool],
    head: BlockId,
) -> Option<Vec<BlockId>> {
    let inside = reachable(
        blocks,
        blocks[head.index()].terminator.successors(),
        Some(head),
    );
    let mut returns = vec![false; blocks.len()];
    returns[head.index()] = true;
    let mut iteration = vec![head];
    let mut next = 0;
    while let Some(block) = iteration.get(next) {
        next += 1;
        if !only_read[block.index()] {
            return None;
        }
        for block in &before[block.index()] {
            if inside[block.index()] && !returns[block.index()] {
                returns[block.index()] = true;
                iteration.push(*block);
            }
        }
    }
    let mut back = before[head.index()].iter();
    if !back.any(|block| returns[block.index()]) {
        return None;
    }
    let otherwise = reachable(blocks, [BlockId(0)], Some(head));
    let entered = iteration.iter().any(|block| otherwise[block.index()]);
    (!entered).then_some(iteration)
}

fn only_reads(block: &Block) -> bool {
    let mut kinds = block
        .instructions
        .iter()
        .map(|instruction| &instruction.kind);
    kinds.all(|kind| {
        matches!(
            kind,
            Kind::Assign { .. } | Kind::Load { .. } | Kind::Fence(_)
        )
    })
}

/// Leads the ways from an iteration back to its head to a block that gives the execution up.
fn give_up(blocks: &mut Vec<Block>, head: BlockId, iteration: &[BlockId]) {
    let end = BlockId::from(blocks.len());
    let span = blocks[head.index()].terminator_span;
    let condition = Operand::Constant(0);
    blocks.push(Block {
        label: format!("again {}", end.0),
        instructions: vec![Instruction {
            kind: Kind::Assume { condition },
            span,
        }],
        terminator: Terminator::Return(Vec::new()),
        terminator_span: span,
    });
    for block in iteration {
        let lead = |target: &mut BlockId| {
            if *target == head {
                *target = end;
            }
        };
        match &mut blocks[block.index()].terminator {
            Terminator::Jump(target) => lead(target),
            Terminator::Branch {
                then, otherwise, ..
            } => {
                lead(then);
                lead(otherwise);
            }
            Terminator::Switch { .. } | Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }
}
