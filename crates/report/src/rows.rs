//! An execution as rows: what a thread did at one place of the source, in a line.
//!
//! Steps of a thread that follow each other at the same place share a row, and so does a store with its flush, unless something
//! happened in between that the delay could make a difference to. Computations have no row.

use crate::frames::Frames;
use crate::sites::file_name;
use crate::wrap::UNBROKEN;
use answer::{AccessEvent, Event, Execution, MemoryAccess, Step, StepId};
use program::{AccessKind, Program, Span, ThreadId, Width};
use std::collections::HashSet;

/// Marks the moment in which a store reaches memory.
const REACHES: &str = "▶";

/// A row of an execution.
pub(crate) struct Row {
    /// Its steps, in their order.
    pub steps: Vec<StepId>,
    pub thread: ThreadId,
    /// Where it is in the user's own code.
    pub span: Span,
    /// The line, and the file if it is not the program's own.
    pub line: String,
    /// The text there; empty for a flush that comes late.
    pub source: String,
    /// What happened, each with how often it did so in a row.
    effects: Vec<(String, u32)>,
    /// What changed in memory.
    pub memory: Vec<String>,
}

impl Row {
    /// What happened.
    pub fn effect(&self) -> String {
        let effects = self.effects.iter().map(|(effect, times)| match times {
            1 => effect.clone(),
            times => format!("{effect} ({times} times)"),
        });
        effects.collect::<Vec<_>>().join(", ")
    }

    fn add(&mut self, other: Row) {
        self.steps.extend(other.steps);
        for (effect, _) in other.effects {
            match self.effects.last_mut() {
                Some((last, times)) if *last == effect => *times += 1,
                _ => self.effects.push((effect, 1)),
            }
        }
        self.memory.extend(other.memory);
    }
}

/// The rows of an execution; if not `full`, without what the library does inside.
pub(crate) fn rows(
    program: &Program,
    frames: &Frames,
    execution: &Execution,
    full: bool,
) -> Vec<Row> {
    let steps = &execution.steps;
    let is_shown =
        |id: &StepId| is_shown(&steps[*id]) && (full || !is_internal(frames, &steps[*id]));
    let shown: Vec<StepId> = (0..steps.len()).filter(is_shown).collect();
    let mut rows: Vec<Row> = Vec::new();
    // Flushes that are shown with their store.
    let mut taken = HashSet::new();
    let in_loop = |step: StepId| execution.repeats_from.is_some_and(|start| start <= step);
    for (position, &id) in shown.iter().enumerate() {
        if taken.contains(&id) {
            continue;
        }
        let step = &steps[id];
        let span = frames.span(step);
        let mut row = Row {
            steps: vec![id],
            thread: step.thread,
            span,
            line: line_text(program, span),
            source: one_line(program.excerpt(span)),
            effects: vec![(effect(program, step) + &order(program, step), 1)],
            memory: Vec::from_iter(memory(step)),
        };
        let mut is_late = false;
        if let Event::Access(access) = &step.event {
            let flush = access.flushed_by.filter(|flush| {
                in_loop(*flush) == in_loop(id)
                    && is_prompt(steps, &shown[position + 1..], *flush, id)
            });
            if let Some(flush) = flush {
                row.effects = vec![(effect(program, &steps[flush]), 1)];
                row.memory = Vec::from_iter(memory(&steps[flush]));
                row.steps.push(flush);
                taken.insert(flush);
            } else if access.issued_by.is_some() {
                row.source.clear();
                is_late = true;
            }
        }
        match rows.last_mut() {
            Some(last)
                if last.thread == row.thread
                    && last.span == row.span
                    && span != Span::NOWHERE
                    && !is_late
                    && !last.source.is_empty()
                    && in_loop(last.steps[0]) == in_loop(id) =>
            {
                last.add(row);
            }
            _ => rows.push(row),
        }
    }
    rows
}

fn is_shown(step: &Step) -> bool {
    !matches!(step.event, Event::Compute { .. } | Event::Compare { .. })
}

/// True for steps in a header of the system, and for arguments that are passed in memory.
fn is_internal(frames: &Frames, step: &Step) -> bool {
    let passed = ["list of arguments", "variable arguments", "a temporary"];
    let passes = |access: &MemoryAccess| passed.iter().any(|p| access.location.name.starts_with(p));
    frames.is_system(frames.span(step))
        || matches!(&step.event, Event::Access(access) if passes(access))
}

/// True if nothing that a delay could make a difference to happens between a store and its flush: only its own thread acts, loads nothing,
/// and flushes nothing that it stored later.
fn is_prompt(steps: &[Step], after: &[StepId], flush: StepId, store: StepId) -> bool {
    let thread = steps[store].thread;
    let mut between = after.iter().take_while(|id| **id < flush);
    between.all(|id| {
        let step = &steps[*id];
        step.thread == thread
            && match &step.event {
                Event::Access(access) => match access.kind {
                    AccessEvent::Buffer => true,
                    AccessEvent::Commit => access.issued_by.is_some_and(|issue| issue < store),
                    AccessEvent::Load | AccessEvent::Forward | AccessEvent::Update => false,
                },
                Event::Call(_) | Event::Branch { .. } => true,
                _ => false,
            }
    })
}

