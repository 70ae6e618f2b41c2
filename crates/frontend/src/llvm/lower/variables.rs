//! Promoted variables, and the names of registers.

use super::functions::{Coder, Declared};
use super::promote::Spot;
use crate::llvm::{
    BlockId, DebugKind, DwarfOperation, Function, InstructionKind, LocalId, Metadata,
    Operand as LlvmOperand, Value,
};
use program::{Expression, InstructionKind as Kind, Operand, RegisterId};
use rustc_hash::{FxHashMap, FxHashSet};

impl<'m> Coder<'_, 'm> {
    /// Registers of the promoted variables. A parameter that is stored to one at the
    /// start is the variable.
    pub fn variables(&mut self, function: &'m Function, order: &[BlockId]) {
        let mut touched = FxHashMap::default();
        for instruction in &function.blocks[0].instructions {
            let (pointer, stored) = match &instruction.kind {
                InstructionKind::Load { pointer, .. } => (pointer, None),
                InstructionKind::Store { pointer, value, .. } => (pointer, Some(&value.value)),
                _ => continue,
            };
            let Some(spot) = self.promotion.spot(&pointer.value) else {
                continue;
            };
            if touched.insert(spot, ()).is_some() {
                continue;
            }
            let Some(Value::Local(local)) = stored else {
                continue;
            };
            let is_parameter = (function.parameters.iter()).any(|p| p.local == Some(*local));
            if !is_parameter || self.uses.count[local.index()] != 1 {
                continue;
            }
            let width = (self.promotion.parts(spot.0)).and_then(|parts| parts.get(&spot.1));
            if let (Some([Operand::Register(register)]), Some(width)) =
                (self.values[local.index()].as_deref(), width)
                && self.body.width(*register) == *width
            {
                self.variables.insert(spot, *register);
            }
        }
        for block in order {
            for instruction in &function.blocks[block.index()].instructions {
                if let (InstructionKind::Allocate { .. }, Some(local)) =
                    (&instruction.kind, instruction.result)
                {
                    self.variable(local);
                }
            }
        }
        for (index, parameter) in function.parameters.iter().enumerate() {
            if let Some(local) = parameter.local
                && self.promotion.lent.contains(index)
            {
                self.variable(local);
            }
        }
        for register in self.variables.values() {
            self.bound.insert(*register, Vec::new());
        }
    }

    pub fn variable(&mut self, alloca: LocalId) {
        let Some(parts) = self.promotion.parts(alloca).cloned() else {
            return;
        };
        let name = self.local_name(alloca);
        let layout = self
            .declared
            .get(&alloca)
            .and_then(|declared| declared.layout);
        for (offset, width) in &parts {
            let register = match self.variables.get(&(alloca, *offset)) {
                Some(register) => *register,
                None => {
                    let register = self.body.register(*width);
                    self.variables.insert((alloca, *offset), register);
                    register
                }
            };
            let path = match layout {
                Some(layout) => {
                    program::part_at(self.lowering.layouts.types(), layout, *offset).path
                }
                None if parts.len() > 1 => format!(".{offset}"),
                None => String::new(),
            };
            self.body.name(register, &format!("{name}{path}"));
        }
    }

    pub fn collect_declared(&mut self, function: &'m Function) {
        let module = self.lowering.module;
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        let allocas: FxHashSet<LocalId> = instructions
            .filter(|made| matches!(made.kind, InstructionKind::Allocate { .. }))
            .filter_map(|made| made.result)
            .collect();
        for variable in &function.variables {
            let [
                LlvmOperand {
                    value: Value::Local(local),
                    ..
                },
            ] = &variable.values[..]
            else {
                continue;
            };
            // The value itself, or what is at an address that does not change.
            let steps = match variable.expression.map(|id| module.node(id)) {
                Some(Metadata::Expression(steps)) => &steps[..],
                _ => &[],
            };
            let in_memory = match (steps, variable.kind) {
                ([], kind) => Some(kind == DebugKind::Declare),
                ([DwarfOperation::Dereference], DebugKind::Value | DebugKind::Assign) => {
                    allocas.contains(local).then_some(true)
                }
                _ => None,
            };
            let Some(in_memory) = in_memory else {
                continue;
            };
            if self.declared.contains_key(local) {
                continue;
            }
            if let Metadata::LocalVariable {
                name,
                variable_type,
                ..
            } = module.node(variable.variable)
            {
                let layout = match in_memory {
                    true => self.lowering.layouts.of(*variable_type),
                    false => None,
                };
                self.declared.insert(*local, Declared { name, layout });
            }
        }
    }

    /// What is known of the variable whose address or value a local is.
    pub fn declared(&self, local: LocalId) -> Option<Declared<'m>> {
        self.declared.get(&local).copied()
    }

    /// The name of a local value: that of the variable, or that of LLVM.
    pub fn local_name(&self, local: LocalId) -> String {
        if let Some(declared) = self.declared.get(&local) {
            return declared.name.to_owned();
        }
        let Some(id) = self.id else {
            return String::new();
        };
        let function = &self.lowering.module.functions[id.index()];
        let local = &function.locals[local.index()];
        match (&local.name, local.number) {
            (Some(name), _) => name.strip_suffix(".addr").unwrap_or(name).to_owned(),
            (None, Some(number)) => number.to_string(),
            (None, None) => "value".to_owned(),
        }
    }

    /// Names those of the registers from `mark` on that have no name yet.
    pub fn name_parts(&mut self, local: LocalId, parts: &[Operand], mark: usize) {
        let fresh = |part: &Operand| matches!(part, Operand::Register(r) if r.index() >= mark);
        if !parts.iter().any(fresh) {
            return;
        }
        let name = self.local_name(local);
        for (index, part) in parts.iter().enumerate() {
            match part {
                Operand::Register(register) if register.index() >= mark => match parts.len() {
                    1 => self.body.name(*register, &name),
                    _ => self.body.name(*register, &format!("{name}.{index}")),
                },
                _ => {}
            }
        }
    }

    pub fn copy(&mut self, register: RegisterId) -> Operand {
        let copy = self.body.register(self.body.width(register));
        let value = Expression::Copy(Operand::Register(register));
        self.body.assign(copy, value);
        Operand::Register(copy)
    }

    /// Whether a register is the address of a whole object.
    pub fn is_object(&self, register: RegisterId) -> bool {
        self.objects.contains(&register)
    }

    /// Notes that a register is the address of a whole object.
    pub fn note_object(&mut self, register: RegisterId) {
        self.objects.insert(register);
    }

    /// The register of a part of a promoted variable.
    pub fn variable_at(&self, spot: Spot) -> Option<RegisterId> {
        self.variables.get(&spot).copied()
    }

    /// Writes a promoted variable. `stored` is the value as the module names it.
    pub fn write_variable(&mut self, variable: RegisterId, value: Operand, stored: Option<&Value>) {
        let list = self.bound.get_mut(&variable).map(std::mem::take);
        let mut saved = None;
        for local in list.into_iter().flatten() {
            if self.uses.last[local.index()] <= self.position {
                continue;
            }
            let copy = match saved {
                Some(copy) => copy,
                None => self.copy(variable),
            };
            if saved.is_none() {
                self.name_parts(local, &[copy], 0);
            }
            saved = Some(copy);
            for part in self.values[local.index()].iter_mut().flatten() {
                if *part == Operand::Register(variable) {
                    *part = copy;
                }
            }
        }
        if value == Operand::Register(variable) {
            return;
        }
        let mark = match (stored, self.last_made) {
            (Some(Value::Local(local)), Some((last, mark))) if *local == last => {
                (self.uses.count[local.index()] == 1).then_some(mark)
            }
            _ => None,
        };
        if let (Some(mark), None) = (mark, saved)
            && self.retarget(value, mark, variable)
        {
            return;
        }
        self.body.assign(variable, Expression::Copy(value));
    }

    /// Lets the instruction just made write to a variable, instead of to a register that
    /// is used for nothing else.
    pub fn retarget(&mut self, value: Operand, mark: usize, variable: RegisterId) -> bool {
        let Operand::Register(made) = value else {
            return false;
        };
        if made.index() < mark || self.body.width(made) != self.body.width(variable) {
            return false;
        }
        let current = self.body.current;
        let Some(last) = self.body.blocks[current].instructions.last_mut() else {
            return false;
        };
        match &mut last.kind {
            Kind::Assign { target, .. }
            | Kind::Load { target, .. }
            | Kind::Update { target, .. }
            | Kind::Allocate { target, .. }
            | Kind::Choose { target, .. }
                if *target == made =>
            {
                *target = variable;
                true
            }
            Kind::Call { targets, .. } if targets[..] == [made] => {
                targets[0] = variable;
                true
            }
            _ => false,
        }
    }
}
