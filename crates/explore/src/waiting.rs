//! Threads that may have to wait: for a mutex, or for what they read in a loop.

use crate::explorer::Explorer;
use crate::step::{Step, StepKind};
use crate::trace::{EventId, has};
use machine::WaitsFor;
use program::ThreadId;

impl Explorer<'_> {
    /// A thread reached what it may have to wait for: events that keep it from going on could
    /// come after its step instead.
    pub(crate) fn arrive(&mut self, thread: ThreadId) {
        self.room(thread);
        if self.threads[thread.index()].arrived {
            return;
        }
        let Some(waits) = self.process.waits_for(thread) else {
            return;
        };
        self.threads[thread.index()].arrived = true;
        self.arrivals.push((self.trace.len(), thread));
        let needed = self.trace.past_of_next(thread, waits.after);
        let mut writers: Vec<EventId> = Vec::new();
        for (address, size) in &waits.bytes {
            self.trace.writers(*address, *size, |id| writers.push(id));
        }
        writers.sort_unstable();
        writers.dedup();
        for writer in writers {
            let event = self.trace.event(writer);
            if has(&needed, writer) || !event.primary || event.step.thread == thread {
                continue;
            }
            let has = |id: EventId| id < writer || has(&needed, id);
            if !self.could_run(thread, &waits, |id| id == writer || has(id))
                && self.could_run(thread, &waits, has)
            {
                self.reverse_pending(writer, thread, &needed);
            }
        }
        self.threads[thread.index()].waits = Some(waits);
    }

    /// True if a thread can go on.
    fn can_run(&mut self, thread: ThreadId, waits: &WaitsFor) -> bool {
        self.process.could_run(thread, waits.tries, &[])
    }

    /// True if a thread could go on if of what wrote to what it waits for only some events, and its
    /// own, had happened.
    fn could_run(
        &mut self,
        thread: ThreadId,
        waits: &WaitsFor,
        keep: impl Fn(EventId) -> bool,
    ) -> bool {
        let trace = &self.trace;
        let keep = |id: EventId| trace.event(id).step.thread == thread || keep(id);
        let mark = |id: EventId| match trace.events().get(id) {
            Some(event) => event.mark,
            None => self.process.mark(),
        };
        let parts = waits.bytes.iter();
        let parts = parts.flat_map(|(address, size)| trace.kept(*address, *size, keep));
        let parts: Vec<_> = parts
            .map(|(start, size, before)| (start, size, mark(before)))
            .collect();
        self.process.could_run(thread, waits.tries, &parts)
    }

    /// Threads that the last event, a primary, keeps from going on.
    pub(crate) fn find_waiting(&mut self, id: EventId) {
        let writes = self.trace.touches_of(id).iter().any(|touch| touch.writes());
        for index in 0..self.threads.len() {
            let thread = ThreadId::from(index);
            if !writes || !self.threads[index].arrived || self.trace.event(id).step.thread == thread
            {
                continue;
            }
            let waits = match self.threads[index].waits.take() {
                Some(waits) => Some(waits),
                None => self.process.waits_for(thread),
            };
            let Some(waits) = waits else {
                continue;
            };
            let mut wrote = false;
            for (address, size) in &waits.bytes {
                self.trace
                    .last_writers(*address, *size, |writer| wrote |= writer == id);
            }
            if wrote
                && !self.can_run(thread, &waits)
                && self.could_run(thread, &waits, |other| other != id)
            {
                self.reverse_pending(id, thread, &[]);
            }
            self.threads[index].waits = Some(waits);
        }
    }

    /// The step of a thread that waits comes before the primary event `first`, and after those of
    /// the row `needed`.
    fn reverse_pending(&mut self, first: EventId, thread: ThreadId, needed: &[u64]) {
        let needed = |id: EventId| has(needed, id);
        let others = self.secondaries.iter().chain(&self.chosen).rev();
        if self.trace.event(first).step.choice() != 0
            || !others.filter(|id| **id > first).all(|id| needed(*id))
        {
            return;
        }
        let step = Step {
            thread,
            kind: StepKind::Run(0),
        };
        let end = self.trace.len();
        let middle: Vec<EventId> = (first + 1..end).filter(|id| needed(*id)).collect();
        self.reverse(first, &middle, step, None);
    }

    /// Writers whose effect the step of a thread that may have to wait needs.
    pub(crate) fn hopeless(&mut self, step: Step) -> Vec<EventId> {
        let thread = step.thread;
        let StepKind::Run(_) = step.kind else {
            return Vec::new();
        };
        self.room(thread);
        let waits = match self.threads[thread.index()].waits.take() {
            Some(waits) => Some(waits),
            None => self.process.waits_for(thread),
        };
        let Some(waits) = waits else {
            return Vec::new();
        };
        let mut writers = Vec::new();
        for (address, size) in &waits.bytes {
            self.trace
                .last_writers(*address, *size, |id| writers.push(id));
        }
        writers.retain(|writer| {
            let event = self.trace.event(*writer);
            let other = event.step.thread != thread;
            let reversible = event.primary || self.grown.iter().any(|grown| grown.event == *writer);
            other && reversible && !self.could_run(thread, &waits, |id| id != *writer)
        });
        writers
    }
}
