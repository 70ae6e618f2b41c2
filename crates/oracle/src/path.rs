//! The paths of one thread: its dynamic instructions, in program order.
//!
//! A path is a guess: which way each branch goes, which cell each access with a
//! computed address is to, what each `Choose` gives. It does not guess values:
//! given a path, the memory order settles them, and `memory_order` drops the
//! execution if they contradict the path. Every execution has one path for each
//! thread, so trying all paths loses nothing.

use program::{
    AccessKind, Address, BlockId, Expression, Function, InstructionKind, MemoryOrder, Operand,
    Orderings, Program, RegisterId, Terminator, ThreadId, UpdateOp, Width, Word,
};

/// One memory cell.
pub struct Cell {
    pub address: Word,
    pub width: Width,
    pub initial: Word,
}

/// All memory cells of the program.
pub fn cells(program: &Program) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (index, object) in program.objects.iter().enumerate() {
        let zeros = std::iter::repeat_n(&0, object.zeros as usize);
        for (cell, &initial) in object.initial.iter().chain(zeros).enumerate() {
            let address = Address {
                object: index.into(),
                offset: cell as u32 * object.cell.bytes(),
            };
            cells.push(Cell {
                address: address.to_word(),
                width: object.cell,
                initial,
            });
        }
    }
    cells
}

/// A value that a node reads.
#[derive(Clone, Copy)]
pub enum Input {
    /// A constant, or the initial value of a register.
    Constant(Word),
    /// What the node of this index wrote to its register: the last writer
    /// before the reader.
    ResultOf(usize),
}

/// One dynamic instruction.
#[derive(Clone)]
pub struct Node {
    pub action: Action,
    /// Everything read, in the order of [`InstructionKind::operands`].
    pub inputs: Vec<Input>,
}

/// What a node does.
#[derive(Clone, Copy)]
pub enum Action {
    /// Computes a value of a width.
    Compute(Expression, Width),
    /// Goes on where the guess says: the condition must be as guessed.
    Branch { taken: bool },
    /// The condition must hold.
    Assume,
    /// Orders accesses.
    Fence(Orderings),
    /// Accesses the cell of the guess: the first input must be its address.
    Access { cell: usize, effect: Effect },
}

/// What an access does to its cell.
#[derive(Clone, Copy)]
pub enum Effect {
    Load,
    Store,
    Update(UpdateOp),
    CompareExchange,
}

impl Effect {
    /// Loads, stores, or both.
    pub fn kind(self) -> AccessKind {
        match self {
            Effect::Load => AccessKind::LOAD,
            Effect::Store => AccessKind::STORE,
            Effect::Update(_) | Effect::CompareExchange => AccessKind::UPDATE,
        }
    }
}

/// A path of a thread, from its start to its end.
#[derive(Clone)]
pub struct Path {
    pub nodes: Vec<Node>,
    /// Where the final value of each register comes from.
    pub registers: Vec<Input>,
}

/// A path so far.
#[derive(Clone)]
struct Walk {
    path: Path,
    /// The values of nodes that do not hang on loads, so that nothing need be
    /// guessed where there is no choice.
    known: Vec<Option<Word>>,
    block: BlockId,
    /// Index of the next instruction in the block.
    next: usize,
}

/// Every path of `thread`.
pub fn paths(program: &Program, cells: &[Cell], thread: ThreadId) -> Vec<Path> {
    let function = program.function_of(thread);
    assert!(
        !function.has_loop(),
        "the oracle does not support loops: {}",
        function.name
    );
    let mut registers = vec![Input::Constant(0); function.registers.len()];
    for &(register, value) in &program.threads[thread.index()].initial {
        registers[register.index()] = Input::Constant(value);
    }
    let mut open = vec![Walk {
        path: Path {
            nodes: Vec::new(),
            registers,
        },
        known: Vec::new(),
        block: BlockId(0),
        next: 0,
    }];
    let mut ended = Vec::new();
    while let Some(mut walk) = open.pop() {
        let block = &function.blocks[walk.block.index()];
        match block.instructions.get(walk.next) {
            Some(instruction) => {
                walk.next += 1;
                open.extend(walk.execute(function, cells, &instruction.kind));
            }
            None => match block.terminator {
                ref other @ (Terminator::Switch { .. } | Terminator::Unreachable) => {
                    panic!("not supported by the oracle: {other:?}")
                }
                Terminator::Return(_) => ended.push(walk.path),
                Terminator::Jump(target) => open.push(walk.at(target)),
                Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                } => open.extend(walk.branch(condition, then, otherwise)),
            },
        }
    }
    ended
}

/// Whether the oracle knows what the expression computes.
pub fn computes(value: Expression) -> bool {
    match value {
        Expression::Own(_) => false,
        Expression::Binary(operation, ..) => !operation.divides(),
        _ => true,
    }
}

