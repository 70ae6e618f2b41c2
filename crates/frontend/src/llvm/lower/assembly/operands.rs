//! Where the operands of an instruction are, and how wide.

use super::super::functions::Lowered;
use super::Assembler;
use super::cells::{Cell, Slot, Storage, part_of};
use crate::llvm::asm::instructions::Operation;
use crate::llvm::asm::operands::{Memory, Operand as Written, Part as AddressPart};
use crate::llvm::asm::registers::{Family, Part};
use crate::llvm::asm::statements::Instruction;
use crate::llvm::asm::text::{Dialect, Reference};
use program::{Binary, Operand, Width};

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Location {
    /// In a part of a register.
    Register(Storage, Part),
    /// In memory, at this address.
    Memory(Operand),
    /// In the instruction.
    Immediate(Operand),
}

impl Assembler<'_, '_, '_> {
    /// The width of an instruction's operands: as its mnemonic says, or a register, or a size in Intel's syntax.
    pub fn width_of(&self, instruction: &Instruction) -> Option<Width> {
        let counts = matches!(instruction.operation, Operation::Shift(_));
        let first_only = matches!(
            instruction.operation,
            Operation::MoveZero(_) | Operation::MoveSign(_)
        );
        let mut operands = instruction.operands.iter();
        let first = operands.next();
        let others = operands.filter(|_| !counts && !first_only);
        let all: Vec<&Written> = first.into_iter().chain(others).collect();
        let registers = all
            .iter()
            .filter_map(|operand| self.register_width(operand));
        let sizes = all.iter().filter_map(|operand| self.memory_width(operand));
        instruction.width.or(registers.chain(sizes).next())
    }

    /// The same, where an instruction without one is a mistake.
    pub fn known_width(&mut self, instruction: &Instruction) -> Lowered<Width> {
        match self.width_of(instruction) {
            Some(width) => Ok(width),
            None => Err(self.refuse(&format!("how wide `{}` is", instruction.text))),
        }
    }

    /// The width of an operand in a register.
    pub fn register_width(&self, operand: &Written) -> Option<Width> {
        match operand {
            Written::Register(register) => Some(register.part.width()),
            Written::Reference(reference) if reference.modifier != Some('a') => {
                match self.slots.get(reference.index)? {
                    Slot::Register(cell) => Some(part_of(*reference, cell.width)?.width()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The width of memory, where Intel's syntax says it.
    pub fn memory_width(&self, operand: &Written) -> Option<Width> {
        match operand {
            Written::Memory(memory) => memory.width,
            Written::Reference(reference) if self.dialect == Dialect::Intel => {
                match self.slots.get(reference.index)? {
                    Slot::Memory(_, width) => *width,
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Where an operand of this width is.
    pub fn location(&mut self, operand: &Written, width: Width) -> Lowered<Location> {
        match operand {
            Written::Register(register) => {
                self.check_general(register.family)?;
                self.check_width(register.part, width)?;
                Ok(Location::Register(
                    Storage::Family(register.family),
                    register.part,
                ))
            }
            Written::Immediate(sum) => {
                let value = match sum.operand {
                    None => Operand::Constant(0),
                    Some(reference) => self.constant(reference)?,
                };
                let constant = Operand::Constant(sum.constant as u64);
                let value = self
                    .coder
                    .body
                    .binary(Binary::Add, Width::W64, value, constant);
                self.immediate(value, width)
            }
            Written::Memory(memory) => Ok(Location::Memory(self.address(memory)?)),
            Written::Reference(reference) => self.referred(*reference, width),
            Written::Label(_) => Err(self.refuse("a label as an operand")),
        }
    }

    fn referred(&mut self, reference: Reference, width: Width) -> Lowered<Location> {
        let names_constant = matches!(reference.modifier, Some('c' | 'P' | 'p'));
        match self.slot(reference)? {
            Slot::Register(cell) if reference.modifier == Some('a') => {
                Ok(Location::Memory(self.whole(reference, cell)?))
            }
            Slot::Register(cell) => {
                let part = part_of(reference, cell.width);
                let part = part.ok_or_else(|| self.unknown_modifier(reference))?;
                self.check_width(part, width)?;
                Ok(Location::Register(cell.storage, part))
            }
            Slot::Memory(address, _) => match reference.modifier {
                None | Some('b' | 'h' | 'w' | 'k' | 'q') => Ok(Location::Memory(address)),
                Some('H') => Ok(Location::Memory(self.coder.body.offset(address, 8))),
                Some(_) => Err(self.unknown_modifier(reference)),
            },
            // A constant without its `$` is an address.
            Slot::Immediate(value, _) if reference.modifier == Some('a') => {
                Ok(Location::Memory(value))
            }
            Slot::Immediate(value @ Operand::Address(_), _)
                if names_constant && self.dialect == Dialect::Att =>
            {
                Ok(Location::Memory(value))
            }
            Slot::Immediate(..) if names_constant && self.dialect == Dialect::Att => {
                Err(self.refuse("memory at an address that is a constant"))
            }
            Slot::Immediate(..) => {
                let value = self.constant(reference)?;
                self.immediate(value, width)
            }
            Slot::Flag(..) | Slot::Label(_) => Err(self.refuse("a flag or a label as an operand")),
        }
    }

    fn slot(&mut self, reference: Reference) -> Lowered<Slot> {
        match self.slots.get(reference.index) {
            Some(slot) => Ok(*slot),
            None => Err(self.refuse(&format!("the operand %{}", reference.index))),
        }
    }

    /// The value of an operand that is a constant, with its sign.
    fn constant(&mut self, reference: Reference) -> Lowered<Operand> {
        let negative = reference.modifier == Some('n');
        // Those that name a part of a register say nothing of a constant.
        let known = ['c', 'P', 'p', 'n', 'b', 'w', 'k', 'q', 'h'];
        if reference
            .modifier
            .is_some_and(|letter| !known.contains(&letter))
        {
            return Err(self.unknown_modifier(reference));
        }
        match self.slot(reference)? {
            Slot::Immediate(Operand::Constant(word), width) => {
                let number = width.signed(word);
                let number = if negative {
                    number.wrapping_neg()
                } else {
                    number
                };
                Ok(Operand::Constant(number as u64))
            }
            Slot::Immediate(value @ Operand::Address(_), _) if !negative => Ok(value),
            _ => Err(self.refuse("an operand that is no constant, as a constant")),
        }
    }

    fn immediate(&mut self, value: Operand, width: Width) -> Lowered<Location> {
        match value {
            Operand::Constant(word) => {
                Ok(Location::Immediate(Operand::Constant(width.truncate(word))))
            }
            Operand::Address(_) if width == Width::W64 => Ok(Location::Immediate(value)),
            _ => Err(self.refuse("a part of an address")),
        }
    }

    /// The address of memory.
    pub fn address(&mut self, memory: &Memory) -> Lowered<Operand> {
        let mut address = match memory.displacement.operand {
            None => Operand::Constant(0),
            Some(reference) => match self.slot(reference)? {
                Slot::Memory(address, _) => match reference.modifier {
                    Some('H') => self.coder.body.offset(address, 8),
                    _ => address,
                },
                _ => self.constant(reference)?,
            },
        };
        let constant = memory.displacement.constant as u64;
        if let Some(base) = memory.base {
            let base = self.address_part(base)?;
            address = self
                .coder
                .body
                .binary(Binary::Add, Width::W64, address, base);
        }
        if let Some((index, scale)) = memory.index {
            let index = self.address_part(index)?;
            let scale = Operand::Constant(scale.into());
            let index = self
                .coder
                .body
                .binary(Binary::Mul, Width::W64, index, scale);
            address = self
                .coder
                .body
                .binary(Binary::Add, Width::W64, address, index);
        }
        Ok(self.coder.body.offset(address, constant))
    }

    fn address_part(&mut self, part: AddressPart) -> Lowered<Operand> {
        match part {
            AddressPart::Register(register) => {
                self.check_general(register.family)?;
                self.check_width(register.part, Width::W64)?;
                Ok(self.read_family(register.family, Width::W64))
            }
            AddressPart::Reference(reference) => match self.slot(reference)? {
                Slot::Register(cell) => self.whole(reference, cell),
                // In Intel's syntax.
                Slot::Immediate(..) => self.constant(reference),
                Slot::Memory(address, _) if self.dialect == Dialect::Intel => Ok(address),
                _ => Err(self.refuse("an address like this")),
            },
        }
    }

    /// All 64 bits of an operand's register.
    fn whole(&mut self, reference: Reference, cell: Cell) -> Lowered<Operand> {
        let own = match reference.modifier {
            Some('a') => Part::Low(cell.width),
            _ => part_of(reference, cell.width).unwrap_or(Part::High),
        };
        self.check_width(own, Width::W64)?;
        Ok(self.read(cell.storage, own))
    }

    fn check_general(&mut self, family: Family) -> Lowered<()> {
        match family {
            Family::STACK | Family::FRAME => {
                Err(self.refuse(&format!("the register `%{}`", family.name())))
            }
            _ => Ok(()),
        }
    }

    fn check_width(&mut self, part: Part, width: Width) -> Lowered<()> {
        match part.width() == width {
            true => Ok(()),
            false => {
                let (part, width) = (part.width().bits(), width.bits());
                Err(self.refuse(&format!(
                    "a register of {part} bits where {width} are meant"
                )))
            }
        }
    }

    fn unknown_modifier(&mut self, reference: Reference) -> program::Diagnostic {
        let letter = reference.modifier.unwrap_or(' ');
        self.refuse(&format!("the modifier `{letter}` of %{}", reference.index))
    }

    /// The value at a location.
    pub fn value(&mut self, location: Location, width: Width) -> Operand {
        match location {
            Location::Register(storage, part) => self.read(storage, part),
            Location::Memory(address) => self.load(address, width),
            Location::Immediate(value) => value,
        }
    }

    /// Writes a value to a location.
    pub fn put(&mut self, location: Location, width: Width, value: Operand) -> Lowered<()> {
        match location {
            Location::Register(storage, part) => self.write(storage, part, value),
            Location::Memory(address) => self.store(address, width, value),
            Location::Immediate(_) => return Err(self.refuse("a constant as a destination")),
        }
        Ok(())
    }

    /// The operands of an instruction that has this many.
    pub fn exactly<'i, const N: usize>(
        &mut self,
        instruction: &'i Instruction,
    ) -> Lowered<&'i [Written; N]> {
        match <&[Written; N]>::try_from(&instruction.operands[..]) {
            Ok(operands) => Ok(operands),
            Err(_) => Err(self.refuse(&format!("the operands of `{}`", instruction.text))),
        }
    }

    /// Two operands, of which at most one is in memory.
    pub fn two(
        &mut self,
        instruction: &Instruction,
        width: Width,
    ) -> Lowered<(Location, Location)> {
        let [first, second] = self.exactly(instruction)?;
        let first = self.location(first, width)?;
        let second = self.location(second, width)?;
        match (first, second) {
            (Location::Memory(_), Location::Memory(_)) => {
                Err(self.refuse(&format!("two operands in memory in `{}`", instruction.text)))
            }
            _ => Ok((first, second)),
        }
    }
}
