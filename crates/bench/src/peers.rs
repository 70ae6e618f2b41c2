//! What two other stateless model checkers take for the programs of `tests/counts`.
//!
//! Nidhugg (source-DPOR) and GenMC were run on a machine of the same kind under load, so that
//! their figures are good to a factor of about 1.5: CPU seconds of the whole process. GenMC's
//! contain about 0.06 s of clang; Nidhugg's contain none.

use std::str::Split;

use memory::Model;

/// A row of the table: a program under a model.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name of its file in `tests/counts`.
    pub program: &'static str,
    /// The model.
    pub model: Model,
    /// How many executions it has.
    pub executions: u64,
    /// CPU seconds of Nidhugg.
    pub nidhugg: f64,
    /// CPU seconds of GenMC, which has no PSO.
    pub genmc: Option<f64>,
}

/// The table, the models of a program under each other.
pub fn table() -> Vec<Row> {
    rows(include_str!("../peers/explore.tsv"), row)
}

/// The rows of a table with a heading, its fields between tabs.
pub fn rows<T>(table: &'static str, row: fn(Split<'static, char>) -> Option<T>) -> Vec<T> {
    let lines = table.lines().skip(1);
    lines
        .map(|line| row(line.split('\t')).expect("a row of the table"))
        .collect()
}

fn row(mut fields: Split<'static, char>) -> Option<Row> {
    Some(Row {
        program: fields.next()?,
        model: fields.next()?.parse().ok()?,
        executions: fields.next()?.parse().ok()?,
        nidhugg: fields.next()?.parse().ok()?,
        genmc: match fields.next()? {
            "-" => None,
            seconds => Some(seconds.parse().ok()?),
        },
    })
}
