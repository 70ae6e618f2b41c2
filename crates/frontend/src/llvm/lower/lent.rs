//! Variables that a function lends to those it calls.
//!
//! The address of a variable may be an argument of a call, if the function that is called uses it as the caller may: to read and write
//! parts of the variable at constant offsets, to compare it with null, and to lend it on (`int expected = 0; cas(&lock, &expected, 1)`, `pop(&queue, &value)`, a structure
//! that is returned through a pointer or passed `byval`). Then the variable is registers in the caller still, and the call passes their values
//! instead of the address, and returns what they are in the end. The call itself stays, and with it call stacks and lines.
//!
//! So a function is lowered once for each set of parameters that are lent ([`Lent`]), and once as it is, if there are other calls.
//! What it does with what is lent is a [`Loan`]: that analysis is the promotion of the function's own variables, in which lent parameters are
//! variables as well. Two variables, or disjoint parts of one, may be lent to one call; parts that overlap only if nobody writes them.
//!
//! Not lent: to functions that write the variable in a loop (`promote`), that take `...`, or that are called by address, and by a recursive call to the parameters that it came by. Such variables stay in memory.

use super::calls::ERRORS;
use super::functions::{Coder, Lowered};
use super::promote::{Promotion, Search, Spot};
use super::{Lowering, functions};
use crate::client::OPERATION;
use crate::llvm::{
    Call, Callee as LlvmCallee, Function, FunctionId, LocalId, Passing, Type, Value,
};
use program::{Callee, Operand, Width};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Calls within calls are followed this far.
const MAX_DEPTH: u32 = 32;

/// The parameters of a function that variables are lent to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Lent(u32);

impl Lent {
    /// Parameters from this number on are never lent.
    const MAX: usize = u32::BITS as usize;

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn contains(self, parameter: usize) -> bool {
        parameter < Self::MAX && self.0 >> parameter & 1 != 0
    }

    fn insert(&mut self, parameter: usize) {
        self.0 |= 1 << parameter;
    }
}

/// What a function does with a variable that it is lent.
#[derive(Clone, Copy)]
pub(super) struct Loan<'a> {
    /// The parts that it names: width by offset.
    pub parts: &'a BTreeMap<u64, Width>,
    /// It may write them, and the caller sees that.
    pub written: bool,
    /// How the variable has to be aligned for its accesses, in bytes.
    pub align: u64,
}

/// A call that is passed addresses of variables.
pub(super) struct LendingCall<'m> {
    callee: FunctionId,
    call: &'m Call,
}

