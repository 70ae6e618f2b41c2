//! One execution per trace of a C program, under SC, TSO or PSO.
//!
//! [`run`] explores exactly one execution for each Shasha-Snir trace of a program: for each
//! way in which loads can read from stores and stores to the same location can follow each other.
//! It finds everything that can go wrong in any of them. [`estimate`] guesses how many there
//! are.

mod child;
mod commuting;
mod ends;
mod estimate;
mod explorer;
mod judge;
mod options;
mod perform;
mod preemptions;
mod races;
mod robust;
mod run;
mod schedule;
mod step;
mod survey;
mod tasks;
mod trace;
mod traces;
mod versions;
mod waiting;

pub use estimate::estimate;
pub use options::{Equivalence, Options};
pub use robust::NonSequential;
pub use run::run;
pub use traces::{Steps, traces};
