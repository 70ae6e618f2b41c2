//! What may happen next, and making it happen.

use super::acts::{Act, ActKind};
use super::image::Op;
use super::thread::{Phase, Seen};
use super::value::Value;
use super::{End, Process};
use ::memory::Buffering;
use answer::{Event, Waiting};
use program::{Blocking, Routine, ThreadId};

/// Something that may happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transition {
    /// A thread does what it stopped before; the number tells between several ways to.
    Run(ThreadId, u32),
    /// The entry of this index leaves a thread's store buffer.
    Commit(ThreadId, u32),
}

impl<'a> Process<'a> {
    /// Everything that may happen next.
    pub fn transitions(&mut self) -> Vec<Transition> {
        let mut found = Vec::new();
        if self.end().is_some() {
            return found;
        }
        for index in 0..self.threads.len() {
            let id = ThreadId::from(index);
            for choice in 0..self.ways(id) {
                found.push(Transition::Run(id, choice));
            }
            let entries = 0..self.threads[index].buffer.entries.len();
            let leaving = entries.filter(|entry| self.may_leave(id, *entry));
            found.extend(leaving.map(|entry| Transition::Commit(id, entry as u32)));
        }
        found
    }

    /// True if another thread runs alone, in an atomic section.
    pub(super) fn is_shut_out(&self, id: ThreadId) -> bool {
        self.section_owner.is_some_and(|owner| owner != id)
    }

    /// True if the entry of this index may leave a thread's store buffer now.
    pub(super) fn may_leave(&self, id: ThreadId, entry: usize) -> bool {
        !self.is_shut_out(id)
            && match self.buffering() {
                Buffering::PerLocation => self.threads[id.index()].buffer.may_leave(entry),
                _ => entry == 0,
            }
    }

