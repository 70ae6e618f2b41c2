//! Variable arguments, as x86-64 passes them.
//!
//! A variadic function has one more parameter: the address of an area that holds what would
//! be in the registers for arguments, as its prologue would save them, and behind that what
//! would be on the stack. `va_start` makes a `va_list` of it, and what clang makes of
//! `va_arg` finds everything where it expects it. Variadic functions of the library get
//! the address of a `va_list`, as their relatives with a `v` do.

use super::calls::Argument;
use super::functions::{Coder, Lowered};
use crate::llvm::{Passing, Type, TypeId};
use program::{Access, InstructionKind as Kind, MemoryOrder, Operand, Width};

/// Registers that arguments may come in.
const INTEGERS: u64 = 6;
const FLOATS: u64 = 8;
/// Where floating-point registers and the stack start in an area.
const INTEGERS_END: u64 = 8 * INTEGERS;
const FLOATS_END: u64 = INTEGERS_END + 16 * FLOATS;

/// Bytes of a `va_list`, and of its parts.
const LIST_SIZE: u64 = 24;
const FLOAT_OFFSET: u64 = 4;
const STACK_OFFSET: u64 = 8;
const SAVED_OFFSET: u64 = 16;

/// What is left of registers and stack.
#[derive(Default)]
struct Room {
    integers: u64,
    floats: u64,
    stack: u64,
}

impl Room {
    /// Where an argument goes, given its size, its alignment and the registers it wants.
    fn place(&mut self, size: u64, align: u64, class: Class) -> u64 {
        match class {
            Class::Integers(count) if self.integers + count <= INTEGERS => {
                self.integers += count;
                8 * (self.integers - count)
            }
            Class::Float if self.floats < FLOATS => {
                self.floats += 1;
                INTEGERS_END + 16 * (self.floats - 1)
            }
            _ => {
                let at = self.stack.next_multiple_of(align.max(8));
                self.stack = at + size.next_multiple_of(8);
                FLOATS_END + at
            }
        }
    }
}

/// Which registers an argument wants.
enum Class {
    Integers(u64),
    Float,
    Stack,
}

impl<'m> Coder<'_, 'm> {
    /// Size, alignment and registers of an argument.
    fn class(&mut self, value_type: TypeId, passing: Passing) -> Lowered<(TypeId, u64, Class)> {
        if let Passing::ByValue(of) = passing {
            return Ok((of, self.room(of)?.align, Class::Stack));
        }
        let align = self.room(value_type)?.align;
        Ok(match self.lowering.module.type_of(value_type) {
            Type::Integer(bits) if *bits > 64 => (value_type, 16, Class::Integers(2)),
            Type::Integer(_) | Type::Pointer { .. } => (value_type, align, Class::Integers(1)),
            Type::Float | Type::Double | Type::Vector { .. } => (value_type, align, Class::Float),
            _ => (value_type, align, Class::Stack),
        })
    }

    /// The room that parameters with a name leave.
    fn room_after(&mut self, named: impl Iterator<Item = (TypeId, Passing)>) -> Lowered<Room> {
        let mut room = Room::default();
        for (value_type, passing) in named {
            let (of, align, class) = self.class(value_type, passing)?;
            room.place(self.room(of)?.size, align, class);
        }
        // Named arguments on the stack lie below the others.
        room.stack = 0;
        Ok(room)
    }

    /// Stores arguments where a variadic function finds them; the address.
    pub fn argument_area(
        &mut self,
        named: &[Argument<'m>],
        extra: &[Argument<'m>],
    ) -> Lowered<Operand> {
        let mut room = self.room_after(named.iter().map(|a| (a.value_type, a.passing)))?;
        let mut places = Vec::with_capacity(extra.len());
        for argument in extra {
            let (of, align, class) = self.class(argument.value_type, argument.passing)?;
            places.push(room.place(self.room(of)?.size, align, class));
        }
        let area = self.temporary(FLOATS_END + room.stack, "variable arguments");
        for (argument, place) in extra.iter().zip(places) {
            let at = self.body.offset(area, place);
            match (argument.passing, argument.scalar()) {
                (Passing::ByValue(of), Some(from)) => {
                    let room = self.room(of)?;
                    self.copy_memory(at, from, room.size, room.align)?;
                }
                (_, Some(part)) => {
                    let value = self.body.resize(Width::W64, part);
                    self.body.push(Kind::Store {
                        address: at,
                        value,
                        width: Width::W64,
                        access: Access::plain(8),
                    });
                }
                _ => {
                    let (of, parts) = (argument.value_type, &argument.parts);
                    self.store_to(of, parts, at, MemoryOrder::Plain, 8, false)?;
                }
            }
        }
        Ok(area)
    }

    /// A `va_list` of what a library function gets beyond its named arguments.
    pub fn argument_list(
        &mut self,
        named: &[Argument<'m>],
        extra: &[Argument<'m>],
    ) -> Lowered<Operand> {
        let area = match self.area {
            // A wrapper hands on what it got.
            Some(area) if named.iter().all(|argument| argument.value.is_none()) => {
                Operand::Register(area)
            }
            _ => self.argument_area(named, extra)?,
        };
        let list = self.temporary(LIST_SIZE, "list of arguments");
        let room = self.room_after(named.iter().map(|a| (a.value_type, a.passing)))?;
        self.fill_list(list, area, &room);
        Ok(list)
    }

    fn fill_list(&mut self, list: Operand, area: Operand, room: &Room) {
        let stack = self.body.offset(area, FLOATS_END);
        let integers = Operand::Constant(8 * room.integers);
        let floats = Operand::Constant(INTEGERS_END + 16 * room.floats);
        let fields = [
            (0, integers, Width::W32),
            (FLOAT_OFFSET, floats, Width::W32),
            (STACK_OFFSET, stack, Width::W64),
            (SAVED_OFFSET, area, Width::W64),
        ];
        for (offset, value, width) in fields {
            let at = self.body.offset(list, offset);
            self.store_leaf(at, value, width, MemoryOrder::Plain, width.bytes().into());
        }
    }

    /// `va_start`
    pub fn start_list(&mut self, list: Operand) -> Lowered<()> {
        let triple = &self.lowering.module.triple;
        if !triple.is_empty() && !triple.starts_with("x86_64") {
            return Err(self.refuse("`va_start` on machines other than x86-64"));
        }
        let Some(area) = self.area else {
            return Err(self.refuse("`va_start` in a function that is not variadic"));
        };
        let module = self.lowering.module;
        let function = self.id.map(|id| &module.functions[id.index()]);
        let parameters = function
            .into_iter()
            .flat_map(|function| &function.parameters);
        let room = self.room_after(parameters.map(|p| (p.value_type, p.passing)))?;
        self.fill_list(list, Operand::Register(area), &room);
        Ok(())
    }

    /// `va_copy`
    pub fn copy_list(&mut self, to: Operand, from: Operand) -> Lowered<()> {
        self.copy_memory(to, from, LIST_SIZE, 8)
    }
}
