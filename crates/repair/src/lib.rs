//! The fewest fences that repair a program, and the proof that they do.
//!
//! A [`Question`] names a program with places for fences ([`Marked`]), what must hold of it ([`Goal`]), and a memory model. Its answer,
//! a [`Repair`], is a set of fences of minimum cost among all sets at those places, with the answer of `check` for
//! the program that has them, and for each fence an execution that only such fences forbid. [`search`](crate::Question::answer) has the argument.
//!
//! ```
//! # fn main() -> Result<(), Box<program::Diagnostic>> {
//! use check::Check;
//! use memory::Model;
//! use program::Source;
//! use repair::{Costs, Dialect, Effort, Goal, Question};
//!
//! let text = "X86 SB
//!     { x=0; y=0; }
//!      P0          | P1          ;
//!      MOV [x],$1  | MOV [y],$1  ;
//!      MOV EAX,[y] | MOV EAX,[x] ;
//!     ~exists (0:EAX=0 /\\ 1:EAX=0)";
//! let program = frontend::read(&Source::new("SB.litmus", text))?;
//! let (model, costs) = (Model::Tso, Costs::default());
//! let question = Question {
//!     program: &program,
//!     marked: &repair::mark(&program),
//!     goal: &Goal::Correct(Check::default()),
//!     model,
//!     kinds: &Dialect::of(&program).kinds(model, &costs),
//!     costs,
//!     effort: Effort::Minimum,
//! };
//! let repair = question.answer()?;
//! let texts: Vec<&str> = repair.fences.iter().map(|fence| fence.kind.text.as_str()).collect();
//! assert_eq!(texts, ["MFENCE", "MFENCE"]);
//! assert!(repair.minimum);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod c;
mod delays;
mod diff;
mod edit;
mod flow;
mod goal;
mod hitting;
mod kind;
mod litmus;
mod order;
mod place;
mod search;
mod statements;

pub use c::CFiles;
pub use delays::{Delay, delays};
pub use diff::unified_diff;
pub use edit::edited;
pub use goal::{Atomic, Goal, ask};
pub use hitting::{HittingSet, Item, NoSet};
pub use kind::{Costs, Dialect, Kind};
pub use litmus::mark;
pub use place::{Marked, Place, PlaceId, Placement};
pub use search::{Effort, Fence, Forced, Outcome, Question, Repair};
