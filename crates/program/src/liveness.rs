//! Which registers may still be read, and the removal of writes to those that
//! are not.
//!
//! A register is live before an instruction if some path from there reads it
//! before writing it. At a thread's end the observed registers are live; a
//! register that an invariant or liveness property speaks of is live everywhere.

use crate::{
    BlockId, Function, FunctionId, InstructionKind, ObservedLocation, Operand, Program, Register,
    RegisterId, Terminator,
};

/// A set of registers of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisterSet(Vec<u64>);

impl RegisterSet {
    /// A set without registers, of a function that has this many.
    pub fn new(registers: usize) -> Self {
        RegisterSet(vec![0; registers.div_ceil(64)])
    }

    /// True if `register` is in the set.
    pub fn contains(&self, register: RegisterId) -> bool {
        self.0[register.index() / 64] >> (register.index() % 64) & 1 != 0
    }

    /// Adds a register.
    pub fn insert(&mut self, register: RegisterId) {
        self.0[register.index() / 64] |= 1 << (register.index() % 64);
    }

    fn remove(&mut self, register: RegisterId) {
        self.0[register.index() / 64] &= !(1 << (register.index() % 64));
    }

    fn read(&mut self, operand: Operand) {
        if let Operand::Register(register) = operand {
            self.insert(register);
        }
    }

    /// Adds everything of `other`; true if that changed anything.
    fn extend(&mut self, other: &RegisterSet) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *mine | theirs != *mine;
            *mine |= theirs;
        }
        changed
    }
}

/// The live registers of one function, before each instruction.
pub struct LiveRegisters {
    before: Vec<Vec<RegisterSet>>,
}

impl LiveRegisters {
    /// The registers live in `block` before the instruction of this index; the
    /// index past the last instruction stands for the terminator.
    pub fn before(&self, block: usize, instruction: usize) -> &RegisterSet {
        &self.before[block][instruction]
    }
}

/// The live registers of one function, before each block. Those before an instruction are found from there.
pub struct LiveAtStarts {
    starts: Vec<RegisterSet>,
    at_end: RegisterSet,
    everywhere: RegisterSet,
    /// A computation whose result nothing reads reads nothing itself.
    needed: bool,
}

impl LiveAtStarts {
    /// The registers that a function's own code reads.
    pub fn of(function: &Function) -> Self {
        let none = RegisterSet::new(function.registers.len());
        LiveAtStarts::with(function, none.clone(), none, false)
    }

    /// The registers that something but computing registers which nothing needs depends on.
    pub fn needed(function: &Function) -> Self {
        let none = RegisterSet::new(function.registers.len());
        LiveAtStarts::with(function, none.clone(), none, true)
    }

    /// The same, where others are live at the function's end, or everywhere.
    fn with(
        function: &Function,
        at_end: RegisterSet,
        everywhere: RegisterSet,
        needed: bool,
    ) -> Self {
        let mut live = LiveAtStarts {
            starts: vec![everywhere.clone(); function.blocks.len()],
            at_end,
            everywhere,
            needed,
        };
        // Blocks that control cannot reach count as well.
        let mut predecessors = vec![Vec::new(); function.blocks.len()];
        for (index, block) in function.blocks.iter().enumerate() {
            for next in block.terminator.successors() {
                predecessors[next.index()].push(index);
            }
        }
        let mut queue: Vec<usize> = (0..function.blocks.len()).collect();
        let mut queued = vec![true; function.blocks.len()];
        while let Some(index) = queue.pop() {
            queued[index] = false;
            let mut set = live.at_terminator(function, index);
            for position in (0..function.blocks[index].instructions.len()).rev() {
                live.step_back(function, index, position, &mut set);
            }
            if live.starts[index].extend(&set) {
                for &previous in &predecessors[index] {
                    if !std::mem::replace(&mut queued[previous], true) {
                        queue.push(previous);
                    }
                }
            }
        }
        live
    }

    /// The registers live before the first instruction of a block.
    pub fn at_start(&self, block: BlockId) -> &RegisterSet {
        &self.starts[block.index()]
    }

