//! A program laid out to be run: every function's code in one row of small operations,
//! with the fences that memory orders become under a model, and marks at loops.

mod layout;
mod operations;

use self::layout::Layout;
use super::loops::functions_with_weak_exchanges;
use crate::Unsupported;
use crate::library::watches_end;
use answer::Warning;
use memory::{Buffering, Model};
use program::{
    Binary, Callee, Conversion, FunctionId, InFamily, InstructionKind, MemoryOrder, ObjectKind,
    Orderings, Program, RegisterSet, Routine, Span, TypeId, Unary, UpdateOp, Width, Word,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An index into [`Image::ops`].
pub type Pc = u32;

/// Where an operand is: a register of the frame, or below zero a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(i32);

impl Slot {
    /// The register, or else the constant's number.
    #[inline]
    pub fn resolve(self) -> Result<usize, usize> {
        if self.0 >= 0 {
            Ok(self.0 as usize)
        } else {
            Err(!self.0 as usize)
        }
    }
}

/// A stretch of one of the image's side tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range {
    start: u32,
    length: u32,
}

impl Range {
    /// As indices.
    #[inline]
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.length) as usize
    }
}

/// A memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Bytes accessed.
    pub size: u8,
    /// The address is a multiple of two to this power.
    pub alignment: u8,
    /// Its memory order.
    pub order: MemoryOrder,
}

/// Where an assertion stands, and whether an execution has come to it.
///
/// `assert` becomes a branch around a call that fails, so there "come to" means that the block was
/// run that decides. Flags are shared by all processes that run the image, and only ever
/// set.
#[derive(Debug)]
pub struct Assertion {
    span: Span,
    function: FunctionId,
    reached: AtomicBool,
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// An execution comes to the assertion of this number.
    Reach(u32),
    /// Copy, cut to a width.
    Copy(u32, Slot, Width),
    /// Sign-extend from a width to a width.
    SignExtend(u32, Slot, Width, Width),
    /// A unary operation.
    Unary(Unary, Width, u32, Slot),
    /// A conversion from a width to a width.
    Convert(Conversion, Width, Width, u32, Slot),
    /// A binary operation.
    Binary(Binary, Width, u32, Slot, Slot),
    /// The second slot if the first is not zero, else the third.
    Select(u32, Slot, Slot, Slot),
    /// The address of the thread's own copy: rank of the object, and offset.
    Own(u32, u32, u32),
    /// Load.
    Load(u32, Slot, Access),
    /// Store: address, value.
    Store(Slot, Slot, Access),
    /// Read-modify-write: address, operand.
    Update(UpdateOp, u32, Slot, Slot, Access),
    /// Compare and exchange: its number.
    Exchange(u32),
    /// A fence, and whether the program has it, not just the order of an access.
    Fence(Orderings, bool),
    /// Call a function: arguments, targets.
    Call(FunctionId, Range, Range),
    /// Call through a pointer.
    CallPointer(Slot, Range, Range),
    /// Call the library.
    Routine(Routine, Range, Range),
    /// Make a local: its number.
    Allocate(u32, Slot, u32),
    /// Fail if zero.
    Assert(Slot),
    /// Give up if zero.
    Assume(Slot),
    /// Choose below a bound.
    Choose(u32, Slot),
    /// Observe under a name: its number in the program's observables.
    Observe(u32, Slot),
    /// Run alone from here.
    AtomicBegin,
    /// Let others run.
    AtomicEnd,
    /// Go there.
    Jump(Pc),
    /// Go there if not zero, else there.
    Branch(Slot, Pc, Pc),
    /// Go where the table of this number says.
    Switch(Slot, u32),
    /// Return these.
    Return(Range),
    /// Never reached.
    Unreachable,
    /// The loop of this number is entered.
    EnterLoop(u32),
    /// The loop of this number starts another iteration.
    RepeatLoop(u32),
}

/// A compare-and-exchange.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    /// Register that receives the old value.
    pub target: u32,
    /// Register that receives whether it wrote.
    pub succeeded: Option<u32>,
    /// Address.
    pub address: Slot,
    /// Value expected.
    pub expected: Slot,
    /// Value written.
    pub desired: Slot,
    /// The access.
    pub access: Access,
    /// Its order where it does not write.
    pub failure: MemoryOrder,
    /// It may fail spuriously.
    pub weak: bool,
}

