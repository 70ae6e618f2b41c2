//! Whether sequential consistency has a violation that was found under a weaker model.
//!
//! Where it has, no fence helps, and a reader need not think of store buffers. The search for it is bounded by the work that it
//! takes rather than by time, so that the answer is the same on every machine: by the number of executions, the fewer the longer
//! the execution is that was found. Within the user's limits, and not at all where no execution is shown.
//!
//! Not guaranteed: an answer. It is left open if the search is not complete and does not meet the violation.

use crate::Check;
use crate::engines::{Equivalence, Explore, States};
use crate::guard;
use crate::refusal::Refused;
use answer::{Fault, FaultKind, ModelResult, Sequential, Verdict, Violation};
use control::Control;
use memory::Model;
use program::{Program, Span};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Steps of executions that may be looked at.
const MOST_STEPS: u64 = 400_000;
/// States of a litmus test.
const MOST_STATES: u64 = 100_000;
/// What ends a search in which a single execution takes long, however few there are.
const MOST_TIME: Duration = Duration::from_secs(20);

/// The result, with what is known of its violation under sequential consistency.
pub(crate) fn compared(
    question: &Check,
    program: &Arc<Program>,
    model: Model,
    result: ModelResult,
) -> ModelResult {
    let sequential = match &result.violation {
        Some(violation) if result.verdict == Verdict::Violated && model != Model::Sc => {
            known(violation).unwrap_or_else(|| match &result.execution {
                Some(execution) => {
                    let steps = execution.steps.len() as u64;
                    search(question, program, violation, steps, result.time)
                }
                None => Sequential::Unknown,
            })
        }
        _ => Sequential::Unknown,
    };
    ModelResult {
        sequential,
        ..result
    }
}

/// What the violation says itself.
fn known(violation: &Violation) -> Option<Sequential> {
    match violation {
        // All executions of sequential consistency are executions of the weaker model.
        Violation::NoWitness => Some(Sequential::Has),
        Violation::NotSequential(_) => Some(Sequential::HasNot),
        _ => None,
    }
}

fn search(
    question: &Check,
    program: &Arc<Program>,
    violation: &Violation,
    steps: u64,
    spent: Duration,
) -> Sequential {
    let control = question.options.left().after(spent);
    let most = if program.process {
        (MOST_STEPS / (steps + 20)).max(20)
    } else {
        MOST_STATES
    };
    let most = control.max_states.map_or(most, |asked| asked.min(most));
    let time = control
        .max_time
        .map_or(MOST_TIME, |left| left.min(MOST_TIME));
    let control = Control {
        progress: Arc::default(),
        turn: Arc::default(),
        ..control.with_states(Some(most)).with_time(Some(time))
    };
    let first = look(question, program, &control, false);
    // Another violation may hide this one.
    let found = match first {
        Ok(first)
            if first
                .violation
                .as_ref()
                .is_some_and(|other| !is_same(violation, other)) =>
        {
            look(question, program, &control, true)
        }
        first => first,
    };
    let Ok(found) = found else {
        return Sequential::Unknown;
    };
    let mut all = found.violation.iter().chain(&found.others);
    if all.any(|other| is_same(violation, other)) {
        Sequential::Has
    } else if found.bounds.is_empty() && (program.process || found.verdict == Verdict::Holds) {
        Sequential::HasNot
    } else {
        Sequential::Unknown
    }
}

/// Executions of a C program, or states of a litmus test, under sequential consistency.
fn look(
    question: &Check,
    program: &Arc<Program>,
    control: &Control,
    all: bool,
) -> Result<ModelResult, Refused> {
    if program.process {
        let exploration = Explore {
            races: question.races,
            all,
            explain: false,
            equivalence: Equivalence::Observed,
            ..question.options.explore(control.clone())
        };
        return guard::run(&exploration, program, Model::Sc);
    }
    let states = States {
        explain: false,
        ..question.options.states(control.clone())
    };
    guard::run(&states, program, Model::Sc)
}

/// True if two violations are the same mistake: the same kind in the same place.
fn is_same(one: &Violation, other: &Violation) -> bool {
    match (one, other) {
        (
            Violation::Fault { span, fault, .. },
            Violation::Fault {
                span: at,
                fault: found,
                ..
            },
        ) if fault.kind == FaultKind::Race => {
            found.kind == FaultKind::Race && sites(*span, fault) == sites(*at, found)
        }
        (
            Violation::Fault { span, fault, .. },
            Violation::Fault {
                span: at,
                fault: found,
                ..
            },
        ) => (span, fault.kind) == (at, found.kind),
        (Violation::Deadlock(waiting), Violation::Deadlock(found)) => {
            let spans = |waiting: &[answer::Waiting]| -> BTreeSet<Span> {
                waiting.iter().map(|waiting| waiting.span).collect()
            };
            spans(waiting) == spans(found)
        }
        (Violation::Assertion { span, .. }, Violation::Assertion { span: at, .. })
        | (Violation::BadAccess { span, .. }, Violation::BadAccess { span: at, .. }) => span == at,
        // A test has one condition.
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// Both accesses of a race.
fn sites(span: Span, fault: &Fault) -> BTreeSet<Span> {
    let others = fault.others.iter().map(|(span, _)| *span);
    others.chain([span]).collect()
}
