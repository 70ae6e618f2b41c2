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
    let mut cases = Vec::new();
    for (thread, operations) in threads.iter().enumerate() {
        let mut case = code.next_operation(thread, operations, choose, wrong);
        if let Some(other) = alike[thread] {
            let behind = RegisterId::from(threads.len() + 1);
            case = code.if_behind(behind, thread, other, case, wrong);
        }
        cases.push((thread as Word, case));
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
    for (thread, operations) in threads.iter().enumerate().rev() {
        all_done = code.add(
            Vec::new(),
            Terminator::Switch {
                value: counter(thread),
                cases: vec![(operations.len() as Word, all_done)],
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

    /// The operation of a thread that its counter says, and then `done`; `wrong` if there are no more.
    fn next_operation(
        &mut self,
        thread: usize,
        operations: &[FunctionId],
        done: BlockId,
        wrong: BlockId,
    ) -> BlockId {
        let mut cases = Vec::new();
        for (index, operation) in operations.iter().enumerate() {
            let count = set(RegisterId::from(thread), index as Word + 1);
            let block = self.add(vec![call(operation), count], Terminator::Jump(done));
            cases.push((index as Word, block));
        }
        self.add(
            Vec::new(),
            Terminator::Switch {
                value: counter(thread),
                cases,
                otherwise: wrong,
            },
        )
    }

    /// `then` if a thread has done fewer operations than another; the register holds whether.
    fn if_behind(
        &mut self,
        behind: RegisterId,
        thread: usize,
        other: usize,
        then: BlockId,
        otherwise: BlockId,
    ) -> BlockId {
        let [own, other] = [thread, other].map(counter);
        let compare = Kind::Assign {
            target: behind,
            value: Expression::Binary(Binary::Ult, Width::W32, own, other),
        };
        self.add(
            vec![compare],
            Terminator::Branch {
                condition: Operand::Register(behind),
                then,
                otherwise,
            },
        )
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

/// How many operations a thread has done.
fn counter(thread: usize) -> Operand {
    Operand::Register(RegisterId::from(thread))
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
