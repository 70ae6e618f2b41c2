//! What comes of unrolling: accesses, fences, and what may go wrong.

use super::iterations::Written;
use crate::guard::Guard;
use crate::term::{EventId, TermId, Terms};
use answer::Fault;
use program::{Address, FunctionId, ObjectKind, Orderings, Program, Routine, Span, Width, Word};
use rustc_hash::FxHashMap;

/// A loop, within the calls and iterations around it. The same in every unrolling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u64);

/// The bounds of loops: one iteration, but for those that are known to need more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IterationCounts(FxHashMap<LoopId, u32>);

impl IterationCounts {
    /// The bound of a loop.
    pub fn of(&self, at: LoopId) -> u32 {
        self.0.get(&at).copied().unwrap_or(1)
    }

    /// Lets a loop have one more iteration.
    pub fn grow(&mut self, at: LoopId) {
        let iterations = self.of(at) + 1;
        self.0.insert(at, iterations);
    }

    /// The largest bound of a loop.
    pub fn most(&self) -> u32 {
        self.0.values().copied().max().unwrap_or(1)
    }
}

/// What a store puts into memory, and when.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// The value.
    pub value: TermId,
    /// It is stored only then: a compare-and-exchange may fail.
    /// invariant: implies the event's guard.
    pub guard: Guard,
}

/// Loads that something depends on, each with when it does.
pub type Dependences = Vec<(EventId, Guard)>;

/// An access of memory.
#[derive(Clone, Debug)]
pub struct Event {
    /// The thread.
    pub thread: usize,
    /// Its position in program order, among the thread's events and fences.
    pub position: u32,
    /// Accesses that happen in one step have one number.
    pub step: u32,
    /// Where it stands.
    pub span: Span,
    /// It happens then.
    pub guard: Guard,
    /// Its address.
    pub address: TermId,
    /// Its width.
    pub width: Width,
    /// The address is a multiple of two to this power.
    pub alignment: u8,
    /// It loads.
    pub loads: bool,
    /// What it stores.
    pub stored: Option<Stored>,
    /// The loads that it depends on (rule m1 of the model table), if that was asked for.
    pub depends: Dependences,
}

/// A fence.
#[derive(Clone, Copy, Debug)]
pub struct Fence {
    /// The thread.
    pub thread: usize,
    /// Its position in program order.
    pub position: u32,
    /// It is executed then.
    pub guard: Guard,
    /// What it orders.
    pub orders: Orderings,
    /// The step that it stands in the middle of.
    pub step: Option<u32>,
    /// What happens at it.
    pub at: FenceAt,
    /// Where it stands.
    pub span: Span,
}

/// What happens at a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceAt {
    /// Nothing else.
    Nothing,
    /// A thread starts.
    Start(usize),
    /// The thread of a handle has ended.
    Join(TermId),
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name.
    pub name: String,
    /// It comes to its end then, if it starts.
    pub ended: Guard,
    /// What it returns, if anything.
    pub result: Option<TermId>,
}

/// A memory object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its index in the program, if it is there from the start.
    pub of_program: Option<usize>,
    /// The thread that makes it, if it is not there from the start.
    pub made_by: Option<usize>,
    /// It is a local of a function, or a thread's own.
    pub local: bool,
    /// It starts at zero, not undefined.
    pub zeroed: bool,
    /// What it may be used for.
    pub kind: ObjectKind,
    /// Its layout.
    pub layout: Option<program::TypeId>,
    /// Where it is made.
    pub span: Span,
}

/// What goes wrong where.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// When control is there.
    pub guard: Guard,
    /// The thread.
    pub thread: usize,
    /// Where.
    pub span: Span,
    /// Its position in program order.
    pub position: u32,
    /// What.
    pub what: Failure,
}

/// A thread is joined or detached.
#[derive(Clone, Copy, Debug)]
pub struct Parting {
    /// When control is there.
    pub guard: Guard,
    /// The thread that does so.
    pub thread: usize,
    /// Its position in program order.
    pub position: u32,
    /// The handle of the other thread.
    pub handle: TermId,
    /// The function.
    pub routine: Routine,
    /// Where.
    pub span: Span,
}

/// What may go wrong.
#[derive(Clone, Debug)]
pub enum Failure {
    /// Being there is wrong.
    Fault(Fault),
    /// Using a term of which some bit is undefined is wrong.
    Undefined(TermId, Fault),
    /// A division of these numbers of this width has no result.
    Division(program::Binary, Width, TermId, TermId),
    /// An event's address is no location that it may access.
    Access(EventId),
}

/// A loop that would go on beyond its bound.
#[derive(Clone, Copy, Debug)]
pub struct Excess {
    /// When.
    pub guard: Guard,
    /// The loop.
    pub at: LoopId,
    /// Where it stands.
    pub span: Span,
    /// Its bound.
    pub iterations: u32,
    /// Where that is in program order.
    pub when: When,
}