    /// The registers live before a block's terminator.
    pub fn at_terminator(&self, function: &Function, block: usize) -> RegisterSet {
        let terminator = &function.blocks[block].terminator;
        let mut live = self.everywhere.clone();
        for next in terminator.successors() {
            live.extend(&self.starts[next.index()]);
        }
        if matches!(terminator, Terminator::Return(_)) {
            live.extend(&self.at_end);
        }
        for operand in terminator.operands() {
            live.read(*operand);
        }
        live
    }

    /// Turns what is live after an instruction into what is live before it.
    pub fn step_back(
        &self,
        function: &Function,
        block: usize,
        instruction: usize,
        live: &mut RegisterSet,
    ) {
        let kind = &function.blocks[block].instructions[instruction].kind;
        if self.needed && is_needless(kind, live) {
            return;
        }
        for target in kind.targets() {
            live.remove(target);
        }
        for operand in kind.operands() {
            live.read(operand);
        }
        live.extend(&self.everywhere);
    }

    /// The registers live in a block before each instruction and, last, before the terminator.
    fn in_block(&self, function: &Function, block: usize) -> Vec<RegisterSet> {
        let mut live = self.at_terminator(function, block);
        let mut sets = vec![live.clone()];
        for position in (0..function.blocks[block].instructions.len()).rev() {
            self.step_back(function, block, position, &mut live);
            sets.push(live.clone());
        }
        sets.reverse();
        sets
    }
}

impl Program {
    /// The live registers of a function.
    pub fn live_registers(&self, function: FunctionId) -> LiveRegisters {
        let starts = self.live_at_starts(function, |_| false, false);
        let function = &self.functions[function.index()];
        let blocks = 0..function.blocks.len();
        LiveRegisters {
            before: blocks
                .map(|block| starts.in_block(function, block))
                .collect(),
        }
    }

    /// The live registers of a function, where those that `keep` accepts are live
    /// everywhere.
    fn live_at_starts(
        &self,
        function: FunctionId,
        keep: impl Fn(&Register) -> bool,
        needed: bool,
    ) -> LiveAtStarts {
        let registers = &self.functions[function.index()].registers;
        let mut at_end = RegisterSet::new(registers.len());
        let mut everywhere = RegisterSet::new(registers.len());
        for (index, _) in registers.iter().enumerate().filter(|(_, r)| keep(r)) {
            everywhere.insert(RegisterId::from(index));
        }
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
            match observable.location {
                ObservedLocation::Register(thread, register)
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
        let function = &self.functions[function.index()];
        LiveAtStarts::with(function, at_end, everywhere, needed)
    }

    /// Removes computations that nothing needs, such as the condition codes that an instruction of an
    /// assembly language sets in passing, and counters that nobody reads but to count on. Those that may fail,
    /// and writes to registers that `keep` accepts, stay.
    pub fn remove_dead_writes(&mut self, keep: impl Fn(&Register) -> bool) {
        for index in 0..self.functions.len() {
            let needed = self.live_at_starts(FunctionId::from(index), &keep, true);
            let function = &self.functions[index];
            let dead = function.blocks.iter().enumerate().map(|(number, block)| {
                let mut live = needed.at_terminator(function, number);
                let mut dead = vec![false; block.instructions.len()];
                for (position, instruction) in block.instructions.iter().enumerate().rev() {
                    dead[position] = is_needless(&instruction.kind, &live);
                    needed.step_back(function, number, position, &mut live);
                }
                dead
            });
            let dead: Vec<Vec<bool>> = dead.collect();
            for (block, dead) in self.functions[index].blocks.iter_mut().zip(dead) {
                let mut dead = dead.into_iter();
                block.instructions.retain(|_| dead.next() == Some(false));
            }
        }
    }
}

/// True if an instruction computes what nothing needs, given what is needed after it.
fn is_needless(kind: &InstructionKind, needed: &RegisterSet) -> bool {
    match kind {
        InstructionKind::Assign { target, value } => !value.may_fail() && !needed.contains(*target),
        _ => false,
    }
}
