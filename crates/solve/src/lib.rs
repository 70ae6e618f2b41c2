//! Questions about executions, asked to a SAT solver.

mod bits;
mod decode;
mod describe;
mod encode;
mod exact;
mod guard;
mod range;
mod refine;
mod run;
pub mod sat;
mod search;
mod term;
mod unroll;

pub use refine::{Included, Mined, Serial, Specification, include, mine, mine_by_solving};
pub use run::{ENGINE, run};
pub use search::{Effort, NotSolvable, Options, Search, Turned};
