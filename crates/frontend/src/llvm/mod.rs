//! Textual LLVM IR, as clang 14 to 19 and rustc print it.
//!
//! [`parse`] reads a file into a [`Module`], and [`link`] makes one module of several.
//! A module says what the file says: the reader knows no meaning, and refuses only what
//! it cannot read.
//!
//! ```
//! use frontend::llvm::{InstructionKind, parse};
//! use program::Source;
//!
//! let text = "@x = global i32 0
//! define i32 @get() {
//!   %1 = load atomic i32, ptr @x acquire, align 4
//!   ret i32 %1
//! }
//! ";
//! let module = parse(&Source::new("get.ll", text))?;
//! let function = &module.functions[module.function("get").unwrap().index()];
//! let load = &function.blocks[0].instructions[0];
//! assert!(matches!(load.kind, InstructionKind::Load { .. }));
//! assert_eq!(load.line, 3);
//! # Ok::<(), program::Diagnostic>(())
//! ```
//!
//! # Limitations
//!
//! - Attributes are skipped, but for `noreturn`, `byval`, `sret` and their like; so are
//!   fast-math flags, `nneg`, `samesign` and metadata other than debug information.
//! - Of the Windows exception instructions only the name is kept, and a `catchswitch`
//!   must stand on one line.
//! - Integer literals are read up to 16,384 bits.
//! - Nesting of types and constants is bounded (200 levels).

mod accesses;
mod asm;
mod attributes;
mod calls;
mod constants;
mod debug;
mod functions;
mod instruction;
mod instructions;
mod lexer;
mod link;
pub mod lower;
mod metadata;
mod module;
mod nodes;
mod numbers;
mod prelude;
mod reader;
mod resolve;
mod scope;
mod toplevel;
mod types;
mod visit;

pub use instruction::*;
pub use link::link;
pub use metadata::*;
pub use module::*;
pub use prelude::with_prelude;
pub use toplevel::parse;
