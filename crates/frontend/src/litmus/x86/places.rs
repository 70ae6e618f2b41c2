//! Where the operands of instructions are: parts of registers, and memory.

use super::lower::{Destination, Lowered, Lowering};
use super::operands::{Argument, What};
use super::registers::View;
use crate::litmus::address::Memory;
use crate::litmus::code::Code;
use crate::litmus::complaint::{Detail, complaint};
use crate::litmus::locations::in_width;
use program::{Access, Binary, Expression, InstructionKind, Operand, RegisterId, Width, Word};
use std::collections::HashSet;

impl Lowering<'_> {
    pub fn address(&mut self, memory: &Memory<View>) -> Lowered<Operand> {
        let width = memory
            .registers
            .first()
            .map_or(Width::W32, |(view, _)| view.width);
        let wide = &self.wide;
        memory.lower(&mut self.code, self.locations, width, |code, view| {
            read_view(code, wide, *view)
        })
    }

    pub fn destination(&mut self, argument: &Argument) -> Lowered<Destination> {
        match &argument.what {
            What::Register(view) => Ok(Destination::Register(*view)),
            What::Memory(memory, _) => Ok(Destination::Memory(self.address(memory)?)),
            _ => Err(
                complaint(self.source, argument.span, "nothing can be written here")
                    .expected("a register or memory"),
            ),
        }
    }

    /// The value of an operand, loaded if it is in memory.
    pub fn value(&mut self, argument: &Argument, width: Width) -> Lowered<Operand> {
        match &argument.what {
            What::Register(_) | What::Memory(..) => {
                let from = self.destination(argument)?;
                Ok(self.read(&from, width))
            }
            What::Number(number) => match in_width(*number, width) {
                Some(word) => Ok(Operand::Constant(word)),
                None => {
                    let message = format!("{number} does not fit {} bits", width.bits());
                    Err(complaint(self.source, argument.span, message))
                }
            },
            What::Address(name) if width >= Width::W32 => {
                let place = self.locations.place(name, 0, argument.span)?;
                Ok(Operand::Address(place))
            }
            What::Address(_) | What::Label(_) => {
                let message = format!("no value of {} bits", width.bits());
                Err(complaint(self.source, argument.span, message))
            }
        }
    }

    pub fn read(&mut self, from: &Destination, width: Width) -> Operand {
        match from {
            Destination::Register(view) => self.read_view(*view),
            Destination::Memory(address) => {
                let target = self.code.word();
                self.code.push(InstructionKind::Load {
                    target,
                    address: *address,
                    width,
                    access: Access::default(),
                });
                target.into()
            }
        }
    }

    /// Writes a value, which must not have more than `width` bits.
    pub fn write(&mut self, to: Destination, value: Expression, width: Width) {
        match to {
            Destination::Register(view) => self.write_view(view, value),
            Destination::Memory(address) => {
                let value = match value {
                    Expression::Copy(operand) => operand,
                    computed => {
                        let target = self.code.word();
                        self.code.assign(target, computed);
                        target.into()
                    }
                };
                self.code.push(InstructionKind::Store {
                    address,
                    value,
                    width,
                    access: Access::default(),
                });
            }
        }
    }

    pub fn read_view(&mut self, view: View) -> Operand {
        read_view(&mut self.code, &self.wide, view)
    }

    /// Writes a part of a register: 32 bits clear the rest, fewer keep it.
    pub fn write_view(&mut self, view: View, value: Expression) {
        let register = self.code.register(view.register, Width::W64);
        if view.width >= Width::W32 {
            return self.code.assign(register, value);
        }
        let part = self.code.word();
        self.code.assign(part, value);
        let shift = if view.high { 8 } else { 0 };
        let kept = Operand::Constant(!(view.width.truncate(Word::MAX) << shift));
        let rest = self.code.binary(Binary::And, Width::W64, register, kept);
        let mut part: Operand = part.into();
        if view.high {
            let by = Operand::Constant(shift);
            part = self.code.binary(Binary::Shl, Width::W64, part, by).into();
        }
        let merged = Expression::Binary(Binary::Or, Width::W64, rest.into(), part);
        self.code.assign(register, merged);
    }

    /// Adds an access whose result goes to a part of a register.
    pub fn receive(&mut self, view: View, access: impl FnOnce(RegisterId) -> InstructionKind) {
        self.loaded.push(view.name);
        if view.width >= Width::W32 {
            let register = self.code.register(view.register, Width::W64);
            return self.code.push(access(register));
        }
        let received = self.code.word();
        self.code.push(access(received));
        self.write_view(view, Expression::Copy(received.into()));
    }
}

/// The value of a part of a register, all other bits zero.
fn read_view(code: &mut Code, wide: &HashSet<&'static str>, view: View) -> Operand {
    let register = code.register(view.register, Width::W64);
    if view.width == Width::W64 || (view.width == Width::W32 && !wide.contains(view.register)) {
        return register.into();
    }
    let mut part: Operand = register.into();
    if view.high {
        let by = Operand::Constant(8);
        part = code.binary(Binary::Shr, Width::W64, part, by).into();
    }
    let mask = Operand::Constant(view.width.truncate(Word::MAX));
    code.binary(Binary::And, Width::W64, part, mask).into()
}
