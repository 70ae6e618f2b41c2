//! The writes of a location that a thread could still miss.
//!
//! A write is needed as long as some thread does not know a newer one: happens-before goes along with
//! the order of a location's writes, and so does relaxed happens-before. What every thread is past is
//! dropped when more than a little room is needed: not at once, as a thread may appear late, knowing
//! nothing. Beyond [`History::WRITES`] the oldest write is dropped in any case. That
//! can hide something from a thread that is far behind, never make something up, and is
//! counted; dropping another write than the oldest would make things up.

use program::LogEvent;
use std::collections::VecDeque;

/// What was done to a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Store,
    Interlocked,
    /// A read that comes after the writes before it.
    Read,
}

/// A write of a location, or, where a model wants them, a read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub kind: Kind,
    pub thread: u32,
    /// Its number among the events of its thread.
    pub number: u32,
    /// What the model knows it by.
    pub first: u32,
    pub second: u32,
    pub line: u32,
    pub at: u32,
}

impl Entry {
    pub fn new(kind: Kind, event: &LogEvent, number: u32, (first, second): (u32, u32)) -> Self {
        Entry {
            kind,
            thread: event.thread,
            number,
            first,
            second,
            line: event.line,
            at: event.at,
        }
    }

    fn is_write(&self) -> bool {
        matches!(self.kind, Kind::Store | Kind::Interlocked)
    }
}

/// What became of writes that a history had no room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dropped {
    /// Every thread knew a newer one.
    pub past: u64,
    /// Some thread did not.
    pub needed: u64,
}

/// The newest writes of a location.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// Oldest first.
    entries: VecDeque<Entry>,
    writes: u32,
}

impl History {
    /// Most writes that are kept.
    pub const WRITES: u32 = 64;

    pub fn newest_first(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().rev()
    }

    /// Adds what was done last. `known` tells whether every thread knows a write.
    pub fn add(&mut self, entry: Entry, known: impl Fn(&Entry) -> bool, dropped: &mut Dropped) {
        let full = self.entries.len() == self.entries.capacity();
        if full && self.entries.len() >= Self::WRITES as usize {
            while self.is_past(&known) {
                self.drop_oldest();
                dropped.past += 1;
            }
        }
        if entry.is_write() {
            if self.writes == Self::WRITES {
                let count = match self.is_past(&known) {
                    true => &mut dropped.past,
                    false => &mut dropped.needed,
                };
                *count += 1;
                self.drop_oldest();
            }
            self.writes += 1;
        }
        self.entries.push_back(entry);
    }

    /// Whether every thread knows the second-oldest write, so that nobody needs the oldest.
    fn is_past(&self, known: impl Fn(&Entry) -> bool) -> bool {
        let mut writes = self.entries.iter().filter(|entry| entry.is_write());
        writes.nth(1).is_some_and(known)
    }

    /// Drops the oldest write and the reads that follow it and nothing newer.
    fn drop_oldest(&mut self) {
        while self.entries.pop_front().is_some_and(|e| !e.is_write()) {}
        while self.entries.front().is_some_and(|e| !e.is_write()) {
            self.entries.pop_front();
        }
        self.writes -= 1;
    }
}
