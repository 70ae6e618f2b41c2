//! What a thread with a reorder box does by itself: issuing instructions, with
//! prediction, and carrying out those that no other thread can see.

use super::entry::{Entry, Prediction, Slot};
use super::{BoxedThread, ReorderBoxes, rules};
use crate::code::{Op, Pc};
use crate::processor::{Failure, LONGEST_RUN, Log, Processor};
use program::{Event, Operand, Span, ThreadId, Word};
use std::sync::atomic::Ordering;

/// The execution does not count: an assumption failed or a bet was lost.
pub(super) struct Dropped;

impl ReorderBoxes {
    /// Whether the thread may issue its next instruction.
    pub(super) fn may_issue(&self, thread: ThreadId, local: &BoxedThread) -> bool {
        if local.failure.is_some() || self.code(thread).is_end(local.pc) {
            return false;
        }
        let waiting = local.entries.iter().filter(|entry| !entry.performed);
        let room = waiting.count() < self.size as usize;
        if !room {
            self.full.store(true, Ordering::Relaxed);
        }
        room
    }

    /// Whether issuing the next instruction means predicting a branch.
    pub(super) fn must_predict(&self, thread: ThreadId, local: &BoxedThread) -> bool {
        let code = self.code(thread);
        let unknown = |operand: &Operand| local.slot(*operand).known().is_none();
        matches!(code.ops[local.pc as usize], Op::Branch(..))
            && code.operands[local.pc as usize].iter().any(unknown)
    }

    /// Issues the next instruction. `predicted` is used for a branch whose
    /// condition is unknown; `chosen` for a choice.
    fn issue(
        &self,
        thread: ThreadId,
        local: &mut BoxedThread,
        predicted: bool,
        chosen: Word,
        log: &mut Log,
    ) {
        let code = self.code(thread);
        let pc = local.pc;
        let span = code.spans[pc as usize];
        let operands: Vec<Slot> = code.operands[pc as usize]
            .iter()
            .map(|operand| local.slot(*operand))
            .collect();
        let mut entry = Entry::new(pc, operands);
        local.pc += 1;
        match code.ops[pc as usize] {
            Op::End => unreachable!("a thread at its end issues nothing"),
            Op::Jump(target) => {
                local.pc = target;
                return;
            }
            Op::Choose(target, _) => {
                local.registers[target.index()] = Slot::Known(chosen);
                log.add(span, || Event::Choose { value: chosen });
                return;
            }
            Op::Branch(then, otherwise) => {
                let known = entry.operands[0].known().map(|value| value != 0);
                let taken = known.unwrap_or(predicted);
                let (next, other) = if taken {
                    (then, otherwise)
                } else {
                    (otherwise, then)
                };
                local.pc = next;
                entry.prediction = Some(Prediction {
                    taken,
                    registers: self.checkpoint(thread, local, other),
                });
                if known.is_none() {
                    log.add(span, || Event::Predict { taken });
                }
            }
            Op::Assign(target, _) => {
                local.registers[target.index()] = Slot::Waiting(local.entries.len() as u32);
            }
            Op::Access(access) => {
                if let Some(target) = access.target() {
                    local.registers[target.index()] = Slot::Waiting(local.entries.len() as u32);
                }
            }
            Op::Fence(_) | Op::Assert | Op::Assume => {}
        }
        local.entries.push(entry);
    }

    /// The registers as they are, less those that are dead at `pc`.
    fn checkpoint(&self, thread: ThreadId, local: &BoxedThread, pc: Pc) -> Vec<Slot> {
        let mut registers = local.registers.clone();
        for register in &self.code(thread).dead[pc as usize] {
            registers[register.index()] = Slot::Known(0);
        }
        registers
    }

