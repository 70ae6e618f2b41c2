//! Changes every id in a function, constant or node of metadata, for the reader that
//! puts blocks in order and for the linker.

use super::instruction::{Call, Callee, InstructionKind};
use super::metadata::Metadata;
use super::module::{
    BlockId, Constant, Function, MetadataId, Operand, Passing, SymbolId, TypeId, Value,
};

/// What to do with each id.
pub(super) trait Renumber {
    fn type_id(&mut self, id: &mut TypeId);
    fn symbol(&mut self, id: &mut SymbolId);
    fn node(&mut self, id: &mut MetadataId);

    fn operand(&mut self, operand: &mut Operand) {
        self.type_id(&mut operand.value_type);
        self.value(&mut operand.value);
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::Local(_) => {}
            Value::Constant(constant) => self.constant(constant),
            Value::Metadata(node) => self.node(node),
        }
    }

    // The reader bounds how deep constants are nested.
    fn constant(&mut self, constant: &mut Constant) {
        match constant {
            Constant::Symbol(id) | Constant::FunctionAddress(id) => self.symbol(id),
            Constant::BlockAddress { function, .. } => self.symbol(function),
            Constant::Aggregate(elements) => {
                for element in elements {
                    self.operand(element);
                }
            }
            Constant::Splat(operand) | Constant::SignedPointer(operand) => self.operand(operand),
            Constant::Expression(kind) => self.kind(kind),
            Constant::Integer(_)
            | Constant::Wide(_)
            | Constant::Float(_)
            | Constant::WideFloat(_)
            | Constant::Null
            | Constant::Undefined
            | Constant::Poison
            | Constant::Zero
            | Constant::None
            | Constant::Bytes(_) => {}
        }
    }

    fn passing(&mut self, passing: &mut Passing) {
        match passing {
            Passing::Plain => {}
            Passing::ByValue(id)
            | Passing::StructReturn(id)
            | Passing::Element(id)
            | Passing::Other(id) => self.type_id(id),
        }
    }

    fn function(&mut self, function: &mut Function) {
        self.symbol(&mut function.symbol);
        self.type_id(&mut function.result);
        for parameter in &mut function.parameters {
            self.type_id(&mut parameter.value_type);
            self.passing(&mut parameter.passing);
        }
        for local in &mut function.locals {
            self.type_id(&mut local.value_type);
        }
        for variable in &mut function.variables {
            let values = variable.values.iter_mut().chain(&mut variable.address);
            values.for_each(|value| self.operand(value));
            self.node(&mut variable.variable);
            let nodes = variable.expression.iter_mut().chain(&mut variable.location);
            nodes.for_each(|id| self.node(id));
        }
        for block in &mut function.blocks {
            for instruction in &mut block.instructions {
                self.kind(&mut instruction.kind);
                instruction.debug.iter_mut().for_each(|id| self.node(id));
            }
        }
        function.debug.iter_mut().for_each(|id| self.node(id));
    }

    fn metadata(&mut self, metadata: &mut Metadata) {
        let mut ids: Vec<&mut Option<MetadataId>> = Vec::new();
        match metadata {
            Metadata::Tuple(nodes) => ids.extend(nodes),
            Metadata::Value(operand) => self.operand(operand),
            Metadata::ArgumentList(operands) => {
                operands
                    .iter_mut()
                    .for_each(|operand| self.operand(operand));
            }
            Metadata::CompileUnit { file, globals, .. } => ids.extend([file, globals]),
            Metadata::Subprogram {
                scope,
                file,
                subroutine,
                ..
            } => ids.extend([scope, file, subroutine]),
            Metadata::LexicalBlock { scope, file, .. } => ids.extend([scope, file]),
            Metadata::Location {
                scope, inlined_at, ..
            } => ids.extend([scope, inlined_at]),
            Metadata::LocalVariable {
                scope,
                file,
                variable_type,
                ..
            }
            | Metadata::GlobalVariable {
                scope,
                file,
                variable_type,
                ..
            } => ids.extend([scope, file, variable_type]),
            Metadata::GlobalVariableExpression {
                variable,
                expression,
            } => ids.extend([variable, expression]),
            Metadata::DerivedType { file, base, .. } => ids.extend([file, base]),
            Metadata::CompositeType {
                file,
                base,
                elements,
                ..
            } => ids.extend([file, base, elements]),
            Metadata::SubroutineType { types } => ids.push(types),
            Metadata::Namespace { scope, .. } => ids.push(scope),
            Metadata::Missing
            | Metadata::String(_)
            | Metadata::File { .. }
            | Metadata::Expression(_)
            | Metadata::BasicType { .. }
            | Metadata::Subrange { .. }
            | Metadata::Enumerator { .. }
            | Metadata::Other(_) => {}
        }
        ids.into_iter().flatten().for_each(|id| self.node(id));
    }

    fn call(&mut self, call: &mut Call) {
        if let Callee::Value(value) = &mut call.callee {
            self.value(value);
        }
        self.type_id(&mut call.result);
        if let Some(id) = &mut call.function_type {
            self.type_id(id);
        }
        for argument in &mut call.arguments {
            self.type_id(&mut argument.value_type);
            self.value(&mut argument.value);
            self.passing(&mut argument.passing);
        }
    }

    fn kind(&mut self, kind: &mut InstructionKind) {
        use InstructionKind::*;
        match kind {
            Binary {
                value_type,
                left,
                right,
                ..
            }
            | Compare {
                value_type,
                left,
                right,
                ..
            }
            | FloatCompare {
                value_type,
                left,
                right,
                ..
            } => {
                self.type_id(value_type);
                self.value(left);
                self.value(right);
            }
            FloatNegate(operand) | Freeze(operand) | Resume(operand) => self.operand(operand),
            Cast { operand, to, .. } => {
                self.operand(operand);
                self.type_id(to);
            }
            GetElementPointer {
                element,
                base,
                indices,
                ..
            } => {
                self.type_id(element);
                self.operand(base);
                indices.iter_mut().for_each(|index| self.operand(index));
            }
            Load {
                value_type,
                pointer,
                ..
            } => {
                self.type_id(value_type);
                self.operand(pointer);
            }
            Store { value, pointer, .. } | AtomicUpdate { value, pointer, .. } => {
                self.operand(value);
                self.operand(pointer);
            }
            Allocate { element, count, .. } => {
                self.type_id(element);
                count.iter_mut().for_each(|count| self.operand(count));
            }
            CompareExchange {
                pointer,
                expected,
                new,
                ..
            } => {
                self.operand(pointer);
                self.operand(expected);
                self.operand(new);
            }
            Select {
                condition: first,
                positive: second,
                negative: third,
            }
            | InsertElement {
                vector: first,
                element: second,
                index: third,
            }
            | ShuffleVector {
                left: first,
                right: second,
                mask: third,
            } => {
                self.operand(first);
                self.operand(second);
                self.operand(third);
            }
            ExtractElement { vector, index } => {
                self.operand(vector);
                self.operand(index);
            }
            Phi {
                value_type,
                incoming,
            } => {
                self.type_id(value_type);
                for (value, _) in incoming {
                    self.value(value);
                }
            }
            ExtractValue { aggregate, .. } => self.operand(aggregate),
            InsertValue {
                aggregate, element, ..
            } => {
                self.operand(aggregate);
                self.operand(element);
            }
            Call(call) | Invoke { call, .. } | CallBranch { call, .. } => self.call(call),
            VariadicArgument { list, value_type } => {
                self.operand(list);
                self.type_id(value_type);
            }
            LandingPad { value_type, .. } => self.type_id(value_type),
            Return(operand) => operand.iter_mut().for_each(|operand| self.operand(operand)),
            Branch { condition, .. } => self.value(condition),
            Switch { value, cases, .. } => {
                self.operand(value);
                cases.iter_mut().for_each(|(case, _)| self.value(case));
            }
            IndirectJump { address, .. } => self.operand(address),
            Fence { .. } | Jump(_) | Unreachable | Funclet { .. } => {}
        }
    }
}

impl InstructionKind {
    /// Visits every block that the instruction names.
    pub(super) fn for_each_block(&mut self, visit: &mut impl FnMut(&mut BlockId)) {
        use InstructionKind::*;
        match self {
            Jump(block) => visit(block),
            Branch {
                positive, negative, ..
            } => {
                visit(positive);
                visit(negative);
            }
            Switch { default, cases, .. } => {
                visit(default);
                cases.iter_mut().for_each(|(_, block)| visit(block));
            }
            IndirectJump { targets, .. } => targets.iter_mut().for_each(visit),
            Invoke { normal, unwind, .. } => {
                visit(normal);
                visit(unwind);
            }
            CallBranch {
                normal, targets, ..
            } => {
                visit(normal);
                targets.iter_mut().for_each(visit);
            }
            Phi { incoming, .. } => incoming.iter_mut().for_each(|(_, block)| visit(block)),
            _ => {}
        }
    }
}
