//! How control goes from block to block: terminators, and the copies that phis are.
//!
//! A phi is a register that the blocks before it write as they jump to it, all phis of
//! a block at once. A block that may go elsewhere too has a block of copies on the edge.

use super::functions::{Coder, Lowered};
use crate::llvm::{
    BlockId, Constant, Function, FunctionId, Instruction, InstructionKind, Operand as LlvmOperand,
    Value,
};
use program::{Expression, InstructionKind as Kind, Operand, RegisterId, Terminator, Width};
use rustc_hash::FxHashMap;

impl<'m> Coder<'_, 'm> {
    pub fn collect_phis(&mut self, function: &'m Function, block: BlockId) -> Lowered<()> {
        for instruction in &function.blocks[block.index()].instructions {
            let InstructionKind::Phi {
                value_type,
                incoming,
            } = &instruction.kind
            else {
                continue;
            };
            self.at(function, instruction);
            let Some(result) = instruction.result else {
                continue;
            };
            let mark = self.body.registers.len();
            let widths = self.widths(*value_type)?;
            let parts: Vec<_> = widths
                .iter()
                .map(|width| Operand::Register(self.body.register(*width)))
                .collect();
            self.name_parts(result, &parts, mark);
            self.values[result.index()] = Some(parts);
            for (value, from) in incoming {
                let known = self.phis.entry((*from, block)).or_default();
                // A switch may come from one block more than once.
                if known.last().is_none_or(|(phi, _)| *phi != result) {
                    known.push((result, value));
                }
            }
        }
        Ok(())
    }

    pub fn terminator(
        &mut self,
        function: &'m Function,
        block: BlockId,
        instruction: &'m Instruction,
    ) -> Lowered<()> {
        let terminator = match &instruction.kind {
            InstructionKind::Return(value) => {
                let mut values = match value {
                    Some(value) => self.operand(value)?,
                    None => Vec::new(),
                };
                values.extend(self.returned_loans(function));
                if self.atomic {
                    self.body.push(Kind::AtomicEnd);
                }
                Terminator::Return(values)
            }
            InstructionKind::Jump(next) => return self.jump(block, *next),
            InstructionKind::Branch {
                condition,
                positive,
                negative,
            } => return self.branch(block, condition, *positive, *negative),
            InstructionKind::Switch {
                value,
                default,
                cases,
            } => return self.switch(block, value, *default, cases),
            InstructionKind::IndirectJump { address, targets } => {
                return self.indirect_jump(block, address, targets);
            }
            InstructionKind::Unreachable => Terminator::Unreachable,
            InstructionKind::Invoke { call, normal, .. } => {
                let mark = self.body.registers.len();
                let parts = self.call(call)?;
                if let Some(result) = instruction.result {
                    self.define(function, result, parts, mark)?;
                }
                return self.jump(block, *normal);
            }
            InstructionKind::CallBranch {
                call,
                normal,
                targets,
            } => {
                self.assembly_branch(block, call, targets)?;
                return self.jump(block, *normal);
            }
            kind => {
                let what = format!("the instruction `{}`", kind.name());
                return Err(self.refuse(&what));
            }
        };
        self.body.finish(terminator);
        Ok(())
    }

    fn branch(
        &mut self,
        block: BlockId,
        condition: &'m Value,
        positive: BlockId,
        negative: BlockId,
    ) -> Lowered<()> {
        let condition = self.condition(condition)?;
        if let Operand::Constant(word) = condition {
            let next = if word & 1 != 0 { positive } else { negative };
            return self.jump(block, next);
        }
        let from = self.body.current;
        let then = self.edge(block, positive)?;
        let otherwise = if positive == negative {
            then
        } else {
            self.edge(block, negative)?
        };
        self.body.current = from;
        self.body.finish(Terminator::Branch {
            condition,
            then,
            otherwise,
        });
        Ok(())
    }

    fn condition(&mut self, value: &'m Value) -> Lowered<Operand> {
        let unexpected = "a condition of an unexpected type";
        match value {
            Value::Local(local) => match self.values.get(local.index()) {
                Some(Some(parts)) if parts.len() == 1 => Ok(parts[0]),
                Some(Some(_)) => Err(self.refuse(unexpected)),
                _ => Ok(self.body.undefined(Width::BIT)),
            },
            Value::Constant(Constant::Integer(word)) => Ok(Operand::Constant(*word & 1)),
            Value::Constant(Constant::Undefined | Constant::Poison) => {
                Ok(self.body.undefined(Width::BIT))
            }
            Value::Constant(Constant::Zero) => Ok(Operand::Constant(0)),
            Value::Constant(Constant::Expression(kind)) => match self.expression(kind)?[..] {
                [part] => Ok(part),
                _ => Err(self.refuse(unexpected)),
            },
            _ => Err(self.refuse(unexpected)),
        }
    }

    fn indirect_jump(
        &mut self,
        block: BlockId,
        address: &'m LlvmOperand,
        targets: &[BlockId],
    ) -> Lowered<()> {
        let value = self.scalar(address)?;
        let mut cases = Vec::new();
        let from = self.body.current;
        for target in targets {
            let id = self.id.unwrap_or(FunctionId(0));
            let word = self.lowering.block_address(id, *target);
            if cases.iter().all(|(known, _)| *known != word) {
                cases.push((word, self.edge(block, *target)?));
            }
        }
        let otherwise = self.body.block("nowhere");
        self.body.current = from;
        self.body.finish(Terminator::Switch {
            value,
            cases,
            otherwise,
        });
        Ok(())
    }

    pub fn switch(
        &mut self,
        block: BlockId,
        value: &'m LlvmOperand,
        default: BlockId,
        cases: &'m [(Value, BlockId)],
    ) -> Lowered<()> {
        let parts = self.operand(value)?;
        let mut edges: FxHashMap<BlockId, program::BlockId> = FxHashMap::default();
        let from = self.body.current;
        let mut edge = |coder: &mut Self, target: BlockId| match edges.get(&target) {
            Some(known) => Ok(*known),
            None => {
                let made = coder.edge(block, target)?;
                edges.insert(target, made);
                Ok(made)
            }
        };
        let otherwise = edge(self, default)?;
        let mut chosen = Vec::new();
        for (case, target) in cases {
            let words = match case {
                Value::Constant(constant) => {
                    Coder::constant_words(self.lowering, value.value_type, constant, self.site)?
                }
                _ => return Err(self.refuse("a case that is not constant")),
            };
            chosen.push((words, edge(self, *target)?));
        }
        self.body.current = from;
        if let [value] = parts[..] {
            let cases = chosen.into_iter().map(|(words, target)| (words[0], target));
            let cases = cases.collect();
            self.body.finish(Terminator::Switch {
                value,
                cases,
                otherwise,
            });
            return Ok(());
        }
        // Wide integers are compared one after the other.
        let widths = self.widths(value.value_type)?;
        for (words, target) in chosen {
            let case: Vec<_> = words.into_iter().map(Operand::Constant).collect();
            let condition = self.body.wide_equal(&widths, &parts, &case);
            let next = self.body.block("case");
            self.body.finish(Terminator::Branch {
                condition,
                then: target,
                otherwise: next,
            });
            self.body.enter(next);
        }
        self.body.finish(Terminator::Jump(otherwise));
        Ok(())
    }

    pub fn target(&mut self, block: BlockId) -> Lowered<program::BlockId> {
        match self.blocks.get(block.index()) {
            Some(Some(target)) => Ok(*target),
            _ => Err(self.refuse("a jump to nowhere")),
        }
    }

    pub fn jump(&mut self, from: BlockId, to: BlockId) -> Lowered<()> {
        self.phi_copies(from, to)?;
        let target = self.target(to)?;
        self.body.finish(Terminator::Jump(target));
        Ok(())
    }

    /// The block to go to in order to go from one block to another: that one, or one of
    /// copies before it.
    pub fn edge(&mut self, from: BlockId, to: BlockId) -> Lowered<program::BlockId> {
        let target = self.target(to)?;
        if !self.phis.contains_key(&(from, to)) {
            return Ok(target);
        }
        let label = |block: program::BlockId| self.body.blocks[block.index()].label.clone();
        let origin = self.target_label(from);
        let label = format!("{origin}_{}", label(target));
        let edge = self.body.block(&label);
        self.body.enter(edge);
        self.phi_copies(from, to)?;
        self.body.finish(Terminator::Jump(target));
        Ok(edge)
    }

    pub fn target_label(&self, block: BlockId) -> String {
        match self.blocks[block.index()] {
            Some(id) => self.body.blocks[id.index()].label.clone(),
            None => String::new(),
        }
    }

    pub fn phi_copies(&mut self, from: BlockId, to: BlockId) -> Lowered<()> {
        let Some(phis) = self.phis.get(&(from, to)).cloned() else {
            return Ok(());
        };
        let Some(id) = self.id else {
            return Ok(());
        };
        let function = &self.lowering.module.functions[id.index()];
        let mut copies = Vec::new();
        for (phi, value) in phis {
            let sources = self.value(function.type_of(phi), value)?;
            let targets = self.values[phi.index()].clone().unwrap_or_default();
            for (target, source) in targets.into_iter().zip(sources) {
                if let Operand::Register(target) = target
                    && source != Operand::Register(target)
                {
                    copies.push((target, source));
                }
            }
        }
        self.copy_in_parallel(copies);
        Ok(())
    }

    /// Copies all at once: each reads what its source was before.
    pub fn copy_in_parallel(&mut self, mut copies: Vec<(RegisterId, Operand)>) {
        let mut readers: FxHashMap<RegisterId, u32> = FxHashMap::default();
        for (_, source) in &copies {
            if let Operand::Register(source) = source {
                *readers.entry(*source).or_default() += 1;
            }
        }
        let waits = |target: &RegisterId, readers: &FxHashMap<RegisterId, u32>| {
            readers.get(target).is_some_and(|count| *count > 0)
        };
        // Where each register is written, to find what becomes free.
        let writers: FxHashMap<RegisterId, usize> = copies
            .iter()
            .enumerate()
            .map(|(index, (target, _))| (*target, index))
            .collect();
        let mut done = vec![false; copies.len()];
        let mut ready: Vec<usize> = (0..copies.len())
            .rev()
            .filter(|index| !waits(&copies[*index].0, &readers))
            .collect();
        let mut next = 0;
        loop {
            while let Some(index) = ready.pop() {
                if std::mem::replace(&mut done[index], true) {
                    continue;
                }
                let (target, source) = copies[index];
                self.body.assign(target, Expression::Copy(source));
                if let Operand::Register(source) = source
                    && let Some(count) = readers.get_mut(&source)
                {
                    *count -= 1;
                    if *count == 0
                        && let Some(freed) = writers.get(&source)
                    {
                        ready.push(*freed);
                    }
                }
            }
            while next < done.len() && done[next] {
                next += 1;
            }
            if next == done.len() {
                return;
            }
            // A circle: keep the old value of one of its registers aside.
            let (target, _) = copies[next];
            let saved = self.copy(target);
            for (index, (_, source)) in copies.iter_mut().enumerate() {
                if !done[index] && *source == Operand::Register(target) {
                    *source = saved;
                }
            }
            readers.insert(target, 0);
            ready.push(next);
        }
    }
}
