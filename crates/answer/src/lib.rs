//! Answers: verdicts, what they cover, what is wrong, and executions that show it.
//!
//! Engines make them, renderers show them.

mod engine;
mod execution;
mod fault;
mod log;
mod portfolio;
mod rerun;
mod verdict;

pub use engine::Engine;
pub use execution::{
    AccessEvent, CallSite, Datum, Event, Execution, Location, MemoryAccess, RegisterWrite,
    Relation, Shown, Step, StepId, part_name, pointee_name, value_text,
};
pub use fault::{Fault, FaultKind, Warning};
pub use log::{LogPlace, LogPoint, LogReport, LogResult};
pub use portfolio::{Did, OpenLoop, Part};
pub use rerun::{CellsRerun, ProcessRerun, Rerun, Turn};
pub use verdict::{
    Bound, Counts, Estimate, Link, LinkOrder, ModelResult, Observation, Outcome, Sequential, Unit,
    Verdict, Violation, Waiting,
};
