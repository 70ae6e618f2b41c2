//! Threads that end for good: by a fault, by the end of the program, or by a bound.

use crate::explorer::{Explorer, Visitor};
use crate::trace::EventId;
use machine::End;
use program::ThreadId;

/// How a step ended its thread for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Something went wrong.
    Failed,
    /// The program ended.
    Exited,
    /// A bound cut it off.
    Cut,
}

impl Ended {
    /// What the machine reports, in short.
    pub fn of(end: &End) -> Self {
        match end {
            End::Fault(..) => Ended::Failed,
            End::Exit(_) => Ended::Exited,
            End::Cut(_) => Ended::Cut,
        }
    }
}

/// The end of a thread for good, or the failure of a store as it was flushed.
#[derive(Clone, Debug)]
pub struct ThreadEnd {
    /// The event that brought it about.
    pub event: EventId,
    /// The thread that ended; none if a buffered store failed, which does not stop its thread.
    pub thread: Option<ThreadId>,
    /// How.
    pub end: End,
}

/// All such ends of the execution at hand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    /// Those before the first event.
    pub at_start: Vec<End>,
    /// Those by events, in their order.
    pub by_event: Vec<ThreadEnd>,
    /// That of the last thread, which runs to its end without events.
    pub at_finish: Option<Ended>,
}

impl Explorer<'_> {
    /// Reports threads to the visitor that were ended before the first event; false to stop.
    pub fn report_ended_at_start(&mut self, visitor: &mut impl Visitor) -> bool {
        let mut ends = self.ends.at_start.clone().into_iter();
        ends.all(|end| visitor.ended(self, end))
    }

    /// Notes the threads that the last step ended, as soon as it has happened: whatever is tried and taken back later leaves no
    /// trace of them on the machine.
    pub(crate) fn record_ends(&mut self) {
        let event = self.trace.len() - 1;
        for (thread, end) in self.process.take_ends() {
            if let Some(thread) = thread {
                self.waiters.of(thread).ended = true;
            }
            self.ends.by_event.push(ThreadEnd { event, thread, end });
        }
    }

    /// Reports to the visitor what the last step ended; false to stop.
    pub(crate) fn look_at_end(&mut self, visitor: &mut impl Visitor) -> bool {
        if self.ends.by_event.is_empty() {
            return true;
        }
        let last = self.trace.len().checked_sub(1);
        let by_last = self
            .ends
            .by_event
            .iter()
            .filter(|end| Some(end.event) == last);
        let by_last: Vec<End> = by_last.map(|end| end.end.clone()).collect();
        self.stopped = !by_last.into_iter().all(|end| visitor.ended(self, end));
        !self.stopped
    }

    /// Takes back ends by events until this many events are left.
    pub(crate) fn take_ends_back(&mut self, node: EventId) {
        while let Some(end) = self.ends.by_event.last()
            && end.event >= node
        {
            if let Some(thread) = end.thread {
                self.waiters.of(thread).ended = false;
            }
            self.ends.by_event.pop();
        }
    }

    /// True if something ended its thread in this way.
    pub fn has_ended(&self, how: Ended) -> bool {
        let first = self.ends.at_start.iter().map(Ended::of);
        let by_event = self.ends.by_event.iter().map(|end| Ended::of(&end.end));
        let mut all = first.chain(self.ends.at_finish).chain(by_event);
        all.any(|ended| ended == how)
    }
}
