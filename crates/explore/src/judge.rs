//! What executions come to: counts, outcomes, and what is wrong.

use crate::commuting::Clash;
use crate::ends::Ended;
use crate::explorer::{Explorer, Visitor};
use crate::perform::PathStep;
use crate::{Options, robust};
use answer::{Bound, Counts, Violation, Warning};
use machine::End;
use program::{Span, Word};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Executions between two looks at the clock.
const BETWEEN_LOOKS: u64 = 64;
/// And events.
const EVENTS_BETWEEN_LOOKS: u64 = 10_000;

/// What was found in executions.
#[derive(Debug, Default)]
pub struct Found {
    /// Numbers of executions and events.
    pub counts: Counts,
    /// The first violation of each kind and location in the source, with its execution, in the order found.
    pub violations: Vec<(Violation, Vec<PathStep>)>,
    /// Final states.
    pub outcomes: BTreeSet<Vec<Word>>,
    /// What is not wrong, but worth knowing.
    pub warnings: BTreeSet<Warning>,
    /// Bounds that cut off part of the search.
    pub bounds: Vec<Bound>,
    /// A pointer to a private object escaped to another thread unnoticed.
    pub escaped: bool,
    /// Two operations that were taken to commute do not.
    pub clash: Option<Clash>,
    /// The limit that stopped the search.
    pub stopped: Option<Bound>,
    /// See [`Explorer::stopped_in_section`]; only if that matters to the search.
    pub stopped_in_section: bool,
    /// In some execution the main thread returned, with which the program could have ended before
    /// an assumption of another thread failed.
    pub main_returned: bool,
    /// The monitor of robustness could not tell what store buffers would show.
    pub monitor_gave_up: bool,
}

impl Found {
    /// Takes in what was found elsewhere, later.
    pub fn merge(&mut self, other: Found) {
        let (all, more) = (&mut self.counts, other.counts);
        all.executions += more.executions;
        all.blocked += more.blocked;
        all.redundant += more.redundant;
        all.not_sequential += more.not_sequential;
        all.borderline += more.borderline;
        all.events += more.events;
        for (violation, path) in other.violations {
            self.add_violation(violation, || path);
        }
        self.outcomes.extend(other.outcomes);
        self.warnings.extend(other.warnings);
        for bound in other.bounds {
            self.add_bound(bound);
        }
        self.escaped |= other.escaped;
        self.clash = self.clash.or(other.clash);
        self.stopped_in_section |= other.stopped_in_section;
        self.monitor_gave_up |= other.monitor_gave_up;
        self.main_returned |= other.main_returned;
        self.stopped = self.stopped.or(other.stopped);
    }

    /// True if there is no use in going on.
    pub fn is_decided(&self, options: &Options) -> bool {
        self.stopped.is_some()
            || self.escaped
            || self.clash.is_some()
            || self.stopped_in_section
            || self.monitor_gave_up
            || !options.all
                && self
                    .violations
                    .iter()
                    .any(|(found, _)| robust::ends_search(options, found))
    }

    pub fn add_bound(&mut self, bound: Bound) {
        if !self.bounds.contains(&bound) {
            self.bounds.push(bound);
        }
    }

    pub fn add_violation(&mut self, violation: Violation, path: impl FnOnce() -> Vec<PathStep>) {
        let key = kind_and_location(&violation);
        let mut known = self.violations.iter();
        if !known.any(|(known, _)| kind_and_location(known) == key) {
            self.violations.push((violation, path()));
        }
    }

    /// Notes a violation; false to stop.
    pub fn report(
        &mut self,
        options: &Options,
        violation: Violation,
        path: impl FnOnce() -> Vec<PathStep>,
    ) -> bool {
        let goes_on = options.all || !robust::ends_search(options, &violation);
        self.add_violation(violation, path);
        goes_on
    }
}

/// What tells violations apart: their kind and where they are in the source.
fn kind_and_location(violation: &Violation) -> (String, Vec<Span>) {
    match violation {
        Violation::Fault { span, fault, .. } => (format!("{:?}", fault.kind), vec![*span]),
        Violation::Deadlock(waiting) => {
            let spans: BTreeSet<Span> = waiting.iter().map(|waiting| waiting.span).collect();
            ("deadlock".to_owned(), spans.into_iter().collect())
        }
        Violation::NotSequential(links) => {
            let spans: BTreeSet<Span> = links.iter().map(|link| link.span).collect();
            ("not sequential".to_owned(), spans.into_iter().collect())
        }
        other => (format!("{other:?}"), Vec::new()),
    }
}

/// Judges executions as they come.
pub struct Judge<'a> {
    options: &'a Options,
    started: Instant,
    /// Stop after this many executions.
    budget: u64,
    /// What was found.
    pub found: Found,
    /// True once another worker found what makes going on useless.
    pub useless: &'a dyn Fn() -> bool,
    seen: u64,
    /// Executions since the last look at the clock.
    unseen: u64,
    /// Events up to then.
    looked_at: u64,
}

