//! A thread's code laid out flat, and memory as numbered cells: what the
//! machines of this crate run.

use answer::{AccessEvent, Event, MemoryAccess};
use memory::Effects;
use program::{
    AccessKind, Address, BlockId, Expression, Formula, FunctionId, InstructionKind, ObjectKind,
    ObservedLocation, Operand, Orderings, Position, Program, RegisterId, Span, Terminator,
    ThreadId, UpdateOp, Width, Word,
};
use thiserror::Error;

/// The program uses something that these machines do not run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("this engine does not run {what}")]
pub struct Unsupported {
    /// The construct.
    pub what: &'static str,
    /// Where it stands.
    pub span: Span,
}

impl Unsupported {
    /// The answer to a model [without a machine](memory::Buffering::NoMachine).
    pub const NO_MACHINE: Unsupported = Unsupported {
        what: "the model relaxed, which has axioms only",
        span: Span::NOWHERE,
    };
}

/// An index into a thread's code.
pub type Pc = u32;

/// A memory cell: its index in [`Cells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(pub u32);

/// The program's memory as a row of cells.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Address of each cell.
    pub addresses: Vec<Address>,
    /// Value of each cell at the start.
    pub initial: Vec<Word>,
    /// First cell, width and number of cells of each object.
    objects: Vec<(u32, Width, u32)>,
}

impl Cells {
    fn of(program: &Program) -> Result<Self, Unsupported> {
        let mut cells = Cells {
            addresses: Vec::new(),
            initial: Vec::new(),
            objects: Vec::new(),
        };
        for (index, object) in program.objects.iter().enumerate() {
            let what = match object.kind {
                ObjectKind::Shared if object.size() <= Address::MAX_OBJECT_SIZE.into() => None,
                ObjectKind::Shared => Some("objects of more than 4096 bytes"),
                ObjectKind::Constant => Some("constant objects"),
                ObjectKind::PerThread => Some("objects of which each thread has its own"),
                ObjectKind::Code(_) => Some("objects that stand for functions"),
            };
            if let Some(what) = what {
                let span = object.span;
                return Err(Unsupported { what, span });
            }
            let (first, count) = (cells.initial.len() as u32, object.cells() as u32);
            cells.objects.push((first, object.cell, count));
            cells.initial.extend(&object.initial);
            cells.initial.resize((first + count) as usize, 0);
            cells.addresses.extend((0..count).map(|cell| Address {
                object: index.into(),
                offset: cell * object.cell.bytes(),
            }));
        }
        Ok(cells)
    }

    /// The cell that an access of `width` to the address `word` touches; `None`
    /// if there is none of that width there.
    pub fn resolve(&self, word: Word, width: Width) -> Option<Cell> {
        let address = Address::from_word(word)?;
        let (first, cell, count) = *self.objects.get(address.object.index())?;
        let index = address.offset / cell.bytes();
        (cell == width && address.offset % cell.bytes() == 0 && index < count)
            .then_some(Cell(first + index))
    }

    /// The cell at an address of the program.
    pub fn at(&self, address: Address) -> Option<Cell> {
        let (_, width, _) = *self.objects.get(address.object.index())?;
        self.resolve(address.to_word(), width)
    }

    /// The width of a cell.
    pub fn width(&self, cell: Cell) -> Width {
        self.objects[self.address(cell).object.index()].1
    }

    /// The address of a cell.
    pub fn address(&self, cell: Cell) -> Address {
        self.addresses[cell.0 as usize]
    }
}

/// One operation of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Compute a value.
    Assign(RegisterId, Expression),
    /// Access memory; the address is the first operand.
    Access(Access),
    /// Order accesses.
    Fence(Orderings),
    /// Go to the first target if the operand is not zero, else to the second.
    Branch(Pc, Pc),
    /// Go there.
    Jump(Pc),
    /// Fail if the operand is zero.
    Assert,
    /// Give the execution up if the operand is zero.
    Assume,
    /// Choose a number below the bound.
    Choose(RegisterId, u32),
    /// The thread's end.
    End,
}

/// A memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// What it does to memory.
    pub effect: AccessEffect,
    /// Its width.
    pub width: Width,
}

