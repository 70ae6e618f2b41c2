//! Loops of a function, as far as threads may wait in them.
//!
//! A loop is found by its back edges: edges to a block that dominates their source.
//! (Other cycles, which only `goto` makes, are loops as well: their back edge is the one
//! that closes the cycle in a depth-first walk.) For each loop the registers that
//! an iteration hands on to the next are found; if an iteration leaves them, and memory, as they were,
//! the next iteration will do the same, so a thread may wait until something that it read
//! changes. Loops that count can never be in that case and are not candidates.

use memory::Effects;
use program::{
    Binary, BlockId, Callee, ControlFlow, Expression, Function, InstructionKind, LiveAtStarts,
    Operand, RegisterId, RegisterSet,
};
use std::collections::HashMap;

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where every iteration starts.
    pub header: BlockId,
    /// Registers that an iteration may write and the next may read.
    pub carried: Vec<RegisterId>,
    /// An iteration may change nothing, so that the thread may wait.
    pub may_wait: bool,
    /// A weak compare-and-exchange is in the loop, or in a function that it calls.
    pub has_weak_exchange: bool,
    /// Blocks in the loop.
    pub blocks: Vec<bool>,
}

/// The loops of a function.
pub fn loops(function: &Function, live: &LiveAtStarts, weak: &[bool]) -> Vec<Loop> {
    let flow = ControlFlow::of(function);
    let mut loops: Vec<Loop> = Vec::new();
    for edge in &flow.back_edges {
        let header = edge.1;
        let known = loops.iter().position(|known| known.header == header);
        let at = known.unwrap_or_else(|| {
            loops.push(Loop {
                header,
                carried: Vec::new(),
                may_wait: false,
                has_weak_exchange: false,
                blocks: vec![false; function.blocks.len()],
            });
            loops.len() - 1
        });
        flow.add_loop(*edge, &mut loops[at].blocks);
    }
    for found in &mut loops {
        describe(function, found, live, weak);
    }
    loops
}

fn describe(function: &Function, found: &mut Loop, live: &LiveAtStarts, weak: &[bool]) {
    let live = live.at_start(found.header);
    let mut written = RegisterSet::new(function.registers.len());
    let mut reads = false;
    let mut empty = true;
    let inside = function.blocks.iter().zip(&found.blocks);
    for (block, _) in inside.filter(|(_, inside)| **inside) {
        for instruction in &block.instructions {
            empty = false;
            found.has_weak_exchange |= is_weak(&instruction.kind, weak);
            for target in instruction.kind.targets() {
                written.insert(target);
            }
            reads |= match &instruction.kind {
                InstructionKind::Call { callee, .. } => !matches!(callee, Callee::Routine(_)),
                kind => Effects::of(kind).access.is_some_and(|access| access.load),
            };
        }
    }
    found.carried = (0..function.registers.len())
        .map(RegisterId::from)
        .filter(|register| live.contains(*register) && written.contains(*register))
        .collect();
    found.may_wait = (reads || empty) && !counts(function, found);
}

/// For each function, whether it or a function that it calls has a weak compare-and-exchange.
pub fn functions_with_weak_exchanges(functions: &[Function]) -> Vec<bool> {
    let mut weak = vec![false; functions.len()];
    let mut grows = true;
    while std::mem::take(&mut grows) {
        for (index, function) in functions.iter().enumerate() {
            let mut instructions = function.blocks.iter().flat_map(|block| &block.instructions);
            if !weak[index] && instructions.any(|instruction| is_weak(&instruction.kind, &weak)) {
                weak[index] = true;
                grows = true;
            }
        }
    }
    weak
}

/// True for a weak compare-and-exchange, and for a call of a function that is known to have one.
fn is_weak(kind: &InstructionKind, weak: &[bool]) -> bool {
    match kind {
        InstructionKind::CompareExchange { weak, .. } => *weak,
        InstructionKind::Call {
            callee: Callee::Function(function),
            ..
        } => weak[function.index()],
        _ => false,
    }
}

/// True if the last block of every iteration adds a constant to a register that the next iteration
/// reads.
fn counts(function: &Function, found: &Loop) -> bool {
    let mut latches = function
        .blocks
        .iter()
        .zip(&found.blocks)
        .filter(|(block, inside)| {
            **inside
                && block
                    .terminator
                    .successors()
                    .any(|next| next == found.header)
        });
    let (Some((latch, _)), None) = (latches.next(), latches.next()) else {
        return false;
    };
    // What a register is in terms of one at the block's start.
    let mut sums: HashMap<RegisterId, (RegisterId, u64)> = HashMap::new();
    for instruction in &latch.instructions {
        let InstructionKind::Assign { target, value } = &instruction.kind else {
            continue;
        };
        let (from, by) = match *value {
            Expression::Copy(Operand::Register(from)) => (from, 0),
            Expression::Binary(Binary::Add, _, Operand::Register(from), Operand::Constant(by)) => {
                (from, by)
            }
            Expression::Binary(Binary::Sub, _, Operand::Register(from), Operand::Constant(by)) => {
                (from, by.wrapping_neg())
            }
            _ => continue,
        };
        let (from, before) = sums.get(&from).copied().unwrap_or((from, 0));
        sums.insert(*target, (from, before.wrapping_add(by)));
    }
    let mut carried = found.carried.iter();
    carried.any(
        |register| matches!(sums.get(register), Some((from, by)) if from == register && *by != 0),
    )
}