/// A function's code.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub start: Pc,
    /// Number of registers.
    pub registers: u32,
    /// Number of parameters.
    pub parameters: u32,
}

/// A local as the source declares it.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its layout.
    pub layout: Option<TypeId>,
    /// The compiler made it: its name is none that a program can give.
    pub temporary: bool,
}

/// A loop as the machine sees it.
#[derive(Clone, Debug)]
pub struct LoopMark {
    /// Registers that iterations hand on.
    pub carried: Vec<u32>,
    /// An iteration may change nothing.
    pub may_wait: bool,
    /// A weak compare-and-exchange is in it.
    pub has_weak_exchange: bool,
    /// Where it starts.
    pub span: Span,
}

/// A program laid out to be run under a model.
#[derive(Clone, Debug)]
pub struct Image {
    /// The program.
    pub program: Program,
    /// The model.
    pub model: Model,
    /// All code.
    pub ops: Vec<Op>,
    /// Where each operation comes from.
    pub spans: Vec<Span>,
    /// Which set of `live` holds when a thread stands before each operation.
    live_at: Vec<u32>,
    /// Sets of live registers.
    live: Vec<RegisterSet>,
    /// Read-modify-writes and calls of library functions whose results nothing depends on.
    unused: HashSet<Pc>,
    /// Nothing depends on what `pthread_barrier_wait` returns anywhere.
    pub arrivals_commute: bool,
    /// Functions by their id.
    pub functions: Vec<Entry>,
    /// Constants.
    pub constants: Vec<Word>,
    /// Arguments of calls and results of returns.
    pub slots: Vec<Slot>,
    /// Targets of calls.
    pub targets: Vec<u32>,
    /// Compare-and-exchanges.
    pub exchanges: Vec<Exchange>,
    /// Cases of switches, sorted, and where to go otherwise.
    pub switches: Vec<(Vec<(Word, Pc)>, Pc)>,
    /// Locals.
    pub locals: Vec<Local>,
    /// Loops.
    pub loops: Vec<LoopMark>,
    /// For each object, its rank among the per-thread ones.
    pub own_rank: Vec<u32>,
    /// Some loop is not just waiting.
    pub has_loop: bool,
    /// Some thread may give up.
    pub has_assumption: bool,
    /// The life of an object on the heap may end.
    pub frees: bool,
    /// Assertions, which [`Op::Reach`] counts.
    assertions: Arc<Vec<Assertion>>,
}

impl Image {
    /// True if the program can tell whether a thread has ended other than by waiting for it.
    pub(super) fn watches_ends(&self) -> bool {
        let watches = |routine: Routine| matches!(routine.in_family(), InFamily::Threads(routine) if watches_end(routine));
        let mut ops = self.ops.iter();
        ops.any(|op| matches!(op, Op::Routine(routine, ..) if watches(*routine)))
    }

    /// A program under a model that store buffers can do.
    pub fn with_buffers(program: &Program, model: Model) -> Result<Self, Unsupported> {
        match model.row().buffering {
            Buffering::None | Buffering::PerThread | Buffering::PerLocation => {
                Ok(Image::new(program, model))
            }
            Buffering::Everything => Err(Unsupported {
                what: "C programs under RMO",
                span: Span::NOWHERE,
            }),
            Buffering::NoMachine => Err(Unsupported::NO_MACHINE),
        }
    }

    /// How the model buffers stores.
    pub fn buffering(&self) -> Buffering {
        self.model.row().buffering
    }

