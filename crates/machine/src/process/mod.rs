//! The machine for C programs: a process with byte memory, a heap, threads that come and
//! go, and the C library, under SC, TSO or PSO.
//!
//! A thread runs ahead through everything that other threads cannot notice, and stops
//! before what they can: an access to memory that they can reach, an operation on a
//! mutex, a choice. [`Process::transitions`] lists what may happen next (a thread does
//! what it stopped before, or a store leaves a store buffer), and [`Process::perform`]
//! makes it happen. Everything that goes wrong is a [`Fault`], which ends the execution.
//!
//! What a thread alone can reach (its locals, and what it allocated and did not pass on)
//! is private to it; accesses to it are not worth a stop. An object stops being private when
//! its address is written to memory that others can reach. Should an address escape
//! otherwise, the access through it is noticed, [`Process::escaped`] says so,
//! and the search must be done again without private objects.
//!
//! # Limitations
//!
//! - String functions, and copies of more than 64 bytes, happen in one step.
//! - A thread that spins without changing anything waits until something it read changes.
//!   If that never happens it is a deadlock.

mod access;
mod acts;
mod assumptions;
mod attempts;
mod buffer;
mod caller;
mod calls;
mod comparison;
mod creations;
mod describe;
mod ending;
mod fast;
mod fingerprint;
mod finish;
mod guide;
mod image;
mod iterations;
mod journal;
mod loops;
mod memory;
mod order;
mod overwritten;
mod races;
mod replay;
mod rerun;
mod run;
mod schedule;
mod shared;
mod simplify;
mod standing;
mod thread;
mod trial;
pub mod value;

pub use acts::{Accumulation, Act, ActKind, Bytes, WaitsFor};
pub(crate) use caller::{Call, Caller, Flow};
pub use creations::Creation;
pub use guide::{Guided, guided_replay};
pub use image::Image;
pub use journal::Mark;
pub use replay::replay;
pub use rerun::{recorded, rerun};
pub use schedule::Transition;
pub use simplify::simplified;
pub(crate) use thread::Phase;
pub use thread::Seen;

use self::memory::Memory;
use self::shared::Shared;
use self::thread::{Frame, Standing, Thread};
use self::value::Value;
use ::memory::Buffering;
use answer::{Bound, CallSite, Event, Fault, FaultKind, Step, Warning};
use control::Stop;
use program::{FunctionId, Observable, ObservedLocation, Span, ThreadId, Word};
use std::sync::Arc;

/// What comes of something that a thread does, or what is wrong with it.
pub(crate) type Run<T> = Result<T, Box<Fault>>;

/// Whether stores wait in store buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreMode {
    /// As the model lets them.
    Buffered,
    /// They are written to memory at once, whatever the model: what happens is sequentially consistent, and its acts are
    /// what the model makes of it.
    Immediate,
}

/// Operations on the same bytes that are told as commuting acts. None are by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commuting {
    /// Read-modify-writes of one kind whose results are unused.
    pub updates: bool,
    /// Arrivals at a barrier whose results are unused.
    pub arrivals: bool,
}

/// What a process is asked to do, and within which bounds.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Most stores in a store buffer.
    pub buffer: Option<u32>,
    /// Most iterations of a loop.
    pub unroll: Option<u32>,
    /// Most operations of a thread on its own.
    pub steps: u64,
    /// Waits on condition variables may end spuriously.
    pub spurious: bool,
    /// Treat what only one thread can reach as private to it.
    pub private: bool,
    /// Every access is a step of its own: nothing is private, no thread runs ahead, and no
    /// iteration of a loop is left out. For comparisons with the reductions.
    pub plain: bool,
    /// Look for data races.
    pub races: bool,
    /// A thread never goes on after a silent iteration of several steps, nor after one with a spurious failure: see
    /// `iterations`.
    pub cut_repeats: bool,
    /// A thread whose next step would read what makes an assumption fail waits for another value: see `assumptions`.
    pub await_assumptions: bool,
    /// A read that leads to a compare-and-exchange which expects what was read is one step with it: see `attempts`.
    pub attempts: bool,
    /// Which operations on the same bytes commute, of those that nobody can observe the order of.
    pub commuting: Commuting,
    /// Memory (addresses and sizes) that nobody is expected to read, so that writes to it commute. Whoever builds traces has to find out whether
    /// somebody does: acts tell every read of it once there are several threads.
    pub unread: Arc<[(Word, u32)]>,
    /// Threads whose numbers do not depend on the order in which they are started: see `creations`.
    pub reserved: Arc<[Creation]>,
    /// Tell what each step did that other threads can notice, and let a step take along
    /// nothing whose order may depend on other threads.
    pub traced: bool,
    /// Whether stores wait in store buffers.
    pub store_mode: StoreMode,
    /// When to stop in the midst of a run, if ever.
    pub stop: Option<Arc<Stop>>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            buffer: None,
            unroll: None,
            steps: 20_000_000,
            spurious: false,
            private: true,
            plain: false,
            races: false,
            cut_repeats: false,
            await_assumptions: false,
            attempts: false,
            commuting: Commuting::default(),
            unread: Arc::default(),
            reserved: Arc::default(),
            traced: false,
            store_mode: StoreMode::Buffered,
            stop: None,
        }
    }
}

