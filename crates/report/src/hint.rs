//! The end of a violation: what sequential consistency would have kept in order, and the fences that would.

use crate::sites::{file_name, thread_name};
use answer::{AccessEvent, Event, ModelResult, Step, StepId, Verdict, Violation};
use program::{Program, Span};
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

/// A line for each delay, with its fence.
pub(crate) fn hint_text(program: &Program, result: &ModelResult) -> String {
    let delays = delays(program, result);
    let Some(execution) = result.execution.as_ref().filter(|_| !delays.is_empty()) else {
        return String::new();
    };
    let access = |id: StepId| access_text(program, &execution.steps[id]);
    let line = |delay: &Delay| {
        let (earlier, later) = (access(delay.earlier), access(delay.later));
        let thread = execution.steps[delay.earlier].thread;
        let thread = thread_name(program, &result.started, thread);
        let fence = &delay.fence;
        match delay.overtaken {
            true => format!("  {earlier} is delayed past {later}, in {thread}: {fence}\n"),
            false => format!("  nothing keeps {earlier} before {later}, in {thread}: {fence}\n"),
        }
    };
    let fences = match delays.len() {
        1 => "a fence between these accesses forbids it",
        _ => "fences between these accesses forbid it",
    };
    let lines: String = delays.iter().map(line).collect();
    format!("\nhint: sequential consistency does not have this execution; {fences}:\n{lines}")
}

/// `the store to x (sb.c:7)`.
fn access_text(program: &Program, step: &Step) -> String {
    let Event::Access(access) = &step.event else {
        return "an access".to_owned();
    };
    let kind = match access.kind {
        AccessEvent::Load | AccessEvent::Forward => "load of",
        AccessEvent::Buffer | AccessEvent::Commit => "store to",
        AccessEvent::Update => "update of",
    };
    let at = match step.span {
        Span::NOWHERE => String::new(),
        span => format!(" ({}:{})", file_name(program, span), span.line),
    };
    format!("the {kind} {}{at}", access.location.name)
}
