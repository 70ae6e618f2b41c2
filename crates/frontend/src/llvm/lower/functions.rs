//! Functions: blocks in order, values in registers.
//!
//! Blocks are lowered in reverse postorder, so that every value is made before it is used;
//! blocks that control cannot reach are left out. A value that another instruction just
//! hands on has no register of its own: it is bound to the operand it equals. The one
//! operand that may change meanwhile is the register of a promoted variable, so a value
//! bound to one is copied before the variable is written (`write_variable`).

use super::Lowering;
use super::body::Body;
use super::lent::Lent;
use super::promote::{Promotion, Spot};
use super::spans::Site;
use super::uses::Uses;
use crate::llvm::{
    BlockId, Constant, Function, FunctionId, Instruction, InstructionKind, LocalId,
    Operand as LlvmOperand, Passing, TypeId, Value,
};
use program::{Diagnostic, InstructionKind as Kind, Operand, RegisterId, Width, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Lowers one function.
pub(super) struct Coder<'a, 'm> {
    pub lowering: &'a mut Lowering<'m>,
    pub id: Option<FunctionId>,
    pub body: Body,
    /// Where the instruction that is being lowered stands.
    pub site: Site,
    /// The operands that each local value is bound to.
    pub values: Vec<Option<Vec<Operand>>>,
    pub promotion: Rc<Promotion>,
    /// The registers of promoted variables.
    pub variables: FxHashMap<Spot, RegisterId>,
    /// Local values bound to the register of a promoted variable.
    pub bound: FxHashMap<RegisterId, Vec<LocalId>>,
    /// Variables that values are bound to in the block that is being lowered.
    pub read_variables: Vec<RegisterId>,
    /// The last local value made, and its first register.
    pub last_made: Option<(LocalId, usize)>,
    pub uses: Uses,
    /// The place in its block of the instruction that is being lowered.
    pub position: u32,
    /// Whether the block that is being lowered may run more than once in a call.
    pub in_loop: bool,
    /// Names and types of variables, by the local value that is their address or value.
    pub declared: FxHashMap<LocalId, Declared<'m>>,
    /// The hidden parameter of a variadic function.
    pub area: Option<RegisterId>,
    /// Whether the whole function is one atomic section.
    pub atomic: bool,
    /// What the function does once, before all else.
    pub hoisted: Vec<program::Instruction>,
    /// Variables whose undefined bits are cut to their width.
    pub cut: FxHashSet<RegisterId>,
    /// Registers that are addresses of whole objects.
    pub objects: FxHashSet<RegisterId>,
    pub phis: FxHashMap<(BlockId, BlockId), Vec<(LocalId, &'m Value)>>,
    pub blocks: Vec<Option<program::BlockId>>,
}

/// A variable of the source.
#[derive(Clone, Copy)]
pub(super) struct Declared<'m> {
    pub name: &'m str,
    pub layout: Option<program::TypeId>,
}

/// A part of lowering that may be refused.
pub(super) type Lowered<T> = Result<T, Diagnostic>;

/// Lowers a function of the module. A declaration is one of the library, and becomes a
/// function that calls it.
pub(super) fn lower<'m>(
    lowering: &mut Lowering<'m>,
    id: FunctionId,
    lent: Lent,
) -> Lowered<program::Function> {
    let module = lowering.module;
    let function = &module.functions[id.index()];
    let name = lowering.function_name(id);
    let site = lowering.function_site(id);
    let mut coder = Coder::new(lowering, Some(id), site);
    let parameters = if function.is_declaration() {
        coder.library_wrapper(function)?
    } else {
        coder.atomic = name.starts_with("__VERIFIER_atomic_");
        coder.function(function, id, lent)?
    };
    let Coder {
        mut body, hoisted, ..
    } = coder;
    body.blocks[0].instructions.splice(0..0, hoisted);
    let name = match lent.is_empty() {
        true => lowering.function_names.unique(name),
        false => lowering.function_names.variant(name),
    };
    Ok(body.into_function(name, parameters))
}

