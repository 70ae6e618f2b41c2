//! Doing steps, taking them back, and doing them again.

use crate::commuting::Clash;
use crate::explorer::Explorer;
use crate::step::{Step, StepKind};
use crate::trace::{Event, EventId, NewEvent};
use crate::waiting::Spun;
use machine::{Commuting, Mark, Transition};
use program::ThreadId;

/// A step of a path, and how it came to be there.
#[derive(Clone, Copy, Debug)]
pub struct PathStep {
    /// The step.
    pub step: Step,
    primary: bool,
    node: u32,
}

impl PathStep {
    /// A step that is no event.
    fn alone(thread: ThreadId, node: EventId) -> Self {
        let kind = StepKind::Run(0);
        PathStep {
            step: Step { thread, kind },
            primary: true,
            node: node as u32,
        }
    }
}

impl Explorer<'_> {
    /// In how many ways a step may happen now.
    pub(crate) fn ways(&mut self, step: Step) -> u32 {
        match step.kind {
            StepKind::Commit(number) => {
                u32::from(self.process.commit_of(step.thread, number).is_some())
            }
            StepKind::Run(_) if self.waiters.of(step.thread).ended => 0,
            StepKind::Run(_) => self.process.ways(step.thread),
        }
    }

    /// Does a step and adds its event; false if it was an iteration without effect of a loop in which
    /// the thread waits, or if a limit kept the thread from being started.
    pub(crate) fn perform(&mut self, step: Step, primary: bool, node: EventId) -> bool {
        let thread = step.thread;
        if !self.process.is_started(thread) {
            return false;
        }
        self.process.forget_acts();
        let mark = self.process.mark();
        let (mut footprint_depends_on_value, mut address_depends_on_value, mut may_update) =
            (false, false, false);
        let in_loop = self.process.is_in_loop(thread);
        let position = self.process.position_in_code(thread);
        match step.kind {
            StepKind::Commit(number) => match self.process.commit_of(thread, number) {
                Some(index) => self.process.perform(Transition::Commit(thread, index)),
                None => return false,
            },
            StepKind::Run(choice) => {
                footprint_depends_on_value = self.process.footprint_depends_on_value(thread);
                address_depends_on_value =
                    footprint_depends_on_value && self.process.address_depends_on_value(thread);
                may_update = self.monitor.is_some() && self.process.may_update(thread);
                if !self.process.try_run(thread, choice) {
                    self.spin(thread, mark);
                    return false;
                }
            }
        }
        let waiter = self.waiters.of(thread);
        let arrived = waiter.arrived;
        match step.kind {
            StepKind::Run(_) => waiter.goes_on(),
            StepKind::Commit(_) => waiter.refused = None,
        }
        let event = NewEvent {
            step,
            primary,
            node,
            mark,
            arrived,
            footprint_depends_on_value,
            may_update,
            in_loop,
            position,
        };
        let id = self.trace.push(event, self.process.acts());
        if let Some(monitor) = &mut self.monitor {
            monitor.add_event(&self.trace, self.process.acts());
        }
        self.process.forget_acts();
        if self.process.misread() {
            self.clash = Some(Clash::Misread);
        }
        let limits = self.process.limits();
        if limits.commuting != Commuting::default() || !limits.unread.is_empty() {
            self.look_for_clashes_with(id);
        }
        let is_wide = address_depends_on_value && self.trace.uses_several_locations(id);
        self.stopped_in_section |= is_wide || self.process.is_in_section();
        self.events += 1;
        self.record_ends();
        if !primary {
            self.secondaries.push(id);
        }
        if step.choice() != 0 {
            self.chosen.push(id);
        }
        true
    }

    /// Notes that a thread's next step would only end an iteration without effect, or fail an assumption, as was found out since `mark`.
    pub(crate) fn spin(&mut self, thread: ThreadId, mark: Mark) {
        if self.process.mark() != mark {
            self.kept_reads.push((self.trace.len(), thread));
        }
        let (seen, assumes) = self.process.spun();
        let seen = seen.to_vec();
        let mut current = seen.clone();
        current.retain(|seen| !self.process.has_changed(thread, &[*seen]));
        self.waiters.of(thread).spun = Some(Spun {
            seen,
            current,
            assumes,
        });
    }

    /// Takes steps back until this many events are left.
    pub fn back_to(&mut self, node: EventId) {
        let mut mark = None;
        while self.trace.len() > node
            && let Some(event) = self.trace.pop()
        {
            if let Some(monitor) = &mut self.monitor {
                monitor.remove_event();
            }
            mark = Some(event.mark);
            if let StepKind::Run(_) = event.step.kind {
                let waiter = self.waiters.of(event.step.thread);
                waiter.goes_on();
                waiter.arrived = event.arrived;
            }
        }
        if let Some(mark) = mark {
            self.process.undo(mark);
        }
        while let Some((at, thread)) = self.kept_reads.last().copied()
            && at > node
        {
            self.kept_reads.pop();
            // It reads once more.
            self.waiters.of(thread).spun = None;
        }
        self.take_ends_back(node);
        self.waiters.take_arrivals_back(node);
        while self.secondaries.last().is_some_and(|last| *last >= node) {
            self.secondaries.pop();
        }
        while self.chosen.last().is_some_and(|last| *last >= node) {
            self.chosen.pop();
        }
        while self.grown.last().is_some_and(|last| last.event >= node) {
            self.grown.pop();
        }
        // A thread created later may have the number of one that no longer exists.
        let process = &self.process;
        self.waiters.retain(|thread| process.is_started(thread));
    }

    /// The steps of the execution so far.
    pub fn path(&self) -> Vec<PathStep> {
        let step = |event: &Event| PathStep {
            step: event.step,
            primary: event.primary,
            node: event.node as u32,
        };
        let (thread, count) = self.finish.unwrap_or((ThreadId(0), 0));
        let last = PathStep::alone(thread, self.trace.len());
        let events = self.trace.events().iter().map(step);
        events.chain(std::iter::repeat_n(last, count)).collect()
    }

    /// The same with what threads did that was taken back, but whose reads were kept: iterations of those that did not go on since.
    pub fn path_with_kept_reads(&self) -> Vec<PathStep> {
        let mut path = self.path();
        for (at, thread) in self.kept_reads.iter().rev() {
            let mut later = path[*at..].iter().map(|next| next.step);
            if !later.any(|step| step.thread == *thread && matches!(step.kind, StepKind::Run(_))) {
                path.insert(*at, PathStep::alone(*thread, *at));
            }
        }
        path
    }

    /// Does the steps of a path again, which must be possible.
    pub fn follow(&mut self, path: &[PathStep]) -> bool {
        path.iter()
            .all(|next| self.perform(next.step, next.primary, next.node as EventId))
    }
}
