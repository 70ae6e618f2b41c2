//! A program laid out to be run: every function's code in one row of small operations,
//! with the fences that memory orders become under a model, and marks at loops.

use super::library::watches_end;
use super::loops::{self, Loop};
use crate::Unsupported;
use answer::Warning;
use memory::{Buffering, Effects, Model};
use program::{
    AccessKind, Address, Binary, BlockId, Callee, Conversion, Expression, Function, FunctionId,
    InFamily, InstructionKind, LiveAtStarts, MemoryOrder, ObjectKind, Operand, Orderings, Program,
    RegisterId, RegisterSet, Routine, Span, Terminator, TypeId, Unary, UpdateOp, Width, Word,
};
use std::collections::{BTreeSet, HashMap};
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
    pub fn place(self) -> Result<usize, usize> {
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
    /// The loop of this number starts another turn.
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
    /// Registers that turns hand on.
    pub carried: Vec<u32>,
    /// A turn may change nothing.
    pub may_wait: bool,
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
            Buffering::None | Buffering::PerThread | Buffering::PerPlace => {
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
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::from(index);
            let mut layout = Layout {
                image: &mut image,
                constants: &mut constants,
                names: &names,
                id,
                function,
                assertions: &mut assertions,
                failing: Vec::new(),
                starts: vec![0; function.blocks.len()],
                patches: Vec::new(),
            };
            layout.function();
        }
        image.assertions = Arc::new(assertions);
        image
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

/// Lays one function out.
struct Layout<'a> {
    image: &'a mut Image,
    constants: &'a mut HashMap<Word, i32>,
    names: &'a HashMap<&'a str, u32>,
    id: FunctionId,
    function: &'a Function,
    assertions: &'a mut Vec<Assertion>,
    /// For each block in which an assertion fails, the assertion's number.
    failing: Vec<Option<u32>>,
    /// Where each block starts.
    starts: Vec<Pc>,
    /// Jumps to be filled in: the operation, which of its targets, the block.
    patches: Vec<(Pc, Target, BlockId)>,
}

/// Which target of an operation.
#[derive(Clone, Copy)]
enum Target {
    Jump,
    Then,
    Otherwise,
    Case(Option<usize>),
}

const NOT_LIVE_KNOWN: u32 = u32::MAX;

