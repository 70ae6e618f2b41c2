//! Making sure, on the machine, of what the solver finds.
//!
//! The solver reasons about executions and runs none. What it finds in a C program under a model with store buffers is
//! looked for on the machine, with the solver's execution as the guide ([`machine::guided_replay`]); then the machine's
//! own execution is shown, as for every other engine. The final state of a litmus test is looked for among its states, and
//! the shortest execution to it is shown. A violation that the machine certainly does not have is a mistake of
//! ours, and is reported as such. Models that no machine runs under are left as the solver has them.

use answer::{ModelResult, Violation};
use control::Control;
use machine::{Guided, Image, Limits, Replayed};
use memory::Model;
use program::{Formula, Function, Program, Word};
use std::sync::Arc;

/// What the solver found, once the machine was asked.
pub(crate) struct Confirmed {
    pub result: ModelResult,
    /// What is observed in the machine's execution, in the order of the program's observables, if there is one.
    pub observed: Option<Vec<Option<Word>>>,
}

/// A result of the solver with the execution of the machine, as far as it has one within the limits that are left.
pub(crate) fn confirmed(
    program: &Program,
    model: Model,
    control: &Control,
    result: ModelResult,
) -> Confirmed {
    if !program.process {
        return Confirmed {
            result: among_states(program, model, control, result),
            observed: None,
        };
    }
    match guided(program, model, control, &result) {
        Guided::Replayed(violation, replayed) => {
            let observed = Some(replayed.observed.clone());
            let result = ModelResult {
                violation: Some(*violation),
                ..result
            };
            let result = Replayed::shown(result, program, Some(Ok(replayed)));
            Confirmed { result, observed }
        }
        Guided::Refused => Confirmed {
            result: result.unconfirmed("the machine has no such execution"),
            observed: None,
        },
        Guided::Open => Confirmed {
            result,
            observed: None,
        },
    }
}

fn guided(program: &Program, model: Model, control: &Control, result: &ModelResult) -> Guided {
    let (Some(violation), Some(execution)) = (&result.violation, &result.execution) else {
        return Guided::Open;
    };
    if !matches!(violation, Violation::Fault { .. } | Violation::NotSerial(_)) {
        return Guided::Open;
    }
    let Ok(image) = Image::with_buffers(program, model) else {
        return Guided::Open;
    };
    let limits = Limits {
        stop: Some(Arc::new(control.after(result.time).stop())),
        ..Limits::default()
    };
    machine::guided_replay(&image, &limits, violation, execution, &result.started)
}

/// A result for a litmus test with the shortest execution to its final state, if the machine finds it among at most [`MOST_STATES`].
fn among_states(
    program: &Program,
    model: Model,
    control: &Control,
    result: ModelResult,
) -> ModelResult {
    let (Some(goal), Some(_)) = (final_state(program, &result), &result.execution) else {
        return result;
    };
    let search = states::Options {
        control: control.after(result.time).with_states(Some(MOST_STATES)),
        ..states::Options::default()
    };
    // Buffers and boxes are bounded where loops could fill any.
    let complete = !program.functions.iter().any(Function::has_loop);
    match states::execution_to(program, model, &search, &goal) {
        Ok(Ok(Some(execution))) => ModelResult {
            execution: Some(execution),
            ..result
        },
        Ok(Ok(None)) if complete => result.unconfirmed("the machine does not reach it"),
        _ => result,
    }
}

/// States of a litmus test that are explored at most.
const MOST_STATES: u64 = 100_000;

