//! What a step did that another thread could notice, for those who build traces of it.

use super::Process;
use super::buffer::Pending;
use super::image::Op;
use super::memory::{BlockId, Location};
use super::thread::Seen;
use ::memory::Buffering;
use program::{Footprint, MemoryOrder, Orderings, Span, ThreadId, UpdateOp, Word};

/// Something that happened in a step, in the order in which it happened. Accesses to what only
/// one thread can reach are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Act {
    /// Whose.
    pub thread: ThreadId,
    /// Where in the source.
    pub span: Span,
    /// What.
    pub kind: ActKind,
}

impl Act {
    /// Makes a read one that only finds misuse.
    pub(super) fn look(&mut self) {
        if let ActKind::Read(bytes, source) = self.kind {
            self.kind = ActKind::Look(bytes, source);
        }
    }
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActKind {
    /// These bytes were read: from memory, or from the thread's own store of this number, which
    /// is still in its store buffer.
    Read(Bytes, Option<u32>),
    /// The same, but only to find misuse: it waits for no fence, as implementations load nothing there.
    Look(Bytes, Option<u32>),
    /// These bytes were written to memory at once.
    Write(Bytes),
    /// These bytes were written to memory at once by a store that the model lets wait.
    Store(Bytes),
    /// The same, of something that only this thread could reach so far.
    Prepare(Bytes),
    /// A store was put into the store buffer; a thread's stores are numbered from 0.
    Buffer(Bytes, u32),
    /// The store of this number reached memory from the store buffer.
    Commit(Bytes, u32),
    /// The store of this number left the store buffer after its thread had ended the life of the object. No thread
    /// can observe whether it left before that: it conflicts with what [`ActKind::Commit`] would have conflicted with.
    Lapse(Bytes, u32),
    /// The store of this number left the store buffer after another thread had ended the life of the object, which is
    /// an error. It writes nothing, and conflicts with that end as a read does.
    Stray(Bytes, u32),
    /// These bytes were read and written at once by an operation that commutes with others of its kind, and of which nothing
    /// depends on what it read.
    Accumulate(Bytes, Accumulation),
    /// The thread leaves a barrier, after all arrivals of its round. These are the bytes that arrivals accumulate into.
    Pass(Bytes),
    /// A change that is no access, such as the end of an object's life. It waits for no store.
    Change(Bytes),
    /// The step waits for the StoreLoad fences before it, as a load does.
    AfterFence,
    /// A fence, as far as the model needs it: later loads (StoreLoad), later stores (StoreStore)
    /// wait for the stores before it.
    Fence(Orderings),
    /// Something that can only happen with an empty store buffer, such as a
    /// read-modify-write under TSO.
    Drain,
    /// Something that can only happen once the thread's own stores to these bytes, and those
    /// before a StoreStore fence, are in memory: a read-modify-write under PSO.
    Settle(Bytes),
    /// A thread was started.
    Start(ThreadId),
    /// A thread that had ended was joined.
    Join(ThreadId),
    /// A thread that waits on a condition variable or at a barrier may go on.
    Wake(ThreadId),
}

/// Read-modify-writes that commute: two of one kind leave the same value in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accumulation {
    /// Sums and differences.
    Sum,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The largest, signed.
    Max,
    /// The smallest, signed.
    Min,
    /// The largest, unsigned.
    Umax,
    /// The smallest, unsigned.
    Umin,
    /// Arrivals at a barrier for this many threads.
    Arrivals(u32),
    /// Writes to what nobody reads ([`Limits::unread`](super::Limits)).
    Unread,
}

impl Accumulation {
    /// The kind of a read-modify-write, if it commutes with others of some kind. Floating-point sums do not.
    pub(super) fn of(update: UpdateOp) -> Option<Self> {
        Some(match update {
            UpdateOp::Add | UpdateOp::Sub => Accumulation::Sum,
            UpdateOp::And => Accumulation::And,
            UpdateOp::Or => Accumulation::Or,
            UpdateOp::Xor => Accumulation::Xor,
            UpdateOp::Max => Accumulation::Max,
            UpdateOp::Min => Accumulation::Min,
            UpdateOp::Umax => Accumulation::Umax,
            UpdateOp::Umin => Accumulation::Umin,
            UpdateOp::Exchange
            | UpdateOp::Nand
            | UpdateOp::Fadd
            | UpdateOp::Fsub
            | UpdateOp::Fmax
            | UpdateOp::Fmin
            | UpdateOp::IncrementWrap
            | UpdateOp::DecrementWrap
            | UpdateOp::SubIf
            | UpdateOp::SubSaturating => return None,
        })
    }
}

