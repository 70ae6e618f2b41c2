//! Exploring a program under a model, and the result.

use crate::judge::Found;
use crate::perform::PathStep;
use crate::step::StepKind;
use crate::survey::Survey;
use crate::{NonSequential, Options, preemptions, robust, tasks};
use answer::{Bound, Engine, ModelResult, Outcome, Verdict, Violation};
use control::Stop;
use machine::{
    Commuting, Creation, Image, Limits, Process, ReplayError, Replayed, StoreMode, Transition,
    Unsupported,
};
use memory::Model;
use program::{Program, Span, Word};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// An execution with more events than this is cut off.
pub(crate) const MOST_EVENTS: usize = 10_000;

/// What a search leaves out because it takes something for unobserved. A search that finds a mistake in that is done again.
#[derive(Clone, Debug)]
pub(crate) struct Reductions {
    pub private: bool,
    pub commuting: Commuting,
    pub await_assumptions: bool,
    /// Attempts of retry loops are one step.
    pub attempts: bool,
    /// Memory (addresses and sizes) that nobody reads.
    pub unread: Arc<[(Word, u32)]>,
    pub reserved: Arc<[Creation]>,
}

impl Reductions {
    fn take_back_what_failed(&mut self, found: &Found) {
        self.private &= !found.escaped;
        if let Some(clash) = found.clash {
            clash.take_back(self);
        }
    }
}

/// A program made ready to be explored under a model.
pub(crate) struct Exploration<'a> {
    pub program: &'a Program,
    pub model: Model,
    pub options: &'a Options,
    pub image: Image,
    pub stop: Arc<Stop>,
}

impl<'a> Exploration<'a> {
    pub fn new(
        program: &'a Program,
        model: Model,
        options: &'a Options,
    ) -> Result<Self, Unsupported> {
        Ok(Exploration {
            program,
            model,
            options,
            image: Image::with_buffers(program, model)?,
            stop: Arc::new(options.control.stop()),
        })
    }

    /// What may be taken for unobserved before anything is known.
    pub fn reductions(&self) -> Reductions {
        // Who happened before whom depends on the order of operations that nobody observes otherwise.
        let commute = self.options.is_coarse() && !self.options.races;
        Reductions {
            private: true,
            commuting: Commuting {
                updates: commute,
                arrivals: commute,
            },
            // A read that is never done is in no race.
            await_assumptions: commute,
            attempts: commute,
            unread: Arc::default(),
            reserved: Arc::default(),
        }
    }

    /// The same after a look at the first execution.
    fn surveyed_reductions(&self) -> Reductions {
        let reductions = self.reductions();
        if !self.options.is_coarse() {
            return reductions;
        }
        let survey = Survey::of(&self.image, &self.limits(&reductions));
        Reductions {
            // As with what commutes.
            unread: match self.options.races {
                true => Arc::default(),
                false => survey.unread.into(),
            },
            reserved: survey.reserved.into(),
            ..reductions
        }
    }

    pub fn limits(&self, reductions: &Reductions) -> Limits {
        Limits {
            private: reductions.private,
            commuting: reductions.commuting,
            await_assumptions: reductions.await_assumptions,
            attempts: reductions.attempts,
            unread: reductions.unread.clone(),
            reserved: reductions.reserved.clone(),
            traced: true,
            store_mode: if self.options.monitor {
                StoreMode::Immediate
            } else {
                StoreMode::Buffered
            },
            stop: Some(self.stop.clone()),
            unroll: self.options.unroll,
            spurious: self.options.spurious,
            races: self.options.races,
            cut_repeats: self.options.is_coarse(),
            ..Limits::default()
        }
    }

