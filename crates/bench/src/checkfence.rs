//! What CheckFence took: S. Burckhardt, R. Alur and M. Martin, CheckFence: Checking Consistency of
//! Concurrent Data Types on Relaxed Memory Models, 2007, Fig. 10(a), measured on a Pentium 4 of
//! 3 GHz with the solver zchaff.
//!
//! Only its last column is used: encoding and solving in seconds, without mining.

use crate::peers::rows;
use std::str::Split;

/// A row of the figure: a test of a data type.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The data type, by the paper's name.
    pub implementation: &'static str,
    /// The test.
    pub test: &'static str,
    /// Seconds in all.
    pub total: f64,
}

/// The figure, the tests of a data type under each other.
pub fn table() -> Vec<Row> {
    rows(include_str!("../peers/checkfence.tsv"), row)
}

fn row(mut fields: Split<'static, char>) -> Option<Row> {
    Some(Row {
        implementation: fields.next()?,
        test: fields.next()?,
        total: fields.next_back()?.parse().ok()?,
    })
}
