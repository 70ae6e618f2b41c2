//! Instructions that move values: `mov` and its like, `lea`, `bswap`, `push`, `pop`, `setcc`, `cmovcc`.

use super::super::functions::Lowered;
use super::Assembler;
use super::cells::Storage;
use super::operands::Location;
use crate::llvm::asm::instructions::Operation;
use crate::llvm::asm::registers::Part;
use crate::llvm::asm::statements::Instruction;
use program::{Operand, Unary, Width};

impl Assembler<'_, '_, '_> {
    pub fn moving(&mut self, instruction: &Instruction) -> Lowered<()> {
        match instruction.operation {
            Operation::Move => self.plain_move(instruction),
            Operation::MoveZero(from) => self.extending_move(instruction, from, false),
            Operation::MoveSign(from) => self.extending_move(instruction, from, true),
            Operation::LoadAddress => {
                let width = self.known_width(instruction)?;
                let [to, from] = self.exactly(instruction)?;
                let to = self.location(to, width)?;
                let Location::Memory(address) = self.location(from, width)? else {
                    return Err(self.refuse("`lea` of what is not in memory"));
                };
                let address = self.coder.body.resize(width, address);
                self.put(to, width, address)
            }
            Operation::SwapBytes => {
                let width = self.known_width(instruction)?;
                let [operand] = self.exactly(instruction)?;
                let location = self.location(operand, width)?;
                if width < Width::W32 || !matches!(location, Location::Register(..)) {
                    return Err(self.refuse(&format!("the operand of `{}`", instruction.text)));
                }
                let value = self.value(location, width);
                let value = self.coder.body.unary(Unary::SwapBytes, width, value);
                self.put(location, width, value)
            }
            Operation::Push => {
                let [operand] = self.exactly(instruction)?;
                let location = self.location(operand, Width::W64)?;
                if let Location::Memory(_) = location {
                    return Err(self.refuse("`push` of memory"));
                }
                let value = self.value(location, Width::W64);
                let kept = self.keep(Width::W64, value);
                self.pushed.push(kept);
                Ok(())
            }
            Operation::Pop => {
                let [operand] = self.exactly(instruction)?;
                let location = self.location(operand, Width::W64)?;
                match (location, self.pushed.pop()) {
                    (Location::Register(..), Some(value)) => self.put(location, Width::W64, value),
                    _ => Err(self.refuse("`pop` without `push`, or to memory")),
                }
            }
            Operation::Set(condition) => {
                let [operand] = self.exactly(instruction)?;
                let location = self.location(operand, Width::W8)?;
                let value = self.condition(condition);
                let value = self.coder.body.resize(Width::W8, value);
                self.put(location, Width::W8, value)
            }
            Operation::MoveIf(condition) => {
                let width = self.known_width(instruction)?;
                let (to, from) = self.two(instruction, width)?;
                let value = self.value(from, width);
                let old = self.value(to, width);
                let condition = self.condition(condition);
                let value = self.coder.body.select(width, condition, value, old);
                self.put(to, width, value)
            }
            _ => Err(self.refuse(&format!("`{}`", instruction.text))),
        }
    }

    fn plain_move(&mut self, instruction: &Instruction) -> Lowered<()> {
        let width = self.known_width(instruction)?;
        let (to, from) = self.two(instruction, width)?;
        let value = self.value(from, width);
        self.put(to, width, value)?;
        if let (
            Location::Register(Storage::Family(to), Part::Low(Width::W64)),
            Location::Register(Storage::Family(from), _),
        ) = (to, from)
        {
            self.values[to.index()] = self.values[from.index()];
        }
        Ok(())
    }

    fn extending_move(
        &mut self,
        instruction: &Instruction,
        from: Option<Width>,
        signed: bool,
    ) -> Lowered<()> {
        let width = self.known_width(instruction)?;
        let [to, source] = self.exactly(instruction)?;
        let narrow = from
            .or_else(|| self.register_width(source))
            .or_else(|| self.memory_width(source));
        let Some(narrow) = narrow.filter(|narrow| *narrow < width) else {
            return Err(self.refuse(&format!("how wide `{}` is", instruction.text)));
        };
        let to = self.location(to, width)?;
        let source = self.location(source, narrow)?;
        if !matches!(
            (to, source),
            (
                Location::Register(..),
                Location::Register(..) | Location::Memory(_)
            )
        ) {
            return Err(self.refuse(&format!("the operands of `{}`", instruction.text)));
        }
        let value = self.value(source, narrow);
        let value = match signed {
            true => self.coder.body.sign_extend(narrow, width, value),
            false => self.coder.body.resize(width, value),
        };
        self.put(to, width, value)
    }

    /// A copy of a value, which stays what it is when its register is written.
    pub fn keep(&mut self, width: Width, value: Operand) -> Operand {
        match value {
            Operand::Register(_) => {
                let copy = self.coder.body.register(width);
                let value = program::Expression::Copy(value);
                self.coder.body.assign(copy, value);
                copy.into()
            }
            _ => value,
        }
    }
}
