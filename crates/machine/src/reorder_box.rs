//! The reorder-box machine of Park and Dill (*An Executable Specification and
//! Verifier for Relaxed Memory Order*, IEEE Transactions on Computers 48(2), 1999),
//! driven by the rows of the model table: RMO, and the stronger models as well.
//!
//! A thread issues its instructions in program order into its reorder box.
//! Registers are renamed: an operand is a value or the entry that will give it.
//! A branch whose condition is not known yet is predicted, either way; if the
//! prediction proves wrong, registers and control go back to what they were and
//! everything behind the branch is cancelled. Any access may be performed that
//! the rules (see the `memory` crate) let be first among those in the box.
//!
//! Deviations from the paper:
//!
//! 1. Addresses may be computed (the paper's are constants). An access may be
//!    performed while an earlier address is unknown; the machine *bets* that the
//!    two differ. It keeps the performed access in the box until the earlier
//!    address is known, and drops the execution if the bet is lost, since the
//!    rules then forbid the order that was taken.
//! 2. Instructions that other threads cannot see (issuing, computing, deciding a
//!    branch, retiring a fence) are carried out at once by a thread that is not
//!    [watched](crate::Executable::watched). Doing them early only adds choices.
//! 3. A fence leaves the box when nothing that it orders is before it any more,
//!    not only when it is the oldest entry.
//! 4. An instruction whose operands are known when it is issued and which does not
//!    touch memory does not take up an entry (of threads that are not watched).
//! 5. Wrong accesses and failed assertions count only as the oldest entry, where
//!    nothing is speculation any more.

mod entry;
mod rules;

use crate::code::{AccessEffect, Code, Op, Pc};
use crate::processor::{Action, Effect, Failure, Log, Performed, Processor, Status};
use crate::{Cell, Executable};
use entry::{Entry, Prediction, Slot};
use memory::Model;
use program::{Bound, Event, Operand, Position, RegisterId, ThreadId, Word};
use std::sync::atomic::{AtomicBool, Ordering};

/// As in the store-buffer machine.
const LONGEST_RUN: usize = 1000;

/// The action that issues the next instruction, predicting a branch taken, and the
/// one that predicts it not taken; other slots are entries of the box.
const ISSUE: u32 = u32::MAX;
const ISSUE_NOT_TAKEN: u32 = u32::MAX - 1;

/// Kinds of progress: the oldest entry of the box is performed; the thread issues.
const OLDEST_PROGRESS: u32 = 0;
const ISSUE_PROGRESS: u32 = 1;

/// Threads with reorder boxes.
pub struct ReorderBoxes {
    executable: Executable,
    model: Model,
    /// Most entries that a box holds.
    size: u32,
    full: AtomicBool,
}

/// A thread with its reorder box.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoxedThread {
    /// The next instruction to issue.
    pc: Pc,
    registers: Vec<Slot>,
    /// In program order.
    /// invariant: a performed entry is one that an earlier unknown address bets on.
    entries: Vec<Entry>,
    failure: Option<Failure>,
}

/// The execution does not count: an assumption failed or a bet was lost.
struct Dropped;

impl ReorderBoxes {
    /// The machine for `model`, with boxes of at most `size` entries.
    pub fn new(executable: Executable, model: Model, size: u32) -> Self {
        ReorderBoxes {
            executable,
            model,
            size,
            full: AtomicBool::new(false),
        }
    }

    fn code(&self, thread: ThreadId) -> &Code {
        &self.executable.threads[thread.index()]
    }

