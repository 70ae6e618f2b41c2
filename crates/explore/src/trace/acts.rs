//! What an event did, as edges into it.

use super::{EventId, Standing, Stored, Thread, Touch, Trace, Undo, Use, words_of};
use machine::{Act, ActKind, Bytes};
use memory::Buffering;
use program::Orderings;

impl Trace {
    pub(super) fn act(&mut self, id: u32, act: &Act) {
        let thread = act.thread.0;
        self.room(thread);
        match act.kind {
            ActKind::Read(bytes, source) => {
                self.wait_for_fence(thread);
                self.read_from(id, thread, bytes, source);
            }
            ActKind::Look(bytes, source) => self.read_from(id, thread, bytes, source),
            ActKind::Write(bytes) => {
                let after = self.threads[thread as usize].standing.fence_store;
                self.updates_before(thread, after);
                self.write(id, thread, bytes, self.kind_of_write(bytes));
            }
            ActKind::Accumulate(bytes, kind) => {
                self.wait_for_fence(thread);
                let after = self.threads[thread as usize].standing.fence_store;
                self.updates_before(thread, after);
                self.write(id, thread, bytes, Some(kind));
            }
            ActKind::Pass(bytes) => self.pass(thread, bytes),
            ActKind::Store(bytes) => self.write(id, thread, bytes, None),
            ActKind::Change(bytes) => self.change(id, thread, bytes),
            ActKind::AfterFence => self.wait_for_fence(thread),
            ActKind::Prepare(_) => {}
            ActKind::Fence(_) | ActKind::Settle(_) | ActKind::Drain
                if self.buffering == Buffering::None => {}
            ActKind::Buffer(bytes, _) => self.issue(thread, id + 1, bytes),
            ActKind::Lapse(bytes, number) => {
                self.lapse(thread, bytes);
                self.updates_of(thread, 0, number, bytes);
                self.updated(id, thread, number);
            }
            ActKind::Stray(bytes, number) => {
                self.read(id, thread, bytes);
                self.updates_of(thread, 0, number, bytes);
                self.updated(id, thread, number);
            }
            ActKind::Commit(bytes, number) => {
                self.commit(id, thread, bytes);
                self.updated(id, thread, number);
                let readers = self.threads[thread as usize].stores[number as usize]
                    .readers
                    .len();
                for index in 0..readers {
                    let stores = &self.threads[thread as usize].stores;
                    let (event, part) = stores[number as usize].readers[index];
                    self.put(
                        part,
                        Use {
                            event,
                            thread,
                            mask: 0,
                            writes: false,
                            accumulates: None,
                            own: id + 1,
                        },
                    );
                }
            }
            ActKind::Fence(orderings) => self.fence(thread, orderings),
            ActKind::Settle(bytes) => self.settle(thread, bytes),
            ActKind::Drain => self.drain(thread),
            ActKind::Start(child) => {
                self.room(child.0);
                self.save(child.0);
                self.threads[child.index()].standing.start = id + 1;
            }
            ActKind::Wake(other) => {
                self.room(other.0);
                self.save(other.0);
                self.threads[other.index()].standing.woken = id + 1;
            }
            ActKind::Join(child) => {
                self.room(child.0);
                let Thread {
                    standing, stores, ..
                } = &self.threads[child.index()];
                let count = stores.len() as u32;
                if let Some(last) = (standing.last.max(standing.start) as usize).checked_sub(1) {
                    self.edge(last, false);
                }
                self.updates(child.0, 0, count);
            }
        }
    }

    /// A read from memory, or from the thread's own store of this number.
    fn read_from(&mut self, id: u32, thread: u32, bytes: Bytes, source: Option<u32>) {
        let Some(number) = source else {
            return self.read(id, thread, bytes);
        };
        self.threads[thread as usize].stores[number as usize]
            .readers
            .push((id, bytes));
        self.undo.push(Undo::Reader(thread, number));
        for (word, mask) in words_of(bytes.address, bytes.size) {
            let word = self.word(word);
            self.touches.push(Touch {
                word,
                mask,
                writes: false,
                accumulates: None,
            });
        }
    }

