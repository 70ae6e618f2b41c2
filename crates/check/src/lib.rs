//! Questions about programs, answered by the engines.
//!
//! A question goes in, an answer comes out. [`Check`] asks whether anything goes wrong in a program, [`Outcomes`] which
//! final states it has, [`Prove`] whether it is safe with store buffers of any size, [`Robust`] whether store buffers show anything that sequential consistency does not,
//! and [`Refine`] whether a data type looks atomic to its clients. Each takes a program, which `frontend` reads, and memory
//! models, and gives a [`ModelResult`](answer::ModelResult) for each model: the verdict, what it covers, what is wrong
//! and an execution that shows it. [`Question`] is what they have in common.
//!
//! ```
//! # fn main() -> Result<(), Box<program::Diagnostic>> {
//! use check::{Check, Models, Question};
//! use memory::Model;
//! use answer::Verdict;
//! use program::Source;
//!
//! let text = "X86 SB
//!     { x=0; y=0; }
//!      P0          | P1          ;
//!      MOV [x],$1  | MOV [y],$1  ;
//!      MOV EAX,[y] | MOV EAX,[x] ;
//!     ~exists (0:EAX=0 /\\ 1:EAX=0)";
//! let program = frontend::read(&Source::new("SB.litmus", text))?.into();
//! let models = Models {
//!     list: vec![Model::Sc, Model::Tso],
//!     all: false,
//! };
//! let answers = Check::default().answers(&program, &models)?;
//! assert_eq!(answers[0].verdict, Verdict::Holds);
//! assert_eq!(answers[1].verdict, Verdict::Violated); // both stores wait in buffers
//! let execution = answers[1].execution.as_ref().expect("an execution that shows it");
//! assert!(!execution.steps.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! # Limits, progress, interruption
//!
//! [`Options`] says how to search. Its [`Control`] has the limits on time, memory and states, a flag that ends the search
//! from another thread, and numbers that show how far it is; a [`Listener`] hears when engines begin and end. Limits
//! hold whatever an engine does: searches run in threads of their own ([`guard`]). An answer that a
//! limit cut short is [`Undecided`](answer::Verdict::Undecided), and says what it covers.
//!
//! ```
//! # fn main() -> Result<(), Box<program::Diagnostic>> {
//! use check::{Check, Control, Options, Question};
//! use memory::Model;
//! use answer::{Bound, Verdict};
//! use program::Source;
//!
//! let text = "X86 long
//!     { x=0; }
//!      P0         | P1         ;
//!      MOV [x],$1 | MOV [x],$2 ;
//!     forall (x=1 \\/ x=2)";
//! let program = frontend::read(&Source::new("long.litmus", text))?.into();
//! let check = Check {
//!     options: Options {
//!         control: Control::default().with_states(Some(1)),
//!         ..Options::default()
//!     },
//!     ..Check::default()
//! };
//! let answers = check.answers(&program, &Model::Tso.into())?;
//! assert_eq!(answers[0].verdict, Verdict::Undecided);
//! assert!(matches!(answers[0].bounds[..], [Bound::States(_)]));
//! # Ok(())
//! # }
//! ```
//!
//! # Engines
//!
//! [`States`], [`Explore`], [`Sat`] and [`Prover`] are siblings behind [`Checker`]; [`Choice`] names one, or leaves it to the question. Nothing
//! here prints.

/// The page on this library: what it shows is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reference/rust.md")]
mod page {}

mod beyond_buffers;
mod check;
mod choice;
mod confirm;
mod coverage;
mod engines;
mod events;
pub mod guard;
mod mine;
pub mod monitor;
mod once;
mod options;
mod outcome_path;
mod outcomes;
mod portfolio;
pub mod proof;
mod prove;
mod question;
mod ranking;
mod refine;
mod refusal;
mod rerun;
mod robust;
mod sequential;
mod series;
pub mod specification;

pub use check::{Check, Estimated};
pub use choice::Choice;
pub use control::{Control, Progress, Stop, resident_bytes};
pub use engines::{
    Checker, Effort, Equivalence, Explore, MachineKind, NonSequential, OrderBy, Prover, Sat,
    SatOptions, States,
};
pub use events::{Event, Listener};
pub use mine::{Serial, mine};
pub use once::{Once, OnceSchedule, run_once};
pub use options::{Models, Options, Preemptions};
pub use outcomes::Outcomes;
pub use prove::Prove;
pub use question::Question;
pub use refine::{DataType, NoClient, Refine, Refined, SuiteTested, Tested};
pub use refusal::{Refused, each_model};
pub use rerun::{Claim, NotRerun, rerun};
pub use robust::Robust;
pub use solve::{Included, Mined, Specification, include};
