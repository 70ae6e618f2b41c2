//! What sequential consistency would have kept in order in the execution of a violation, and the fences that would.

use answer::{ModelResult, Verdict, Violation};
use program::Program;
use repair::{CriticalCycle, Delay};

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

/// A cycle for which sequential consistency does not have the execution of a result: that of [`delays`], and also where there is no violation or where it
/// is the cycle.
pub(crate) fn critical_cycle(program: &Program, result: &ModelResult) -> CriticalCycle {
    let execution = result.execution.as_ref();
    execution.map_or_else(CriticalCycle::default, |execution| {
        repair::critical_cycle(program, execution, result.model)
    })
}
