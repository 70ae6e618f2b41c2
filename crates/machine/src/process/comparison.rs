//! What a failed assertion compared: the operands of the comparison that decided the branch to it.
//!
//! The registers of a frame keep their values from the comparison to the call that reports the failure, since only branches lie
//! between. So the operands are read where the failure is noticed, and nothing is recorded before.

use super::Process;
use super::image::{Op, Pc, Slot};
use answer::Datum;
use program::{ThreadId, Width};

/// Operations that are looked at before a failure, and before the branch to it.
const NEAR: u32 = 64;

impl Process<'_> {
    /// The operands of the comparison that made a thread's assertion fail, if it was one.
    pub(super) fn failed_comparison(&self, thread: ThreadId) -> Option<(Datum, Datum)> {
        let pc = self.threads[thread.index()].frame()?.pc;
        let condition = match self.image.ops.get(pc as usize)? {
            Op::Assert(condition) => *condition,
            _ => self.branch_to(thread, pc)?,
        };
        let (width, left, right) = self.comparison_before(pc, condition)?;
        let datum = |slot: Slot| {
            let value = self.value(thread, slot);
            value.is_defined().then(|| {
                let shown = width.signed(width.truncate(value.word));
                Datum::text(value.word, shown.to_string())
            })
        };
        Some((datum(left)?, datum(right)?))
    }

    /// The condition of the branch that led to the operations before `pc`, if there is one that could have.
    fn branch_to(&self, thread: ThreadId, pc: Pc) -> Option<Slot> {
        let start = self.block_start(pc);
        let leads_here = |op: &&Op| match op {
            Op::Branch(condition, then, otherwise) => {
                // The way that was not taken leads elsewhere.
                let taken = self.value(thread, *condition).word != 0;
                (start..=pc).contains(if taken { then } else { otherwise })
            }
            _ => false,
        };
        let first = start.saturating_sub(NEAR) as usize;
        let near = &self.image.ops[first..start as usize];
        match near.iter().rev().find(leads_here)? {
            Op::Branch(condition, ..) => Some(*condition),
            _ => None,
        }
    }

    /// The first operation behind the last that never goes on to the next one.
    fn block_start(&self, pc: Pc) -> Pc {
        let ends = |op: &Op| {
            matches!(
                op,
                Op::Branch(..) | Op::Jump(_) | Op::Switch(..) | Op::Return(_) | Op::Unreachable
            )
        };
        let before = (pc.saturating_sub(NEAR)..pc).rev();
        let end = before
            .into_iter()
            .find(|at| ends(&self.image.ops[*at as usize]));
        end.map_or(pc.saturating_sub(NEAR), |end| end + 1)
    }

    /// The comparison that made a condition: width and operands.
    fn comparison_before(&self, pc: Pc, condition: Slot) -> Option<(Width, Slot, Slot)> {
        let register = condition.resolve().ok()?;
        let first = pc.saturating_sub(2 * NEAR) as usize;
        let near = self.image.ops[first..pc as usize].iter().rev();
        let mut writes = near.filter_map(|op| match op {
            Op::Binary(binary, width, target, left, right) if *target as usize == register => {
                Some((*binary, *width, *left, *right))
            }
            _ => None,
        });
        let (binary, width, left, right) = writes.next()?;
        binary.is_comparison().then_some((width, left, right))
    }
}
