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
//! 2. What nobody sees (issuing, computing, deciding a branch, retiring a fence) is done
//!    at once, if the thread is not [watched](crate::Executable::watches). Doing it early
//!    only adds choices. Each of these is a step of its own where a property could tell.
//! 3. A fence leaves the box when nothing that it orders is before it any more,
//!    not only when it is the oldest entry.
//! 4. An instruction that does not touch memory and whose operands are known when it
//!    is issued leaves the box at once, so it takes up no entry.
//! 5. Wrong accesses and failed assertions count only as the oldest entry, where
//!    nothing is speculation any more, and no store of any thread is a bet any more.
//! 6. Instructions of assembly languages may be several operations. They are issued
//!    together, if the box has room for all of them or is empty; what does not touch
//!    memory is settled together, and with the access that it waited for.
//!
//! A register is unknown from the step in which an instruction that writes it is issued to
//! the step that gives it a value. A box of *n* entries can do all that smaller ones do, in
//! the same states: room only matters for whether the next instruction may be issued, which
//! is never forced.

mod ahead;
mod entry;
mod rules;

use crate::code::{AccessEffect, Code, Op, Pc};
use crate::processor::{Action, Effect, Failure, Log, Performed, Processor, Status};
use crate::{Cell, Executable};
use ahead::Dropped;
use answer::{Bound, CellsRerun};
use entry::{Entry, Slot};
use memory::Model;
use program::{Position, RegisterId, ThreadId, Word};
use std::sync::atomic::{AtomicBool, Ordering};

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

impl ReorderBoxes {
    /// The machine for `model`, with boxes of at most `size` entries.
    ///
    /// # Panics
    /// If the model has no machine.
    pub fn new(executable: Executable, model: Model, size: u32) -> Self {
        assert!(model.has_machine());
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

    /// What the entry at `index` may do now, if it is an access.
    fn effect(&self, thread: ThreadId, local: &BoxedThread, index: usize) -> Option<Effect> {
        let code = self.code(thread);
        let entry = &local.entries[index];
        let Op::Access(access) = code.ops[entry.pc as usize] else {
            return None;
        };
        let operands = entry.words().filter(|_| !entry.performed)?;
        let Some(cell) = self.executable.cells.resolve(operands[0], access.width) else {
            return self
                .may_fail(thread, local, index)
                .then_some(Effect::Silent);
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

    /// Whether what is wrong with the entry at `index` counts: it is the oldest, and others have seen no store of the thread
    /// that is a bet. Such bets are decided sooner or later, since nothing undecided comes before a store that was performed.
    fn may_fail(&self, thread: ThreadId, local: &BoxedThread, index: usize) -> bool {
        index == 0 && !rules::has_bets(self.code(thread), &local.entries, |kind| kind.store)
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
        let location = cells.address(cell);
        let ahead_of = rules::overtaken(code, &local.entries[..index]);
        let speculative = rules::is_speculative(code, &local.entries[..index]);
        log.add_out_of_order(span, ahead_of, speculative, || {
            access.event(location, old, forwarded.is_some(), written)
        });
        local.entries[index].performed = true;
        if access.target().is_some() {
            self.give(thread, local, index, old)?;
        }
        self.settle_instruction(thread, local, index, log)?;
        Ok(written.filter(|_| access.kind().load))
    }

    /// Does `action`, and nothing else. Returns the thread's possible next states and
    /// what an update wrote.
    fn stepped(
        &self,
        thread: ThreadId,
        local: &BoxedThread,
        action: Action,
        seen: Word,
        log: &Log,
    ) -> (Vec<(BoxedThread, Log)>, Option<Word>) {
        if matches!(action.slot, ISSUE | ISSUE_NOT_TAKEN) {
            let wanted = action.slot == ISSUE_NOT_TAKEN;
            let ways = self.issued(thread, local, log).into_iter();
            let ways = ways.filter(|(not_taken, ..)| *not_taken == wanted);
            return (ways.map(|(_, local, log)| (local, log)).collect(), None);
        }
        let index = action.slot as usize;
        let (mut local, mut log) = (local.clone(), log.clone());
        let op = &self.code(thread).ops[local.entries[index].pc as usize];
        let written = if matches!(op, Op::Access(_)) {
            self.perform_access(thread, &mut local, index, seen, &mut log)
        } else {
            let settled = self.settle_instruction(thread, &mut local, index, &mut log);
            settled.map(|_| None)
        };
        match written {
            Ok(written) => (vec![(local, log)], written),
            Err(Dropped) => (Vec::new(), None),
        }
    }
}

impl Processor for ReorderBoxes {
    type Local = BoxedThread;

    fn executable(&self) -> &Executable {
        &self.executable
    }

    fn recorded(&self) -> CellsRerun {
        CellsRerun {
            model: self.model,
            boxes: true,
            size: (self.size != u32::MAX).then_some(self.size),
            starts: Vec::new(),
            choices: Vec::new(),
            repeats_from: None,
        }
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
            pc: self.code(thread).rest(0),
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
            let log = &mut Log::new(thread, false);
            !matches!(
                self.settle(thread, &mut local.clone(), index, log),
                Ok(false)
            )
        };
        // The first operation of an instruction that can be settled stands for all.
        let mut listed = false;
        for (index, entry) in local.entries.iter().enumerate() {
            listed &= !entry.is_first;
            let effect = self.effect(thread, local, index);
            let effect = effect.or_else(|| {
                let settles = !listed && settled(index);
                listed |= settles;
                settles.then_some(Effect::Silent)
            });
            if let Some(effect) = effect {
                actions.push(Action {
                    effect,
                    slot: index as u32,
                    progress: (Some(index) == oldest).then_some(OLDEST_PROGRESS),
                });
            }
        }
        if self.may_issue(thread, local) {
            let ways = self.issued(thread, local, &Log::new(thread, false));
            let predict = ways.iter().any(|(not_taken, ..)| *not_taken);
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
        let log = Log::new(thread, logging);
        let (stepped, written) = self.stepped(thread, local, action, seen, &log);
        let next = stepped.into_iter();
        let next = next.flat_map(|(local, log)| self.run_ahead(thread, local, log));
        Performed {
            next: next.collect(),
            written,
        }
    }

    fn status(&self, thread: ThreadId, local: &BoxedThread) -> Status {
        match local.failure {
            Some(failure) => Status::Failed(failure),
            None if local.entries.is_empty() && self.code(thread).is_end(local.pc) => {
                Status::Finished
            }
            None => Status::Running,
        }
    }

    fn is_betting(&self, thread: ThreadId, local: &BoxedThread) -> bool {
        // What a thread loads only itself knows, unless its registers are watched.
        let watched = !self.executable.watches[thread.index()].is_nothing();
        rules::has_bets(self.code(thread), &local.entries, |kind| {
            kind.store || watched
        })
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
        let passed =
            |entry: &&Entry| entry.performed || rules::may_be_delayed(self.model, code, entry.pc);
        let first = local.entries.iter().find(|entry| !passed(entry));
        code.is_at(first.map_or(local.pc, |entry| entry.pc), position)
    }

    fn bound_reached(&self) -> Option<Bound> {
        self.full
            .load(Ordering::Relaxed)
            .then_some(Bound::ReorderBox(self.size))
    }
}

/// The cell that an access of the box touches, if its address is known and good.
fn cell_of(cells: &crate::Cells, code: &Code, entry: &Entry) -> Option<Cell> {
    match code.ops[entry.pc as usize] {
        Op::Access(access) => cells.resolve(entry.word(0)?, access.width),
        _ => None,
    }
}
