//! A client in one thread: a `main` that chooses, again and again, whose operation is next.

use ::program::{
    Binary, Block, BlockId, Callee, Expression, Function, FunctionId, Instruction,
    InstructionKind as Kind, Operand, Register, RegisterId, Span, Terminator, Width, Word,
};

/// The function that runs the initial operations, then those of all threads in any order
/// that keeps each thread's own. A thread that is said to be like an earlier one is never ahead
/// of it: what it would do then, the other does.
pub fn main_function(
    initial: &[FunctionId],
    threads: &[Vec<FunctionId>],
    alike: &[Option<usize>],
) -> Function {
    let mut code = Code::new(threads.len());
    // The first block comes first, so blocks are numbered before they are filled in.
    let [start, end, choose, wrong] = [0, 1, 2, 3].map(BlockId);
    code.blocks = vec![empty("block"); 4];
    let counters = (0..threads.len()).map(RegisterId::from);
    let begin: Vec<Kind> = initial.iter().map(call).collect();
    let reset = counters.map(|counter| set(counter, 0));
    code.fill(
        start,
        begin.into_iter().chain(reset).collect(),
        Terminator::Jump(choose),
    );
    code.fill(
        end,
        Vec::new(),
        Terminator::Return(vec![Operand::Constant(0)]),
    );
    let condition = Operand::Constant(0);
    code.fill(
        wrong,
        vec![Kind::Assume { condition }],
        Terminator::Unreachable,
    );
    // Each thread: what its counter says, then look again whether all are done.
    let mut cases = Vec::new();
    let mut looks = Vec::new();
    for (thread, operations) in threads.iter().enumerate() {
        let counter = RegisterId::from(thread);
        let mut next = Vec::new();
        for (index, operation) in operations.iter().enumerate() {
            let done = set(counter, index as Word + 1);
            let block = code.add(vec![call(operation), done], Terminator::Jump(choose));
            next.push((index as Word, block));
        }
        let value = Operand::Register(counter);
        let mut case = code.add(
            Vec::new(),
            Terminator::Switch {
                value,
                cases: next,
                otherwise: wrong,
            },
        );
        if let Some(other) = alike[thread] {
            let behind = RegisterId::from(threads.len() + 1);
            let other = Operand::Register(RegisterId::from(other));
            let compare = Kind::Assign {
                target: behind,
                value: Expression::Binary(Binary::Ult, Width::W32, value, other),
            };
            case = code.add(
                vec![compare],
                Terminator::Branch {
                    condition: Operand::Register(behind),
                    then: case,
                    otherwise: wrong,
                },
            );
        }
        cases.push((thread as Word, case));
        looks.push((value, operations.len() as Word));
    }
    let chosen = RegisterId::from(threads.len());
    let pick = code.add(
        vec![Kind::Choose {
            target: chosen,
            count: Operand::Constant(threads.len().max(1) as Word),
        }],
        Terminator::Switch {
            value: Operand::Register(chosen),
            cases,
            otherwise: wrong,
        },
    );
    let mut all_done = end;
    for (value, count) in looks.into_iter().rev() {
        all_done = code.add(
            Vec::new(),
            Terminator::Switch {
                value,
                cases: vec![(count, all_done)],
                otherwise: pick,
            },
        );
    }
    code.fill(choose, Vec::new(), Terminator::Jump(all_done));
    code.into_function()
}

struct Code {
    registers: Vec<Register>,
    blocks: Vec<Block>,
}

impl Code {
    fn new(threads: usize) -> Self {
        let counters = (1..=threads).map(|thread| format!("next{thread}"));
        let names = counters.chain(["chosen".to_owned(), "behind".to_owned()]);
        let register = |name| Register {
            name,
            width: Width::W32,
        };
        Code {
            registers: names.map(register).collect(),
            blocks: Vec::new(),
        }
    }

    fn add(&mut self, code: Vec<Kind>, terminator: Terminator) -> BlockId {
        let id = BlockId::from(self.blocks.len());
        self.blocks.push(empty("block"));
        self.fill(id, code, terminator);
        id
    }

    fn fill(&mut self, id: BlockId, code: Vec<Kind>, terminator: Terminator) {
        let instruction = |kind| Instruction {
            kind,
            span: Span::NOWHERE,
        };
        self.blocks[id.index()] = Block {
            label: format!("block{}", id.0),
            instructions: code.into_iter().map(instruction).collect(),
            terminator,
            terminator_span: Span::NOWHERE,
        };
    }

    fn into_function(self) -> Function {
        Function {
            name: "main".to_owned(),
            parameters: 0,
            registers: self.registers,
            blocks: self.blocks,
        }
    }
}

fn empty(label: &str) -> Block {
    Block {
        label: label.to_owned(),
        instructions: Vec::new(),
        terminator: Terminator::Unreachable,
        terminator_span: Span::NOWHERE,
    }
}

fn call(function: &FunctionId) -> Kind {
    Kind::Call {
        targets: Vec::new(),
        callee: Callee::Function(*function),
        arguments: Vec::new(),
    }
}

fn set(register: RegisterId, value: Word) -> Kind {
    Kind::Assign {
        target: register,
        value: Expression::Copy(Operand::Constant(value)),
    }
}
