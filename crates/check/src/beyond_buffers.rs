//! What holds up to a size of store buffers, for every size.
//!
//! Where a search bounds store buffers and finds nothing wrong, the prover is asked as well, within the limits that are left. What it finds wrong is
//! wrong. What it proves is less than what was searched, which has outcomes and deadlocks as well: so the bound stays, and the result says which part of it does
//! not depend on the bound.

use crate::engines::Prover;
use crate::guard;
use answer::{Bound, ModelResult, Verdict, Warning};
use control::Control;
use memory::Model;
use program::{Program, Span};
use std::sync::Arc;

/// States and elements of the prover at most: PSO has no proof that always ends.
const MOST_STATES: u64 = 200_000;

/// The result for every buffer size, as far as it can be proved.
pub(crate) fn for_every_size(
    program: &Arc<Program>,
    model: Model,
    control: &Control,
    result: ModelResult,
) -> ModelResult {
    let is_of_buffers = |bound: &Bound| matches!(bound, Bound::StoreBuffer(_));
    let asked = control.max_states.unwrap_or(MOST_STATES);
    if result.verdict != Verdict::Holds || !result.bounds.iter().any(is_of_buffers) {
        return result;
    }
    let prover = Prover {
        control: control.after(result.time).with_states(Some(asked)),
        // What takes a solver is not done unasked.
        beyond_finite: false,
        ..Prover::default()
    };
    match guard::run(&prover, program, model) {
        Ok(proved) if proved.verdict == Verdict::Violated && proved.violation.is_some() => proved,
        Ok(proved) if proved.verdict == Verdict::Holds && proved.bounds.is_empty() => {
            let mut result = result;
            let condition = match program.properties.condition {
                Some(_) => "the condition, ",
                None => "",
            };
            let what = format!("{condition}assertions and bad accesses");
            result.warnings.push(Warning {
                span: Span::NOWHERE,
                message: format!("{what} are proved for store buffers of any size"),
            });
            result
        }
        // It does not take the program, or does not decide it.
        Ok(_) | Err(_) => result,
    }
}
