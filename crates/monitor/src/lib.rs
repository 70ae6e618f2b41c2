//! A monitor of store buffer safety: finds, in one sequentially consistent execution, the points
//! where store buffers could make it another one.
//!
//! Fig. 2 of Burckhardt and Musuvathi, *Effective Program Verification for Relaxed Memory Models* (CAV
//! 2008). A load is *borderline* if there is a write that it could miss on a machine with store
//! buffers, while no sequentially consistent execution lets it: the newest write of its location that
//! happens before the load's thread got there, if that is neither the thread's own nor certain to be
//! in memory. A program has a borderline point in some sequentially consistent execution exactly if store
//! buffers let it do something that sequential consistency does not have.
//!
//! [`Monitor`] takes events in the order in which they happened and keeps a bounded amount of memory per
//! location and thread:
//!
//! ```
//! use monitor::Monitor;
//! use memory::Model;
//! use program::{LogEvent, LogOperation};
//!
//! let mut monitor = Monitor::new(Model::Tso).expect("a model with store buffers");
//! let (x, y) = (0, 1);
//! let mut event = |line, thread, operation, address| {
//!     let at = LogEvent::NOWHERE;
//!     monitor.event(&LogEvent { thread, operation, address, line, at })
//! };
//! assert_eq!(event(1, 0, LogOperation::Store, x), None);
//! assert_eq!(event(2, 0, LogOperation::Load, y), None);
//! assert_eq!(event(3, 1, LogOperation::Store, y), None);
//! let point = event(4, 1, LogOperation::Load, x).expect("it could miss the store");
//! assert_eq!((point.event.line, point.write.line), (4, 1));
//! ```
//!
//! Deviations:
//!
//! 1. The monitor goes on after the first borderline point.
//! 2. Under PSO stores and interlocked operations are looked at as well: they could come before a write
//!    that is still waiting. A store or interlocked operation is never put before an interlocked
//!    operation, which is in memory when it happens.
//! 3. At most 64 writes of a location are looked back at ([`Monitor::forgotten`]).
//!
//! # Limitations
//!
//! One execution shows what could have happened from its own points on. Other executions may have
//! borderline points that it has not; those are **missed**.

pub mod clocks;
pub mod happens_before;
mod history;
mod locations;
pub mod pso;
pub mod tso;

use happens_before::HappensBefore;
use history::{Dropped, Entry, History, Kind};
use memory::Model;
use program::{LogEvent, LogOperation};
use pso::Pso;
use tso::Tso;

/// A write that could be missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissedWrite {
    /// Whose it is.
    pub thread: u32,
    /// Whether it is an interlocked operation rather than a store.
    pub interlocked: bool,
    /// Its line in the log.
    pub line: u32,
    /// Its position in the source, or [`LogEvent::NOWHERE`].
    pub at: u32,
}

/// A point where store buffers could make the execution another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Borderline {
    /// The access.
    pub event: LogEvent,
    /// The newest write of its location that it could miss or, if it writes itself, come before.
    pub write: MissedWrite,
}

/// Watches an execution under one model.
#[derive(Clone, Debug)]
pub struct Monitor {
    model: Model,
    happens_before: HappensBefore,
    relaxed: Relaxed,
    locations: Vec<History>,
    /// Whether each thread has been seen, and not joined since.
    runs: Vec<bool>,
    dropped: Dropped,
}

#[derive(Clone, Debug)]
enum Relaxed {
    Tso(Tso),
    Pso(Pso),
}

impl Monitor {
    /// Most writes of a location that are looked back at.
    pub const WRITES: u32 = History::WRITES;
    /// Most threads that a log should have: what is kept for a thread or a location takes room for
    /// each thread.
    pub const THREADS: usize = 1024;

    /// A monitor for TSO or PSO; other models are not made of store buffers.
    pub fn new(model: Model) -> Option<Self> {
        let relaxed = match model {
            Model::Tso => Relaxed::Tso(Tso::default()),
            Model::Pso => Relaxed::Pso(Pso::default()),
            Model::Sc | Model::Rmo | Model::Relaxed => return None,
        };
        Some(Monitor {
            model,
            happens_before: HappensBefore::default(),
            relaxed,
            locations: Vec::new(),
            runs: Vec::new(),
            dropped: Dropped::default(),
        })
    }

