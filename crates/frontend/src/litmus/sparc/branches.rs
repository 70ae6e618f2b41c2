//! Branches and their delay slots.
//!
//! The instruction after a branch, in its delay slot, is executed before the
//! branch takes effect, whether it is taken or not. With `,a` it is executed only
//! if the branch is conditional and taken. Whether it is taken hangs on the
//! condition codes before that instruction.
//!
//! The instruction in the slot is translated at the branch. If a label stands on
//! it and some branch goes there, it is translated once more for that.
//!
//! The branch is one step and the instruction in the slot the next, in which control goes on
//! to where the branch leads. A `nop` in a slot is no step of its own.

use super::lower::{CODES, Lowering};
use super::mnemonics::{Operation, When};
use super::operands::{Instruction, What};
use crate::litmus::complaint::{Detail, complaint};
use program::{BlockId, Diagnostic, Expression, Operand, Span, Terminator, Width};
use std::collections::HashSet;

impl Lowering<'_> {
    /// Translates all instructions of the thread.
    pub fn all(&mut self, instructions: &[Instruction]) -> Result<(), Diagnostic> {
        let mut targets = HashSet::new();
        for (position, instruction) in instructions.iter().enumerate() {
            if let Some(label) = instruction.label() {
                targets.insert(self.labels.position(self.source, label, position)?);
            }
        }
        let mut position = 0;
        while let Some(instruction) = instructions.get(position) {
            self.code.reach(position);
            let Operation::Branch(when) = instruction.operation else {
                self.instruction(instruction)?;
                position += 1;
                continue;
            };
            let next = instructions.get(position + 1);
            let slot = match instruction.has_delay_slot() {
                true => Some(self.check_slot(instruction, next, position, &targets)?),
                false => None,
            };
            self.branch(when, instruction, slot, position)?;
            position += 1;
            if let Some(slot) = slot {
                if targets.contains(&position) {
                    self.code.reach(position);
                    self.instruction(slot)?;
                }
                position += 1;
            }
        }
        self.code.reach(instructions.len());
        Ok(())
    }

    /// The instruction in a delay slot must be there, no branch, and without a
    /// label that only a formula could mean.
    fn check_slot<'i>(
        &self,
        branch: &Instruction,
        slot: Option<&'i Instruction>,
        position: usize,
        targets: &HashSet<usize>,
    ) -> Result<&'i Instruction, Diagnostic> {
        let Some(slot) = slot else {
            let message = "no instruction follows this branch";
            return Err(complaint(self.source, branch.span, message)
                .expected("an instruction in its delay slot, such as `nop`"));
        };
        if slot.is_branch() {
            let message = "a branch in the delay slot of another is not supported";
            return Err(complaint(self.source, slot.span, message)
                .expected("another instruction, such as `nop`")
                .beside(branch.span, "the other branch"));
        }
        match self.labels.first_at(position + 1) {
            Some(label) if !targets.contains(&(position + 1)) => {
                let message = format!("label `{}` stands in a delay slot", label.text);
                Err(complaint(self.source, label.span, message)
                    .expected("the label after the instruction in the slot")
                    .beside(branch.span, "the branch"))
            }
            _ => Ok(slot),
        }
    }

    fn branch(
        &mut self,
        when: When,
        instruction: &Instruction,
        slot: Option<&Instruction>,
        position: usize,
    ) -> Result<(), Diagnostic> {
        let target = self.branch_target(instruction, position)?;
        self.code.at(instruction.span);
        match (when, slot) {
            (When::Always, slot) => {
                if let Some(slot) = slot {
                    self.slot(instruction, slot)?;
                }
                self.code.end(Terminator::Jump(target));
                Ok(())
            }
            (When::Never, Some(slot)) => {
                match instruction.annul {
                    true => self.name_registers(slot),
                    false => self.slot(instruction, slot)?,
                }
                // The slot is passed by, also where a label stands on it.
                let next = self.code.target(position + 2);
                self.code.end(Terminator::Jump(next));
                Ok(())
            }
            (When::If(condition), Some(slot)) => {
                let holds = CODES.condition(&mut self.code, condition);
                let otherwise = self.code.target(position + 2);
                match instruction.annul {
                    true => self.annulled(holds, slot, target, otherwise),
                    false => self.delayed(holds, instruction, slot, target, otherwise),
                }
            }
            (_, None) => Ok(()),
        }
    }

    /// Conditions may name the registers of an instruction that is never executed.
    fn name_registers(&mut self, instruction: &Instruction) {
        for argument in &instruction.arguments {
            let names = match &argument.what {
                What::Register(name) => vec![name],
                What::Memory(memory) => memory.registers.iter().map(|(name, _)| name).collect(),
                _ => Vec::new(),
            };
            for name in names.into_iter().filter(|name| *name != "g0") {
                self.code.register(name, Width::W64);
            }
        }
    }

    /// The slot of a branch whose decision does not hang on anything.
    fn slot(&mut self, branch: &Instruction, slot: &Instruction) -> Result<(), Diagnostic> {
        if slot.operation != Operation::Nothing {
            self.code.mark();
            self.instruction(slot)?;
            self.code.at(branch.span);
        }
        Ok(())
    }

    /// The slot is executed first, and must not change the decision.
    fn delayed(
        &mut self,
        mut holds: Operand,
        instruction: &Instruction,
        slot: &Instruction,
        target: BlockId,
        otherwise: BlockId,
    ) -> Result<(), Diagnostic> {
        if slot.operation != Operation::Nothing {
            let taken = self.code.register("_taken", Width::BIT);
            self.code.assign(taken, Expression::Copy(holds));
            self.instruction(slot)?;
            self.code.at(instruction.span);
            holds = taken.into();
        }
        self.code.branch(holds, target, otherwise);
        Ok(())
    }

    /// The slot is executed on the way to the target only.
    fn annulled(
        &mut self,
        holds: Operand,
        slot: &Instruction,
        target: BlockId,
        otherwise: BlockId,
    ) -> Result<(), Diagnostic> {
        if slot.operation == Operation::Nothing {
            self.code.branch(holds, target, otherwise);
            return Ok(());
        }
        let on_the_way = self.code.fresh("slot");
        self.code.branch(holds, on_the_way, otherwise);
        self.code.start(on_the_way);
        self.instruction(slot)?;
        self.code.at(Span::NOWHERE);
        self.code.end(Terminator::Jump(target));
        Ok(())
    }

    fn branch_target(
        &mut self,
        instruction: &Instruction,
        position: usize,
    ) -> Result<BlockId, Diagnostic> {
        match instruction.label() {
            Some(label) => {
                let to = self.labels.position(self.source, label, position)?;
                Ok(self.code.target(to))
            }
            None => {
                let message = "this branch has no label";
                Err(complaint(self.source, instruction.span, message).expected("a label"))
            }
        }
    }
}