/// Blocks that control can reach, each after those that it must come through.
pub(super) fn reverse_postorder(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![(BlockId(0), successors(function, BlockId(0)))];
    seen[0] = true;
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push((next, successors(function, next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

pub(super) fn successors(function: &Function, block: BlockId) -> Vec<BlockId> {
    let last = function.blocks[block.index()].instructions.last();
    match last.map(|instruction| &instruction.kind) {
        Some(InstructionKind::Jump(next) | InstructionKind::Invoke { normal: next, .. }) => {
            vec![*next]
        }
        Some(InstructionKind::Branch {
            positive, negative, ..
        }) => vec![*positive, *negative],
        Some(InstructionKind::Switch { default, cases, .. }) => {
            let cases = cases.iter().rev().map(|(_, block)| *block);
            cases.chain([*default]).collect()
        }
        Some(InstructionKind::IndirectJump { targets, .. }) => {
            targets.iter().rev().copied().collect()
        }
        Some(InstructionKind::CallBranch {
            normal, targets, ..
        }) => targets.iter().rev().chain([normal]).copied().collect(),
        _ => Vec::new(),
    }
}

/// Whether each block may be in a loop: it lies between the ends of an edge back.
pub(super) fn loops(function: &Function, order: &[BlockId]) -> Vec<bool> {
    let mut place = vec![usize::MAX; function.blocks.len()];
    for (index, block) in order.iter().enumerate() {
        place[block.index()] = index;
    }
    let mut change = vec![0i32; order.len() + 1];
    for (index, block) in order.iter().enumerate() {
        for next in successors(function, *block) {
            if place[next.index()] <= index {
                change[place[next.index()]] += 1;
                change[index + 1] -= 1;
            }
        }
    }
    let mut depth = 0;
    let mut inside = vec![false; function.blocks.len()];
    for (index, block) in order.iter().enumerate() {
        depth += change[index];
        inside[block.index()] = depth > 0;
    }
    inside
}

impl<'a, 'm> Coder<'a, 'm> {
    pub fn new(lowering: &'a mut Lowering<'m>, id: Option<FunctionId>, site: Site) -> Self {
        let mut body = Body::default();
        if id.is_none() {
            body.block("constant");
        }
        Coder {
            lowering,
            id,
            body,
            site,
            values: Vec::new(),
            promotion: Rc::default(),
            variables: FxHashMap::default(),
            bound: FxHashMap::default(),
            read_variables: Vec::new(),
            last_made: None,
            uses: Uses::default(),
            position: 0,
            in_loop: false,
            declared: FxHashMap::default(),
            area: None,
            atomic: false,
            hoisted: Vec::new(),
            cut: FxHashSet::default(),
            objects: FxHashSet::default(),
            phis: FxHashMap::default(),
            blocks: Vec::new(),
        }
    }

    /// The words of a constant of the module, one for each leaf.
    pub fn constant_words(
        lowering: &'a mut Lowering<'m>,
        value_type: TypeId,
        constant: &'m Constant,
        site: Site,
    ) -> Lowered<Vec<Word>> {
        let mut coder = Coder::new(lowering, None, site);
        let parts = coder.constant(value_type, constant)?;
        let words = parts.iter().map(|part| match part {
            Operand::Constant(word) => Some(*word),
            Operand::Address(address) => Some(address.to_word()),
            Operand::Register(_) => None,
        });
        match words.collect() {
            Some(words) => Ok(words),
            None => Err(coder.refuse("an initial value that is not constant")),
        }
    }

    /// The complaint that something is not supported, at the current instruction.
    pub fn refuse(&mut self, what: &str) -> Diagnostic {
        self.lowering.refuse(self.site, what)
    }

    /// A complaint at the current instruction.
    pub fn complain(&mut self, message: String, help: &str) -> Diagnostic {
        let help = Some(help.to_owned()).filter(|help| !help.is_empty());
        (self.lowering.spans).complain(self.site, message, String::new(), help)
    }

    /// The leaves' widths of a type.
    pub fn widths(&mut self, value_type: TypeId) -> Lowered<Vec<Width>> {
        let leaves = self.leaves(value_type)?;
        Ok(leaves.iter().map(|leaf| leaf.width).collect())
    }

    /// The leaves of a type.
    pub fn leaves(&mut self, value_type: TypeId) -> Lowered<std::rc::Rc<[super::types::Leaf]>> {
        let leaves = self.lowering.types.leaves(value_type);
        leaves.map_err(|what| self.refuse(&what))
    }

    /// The size and alignment of a type.
    pub fn room(&mut self, value_type: TypeId) -> Lowered<super::types::Room> {
        let room = self.lowering.types.room(value_type);
        room.map_err(|what| self.refuse(&what))
    }

    fn function(&mut self, function: &'m Function, id: FunctionId, lent: Lent) -> Lowered<usize> {
        let order = reverse_postorder(function);
        let inside = loops(function, &order);
        self.uses = Uses::of(function);
        let promotion = self.lowering.promotion(id, lent);
        self.promotion = promotion.unwrap_or_default();
        self.values = vec![None; function.locals.len()];
        self.collect_declared(function);
        self.collect_allocations(function);
        let parameters = self.parameters(function)?;
        self.variables(function, &order);
        self.name_parameters(function);
        self.blocks = vec![None; function.blocks.len()];
        let mut in_order = order.clone();
        in_order.sort_unstable();
        for block in in_order {
            let label = match &function.blocks[block.index()].name {
                Some(name) => name.to_string(),
                None if block.0 == 0 => "entry".to_owned(),
                None => format!("block{}", block.0),
            };
            self.blocks[block.index()] = Some(self.body.block(&label));
        }
        for block in &order {
            self.collect_phis(function, *block)?;
        }
        for block in &order {
            self.in_loop = inside[block.index()];
            self.block(function, *block)?;
        }
        Ok(parameters)
    }

    /// Registers of the parameters; their number.
    pub fn parameters(&mut self, function: &'m Function) -> Lowered<usize> {
        for (index, parameter) in function.parameters.iter().enumerate() {
            if let Some(local) = parameter.local
                && self.promotion.lent.contains(index)
            {
                self.lent_parameter(local);
                continue;
            }
            let widths = self.widths(parameter.value_type)?;
            let parts = widths.iter().map(|width| self.body.register(*width));
            let parts: Vec<_> = parts.map(Operand::Register).collect();
            if let Some(local) = parameter.local {
                self.values[local.index()] = Some(parts);
            }
            if let Passing::Other(_) = parameter.passing {
                return Err(self.refuse("a parameter passed in this way"));
            }
        }
        if function.variadic {
            self.area = Some(self.body.register(Width::W64));
        }
        Ok(self.body.registers.len())
    }

    fn name_parameters(&mut self, function: &'m Function) {
        for parameter in &function.parameters {
            if let Some(local) = parameter.local {
                let parts = self.values[local.index()].clone().unwrap_or_default();
                self.name_parts(local, &parts, 0);
            }
        }
        if let Some(area) = self.area {
            self.body.name(area, "arguments");
        }
    }

    /// The instruction that is being lowered.
    pub fn at(&mut self, function: &Function, instruction: &Instruction) {
        self.site = Site {
            debug: instruction.debug,
            source: function.source,
            line: instruction.line,
        };
        self.body.span = self.lowering.spans.at(self.site);
    }

    fn block(&mut self, function: &'m Function, block: BlockId) -> Lowered<()> {
        let Some(id) = self.blocks[block.index()] else {
            return Ok(());
        };
        self.body.enter(id);
        if block.0 == 0 && self.atomic {
            self.body.push(Kind::AtomicBegin);
        }
        for register in std::mem::take(&mut self.read_variables) {
            self.bound.insert(register, Vec::new());
        }
        self.last_made = None;
        for (position, instruction) in function.blocks[block.index()]
            .instructions
            .iter()
            .enumerate()
        {
            self.position = position as u32;
            self.at(function, instruction);
            if instruction.kind.is_terminator() {
                self.terminator(function, block, instruction)?;
                break;
            }
            let mark = self.body.registers.len();
            let parts = self.instruction(instruction)?;
            if let (Some(result), Some(parts)) = (instruction.result, parts) {
                self.define(function, result, parts, mark)?;
            }
        }
        Ok(())
    }

    /// Binds a local value. Registers from `mark` on were made for it.
    pub fn define(
        &mut self,
        function: &Function,
        local: LocalId,
        mut parts: Vec<Operand>,
        mark: usize,
    ) -> Lowered<()> {
        let expected = self.leaves(function.type_of(local))?.len();
        if parts.len() != expected {
            return Err(self.refuse("a value of an unexpected type"));
        }
        let elsewhere = self.uses.last[local.index()] == Uses::ELSEWHERE;
        for part in &mut parts {
            let Operand::Register(register) = *part else {
                continue;
            };
            if !self.bound.contains_key(&register) {
                continue;
            }
            // The variable may be written before the value is used.
            if elsewhere {
                *part = self.copy(register);
            } else if let Some(list) = self.bound.get_mut(&register)
                && list.last() != Some(&local)
            {
                list.push(local);
                self.read_variables.push(register);
            }
        }
        self.name_parts(local, &parts, mark);
        self.values[local.index()] = Some(parts);
        self.last_made = Some((local, mark));
        Ok(())
    }

    /// The operands of a value, one for each leaf of its type.
    pub fn value(&mut self, value_type: TypeId, value: &'m Value) -> Lowered<Vec<Operand>> {
        let parts = match value {
            Value::Constant(constant) => return self.constant(value_type, constant),
            Value::Local(local) => match &self.values.get(local.index()) {
                Some(Some(parts)) => parts.clone(),
                _ => return self.undefined(value_type),
            },
            Value::Metadata(_) => return Err(self.refuse("metadata as a value")),
        };
        let expected = self.leaves(value_type)?.len();
        match parts.len() == expected {
            true => Ok(parts),
            false => Err(self.refuse("a value of an unexpected type")),
        }
    }

    /// The operands of an operand.
    pub fn operand(&mut self, operand: &'m LlvmOperand) -> Lowered<Vec<Operand>> {
        self.value(operand.value_type, &operand.value)
    }

    /// The operand of a value with one leaf.
    pub fn scalar(&mut self, operand: &'m LlvmOperand) -> Lowered<Operand> {
        self.scalar_value(operand.value_type, &operand.value)
    }

    /// The operand of a value with one leaf.
    pub fn scalar_value(&mut self, value_type: TypeId, value: &'m Value) -> Lowered<Operand> {
        if let Value::Local(local) = value
            && let Some(Some(parts)) = self.values.get(local.index())
            && let [part] = parts[..]
        {
            return Ok(part);
        }
        match self.value(value_type, value)?[..] {
            [part] => Ok(part),
            _ => Err(self.refuse("a value of an unexpected type")),
        }
    }

    /// A value that nothing has written.
    pub fn undefined(&mut self, value_type: TypeId) -> Lowered<Vec<Operand>> {
        let widths = self.widths(value_type)?;
        let parts = widths.into_iter().map(|width| self.body.undefined(width));
        Ok(parts.collect())
    }
}
