//! What threads have read of each other, as a shortcut for TSO: if a store of a thread is read by
//! another thread, all stores of that thread up to it have been flushed.

use super::kind::Kind;
use crate::trace::EventId;

/// Threads for which this is noted.
const FEW: usize = 8;

/// The last write of each thread that each other thread has read.
#[derive(Clone, Debug)]
pub(super) struct KnownReads {
    /// By reader and writer: the event, plus one.
    last: [[u32; FEW]; FEW],
    /// What stood there before events.
    changes: Vec<Change>,
}

/// A change of what a thread has read of another.
#[derive(Clone, Copy, Debug)]
struct Change {
    event: u32,
    reader: u8,
    writer: u8,
    before: u32,
}

impl KnownReads {
    pub fn new() -> Self {
        KnownReads {
            last: [[0; FEW]; FEW],
            changes: Vec::new(),
        }
    }

    /// Notes that an event reads a write of another thread.
    pub fn note(&mut self, kinds: &[Kind], id: EventId, write: EventId) {
        let (reader, writer) = (kinds[id], kinds[write]);
        let few = reader.thread.max(writer.thread) < FEW as u32;
        let own = reader.thread == writer.thread;
        if own || !few || writer.stores == 0 && !writer.drains {
            return;
        }
        let known = &mut self.last[reader.thread as usize][writer.thread as usize];
        if *known <= write as u32 {
            self.changes.push(Change {
                event: id as u32,
                reader: reader.thread as u8,
                writer: writer.thread as u8,
                before: *known,
            });
            *known = write as u32 + 1;
        }
    }

    /// True if the thread of an event is known to have read a write, or a later one of its thread.
    pub fn has_read(&self, kinds: &[Kind], id: EventId, write: EventId) -> bool {
        let (reader, writer) = (kinds[id].thread, kinds[write].thread);
        let row = self.last.get(reader as usize);
        let known = row.and_then(|row| row.get(writer as usize));
        known.is_some_and(|known| *known > write as u32)
    }

    /// Takes back what was noted for an event and those after it.
    pub fn back_to(&mut self, event: EventId) {
        while let Some(last) = self.changes.last()
            && last.event as EventId >= event
        {
            self.last[last.reader as usize][last.writer as usize] = last.before;
            self.changes.pop();
        }
    }
}
