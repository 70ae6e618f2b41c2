//! Condition variables, barriers and semaphores.

use super::codes::{EAGAIN, ETIMEDOUT, THRD_TIMEDOUT};
use super::lifetimes::SyncObject;
use super::locks::OWNER;
use super::{Call, Flow, Run};
use crate::process::Process;
use crate::process::acts::{ActKind, PseudoLocation};
use crate::process::image::Op;
use crate::process::thread::Phase;
use crate::process::value::Value;
use answer::Event;
use program::in_family::{Barriers, Conditions, Semaphores};
use program::{Blocking, Routine, ThreadId, Word};

/// Fields of `pthread_barrier_t` as this library lays it out.
pub(super) const NEEDED: u64 = 0;
pub(super) const ARRIVED: u64 = 4;
const SERIAL_THREAD: Word = 0xffff_ffff;
const FAILED: Word = 0xffff_ffff;

impl Process<'_> {
    pub(super) fn condition_routine(&mut self, call: &Call, routine: Conditions) -> Run<Flow> {
        use Conditions::*;
        let condition = call.word(0)?;
        match routine {
            ConditionInit | C11ConditionInit => {
                self.initialise_object(call, SyncObject::Condition, condition)
            }
            ConditionDestroy | C11ConditionDestroy => {
                self.destroy_object(call, SyncObject::Condition, condition)
            }
            ConditionWait | ConditionTimedWait | C11ConditionWait | C11ConditionTimedWait => {
                self.condition_wait(call)
            }
            ConditionSignal | C11ConditionSignal => {
                let waiters = self.waiters_to_wake(call, condition)?;
                if let Some(woken) = waiters.get(call.choice as usize) {
                    self.wake(call, *woken);
                } else {
                    self.note_call(call, "signals", condition, " to nobody");
                }
                Ok(Flow::Returns(0))
            }
            ConditionBroadcast | C11ConditionBroadcast => {
                let waiters = self.waiters_to_wake(call, condition)?;
                if waiters.is_empty() {
                    self.note_call(call, "broadcasts", condition, " to nobody");
                }
                for waiter in waiters {
                    self.wake(call, waiter);
                }
                Ok(Flow::Returns(0))
            }
        }
    }

    fn waiters_to_wake(&mut self, call: &Call, condition: Word) -> Run<Vec<ThreadId>> {
        self.field(call, condition, 4)?;
        let waiters = self.waiters(condition);
        self.act_on(
            call.id,
            PseudoLocation::Condition(condition),
            !waiters.is_empty(),
        );
        Ok(waiters)
    }

    pub(super) fn barrier_routine(&mut self, call: &Call, routine: Barriers) -> Run<Flow> {
        match routine {
            Barriers::BarrierInit => {
                self.initialise_object(call, SyncObject::Barrier, call.word(0)?)
            }
            Barriers::BarrierDestroy => {
                self.destroy_object(call, SyncObject::Barrier, call.word(0)?)
            }
            Barriers::BarrierWait => self.barrier_wait(call),
            Barriers::Once => Err(call.not_replaced()),
        }
    }

    pub(super) fn semaphore_routine(&mut self, call: &Call, routine: Semaphores) -> Run<Flow> {
        use Semaphores::*;
        let semaphore = call.word(0)?;
        match routine {
            SemaphoreInit => self.initialise_object(call, SyncObject::Semaphore, semaphore),
            SemaphoreDestroy => self.destroy_object(call, SyncObject::Semaphore, semaphore),
            SemaphoreWait | SemaphoreTryWait | SemaphoreTimedWait => {
                let value = self.field(call, semaphore, 4)?;
                if value == 0 {
                    let code = if routine == SemaphoreTryWait {
                        EAGAIN
                    } else {
                        ETIMEDOUT
                    };
                    self.set_errno(call.id, code)?;
                    self.note_call(call, "fails to take", semaphore, "");
                    return Ok(Flow::Returns(FAILED));
                }
                self.set_field(semaphore, 4, value - 1)?;
                self.races_acquire(call.id, semaphore);
                self.note_call(call, "takes", semaphore, "");
                Ok(Flow::Returns(0))
            }
            SemaphorePost => {
                let value = self.field(call, semaphore, 4)?;
                self.set_field(semaphore, 4, value + 1)?;
                self.races_release(call.id, semaphore);
                self.note_call(call, "posts", semaphore, "");
                Ok(Flow::Returns(0))
            }
            SemaphoreValue => {
                let value = self.field(call, semaphore, 4)?;
                self.write_word(call.id, call.span, call.word(1)?, 4, Value::new(value))?;
                Ok(Flow::Returns(0))
            }
        }
    }

    fn note_call(&mut self, call: &Call, verb: &str, object: Word, rest: &str) {
        self.note(call.id, call.span, |process| {
            Event::Call(format!("{verb} {}{rest}", process.object_place(object)))
        });
    }

    /// Threads that wait on a condition variable and have not been woken.
    pub(super) fn waiters(&self, condition: Word) -> Vec<ThreadId> {
        let asleep = Phase::Waiting {
            condition,
            woken: false,
        };
        let threads = self.threads.iter().enumerate();
        let waiting = threads.filter(|(_, thread)| thread.phase == asleep);
        waiting.map(|(index, _)| index.into()).collect()
    }

    /// True if somebody waits on a condition variable, as the caller sees it.
    pub(super) fn has_waiters(&mut self, call: &Call, condition: Word) -> bool {
        self.act_on(call.id, PseudoLocation::Condition(condition), false);
        self.field(call, condition, 4).is_ok() && !self.waiters(condition).is_empty()
    }

    fn wake(&mut self, call: &Call, waiter: ThreadId) {
        self.save_thread(waiter);
        // Who may go on by itself could have done so before.
        match self.wakes_by_itself(waiter) {
            true => self.act_on(call.id, PseudoLocation::Woken(waiter), true),
            false => self.act(call.id, ActKind::Wake(waiter)),
        }
        if let Phase::Waiting { woken, .. } = &mut self.threads[waiter.index()].phase {
            *woken = true;
        }
        self.note(call.id, call.span, |process| {
            Event::Call(format!("wakes {}", process.thread_name(waiter)))
        });
    }

    /// True if a thread that waits on a condition variable may go on without being woken:
    /// its time runs out, or it wakes up spuriously.
    fn wakes_by_itself(&self, waiter: ThreadId) -> bool {
        let timed = |routine: Routine| routine.row().blocking == Blocking::TimedCondition;
        self.limits.spurious
            || matches!(self.next_op(waiter), Some(Op::Routine(routine, ..)) if timed(routine))
    }

    fn condition_wait(&mut self, call: &Call) -> Run<Flow> {
        let (condition, mutex) = (call.word(0)?, call.word(1)?);
        match self.threads[call.id.index()].phase {
            Phase::Waiting { woken, .. } => {
                // Woken, out of time, or awake spuriously: all go for the mutex.
                let timed = call.routine.row().blocking == Blocking::TimedCondition;
                let result = match (woken, timed && call.choice == 0, call.routine) {
                    (true, ..) | (_, false, _) => 0,
                    (_, _, Routine::C11ConditionTimedWait) => THRD_TIMEDOUT,
                    _ => ETIMEDOUT,
                };
                let how = match (woken, result) {
                    (true, _) => "is awake",
                    (false, 0) => "wakes up spuriously",
                    _ => "runs out of time",
                };
                self.note(call.id, call.span, |_| Event::Call(how.to_owned()));
                // Woken and not woken, it is the same step, before or after the signal.
                if !woken {
                    self.act_on(call.id, PseudoLocation::Condition(condition), true);
                } else if self.wakes_by_itself(call.id) {
                    self.act_on(call.id, PseudoLocation::Woken(call.id), false);
                }
                self.threads[call.id.index()].phase = Phase::Reacquire(result);
                Ok(Flow::Stays)
            }
            Phase::Reacquire(result) => {
                self.act_on(call.id, PseudoLocation::Waiters(mutex), true);
                self.take_mutex(call, mutex)?;
                Ok(Flow::Returns(result))
            }
            _ => {
                self.field(call, condition, 4)?;
                if self.mutex_owner(call, mutex)? != Word::from(call.id.0) + 1 {
                    let name = self.object_place(mutex);
                    return Err(call.misuse(format!("{name} is not held by the caller")));
                }
                self.release_mutex(call, mutex)?;
                self.act_on(call.id, PseudoLocation::Waiters(mutex), true);
                self.act_on(call.id, PseudoLocation::Condition(condition), true);
                self.note_call(call, "waits on", condition, "");
                let thread = &mut self.threads[call.id.index()];
                thread.reacquires = mutex;
                thread.phase = Phase::Waiting {
                    condition,
                    woken: false,
                };
                Ok(Flow::Stays)
            }
        }
    }

    fn barrier_wait(&mut self, call: &Call) -> Run<Flow> {
        let barrier = call.word(0)?;
        if let Phase::Barrier { .. } = self.threads[call.id.index()].phase {
            self.act_on(call.id, PseudoLocation::Waiters(barrier), false);
            self.races_acquire(call.id, barrier);
            return Ok(Flow::Returns(0));
        }
        self.races_release(call.id, barrier);
        let needed = self.field(call, barrier + NEEDED, 4)?;
        if needed == 0 {
            return Err(call.misuse(self.never_initialised(barrier)));
        }
        let arrived = self.field(call, barrier + ARRIVED, 4)? + 1;
        self.note_call(call, "arrives at", barrier, "");
        if arrived < needed {
            self.set_field(barrier + ARRIVED, 4, arrived)?;
            self.threads[call.id.index()].phase = Phase::Barrier {
                barrier,
                open: false,
            };
            return Ok(Flow::Stays);
        }
        self.set_field(barrier + ARRIVED, 4, 0)?;
        for index in 0..self.threads.len() {
            // Threads of an earlier round may not have left the barrier yet.
            if matches!(self.threads[index].phase, Phase::Barrier { barrier: at, open: false } if at == barrier)
            {
                let waiting = ThreadId::from(index);
                self.save_thread(waiting);
                self.act(call.id, ActKind::Wake(waiting));
                let open = true;
                self.threads[index].phase = Phase::Barrier { barrier, open };
            }
        }
        self.races_acquire(call.id, barrier);
        Ok(Flow::Returns(SERIAL_THREAD))
    }

    /// In how many ways a wait on a condition variable can go on.
    pub(super) fn condition_choices(&mut self, id: ThreadId, timed: bool, mutex: Word) -> u32 {
        match self.threads[id.index()].phase {
            Phase::Waiting { woken: true, .. } => 1,
            Phase::Waiting { woken: false, .. } => {
                u32::from(timed) + u32::from(self.limits.spurious)
            }
            Phase::Reacquire(_) => u32::from(self.can_take_mutex(id, mutex)),
            _ => 1,
        }
    }

    /// In how many ways a signal can go on: one for each thread that it may wake.
    pub(super) fn signal_choices(&self, id: ThreadId, routine: Routine, condition: Word) -> u32 {
        if self.is_before_attempt(id, routine) {
            return 1;
        }
        (self.waiters(condition).len() as u32).max(1)
    }

    /// True if a thread has not come to its barrier yet, or may leave it.
    pub(super) fn can_pass_barrier(&self, id: ThreadId) -> bool {
        !matches!(
            self.threads[id.index()].phase,
            Phase::Barrier { open: false, .. }
        )
    }

    /// True if there is something to take, or something is wrong, which is found when the call goes on.
    pub(super) fn can_take_semaphore(&mut self, id: ThreadId, semaphore: Word) -> bool {
        let value = self.read_word(id, semaphore, 4);
        value.map_or(true, |value| !value.is_defined() || value.word > 0)
    }

    /// Why a thread waits on a condition variable, or for the mutex that it locks again.
    pub(super) fn condition_reason(
        &mut self,
        id: ThreadId,
        condition: Word,
        mutex: Word,
    ) -> String {
        match self.threads[id.index()].phase {
            Phase::Reacquire(_) => self.lock_reason(id, mutex, OWNER),
            _ => format!(
                "waits on {}, and nobody wakes it",
                self.object_place(condition)
            ),
        }
    }
}
