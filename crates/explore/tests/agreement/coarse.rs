//! The exploration in which what nobody can observe makes no difference, against the exact one and the search of all states.

use crate::exploring::{AWAITS, EXCHANGES, FREES, SPINS, agree, options};
use crate::sketch::{Note, Shape, Sketch, Statement};
use crate::{ACCESSES, CHECKS, LOCKS, MODELS, OBJECTS, SLEEPS, for_all, outcomes, same, text};
use answer::{ModelResult, Violation};
use explore::Equivalence;
use memory::Model;
use program::Span;
use std::collections::BTreeSet;

const UNOBSERVED: Shape = Shape {
    unobserved: true,
    ..ACCESSES
};

/// The kinds of violations, and where in the source they are.
fn violations(result: &ModelResult) -> BTreeSet<(String, Vec<Span>)> {
    let all = result.violation.iter().chain(&result.others);
    let kind = |violation: &Violation| match violation {
        Violation::Fault { span, fault, .. } => (format!("{:?}", fault.kind), vec![*span]),
        Violation::Deadlock(waiting) => {
            let spans: BTreeSet<Span> = waiting.iter().map(|waiting| waiting.span).collect();
            ("deadlock".to_owned(), spans.into_iter().collect())
        }
        other => (format!("{other:?}"), Vec::new()),
    };
    all.map(kind).collect()
}

/// True if a program has a loop that retries a weak exchange after such notes.
fn retries_weakly(sketch: &Sketch, with: fn(Note) -> bool) -> bool {
    fn weak(statement: &Statement, with: fn(Note) -> bool) -> bool {
        match statement {
            Statement::Retry { weak, note, .. } => *weak && with(*note),
            Statement::If { body, .. }
            | Statement::Atomic { body }
            | Statement::Guarded { body, .. }
            | Statement::Spinning { body, .. } => body.iter().any(|one| weak(one, with)),
            _ => false,
        }
    }
    let threads = sketch.threads.iter().chain(&sketch.children);
    let mut all = threads.chain([&sketch.main]).flatten();
    all.any(|statement| weak(statement, with))
}

/// True if a thread assumes something.
fn assumes(sketch: &Sketch) -> bool {
    fn has_assumption(statement: &Statement) -> bool {
        match statement {
            Statement::Check { fails, .. } => !fails,
            Statement::If { body, .. }
            | Statement::Atomic { body }
            | Statement::Guarded { body, .. }
            | Statement::Spinning { body, .. } => body.iter().any(has_assumption),
            _ => false,
        }
    }
    let threads = sketch.threads.iter().chain(&sketch.children);
    let mut all = threads.chain([&sketch.main]).flatten();
    all.any(has_assumption)
}

/// The coarse exploration finds the same violations and outcomes as the exact one, by no more executions.
fn coarse_is_right(sketch: &Sketch) -> Result<(), String> {
    let program = text::program(sketch);
    for model in MODELS {
        // A store to a thread's own object goes through the store buffer under PSO, so that an iteration with one is not silent.
        if model == Model::Pso && retries_weakly(sketch, |note| note != Note::Nothing) {
            continue;
        }
        let coarse = explore::Options {
            equivalence: Equivalence::Observed,
            control: options().control.with_states(Some(5_000)),
            ..options()
        };
        let exact = explore::Options {
            equivalence: Equivalence::Traces,
            ..coarse.clone()
        };
        // A choice inside an atomic section is refused.
        let Ok(coarse) = explore::run(&program, model, &coarse) else {
            return Ok(());
        };
        same(model, "redundant executions", coarse.counts.redundant, 0)?;
        if !coarse.bounds.is_empty() {
            continue;
        }
        agree(&program, model, &coarse)?;
        // There is no end to the traces of a weak exchange that fails again and again.
        if retries_weakly(sketch, |_| true) {
            continue;
        }
        let exact = explore::run(&program, model, &exact).expect("the model is supported");
        if exact.bounds.is_empty() {
            same(model, "verdict", coarse.verdict, exact.verdict)?;
            same(model, "violations", violations(&coarse), violations(&exact))?;
            same(model, "outcomes", outcomes(&coarse), outcomes(&exact))?;
            // A trace is explored twice where stores to different parts make a thread wait, as before an assumption.
            let fewer = coarse.counts.executions <= exact.counts.executions;
            same(model, "fewer executions", fewer || assumes(sketch), true)?;
        }
    }
    Ok(())
}

#[test]
fn unused_results_and_retries() {
    for_all(UNOBSERVED, 100, coarse_is_right);
    let shape = Shape {
        objects: true,
        ..UNOBSERVED
    };
    for_all(shape, 30, coarse_is_right);
}

#[test]
fn unused_results_beside_loops_that_wait() {
    for shape in [AWAITS, SPINS] {
        let shape = Shape {
            unobserved: true,
            ..shape
        };
        for_all(shape, 40, coarse_is_right);
    }
}

#[test]
fn unused_results_beside_locks_and_barriers() {
    for shape in [LOCKS, SLEEPS] {
        let shape = Shape {
            unobserved: true,
            ..shape
        };
        for_all(shape, 40, coarse_is_right);
    }
}

#[test]
fn threads_that_start_threads() {
    for shape in [ACCESSES, UNOBSERVED, LOCKS, SLEEPS, FREES] {
        let shape = Shape {
            children: true,
            accesses: 5,
            ..shape
        };
        for_all(shape, 30, coarse_is_right);
    }
}

#[test]
fn whatever_the_exact_search_is_tried_with() {
    for shape in [
        ACCESSES, EXCHANGES, OBJECTS, LOCKS, SLEEPS, CHECKS, FREES, AWAITS, SPINS,
    ] {
        for_all(shape, 20, coarse_is_right);
    }
}

#[test]
fn assumptions_that_fail() {
    for shape in [
        ACCESSES, UNOBSERVED, EXCHANGES, LOCKS, SLEEPS, AWAITS, SPINS, OBJECTS,
    ] {
        let shape = Shape {
            checks: true,
            ..shape
        };
        for_all(shape, 30, coarse_is_right);
    }
}
