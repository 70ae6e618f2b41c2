//! Threads that wait in a call: on condition variables, and at barriers; and read locks, which threads hold.
//!
//! Who waits is part of the threads' own state, and the call that wakes them reads and changes it.

use super::{Caller, Run};
use crate::process::acts::{Accumulation, ActKind, PseudoLocation};
use crate::process::image::Op;
use crate::process::thread::Phase;
use crate::process::value::Value;
use answer::Event;
use program::{Blocking, MemoryOrder, Routine, ThreadId, Word};

impl Caller<'_, '_> {
    /// How far the call has come.
    pub fn phase(&self) -> &Phase {
        &self.process.threads[self.id.index()].phase
    }

    fn set_phase(&mut self, phase: Phase) {
        self.process.threads[self.call.id.index()].phase = phase;
    }

    /// True if the call looks before it does something, and has not looked yet.
    pub fn is_before_attempt(&self) -> bool {
        self.process.is_before_attempt(self.id, self.routine)
    }

    fn record(&mut self, location: PseudoLocation, writes: bool) {
        self.process.act_on(self.call.id, location, writes);
    }

    fn asleep_on(&self, condition: Word) -> Vec<ThreadId> {
        let asleep = Phase::Waiting {
            condition,
            woken: false,
        };
        let threads = self.process.threads.iter().enumerate();
        let waiting = threads.filter(|(_, thread)| thread.phase == asleep);
        waiting.map(|(index, _)| index.into()).collect()
    }

    /// Threads that wait on a condition variable and have not been woken.
    pub fn waiters(&mut self, condition: Word) -> Vec<ThreadId> {
        self.record(PseudoLocation::Condition(condition), false);
        self.asleep_on(condition)
    }

    /// The same for a call that is going to wake them.
    pub fn waiters_to_wake(&mut self, condition: Word) -> Vec<ThreadId> {
        let waiters = self.asleep_on(condition);
        let wakes = !waiters.is_empty();
        self.record(PseudoLocation::Condition(condition), wakes);
        waiters
    }

    /// Wakes a thread that waits on a condition variable.
    pub fn wake(&mut self, waiter: ThreadId) {
        self.process.save_thread(waiter);
        // A thread that may go on by itself could have done so before.
        if self.wakes_by_itself(waiter) {
            self.record(PseudoLocation::Woken(waiter), true);
        } else {
            self.process.act(self.call.id, ActKind::Wake(waiter));
        }
        if let Phase::Waiting { woken, .. } = &mut self.process.threads[waiter.index()].phase {
            *woken = true;
        }
        self.note(|names| Event::Call(format!("wakes {}", names.thread(waiter))));
    }

    /// True if a thread that waits on a condition variable may go on without being woken:
    /// its time runs out, or it wakes up spuriously.
    fn wakes_by_itself(&self, waiter: ThreadId) -> bool {
        let timed = |routine: Routine| routine.row().blocking == Blocking::TimedCondition;
        let next = self.process.next_op(waiter);
        self.has_spurious_wakeups()
            || matches!(next, Some(Op::Routine(routine, ..)) if timed(*routine))
    }

    /// Begins to wait on a condition variable, to lock the mutex again afterwards.
    pub fn sleep_on(&mut self, condition: Word, mutex: Word) {
        self.record(PseudoLocation::Waiters(mutex), true);
        self.record(PseudoLocation::Condition(condition), true);
        self.process.threads[self.call.id.index()].reacquires = mutex;
        self.set_phase(Phase::Waiting {
            condition,
            woken: false,
        });
    }

    /// Ends a wait on a condition variable: the call locks its mutex again, and then returns this. Woken and not woken,
    /// it is the same step, before or after the signal.
    pub fn end_sleep(&mut self, condition: Word, woken: bool, result: Word) {
        if !woken {
            self.record(PseudoLocation::Condition(condition), true);
        } else if self.wakes_by_itself(self.id) {
            self.record(PseudoLocation::Woken(self.id), false);
        }
        self.set_phase(Phase::Reacquire(result));
    }

    /// Records that the call, which has waited, is about to lock the mutex again.
    pub fn record_reacquisition(&mut self, mutex: Word) {
        self.record(PseudoLocation::Waiters(mutex), true);
    }

