//! Threads: starting, joining, ending.

use super::{Caller, Flow, Run};
use program::Standard::{self, C11, Posix};
use program::Word;
use program::codes::{ESRCH, THRD_SUCCESS};
use program::in_family::Threads;

/// Offset of the detach state in `pthread_attr_t`, as this library lays it out.
const DETACH_STATE: u64 = 0;
/// What is wrong with joining or detaching a thread a second time.
const PARTED: &str = "the thread is detached or was joined before";

/// True if a function can tell whether a thread has ended other than by waiting for it.
pub(crate) fn watches_end(routine: Threads) -> bool {
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

impl Caller<'_, '_> {
    pub(super) fn thread_routine(&mut self, routine: Threads) -> Run<Flow> {
        use Threads::*;
        match routine {
            ThreadCreate => self.create(Posix),
            C11ThreadCreate => self.create(C11),
            ThreadJoin => self.join(Posix),
            C11ThreadJoin => self.join(C11),
            ThreadTryJoin => self.join_or_return(Posix.busy()),
            ThreadTimedJoin => self.join_or_return(Posix.timed_out()),
            ThreadDetach | C11ThreadDetach => self.detach(),
            ThreadExit | C11ThreadExit => {
                self.exit_thread(self.value(0));
                Ok(Flow::Stays)
            }
            ThreadSelf => Ok(Flow::Returns(self.id.handle())),
            ThreadEqual => Ok(Flow::Returns((self.word(0)? == self.word(1)?).into())),
            AttributesInit => {
                self.write_defined(self.word(0)?, &[0; 56])?;
                Ok(Flow::Returns(0))
            }
            AttributesSetDetached => {
                let at = self.word(0)? + DETACH_STATE;
                self.write_word(at, 4, self.value(1))?;
                Ok(Flow::Returns(0))
            }
            AttributesIgnored | AttributesSetIgnored => Ok(Flow::Returns(0)),
        }
    }

    fn create(&mut self, standard: Standard) -> Run<Flow> {
        let start = standard.start_arguments();
        let attributes = start.attributes.map_or(Ok(0), |index| self.word(index))?;
        let detached = attributes != 0 && self.field(attributes + DETACH_STATE, 4)? == 1;
        let (function, argument) = (self.word(start.function)?, self.value(start.argument));
        if self.has_most_threads() {
            return Ok(Flow::Returns(standard.no_more_threads()));
        }
        let function = self.callback(function)?;
        self.start_thread(self.word(0)?, function, argument, detached)?;
        Ok(Flow::Returns(0))
    }

    /// Joins a thread that can be joined now, or returns this number.
    fn join_or_return(&mut self, not_ended: Word) -> Run<Flow> {
        if self.may_be_joined(self.word(0)?) {
            return self.join(Posix);
        }
        Ok(Flow::Returns(not_ended))
    }

    fn join(&mut self, standard: Standard) -> Run<Flow> {
        let Some(other) = self.thread_of(self.word(0)?) else {
            return Err(self.misuse("there is no such thread"));
        };
        if other == self.id {
            return Ok(Flow::Returns(standard.waits_for_itself()));
        }
        let Some(result) = self.join_thread(other) else {
            return Err(self.misuse(PARTED));
        };
        let to = self.word(1)?;
        if to != 0 {
            self.write_word(to, standard.joined_width().bytes(), result)?;
        }
        Ok(Flow::Returns(THRD_SUCCESS))
    }

    fn detach(&mut self) -> Run<Flow> {
        let Some(other) = self.thread_of(self.word(0)?) else {
            return Ok(Flow::Returns(ESRCH));
        };
        if !self.detach_thread(other) {
            return Err(self.misuse(PARTED));
        }
        Ok(Flow::Returns(0))
    }
}
