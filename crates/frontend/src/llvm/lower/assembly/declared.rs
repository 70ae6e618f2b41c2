//! What a statement may rely on.
//!
//! A compiler gives operands registers by what the statement declares. It may give an output the register of an input, unless one is
//! tied to the other or the output is written early (`=&r`); so a statement that writes such an output and then reads an input
//! does, in some programs, not what it says. Nor does one that changes a register which it does not declare. Both are refused.

use super::super::functions::Lowered;
use super::Assembler;
use super::cells::{Slot, Storage, each_reference, each_register};
use crate::llvm::asm::constraints::Class;
use crate::llvm::asm::instructions::{BitTest, Operation};
use crate::llvm::asm::operands::Operand as Written;
use crate::llvm::asm::registers::Family;
use crate::llvm::asm::statements::{Instruction, Statement};
use program::Operand;

impl Operation {
    /// Whether it writes the operand at a position.
    fn writes(self, position: usize) -> bool {
        match self {
            Operation::Compare
            | Operation::Test
            | Operation::BitTest(BitTest::Keep)
            | Operation::Push
            | Operation::Jump(_) => false,
            Operation::Exchange | Operation::ExchangeAdd => position < 2,
            _ => position == 0,
        }
    }

    /// Whether it writes its first operand without reading it.
    fn overwrites(self) -> bool {
        matches!(
            self,
            Operation::Move
                | Operation::MoveZero(_)
                | Operation::MoveSign(_)
                | Operation::LoadAddress
                | Operation::Set(_)
                | Operation::Pop
                | Operation::Scan { .. }
                | Operation::Count(_)
        )
    }
}

impl Assembler<'_, '_, '_> {
    /// Refuses statements that do not declare what they do.
    pub fn check_declared(&mut self) -> Lowered<()> {
        let statements = std::mem::take(&mut self.statements);
        let mut written = Vec::new();
        // What comes later may run before, where there is a loop.
        let rounds = if jumps_back(&statements) { 2 } else { 1 };
        for _ in 0..rounds {
            for statement in &statements {
                if let Statement::Instruction(instruction) = statement {
                    self.check_reads(instruction, &written)?;
                    self.check_writes(instruction, &mut written)?;
                }
            }
        }
        self.statements = statements;
        Ok(())
    }

    /// Refuses to read an input that may share its register with an output that was written.
    fn check_reads(&mut self, instruction: &Instruction, written: &[usize]) -> Lowered<()> {
        let mut read = Vec::new();
        each_reference(instruction, &mut |reference| read.push(reference.index));
        if let [Written::Reference(first), ..] = &instruction.operands[..]
            && instruction.operation.overwrites()
            && !matches!(self.slots.get(first.index), Some(Slot::Memory(..)))
            && let Some(at) = read.iter().position(|index| *index == first.index)
        {
            read.remove(at);
        }
        for input in read {
            let shares = written
                .iter()
                .copied()
                .find(|output| self.may_share(*output, input));
            if let Some(output) = shares {
                return Err(self.refuse(&format!(
                    "%{output} is written before %{input} is read, and may be the same register: \
                     it needs `=&` (in `{}`)",
                    instruction.text
                )));
            }
        }
        Ok(())
    }

    /// Whether an output may get a register that an input is read from.
    fn may_share(&self, output: usize, input: usize) -> bool {
        let ([out, of], Some(slot)) = (
            [output, input].map(|index| self.constraints.operands[index]),
            self.slots.get(input),
        ) else {
            return false;
        };
        let is_tied = |index: usize| {
            let mut operands = self.constraints.operands.iter();
            operands.any(|operand| operand.class == Class::Tied(index))
        };
        if out.early || is_tied(output) || of.output && of.class != Class::Memory {
            return false;
        }
        let certain = match self.slots[output] {
            Slot::Register(cell) => cell.storage,
            _ => return false,
        };
        if let Storage::Family(family) = certain
            && self.is_input(family)
        {
            return false;
        }
        match slot {
            Slot::Register(cell) => match (certain, cell.storage) {
                // One and the same, which is what happens here too, or two.
                (Storage::Family(_), Storage::Family(_)) => false,
                _ => !matches!(of.class, Class::Tied(_)),
            },
            // The address of a global or of a local is in no register that it might share.
            Slot::Memory(Operand::Register(register), _) => !self.coder.is_object(*register),
            _ => false,
        }
    }

    /// Whether an input, or one that is tied to an output, is in this register.
    fn is_input(&self, family: Family) -> bool {
        let mut operands = self.constraints.operands.iter().zip(&self.slots);
        operands.any(|(constraint, slot)| {
            !constraint.output
                && matches!(slot, Slot::Register(cell) if cell.storage == Storage::Family(family))
        })
    }

    /// Refuses to write what is no output and not clobbered, and notes the outputs that are written.
    fn check_writes(&mut self, instruction: &Instruction, written: &mut Vec<usize>) -> Lowered<()> {
        let implied = Family::all().filter(|family| self.implies_write(instruction, *family));
        let mut families: Vec<Family> = implied.collect();
        for (position, operand) in instruction.operands.iter().enumerate() {
            if !instruction.operation.writes(position) {
                continue;
            }
            match operand {
                Written::Register(register) => families.push(register.family),
                Written::Reference(reference) if reference.modifier != Some('a') => {
                    self.check_output(reference.index, instruction)?;
                    written.push(reference.index);
                }
                _ => {}
            }
        }
        // A swap of a register with itself does nothing.
        if instruction.operation == Operation::Exchange {
            let mut named = Vec::new();
            each_register(instruction, &mut |register| named.push(register));
            if let [one, other] = named[..]
                && one == other
            {
                families.clear();
            }
        }
        for family in families {
            let mut outputs = self.constraints.operands.iter().zip(&self.slots);
            let is_output = outputs.any(|(constraint, slot)| {
                constraint.output
                    && matches!(slot, Slot::Register(cell) if cell.storage == Storage::Family(family))
            });
            if !is_output && !self.constraints.clobbered.contains(&family) {
                let name = family.name();
                return Err(self.refuse(&format!(
                    "`{}` writes %{name}, which is neither an output nor clobbered",
                    instruction.text
                )));
            }
        }
        Ok(())
    }

    fn check_output(&mut self, index: usize, instruction: &Instruction) -> Lowered<()> {
        let Some(constraint) = self.constraints.operands.get(index).copied() else {
            return Ok(());
        };
        let is_register = matches!(self.slots.get(index), Some(Slot::Register(_)));
        let is_output = constraint.output || matches!(constraint.class, Class::Tied(_));
        match is_register && !is_output {
            true => Err(self.refuse(&format!(
                "`{}` writes %{index}, which is an input",
                instruction.text
            ))),
            false => Ok(()),
        }
    }

    fn implies_write(&self, instruction: &Instruction, family: Family) -> bool {
        [Family::A, Family::D].contains(&family)
            && self.implied(instruction, family).next().is_some()
    }
}

fn jumps_back(statements: &[Statement]) -> bool {
    let mut labels = false;
    for statement in statements {
        match statement {
            Statement::Label(_) => labels = true,
            Statement::Instruction(instruction) => {
                if labels && matches!(instruction.operation, Operation::Jump(_)) {
                    return true;
                }
            }
        }
    }
    false
}
