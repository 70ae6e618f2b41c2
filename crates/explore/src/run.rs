//! Exploring a program under a model, and the result.

use crate::explorer::{Explorer, PathStep, Visitor};
use crate::judge::Found;
use crate::{Options, estimate, preemptions, tasks};
use machine::{Act, End, Image, Limits, Process, Transition, Unsupported};
use memory::{Buffering, Model};
use program::{Execution, ModelResult, Outcome, Program, Span, Verdict};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// An execution with more events than this is cut off.
pub(crate) const MOST_EVENTS: usize = 10_000;
/// A search that takes longer is worth an estimate.
const LONG: Duration = Duration::from_millis(800);

/// A program made ready to be explored under a model.
pub(crate) struct Exploration<'a> {
    pub program: &'a Program,
    pub model: Model,
    pub options: &'a Options,
    pub image: Image,
}

impl<'a> Exploration<'a> {
    pub fn new(
        program: &'a Program,
        model: Model,
        options: &'a Options,
    ) -> Result<Self, Unsupported> {
        if model.row().buffering == Buffering::Everything {
            return Err(Unsupported {
                what: "C programs under RMO",
                span: Span::NOWHERE,
            });
        }
        let image = Image::new(program, model);
        Ok(Exploration { program, model, options, image })
    }

    pub fn limits(&self, private: bool) -> Limits {
        let search = &self.options.search;
        Limits {
            buffer: search.buffer,
            unroll: search.unroll,
            spurious: search.spurious,
            races: search.races,
            private,
            traced: true,
            ..Limits::default()
        }
    }

    fn result(&self) -> Result<ModelResult, Unsupported> {
        let started = Instant::now();
        let mut private = true;
        let mut found = self.search(private, started);
        if found.disguised {
            private = false;
            found = self.search(private, started);
        }
        if found.stopped_in_section && self.options.preemptions.is_none() {
            return Err(Unsupported {
                what: "a choice inside an atomic section",
                span: Span::NOWHERE,
            });
        }
        found.bounds.extend(found.stopped);
        let mut violations = std::mem::take(&mut found.violations).into_iter();
        let first = violations.next();
        let replayed = match &first {
            Some((_, path)) if self.options.search.explain => Some(self.replay(path, private)),
            _ => None,
        };
        let (threads, execution) = replayed.unwrap_or_default();
        let verdict = match &first {
            Some(_) => Verdict::Violated,
            None if found.bounds.iter().all(|bound| bound.is_exhausted()) => Verdict::Holds,
            None => Verdict::Undecided,
        };
        let complete = first.is_none() || self.options.all;
        let mut outcomes: Vec<Outcome> =
            found.outcomes.into_iter().filter(|_| complete).map(Outcome).collect();
        outcomes.sort_by_cached_key(|outcome| outcome.numbers(&self.program.observed));
        Ok(ModelResult {
            model: self.model.name(),
            engine: "explore",
            machine: "process",
            verdict,
            bounds: found.bounds,
            counts: found.counts,
            outcomes,
            observation: None,
            violation: first.map(|(violation, _)| violation),
            others: violations.map(|(violation, _)| violation).collect(),
            warnings: found.warnings.into_iter().collect(),
            started: threads,
            execution,
            time: started.elapsed(),
        })
    }

    fn search(&self, private: bool, started: Instant) -> Found {
        let limits = self.limits(private);
        let progress = &self.options.search.progress;
        progress.executions.store(0, Ordering::Relaxed);
        if let Some(most) = self.options.preemptions {
            return preemptions::explore(self, &limits, most, MOST_EVENTS, started);
        }
        let mut expected = None;
        let between = || {
            if expected.is_none() && started.elapsed() > LONG && std::env::var_os("NOEST").is_none() {
                let guess = estimate::guess(self, &limits, estimate::WALKS_ON_THE_WAY);
                expected = Some(guess.executions);
                progress.expected.store(guess.executions as u64, Ordering::Relaxed);
            }
        };
        tasks::explore(&self.image, &limits, self.options, MOST_EVENTS, started, between)
    }

    /// Runs an execution again on a machine that tells what happens.
    fn replay(&self, path: &[PathStep], private: bool) -> (Vec<String>, Option<Execution>) {
        let limits = self.limits(private);
        let mut process = Process::new(&self.image, &limits, true, false);
        for next in path {
            let step = next.step;
            match step.kind {
                crate::step::StepKind::Run(choice) => {
                    process.perform(Transition::Run(step.thread, choice));
                }
                crate::step::StepKind::Commit(number) => {
                    if let Some(index) = process.commit_of(step.thread, number) {
                        process.perform(Transition::Commit(step.thread, index));
                    }
                }
            }
        }
        let execution = Execution {
            steps: process.take_log(),
            repeats_from: None,
        };
        (process.started(), Some(execution))
    }
}

/// Explores one execution of a program for each of its traces.
pub fn run(
    program: &Program,
    model: Model,
    options: &Options,
) -> Result<ModelResult, Unsupported> {
    Exploration::new(program, model, options)?.result()
}

/// What happened in each execution that is explored: for each of its steps what others could
/// notice, what happened before the first step coming first; and whether the execution is
/// complete. For those who want to look at executions themselves.
pub fn traces(
    program: &Program,
    model: Model,
    options: &Options,
) -> Result<Vec<(Vec<Vec<Act>>, bool)>, Unsupported> {
    let exploration = Exploration::new(program, model, options)?;
    let limits = exploration.limits(true);
    let mut explorer = Explorer::new(&exploration.image, &limits, MOST_EVENTS);
    let mut recorder = Recorder::default();
    explorer.explore(None, &mut recorder);
    let acts = |path: &[PathStep]| {
        let mut process = Process::new(&exploration.image, &limits, false, false);
        let mut acts = vec![process.take_acts()];
        for next in path {
            let step = next.step;
            match step.kind {
                crate::step::StepKind::Run(choice) => {
                    process.perform(Transition::Run(step.thread, choice));
                }
                crate::step::StepKind::Commit(number) => {
                    if let Some(index) = process.commit_of(step.thread, number) {
                        process.perform(Transition::Commit(step.thread, index));
                    }
                }
            }
            process.take_end();
            acts.push(process.take_acts());
        }
        acts
    };
    let paths = recorder.paths.iter();
    Ok(paths.map(|(path, complete)| (acts(path), *complete)).collect())
}

/// Keeps the paths of all executions.
#[derive(Default)]
struct Recorder {
    paths: Vec<(Vec<PathStep>, bool)>,
}

impl Visitor for Recorder {
    fn ended(&mut self, _explorer: &mut Explorer<'_>, _end: End) -> bool {
        true
    }

    fn leaf(&mut self, explorer: &mut Explorer<'_>) -> bool {
        let complete = explorer.process.is_over();
        self.paths.push((explorer.path(), complete));
        true
    }
}

