//! The store-buffer machine: SC, TSO and PSO.
//!
//! A thread executes its instructions in program order. Under TSO and PSO its
//! stores wait in a buffer, and a load takes the newest waiting store of its
//! location, if any. TSO empties the buffer in order; PSO in any order that keeps
//! stores to one location in order. A fence that holds back both loads and stores waits until
//! the buffer is empty. Under PSO a fence may hold back one kind only; it leaves a *barrier*
//! in the buffer: `#StoreLoad` holds back loads until the stores before it are in memory,
//! `#StoreStore` holds back the stores behind it. The other two orderings hold anyway, since
//! loads are performed at once.
//!
//! A step is one instruction with all its operations, so a locked instruction is one. Only
//! an instruction with several accesses (`INC [x]`) takes several steps: each access but the
//! last ends one.
//!
//! An atomic read-modify-write counts as a load and a store: under TSO it waits
//! for the whole buffer, under PSO only for stores to its location and for barriers.
//!
//! What nobody sees (computing, branching, putting a store into the buffer, as far as
//! it is not [watched](crate::Executable::watches)) a thread does at once, as part of
//! the step before. That loses no behaviour: such a step stays possible and does the
//! same whatever others do in between, and whatever leaves the buffer.

use crate::code::{Access, AccessEffect, Code, Op, Pc};
use crate::processor::{Action, Effect, Failure, LONGEST_RUN, Log, Performed, Processor, Status};
use crate::{Cell, Executable};
use answer::{AccessEvent, Bound, CellsRerun, Event, MemoryAccess};
use memory::{Buffering, Model};
use program::{
    AccessKind, Address, Operand, Orderings, Position, RegisterId, Span, ThreadId, Word,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Orderings that hold without a barrier: a load is performed before the thread
/// goes on.
const AFTER_LOADS: Orderings = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);

/// The action of a thread itself; larger slots are entries of its buffer.
const STEP: u32 = 0;

/// Kinds of progress: the thread's next step; under TSO the oldest store reaching
/// memory; under PSO the oldest store to cell *n* doing so, as number 1 + *n*.
const STEP_PROGRESS: u32 = 0;
const DRAIN_PROGRESS: u32 = 1;

/// Threads with store buffers.
pub struct StoreBuffers {
    executable: Executable,
    model: Model,
    /// Most stores that a buffer holds.
    size: u32,
    full: AtomicBool,
}

/// A thread with its store buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BufferedThread {
    pc: Pc,
    registers: Vec<Word>,
    /// invariant: no barrier comes first, no two barriers are neighbours, and under
    /// PSO stores between barriers are sorted by location.
    buffer: Vec<Waiting>,
    failure: Option<Failure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Waiting {
    Store(Cell, Word),
    Barrier(Orderings),
}

/// How far an instruction was executed.
enum Stop {
    /// To its end.
    End,
    /// Up to an access, which is not executed yet.
    Access(Access),
    /// Up to a choice among this many values.
    Choice(RegisterId, u32),
    /// Up to a fence that waits for stores.
    Fence,
    /// The thread has ended or failed.
    Over,
    /// The execution does not count.
    Dropped,
}

/// What became of running ahead by one instruction.
enum Ran {
    On,
    Stopped,
    /// The execution does not count.
    Dropped,
}

impl StoreBuffers {
    /// The machine for `model`, with buffers of at most `size` stores.
    ///
    /// # Panics
    /// If store buffers cannot express the model ([`Buffering::is_of_stores`]).
    pub fn new(executable: Executable, model: Model, size: u32) -> Self {
        assert!(model.row().buffering.is_of_stores());
        StoreBuffers {
            executable,
            model,
            size,
            full: AtomicBool::new(false),
        }
    }

    fn code(&self, thread: ThreadId) -> &Code {
        &self.executable.threads[thread.index()]
    }

    fn buffering(&self) -> Buffering {
        self.model.row().buffering
    }

    /// The cell that the access at the thread's control touches, or its bad address.
    fn cell(&self, thread: ThreadId, local: &BufferedThread, access: Access) -> Result<Cell, Word> {
        let address = local.operands(self.code(thread))[0];
        self.executable
            .cells
            .resolve(address, access.width)
            .ok_or(address)
    }

