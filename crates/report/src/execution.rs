//! An execution as a table: one column per thread, a row per step, and what
//! memory becomes.
//!
//! Computations are left out. A store that reaches memory right after it was
//! issued takes one row.

use crate::sites::{file_name, thread_name};
use crate::table::{Align, Column, Table};
use crate::view::View;
use answer::{AccessEvent, Event, Execution, MemoryAccess, Step};
use program::{AccessKind, Program, ThreadId, Width};
use std::collections::HashSet;

/// Marks the moment in which a store reaches memory.
const REACHES: &str = "▶";
/// A space at which a line is not broken, while lines are made.
const UNBROKEN: &str = "\u{a0}";
/// Source text is cut to this many characters.
const LONGEST_SOURCE: usize = 28;
/// Room for all threads' columns together, in characters.
const ROOM: usize = 112;

/// The line above an execution. One that was not replayed comes from the solver.
pub fn caption(what: &str, execution: &Execution) -> String {
    if execution.replayed {
        format!("\n{what}:\n\n")
    } else {
        format!("\n{what}, in memory order (not replayed on a machine):\n\n")
    }
}

/// The execution, one column per thread. `started` names the threads beyond those of the
/// program, as in [`ModelResult::started`](answer::ModelResult::started).
pub fn execution_text(
    program: &Program,
    started: &[String],
    execution: &Execution,
    view: &View,
) -> String {
    if execution.steps.is_empty() {
        return "  (no steps)\n".to_owned();
    }
    let threads = thread_count(program, execution);
    let mut columns = vec![Column::new(Align::Right), Column::new(Align::Left)];
    columns.resize(1 + threads, Column::behind_bar(Align::Left));
    columns.push(Column::behind_bar(Align::Left));
    let mut table = Table::new(columns);
    let names = (0..threads).map(|thread| thread_name(program, started, thread.into()));
    let header = [String::new()].into_iter().chain(names);
    table.row(header.chain(["memory".to_owned()]));
    table.rule("");
    let limit = (ROOM.max(view.width) / threads).clamp(24, 48);
    let mut loop_start = execution.repeats_from;
    let rows = rows(program, execution);
    for (number, row) in rows.iter().enumerate() {
        if loop_start.is_some_and(|start| row.step >= start) {
            table.rule("repeats for ever from here");
            loop_start = None;
        }
        let mut cells = vec![Vec::new(); threads + 2];
        cells[0] = vec![(number + 1).to_string()];
        cells[1 + row.thread.index()] = cell(&row.source, &row.effect, limit);
        cells[1 + threads] = vec![row.memory.clone()];
        table.tall_row(cells);
    }
    if loop_start.is_some() {
        table.rule("repeats for ever from here, with nothing to show");
    }
    table.render()
}

/// One column per thread of the program, and per thread started later.
fn thread_count(program: &Program, execution: &Execution) -> usize {
    let acting = execution.steps.iter().map(|step| step.thread.index() + 1);
    acting.max().unwrap_or(0).max(program.threads.len())
}

/// A row of the table, with the index of its first step.
struct Row {
    step: usize,
    thread: ThreadId,
    source: String,
    effect: String,
    /// What changed in memory.
    memory: String,
}

fn rows(program: &Program, execution: &Execution) -> Vec<Row> {
    let steps = &execution.steps;
    let shown: Vec<usize> = (0..steps.len())
        .filter(|index| {
            !matches!(
                steps[*index].event,
                Event::Compute { .. } | Event::Compare { .. }
            )
        })
        .collect();
    let mut rows = Vec::new();
    // Flushes that are shown with their store.
    let mut taken = HashSet::new();
    for (position, &index) in shown.iter().enumerate() {
        if taken.contains(&index) {
            continue;
        }
        let step = &steps[index];
        let mut row = Row {
            step: index,
            thread: step.thread,
            source: source_text(program, step),
            effect: effect(program, step) + &order(program, step),
            memory: memory(step),
        };
        if let Event::Access(access) = &step.event {
            let next = shown.get(position + 1).copied();
            let in_loop = |step: usize| execution.repeats_from.is_some_and(|start| start <= step);
            let flush = next.filter(|next| access.flushed_by == Some(*next));
            if let Some(flush) = flush.filter(|flush| in_loop(*flush) == in_loop(index)) {
                row.effect = effect(program, &steps[flush]);
                row.memory = memory(&steps[flush]);
                taken.insert(flush);
            } else if access.issued_by.is_some() {
                row.source.clear();
            }
        }
        rows.push(row);
    }
    rows
}

/// The source text of the step's instruction on one line, cut if it is long; with its
/// file, if that is not the program's own.
fn source_text(program: &Program, step: &Step) -> String {
    let mut text = cut(one_line(program.excerpt(step.span)));
    if text.is_empty() && step.span.line > 0 {
        text = format!("line {}", step.span);
    }
    match step.span.file {
        0 => text,
        _ => format!("{}: {text}", file_name(program, step.span)),
    }
}

/// Source text that is not too long.
fn cut(text: String) -> String {
    if text.chars().count() <= LONGEST_SOURCE {
        return text;
    }
    let start: String = text.chars().take(LONGEST_SOURCE - 1).collect();
    start + "…"
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
fn effect(program: &Program, step: &Step) -> String {
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
fn order(program: &Program, step: &Step) -> String {
    let guess = if step.speculative { ", on a guess" } else { "" };
    let ahead = step
        .ahead_of
        .map(|span| match cut(one_line(program.excerpt(span))) {
            earlier if earlier.is_empty() => ", ahead of an earlier access".to_owned(),
            // An instruction is not broken over lines.
            earlier => format!(", ahead of {}", earlier.replace(' ', UNBROKEN)),
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
fn memory(step: &Step) -> String {
    let Event::Access(access) = &step.event else {
        return String::new();
    };
    let value = match access.kind {
        AccessEvent::Commit => Some(&access.value),
        AccessEvent::Update => access.written.as_ref(),
        AccessEvent::Load | AccessEvent::Forward | AccessEvent::Buffer => None,
    };
    value.map_or(String::new(), |value| {
        format!("{}={value}", access.location.name)
    })
}

fn any_value(program: &Program, value: u64) -> String {
    program.word_text(value, Width::W64, false)
}

/// Source and effect, on one line if they fit and on more if not.
fn cell(source: &str, effect: &str, limit: usize) -> Vec<String> {
    if source.is_empty() {
        return wrapped(effect, limit, "");
    }
    let line = format!("{source}  {effect}");
    if line.chars().count() <= limit {
        return vec![line.replace(UNBROKEN, " ")];
    }
    let mut lines = vec![source.to_owned()];
    lines.extend(wrapped(effect, limit, "  "));
    lines
}

/// `text` broken at spaces into lines of at most `limit` characters, as far as
/// its words allow.
fn wrapped(text: &str, limit: usize, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{indent}{word}")),
        }
    }
    lines
        .iter()
        .map(|line| line.replace(UNBROKEN, " "))
        .collect()
}
