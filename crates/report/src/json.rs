//! Results for programs. `docs/reference/json.md` says what every field means; a change
//! that takes a field away or gives it another meaning needs a new schema name.

use crate::codes::kind;
use crate::explanation::{Accessed, Explanation, Place};
use crate::format::Report;
use crate::hint::delays;
use crate::portfolio::portfolio_json;
use crate::sites::{file_name, thread_name};
use crate::values::{datum_json, outcome_json, word_json};
use crate::violation::sentence;
use answer::{
    AccessEvent, CallSite, Counts, Engine, Estimate, Event, Execution, Link, LinkOrder,
    MemoryAccess, ModelResult, OpenLoop, Sequential, Step, Unit, Violation, Waiting, Warning,
};
use program::{Diagnostic, Orderings, Program, Span, Width, Word};
use repair::Delay;
use serde_json::{Map, Value, json};

pub(crate) const SCHEMA: &str = "fencepost/1";

/// One object with everything that a command found.
pub(crate) fn json(report: &Report) -> Value {
    let program = report.program;
    let results = report.results.iter();
    let results: Vec<Value> = results.map(|r| result_json(program, r)).collect();
    json!({
        "schema": SCHEMA,
        "command": report.command.name(),
        "file": &*program.source.name,
        "test": program.name,
        "results": results,
        "reading_seconds": report.reading.as_secs_f64(),
    })
}

/// One object with what is wrong with an input: the `error`, with its place where it has one.
pub fn error_json(file: &str, message: &str, found: Option<&Diagnostic>) -> Value {
    let place = found.filter(|found| found.span != Span::NOWHERE);
    let number = |number: fn(&Span) -> u32| place.map(|found| number(&found.span));
    json!({
        "schema": SCHEMA,
        "file": file,
        "error": {
            "message": message,
            "file": found.map(|found| found.source.name.to_string()),
            "line": number(|span| span.line),
            "column": number(|span| span.column),
            "length": number(|span| span.length),
            "label": found.map(|found| found.label.clone()).filter(|label| !label.is_empty()),
            "help": found.and_then(|found| found.help.clone()),
        },
    })
}

/// One object with what `check --estimate` guesses under each model, with the seconds that a
/// search may take.
pub fn estimates_json(program: &Program, estimates: &[(&str, Estimate, f64)]) -> Value {
    let estimates = estimates.iter().map(|(model, estimate, seconds)| {
        json!({
            "model": model,
            "executions": estimate.executions,
            "low": estimate.low,
            "high": estimate.high,
            "walks": estimate.walks,
            "events": estimate.events,
            "seconds": seconds,
        })
    });
    json!({
        "schema": SCHEMA,
        "command": "check",
        "file": &*program.source.name,
        "test": program.name,
        "estimates": estimates.collect::<Vec<_>>(),
    })
}

pub(crate) fn result_json(program: &Program, result: &ModelResult) -> Value {
    let outcomes = result.outcomes.iter();
    let outcomes: Vec<Value> = outcomes.map(|o| outcome_json(program, o)).collect();
    let observation = result.observation.map(|observation| {
        json!({
            "word": observation.word(),
            "positive": observation.positive,
            "negative": observation.negative,
        })
    });
    let violation = result.violation.as_ref();
    let violation = violation.map(|v| violation_json(program, &result.started, v));
    let others = result.others.iter();
    let others: Vec<Value> = others
        .map(|v| violation_json(program, &result.started, v))
        .collect();
    let warnings = result.warnings.iter();
    let warnings: Vec<Value> = warnings.map(|w| warning_json(program, w)).collect();
    let execution = result.execution.as_ref();
    json!({
        "model": result.model.name(),
        "engine": result.engine.name(),
        "machine": result.machine,
        "verdict": result.verdict.to_string(),
        "covers": result.covers(),
        "counts": counts_json(result.engine, &result.counts),
        "outcomes": outcomes,
        "observation": observation,
        "violation": violation,
        "others": others,
        "warnings": warnings,
        "started": result.started,
        "execution": execution.map(|execution| execution_json(program, execution)),
        "seconds": result.time.as_secs_f64(),
        "portfolio": portfolio_json(&result.portfolio),
        "loops": loops_json(program, result),
        "delays": delays_json(program, result),
        "explanation": Explanation::new(program, result).map(|e| explanation_json(program, &e)),
    })
}

