//! Reads that make an assumption fail, as far as they are no events.
//!
//! A thread whose next step reads memory, writes nothing, and then fails an assumption comes to nothing: it stops there for good,
//! nobody can notice that it read, and the execution does not count as one that ends. With
//! [`Limits::await_assumptions`](super::Limits) it does not take that step, but waits before it until the bytes have other
//! values, and the execution counts as one whose assumption failed as long as it does. `docs/explanation/exploration.md` has the argument that nothing
//! is lost.
//!
//! Which steps may wait must be a matter of the thread's own state, not of what it reads. They are loads and
//! compare-and-exchanges from which the code comes to an assumption without another access. The code is followed over branches, both ways,
//! and out of functions, whose frames are the thread's own. Where it is followed too far, or not far enough, nothing goes wrong: a
//! step taken for one that may wait without need is asked more often whether it can happen, and one that is not taken for one is an event.

use super::image::{Op, Pc};
use super::thread::{Seen, Standing};
use super::{Act, ActKind, Process};
use program::ThreadId;

/// Operations after which the way to an assumption is too long.
const MOST_OPERATIONS: usize = 64;

impl Process<'_> {
    /// True if a thread's next step may turn out to read what makes an assumption fail, so that the thread waits instead.
    pub(super) fn may_await_assumption(&self, id: ThreadId) -> bool {
        if !self.limits.await_assumptions || !self.image.has_assumption {
            return false;
        }
        let frames = &self.threads[id.index()].frames;
        matches!(self.next_op(id), Some(Op::Load(..) | Op::Exchange(_)))
            && self.comes_to_assumption(id, frames.len() - 1, frames[frames.len() - 1].pc + 1)
    }

    /// True if the code from there on, in the frame of this number, may come to an assumption before an access.
    fn comes_to_assumption(&self, id: ThreadId, depth: usize, pc: Pc) -> bool {
        let frames = &self.threads[id.index()].frames;
        let mut ways: Vec<(usize, Pc)> = vec![(depth, pc)];
        let mut next = 0;
        let add = |ways: &mut Vec<(usize, Pc)>, way| {
            if !ways.contains(&way) {
                ways.push(way);
            }
        };
        while let Some(&(depth, pc)) = ways.get(next)
            && next < MOST_OPERATIONS
        {
            next += 1;
            // Behind the end of a thread's function, whose destructors run, there may be nothing.
            let Some(op) = self.image.ops.get(pc as usize) else {
                continue;
            };
            match *op {
                Op::Assume(_) => return true,
                Op::Jump(to) => add(&mut ways, (depth, to)),
                Op::Branch(_, then, otherwise) => {
                    add(&mut ways, (depth, then));
                    add(&mut ways, (depth, otherwise));
                }
                Op::Return(_) if depth > 0 => add(&mut ways, (depth - 1, frames[depth - 1].pc)),
                Op::Copy(..)
                | Op::SignExtend(..)
                | Op::Unary(..)
                | Op::Convert(..)
                | Op::Binary(..)
                | Op::Select(..)
                | Op::Reach(_)
                | Op::Fence(..) => add(&mut ways, (depth, pc + 1)),
                _ => {}
            }
        }
        false
    }

    /// What a thread's next step reads.
    pub(super) fn next_read(&self, id: ThreadId) -> Option<Seen> {
        let pc = self.threads[id.index()].frame()?.pc;
        let operation = self.operation(id, pc).ok()?;
        let (at, size) = (operation.at, operation.access.size);
        let (value, _) = self.peek(id, at, size.into());
        Some(Seen { at, size, value })
    }

    /// True if the step that a thread has just done failed an assumption, and all that it did was to read.
    pub(super) fn only_failed_assumption(&self, id: ThreadId) -> bool {
        self.threads[id.index()].standing == Standing::Discarded
            && self.end().is_none()
            // A thread that stops has nothing behind its fences.
            && self.acts.iter().all(|act| act.only_looks() || matches!(act.kind, ActKind::Fence(_)))
    }
}

impl Act {
    /// True if all that it says is that something was read.
    pub(super) fn only_looks(&self) -> bool {
        matches!(
            self.kind,
            ActKind::Read(..)
                | ActKind::Look(..)
                | ActKind::AfterFence
                | ActKind::Drain
                | ActKind::Settle(_)
        )
    }
}
