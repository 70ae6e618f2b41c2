//! Structs, arrays and vectors as values: rows of registers.

use super::functions::{Coder, Lowered};
use crate::llvm::{Constant, Operand as LlvmOperand, Value};
use program::{Binary, Operand, Width};

impl<'m> Coder<'_, 'm> {
    pub fn extract_value(
        &mut self,
        aggregate: &'m LlvmOperand,
        indices: &[u32],
    ) -> Lowered<Vec<Operand>> {
        let parts = self.operand(aggregate)?;
        let found = self.lowering.types.element(aggregate.value_type, indices);
        let (first, element) = found.map_err(|what| self.refuse(&what))?;
        let size = self.leaves(element)?.len();
        match parts.get(first..first + size) {
            Some(parts) => Ok(parts.to_vec()),
            None => Err(self.refuse("a value of an unexpected type")),
        }
    }

    pub fn insert_value(
        &mut self,
        aggregate: &'m LlvmOperand,
        element: &'m LlvmOperand,
        indices: &[u32],
    ) -> Lowered<Vec<Operand>> {
        let mut parts = self.operand(aggregate)?;
        let new = self.operand(element)?;
        let found = self.lowering.types.element(aggregate.value_type, indices);
        let (first, _) = found.map_err(|what| self.refuse(&what))?;
        match parts.get_mut(first..first + new.len()) {
            Some(place) => place.copy_from_slice(&new),
            None => return Err(self.refuse("a value of an unexpected type")),
        }
        Ok(parts)
    }

    pub fn extract_element(
        &mut self,
        vector: &'m LlvmOperand,
        index: &'m LlvmOperand,
    ) -> Lowered<Vec<Operand>> {
        let parts = self.operand(vector)?;
        let (count, _, widths) = self.lanes(vector.value_type)?;
        let index = self.scalar(index)?;
        let size = widths.len().max(1);
        if let Operand::Constant(index) = index {
            return match parts.chunks(size).nth(index as usize) {
                Some(parts) => Ok(parts.to_vec()),
                None => Ok(widths.iter().map(|w| self.body.undefined(*w)).collect()),
            };
        }
        let mut found = parts.get(..size).unwrap_or(&[]).to_vec();
        for lane in 1..count {
            let here = self.is_lane(index, lane);
            for (part, width) in widths.iter().enumerate() {
                let value = parts[lane * size + part];
                found[part] = self.body.select(*width, here, value, found[part]);
            }
        }
        Ok(found)
    }

    pub fn insert_element(
        &mut self,
        vector: &'m LlvmOperand,
        element: &'m LlvmOperand,
        index: &'m LlvmOperand,
    ) -> Lowered<Vec<Operand>> {
        let mut parts = self.operand(vector)?;
        let new = self.operand(element)?;
        let index = self.scalar(index)?;
        let (count, _, widths) = self.lanes(vector.value_type)?;
        let size = widths.len().max(1);
        if new.len() != size {
            return Err(self.refuse("a value of an unexpected type"));
        }
        if let Operand::Constant(index) = index {
            if let Some(place) = parts.chunks_mut(size).nth(index as usize) {
                place.copy_from_slice(&new);
            }
            return Ok(parts);
        }
        for lane in 0..count {
            let here = self.is_lane(index, lane);
            for (part, width) in widths.iter().enumerate() {
                let old = parts[lane * size + part];
                parts[lane * size + part] = self.body.select(*width, here, new[part], old);
            }
        }
        Ok(parts)
    }

    fn is_lane(&mut self, index: Operand, lane: usize) -> Operand {
        let lane = Operand::Constant(lane as u64);
        self.body.binary(Binary::Eq, Width::W64, index, lane)
    }

    pub fn shuffle(
        &mut self,
        left: &'m LlvmOperand,
        right: &'m LlvmOperand,
        mask: &'m LlvmOperand,
    ) -> Lowered<Vec<Operand>> {
        let mut parts = self.operand(left)?;
        parts.extend(self.operand(right)?);
        let (_, _, widths) = self.lanes(left.value_type)?;
        let size = widths.len().max(1);
        let lanes = self.mask(mask)?;
        let mut result = Vec::with_capacity(lanes.len() * size);
        for lane in lanes {
            match lane.and_then(|lane| parts.chunks(size).nth(lane)) {
                Some(parts) => result.extend(parts),
                None => result.extend(widths.iter().map(|w| self.body.undefined(*w))),
            }
        }
        Ok(result)
    }

    fn mask(&mut self, mask: &'m LlvmOperand) -> Lowered<Vec<Option<usize>>> {
        let count = self.leaves(mask.value_type)?.len();
        let lane = |constant: &Constant| match constant {
            Constant::Integer(lane) => Some(Some(*lane as usize)),
            Constant::Zero => Some(Some(0)),
            Constant::Undefined | Constant::Poison => Some(None),
            _ => None,
        };
        let lanes = match &mask.value {
            Value::Constant(Constant::Aggregate(elements)) => elements
                .iter()
                .map(|element| match &element.value {
                    Value::Constant(constant) => lane(constant),
                    _ => None,
                })
                .collect(),
            Value::Constant(Constant::Splat(element)) => match &element.value {
                Value::Constant(constant) => lane(constant).map(|lane| vec![lane; count]),
                _ => None,
            },
            Value::Constant(constant) => lane(constant).map(|lane| vec![lane; count]),
            _ => None,
        };
        lanes.ok_or_else(|| self.refuse("a shuffle whose mask is not constant"))
    }
}