/// A stretch of memory. Things that are no memory but of which order matters (who waits on a
/// condition variable, what was observed) have addresses below [`Bytes::FIRST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The first.
    pub address: Word,
    /// How many.
    pub size: u32,
    /// Atomic or not, and how ordered.
    pub order: MemoryOrder,
}

impl Bytes {
    /// Addresses of memory start here.
    pub const FIRST: Word = 1 << 20;
}

/// What is no memory, but of which order matters.
pub(super) enum PseudoLocation {
    /// How many threads there are.
    Threads,
    /// How many keys there are.
    Keys,
    /// Whether the key of this number is there.
    Key(u32),
    /// Whether a thread has ended, and who may join it.
    Thread(ThreadId),
    /// Whether somebody woke a thread that may also go on by itself.
    Woken(ThreadId),
    /// Where `strtok` goes on.
    Token,
    /// Who waits on the condition variable at this address.
    Condition(Word),
    /// Which threads are in a wait that locks the mutex at this address again, or have not left the barrier there.
    Waiters(Word),
    /// What was observed under the name of this number.
    Observation(u32),
}

impl PseudoLocation {
    fn bytes(self) -> Bytes {
        let address = match self {
            PseudoLocation::Threads => 8,
            PseudoLocation::Keys => 16,
            PseudoLocation::Token => 24,
            PseudoLocation::Observation(number) => 0x10000 + 8 * (Word::from(number) % 0x10000),
            // Numbers that share an address are in conflict more often than they have to be.
            PseudoLocation::Key(number) => 0xa0000 + 8 * (Word::from(number) % 0x2000),
            PseudoLocation::Thread(id) => 0xb0000 + 8 * (Word::from(id.0) % 0x4000),
            PseudoLocation::Woken(id) => 0xd0000 + 8 * (Word::from(id.0) % 0x4000),
            PseudoLocation::Waiters(mutex) => 0xf0000 + 8 * (mutex / 8 % 0x2000),
            PseudoLocation::Condition(address) => address,
        };
        Bytes {
            address,
            size: 4,
            order: MemoryOrder::Plain,
        }
    }
}

/// What decides whether a thread can go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitsFor {
    /// Addresses and sizes.
    pub bytes: Vec<(Word, u32)>,
    /// Whether it can shows only once it has tried.
    pub tries: bool,
    /// Whether it then reads and writes, rather than reads.
    pub updates: bool,
    /// An assumption may fail behind what it reads.
    pub assumes: bool,
    /// Which of its own stores have to be in memory first: what its step will tell.
    pub after: Option<ActKind>,
}