/// What holds in the final state of the execution of a result.
fn final_state(program: &Program, result: &ModelResult) -> Option<Formula> {
    match &result.violation {
        Some(Violation::FinalState(outcome)) => Some(outcome.formula(&program.observed)),
        Some(_) => None,
        // What `exists` asks for.
        None => Some(
            program
                .properties
                .condition
                .as_ref()?
                .property
                .formula
                .clone(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use answer::{Bound, Engine, Execution, Fault, FaultKind, Verdict};
    use program::{Span, ThreadId};

    /// Under PSO the second thread may see the flag `y` without the message `x`, and only there.
    const MESSAGE: &str = "process \"test\" from \"test\"
object x: i32 = 0
object y: i32 = 0
fn P0() {
entry:
  store i32 &x, 1
  store i32 &y, 1
  return
}
fn P1() {
  register flag, seen: i32
  register ok: i1
entry:
  flag = load i32 &y
  seen = load i32 &x
  ok = ule i32 flag, seen
  assert ok @9:1+2
  return
}
thread 0: P0 runs P0
thread 1: P1 runs P1
";

    /// The first thread stores for ever, and stops for nothing.
    const ENDLESS: &str = "process \"test\" from \"test\"
object x: i32 = 0
fn P0() {
entry:
  store i32 &x, 1
  jump entry
}
fn P1() {
  register seen: i32
  register ok: i1
entry:
  seen = load i32 &x
  ok = eq i32 seen, 0
  assert ok @9:1+2
  return
}
thread 0: P0 runs P0
thread 1: P1 runs P1
";

    /// What comes of the claim that the assertion fails.
    fn claimed(model: Model, violation: Violation) -> ModelResult {
        claimed_of(MESSAGE, model, violation)
    }

    fn claimed_of(program: &str, model: Model, violation: Violation) -> ModelResult {
        let program = program::parse(program).expect("a program");
        let result = ModelResult {
            verdict: Verdict::Violated,
            violation: Some(violation),
            execution: Some(Execution::default()),
            ..ModelResult::undecided(model, Engine::Sat)
        };
        confirmed(&program, model, &Control::default(), result).result
    }

    fn failure() -> Violation {
        Violation::Fault {
            thread: ThreadId(1),
            span: Span::new(9, 1, 2),
            fault: Fault::new(FaultKind::Assertion, "assertion failed"),
        }
    }

    #[test]
    fn what_the_machine_has_is_shown_as_it_has_it() {
        let result = claimed(Model::Pso, failure());
        assert_eq!(result.verdict, Verdict::Violated);
        let execution = result.execution.expect("an execution");
        assert!(execution.replayed && !execution.steps.is_empty());
    }

    #[test]
    fn a_thread_that_stores_for_ever_does_not_keep_the_machine_from_it() {
        for model in [Model::Tso, Model::Pso] {
            let result = claimed_of(ENDLESS, model, failure());
            let execution = result.execution.expect("an execution");
            assert!(execution.replayed && execution.steps.len() < 50);
        }
    }

    #[test]
    fn what_the_machine_does_not_have_is_a_mistake() {
        for model in [Model::Sc, Model::Tso] {
            let result = claimed(model, failure());
            assert_eq!(result.verdict, Verdict::Undecided);
            assert_eq!(result.bounds, [Bound::Unconfirmed]);
            assert!(result.violation.is_none() && result.execution.is_none());
            assert_eq!(result.warnings[0].span, Span::new(9, 1, 2));
        }
    }

    #[test]
    fn what_no_machine_runs_stays_as_it_is() {
        for model in [Model::Rmo, Model::Relaxed] {
            let result = claimed(model, failure());
            assert_eq!(result.verdict, Verdict::Violated);
            assert!(
                result
                    .execution
                    .is_some_and(|execution| !execution.replayed)
            );
        }
        // Another fault is in the way.
        let elsewhere = Violation::Fault {
            thread: ThreadId(1),
            span: Span::new(10, 1, 2),
            fault: Fault::new(FaultKind::Assertion, "assertion failed"),
        };
        let result = claimed(Model::Pso, elsewhere);
        assert_eq!(result.verdict, Verdict::Violated);
        assert!(
            result
                .execution
                .is_some_and(|execution| !execution.replayed)
        );
    }
}