/// How an execution ended before all threads did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// A thread did something wrong.
    Fault(ThreadId, Span, Box<Fault>),
    /// The program called `exit`.
    Exit(Word),
    /// A bound cut it off.
    Cut(Bound),
}

/// What a program printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// On standard output.
    pub output: Vec<u8>,
    /// On standard error.
    pub errors: Vec<u8>,
}

/// A program that runs.
#[derive(Clone, Debug)]
pub struct Process<'a> {
    image: &'a Image,
    limits: &'a Limits,
    /// The thread that went on last: if the execution ends, it ended it.
    ender: ThreadId,
    /// Stores that failed as they left their store buffers in the last step, which does not stop a thread.
    strays: Vec<End>,
    memory: Memory,
    /// In boxes, so that taking a step back is a swap of pointers.
    #[allow(clippy::vec_box)]
    threads: Vec<Box<Thread>>,
    /// Values observed so far, in the order of the program's observables.
    observed: Vec<Option<Value>>,
    /// The thread that runs alone, in an atomic section.
    section_owner: Option<ThreadId>,
    /// Sections that it is in, one inside another.
    sections: u32,
    /// What threads share that is no memory.
    shared: Shared,
    end: Option<End>,
    /// The thread that has run too long on its own.
    over_budget: Option<ThreadId>,
    /// Threads just started, which have not run ahead yet.
    new_threads: Vec<ThreadId>,
    /// Objects that the library made for itself: thread, what for, address.
    tables: Vec<(ThreadId, u32, Word)>,
    /// A store buffer was full.
    buffer_full: bool,
    /// Values without a range were cut to a few.
    values_cut: bool,
    escaped: bool,
    /// Who happened before whom, if somebody looks for races.
    races: Option<Box<races::Races>>,
    /// Operations so far.
    operations: u64,
    /// Work since the last look at [`Limits::stop`], about in operations.
    unlooked: u64,
    /// What happened, if somebody wants to know.
    log: Option<Vec<Step>>,
    /// What the program printed, if somebody wants to know.
    output: Option<Printed>,
    /// Others look whether a thread has ended, so that its end is a step.
    watches_ends: bool,
    /// A library function read what others can reach.
    reached_shared: bool,
    /// Nothing happens: somebody only looks at what could.
    dry_run: bool,
    /// What the thread saw whose last iteration of a loop was silent, or whose assumption failed.
    spun: Vec<Seen>,
    /// It was an assumption.
    spun_by_assumption: bool,
    /// What is known of reads that lead to exchanges.
    attempts: attempts::Attempts,
    /// Such a read came later than it had to, and read what is undefined.
    misread: bool,
    /// What the last steps did that others can notice, if traces are built.
    acts: Vec<Act>,
    /// How to take back what happened, if somebody may want to.
    journal: Option<journal::Journal>,
    /// Ends of executions that were seen before, if that pays.
    finishes: Option<Box<finish::Finishes>>,
    /// What a thread read that runs to its end, as long as it does nothing else with memory.
    finishing: Option<Vec<Seen>>,
}

impl<'a> Process<'a> {
    /// A process about to run `main`, which has run ahead to its first stop. It keeps what
    /// happens if `logging`, and what the program prints if `printing`.
    pub fn new(image: &'a Image, limits: &'a Limits, logging: bool, printing: bool) -> Self {
        let mut process = Process {
            image,
            limits,
            ender: ThreadId(0),
            strays: Vec::new(),
            memory: Memory::of(&image.program),
            threads: Vec::new(),
            observed: vec![None; image.program.observed.len()],
            section_owner: None,
            sections: 0,
            shared: Shared::default(),
            end: None,
            over_budget: None,
            new_threads: Vec::new(),
            tables: Vec::new(),
            buffer_full: false,
            values_cut: false,
            escaped: false,
            races: limits.races.then(Box::default),
            operations: 0,
            unlooked: 0,
            log: logging.then(Vec::new),
            output: printing.then(Printed::default),
            watches_ends: image.watches_ends(),
            reached_shared: false,
            dry_run: false,
            spun: Vec::new(),
            spun_by_assumption: false,
            attempts: attempts::Attempts::default(),
            misread: false,
            acts: Vec::new(),
            journal: None,
            finishes: None,
            finishing: None,
        };
        for thread in &image.program.threads {
            let id = ThreadId::from(process.threads.len());
            process.add_thread(id, thread.function, &[]);
            for (register, word) in &thread.initial {
                process.threads[id.index()].registers[register.index()] = Value::new(*word);
            }
        }
        process.reserve_threads();
        for thread in 0..image.program.threads.len() {
            process.advance(thread.into());
        }
        process
    }

