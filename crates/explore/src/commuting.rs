//! Operations on the same bytes that commute, and where they turn out not to.
//!
//! With [`Equivalence::Observed`](crate::Equivalence) the machine tells some operations as acts that are in no conflict with
//! each other (`machine/process/acts`, [`ActKind::Accumulate`](machine::ActKind)). Which do is known before the search only up to
//! what the program does later. Where an execution shows that they do not after all, that is a [`Clash`], and the
//! search starts again with those operations in conflict. `docs/explanation/exploration.md` says why no clash goes unseen.

use crate::explorer::Explorer;
use crate::run::Reductions;
use crate::trace::{EventId, overlap};
use machine::{Accumulation, WaitsFor};
use program::ThreadId;

/// Why operations do not commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// A thread may have to wait for a location that others accumulate into. The exploration asks what such a location would hold
    /// had only some of the writes to it happened, which it knows only if they are ordered.
    Await,
    /// The same where only an assumption makes it wait.
    Assumption,
    /// More threads use a barrier than it is for, so that who comes first decides who goes on.
    Crowd,
    /// What begins an attempt of a retry loop read what is undefined, and might not have, had it not waited for the thread's own stores.
    Misread,
    /// Memory (address and size) that nobody was expected to read is read, or waited for.
    Read((u64, u32)),
}

impl Clash {
    /// Takes back what was assumed of operations that do not commute.
    pub fn take_back(self, reductions: &mut Reductions) {
        match self {
            Clash::Await => reductions.commuting.updates = false,
            Clash::Assumption => reductions.await_assumptions = false,
            Clash::Misread => reductions.attempts = false,
            Clash::Crowd => reductions.commuting.arrivals = false,
            Clash::Read(read) => {
                let unread = reductions.unread.iter().copied();
                reductions.unread = unread.filter(|known| !overlap(*known, read)).collect();
            }
        }
    }
}

impl Explorer<'_> {
    /// Looks whether what a thread waits for was accumulated into, or is nothing that should be read.
    pub(crate) fn look_for_clash(&mut self, waits: &WaitsFor) {
        let unread = &self.process.limits().unread;
        let mut bytes = waits.bytes.iter();
        if let Some(read) = bytes.find(|bytes| unread.iter().any(|one| overlap(*one, **bytes))) {
            self.clash = Some(Clash::Read(*read));
            return;
        }
        let accumulated =
            |(address, size): &(u64, u32)| self.trace.has_accumulations(*address, *size);
        let limits = self.process.limits();
        if limits.commuting.updates && waits.bytes.iter().any(accumulated) {
            self.clash = Some(match limits.await_assumptions && waits.assumes {
                true => Clash::Assumption,
                false => Clash::Await,
            });
        }
    }

    /// Looks whether the last event reads what nobody should, arrives at a crowded barrier, or accumulates into what threads wait for.
    pub(crate) fn look_for_clashes_with(&mut self, id: EventId) {
        if let Some(read) = self.trace.unexpected_read(id) {
            self.clash = Some(Clash::Read(read));
        }
        let touches = self.trace.touches_of(id).iter();
        let accumulates = |kind: Accumulation| kind != Accumulation::Unread;
        let mut touches = touches.filter(|touch| touch.accumulates.is_some_and(accumulates));
        let Some(touch) = touches.next() else {
            return;
        };
        if self.trace.is_crowded(touch) {
            self.clash = Some(Clash::Crowd);
        }
        for index in 0..self.process.threads() {
            let thread = ThreadId::from(index);
            if self.waiters.of(thread).arrived
                && let Some(waits) = self.process.waits_for(thread)
            {
                self.look_for_clash(&waits);
            }
        }
    }
}
