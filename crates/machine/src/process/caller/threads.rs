//! Threads: starting them, their ends, and who may join them.

use super::{Caller, Run};
use crate::process::Process;
use crate::process::acts::{ActKind, PseudoLocation};
use crate::process::memory::MOST_THREADS;
use crate::process::thread::Standing;
use crate::process::value::Value;
use answer::Event;
use program::{Blocking, FunctionId, MemoryOrder, ThreadId, Word};

impl Process<'_> {
    /// The thread of a handle.
    pub(super) fn thread_of(&self, word: Word) -> Option<ThreadId> {
        let index = word.checked_sub(ThreadId(0).handle())?;
        let thread = ThreadId(u32::try_from(index).ok()?);
        self.is_started(thread).then_some(thread)
    }

    /// True if joining the thread of a handle would not have to wait, or is wrong.
    pub(in crate::process) fn may_be_joined(&self, id: ThreadId, word: Word) -> bool {
        let other = self.thread_of(word);
        other.is_none_or(|other| other == id || self.threads[other.index()].is_over())
    }
}

impl Caller<'_, '_> {
    /// The thread of a handle.
    pub fn thread_of(&self, word: Word) -> Option<ThreadId> {
        self.process.thread_of(word)
    }

    /// True if joining the thread of a handle would not have to wait, or is wrong.
    pub fn may_be_joined(&mut self, word: Word) -> bool {
        let id = self.id;
        if let Some(other) = self.process.thread_of(word) {
            self.process
                .act_on(id, PseudoLocation::Thread(other), false);
        }
        self.process.may_be_joined(id, word)
    }

    /// Starts a thread, whose handle goes to this address.
    pub fn start_thread(
        &mut self,
        to: Word,
        function: FunctionId,
        argument: Value,
        detached: bool,
    ) -> Run<()> {
        let creator = self.id;
        let creation = self.process.next_creation(creator);
        let at = self.reach(to, 8, true)?;
        let reserved = self.process.reserved(creation);
        let id = reserved.unwrap_or(ThreadId::from(self.process.threads.len()));
        if reserved.is_none() {
            self.process.act_on(creator, PseudoLocation::Threads, true);
        }
        self.process.act_write(creator, at, 8, MemoryOrder::Plain);
        self.process.memory.write(at, 8, Value::new(id.handle()));
        self.process.act(creator, ActKind::Start(id));
        self.process.publish(argument.word);
        let argument = [argument];
        let arguments = self.process.accepted(function, &argument);
        self.process.add_thread(id, function, arguments);
        self.process.threads[creator.index()].started += 1;
        let thread = &mut self.process.threads[id.index()];
        thread.creation = Some(creation);
        thread.detached = detached;
        self.process.races_hand_over(creator, id);
        self.note(|names| {
            let name = names.function(function);
            Event::Call(format!("starts thread {} ({name})", id.0))
        });
        // The new thread runs ahead to its first stop once its creator has gone on.
        self.process.new_threads.push(id);
        Ok(())
    }

    /// True if no more threads can be started.
    pub fn has_most_threads(&self) -> bool {
        self.process.threads.len() >= MOST_THREADS
    }

    /// Joins a thread that has ended: its result, unless it is detached or was joined before.
    pub fn join_thread(&mut self, other: ThreadId) -> Option<Value> {
        let (id, span) = (self.id, self.span);
        let result = match self.process.threads[other.index()].standing {
            Standing::Ended(result) => Some(result),
            Standing::Running
            | Standing::NotStarted
            | Standing::Joined
            | Standing::Discarded
            | Standing::Repeating => None,
        };
        // A call that may fail could have come before the thread's end.
        if self.routine.row().blocking == Blocking::Join {
            self.process.act_at(id, span, ActKind::Join(other));
        }
        if self.process.watches_ends {
            let ended = PseudoLocation::Thread(other);
            self.process.act_on(id, ended, result.is_some());
        }
        let result = result?;
        self.process.set_joined(other);
        self.process.flush_if_solo(id);
        self.process.races_hand_over(other, id);
        self.note(|names| Event::Call(format!("joins {}", names.thread(other))));
        Some(result)
    }

    /// Detaches a thread; false if it is detached or was joined before.
    pub fn detach_thread(&mut self, other: ThreadId) -> bool {
        self.process.save_thread(other);
        let id = self.id;
        self.process.act_on(id, PseudoLocation::Thread(other), true);
        let thread = &mut self.process.threads[other.index()];
        if thread.detached || thread.standing == Standing::Joined {
            return false;
        }
        thread.detached = true;
        if let Standing::Ended(_) = thread.standing {
            thread.standing = Standing::Joined;
        }
        true
    }

    /// Leaves all functions that the thread is in: it ends with this result.
    pub fn exit_thread(&mut self, result: Value) {
        let image = self.process.image;
        let thread = &mut self.process.threads[self.call.id.index()];
        thread.result = Some(result);
        thread.left = true;
        thread.frames.truncate(1);
        if let Some(frame) = thread.frames.first() {
            let registers = image.functions[frame.function.index()].registers;
            thread.registers.truncate((frame.base + registers) as usize);
        }
        thread.iterations.clear();
    }
}
