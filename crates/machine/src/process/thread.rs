//! Threads of a process.

use super::attempts::Reading;
use super::buffer::Buffer;
use super::creations::Creation;
use super::image::{Pc, Range};
use super::memory::Location;
use super::overwritten::Dirty;
use super::value::Value;
use program::{FunctionId, Word};

/// A function that a thread is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// The next operation; while it is in a call, the one after it.
    pub pc: Pc,
    /// Where its registers start.
    pub base: u32,
    /// Locals of the thread before it.
    pub locals: u32,
    /// Registers of the caller that receive the results.
    pub targets: Range,
}

/// Something that a thread read in an iteration of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// Where.
    pub at: Location,
    /// Bytes.
    pub size: u8,
    /// What.
    pub value: Value,
}

/// A loop that a thread is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The loop's number.
    pub number: u32,
    /// Number of frames.
    pub depth: u32,
    /// Iterations so far.
    pub count: u32,
    /// Everything that this iteration reads and changes is kept track of.
    pub recorded: bool,
    /// [`Thread::changes`] at the start of this iteration.
    pub changes: u64,
    /// [`Thread::spurious`] at the start of this iteration.
    pub spurious: u64,
    /// Length of [`Thread::seen`] at the start of this iteration.
    pub seen: u32,
    /// Length of [`Thread::dirty`] at the start of this iteration.
    pub dirty: u32,
    /// Registers handed on, at the start of this iteration.
    pub carried: Vec<Value>,
}

/// Where a thread stands with a library function that takes several steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Phase {
    /// It has not begun.
    #[default]
    Begin,
    /// It looked, and there is something to do.
    Attempt,
    /// It waits on a condition variable, having given up a mutex.
    Waiting {
        /// The condition variable.
        condition: Word,
        /// Somebody woke it.
        woken: bool,
    },
    /// It takes its mutex again, and will return this.
    Reacquire(Word),
    /// It waits at a barrier.
    Barrier {
        /// The barrier.
        barrier: Word,
        /// All are there.
        open: bool,
    },
}

/// How a thread stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It runs, or waits.
    #[default]
    Running,
    /// Nobody has started it yet; its number is reserved.
    NotStarted,
    /// It has ended with this result.
    Ended(Value),
    /// It has ended, and somebody took its result.
    Joined,
    /// An assumption of it failed: it stops there, and the execution does not count as one
    /// that ends. What other threads do wrong still counts, because the thread could have
    /// been slower to get there.
    Discarded,
    /// A compare-and-exchange of it failed spuriously, and that came to nothing: it is where it was before, and there is
    /// an execution without what it did in between.
    Repeating,
}

/// A thread.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The functions that it is in, innermost last.
    pub frames: Vec<Frame>,
    /// Registers of all frames.
    pub registers: Vec<Value>,
    /// Its stores on their way.
    pub buffer: Buffer,
    /// How it stands.
    pub standing: Standing,
    /// Nobody will join it.
    pub detached: bool,
    /// Where it is in a library function.
    pub phase: Phase,
    /// The mutex that it will take again after a wait.
    pub reacquires: Word,
    /// What it waits to see change.
    pub awaiting: Vec<Seen>,
    /// Loops that it is in, outermost first.
    pub iterations: Vec<Iteration>,
    /// What it read in the iterations of those.
    pub seen: Vec<Seen>,
    /// What it changed in those where only it can reach it.
    pub dirty: Vec<Dirty>,
    /// Number of things that it did which a later iteration of a loop could notice.
    pub changes: u64,
    /// Number of its spurious failures, if those that only repeat an iteration are left out.
    pub spurious: u64,
    /// Read-write locks that it holds for reading, and how often.
    pub read_locks: Vec<(Word, u32)>,
    /// Values of keys.
    pub keys: Vec<(u32, Word)>,
    /// Where the next number of its random sequence comes from.
    pub random: u32,
    /// Operations since it last did something that others can see.
    pub steps: u64,
    /// The function that it was started with.
    pub function: Option<FunctionId>,
    /// Its name, if another thread started it.
    pub creation: Option<Creation>,
    /// Number of threads that it started.
    pub started: u32,
    /// It called `pthread_exit`; the process goes on after the main thread.
    pub left: bool,
    /// Its result, once it is about to end: only destructors of keys still run.
    pub result: Option<Value>,
    /// Stores that it put into its store buffer, if traces are built.
    pub issued: u32,
    /// What it read last that leads to an exchange, if it only loaded since: see `attempts`.
    pub reading: Option<Reading>,
}

impl Clone for Thread {
    fn clone(&self) -> Self {
        let mut copy = Thread::default();
        copy.clone_from(self);
        copy
    }

    /// Uses the room that the old one had.
    fn clone_from(&mut self, other: &Self) {
        let Thread {
            frames,
            registers,
            buffer,
            standing,
            detached,
            phase,
            reacquires,
            awaiting,
            iterations,
            seen,
            dirty,
            changes,
            spurious,
            read_locks,
            keys,
            random,
            steps,
            function,
            creation,
            started,
            left,
            result,
            issued,
            reading,
        } = other;
        self.frames.clone_from(frames);
        self.registers.clone_from(registers);
        clone_rare(&mut self.buffer.entries, &buffer.entries);
        self.buffer.epoch = buffer.epoch;
        self.buffer.held = buffer.held;
        self.buffer.fenced = buffer.fenced;
        self.standing = *standing;
        self.detached = *detached;
        self.phase.clone_from(phase);
        self.reacquires = *reacquires;
        clone_rare(&mut self.awaiting, awaiting);
        clone_rare(&mut self.iterations, iterations);
        clone_rare(&mut self.seen, seen);
        clone_rare(&mut self.dirty, dirty);
        self.changes = *changes;
        self.spurious = *spurious;
        clone_rare(&mut self.read_locks, read_locks);
        clone_rare(&mut self.keys, keys);
        self.random = *random;
        self.steps = *steps;
        self.function = *function;
        self.creation = *creation;
        self.started = *started;
        self.left = *left;
        self.result = *result;
        self.issued = *issued;
        self.reading = *reading;
    }
}

/// Copies a list that is mostly empty.
#[inline(always)]
fn clone_rare<T: Clone>(to: &mut Vec<T>, from: &Vec<T>) {
    if !(to.is_empty() && from.is_empty()) {
        to.clone_from(from);
    }
}

impl Thread {
    /// The innermost frame. A thread that runs has one.
    pub fn frame(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// How often it holds a lock for reading.
    pub fn reads(&self, lock: Word) -> u32 {
        let held = self.read_locks.iter().find(|(held, _)| *held == lock);
        held.map_or(0, |(_, count)| *count)
    }

    /// Sets how often it holds a lock for reading.
    pub fn set_reads(&mut self, lock: Word, count: u32) {
        self.read_locks.retain(|(held, _)| *held != lock);
        if count > 0 {
            self.read_locks.push((lock, count));
            self.read_locks.sort_unstable();
        }
    }

    /// True if what it reads and changes has to be kept track of.
    pub fn is_recording(&self) -> bool {
        self.iterations.iter().any(|iteration| iteration.recorded)
    }

    /// True if it has ended and all its stores are in memory, or was not started.
    pub fn is_over(&self) -> bool {
        match self.standing {
            Standing::Ended(_) | Standing::Joined => self.buffer.is_empty(),
            Standing::NotStarted => true,
            Standing::Running | Standing::Discarded | Standing::Repeating => false,
        }
    }
}