    fn has_room(&self, local: &BufferedThread) -> bool {
        let room = local.waiting_stores() < self.size as usize;
        if !room {
            self.full.store(true, Ordering::Relaxed);
        }
        room
    }

    /// Whether the access may be performed now, as far as the buffer is concerned.
    fn may_access(&self, local: &BufferedThread, kind: AccessKind, cell: Cell) -> bool {
        local.buffer.iter().all(|waiting| match *waiting {
            Waiting::Barrier(orderings) => !orderings.orders(AccessKind::STORE, kind),
            Waiting::Store(location, _) => {
                !kind.store || (self.buffering() == Buffering::PerLocation && location != cell)
            }
        })
    }

    /// Whether a fence with these orderings has to wait for stores in the buffer.
    fn must_wait(&self, local: &BufferedThread, orderings: Orderings) -> bool {
        let both = Orderings::STORE_LOAD.union(Orderings::STORE_STORE);
        let effective = self.model.effective(orderings);
        let holds_back = effective.union(self.model.row().keeps);
        effective.contains(Orderings::STORE_LOAD)
            && holds_back.contains(both)
            && local.waiting_stores() > 0
    }

    /// Executes the instruction at the thread's control as far as it touches neither
    /// memory nor the buffer's stores.
    fn execute(&self, thread: ThreadId, local: &mut BufferedThread, log: &mut Log) -> Stop {
        let code = self.code(thread);
        loop {
            let pc = local.pc as usize;
            let span = code.spans[pc];
            match code.ops[pc] {
                _ if local.failure.is_some() => return Stop::Over,
                Op::End => return Stop::Over,
                Op::Access(access) => return Stop::Access(access),
                Op::Choose(target, count) => return Stop::Choice(target, count),
                Op::Jump(target) => {
                    local.pc = code.rest(target);
                    return Stop::End;
                }
                Op::Branch(then, otherwise) => {
                    let taken = local.operands(code)[0] != 0;
                    local.pc = code.rest(if taken { then } else { otherwise });
                    log.add(span, || Event::Branch { taken });
                    return Stop::End;
                }
                Op::Assign(target, value) => {
                    let width = code.widths[target.index()];
                    let value = value.evaluate(&local.operands(code), width);
                    local.registers[target.index()] = value;
                    log.add(span, || Event::Compute { value });
                }
                Op::Fence(orderings) if self.must_wait(local, orderings) => return Stop::Fence,
                Op::Fence(orderings) => self.pass_fence(local, orderings, span, log),
                Op::Assert if local.operands(code)[0] == 0 => {
                    local.fail(Failure::Assertion(span), log);
                    return Stop::Over;
                }
                Op::Assume if local.operands(code)[0] == 0 => return Stop::Dropped,
                Op::Assert | Op::Assume => {}
            }
            local.pc = code.next(local.pc);
            if code.ends[pc] {
                return Stop::End;
            }
        }
    }

    fn pass_fence(
        &self,
        local: &mut BufferedThread,
        orderings: Orderings,
        span: Span,
        log: &mut Log,
    ) {
        let barrier = self.model.effective(orderings).minus(AFTER_LOADS);
        if !barrier.is_empty() && local.waiting_stores() > 0 {
            local.buffer.push(Waiting::Barrier(barrier));
            log.add(span, || Event::FenceWaits(barrier));
        } else if !orderings.is_empty() {
            log.add(span, || Event::Fence(orderings));
        }
    }

    /// Executes the rest of an instruction whose access at `pc` has been executed, as
    /// far as no other access and no fence holds it up.
    fn finish(&self, thread: ThreadId, local: &mut BufferedThread, pc: Pc, log: &mut Log) {
        if local.failure.is_none() && !self.code(thread).ends[pc as usize] {
            self.execute(thread, local, log);
        }
    }

