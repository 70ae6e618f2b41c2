//! Calls of library functions: when a call happens, whether it can go on, and what comes of it.

use super::caller::{Call, Flow};
use super::image::{Op, Pc, Range};
use super::thread::Phase;
use super::value::Value;
use super::{Process, Run};
use crate::library;
use program::{Blocking, Footprint, Routine, ThreadId, Timing, Word};

impl Process<'_> {
    /// True if a call that is a step of its own waits for the StoreLoad fences before it, as a load does.
    pub(super) fn waits_for_fence(&self, id: ThreadId, routine: Routine, arguments: Range) -> bool {
        let loads = match routine.row().footprint {
            Footprint::Stores => false,
            Footprint::Object => self.arguments(id, arguments).first() != Some(&Value::new(0)),
            Footprint::Fixed | Footprint::Contents => true,
        };
        match routine.row().timing {
            Timing::Prints | Timing::Step => loads,
            Timing::Ahead | Timing::Choice(_) => false,
        }
    }

    /// Calls a library function if others cannot notice; false if the thread must stop.
    pub(super) fn routine_ahead(&mut self, id: ThreadId, pc: Pc, routine: Routine) -> Run<bool> {
        let Op::Routine(_, arguments, targets) = self.image.ops[pc as usize] else {
            return Ok(false);
        };
        let timing = routine.row().timing;
        let ahead = match timing {
            Timing::Ahead => true,
            Timing::Prints => self.is_direct(id) || !self.prints_shared(id, routine, arguments),
            Timing::Choice(_) => self.is_direct(id),
            Timing::Step => self.is_direct(id) || self.joins_unnoticed(id, routine, arguments),
        };
        let settled = matches!(timing, Timing::Ahead | Timing::Prints);
        // Nobody else is needed for a spurious wake-up, but it may never come.
        if !ahead
            || self.can_only_wake_spuriously(id)
            || !settled && self.routine_choices(id, routine, arguments) != 1
        {
            return Ok(false);
        }
        self.routine(id, routine, arguments, targets, 0)?;
        Ok(!self.has_ended(id) && self.end.is_none())
    }

    /// True if a call that prints reads what others can reach, or is wrong: then it matters when
    /// it happens. Finds out by a dry run.
    fn prints_shared(&mut self, id: ThreadId, routine: Routine, arguments: Range) -> bool {
        let arguments = self.arguments(id, arguments);
        let call = self.call(id, routine, &arguments, 0);
        let (log, output, races) = (self.log.take(), self.output.take(), self.races.take());
        self.reached_shared = false;
        let flow = self.caller(call).unrecorded(library::call);
        (self.log, self.output, self.races) = (log, output, races);
        flow.is_err() || self.reached_shared
    }

    /// True for a join without a result: a thread that ended stays so, which makes joining it
    /// nobody else's business.
    fn joins_unnoticed(&self, id: ThreadId, routine: Routine, arguments: Range) -> bool {
        let joins = routine.row().blocking == Blocking::Join;
        joins && !self.limits.traced && self.arguments(id, arguments).get(1) == Some(&Value::new(0))
    }

    /// In how many ways a call may go on; 0 if it has to wait.
    pub(super) fn routine_choices(
        &mut self,
        id: ThreadId,
        routine: Routine,
        arguments: Range,
    ) -> u32 {
        if self.waits_for_fence(id, routine, arguments) && !self.is_settled(id, routine, arguments)
        {
            return 0;
        }
        let arguments = self.arguments(id, arguments);
        let call = self.call(id, routine, &arguments, 0);
        library::choices(&mut self.caller(call))
    }

    /// The bytes that decide whether a call can go on, if others can change them back and forth.
    pub(super) fn contended(
        &self,
        id: ThreadId,
        routine: Routine,
        arguments: Range,
    ) -> Option<(Word, u32)> {
        let reacquires = matches!(self.threads[id.index()].phase, Phase::Reacquire(_));
        let (index, offset, size) = library::contended(routine, reacquires)?;
        let object = self.argument(id, arguments, index).word;
        Some((object.wrapping_add(offset), size))
    }

    /// What a thread waits for in a call, and for whom.
    pub(super) fn routine_reason(
        &mut self,
        id: ThreadId,
        routine: Routine,
        arguments: Range,
    ) -> String {
        let arguments = self.arguments(id, arguments);
        let call = self.call(id, routine, &arguments, 0);
        library::reason_to_wait(&mut self.caller(call))
    }

    /// A call that a thread stands before.
    pub(super) fn call<'c>(
        &self,
        id: ThreadId,
        routine: Routine,
        arguments: &'c [Value],
        choice: u32,
    ) -> Call<'c> {
        Call {
            id,
            routine,
            arguments,
            choice,
            span: self.span_of(id),
        }
    }

    /// Calls a library function.
    pub(super) fn routine(
        &mut self,
        id: ThreadId,
        routine: Routine,
        arguments: Range,
        targets: Range,
        choice: u32,
    ) -> Run<()> {
        let after = self.after_own_stores_of(id, routine, arguments);
        let arguments = self.arguments(id, arguments);
        let call = self.call(id, routine, &arguments, choice);
        if !routine.row().pure {
            self.threads[id.index()].changes += 1;
        }
        if let Some(after) = after {
            self.act_at(id, call.span, after);
        }
        if routine.row().blocking != Blocking::Join {
            self.finishing = None;
        }
        if self.looks_first(call) {
            return Ok(());
        }
        let value = match library::call(&mut self.caller(call))? {
            Flow::Returns(word) => Value::new(word),
            Flow::Done => Value::new(0),
            Flow::Stays => return Ok(()),
        };
        self.threads[id.index()].phase = Default::default();
        for target in &self.image.targets[targets.indices()] {
            self.set(id, *target, value);
        }
        self.next(id);
        Ok(())
    }
}
