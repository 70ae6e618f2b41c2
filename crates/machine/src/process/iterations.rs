//! Iterations of loops: bounding them, and waiting where an iteration could not be observed.
//!
//! # The condition
//!
//! An iteration of a loop by a thread `t`, from the loop's header back to it, is *silent* if
//!
//! 1. each of its writes to memory is either that of a read-modify-write that writes back the
//!    value which it read, or a store to an object that only `t` can reach, which does not go through the store buffer, of the value that is there
//!    already or, with [`Limits::cut_repeats`](super::Limits), to bytes that `t` overwrites before it could read them ([`overwritten`](super::overwritten)); any
//!    other store counts, even one of the value that is there: another thread's store may come in between;
//! 2. it calls no library function that does anything but look, makes no object, and takes no choice;
//! 3. every register that a later iteration or the code after the loop reads has the value that it had at
//!    the header ([`Loop::carried`](super::loops::Loop)).
//!
//! [`Thread::changes`] counts what breaks 1 and 2. After a silent iteration the thread waits until one of the
//! locations that it read, each with its own record ([`Thread::seen`]), holds another value than it read there.
//! `solve/unroll/iterations.rs` has the same condition for formulas, where a store to private memory may also be
//! one that is never read again.
//!
//! # Why that is right
//!
//! Let `E` be an execution in which `t` goes through a silent iteration, and `E'` the same without its
//! steps. By 3, and because private memory is as it was but for bytes that `t` writes next, before anything depends on them, `t` is in the same state after the iteration as before
//! it, but for its store buffer: stores from before the loop may have left in the meantime, which they may do
//! in `E'` as well, and fences may have put them in order, which only takes away what could happen next. By 1 shared
//! memory holds the same with and without each step of the iteration, so the other threads do the
//! same. So `E'` is an execution that ends as `E` does, in every way that the program can tell. By
//! induction nothing is lost if silent iterations are left out.
//!
//! They are left out as follows. When an iteration turns out to be silent, the next one could read something
//! else only where a location that was read has changed since. As long as none has, it would
//! be silent again. So `t` waits, and going on is possible exactly when one has changed. If that
//! never happens, `t` would loop for ever: it is reported as waiting. The silent iteration itself stays in the
//! execution if it took several steps. One of a single step is taken back
//! ([`Process::try_run`](super::Process::try_run)): it led from a state to the same state, at the same operation of the same calls.
//!
//! # Going on after a silent iteration
//!
//! With [`Limits::cut_repeats`](super::Limits) a thread never goes on after a silent iteration that stays in the execution. That loses
//! nothing, because `E'` above does not contain the iteration, and the thread does its next one there as well. The
//! iteration itself is run all the same: if nothing that it read changes until nothing else can happen, the thread waits for ever.
//! If something did change, the execution ends as one whose assumption failed ([`Process::is_discarded`](super::Process::is_discarded)).
//!
//! A spurious failure of a weak compare-and-exchange is then no choice in the sense of 2: the proof holds for an iteration
//! with one as it stands. But the next iteration need not be silent, as the exchange may succeed, so the thread does not
//! wait: it is [`Standing::Repeating`], and the execution counts as discarded, too. An exploration asks beforehand
//! ([`Process::only_repeats`](super::Process::only_repeats)) and does not begin most of these executions.

use super::thread::{Iteration, Standing, Thread};
use super::value::Value;
use super::{End, Process, Run};
use answer::{Bound, Fault, FaultKind};
use program::ThreadId;

/// Iterations of a loop before a thread that nobody can disturb starts to look whether they
/// change anything, now and then.
const ITERATIONS_ON_TRUST: u32 = 64;
/// What an iteration may read, or change where only its thread can reach it, before it is taken to change something.
const MOST_SEEN: usize = 4096;