    /// Puts the store at the thread's control into the buffer, and finishes its
    /// instruction; false if it has to wait or failed.
    fn buffer_store(
        &self,
        thread: ThreadId,
        local: &mut BufferedThread,
        access: Access,
        log: &mut Log,
    ) -> bool {
        let code = self.code(thread);
        let span = code.spans[local.pc as usize];
        match self.cell(thread, local, access) {
            Err(address) => {
                local.fail(Failure::BadAccess(span, address), log);
                false
            }
            Ok(_) if !self.has_room(local) => false,
            Ok(cell) => {
                let value = access.width.truncate(local.operands(code)[1]);
                local.buffer.push(Waiting::Store(cell, value));
                let location = self.executable.cells.address(cell);
                log.add(span, || stored(AccessEvent::Buffer, location, value));
                let pc = local.pc;
                local.pc = code.next(pc);
                self.finish(thread, local, pc, log);
                true
            }
        }
    }

    /// Executes one instruction if neither other threads nor properties see that.
    /// Otherwise executes as much of it as they do not see; false then.
    fn run_one(&self, thread: ThreadId, local: &mut BufferedThread, log: &mut Log) -> Ran {
        let watch = &self.executable.watches[thread.index()];
        let (mut trial, mut trial_log) = (local.clone(), log.clone());
        let ran = match self.execute(thread, &mut trial, &mut trial_log) {
            Stop::End => Ran::On,
            Stop::Access(access)
                if access.effect == AccessEffect::Store
                    && self.buffering() != Buffering::None
                    && self.has_room(&trial) =>
            {
                self.buffer_store(thread, &mut trial, access, &mut trial_log);
                Ran::On
            }
            Stop::Dropped => return Ran::Dropped,
            Stop::Access(_) | Stop::Choice(..) | Stop::Fence | Stop::Over => Ran::Stopped,
        };
        if watch.is_nothing() || self.watched(thread, local) == self.watched(thread, &trial) {
            (*local, *log) = (trial, trial_log);
            ran
        } else {
            Ran::Stopped
        }
    }

    /// Runs a thread ahead through what nobody sees, and brings its state into the
    /// one form that equal states have.
    ///
    /// The thread stops before a choice: a loop with choices that nobody sees would
    /// have too many ways.
    fn run_ahead(
        &self,
        thread: ThreadId,
        mut local: BufferedThread,
        mut log: Log,
    ) -> Option<(BufferedThread, Log)> {
        if self.executable.plain {
            local.tidy_buffer(false);
            return Some((local, log));
        }
        let every_step = self.executable.watches[thread.index()].every_step;
        let steps = if every_step { 0 } else { LONGEST_RUN };
        for _ in 0..steps {
            match self.run_one(thread, &mut local, &mut log) {
                Ran::On if local.failure.is_none() => {}
                Ran::On | Ran::Stopped => break,
                Ran::Dropped => return None,
            }
        }
        self.normalise(thread, &mut local);
        Some((local, log))
    }

    fn normalise(&self, thread: ThreadId, local: &mut BufferedThread) {
        let code = self.code(thread);
        for register in &code.dead[local.pc as usize] {
            local.registers[register.index()] = 0;
        }
        local.tidy_buffer(self.buffering() == Buffering::PerLocation);
    }

    /// What the thread's next step does to memory; `None` if it has to wait.
    fn step_action(&self, thread: ThreadId, local: &BufferedThread) -> Option<Effect> {
        let code = self.code(thread);
        let mut local = local.clone();
        let access = match self.execute(thread, &mut local, &mut Log::new(thread, false)) {
            Stop::Access(access) => access,
            Stop::Fence => return None,
            Stop::Over if code.is_end(local.pc) => return None,
            Stop::End | Stop::Choice(..) | Stop::Over | Stop::Dropped => {
                return Some(Effect::Silent);
            }
        };
        let Ok(cell) = self.cell(thread, &local, access) else {
            return Some(Effect::Silent);
        };
        match access.effect {
            AccessEffect::Store if self.buffering() == Buffering::None => {
                let value = access.width.truncate(local.operands(code)[1]);
                Some(Effect::Write(cell, value))
            }
            AccessEffect::Store => self.has_room(&local).then_some(Effect::Silent),
            _ if !self.may_access(&local, access.kind(), cell) => None,
            AccessEffect::Load(_) => Some(match local.newest(cell) {
                Some(_) => Effect::Silent,
                None => Effect::Read(cell),
            }),
            AccessEffect::Update(..) | AccessEffect::CompareExchange(_) => {
                Some(Effect::Update(cell))
            }
        }
    }

