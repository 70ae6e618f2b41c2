//! Cells: what stands for the operands of the C statement, and for the registers that the text names.
//!
//! A cell is a register of the program that is as wide as the widest access of it in the text, and at least as the operand. Bits
//! above those of an input are undefined, as a compiler leaves them; so is an output that nothing has written.

use super::super::functions::Lowered;
use super::Assembler;
use crate::llvm::asm::constraints::Class;
use crate::llvm::asm::instructions::{Condition, Operation};
use crate::llvm::asm::operands::{Memory, Operand as Written, Part as AddressPart};
use crate::llvm::asm::registers::{Family, Part, Register};
use crate::llvm::asm::statements::{Instruction, Statement};
use crate::llvm::asm::text::Reference;
use crate::llvm::{Argument, Call, Constant, Passing, Value};
use program::{Binary, Expression, Operand, RegisterId, Width};

/// What stands for an operand of the C statement.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// A register.
    Register(Cell),
    /// A constant or an address that is one.
    Immediate(Operand, Width),
    /// Memory at an address, and how much of it where that is one access.
    Memory(Operand, Option<Width>),
    /// A flag, for a value of this width.
    Flag(Condition, Width),
    /// A block of the function.
    Label(program::BlockId),
}

/// A register for an operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub storage: Storage,
    /// The width of the operand.
    pub width: Width,
}

/// What holds the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// A register of the processor.
    Family(Family),
    /// A register of the program.
    Own(RegisterId),
    /// Nothing yet: any register of the processor.
    Any,
    /// An input that nothing writes.
    Value(Operand),
}

impl Slot {
    /// The width of the operand, if it is one value.
    pub fn width(&self) -> Option<Width> {
        match self {
            Slot::Register(cell) => Some(cell.width),
            Slot::Immediate(_, width) | Slot::Flag(_, width) => Some(*width),
            Slot::Memory(_, width) => *width,
            Slot::Label(_) => None,
        }
    }
}

/// The values that operands in registers have at first.
pub(super) type Initial = Vec<Option<Operand>>;

impl<'m> Assembler<'_, '_, 'm> {
    /// Finds what stands for each operand, and the values that they have at first.
    pub fn find_slots(&mut self, call: &'m Call, targets: &[program::BlockId]) -> Lowered<Initial> {
        let mut widths = self.coder.widths(call.result)?.into_iter();
        let mut arguments = call.arguments.iter();
        let mut targets = targets.iter();
        let count = self.constraints.operands.len();
        let mut initial = vec![None; count];
        for index in 0..count {
            let constraint = self.constraints.operands[index];
            let unexpected = "operands like these";
            if constraint.class == Class::Label {
                let block = targets.next().copied();
                let block = block.ok_or_else(|| self.refuse(unexpected))?;
                self.slots.push(Slot::Label(block));
                continue;
            }
            if constraint.output && constraint.class != Class::Memory {
                let width = widths.next().ok_or_else(|| self.refuse(unexpected))?;
                let slot = match constraint.class {
                    Class::Flag(condition) => Slot::Flag(condition, width),
                    Class::Register(family) | Class::Either(family) => {
                        let storage = family.map_or(Storage::Any, Storage::Family);
                        Slot::Register(Cell { storage, width })
                    }
                    _ => return Err(self.refuse(unexpected)),
                };
                self.slots.push(slot);
                continue;
            }
            let argument = arguments.next().ok_or_else(|| self.refuse(unexpected))?;
            // An older clang passes the addresses of labels.
            if let Value::Constant(Constant::BlockAddress { .. }) = &argument.value
                && let Some(block) = targets.next()
            {
                self.slots.push(Slot::Label(*block));
                continue;
            }
            let (slot, value) = self.input(argument, constraint.class)?;
            self.slots.push(slot);
            let cell = match constraint.class {
                Class::Tied(tied) => tied,
                _ => index,
            };
            initial[cell] = value;
        }
        match (widths.next(), arguments.next()) {
            (None, None) => Ok(initial),
            _ => Err(self.refuse("operands like these")),
        }
    }