fn loops_json(program: &Program, result: &ModelResult) -> Vec<Value> {
    let json = |open: OpenLoop| {
        let fields = Fields(Map::new()).at(program, open.span);
        let fields = fields.with("iterations", open.iterations);
        Value::Object(fields.with("engine", open.engine.name()).0)
    };
    result.open_loops().into_iter().map(json).collect()
}

/// Why a result is violated, for files of executions; null if it is not.
pub fn explanation_of(program: &Program, result: &ModelResult) -> Value {
    let explanation = Explanation::new(program, result);
    explanation.map_or(Value::Null, |e| explanation_json(program, &e))
}

/// Why a violation happens.
fn explanation_json(program: &Program, explanation: &Explanation) -> Value {
    let place = |place: &Place| {
        let fields = Fields(Map::new()).with("file", file_name(program, place.span));
        let fields = fields.at(program, place.span);
        let fields = fields.with("length", place.span.length);
        Value::Object(fields.with("label", place.label.as_str()).0)
    };
    let accessed = |accessed: &Accessed| {
        let fields = Fields(Map::new()).with("step", accessed.step);
        let fields = fields.at(program, accessed.span);
        let fields = fields.with("access", accessed.kind);
        Value::Object(fields.with("place", accessed.location.as_str()).0)
    };
    let delays = explanation.delays.iter().map(|delay| {
        json!({
            "thread": delay.thread.0,
            "name": delay.thread_name,
            "earlier": accessed(&delay.earlier),
            "later": accessed(&delay.later),
            "overtaken": delay.overtaken,
            "fence": delay.fence,
        })
    });
    let buffered = explanation.buffered.iter().map(|store| {
        let fields = Fields(Map::new()).with("thread", store.thread.0);
        let fields = fields.with("name", store.thread_name.as_str());
        let fields = fields.at(program, store.span);
        let fields = fields.with("place", store.location.as_str());
        Value::Object(fields.with("value", store.value.as_str()).0)
    });
    let secondary = explanation.secondary.iter().map(place);
    json!({
        "code": explanation.code.to_string(),
        "headline": explanation.headline,
        "primary": explanation.primary.as_ref().map(place),
        "secondary": secondary.collect::<Vec<_>>(),
        "sequential": match explanation.sequential {
            Sequential::Has => Some(true),
            Sequential::HasNot => Some(false),
            Sequential::Unknown => None,
        },
        "causes": explanation.causes(program),
        "fences": explanation.fences(program),
        "delays": delays.collect::<Vec<_>>(),
        "buffered": buffered.collect::<Vec<_>>(),
    })
}

fn delays_json(program: &Program, result: &ModelResult) -> Vec<Value> {
    let json = |delay: Delay| {
        json!({
            "earlier": delay.earlier,
            "later": delay.later,
            "overtaken": delay.overtaken,
            "fence": delay.fence,
        })
    };
    delays(program, result).into_iter().map(json).collect()
}

/// All counts; those that the engine does not have are null.
pub(crate) fn counts_json(engine: Engine, counts: &Counts) -> Value {
    let solved = engine == Engine::Sat;
    let of = |unit: Unit, number: u64| (engine.unit() == unit && !solved).then_some(number);
    json!({
        "states": of(Unit::State, counts.states),
        "transitions": of(Unit::State, counts.transitions),
        "depth": of(Unit::State, counts.depth),
        "bytes": of(Unit::State, counts.bytes),
        "executions": of(Unit::Execution, counts.executions),
        "blocked": of(Unit::Execution, counts.blocked),
        "redundant": of(Unit::Execution, counts.redundant),
        "not_sequential": of(Unit::Execution, counts.not_sequential),
        "borderline": (engine == Engine::Monitor).then_some(counts.borderline),
        "events": (engine.unit() == Unit::Execution).then_some(counts.events),
    })
}

