//! Instructions, each as one operation, between the fences that its effects ask for.

use super::layout::Layout;
use super::{Access, Exchange, Local, Op, Range, Slot};
use memory::{Buffering, Effects};
use program::{
    AccessKind, Address, Callee, Expression, InstructionKind, Operand, Orderings, RegisterId, Width,
};

impl Layout<'_> {
    pub(super) fn instruction(&mut self, kind: &InstructionKind) {
        let effects = Effects::of(kind);
        if let Some(access) = effects.access {
            self.fence(access, effects.before);
        }
        if let Some(op) = self.operation(kind) {
            self.push(op);
        }
        if let Some(access) = effects.access {
            self.fence(access, effects.after);
        }
    }

    /// The operation of an instruction; none for observing what nobody asks for.
    fn operation(&mut self, kind: &InstructionKind) -> Option<Op> {
        Some(match kind {
            InstructionKind::Assign { target, value } => self.assign(*target, *value),
            InstructionKind::Load {
                target,
                address,
                width,
                access,
            } => Op::Load(target.0, self.slot(*address), how(*width, *access)),
            InstructionKind::Store {
                address,
                value,
                width,
                access,
            } => {
                let (address, value) = (self.slot(*address), self.slot(*value));
                Op::Store(address, value, how(*width, *access))
            }
            InstructionKind::Update {
                target,
                operation,
                address,
                operand,
                width,
                access,
            } => {
                let (address, operand) = (self.slot(*address), self.slot(*operand));
                let access = how(*width, *access);
                Op::Update(*operation, target.0, address, operand, access)
            }
            InstructionKind::CompareExchange {
                target,
                address,
                expected,
                desired,
                width,
                access,
                failure,
                weak,
                succeeded,
            } => {
                let exchange = Exchange {
                    target: target.0,
                    succeeded: succeeded.map(|register| register.0),
                    address: self.slot(*address),
                    expected: self.slot(*expected),
                    desired: self.slot(*desired),
                    access: how(*width, *access),
                    failure: *failure,
                    weak: *weak,
                };
                self.image.exchanges.push(exchange);
                Op::Exchange(self.image.exchanges.len() as u32 - 1)
            }
            InstructionKind::Fence(orderings) => Op::Fence(*orderings, true),
            InstructionKind::Call {
                targets,
                callee,
                arguments,
            } => self.call(targets, *callee, arguments),
            InstructionKind::Allocate {
                target,
                size,
                name,
                layout,
            } => {
                self.image.locals.push(Local {
                    temporary: name.contains(' '),
                    name: name.clone(),
                    layout: *layout,
                });
                let number = self.image.locals.len() as u32 - 1;
                Op::Allocate(target.0, self.slot(*size), number)
            }
            InstructionKind::Assert { condition } => Op::Assert(self.slot(*condition)),
            InstructionKind::Assume { condition } => {
                self.image.has_assumption = true;
                Op::Assume(self.slot(*condition))
            }
            InstructionKind::Choose { target, count } => Op::Choose(target.0, self.slot(*count)),
            InstructionKind::Observe { name, value } => {
                let value = self.slot(*value);
                Op::Observe(*self.names.get(name.as_str())?, value)
            }
            InstructionKind::AtomicBegin => Op::AtomicBegin,
            InstructionKind::AtomicEnd => Op::AtomicEnd,
        })
    }

    fn call(&mut self, targets: &[RegisterId], callee: Callee, arguments: &[Operand]) -> Op {
        let arguments = self.slots(arguments);
        let targets = self.targets(targets);
        match callee {
            Callee::Function(function) => Op::Call(function, arguments, targets),
            Callee::Pointer(pointer) => Op::CallPointer(self.slot(pointer), arguments, targets),
            Callee::Routine(routine) => Op::Routine(routine, arguments, targets),
        }
    }

    pub(super) fn slot(&mut self, operand: Operand) -> Slot {
        let word = match operand {
            Operand::Register(register) => return Slot(register.0 as i32),
            Operand::Constant(word) => word,
            Operand::Address(address) => address.to_word(),
        };
        let constants = &mut self.image.constants;
        Slot(*self.constants.entry(word).or_insert_with(|| {
            constants.push(word);
            !(constants.len() as i32 - 1)
        }))
    }

    pub(super) fn slots(&mut self, operands: &[Operand]) -> Range {
        let slots: Vec<Slot> = operands.iter().map(|operand| self.slot(*operand)).collect();
        let start = self.image.slots.len() as u32;
        let length = slots.len() as u32;
        self.image.slots.extend(slots);
        Range { start, length }
    }

    fn targets(&mut self, targets: &[RegisterId]) -> Range {
        let start = self.image.targets.len() as u32;
        let length = targets.len() as u32;
        self.image.targets.extend(targets.iter().map(|r| r.0));
        Range { start, length }
    }

    fn width(&self, register: RegisterId) -> Width {
        self.function.registers[register.index()].width
    }

    /// The fence of an access. A read-modify-write that waits for all stores anyway needs none.
    fn fence(&mut self, access: AccessKind, orderings: Orderings) {
        let drains = access == AccessKind::UPDATE && self.image.buffering() == Buffering::PerThread;
        let effective = self.image.model.effective(orderings);
        if !drains && !effective.is_empty() {
            self.push(Op::Fence(effective, false));
        }
    }

    fn assign(&mut self, target: RegisterId, value: Expression) -> Op {
        let to = self.width(target);
        match value {
            Expression::Copy(a) => Op::Copy(target.0, self.slot(a), to),
            Expression::SignExtend(from, a) => Op::SignExtend(target.0, self.slot(a), from, to),
            Expression::Unary(operation, width, a) => {
                Op::Unary(operation, width, target.0, self.slot(a))
            }
            Expression::Convert(conversion, from, a) => {
                Op::Convert(conversion, from, to, target.0, self.slot(a))
            }
            Expression::Binary(operation, width, a, b) => {
                Op::Binary(operation, width, target.0, self.slot(a), self.slot(b))
            }
            Expression::Select(a, b, c) => {
                Op::Select(target.0, self.slot(a), self.slot(b), self.slot(c))
            }
            Expression::Own(Address { object, offset }) => {
                Op::Own(target.0, self.image.own_rank[object.index()], offset)
            }
        }
    }
}

fn how(width: Width, access: program::Access) -> Access {
    Access {
        size: width.bytes() as u8,
        alignment: access.alignment,
        order: access.order,
    }
}
