//! C programs without calls: a fixed set of threads over cells.
//!
//! The machine with reorder boxes, which is the one for RMO, runs threads that are there
//! from the start, without calls, over objects of cells of one width. [`flatten`] makes such
//! a program of one that runs as a process, if it can:
//!
//! 1. `specialise` follows each thread's code from its first function on, into calls, with
//!    the values that it knows. Calls are inlined, counted loops unrolled, and branches that
//!    are decided disappear. Starting a thread makes one more thread of the program, which
//!    waits for a cell; `library` has what becomes of the library.
//! 2. What is found out that way — which locals never leave their thread, and which objects
//!    are never written — is used in another round, until there is nothing more to find.
//! 3. `waiting` cuts loops that only wait: what counts is their last iteration.
//! 4. `cells` finds out which objects every access may touch, and gives each object the
//!    one width that its cells can have.
//!
//! Whatever does not fit is refused, with the construct and where it stands ([`NotFlat`]).
//!
//! Deviations, each with the direction in which it errs:
//!
//! 1. Waiting for a thread or a lock gives the execution up where there is nothing to
//!    wait for any more, and so does a loop that waits. Executions that end
//!    in a deadlock or livelock do not count: these are **missed**.
//! 2. Registers and new objects start at zero, objects live for ever, and the alignment that
//!    an access promises is not checked. Uses of uninitialised values and of what has been
//!    freed or has gone out of scope, double frees, and joining twice are **missed**.
//! 3. Locals that never leave their thread are registers, and objects that are never written
//!    are constants, as a compiler has them; so locals that are never read are nothing.
//!    Orderings that only such an access carries (a fence for later loads, and the load of a
//!    constant) are lost: this **allows more**.
//! 4. An index that is off by a megabyte may hit another object, unnoticed: **missed**.

mod cells;
mod known;
mod library;
mod low_bits;
mod paths;
mod specialise;
mod steps;
mod waiting;

use known::Known;
use program::{
    Address, BlockId, Function, FunctionId, Object, ObjectId, ObjectKind, Observable,
    ObservedLocation, Operand, Program, Properties, RegisterId, Span, Thread, ThreadId, Width,
};
use specialise::Specialiser;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Why a program cannot be made flat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFlat {
    /// What stands in the way.
    pub message: String,
    /// Where it stands.
    pub span: Span,
}

impl fmt::Display for NotFlat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NotFlat {}

fn refuse<T>(message: impl Into<String>, span: Span) -> Result<T, NotFlat> {
    let message = message.into();
    Err(NotFlat { message, span })
}

/// Objects through which threads start and end each other. They come right behind those of the program.
pub const SIGNALS: usize = 4;

/// Rounds of finding out more. Each uses what the one before found out; any number is sound, as long as what the last one took for private is.
const ROUNDS: usize = 4;
const MOST_THREADS: usize = 64;

/// What becomes of counted loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loops {
    /// Each iteration is code of its own, up to a number of them.
    Unrolled,
    /// They stay loops, but for those of the first thread, which starts the others.
    Kept,
}

/// What one round has found out for the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Facts {
    /// What is known at points that are reached with different values, where loops are kept.
    general: BTreeMap<GeneralPoint, Known>,
    /// Objects of the program that are never written.
    constant: BTreeSet<ObjectId>,
    /// Locals that never leave their thread.
    private: BTreeSet<MadeAt>,
}

/// The program without calls, if it can be had. What it observes and where its code
/// comes from is as before, and so are the objects that it starts with.
pub fn flatten(program: &Program) -> Result<Program, NotFlat> {
    flatten_with(program, Loops::Unrolled)
}

/// The same with loops as they are, for engines that know what a loop is: a counter is not followed from one value to the
/// next. More programs are refused.
pub fn flatten_keeping_loops(program: &Program) -> Result<Program, NotFlat> {
    flatten_with(program, Loops::Kept)
}

fn flatten_with(program: &Program, loops: Loops) -> Result<Program, NotFlat> {
    if program.properties != Properties::default() {
        return refuse("a condition on states", Span::NOWHERE);
    }
    let mut facts = Facts::default();
    let mut exposed: BTreeSet<MadeAt> = BTreeSet::new();
    let mut round = 1;
    loop {
        let mut draft = Draft::new(program, loops);
        draft.general.clone_from(&facts.general);
        draft.make_threads(&facts)?;
        let general = std::mem::take(&mut draft.general);
        let (mut flat, locals) = draft.finish()?;
        cells::drop_unread(&mut flat, program.objects.len());
        let analysis = cells::Analysis::of(&flat);
        let (private, public) = analysis.private(&locals);
        // Locals that this round has made registers of, though it uses their addresses: it is done again.
        if facts.private.iter().any(|made| public.contains(made)) {
            facts.private.retain(|made| !public.contains(made));
            exposed.extend(public);
            continue;
        }
        let found = Facts {
            general,
            constant: analysis.never_written(program.objects.len()),
            private: private.difference(&exposed).copied().collect(),
        };
        if found == facts || round == ROUNDS {
            waiting::cut(&mut flat);
            return cells::lay_out(flat);
        }
        facts = found;
        round += 1;
    }
}

/// A point of the source in a chain of calls of a thread: thread, frame, block, instruction.
type GeneralPoint = (usize, usize, BlockId, usize);

/// Where a local is made: function, block and instruction.
type MadeAt = (FunctionId, BlockId, usize);

