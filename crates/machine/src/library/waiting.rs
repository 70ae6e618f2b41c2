//! Condition variables, barriers and semaphores.

use super::lifetimes::SyncObject;
use super::{Caller, Flow, Run};
use crate::process::Phase;
use answer::Event;
use memory::Condition;
use program::Standard::{self, C11, Posix};
use program::codes::{EAGAIN, ETIMEDOUT};
use program::in_family::{Barriers, Conditions, Semaphores};
use program::mutex::OWNER;
use program::{Blocking, Word};

/// Fields of `pthread_barrier_t` as this library lays it out.
pub(super) const NEEDED: u64 = 0;
pub(super) const ARRIVED: u64 = 4;
const SERIAL_THREAD: Word = 0xffff_ffff;

impl Caller<'_, '_> {
    pub(super) fn condition_routine(&mut self, routine: Conditions) -> Run<Flow> {
        use Conditions::*;
        let condition = self.word(0)?;
        match routine {
            ConditionInit | C11ConditionInit => {
                self.initialise_object(SyncObject::Condition, condition)
            }
            ConditionDestroy | C11ConditionDestroy => {
                self.destroy_object(SyncObject::Condition, condition)
            }
            ConditionWait | ConditionTimedWait => self.condition_wait(Posix),
            C11ConditionWait | C11ConditionTimedWait => self.condition_wait(C11),
            ConditionSignal | C11ConditionSignal => {
                self.field(condition, 4)?;
                let waiters = self.waiters_to_wake(condition);
                if let Some(woken) = waiters.get(self.choice as usize) {
                    self.wake(*woken);
                } else {
                    self.note_call("signals", condition, " to nobody");
                }
                Ok(Flow::Returns(0))
            }
            ConditionBroadcast | C11ConditionBroadcast => {
                self.field(condition, 4)?;
                let waiters = self.waiters_to_wake(condition);
                if waiters.is_empty() {
                    self.note_call("broadcasts", condition, " to nobody");
                }
                for waiter in waiters {
                    self.wake(waiter);
                }
                Ok(Flow::Returns(0))
            }
        }
    }

    pub(super) fn barrier_routine(&mut self, routine: Barriers) -> Run<Flow> {
        match routine {
            Barriers::BarrierInit => self.initialise_object(SyncObject::Barrier, self.word(0)?),
            Barriers::BarrierDestroy => self.destroy_object(SyncObject::Barrier, self.word(0)?),
            Barriers::BarrierWait => self.barrier_wait(),
            Barriers::Once => Err(self.not_replaced()),
        }
    }

    pub(super) fn semaphore_routine(&mut self, routine: Semaphores) -> Run<Flow> {
        use Semaphores::*;
        let semaphore = self.word(0)?;
        match routine {
            SemaphoreInit => self.initialise_object(SyncObject::Semaphore, semaphore),
            SemaphoreDestroy => self.destroy_object(SyncObject::Semaphore, semaphore),
            SemaphoreWait | SemaphoreTryWait | SemaphoreTimedWait => {
                let flow = self.follow_steps(semaphore)?;
                if flow == Flow::Returns(0) {
                    self.acquire(semaphore);
                    self.note_call("takes", semaphore, "");
                } else {
                    let tries = routine == SemaphoreTryWait;
                    self.set_errno(if tries { EAGAIN } else { ETIMEDOUT })?;
                    self.note_call("fails to take", semaphore, "");
                }
                Ok(flow)
            }
            SemaphorePost => {
                let flow = self.follow_steps(semaphore)?;
                self.release(semaphore);
                self.note_call("posts", semaphore, "");
                Ok(flow)
            }
            SemaphoreValue => self.follow_steps(semaphore),
        }
    }

    fn note_call(&mut self, verb: &str, object: Word, rest: &str) {
        self.note(|names| Event::Call(format!("{verb} {}{rest}", names.object(object))));
    }

    /// True if somebody waits on a condition variable, as the caller sees it.
    pub(super) fn has_waiters(&mut self, condition: Word) -> bool {
        let waiters = self.waiters(condition);
        self.field(condition, 4).is_ok() && !waiters.is_empty()
    }

