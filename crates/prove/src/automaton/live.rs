//! Which cells a thread may still load without having waited for its stores before: of others, an older value does not matter.
//!
//! Backwards through the code of a thread, to a fixpoint: a load adds its cell, or all cells of its width if its address is computed; a store takes its cell away, since the thread
//! reads its own store from then on; a read-modify-write and a fence that waits take all away.

use super::Event;
use super::build::Builder;
use machine::{Cell, Code, Op};
use program::{AccessKind, Operand};

/// For each operation of a thread a set of cells, as bits.
pub(super) struct LiveCells(Vec<Box<[u64]>>);

impl LiveCells {
    /// Of a thread under TSO.
    pub fn of(builder: &Builder<'_>, thread: usize) -> Self {
        let code = &builder.executable.threads[thread];
        let words = builder.executable.cells.initial.len().div_ceil(64);
        let mut live = LiveCells(vec![vec![0; words].into(); code.ops.len()]);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for pc in (0..code.ops.len()).rev() {
                let before = live.before(builder, code, pc);
                changed |= live.0[pc] != before;
                live.0[pc] = before;
            }
        }
        live
    }

    /// Whether an older value of a cell matters before an operation.
    pub fn contains(&self, pc: u32, cell: usize) -> bool {
        self.0[pc as usize][cell / 64] & (1 << (cell % 64)) != 0
    }

    fn before(&self, builder: &Builder<'_>, code: &Code, pc: usize) -> Box<[u64]> {
        let behind = |to: usize| self.0[to].clone();
        let nothing = || vec![0; self.0[pc].len()].into();
        match code.ops[pc] {
            Op::Branch(then, otherwise) => {
                let mut both = behind(then as usize);
                let more = self.0[otherwise as usize].iter();
                both.iter_mut()
                    .zip(more)
                    .for_each(|(word, more)| *word |= more);
                both
            }
            Op::Jump(target) => behind(target as usize),
            Op::End => nothing(),
            Op::Fence(orderings) if builder.fence(orderings) == Some(Event::Fence) => nothing(),
            Op::Access(access) => {
                let cell = match code.operands[pc][0] {
                    Operand::Address(address) => {
                        let cells = &builder.executable.cells;
                        cells.resolve(address.to_word(), access.width)
                    }
                    Operand::Register(_) | Operand::Constant(_) => None,
                };
                let mut live = behind(pc + 1);
                match (access.kind(), cell) {
                    (AccessKind::STORE, Some(Cell(cell))) => {
                        live[cell as usize / 64] &= !(1 << (cell % 64));
                    }
                    (AccessKind::STORE, None) => {}
                    (AccessKind::LOAD, Some(Cell(cell))) => {
                        live[cell as usize / 64] |= 1 << (cell % 64);
                    }
                    (AccessKind::LOAD, None) => {
                        let cells = &builder.executable.cells;
                        for cell in 0..cells.initial.len() {
                            if cells.width(Cell(cell as u32)) == access.width {
                                live[cell / 64] |= 1 << (cell % 64);
                            }
                        }
                    }
                    _ => return nothing(),
                }
                live
            }
            Op::Assign(..) | Op::Fence(_) | Op::Assert | Op::Assume | Op::Choose(..) => {
                behind(pc + 1)
            }
        }
    }
}