    /// A copy, in the room of another process that is not needed any more.
    pub fn copy_in(&mut self, other: Self) -> Self {
        let (mut threads, mut memory) = (other.threads, other.memory);
        threads.clone_from(&self.threads);
        memory.copy_from(&self.memory);
        let own = (
            std::mem::take(&mut self.threads),
            std::mem::take(&mut self.memory),
        );
        let copy = Process {
            threads,
            memory,
            ..self.clone()
        };
        (self.threads, self.memory) = own;
        copy
    }

    /// Adds a thread that is about to call a function, with a number that is reserved for it, or the next.
    fn add_thread(&mut self, id: ThreadId, function: FunctionId, arguments: &[Value]) {
        if id.index() < self.threads.len() {
            self.save_thread(id);
        } else {
            self.note_threads();
            self.memory.add_thread(&self.image.program);
            self.threads.push(Box::default());
        }
        let entry = &self.image.functions[function.index()];
        let mut registers = vec![Value::UNDEFINED; entry.registers as usize];
        for (register, argument) in registers.iter_mut().zip(arguments) {
            *register = *argument;
        }
        *self.threads[id.index()] = Thread {
            frames: vec![Frame {
                function,
                pc: entry.start,
                base: 0,
                locals: self.memory.depth(id),
                targets: image::Range::default(),
            }],
            registers,
            function: Some(function),
            random: 1,
            ..Thread::default()
        };
    }

    /// How the execution ended, if something ended it.
    pub fn end(&self) -> Option<&End> {
        self.strays.first().or(self.end.as_ref())
    }

    /// True if the main thread has returned: the process would end with it, as it would not
    /// if the thread had called `pthread_exit`.
    pub fn main_has_ended(&self) -> bool {
        let mut main = self.threads.first().into_iter();
        main.all(|main| main.is_over() && !main.left)
    }

    /// A thread that goes on, and where it stands.
    pub fn busy(&mut self) -> Option<(ThreadId, Span)> {
        let transition = self.transitions().into_iter().next()?;
        let (Transition::Run(id, _) | Transition::Commit(id, _)) = transition;
        Some((id, self.span_of(id)))
    }

    /// True if an assumption of a thread failed, or a thread repeated an iteration that another execution does
    /// without: the execution does not count as one that ends.
    pub fn is_discarded(&self) -> bool {
        let mut threads = self.threads.iter().enumerate();
        threads.any(|(index, thread)| {
            matches!(thread.standing, Standing::Discarded | Standing::Repeating)
                || self.limits.cut_repeats
                    && !thread.awaiting.is_empty()
                    && self.has_changed(index.into(), &thread.awaiting)
        })
    }

    /// True if every thread has ended.
    pub fn is_over(&self) -> bool {
        self.threads.iter().all(|thread| thread.is_over())
    }

    /// The values observed, in the order of the program's observables; 0 where nothing was.
    pub fn outcome(&self) -> Vec<Word> {
        let observables = self.image.program.observed.iter().zip(&self.observed);
        let word = |(observable, observed): (&Observable, &Option<Value>)| match observable.location
        {
            ObservedLocation::Memory(address) => {
                let at = self.memory.locate(address.to_word());
                let value = at.map(|at| self.memory.read(at, observable.width.bytes()));
                value.unwrap_or_default().word
            }
            ObservedLocation::Observation | ObservedLocation::Register(..) => {
                observed.unwrap_or_default().word
            }
        };
        observables.map(word).collect()
    }

    /// Bounds that were in the way.
    pub fn bounds(&self) -> Vec<Bound> {
        let buffer = self.limits.buffer.filter(|_| self.buffer_full);
        let values = self
            .values_cut
            .then_some(Bound::Values(program::ANY_VALUES));
        buffer
            .map(Bound::StoreBuffer)
            .into_iter()
            .chain(values)
            .collect()
    }

    /// An address escaped to another thread unnoticed: the search must be done again with
    /// [`Limits::private`] off.
    pub fn escaped(&self) -> bool {
        self.escaped
    }

