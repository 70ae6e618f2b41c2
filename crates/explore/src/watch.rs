//! Looking at executions of SC for what store buffers would show.

use crate::explorer::Explorer;
use crate::judge::Judge;
use crate::step::{Step, StepKind};
use crate::trace::{Borderline, EventId, NewEvent};
use crate::witness::{self, Confirmed};
use answer::Violation;
use program::{Span, ThreadId};

/// Where a borderline access stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The access.
    access: Span,
    /// What it could miss.
    missed: Span,
    /// It does the same whatever it reads: one is like the other.
    sure: bool,
}

impl Judge<'_> {
    /// Looks for what store buffers would show of an execution of SC; false to stop.
    pub(crate) fn watch(&mut self, explorer: &mut Explorer<'_>) -> bool {
        let mut borderline = false;
        for index in 0..explorer.trace.borderline().len() {
            let at = explorer.trace.borderline()[index];
            let shown = match at.shown {
                Some(shown) => shown,
                None => self.confirm(explorer, at),
            };
            explorer.trace.show_borderline(index, shown);
            borderline |= shown;
            if borderline && !self.options.all {
                break;
            }
        }
        for thread in explorer.spinning() {
            let looked = explorer.look_on(thread);
            for at in looked {
                borderline |= self.confirm(explorer, at);
            }
            explorer.trace.pop();
        }
        for id in explorer.trace.might_write() {
            let mut last = explorer.put_last(id);
            let id = last.trace.len() - 1;
            let found = last.trace.borderline().to_vec().into_iter();
            for at in found.filter(|at| at.event == id) {
                borderline |= self.confirm(&mut last, at);
            }
        }
        let relaxed = explorer.trace.relaxed.as_ref();
        self.found.unsure |= relaxed.is_some_and(|relaxed| relaxed.mixed);
        self.found.counts.borderline += u64::from(borderline);
        !self.found.unsure && (self.options.all || !borderline)
    }

    /// True if store buffers show something at a borderline access.
    fn confirm(&mut self, explorer: &mut Explorer<'_>, at: Borderline) -> bool {
        let Some(key) = explorer.site(at) else {
            return false;
        };
        if key.sure && explorer.confirmed.contains(&key) {
            return true;
        }
        match witness::confirm(explorer, at) {
            Confirmed::Yes(witness) => {
                explorer.confirmed.insert(key);
                let violation = Violation::NotSequential(witness.links);
                self.found.add_violation(violation, || witness.path);
                true
            }
            Confirmed::Differs => false,
            Confirmed::No => {
                self.found.unsure = true;
                false
            }
        }
    }
}

impl<'a> Explorer<'a> {
    /// The threads that go round a loop in vain.
    fn spinning(&self) -> Vec<ThreadId> {
        let threads = self.threads.iter().enumerate();
        let spinning = threads.filter(|(_, waiter)| waiter.spun.is_some() && !waiter.ended);
        spinning.map(|(index, _)| ThreadId::from(index)).collect()
    }

    /// Adds what a thread that goes round a loop in vain looks at, as an event; the borderline
    /// accesses among it.
    fn look_on(&mut self, thread: ThreadId) -> Vec<Borderline> {
        let seen = self.threads[thread.index()]
            .spun
            .clone()
            .unwrap_or_default();
        let acts = self.process.looks(thread, &seen);
        let id = self.trace.len();
        let event = NewEvent {
            step: Step {
                thread,
                kind: StepKind::Run(0),
            },
            primary: true,
            node: id,
            mark: self.process.mark(),
            arrived: false,
            footprint_depends_on_value: false,
            may_update: false,
            in_loop: true,
            place: self.process.place_in_code(thread),
        };
        self.trace.push(event, &acts);
        let found = self.trace.borderline().iter();
        found.filter(|at| at.event == id).copied().collect()
    }

    /// Where a borderline access stands.
    fn site(&self, at: Borderline) -> Option<Site> {
        let relaxed = self.trace.relaxed.as_ref()?;
        let missed = relaxed.nodes()[at.missed].event();
        let access = self.trace.event(at.event);
        Some(Site {
            access: access.span,
            missed: missed.map_or(Span::NOWHERE, |missed| self.trace.event(missed).span),
            sure: !access.may_update && !access.in_loop && self.ends.is_empty(),
        })
    }

    /// The execution as far as it does not come after an event, and then the event.
    fn put_last(&self, id: EventId) -> Explorer<'a> {
        let (image, limits) = (self.process.image(), self.process.limits());
        let mut last = Explorer::new(image, limits, self.most_events);
        let others = (0..self.trace.len()).filter(|other| !self.trace.precedes(id, *other));
        for other in others.filter(|other| *other != id).chain([id]) {
            let node = last.trace.len();
            last.redo(self.trace.event(other).step, true, node);
        }
        last
    }
}
