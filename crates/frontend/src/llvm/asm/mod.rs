//! Inline assembly of x86-64 as plain data: what the text of a statement and its
//! constraints say, before any of it has a meaning ([`lower`](super::lower) gives it one).
//!
//! - [`text`]: the template as statements of tokens, in one of its two dialects;
//! - [`registers`]: the names of registers, and the parts that they name;
//! - [`constraints`]: what the operands of the C statement are;
//! - [`operands`]: the operands of instructions, in AT&T's and Intel's syntax;
//! - [`instructions`]: the table of mnemonics;
//! - [`statements`]: labels and instructions.
//!
//! All of it is what assemblers read. Whatever they would refuse is refused, and so is what
//! has no meaning here: a message says which part, and [`ACCEPTED`](instructions::ACCEPTED)
//! what there is.

pub mod constraints;
pub mod foreign;
pub mod instructions;
pub mod operands;
pub mod registers;
pub mod statements;
pub mod text;

/// What is wrong with a statement, or not supported in it: the end of "inline assembly: …".
pub type Parsed<T> = Result<T, String>;
