//! What CheckFence took: S. Burckhardt, R. Alur and M. Martin, CheckFence: Checking Consistency of
//! Concurrent Data Types on Relaxed Memory Models, 2007, Fig. 10(a), measured on a Pentium 4 of
//! 3 GHz with the solver zchaff.
//!
//! Only its last column is used: encoding and solving in seconds, without mining.

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
    let lines = include_str!("../peers/checkfence.tsv").lines().skip(1);
    lines
        .map(|line| row(line).expect("a row of the table"))
        .collect()
}

fn row(line: &'static str) -> Option<Row> {
    let mut fields = line.split('\t');
    Some(Row {
        implementation: fields.next()?,
        test: fields.next()?,
        total: fields.next_back()?.parse().ok()?,
    })
}