    /// Lays a program out.
    pub fn new(program: &Program, model: Model) -> Self {
        let mut rank = 0;
        let own_rank = program.objects.iter().map(|object| {
            let own = object.kind == ObjectKind::PerThread;
            rank += u32::from(own);
            rank - u32::from(own)
        });
        let mut image = Image {
            program: program.clone(),
            model,
            ops: Vec::new(),
            spans: Vec::new(),
            live_at: Vec::new(),
            unused: HashSet::new(),
            arrivals_commute: false,
            live: Vec::new(),
            functions: Vec::new(),
            constants: Vec::new(),
            slots: Vec::new(),
            targets: Vec::new(),
            exchanges: Vec::new(),
            switches: Vec::new(),
            locals: Vec::new(),
            loops: Vec::new(),
            own_rank: own_rank.collect(),
            has_loop: false,
            has_assumption: false,
            frees: false,
            assertions: Arc::default(),
        };
        let mut assertions = Vec::new();
        let mut constants = HashMap::new();
        let names: HashMap<&str, u32> = program
            .observed
            .iter()
            .enumerate()
            .map(|(index, observable)| (observable.name.as_str(), index as u32))
            .collect();
        let weak = functions_with_weak_exchanges(&program.functions);
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::from(index);
            let mut layout = Layout {
                image: &mut image,
                constants: &mut constants,
                names: &names,
                id,
                function,
                weak: &weak,
                assertions: &mut assertions,
                failing: Vec::new(),
                starts: vec![0; function.blocks.len()],
                patches: Vec::new(),
            };
            layout.function();
        }
        image.assertions = Arc::new(assertions);
        let mut ops = image.ops.iter();
        image.frees = ops.any(|op| matches!(op, Op::Routine(Routine::Free | Routine::Realloc, ..)));
        let ops = image.ops.iter().enumerate();
        let mut arrivals =
            ops.filter(|(_, op)| matches!(op, Op::Routine(Routine::BarrierWait, ..)));
        image.arrivals_commute = arrivals.all(|(pc, _)| image.unused.contains(&(pc as Pc)));
        image
    }

    /// True if nothing that the program does depends on what the read-modify-write or the call at `pc` returns.
    pub(super) fn is_result_unused(&self, pc: Pc) -> bool {
        self.unused.contains(&pc)
    }

    /// Notes that an execution came to an assertion.
    #[inline]
    pub(super) fn reach(&self, assertion: u32) {
        let reached = &self.assertions[assertion as usize].reached;
        // Most often it is set already, and a load leaves the line with the other workers.
        if !reached.load(Ordering::Relaxed) {
            reached.store(true, Ordering::Relaxed);
        }
    }

    /// A warning for each assertion that no execution has come to, in functions that the program
    /// may call.
    pub fn unreached_assertions(&self) -> Vec<Warning> {
        let called = self.called();
        let reached = |assertion: &&Assertion| assertion.reached.load(Ordering::Relaxed);
        let (reached, open): (Vec<_>, Vec<_>) = self.assertions.iter().partition(reached);
        // A span may stand for several: what a compiler made copies of is one assertion.
        let reached: BTreeSet<Span> = reached.iter().map(|assertion| assertion.span).collect();
        let open = open.iter().filter(|open| called[open.function.index()]);
        let open: BTreeSet<Span> = open.map(|assertion| assertion.span).collect();
        let open = open.difference(&reached);
        open.filter(|span| **span != Span::NOWHERE)
            .map(|span| Warning {
                span: *span,
                message: "no execution reaches this assertion".to_owned(),
            })
            .collect()
    }

    /// Which functions the program may call: those of its threads, those whose address it
    /// takes, and what these call.
    fn called(&self) -> Vec<bool> {
        let program = &self.program;
        let threads = program.threads.iter().map(|thread| thread.function);
        let taken = program
            .objects
            .iter()
            .filter_map(|object| match object.kind {
                ObjectKind::Code(function) => Some(function),
                _ => None,
            });
        let mut open: Vec<FunctionId> = threads.chain(taken).collect();
        let mut called = vec![false; program.functions.len()];
        while let Some(function) = open.pop() {
            if std::mem::replace(&mut called[function.index()], true) {
                continue;
            }
            let blocks = program.functions[function.index()].blocks.iter();
            let instructions = blocks.flat_map(|block| &block.instructions);
            open.extend(
                instructions.filter_map(|instruction| match &instruction.kind {
                    InstructionKind::Call {
                        callee: Callee::Function(function),
                        ..
                    } => Some(*function),
                    _ => None,
                }),
            );
        }
        called
    }

    /// Which registers still matter to a thread that stands before `pc`.
    pub fn live(&self, pc: Pc) -> Option<&RegisterSet> {
        self.live.get(*self.live_at.get(pc as usize)? as usize)
    }

    /// The span of an operation.
    pub fn span(&self, pc: Pc) -> Span {
        self.spans
            .get(pc as usize)
            .copied()
            .unwrap_or(Span::NOWHERE)
    }
}
