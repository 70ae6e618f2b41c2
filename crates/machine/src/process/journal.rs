//! Taking steps back.
//!
//! A step saves the thread that takes it; memory keeps track of its own changes. Everything
//! else that a step may change is rare and saved where it happens.

use super::acts::ActKind;
use super::buffer::Pending;
use super::image::Op;
use super::races::Races;
use super::shared::Shared;
use super::thread::{Standing, Thread};
use super::value::Value;
use super::{End, Process, Transition};
use program::{Blocking, Routine, ThreadId, Word};

/// A moment to go back to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    changes: usize,
    memory: usize,
}

/// How to take back what happened.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    changes: Vec<Change>,
    /// Threads to save others in, for the room that they have.
    #[allow(clippy::vec_box)]
    spare: Vec<Box<Thread>>,
    /// Stores that left the store buffer after the end of their object, with their threads.
    strays: Vec<(ThreadId, Pending)>,
}

#[derive(Clone, Debug)]
enum Change {
    Thread(ThreadId, Box<Thread>),
    Joined(ThreadId, Standing),
    Started(usize),
    Observed(u32, Option<Value>),
    Tables(usize),
    Shared(Box<Shared>),
    Section(Option<ThreadId>, u32),
    Stray,
    Races(Option<Box<Races>>),
}

