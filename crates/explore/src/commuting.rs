//! Operations on the same bytes that commute, and where they turn out not to.
//!
//! With [`Equivalence::Observed`](crate::Equivalence) the machine tells some operations as acts that are in no conflict with
//! each other (`machine/process/acts`, [`ActKind::Accumulate`](machine::ActKind)). Which do is known before the search only up to
//! what the program does later. Where an execution shows that they do not after all, that is a [`Clash`], and the
//! search starts again with those operations in conflict. `docs/exploration.md` says why no clash goes unseen.

use crate::explorer::Explorer;
use crate::trace::EventId;
use machine::{Commuting, WaitsFor};
use program::ThreadId;

/// Why operations do not commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// A thread may have to wait for a location that others accumulate into. The exploration asks what such a location would hold
    /// had only some of the writes to it happened, which it knows only if they are ordered.
    Await,
    /// More threads use a barrier than it is for, so that who comes first decides who goes on.
    Crowd,
}

impl Clash {
    /// What commutes still.
    pub fn without(self, commuting: Commuting) -> Commuting {
        match self {
            Clash::Await => Commuting {
                updates: false,
                ..commuting
            },
            Clash::Crowd => Commuting {
                arrivals: false,
                ..commuting
            },
        }
    }
}

impl Explorer<'_> {
    /// Looks whether what a thread waits for was accumulated into.
    pub(crate) fn look_for_clash(&mut self, waits: &WaitsFor) {
        let accumulated =
            |(address, size): &(u64, u32)| self.trace.has_accumulations(*address, *size);
        if self.process.limits().commuting.updates && waits.bytes.iter().any(accumulated) {
            self.clash = Some(Clash::Await);
        }
    }

    /// Looks whether the last event arrives at a crowded barrier, and whether threads wait for what it accumulates into.
    pub(crate) fn look_for_clashes_with(&mut self, id: EventId) {
        let touches = self.trace.touches_of(id).iter();
        let mut touches = touches.filter(|touch| touch.accumulates.is_some());
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
