//! Safety for every buffer size.
//!
//! Engines that run a machine with store buffers bound their size: a program whose loops store without end then holds *up to
//! store buffers of 8*. [`prove`] has no such bound. It makes a finite automaton of each thread, which takes a program with
//! finite data, and decides whether what must not happen can be reached, whatever the size of the buffers.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use answer::Verdict;
//! use memory::Model;
//! use program::Source;
//! use prove::{Options, prove};
//!
//! // The first thread stores again and again; the second must see x no older than y.
//! let text = "X86 MP
//!     { x=0; y=0; z=0; }
//!      P0          | P1          ;
//!      L:          | MOV EAX,[y] ;
//!      MOV [x],$1  | MOV EBX,[x] ;
//!      MOV [y],$1  | MOV [z],$1  ;
//!      MOV ECX,[z] |             ;
//!      CMP ECX,$0  |             ;
//!      JE L        |             ;
//!     ~exists (1:EAX=1 /\\ 1:EBX=0)";
//! let program = frontend::read(&Source::new("MP.litmus", text))?;
//! let result = prove(&program, Model::Tso, &Options::default())?;
//! assert_eq!(result.verdict, Verdict::Holds);
//! assert_eq!(result.covers(), "everything");
//! let result = prove(&program, Model::Pso, &Options::default())?;
//! assert_eq!(result.verdict, Verdict::Violated);
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//! Program ──flatten──▶ threads over cells ──automaton──▶ System, Goals ──portfolio──▶ Decision ──run──▶ ModelResult
//! ```
//!
//! - [`automaton`]: threads as automata; programs without finite data are refused there;
//! - [`bounded`]: all states with store buffers of at most *k* stores, for *k* that grows; finds what is wrong;
//! - [`dual`]: TSO with load buffers, backwards from what is wrong; always ends;
//! - [`merged`]: an over-approximation of PSO;
//! - [`attacks`]: robustness against TSO;
//! - [`forward`]: a cheap over-approximation, by which `dual` leaves out what cannot be reached;
//! - [`certificate`]: proofs as texts;
//! - [`partition`]: programs whose data are not finite, by symbolic traces;
//! - [`replicate`]: any number of threads that run the same function;
//! - [`question`]: what is asked of a program, as goals; [`portfolio`]: who decides.

pub mod attacks;
pub mod automaton;
pub mod bounded;
pub mod certificate;
pub mod dual;
mod fault;
pub mod forward;
pub mod goal;
pub mod merged;
pub mod partition;
pub mod portfolio;
pub mod question;
pub mod replicate;
mod robust;
mod run;
mod values;
mod witness;

pub use replicate::{NotReplicable, replicated_in};
pub use robust::robust;
pub use run::{prove, system_hash};

use automaton::NotFinite;
use control::Control;
use flatten::NotFlat;
use memory::Model;
use partition::SOLVER;
use program::{Diagnostic, Program, Span};
use std::path::PathBuf;
use thiserror::Error;

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Limits, progress and interruption.
    pub control: Control,
    /// Show an execution for a violation or a witness.
    pub explain: bool,
    /// Any number of threads run these functions.
    pub replicate: Vec<String>,
    /// Try programs without finite data as well, which takes an SMT solver.
    pub beyond_finite: bool,
    /// Write a proof to this file.
    pub certificate: Option<Certificate>,
}

/// A proof that is asked for.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The file that it is written to.
    pub path: PathBuf,
    /// What it is for, by names and values of one line.
    pub subject: Vec<(String, String)>,
    /// What it says of itself.
    pub about: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            control: Control::default(),
            explain: true,
            replicate: Vec::new(),
            beyond_finite: true,
            certificate: None,
        }
    }
}

/// Why there is no proof, and no search for one.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refusal {
    /// Stores are not all that waits under the model.
    #[error("proofs are for sc, tso and pso, not for {0}")]
    Model(Model),
    /// Attacks are a matter of TSO.
    #[error("robustness for every buffer size is decided under tso, not under {0}")]
    AttacksOf(Model),
    /// It has invariants or liveness properties.
    #[error("proofs are about assertions and final states, not about invariants and liveness")]
    Properties,
    /// The condition speaks of too many final states.
    #[error("the condition speaks of too many final states")]
    TooManyFinalStates,
    /// It is a C program with calls that cannot be inlined, or objects that are no rows of cells.
    #[error(transparent)]
    NotFlat(#[from] NotFlat),
    /// Its threads cannot be replicated.
    #[error(transparent)]
    NotReplicable(#[from] NotReplicable),
    /// The proof cannot be written.
    #[error("cannot write {0}")]
    Unwritable(String),
    /// Its threads have no finite automata.
    #[error(transparent)]
    NotFinite(NotFinite),
    /// The same, and the solver that finds proofs of such programs does not run.
    #[error("{0}, and {SOLVER}, which proofs of such programs need, does not run")]
    NoSolver(NotFinite),
    /// The same, and proofs of such programs have no certificates.
    #[error("{0}, and there are no certificates for proofs of such programs")]
    NotCertified(NotFinite),
}

impl Refusal {
    /// What is reported of a program that has no proof.
    pub fn diagnostic(&self, program: &Program) -> Box<Diagnostic> {
        if let Refusal::NotFinite(not_finite)
        | Refusal::NoSolver(not_finite)
        | Refusal::NotCertified(not_finite) = self
        {
            let mut diagnostic = not_finite.diagnostic(program);
            match self {
                Refusal::NoSolver(_) => {
                    diagnostic.help = Some(format!(
                        "install {SOLVER} (`scripts/setup` does), which proofs of such programs need"
                    ));
                }
                Refusal::NotCertified(_) => {
                    diagnostic.message = format!("no certificate: {not_finite}");
                    diagnostic.help = Some("leave --certificate out".to_owned());
                }
                _ => {}
            }
            return diagnostic;
        }
        let span = self.span();
        let file = program.file(span).unwrap_or(&program.source);
        let (message, label) = match self {
            Refusal::NotFlat(_) => ("no proof: this has no finite automaton", self.to_string()),
            _ => ("no proof", self.to_string()),
        };
        let nowhere = span == Span::NOWHERE;
        Box::new(Diagnostic {
            source: file.clone(),
            message: if nowhere {
                format!("{message}: {label}")
            } else {
                message.to_owned()
            },
            span,
            label: if nowhere { String::new() } else { label },
            others: Vec::new(),
            help: Some("docs/reference/prove.md lists what proofs are about".to_owned()),
        })
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Refusal::NotFlat(not_flat) => not_flat.span,
            Refusal::NotFinite(not_finite)
            | Refusal::NoSolver(not_finite)
            | Refusal::NotCertified(not_finite) => not_finite.span(),
            Refusal::NotReplicable(not_replicable) => not_replicable.span(),
            Refusal::Model(_)
            | Refusal::AttacksOf(_)
            | Refusal::Properties
            | Refusal::TooManyFinalStates
            | Refusal::Unwritable(_) => Span::NOWHERE,
        }
    }
}
