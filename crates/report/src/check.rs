//! The verdict under one model, in herd7's words and in plain ones.

use crate::execution::{caption, explained_execution};
use crate::explanation::Explanation;
use crate::explanation_text::{brief_text, explanation_text};
use crate::measures::{count, size, time};
use crate::outcomes::observation_text;
use crate::portfolio::portfolio_line;
use crate::sites::file_name;
use crate::values::outcome_text;
use crate::view::View;
use crate::violation::{details, headline, sentence};
use answer::{Bound, Engine, ModelResult, Observation, OpenLoop, Verdict, Violation, Warning};
use program::{Condition, Program, Quantifier, Span};

/// How many final states are listed.
const MOST_STATES: usize = 64;

/// A line for each loop that goes on beyond what was looked at.
fn open_loops_lines(program: &Program, result: &ModelResult) -> String {
    let line = |open: OpenLoop| {
        let OpenLoop {
            engine,
            span,
            iterations,
        } = open;
        let (file, line) = (file_name(program, span), span.line);
        let times = count(iterations.into(), "iteration");
        format!(
            "the loop at {file}:{line} may go on: {engine} found nothing wrong within {times} of it\n"
        )
    };
    result.open_loops().into_iter().map(line).collect()
}

/// What one engine found under one model, with the execution that shows it.
pub fn check_text(program: &Program, result: &ModelResult, view: &View) -> String {
    let mut text = format!(
        "{} under {}, machine {}, engine {}: {} in {}\n",
        program.source.name,
        result.model,
        result.machine,
        result.engine,
        size(result),
        time(result.time),
    );
    text += &portfolio_line(result);
    if let (Some(condition), Some(observation)) =
        (&program.properties.condition, result.observation)
    {
        text += &herd_text(program, result, condition, observation);
    }
    text += &warnings_text(program, &result.warnings);
    text += &verdict_line(program, result);
    text += &open_loops_lines(program, result);
    let explanation = Explanation::new(program, result);
    if let Some(explanation) = &explanation {
        text += &format!("\n{}", explanation_text(program, explanation, view));
    }
    if let Some(violation @ Violation::NotSequential(_)) = &result.violation {
        text += &format!("\nThe cycle:\n{}", detail_lines(program, result, violation));
    }
    for other in &result.others {
        let sentence = sentence(program, &result.started, other);
        text += &format!("and: {sentence}\n");
        text += &detail_lines(program, result, other);
    }
    text += &not_sequential_line(result);
    if let Some(execution) = &result.execution {
        let what = match (result.verdict, &program.properties.condition) {
            (Verdict::Violated, _) if !result.others.is_empty() => {
                "An execution that shows the first"
            }
            (Verdict::Violated, _) => "An execution that shows it",
            (Verdict::Holds, Some(condition)) if condition.quantifier == Quantifier::Exists => {
                "A witness"
            }
            _ => "An execution",
        };
        text += &caption(what, execution);
        text += &explained_execution(program, result, explanation.as_ref(), execution, view);
        if let Some(explanation) = &explanation {
            text += &format!("\n{}", brief_text(program, explanation, view));
        }
    }
    text
}

/// A line on a search with at most this many preemptions, one of a series.
pub fn bound_text(result: &ModelResult, preemptions: u32) -> String {
    let bound = match preemptions {
        0 => "no preemption".to_owned(),
        most => format!("at most {}", count(most.into(), "preemption")),
    };
    let (model, verdict) = (result.model, result.verdict);
    let (size, time) = (size(result), time(result.time));
    let borderline = match result.engine {
        Engine::Monitor => format!(", {} borderline,", result.counts.borderline),
        _ => String::new(),
    };
    format!("{model}, {bound}: {verdict}, {size}{borderline} in {time}\n")
}

pub(crate) fn detail_lines(
    program: &Program,
    result: &ModelResult,
    violation: &Violation,
) -> String {
    let details = details(program, &result.started, violation);
    let lines = details.iter().map(|detail| format!("  {detail}\n"));
    lines.collect()
}

