//! From a search to a verdict, with the execution that explains it.

use crate::components::Components;
use crate::expander::Expander;
use crate::layout::{Layout, Widths};
use crate::liveness;
use crate::options::{MachineKind, Options};
use crate::paths::{Limit, shortest};
use crate::search::{Found, Overflow, Wrong, search};
use crate::symmetry::Symmetry;
use answer::{
    Bound, Engine, Execution, ModelResult, Observation, Outcome, Verdict, Violation, Waiting,
};
use flatten::NotFlat;
use machine::{
    Executable, Failure, Machine, Processor, ReorderBoxes, ReplayError, Replayed, Schedule,
    StoreBuffers, Unsupported,
};
use memory::{Buffering, Model};
use program::{Formula, Program, Quantifier, Span, ThreadId};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Instant;
use thiserror::Error;

/// Why a program does not run under a model.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refusal {
    /// The machine does not run it.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The machine has no calls, and the C program does not do without.
    #[error(transparent)]
    NotFlat(#[from] NotFlat),
}

impl Refusal {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Refusal::Unsupported(unsupported) => unsupported.span,
            Refusal::NotFlat(not_flat) => not_flat.span,
        }
    }
}

/// Explores every state of `program` under `model`.
pub fn run(program: &Program, model: Model, options: &Options) -> Result<ModelResult, Refusal> {
    let everything = model.row().buffering == Buffering::Everything;
    match (program.process, everything) {
        (true, true) => crate::flat::run(program, model, options),
        (true, false) => Ok(crate::process::run(program, model, options)?),
        (false, _) => Ok(with_machine(program, model, options, Exploration)?),
    }
}

/// The shortest execution of `program` under `model` to a final state that passes
/// the filter and satisfies `goal`, if there is one; the limit that was reached if that is not
/// known.
pub fn execution_to(
    program: &Program,
    model: Model,
    options: &Options,
    goal: &Formula,
) -> Result<Result<Option<Execution>, Bound>, Unsupported> {
    // What the goal reads must still be there at the end.
    let mut program = program.clone();
    program
        .observed
        .extend(goal.observables().into_iter().cloned());
    with_machine(&program, model, options, PathTo(goal))
}

/// Something to do with a machine of whatever kind.
pub(crate) trait Task {
    type Answer;
    fn perform<P: Processor>(self, run: &Run<'_, P>) -> Self::Answer;
}

pub(crate) struct Exploration;

impl Task for Exploration {
    type Answer = ModelResult;

    fn perform<P: Processor>(self, run: &Run<'_, P>) -> ModelResult {
        if run.options.plain {
            return crate::plain::result(run.program, run.model, run.options, run.processor);
        }
        run.result()
    }
}

struct PathTo<'a>(&'a Formula);

impl Task for PathTo<'_> {
    type Answer = Result<Option<Execution>, Bound>;

    fn perform<P: Processor>(self, run: &Run<'_, P>) -> Self::Answer {
        let schedule = run.find_outcome(self.0)?;
        let replayed = schedule.and_then(|schedule| run.replayed(&schedule).ok());
        Ok(replayed.map(|(_, replayed)| replayed.execution(run.program)))
    }
}

/// Whether the first thread can come to its end; the bound if that could not be found out.
pub(crate) enum MainEnds {
    /// Whatever the others do.
    Alone,
    /// With another thread that has not come to its own, yet or for ever.
    BeforeOthers,
}

impl Task for MainEnds {
    type Answer = Result<bool, Bound>;

    fn perform<P: Processor>(self, run: &Run<'_, P>) -> Self::Answer {
        let main = ThreadId(0);
        let found = run.find(|expander| {
            shortest(expander, &run.limit(), |expander, state, _| {
                let running = expander.with_view(state, |view| view.running());
                let others = matches!(self, MainEnds::Alone) || !running.is_empty();
                !running.contains(&main) && others
            })
        });
        Ok(found?.is_some())
    }
}

