//! The exploration against every interleaving, and against the search of all states.

use crate::sketch::{Shape, Sketch};
use crate::trace::{Trace, trace};
use crate::{
    ACCESSES, CHECKS, LOCKS, MODELS, MOST_STATES, OBJECTS, SECTIONS, SLEEPS, for_all, outcomes,
    same, states,
};
use crate::{interleavings, text};
use answer::{ModelResult, Violation};
use control::Control;
use memory::Model;
use program::Program;
use std::collections::BTreeSet;

pub const AWAITS: Shape = Shape {
    awaits: true,
    accesses: 8,
    ..ACCESSES
};

pub const SPINS: Shape = Shape {
    spins: true,
    accesses: 9,
    ..ACCESSES
};
pub const EXCHANGES: Shape = Shape {
    exchanges: true,
    ..ACCESSES
};
pub const FREES: Shape = Shape {
    frees: true,
    ..OBJECTS
};

pub fn options() -> explore::Options {
    explore::Options {
        explain: false,
        all: true,
        outcomes: true,
        ..explore::Options::default()
    }
}

/// The exploration finds each trace once and nothing else, and tells which of them are not
/// sequentially consistent, that end in a deadlock, and what they come to.
pub fn exploration_is_right(sketch: &Sketch) -> Result<(), String> {
    let program = text::program(sketch);
    for model in MODELS {
        let Some(expected) = interleavings::executions(&program, model, MOST_STATES) else {
            return Ok(());
        };
        // A choice inside an atomic section is refused.
        let Ok(result) = explore::run(&program, model, &options()) else {
            return Ok(());
        };
        let executions = explore::traces(&program, model, &options());
        let executions = executions.expect("the model is supported");
        let mut found: BTreeSet<Trace> = BTreeSet::new();
        for (steps, complete) in executions {
            let trace = trace(&steps);
            if expected.traces.contains_key(&trace) {
                if let Some(twice) = found.replace(trace) {
                    return Err(format!("{model}: twice {twice}"));
                }
            } else if complete || !expected.cut {
                return Err(format!("{model}: there is no execution {trace}"));
            }
        }
        let (mut complete, mut blocked, mut not_sequential) = (0, 0, 0);
        for (trace, ending) in &expected.traces {
            if !found.contains(trace) {
                return Err(format!("{model}: missing {trace}"));
            }
            match ending.outcome {
                Some(_) => complete += 1,
                None => blocked += 1,
            }
            not_sequential += u64::from(!ending.sequential);
        }
        let counts = result.counts;
        same(model, "executions", counts.executions, complete)?;
        same(model, "redundant executions", counts.redundant, 0)?;
        if !expected.cut {
            same(model, "blocked executions", counts.blocked, blocked)?;
            let cyclic = counts.not_sequential;
            same(model, "executions that are not SC", cyclic, not_sequential)?;
        }
        let endings = expected.traces.values();
        let ends = endings.filter_map(|ending| ending.outcome.clone());
        same(model, "outcomes", outcomes(&result), ends.collect())?;
        agree(&program, model, &result)?;
    }
    Ok(())
}

/// The exploration and the search of all states say the same.
pub fn agree(program: &Program, model: Model, result: &ModelResult) -> Result<(), String> {
    let expected = states(program, model);
    same(model, "verdict", result.verdict, expected.verdict)?;
    // States tell the first violation that they come to, an exploration all of them.
    let kind = |violation: &Violation| std::mem::discriminant(violation);
    let all = result.violation.iter().chain(&result.others);
    let mut kinds = all.map(kind);
    let known = expected.violation.as_ref().map(kind);
    let found = known.is_none_or(|known| kinds.any(|kind| kind == known));
    same(model, "violation found", found, true)?;
    same(model, "outcomes", outcomes(result), outcomes(&expected))
}

#[test]
fn loads_and_stores() {
    for_all(ACCESSES, 150, exploration_is_right);
}

#[test]
fn compare_exchanges() {
    for_all(EXCHANGES, 50, exploration_is_right);
}

#[test]
fn objects_that_are_made_on_the_way() {
    for_all(OBJECTS, 25, exploration_is_right);
}

#[test]
fn locks_and_semaphores() {
    for_all(LOCKS, 50, exploration_is_right);
}

#[test]
fn atomic_sections() {
    for_all(SECTIONS, 25, exploration_is_right);
}

#[test]
fn condition_variables_and_barriers() {
    for_all(SLEEPS, 25, exploration_is_right);
}

#[test]
fn assumptions_and_assertions() {
    for_all(CHECKS, 25, exploration_is_right);
}

#[test]
fn objects_that_are_freed() {
    for_all(FREES, 100, exploration_is_right);
}

/// The exploration, in whose executions failed iterations are no events, and the search of all
/// states agree, and so does a search in which every access is a step of its own.
fn answer_is_right(sketch: &Sketch) -> Result<(), String> {
    let program = text::program(sketch);
    MODELS.into_iter().try_for_each(|model| {
        // A choice inside an atomic section is refused.
        let result = match explore::run(&program, model, &options()) {
            Ok(result) => {
                same(model, "redundant executions", result.counts.redundant, 0)?;
                agree(&program, model, &result)?;
                result
            }
            Err(_) => states(&program, model),
        };
        let plain = states::Options {
            stop_at_violation: false,
            explain: false,
            plain: true,
            control: Control::default().with_states(Some(MOST_STATES as u64)),
            ..states::Options::default()
        };
        let plain = states::run(&program, model, &plain).expect("the model is supported");
        if plain.bounds.is_empty() {
            same(model, "plain verdict", result.verdict, plain.verdict)?;
            // A thread that spins for ever has no last state there.
            if sketch.joins {
                same(model, "plain outcomes", outcomes(&result), outcomes(&plain))?;
            }
        }
        Ok(())
    })
}

#[test]
fn loops_that_wait() {
    for_all(AWAITS, 50, answer_is_right);
}

#[test]
fn loops_that_wait_for_objects() {
    let shape = Shape {
        awaits: true,
        ..FREES
    };
    for_all(shape, 50, answer_is_right);
}

#[test]
fn locks_of_read_modify_writes() {
    for_all(SPINS, 50, answer_is_right);
}

#[test]
fn the_search_in_plain_steps() {
    for shape in [ACCESSES, LOCKS, SLEEPS, SECTIONS, CHECKS, FREES] {
        for_all(shape, 5, answer_is_right);
    }
}
