//! `getelementptr`: addresses of elements.

use super::functions::{Coder, Lowered};
use crate::llvm::{Operand as LlvmOperand, Type, TypeId};
use program::{Binary, Operand, Width};

impl<'m> Coder<'_, 'm> {
    /// The address, or the addresses where an operand is a vector.
    pub fn element_pointer(
        &mut self,
        element: TypeId,
        base: &'m LlvmOperand,
        indices: &'m [LlvmOperand],
    ) -> Lowered<Vec<Operand>> {
        let bases = self.operand(base)?;
        let mut lanes = bases.len();
        let mut steps = Vec::with_capacity(indices.len());
        for index in indices {
            let (_, _, widths) = self.lanes(index.value_type)?;
            let [width] = widths[..] else {
                return Err(self.refuse("an index this wide"));
            };
            let parts = self.operand(index)?;
            lanes = lanes.max(parts.len());
            steps.push((width, parts));
        }
        let mut addresses = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            let pick = |parts: &[Operand]| match parts.len() {
                1 => Some(parts[0]),
                _ => parts.get(lane).copied(),
            };
            let indices: Option<Vec<_>> = steps
                .iter()
                .map(|(width, parts)| Some((*width, pick(parts)?)))
                .collect();
            match (pick(&bases), indices) {
                (Some(base), Some(indices)) => {
                    addresses.push(self.address(element, base, &indices)?)
                }
                _ => return Err(self.refuse("an address of an unexpected type")),
            }
        }
        Ok(addresses)
    }

    fn address(
        &mut self,
        element: TypeId,
        base: Operand,
        indices: &[(Width, Operand)],
    ) -> Lowered<Operand> {
        let mut constant = 0i64;
        let mut computed = Vec::new();
        let mut at = None;
        for (width, index) in indices {
            let stride = match at.map(|at| self.lowering.module.type_of(at)) {
                None => {
                    at = Some(element);
                    self.room(element)?.size
                }
                Some(Type::Struct { fields, .. }) => {
                    let Operand::Constant(field) = *index else {
                        return Err(self.refuse("a field that is computed"));
                    };
                    let parent = at.unwrap_or(element);
                    let offset = self.lowering.types.field_offset(parent, field as usize);
                    let offset = offset.map_err(|what| self.refuse(&what))?;
                    at = fields.get(field as usize).copied();
                    constant = constant.wrapping_add(offset as i64);
                    continue;
                }
                Some(Type::Array { element, .. }) => {
                    at = Some(*element);
                    self.room(*element)?.size
                }
                Some(Type::Vector { element, .. }) => {
                    at = Some(*element);
                    let bits = self.lowering.types.bits(*element);
                    bits.map_err(|what| self.refuse(&what))?.div_ceil(8)
                }
                Some(_) => return Err(self.refuse("an index into a scalar")),
            };
            match index {
                Operand::Constant(word) => {
                    let step = width.signed(*word).wrapping_mul(stride as i64);
                    constant = constant.wrapping_add(step);
                }
                index => computed.push((*width, *index, stride)),
            }
        }
        let constant = Operand::Constant(constant as u64);
        let first = !matches!(base, Operand::Register(_));
        let mut address = base;
        let word = Width::W64;
        if first {
            address = self.body.binary(Binary::Add, word, address, constant);
        }
        for (width, index, stride) in computed {
            let index = self.body.sign_extend(width, word, index);
            let stride = Operand::Constant(stride);
            let step = self.body.binary(Binary::Mul, word, index, stride);
            address = self.body.binary(Binary::Add, word, address, step);
        }
        if !first {
            address = self.body.binary(Binary::Add, word, address, constant);
        }
        Ok(address)
    }
}
