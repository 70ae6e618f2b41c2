//! One execution per trace of a C program, under SC, TSO or PSO.
//!
//! [`run`] explores exactly one execution for each Shasha-Snir trace of a program: for each
//! way in which loads can read from stores and stores to the same place can follow each other.
//! It finds everything that can go wrong in any of them. [`estimate`] guesses how many there
//! are.

mod cycle;
mod estimate;
mod explorer;
mod judge;
mod options;
mod preemptions;
mod races;
mod run;
mod step;
mod tasks;
mod trace;
mod traces;
mod versions;
mod waiting;
mod watch;
mod witness;

pub use estimate::estimate;
pub use options::{NonSequential, Options};
pub use run::run;
pub use traces::{Steps, traces};
