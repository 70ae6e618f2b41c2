//! What a thread with a reorder box does by itself: issuing instructions, with
//! prediction, and carrying out those that no other thread can see.
//!
//! A thread of which nothing is watched runs ahead through all of it: to issue and to settle
//! early only adds choices, and no state in between counts. Of a watched thread states in
//! between do count: that an instruction has been issued makes the register unknown that it
//! writes, and lets a plain store be passed by. Issuing it early would keep the states from
//! sight in which an earlier access is performed and this instruction is not yet issued, so a
//! larger box would show less. A watched thread therefore runs ahead only while it has exactly
//! one thing to do, nobody else can see it, and it changes nothing that is watched: then no
//! state is skipped but copies of the one before.

use super::entry::{Entry, Prediction, Slot};
use super::{BoxedThread, ReorderBoxes, rules};
use crate::code::{Op, Pc};
use crate::processor::{Effect, Failure, LONGEST_RUN, Log, Processor};
use answer::Event;
use program::{Operand, Span, ThreadId, Word};
use std::sync::atomic::Ordering;

/// The execution does not count: an assumption failed or a bet was lost.
pub(super) struct Dropped;

impl ReorderBoxes {
    /// Whether the thread may issue its next instruction.
    pub(super) fn may_issue(&self, thread: ThreadId, local: &BoxedThread) -> bool {
        if local.failure.is_some() || self.code(thread).is_end(local.pc) {
            return false;
        }
        let size = self.size as usize;
        let waiting = local.waiting();
        let code = self.code(thread);
        let operations = code.operations_from(local.pc);
        let room = waiting == 0
            || waiting + operations <= size
            || waiting < size && {
                // Some of the operations may be settled as soon as they are issued.
                let ways = self.issued(thread, local, &Log::new(thread, false));
                ways.iter().all(|(_, way, _)| way.waiting() <= size)
            };
        if !room {
            self.full.store(true, Ordering::Relaxed);
        }
        room
    }

    /// Every way to issue the next instruction, with all its operations: a branch whose
    /// condition is unknown is predicted taken, or not taken. What can be settled of the
    /// instruction is settled in the same step. Each way comes with whether it predicts a
    /// branch not taken.
    pub(super) fn issued(
        &self,
        thread: ThreadId,
        local: &BoxedThread,
        log: &Log,
    ) -> Vec<(bool, BoxedThread, Log)> {
        let code = self.code(thread);
        let before = local.entries.len();
        let mut open = vec![(false, local.clone(), log.clone())];
        let mut next = Vec::new();
        while let Some((not_taken, local, log)) = open.pop() {
            let pc = local.pc;
            for (predicted, chosen) in self.ways_to_issue(thread, &local).into_iter().rev() {
                let (mut local, mut log) = (local.clone(), log.clone());
                let entries = local.entries.len();
                self.issue(thread, &mut local, predicted, chosen, &mut log);
                if let Some(entry) = local.entries.get_mut(entries) {
                    entry.is_first = entries == before;
                }
                if local.entries.len() > entries
                    && self.settle(thread, &mut local, entries, &mut log).is_err()
                {
                    continue;
                }
                let way = (not_taken || !predicted, local, log);
                match code.ends[pc as usize] || way.1.failure.is_some() {
                    true => next.push(way),
                    false => open.push(way),
                }
            }
        }
        next.sort_by_key(|(not_taken, ..)| *not_taken);
        next
    }

    fn ways_to_issue(&self, thread: ThreadId, local: &BoxedThread) -> Vec<(bool, Word)> {
        let code = self.code(thread);
        let unknown = |operand: &Operand| local.slot(*operand).known().is_none();
        match code.ops[local.pc as usize] {
            Op::Choose(_, count) => (0..Word::from(count)).map(|value| (true, value)).collect(),
            Op::Branch(..) if code.operands[local.pc as usize].iter().any(unknown) => {
                vec![(true, 0), (false, 0)]
            }
            _ => vec![(true, 0)],
        }
    }