    /// True if a thread that waits on a condition variable will lock this mutex again.
    pub fn will_be_reacquired(&mut self, mutex: Word) -> bool {
        // The owner does not show this: it may come from the thread's own store buffer.
        self.record(PseudoLocation::Waiters(mutex), false);
        let mut threads = self.process.threads.iter();
        threads.any(|thread| {
            matches!(thread.phase, Phase::Waiting { .. } | Phase::Reacquire(_))
                && thread.reacquires == mutex
        })
    }
}

/// Barriers.
impl Caller<'_, '_> {
    /// Waits at a barrier for the others. Who initialises it looks who is there, whatever its bytes hold by then.
    pub fn wait_at_barrier(&mut self, barrier: Word) {
        self.record(PseudoLocation::Waiters(barrier), false);
        let open = false;
        self.set_phase(Phase::Barrier { barrier, open });
    }

    /// Lets the threads go on that wait at a barrier.
    pub fn open_barrier(&mut self, barrier: Word) {
        // Threads of an earlier round may not have left the barrier yet.
        let waits = Phase::Barrier {
            barrier,
            open: false,
        };
        for index in 0..self.process.threads.len() {
            if self.process.threads[index].phase == waits {
                let waiting = ThreadId::from(index);
                self.process.save_thread(waiting);
                self.process.act(self.call.id, ActKind::Wake(waiting));
                let open = true;
                self.process.threads[index].phase = Phase::Barrier { barrier, open };
            }
        }
    }

    /// True if nobody can tell which thread was the last to arrive at a barrier.
    pub fn arrivals_commute(&self) -> bool {
        self.process.limits.commuting.arrivals && self.process.image.arrivals_commute
    }

    /// Arrives at a barrier at which who comes last makes no difference: the last one waits, too, and may go on at once. `count`
    /// is the address of the number of those that have arrived.
    pub fn gather(&mut self, barrier: Word, count: Word, needed: Word) -> Run<()> {
        let id = self.call.id;
        let at = self.reach(count, 4, true)?;
        let kind = Accumulation::Arrivals(needed as u32);
        self.process
            .act_accumulate(id, at, 4, MemoryOrder::Plain, kind);
        let arrived = self.process.memory.read(at, 4).word + 1;
        let open = arrived >= needed;
        let left = if open { 0 } else { arrived };
        self.process.memory.write(at, 4, Value::new(left));
        self.wait_at_barrier(barrier);
        if open {
            self.open_gathered(barrier);
        }
        Ok(())
    }

    /// Lets the threads go on that wait at a barrier. What each waits for it records itself ([`Caller::record_passage`]).
    fn open_gathered(&mut self, barrier: Word) {
        let closed = Phase::Barrier {
            barrier,
            open: false,
        };
        for index in 0..self.process.threads.len() {
            if self.process.threads[index].phase == closed {
                self.process.save_thread(ThreadId::from(index));
                let open = true;
                self.process.threads[index].phase = Phase::Barrier { barrier, open };
            }
        }
    }

    /// Records that the thread goes on after all arrivals of its round at a barrier.
    pub fn record_passage(&mut self, count: Word) {
        self.process.act_passage(self.call.id, count);
    }

    /// Records that the thread leaves a barrier.
    pub fn record_leaving(&mut self, barrier: Word) {
        self.record(PseudoLocation::Waiters(barrier), false);
    }

    /// True if a thread waits at a barrier that is about to be initialised, or has not left it.
    pub fn is_barrier_in_use(&mut self, barrier: Word) -> bool {
        self.record(PseudoLocation::Waiters(barrier), true);
        let mut threads = self.process.threads.iter();
        threads.any(
            |thread| matches!(thread.phase, Phase::Barrier { barrier: at, .. } if at == barrier),
        )
    }
}

/// Read locks: the lock's own bytes have their number, and each thread which it holds.
impl Caller<'_, '_> {
    /// How often the thread holds a lock for reading.
    pub fn reads(&self, lock: Word) -> u32 {
        self.process.threads[self.id.index()].reads(lock)
    }

    /// Sets how often it does.
    pub fn set_reads(&mut self, lock: Word, count: u32) {
        self.process.threads[self.call.id.index()].set_reads(lock, count);
    }

    /// True if any thread holds a lock for reading. The number of readers in the lock changes with it, which the caller has
    /// read.
    pub fn is_read_by_any(&self, lock: Word) -> bool {
        let mut threads = self.process.threads.iter();
        threads.any(|thread| thread.reads(lock) > 0)
    }
}