/// Performs a task on the machine that `model` and `options` ask for.
pub(crate) fn with_machine<T: Task>(
    program: &Program,
    model: Model,
    options: &Options,
    task: T,
) -> Result<T::Answer, Unsupported> {
    if !model.has_machine() {
        return Err(Unsupported::NO_MACHINE);
    }
    let mut executable = Executable::new(program)?;
    if options.every_step || options.plain {
        executable.watch_every_step();
    }
    executable.plain = options.plain;
    let has_loop = executable.has_loop();
    let size = |asked: Option<u32>, in_loops| match asked {
        Some(size) => size,
        None if has_loop => in_loops,
        None => u32::MAX,
    };
    let boxes = options.machine == MachineKind::ReorderBoxes
        || model.row().buffering == Buffering::Everything;
    if boxes {
        let size = size(options.reorder_box, Options::BOX_IN_LOOPS);
        let processor = ReorderBoxes::new(executable, model, size);
        Ok(task.perform(&Run::new(program, model, options, &processor)))
    } else {
        let size = size(options.buffer, Options::BUFFER_IN_LOOPS);
        let processor = StoreBuffers::new(executable, model, size);
        Ok(task.perform(&Run::new(program, model, options, &processor)))
    }
}

/// One search and what comes of it.
pub(crate) struct Run<'a, P: Processor> {
    pub(crate) program: &'a Program,
    model: Model,
    options: &'a Options,
    pub(crate) processor: &'a P,
    started: Instant,
}

/// What is wrong, and how it comes about.
type Explained = (Violation, Option<Schedule>);

impl<'a, P: Processor> Run<'a, P> {
    fn new(program: &'a Program, model: Model, options: &'a Options, processor: &'a P) -> Self {
        Run {
            program,
            model,
            options,
            processor,
            started: Instant::now(),
        }
    }

    fn result(&self) -> ModelResult {
        let found = self.explore();
        let mut bounds: Vec<Bound> = self.processor.bound_reached().into_iter().collect();
        bounds.extend(found.stopped);
        // A search that stopped at a violation has not seen all final states.
        let complete = !(self.options.stop_at_violation && found.wrong.is_some());
        let condition = self.program.properties.condition.as_ref();
        let observation = condition.filter(|_| complete).map(|_| {
            let positive = found.outcomes.iter().filter(|(_, holds)| *holds).count();
            Observation {
                positive,
                negative: found.outcomes.len() - positive,
            }
        });
        let outcomes: BTreeSet<&Outcome> = found.outcomes.iter().map(|(o, _)| o).collect();
        let outcomes = outcomes.into_iter().filter(|_| complete);
        let mut outcomes: Vec<Outcome> = outcomes.cloned().collect();
        Outcome::sort(&mut outcomes, &self.program.observed);
        let explained = self.violation(&found, observation);
        let explained = explained.unwrap_or_else(|bound| {
            bounds.push(bound);
            None
        });
        if explained.is_none() && self.is_vacuous(&found, &bounds) {
            bounds.push(Bound::NoExecution);
        }
        let verdict = self.verdict(
            explained.as_ref().map(|(violation, _)| violation),
            observation,
            &bounds,
        );
        let observation =
            observation.filter(|_| verdict != Verdict::Undecided || found.stopped.is_none());
        let (violation, schedule) = match explained {
            Some((violation, schedule)) => (Some(violation), schedule),
            None => (None, None),
        };
        let violation = violation.filter(|_| verdict == Verdict::Violated);
        let schedule = schedule.or_else(|| self.witness(observation));
        let replayed = schedule.map(|schedule| Ok(self.replayed(&schedule)?.1));
        let result = ModelResult {
            machine: self.processor.name(),
            verdict,
            bounds,
            counts: found.counts,
            outcomes,
            observation,
            violation,
            time: self.started.elapsed(),
            ..ModelResult::undecided(self.model, Engine::States)
        };
        Replayed::shown(result, self.program, replayed)
    }

    /// True if a search that has seen everything has seen no end that passes the filter, and there
    /// is a condition, which speaks of ends. Invariants and liveness speak of states on the
    /// way, so tests that never end are fine with them.
    fn is_vacuous(&self, found: &Found, bounds: &[Bound]) -> bool {
        self.program.properties.condition.is_some()
            && found.outcomes.is_empty()
            && bounds.iter().all(|bound| bound.is_exhausted())
    }

