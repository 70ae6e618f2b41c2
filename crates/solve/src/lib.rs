//! Questions about executions, asked to a SAT solver.
//!
//! A program is unrolled, and what it does under a memory model becomes a formula whose
//! models are the executions. [`run`] gives verdicts and outcomes, [`mine`] and [`include()`]
//! tell whether a data type looks atomic to its clients, and [`Search`] asks single questions.
//! The method is that of Burckhardt, Alur and Martin, *CheckFence: Checking Consistency of
//! Concurrent Data Types on Relaxed Memory Models* (PLDI 2007). `ARCHITECTURE.md` shows the way
//! of the data.
//!
//! ```
//! use memory::Model;
//! use program::{ProgramBuilder, Width};
//! use solve::Options;
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
//! let outcomes = |model| {
//!     let result = solve::run(&program, model, &Options::default(), true);
//!     result.unwrap().outcomes.len()
//! };
//! assert_eq!(outcomes(Model::Sc), 3);
//! assert_eq!(outcomes(Model::Relaxed), 4);
//! ```
//!
//! # Limitations
//!
//! - Deadlocks and livelocks are not looked for: errors are **missed**.
//!   What goes wrong in one thread while another one waits is found.
//! - Objects live for ever: accesses after a free or out of scope are **missed**.
//! - Memory is never given out again, so what needs an address twice (ABA) is **missed**.
//! - Comparing a word of which some bits are undefined is wrong even if a defined bit decides.
//!
//! Results say where one of the first two may matter.

mod bits;
mod decode;
mod describe;
mod encode;
mod exact;
mod guard;
mod limits;
mod range;
mod refine;
mod refusal;
mod run;
pub mod sat;
mod search;
mod term;
mod unroll;

pub use refine::{Included, Mined, Specification, include, mine};
pub use refusal::{Halt, NotSolvable};
pub use run::run;
pub use search::{BoundStatus, Effort, Options, Search};