    /// The bytes of the object at an address.
    #[cfg(test)]
    pub(crate) fn bytes_at(&self, address: Word) -> Vec<u8> {
        let at = self.memory.locate(address);
        let block = at.and_then(|at| self.memory.block(at.block));
        block.map_or(Vec::new(), |block| block.bytes.data.clone())
    }

    /// About how many bytes a copy of the process takes, but for objects that copies share.
    pub fn size(&self) -> usize {
        let threads = self.threads.iter().map(|thread| {
            let entries = 64 * (thread.frames.len() + thread.buffer.entries.len());
            size_of::<Thread>() + 16 * thread.registers.len() + entries
        });
        size_of::<Self>() + threads.sum::<usize>() + self.memory.size()
    }

    /// Operations of all threads so far.
    pub fn operations(&self) -> u64 {
        self.operations
    }

    /// Everything that happened since the last call.
    pub fn take_log(&mut self) -> Vec<Step> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Everything printed since the last call.
    pub fn take_output(&mut self) -> Printed {
        self.output.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Names of threads beyond the program's own.
    pub fn started(&self) -> Vec<String> {
        let first = self.image.program.threads.len();
        let functions = self.threads.iter().map(|thread| thread.function);
        let started = functions.enumerate().skip(first);
        let name = |(number, function): (usize, Option<FunctionId>)| match function {
            Some(id) => format!(
                "thread {number} ({})",
                self.image.functions[id.index()].name
            ),
            None => format!("thread {number}"),
        };
        started.map(name).collect()
    }

    /// What is not wrong, but worth knowing, of an execution that is over.
    pub fn warnings(&self) -> Vec<Warning> {
        self.leaks()
    }

    fn buffering(&self) -> Buffering {
        match self.limits.store_mode {
            StoreMode::Immediate => Buffering::None,
            StoreMode::Buffered => self.image.buffering(),
        }
    }

    /// The program that runs.
    pub fn image(&self) -> &'a Image {
        self.image
    }

    /// What it is asked to do.
    pub fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// Notes what happened.
    fn note(&mut self, thread: ThreadId, span: Span, event: impl FnOnce(&Self) -> Event) {
        if self.log.is_none() {
            return;
        }
        let step = Step {
            stack: self.stack(thread),
            ..Step::new(thread, span, event(self))
        };
        if let Some(log) = &mut self.log {
            log.push(step);
        }
    }

    /// The calls that a thread is in, outermost first.
    fn stack(&self, thread: ThreadId) -> Vec<CallSite> {
        let frames = &self.threads[thread.index()].frames;
        let name = |frame: &Frame| self.image.functions[frame.function.index()].name.clone();
        // A frame that calls stands behind the call.
        let called_at = |caller: &Frame| self.image.span(caller.pc.saturating_sub(1));
        let callers = std::iter::once(Span::NOWHERE).chain(frames.iter().map(called_at));
        let calls = frames.iter().zip(callers);
        calls
            .map(|(frame, span)| CallSite {
                function: name(frame),
                span,
            })
            .collect()
    }

    /// Ends the execution with a fault, or cuts it off if nothing is wrong but not supported.
    fn fail(&mut self, thread: ThreadId, span: Span, fault: Box<Fault>) {
        if fault.kind == FaultKind::Assertion
            && self.log.is_some()
            && let Some((left, right)) = self.failed_comparison(thread)
        {
            self.note(thread, span, |_| Event::Compare { left, right });
        }
        self.note(thread, span, |_| Event::Fault(fault.message.clone()));
        self.end = Some(match fault.kind {
            FaultKind::Unsupported => End::Cut(Bound::Unsupported(span)),
            _ => End::Fault(thread, span, fault),
        });
    }

    /// True if no other thread can do anything any more, or yet.
    fn is_solo(&self, thread: ThreadId) -> bool {
        let mut others = self.threads.iter().enumerate();
        !self.limits.plain
            && others.all(|(index, other)| {
                index == thread.index()
                    || other.standing == Standing::NotStarted
                    || other.is_over()
                    // That the others have ended is chance unless they were joined.
                    && (!self.limits.traced
                        || other.standing == Standing::Joined && !other.detached)
            })
    }

    /// True if what the thread does next cannot be noticed by others.
    fn is_direct(&self, thread: ThreadId) -> bool {
        self.threads[thread.index()].buffer.is_empty()
            && (self.is_solo(thread) || self.section_owner == Some(thread) && !self.limits.plain)
    }

    /// Where a thread stands.
    fn span_of(&self, thread: ThreadId) -> Span {
        let frame = self.threads[thread.index()].frame();
        frame.map_or(Span::NOWHERE, |frame| self.image.span(frame.pc))
    }

    /// True if a thread has ended.
    pub fn has_ended(&self, thread: ThreadId) -> bool {
        self.threads[thread.index()].standing != Standing::Running
    }
}
