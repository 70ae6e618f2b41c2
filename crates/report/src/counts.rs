//! The sizes of searches, models side by side.

use crate::table::{Align, Column, Table};
use answer::{Counts, Engine, ModelResult, Unit};

/// A row: its name, whose searches have it, and its number.
type Row = (&'static str, fn(&ModelResult) -> bool, fn(&Counts) -> u64);

const ROWS: [Row; 9] = [
    ("executions", has_executions, |counts| counts.executions),
    ("blocked", has_executions, |counts| counts.blocked),
    ("redundant", has_executions, |counts| counts.redundant),
    ("not sequential", is_explored, |counts| {
        counts.not_sequential
    }),
    ("borderline", is_monitored, |counts| counts.borderline),
    ("events", has_executions, |counts| counts.events),
    ("states", has_states, |counts| counts.states),
    ("transitions", has_states, |counts| counts.transitions),
    ("depth", has_states, |counts| counts.depth),
];

fn has_executions(result: &ModelResult) -> bool {
    result.unit() == Unit::Execution
}

fn has_states(result: &ModelResult) -> bool {
    result.unit() == Unit::State
}

fn is_monitored(result: &ModelResult) -> bool {
    result.engine == Engine::Monitor
}

fn is_explored(result: &ModelResult) -> bool {
    has_executions(result) && !is_monitored(result)
}

/// One table: a row per number, a column per model. Rows that no search has are left out.
pub fn counts_text(results: &[ModelResult]) -> String {
    let mut columns = vec![Column::new(Align::Left)];
    columns.resize(1 + results.len(), Column::new(Align::Right));
    let mut table = Table::new(columns);
    let models = results.iter().map(|result| result.model.to_string());
    table.row([String::new()].into_iter().chain(models));
    for (name, has, number) in ROWS {
        if !results.iter().any(has) {
            continue;
        }
        let numbers = results.iter().map(|result| match has(result) {
            true => number(&result.counts).to_string(),
            false => String::new(),
        });
        table.row([name.to_owned()].into_iter().chain(numbers));
    }
    table.render()
}
