//! Confirming what is borderline in an execution of SC.

use super::borderline::Borderline;
use super::monitor::Monitor;
use super::witness::{self, Confirmed};
use crate::Options;
use crate::explorer::Explorer;
use crate::judge::Found;
use crate::step::{Step, StepKind};
use crate::trace::{EventId, NewEvent, Trace};
use answer::Violation;
use program::{Span, ThreadId};

/// Where a borderline access is in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    access: Span,
    /// The write that it could miss.
    missed: Span,
    /// It does the same whatever it reads, so that store buffers show something at each such access
    /// if they do at one.
    sure: bool,
}

impl Monitor {
    /// Looks for what store buffers would show of a finished execution of SC; false to stop.
    pub(super) fn judge(
        &mut self,
        explorer: &mut Explorer<'_>,
        options: &Options,
        found: &mut Found,
    ) -> bool {
        let mut shown = self.confirm_all(explorer, options, found);
        for thread in explorer.spinning() {
            for at in self.look_once_more(explorer, thread) {
                shown |= self.confirm(explorer, at, found);
            }
            explorer.trace.pop();
            self.remove_event();
        }
        for id in self.might_write(&explorer.trace) {
            let mut last = put_last(explorer, id);
            let Some(mut monitor) = last.monitor.take() else {
                continue;
            };
            for at in monitor.borderline_at_last(&last.trace) {
                shown |= monitor.confirm(&last, at, found);
            }
        }
        found.monitor_gave_up |= self.mixed;
        found.counts.borderline += u64::from(shown);
        !found.monitor_gave_up && (options.all || !shown)
    }

    /// True if store buffers show something at one of the borderline accesses found so far. Without
    /// `all` the first of them is enough.
    fn confirm_all(
        &mut self,
        explorer: &Explorer<'_>,
        options: &Options,
        found: &mut Found,
    ) -> bool {
        let mut any = false;
        for index in 0..self.borderline.len() {
            let at = self.borderline[index];
            let shown = match at.shown {
                Some(shown) => shown,
                None => self.confirm(explorer, at, found),
            };
            self.borderline[index].shown = Some(shown);
            any |= shown;
            if any && !options.all {
                break;
            }
        }
        any
    }

    /// True if store buffers show something at a borderline access.
    fn confirm(&mut self, explorer: &Explorer<'_>, at: Borderline, found: &mut Found) -> bool {
        let site = self.site(explorer, at);
        if site.sure && self.confirmed.contains(&site) {
            return true;
        }
        match witness::confirm(explorer, &self.relaxed, at) {
            Confirmed::Yes(witness) => {
                self.confirmed.insert(site);
                let violation = Violation::NotSequential(witness.links);
                found.add_violation(violation, || witness.path);
                true
            }
            Confirmed::Differs => false,
            Confirmed::No => {
                found.monitor_gave_up = true;
                false
            }
        }
    }

    fn site(&self, explorer: &Explorer<'_>, at: Borderline) -> Site {
        let trace = &explorer.trace;
        let missed = self.relaxed.nodes()[at.missed].event();
        let access = trace.event(at.event);
        Site {
            access: access.span,
            missed: missed.map_or(Span::NOWHERE, |missed| trace.event(missed).span),
            sure: !access.may_update && !access.in_loop && explorer.ends.by_event.is_empty(),
        }
    }

    /// Adds one more iteration of a loop in which a thread waits, as an event that reads what the loop
    /// reads; the borderline accesses among that.
    fn look_once_more(&mut self, explorer: &mut Explorer<'_>, thread: ThreadId) -> Vec<Borderline> {
        let process = &explorer.process;
        let acts = process.looks(thread, explorer.read_by_loop_of(thread));
        let event = NewEvent {
            step: Step {
                thread,
                kind: StepKind::Run(0),
            },
            primary: true,
            node: explorer.trace.len(),
            mark: process.mark(),
            arrived: false,
            footprint_depends_on_value: false,
            may_update: false,
            in_loop: true,
            position: process.position_in_code(thread),
        };
        explorer.trace.push(event, &acts);
        self.add_event(&explorer.trace, &acts);
        self.borderline_at_last(&explorer.trace)
    }

    /// The borderline accesses of the last event.
    fn borderline_at_last(&self, trace: &Trace) -> Vec<Borderline> {
        let id = trace.len() - 1;
        let all = self.borderline.iter();
        all.filter(|at| at.event == id).copied().collect()
    }
}

/// The execution as far as it does not come after an event, and then the event.
fn put_last<'a>(explorer: &Explorer<'a>, id: EventId) -> Explorer<'a> {
    let (image, limits) = (explorer.process.image(), explorer.process.limits());
    let trace = &explorer.trace;
    let mut last = Explorer::new(image, limits, explorer.most_events);
    let others = (0..trace.len()).filter(|other| !trace.precedes(id, *other));
    for other in others.filter(|other| *other != id).chain([id]) {
        let node = last.trace.len();
        last.perform(trace.event(other).step, true, node);
    }
    last
}