/// An iteration of a loop that the rest of the execution does not tell from none at all; see
/// `unroll/iterations.rs`.
#[derive(Clone, Debug)]
pub struct Silent {
    /// Control is at the end of the iteration, about to start the next.
    pub there: Guard,
    /// The iteration was silent; implies `there`.
    pub guard: Guard,
    /// The end of the iteration.
    pub when: When,
    /// Terms whose equality `guard` relies on: before and after the iteration. The second must be
    /// defined if the first is.
    pub compared: Vec<(TermId, TermId)>,
    /// Memory that it wrote to, though nobody reads that.
    pub written: Vec<Written>,
    /// The first event after it.
    pub next: usize,
}

/// An atomic section: its accesses are one step.
#[derive(Clone, Debug)]
pub struct AtomicSection {
    /// Its step.
    pub step: u32,
    /// When control is at its beginning.
    pub guard: Guard,
    /// Its beginning.
    pub begin: When,
    /// Where it ends.
    pub ends: Vec<(Guard, When)>,
    /// Its thread may stay in it for ever: at a failed assumption, a lock, or in a loop.
    pub may_stay: bool,
}

/// A point in the program order of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When {
    /// The thread.
    pub thread: usize,
    /// After everything up to this position.
    pub position: u32,
}

/// A program without calls and loops.
#[derive(Debug, Default)]
pub struct Unrolled {
    /// Terms and guards.
    pub terms: Terms,
    /// Threads; those that the program starts with come first.
    pub threads: Vec<Thread>,
    /// Objects, by their number.
    pub objects: Vec<Object>,
    /// Accesses; those of a thread in program order.
    pub events: Vec<Event>,
    /// Fences; those of a thread in program order.
    pub fences: Vec<Fence>,
    /// What may go wrong.
    pub wrongs: Vec<Wrong>,
    /// Where loops would go on.
    pub excesses: Vec<Excess>,
    /// Executions in which one of these holds do not count.
    pub dropped: Vec<Guard>,
    /// Iterations after which a thread need not go on: executions without them are like those
    /// with them.
    pub silent: Vec<Silent>,
    /// Atomic sections.
    pub sections: Vec<AtomicSection>,
    /// Assertions that control comes to: where each stands, and when it is looked at.
    pub assertions: Vec<(Span, Guard, When)>,
    /// What is observed, in the order of the program's observables.
    pub observed: Vec<TermId>,
    /// Where each of them is observed.
    pub observing: Vec<Vec<(Guard, When)>>,
    /// A thread may wait: for a lock, or by silent iterations of a loop.
    pub waits: bool,
    /// Accesses that take or free a mutex.
    pub mutexes: Vec<usize>,
    /// Objects may be used after their life has ended: they are freed or destroyed, or pointers to
    /// locals get out of their functions.
    pub ends_lives: bool,
    /// Numbers are printed, which may be undefined.
    pub prints_numbers: bool,
    /// Threads are joined or detached, each at most once.
    pub partings: Vec<Parting>,
    /// Functions that are called.
    pub functions: Vec<FunctionId>,
    /// Instructions gone through.
    pub instructions: u64,
}

/// The thread whose observed memory is read at the end.
pub const FINALLY: usize = usize::MAX;

impl Unrolled {
    /// The object that an address points into, by number, and how far.
    pub fn locate(&self, address: Word) -> Option<(usize, u64)> {
        let location = Address::from_word(address)?;
        let number = location.object.index();
        let object = self.objects.get(number)?;
        let offset = u64::from(location.offset);
        if object.size > 0 || number == 0 {
            return Some((number, offset));
        }
        // Empty objects keep the room of a large one before them.
        let large = (0..number)
            .rev()
            .find(|&before| self.objects[before].size > 0)?;
        let distance = ((number - large) as u64) << Address::OFFSET_BITS;
        match distance + offset < self.objects[large].size {
            true => Some((large, distance + offset)),
            false => Some((number, offset)),
        }
    }

    /// What is in memory at the start: a word, and which of its bits are undefined. `None` if
    /// there is no such location.
    pub fn initial(&self, program: &Program, address: Word, bytes: u32) -> Option<(Word, Word)> {
        let (number, offset) = self.locate(address)?;
        let object = &self.objects[number];
        if offset + u64::from(bytes) > object.size {
            return None;
        }
        if !object.zeroed {
            return Some((0, Word::MAX >> (64 - 8 * bytes)));
        }
        let Some(index) = object.of_program else {
            return Some((0, 0));
        };
        let object = &program.objects[index];
        let size = u64::from(object.cell.bytes());
        let byte = |offset: u64| {
            let cell = object.initial.get((offset / size) as usize).copied();
            cell.unwrap_or(0) >> (8 * (offset % size)) & 0xff
        };
        let bytes = (0..bytes).map(|number| byte(offset + u64::from(number)) << (8 * number));
        Some((bytes.fold(0, |word, byte| word | byte), 0))
    }
}
