//! Threads that may have to wait: for a mutex, or for what they read in a loop.

use crate::child::Known;
use crate::explorer::Explorer;
use crate::step::{Step, StepKind};
use crate::trace::{EventId, has};
use answer::Waiting;
use machine::{Seen, WaitsFor};
use program::ThreadId;
use std::sync::Arc;

/// What a thread saw in an iteration without effect, which its next step would end, or sees that makes an assumption fail.
#[derive(Clone, Debug)]
pub(crate) struct Spun {
    /// All of it. If some of that has changed in the end, the thread would go on with another iteration.
    pub seen: Vec<Seen>,
    /// What was still so when the thread looked at it last, and the step does the same as long as it is.
    pub current: Vec<Seen>,
    /// It would make an assumption fail: the execution does not count as one that ends.
    pub assumes: bool,
}

/// What is known of a thread that may wait.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiter {
    /// It reached what it may have to wait for.
    pub arrived: bool,
    /// What that is.
    pub waits: Option<WaitsFor>,
    /// Set if its next step would only end an iteration of its loop that has no effect, or fail an assumption.
    pub spun: Option<Spun>,
    /// The number of events when it last turned out that it cannot go on.
    pub refused: Option<EventId>,
    /// It was ended for good.
    pub ended: bool,
}

impl Waiter {
    /// It does not wait where it waited.
    pub fn goes_on(&mut self) {
        self.arrived = false;
        self.waits = None;
        self.spun = None;
        self.refused = None;
    }
}

/// What is known of all threads, and since when they wait.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiters {
    threads: Vec<Waiter>,
    /// The number of events at which threads began to wait.
    arrivals: Vec<(EventId, ThreadId)>,
}

impl Waiters {
    /// What is known of a thread.
    #[inline]
    pub fn of(&mut self, thread: ThreadId) -> &mut Waiter {
        let index = thread.index();
        if self.threads.len() <= index {
            self.threads.resize_with(index + 1, Waiter::default);
        }
        &mut self.threads[index]
    }

    /// Takes back that threads began to wait until this many events are left.
    pub fn take_arrivals_back(&mut self, node: EventId) {
        while let Some((at, thread)) = self.arrivals.last()
            && *at >= node
        {
            let waiter = &mut self.threads[thread.index()];
            (waiter.arrived, waiter.waits) = (false, None);
            self.arrivals.pop();
        }
        for waiter in &mut self.threads {
            waiter.refused = waiter.refused.filter(|refused| *refused <= node);
        }
    }

    /// Forgets threads that no longer exist.
    pub fn retain(&mut self, exists: impl Fn(ThreadId) -> bool) {
        for (index, waiter) in self.threads.iter_mut().enumerate() {
            if !exists(ThreadId::from(index)) {
                *waiter = Waiter::default();
            }
        }
    }
}