impl Process<'_> {
    /// Keeps what is needed to take steps back from now on.
    pub fn keep_journal(&mut self) {
        self.journal = Some(Journal::default());
        self.memory.keep_changes();
    }

    /// Now, to go back to.
    pub fn mark(&self) -> Mark {
        Mark {
            changes: self.journal.as_ref().map_or(0, |j| j.changes.len()),
            memory: self.memory.changes(),
        }
    }

    /// Goes back to an earlier moment.
    pub fn undo(&mut self, mark: Mark) {
        self.memory.undo(mark.memory);
        self.acts.clear();
        self.end = None;
        self.new_threads.clear();
        let Some(mut journal) = self.journal.take() else {
            return;
        };
        while journal.changes.len() > mark.changes
            && let Some(change) = journal.changes.pop()
        {
            match change {
                Change::Thread(id, mut thread) => {
                    std::mem::swap(&mut self.threads[id.index()], &mut thread);
                    journal.spare.push(thread);
                }
                Change::Joined(id, standing) => self.threads[id.index()].standing = standing,
                Change::Started(count) => journal.spare.extend(self.threads.drain(count..)),
                Change::Observed(number, value) => self.observed[number as usize] = value,
                Change::Tables(count) => self.tables.truncate(count),
                Change::Shared(shared) => self.shared = *shared,
                Change::Section(owner, sections) => {
                    (self.section_owner, self.sections) = (owner, sections)
                }
                Change::Stray => {
                    journal.strays.pop();
                }
                Change::Races(races) => self.races = races,
            }
        }
        self.journal = Some(journal);
    }

    /// Saves what every step of a thread changes.
    pub(super) fn save_step(&mut self, id: ThreadId) {
        if self.journal.is_some() {
            self.save_thread(id);
            let count = self.threads.len();
            let races = self.races.clone();
            if let Some(journal) = &mut self.journal {
                journal.changes.push(Change::Started(count));
                if races.is_some() {
                    journal.changes.push(Change::Races(races));
                }
            }
        }
    }

    /// Saves a thread that is about to change.
    pub(super) fn save_thread(&mut self, id: ThreadId) {
        if let Some(journal) = &mut self.journal {
            let mut saved = journal.spare.pop().unwrap_or_default();
            saved.clone_from(&self.threads[id.index()]);
            journal.changes.push(Change::Thread(id, saved));
        }
    }

    /// Marks a thread that has ended as joined.
    pub(super) fn set_joined(&mut self, id: ThreadId) {
        self.note_change(|process| Change::Joined(id, process.threads[id.index()].standing));
        self.threads[id.index()].standing = Standing::Joined;
    }

    fn note_change(&mut self, change: impl FnOnce(&Self) -> Change) {
        if self.journal.is_some() {
            let change = change(self);
            if let Some(journal) = &mut self.journal {
                journal.changes.push(change);
            }
        }
    }

    pub(super) fn note_observation(&mut self, number: u32) {
        self.note_change(|process| Change::Observed(number, process.observed[number as usize]));
    }

    pub(super) fn note_tables(&mut self) {
        self.note_change(|process| Change::Tables(process.tables.len()));
    }

    pub(super) fn note_shared(&mut self) {
        self.note_change(|process| Change::Shared(Box::new(process.shared.clone())));
    }

    /// A thread enters an atomic section, perhaps inside another one of its own.
    pub(super) fn enter_section(&mut self, id: ThreadId) {
        self.note_change(|process| Change::Section(process.section_owner, process.sections));
        self.section_owner = Some(id);
        self.sections += 1;
    }

    /// It leaves the innermost section that it is in; others may run once it has left all.
    pub(super) fn leave_section(&mut self) {
        self.note_change(|process| Change::Section(process.section_owner, process.sections));
        self.sections -= 1;
        self.section_owner = self.section_owner.filter(|_| self.sections > 0);
    }

    /// The thread that was ended last for good.
    pub fn last_to_end(&self) -> ThreadId {
        self.ender
    }

    /// How the last step ended a thread, if it did; the others may go on.
    pub fn take_end(&mut self) -> Option<End> {
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

    /// If only one thread is left and all that it does is to join the others and then run to its
    /// end on its own, lets it; the thread and the number of its steps. Else nothing happens.
    pub fn run_out(&mut self) -> Option<(ThreadId, usize)> {
        let mut running = (0..self.threads.len()).filter(|index| !self.threads[*index].is_over());
        let id = ThreadId::from(running.next().filter(|_| running.next().is_none())?);
        if !self.is_at_join(id) {
            return None;
        }
        let mark = self.mark();
        self.save_step(id);
        let mut steps = 0;
        while self.end.is_none() && self.is_at_join(id) && self.ways(id) == 1 {
            self.go_on(id, 0);
            steps += 1;
        }
        let only_joins = |act: &super::Act| {
            matches!(
                act.kind,
                ActKind::Join(_) | ActKind::Drain | ActKind::Settle(_) | ActKind::AfterFence
            )
        };
        let quiet = self.acts.iter().all(only_joins);
        self.acts.clear();
        if steps > 0 && quiet && (self.end.is_some() || self.threads[id.index()].is_over()) {
            return Some((id, steps));
        }
        self.undo(mark);
        None
    }

    /// True if a thread is about to join another one.
    pub fn is_at_join(&self, id: ThreadId) -> bool {
        let joins = |routine: Routine| routine.row().blocking == Blocking::Join;
        matches!(self.next_op(id), Some(Op::Routine(routine, ..)) if joins(routine))
    }

    /// Lets a thread go on; false if that only took it round a loop in which it waits, which
    /// is then taken back.
    pub fn try_run(&mut self, id: ThreadId, choice: u32) -> bool {
        let mark = self.mark();
        self.perform(Transition::Run(id, choice));
        let awaits = !self.threads[id.index()].awaiting.is_empty();
        if awaits && self.end.is_none() && self.stands_as_before(id, mark) {
            self.spun = std::mem::take(&mut self.threads[id.index()].awaiting);
            self.undo(mark);
            return false;
        }
        true
    }

    /// True if a thread whose iteration was silent is back at the very call of the very
    /// operation that it stood before at `mark`. It then did one iteration, and no part of another.
    fn stands_as_before(&self, id: ThreadId, mark: Mark) -> bool {
        let changes = self.journal.iter().flat_map(|journal| &journal.changes);
        let before = changes.skip(mark.changes).find_map(|change| match change {
            Change::Thread(saved, thread) if *saved == id => Some(thread),
            _ => None,
        });
        before.is_some_and(|before| before.frames == self.threads[id.index()].frames)
    }

    /// Where a thread stands: calls, and the operation.
    pub fn place_in_code(&self, id: ThreadId) -> Option<(usize, u32)> {
        let thread = &self.threads[id.index()];
        thread.frame().map(|frame| (thread.frames.len(), frame.pc))
    }

    /// Iterations so far of the loop that a thread is in, of those that may turn out to wait.
    pub fn iterations(&self, id: ThreadId) -> u32 {
        let turns = self.threads[id.index()].turns.iter();
        turns.map(|turn| turn.count).max().unwrap_or(0)
    }

    /// True if a thread is in a loop that may turn out to wait for something.
    pub fn is_in_loop(&self, id: ThreadId) -> bool {
        !self.threads[id.index()].turns.is_empty()
    }

    /// What the thread saw that [`Process::try_run`] last took round a loop in vain.
    pub fn spun(&self) -> &[super::Seen] {
        &self.spun
    }

    /// Keeps a store that left the store buffer after the end of its object, for [`Process::could_run`].
    pub(super) fn keep_stray(&mut self, id: ThreadId, entry: Pending) {
        if let Some(journal) = &mut self.journal {
            journal.changes.push(Change::Stray);
            journal.strays.push((id, entry));
        }
    }

    /// True if a thread that waits could go on if stretches of memory (address and size) were as at
    /// earlier moments. Objects that had not ended then hold its own stores that left the store buffer since.
    pub fn could_run(&mut self, id: ThreadId, tries: bool, memory: &[(Word, u32, Mark)]) -> bool {
        let here = self.mark();
        for (address, size, moment) in memory {
            self.memory.revive(*address, moment.memory);
            if let Some(at) = self.memory.locate(*address) {
                let old = self.memory.value_before(at, *size as u8, moment.memory);
                self.memory.write(at, *size, old);
            }
        }
        let strays = self.journal.iter().flat_map(|journal| &journal.strays);
        for (_, store) in strays.filter(|(thread, _)| *thread == id) {
            let (at, size) = (store.at, store.size);
            let address = at.block.base() + at.offset;
            if self.memory.check(address, size.into(), true).is_ok() {
                self.memory.write(at, size.into(), store.value);
            }
        }
        let can = self.ways(id) > 0 && (!tries || self.try_run(id, 0));
        self.undo(here);
        can
    }

    /// True if a thread is in an atomic section.
    pub fn is_in_section(&self) -> bool {
        self.section_owner.is_some()
    }
}