    /// Issues the next operation. `predicted` is used for a branch whose
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
        match code.ops[pc as usize] {
            Op::End => unreachable!("a thread at its end issues nothing"),
            Op::Jump(target) => {
                local.pc = code.rest(target);
                return;
            }
            Op::Choose(target, _) => {
                local.registers[target.index()] = Slot::Known(chosen);
                log.add(span, || Event::Choose { value: chosen });
                local.pc = code.next(pc);
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
                local.pc = code.rest(next);
                entry.prediction = Some(Prediction {
                    taken,
                    registers: self.checkpoint(thread, local, code.rest(other)),
                });
                if known.is_none() {
                    log.add(span, || Event::Predict { taken });
                }
            }
            Op::Assign(target, _) => {
                local.registers[target.index()] = Slot::Waiting(local.entries.len() as u32);
                local.pc = code.next(pc);
            }
            Op::Access(access) => {
                if let Some(target) = access.target() {
                    local.registers[target.index()] = Slot::Waiting(local.entries.len() as u32);
                }
                local.pc = code.next(pc);
            }
            Op::Fence(_) | Op::Assert | Op::Assume => local.pc = code.next(pc),
        }
        local.entries.push(entry);
    }

    /// The registers as they are, less those that are dead at `pc`.
    fn checkpoint(&self, thread: ThreadId, local: &BoxedThread, pc: Pc) -> Vec<Slot> {
        let mut registers = local.registers.clone();
        if self.executable.plain {
            return registers;
        }
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
                if rules::overtaken(code, before).is_none() && !orderings.is_empty() {
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
                let target = code.rest(if taken { *then } else { *otherwise });
                self.decide(local, index, taken, target, span, log);
            }
            (Op::Assert, Some(operands)) if index == 0 && operands[0] != 0 => local.remove(0),
            (Op::Assert, Some(_)) if self.may_fail(thread, local, index) => {
                local.remove(0);
                local.fail(Failure::Assertion(span), log);
            }
            (Op::Assume, Some(operands)) if operands[0] != 0 => local.remove(index),
            // What went wrong before it counts.
            (Op::Assume, Some(_)) if index == 0 => return Err(Dropped),
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

    /// Settles what can be settled of the instruction of the entry at `index`; whether
    /// that was anything.
    pub(super) fn settle_instruction(
        &self,
        thread: ThreadId,
        local: &mut BoxedThread,
        index: usize,
        log: &mut Log,
    ) -> Result<bool, Dropped> {
        let is_first = |entry: &Entry| entry.is_first;
        let first = local.entries[..=index].iter().rposition(is_first);
        let first = first.unwrap_or(0);
        let next = local.entries[index + 1..].iter().position(is_first);
        let end = next.map_or(local.entries.len(), |next| index + 1 + next);
        // Entries that are settled leave the box, and others take their places.
        let mut left = end - first;
        let mut at = first;
        let mut any = false;
        while left > 0 && at < local.entries.len() {
            left -= 1;
            match self.settle(thread, local, at, log)? {
                true => any = true,
                false => at += 1,
            }
        }
        Ok(any)
    }

    /// Runs ahead, as far as that loses nothing.
    pub(super) fn run_ahead(
        &self,
        thread: ThreadId,
        local: BoxedThread,
        log: Log,
    ) -> Vec<(BoxedThread, Log)> {
        let watch = &self.executable.watches[thread.index()];
        let mut next = Vec::new();
        let mut open = vec![(local, log, LONGEST_RUN)];
        while let Some((mut local, log, left)) = open.pop() {
            let ways = if watch.every_step || left == 0 {
                Ok(Vec::new())
            } else if watch.is_nothing() {
                self.step_ahead(thread, &local, &log)
            } else {
                Ok(self.only_step(thread, &local, &log).into_iter().collect())
            };
            match ways {
                Ok(ways) if ways.is_empty() => {
                    self.normalise(thread, &mut local);
                    next.push((local, log));
                }
                Ok(ways) => {
                    let ways = ways.into_iter().rev();
                    open.extend(ways.map(|(local, log)| (local, log, left - 1)));
                }
                Err(Dropped) => {}
            }
        }
        next
    }

    /// What the one step that a watched thread can take comes to, if neither others nor
    /// properties see it.
    fn only_step(
        &self,
        thread: ThreadId,
        local: &BoxedThread,
        log: &Log,
    ) -> Option<(BoxedThread, Log)> {
        let mut local = local.clone();
        self.normalise(thread, &mut local);
        let mut actions = Vec::new();
        self.actions(thread, &local, &mut actions);
        let [action] = actions[..] else {
            return None;
        };
        let silent = action.effect == Effect::Silent;
        let mut ways = silent.then(|| self.stepped(thread, &local, action, 0, log).0)?;
        let (way, log) = ways.pop().filter(|_| ways.is_empty())?;
        (self.watched(thread, &way) == self.watched(thread, &local)).then_some((way, log))
    }

    /// What one step of the thread by itself can come to; nothing if it can take
    /// none. A choice is a step of its own, as in the store-buffer machine.
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
            let issued = self.issued(thread, local, log).into_iter();
            let issued: Vec<_> = issued.map(|(_, local, log)| (local, log)).collect();
            match issued.is_empty() {
                true => Err(Dropped),
                false => Ok(issued),
            }
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
        let plain = self.executable.plain;
        for register in code.dead[local.pc as usize].iter().filter(|_| !plain) {
            local.registers[register.index()] = Slot::Known(0);
        }
        if self.executable.watches[thread.index()].is_nothing() {
            // What can be settled is, so it does not matter what was issued together.
            local
                .entries
                .iter_mut()
                .for_each(|entry| entry.is_first = true);
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

    /// Entries that take up room.
    fn waiting(&self) -> usize {
        let entries = self.entries.iter();
        entries.filter(|entry| !entry.performed).count()
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
        let removed = self.entries.remove(index);
        if let Some(next) = self.entries.get_mut(index) {
            next.is_first |= removed.is_first;
        }
        for slot in self.slots() {
            if let Slot::Waiting(entry) = slot
                && *entry as usize > index
            {
                *entry -= 1;
            }
        }
    }
}
