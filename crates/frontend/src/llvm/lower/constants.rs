//! Constants.

use super::Lowering;
use super::functions::{Coder, Lowered};
use super::globals::Pointed;
use crate::llvm::{BlockId, Constant, FunctionId, SymbolId, SymbolTarget, Type, TypeId, Value};
use program::{Address, Expression, Operand, Width};
use rustc_hash::FxHashMap;

/// Aliases of aliases deeper than this are circles.
const MAX_ALIASES: u32 = 32;

impl<'m> Coder<'_, 'm> {
    /// The operands of a constant, one for each leaf of its type.
    pub fn constant(
        &mut self,
        value_type: TypeId,
        constant: &'m Constant,
    ) -> Lowered<Vec<Operand>> {
        let leaves = self.leaves(value_type)?;
        let one = |word| Ok(vec![Operand::Constant(word)]);
        let module = self.lowering.module;
        let parts = match (constant, module.type_of(value_type)) {
            (Constant::Integer(word), Type::Integer(bits)) if *bits <= 64 => {
                let width = leaves.first().map_or(Width::W64, |leaf| leaf.width);
                one(width.truncate(*word))
            }
            (Constant::Integer(word), Type::Integer(_)) => {
                let mut parts = vec![Operand::Constant(0); leaves.len()];
                parts[0] = Operand::Constant(*word);
                Ok(parts)
            }
            (Constant::Wide(words), Type::Integer(_)) => Ok(leaves
                .iter()
                .enumerate()
                .map(|(index, leaf)| {
                    let word = words.get(index).copied().unwrap_or(0);
                    Operand::Constant(leaf.width.truncate(word))
                })
                .collect()),
            (Constant::Float(bits), Type::Double) => one(*bits),
            (Constant::Float(bits), Type::Float) => {
                one((f64::from_bits(*bits) as f32).to_bits().into())
            }
            (Constant::Null | Constant::Zero | Constant::None, _) => {
                Ok(vec![Operand::Constant(0); leaves.len()])
            }
            (Constant::Undefined | Constant::Poison, _) => match self.id {
                Some(_) => self.undefined(value_type),
                None => Ok(vec![Operand::Constant(0); leaves.len()]),
            },
            (Constant::Symbol(symbol) | Constant::FunctionAddress(symbol), _) => {
                Ok(vec![self.symbol(*symbol, 0)?])
            }
            (Constant::Bytes(bytes), _) => {
                let bytes = bytes.iter().copied();
                Ok(bytes.map(|byte| Operand::Constant(byte.into())).collect())
            }
            (Constant::Aggregate(elements), _) => {
                let mut parts = Vec::with_capacity(leaves.len());
                for element in elements {
                    parts.extend(self.operand(element)?);
                }
                Ok(parts)
            }
            (Constant::Splat(element), Type::Vector { count, .. }) => {
                let element = self.operand(element)?;
                let count = (*count as usize).min(leaves.len());
                Ok(element.repeat(count))
            }
            (Constant::BlockAddress { function, block }, _) => {
                match self.lowering.named_block_address(*function, block) {
                    Some(word) => one(word),
                    None => Err(self.refuse("the address of this label")),
                }
            }
            (Constant::SignedPointer(pointer), _) => self.operand(pointer),
            (Constant::Expression(kind), _) => self.expression(kind),
            _ => Err(self.refuse(&format!(
                "a constant of type `{}`",
                module.describe(value_type)
            ))),
        }?;
        match parts.len() == leaves.len() {
            true => Ok(parts),
            false => Err(self.refuse("a constant of an unexpected type")),
        }
    }

    /// The address of a symbol.
    fn symbol(&mut self, symbol: SymbolId, depth: u32) -> Lowered<Operand> {
        match self.lowering.pointed(symbol, self.site)? {
            Pointed::Object(object) => Ok(Operand::Address(Address::of(object))),
            Pointed::Own(object) => {
                let own = Expression::Own(Address::of(object));
                Ok(self.body.compute(Width::W64, own))
            }
            Pointed::Null => Ok(Operand::Constant(0)),
            Pointed::Alias(alias) => {
                let alias = &self.lowering.module.aliases[alias.index()];
                if alias.indirect || depth > MAX_ALIASES {
                    return Err(self.refuse("a function that is chosen at load time"));
                }
                match &alias.target {
                    Constant::Symbol(next) => self.symbol(*next, depth + 1),
                    Constant::Expression(kind) if !self.mentions(&alias.target, alias.symbol) => {
                        match self.expression(kind)?[..] {
                            [part] => Ok(part),
                            _ => Err(self.refuse("an alias of an unexpected type")),
                        }
                    }
                    _ => Err(self.refuse("an alias of an unexpected type")),
                }
            }
        }
    }

    /// Whether an alias leads back to itself.
    fn mentions(&self, constant: &Constant, symbol: SymbolId) -> bool {
        let module = self.lowering.module;
        let mut seen = 0;
        let mut open = vec![constant];
        while let Some(constant) = open.pop() {
            seen += 1;
            if seen > 1000 {
                return true;
            }
            match constant {
                Constant::Symbol(other) if *other == symbol => return true,
                Constant::Symbol(other) => {
                    if let SymbolTarget::Alias(alias) = module.symbol(*other).target {
                        open.push(&module.aliases[alias.index()].target);
                    }
                }
                Constant::Aggregate(elements) => {
                    open.extend(elements.iter().filter_map(|element| match &element.value {
                        Value::Constant(constant) => Some(constant),
                        _ => None,
                    }));
                }
                Constant::Expression(kind) => super::uses::each_value(kind, &mut |value| {
                    if let Value::Constant(constant) = value {
                        open.push(constant);
                    }
                }),
                _ => {}
            }
        }
        false
    }
}

impl Lowering<'_> {
    /// The number that stands for the address of a block.
    pub fn block_address(&mut self, function: FunctionId, block: BlockId) -> u64 {
        let next = self.block_addresses.len() as u64 + 1;
        *self
            .block_addresses
            .entry((function, block))
            .or_insert(next)
    }

    fn named_block_address(&mut self, symbol: SymbolId, label: &str) -> Option<u64> {
        let SymbolTarget::Function(function) = self.module.symbol(symbol).target else {
            return None;
        };
        if !self.block_labels.contains_key(&function) {
            let labels = self.labels(function);
            self.block_labels.insert(function, labels);
        }
        let block = *self.block_labels.get(&function)?.get(label)?;
        Some(self.block_address(function, block))
    }

    /// Every block by its name, or by the number that LLVM gives it.
    fn labels(&self, function: FunctionId) -> FxHashMap<String, BlockId> {
        let function = &self.module.functions[function.index()];
        let unnamed = |local: &crate::llvm::LocalId| function.locals[local.index()].name.is_none();
        let parameters = function.parameters.iter().filter_map(|p| p.local);
        let mut number = parameters.filter(unnamed).count();
        let mut labels = FxHashMap::default();
        for (index, block) in function.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            match &block.name {
                Some(name) => {
                    labels.insert(name.to_string(), id);
                }
                None => {
                    labels.entry(number.to_string()).or_insert(id);
                    number += 1;
                }
            }
            let results = block.instructions.iter().filter_map(|i| i.result);
            number += results.filter(unnamed).count();
        }
        labels
    }
}
