//! What an event does, as far as it matters to store buffers.

use machine::{Act, ActKind};
use program::{Orderings, ThreadId};

/// What an event does, in short.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// The thread that takes the step.
    pub thread: u32,
    pub reads: bool,
    /// Writes memory without going through a store buffer.
    pub writes: bool,
    /// Stores that may wait.
    pub stores: u32,
    /// Comes after all earlier stores.
    pub drains: bool,
    /// Comes after earlier stores to the same location, and those before a fence.
    pub settles: bool,
    /// The thread's fences behind its accesses keep loads back.
    pub keeps_loads: bool,
    /// And stores.
    pub keeps_stores: bool,
    /// Fences in front of its accesses keep loads back: a library function does both in one step.
    pub first_keeps_loads: bool,
    /// And stores.
    pub first_keeps_stores: bool,
    /// A fence is between two of its accesses.
    pub fence_inside: bool,
    /// The thread that it joins, plus one.
    pub joins: u32,
    /// It has acts that are not summed up here.
    pub special: bool,
}

const NOTHING: Kind = Kind {
    thread: 0,
    reads: false,
    writes: false,
    stores: 0,
    drains: false,
    settles: false,
    keeps_loads: false,
    keeps_stores: false,
    first_keeps_loads: false,
    first_keeps_stores: false,
    fence_inside: false,
    joins: 0,
    special: false,
};

pub(super) const STORES: Kind = Kind {
    stores: 1,
    ..NOTHING
};

pub(super) const DRAINS: Kind = Kind {
    reads: true,
    drains: true,
    ..NOTHING
};

impl Kind {
    pub(super) fn of(acts: &[Act], thread: ThreadId) -> Self {
        let mut kind = Kind {
            thread: thread.0,
            ..NOTHING
        };
        let (first, last) = (first_access(acts, thread), last_access(acts, thread));
        for (index, act) in acts.iter().enumerate() {
            let own = act.thread == thread;
            match act.kind {
                ActKind::Read(..) | ActKind::AfterFence => kind.reads |= own,
                ActKind::Store(_) => kind.stores += u32::from(own),
                ActKind::Write(_) | ActKind::Change(_) => kind.writes |= own,
                ActKind::Drain => kind.drains |= own,
                ActKind::Settle(_) => kind.settles |= own,
                ActKind::Fence(orderings) if own => {
                    let loads = orderings.contains(Orderings::STORE_LOAD);
                    let stores = orderings.contains(Orderings::STORE_STORE);
                    if index < first {
                        kind.first_keeps_loads |= loads;
                        kind.first_keeps_stores |= stores;
                    } else {
                        kind.keeps_loads |= loads;
                        kind.keeps_stores |= stores;
                        kind.fence_inside |= index < last;
                    }
                }
                ActKind::Join(child) => kind.joins = child.0 + 1,
                ActKind::Prepare(_) | ActKind::Fence(_) => kind.special = true,
                _ => {}
            }
        }
        // What it reads and writes is private.
        if kind.settles && !kind.reads {
            kind.reads = true;
            kind.special = true;
        }
        kind
    }
}

fn is_access(act: &Act, thread: ThreadId) -> bool {
    let accesses = matches!(
        act.kind,
        ActKind::Read(..) | ActKind::Store(_) | ActKind::Write(_)
    );
    accesses && act.thread == thread
}

/// The index of the first access of a thread in a step; 0 if there is none.
pub(super) fn first_access(acts: &[Act], thread: ThreadId) -> usize {
    let found = acts.iter().position(|act| is_access(act, thread));
    found.unwrap_or(0)
}

/// The index of the last one.
fn last_access(acts: &[Act], thread: ThreadId) -> usize {
    let found = acts.iter().rposition(|act| is_access(act, thread));
    found.unwrap_or(0)
}