/// `42`, or `lock.h:42` in another file than the program's own.
pub(crate) fn line_text(program: &Program, span: Span) -> String {
    match (span.line, span.file) {
        (0, _) => String::new(),
        (line, 0) => line.to_string(),
        (line, _) => {
            let name = file_name(program, span);
            let name = name.rsplit('/').next().unwrap_or(name);
            format!("{name}:{line}")
        }
    }
}

pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text that is not longer than this.
pub(crate) fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let start: String = text.chars().take(longest.saturating_sub(1)).collect();
    start.trim_end().to_owned() + "…"
}

/// What an access did.
fn access_effect(access: &MemoryAccess, source: &str) -> String {
    let MemoryAccess { value, written, .. } = access;
    let location = &access.location.name;
    // The location is named where the instruction does not.
    let named = match mentions(source, location) {
        true => String::new(),
        false => format!("{location} "),
    };
    match (access.kind, written) {
        (AccessEvent::Load, _) => format!("{named}→ {value} from memory"),
        (AccessEvent::Forward, _) => format!("{named}→ {value} from own store, not yet in memory"),
        (AccessEvent::Buffer, _) => format!("{location}={value} waits in the buffer"),
        (AccessEvent::Commit, _) => format!("{REACHES} {location}={value} reaches memory"),
        (AccessEvent::Update, Some(new)) => format!("{REACHES} {location}: {value} → {new}"),
        (AccessEvent::Update, None) => format!("{location}: {value}, not the expected value"),
    }
}

/// What the step did.
pub(crate) fn effect(program: &Program, step: &Step) -> String {
    let source = program.excerpt(step.span);
    let branch = |taken| if taken { "taken" } else { "not taken" };
    match &step.event {
        Event::Access(access) => access_effect(access, source),
        Event::FenceWaits(orderings) => {
            let later = match orderings.orders(AccessKind::STORE, AccessKind::LOAD) {
                true if orderings.orders(AccessKind::STORE, AccessKind::STORE) => "accesses",
                true => "loads",
                false => "stores",
            };
            format!("later {later} wait for the buffer")
        }
        Event::Fence(_) if !source.is_empty() => "passes".to_owned(),
        Event::Fence(orderings) => format!("fence {orderings} passes"),
        Event::Compute { value } => format!("= {}", any_value(program, *value)),
        Event::Branch { taken } => branch(*taken).to_owned(),
        Event::Predict { taken } => format!("predicted {}", branch(*taken)),
        Event::Mispredict { taken } => {
            let outcome = branch(*taken);
            format!("{outcome} after all: what came since the prediction is undone")
        }
        Event::Choose { value } => format!("chooses {}", any_value(program, *value)),
        Event::Observe { name, value } => format!("{name} = {}", any_value(program, *value)),
        Event::Call(call) => call.clone(),
        Event::Print(output) => format!("prints {output:?}"),
        Event::Fault(message) => message.clone(),
        Event::Compare { left, right } => format!("compares {left} with {right}"),
        Event::AssertFailed => "fails".to_owned(),
        Event::BadAccess { address } => format!("{address:#x} is no location of the program"),
    }
}

/// Which earlier instruction the step came ahead of, if any.
pub(crate) fn order(program: &Program, step: &Step) -> String {
    /// Room for the instruction.
    const LONGEST: usize = 28;
    let guess = if step.speculative { ", on a guess" } else { "" };
    let ahead = step.ahead_of.map(|span| {
        match cut(&one_line(program.excerpt(span)), LONGEST) {
            earlier if earlier.is_empty() => ", ahead of an earlier access".to_owned(),
            // An instruction is not broken over lines.
            earlier => format!(", ahead of {}", earlier.replace(' ', UNBROKEN)),
        }
    });
    guess.to_owned() + &ahead.unwrap_or_default()
}

/// True if `name` stands in `source` as a word of its own.
fn mentions(source: &str, name: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '%';
    source.match_indices(name).any(|(at, _)| {
        !source[..at].ends_with(in_word) && !source[at + name.len()..].starts_with(in_word)
    })
}

/// What the step changed in memory.
fn memory(step: &Step) -> Option<String> {
    let Event::Access(access) = &step.event else {
        return None;
    };
    let value = match access.kind {
        AccessEvent::Commit => Some(&access.value),
        AccessEvent::Update => access.written.as_ref(),
        AccessEvent::Load | AccessEvent::Forward | AccessEvent::Buffer => None,
    };
    value.map(|value| format!("{}={value}", access.location.name))
}

fn any_value(program: &Program, value: u64) -> String {
    program.word_text(value, Width::W64, false)
}
