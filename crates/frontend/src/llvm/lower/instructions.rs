//! Instructions: what each becomes.

use super::functions::{Coder, Lowered};
use crate::llvm::{AtomicOrdering, Instruction, InstructionKind, IntegerPredicate, TypeId, Value};
use program::{InstructionKind as Kind, Operand, Orderings};

impl<'m> Coder<'_, 'm> {
    /// Lowers an instruction that does not end its block; the operands of its result.
    pub fn instruction(&mut self, instruction: &'m Instruction) -> Lowered<Option<Vec<Operand>>> {
        use InstructionKind::*;
        match &instruction.kind {
            Phi { .. } => Ok(None),
            Load {
                value_type,
                pointer,
                access,
            } => match self.promotion.spot(&pointer.value) {
                // The address of a promoted variable is nothing that code loads, stores or computes.
                _ if instruction
                    .result
                    .is_some_and(|result| self.promotion.is_address(result)) =>
                {
                    Ok(None)
                }
                Some(spot) => self.load_variable(spot, *value_type).map(Some),
                None => self.load(*value_type, pointer, access).map(Some),
            },
            Store {
                value,
                pointer,
                access,
            } => {
                match self.promotion.spot(&pointer.value) {
                    _ if self.promotion.spot(&value.value).is_some() => {}
                    Some(spot) => self.store_variable(spot, value)?,
                    None => self.store(value, pointer, access)?,
                }
                Ok(None)
            }
            Allocate { element, count, .. } => match instruction.result {
                Some(result) if self.promotion.parts(result).is_none() => {
                    self.allocate(result, *element, count.as_ref()).map(Some)
                }
                _ => Ok(None),
            },
            AtomicUpdate {
                operation,
                pointer,
                value,
                access,
            } => {
                let made = self.atomic_update(*operation, pointer, value, access);
                made.map(Some)
            }
            CompareExchange {
                pointer,
                expected,
                new,
                weak,
                failure,
                access,
            } => {
                let made = self.compare_exchange(pointer, expected, new, *weak, *failure, access);
                made.map(Some)
            }
            Fence {
                ordering,
                single_thread,
            } => {
                if !single_thread {
                    self.fence(*ordering);
                }
                Ok(None)
            }
            Call(call) => match self.promotion.range(self.lowering.module, call) {
                Some(range) => self.range(call, range).map(|()| None),
                None if self.is_any_condition(call, instruction.result) => {
                    let result = self.widths(call.result)?;
                    Ok(Some(self.choice(Operand::Constant(2), &result)))
                }
                None => self.call(call).map(Some),
            },
            VariadicArgument { .. } => Err(self.refuse("the instruction `va_arg`")),
            Compare {
                predicate,
                left,
                right,
                ..
            } if self.promotion.spot(left).is_some() || self.promotion.spot(right).is_some() => {
                // It is compared with null.
                let differ = *predicate == IntegerPredicate::NotEqual;
                Ok(Some(vec![Operand::Constant(differ.into())]))
            }
            Cast { operand, .. } if self.promotion.spot(&operand.value).is_some() => Ok(None),
            GetElementPointer { base, .. } if self.promotion.spot(&base.value).is_some() => {
                Ok(None)
            }
            kind => self.expression(kind).map(Some),
        }
    }

    /// Lowers what computes and does nothing else; also a constant expression.
    pub fn expression(&mut self, kind: &'m InstructionKind) -> Lowered<Vec<Operand>> {
        use InstructionKind::*;
        match kind {
            Binary {
                operation,
                value_type,
                left,
                right,
                ..
            } => {
                let [left, right] = self.values_of(*value_type, [left, right])?;
                self.binary(*operation, *value_type, &left, &right)
            }
            FloatNegate(operand) => {
                let parts = self.operand(operand)?;
                self.float_negate(operand.value_type, &parts)
            }
            Compare {
                predicate,
                value_type,
                left,
                right,
            } => {
                let [left, right] = self.values_of(*value_type, [left, right])?;
                self.compare(*predicate, *value_type, &left, &right)
            }
            FloatCompare {
                predicate,
                value_type,
                left,
                right,
            } => {
                let [left, right] = self.values_of(*value_type, [left, right])?;
                self.float_compare(*predicate, *value_type, &left, &right)
            }
            Cast {
                operation,
                operand,
                to,
            } => {
                let parts = self.operand(operand)?;
                self.cast(*operation, operand.value_type, *to, &parts)
            }
            GetElementPointer {
                element,
                base,
                indices,
                ..
            } => self.element_pointer(*element, base, indices),
            Select {
                condition,
                positive,
                negative,
            } => {
                let condition = self.operand(condition)?;
                let a = self.operand(positive)?;
                let b = self.operand(negative)?;
                self.choose(positive.value_type, &condition, &a, &b)
            }
            Freeze(operand) => self.operand(operand),
            ExtractValue { aggregate, indices } => self.extract_value(aggregate, indices),
            InsertValue {
                aggregate,
                element,
                indices,
            } => self.insert_value(aggregate, element, indices),
            ExtractElement { vector, index } => self.extract_element(vector, index),
            InsertElement {
                vector,
                element,
                index,
            } => self.insert_element(vector, element, index),
            ShuffleVector { left, right, mask } => self.shuffle(left, right, mask),
            kind => {
                let what = format!("the instruction `{}`", kind.name());
                Err(self.refuse(&what))
            }
        }
    }

    fn values_of(
        &mut self,
        value_type: TypeId,
        [left, right]: [&'m Value; 2],
    ) -> Lowered<[Vec<Operand>; 2]> {
        Ok([
            self.value(value_type, left)?,
            self.value(value_type, right)?,
        ])
    }

    /// A fence of C11.
    pub fn fence(&mut self, ordering: AtomicOrdering) {
        let orderings = match ordering {
            AtomicOrdering::Unordered | AtomicOrdering::Monotonic => return,
            AtomicOrdering::Acquire => Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE),
            AtomicOrdering::Release => Orderings::LOAD_STORE.union(Orderings::STORE_STORE),
            AtomicOrdering::AcquireRelease => Orderings::ALL.minus(Orderings::STORE_LOAD),
            AtomicOrdering::SequentiallyConsistent => Orderings::ALL,
        };
        self.body.push(Kind::Fence(orderings));
    }
}
