//! Runs the first thread of a program alone, one instruction after the other.

use program::{
    Address, Function, InstructionKind, Operand, Program, RegisterId, Source, Terminator, ThreadId,
    Width, Word,
};
use std::collections::HashMap;

/// What is left when the thread has ended.
pub struct Ended {
    program: Program,
    registers: Vec<Word>,
    memory: HashMap<Word, Word>,
}

impl Ended {
    /// The value of a whole register.
    pub fn register(&self, name: &str) -> Word {
        let function = self.program.function_of(ThreadId(0));
        let register = function.register_named(name).expect("a register");
        self.registers[register.index()]
    }

    /// The value of a location.
    #[allow(dead_code)]
    pub fn location(&self, name: &str) -> Word {
        let object = self.program.object_named(name).expect("a location");
        self.memory[&Address::of(object).to_word()]
    }
}

/// Reads a test and runs its first thread.
pub fn run(text: &str) -> Ended {
    let program = frontend::read(&Source::new("test", text)).unwrap_or_else(|d| panic!("{d}"));
    let mut memory = HashMap::new();
    for (index, object) in program.objects.iter().enumerate() {
        for (cell, value) in object.initial.iter().enumerate() {
            let offset = cell as u32 * object.cell.bytes();
            let object = index.into();
            memory.insert(Address { object, offset }.to_word(), *value);
        }
    }
    let function = program.function_of(ThreadId(0)).clone();
    let mut registers = vec![0; function.registers.len()];
    for (register, value) in &program.threads[0].initial {
        registers[register.index()] = *value;
    }
    let mut machine = Machine {
        function: &function,
        registers,
        memory,
    };
    machine.run();
    let Machine {
        registers, memory, ..
    } = machine;
    Ended {
        program,
        registers,
        memory,
    }
}

struct Machine<'a> {
    function: &'a Function,
    registers: Vec<Word>,
    memory: HashMap<Word, Word>,
}

impl Machine<'_> {
    fn run(&mut self) {
        let mut block = 0;
        for _ in 0..1000 {
            for instruction in &self.function.blocks[block].instructions {
                self.step(&instruction.kind);
            }
            block = match self.function.blocks[block].terminator {
                Terminator::Jump(target) => target.index(),
                Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                } => match self.value(condition) {
                    0 => otherwise.index(),
                    _ => then.index(),
                },
                Terminator::Return(_) => return,
                ref other => panic!("litmus tests have no {other:?}"),
            };
        }
        panic!("the thread does not end");
    }

    fn value(&self, operand: Operand) -> Word {
        match operand {
            Operand::Register(register) => self.registers[register.index()],
            Operand::Constant(constant) => constant,
            Operand::Address(address) => address.to_word(),
        }
    }

    fn width(&self, register: RegisterId) -> Width {
        self.function.registers[register.index()].width
    }

    fn step(&mut self, kind: &InstructionKind) {
        match kind {
            InstructionKind::Assign { target, value } => {
                let operands: Vec<Word> = value.operands().map(|o| self.value(o)).collect();
                let result = value.evaluate(&operands, self.width(*target));
                self.registers[target.index()] = result;
            }
            InstructionKind::Load {
                target, address, ..
            } => {
                self.registers[target.index()] = self.memory[&self.value(*address)];
            }
            InstructionKind::Store {
                address,
                value,
                width,
                ..
            } => {
                let (address, value) = (self.value(*address), self.value(*value));
                self.memory.insert(address, width.truncate(value));
            }
            InstructionKind::Update {
                target,
                operation,
                address,
                operand,
                width,
                ..
            } => {
                let (address, operand) = (self.value(*address), self.value(*operand));
                let old = self.memory[&address];
                let new = operation.apply(*width, old, width.truncate(operand));
                self.memory.insert(address, new);
                self.registers[target.index()] = old;
            }
            InstructionKind::CompareExchange {
                target,
                address,
                expected,
                desired,
                width,
                ..
            } => {
                let address = self.value(*address);
                let old = self.memory[&address];
                if old == width.truncate(self.value(*expected)) {
                    let desired = width.truncate(self.value(*desired));
                    self.memory.insert(address, desired);
                }
                self.registers[target.index()] = old;
            }
            InstructionKind::Fence(_) => {}
            other => panic!("litmus tests have no {other:?}"),
        }
    }
}
