//! An execution step by step: what happened, and what store buffers and memory are like behind it.

use crate::frames::Frames;
use crate::rows::{Row, rows};
use crate::sites::{file_name, thread_name};
use answer::{AccessEvent, Event, ModelResult, StepId};
use program::{Program, Span, ThreadId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What threads and memory are like.
#[derive(Default)]
struct State {
    /// What was written last to each location, by its name.
    memory: BTreeMap<String, String>,
    /// Stores that wait, oldest first, by their steps.
    waiting: BTreeMap<ThreadId, Vec<(StepId, String)>>,
}

/// A text for each row of the execution of a result, with what it is like behind it.
pub fn steps(program: &Program, result: &ModelResult) -> Vec<String> {
    let Some(execution) = &result.execution else {
        return Vec::new();
    };
    let frames = Frames::new(program);
    // Every step by itself: a store and its flush are two.
    let rows = rows(program, &frames, execution, true);
    let mut state = State::default();
    let all = rows.len();
    let mut texts = Vec::new();
    let mut done = 0;
    for (index, row) in rows.iter().enumerate() {
        // What has no row, such as computing, changes nothing that is shown.
        let last = row.steps.iter().max().map_or(done, |last| last + 1);
        for id in done..last.max(done) {
            state.perform(id, &execution.steps[id].event, execution.steps[id].thread);
        }
        done = last.max(done);
        texts.push(text(program, result, row, (index + 1, all), &state));
    }
    texts
}

fn text(
    program: &Program,
    result: &ModelResult,
    row: &Row,
    (number, all): (usize, usize),
    state: &State,
) -> String {
    let name = |thread| thread_name(program, &result.started, thread);
    let place = match row.span {
        Span::NOWHERE => String::new(),
        span => format!(
            ", {}:{}: {}",
            file_name(program, span),
            span.line,
            row.source
        ),
    };
    let mut text = format!("{number}/{all} {}{place}\n", name(row.thread));
    let _ = writeln!(text, "    {}", row.effect());
    for (thread, stores) in &state.waiting {
        let stores: Vec<&str> = stores.iter().map(|(_, store)| store.as_str()).collect();
        if !stores.is_empty() {
            let _ = writeln!(
                text,
                "    store buffer of {}: {}",
                name(*thread),
                stores.join(", ")
            );
        }
    }
    if !state.memory.is_empty() {
        let values = state.memory.iter();
        let values: Vec<String> = values
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let _ = writeln!(text, "    memory: {}", values.join(" "));
    }
    text
}

impl State {
    fn perform(&mut self, id: StepId, event: &Event, thread: ThreadId) {
        let Event::Access(access) = event else {
            return;
        };
        let name = access.location.name.clone();
        match access.kind {
            AccessEvent::Buffer => {
                let store = format!("{name}={}", access.value);
                self.waiting.entry(thread).or_default().push((id, store));
            }
            AccessEvent::Commit => {
                for stores in self.waiting.values_mut() {
                    stores.retain(|(store, _)| Some(*store) != access.issued_by);
                }
                self.memory.insert(name, access.value.to_string());
            }
            AccessEvent::Update => {
                if let Some(written) = &access.written {
                    self.memory.insert(name, written.to_string());
                }
            }
            AccessEvent::Load | AccessEvent::Forward => {}
        }
    }
}
