//! Running a schedule again: how every execution is checked before it is shown.

use crate::machine::{Choice, Machine};
use crate::processor::Processor;
use answer::{CellsRerun, Event, Execution, ModelResult, Rerun, Step};
use program::{Program, Span, ThreadId, Word};
use thiserror::Error;

/// How an execution runs: where each thread starts, then one choice per step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Which of its possible first states each thread starts in.
    pub starts: Vec<u32>,
    /// The steps.
    pub choices: Vec<Choice>,
    /// For a lasso: the steps from this one on repeat for ever.
    pub repeats_from: Option<usize>,
}

/// What happened when an execution was run again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The steps.
    pub steps: Vec<Step>,
    /// For a lasso: the steps from this index on repeat for ever.
    pub repeats_from: Option<usize>,
    /// Names of threads beyond those of the program.
    pub started: Vec<String>,
    /// What a C program has observed, in the order of the program's observables.
    pub observed: Vec<Option<Word>>,
    /// How to run it again.
    pub rerun: Option<Rerun>,
}

impl Replayed {
    /// A result with the execution that shows its violation. Without one if none was asked for, or it cannot be shown in
    /// time, which makes it no less wrong; without the violation if the machine does not reach it.
    pub fn shown(
        result: ModelResult,
        program: &Program,
        replayed: Option<Result<Replayed, ReplayError>>,
    ) -> ModelResult {
        match replayed {
            None | Some(Err(ReplayError::Stopped)) => result,
            Some(Ok(replayed)) => ModelResult {
                started: replayed.started.clone(),
                execution: Some(replayed.execution(program)),
                ..result
            },
            Some(Err(error)) => result.unconfirmed(error),
        }
    }

    /// The execution, with names and links.
    pub fn execution(self, program: &Program) -> Execution {
        Execution {
            replayed: true,
            rerun: self.rerun,
            ..Execution::new(program, self.steps, self.repeats_from)
        }
    }
}

/// Why an execution is not what it is said to be.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ReplayError {
    /// The machine cannot follow it.
    #[error("step {step} of the execution is not possible")]
    Impossible {
        /// The first step that is not possible, from 0.
        step: usize,
    },
    /// It does not come to what it should show.
    #[error("the execution does not reach the violation")]
    Differs,
    /// A limit was reached before its end.
    #[error("a limit was reached before the end of the execution")]
    Stopped,
}

impl<'p, P: Processor> Machine<'p, P> {
    /// Runs a schedule from the start. Returns the machine in the state where it
    /// ends, and what happened.
    pub fn replay(processor: &'p P, schedule: &Schedule) -> Result<(Self, Replayed), ReplayError> {
        let impossible = |step| ReplayError::Impossible { step };
        let mut machine = Machine::new(processor, &schedule.starts).ok_or(impossible(0))?;
        let mut steps = Vec::new();
        let mut repeats_from = None;
        let mut numbers = Vec::new();
        for (index, way) in schedule.starts.iter().enumerate() {
            let (_, log) = processor
                .start(index.into(), true)
                .swap_remove(*way as usize);
            steps.extend(log.into_steps());
        }
        for (index, choice) in schedule.choices.iter().enumerate() {
            if schedule.repeats_from == Some(index) {
                repeats_from = Some(steps.len());
            }
            let number = machine.choices().iter().position(|next| next == choice);
            numbers.extend(number.map(|number| number as u32));
            machine
                .step(*choice, Some(&mut steps))
                .ok_or(impossible(index))?;
        }
        if schedule.repeats_from == Some(schedule.choices.len()) {
            repeats_from = Some(steps.len());
        }
        let idle = idle_predictions(&mut steps);
        let before = |end: usize| idle[..end].iter().filter(|idle| **idle).count();
        let repeats_from = repeats_from.map(|start| start - before(start));
        let steps = steps.into_iter().zip(&idle);
        let steps = steps.filter_map(|(step, idle)| (!idle).then_some(step));
        let replayed = Replayed {
            steps: steps.collect(),
            repeats_from,
            started: Vec::new(),
            observed: Vec::new(),
            rerun: Some(Rerun::Cells(CellsRerun {
                starts: schedule.starts.clone(),
                choices: numbers,
                repeats_from: schedule.repeats_from,
                ..processor.recorded()
            })),
        };
        Ok((machine, replayed))
    }
}

/// Which steps are predictions that nothing was done on, true or false: they
/// explain nothing. The branches of the false ones become plain ones.
fn idle_predictions(steps: &mut [Step]) -> Vec<bool> {
    /// A prediction that has not been confirmed or refuted.
    struct Open {
        step: usize,
        thread: ThreadId,
        span: Span,
    }
    let mut idle: Vec<bool> = steps
        .iter()
        .map(|step| matches!(step.event, Event::Predict { .. }))
        .collect();
    let mut open: Vec<Open> = Vec::new();
    for (index, step) in steps.iter_mut().enumerate() {
        if step.speculative {
            let used = open.iter().filter(|open| open.thread == step.thread);
            used.for_each(|open| idle[open.step] = false);
        }
        let same = |open: &Open| (open.thread, open.span) == (step.thread, step.span);
        match step.event {
            Event::Predict { .. } => open.push(Open {
                step: index,
                thread: step.thread,
                span: step.span,
            }),
            Event::Branch { .. } => {
                if let Some(position) = open.iter().position(same) {
                    open.remove(position);
                }
            }
            Event::Mispredict { taken } => {
                if let Some(position) = open.iter().position(same) {
                    let prediction = open[position].step;
                    if idle[prediction] {
                        step.event = Event::Branch { taken };
                    }
                    // Later predictions of the thread are cancelled with it.
                    let thread = step.thread;
                    open.retain(|open| open.thread != thread || open.step < prediction);
                }
            }
            _ => {}
        }
    }
    idle
}