/// An object under construction, whose fields keep their order.
struct Fields(Map<String, Value>);

impl Fields {
    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Adds `line`, `column` and `text`, and `file` if it is not the program's own.
    fn at(self, program: &Program, span: Span) -> Self {
        let fields = match span.file {
            0 => self,
            _ => self.with("file", file_name(program, span)),
        };
        let known = |number: u32| (span != Span::NOWHERE).then_some(number);
        fields
            .with("line", known(span.line))
            .with("column", known(span.column))
            .with("text", program.excerpt(span))
    }
}

fn warning_json(program: &Program, warning: &Warning) -> Value {
    let fields = Fields(Map::new()).at(program, warning.span);
    Value::Object(fields.with("message", warning.message.as_str()).0)
}

fn waiting_json(program: &Program, waiting: &Waiting) -> Value {
    let fields = Fields(Map::new()).with("thread", waiting.thread.0);
    let fields = fields.at(program, waiting.span);
    Value::Object(fields.with("reason", waiting.reason.as_str()).0)
}

fn link_json(program: &Program, link: &Link) -> Value {
    let order = match link.order {
        LinkOrder::Program => "program",
        LinkOrder::ReadsFrom => "reads-from",
        LinkOrder::Coherence => "coherence",
        LinkOrder::FromRead => "from-read",
    };
    let fields = Fields(Map::new()).with("thread", link.thread.0);
    let fields = fields.at(program, link.span);
    let fields = fields.with("access", link.access.as_str());
    let fields = fields.with("order", order);
    Value::Object(fields.with("overtaken", link.overtaken).0)
}

fn violation_json(program: &Program, started: &[String], violation: &Violation) -> Value {
    let fields = Fields(Map::new())
        .with("kind", kind(violation))
        .with("message", sentence(program, started, violation));
    let fields = match violation {
        Violation::FinalState(outcome) | Violation::NotSerial(outcome) => {
            fields.with("outcome", outcome_json(program, outcome))
        }
        Violation::NoWitness => fields,
        Violation::Invariant(formula) => fields.with("formula", formula.to_string()),
        Violation::Liveness(liveness) => fields
            .with("formula", liveness.property.formula.to_string())
            .with("repeatedly", liveness.repeatedly),
        Violation::Deadlock(waiting) => {
            let name = |waiting: &Waiting| thread_name(program, started, waiting.thread);
            let threads: Vec<u32> = waiting.iter().map(|waiting| waiting.thread.0).collect();
            let fields = fields
                .with("threads", threads)
                .with("names", waiting.iter().map(name).collect::<Vec<_>>());
            if waiting.iter().all(|waiting| waiting.reason.is_empty()) {
                fields
            } else {
                let waiting = waiting.iter().map(|w| waiting_json(program, w));
                fields.with("waiting", waiting.collect::<Vec<_>>())
            }
        }
        Violation::Fault {
            thread,
            span,
            fault,
        } => {
            let other = |(span, what): &(Span, String)| {
                let fields = Fields(Map::new()).with("file", file_name(program, *span));
                Value::Object(fields.at(program, *span).with("what", what.as_str()).0)
            };
            fields
                .with("thread", thread.0)
                .at(program, *span)
                .with("others", fault.others.iter().map(other).collect::<Vec<_>>())
        }
        Violation::NotSequential(cycle) => {
            let cycle = cycle.iter().map(|link| link_json(program, link));
            fields.with("cycle", cycle.collect::<Vec<_>>())
        }
        Violation::Assertion { thread, span } => fields.with("thread", thread.0).at(program, *span),
        Violation::BadAccess {
            thread,
            span,
            address,
        } => fields
            .with("thread", thread.0)
            .at(program, *span)
            .with("address", *address),
    };
    Value::Object(fields.0)
}

fn execution_json(program: &Program, execution: &Execution) -> Value {
    let steps = execution.steps.iter();
    let steps: Vec<Value> = steps.map(|step| step_json(program, step)).collect();
    json!({
        "steps": steps,
        "repeats_from": execution.repeats_from,
        "replayed": execution.replayed,
    })
}