/// What an access does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessEffect {
    /// Read into a register.
    Load(RegisterId),
    /// Write the second operand.
    Store,
    /// Read into a register and write what the operation makes of it and the
    /// second operand.
    Update(RegisterId, UpdateOp),
    /// Read into a register; write the third operand if the second was read.
    CompareExchange(RegisterId),
}

impl Access {
    /// Loads, stores, or both.
    pub fn kind(self) -> AccessKind {
        match self.effect {
            AccessEffect::Load(_) => AccessKind::LOAD,
            AccessEffect::Store => AccessKind::STORE,
            AccessEffect::Update(..) | AccessEffect::CompareExchange(_) => AccessKind::UPDATE,
        }
    }

    /// The register that receives the value read.
    pub fn target(self) -> Option<RegisterId> {
        match self.effect {
            AccessEffect::Store => None,
            AccessEffect::Load(target)
            | AccessEffect::Update(target, _)
            | AccessEffect::CompareExchange(target) => Some(target),
        }
    }

    /// What an execution shows of the access, given the value it read, whether that
    /// came from a waiting store, and what it wrote.
    pub(crate) fn event(
        self,
        location: Address,
        old: Word,
        forwarded: bool,
        written: Option<Word>,
    ) -> Event {
        let (kind, value, written) = match self.effect {
            AccessEffect::Load(_) if forwarded => (AccessEvent::Forward, old, None),
            AccessEffect::Load(_) => (AccessEvent::Load, old, None),
            AccessEffect::Store => (AccessEvent::Commit, written.unwrap_or_default(), None),
            AccessEffect::Update(..) | AccessEffect::CompareExchange(_) => {
                (AccessEvent::Update, old, written)
            }
        };
        Event::Access(MemoryAccess::of_cell(kind, location, value, written))
    }

    /// What the access writes, given the old value and its operands, address first.
    pub fn written(self, old: Word, operands: &[Word]) -> Option<Word> {
        match self.effect {
            AccessEffect::Load(_) => None,
            AccessEffect::Store => Some(self.width.truncate(operands[1])),
            AccessEffect::Update(_, operation) => {
                Some(operation.apply(self.width, old, self.width.truncate(operands[1])))
            }
            AccessEffect::CompareExchange(_) => {
                (old == self.width.truncate(operands[1])).then(|| self.width.truncate(operands[2]))
            }
        }
    }
}

/// A thread's code.
#[derive(Clone, Debug)]
pub struct Code {
    /// The operations.
    pub ops: Vec<Op>,
    /// What each operation reads.
    pub operands: Vec<Vec<Operand>>,
    /// Where each operation comes from.
    pub spans: Vec<Span>,
    /// Registers that nothing reads any more before each operation.
    pub dead: Vec<Vec<RegisterId>>,
    /// Which instruction of the program's text each operation is part of. One
    /// instruction may be several operations: the parts of an instruction of an
    /// assembly language, or an access with its fences.
    pub instructions: Vec<u32>,
    /// Whether the operation is the last of its instruction.
    pub ends: Vec<bool>,
    /// Where control comes to rest if it gets to each operation: falling into a label
    /// is no step, so control never rests there.
    pub(crate) rests: Vec<Pc>,
    /// For each instruction, whether it accesses memory by plain stores only.
    pub(crate) stores_only: Vec<bool>,
    /// Whether each operation comes from the same instruction of the program as the one
    /// before it.
    pub(crate) around: Vec<bool>,
    /// Where each block starts.
    pub starts: Vec<Pc>,
    /// Width of each register.
    pub widths: Vec<Width>,
    /// Values of the registers at the start.
    pub initial: Vec<Word>,
    /// Whether control can come back to where it was.
    pub has_loop: bool,
}

