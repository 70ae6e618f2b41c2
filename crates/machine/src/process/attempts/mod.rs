//! Attempts of retry loops in one step.
//!
//! A lock-free algorithm reads a location, computes, and tries a compare-and-exchange that expects what was read; if it fails, it
//! does the same again, with a new read or with what the exchange returned. With [`Limits::attempts`](super::Limits) the exchange is part of the
//! step that reads, if nothing in between can be noticed, and if the failure of the exchange leads the thread to where it would have been had it read
//! only then ([`follow`]). Nothing is lost:
//!
//! - An execution in which the exchange fails ends in the same way as one without the read and the failure, in which the thread reads later.
//! - An execution in which it succeeds found what was read before, and so ends in the same way if the read happens just before the exchange.
//!
//! So there are no failures of such exchanges, and no thread that stands before one for which it is too late.
//!
//! Where the thread loads something else in between (`next = old->next`), the exchange is a step of its own. It still does not happen where it would fail, for the first
//! reason, if it expects what was read and nothing that was loaded in between matters then: the thread stands before it, as before the last read of an iteration that changes nothing ([`Process::try_run`]).
//!
//! A read that may lead elsewhere, too, must not wait for the stores that the exchange waits for. So with store buffers only reads are
//! taken that certainly lead to an exchange that expects what was read. These wait. If what they read is undefined, an execution
//! in which the read comes before the thread's own stores leave the buffer may show more; [`Process::misread`] tells, and the search has to be done without.
//! An object that may end in between is left alone, since it matters then which of the two comes too late.

mod follow;
mod terms;

use self::follow::{Attempt, Stretch, follow};
use super::image::{Op, Pc};
use super::memory::{Location, Origin};
use super::thread::Seen;
use super::{ActKind, Process};
use ::memory::Buffering;
use program::{ObjectKind, ThreadId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Calls that are looked at: the innermost ones.
const CALLS: usize = 6;

/// The operations at which the innermost calls stand.
pub(super) type Calls = [Pc; CALLS];

/// What is known of reads by the calls in which they happen.
pub(super) type Attempts = RefCell<HashMap<Calls, Option<Arc<Attempt>>>>;

/// A read that may turn out to have been made in vain, because the exchange that it leads to fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    calls: Calls,
    at: Location,
    size: u8,
    /// What the thread had changed before it.
    changes: u64,
    dirty: usize,
}

/// An attempt that a thread begins.
pub(super) struct Begun {
    attempt: Arc<Attempt>,
    /// The exchange may be part of the step.
    goes_on: bool,
    reading: Reading,
}