    fn explore(&self) -> Found {
        let executable = self.processor.executable();
        let threads = executable.threads.len();
        let symmetry = if self.options.symmetry && self.program.properties.liveness.is_empty() {
            Symmetry::of(self.program, executable)
        } else {
            Symmetry::none(threads)
        };
        let components = Components::new(self.processor, self.program, &symmetry);
        let jobs = self.options.jobs.max(1);
        let mut expanders: Vec<_> = (0..jobs).map(|_| Expander::new(&components)).collect();
        let mut widths = Widths::first(threads + 1);
        loop {
            let found = match widths.words() {
                1 => self.attempt::<1>(&mut expanders, &widths),
                2 => self.attempt::<2>(&mut expanders, &widths),
                3 => self.attempt::<3>(&mut expanders, &widths),
                4 => self.attempt::<4>(&mut expanders, &widths),
                5..=8 => self.attempt::<8>(&mut expanders, &widths),
                9..=16 => self.attempt::<16>(&mut expanders, &widths),
                17..=64 => self.attempt::<64>(&mut expanders, &widths),
                _ => self.attempt::<256>(&mut expanders, &widths),
            };
            match found {
                Ok(found) => return found,
                Err(Overflow) => widths = widths.grown(&components.counts()),
            }
        }
    }

    fn attempt<const W: usize>(
        &self,
        expanders: &mut Vec<Expander<'_, P>>,
        widths: &Widths,
    ) -> Result<Found, Overflow> {
        let layout = Layout::<W>::new(widths);
        search(expanders, &layout, self.options, self.started)
    }

