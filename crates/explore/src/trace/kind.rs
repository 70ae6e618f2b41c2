//! What an event does, as far as store buffers care.

use machine::{Act, ActKind};
use program::{Orderings, ThreadId};

/// What an event does, in short.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// Whose it is.
    pub thread: u32,
    pub reads: bool,
    /// Writes memory at once.
    pub writes: bool,
    /// Stores that may wait.
    pub stores: u32,
    /// Comes after all earlier stores.
    pub drains: bool,
    /// Comes after earlier stores to the same place, and those before a fence.
    pub settles: bool,
    /// The thread's fences behind it keep loads back.
    pub keeps_loads: bool,
    /// And stores.
    pub keeps_stores: bool,
    /// The thread that it joins, plus one.
    pub joins: u32,
    /// There is more to it than is said here.
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
        for act in acts {
            let own = act.thread == thread;
            match act.kind {
                ActKind::Read(..) => kind.reads |= own,
                ActKind::Store(_) => kind.stores += u32::from(own),
                ActKind::Write(_) | ActKind::Change(_) => kind.writes |= own,
                ActKind::Drain => kind.drains |= own,
                ActKind::Settle(_) => kind.settles |= own,
                ActKind::Fence(orderings) if own => {
                    kind.keeps_loads |= orderings.contains(Orderings::STORE_LOAD);
                    kind.keeps_stores |= orderings.contains(Orderings::STORE_STORE);
                }
                ActKind::Join(child) => kind.joins = child.0 + 1,
                ActKind::Prepare(_) | ActKind::Fence(_) => kind.special = true,
                _ => {}
            }
        }
        // Nobody else can reach what it reads and writes.
        if kind.settles && !kind.reads {
            kind.reads = true;
            kind.special = true;
        }
        kind
    }
}