    fn result(&self) -> Result<ModelResult, Unsupported> {
        let started = Instant::now();
        let mut reductions = self.surveyed_reductions();
        let mut found = self.search(&reductions, started);
        while found.escaped || found.clash.is_some() {
            reductions.take_back_what_failed(&found);
            found = self.search(&reductions, started);
        }
        if found.stopped_in_section {
            return Err(Unsupported {
                what: "executions with atomic sections over several locations, or with a choice in them",
                span: Span::NOWHERE,
            });
        }
        if let Some(unsupported) = robust::refusal(&found) {
            return Err(unsupported);
        }
        found.bounds.extend(found.stopped);
        if self.stop.reached().is_some() {
            // A step that the limit cut off may have made a version impossible.
            found.counts.redundant = 0;
        } else if found.counts.redundant > 0 {
            found.add_bound(Bound::Incomplete(found.counts.redundant));
        }
        self.warn_if_vacuous(&mut found);
        let mut violations = std::mem::take(&mut found.violations);
        let first = violations
            .iter()
            .position(|(found, _)| robust::ends_search(self.options, found));
        let first = first.map(|first| violations.remove(first));
        let explained = first.as_ref().filter(|_| self.options.explain);
        let replayed = explained.map(|first| self.replay(first, &reductions));
        let verdict = Verdict::of(first.is_some(), &found.bounds);
        let complete = first.is_none() || self.options.all;
        let mut outcomes: Vec<Outcome> = found
            .outcomes
            .into_iter()
            .filter(|_| complete)
            .map(Outcome)
            .collect();
        Outcome::sort(&mut outcomes, &self.program.observed);
        let engine = match self.options.monitor {
            true => Engine::Monitor,
            false => Engine::Explore,
        };
        let result = ModelResult {
            machine: "process",
            verdict,
            bounds: found.bounds,
            counts: found.counts,
            outcomes,
            violation: first.map(|(violation, _)| violation),
            others: violations.into_iter().map(|(other, _)| other).collect(),
            warnings: found.warnings.into_iter().collect(),
            time: started.elapsed(),
            ..ModelResult::undecided(self.model, engine)
        };
        Ok(Replayed::shown(result, &self.image.program, replayed))
    }

    /// Notes if no execution ends, or reaches an assertion, so that properties hold of none. Only a
    /// complete exploration can find that out. Whether a program is robust is a question about all
    /// executions, those that are cut off, too.
    fn warn_if_vacuous(&self, found: &mut Found) {
        let searched = found.bounds.iter().all(|bound| bound.is_exhausted());
        if !searched
            || !found.violations.is_empty()
            || self.options.robust == NonSequential::ReportOnly
        {
            return;
        }
        if found.bounds.is_empty() {
            found.warnings.extend(self.image.unreached_assertions());
        }
        if found.counts.executions == 0 && !found.main_returned {
            found.add_bound(Bound::NoExecution);
        }
    }

    fn search(&self, reductions: &Reductions, started: Instant) -> Found {
        let limits = self.limits(reductions);
        let progress = &self.options.control.progress;
        progress.executions.store(0, Ordering::Relaxed);
        if let Some(most) = self.options.preemptions {
            return preemptions::explore(self, &limits, most, MOST_EVENTS, started);
        }
        tasks::explore(&self.image, &limits, self.options, MOST_EVENTS, started)
    }

    /// Runs an execution again on a machine that logs what happens, and makes sure that it has the
    /// same violation.
    fn replay(
        &self,
        (violation, path): &(Violation, Vec<PathStep>),
        reductions: &Reductions,
    ) -> Result<Replayed, ReplayError> {
        let mut limits = self.limits(reductions);
        if let Violation::NotSequential(_) = violation {
            limits.store_mode = StoreMode::Buffered;
        }
        let follow = || {
            let mut path = path.iter();
            move |process: &mut Process<'_>| path.next().map(|next| transition(process, next))
        };
        let replayed = machine::replay(&self.image, &limits, violation, follow())?;
        let simpler = machine::simplified(&self.image, &limits, violation, follow());
        Ok(match simpler {
            // Threads that it leaves out may be those of other violations.
            Some(simpler) => Replayed {
                started: replayed.started,
                ..simpler
            },
            None => replayed,
        })
    }
}

/// The transition that a step of a path is. That of a store which is not in its buffer is never possible.
pub(crate) fn transition(process: &Process<'_>, next: &PathStep) -> Transition {
    let thread = next.step.thread;
    match next.step.kind {
        StepKind::Run(choice) => Transition::Run(thread, choice),
        StepKind::Commit(number) => {
            let index = process.commit_of(thread, number);
            Transition::Commit(thread, index.unwrap_or(u32::MAX))
        }
    }
}

/// Explores one execution of a program for each of its traces.
pub fn run(program: &Program, model: Model, options: &Options) -> Result<ModelResult, Unsupported> {
    Exploration::new(program, model, options)?.result()
}