    fn input(&mut self, argument: &'m Argument, class: Class) -> Lowered<(Slot, Option<Operand>)> {
        if class == Class::Memory {
            let address = self
                .coder
                .scalar_value(argument.value_type, &argument.value)?;
            let width = match argument.passing {
                Passing::Element(of) => self.coder.room(of)?.size,
                _ => 0,
            };
            let width = match width {
                1 | 2 | 4 | 8 => Width::of_bits(width as u32 * 8),
                _ => None,
            };
            return Ok((Slot::Memory(address, width), None));
        }
        let widths = self.coder.widths(argument.value_type)?;
        let (&[width], value) = (
            &widths[..],
            self.coder.value(argument.value_type, &argument.value)?,
        ) else {
            return Err(self.refuse("an operand of more than 64 bits"));
        };
        let value = value[0];
        let is_constant = !matches!(value, Operand::Register(_));
        let slot = match class {
            Class::Immediate | Class::Either(_) if is_constant => {
                return Ok((Slot::Immediate(value, width), None));
            }
            Class::Register(family) | Class::Either(family) => {
                let storage = family.map_or(Storage::Any, Storage::Family);
                Slot::Register(Cell { storage, width })
            }
            // Where a function is inlined into one that passes a constant.
            Class::Immediate => Slot::Register(Cell {
                storage: Storage::Any,
                width,
            }),
            Class::Tied(tied) => match self.slots.get(tied) {
                Some(Slot::Register(cell)) => Slot::Register(Cell { width, ..*cell }),
                _ => return Err(self.refuse("operands like these")),
            },
            _ => return Err(self.refuse("operands like these")),
        };
        Ok((slot, Some(value)))
    }

    /// Gives every register that is used one of the program, with the value that it has at first.
    pub fn make_cells(&mut self, initial: &Initial) -> Lowered<()> {
        for family in Family::all() {
            let Some(width) = self.widest(family) else {
                continue;
            };
            let of = |slot: &Slot| matches!(slot, Slot::Register(cell) if cell.storage == Storage::Family(family));
            let inputs = (0..self.slots.len()).filter(|slot| of(&self.slots[*slot]));
            let value = |slot: usize| {
                let own = self.slots[slot].width()?;
                Some((initial[slot]?, self.initial_width(slot, own)))
            };
            let values: Vec<_> = inputs.filter_map(value).collect();
            if values.len() > 1 {
                return Err(self.refuse("two inputs in one register"));
            }
            let value = values.first().copied();
            let register = self.coder.body.named_register(&family.name(), width);
            self.families[family.index()] = Some(register);
            self.start(register, width, value);
        }
        for (index, initial) in initial.iter().enumerate() {
            let tied = self.constraints.operands[index].class;
            let Slot::Register(cell) = self.slots[index] else {
                continue;
            };
            if cell.storage != Storage::Any {
                continue;
            }
            if let Class::Tied(tied) = tied {
                if let Slot::Register(Cell { storage, .. }) = self.slots[tied] {
                    let width = cell.width;
                    self.slots[index] = Slot::Register(Cell { storage, width });
                }
                continue;
            }
            let width = self.widest_of(index, cell.width);
            let written = self.constraints.operands[index].output;
            let storage = match *initial {
                Some(value) if !written && width == cell.width => Storage::Value(value),
                value => {
                    let register = self.coder.body.register(width);
                    let value = value.map(|value| (value, self.initial_width(index, cell.width)));
                    if value.is_some() || !self.is_overwritten(index) {
                        self.start(register, width, value);
                    }
                    Storage::Own(register)
                }
            };
            let width = cell.width;
            self.slots[index] = Slot::Register(Cell { storage, width });
        }
        Ok(())
    }

    /// The width of the input that an operand begins with.
    fn initial_width(&self, index: usize, own: Width) -> Width {
        let mut operands = self.constraints.operands.iter().zip(&self.slots);
        let tied = operands.find(|(constraint, _)| constraint.class == Class::Tied(index));
        tied.and_then(|(_, slot)| slot.width()).unwrap_or(own)
    }

    /// Whether the first instruction that mentions an output writes all of it, whatever it was.
    fn is_overwritten(&self, index: usize) -> bool {
        let jumps = self
            .statements
            .iter()
            .any(|one| matches!(one, Statement::Label(_)));
        let mentions = |instruction: &&Instruction| {
            let mut count = 0;
            each_reference(instruction, &mut |reference| {
                count += usize::from(reference.index == index);
            });
            count > 0
        };
        match self
            .instructions()
            .find(mentions)
            .map(|first| (first.operation, &first.operands[..]))
        {
            Some((Operation::Move, [Written::Reference(to), from])) if !jumps => {
                to.index == index && to.modifier.is_none() && !mentioned(from, index)
            }
            _ => false,
        }
    }

