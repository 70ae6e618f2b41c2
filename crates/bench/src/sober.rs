//! What Sober took: S. Burckhardt and M. Musuvathi, Effective program verification for relaxed
//! memory models, 2008, Fig. 4(a), measured on a Core Duo of 2.2 GHz.
//!
//! Its programs were C#, and the paper does not print them; those of `examples/robust` are written
//! after the same algorithms. Times are as the paper prints them, in seconds.

use crate::peers::rows;
use std::str::Split;

/// A row of the figure: a program up to a number of preemptions.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The file of `examples/robust` with the same algorithm.
    pub program: &'static str,
    /// Most preemptions, unless all interleavings were tried.
    pub preemptions: Option<u32>,
    /// Interleavings, every one of them.
    pub interleavings: &'static str,
    /// Those in which a load could miss a store.
    pub borderline: &'static str,
    /// Seconds to the first of these.
    pub violation: &'static str,
    /// Seconds for the version with fences.
    pub monitored: &'static str,
    /// The same without the monitor, by the tool CHESS.
    pub plain: &'static str,
}

/// The figure, the rows of a program under each other.
pub fn table() -> Vec<Row> {
    rows(include_str!("../peers/sober.tsv"), row)
}

fn row(mut fields: Split<'static, char>) -> Option<Row> {
    Some(Row {
        program: fields.next()?,
        preemptions: match fields.next()? {
            "all" => None,
            number => Some(number.parse().ok()?),
        },
        interleavings: fields.next()?,
        borderline: fields.next()?,
        violation: fields.next()?,
        monitored: fields.next()?,
        plain: fields.next()?,
    })
}