    /// Carries out entry `index`, which no other thread can see, if it can be.
    pub(super) fn settle(
        &self,
        thread: ThreadId,
        local: &mut BoxedThread,
        index: usize,
        log: &mut Log,
    ) -> Result<bool, Dropped> {
        let code = self.code(thread);
        let entry = &local.entries[index];
        if entry.performed {
            return Ok(false);
        }
        let span = code.spans[entry.pc as usize];
        let operands = entry.words();
        match (&code.ops[entry.pc as usize], operands) {
            (Op::Fence(orderings), _) => {
                let effective = self.model.effective(*orderings);
                let before = &local.entries[..index];
                if before
                    .iter()
                    .any(|earlier| rules::holds_fence(code, earlier, effective))
                {
                    return Ok(false);
                }
                if rules::overtaken(code, before).is_none() {
                    log.add(span, || Event::Fence(*orderings));
                }
                local.remove(index);
            }
            (Op::Assign(target, value), Some(operands)) => {
                let value = value.evaluate(&operands, code.widths[target.index()]);
                log.add(span, || Event::Compute { value });
                self.give(thread, local, index, value)?;
                local.remove(index);
            }
            (Op::Branch(then, otherwise), Some(operands)) => {
                let taken = operands[0] != 0;
                let target = if taken { *then } else { *otherwise };
                self.decide(local, index, taken, target, span, log);
            }
            (Op::Assert, Some(operands)) if index == 0 => {
                local.remove(0);
                if operands[0] == 0 {
                    local.fail(Failure::Assertion(span), log);
                }
            }
            (Op::Assume, Some(operands)) if index == 0 => {
                if operands[0] == 0 {
                    return Err(Dropped);
                }
                local.remove(0);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The entry at `index` gives its value to all who wait for it.
    pub(super) fn give(
        &self,
        thread: ThreadId,
        local: &mut BoxedThread,
        index: usize,
        value: Word,
    ) -> Result<(), Dropped> {
        let waiting = Slot::Waiting(index as u32);
        let code = self.code(thread);
        let addresses: Vec<usize> = (index + 1..local.entries.len())
            .filter(|&later| {
                let entry = &local.entries[later];
                matches!(code.ops[entry.pc as usize], Op::Access(_)) && entry.operands[0] == waiting
            })
            .collect();
        for slot in local.slots() {
            if *slot == waiting {
                *slot = Slot::Known(value);
            }
        }
        let cells = &self.executable.cells;
        let lost = |&known: &usize| rules::bet_lost(cells, code, &local.entries[known..]);
        if addresses.iter().any(lost) {
            return Err(Dropped);
        }
        Ok(())
    }

    /// The branch at `index` turns out `taken`; cancels what was issued since if
    /// that was not predicted.
    fn decide(
        &self,
        local: &mut BoxedThread,
        index: usize,
        taken: bool,
        target: Pc,
        span: Span,
        log: &mut Log,
    ) {
        if let Some(prediction) = local.entries[index].prediction.take()
            && prediction.taken != taken
        {
            local.entries.truncate(index);
            local.registers = prediction.registers;
            local.pc = target;
            log.add(span, || Event::Mispredict { taken });
        } else {
            local.remove(index);
            log.add(span, || Event::Branch { taken });
        }
    }

    /// Settles and issues, through what nobody sees, until only accesses are left to
    /// perform. A choice is a step of its own, as in the store-buffer machine.
    pub(super) fn run_ahead(
        &self,
        thread: ThreadId,
        local: BoxedThread,
        log: Log,
    ) -> Vec<(BoxedThread, Log)> {
        let watch = &self.executable.watches[thread.index()];
        let steps = if watch.every_step { 0 } else { LONGEST_RUN };
        let is_seen = |local: &BoxedThread, ways: &[(BoxedThread, Log)]| {
            let now = self.watched(thread, local);
            ways.iter().any(|(way, _)| self.watched(thread, way) != now)
        };
        let mut next = Vec::new();
        let mut open = vec![(local, log, steps)];
        while let Some((mut local, log, left)) = open.pop() {
            let ways = match left {
                0 => Ok(Vec::new()),
                _ => self.step_ahead(thread, &local, &log),
            };
            let Ok(ways) = ways else {
                continue;
            };
            if ways.is_empty() || (!watch.is_nothing() && is_seen(&local, &ways)) {
                self.normalise(thread, &mut local);
                next.push((local, log));
            } else {
                let ways = ways.into_iter().rev();
                open.extend(ways.map(|(local, log)| (local, log, left - 1)));
            }
        }
        next
    }

    /// What one step of the thread by itself can come to; nothing if it can take
    /// none.
    fn step_ahead(
        &self,
        thread: ThreadId,
        local: &BoxedThread,
        log: &Log,
    ) -> Result<Vec<(BoxedThread, Log)>, Dropped> {
        let op = &self.code(thread).ops[local.pc as usize];
        let (mut settled, mut settled_log) = (local.clone(), log.clone());
        if local.failure.is_some() {
            Ok(Vec::new())
        } else if self.settle_any(thread, &mut settled, &mut settled_log)? {
            Ok(vec![(settled, settled_log)])
        } else if matches!(op, Op::Choose(..)) || !self.may_issue(thread, local) {
            Ok(Vec::new())
        } else {
            Ok(self.issued(thread, local, log, |_| true))
        }
    }

    /// Every way to issue the next instruction that is `wanted`.
    pub(super) fn issued(
        &self,
        thread: ThreadId,
        local: &BoxedThread,
        log: &Log,
        wanted: impl Fn(bool) -> bool,
    ) -> Vec<(BoxedThread, Log)> {
        let ways = self.ways_to_issue(thread, local).into_iter();
        ways.filter(|(predicted, _)| wanted(*predicted))
            .map(|(predicted, chosen)| {
                let (mut local, mut log) = (local.clone(), log.clone());
                self.issue(thread, &mut local, predicted, chosen, &mut log);
                (local, log)
            })
            .collect()
    }

    fn ways_to_issue(&self, thread: ThreadId, local: &BoxedThread) -> Vec<(bool, Word)> {
        match self.code(thread).ops[local.pc as usize] {
            Op::Choose(_, count) => (0..Word::from(count)).map(|value| (true, value)).collect(),
            Op::Branch(..) if self.must_predict(thread, local) => vec![(true, 0), (false, 0)],
            _ => vec![(true, 0)],
        }
    }

    fn settle_any(
        &self,
        thread: ThreadId,
        local: &mut BoxedThread,
        log: &mut Log,
    ) -> Result<bool, Dropped> {
        for index in 0..local.entries.len() {
            if self.settle(thread, local, index, log)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn normalise(&self, thread: ThreadId, local: &mut BoxedThread) {
        let code = self.code(thread);
        for register in &code.dead[local.pc as usize] {
            local.registers[register.index()] = Slot::Known(0);
        }
        let mut index = 0;
        while index < local.entries.len() {
            if local.entries[index].performed
                && !rules::is_bet(code, &local.entries[..index], &local.entries[index])
            {
                local.remove(index);
            } else {
                index += 1;
            }
        }
    }
}

impl BoxedThread {
    /// What an operand is now.
    pub(super) fn slot(&self, operand: Operand) -> Slot {
        match operand {
            Operand::Register(register) => self.registers[register.index()],
            Operand::Constant(word) => Slot::Known(word),
            Operand::Address(address) => Slot::Known(address.to_word()),
        }
    }

    pub(super) fn fail(&mut self, failure: Failure, log: &mut Log) {
        self.failure = Some(failure);
        let (span, event) = failure.event();
        log.add(span, || event);
    }

    /// Every place where an entry may be waited for.
    pub(super) fn slots(&mut self) -> impl Iterator<Item = &mut Slot> {
        let entries = self.entries.iter_mut().flat_map(|entry| {
            let saved = entry
                .prediction
                .iter_mut()
                .flat_map(|p| p.registers.iter_mut());
            entry.operands.iter_mut().chain(saved)
        });
        self.registers.iter_mut().chain(entries)
    }

    /// Takes the entry at `index`, for which nobody waits, out of the box.
    pub(super) fn remove(&mut self, index: usize) {
        self.entries.remove(index);
        for slot in self.slots() {
            if let Slot::Waiting(entry) = slot
                && *entry as usize > index
            {
                *entry -= 1;
            }
        }
    }
}
