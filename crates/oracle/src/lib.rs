//! An independent judge of small programs, for the tests of the other crates.
//!
//! [`outcomes`] reads the axioms of Park and Dill, *An Executable Specification
//! and Verifier for Relaxed Memory Order* (section 2), literally over whole
//! executions; for the model Relaxed, those of Burckhardt, Alur and Martin,
//! *CheckFence* (section 2.3.2). It shares nothing with the machines and engines but the program
//! representation. [`generate`] makes small random programs to compare them on.
//!
//! ```
//! use oracle::{OracleModel, outcomes};
//! use program::{ProgramBuilder, Width};
//!
//! let mut program = ProgramBuilder::new("SB");
//! let x = program.object("x", Width::W32, 0);
//! let y = program.object("y", Width::W32, 0);
//! for (mine, other) in [(x, y), (y, x)] {
//!     let mut thread = program.thread();
//!     let seen = thread.register("r", Width::W32);
//!     thread.store(mine, 1u64, Width::W32);
//!     thread.load(seen, other, Width::W32);
//!     thread.finish();
//! }
//! program.observe_everything();
//! let program = program.finish().unwrap();
//! assert_eq!(outcomes(&program, OracleModel::Sc).len(), 3);
//! assert_eq!(outcomes(&program, OracleModel::Tso).len(), 4);
//! ```
//!
//! # Limitations
//!
//! - Threads must not loop, and calls, allocation, assertions, `Observe`, atomic
//!   sections, switches, division and memory orders stronger than relaxed are not
//!   supported: the oracle panics on them.
//! - An execution with an access to something that is no cell, or of another
//!   width than its cell, is left out, as is one that fails an `Assume`. An
//!   engine that reports such accesses says more than the oracle.
//! - `Assume` is no branch: it orders nothing.
//! - A failing compare-and-exchange is ordered like one that succeeds, but for Relaxed,
//!   where it only loads.
//! - Values under Relaxed are those of a fixpoint, as the paper has it; the axioms alone
//!   allow any.
//! - `Properties` are ignored, the filter too.

pub mod generate;
mod memory_order;
mod ordering;
mod path;
mod relaxed;

use memory_order::Candidate;
use program::{Orderings, Program, ThreadId, Word};
use std::collections::BTreeSet;

/// A memory model, by the pairs of accesses that it keeps in program order
/// beside the rules (m1)–(m3) that all models have, except Relaxed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OracleModel {
    /// Sequential consistency: everything is kept.
    Sc,
    /// Total store order: stores may pass to after later loads.
    Tso,
    /// Partial store order: and to after later stores.
    Pso,
    /// Relaxed memory order: nothing is kept.
    Rmo,
    /// The model of CheckFence: not even (m1) holds.
    Relaxed,
}

impl OracleModel {
    /// Every model, each allowing all that the one before it allows.
    pub const ALL: [OracleModel; 5] = [Self::Sc, Self::Tso, Self::Pso, Self::Rmo, Self::Relaxed];

    fn keeps(self) -> Orderings {
        match self {
            OracleModel::Sc => Orderings::ALL,
            OracleModel::Tso => Orderings::ALL.minus(Orderings::STORE_LOAD),
            OracleModel::Pso => Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE),
            OracleModel::Rmo | OracleModel::Relaxed => Orderings::NONE,
        }
    }
}

/// How rule (d3), "A stores a memory location loaded by B", is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreDependence {
    /// B depends on every earlier store of its thread to the place: the paper's text.
    #[default]
    EveryEarlierStore,
    /// B depends on the last of them only: the only one that it may read.
    LastEarlierStore,
}

/// Every outcome of `program` under `model`: the values of
/// [`Program::observed`], in that order.
///
/// # Panics
///
/// On programs that the oracle does not support; see the crate's limitations.
pub fn outcomes(program: &Program, model: OracleModel) -> BTreeSet<Vec<Word>> {
    outcomes_with(program, model, StoreDependence::default())
}

/// [`outcomes`] with a reading of rule (d3).
///
/// # Panics
///
/// As [`outcomes`].
pub fn outcomes_with(
    program: &Program,
    model: OracleModel,
    dependence: StoreDependence,
) -> BTreeSet<Vec<Word>> {
    if model == OracleModel::Relaxed {
        return relaxed::outcomes(program);
    }
    let cells = path::cells(program);
    let threads: Vec<_> = (0..program.threads.len())
        .map(|thread| {
            path::paths(program, &cells, ThreadId::from(thread))
                .into_iter()
                .map(|path| ordering::Ordered::new(path, model, dependence))
                .collect::<Vec<_>>()
        })
        .collect();
    let mut found = BTreeSet::new();
    for paths in combinations(&threads) {
        Candidate::new(program, &cells, &paths).collect_outcomes(&mut found);
    }
    found
}

/// Every way to choose one item from each list.
fn combinations<T>(lists: &[Vec<T>]) -> Vec<Vec<&T>> {
    lists.iter().fold(vec![Vec::new()], |chosen, list| {
        chosen
            .iter()
            .flat_map(|prefix| {
                list.iter().map(move |item| {
                    let mut longer = prefix.clone();
                    longer.push(item);
                    longer
                })
            })
            .collect()
    })
}
