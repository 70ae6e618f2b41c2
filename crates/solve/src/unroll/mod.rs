//! Programs without calls and loops: what the threads do, as far as the bounds go.
//!
//! [`unroll`] follows every thread's code symbolically, into calls and around loops, and
//! keeps what comes of it: the accesses of memory in program order, each with the
//! [guard](crate::guard) under which it happens and [terms](crate::term) for its address and
//! value; fences; what may go wrong; what is observed. Where branches meet again, values are
//! selected by guard, so the result is as large as the code, not as its paths (the
//! thread-local formulas of CheckFence, section 3.2.1).
//!
//! A loop goes round at most as often as its bound says. What would go further is kept as
//! [`Excess`], so that bounds can grow where they must (section 3.3).
//!
//! A turn of a loop is *silent* if it writes nothing to memory that was not there, and leaves
//! every register as it was that the next turn reads. Without it the execution is the same
//! for everybody else, so executions with silent turns are left out: a thread that waits
//! waits by not being there yet. This is the paper's reduction of spin loops, decided for each
//! turn by itself.

mod code;
mod flow;
mod frame;
mod instructions;
mod library;
mod turns;

use crate::guard::Guard;
use crate::term::{EventId, TermId, Terms};
use code::Code;
use instructions::{Access, At};
use memory::Model;
use program::{
    Address, Fault, FaultKind, FunctionId, ObjectKind, Orderings, Place, Program, Span, Width, Word,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;
use turns::Maybe;

pub use instructions::Value;
pub use library::handle;

/// What cannot be unrolled, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUnrolled {
    /// What stands in the way.
    pub message: String,
    /// Where.
    pub span: Span,
}

impl fmt::Display for NotUnrolled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NotUnrolled {}

type Result<T> = std::result::Result<T, NotUnrolled>;

fn refuse<T>(message: impl Into<String>, span: Span) -> Result<T> {
    let message = message.into();
    Err(NotUnrolled { message, span })
}

/// A loop, at one place in the calls and turns around it. The same in every unrolling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u64);

/// How often loops may go round: once, but for those that are known to need more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turns(FxHashMap<LoopId, u32>);

impl Turns {
    /// How often a loop may go round.
    pub fn of(&self, at: LoopId) -> u32 {
        self.0.get(&at).copied().unwrap_or(1)
    }

    /// Lets a loop go round once more.
    pub fn grow(&mut self, at: LoopId) {
        let turns = self.of(at) + 1;
        self.0.insert(at, turns);
    }

    /// The most that any loop may go round.
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
    /// Its place in program order, among the thread's events and fences.
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
    /// Its place in program order.
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
    /// It is a local of a function.
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
    /// Its place in program order.
    pub position: u32,
    /// What.
    pub what: Failure,
}

