//! Where threads stand and what they could do, as an exploration asks.

use super::{End, Process};
use program::ThreadId;

impl Process<'_> {
    /// How the last step ended threads, each with its thread; none if a store failed as it left its store buffer, which
    /// does not stop its thread. The others may go on.
    pub fn take_ends(&mut self) -> Vec<(Option<ThreadId>, End)> {
        let mut ends = Vec::new();
        // Most steps end nothing.
        while self.end().is_some() {
            let thread = self.strays.is_empty().then_some(self.ender);
            ends.extend(self.take_end().map(|end| (thread, end)));
        }
        ends
    }

    /// How the last step ended a thread, if it did; the others may go on.
    pub fn take_end(&mut self) -> Option<End> {
        if !self.strays.is_empty() {
            return Some(self.strays.remove(0));
        }
        let end = self.end.take()?;
        self.over_budget = None;
        while let Some(id) = self.new_threads.pop() {
            self.advance(id);
        }
        Some(end)
    }

    /// In how many ways a thread may go on; 0 if it has to wait, or has ended.
    pub fn ways(&mut self, id: ThreadId) -> u32 {
        if self.is_shut_out(id) {
            return 0;
        }
        self.dry_run = true;
        let ways = self.choices(id);
        self.dry_run = false;
        ways
    }

    /// The number of the oldest store in a thread's store buffer.
    pub fn next_commit(&self, id: ThreadId) -> Option<u32> {
        if self.is_shut_out(id) {
            return None;
        }
        let oldest = self.threads[id.index()].buffer.entries.first()?;
        Some(oldest.number)
    }

    /// The numbers of all stores that may leave a thread's store buffer now.
    pub fn commits(&self, id: ThreadId) -> Vec<u32> {
        let entries = self.threads[id.index()].buffer.entries.iter().enumerate();
        let leaving = entries.filter(|(index, _)| self.may_leave(id, *index));
        leaving.map(|(_, entry)| entry.number).collect()
    }

    /// The index of the store of this number in a thread's store buffer, if it may leave.
    pub fn commit_of(&self, id: ThreadId, number: u32) -> Option<u32> {
        let buffer = &self.threads[id.index()].buffer;
        let index = buffer.entries.iter().position(|e| e.number == number)?;
        self.may_leave(id, index).then_some(index as u32)
    }

    /// Number of stores that a thread has put into its store buffer.
    pub fn issued(&self, id: ThreadId) -> u32 {
        self.threads[id.index()].issued
    }

    /// True if the store of this number is in a thread's store buffer.
    pub fn is_buffered(&self, id: ThreadId, number: u32) -> bool {
        let mut entries = self.threads[id.index()].buffer.entries.iter();
        entries.any(|entry| entry.number == number)
    }

    /// Number of threads that were ever started.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Where a thread stands: calls, and the operation.
    pub fn position_in_code(&self, id: ThreadId) -> Option<(usize, u32)> {
        let thread = &self.threads[id.index()];
        thread.frame().map(|frame| (thread.frames.len(), frame.pc))
    }

    /// Iterations so far of the loop that a thread is in, of those that may turn out to wait.
    pub fn iterations(&self, id: ThreadId) -> u32 {
        let iterations = self.threads[id.index()].iterations.iter();
        iterations
            .map(|iteration| iteration.count)
            .max()
            .unwrap_or(0)
    }

    /// True if a thread is in a loop that may turn out to wait for something.
    pub fn is_in_loop(&self, id: ThreadId) -> bool {
        !self.threads[id.index()].iterations.is_empty()
    }

    /// True if a thread is in an atomic section.
    pub fn is_in_section(&self) -> bool {
        self.section_owner.is_some()
    }
}
