//! Variable arguments.
//!
//! A variadic function has one more parameter: the address of its further arguments, in
//! slots of eight bytes, as on the stack of x86-64. `va_start` makes a `va_list` of x86-64
//! that says that no argument came in a register, so that what clang makes of `va_arg`
//! finds all of them there.

use super::calls::Argument;
use super::functions::{Coder, Lowered};
use crate::llvm::{Operand as LlvmOperand, Passing, Type, TypeId};
use program::{Access, Binary, InstructionKind as Kind, MemoryOrder, Operand, Width};

/// Offsets past the registers that arguments may come in.
const INTEGERS_END: u64 = 48;
const FLOATS_END: u64 = 176;

/// Bytes of a `va_list`, and of its parts.
const LIST_SIZE: u64 = 24;
const FLOAT_OFFSET: u64 = 4;
const AREA_OFFSET: u64 = 8;
const SAVED_OFFSET: u64 = 16;

impl<'m> Coder<'_, 'm> {
    /// Stores arguments where a variadic function finds them; the address.
    pub fn argument_area(&mut self, arguments: &[Argument<'m>]) -> Lowered<Operand> {
        let mut size = 0u64;
        let mut places = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let (of, align) = match argument.passing {
                Passing::ByValue(of) => (of, self.room(of)?.align),
                _ => {
                    let align = self.room(argument.value_type)?.align;
                    let of = self.lowering.module.type_of(argument.value_type);
                    let wide = matches!(of, Type::Integer(bits) if *bits > 64);
                    (argument.value_type, if wide { 16 } else { align })
                }
            };
            size = size.next_multiple_of(align.max(8));
            places.push(size);
            size += self.room(of)?.size.next_multiple_of(8);
        }
        if size == 0 {
            return Ok(Operand::Constant(0));
        }
        let area = self.temporary(size, "arguments");
        for (argument, place) in arguments.iter().zip(places) {
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

    /// `va_start`
    pub fn start_list(&mut self, list: Operand) -> Lowered<()> {
        let triple = &self.lowering.module.triple;
        if !triple.is_empty() && !triple.starts_with("x86_64") {
            return Err(self.refuse("`va_start` on machines other than x86-64"));
        }
        let Some(area) = self.area else {
            return Err(self.refuse("`va_start` in a function that is not variadic"));
        };
        let fields = [
            (0, Operand::Constant(INTEGERS_END), Width::W32),
            (FLOAT_OFFSET, Operand::Constant(FLOATS_END), Width::W32),
            (AREA_OFFSET, Operand::Register(area), Width::W64),
            (SAVED_OFFSET, Operand::Constant(0), Width::W64),
        ];
        for (offset, value, width) in fields {
            let at = self.body.offset(list, offset);
            self.store_leaf(at, value, width, MemoryOrder::Plain, width.bytes().into());
        }
        Ok(())
    }

    /// `va_copy`
    pub fn copy_list(&mut self, to: Operand, from: Operand) -> Lowered<()> {
        self.copy_memory(to, from, LIST_SIZE, 8)
    }

    /// The address of the arguments that a `va_list` has left.
    pub fn list_area(&mut self, list: Operand) -> Operand {
        let at = self.body.offset(list, AREA_OFFSET);
        self.load_leaf(at, Width::W64, MemoryOrder::Plain, 8)
    }

    /// The instruction `va_arg`.
    pub fn variadic_argument(
        &mut self,
        list: &'m LlvmOperand,
        value_type: TypeId,
    ) -> Lowered<Vec<Operand>> {
        let list = self.scalar(list)?;
        let room = self.room(value_type)?;
        let mut at = self.list_area(list);
        if room.align > 8 {
            let add = Operand::Constant(15);
            at = self.body.binary(Binary::Add, Width::W64, at, add);
            let mask = Operand::Constant(!15);
            at = self.body.binary(Binary::And, Width::W64, at, mask);
        }
        let parts = self.load_from(value_type, at, MemoryOrder::Plain, 8, false)?;
        let next = self.body.offset(at, room.size.next_multiple_of(8));
        let place = self.body.offset(list, AREA_OFFSET);
        self.store_leaf(place, next, Width::W64, MemoryOrder::Plain, 8);
        Ok(parts)
    }
}