/// What may go wrong.
#[derive(Clone, Debug)]
pub enum Failure {
    /// Being there is wrong.
    Fault(Fault),
    /// A term of which some bit is undefined, used as this.
    Undefined(TermId, &'static str),
    /// A division of these numbers of this width has no result.
    Division(program::Binary, Width, TermId, TermId),
    /// An event's address is no place that it may access.
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
    /// How often it may go round.
    pub turns: u32,
    /// Where that is in program order.
    pub when: When,
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
    /// Executions in which one of these holds are left out: others are like them.
    pub silent: Vec<(Guard, When)>,
    /// What is observed, in the order of the program's observables.
    pub observed: Vec<TermId>,
    /// Where each of them is observed.
    pub observing: Vec<Vec<(Guard, When)>>,
    /// Choices, in the order in which they were made: thread, place, value, when.
    pub choices: Vec<(usize, Span, TermId, Guard)>,
    /// A thread may wait: for a lock, or by silent turns of a loop.
    pub waits: bool,
    /// Objects may be used after their life has ended: they are freed, or pointers to locals
    /// get out of their functions.
    pub ends_lives: bool,
    /// Instructions gone through.
    pub instructions: u64,
}

/// Unrolls a program, for a model, within bounds.
pub fn unroll(program: &Program, model: Model, turns: &Turns) -> Result<Unrolled> {
    let mut unroller = Unroller {
        program,
        model,
        turns,
        code: Code::new(program),
        unrolled: Unrolled::default(),
        position: 0,
        steps: 0,
        observations: vec![Vec::new(); program.observed.len()],
        observers: vec![None; program.observed.len()],
        decided: vec![Dependences::new(); program.threads.len()],
        own: FxHashMap::default(),
        calls: Vec::new(),
        depth: 0,
        noise: 0,
        heap: 0,
        early: Vec::new(),
        maybe_silent: Vec::new(),
        handed_over: Vec::new(),
        mentioned: FxHashMap::default(),
    };
    unroller.objects();
    for thread in 0..program.threads.len() {
        let start = &program.threads[thread];
        unroller.unrolled.threads.push(Thread {
            name: start.name.clone(),
            ended: Guard::FALSE,
            result: None,
        });
    }
    for thread in 0..program.threads.len() {
        unroller.root(thread)?;
    }
    unroller.observe_memory();
    unroller.finish();
    Ok(unroller.unrolled)
}

/// What follows the code.
struct Unroller<'a> {
    program: &'a Program,
    model: Model,
    turns: &'a Turns,
    code: Code<'a>,
    unrolled: Unrolled,
    position: u32,
    steps: u32,
    /// What was observed under each name, in program order.
    observations: Vec<Vec<(Guard, TermId, When)>>,
    /// Which thread observes each name.
    observers: Vec<Option<usize>>,
    /// The loads that each thread's branches so far were decided by.
    decided: Vec<Dependences>,
    /// Each thread's own copies of per-thread objects.
    own: FxHashMap<(usize, usize), usize>,
    /// The calls that lead to here, for the names of loops.
    calls: Vec<u32>,
    /// How many of them are nested.
    depth: usize,
    /// Number of things so far that a turn must not have done to be silent.
    noise: u32,
    /// Number of heap objects.
    heap: u32,
    /// Threads that end before their function does.
    early: Vec<(usize, Guard, TermId)>,
    /// Turns that may be silent.
    maybe_silent: Vec<Maybe>,
    /// Arguments of new threads: who hands them over, and when.
    handed_over: Vec<(usize, TermId, Guard)>,
    /// The objects that terms mention.
    mentioned: FxHashMap<TermId, Rc<BTreeSet<Word>>>,
}

/// The thread whose observed memory is read at the end.
pub const FINALLY: usize = usize::MAX;

