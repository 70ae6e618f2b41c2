//! Loops of a function, and which registers are live where.
//!
//! A loop is found by its back edges: edges to a block that dominates their source.
//! (Other cycles, which only `goto` makes, are loops as well: their back edge is the one
//! that closes the cycle in a depth-first walk.) For each loop the registers that
//! a turn hands on to the next are found; if a turn leaves them, and memory, as they were,
//! the next turn will do the same, so a thread may wait until something that it read
//! changes. Loops that count can never be in that case and are not candidates.

use memory::Effects;
use program::{
    Binary, BlockId, Callee, Expression, Function, InstructionKind, Operand, RegisterId,
};
use std::collections::HashMap;

/// A set of registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registers(Vec<u64>);

impl Registers {
    fn new(count: usize) -> Self {
        Registers(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, register: RegisterId) {
        self.0[register.index() / 64] |= 1 << (register.index() % 64);
    }

    fn remove(&mut self, register: RegisterId) {
        self.0[register.index() / 64] &= !(1 << (register.index() % 64));
    }

    fn read(&mut self, operand: Operand) {
        if let Operand::Register(register) = operand {
            self.insert(register);
        }
    }

    /// True if the register is in the set.
    pub fn contains(&self, register: usize) -> bool {
        self.0[register / 64] >> (register % 64) & 1 != 0
    }

    /// Adds everything of `other`; true if that changed anything.
    fn extend(&mut self, other: &Registers) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *mine | theirs != *mine;
            *mine |= theirs;
        }
        changed
    }
}

/// The blocks from which control comes to each block.
fn predecessors(function: &Function) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); function.blocks.len()];
    for (index, block) in function.blocks.iter().enumerate() {
        for next in block.terminator.successors() {
            predecessors[next.index()].push(index);
        }
    }
    predecessors
}

/// Registers live before each block's first instruction.
pub fn live_at_starts(function: &Function) -> Vec<Registers> {
    let empty = Registers::new(function.registers.len());
    let mut starts = vec![empty; function.blocks.len()];
    let predecessors = predecessors(function);
    let mut queue: Vec<usize> = (0..function.blocks.len()).collect();
    let mut queued = vec![true; function.blocks.len()];
    while let Some(index) = queue.pop() {
        queued[index] = false;
        let mut live = live_at_end(function, index, &starts);
        for position in (0..function.blocks[index].instructions.len()).rev() {
            before(function, index, position, &mut live);
        }
        if starts[index].extend(&live) {
            for &previous in &predecessors[index] {
                if !std::mem::replace(&mut queued[previous], true) {
                    queue.push(previous);
                }
            }
        }
    }
    starts
}

/// Registers live before a block's terminator.
pub fn live_at_end(function: &Function, block: usize, starts: &[Registers]) -> Registers {
    let mut live = Registers::new(function.registers.len());
    let terminator = &function.blocks[block].terminator;
    for next in terminator.successors() {
        live.extend(&starts[next.index()]);
    }
    for operand in terminator.operands() {
        live.read(*operand);
    }
    live
}

/// Turns what is live after an instruction into what is live before it.
pub fn before(function: &Function, block: usize, position: usize, live: &mut Registers) {
    let kind = &function.blocks[block].instructions[position].kind;
    for target in kind.targets() {
        live.remove(target);
    }
    for operand in kind.operands() {
        live.read(operand);
    }
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where every turn starts.
    pub header: BlockId,
    /// Registers that a turn may write and the next may read.
    pub carried: Vec<RegisterId>,
    /// A turn may change nothing, so that the thread may wait.
    pub may_wait: bool,
    /// Blocks in the loop.
    pub blocks: Vec<bool>,
}

/// The loops of a function.
pub fn loops(function: &Function, starts: &[Registers]) -> Vec<Loop> {
    let count = function.blocks.len();
    let predecessors = predecessors(function);
    let mut loops: Vec<Loop> = Vec::new();
    for (source, header) in back_edges(function) {
        let known = loops
            .iter()
            .position(|known| known.header.index() == header);
        let at = known.unwrap_or_else(|| {
            let mut blocks = vec![false; count];
            blocks[header] = true;
            loops.push(Loop {
                header: BlockId::from(header),
                carried: Vec::new(),
                may_wait: false,
                blocks,
            });
            loops.len() - 1
        });
        let blocks = &mut loops[at].blocks;
        let mut stack = vec![source];
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut blocks[block], true) {
                stack.extend(&predecessors[block]);
            }
        }
    }
    for found in &mut loops {
        describe(function, found, starts);
    }
    loops
}

/// Edges that close a cycle, by a depth-first walk.
fn back_edges(function: &Function) -> Vec<(usize, usize)> {
    let successors = |block: usize| -> Vec<usize> {
        let found = function.blocks[block].terminator.successors();
        found.map(BlockId::index).collect()
    };
    let mut edges = Vec::new();
    // 0: not seen; 1: on the way down; 2: done.
    let mut marks = vec![0u8; function.blocks.len()];
    let mut stack = vec![(0, successors(0))];
    marks[0] = 1;
    while let Some((block, rest)) = stack.last_mut() {
        let block = *block;
        match rest.pop() {
            None => {
                marks[block] = 2;
                stack.pop();
            }
            Some(next) if marks[next] == 1 => edges.push((block, next)),
            Some(next) if marks[next] == 0 => {
                marks[next] = 1;
                stack.push((next, successors(next)));
            }
            Some(_) => {}
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn describe(function: &Function, found: &mut Loop, starts: &[Registers]) {
    let live = &starts[found.header.index()];
    let mut written = Registers::new(function.registers.len());
    let mut reads = false;
    let mut empty = true;
    let inside = function.blocks.iter().zip(&found.blocks);
    for (block, _) in inside.filter(|(_, inside)| **inside) {
        for instruction in &block.instructions {
            empty = false;
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
        .filter(|register| live.contains(*register) && written.contains(*register))
        .map(RegisterId::from)
        .collect();
    found.may_wait = (reads || empty) && !counts(function, found);
}

/// True if the last block of every turn adds a constant to a register that the next turn
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