impl Layout<'_> {
    fn function(&mut self) {
        let live = LiveAtStarts::of(self.function);
        let found = loops::loops(self.function, &live);
        let first_loop = self.image.loops.len() as u32;
        for each in &found {
            let header = &self.function.blocks[each.header.index()];
            let spans = header.instructions.iter().map(|i| i.span);
            let mut spans = spans.chain([header.terminator_span]);
            let span = spans.find(|span| *span != Span::NOWHERE);
            self.image.has_loop |= !each.may_wait;
            self.image.loops.push(LoopMark {
                carried: each.carried.iter().map(|r| r.0).collect(),
                may_wait: each.may_wait,
                span: span.unwrap_or(Span::NOWHERE),
            });
        }
        self.image.functions.push(Entry {
            name: self.function.name.clone(),
            start: self.image.ops.len() as Pc,
            registers: self.function.registers.len() as u32,
            parameters: self.function.parameters,
        });
        let function = self.function;
        for block in &function.blocks {
            let failure = block.instructions.iter().find(|i| fails(&i.kind));
            let number = failure.map(|failure| self.assertion(failure.span));
            self.failing.push(number);
        }
        for index in 0..self.function.blocks.len() {
            self.starts[index] = self.image.ops.len() as Pc;
            self.block(index, &live);
            let function = self.function;
            let block = &function.blocks[index];
            self.terminator(index, block, &found, first_loop, &live);
        }
        for (pc, target, block) in std::mem::take(&mut self.patches) {
            self.aim(pc, target, self.starts[block.index()]);
        }
    }

    /// The number of a new assertion.
    fn assertion(&mut self, span: Span) -> u32 {
        self.assertions.push(Assertion {
            span,
            function: self.id,
            reached: AtomicBool::new(false),
        });
        self.assertions.len() as u32 - 1
    }

    fn block(&mut self, index: usize, starts: &LiveAtStarts) {
        let function = self.function;
        let block = &function.blocks[index];
        // Live sets are only kept where a thread may stop: before accesses and calls.
        let mut live = starts.at_terminator(function, index);
        let mut kept = vec![NOT_LIVE_KNOWN; block.instructions.len()];
        for position in (0..block.instructions.len()).rev() {
            starts.step_back(function, index, position, &mut live);
            if Effects::of(&block.instructions[position].kind).stops {
                kept[position] = self.image.live.len() as u32;
                self.image.live.push(live.clone());
            }
        }
        for (instruction, live) in block.instructions.iter().zip(kept) {
            let first = self.image.ops.len();
            let assertion = match instruction.kind {
                InstructionKind::Assert { .. } => Some(self.assertion(instruction.span)),
                _ if fails(&instruction.kind) => self.failing[index],
                _ => None,
            };
            if let Some(number) = assertion {
                self.push(Op::Reach(number));
            }
            self.instruction(&instruction.kind);
            for _ in first..self.image.ops.len() {
                self.image.spans.push(instruction.span);
                self.image.live_at.push(live);
            }
        }
    }

    fn push(&mut self, op: Op) -> Pc {
        self.image.ops.push(op);
        self.image.ops.len() as Pc - 1
    }

    /// Gives a target of the operation at `pc` its place.
    fn aim(&mut self, pc: Pc, target: Target, to: Pc) {
        match (&mut self.image.ops[pc as usize], target) {
            (Op::Jump(at), _) | (Op::Branch(_, at, _), Target::Then) => *at = to,
            (Op::Branch(_, _, at), _) => *at = to,
            (Op::Switch(_, table), Target::Case(case)) => {
                let (cases, otherwise) = &mut self.image.switches[*table as usize];
                match case {
                    Some(case) => cases[case].1 = to,
                    None => *otherwise = to,
                }
            }
            _ => {}
        }
    }

    fn slot(&mut self, operand: Operand) -> Slot {
        let word = match operand {
            Operand::Register(register) => return Slot(register.0 as i32),
            Operand::Constant(word) => word,
            Operand::Address(address) => address.to_word(),
        };
        let constants = &mut self.image.constants;
        Slot(*self.constants.entry(word).or_insert_with(|| {
            constants.push(word);
            !(constants.len() as i32 - 1)
        }))
    }

    fn slots(&mut self, operands: &[Operand]) -> Range {
        let slots: Vec<Slot> = operands.iter().map(|operand| self.slot(*operand)).collect();
        let start = self.image.slots.len() as u32;
        let length = slots.len() as u32;
        self.image.slots.extend(slots);
        Range { start, length }
    }

    fn targets(&mut self, targets: &[RegisterId]) -> Range {
        let start = self.image.targets.len() as u32;
        let length = targets.len() as u32;
        self.image.targets.extend(targets.iter().map(|r| r.0));
        Range { start, length }
    }

    fn width(&self, register: RegisterId) -> Width {
        self.function.registers[register.index()].width
    }

    /// The fence of an access. A read-modify-write that waits for all stores anyway needs none.
    fn fence(&mut self, access: AccessKind, orderings: Orderings) {
        let drains = access == AccessKind::UPDATE && self.image.buffering() == Buffering::PerThread;
        let effective = self.image.model.effective(orderings);
        if !drains && !effective.is_empty() {
            self.push(Op::Fence(effective, false));
        }
    }

    fn assign(&mut self, target: RegisterId, value: Expression) -> Op {
        let to = self.width(target);
        match value {
            Expression::Copy(a) => Op::Copy(target.0, self.slot(a), to),
            Expression::SignExtend(from, a) => Op::SignExtend(target.0, self.slot(a), from, to),
            Expression::Unary(operation, width, a) => {
                Op::Unary(operation, width, target.0, self.slot(a))
            }
            Expression::Convert(conversion, from, a) => {
                Op::Convert(conversion, from, to, target.0, self.slot(a))
            }
            Expression::Binary(operation, width, a, b) => {
                Op::Binary(operation, width, target.0, self.slot(a), self.slot(b))
            }
            Expression::Select(a, b, c) => {
                Op::Select(target.0, self.slot(a), self.slot(b), self.slot(c))
            }
            Expression::Own(Address { object, offset }) => {
                Op::Own(target.0, self.image.own_rank[object.index()], offset)
            }
        }
    }

    fn instruction(&mut self, kind: &InstructionKind) {
        let effects = Effects::of(kind);
        if let Some(access) = effects.access {
            self.fence(access, effects.before);
        }
        self.operation(kind);
        if let Some(access) = effects.access {
            self.fence(access, effects.after);
        }
    }

    fn operation(&mut self, kind: &InstructionKind) {
        let access = |width: Width, access: program::Access| Access {
            size: width.bytes() as u8,
            alignment: access.alignment,
            order: access.order,
        };
        match kind {
            InstructionKind::Assign { target, value } => {
                let op = self.assign(*target, *value);
                self.push(op);
            }
            InstructionKind::Load {
                target,
                address,
                width,
                access: how,
            } => {
                let address = self.slot(*address);
                self.push(Op::Load(target.0, address, access(*width, *how)));
            }
            InstructionKind::Store {
                address,
                value,
                width,
                access: how,
            } => {
                let (address, value) = (self.slot(*address), self.slot(*value));
                self.push(Op::Store(address, value, access(*width, *how)));
            }
            InstructionKind::Update {
                target,
                operation,
                address,
                operand,
                width,
                access: how,
            } => {
                let (address, operand) = (self.slot(*address), self.slot(*operand));
                let access = access(*width, *how);
                self.push(Op::Update(*operation, target.0, address, operand, access));
            }
            InstructionKind::CompareExchange {
                target,
                address,
                expected,
                desired,
                width,
                access: how,
                failure,
                weak,
                succeeded,
            } => {
                let exchange = Exchange {
                    target: target.0,
                    succeeded: succeeded.map(|register| register.0),
                    address: self.slot(*address),
                    expected: self.slot(*expected),
                    desired: self.slot(*desired),
                    access: access(*width, *how),
                    failure: *failure,
                    weak: *weak,
                };
                let number = self.image.exchanges.len() as u32;
                self.image.exchanges.push(exchange);
                self.push(Op::Exchange(number));
            }
            InstructionKind::Fence(orderings) => {
                self.push(Op::Fence(*orderings, true));
            }
            InstructionKind::Call {
                targets,
                callee,
                arguments,
            } => {
                let arguments = self.slots(arguments);
                let targets = self.targets(targets);
                let op = match callee {
                    Callee::Function(function) => Op::Call(*function, arguments, targets),
                    Callee::Pointer(pointer) => {
                        Op::CallPointer(self.slot(*pointer), arguments, targets)
                    }
                    Callee::Routine(routine) => Op::Routine(*routine, arguments, targets),
                };
                self.push(op);
            }
            InstructionKind::Allocate {
                target,
                size,
                name,
                layout,
            } => {
                let size = self.slot(*size);
                let number = self.image.locals.len() as u32;
                self.image.locals.push(Local {
                    temporary: name.contains(' '),
                    name: name.clone(),
                    layout: *layout,
                });
                self.push(Op::Allocate(target.0, size, number));
            }
            InstructionKind::Assert { condition } => {
                let condition = self.slot(*condition);
                self.push(Op::Assert(condition));
            }
            InstructionKind::Assume { condition } => {
                let condition = self.slot(*condition);
                self.push(Op::Assume(condition));
            }
            InstructionKind::Choose { target, count } => {
                let count = self.slot(*count);
                self.push(Op::Choose(target.0, count));
            }
            InstructionKind::Observe { name, value } => {
                let value = self.slot(*value);
                if let Some(number) = self.names.get(name.as_str()) {
                    self.push(Op::Observe(*number, value));
                }
            }
            InstructionKind::AtomicBegin => {
                self.push(Op::AtomicBegin);
            }
            InstructionKind::AtomicEnd => {
                self.push(Op::AtomicEnd);
            }
        }
    }

    fn terminator(
        &mut self,
        index: usize,
        block: &program::Block,
        found: &[Loop],
        first_loop: u32,
        live: &LiveAtStarts,
    ) {
        let targets = block.terminator.successors();
        let mut reached: Vec<u32> = targets.filter_map(|to| self.failing[to.index()]).collect();
        reached.dedup();
        for number in reached {
            self.push(Op::Reach(number));
        }
        // Edges into or around loops go over marks, put behind the terminator.
        let mut marks: Vec<(Pc, Target, BlockId, Vec<Op>)> = Vec::new();
        let mut edge = |pc: Pc, target: Target, to: BlockId| {
            let mut ops = Vec::new();
            for (number, each) in found.iter().enumerate() {
                if each.header == to {
                    let number = first_loop + number as u32;
                    ops.push(match each.blocks[index] {
                        true => Op::RepeatLoop(number),
                        false => Op::EnterLoop(number),
                    });
                }
            }
            marks.push((pc, target, to, ops));
        };
        match &block.terminator {
            Terminator::Jump(to) => {
                let pc = self.push(Op::Jump(0));
                edge(pc, Target::Jump, *to);
            }
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.slot(*condition);
                let pc = self.push(Op::Branch(condition, 0, 0));
                edge(pc, Target::Then, *then);
                edge(pc, Target::Otherwise, *otherwise);
            }
            Terminator::Switch {
                value,
                cases,
                otherwise,
            } => {
                let value = self.slot(*value);
                let table = self.image.switches.len() as u32;
                let mut sorted = cases.clone();
                sorted.sort_by_key(|(word, _)| *word);
                sorted.dedup_by_key(|(word, _)| *word);
                let words = sorted.iter().map(|(word, _)| (*word, 0)).collect();
                self.image.switches.push((words, 0));
                let pc = self.push(Op::Switch(value, table));
                for (case, (_, to)) in sorted.iter().enumerate() {
                    edge(pc, Target::Case(Some(case)), *to);
                }
                edge(pc, Target::Case(None), *otherwise);
            }
            Terminator::Return(values) => {
                let values = self.slots(values);
                self.push(Op::Return(values));
            }
            Terminator::Unreachable => {
                self.push(Op::Unreachable);
            }
        }
        for (pc, target, to, ops) in marks {
            if ops.is_empty() {
                self.patches.push((pc, target, to));
                continue;
            }
            let here = self.image.ops.len() as Pc;
            self.image.live_at.resize(here as usize, NOT_LIVE_KNOWN);
            for op in ops {
                self.push(op);
            }
            let jump = self.push(Op::Jump(0));
            // A thread may wait here.
            for _ in here..=jump {
                self.image.live_at.push(self.image.live.len() as u32);
            }
            self.image.live.push(live.at_start(to).clone());
            self.patches.push((jump, Target::Jump, to));
            self.aim(pc, target, here);
        }
        let end = self.image.ops.len();
        self.image.spans.resize(end, block.terminator_span);
        self.image.live_at.resize(end, NOT_LIVE_KNOWN);
    }
}

/// True for the call with which an assertion fails.
fn fails(kind: &InstructionKind) -> bool {
    let InstructionKind::Call { callee, .. } = kind else {
        return false;
    };
    *callee == Callee::Routine(Routine::AssertFail)
}