    /// Takes the thread's next step. Returns its possible next states and what an update
    /// wrote.
    fn step(
        &self,
        thread: ThreadId,
        mut local: BufferedThread,
        seen: Word,
        mut log: Log,
    ) -> Performed<BufferedThread> {
        let mut written = None;
        let next = match self.execute(thread, &mut local, &mut log) {
            Stop::End | Stop::Over | Stop::Fence => vec![(local, log)],
            Stop::Dropped => Vec::new(),
            Stop::Access(access) => {
                if access.effect == AccessEffect::Store && self.buffering() != Buffering::None {
                    self.buffer_store(thread, &mut local, access, &mut log);
                } else {
                    written = self.perform_access(thread, &mut local, access, seen, &mut log);
                    written = written.filter(|_| access.kind().load);
                }
                vec![(local, log)]
            }
            Stop::Choice(target, count) => {
                let span = self.code(thread).spans[local.pc as usize];
                local.pc = self.code(thread).next(local.pc);
                let way = |value| {
                    let (mut way, mut log) = (local.clone(), log.clone());
                    way.registers[target.index()] = value;
                    log.add(span, || Event::Choose { value });
                    (way, log)
                };
                (0..Word::from(count)).map(way).collect()
            }
        };
        let next = next.into_iter();
        Performed {
            next: next
                .filter_map(|(local, log)| self.run_ahead(thread, local, log))
                .collect(),
            written,
        }
    }

    /// The access at the thread's control, performed on a value seen in memory or
    /// in the buffer.
    fn perform_access(
        &self,
        thread: ThreadId,
        local: &mut BufferedThread,
        access: Access,
        seen: Word,
        log: &mut Log,
    ) -> Option<Word> {
        let code = self.code(thread);
        let span = code.spans[local.pc as usize];
        let cell = match self.cell(thread, local, access) {
            Ok(cell) => cell,
            Err(address) => {
                local.fail(Failure::BadAccess(span, address), log);
                return None;
            }
        };
        let operands = local.operands(code);
        let location = self.executable.cells.address(cell);
        let forwarded = local.newest(cell);
        let old = forwarded.unwrap_or(seen);
        let written = access.written(old, &operands);
        if let Some(target) = access.target() {
            local.registers[target.index()] = old;
        }
        log.add(span, || {
            access.event(location, old, forwarded.is_some(), written)
        });
        let pc = local.pc;
        local.pc = code.next(pc);
        self.finish(thread, local, pc, log);
        written
    }
}

impl Processor for StoreBuffers {
    type Local = BufferedThread;

    fn executable(&self) -> &Executable {
        &self.executable
    }

    fn recorded(&self) -> CellsRerun {
        CellsRerun {
            model: self.model,
            boxes: false,
            size: (self.size != u32::MAX).then_some(self.size),
            starts: Vec::new(),
            choices: Vec::new(),
            repeats_from: None,
        }
    }