/// A local: its object, and where it is made.
struct Local {
    object: ObjectId,
    made_at: MadeAt,
}

/// A thread that the program starts, or its first.
struct Start {
    name: String,
    function: FunctionId,
    /// Its argument, if it is known; else it comes through a cell. The first thread has none.
    argument: Option<Operand>,
    span: Span,
}

/// The objects through which threads start and end each other: eight bytes per handle.
#[derive(Clone, Copy)]
struct Signals {
    started: ObjectId,
    ended: ObjectId,
    argument: ObjectId,
    result: ObjectId,
}

/// The flat program while it is made. Objects are rows of bytes until the end.
struct Draft<'p> {
    program: &'p Program,
    live: Vec<program::LiveRegisters>,
    objects: Vec<Object>,
    signals: Signals,
    starts: Vec<Start>,
    functions: Vec<Function>,
    locals: Vec<Local>,
    /// Who observes under a name: its number, the thread and its register.
    observers: Vec<Option<(usize, RegisterId)>>,
    loops: Loops,
    general: BTreeMap<GeneralPoint, Known>,
}

impl<'p> Draft<'p> {
    fn new(program: &'p Program, loops: Loops) -> Self {
        let functions = (0..program.functions.len()).map(FunctionId::from);
        let mut draft = Draft {
            program,
            live: functions
                .map(|function| program.live_registers(function))
                .collect(),
            objects: program.objects.clone(),
            signals: Signals {
                started: ObjectId(0),
                ended: ObjectId(0),
                argument: ObjectId(0),
                result: ObjectId(0),
            },
            starts: Vec::new(),
            functions: Vec::new(),
            locals: Vec::new(),
            observers: vec![None; program.observed.len()],
            loops,
            general: BTreeMap::new(),
        };
        let mut signal = |name: &str| draft.add_object(name, 0, Span::NOWHERE);
        draft.signals = Signals {
            started: signal("started"),
            ended: signal("ended"),
            argument: signal("argument"),
            result: signal("result"),
        };
        draft
    }

    /// A new object of this many bytes, all zero.
    fn add_object(&mut self, name: &str, bytes: u32, span: Span) -> ObjectId {
        let taken = |name: &str| self.objects.iter().any(|object| object.name == name);
        let mut names = (2..).map(|number| format!("{name} {number}"));
        let name = match taken(name) {
            false => name.to_owned(),
            true => names.find(|name| !taken(name)).unwrap_or_default(),
        };
        self.objects.push(Object {
            name,
            cell: Width::W8,
            initial: Vec::new(),
            zeros: bytes,
            kind: ObjectKind::Shared,
            layout: None,
            signed: true,
            span,
        });
        ObjectId::from(self.objects.len() - 1)
    }

    fn make_threads(&mut self, facts: &Facts) -> Result<(), NotFlat> {
        let [main] = self.program.threads.as_slice() else {
            return refuse("several threads at the start", Span::NOWHERE);
        };
        self.starts.push(Start {
            name: main.name.clone(),
            function: main.function,
            argument: None,
            span: Span::NOWHERE,
        });
        while self.functions.len() < self.starts.len() {
            let start = &self.starts[self.functions.len()];
            if self.functions.len() >= MOST_THREADS {
                let message = format!("more than {MOST_THREADS} threads");
                return refuse(message, start.span);
            }
            let function = Specialiser::new(self, facts).thread()?;
            self.functions.push(function);
        }
        Ok(())
    }

    /// The program, and its locals.
    fn finish(mut self) -> Result<(Program, Vec<Local>), NotFlat> {
        let room = 8 * (self.starts.len() as u32 + 1);
        let Signals {
            started,
            ended,
            argument,
            result,
        } = self.signals;
        for signal in [started, ended, argument, result] {
            self.objects[signal.index()].zeros = room;
        }
        let program = self.program;
        let observed = program.observed.iter().zip(&self.observers);
        let observed = observed.map(|(observable, observer)| match observable.location {
            ObservedLocation::Observation => Ok(Observable {
                // What nobody observes is as a register that nobody writes: the first of
                // the first thread, which is kept for it.
                location: match *observer {
                    Some((thread, register)) => ObservedLocation::Register(thread.into(), register),
                    None => ObservedLocation::Register(0usize.into(), RegisterId(0)),
                },
                ..observable.clone()
            }),
            ObservedLocation::Memory(_) | ObservedLocation::Register(..) => {
                refuse(format!("{} as an outcome", observable.name), Span::NOWHERE)
            }
        });
        let observed = observed.collect::<Result<_, _>>()?;
        let threads = self.starts.iter().enumerate();
        let threads = threads.map(|(index, start)| Thread {
            name: start.name.clone(),
            function: FunctionId::from(index),
            initial: Vec::new(),
        });
        let flat = Program {
            name: program.name.clone(),
            process: false,
            source: program.source.clone(),
            included: program.included.clone(),
            allocations: Vec::new(),
            types: Vec::new(),
            threads: threads.collect(),
            objects: self.objects,
            functions: self.functions,
            observed,
            properties: Properties::default(),
        };
        Ok((flat, self.locals))
    }

    /// The location of a thread's signal.
    fn signal(&self, object: ObjectId, thread: usize) -> Operand {
        let offset = 8 * handle(thread) as u32;
        Operand::Address(Address { object, offset })
    }
}

/// What `pthread_self` returns in the thread of this number.
fn handle(thread: usize) -> u64 {
    ThreadId::from(thread).handle()
}
