//! Threads: starting, joining, ending.

use super::codes::{EAGAIN, EBUSY, EDEADLK, ESRCH, ETIMEDOUT, THRD_ERROR, THRD_SUCCESS};
use super::{Call, Flow, Run};
use crate::process::Process;
use crate::process::acts::{ActKind, PseudoLocation};
use crate::process::memory::MOST_THREADS;
use crate::process::thread::Standing;
use crate::process::value::Value;
use answer::Event;
use program::in_family::Threads;
use program::{Blocking, MemoryOrder, Routine, ThreadId, Word};

/// Offset of the detach state in `pthread_attr_t`, as this library lays it out.
const DETACH_STATE: u64 = 0;

/// True if a function can tell whether a thread has ended other than by waiting for it.
pub(in crate::process) fn watches_end(routine: Threads) -> bool {
    use Threads::*;
    match routine {
        ThreadTryJoin | ThreadTimedJoin | ThreadDetach | C11ThreadDetach => true,
        ThreadCreate
        | ThreadJoin
        | ThreadExit
        | ThreadSelf
        | ThreadEqual
        | AttributesInit
        | AttributesSetDetached
        | AttributesIgnored
        | AttributesSetIgnored
        | C11ThreadCreate
        | C11ThreadJoin
        | C11ThreadExit => false,
    }
}

