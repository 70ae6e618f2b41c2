//! Threads that have the same number in every execution.
//!
//! By default threads are numbered as they are started. Then two threads that start threads are in conflict: who comes first
//! gets the smaller number, which handles and the addresses of locals are made of. A thread has a name that does not depend on
//! others: who started it, and how many threads that one had started before. [`Limits::reserved`](super::Limits) gives
//! numbers to names before anything happens, the first to its first entry, and so on; a name that is not among them gets the next number
//! after those, in conflict with others of that sort. So starting threads with reserved numbers commutes: the state is the same
//! in both orders.

use super::Process;
use super::thread::{Standing, Thread};
use program::ThreadId;

/// The name of a thread that another one started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Creation {
    /// Who started it.
    pub creator: ThreadId,
    /// How many threads that one had started before.
    pub number: u32,
}

impl Process<'_> {
    /// The names of the threads that were started, in the order of their numbers.
    pub fn creations(&self) -> Vec<Creation> {
        let started = self.threads.iter().filter_map(|thread| thread.creation);
        started.collect()
    }

    /// True if a thread was started.
    pub fn is_started(&self, id: ThreadId) -> bool {
        let thread = self.threads.get(id.index());
        thread.is_some_and(|thread| thread.standing != Standing::NotStarted)
    }

    /// Makes room for the threads whose numbers are reserved.
    pub(super) fn reserve_threads(&mut self) {
        for _ in 0..self.limits.reserved.len() {
            self.memory.add_thread(&self.image.program);
            self.threads.push(Box::new(Thread {
                standing: Standing::NotStarted,
                ..Thread::default()
            }));
        }
    }

    /// The number that is reserved for a thread.
    pub(super) fn reserved(&self, creation: Creation) -> Option<ThreadId> {
        let mut reserved = self.limits.reserved.iter();
        let position = reserved.position(|reserved| *reserved == creation)?;
        Some(ThreadId::from(self.image.program.threads.len() + position))
    }

    /// The name of the next thread that a thread starts.
    pub(super) fn next_creation(&self, creator: ThreadId) -> Creation {
        Creation {
            creator,
            number: self.threads[creator.index()].started,
        }
    }
}