    /// The event that comes next in program order after a store: the update of the next store, or
    /// the thread's next step; `None` if it has not happened.
    pub fn next_in_program(&self, thread: u32, number: u32) -> Option<EventId> {
        let Thread { stores, runs, .. } = &self.threads[thread as usize];
        let issued = stores[number as usize].issued;
        match stores.get(number as usize + 1) {
            Some(next) if next.issued == issued => (next.update as usize).checked_sub(1),
            _ => {
                let next = runs.partition_point(|run| *run < issued);
                runs.get(next).map(|run| *run as usize)
            }
        }
    }

    /// The store of this number was flushed.
    fn updated(&mut self, id: u32, thread: u32, number: u32) {
        self.threads[thread as usize].stores[number as usize].update = id + 1;
        self.undo.push(Undo::Update(thread, number));
    }

    /// Update to fence: all stores are flushed.
    pub(super) fn drain(&mut self, thread: u32) {
        let count = self.threads[thread as usize].stores.len() as u32;
        self.save(thread);
        self.threads[thread as usize].standing.fence_load = count;
        self.wait_for_fence(thread);
    }

    pub(super) fn fence(&mut self, thread: u32, orderings: Orderings) {
        self.save(thread);
        let Thread {
            standing, stores, ..
        } = &mut self.threads[thread as usize];
        let count = stores.len() as u32;
        if orderings.contains(Orderings::STORE_LOAD) {
            standing.fence_load = count;
        }
        if orderings.contains(Orderings::STORE_STORE) {
            standing.fence_store = count;
        }
    }

    pub(super) fn issue(&mut self, thread: u32, issued: u32, bytes: Bytes) {
        let Thread {
            standing, stores, ..
        } = &mut self.threads[thread as usize];
        stores.push(Stored {
            bytes: (bytes.address, bytes.size),
            issued,
            after: standing.fence_store,
            ..Stored::default()
        });
        self.undo.push(Undo::Stored(thread));
    }

    /// Update to fence: the stores before a fence are flushed before a load after it.
    pub(super) fn wait_for_fence(&mut self, thread: u32) {
        let Standing {
            fenced, fence_load, ..
        } = self.threads[thread as usize].standing;
        if fenced < fence_load {
            self.updates(thread, fenced, fence_load);
            self.save(thread);
            self.threads[thread as usize].standing.fenced = fence_load;
        }
    }

    /// Update to read-modify-write: own stores to the same bytes, and those before a fence, are
    /// flushed.
    pub(super) fn settle(&mut self, thread: u32, bytes: Bytes) {
        let after = self.threads[thread as usize].standing.fence_store;
        self.updates_before(thread, after);
        let end = self.threads[thread as usize].stores.len() as u32;
        self.updates_of(thread, after, end, bytes);
    }

    /// Edges from the updates of a thread's stores to some bytes, in a range of numbers.
    fn updates_of(&mut self, thread: u32, first: u32, end: u32, bytes: Bytes) {
        for number in first..end {
            let (start, size) = self.threads[thread as usize].stores[number as usize].bytes;
            if start < bytes.address + u64::from(bytes.size)
                && bytes.address < start + u64::from(size)
            {
                self.updates(thread, number, number + 1);
            }
        }
    }

    /// Edges from the updates of a thread's stores in a range of numbers.
    pub(super) fn updates(&mut self, thread: u32, first: u32, end: u32) {
        for number in first..end {
            let update = self.threads[thread as usize].stores[number as usize].update;
            if let Some(update) = (update as usize).checked_sub(1) {
                self.edge(update, false);
            }
        }
    }

    /// Edges from the updates of all stores before a StoreStore fence: those since the fence
    /// before it come after all others.
    pub(super) fn updates_before(&mut self, thread: u32, fence: u32) {
        let edges = self.edges.len();
        let mut end = fence;
        while end > 0 && self.edges.len() == edges {
            let first = self.threads[thread as usize].stores[end as usize - 1].after;
            self.updates(thread, first, end);
            end = first;
        }
    }

    /// Store to update, and update to update.
    pub(super) fn update_order(&mut self, thread: u32, number: u32) {
        let Stored { issued, after, .. } = self.threads[thread as usize].stores[number as usize];
        if let Some(issued) = (issued as usize).checked_sub(1) {
            self.edge(issued, false);
        }
        match self.buffering {
            Buffering::PerLocation => self.updates_before(thread, after),
            _ => {
                let earlier = &self.threads[thread as usize].stores[..number as usize];
                let last = earlier.iter().rev().find_map(|s| s.update.checked_sub(1));
                if let Some(last) = last {
                    self.edge(last as usize, false);
                }
            }
        }
    }
}
