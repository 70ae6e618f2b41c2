//! Making sure, on the machine, of what the solver finds.
//!
//! The solver reasons about executions and runs none. What it finds in a C program under a model with store buffers is
//! looked for on the machine, with the solver's execution as the guide ([`machine::guided_replay`]); then the machine's
//! own execution is shown, as for every other engine. A violation that the machine certainly does not have is a mistake of
//! ours, and is reported as such. Litmus tests, and models that no process runs under, are left as the solver has them.

use answer::{ModelResult, Violation};
use control::Control;
use machine::{Guided, Image, Limits};
use memory::Model;
use program::Program;
use std::sync::Arc;

/// A result of the solver with the execution of the machine, as far as it has one within the limits that are left.
pub(crate) fn confirmed(
    program: &Program,
    model: Model,
    control: &Control,
    result: ModelResult,
) -> ModelResult {
    let (Some(violation), Some(execution)) = (&result.violation, &result.execution) else {
        return result;
    };
    if !program.process || !matches!(violation, Violation::Fault { .. } | Violation::NotSerial(_)) {
        return result;
    }
    let Ok(image) = Image::with_buffers(program, model) else {
        return result;
    };
    let limits = Limits {
        stop: Some(Arc::new(control.after(result.time).stop())),
        ..Limits::default()
    };
    match machine::guided_replay(&image, &limits, violation, execution, &result.started) {
        Guided::Replayed(violation, replayed) => ModelResult {
            violation: Some(*violation),
            started: replayed.started.clone(),
            execution: Some(replayed.execution(program)),
            ..result
        },
        Guided::Refused => result.unconfirmed("the machine has no such execution"),
        Guided::Open => result,
    }
}
