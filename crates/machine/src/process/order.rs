//! What a library function waits for in its thread's store buffer, and what it does to it.
//!
//! The column [`program::Synchronisation`] of the table says which accesses a function makes to
//! its object. Here they become what the same access of a program becomes: a read-modify-write
//! waits for an empty store buffer under TSO, and under PSO for the thread's own stores to the
//! object and those before a StoreStore fence; if it releases, that is all of them. Loads
//! wait for nothing but a StoreLoad fence, and stores go through the store buffer.
//!
//! [`Process::after_own_stores_of`] says which of its stores a call comes after. The step
//! records it as an act and [`Process::is_settled`] waits for it: what the exploration takes for an
//! edge is what the machine waits for.
//!
//! A function that only looks before it does something ([`Synchronisation::Attempt`]) takes two
//! steps: the load, which comes before earlier stores reach memory, and, if it
//! shows that there is something to do, the read-modify-write. In one step, whether the call
//! comes after the thread's own stores would depend on what other threads did before it. Two steps
//! show nothing more: a call that finds nothing to do any more in its second step is one whose load
//! came later.

use super::caller::{Call, Caller};
use crate::process::Process;
use crate::process::acts::{ActKind, Bytes};
use crate::process::image::Range;
use crate::process::thread::Phase;
use ::memory::Buffering;
use program::{Family, MemoryOrder, Orderings, Routine, Synchronisation, ThreadId};

impl Process<'_> {
    /// Which of its thread's own stores the next step of a call comes after.
    pub(super) fn after_own_stores_of(
        &mut self,
        id: ThreadId,
        routine: Routine,
        arguments: Range,
    ) -> Option<ActKind> {
        let buffering = self.image.buffering();
        if buffering == Buffering::None {
            return None;
        }
        let order = self.order_of_update(id, routine, arguments)?;
        let size = object_size(routine);
        Some(match buffering {
            Buffering::PerLocation if !order.releases() => ActKind::Settle(Bytes {
                address: match size {
                    0 => 0,
                    _ => self.argument(id, arguments, 0).word,
                },
                size,
                order,
            }),
            _ => ActKind::Drain,
        })
    }

    /// The order of the read-modify-write that the next step of a call makes, unless it makes none whatever others do:
    /// it only looks, or has to do with its own thread only.
    pub(super) fn order_of_update(
        &mut self,
        id: ThreadId,
        routine: Routine,
        arguments: Range,
    ) -> Option<MemoryOrder> {
        let synchronises = routine.row().synchronises;
        let updates = match synchronises {
            Synchronisation::Full | Synchronisation::Update(_) => true,
            Synchronisation::Attempt(..) => !self.is_before_attempt(id, routine),
            Synchronisation::Nothing
            | Synchronisation::Load(_)
            | Synchronisation::Store(_)
            | Synchronisation::Prelude => false,
        };
        let alone = updates && {
            let arguments = [self.argument(id, arguments, 0)];
            let call = self.call(id, routine, &arguments, 0);
            self.caller(call).unrecorded(Caller::asks_only_itself)
        };
        (updates && !alone).then(|| synchronises.order())
    }

    /// True if the stores that the next step of a call comes after are in memory, and no fence
    /// holds it back.
    pub(super) fn is_settled(&mut self, id: ThreadId, routine: Routine, arguments: Range) -> bool {
        if self.threads[id.index()].buffer.is_empty() {
            return true;
        }
        let after = self.after_own_stores_of(id, routine, arguments);
        let buffer = &self.threads[id.index()].buffer;
        match after {
            Some(ActKind::Drain) => false,
            Some(ActKind::Settle(bytes)) => {
                let end = bytes.address + u64::from(bytes.size);
                let mut entries = buffer.entries.iter();
                buffer.held == 0
                    && entries.all(|entry| {
                        let start = entry.at.block.base() + entry.at.offset;
                        let apart = start >= end || start + u64::from(entry.size) <= bytes.address;
                        entry.epoch == buffer.epoch && apart
                    })
            }
            _ => buffer.held == 0,
        }
    }

    /// True if a call that looks before it does something has not looked yet, and does so in a
    /// step of its own.
    pub(super) fn is_before_attempt(&self, id: ThreadId, routine: Routine) -> bool {
        matches!(routine.row().synchronises, Synchronisation::Attempt(..))
            && self.threads[id.index()].phase == Phase::Begin
            && !self.is_direct(id)
    }

    /// The first step of a call that looks before it does something: true if there is something to
    /// do, which is its second step.
    pub(super) fn looks_first(&mut self, call: Call) -> bool {
        let Synchronisation::Attempt(_, sought) = call.routine.row().synchronises else {
            return false;
        };
        if !self.is_before_attempt(call.id, call.routine) {
            return false;
        }
        let mut caller = self.caller(call);
        let finds = caller.unrecorded(|caller| caller.finds(sought));
        if finds {
            // The same again, which records what is read.
            caller.finds(sought);
            self.threads[call.id.index()].phase = Phase::Attempt;
        }
        finds
    }

    /// A fence of the thread, as far as the model needs it.
    pub(super) fn fence(&mut self, id: ThreadId, orderings: Orderings) {
        let orderings = self.image.model.effective(orderings);
        if orderings.contains(Orderings::STORE_STORE) || orderings.contains(Orderings::STORE_LOAD) {
            self.act(id, ActKind::Fence(orderings));
        }
        // In traces whether there are stores to wait for must not depend on when they leave.
        let traced = self.limits.traced;
        let stores_pass = self.image.buffering() == Buffering::PerLocation;
        let buffer = &mut self.threads[id.index()].buffer;
        if orderings.contains(Orderings::STORE_LOAD) {
            buffer.hold_loads();
            buffer.fenced = stores_pass && (traced || buffer.held > 0);
        }
        if orderings.contains(Orderings::STORE_STORE) {
            buffer.order_stores();
            buffer.fenced = false;
        }
    }
}

/// Bytes of the object that a function's read-modify-write is about; 0 if it is none of
/// the program's, or waits for all stores.
fn object_size(routine: Routine) -> u32 {
    match routine.row().family {
        Family::Mutexes => 40,
        Family::ReadWriteLocks => 8,
        Family::SpinLocks | Family::Semaphores => 4,
        Family::Threads
        | Family::Conditions
        | Family::Barriers
        | Family::Keys
        | Family::Heap
        | Family::Memory
        | Family::Strings
        | Family::Output
        | Family::Ending
        | Family::Chance
        | Family::Arithmetic
        | Family::Checking => 0,
    }
}