    /// The shortest execution to a state that `goal` accepts.
    fn shortest(
        &self,
        goal: impl FnMut(&mut Expander<'_, P>, &[u32], bool) -> bool,
    ) -> Option<Schedule> {
        // Without an execution the verdict stands all the same.
        self.find_shortest(goal).unwrap_or(None)
    }

    /// The same; fails if a limit was reached before it was found.
    fn find_shortest(
        &self,
        goal: impl FnMut(&mut Expander<'_, P>, &[u32], bool) -> bool,
    ) -> Result<Option<Schedule>, Bound> {
        self.find(|expander| shortest(expander, &self.limit(), goal))
    }

    fn limit(&self) -> Limit<'a> {
        Limit {
            options: self.options,
            // The time is that of all searches together.
            started: self.started,
            calls: Cell::new(0),
        }
    }

    /// A fresh search for one execution, without symmetry.
    fn find<R>(&self, look: impl FnOnce(&mut Expander<'_, P>) -> R) -> R {
        let symmetry = Symmetry::none(self.processor.executable().threads.len());
        let components = Components::new(self.processor, self.program, &symmetry);
        look(&mut Expander::new(&components))
    }

    /// What is wrong; a bound if that could not be found out.
    fn violation(
        &self,
        found: &Found,
        observation: Option<Observation>,
    ) -> Result<Option<Explained>, Bound> {
        let wrong = match &found.wrong {
            Some(Wrong::Failure(thread, failure)) => Some(self.failure(*thread, *failure)),
            Some(Wrong::Invariant(number)) => Some(self.broken_invariant(*number)),
            Some(Wrong::Deadlock(threads)) => Some(self.deadlock(threads)),
            None => self.final_violation(found, observation),
        };
        match wrong {
            None if found.stopped.is_none() => self.liveness(),
            _ => Ok(wrong),
        }
    }

    /// A failure; the execution may show another of the same distance.
    fn failure(&self, thread: ThreadId, failure: Failure) -> Explained {
        let schedule = self.shortest(|expander, state, _| {
            expander.failure(state).is_some() && !expander.is_betting(state)
        });
        let replayed = schedule.as_ref().and_then(|s| self.replayed(s).ok());
        let shown = replayed.and_then(|(machine, _)| machine.failure());
        let violation = match shown.unwrap_or((thread, failure)) {
            (thread, Failure::Assertion(span)) => Violation::Assertion { thread, span },
            (thread, Failure::BadAccess(span, address)) => Violation::BadAccess {
                thread,
                span,
                address,
            },
        };
        (violation, schedule)
    }

    /// A broken invariant; the execution may show another of the same distance,
    /// since which of several alike is met hangs on the threads' places.
    fn broken_invariant(&self, mut number: usize) -> Explained {
        let invariants = &self.program.properties.invariants;
        let schedule = self.shortest(|expander, state, _| {
            let broken = expander.broken_invariant(state);
            number = broken.unwrap_or(number);
            broken.is_some()
        });
        let formula = invariants[number].formula.clone();
        (Violation::Invariant(formula), schedule)
    }

    fn deadlock(&self, threads: &[ThreadId]) -> Explained {
        let mut stuck = threads.to_vec();
        let schedule = self.shortest(|expander, state, moved| {
            let running = expander.with_view(state, |view| view.running());
            let found = !moved && !running.is_empty() && expander.failure(state).is_none();
            if found {
                stuck = running;
            }
            found
        });
        let waiting = stuck.into_iter().map(|thread| Waiting {
            thread,
            span: Span::NOWHERE,
            reason: String::new(),
        });
        (Violation::Deadlock(waiting.collect()), schedule)
    }

    fn final_violation(
        &self,
        found: &Found,
        observation: Option<Observation>,
    ) -> Option<Explained> {
        let condition = self.program.properties.condition.as_ref()?;
        let formula = &condition.property.formula;
        let observation = observation?;
        let wanted = match condition.quantifier {
            Quantifier::Exists if observation.positive == 0 => {
                return Some((Violation::NoWitness, None));
            }
            Quantifier::NotExists if observation.positive > 0 => true,
            Quantifier::Forall if observation.negative > 0 => false,
            _ => return None,
        };
        let goal = match wanted {
            true => formula.clone(),
            false => Formula::Not(Box::new(formula.clone())),
        };
        let schedule = self.explain(|| self.path_to_outcome(&goal));
        let replayed = schedule.as_ref().and_then(|s| self.replayed(s).ok());
        let outcome = match replayed {
            Some((machine, _)) => machine.outcome(&self.program.observed),
            None => {
                let outcomes = found.outcomes.iter().filter(|(_, holds)| *holds == wanted);
                outcomes.min()?.0.clone()
            }
        };
        Some((Violation::FinalState(outcome), schedule))
    }

    /// A liveness property that fails; the bound if not all states could be looked at.
    fn liveness(&self) -> Result<Option<Explained>, Bound> {
        for liveness in &self.program.properties.liveness {
            let limit = self.limit();
            let found = self.find(|e| liveness::counterexample(e, &limit, liveness))?;
            if let Some(schedule) = found {
                let violation = Violation::Liveness(liveness.clone());
                return Ok(Some((violation, Some(schedule))));
            }
        }
        Ok(None)
    }

    fn explain(&self, schedule: impl FnOnce() -> Option<Schedule>) -> Option<Schedule> {
        self.options.explain.then(schedule).flatten()
    }

    /// The execution to a final state that an `exists` asks for.
    fn witness(&self, observation: Option<Observation>) -> Option<Schedule> {
        let condition = self.program.properties.condition.as_ref()?;
        let wanted = condition.quantifier == Quantifier::Exists && observation?.positive > 0;
        let formula = &condition.property.formula;
        self.explain(|| wanted.then(|| self.path_to_outcome(formula)).flatten())
    }

    /// The shortest execution to a final state that satisfies `formula` and passes
    /// the filter.
    fn path_to_outcome(&self, formula: &Formula) -> Option<Schedule> {
        self.find_outcome(formula).unwrap_or(None)
    }

    /// The same; fails if a limit was reached before it was found.
    fn find_outcome(&self, formula: &Formula) -> Result<Option<Schedule>, Bound> {
        let filter = self.program.properties.filter.as_ref();
        self.find_shortest(|expander, state, moved| {
            !moved
                && expander.is_final(state)
                && expander.with_view(state, |view| {
                    let mut wanted = [Some(formula), filter].into_iter().flatten();
                    wanted.all(|formula| formula.evaluate(view) == Some(true))
                })
        })
    }

    fn verdict(
        &self,
        violation: Option<&Violation>,
        observation: Option<Observation>,
        bounds: &[Bound],
    ) -> Verdict {
        let witnessed = self.program.properties.ask_only_for_a_witness()
            && observation.is_some_and(|observation| observation.positive > 0);
        let cut = !bounds.is_empty();
        let stopped = bounds.iter().any(|bound| !bound.is_exhausted());
        match violation {
            // What was not found may be what was left out.
            Some(Violation::NoWitness) if cut => Verdict::Undecided,
            Some(_) => Verdict::Violated,
            None if witnessed => Verdict::Holds,
            None if stopped => Verdict::Undecided,
            None => Verdict::Holds,
        }
    }

    /// Runs an execution again that the search found: where it ends, and what happened.
    fn replayed(&self, schedule: &Schedule) -> Result<(Machine<'a, P>, Replayed), ReplayError> {
        Machine::replay(self.processor, schedule)
    }
}
