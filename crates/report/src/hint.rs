//! What sequential consistency would have kept in order in the execution of a violation, and the fences that would.

use answer::{ModelResult, Verdict, Violation};
use program::Program;
use repair::Delay;

/// What was out of order in the execution of a violation; nothing if the violation says so itself, or if sequential consistency has the execution.
pub(crate) fn delays(program: &Program, result: &ModelResult) -> Vec<Delay> {
    let told = matches!(result.violation, Some(Violation::NotSequential(_)));
    match &result.execution {
        Some(execution) if result.verdict == Verdict::Violated && !told => {
            repair::delays(program, execution, result.model)
        }
        _ => Vec::new(),
    }
}