    fn name(&self) -> &'static str {
        "store buffers"
    }

    fn start(&self, thread: ThreadId, logging: bool) -> Vec<(BufferedThread, Log)> {
        let local = BufferedThread {
            pc: self.code(thread).rest(0),
            registers: self.code(thread).initial.clone(),
            buffer: Vec::new(),
            failure: None,
        };
        let first = self.run_ahead(thread, local, Log::new(thread, logging));
        first.into_iter().collect()
    }

    fn actions(&self, thread: ThreadId, local: &BufferedThread, actions: &mut Vec<Action>) {
        if local.failure.is_some() {
            return;
        }
        if let Some(effect) = self.step_action(thread, local) {
            actions.push(Action {
                effect,
                slot: STEP,
                progress: Some(STEP_PROGRESS),
            });
        }
        let per_place = self.buffering() == Buffering::PerLocation;
        for (index, waiting) in local.buffer.iter().enumerate() {
            match *waiting {
                Waiting::Barrier(orderings) if orderings.contains(Orderings::STORE_STORE) => break,
                Waiting::Barrier(_) => {}
                Waiting::Store(cell, value) => {
                    if !local.buffer[..index]
                        .iter()
                        .any(|earlier| earlier.is_store_to(cell))
                    {
                        let queue = if per_place { cell.0 } else { 0 };
                        actions.push(Action {
                            effect: Effect::Write(cell, value),
                            slot: STEP + 1 + index as u32,
                            progress: Some(DRAIN_PROGRESS + queue),
                        });
                    }
                    if !per_place {
                        break;
                    }
                }
            }
        }
    }

    fn perform(
        &self,
        thread: ThreadId,
        local: &BufferedThread,
        action: Action,
        seen: Word,
        logging: bool,
    ) -> Performed<BufferedThread> {
        let mut local = local.clone();
        let mut log = Log::new(thread, logging);
        if action.slot == STEP {
            return self.step(thread, local, seen, log);
        }
        let index = (action.slot - STEP - 1) as usize;
        if let Waiting::Store(cell, value) = local.buffer.remove(index) {
            let location = self.executable.cells.address(cell);
            // The buffer does not know which instruction this was; linking the steps finds out.
            log.add(Span::NOWHERE, || {
                stored(AccessEvent::Commit, location, value)
            });
        }
        let next = self.run_ahead(thread, local, log);
        Performed {
            next: next.into_iter().collect(),
            written: None,
        }
    }

    fn status(&self, thread: ThreadId, local: &BufferedThread) -> Status {
        match local.failure {
            Some(failure) => Status::Failed(failure),
            None if self.code(thread).is_end(local.pc) && local.waiting_stores() == 0 => {
                Status::Finished
            }
            None => Status::Running,
        }
    }

    fn register(&self, local: &BufferedThread, register: RegisterId) -> Option<Word> {
        Some(local.registers[register.index()])
    }

    fn at(&self, thread: ThreadId, local: &BufferedThread, position: &Position) -> bool {
        self.code(thread).is_at(local.pc, position)
    }

    fn bound_reached(&self) -> Option<Bound> {
        self.full
            .load(Ordering::Relaxed)
            .then_some(Bound::StoreBuffer(self.size))
    }
}

impl Waiting {
    fn is_store_to(self, cell: Cell) -> bool {
        matches!(self, Waiting::Store(location, _) if location == cell)
    }
}

impl BufferedThread {
    /// Values of the operands of the operation at the thread's control.
    fn operands(&self, code: &Code) -> Vec<Word> {
        let value = |operand: &Operand| match *operand {
            Operand::Register(register) => self.registers[register.index()],
            Operand::Constant(word) => word,
            Operand::Address(address) => address.to_word(),
        };
        code.operands[self.pc as usize].iter().map(value).collect()
    }

    fn fail(&mut self, failure: Failure, log: &mut Log) {
        self.failure = Some(failure);
        let (span, event) = failure.event();
        log.add(span, || event);
    }

    fn waiting_stores(&self) -> usize {
        let stores = self.buffer.iter();
        stores
            .filter(|waiting| matches!(waiting, Waiting::Store(..)))
            .count()
    }

    /// The newest waiting store to a location.
    fn newest(&self, cell: Cell) -> Option<Word> {
        self.buffer.iter().rev().find_map(|waiting| match *waiting {
            Waiting::Store(location, value) if location == cell => Some(value),
            _ => None,
        })
    }

    fn tidy_buffer(&mut self, per_place: bool) {
        let mut tidy: Vec<Waiting> = Vec::with_capacity(self.buffer.len());
        for waiting in self.buffer.drain(..) {
            match (waiting, tidy.last_mut()) {
                (Waiting::Barrier(_), None) => {}
                (Waiting::Barrier(new), Some(Waiting::Barrier(last))) => *last = last.union(new),
                _ => tidy.push(waiting),
            }
        }
        if per_place {
            for segment in tidy.split_mut(|waiting| matches!(waiting, Waiting::Barrier(_))) {
                segment.sort_by_key(|waiting| match *waiting {
                    Waiting::Store(cell, _) => cell,
                    Waiting::Barrier(_) => Cell(0),
                });
            }
        }
        self.buffer = tidy;
    }
}

fn stored(kind: AccessEvent, location: Address, value: Word) -> Event {
    Event::Access(MemoryAccess::of_cell(kind, location, value, None))
}