    /// The model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Writes that were dropped although a thread might still have missed them. If there are any, so may
    /// there be borderline points that were not found.
    pub fn forgotten(&self) -> u64 {
        self.dropped.needed
    }

    /// Takes the next event of the execution, and tells if it is borderline.
    pub fn event(&mut self, event: &LogEvent) -> Option<Borderline> {
        self.make_room(event);
        let found = self.check(event);
        if event.operation == LogOperation::Join {
            self.runs[event.address as usize] = false;
        }
        let number = self.happens_before.process(event);
        let mark = match &mut self.relaxed {
            Relaxed::Tso(tso) => {
                tso.process(event);
                tso.mark(event)
            }
            Relaxed::Pso(pso) => {
                pso.process(event);
                pso.mark(event)
            }
        };
        if event.operation.is_access() {
            self.remember(event, number, mark);
        }
        found
    }

    fn make_room(&mut self, event: &LogEvent) {
        self.meet(event.thread, false);
        if event.operation.is_of_thread() {
            self.meet(event.address, event.operation == LogOperation::Start);
        }
        if event.operation.is_access() && event.address as usize >= self.locations.len() {
            let locations = event.address as usize + 1;
            self.locations.resize_with(locations, History::default);
            self.happens_before.know_location(event.address);
            match &mut self.relaxed {
                Relaxed::Tso(tso) => tso.know_location(event.address),
                Relaxed::Pso(pso) => pso.know_location(event.address),
            }
        }
    }

    fn meet(&mut self, thread: u32, started: bool) {
        if self.runs.get(thread as usize) == Some(&true) {
            return;
        }
        if self.runs.len() <= thread as usize {
            self.runs.resize(thread as usize + 1, false);
            self.happens_before.know_thread(thread);
            match &mut self.relaxed {
                Relaxed::Tso(tso) => tso.know_thread(thread),
                Relaxed::Pso(pso) => pso.know_thread(thread),
            }
        }
        self.runs[thread as usize] = true;
        if !started {
            // It knows nothing, so what all others were past it might have needed.
            self.dropped.needed += std::mem::take(&mut self.dropped.past);
        }
    }

    fn check(&self, event: &LogEvent) -> Option<Borderline> {
        if !event.operation.is_access() {
            return None;
        }
        let history = &self.locations[event.address as usize];
        let happened = self.happens_before.known(event.thread);
        let write = match &self.relaxed {
            // By Lemma 1 of the paper, only loads can be borderline.
            Relaxed::Tso(_) if event.operation.writes() => return None,
            Relaxed::Tso(tso) => tso.missed(event, history, happened)?,
            Relaxed::Pso(pso) => pso.missed(event, history, happened)?,
        };
        Some(Borderline {
            event: *event,
            write: MissedWrite {
                thread: write.thread,
                interlocked: write.kind == Kind::Interlocked,
                line: write.line,
                at: write.at,
            },
        })
    }

    fn remember(&mut self, event: &LogEvent, number: u32, mark: (u32, u32)) {
        let history = &mut self.locations[event.address as usize];
        let kind = match (event.operation, &self.relaxed) {
            (LogOperation::Store, _) => Kind::Store,
            (LogOperation::Interlocked, _) => Kind::Interlocked,
            (_, Relaxed::Tso(_)) => return,
            (_, Relaxed::Pso(pso)) if pso.follows(event, history) => Kind::Read,
            (_, Relaxed::Pso(_)) => return,
        };
        let known = |write: &Entry| {
            let mut threads = self.runs.iter().zip(0..).filter(|(runs, _)| **runs);
            threads.all(|(_, thread)| {
                self.happens_before.known(thread)[write.thread as usize] >= write.number
            })
        };
        history.add(
            Entry::new(kind, event, number, mark),
            known,
            &mut self.dropped,
        );
    }
}