    /// Whether the thread may issue its next instruction.
    fn may_issue(&self, thread: ThreadId, local: &BoxedThread) -> bool {
        if local.failure.is_some() || matches!(self.code(thread).ops[local.pc as usize], Op::End) {
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
    fn must_predict(&self, thread: ThreadId, local: &BoxedThread) -> bool {
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
                if let (AccessEffect::Store, Some(address), Some(value)) =
                    (access.effect, entry.word(0), entry.word(1))
                    && let Some(cell) = self.executable.cells.resolve(address, access.width)
                {
                    let place = self.executable.cells.address(cell);
                    let value = access.width.truncate(value);
                    log.add(span, || Event::Buffer { place, value });
                }
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
    fn settle(
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
                log.add(span, || Event::Fence(*orderings));
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
    fn give(
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
        span: program::Span,
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

    /// Settles and issues until only accesses are left to perform.
    fn run_ahead(&self, thread: ThreadId, local: BoxedThread, log: Log) -> Vec<(BoxedThread, Log)> {
        let ahead = if self.executable.watched[thread.index()] {
            0
        } else {
            LONGEST_RUN
        };
        self.run(thread, local, log, ahead)
    }

    fn run(
        &self,
        thread: ThreadId,
        local: BoxedThread,
        log: Log,
        steps: usize,
    ) -> Vec<(BoxedThread, Log)> {
        let mut next = Vec::new();
        let mut open = vec![(local, log, steps)];
        'ways: while let Some((mut local, mut log, mut left)) = open.pop() {
            while left > 0 && local.failure.is_none() {
                left -= 1;
                match self.settle_any(thread, &mut local, &mut log) {
                    Err(Dropped) => continue 'ways,
                    Ok(true) => continue,
                    Ok(false) => {}
                }
                if !self.may_issue(thread, &local) {
                    break;
                }
                let ways = self.ways_to_issue(thread, &local);
                for (predicted, chosen) in ways.into_iter().rev() {
                    let (mut local, mut log) = (local.clone(), log.clone());
                    self.issue(thread, &mut local, predicted, chosen, &mut log);
                    open.push((local, log, left));
                }
                continue 'ways;
            }
            self.normalise(thread, &mut local);
            next.push((local, log));
        }
        next
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
        if !self.executable.watched[thread.index()] {
            local.pc = code.past_jumps(local.pc);
        }
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

    /// What the entry at `index` may do now, if it is an access.
    fn effect(&self, thread: ThreadId, local: &BoxedThread, index: usize) -> Option<Effect> {
        let code = self.code(thread);
        let entry = &local.entries[index];
        let Op::Access(access) = code.ops[entry.pc as usize] else {
            return None;
        };
        let operands = entry.words().filter(|_| !entry.performed)?;
        let Some(cell) = self.executable.cells.resolve(operands[0], access.width) else {
            return (index == 0).then_some(Effect::Silent);
        };
        let cells = &self.executable.cells;
        let source = rules::may_perform(self.model, cells, code, &local.entries, index, cell)?;
        Some(match access.effect {
            AccessEffect::Load(_) if source.is_some() => Effect::Silent,
            AccessEffect::Load(_) => Effect::Read(cell),
            AccessEffect::Store => Effect::Write(cell, access.width.truncate(operands[1])),
            AccessEffect::Update(..) | AccessEffect::CompareExchange(_) => Effect::Update(cell),
        })
    }

    /// Performs the access at `index`. Returns what an update wrote.
    fn perform_access(
        &self,
        thread: ThreadId,
        local: &mut BoxedThread,
        index: usize,
        seen: Word,
        log: &mut Log,
    ) -> Result<Option<Word>, Dropped> {
        let code = self.code(thread);
        let cells = &self.executable.cells;
        let entry = &local.entries[index];
        let span = code.spans[entry.pc as usize];
        let (Op::Access(access), Some(operands)) =
            (code.ops[entry.pc as usize].clone(), entry.words())
        else {
            unreachable!("only an access with known operands is performed");
        };
        let Some(cell) = cells.resolve(operands[0], access.width) else {
            local.fail(Failure::BadAccess(span, operands[0]), log);
            return Ok(None);
        };
        let source = rules::may_perform(self.model, cells, code, &local.entries, index, cell);
        let forwarded = source.flatten();
        let old = forwarded.unwrap_or(seen);
        let written = access.written(old, &operands);
        let place = cells.address(cell);
        log.add(span, || match access.effect {
            AccessEffect::Load(_) if forwarded.is_some() => Event::Forward { place, value: old },
            AccessEffect::Load(_) => Event::Load { place, value: old },
            AccessEffect::Store => Event::Commit {
                place,
                value: written.unwrap_or_default(),
            },
            _ => Event::Update {
                place,
                old,
                new: written,
            },
        });
        local.entries[index].performed = true;
        if access.target().is_some() {
            self.give(thread, local, index, old)?;
        }
        Ok(written.filter(|_| access.kind().load))
    }
}

impl Processor for ReorderBoxes {
    type Local = BoxedThread;

    fn executable(&self) -> &Executable {
        &self.executable
    }

    fn name(&self) -> &'static str {
        "reorder boxes"
    }

    fn start(&self, thread: ThreadId, logging: bool) -> Vec<(BoxedThread, Log)> {
        let registers = self
            .code(thread)
            .initial
            .iter()
            .map(|value| Slot::Known(*value));
        let local = BoxedThread {
            pc: 0,
            registers: registers.collect(),
            entries: Vec::new(),
            failure: None,
        };
        self.run_ahead(thread, local, Log::new(thread, logging))
    }

    fn actions(&self, thread: ThreadId, local: &BoxedThread, actions: &mut Vec<Action>) {
        if local.failure.is_some() {
            return;
        }
        let oldest = local.entries.iter().position(|entry| !entry.performed);
        let settled = |index: usize| {
            let mut trial = local.clone();
            let log = &mut Log::new(thread, false);
            !matches!(self.settle(thread, &mut trial, index, log), Ok(false))
        };
        for index in 0..local.entries.len() {
            let effect = self.effect(thread, local, index);
            if let Some(effect) = effect.or_else(|| settled(index).then_some(Effect::Silent)) {
                actions.push(Action {
                    effect,
                    slot: index as u32,
                    progress: (Some(index) == oldest).then_some(OLDEST_PROGRESS),
                });
            }
        }
        if self.may_issue(thread, local) {
            let predict = self.must_predict(thread, local);
            let slots = [Some(ISSUE), predict.then_some(ISSUE_NOT_TAKEN)];
            actions.extend(slots.into_iter().flatten().map(|slot| Action {
                effect: Effect::Silent,
                slot,
                progress: Some(ISSUE_PROGRESS),
            }));
        }
    }

    fn perform(
        &self,
        thread: ThreadId,
        local: &BoxedThread,
        action: Action,
        seen: Word,
        logging: bool,
    ) -> Performed<BoxedThread> {
        let mut log = Log::new(thread, logging);
        if matches!(action.slot, ISSUE | ISSUE_NOT_TAKEN) {
            let ways = self.ways_to_issue(thread, local);
            let wanted = |way: &(bool, Word)| way.0 == (action.slot == ISSUE);
            let mut next = Vec::new();
            for (predicted, chosen) in ways.into_iter().filter(wanted) {
                let (mut local, mut log) = (local.clone(), log.clone());
                self.issue(thread, &mut local, predicted, chosen, &mut log);
                next.extend(self.run_ahead(thread, local, log));
            }
            return Performed {
                next,
                written: None,
            };
        }
        let index = action.slot as usize;
        let mut local = local.clone();
        let is_access = matches!(
            self.code(thread).ops[local.entries[index].pc as usize],
            Op::Access(_)
        );
        let written = if is_access {
            self.perform_access(thread, &mut local, index, seen, &mut log)
        } else {
            let settled = self.settle(thread, &mut local, index, &mut log);
            settled.map(|_| None)
        };
        let Ok(written) = written else {
            return Performed {
                next: Vec::new(),
                written: None,
            };
        };
        Performed {
            next: self.run_ahead(thread, local, log),
            written,
        }
    }

    fn status(&self, thread: ThreadId, local: &BoxedThread) -> Status {
        match local.failure {
            Some(failure) => Status::Failed(failure),
            None if local.entries.is_empty()
                && matches!(self.code(thread).ops[local.pc as usize], Op::End) =>
            {
                Status::Finished
            }
            None => Status::Running,
        }
    }

    fn register(&self, local: &BoxedThread, register: RegisterId) -> Option<Word> {
        let predictions = local
            .entries
            .iter()
            .filter_map(|entry| entry.prediction.as_ref());
        let registers = predictions
            .map(|prediction| &prediction.registers)
            .next()
            .unwrap_or(&local.registers);
        registers[register.index()].known()
    }

    fn at(&self, thread: ThreadId, local: &BoxedThread, position: &Position) -> bool {
        let code = self.code(thread);
        let delayed = |entry: &&Entry| {
            entry.performed || rules::may_be_delayed(self.model, &code.ops[entry.pc as usize])
        };
        let first = local.entries.iter().find(|entry| !delayed(entry));
        let pc = first.map_or(local.pc, |entry| entry.pc);
        match position {
            Position::Label(block, _) => pc == code.starts[block.index()],
            Position::End => matches!(code.ops[pc as usize], Op::End),
        }
    }

    fn bound_reached(&self) -> Option<Bound> {
        self.full
            .load(Ordering::Relaxed)
            .then_some(Bound::ReorderBox(self.size))
    }
}

impl BoxedThread {
    /// What an operand is now.
    fn slot(&self, operand: Operand) -> Slot {
        match operand {
            Operand::Register(register) => self.registers[register.index()],
            Operand::Constant(word) => Slot::Known(word),
            Operand::Address(address) => Slot::Known(address.to_word()),
        }
    }

    fn fail(&mut self, failure: Failure, log: &mut Log) {
        self.failure = Some(failure);
        let (span, event) = failure.event();
        log.add(span, || event);
    }

    /// Every place where an entry may be waited for.
    fn slots(&mut self) -> impl Iterator<Item = &mut Slot> {
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
    fn remove(&mut self, index: usize) {
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

/// The cell that an access of the box touches, if its address is known and good.
fn cell_of(cells: &crate::Cells, code: &Code, entry: &Entry) -> Option<Cell> {
    match code.ops[entry.pc as usize] {
        Op::Access(access) => cells.resolve(entry.word(0)?, access.width),
        _ => None,
    }
}
