//! Which registers may still be read, and the removal of writes to those that
//! are not.
//!
//! A register is live before an instruction if some path from there reads it
//! before writing it. At a thread's end the observed registers are live; a
//! register that an invariant or liveness property speaks of is live everywhere.

use crate::{
    Function, FunctionId, InstructionKind, Operand, Place, Program, Register, RegisterId,
    Terminator,
};

/// A set of registers of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisterSet(Vec<bool>);

impl RegisterSet {
    fn new(registers: usize) -> Self {
        RegisterSet(vec![false; registers])
    }

    /// True if `register` is in the set.
    pub fn contains(&self, register: RegisterId) -> bool {
        self.0[register.index()]
    }

    /// Adds a register.
    pub fn insert(&mut self, register: RegisterId) {
        self.0[register.index()] = true;
    }

    fn remove(&mut self, register: RegisterId) {
        self.0[register.index()] = false;
    }

    fn read(&mut self, operand: Operand) {
        if let Operand::Register(register) = operand {
            self.insert(register);
        }
    }

    fn union(&mut self, other: &RegisterSet) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }
}

/// The live registers of one function.
pub struct LiveRegisters {
    /// For each block, the set before each instruction and, last, before the terminator.
    before: Vec<Vec<RegisterSet>>,
}

impl LiveRegisters {
    /// The registers live in `block` before the instruction of this index; the
    /// index past the last instruction stands for the terminator.
    pub fn before(&self, block: usize, instruction: usize) -> &RegisterSet {
        &self.before[block][instruction]
    }

    fn of(function: &Function, at_end: &RegisterSet, everywhere: &RegisterSet) -> Self {
        let empty = RegisterSet::new(function.registers.len());
        let mut before: Vec<Vec<RegisterSet>> = function
            .blocks
            .iter()
            .map(|block| vec![empty.clone(); block.instructions.len() + 1])
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (index, block) in function.blocks.iter().enumerate().rev() {
                let mut live = everywhere.clone();
                for next in block.terminator.successors() {
                    live.union(&before[next.index()][0]);
                }
                if matches!(block.terminator, Terminator::Return(_)) {
                    live.union(at_end);
                }
                for operand in block.terminator.operands() {
                    live.read(*operand);
                }
                for position in (0..=block.instructions.len()).rev() {
                    if let Some(instruction) = block.instructions.get(position) {
                        for target in instruction.kind.targets() {
                            live.remove(target);
                        }
                        for operand in instruction.kind.operands() {
                            live.read(operand);
                        }
                        live.union(everywhere);
                    }
                    if before[index][position] != live {
                        before[index][position] = live.clone();
                        changed = true;
                    }
                }
            }
        }
        LiveRegisters { before }
    }
}

impl Program {
    /// The live registers of a function.
    pub fn live_registers(&self, function: FunctionId) -> LiveRegisters {
        self.live_registers_and(function, |_| false)
    }

    /// The live registers of a function, where those that `keep` accepts are live
    /// everywhere.
    fn live_registers_and(
        &self,
        function: FunctionId,
        keep: impl Fn(&Register) -> bool,
    ) -> LiveRegisters {
        let registers = &self.functions[function.index()].registers;
        let mut at_end = RegisterSet::new(registers.len());
        let mut everywhere = RegisterSet(registers.iter().map(keep).collect());
        let properties = &self.properties;
        let final_formulas = properties.condition.iter().map(|c| &c.property.formula);
        let finally = final_formulas
            .chain(&properties.filter)
            .flat_map(|formula| formula.observables())
            .chain(&self.observed)
            .map(|observable| (observable, false));
        let always = properties
            .formulas_of_all_states()
            .flat_map(|formula| formula.observables())
            .map(|observable| (observable, true));
        for (observable, always) in finally.chain(always) {
            match observable.place {
                Place::Register(thread, register)
                    if self.threads[thread.index()].function == function =>
                {
                    at_end.insert(register);
                    if always {
                        everywhere.insert(register);
                    }
                }
                _ => {}
            }
        }
        LiveRegisters::of(&self.functions[function.index()], &at_end, &everywhere)
    }

    /// Removes computations whose result nothing reads, such as the condition
    /// codes that an instruction of an assembly language sets in passing. Writes to
    /// registers that `keep` accepts stay.
    pub fn remove_dead_writes(&mut self, keep: impl Fn(&Register) -> bool) {
        for index in 0..self.functions.len() {
            loop {
                let live = self.live_registers_and(FunctionId::from(index), &keep);
                let mut removed = false;
                for (number, block) in self.functions[index].blocks.iter_mut().enumerate() {
                    let mut position = 0;
                    block.instructions.retain(|instruction| {
                        position += 1;
                        let dead = match instruction.kind {
                            InstructionKind::Assign { target, .. } => {
                                !live.before(number, position).contains(target)
                            }
                            _ => false,
                        };
                        removed |= dead;
                        !dead
                    });
                }
                if !removed {
                    break;
                }
            }
        }
    }
}
