//! Litmus tests as C programs would have them.

use crate::{
    Instruction, InstructionKind, ObservedLocation, Program, RegisterId, Span, Terminator,
};

impl Program {
    /// The program as one for the machine of C programs, which starts registers undefined and
    /// observes values on the way. A C program stays as it is.
    pub fn as_process(&self) -> Program {
        let mut process = self.clone();
        if self.process {
            return process;
        }
        process.process = true;
        for thread in &mut process.threads {
            let registers = self.functions[thread.function.index()].registers.len();
            let zeros = (0..registers).map(|register| (RegisterId::from(register), 0));
            thread.initial = zeros.chain(thread.initial.iter().copied()).collect();
        }
        for observable in &self.observed {
            let ObservedLocation::Register(thread, register) = observable.location else {
                continue;
            };
            let function = process.threads[thread.index()].function;
            for block in &mut process.functions[function.index()].blocks {
                if matches!(block.terminator, Terminator::Return(_)) {
                    let name = observable.name.clone();
                    let value = register.into();
                    block.instructions.push(Instruction {
                        kind: InstructionKind::Observe { name, value },
                        span: Span::NOWHERE,
                    });
                }
            }
        }
        process
    }
}
