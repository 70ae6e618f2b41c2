//! What two other stateless model checkers take for the programs of `tests/counts`.
//!
//! Nidhugg 0.4 (`--source`) and GenMC 0.11 (without its race and memory checks, its reductions for symmetry, spinning and barriers, and its
//! estimate; one thread) were run beside Fencepost on a quiet machine with two cores on 2026-11-16. The table has CPU seconds (user and
//! system), the least of three rounds, less those of the same tool on a program of one execution: what is left is the exploration,
//! without start and clang. Below 0.02 s that is too small to trust a ratio. Memory is that of the process, in megabytes.

use std::str::{FromStr, Split};

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
    /// Megabytes of Nidhugg.
    pub nidhugg_memory: u32,
    /// Megabytes of GenMC.
    pub genmc_memory: Option<u32>,
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
        genmc: optional(fields.next()?),
        nidhugg_memory: fields.next()?.parse().ok()?,
        genmc_memory: optional(fields.next()?),
    })
}

/// A figure, unless the tool has none.
fn optional<T: FromStr>(field: &str) -> Option<T> {
    (field != "-").then(|| field.parse().ok().expect("a figure"))
}