impl<'m> Search<'_, 'm> {
    /// The call as one that variables may be lent to.
    pub fn lending(&self, call: &'m Call) -> Option<LendingCall<'m>> {
        let callee = self.lowering.lendable(call)?;
        let function = &self.lowering.module.functions[callee.index()];
        let mut arguments = call.arguments.iter().zip(&function.parameters).enumerate();
        let sound = arguments.all(|(index, (argument, parameter))| {
            let is_pointer = |id| matches!(self.lowering.module.type_of(id), Type::Pointer { .. });
            self.promotion.spot(&argument.value).is_none()
                || (index < Lent::MAX
                    && is_pointer(parameter.value_type)
                    && argument.passing == parameter.passing
                    && !matches!(argument.passing, Passing::Other(_)))
        });
        sound.then_some(LendingCall { callee, call })
    }

    /// Gives variables the parts that functions which they are lent to name; whether anything changed.
    pub fn agree_with_callees(&mut self) -> bool {
        let calls = std::mem::take(&mut self.calls);
        let changed = calls
            .iter()
            .fold(false, |changed, call| changed | self.agree_with(call));
        self.calls = calls;
        changed
    }

    fn agree_with(&mut self, lending: &LendingCall<'m>) -> bool {
        let LendingCall { callee, call } = *lending;
        let lent = self.promotion.lent_to(call);
        if lent.is_empty() {
            return false;
        }
        let known = self.lowering.promotion(callee, lent);
        let function = &self.lowering.module.functions[callee.index()];
        let mut borrowed: Vec<(Spot, Loan<'_>)> = Vec::new();
        let mut kept = false;
        for (index, argument) in call.arguments.iter().enumerate() {
            let Some(spot) = self.promotion.spot(&argument.value) else {
                continue;
            };
            if !lent.contains(index) {
                continue;
            }
            match known.as_ref().and_then(|known| known.loan(function, index)) {
                Some(loan) => borrowed.push((spot, loan)),
                None => {
                    self.demote(spot.0);
                    kept = true;
                }
            }
        }
        if kept {
            return true;
        }
        let mut changed = false;
        for (number, (spot, loan)) in borrowed.iter().enumerate() {
            if borrowed[..number]
                .iter()
                .any(|other| collide(other, &(*spot, *loan)))
            {
                self.demote(spot.0);
                return true;
            }
            self.align(*spot, loan.align);
            if self.promotion.parts(spot.0).is_none() {
                return true;
            }
            for (offset, width) in loan.parts {
                changed |= self.take_part((spot.0, spot.1 + offset), *width);
            }
            if loan.written {
                self.promotion.note_write(spot.0);
            }
        }
        changed
    }
}

/// Whether a call would see the same part of a variable twice, and write it.
fn collide((a, first): &(Spot, Loan<'_>), (b, second): &(Spot, Loan<'_>)) -> bool {
    let ranges = |spot: Spot, loan: Loan<'_>| -> Vec<(u64, u64)> {
        let range = |(offset, width): (&u64, &Width)| {
            (spot.1 + offset, spot.1 + offset + u64::from(width.bytes()))
        };
        loan.parts.iter().map(range).collect()
    };
    let overlap = |(start, end): &(u64, u64), (from, to): &(u64, u64)| start < to && from < end;
    a.0 == b.0 && (first.written || second.written) && {
        let others = ranges(*b, *second);
        let parts = ranges(*a, *first);
        parts
            .iter()
            .any(|part| others.iter().any(|other| overlap(part, other)))
    }
}

impl Promotion {
    /// The parameters of a call whose arguments are addresses of promoted variables. They are lent, because variables that are
    /// passed otherwise are not promoted.
    pub fn lent_to(&self, call: &Call) -> Lent {
        let mut lent = Lent::default();
        for (index, argument) in call.arguments.iter().enumerate() {
            let spot = self.spot(&argument.value);
            if spot.is_some_and(|(variable, _)| self.parts(variable).is_some()) {
                lent.insert(index);
            }
        }
        lent
    }

    /// What the function of this promotion does with what it is lent for a parameter; none if it keeps the address.
    pub fn loan(&self, function: &Function, parameter: usize) -> Option<Loan<'_>> {
        let parameter = &function.parameters[parameter];
        let local = parameter.local?;
        let own = matches!(parameter.passing, Passing::ByValue(_));
        Some(Loan {
            parts: self.parts(local)?,
            written: self.is_written(local) && !own,
            align: self.align(local),
        })
    }
}

impl<'m> Lowering<'m> {
    /// The function that a call calls, if it may be one that keeps nothing of what it is lent.
    fn lendable(&self, call: &Call) -> Option<FunctionId> {
        let LlvmCallee::Value(Value::Constant(callee)) = &call.callee else {
            return None;
        };
        let id = self.called(callee)?;
        let function = &self.module.functions[id.index()];
        let fixed = !function.variadic && call.arguments.len() == function.parameters.len();
        let special = ERRORS.contains(&self.function_name(id))
            || self.function_name(id).starts_with(OPERATION);
        (fixed && !function.is_declaration() && !special).then_some(id)
    }

