//! Running a program step by step under a memory model.
//!
//! Two machines stand behind one trait, [`Processor`]: [`StoreBuffers`] for SC, TSO
//! and PSO, and [`ReorderBoxes`] for RMO (and, to check the other, for all models).
//! [`Machine`] puts processors and memory together: it steps, takes steps back,
//! and replays.
//!
//! C programs, with their heap, threads and library, run as a [`Process`].

mod code;
mod instructions;
mod library;
mod machine;
mod process;
mod processor;
mod reorder_box;
mod replay;
mod rerun;
mod store_buffer;

pub use code::{AccessEffect, Cell, Cells, Code, Executable, Op, Unsupported, Watch};
pub use machine::{Choice, Machine, State, Undo};
pub use process::value;
pub use process::{
    Accumulation, Act, ActKind, Bytes, Commuting, Creation, End, Guided, Image, Limits, Mark,
    Printed, Process, Seen, StoreMode, Transition, WaitsFor, guided_replay, recorded, replay,
    rerun, simplified,
};
pub use processor::{Action, Effect, Failure, Log, Performed, Processor, Status, Watched};
pub use reorder_box::{BoxedThread, ReorderBoxes};
pub use replay::{ReplayError, Replayed, Schedule};
pub use rerun::Claim;
pub use store_buffer::{BufferedThread, StoreBuffers};