    fn condition_wait(&mut self, standard: Standard) -> Run<Flow> {
        let (condition, mutex) = (self.word(0)?, self.word(1)?);
        match *self.phase() {
            Phase::Waiting { woken, .. } => {
                // Woken, out of time, or awake spuriously: all go for the mutex.
                let timed_out = !woken && self.is_timed() && self.choice == 0;
                let result = if timed_out { standard.timed_out() } else { 0 };
                let how = match (woken, timed_out) {
                    (true, _) => "is awake",
                    (false, false) => "wakes up spuriously",
                    (false, true) => "runs out of time",
                };
                self.note(|_| Event::Call(how.to_owned()));
                self.end_sleep(condition, woken, result);
                Ok(Flow::Stays)
            }
            Phase::Reacquire(result) => {
                self.record_reacquisition(mutex);
                self.take_mutex(mutex)?;
                Ok(Flow::Returns(result))
            }
            Phase::Begin | Phase::Attempt | Phase::Barrier { .. } => {
                self.field(condition, 4)?;
                if !Condition::HELD.holds(self.mutex_owner(mutex)?, self.id) {
                    return Err(self.misuse(self.not_held(mutex)));
                }
                self.release_mutex(mutex)?;
                self.note_call("waits on", condition, "");
                self.sleep_on(condition, mutex);
                Ok(Flow::Stays)
            }
        }
    }

    fn is_timed(&self) -> bool {
        self.routine.row().blocking == Blocking::TimedCondition
    }

    fn barrier_wait(&mut self) -> Run<Flow> {
        let barrier = self.word(0)?;
        if let Phase::Barrier { .. } = self.phase() {
            self.record_leaving(barrier);
            if self.arrivals_commute() {
                self.record_passage(barrier + ARRIVED);
            }
            self.acquire(barrier);
            return Ok(Flow::Returns(0));
        }
        self.release(barrier);
        let needed = self.field(barrier + NEEDED, 4)?;
        if needed == 0 {
            return Err(self.misuse(self.never_initialised(barrier)));
        }
        if self.arrivals_commute() {
            self.note_call("arrives at", barrier, "");
            self.gather(barrier, barrier + ARRIVED, needed)?;
            return Ok(Flow::Stays);
        }
        let arrived = self.field(barrier + ARRIVED, 4)? + 1;
        self.note_call("arrives at", barrier, "");
        if arrived < needed {
            self.set_field(barrier + ARRIVED, 4, arrived)?;
            self.wait_at_barrier(barrier);
            return Ok(Flow::Stays);
        }
        self.set_field(barrier + ARRIVED, 4, 0)?;
        self.open_barrier(barrier);
        self.acquire(barrier);
        Ok(Flow::Returns(SERIAL_THREAD))
    }

    /// In how many ways a wait on a condition variable can go on.
    pub(super) fn condition_choices(&mut self, mutex: Word) -> u32 {
        match *self.phase() {
            Phase::Waiting { woken: false, .. } => {
                u32::from(self.is_timed()) + u32::from(self.has_spurious_wakeups())
            }
            Phase::Reacquire(_) => u32::from(self.can_take_mutex(mutex)),
            Phase::Waiting { woken: true, .. }
            | Phase::Begin
            | Phase::Attempt
            | Phase::Barrier { .. } => 1,
        }
    }

    /// In how many ways a signal can go on: one for each thread that it may wake.
    pub(super) fn signal_choices(&mut self, condition: Word) -> u32 {
        if self.is_before_attempt() {
            return 1;
        }
        (self.waiters(condition).len() as u32).max(1)
    }

    /// True if the thread has not come to its barrier yet, or may leave it.
    pub(super) fn can_pass_barrier(&self) -> bool {
        !matches!(self.phase(), Phase::Barrier { open: false, .. })
    }

    /// Why the thread waits on a condition variable, or for the mutex that it locks again.
    pub(super) fn condition_reason(&mut self, condition: Word, mutex: Word) -> String {
        match self.phase() {
            Phase::Reacquire(_) => self.lock_reason(mutex, OWNER),
            Phase::Begin | Phase::Attempt | Phase::Waiting { .. } | Phase::Barrier { .. } => {
                let name = self.names().object(condition);
                format!("waits on {name}, and nobody wakes it")
            }
        }
    }
}