/// The oracle knows accesses without a memory order of their own.
pub fn check_order(instruction: &InstructionKind) {
    use InstructionKind::*;
    let unordered = |order| matches!(order, MemoryOrder::Plain | MemoryOrder::Relaxed);
    let supported = match *instruction {
        Load { access, .. } | Store { access, .. } | Update { access, .. } => {
            unordered(access.order)
        }
        CompareExchange {
            access,
            failure,
            weak,
            succeeded,
            ..
        } => unordered(access.order) && unordered(failure) && !weak && succeeded.is_none(),
        _ => true,
    };
    assert!(supported, "not supported by the oracle: {instruction:?}");
}

impl Walk {
    fn at(mut self, block: BlockId) -> Walk {
        self.block = block;
        self.next = 0;
        self
    }

    fn input(&self, operand: Operand) -> Input {
        match operand {
            Operand::Register(register) => self.path.registers[register.index()],
            Operand::Constant(word) => Input::Constant(word),
            Operand::Address(address) => Input::Constant(address.to_word()),
        }
    }

    fn known(&self, input: Input) -> Option<Word> {
        match input {
            Input::Constant(word) => Some(word),
            Input::ResultOf(node) => self.known[node],
        }
    }

    /// Adds a node, which writes `target` if there is one.
    fn push(&mut self, action: Action, operands: &[Operand], target: Option<RegisterId>) {
        let inputs: Vec<Input> = operands.iter().map(|&o| self.input(o)).collect();
        let values: Option<Vec<Word>> = inputs.iter().map(|&input| self.known(input)).collect();
        self.known.push(match action {
            Action::Compute(value, width) => values.map(|values| value.evaluate(&values, width)),
            _ => None,
        });
        self.path.nodes.push(Node { action, inputs });
        if let Some(target) = target {
            self.path.registers[target.index()] = Input::ResultOf(self.path.nodes.len() - 1);
        }
    }

    fn branch(self, condition: Operand, then: BlockId, otherwise: BlockId) -> Vec<Walk> {
        let known = self.known(self.input(condition)).map(|word| word != 0);
        [(true, then), (false, otherwise)]
            .into_iter()
            .filter(|&(taken, _)| known.is_none_or(|known| known == taken))
            .map(|(taken, target)| {
                let mut walk = self.clone();
                walk.push(Action::Branch { taken }, &[condition], None);
                walk.at(target)
            })
            .collect()
    }

    /// The walks that go on after an instruction: one, or one for each guess.
    fn execute(
        mut self,
        function: &Function,
        cells: &[Cell],
        instruction: &InstructionKind,
    ) -> Vec<Walk> {
        check_order(instruction);
        let (action, target) = match *instruction {
            InstructionKind::Load { width, .. } => {
                return self.access(cells, instruction, Effect::Load, width);
            }
            InstructionKind::Store { width, .. } => {
                return self.access(cells, instruction, Effect::Store, width);
            }
            InstructionKind::Update {
                operation, width, ..
            } => return self.access(cells, instruction, Effect::Update(operation), width),
            InstructionKind::CompareExchange { width, .. } => {
                return self.access(cells, instruction, Effect::CompareExchange, width);
            }
            InstructionKind::Choose {
                target,
                count: Operand::Constant(count),
            } => {
                return self.choose(target, count, function);
            }
            InstructionKind::Assign { target, value } if computes(value) => {
                let width = function.registers[target.index()].width;
                (Action::Compute(value, width), Some(target))
            }
            InstructionKind::Fence(orderings) => (Action::Fence(orderings), None),
            InstructionKind::Assume { .. } => (Action::Assume, None),
            ref other => panic!("not supported by the oracle: {other:?}"),
        };
        let operands: Vec<Operand> = instruction.operands().collect();
        self.push(action, &operands, target);
        vec![self]
    }

    /// One walk for each cell that the address may be; none for a bad access.
    fn access(
        self,
        cells: &[Cell],
        instruction: &InstructionKind,
        effect: Effect,
        width: Width,
    ) -> Vec<Walk> {
        let operands: Vec<Operand> = instruction.operands().collect();
        let address = self.known(self.input(operands[0]));
        let possible = |cell: &Cell| {
            cell.width == width && address.is_none_or(|address| address == cell.address)
        };
        (0..cells.len())
            .filter(|&cell| possible(&cells[cell]))
            .map(|cell| {
                let mut walk = self.clone();
                let access = Action::Access { cell, effect };
                walk.push(access, &operands, instruction.targets().next());
                walk
            })
            .collect()
    }

    /// One walk for each choice, which hangs on nothing.
    fn choose(self, target: RegisterId, count: Word, function: &Function) -> Vec<Walk> {
        let width = function.registers[target.index()].width;
        (0..count)
            .map(|choice| {
                let mut walk = self.clone();
                let choice = width.truncate(choice);
                walk.path.registers[target.index()] = Input::Constant(choice);
                walk
            })
            .collect()
    }
}