    /// Writes the value that a cell has at first; nothing of it is defined where there is none.
    fn start(&mut self, register: RegisterId, width: Width, value: Option<(Operand, Width)>) {
        let body = &mut self.coder.body;
        let value = match value {
            None => body.undefined(width),
            Some((value, of)) if of < width => {
                let defined = Operand::Constant(of.truncate(u64::MAX));
                let above = Operand::Constant(!of.truncate(u64::MAX));
                let rest = body.undefined(width);
                let rest = body.binary(Binary::And, width, rest, above);
                let value = body.resize(width, value);
                let value = body.binary(Binary::And, width, value, defined);
                body.binary(Binary::Or, width, value, rest)
            }
            Some((value, _)) => value,
        };
        body.assign(register, Expression::Copy(value));
    }

    /// The widest access of a register of the processor; none if there is no access.
    fn widest(&self, family: Family) -> Option<Width> {
        let of_slots = self.slots.iter().filter_map(|slot| match slot {
            Slot::Register(cell) if cell.storage == Storage::Family(family) => Some(cell.width),
            _ => None,
        });
        let instructions = self.instructions();
        let of_text = instructions.flat_map(|instruction| {
            let mut widths: Vec<Width> = self.implied(instruction, family).collect();
            each_register(instruction, &mut |register| {
                if register.family == family {
                    widths.push(covered(register.part));
                }
            });
            each_reference(instruction, &mut |reference| {
                if let Some(Slot::Register(cell)) = self.slots.get(reference.index)
                    && cell.storage == Storage::Family(family)
                {
                    widths.push(covered(
                        part_of(reference, cell.width).unwrap_or(Part::High),
                    ));
                }
            });
            widths
        });
        of_slots.chain(of_text).max()
    }

    /// The widest access of an operand, which has at least its own width.
    fn widest_of(&self, index: usize, own: Width) -> Width {
        let mut widest = self.initial_width(index, own).max(own);
        for instruction in self.instructions() {
            each_reference(instruction, &mut |reference| {
                let tied = Class::Tied(index);
                let refers = reference.index == index
                    || (self.constraints.operands.get(reference.index))
                        .is_some_and(|constraint| constraint.class == tied);
                if refers && let Some(part) = part_of(reference, own) {
                    widest = widest.max(covered(part));
                }
            });
        }
        widest
    }

    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        let statements = self.statements.iter();
        statements.filter_map(|statement| match statement {
            Statement::Instruction(instruction) => Some(instruction),
            Statement::Label(_) => None,
        })
    }

    /// How wide an instruction accesses a register that its operands do not name.
    pub fn implied(
        &self,
        instruction: &Instruction,
        family: Family,
    ) -> impl Iterator<Item = Width> + use<> {
        let accumulators = [Family::A, Family::D].contains(&family);
        let width = match instruction.operation {
            Operation::CompareExchange if family == Family::A => {
                Some(self.width_of(instruction).unwrap_or(Width::W64))
            }
            Operation::CompareExchangePair(half)
                if accumulators || [Family::B, Family::C].contains(&family) =>
            {
                Some(half)
            }
            Operation::TimeStamp if accumulators => Some(Width::W32),
            _ => None,
        };
        width.into_iter()
    }

    /// What a cell holds, with all its bits.
    pub fn stored(&mut self, storage: Storage) -> Operand {
        match storage {
            Storage::Own(register) => register.into(),
            Storage::Value(value) => value,
            Storage::Family(family) => match self.families[family.index()] {
                Some(register) => register.into(),
                None => self.coder.body.undefined(Width::W64),
            },
            Storage::Any => self.coder.body.undefined(Width::W64),
        }
    }

    fn storage_width(&self, storage: Storage, part: Part) -> Width {
        let register = match storage {
            Storage::Own(register) | Storage::Value(Operand::Register(register)) => Some(register),
            Storage::Family(family) => self.families[family.index()],
            Storage::Any | Storage::Value(_) => None,
        };
        register.map_or(covered(part), |register| self.coder.body.width(register))
    }

    /// Reads a part of a cell.
    pub fn read(&mut self, storage: Storage, part: Part) -> Operand {
        let width = self.storage_width(storage, part);
        let mut value = self.stored(storage);
        if part == Part::High {
            value = (self.coder.body).binary(Binary::Shr, width, value, Operand::Constant(8));
        }
        self.coder.body.resize(part.width(), value)
    }

    /// Writes a part of a cell. To write 32 bits clears the upper half, to write fewer leaves the others as they are.
    pub fn write(&mut self, storage: Storage, part: Part, value: Operand) {
        let width = self.storage_width(storage, part);
        let register = match storage {
            Storage::Own(register) => register,
            Storage::Family(family) => {
                self.values[family.index()] = self.next_value;
                self.next_value += 1;
                match self.families[family.index()] {
                    Some(register) => register,
                    None => return,
                }
            }
            Storage::Any | Storage::Value(_) => return,
        };
        let body = &mut self.coder.body;
        let value = match part {
            Part::Low(part) if part == width || part == Width::W32 => value,
            part => {
                let shift = if part == Part::High { 8 } else { 0 };
                let mask = part.width().truncate(u64::MAX) << shift;
                let value = body.resize(width, value);
                let value = body.binary(Binary::Shl, width, value, Operand::Constant(shift));
                let rest = Operand::Constant(width.truncate(!mask));
                let rest = body.binary(Binary::And, width, register.into(), rest);
                body.binary(Binary::Or, width, value, rest)
            }
        };
        body.assign(register, Expression::Copy(value));
    }

    /// Reads the low bits of a register.
    pub fn read_family(&mut self, family: Family, width: Width) -> Operand {
        self.read(Storage::Family(family), Part::Low(width))
    }

    /// Writes the low bits of a register.
    pub fn write_family(&mut self, family: Family, width: Width, value: Operand) {
        self.write(Storage::Family(family), Part::Low(width), value);
    }

    /// Notes that registers may hold anything here.
    pub fn forget_values(&mut self) {
        for value in &mut self.values {
            *value = self.next_value;
            self.next_value += 1;
        }
    }
}

