//! The sizes of searches, models side by side.

use crate::table::{Align, Column, Table};
use program::{Counts, ModelResult, Unit};

/// A row: its name, whose searches have it, and its number.
type Row = (&'static str, Unit, fn(&Counts) -> u64);

const ROWS: [Row; 8] = [
    ("executions", Unit::Execution, |counts| counts.executions),
    ("blocked", Unit::Execution, |counts| counts.blocked),
    ("redundant", Unit::Execution, |counts| counts.redundant),
    ("not sequential", Unit::Execution, |counts| {
        counts.not_sequential
    }),
    ("events", Unit::Execution, |counts| counts.events),
    ("states", Unit::State, |counts| counts.states),
    ("transitions", Unit::State, |counts| counts.transitions),
    ("depth", Unit::State, |counts| counts.depth),
];

/// One table: a row per number, a column per model. Rows that no search has are left out.
pub fn counts_text(results: &[ModelResult]) -> String {
    let mut columns = vec![Column::new(Align::Left)];
    columns.resize(1 + results.len(), Column::new(Align::Right));
    let mut table = Table::new(columns);
    let models = results.iter().map(|result| result.model.to_owned());
    table.row([String::new()].into_iter().chain(models));
    for (name, unit, number) in ROWS {
        if results.iter().all(|result| result.unit() != unit) {
            continue;
        }
        let numbers = results.iter().map(|result| match result.unit() == unit {
            true => number(&result.counts).to_string(),
            false => String::new(),
        });
        table.row([name.to_owned()].into_iter().chain(numbers));
    }
    table.render()
}