    /// The operation that a thread stopped before.
    #[inline]
    pub(super) fn next_op(&self, id: ThreadId) -> Option<&'a Op> {
        let frame = self.threads[id.index()].frame()?;
        (!self.is_at_end(id)).then(|| &self.image.ops[frame.pc as usize])
    }

    /// In how many ways a thread may go on; 0 if it has to wait, or has ended.
    pub(super) fn choices(&mut self, id: ThreadId) -> u32 {
        if self.has_ended(id) || !self.may_wake(id) {
            return 0;
        }
        let Some(pc) = self.threads[id.index()].frame().map(|frame| frame.pc) else {
            return 0;
        };
        if self.is_at_end(id) {
            let drained = self.threads[id.index()].buffer.is_empty();
            return u32::from(drained || self.has_own_values(id));
        }
        match self.image.ops[pc as usize] {
            // Most accesses wait for nothing but their own fences.
            Op::Load(..) => {
                let held = self.threads[id.index()].buffer.held > 0;
                u32::from(!held && self.may_attempt(id, pc))
            }
            Op::Store(..) => u32::from(self.has_room(id)),
            Op::Update(..) => u32::from(self.is_update_enabled(id, pc)),
            Op::Exchange(_) if !self.is_update_enabled(id, pc) => 0,
            Op::Exchange(number) => match self.operation(id, pc) {
                Ok(operation) => self.exchange_choices(id, number, &operation),
                // What is wrong now is found when the thread goes on.
                Err(_) => 1,
            },
            // A main thread waits here most of the time.
            Op::Routine(routine, arguments, _) if routine.row().blocking == Blocking::Join => {
                let thread = self.argument(id, arguments, 0).word;
                let joins = self.may_be_joined(id, thread);
                (joins && self.is_settled(id, routine, arguments)).into()
            }
            Op::Routine(routine, arguments, _) => self.routine_choices(id, routine, arguments),
            Op::Choose(_, count) => self.value(id, count).word.min(u32::MAX.into()) as u32,
            Op::AtomicBegin => u32::from(self.threads[id.index()].buffer.is_empty()),
            _ => 1,
        }
    }

    /// A weak exchange that would succeed may also fail.
    fn exchange_choices(
        &self,
        id: ThreadId,
        number: u32,
        operation: &super::access::Operation,
    ) -> u32 {
        let exchange = &self.image.exchanges[number as usize];
        let old = self.memory.read(operation.at, exchange.access.size.into());
        let width = super::access::width(exchange.access.size);
        let expected = self.value(id, exchange.expected).truncate(width);
        1 + u32::from(exchange.weak && old == expected)
    }

    /// True unless the thread waits for something to change that has not.
    fn may_wake(&self, id: ThreadId) -> bool {
        let awaiting = &self.threads[id.index()].awaiting;
        awaiting.is_empty() || !self.limits.cut_repeats && self.has_changed(id, awaiting)
    }

    /// True if a thread would see something else than what it saw.
    pub fn has_changed(&self, id: ThreadId, seen: &[Seen]) -> bool {
        seen.iter().any(|seen| {
            let alive = self.memory.block(seen.at.block).is_some();
            !alive || self.peek(id, seen.at, seen.size.into()).0 != seen.value
        })
    }

    /// Makes something happen that [`Process::transitions`] listed.
    pub fn perform(&mut self, transition: Transition) {
        match transition {
            Transition::Run(id, choice) => {
                self.save_step(id);
                self.act_on_awaited(id);
                self.go_on(id, choice);
            }
            Transition::Commit(id, entry) => {
                self.save_flush(id, entry as usize);
                self.ender = id;
                self.commit(id, entry as usize);
                // Where a thread stops does not depend on its store buffer there, unless it is alone.
                if self.limits.traced && !self.is_direct(id) {
                    return;
                }
                let waits = !self.threads[id.index()].awaiting.is_empty();
                // Once its store buffer is empty, a thread that is alone runs ahead, unless it waits for a location
                // that has not changed.
                if waits && !(self.is_direct(id) && self.may_wake(id)) {
                    return;
                }
                self.save_thread(id);
                self.threads[id.index()].awaiting.clear();
                self.advance(id);
            }
        }
    }

    /// Lets a thread do what it stopped before, and run ahead.
    pub(super) fn go_on(&mut self, id: ThreadId, choice: u32) {
        let thread = &mut self.threads[id.index()];
        thread.steps = 0;
        thread.awaiting.clear();
        self.ender = id;
        let begun = self.begin_attempt(id, choice);
        self.run_on(id, choice);
        if begun.is_some_and(|begun| self.ends_attempt(id, &begun)) {
            self.threads[id.index()].reading = None;
            self.run_on(id, 0);
        }
    }

    /// Does what a thread stopped before, and runs it ahead.
    fn run_on(&mut self, id: ThreadId, choice: u32) {
        if let Err(fault) = self.run_stopped(id, choice) {
            let span = self.span_of(id);
            self.fail(id, span, fault);
        }
        self.advance(id);
    }

    /// Does what a thread stopped before.
    fn run_stopped(&mut self, id: ThreadId, choice: u32) -> Result<(), Box<answer::Fault>> {
        let Some(pc) = self.threads[id.index()].frame().map(|frame| frame.pc) else {
            return Ok(());
        };
        if self.is_at_end(id) {
            return self.end_thread(id, true).map(|_| ());
        }
        match self.image.ops[pc as usize] {
            Op::Load(..) | Op::Store(..) | Op::Update(..) | Op::Exchange(_) => {
                if self.threads[id.index()].buffer.fenced
                    && !matches!(self.image.ops[pc as usize], Op::Store(..))
                {
                    self.pass_fence(id);
                }
                let operation = self
                    .operation(id, pc)
                    .inspect_err(|_| self.act_on_fault(id, pc))?;
                self.access(id, pc, &operation, choice)
            }
            Op::Routine(routine, arguments, targets) => {
                let loads = self.waits_for_fence(id, routine, arguments);
                if loads {
                    self.pass_fence(id);
                }
                let first = self.acts.len();
                let done = self.routine(id, routine, arguments, targets, choice);
                if !loads {
                    self.acts[first..].iter_mut().for_each(Act::look);
                }
                done
            }
            Op::Choose(target, _) => {
                self.set(id, target, Value::new(choice.into()));
                self.threads[id.index()].changes += 1;
                let span = self.image.span(pc);
                let value = choice.into();
                self.note(id, span, |_| Event::Choose { value });
                self.next(id);
                Ok(())
            }
            Op::Observe(number, slot) => self.observe(id, number, slot),
            Op::AtomicBegin => {
                self.enter_section(id);
                self.act(id, ActKind::Drain);
                self.next(id);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The thread loads, behind the StoreLoad fences before it.
    fn pass_fence(&mut self, id: ThreadId) {
        let fenced = std::mem::take(&mut self.threads[id.index()].buffer.fenced);
        if self.buffering() != Buffering::None || fenced {
            self.act(id, ActKind::AfterFence);
        }
    }

    /// True if a thread can go on by a spurious wake-up only.
    pub fn can_only_wake_spuriously(&self, id: ThreadId) -> bool {
        let phase = &self.threads[id.index()].phase;
        let untimed = |routine: Routine| routine.row().blocking == Blocking::Condition;
        matches!(phase, Phase::Waiting { woken: false, .. })
            && matches!(self.next_op(id), Some(Op::Routine(routine, ..)) if untimed(*routine))
    }

    /// The threads that wait when nothing can happen any more, each with what it waits for.
    /// None if the main thread has returned: the process would end with it; none if an assumption
    /// failed.
    pub fn waiting(&mut self) -> Vec<Waiting> {
        let mut waiting = Vec::new();
        if self.main_has_ended() || self.is_discarded() || self.end().is_some() {
            return waiting;
        }
        for index in 0..self.threads.len() {
            let id = ThreadId::from(index);
            if !self.has_ended(id) {
                waiting.push(Waiting {
                    thread: id,
                    span: self.span_of(id),
                    reason: self.reason_to_wait(id),
                });
            }
        }
        waiting
    }

    fn reason_to_wait(&mut self, id: ThreadId) -> String {
        let thread = &self.threads[id.index()];
        if !thread.awaiting.is_empty() {
            let mut names: Vec<String> = Vec::new();
            for seen in &thread.awaiting {
                let name = self.location_name(seen.at);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            return format!("waits for {} to change", names.join(" or "));
        }
        let Some(pc) = thread.frame().map(|frame| frame.pc) else {
            return String::new();
        };
        match self.image.ops[pc as usize] {
            Op::Routine(routine, arguments, _) => self.routine_reason(id, routine, arguments),
            _ => String::new(),
        }
    }

    /// The name of a thread.
    pub(super) fn thread_name(&self, id: ThreadId) -> String {
        match self.image.program.threads.get(id.index()) {
            Some(thread) => thread.name.clone(),
            None => format!("thread {}", id.0),
        }
    }

    /// Ends the execution as `exit` does.
    pub(super) fn exit(&mut self, status: u64) {
        self.end = Some(End::Exit(status));
    }
}
