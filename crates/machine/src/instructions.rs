//! Which operations are one instruction of the program's text, and where control rests.
//!
//! Properties speak of a thread in the moments between its instructions, so machines must
//! know where one ends. An instruction of an assembly language is one or more operations
//! (`LOCK INC` is a fence, an update and a fence); falling into a label is none at all, though
//! a block ends there.

use crate::code::{Code, Op, Pc};
use program::{AccessKind, Span};

impl Code {
    /// Groups the operations into instructions. Neighbours from one position in the text are
    /// one instruction; a block's last operation also belongs to the one before it if an
    /// earlier operation of the block comes from the same position: then it is a branch, and
    /// the one before it was in the delay slot. Operations that come from nowhere are
    /// instructions of their own, except that falling into a block is part of what comes
    /// before.
    pub(crate) fn find_instructions(&mut self) {
        let mut block = 0;
        for pc in 0..self.ops.len() {
            let is_start = self.starts.binary_search(&(pc as Pc)).is_ok();
            if is_start {
                block = pc;
            }
            let span = self.spans[pc];
            let own = matches!(
                self.ops[pc],
                Op::End | Op::Choose(..) | Op::Assert | Op::Assume
            );
            let after = |op: &Op| matches!(op, Op::Choose(..) | Op::Assert | Op::Assume);
            let same = if is_start || own || after(&self.ops[pc - 1]) {
                false
            } else if self.falls(pc) {
                true
            } else if matches!(self.ops[pc], Op::Branch(..) | Op::Jump(_)) {
                span != Span::NOWHERE && self.spans[block..pc].contains(&span)
            } else {
                span == self.spans[pc - 1] && (span != Span::NOWHERE || self.around[pc])
            };
            let before = self.instructions.last().copied();
            let number = match before {
                Some(before) if same => before,
                Some(before) => before + 1,
                None => 0,
            };
            self.instructions.push(number);
        }
        for pc in 0..self.ops.len() {
            let next = self.instructions.get(pc + 1);
            let jumps = matches!(self.ops[pc], Op::Branch(..) | Op::Jump(_) | Op::End);
            let ends = jumps || next != Some(&self.instructions[pc]) || self.falls(pc + 1);
            self.ends.push(ends);
        }
        let count = self.instructions.last().map_or(0, |last| last + 1);
        self.stores_only = vec![false; count as usize];
        let mut loads = self.stores_only.clone();
        for (op, &instruction) in self.ops.iter().zip(&self.instructions) {
            if let Op::Access(access) = op {
                let plain = access.kind() == AccessKind::STORE;
                self.stores_only[instruction as usize] |= plain;
                loads[instruction as usize] |= !plain;
            }
        }
        for (only, loads) in self.stores_only.iter_mut().zip(loads) {
            *only &= !loads;
        }
    }

    /// Whether the operation only goes from one block into the next.
    fn falls(&self, pc: usize) -> bool {
        matches!(self.ops.get(pc), Some(Op::Jump(_))) && self.spans[pc] == Span::NOWHERE
    }

    pub(crate) fn find_rests(&mut self) {
        for pc in 0..self.ops.len() {
            let mut at = pc;
            let mut passed = Vec::new();
            while let Op::Jump(target) = self.ops[at]
                && self.falls(at)
                && !passed.contains(&at)
            {
                passed.push(at);
                at = target as usize;
            }
            self.rests.push(at as Pc);
        }
    }

    /// Where control rests if it goes to `target`.
    pub(crate) fn rest(&self, target: Pc) -> Pc {
        self.rests[target as usize]
    }

    /// Where control rests behind the operation at `pc`, which does not jump.
    pub(crate) fn next(&self, pc: Pc) -> Pc {
        self.rest(pc + 1)
    }

    /// How many operations there are from `pc` to the end of its instruction.
    pub(crate) fn operations_from(&self, pc: Pc) -> usize {
        let mut ends = self.ends[pc as usize..].iter();
        ends.position(|ends| *ends).map_or(1, |index| index + 1)
    }

    /// Whether two operations are parts of one instruction.
    pub(crate) fn is_same_instruction(&self, a: Pc, b: Pc) -> bool {
        self.instructions[a as usize] == self.instructions[b as usize]
    }

    /// Whether the operation is part of an instruction whose accesses are plain stores.
    pub(crate) fn is_of_plain_store(&self, pc: Pc) -> bool {
        self.stores_only[self.instructions[pc as usize] as usize]
    }
}