impl Code {
    fn of(program: &Program, thread: ThreadId) -> Result<Self, Unsupported> {
        let function = program.function_of(thread);
        let id: FunctionId = program.threads[thread.index()].function;
        let live = program.live_registers(id);
        let mut lowered = Vec::new();
        let mut starts = Vec::new();
        let mut length = 0;
        for block in &function.blocks {
            starts.push(length);
            let instructions = block.instructions.iter();
            let ops = instructions.map(|instruction| ops(&instruction.kind, instruction.span));
            let ops = ops.collect::<Result<Vec<_>, _>>()?;
            length += ops.iter().map(Vec::len).sum::<usize>() as Pc + 1;
            lowered.push(ops);
        }
        let mut code = Code {
            ops: Vec::new(),
            operands: Vec::new(),
            spans: Vec::new(),
            dead: Vec::new(),
            instructions: Vec::new(),
            ends: Vec::new(),
            rests: Vec::new(),
            stores_only: Vec::new(),
            around: Vec::new(),
            starts,
            widths: function.registers.iter().map(|r| r.width).collect(),
            initial: vec![0; function.registers.len()],
            has_loop: function.has_loop(),
        };
        for (register, value) in &program.threads[thread.index()].initial {
            code.initial[register.index()] = *value;
        }
        for (number, (block, lowered)) in function.blocks.iter().zip(lowered).enumerate() {
            let dead = |position: usize| -> Vec<RegisterId> {
                let live = live.before(number, position);
                let registers = (0..function.registers.len()).map(RegisterId::from);
                registers.filter(|r| !live.contains(*r)).collect()
            };
            for (position, ops) in lowered.into_iter().enumerate() {
                let instruction = &block.instructions[position];
                let mut before = position;
                for (part, op) in ops.into_iter().enumerate() {
                    // The fences of an access read nothing; those behind it come when
                    // what the access read last is dead.
                    let fence = matches!(op, Op::Fence(_));
                    let operands = match fence {
                        true => Vec::new(),
                        false => instruction.kind.operands().collect(),
                    };
                    code.push(op, operands, instruction.span, dead(before));
                    code.around.push(part > 0);
                    before += usize::from(!fence);
                }
            }
            let (op, operands) = code.terminator(&block.terminator, block.terminator_span)?;
            let last = block.instructions.len();
            code.push(op, operands, block.terminator_span, dead(last));
            code.around.push(false);
        }
        code.find_instructions();
        code.find_rests();
        Ok(code)
    }

    fn push(&mut self, op: Op, operands: Vec<Operand>, span: Span, dead: Vec<RegisterId>) {
        self.ops.push(op);
        self.operands.push(operands);
        self.spans.push(span);
        self.dead.push(dead);
    }

    /// True if `pc` is the thread's end.
    pub(crate) fn is_end(&self, pc: Pc) -> bool {
        matches!(self.ops[pc as usize], Op::End)
    }

    /// True if the instruction at `pc` is the one at a position. A thread stays there
    /// until it has executed the whole instruction.
    pub(crate) fn is_at(&self, pc: Pc, position: &Position) -> bool {
        match position {
            Position::Label(block, _) => {
                self.is_same_instruction(pc, self.rest(self.starts[block.index()]))
            }
            Position::End => self.is_end(pc),
        }
    }

    fn terminator(
        &self,
        terminator: &Terminator,
        span: Span,
    ) -> Result<(Op, Vec<Operand>), Unsupported> {
        let start = |block: BlockId| self.starts[block.index()];
        let what = match *terminator {
            Terminator::Jump(target) => return Ok((Op::Jump(start(target)), vec![])),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => return Ok((Op::Branch(start(then), start(otherwise)), vec![condition])),
            Terminator::Return(_) => return Ok((Op::End, vec![])),
            Terminator::Switch { .. } => "a switch",
            Terminator::Unreachable => "code that must not be reached",
        };
        Err(Unsupported { what, span })
    }
}

/// What an instruction becomes: one operation, with fences around it if it is an access
/// of a memory order that has them.
fn ops(kind: &InstructionKind, span: Span) -> Result<Vec<Op>, Unsupported> {
    let op = operation(kind).map_err(|what| Unsupported { what, span })?;
    let Effects { before, after, .. } = match op {
        Op::Access(_) => Effects::of(kind),
        _ => return Ok(vec![op]),
    };
    let fence = |orderings: Orderings| (!orderings.is_empty()).then_some(Op::Fence(orderings));
    let ops = [fence(before), Some(op), fence(after)];
    Ok(ops.into_iter().flatten().collect())
}