impl Process<'_> {
    /// The attempt that a thread's next step begins, if it reads a location that stays.
    fn attempt(&self, id: ThreadId) -> Option<(Calls, Arc<Attempt>)> {
        if !self.limits.attempts || self.image.exchanges.is_empty() {
            return None;
        }
        if !matches!(self.next_op(id)?, Op::Load(..) | Op::Exchange(_)) {
            return None;
        }
        let frames = &self.threads[id.index()].frames;
        let innermost = &frames[frames.len().saturating_sub(CALLS)..];
        let mut calls = [Pc::MAX; CALLS];
        for (pc, frame) in calls.iter_mut().zip(innermost) {
            *pc = frame.pc;
        }
        // Deeper calls would have the same key.
        let complete = frames.len() < CALLS;
        let mut known = self.attempts.borrow_mut();
        let attempt = known
            .entry(calls)
            .or_insert_with(|| follow(self.image, innermost, complete).map(Arc::new))
            .clone()?;
        drop(known);
        self.stays(id).then_some((calls, attempt))
    }

    /// The same, if the exchange that it leads to may be part of the step.
    fn whole_attempt(&self, id: ThreadId) -> Option<Arc<Attempt>> {
        let (_, attempt) = self.attempt(id)?;
        self.is_whole(id, &attempt).then_some(attempt)
    }

    /// True if the exchange that an attempt leads to may be part of the step: it waits for nothing that its read does not wait for, or
    /// certainly comes.
    fn is_whole(&self, id: ThreadId, attempt: &Attempt) -> bool {
        let buffering = self.image.buffering();
        if buffering == Buffering::None {
            return true;
        }
        let loads = matches!(self.next_op(id), Some(Op::Load(..)));
        let memory = attempt.memory.as_deref();
        let own = memory.is_some_and(|memory| memory.iter().all(|one| self.is_own(id, *one)));
        let free = memory.is_some_and(<[Stretch]>::is_empty);
        match buffering {
            Buffering::PerThread => !loads || attempt.certain && own,
            _ if loads => attempt.certain && free,
            _ => free && !attempt.fenced,
        }
    }

    /// True if only the thread can reach a stretch of memory that an attempt uses.
    fn is_own(&self, id: ThreadId, stretch: Stretch) -> bool {
        let thread = &self.threads[id.index()];
        let frames = &thread.frames[thread.frames.len().saturating_sub(CALLS)..];
        let base = stretch.base.map_or(Some(0), |(depth, register)| {
            let frame = frames.get(depth)?;
            let value = thread.registers.get((frame.base + register) as usize)?;
            value.is_defined().then_some(value.word)
        });
        let address = base.map(|base| base.wrapping_add(stretch.offset));
        let at = address.and_then(|word| self.memory.check(word, stretch.size.into(), true).ok());
        at.is_some_and(|at| self.is_hidden(id, at.block))
    }

    /// True if the object that a thread's next step accesses cannot end.
    fn stays(&self, id: ThreadId) -> bool {
        let pc = self.threads[id.index()].frame().map(|frame| frame.pc);
        let part = pc.and_then(|pc| self.extent(id, pc));
        let at = part.and_then(|part| self.memory.locate(part.address));
        let block = at.and_then(|at| self.memory.block(at.block));
        block.is_some_and(|block| match block.origin {
            Origin::Global(number) => {
                let object = &self.image.program.objects[number as usize];
                object.kind != ObjectKind::PerThread
            }
            Origin::Heap => !self.image.frees,
            Origin::Local(_) => false,
        })
    }

    /// True if a thread's next step is a load that is one with an exchange.
    pub(super) fn loads_for_attempt(&self, id: ThreadId) -> bool {
        matches!(self.next_op(id), Some(Op::Load(..))) && self.whole_attempt(id).is_some()
    }

    /// The same for a load that certainly comes to its exchange, and never stands still before that.
    pub(super) fn loads_for_certain_attempt(&self, id: ThreadId) -> bool {
        matches!(self.next_op(id), Some(Op::Load(..)))
            && self.whole_attempt(id).is_some_and(|attempt| {
                let memory = attempt.memory.as_deref();
                attempt.certain && !attempt.repeats && memory.is_some_and(<[Stretch]>::is_empty)
            })
    }

    /// True if the own stores that an attempt comes after have left the buffer, or if the thread's next step is none.
    pub(super) fn may_attempt(&self, id: ThreadId, pc: Pc) -> bool {
        if self.threads[id.index()].buffer.is_empty() {
            return true;
        }
        match self.whole_attempt(id) {
            Some(attempt) => !attempt.fenced && self.is_update_enabled(id, pc),
            None => true,
        }
    }

    /// Notes that a thread's next step begins an attempt, if it does, and which of its own stores it comes after.
    pub(super) fn begin_attempt(&mut self, id: ThreadId, choice: u32) -> Option<Begun> {
        if !matches!(self.next_op(id), Some(Op::Load(..))) {
            self.threads[id.index()].reading = None;
        }
        let (calls, attempt) = self.attempt(id)?;
        let pc = self.threads[id.index()].frame()?.pc;
        let operation = self.operation(id, pc).ok()?;
        let (at, size) = (operation.at, operation.access.size);
        let value = self.memory.read(at, size.into());
        let goes_on = self.is_whole(id, &attempt);
        match self.image.ops[pc as usize] {
            Op::Exchange(_) if choice != 0 || self.expects(id, size) == Some(value) => {
                return None;
            }
            Op::Load(..) if goes_on && self.image.buffering() != Buffering::None => {
                self.misread |= !value.is_defined();
                let part = super::acts::bytes(at, size.into(), operation.access.order);
                let after = match attempt.fenced {
                    true => Some(ActKind::Drain),
                    false => self.after_own_stores(part),
                };
                if let Some(after) = after {
                    self.act(id, after);
                }
            }
            _ => {}
        }
        let thread = &mut self.threads[id.index()];
        let reading = Reading {
            calls,
            at,
            size,
            changes: thread.changes,
            dirty: thread.dirty.len(),
        };
        thread.reading = Some(reading);
        Some(Begun {
            attempt,
            goes_on,
            reading,
        })
    }

    /// The value that the exchange of so many bytes expects before which a thread stands.
    fn expects(&self, id: ThreadId, size: u8) -> Option<super::Value> {
        let Some(Op::Exchange(number)) = self.next_op(id) else {
            return None;
        };
        let expected = self.value(id, self.image.exchanges[*number as usize].expected);
        Some(expected.truncate(super::access::width(size)))
    }

    /// True if the thread stands before the exchange of an attempt, which is part of the step and would succeed.
    pub(super) fn ends_attempt(&self, id: ThreadId, begun: &Begun) -> bool {
        let Reading { at, size, .. } = begun.reading;
        let thread = &self.threads[id.index()];
        let pc = thread.frame().map_or(Pc::MAX, |frame| frame.pc);
        let stands = begun.goes_on
            && self.end.is_none()
            && thread.awaiting.is_empty()
            && !self.has_ended(id)
            && begun.attempt.exchanges.contains(&pc);
        let expected = self.expects(id, size).filter(|_| stands);
        expected.is_some_and(|expected| {
            expected.is_defined()
                && expected == self.memory.read(at, size.into())
                && self.is_at(id, pc, &begun.reading)
                && self.is_update_enabled(id, pc)
        })
    }

    /// True if the access at `pc` is to the location that was read.
    fn is_at(&self, id: ThreadId, pc: Pc, reading: &Reading) -> bool {
        let operation = self.operation(id, pc);
        operation.is_ok_and(|operation| {
            (operation.at, operation.access.size) == (reading.at, reading.size)
        })
    }

    /// If a thread's next step is an exchange that would fail, and the thread would be where it would have been had it read the location only
    /// now: what the exchange reads.
    pub(super) fn reads_in_vain(&self, id: ThreadId) -> Option<Seen> {
        let thread = &self.threads[id.index()];
        let reading = thread.reading?;
        let unchanged = (thread.changes, thread.dirty.len()) == (reading.changes, reading.dirty);
        // Only a thread in a loop is taken for one that may wait.
        if !unchanged || thread.iterations.is_empty() {
            return None;
        }
        let pc = thread.frame()?.pc;
        let Reading { at, size, .. } = reading;
        let expected = self.expects(id, size)?;
        let known = self.attempts.borrow();
        let attempt = known.get(&reading.calls)?.as_ref()?;
        let value = self.memory.read(at, size.into());
        let fails = expected.is_defined() && value.is_defined() && expected != value;
        (fails && attempt.loose.contains(&pc) && self.is_at(id, pc, &reading)).then_some(Seen {
            at,
            size,
            value,
        })
    }

    /// True if a read that certainly leads to an exchange read what is undefined.
    pub fn misread(&self) -> bool {
        self.misread
    }
}