/// How many executions sequential consistency does not have, unless that is wrong anyway.
fn not_sequential_line(result: &ModelResult) -> String {
    let told = |violation: &Violation| matches!(violation, Violation::NotSequential(_));
    let number = result.counts.not_sequential;
    if number == 0 || result.violation.iter().chain(&result.others).any(told) {
        return String::new();
    }
    let executions = count(number, "execution");
    let (are, ones) = match number {
        1 => ("is", "it"),
        _ => ("are", "one"),
    };
    format!("{executions} {are} not sequentially consistent (--robust shows {ones})\n")
}

/// A line per warning: `warning: FILE:LINE: message`.
pub fn warnings_text(program: &Program, warnings: &[Warning]) -> String {
    let line = |Warning { span, message }: &Warning| match *span {
        Span::NOWHERE => format!("warning: {message}\n"),
        span => {
            let file = file_name(program, span);
            format!("warning: {file}:{}: {message}\n", span.line)
        }
    };
    warnings.iter().map(line).collect()
}

/// What herd7 prints of a test.
fn herd_text(
    program: &Program,
    result: &ModelResult,
    condition: &Condition,
    observation: Observation,
) -> String {
    let kind = match condition.quantifier {
        Quantifier::Exists => "Allowed",
        Quantifier::NotExists => "Forbidden",
        Quantifier::Forall => "Required",
    };
    let outcomes = &result.outcomes;
    let mut lines = vec![
        format!("Test {} {kind}", program.name),
        format!("States {}", outcomes.len()),
    ];
    let shown = outcomes.iter().take(MOST_STATES);
    lines.extend(shown.map(|outcome| outcome_text(program, outcome)));
    if let Some(more @ 1..) = outcomes.len().checked_sub(MOST_STATES) {
        lines.push(format!("… and {more} more"));
    }
    let Observation { positive, negative } = observation;
    let quantifier = condition.quantifier;
    lines.extend([
        answer(quantifier, observation, &result.bounds).to_owned(),
        "Witnesses".to_owned(),
        format!("Positive: {positive} Negative: {negative}"),
        format!("Condition {quantifier} ({})", condition.property.formula),
        observation_text(&program.name, observation),
    ]);
    lines.join("\n") + "\n\n"
}

/// `Ok` or `No` as herd7 says of the condition, unless the search stopped
/// before it was decided.
fn answer(quantifier: Quantifier, observation: Observation, bounds: &[Bound]) -> &'static str {
    let (found, good) = match quantifier {
        Quantifier::Exists => (observation.positive > 0, true),
        Quantifier::NotExists => (observation.positive > 0, false),
        Quantifier::Forall => (observation.negative > 0, false),
    };
    let searched = bounds.iter().all(|bound| bound.is_exhausted());
    match (found, good) {
        (true, true) => "Ok",
        (true, false) => "No",
        (false, _) if !searched => "Undecided",
        (false, true) => "No",
        (false, false) => "Ok",
    }
}

pub(crate) fn verdict_line(program: &Program, result: &ModelResult) -> String {
    let (model, bounded) = (result.model, !result.bounds.is_empty());
    let covers = result.covers();
    let witnessed = program.properties.ask_only_for_a_witness()
        && result.observation.is_some_and(|seen| seen.positive > 0);
    let mut line = format!("{} under {model}", result.verdict);
    match (result.verdict, &result.violation) {
        // A witness is a witness, whatever else there may be.
        (Verdict::Holds, _) if witnessed => {}
        (Verdict::Holds, _) if bounded => line += &format!(" up to {covers}"),
        (Verdict::Holds, _) => line += " (everything covered)",
        (Verdict::Undecided, _) if result.is_vacuous() => {
            line += ": no execution reaches the end";
            let bounds = result.bounds.iter().filter(|b| **b != Bound::NoExecution);
            let bounds: Vec<String> = bounds.map(Bound::to_string).collect();
            if !bounds.is_empty() {
                line += &format!(" (the search covers {})", bounds.join(", "));
            }
        }
        (Verdict::Undecided, _) => line += &format!(": the search covers only {covers}"),
        (Verdict::Violated, Some(violation)) => {
            let headline = headline(
                program,
                &result.started,
                violation,
                result.execution.as_ref(),
            );
            line += &format!(": {}", headline.text);
            if bounded {
                line += &format!(" (the search covers {covers})");
            }
        }
        (Verdict::Violated, None) => {}
    }
    line + "\n"
}
