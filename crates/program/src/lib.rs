//! The program representation that every part of Fencepost shares.
//!
//! A [`Program`] is a small load–store language over registers: threads run
//! functions made of basic blocks, memory is objects of cells, every instruction
//! knows its position in the source, and [`Properties`] say what must hold. Front
//! ends make programs, engines run them; what engines find is crate `answer`.
//!
//! [`ProgramBuilder`] makes programs by hand; `Display` prints them and
//! [`parse`] reads the print back.

mod access;
mod arithmetic;
mod as_process;
mod builder;
pub mod codes;
mod control_flow;
mod diagnostic;
mod event_log;
mod fence;
mod float;
mod ids;
mod instruction;
mod layout;
mod liveness;
pub mod mutex;
mod names;
mod parse;
mod passed;
mod print;
mod printing;
mod property;
mod routine;
mod span;
mod standard;
mod structure;
mod unread;
mod validate;
mod value;

pub use access::{Access, MemoryOrder};
pub use arithmetic::{Binary, Conversion, Expression, Unary, UpdateOp};
pub use builder::{FunctionBuilder, ProgramBuilder};
pub use control_flow::ControlFlow;
pub use diagnostic::Diagnostic;
pub use event_log::{LogEvent, LogOperation, LogSite};
pub use fence::{AccessKind, Orderings};
pub use ids::{BlockId, FunctionId, ObjectId, RegisterId, ThreadId, TypeId};
pub use instruction::{Callee, Instruction, InstructionKind, Operand, Terminator};
pub use layout::{Part, ScalarKind, Type, part_at};
pub use liveness::{LiveAtStarts, LiveRegisters, RegisterSet};
pub use parse::{ParseError, parse};
pub use printing::Printing;
pub use property::{
    Comparison, Condition, Formula, Liveness, Observable, ObservedLocation, Position, Properties,
    Property, Quantifier, StateView, Term,
};
pub use routine::{
    ANY_VALUES, Blocking, Class, Family, Footprint, InFamily, ROUTINES, Routine, RoutineRow,
    Sought, Synchronisation, Timing, in_family,
};
pub use span::{Source, Span};
pub use standard::{Allocation, Standard, StartArguments};
pub use structure::{Block, Function, Object, ObjectKind, Program, Register, Thread};
pub use validate::ValidationError;
pub use value::{Address, Width, Word};
