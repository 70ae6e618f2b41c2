//! Types of heap objects, for the names of their parts: what the variable that a new object's address is stored
//! into points to.

use super::functions::Coder;
use super::promote::callee_name;
use super::spans::Site;
use crate::llvm::{Constant, Function, InstructionKind, LocalId, SymbolTarget, Value};
use program::{Family, Routine, ScalarKind, Type, TypeId};
use rustc_hash::FxHashMap;

impl<'m> Coder<'_, 'm> {
    /// Notes the types of what a function allocates.
    pub fn collect_allocations(&mut self, function: &'m Function) {
        let module = self.lowering.module;
        let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
        let mut made: FxHashMap<LocalId, Site> = FxHashMap::default();
        for instruction in instructions() {
            let site = match &instruction.kind {
                InstructionKind::Call(call) if allocates(callee_name(module, &call.callee)) => {
                    Some(Site {
                        debug: instruction.debug,
                        source: function.source,
                        line: instruction.line,
                    })
                }
                // Before LLVM 15 pointers have types.
                InstructionKind::Cast { operand, .. } => match operand.value {
                    Value::Local(local) => made.get(&local).copied(),
                    _ => None,
                },
                _ => None,
            };
            made.extend(instruction.result.zip(site));
        }
        for instruction in instructions() {
            let InstructionKind::Store { value, pointer, .. } = &instruction.kind else {
                continue;
            };
            let Value::Local(local) = &value.value else {
                continue;
            };
            if let Some(site) = made.get(local).copied()
                && let Some(pointee) = self.pointee(&pointer.value)
            {
                let span = self.lowering.spans.at(site);
                self.lowering.allocations.push((span, pointee));
            }
        }
    }

    /// What the pointer variable at an address points to.
    fn pointee(&mut self, address: &Value) -> Option<TypeId> {
        let layout = match address {
            Value::Local(local) => self.declared(*local)?.layout,
            Value::Constant(Constant::Symbol(symbol)) => {
                match self.lowering.module.symbol(*symbol).target {
                    SymbolTarget::Global(global) => self.lowering.declaration(global).2,
                    _ => None,
                }
            }
            _ => None,
        };
        match self.lowering.layouts.types().get(layout?.index())? {
            Type::Scalar {
                kind: ScalarKind::Pointer(pointee),
                ..
            } => *pointee,
            _ => None,
        }
    }
}

fn allocates(name: &str) -> bool {
    Routine::named(name).is_some_and(|routine| routine.row().family == Family::Heap)
}