impl Process<'_> {
    pub(super) fn thread_routine(&mut self, call: &Call, routine: Threads) -> Run<Flow> {
        use Threads::*;
        match routine {
            ThreadCreate => {
                let attributes = call.word(1)?;
                let detached =
                    attributes != 0 && self.field(call, attributes + DETACH_STATE, 4)? == 1;
                self.create(call, call.word(2)?, call.value(3), detached, EAGAIN)
            }
            C11ThreadCreate => self.create(call, call.word(1)?, call.value(2), false, THRD_ERROR),
            ThreadJoin | C11ThreadJoin => self.join(call),
            ThreadTryJoin | ThreadTimedJoin => {
                if self.may_be_joined(call, call.word(0)?) {
                    self.join(call)
                } else if routine == ThreadTryJoin {
                    Ok(Flow::Returns(EBUSY))
                } else {
                    Ok(Flow::Returns(ETIMEDOUT))
                }
            }
            ThreadDetach | C11ThreadDetach => self.detach(call),
            ThreadExit | C11ThreadExit => {
                self.exit_thread(call);
                Ok(Flow::Stays)
            }
            ThreadSelf => Ok(Flow::Returns(handle(call.id))),
            ThreadEqual => Ok(Flow::Returns((call.word(0)? == call.word(1)?).into())),
            AttributesInit => {
                let bytes = [0; 56];
                self.write_defined(call.id, call.span, call.word(0)?, &bytes)?;
                Ok(Flow::Returns(0))
            }
            AttributesSetDetached => {
                let at = call.word(0)? + DETACH_STATE;
                self.write_word(call.id, call.span, at, 4, call.value(1))?;
                Ok(Flow::Returns(0))
            }
            AttributesIgnored | AttributesSetIgnored => Ok(Flow::Returns(0)),
        }
    }

    fn create(
        &mut self,
        call: &Call,
        function: Word,
        argument: Value,
        detached: bool,
        failure: Word,
    ) -> Run<Flow> {
        if self.threads.len() >= MOST_THREADS {
            return Ok(Flow::Returns(failure));
        }
        let function = self.function_at(function)?;
        self.check_callback(function)?;
        let id = ThreadId::from(self.threads.len());
        let at = self.reach(call.id, call.word(0)?, 8, true)?;
        self.act_on(call.id, PseudoLocation::Threads, true);
        self.act_write(call.id, at, 8, MemoryOrder::Plain);
        self.memory.write(at, 8, Value::new(handle(id)));
        self.act(call.id, ActKind::Start(id));
        self.publish(argument.word);
        let id = self.add_thread(function, self.accepted(function, &[argument]));
        self.threads[id.index()].detached = detached;
        self.races_hand_over(call.id, id);
        self.note(call.id, call.span, |process| {
            let name = &process.image.functions[function.index()].name;
            Event::Call(format!("starts thread {} ({name})", id.0))
        });
        // The new thread runs ahead to its first stop once its creator has gone on.
        self.new_threads.push(id);
        Ok(Flow::Returns(0))
    }

    /// The thread of a handle.
    pub(super) fn thread_of(&self, word: Word) -> Option<ThreadId> {
        let index = word.checked_sub(handle(ThreadId(0)))?;
        (index < self.threads.len() as u64).then_some(ThreadId(index as u32))
    }

    /// In how many ways the thread of this handle may be joined now.
    pub(in crate::process) fn join_choices(&self, id: ThreadId, word: Word) -> u32 {
        match self.thread_of(word) {
            Some(other) if other == id => 1,
            Some(other) => u32::from(self.threads[other.index()].is_over()),
            None => 1,
        }
    }

    /// True if joining a thread would not have to wait, or is wrong.
    pub(super) fn may_be_joined(&mut self, call: &Call, word: Word) -> bool {
        if let Some(other) = self.thread_of(word) {
            self.act_on(call.id, PseudoLocation::Thread(other), false);
        }
        self.join_choices(call.id, word) > 0
    }

    fn join(&mut self, call: &Call) -> Run<Flow> {
        let c11 = call.routine == Routine::C11ThreadJoin;
        let Some(other) = self.thread_of(call.word(0)?) else {
            return Err(call.misuse("there is no such thread"));
        };
        if other == call.id {
            return Ok(Flow::Returns(if c11 { THRD_ERROR } else { EDEADLK }));
        }
        let result = match self.threads[other.index()].standing {
            Standing::Ended(result) => Some(result),
            _ => None,
        };
        // A call that may fail could have come before the thread's end.
        if call.routine.row().blocking == Blocking::Join {
            self.act_at(call.id, call.span, ActKind::Join(other));
        }
        if self.watches_ends {
            self.act_on(call.id, PseudoLocation::Thread(other), result.is_some());
        }
        let Some(result) = result else {
            return Err(call.misuse("the thread is detached or was joined before"));
        };
        self.set_joined(other);
        self.flush_if_solo(call.id);
        self.races_hand_over(other, call.id);
        self.note(call.id, call.span, |process| {
            Event::Call(format!("joins {}", process.thread_name(other)))
        });
        let place = call.word(1)?;
        if place != 0 {
            let size = if c11 { 4 } else { 8 };
            self.write_word(call.id, call.span, place, size, result)?;
        }
        Ok(Flow::Returns(THRD_SUCCESS))
    }

    fn detach(&mut self, call: &Call) -> Run<Flow> {
        let Some(other) = self.thread_of(call.word(0)?) else {
            return Ok(Flow::Returns(ESRCH));
        };
        self.save_thread(other);
        self.act_on(call.id, PseudoLocation::Thread(other), true);
        let thread = &mut self.threads[other.index()];
        if thread.detached || thread.standing == Standing::Joined {
            return Err(call.misuse("the thread is detached or was joined before"));
        }
        thread.detached = true;
        if let Standing::Ended(_) = thread.standing {
            thread.standing = Standing::Joined;
        }
        Ok(Flow::Returns(0))
    }

    /// Leaves all functions that the thread is in.
    fn exit_thread(&mut self, call: &Call) {
        let thread = &mut self.threads[call.id.index()];
        thread.result = Some(call.value(0));
        thread.left = true;
        let bottom = thread
            .frames
            .first()
            .map(|frame| (frame.base, frame.locals));
        thread.frames.truncate(1);
        if let (Some((base, _)), Some(frame)) = (bottom, thread.frames.first()) {
            let registers = self.image.functions[frame.function.index()].registers;
            thread.registers.truncate((base + registers) as usize);
        }
        thread.turns.clear();
    }
}

/// What `pthread_self` gives: never 0.
fn handle(id: ThreadId) -> Word {
    Word::from(id.0) + 1
}
