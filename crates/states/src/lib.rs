//! Every reachable state of a program, under one memory model.
//!
//! [`run`] explores all states, and answers everything that can be asked of them:
//! all outcomes, whether the final condition and the invariants hold, deadlock,
//! liveness, and the shortest execution to what was found. [`execution_to`] gives
//! the shortest execution to any outcome.
//!
//! ```
//! use memory::Model;
//! use program::{ProgramBuilder, Width};
//!
//! let mut program = ProgramBuilder::new("SB");
//! let x = program.object("x", Width::W32, 0);
//! let y = program.object("y", Width::W32, 0);
//! for (mine, other) in [(x, y), (y, x)] {
//!     let mut thread = program.thread();
//!     let seen = thread.register("seen", Width::W32);
//!     thread.store(mine, 1u64, Width::W32);
//!     thread.load(seen, other, Width::W32);
//!     thread.finish();
//! }
//! program.observe_everything();
//! let program = program.finish().unwrap();
//!
//! let outcomes = |model| {
//!     let options = states::Options::default();
//!     states::run(&program, model, &options).unwrap().outcomes.len()
//! };
//! assert_eq!(outcomes(Model::Sc), 3);
//! assert_eq!(outcomes(Model::Tso), 4); // store buffers let both threads see 0
//! ```

mod components;
mod expander;
mod flat;
mod graph;
mod layout;
mod liveness;
mod options;
mod paths;
mod plain;
mod process;
mod rerun;
mod search;
mod symmetry;
mod table;
mod verdict;

pub use options::{MachineKind, Options};
pub use process::{Once, OnceSchedule, run_once};
pub use rerun::rerun;
pub use verdict::{Refusal, execution_to, run};