    /// The promotion of a function that these parameters are lent to; none while it is being made.
    pub fn promotion(&mut self, id: FunctionId, lent: Lent) -> Option<Rc<Promotion>> {
        if let Some(known) = self.promotions.get(&(id, lent)) {
            return known.clone();
        }
        if self.lending_depth == MAX_DEPTH {
            return None;
        }
        self.lending_depth += 1;
        self.promotions.insert((id, lent), None);
        let module = self.module;
        let function = &module.functions[id.index()];
        let order = functions::reverse_postorder(function);
        let inside = functions::loops(function, &order);
        let made = Rc::new(Promotion::of(self, function, lent, &order, &inside));
        self.promotions.insert((id, lent), Some(made.clone()));
        self.lending_depth -= 1;
        Some(made)
    }
}

impl<'m> Coder<'_, 'm> {
    /// Registers for what a parameter stands for, if it is lent.
    pub fn lent_parameter(&mut self, local: LocalId) {
        let parts = self.promotion.parts(local).cloned().unwrap_or_default();
        for (offset, width) in parts {
            let register = self.body.register(width);
            self.variables.insert((local, offset), register);
        }
    }

    /// What the function returns of the variables that it was lent.
    pub fn returned_loans(&self, function: &Function) -> Vec<Operand> {
        let promotion = &self.promotion;
        let lent = (0..function.parameters.len()).filter(|index| promotion.lent.contains(*index));
        let written = lent.filter(|index| {
            let loan = promotion.loan(function, *index);
            loan.is_some_and(|loan| loan.written)
        });
        let parts = written.filter_map(|index| {
            let local = function.parameters[index].local?;
            Some((local, promotion.parts(local)?))
        });
        let registers = parts.flat_map(|(local, parts)| {
            let offsets = parts.keys();
            offsets.filter_map(move |offset| self.variable_at((local, *offset)))
        });
        registers.map(Operand::Register).collect()
    }

    /// Lets a variable have no more undefined bits than its width when the function begins. What a call returns has not, and a loop
    /// that hands on what nothing has written would seem to change it once.
    fn cut_undefined(&mut self, part: Spot, width: Width) -> Lowered<()> {
        for (_, register) in self.pieces(part, width)? {
            if self.body.width(register) == Width::W64 || !self.cut.insert(register) {
                continue;
            }
            self.hoisted.push(program::Instruction {
                kind: program::InstructionKind::Assign {
                    target: register,
                    value: program::Expression::Copy(Operand::Register(register)),
                },
                span: self.body.span,
            });
        }
        Ok(())
    }

    /// Lowers a call that variables are lent to.
    pub fn call_lending(
        &mut self,
        call: &'m Call,
        id: FunctionId,
        lent: Lent,
    ) -> Lowered<Vec<Operand>> {
        let module = self.lowering.module;
        let function = &module.functions[id.index()];
        let Some(promotion) = self.lowering.promotion(id, lent) else {
            return Err(self.refuse("this use of a variable"));
        };
        let mut arguments = Vec::new();
        let mut written = Vec::new();
        for (index, argument) in call.arguments.iter().enumerate() {
            let Some(spot) = self.promotion.spot(&argument.value) else {
                let argument = self.argument_of(argument)?;
                arguments.extend(self.passed(&argument, function.parameters[index].passing)?);
                continue;
            };
            let Some(loan) = promotion.loan(function, index) else {
                return Err(self.refuse("this use of a variable"));
            };
            for (offset, width) in loan.parts {
                let part = (spot.0, spot.1 + offset);
                self.cut_undefined(part, *width)?;
                arguments.push(self.load_part(part, *width)?);
                if loan.written {
                    written.push((part, *width));
                }
            }
        }
        let mut results = self.widths(function.result)?;
        let count = results.len();
        results.extend(written.iter().map(|(_, width)| *width));
        let callee = Callee::Function(self.lowering.variant(id, lent));
        let mut made = self.emit_call(callee, arguments, &results);
        for ((part, width), value) in written.into_iter().zip(made.split_off(count)) {
            for (register, piece) in self.pieces_of(part, width, value)? {
                self.write_variable(register, piece, None);
            }
        }
        self.results_as(call.result, &made)
    }
}
