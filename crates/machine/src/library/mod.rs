//! The C library, one family of functions per file. What each function means to a user
//! stands in the table of [`program::ROUTINES`]; what a function can touch is [`Caller`].

mod chance;
mod heap;
mod keys;
mod lifetimes;
mod locks;
mod memory;
mod output;
mod steps;
mod strings;
mod threads;
mod waiting;

use crate::process::{Call, Caller, Flow, Run};
use answer::{Event, Fault, FaultKind};
use chance::arithmetic;
use program::in_family::Ending;
use program::mutex::OWNER;
use program::{Blocking, InFamily, Routine, Timing};
pub(crate) use threads::watches_end;

/// Calls a function.
pub(crate) fn call(caller: &mut Caller) -> Run<Flow> {
    match caller.routine.in_family() {
        InFamily::Threads(routine) => caller.thread_routine(routine),
        InFamily::Mutexes(routine) => caller.mutex_routine(routine),
        InFamily::SpinLocks(routine) => caller.spin_routine(routine),
        InFamily::ReadWriteLocks(routine) => caller.read_write_routine(routine),
        InFamily::Conditions(routine) => caller.condition_routine(routine),
        InFamily::Barriers(routine) => caller.barrier_routine(routine),
        InFamily::Semaphores(routine) => caller.semaphore_routine(routine),
        InFamily::Keys(routine) => caller.key_routine(routine),
        InFamily::Heap(routine) => caller.heap_routine(routine),
        InFamily::Memory(routine) => caller.memory_routine(routine),
        InFamily::Strings(routine) => caller.string_routine(routine),
        InFamily::Output(routine) => caller.output_routine(routine),
        InFamily::Ending(routine) => caller.ending_routine(routine),
        InFamily::Chance(routine) => caller.chance_routine(routine),
        InFamily::Arithmetic(routine) => arithmetic(caller, routine),
        InFamily::Checking(routine) => caller.checking_routine(routine),
    }
}

/// In how many ways a call may go on; 0 if it has to wait.
pub(crate) fn choices(caller: &mut Caller) -> u32 {
    if let Timing::Choice(ways) = caller.routine.row().timing {
        return ways;
    }
    let object = caller.value(0).word;
    match caller.routine.row().blocking {
        Blocking::Never => 1,
        Blocking::Join => caller.may_be_joined(object).into(),
        Blocking::Mutex => caller.can_take_mutex(object).into(),
        Blocking::Spin | Blocking::Semaphore => caller.can_follow(object).into(),
        Blocking::ReadLock => caller.can_read(object).into(),
        Blocking::WriteLock => caller.can_write(object).into(),
        Blocking::Condition | Blocking::TimedCondition => {
            caller.condition_choices(caller.value(1).word)
        }
        Blocking::Signal => caller.signal_choices(object),
        Blocking::Barrier => caller.can_pass_barrier().into(),
    }
}

/// The argument, the offset and the size of what decides whether a call can go on, if others can change it back and
/// forth; `reacquires` if it only has to lock its mutex again.
pub(crate) fn contended(routine: Routine, reacquires: bool) -> Option<(usize, u64, u32)> {
    match routine.row().blocking {
        Blocking::Mutex => Some((0, OWNER, 4)),
        Blocking::Spin | Blocking::Semaphore => Some((0, 0, 4)),
        Blocking::ReadLock | Blocking::WriteLock => Some((0, 0, 8)),
        Blocking::Condition | Blocking::TimedCondition if reacquires => Some((1, OWNER, 4)),
        // A thread that has ended, or that was woken, stays so.
        Blocking::Join | Blocking::Condition | Blocking::TimedCondition | Blocking::Barrier => None,
        // These go on in any case.
        Blocking::Never | Blocking::Signal => None,
    }
}

/// What a call waits for, and for whom.
pub(crate) fn reason_to_wait(caller: &mut Caller) -> String {
    let object = caller.value(0).word;
    match caller.routine.row().blocking {
        Blocking::Never | Blocking::Signal => String::new(),
        Blocking::Join => caller.thread_of(object).map_or(String::new(), |other| {
            format!("waits for {} to end", caller.names().thread(other))
        }),
        Blocking::Mutex => caller.lock_reason(object, OWNER),
        Blocking::Spin => caller.lock_reason(object, 0),
        Blocking::ReadLock | Blocking::WriteLock => caller.lock_reason(object, locks::WRITER),
        Blocking::Condition | Blocking::TimedCondition => {
            caller.condition_reason(object, caller.value(1).word)
        }
        Blocking::Barrier => format!("waits for others at {}", caller.names().object(object)),
        Blocking::Semaphore => {
            format!("waits for {} to be posted", caller.names().object(object))
        }
    }
}

impl Caller<'_, '_> {
    fn ending_routine(&mut self, routine: Ending) -> Run<Flow> {
        match routine {
            Ending::Exit => {
                let status = self.word(0)?;
                self.note(|_| Event::Call(format!("exit({})", status as i32)));
                self.exit(status);
                Ok(Flow::Stays)
            }
            Ending::AssertFail => {
                let text = self.text(self.word(0)?)?;
                let message = format!("assertion `{text}` fails");
                Err(Box::new(Fault::new(FaultKind::Assertion, message)))
            }
            Ending::ReachError => Err(Box::new(Fault::new(
                FaultKind::Abort,
                "reach_error is reached",
            ))),
            Ending::Abort => Err(Box::new(Fault::new(FaultKind::Abort, "abort is called"))),
        }
    }
}
