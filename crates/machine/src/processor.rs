//! The seam between machines and searches: a thread with whatever stands
//! between it and memory.
//!
//! In every machine of this crate threads meet only in memory. All of a
//! thread's own state (control, registers, store buffer or reorder box) is its
//! [`Processor::Local`]; what it may do next is a list of [`Action`]s, whose
//! effects on memory are all that the rest of the machine sees. A search can
//! therefore keep one copy of each local state and compute its actions once.

use crate::{Cell, Executable};
use answer::{Bound, CellsRerun, Event, Step};
use program::{Position, RegisterId, Span, ThreadId, Word};
use std::fmt::Debug;
use std::hash::Hash;

/// Steps that a thread takes ahead before others get a turn, lest a loop that
/// nobody sees go on for ever.
pub(crate) const LONGEST_RUN: usize = 1000;

/// What an action does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Nothing.
    Silent,
    /// Reads a cell.
    Read(Cell),
    /// Writes a cell.
    Write(Cell, Word),
    /// Reads a cell and perhaps writes it, in one step.
    Update(Cell),
}

/// Something that a thread may do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// What it does to memory.
    pub effect: Effect,
    /// What it is, in the processor's own numbering.
    pub slot: u32,
    /// Which kind of progress it is, for fairness: in a fair execution no kind
    /// is possible from some point on and never made. `None` for what need
    /// never happen.
    pub progress: Option<u32>,
}

/// How a thread stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It has not ended.
    Running,
    /// It has ended, and all its stores are in memory.
    Finished,
    /// It did something wrong.
    Failed(Failure),
}

/// What a thread did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Failure {
    /// An assertion failed.
    Assertion(Span),
    /// It accessed something that is no cell of the access's width.
    BadAccess(Span, Word),
}

impl Failure {
    /// Where, and what an execution shows of it.
    pub(crate) fn event(self) -> (Span, Event) {
        match self {
            Failure::Assertion(span) => (span, Event::AssertFailed),
            Failure::BadAccess(span, address) => (span, Event::BadAccess { address }),
        }
    }
}

/// What became of an action.
#[derive(Clone, Debug)]
pub struct Performed<L> {
    /// The thread's possible next states, each with the events on the way there
    /// if they were asked for. Empty if the execution does not count: an
    /// assumption failed, or a bet on addresses was lost.
    pub next: Vec<(L, Log)>,
    /// What an update wrote.
    pub written: Option<Word>,
}

/// A thread's events, kept only if somebody wants them.
#[derive(Clone, Debug)]
pub struct Log {
    steps: Option<Vec<Step>>,
    thread: ThreadId,
}

impl Log {
    /// A log of a thread's events; it keeps nothing unless `wanted`.
    pub fn new(thread: ThreadId, wanted: bool) -> Self {
        Log {
            steps: wanted.then(Vec::new),
            thread,
        }
    }

    /// Adds an event.
    pub(crate) fn add(&mut self, span: Span, event: impl FnOnce() -> Event) {
        self.add_out_of_order(span, None, false, event);
    }

    /// Adds an event that happened ahead of an earlier access, or on speculation.
    pub(crate) fn add_out_of_order(
        &mut self,
        span: Span,
        ahead_of: Option<Span>,
        speculative: bool,
        event: impl FnOnce() -> Event,
    ) {
        if let Some(steps) = &mut self.steps {
            steps.push(Step {
                ahead_of,
                speculative,
                ..Step::new(self.thread, span, event())
            });
        }
    }

    /// Everything added.
    pub fn into_steps(self) -> Vec<Step> {
        self.steps.unwrap_or_default()
    }
}

/// The part of a thread's state that properties speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    registers: Vec<Option<Word>>,
    positions: Vec<bool>,
}

/// Threads between their code and memory, under one model.
pub trait Processor: Sync {
    /// A thread's own state.
    type Local: Clone + Eq + Hash + Debug + Send + Sync;

    /// What the processor runs.
    fn executable(&self) -> &Executable;

    /// An execution of the machine as it is stored, before anything has happened.
    fn recorded(&self) -> CellsRerun;

    /// The machine's name in reports.
    fn name(&self) -> &'static str;

    /// A thread's possible first states, each with the events before it.
    fn start(&self, thread: ThreadId, logging: bool) -> Vec<(Self::Local, Log)>;

    /// Everything that a thread may do next.
    fn actions(&self, thread: ThreadId, local: &Self::Local, actions: &mut Vec<Action>);

    /// Does `action`, one of those that [`Processor::actions`] gave; `seen` is
    /// the value of the cell that it reads, if it reads one.
    fn perform(
        &self,
        thread: ThreadId,
        local: &Self::Local,
        action: Action,
        seen: Word,
        logging: bool,
    ) -> Performed<Self::Local>;

    /// How the thread stands.
    fn status(&self, thread: ThreadId, local: &Self::Local) -> Status;

    /// Whether the thread may yet turn out not to have done something that others, or properties, have seen.
    /// What is wrong with a state counts if a state follows in which nobody bets.
    fn is_betting(&self, _thread: ThreadId, _local: &Self::Local) -> bool {
        false
    }

    /// The value of a register; `None` while it is on its way.
    fn register(&self, local: &Self::Local, register: RegisterId) -> Option<Word>;

    /// Whether control stands there.
    fn at(&self, thread: ThreadId, local: &Self::Local, position: &Position) -> bool;

    /// What is [watched](crate::Executable::watches) of the thread.
    fn watched(&self, thread: ThreadId, local: &Self::Local) -> Watched {
        let watch = &self.executable().watches[thread.index()];
        let registers = watch.registers.iter();
        let positions = watch.positions.iter();
        Watched {
            registers: registers.map(|r| self.register(local, *r)).collect(),
            positions: positions.map(|p| self.at(thread, local, p)).collect(),
        }
    }

    /// The bound that has kept some thread from going on so far.
    fn bound_reached(&self) -> Option<Bound>;
}