impl Process<'_> {
    /// What steps did since the last call.
    pub fn take_acts(&mut self) -> Vec<Act> {
        std::mem::take(&mut self.acts)
    }

    /// What steps did since they were last forgotten.
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// Forgets what steps did.
    pub fn forget_acts(&mut self) {
        self.acts.clear();
    }

    /// Notes what a thread did, if traces are built.
    pub(super) fn act(&mut self, thread: ThreadId, kind: ActKind) {
        if self.limits.traced {
            self.act_at(thread, self.span_of(thread), kind);
        }
    }

    /// The same for a known position in the source.
    pub(super) fn act_at(&mut self, thread: ThreadId, span: Span, kind: ActKind) {
        if self.limits.traced {
            self.acts.push(Act { thread, span, kind });
        }
    }

    /// True if what the thread does now is to be noted. What a thread does alone is ordered anyway, but may read what nobody
    /// was expected to.
    fn is_traced(&self, thread: ThreadId) -> bool {
        self.limits.traced
            && !self.dry_run
            && !(self.limits.unread.is_empty() && self.is_solo(thread))
    }

    /// Notes that bytes were read, each from memory or from the thread's own store buffer.
    pub(super) fn act_read(&mut self, id: ThreadId, at: Location, size: u32, order: MemoryOrder) {
        if self.is_private(id, at.block) || !self.is_traced(id) {
            return;
        }
        if self.threads[id.index()].buffer.is_empty() {
            self.act(id, ActKind::Read(bytes(at, size, order), None));
            return;
        }
        let mut start = 0;
        while start < size {
            let source = |byte: u32| {
                let offset = at.offset + u64::from(byte);
                let buffer = &self.threads[id.index()].buffer;
                buffer.source(Location { offset, ..at })
            };
            let from = source(start);
            let end = (start + 1..size).find(|byte| source(*byte) != from);
            let end = end.unwrap_or(size);
            let offset = at.offset + u64::from(start);
            let part = bytes(Location { offset, ..at }, end - start, order);
            self.act(id, ActKind::Read(part, from));
            start = end;
        }
    }

    /// Notes that bytes were written to memory at once.
    pub(super) fn act_write(&mut self, id: ThreadId, at: Location, size: u32, order: MemoryOrder) {
        if !self.is_private(id, at.block) && self.is_traced(id) {
            self.act(id, ActKind::Write(bytes(at, size, order)));
        }
    }

    /// Notes that bytes were read and written at once by something that commutes with others of its kind.
    pub(super) fn act_accumulate(
        &mut self,
        id: ThreadId,
        at: Location,
        size: u32,
        order: MemoryOrder,
        kind: Accumulation,
    ) {
        if self.is_traced(id) {
            self.act(id, ActKind::Accumulate(bytes(at, size, order), kind));
        }
    }

    /// Notes that bytes were written to memory at once by a store that the model lets wait.
    pub(super) fn act_store(
        &mut self,
        id: ThreadId,
        at: Location,
        size: u32,
        order: MemoryOrder,
        private: bool,
    ) {
        let part = bytes(at, size, order);
        self.act(
            id,
            match private {
                true => ActKind::Prepare(part),
                false => ActKind::Store(part),
            },
        );
    }

    /// Notes that a store went into the store buffer; its number.
    pub(super) fn act_buffer(
        &mut self,
        id: ThreadId,
        at: Location,
        size: u32,
        order: MemoryOrder,
    ) -> u32 {
        if !self.limits.traced {
            return 0;
        }
        let number = self.threads[id.index()].issued;
        self.threads[id.index()].issued += 1;
        self.act(id, ActKind::Buffer(bytes(at, size, order), number));
        number
    }

    /// Notes that a store left the store buffer; `there` is false if its object has ended.
    pub(super) fn act_commit(&mut self, id: ThreadId, entry: &Pending, there: bool) {
        if self.limits.traced {
            let part = bytes(entry.at, entry.size.into(), entry.order);
            self.acts.push(Act {
                thread: id,
                span: entry.span,
                kind: match (entry.lapsed, there) {
                    (true, _) => ActKind::Lapse(part, entry.number),
                    (false, true) => ActKind::Commit(part, entry.number),
                    (false, false) => ActKind::Stray(part, entry.number),
                },
            });
        }
    }

    /// Notes that a whole object came to its end.
    pub(super) fn act_on_object(&mut self, id: ThreadId, block: BlockId, size: u64) {
        if self.is_traced(id) {
            let at = Location { block, offset: 0 };
            let part = bytes(at, size.max(1) as u32, MemoryOrder::Plain);
            self.act(id, ActKind::Change(part));
        }
    }

    /// Notes that something at an address would have been used, had it still been there.
    pub(super) fn act_on_address(&mut self, id: ThreadId, address: Word, size: u32) {
        if self.is_traced(id) && address >= Bytes::FIRST {
            let part = Bytes {
                address,
                size,
                order: MemoryOrder::Plain,
            };
            self.act(id, ActKind::Read(part, None));
        }
    }

    /// Notes that a thread leaves a barrier that counts arrivals at this address.
    pub(super) fn act_passage(&mut self, id: ThreadId, count: Word) {
        if let Some(at) = self.memory.locate(count)
            && self.is_traced(id)
        {
            self.act(id, ActKind::Pass(bytes(at, 4, MemoryOrder::Plain)));
        }
    }

    /// Notes a use of what is no memory.
    pub(super) fn act_on(&mut self, id: ThreadId, location: PseudoLocation, writes: bool) {
        if self.is_traced(id) {
            let part = location.bytes();
            let kind = if writes {
                ActKind::Change(part)
            } else {
                ActKind::Read(part, None)
            };
            self.act(id, kind);
        }
    }

    /// Notes that a thread looked whether what it awaits has changed.
    pub(super) fn act_on_awaited(&mut self, id: ThreadId) {
        if self.limits.traced {
            for seen in self.threads[id.index()].awaiting.clone() {
                self.act_read(id, seen.at, seen.size.into(), MemoryOrder::Relaxed);
            }
        }
    }

    /// What a thread does that looks at memory again.
    pub fn looks(&self, thread: ThreadId, seen: &[Seen]) -> Vec<Act> {
        let span = self.span_of(thread);
        let read = |seen: &Seen| Act {
            thread,
            span,
            kind: ActKind::Read(bytes(seen.at, seen.size.into(), MemoryOrder::Relaxed), None),
        };
        seen.iter().map(read).collect()
    }

    /// What decides whether a thread that stopped can go on, if others can change it back and
    /// forth.
    pub fn waits_for(&mut self, id: ThreadId) -> Option<WaitsFor> {
        let op = self.next_op(id)?;
        let thread = &self.threads[id.index()];
        let pc = thread.frame()?.pc;
        // Most steps need not wait.
        let assumes = self.may_await_assumption(id);
        if thread.awaiting.is_empty()
            && thread.iterations.is_empty()
            && !matches!(op, Op::Routine(..))
            && !assumes
        {
            return None;
        }
        let op = *op;
        let mut waits = WaitsFor {
            bytes: thread.awaiting.iter().map(extent).collect(),
            ..WaitsFor::default()
        };
        match op {
            // It can always go on to its exchange.
            Op::Load(..) if self.loads_for_certain_attempt(id) => {}
            Op::Load(..) | Op::Update(..) | Op::Exchange(_)
                if !thread.iterations.is_empty() || assumes =>
            {
                let part = self.extent(id, pc)?;
                waits.assumes = assumes;
                waits.bytes.push((part.address, part.size));
                waits.tries = true;
                waits.updates = !matches!(op, Op::Load(..)) || self.loads_for_attempt(id);
                if waits.updates {
                    waits.after = self.after_own_stores(part);
                }
            }
            Op::Routine(routine, arguments, _) => {
                waits.bytes.extend(self.contended(id, routine, arguments));
                waits.after = self.after_own_stores_of(id, routine, arguments);
            }
            _ => {}
        }
        (!waits.bytes.is_empty()).then_some(waits)
    }

    /// Which of a thread's own stores a read-modify-write of these bytes comes after.
    pub(super) fn after_own_stores(&self, part: Bytes) -> Option<ActKind> {
        match self.image.buffering() {
            Buffering::PerThread => Some(ActKind::Drain),
            Buffering::PerLocation => Some(ActKind::Settle(part)),
            Buffering::None | Buffering::Everything | Buffering::NoMachine => None,
        }
    }

    /// True if what the thread's next step reads may decide what else it reads or writes.
    pub fn footprint_depends_on_value(&self, id: ThreadId) -> bool {
        match self.next_op(id) {
            Some(Op::Exchange(_) | Op::Routine(..) | Op::AtomicBegin) => true,
            Some(Op::Load(..)) => self.loads_for_attempt(id),
            _ => false,
        }
    }

    /// True if the thread's next step may be a read-modify-write, depending on what it reads.
    pub fn may_update(&mut self, id: ThreadId) -> bool {
        match self.next_op(id) {
            Some(Op::Exchange(_) | Op::AtomicBegin) => true,
            Some(Op::Routine(routine, arguments, _)) => {
                self.order_of_update(id, *routine, *arguments).is_some()
            }
            _ => false,
        }
    }

    /// True if what the thread's next step reads may decide where else it reads or writes: it is an
    /// atomic section, or works on strings.
    pub fn address_depends_on_value(&self, id: ThreadId) -> bool {
        match self.next_op(id) {
            Some(Op::AtomicBegin) => true,
            Some(Op::Routine(routine, ..)) => routine.row().footprint == Footprint::Contents,
            _ => false,
        }
    }

    /// Sets what a thread waits to see change, for [`Process::waiting`] to report; returns what it was before. The
    /// journal does not record this, so the caller must restore it.
    pub fn set_awaited(&mut self, id: ThreadId, seen: Vec<Seen>) -> Vec<Seen> {
        std::mem::replace(&mut self.threads[id.index()].awaiting, seen)
    }
}

fn extent(seen: &Seen) -> (Word, u32) {
    (seen.at.block.base() + seen.at.offset, seen.size.into())
}

pub(super) fn bytes(at: Location, size: u32, order: MemoryOrder) -> Bytes {
    Bytes {
        address: at.block.base() + at.offset,
        size,
        order,
    }
}
