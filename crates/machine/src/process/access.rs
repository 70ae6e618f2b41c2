//! Loads, stores and read-modify-writes: which of them others can notice, and what
//! becomes of them.

use super::StoreMode;
use super::acts::{Accumulation, Bytes, bytes};
use super::buffer::Pending;
use super::image::{Access, Op, Pc, Slot};
use super::memory::{Block, BlockId, Life, Location, Origin};
use super::races::Looked;
use super::thread::Seen;
use super::value::Value;
use super::{End, Process, Run};
use ::memory::Buffering;
use answer::{AccessEvent, Event, Fault, FaultKind};
use program::{Address, MemoryOrder, Span, ThreadId, UpdateOp, Width, Word};
use std::sync::Arc;

/// An access at most this many bytes before an object was meant for it.
const FAR: u64 = 4096;

/// The operands of the access at a thread's program counter.
pub(super) struct Operation {
    pub op: Op,
    pub at: Location,
    pub access: Access,
    pub writes: bool,
    pub reads: bool,
}

impl Process<'_> {
    /// Does the access at `pc` if nobody else can notice; false if the thread must stop. An
    /// access to an object whose life is over stops as well, because another thread may have
    /// ended it: where steps begin must not depend on others.
    pub(super) fn access_ahead(&mut self, id: ThreadId, pc: Pc) -> Run<bool> {
        let operation = match self.operation(id, pc) {
            // Where a local was, another one may be, or nothing.
            Err(fault)
                if matches!(fault.kind, FaultKind::Dangling | FaultKind::Wild)
                    && !self.is_direct(id) =>
            {
                return Ok(false);
            }
            operation => operation?,
        };
        if !self.goes_unnoticed(id, &operation) {
            return Ok(false);
        }
        self.access(id, pc, &operation, 0)?;
        Ok(true)
    }

    /// The address, size and order of an access, and whether it reads and writes.
    fn operands(&self, op: Op) -> (Slot, Access, bool, bool) {
        match op {
            Op::Load(_, address, access) => (address, access, true, false),
            Op::Store(address, _, access) => (address, access, false, true),
            Op::Update(_, _, address, _, access) => (address, access, true, true),
            Op::Exchange(number) => {
                let exchange = &self.image.exchanges[number as usize];
                (exchange.address, exchange.access, true, true)
            }
            _ => unreachable!("only accesses come here"),
        }
    }

    /// The access at `pc`, its location checked.
    pub(super) fn operation(&self, id: ThreadId, pc: Pc) -> Run<Operation> {
        let op = self.image.ops[pc as usize];
        let (address, access, reads, writes) = self.operands(op);
        let at = self.location(id, address, access, reads, writes)?;
        Ok(Operation {
            op,
            at,
            access,
            writes,
            reads,
        })
    }

    /// Notes what the access at `pc` would have touched, which is wrong: whatever made it
    /// wrong (the end of the object) comes before it.
    pub(super) fn act_on_fault(&mut self, id: ThreadId, pc: Pc) {
        let Some(part) = self.extent(id, pc) else {
            return;
        };
        if let (.., true, true) = self.operands(self.image.ops[pc as usize])
            && let Some(after) = self.after_own_stores(part)
        {
            self.act(id, after);
        }
        self.act_on_address(id, part.address, part.size);
    }

    /// What the access at `pc` touches, whether or not it still may.
    pub(super) fn extent(&self, id: ThreadId, pc: Pc) -> Option<Bytes> {
        let (address, access, ..) = self.operands(self.image.ops[pc as usize]);
        let address = self.value(id, address);
        (address.is_defined() && address.word >= Bytes::FIRST).then_some(Bytes {
            address: address.word,
            size: access.size.into(),
            order: access.order,
        })
    }

    /// Where an access goes, checked. A store that waits in the store buffer may go to an
    /// object whose life is over: that is wrong once the store leaves the buffer.
    fn location(
        &self,
        id: ThreadId,
        address: Slot,
        access: Access,
        reads: bool,
        writes: bool,
    ) -> Run<Location> {
        let (size, alignment) = (access.size.into(), access.alignment);
        let word = self.decide(id, address, "an address")?;
        let at = match self.check(word, size, writes) {
            Err(fault) if !reads => {
                let at = match fault.kind {
                    FaultKind::Dangling => self.memory.locate(word),
                    FaultKind::Wild => self.memory.locate_ended_local(word),
                    _ => None,
                };
                let waits = |at: &Location| {
                    self.limits.store_mode == StoreMode::Buffered && !self.is_straight(id, at.block)
                };
                at.filter(waits).ok_or(fault)?
            }
            at => at?,
        };
        if word & ((1 << alignment) - 1) != 0 {
            let wanted = 1u64 << alignment;
            let location = self.name_of(word);
            let message =
                format!("an access to {location}, whose address is not a multiple of {wanted}");
            return Err(Box::new(Fault::new(FaultKind::Misaligned, message)));
        }
        Ok(at)
    }

    /// Where an access of `size` bytes to an address goes, or what is wrong with it.
    pub(super) fn check(&self, word: Word, size: u64, writes: bool) -> Run<Location> {
        self.memory.check(word, size, writes).map_err(|mut fault| {
            let name = self.object_name(word);
            fault.message = fault.message.replacen("{}", &name, 1);
            self.just_before(word, size, writes).map_or(fault, Box::new)
        })
    }

    /// The fault of an access a little before an object, which is not about the one before.
    fn just_before(&self, word: Word, size: u64, writes: bool) -> Option<Fault> {
        let start = (word | ((1 << Address::OFFSET_BITS) - 1)).checked_add(1)?;
        let distance = start - word;
        let block = self.memory.block(self.memory.locate(start)?.block)?;
        if distance > FAR || block.bytes.life != Life::Alive {
            return None;
        }
        let what = if writes { "write" } else { "read" };
        let name = self.object_name(start);
        let message = format!("{what} of {size} bytes, {distance} bytes before {name}");
        let fault = Fault::new(FaultKind::Bounds, message);
        Some(fault.with(block.made_at, "made here"))
    }

    /// True if the block can only be reached by this thread, or never changes.
    pub(super) fn is_private(&self, id: ThreadId, block: BlockId) -> bool {
        let block = self.memory.block(block);
        block.is_some_and(|block| {
            block.kind == program::ObjectKind::Constant
                || self.limits.private && block.bytes.private_to == Some(id)
        })
    }

    /// True for the load of a constant, which to all engines is as good as a literal.
    fn loads_constant(&self, operation: &Operation) -> bool {
        let block = self.memory.block(operation.at.block);
        let constant = |block: &Block| block.kind == program::ObjectKind::Constant;
        operation.reads && !operation.writes && block.is_some_and(constant)
    }

    /// True if the block is one of the compiler's, such as the arguments of a call: no pointer
    /// to it gets anywhere.
    fn is_temporary(&self, block: BlockId) -> bool {
        let origin = self.memory.block(block).map(|block| block.origin);
        !self.limits.plain
            && matches!(origin, Some(Origin::Local(local)) if self.image.locals[local as usize].temporary)
    }

    /// True if other threads cannot notice when the access happens.
    fn goes_unnoticed(&self, id: ThreadId, operation: &Operation) -> bool {
        let weak = |number: u32| self.image.exchanges[number as usize].weak;
        if self.limits.plain || matches!(operation.op, Op::Exchange(number) if weak(number)) {
            return self.loads_constant(operation);
        }
        if self.is_direct(id) {
            return true;
        }
        let private = self.is_private(id, operation.at.block);
        if operation.reads && operation.writes {
            // A read-modify-write also waits for earlier stores: whether there are any is chance.
            let chance = self.limits.traced && self.image.buffering() != Buffering::None;
            return private && !chance && self.threads[id.index()].buffer.is_empty();
        }
        if operation.reads {
            let fenced = self.threads[id.index()].buffer.fenced;
            return private && (!fenced || self.loads_constant(operation));
        }
        match self.buffering() {
            Buffering::None => private,
            Buffering::PerThread if private => true,
            _ => !self.is_full(id),
        }
    }

    /// True if a store of the thread to a block reaches memory at once under the model.
    fn is_straight(&self, id: ThreadId, block: BlockId) -> bool {
        let private = || self.is_private(id, block);
        match self.image.buffering() {
            Buffering::None => true,
            _ if self.is_direct(id)
                || self.section_owner == Some(id)
                || self.is_temporary(block) =>
            {
                true
            }
            buffering => buffering == Buffering::PerThread && private(),
        }
    }

    /// True if nobody else can reach a block by the time that a store of the thread to it is in memory.
    pub(super) fn is_hidden(&self, id: ThreadId, block: BlockId) -> bool {
        self.is_straight(id, block) && (self.is_private(id, block) || self.is_temporary(block))
    }

    fn is_full(&self, id: ThreadId) -> bool {
        let entries = self.threads[id.index()].buffer.entries.len();
        self.limits
            .buffer
            .is_some_and(|most| entries >= most as usize)
    }

    /// True if there is room for a store of a thread.
    pub(super) fn has_room(&mut self, id: ThreadId) -> bool {
        let full = self.buffering() != Buffering::None && self.is_full(id);
        self.buffer_full |= full;
        !full
    }

    /// True if the read-modify-write at `pc` may happen now: the own stores that it comes after have
    /// left the buffer. Whether its object is still there makes no difference.
    pub(super) fn is_update_enabled(&self, id: ThreadId, pc: Pc) -> bool {
        let buffer = &self.threads[id.index()].buffer;
        if self.buffering() != Buffering::PerLocation || buffer.is_empty() {
            return buffer.is_empty();
        }
        let located = self.extent(id, pc).and_then(|part| {
            let word = part.address;
            let at = self.memory.locate(word);
            let at = at.or_else(|| self.memory.locate_ended_local(word));
            at.map(|at| (at, part.size.into()))
        });
        let overlaps = |entry: &Pending| located.is_some_and(|(at, size)| entry.overlaps(at, size));
        let mut entries = buffer.entries.iter();
        buffer.held == 0 && entries.all(|entry| entry.epoch == buffer.epoch && !overlaps(entry))
    }

    /// Does an access, and goes on behind it. `choice` 1 is a weak exchange that fails for
    /// no reason.
    pub(super) fn access(
        &mut self,
        id: ThreadId,
        pc: Pc,
        operation: &Operation,
        choice: u32,
    ) -> Run<()> {
        let span = self.image.span(pc);
        let at = operation.at;
        self.notice_escape(id, at.block);
        match operation.op {
            Op::Load(target, ..) => {
                let value = self.load(id, span, at, operation.access)?;
                self.set(id, target, value);
            }
            Op::Store(_, value, access) => {
                let value = self.value(id, value).truncate(width(access.size));
                self.store(id, span, at, access, value)?;
            }
            Op::Update(update, target, _, operand, access) => {
                let width = width(access.size);
                let operand = self.value(id, operand).truncate(width);
                let old = self.memory.read(at, access.size.into());
                let kind = self.accumulation(id, pc, update, at, access, operand);
                let new = match old.undefined | operand.undefined {
                    0 => Value::new(update.apply(width, old.word, operand.word)),
                    _ if update == program::UpdateOp::Exchange => operand,
                    _ => Value::UNDEFINED.truncate(width),
                };
                if let Some(kind) = kind {
                    self.accumulate(id, span, at, access, kind, old, new);
                    // Where nothing depends on a register it is the same in all orders.
                    self.set(id, target, Value::new(0));
                } else {
                    self.modify(id, span, at, access, access.order, old, Some(new))?;
                    self.set(id, target, old);
                }
            }
            Op::Exchange(number) => {
                let exchange = self.image.exchanges[number as usize];
                let access = exchange.access;
                let width = width(access.size);
                let expected = self.value(id, exchange.expected).truncate(width);
                let desired = self.value(id, exchange.desired).truncate(width);
                let old = self.memory.read(at, access.size.into());
                if old.undefined | expected.undefined != 0 {
                    self.act_read(id, at, access.size.into(), access.order);
                    let message = "a compare-and-exchange depends on an uninitialised value";
                    return Err(Box::new(Fault::new(FaultKind::Uninitialised, message)));
                }
                let succeeds = old.word == expected.word && choice == 0;
                let order = match succeeds {
                    true => access.order,
                    false => exchange.failure,
                };
                if choice != 0 {
                    let thread = &mut self.threads[id.index()];
                    match self.limits.cut_repeats {
                        true => thread.spurious += 1,
                        false => thread.changes += 1,
                    }
                }
                self.modify(
                    id,
                    span,
                    at,
                    access,
                    order,
                    old,
                    succeeds.then_some(desired),
                )?;
                self.set(id, exchange.target, old);
                if let Some(succeeded) = exchange.succeeded {
                    self.set(id, succeeded, Value::new(succeeds.into()));
                }
            }
            _ => {}
        }
        self.next(id);
        Ok(())
    }

    /// Reads memory as the thread sees it.
    pub(super) fn peek(&self, id: ThreadId, at: Location, size: u32) -> (Value, bool) {
        let value = self.memory.read(at, size);
        let buffer = &self.threads[id.index()].buffer;
        match buffer.is_empty() {
            true => (value, false),
            false => buffer.forward(at, size, value),
        }
    }

    fn load(&mut self, id: ThreadId, span: Span, at: Location, access: Access) -> Run<Value> {
        let size = u32::from(access.size);
        let (value, forwarded) = self.peek(id, at, size);
        self.note_finish(at, access.size, value);
        self.see(id, at, access.size, value);
        // What is touched is noted before it may turn out to be a race.
        self.act_read(id, at, size, access.order);
        self.races_look(id, looked(at, access, false, access.order, span))?;
        if !forwarded {
            self.races_read(id, at, access.order);
        }
        if self.is_private(id, at.block) {
            return Ok(value);
        }
        let kind = if forwarded {
            AccessEvent::Forward
        } else {
            AccessEvent::Load
        };
        self.note(id, span, |process| {
            process.access_event(kind, at, size, value, None)
        });
        Ok(value)
    }

    /// Remembers what an iteration of a loop read.
    fn see(&mut self, id: ThreadId, at: Location, size: u8, value: Value) {
        let thread = &mut self.threads[id.index()];
        if !thread.iterations.is_empty() {
            thread.seen.push(Seen { at, size, value });
        }
    }

    /// Writes memory, or the store buffer.
    pub(super) fn store(
        &mut self,
        id: ThreadId,
        span: Span,
        at: Location,
        access: Access,
        value: Value,
    ) -> Run<()> {
        let size = u32::from(access.size);
        let private = self.is_private(id, at.block);
        let straight = self.is_straight(id, at.block);
        match straight {
            true => self.act_write(id, at, size, access.order),
            false if self.limits.store_mode == StoreMode::Immediate => {
                self.act_store(id, at, size, access.order, private)
            }
            false => {}
        }
        self.races_look(id, looked(at, access, true, access.order, span))?;
        let release = self.races_issue(id, access.order);
        // That a store happened can be observed, even if the value was there already, unless
        // nobody else can reach the location by the time that the store is in memory.
        let hidden = straight && (private || self.is_temporary(at.block));
        if !hidden || self.peek(id, at, size).0 != value {
            let thread = &mut self.threads[id.index()];
            match hidden && self.limits.cut_repeats && thread.is_recording() {
                true => thread
                    .dirty
                    .push((at.block.base() + at.offset, access.size)),
                false => thread.changes += 1,
            }
        }
        self.pass_on(id, at.block, access.size, value);
        let event = |kind| move |process: &Self| process.access_event(kind, at, size, value, None);
        if straight || self.limits.store_mode == StoreMode::Immediate {
            self.memory.write(at, size, value);
            self.races_commit(at, release);
            self.note(id, span, event(AccessEvent::Commit));
            return Ok(());
        }
        let number = self.act_buffer(id, at, size, access.order);
        let buffer = &mut self.threads[id.index()].buffer;
        let epoch = buffer.epoch;
        buffer.entries.push(Pending {
            number,
            at,
            size: access.size,
            value,
            epoch,
            order: access.order,
            span,
            release,
            lapsed: false,
        });
        self.note(id, span, event(AccessEvent::Buffer));
        Ok(())
    }

    /// Reads and perhaps writes memory in one step.
    #[allow(clippy::too_many_arguments)]
    fn modify(
        &mut self,
        id: ThreadId,
        span: Span,
        at: Location,
        access: Access,
        order: MemoryOrder,
        old: Value,
        new: Option<Value>,
    ) -> Run<()> {
        let size = u32::from(access.size);
        self.finishing = None;
        if let Some(after) = self.after_own_stores(bytes(at, size, order)) {
            self.act(id, after);
        }
        self.act_read(id, at, size, order);
        if new.is_some() {
            self.act_write(id, at, size, order);
        }
        self.races_look(id, looked(at, access, new.is_some(), order, span))?;
        self.races_modify(id, at, order, new.is_some());
        self.see(id, at, access.size, old);
        if let Some(new) = new {
            if new != old {
                self.threads[id.index()].changes += 1;
            }
            self.pass_on(id, at.block, access.size, new);
            self.memory.write(at, size, new);
        }
        self.note(id, span, |process| {
            process.access_event(AccessEvent::Update, at, size, old, new)
        });
        Ok(())
    }

    /// The kind of a read-modify-write that commutes with others of it. That depends on the thread's own state only: not on
    /// the value in memory. What writes back what it read is left to [`iterations`](super::iterations), and what could
    /// make an address of another one is not trusted.
    fn accumulation(
        &self,
        id: ThreadId,
        pc: Pc,
        update: UpdateOp,
        at: Location,
        access: Access,
        operand: Value,
    ) -> Option<Accumulation> {
        let small = (operand.word as i64).unsigned_abs() < 1 << 20;
        let commutes = self.limits.commuting.updates
            && self.image.is_result_unused(pc)
            && operand.is_defined()
            && operand.word != 0
            && (access.size < 8 || small)
            && !self.is_private(id, at.block);
        Accumulation::of(update).filter(|_| commutes)
    }

    /// Reads and writes memory in one step that commutes with others of its kind.
    #[allow(clippy::too_many_arguments)]
    fn accumulate(
        &mut self,
        id: ThreadId,
        span: Span,
        at: Location,
        access: Access,
        kind: Accumulation,
        old: Value,
        new: Value,
    ) {
        let size = u32::from(access.size);
        if let Some(after) = self.after_own_stores(bytes(at, size, access.order)) {
            self.act(id, after);
        }
        self.act_accumulate(id, at, size, access.order, kind);
        // Whether it changes anything may depend on who came before.
        self.threads[id.index()].changes += 1;
        self.pass_on(id, at.block, access.size, new);
        self.memory.write(at, size, new);
        self.note(id, span, |process| {
            process.access_event(AccessEvent::Update, at, size, old, Some(new))
        });
    }

    /// The entry of this index leaves a thread's store buffer.
    pub(super) fn commit(&mut self, id: ThreadId, index: usize) {
        let traced = self.limits.traced;
        let buffer = &mut self.threads[id.index()].buffer;
        let entry = buffer.remove(index);
        buffer.fenced &= traced || buffer.held > 0;
        let (at, size) = (entry.at, u32::from(entry.size));
        let life = self.memory.block(at.block).map(|block| block.bytes.life);
        let there = life == Some(Life::Alive);
        self.act_commit(id, &entry, there);
        if entry.lapsed {
            return;
        }
        if !there {
            let fault = self.check(at.block.base() + at.offset, size.into(), true);
            if let Err(mut fault) = fault {
                fault.message += " before this store left the store buffer";
                self.note(id, entry.span, |_| Event::Fault(fault.message.clone()));
                self.strays.push(End::Fault(id, entry.span, fault));
            }
            self.keep_stray(id, entry);
            return;
        }
        self.memory.write(at, size, entry.value);
        self.races_commit(at, entry.release.clone());
        self.note(id, entry.span, |process| {
            process.access_event(AccessEvent::Commit, at, size, entry.value, None)
        });
    }

    /// Called when a thread ends the life of an object: its own stores to the object that are still in its store buffer
    /// have no effect, since no thread may read them any more. The thread does not wait for them. Where traces are
    /// built they still leave the buffer: a step must not disable another one.
    pub(super) fn lapse(&mut self, id: ThreadId, block: BlockId) {
        let buffer = &mut self.threads[id.index()].buffer;
        match self.limits.traced {
            true => buffer.lapse(block),
            false => buffer.forget(block),
        }
    }

    /// A thread that joined the last of the others has nobody left who could see when its stores
    /// reach memory: they do so now. What it does from here on is then direct, whether they had
    /// left the buffer before or not.
    pub(super) fn flush_if_solo(&mut self, id: ThreadId) {
        while !self.threads[id.index()].buffer.is_empty() && self.is_solo(id) {
            self.commit(id, 0);
        }
    }

    /// An object private to another thread is reached by this one.
    pub(super) fn notice_escape(&mut self, id: ThreadId, block: BlockId) {
        if self.limits.private {
            let owner = self
                .memory
                .block(block)
                .and_then(|block| block.bytes.private_to);
            self.escaped |= owner.is_some_and(|owner| owner != id);
        }
    }

    /// Makes a new object private to its thread only if that is asked for.
    pub(super) fn make_private(&mut self, id: ThreadId, address: Word) {
        if !self.limits.private {
            self.publish(address);
        }
        self.threads[id.index()].changes += 1;
    }

    /// A value written to a block may be an address: then what it points to can be reached
    /// by whoever reaches the block.
    fn pass_on(&mut self, id: ThreadId, block: BlockId, size: u8, value: Value) {
        if size == 8 && !self.is_private(id, block) {
            self.publish(value.word);
        }
    }

    /// The object at an address, and all that can be reached from it, is private no more.
    pub(super) fn publish(&mut self, word: Word) {
        if word >> 20 == 0 {
            return;
        }
        let mut words = vec![word];
        while let Some(word) = words.pop() {
            let Some(at) = self.memory.locate_tagged(word) else {
                continue;
            };
            let private = |block: &super::memory::Block| block.bytes.private_to.is_some();
            if !self.memory.block(at.block).is_some_and(private) {
                continue;
            }
            let Some(block) = self.memory.block_mut(at.block) else {
                continue;
            };
            let bytes = Arc::make_mut(&mut block.bytes);
            bytes.private_to = None;
            words.extend(bytes.words());
            // Stores to it that still wait hold addresses as well.
            for thread in &self.threads {
                let waiting = thread.buffer.entries.iter();
                let inside = waiting.filter(|entry| entry.at.block == at.block);
                words.extend(inside.map(|entry| entry.value.word));
            }
        }
    }
}

/// The width of an access of this many bytes.
pub(super) fn width(size: u8) -> Width {
    super::memory::width_of(size.into())
}

fn looked(at: Location, access: Access, writes: bool, order: MemoryOrder, span: Span) -> Looked {
    Looked {
        at,
        size: access.size.into(),
        writes,
        order,
        span,
    }
}