impl Explorer<'_> {
    /// A thread reached what it may have to wait for: events that keep it from going on could
    /// come after its step instead.
    pub(crate) fn arrive(&mut self, thread: ThreadId) {
        if self.waiters.of(thread).arrived {
            return;
        }
        let Some(waits) = self.process.waits_for(thread) else {
            return;
        };
        self.look_for_clash(&waits);
        self.waiters.of(thread).arrived = true;
        self.waiters.arrivals.push((self.trace.len(), thread));
        let needed = self.trace.past_of_next(thread, waits.after);
        let mut writers: Vec<EventId> = Vec::new();
        for (address, size) in &waits.bytes {
            self.trace.writers(*address, *size, |id| writers.push(id));
        }
        writers.sort_unstable();
        writers.dedup();
        // Whether it could go on without a writer is whether it could with the one before that.
        let mut could = None;
        for writer in writers {
            let event = self.trace.event(writer);
            if has(&needed, writer) || !event.primary || event.step.thread == thread {
                could = None;
                continue;
            }
            let has = |id: EventId| id < writer || has(&needed, id);
            let can = self.could_run(thread, &waits, |id| id == writer || has(id));
            if !can && could.unwrap_or_else(|| self.could_run(thread, &waits, has)) {
                self.reverse_pending(writer, thread, &waits, &needed);
            }
            could = Some(can);
        }
        self.waiters.of(thread).waits = Some(waits);
    }

    /// True if a thread could not go on, and nothing that decides it was written since. A flush of its own is no such write, but
    /// makes it look again.
    pub(crate) fn still_waits(&mut self, thread: ThreadId) -> bool {
        let waiter = self.waiters.of(thread);
        let (Some(refused), Some(waits)) = (waiter.refused, &waiter.waits) else {
            return false;
        };
        let mut written = false;
        for (address, size) in &waits.bytes {
            self.trace
                .last_writers(*address, *size, |writer| written |= writer >= refused);
        }
        !written
    }

    /// True if a thread can go on.
    fn can_run(&mut self, thread: ThreadId, waits: &WaitsFor) -> bool {
        self.process.could_run(thread, waits.tries, &[])
    }

    /// True if a thread could go on if, of the events that wrote to what it waits for, only some and
    /// its own had happened.
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
        if !self.trace.touches_of(id).iter().any(|touch| touch.writes) {
            return;
        }
        for index in 0..self.waiters.threads.len() {
            let thread = ThreadId::from(index);
            if !self.waiters.threads[index].arrived || self.trace.event(id).step.thread == thread {
                continue;
            }
            let Some(waits) = self.take_waits(thread) else {
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
                self.reverse_pending(id, thread, &waits, &[]);
            }
            self.waiters.threads[index].waits = Some(waits);
        }
    }

    /// What a thread waits for; known already, or found out now.
    fn take_waits(&mut self, thread: ThreadId) -> Option<WaitsFor> {
        let known = self.waiters.of(thread).waits.take();
        let waits = known.or_else(|| self.process.waits_for(thread));
        if let Some(waits) = &waits {
            self.look_for_clash(waits);
        }
        waits
    }

    /// The step of a thread that waits comes before the primary event `first`, and after those of
    /// the row `needed`.
    fn reverse_pending(
        &mut self,
        first: EventId,
        thread: ThreadId,
        waits: &WaitsFor,
        needed: &[u64],
    ) {
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
        // After `first` the step does not happen: what it writes may be in conflict with events that `first` is in no conflict with.
        let known = waits.updates.then(|| {
            Arc::new(Known {
                first: self.trace.touches_of(first).to_vec(),
                second: self.trace.reads_of(&waits.bytes),
            })
        });
        self.reverse(first, &middle, step, known);
    }

    /// Writers without whose effect the step of a thread that may have to wait could not happen.
    pub(crate) fn needed_writers(&mut self, step: Step) -> Vec<EventId> {
        let thread = step.thread;
        let StepKind::Run(_) = step.kind else {
            return Vec::new();
        };
        let Some(waits) = self.take_waits(thread) else {
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

    /// The threads that spin in a loop.
    pub(crate) fn spinning(&self) -> Vec<ThreadId> {
        let threads = self.waiters.threads.iter().enumerate();
        let spinning = threads.filter(|(_, waiter)| waiter.spun.is_some() && !waiter.ended);
        spinning.map(|(index, _)| ThreadId::from(index)).collect()
    }

    /// What a thread that spins reads in its loop.
    pub(crate) fn read_by_loop_of(&self, thread: ThreadId) -> &[Seen] {
        let waiter = self.waiters.threads.get(thread.index());
        waiter
            .and_then(|waiter| waiter.spun.as_ref())
            .map_or(&[], |spun| &spun.seen)
    }

    /// True if the execution does not count as one that ends: an assumption failed, or a thread repeats an iteration that
    /// another execution does without.
    pub fn is_discarded(&self) -> bool {
        let repeats = |index: usize, spun: &Spun| {
            !spun.assumes && self.process.has_changed(index.into(), &spun.seen)
        };
        self.process.is_discarded()
            || self.spins(|index, spun| self.fails_assumption(index, spun) || repeats(index, spun))
    }

    /// True if the thread of this index would fail an assumption if it went on.
    fn fails_assumption(&self, index: usize, spun: &Spun) -> bool {
        spun.assumes && !self.process.has_changed(index.into(), &spun.seen)
    }

    /// True if a thread, with its index, waits in this way.
    fn spins(&self, how: impl Fn(usize, &Spun) -> bool) -> bool {
        let waiters = self.waiters.threads.iter().enumerate();
        let mut running = waiters.filter(|(_, waiter)| !waiter.ended);
        running.any(|(index, waiter)| waiter.spun.as_ref().is_some_and(|spun| how(index, spun)))
    }

    /// The threads that wait when nothing can happen any more.
    pub fn waiting(&mut self) -> Vec<Waiting> {
        if self.spins(|index, spun| self.fails_assumption(index, spun)) {
            return Vec::new();
        }
        let mut before = Vec::new();
        for (index, waiter) in self.waiters.threads.iter().enumerate() {
            if let Some(spun) = &waiter.spun {
                let thread = ThreadId::from(index);
                before.push((thread, self.process.set_awaited(thread, spun.seen.clone())));
            }
        }
        let waiting = self.process.waiting();
        for (thread, seen) in before {
            self.process.set_awaited(thread, seen);
        }
        waiting
    }
}