impl Process<'_> {
    pub(super) fn enter_loop(&mut self, id: ThreadId, number: u32) {
        let mark = &self.image.loops[number as usize];
        if !mark.may_wait && self.limits.unroll.is_none() {
            return;
        }
        let recorded = !self.is_direct(id) || self.limits.cut_repeats && mark.has_weak_exchange;
        let thread = &mut self.threads[id.index()];
        let depth = thread.frames.len() as u32;
        let known = thread
            .iterations
            .iter()
            .position(|iteration| (iteration.number, iteration.depth) == (number, depth));
        if let Some(known) = known {
            thread.iterations.truncate(known);
        }
        if thread.iterations.is_empty() {
            thread.seen.clear();
            thread.dirty.clear();
        }
        let iteration = Iteration {
            number,
            depth,
            count: 0,
            recorded,
            changes: thread.changes,
            spurious: thread.spurious,
            seen: thread.seen.len() as u32,
            dirty: thread.dirty.len() as u32,
            carried: carried(thread, &mark.carried),
        };
        thread.iterations.push(iteration);
    }

    /// Starts another iteration; false if the thread stops here, or the execution is cut off.
    pub(super) fn repeat_loop(&mut self, id: ThreadId, number: u32) -> Run<bool> {
        let mark = &self.image.loops[number as usize];
        let direct = self.is_direct(id);
        let thread = &mut self.threads[id.index()];
        let depth = thread.frames.len() as u32;
        let known = thread
            .iterations
            .iter()
            .rposition(|iteration| (iteration.number, iteration.depth) == (number, depth));
        let Some(known) = known else {
            return Ok(true);
        };
        thread.iterations.truncate(known + 1);
        let carried = carried(thread, &mark.carried);
        let iteration = &mut thread.iterations[known];
        iteration.count += 1;
        let mut same = iteration.recorded
            && iteration.changes == thread.changes
            && iteration.carried == carried;
        let dirty = thread.dirty[iteration.dirty as usize..].to_vec();
        if same && !dirty.is_empty() {
            let next = thread.frames.last().map_or(0, |frame| frame.pc + 1);
            same = self.is_overwritten(id, next, dirty);
        }
        let thread = &mut self.threads[id.index()];
        let iteration = &mut thread.iterations[known];
        let waits = same && mark.may_wait && !self.limits.plain;
        if waits && iteration.spurious != thread.spurious {
            thread.standing = Standing::Repeating;
            return Ok(false);
        }
        if let Some(most) = self.limits.unroll
            && iteration.count > most
            && !waits
        {
            self.end = Some(End::Cut(Bound::Unroll(most, mark.span)));
            return Ok(false);
        }
        let start = iteration.seen as usize;
        // Waiting is no iteration that a bound should count.
        iteration.count -= u32::from(waits);
        // The thread waits at the next thing that others can notice; if a whole iteration had
        // none, it waits here.
        let stops = waits && !thread.awaiting.is_empty();
        if waits {
            thread.awaiting = thread.seen[start..].to_vec();
            if thread.awaiting.is_empty() {
                let message = "a loop that never ends and does nothing";
                return Err(Box::new(Fault::new(FaultKind::Endless, message)));
            }
        }
        iteration.carried = carried;
        iteration.changes = thread.changes;
        iteration.spurious = thread.spurious;
        iteration.recorded = !direct
            || self.limits.cut_repeats && mark.has_weak_exchange
            || iteration.count >= ITERATIONS_ON_TRUST && iteration.count.is_power_of_two();
        if known == 0 {
            thread.seen.truncate(start);
            thread.dirty.truncate(iteration.dirty as usize);
        }
        iteration.seen = thread.seen.len() as u32;
        iteration.dirty = thread.dirty.len() as u32;
        if thread.seen.len() > MOST_SEEN || thread.dirty.len() > MOST_SEEN {
            thread.changes += 1;
            for iteration in &mut thread.iterations {
                (iteration.seen, iteration.dirty) = (0, 0);
            }
            thread.seen.clear();
            thread.dirty.clear();
        }
        Ok(!stops)
    }
}

fn carried(thread: &Thread, registers: &[u32]) -> Vec<Value> {
    let base = thread.frame().map_or(0, |frame| frame.base);
    let value = |register: &u32| thread.registers[(base + register) as usize];
    registers.iter().map(value).collect()
}