/// The operation of an instruction, or what is not run here.
fn operation(kind: &InstructionKind) -> Result<Op, &'static str> {
    use InstructionKind::*;
    let access = |effect: AccessEffect, width: Width, access: program::Access| {
        let natural = width.bytes().trailing_zeros();
        if u32::from(access.alignment) > natural {
            return Err("an access that is aligned to more than its width");
        }
        Ok(Op::Access(Access { effect, width }))
    };
    match *kind {
        Assign { target, value } => match value {
            Expression::Own(_) => Err("objects of which each thread has its own"),
            _ if value.may_fail() => Err("division"),
            _ => Ok(Op::Assign(target, value)),
        },
        Load {
            target,
            width,
            access: how,
            ..
        } => access(AccessEffect::Load(target), width, how),
        Store {
            width, access: how, ..
        } => access(AccessEffect::Store, width, how),
        Update {
            target,
            operation,
            width,
            access: how,
            ..
        } => access(AccessEffect::Update(target, operation), width, how),
        CompareExchange { weak: true, .. } => Err("a weak compare-and-exchange"),
        CompareExchange {
            succeeded: Some(_), ..
        } => Err("a compare-and-exchange that tells whether it wrote"),
        CompareExchange {
            target,
            width,
            access: how,
            ..
        } => access(AccessEffect::CompareExchange(target), width, how),
        Fence(orderings) => Ok(Op::Fence(orderings)),
        Assert { .. } => Ok(Op::Assert),
        Assume { .. } => Ok(Op::Assume),
        Choose {
            target,
            count: Operand::Constant(count),
        } => match u32::try_from(count) {
            Ok(count) => Ok(Op::Choose(target, count)),
            Err(_) => Err("a choice among more than 2^32 values"),
        },
        Choose { .. } => Err("a choice among a number of values that is computed"),
        Call { .. } => Err("a call"),
        Allocate { .. } => Err("dynamic memory"),
        Observe { .. } => Err("observing a value on the way"),
        AtomicBegin | AtomicEnd => Err("an atomic section"),
    }
}

/// What must be seen of a thread in states other than final ones. Through the rest,
/// as far as no other thread can see it, the thread may run ahead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// Registers that a property speaks of.
    pub registers: Vec<RegisterId>,
    /// Positions that a property speaks of.
    pub positions: Vec<Position>,
    /// Every single step.
    pub every_step: bool,
}

impl Watch {
    /// True if the thread may run ahead through everything.
    pub fn is_nothing(&self) -> bool {
        *self == Watch::default()
    }
}

fn insert<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// A program ready to run: every thread's code, and memory.
#[derive(Clone, Debug)]
pub struct Executable {
    /// Each thread's code.
    pub threads: Vec<Code>,
    /// Memory.
    pub cells: Cells,
    /// What must be seen of each thread.
    pub watches: Vec<Watch>,
    /// States are left as they are, though registers that nothing reads differ.
    pub plain: bool,
}

impl Executable {
    const MOST_THREADS: usize = 1000;

    /// Lays `program` out.
    pub fn new(program: &Program) -> Result<Self, Unsupported> {
        if program.threads.len() > Self::MOST_THREADS {
            return Err(Unsupported {
                what: "more than 1000 threads",
                span: Span::NOWHERE,
            });
        }
        let properties = &program.properties;
        let condition = properties.condition.iter().map(|c| &c.property.formula);
        let formulas = properties.formulas_of_all_states();
        let formulas = formulas.chain(condition).chain(&properties.filter);
        let mut observed = formulas
            .flat_map(Formula::observables)
            .chain(&program.observed);
        if observed.any(|observable| observable.location == ObservedLocation::Observation) {
            return Err(Unsupported {
                what: "observing a value on the way",
                span: Span::NOWHERE,
            });
        }
        let mut watches = vec![Watch::default(); program.threads.len()];
        for formula in program.properties.formulas_of_all_states() {
            for observable in formula.observables() {
                if let ObservedLocation::Register(thread, register) = observable.location {
                    insert(&mut watches[thread.index()].registers, register);
                }
            }
            formula.visit(&mut |part| {
                if let Formula::At(thread, position) = part {
                    insert(&mut watches[thread.index()].positions, position.clone());
                }
            });
        }
        Ok(Executable {
            threads: (0..program.threads.len())
                .map(|thread| Code::of(program, thread.into()))
                .collect::<Result<_, _>>()?,
            cells: Cells::of(program)?,
            watches,
            plain: false,
        })
    }

    /// Watches every step of every thread.
    pub fn watch_every_step(&mut self) {
        for watch in &mut self.watches {
            watch.every_step = true;
        }
    }

    /// True if some thread has a loop.
    pub fn has_loop(&self) -> bool {
        self.threads.iter().any(|code| code.has_loop)
    }
}
