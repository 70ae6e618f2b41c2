//! Arguments and results of calls that nothing needs, such as a counter for statistics that a function counts on for its caller.
//!
//! A parameter is *needed* if something depends on it but what computes results that nobody needs; a result is needed if something of a
//! caller depends on it but arguments that are not needed. That is the least fixed point: nothing is needed at first, and what is
//! not needed is 0. Then nothing depends on it, except computations that are dead.

use crate::{
    BlockId, Callee, FunctionId, InstructionKind, LiveAtStarts, Operand, Program, RegisterId,
    Terminator,
};
use std::collections::BTreeMap;

/// What is needed of a function: of its parameters, and of its results.
#[derive(Default)]
struct Needed {
    parameters: Vec<bool>,
    results: Vec<bool>,
}

impl Program {
    /// Passes and returns 0 where nothing needs the value, for some functions, which are called by calls that name them and by nothing else.
    pub fn forget_unneeded_arguments(&mut self, functions: &[FunctionId]) {
        let mut needed: BTreeMap<FunctionId, Needed> = BTreeMap::new();
        for &id in functions {
            let parameters = self.functions[id.index()].parameters as usize;
            let nothing = Needed {
                parameters: vec![false; parameters],
                results: Vec::new(),
            };
            needed.insert(id, nothing);
        }
        if needed.is_empty() {
            return;
        }
        loop {
            let mut program = self.clone();
            program.zero_unneeded(&needed);
            if !program.find_needed(&mut needed) {
                *self = program;
                return;
            }
        }
    }

    fn zero_unneeded(&mut self, needed: &BTreeMap<FunctionId, Needed>) {
        let zero = |values: &mut [Operand], needed: &[bool]| {
            for (index, value) in values.iter_mut().enumerate() {
                if needed.get(index) != Some(&true) {
                    *value = Operand::Constant(0);
                }
            }
        };
        for (index, function) in self.functions.iter_mut().enumerate() {
            let own = needed.get(&FunctionId::from(index));
            for block in &mut function.blocks {
                for instruction in &mut block.instructions {
                    if let InstructionKind::Call {
                        callee: Callee::Function(callee),
                        arguments,
                        ..
                    } = &mut instruction.kind
                        && let Some(callee) = needed.get(callee)
                    {
                        zero(arguments, &callee.parameters);
                    }
                }
                if let (Terminator::Return(values), Some(own)) = (&mut block.terminator, own) {
                    zero(values, &own.results);
                }
            }
        }
    }

    /// Notes what this program, in which the rest is 0, needs; whether that is more than was known.
    fn find_needed(&self, needed: &mut BTreeMap<FunctionId, Needed>) -> bool {
        let mut more = false;
        let mut note = |list: &mut Vec<bool>, index: usize| {
            if list.len() <= index {
                list.resize(index + 1, false);
            }
            more |= !std::mem::replace(&mut list[index], true);
        };
        for (index, function) in self.functions.iter().enumerate() {
            let live = LiveAtStarts::needed(function);
            if let Some(own) = needed.get_mut(&FunctionId::from(index)) {
                let at_start = live.at_start(BlockId(0));
                let parameters = 0..function.parameters as usize;
                for index in parameters.filter(|&i| at_start.contains(RegisterId::from(i))) {
                    note(&mut own.parameters, index);
                }
            }
            for (number, block) in function.blocks.iter().enumerate() {
                let mut after = live.at_terminator(function, number);
                for (position, instruction) in block.instructions.iter().enumerate().rev() {
                    if let InstructionKind::Call {
                        callee: Callee::Function(callee),
                        targets,
                        ..
                    } = &instruction.kind
                        && let Some(callee) = needed.get_mut(callee)
                    {
                        let read = targets.iter().enumerate();
                        for (index, _) in read.filter(|(_, target)| after.contains(**target)) {
                            note(&mut callee.results, index);
                        }
                    }
                    live.step_back(function, number, position, &mut after);
                }
            }
        }
        more
    }
}
