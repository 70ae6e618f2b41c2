//! Where the values of a function are used.

use crate::llvm::{
    Callee, Constant, Function, Instruction, InstructionKind, IntegerPredicate, LocalId, Operand,
    Value,
};

/// Uses of each local value.
#[derive(Default)]
pub(super) struct Uses {
    /// Number of uses.
    pub count: Vec<u32>,
    /// The place in its block of the last instruction that uses a value;
    /// [`Uses::ELSEWHERE`] if it is used in another block than it is made.
    pub last: Vec<u32>,
    /// Number of comparisons with zero, for `==` and `!=`.
    tests: Vec<u32>,
}

impl Uses {
    /// Used in another block, or by a phi.
    pub const ELSEWHERE: u32 = u32::MAX;

    pub fn of(function: &Function) -> Self {
        let locals = function.locals.len();
        let mut uses = Uses {
            count: vec![0; locals],
            last: vec![0; locals],
            tests: vec![0; locals],
        };
        let mut home = vec![u32::MAX; locals];
        for (block, instruction, _) in instructions(function) {
            if let Some(result) = instruction.result {
                home[result.index()] = block;
            }
        }
        for (block, instruction, position) in instructions(function) {
            let is_phi = matches!(instruction.kind, InstructionKind::Phi { .. });
            each_local(&instruction.kind, &mut |local| {
                uses.count[local.index()] += 1;
                let last = &mut uses.last[local.index()];
                *last = match home[local.index()] == block && !is_phi {
                    true => (*last).max(position),
                    false => Uses::ELSEWHERE,
                };
            });
            if let Some(tested) = tested(&instruction.kind) {
                uses.tests[tested.index()] += 1;
            }
        }
        uses
    }

    /// Whether nothing matters of a value but whether it is zero.
    pub fn is_condition(&self, local: LocalId) -> bool {
        self.tests[local.index()] == self.count[local.index()]
    }
}

/// The value that a comparison compares with zero.
fn tested(kind: &InstructionKind) -> Option<LocalId> {
    let InstructionKind::Compare {
        predicate: IntegerPredicate::Equal | IntegerPredicate::NotEqual,
        left: Value::Local(local),
        right: Value::Constant(Constant::Integer(0) | Constant::Zero),
        ..
    } = kind
    else {
        return None;
    };
    Some(*local)
}

fn instructions(function: &Function) -> impl Iterator<Item = (u32, &Instruction, u32)> {
    let blocks = function.blocks.iter().enumerate();
    blocks.flat_map(|(block, body)| {
        let instructions = body.instructions.iter().enumerate();
        instructions
            .map(move |(position, instruction)| (block as u32, instruction, position as u32))
    })
}

/// Calls `visit` with every local value that an instruction uses.
pub(super) fn each_local(kind: &InstructionKind, visit: &mut impl FnMut(LocalId)) {
    each_value(kind, &mut |value| {
        if let Value::Local(local) = value {
            visit(*local);
        }
    });
}

/// Calls `visit` with every value that an instruction uses.
pub(super) fn each_value<'a>(kind: &'a InstructionKind, visit: &mut impl FnMut(&'a Value)) {
    use InstructionKind::*;
    let mut operand = |operand: &'a Operand| visit(&operand.value);
    match kind {
        Binary { left, right, .. }
        | Compare { left, right, .. }
        | FloatCompare { left, right, .. } => {
            visit(left);
            visit(right);
        }
        FloatNegate(a) | Freeze(a) | Resume(a) => operand(a),
        Cast { operand: a, .. } => operand(a),
        GetElementPointer { base, indices, .. } => {
            operand(base);
            indices.iter().for_each(operand);
        }
        Load { pointer, .. } => operand(pointer),
        Store { value, pointer, .. } | AtomicUpdate { value, pointer, .. } => {
            operand(value);
            operand(pointer);
        }
        Allocate { count, .. } => count.iter().for_each(operand),
        CompareExchange {
            pointer: a,
            expected: b,
            new: c,
            ..
        }
        | Select {
            condition: a,
            positive: b,
            negative: c,
        }
        | InsertElement {
            vector: a,
            element: b,
            index: c,
        }
        | ShuffleVector {
            left: a,
            right: b,
            mask: c,
        } => {
            operand(a);
            operand(b);
            operand(c);
        }
        ExtractElement { vector, index } => {
            operand(vector);
            operand(index);
        }
        Phi { incoming, .. } => incoming.iter().for_each(|(value, _)| visit(value)),
        ExtractValue { aggregate, .. } => operand(aggregate),
        InsertValue {
            aggregate, element, ..
        } => {
            operand(aggregate);
            operand(element);
        }
        Call(call) | Invoke { call, .. } | CallBranch { call, .. } => {
            if let Callee::Value(value) = &call.callee {
                visit(value);
            }
            call.arguments.iter().for_each(|a| visit(&a.value));
        }
        VariadicArgument { list, .. } => operand(list),
        Return(value) => value.iter().for_each(operand),
        Branch { condition, .. } => visit(condition),
        Switch { value, .. } => operand(value),
        IndirectJump { address, .. } => operand(address),
        Fence { .. } | Jump(_) | Unreachable | Funclet { .. } | LandingPad { .. } => {}
    }
}
