//! Taking steps back.
//!
//! A step saves the thread that takes it, a flush the store that it takes out of the buffer; memory keeps track of its
//! own changes. Everything else that a step may change is rare and saved where it happens.

use super::Process;
use super::buffer::Pending;
use super::races::Races;
use super::shared::Shared;
use super::thread::{Standing, Thread};
use super::value::Value;
use program::{ThreadId, Word};

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
    /// Stores that were flushed, the last one last.
    flushed: Vec<Flushed>,
    /// Stores that left the store buffer after the end of their object, with their threads.
    strays: Vec<(ThreadId, Pending)>,
}

/// A store that was flushed, and how the store buffer was before.
#[derive(Clone, Debug)]
struct Flushed {
    thread: ThreadId,
    index: usize,
    entry: Pending,
    epoch: u32,
    held: u32,
    fenced: bool,
}

#[derive(Clone, Debug)]
enum Change {
    Thread(ThreadId, Box<Thread>),
    Flushed,
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
        let silent = self.log.is_none() && self.output.is_none() && self.races.is_none();
        self.finishes = silent.then(Box::default);
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
        self.strays.clear();
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
                Change::Flushed => {
                    if let Some(store) = journal.flushed.pop() {
                        let buffer = &mut self.threads[store.thread.index()].buffer;
                        buffer.put_back(store.index, store.entry, store.epoch, store.held);
                        buffer.fenced = store.fenced;
                    }
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
        self.save_thread(id);
        self.save_races();
    }

    /// Saves who happened before whom, if somebody looks for races.
    pub(super) fn save_races(&mut self) {
        if self.races.is_some() {
            self.note_change(|process| Change::Races(process.races.clone()));
        }
    }

    /// Saves what the flush of a store changes.
    pub(super) fn save_flush(&mut self, id: ThreadId, index: usize) {
        if let Some(journal) = &mut self.journal {
            let buffer = &self.threads[id.index()].buffer;
            journal.flushed.push(Flushed {
                thread: id,
                index,
                entry: buffer.entries[index].clone(),
                epoch: buffer.epoch,
                held: buffer.held,
                fenced: buffer.fenced,
            });
            journal.changes.push(Change::Flushed);
        }
        self.save_races();
    }

    /// Notes how many threads there are, before another one.
    pub(super) fn note_threads(&mut self) {
        self.note_change(|process| Change::Started(process.threads.len()));
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

    /// Keeps a store that left the store buffer after the end of its object, for [`Process::could_run`].
    pub(super) fn keep_stray(&mut self, id: ThreadId, entry: Pending) {
        if let Some(journal) = &mut self.journal {
            journal.changes.push(Change::Stray);
            journal.strays.push((id, entry));
        }
    }

    /// The stores of a thread that left the store buffer after the end of their objects.
    pub(super) fn strays(&self, id: ThreadId) -> Vec<Pending> {
        let strays = self.journal.iter().flat_map(|journal| &journal.strays);
        let own = strays.filter(|(thread, _)| *thread == id);
        own.map(|(_, store)| store.clone()).collect()
    }

    /// A thread as it was before it first changed since an earlier moment.
    pub(super) fn saved_since(&self, id: ThreadId, mark: Mark) -> Option<&Thread> {
        let changes = self.journal.iter().flat_map(|journal| &journal.changes);
        changes.skip(mark.changes).find_map(|change| match change {
            Change::Thread(saved, thread) if *saved == id => Some(&**thread),
            _ => None,
        })
    }

    /// A thread before the last steps of an execution, all of them its own, and whom it joined in them, if nothing else was changed
    /// since an earlier moment.
    pub(super) fn changes_of_finish(
        &self,
        id: ThreadId,
        mark: Mark,
    ) -> Option<(&Thread, Vec<ThreadId>)> {
        let changes = self.journal.as_ref()?.changes.get(mark.changes..)?;
        let Some((Change::Thread(saved, before), joins)) = changes.split_first() else {
            return None;
        };
        let joined = |change: &Change| match change {
            Change::Joined(other, _) => Some(*other),
            _ => None,
        };
        let joined: Option<Vec<ThreadId>> = joins.iter().map(joined).collect();
        (*saved == id && self.memory.changes() == mark.memory).then_some((&**before, joined?))
    }

    /// Puts a thread in the place of another state of it, which is saved.
    pub(super) fn put_thread(&mut self, id: ThreadId, new: &Thread) {
        if let Some(journal) = &mut self.journal {
            let mut thread = journal.spare.pop().unwrap_or_default();
            (*thread).clone_from(new);
            std::mem::swap(&mut self.threads[id.index()], &mut thread);
            journal.changes.push(Change::Thread(id, thread));
        }
    }

    /// Puts a stretch of memory back to what it was at an earlier moment, alive.
    pub(super) fn restore(&mut self, address: Word, size: u32, moment: Mark) {
        self.memory.revive(address, moment.memory);
        if let Some(at) = self.memory.locate(address) {
            let old = self.memory.value_before(at, size as u8, moment.memory);
            self.memory.write(at, size, old);
        }
    }
}
