//! Readers of litmus tests, C programs and event logs.
//!
//! C programs are read by [`c`], which has clang make LLVM IR of them and reads that with
//! [`llvm`]; event logs by [`log`]. Clients of a data type in C are made by [`client`].
//!
//! A litmus test is a few lines of assembly code per processor and a question
//! about how they may end. [`read`] turns one into a [`Program`]; what it reads
//! is X86 in the format of herd7, and SPARC V9 in the same format or in the
//! layout of Park and Dill's paper on RMO, processors under each other. Bad
//! input gives a [`Diagnostic`] with the place to look at, never a panic.
//!
//! ```
//! use program::Source;
//!
//! let test = Source::new("SB.litmus", r#"X86 SB
//! "Either processor may read before its store is seen"
//! { x=0; y=0; }
//!  P0          | P1          ;
//!  MOV [x],$1  | MOV [y],$1  ;
//!  MOV EAX,[y] | MOV EAX,[x] ;
//! exists (0:EAX=0 /\ 1:EAX=0)
//! "#);
//! let program = frontend::read(&test)?;
//! assert_eq!(program.name, "SB");
//! assert_eq!(program.threads.len(), 2);
//! assert_eq!(program.observed[1].name, "1:EAX");
//!
//! let typed = Source::new("--when", "x=1 and not 0:EAX=1");
//! let formula = frontend::formula(&typed, &program)?;
//! assert_eq!(formula.to_string(), r"x=1 /\ ~(0:EAX=1)");
//!
//! let wrong = Source::new("bad.litmus", "X86 bad\n{ }\n P0 ;\n MOW EAX,$1 ;\n");
//! let complaint = frontend::read(&wrong).unwrap_err();
//! assert_eq!(complaint.to_string(), "bad.litmus:4:2: unknown instruction `MOW` (expected an X86 instruction)");
//! # Ok::<(), program::Diagnostic>(())
//! ```
//!
//! # Limitations
//!
//! - X86: no stack, no shifts, no multiplication, no string or vector
//!   instructions, no AT&T operands; each is reported as unknown.
//! - SPARC: branches test the 32-bit condition codes (`%icc`) only; no register
//!   windows, no traps, no calls.
//! - Reading or writing part of a register depends on the whole register, which
//!   under RMO allows fewer outcomes than hardware that renames `AH` apart from
//!   `AL` would.
//! - Two labels at one place are one: [`formula`] knows the place by the first.

// A diagnostic ends the reading; its size on the way out does not matter.
#![allow(clippy::result_large_err)]

pub mod c;
pub mod client;
mod litmus;
pub mod llvm;
pub mod log;

pub use litmus::vocabulary;

use llvm::lower::Entry;
use program::{Diagnostic, Formula, Program, Source};

/// Reads a litmus test. Its first word, `X86` or `SPARC`, says in which language
/// it is.
pub fn read(source: &Source) -> Result<Program, Diagnostic> {
    litmus::read(source)
}

/// Reads a condition without quantifier, such as `x=1 /\ 0:EAX=0`, about the
/// states of a program that [`read`] has read. It may name every location and
/// every register that the program uses, observed or not.
pub fn formula(text: &Source, program: &Program) -> Result<Formula, Diagnostic> {
    litmus::formula(text, program)
}

/// Reads a program in textual LLVM IR, as clang prints it. Spans point into the C files
/// that debug information names where these can be read, else into the text itself.
pub fn read_llvm(source: &Source) -> Result<Program, Diagnostic> {
    let module = llvm::with_prelude(llvm::parse(source)?)?;
    llvm::lower::lower(&module, &read_file, Entry::Main)
}

/// The text of a source file that debug information names.
fn read_file(directory: &str, name: &str) -> Option<String> {
    let path = std::path::Path::new(directory).join(name);
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