/// How many bits from the lowest on a part reaches.
fn covered(part: Part) -> Width {
    match part {
        Part::Low(width) => width,
        Part::High => Width::W16,
    }
}

/// The part of an operand's register that a reference names; none if the modifier names no part.
pub(super) fn part_of(reference: Reference, own: Width) -> Option<Part> {
    Some(match reference.modifier {
        None => Part::Low(own),
        Some('b') => Part::Low(Width::W8),
        Some('h') => Part::High,
        Some('w') => Part::Low(Width::W16),
        Some('k') => Part::Low(Width::W32),
        Some('q' | 'a') => Part::Low(Width::W64),
        Some(_) => return None,
    })
}

/// Calls `visit` for every register that the text of an instruction names.
pub(super) fn each_register(instruction: &Instruction, visit: &mut impl FnMut(Register)) {
    for operand in &instruction.operands {
        match operand {
            Written::Register(register) => visit(*register),
            Written::Memory(memory) => {
                for part in address_parts(memory) {
                    if let AddressPart::Register(register) = part {
                        visit(register);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Calls `visit` for every reference to an operand of the C statement.
pub(super) fn each_reference(instruction: &Instruction, visit: &mut impl FnMut(Reference)) {
    for operand in &instruction.operands {
        match operand {
            Written::Reference(reference) => visit(*reference),
            Written::Immediate(sum) => sum.operand.into_iter().for_each(&mut *visit),
            Written::Memory(memory) => {
                memory
                    .displacement
                    .operand
                    .into_iter()
                    .for_each(&mut *visit);
                for part in address_parts(memory) {
                    if let AddressPart::Reference(reference) = part {
                        visit(reference);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether an operand refers to this one of the C statement.
fn mentioned(operand: &Written, index: usize) -> bool {
    match operand {
        Written::Reference(reference) => reference.index == index,
        Written::Register(_) | Written::Immediate(_) | Written::Label(_) => false,
        Written::Memory(_) => true,
    }
}

fn address_parts(memory: &Memory) -> impl Iterator<Item = AddressPart> + use<> {
    let index = memory.index.map(|(part, _)| part);
    memory.base.into_iter().chain(index)
}
