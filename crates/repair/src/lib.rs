//! The fewest fences that repair a program, and the proof that they do.
//!
//! A [`Question`] names a program with places for fences ([`Marked`]), what must hold of it ([`Goal`]), a memory model, and what a repair may
//! consist of ([`Candidate`]). Its answer, a [`Repair`], is a set of candidates of minimum cost, with the answer of `check` for
//! the program that has them, and for each an execution that only such ones forbid. [`search`](crate::Question::answer) has the argument.
//!
//! ```
//! # fn main() -> Result<(), Box<program::Diagnostic>> {
//! use check::Check;
//! use memory::Model;
//! use program::Source;
//! use repair::{Change, Costs, Dialect, Effort, Goal, Question};
//!
//! let text = "X86 SB
//!     { x=0; y=0; }
//!      P0          | P1          ;
//!      MOV [x],$1  | MOV [y],$1  ;
//!      MOV EAX,[y] | MOV EAX,[x] ;
//!     ~exists (0:EAX=0 /\\ 1:EAX=0)";
//! let program = frontend::read(&Source::new("SB.litmus", text))?;
//! let (model, costs) = (Model::Tso, Costs::default());
//! let marked = repair::mark(&program);
//! let kinds = Dialect::of(&program).kinds(model, &costs);
//! let question = Question {
//!     program: &program,
//!     marked: &marked,
//!     goal: &Goal::Correct(Check::default()),
//!     model,
//!     candidates: &repair::repairs(&marked, &kinds, model, &costs),
//!     reduces: false,
//!     effort: Effort::Minimum,
//! };
//! let repair = question.answer()?;
//! let is_full = |change: &Change| matches!(change, Change::Fence { kind, .. } if kind.text == "MFENCE");
//! assert!(repair.changes.len() == 2 && repair.changes.iter().all(is_full));
//! assert!(repair.minimum);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod access;
mod ask;
mod c;
mod calls;
mod candidate;
mod clauses;
mod cyclic;
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
mod style;
mod update;

pub use access::{AccessSite, FenceSite};
pub use c::CFiles;
pub use calls::Call;
pub use candidate::{Candidate, Change, fences, remains, repairs};
pub use delays::{CriticalCycle, Delay, critical_cycle, delays};
pub use diff::unified_diff;
pub use edit::{edited, fence_left, order_left, reduced};
pub use goal::{Atomic, Goal, ask};
pub use hitting::{HittingSet, Item, NoSet};
pub use kind::{Costs, Dialect, Kind};
pub use litmus::{mark, weakened};
pub use place::{Marked, Place, PlaceId, Placement};
pub use search::{Effort, Forced, Outcome, Question, Repair};
pub use update::Update;