impl Unroller<'_> {
    fn objects(&mut self) {
        let objects = self.program.objects.iter().enumerate();
        self.unrolled.objects = objects
            .map(|(index, object)| Object {
                name: object.name.clone(),
                size: object.size(),
                of_program: Some(index),
                local: false,
                zeroed: true,
                kind: object.kind,
                layout: object.layout,
                span: object.span,
            })
            .collect();
    }

    /// A new object, and its address.
    fn make(&mut self, object: Object) -> Word {
        // An object that is larger than the room of one is followed by empty ones.
        let room = 1u64 << Address::OFFSET_BITS;
        let more = object.size / room;
        let number = self.unrolled.objects.len();
        let empty = Object {
            size: 0,
            ..object.clone()
        };
        self.unrolled.objects.push(object);
        for _ in 0..more {
            self.unrolled.objects.push(empty.clone());
        }
        Address::of(program::ObjectId::from(number)).to_word()
    }

    /// Follows a thread that is there from the start.
    fn root(&mut self, thread: usize) -> Result<()> {
        let start = &self.program.threads[thread];
        let function = start.function;
        let code = &self.program.functions[function.index()];
        let mut registers = Vec::with_capacity(code.registers.len());
        for register in &code.registers {
            let term = match self.program.process {
                true => self
                    .unrolled
                    .terms
                    .term(crate::term::Term::Undefined, register.width),
                false => self.unrolled.terms.constant(0, register.width),
            };
            registers.push(Value::new(term));
        }
        for &(register, word) in &start.initial {
            let width = code.registers[register.index()].width;
            registers[register.index()] = Value::new(self.unrolled.terms.constant(word, width));
        }
        let end = self.call(thread, function, registers, Guard::TRUE, None)?;
        self.ends(thread, end.guard, None);
        for (index, observable) in self.program.observed.iter().enumerate() {
            if let Place::Register(of, register) = observable.place
                && of.index() == thread
            {
                let value = end.registers.get(register.index()).map(|value| value.term);
                let position = self.position;
                let when = When { thread, position };
                self.observations[index].extend(value.map(|term| (end.guard, term, when)));
            }
        }
        Ok(())
    }

    /// A thread comes to the end of its function then, unless it ends before.
    fn ends(&mut self, thread: usize, guard: Guard, mut result: Option<TermId>) {
        let terms = &mut self.unrolled.terms;
        let mut ended = guard;
        for &(_, early, value) in self.early.iter().filter(|(of, ..)| *of == thread) {
            ended = terms.guards.or(ended, early);
            let value = terms.copy(value, Width::W64);
            result = Some(match result {
                None => value,
                Some(other) => {
                    let other = terms.copy(other, Width::W64);
                    terms.select(early, value, other)
                }
            });
        }
        self.unrolled.threads[thread].ended = ended;
        self.unrolled.threads[thread].result = result;
        self.drop_silent_turns(thread);
    }

    /// Reads observed memory at the end, when everything has reached it.
    fn observe_memory(&mut self) {
        for (index, observable) in self.program.observed.iter().enumerate() {
            let Place::Memory(address) = observable.place else {
                continue;
            };
            let address = self.unrolled.terms.constant(address.to_word(), Width::W64);
            let width = observable.width;
            let at = At {
                thread: FINALLY,
                span: Span::NOWHERE,
                guard: Guard::TRUE,
                section: None,
            };
            let access = Access {
                address: Value::new(address),
                width,
                alignment: 0,
                loads: true,
            };
            let value = self.access(at, access, None);
            let when = When {
                thread: FINALLY,
                position: self.position,
            };
            self.observations[index].push((Guard::TRUE, value.term, when));
        }
    }

    fn finish(&mut self) {
        for (index, observable) in self.program.observed.iter().enumerate() {
            let width = observable.width;
            let mut value = self.unrolled.terms.constant(0, width);
            for &(guard, term, _) in &self.observations[index] {
                let term = self.unrolled.terms.copy(term, width);
                value = self.unrolled.terms.select(guard, term, value);
            }
            self.unrolled.observed.push(value);
            let observing = self.observations[index].iter();
            let observing = observing.map(|&(guard, _, when)| (guard, when)).collect();
            self.unrolled.observing.push(observing);
        }
    }

    fn fail(&mut self, thread: usize, span: Span, guard: Guard, what: Failure) {
        if guard == Guard::FALSE {
            return;
        }
        self.position += 1;
        let position = self.position;
        self.unrolled.wrongs.push(Wrong {
            guard,
            thread,
            span,
            position,
            what,
        });
    }

    fn fault(&mut self, thread: usize, span: Span, guard: Guard, kind: FaultKind, text: &str) {
        self.fail(thread, span, guard, Failure::Fault(Fault::new(kind, text)));
    }

    /// The function that an address stands for.
    fn function_at(&self, word: Word) -> Option<FunctionId> {
        let address = Address::from_word(word).filter(|address| address.offset == 0)?;
        match self.unrolled.objects.get(address.object.index())?.kind {
            ObjectKind::Code(function) => Some(function),
            _ => None,
        }
    }
}

impl Unrolled {
    /// The object that an address points into, by number, and how far.
    pub fn locate(&self, address: Word) -> Option<(usize, u64)> {
        let place = Address::from_word(address)?;
        let number = place.object.index();
        let object = self.objects.get(number)?;
        let offset = u64::from(place.offset);
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
    /// there is no such place.
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