fn step_json(program: &Program, step: &Step) -> Value {
    let fields = Fields(Map::new())
        .with("thread", step.thread.0)
        .at(program, step.span)
        .with("event", event_name(&step.event));
    let plain = |word: &Word| word_json(program, *word, Width::W64, false);
    let fields = match &step.event {
        Event::Access(access) => access_fields(fields, access),
        Event::Fence(orderings) | Event::FenceWaits(orderings) => {
            fields.with("orders", ordering_names(*orderings))
        }
        Event::Compute { value } | Event::Choose { value } => fields.with("value", plain(value)),
        Event::Branch { taken } | Event::Predict { taken } | Event::Mispredict { taken } => {
            fields.with("taken", *taken)
        }
        Event::Observe { name, value } => fields
            .with("name", name.as_str())
            .with("value", plain(value)),
        Event::Call(call) => fields.with("call", call.as_str()),
        Event::Print(output) => fields.with("output", output.as_str()),
        Event::Fault(message) => fields.with("message", message.as_str()),
        Event::Compare { left, right } => fields
            .with("left", datum_json(left))
            .with("right", datum_json(right)),
        Event::AssertFailed => fields,
        Event::BadAccess { address } => fields.with("address", *address),
    };
    let fields = match step.stack.is_empty() {
        true => fields,
        false => fields.with("stack", stack_json(program, &step.stack)),
    };
    let fields = match step.ahead_of {
        Some(span) => fields.with("ahead_of", program.excerpt(span)),
        None => fields,
    };
    let fields = match step.speculative {
        true => fields.with("speculative", true),
        false => fields,
    };
    Value::Object(fields.0)
}

/// Calls, outermost first.
fn stack_json(program: &Program, stack: &[CallSite]) -> Vec<Value> {
    let call = |call: &CallSite| {
        let fields = Fields(Map::new()).with("function", call.function.as_str());
        Value::Object(fields.at(program, call.span).0)
    };
    stack.iter().map(call).collect()
}

/// An access, and the steps that it is linked to by their index.
fn access_fields(fields: Fields, access: &MemoryAccess) -> Fields {
    let fields = fields.with("place", access.location.name.as_str());
    let mut fields = match access.kind {
        AccessEvent::Update => fields
            .with("old", datum_json(&access.value))
            .with("new", access.written.as_ref().map(datum_json)),
        AccessEvent::Load | AccessEvent::Forward | AccessEvent::Buffer | AccessEvent::Commit => {
            fields.with("value", datum_json(&access.value))
        }
    };
    for (name, link) in [
        ("reads_from", access.reads_from),
        ("overwrites", access.overwrites),
        ("issued_by", access.issued_by),
        ("flushed_by", access.flushed_by),
    ] {
        if let Some(step) = link {
            fields = fields.with(name, step);
        }
    }
    fields
}

fn event_name(event: &Event) -> &'static str {
    match event {
        Event::Access(access) => access_name(access.kind),
        Event::Call(_) => "call",
        Event::Print(_) => "print",
        Event::Fault(_) => "fault",
        Event::Fence(_) => "fence",
        Event::FenceWaits(_) => "fence-waits",
        Event::Compute { .. } => "compute",
        Event::Branch { .. } => "branch",
        Event::Predict { .. } => "predict",
        Event::Mispredict { .. } => "mispredict",
        Event::Choose { .. } => "choose",
        Event::Observe { .. } => "observe",
        Event::Compare { .. } => "compare",
        Event::AssertFailed => "assert-failed",
        Event::BadAccess { .. } => "bad-access",
    }
}

fn access_name(kind: AccessEvent) -> &'static str {
    match kind {
        AccessEvent::Load => "load",
        AccessEvent::Forward => "forward",
        AccessEvent::Buffer => "buffer",
        AccessEvent::Commit => "commit",
        AccessEvent::Update => "update",
    }
}

fn ordering_names(orderings: Orderings) -> Vec<&'static str> {
    Orderings::NAMED
        .iter()
        .filter(|(ordering, _)| orderings.contains(*ordering))
        .map(|(_, name)| *name)
        .collect()
}
