//! The scheduler: which thread goes on at a node. It looks at the state alone.

use crate::explorer::{Explorer, Visitor};
use crate::step::{Step, StepKind};
use crate::trace::EventId;
use program::ThreadId;

/// Iterations of a loop after which a thread lets others go first.
const ITERATIONS_FIRST: u32 = 16;

/// When the scheduler lets a thread go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Priority {
    /// Before others.
    First,
    /// Once the others wait: it is in a loop that had many iterations already.
    InLoop,
    /// After those: it is about to join another thread.
    AtJoin,
    /// Last: only a spurious wake-up lets it go on.
    Spurious,
}

/// What the scheduler did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheduled {
    /// A step happened.
    Step,
    /// The thread has to wait, or nothing is left to happen.
    Nothing,
    /// The visitor wants no more.
    Stopped,
}

impl Explorer<'_> {
    /// Lets the first thread go on that can. A thread in a loop that had many iterations lets others
    /// go first, which may be what the loop needs to end; joining others comes last.
    pub(crate) fn schedule(&mut self, visitor: &mut impl Visitor) -> Scheduled {
        use Priority::{AtJoin, First, InLoop, Spurious};
        for priority in [First, InLoop, AtJoin, Spurious] {
            let looping = |index: usize| self.is_looping(ThreadId::from(index));
            if priority == InLoop && !(0..self.process.threads()).any(looping) {
                continue;
            }
            // A spurious wake-up may come, or not.
            if priority == Spurious && self.is_stuck() && !visitor.stuck(self) {
                return Scheduled::Stopped;
            }
            match self.schedule_among(priority, visitor) {
                Scheduled::Nothing => {}
                done => return done,
            }
        }
        Scheduled::Nothing
    }

    /// True if nothing but spurious wake-ups can let a thread go on.
    fn is_stuck(&mut self) -> bool {
        let wakes = |index: usize| self.process.can_only_wake_spuriously(ThreadId::from(index));
        self.process.limits().spurious && (0..self.process.threads()).any(wakes)
    }

    /// True if a thread is in a loop that had many iterations.
    fn is_looping(&self, thread: ThreadId) -> bool {
        self.process.iterations(thread) >= ITERATIONS_FIRST
    }

    fn priority_of(&self, thread: ThreadId) -> Priority {
        if self.process.can_only_wake_spuriously(thread) {
            Priority::Spurious
        } else if self.process.is_at_join(thread) {
            Priority::AtJoin
        } else if self.is_looping(thread) {
            Priority::InLoop
        } else {
            Priority::First
        }
    }

    /// Lets the first thread of this priority go on that can.
    fn schedule_among(&mut self, priority: Priority, visitor: &mut impl Visitor) -> Scheduled {
        let node = self.trace.len();
        for index in 0..self.process.threads() {
            let thread = ThreadId::from(index);
            if let Some(number) = self.process.next_commit(thread) {
                let kind = StepKind::Commit(number);
                return self.primary(Step { thread, kind }, node, Vec::new(), visitor);
            }
            if self.process.has_ended(thread)
                || self.waiters.of(thread).ended
                || self.priority_of(thread) != priority
            {
                continue;
            }
            self.arrive(thread);
            if self.still_waits(thread) {
                continue;
            }
            let spun = self.waiters.of(thread).spun.as_ref();
            if spun.is_some_and(|spun| !self.process.has_changed(thread, &spun.current)) {
                continue;
            }
            let step = Step {
                thread,
                kind: StepKind::Run(0),
            };
            match self.process.ways(thread) {
                0 => {
                    let shut_out = self.process.is_in_section();
                    self.waiters.of(thread).refused = (!shut_out).then_some(node);
                    continue;
                }
                1 => {}
                ways => self.open_ways(node, step, ways),
            }
            let needed = match self.waiters.of(thread).arrived {
                true => self.needed_writers(step),
                false => Vec::new(),
            };
            match self.primary(step, node, needed, visitor) {
                Scheduled::Nothing => {}
                done => return done,
            }
        }
        Scheduled::Nothing
    }

    /// Does the scheduler's step and looks for races, but for those with the writers that it needs.
    fn primary(
        &mut self,
        step: Step,
        node: EventId,
        needed: Vec<EventId>,
        visitor: &mut impl Visitor,
    ) -> Scheduled {
        if !self.perform(step, true, node) {
            return Scheduled::Nothing;
        }
        self.find_races(node, &needed);
        self.find_waiting(node);
        if self.look_at_end(visitor) {
            Scheduled::Step
        } else {
            Scheduled::Stopped
        }
    }
}