impl<'a> Judge<'a> {
    /// A judge of at most this many executions.
    pub fn new(
        options: &'a Options,
        started: Instant,
        budget: u64,
        useless: &'a dyn Fn() -> bool,
    ) -> Self {
        Judge {
            options,
            started,
            budget,
            found: Found::default(),
            useless,
            seen: 0,
            unseen: 0,
            looked_at: 0,
        }
    }

    /// Notes a violation; false to stop.
    fn violation(&mut self, explorer: &Explorer<'_>, violation: Violation) -> bool {
        self.found
            .report(self.options, violation, || explorer.path_with_kept_reads())
    }

    fn complete(&mut self, explorer: &mut Explorer<'_>) {
        self.found.counts.executions += 1;
        if self.options.outcomes {
            self.found.outcomes.insert(explorer.process.outcome());
        }
        self.found.warnings.extend(explorer.process.warnings());
    }

    /// True if the execution ends before its time.
    fn is_cut_off(&self, explorer: &Explorer<'_>) -> bool {
        let cut_off = [Ended::Failed, Ended::Cut];
        // The thread whose assumption fails could have been slower than the one that calls `exit`.
        let discarded = explorer.is_discarded() && !explorer.has_ended(Ended::Exited);
        discarded || cut_off.into_iter().any(|how| explorer.has_ended(how))
    }

    /// Stops the search at a limit, after the executions seen by all workers.
    pub(crate) fn stop(&mut self, bound: Bound) {
        let known = &self.options.control.progress.executions;
        let more = std::mem::take(&mut self.unseen);
        let executions = known.fetch_add(more, Ordering::Relaxed) + more;
        self.found.stopped = Some(match bound {
            Bound::Interrupted(_) => Bound::Interrupted(executions),
            other => other,
        });
    }

    /// False if the search should stop.
    fn goes_on(&mut self, explorer: &Explorer<'_>) -> bool {
        self.found.escaped = explorer.process.escaped();
        self.found.clash = explorer.clash;
        self.found.stopped_in_section =
            explorer.stopped_in_section && self.options.needs_fixed_footprints();
        self.seen += 1;
        self.unseen += 1;
        // The machine may have met a limit while it ran a thread.
        if let Some(bound) = explorer.stopped_by_limit() {
            self.stop(bound);
        }
        let events = explorer.events - self.looked_at;
        let looks = self.unseen >= BETWEEN_LOOKS || events >= EVENTS_BETWEEN_LOOKS;
        if looks && self.found.stopped.is_none() {
            let control = &self.options.control;
            let more = std::mem::take(&mut self.unseen);
            self.looked_at = explorer.events;
            let known = &control.progress.executions;
            let executions = known.fetch_add(more, Ordering::Relaxed) + more;
            let executions = || executions as usize;
            self.found.stopped = match control.limit_reached(self.started, executions, || 0) {
                Some(Bound::States(count)) => Some(Bound::Executions(count)),
                other => other,
            };
        }
        self.found.stopped.is_none()
            && !self.found.escaped
            && self.found.clash.is_none()
            && !self.found.stopped_in_section
            && self.seen < self.budget
            && !(self.useless)()
    }
}

impl Visitor for Judge<'_> {
    fn ended(&mut self, explorer: &mut Explorer<'_>, end: End) -> bool {
        match end {
            End::Fault(thread, span, fault) => self.violation(
                explorer,
                Violation::Fault {
                    thread,
                    span,
                    fault: *fault,
                },
            ),
            End::Cut(bound) if bound.stops_search() => {
                self.stop(bound);
                false
            }
            End::Cut(bound) => {
                self.found.add_bound(bound);
                true
            }
            End::Exit(_) => true,
        }
    }

    fn stuck(&mut self, explorer: &mut Explorer<'_>) -> bool {
        let exited = explorer.has_ended(Ended::Exited);
        let waiting = explorer.waiting();
        if !exited && !waiting.is_empty() {
            return self.violation(explorer, Violation::Deadlock(waiting));
        }
        // The main thread has returned, or `exit` was called: the program may end here.
        let ends = exited || explorer.process.main_has_ended();
        if self.options.outcomes && ends && !self.is_cut_off(explorer) {
            self.found.outcomes.insert(explorer.process.outcome());
        }
        true
    }

    fn leaf(&mut self, explorer: &mut Explorer<'_>) -> bool {
        for bound in explorer.process.bounds() {
            self.found.add_bound(bound);
        }
        self.found.main_returned |= explorer.process.main_has_ended();
        let mut go_on = true;
        let cut_off = self.is_cut_off(explorer);
        if explorer.is_cut() {
            // A livelock has executions without end.
            self.found.stopped = Some(Bound::Events(explorer.trace.len() as u64));
            self.found.counts.blocked += 1;
        } else if cut_off {
            self.found.counts.blocked += 1;
        } else if explorer.has_ended(Ended::Exited) || explorer.process.is_over() {
            self.complete(explorer);
        } else {
            let waiting = explorer.waiting();
            if waiting.is_empty() {
                self.complete(explorer);
            } else {
                self.found.counts.blocked += 1;
                go_on = self.violation(explorer, Violation::Deadlock(waiting));
            }
        }
        go_on &= robust::judge(explorer, self.options, &mut self.found);
        go_on && self.goes_on(explorer)
    }
}
