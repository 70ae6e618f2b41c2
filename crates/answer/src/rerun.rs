//! What a machine has to be told to run an execution once more: what it was like, and what happened, one choice after another.
//!
//! The machines make it as they replay an execution, and take it back; everybody else only passes it on.

use memory::Model;
use program::{ThreadId, Word};
use serde::{Deserialize, Serialize};

/// How to run an execution again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rerun {
    /// On the machine for C programs.
    Process(Box<ProcessRerun>),
    /// On a machine for litmus tests, with store buffers or reorder boxes.
    Cells(CellsRerun),
}

/// An execution of a process: how it was asked to run, and its transitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProcessRerun {
    /// The model whose store buffers it has.
    pub model: Model,
    /// Stores are written to memory at once, whatever the model.
    pub immediate: bool,
    /// Most stores in a store buffer.
    pub buffer: Option<u32>,
    /// Most iterations of a loop.
    pub unroll: Option<u32>,
    /// Most operations of a thread on its own.
    pub steps: u64,
    /// Waits on condition variables may end spuriously.
    pub spurious: bool,
    /// What only one thread can reach is private to it.
    pub private: bool,
    /// Every access is a step of its own.
    pub plain: bool,
    /// Data races are looked for.
    pub races: bool,
    /// Silent iterations are not continued.
    pub cut_repeats: bool,
    /// Reads that make an assumption fail are not done.
    pub await_assumptions: bool,
    /// Attempts of retry loops are one step.
    pub attempts: bool,
    /// Read-modify-writes whose results are unused commute.
    pub commuting_updates: bool,
    /// Arrivals at a barrier whose results are unused commute.
    pub commuting_arrivals: bool,
    /// Memory (addresses and sizes) that nobody reads.
    pub unread: Vec<(Word, u32)>,
    /// Threads with reserved numbers: who starts them, and how many that one started before.
    pub reserved: Vec<(ThreadId, u32)>,
    /// Steps are as they are where traces are built.
    pub traced: bool,
    /// What happens.
    pub turns: Vec<Turn>,
}

/// What happens next in a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// A thread goes on, in the way of this number.
    Run(ThreadId, u32),
    /// The store of this index leaves a thread's store buffer.
    Flush(ThreadId, u32),
    /// A thread that ran long on its own goes on.
    Resume,
}

/// An execution of a litmus test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CellsRerun {
    /// The model.
    pub model: Model,
    /// With reorder boxes rather than store buffers.
    pub boxes: bool,
    /// Most entries of a store buffer or a reorder box.
    pub size: Option<u32>,
    /// Which of its possible first states each thread starts in.
    pub starts: Vec<u32>,
    /// What happens: the number of a step among all that are possible.
    pub choices: Vec<u32>,
    /// For a lasso: the steps from this one on repeat for ever.
    pub repeats_from: Option<usize>,
}
