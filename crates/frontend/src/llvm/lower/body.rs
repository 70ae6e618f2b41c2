//! The code of one function while it is made: registers, blocks, and instructions that
//! are left out where their result is known.

use super::names::Names;
use program::{
    Address, Binary, Block, BlockId, Expression, Function, Instruction, InstructionKind, Operand,
    Register, RegisterId, Span, Terminator, Unary, Width, Word,
};
use std::collections::HashMap;

/// A function in the making.
#[derive(Default)]
pub(super) struct Body {
    /// Registers; those without a name get one in the end.
    pub registers: Vec<Register>,
    /// Blocks. Those not yet finished end in [`Terminator::Unreachable`].
    pub blocks: Vec<Block>,
    /// The block that instructions go to.
    pub current: usize,
    /// Where the instructions that follow stand in the source.
    pub span: Span,
    names: Names,
    labels: Names,
    undefined: HashMap<Width, RegisterId>,
}

impl Body {
    /// A register without a name.
    pub fn register(&mut self, width: Width) -> RegisterId {
        let name = String::new();
        self.registers.push(Register { name, width });
        RegisterId::from(self.registers.len() - 1)
    }

    /// A register with a name like this one.
    pub fn named_register(&mut self, name: &str, width: Width) -> RegisterId {
        let register = self.register(width);
        self.name(register, name);
        register
    }

    /// Gives a register that has no name one like this.
    pub fn name(&mut self, register: RegisterId, name: &str) {
        if self.registers[register.index()].name.is_empty() {
            self.registers[register.index()].name = self.names.unique(name);
        }
    }

    /// The width of a register.
    pub fn width(&self, register: RegisterId) -> Width {
        self.registers[register.index()].width
    }

    /// A register that nothing writes.
    pub fn undefined(&mut self, width: Width) -> Operand {
        if let Some(register) = self.undefined.get(&width) {
            return Operand::Register(*register);
        }
        let register = self.named_register("undefined", width);
        self.undefined.insert(width, register);
        Operand::Register(register)
    }

    /// A new block with a label like this one.
    pub fn block(&mut self, label: &str) -> BlockId {
        self.blocks.push(Block {
            label: self.labels.unique(label),
            instructions: Vec::new(),
            terminator: Terminator::Unreachable,
            terminator_span: self.span,
        });
        BlockId::from(self.blocks.len() - 1)
    }

    /// Instructions go to this block from now on.
    pub fn enter(&mut self, block: BlockId) {
        self.current = block.index();
    }

    /// Ends the current block.
    pub fn finish(&mut self, terminator: Terminator) {
        let span = self.span;
        let block = &mut self.blocks[self.current];
        block.terminator = terminator;
        block.terminator_span = span;
    }

    /// Adds an instruction to the current block.
    pub fn push(&mut self, kind: InstructionKind) {
        let span = self.span;
        let instruction = Instruction { kind, span };
        self.blocks[self.current].instructions.push(instruction);
    }

    /// Writes a value to a register.
    pub fn assign(&mut self, target: RegisterId, value: Expression) {
        self.push(InstructionKind::Assign { target, value });
    }

    /// The value of an expression: known, or in a new register.
    pub fn compute(&mut self, width: Width, value: Expression) -> Operand {
        if let Some(known) = self.known(width, &value) {
            return known;
        }
        let target = self.register(width);
        self.assign(target, value);
        Operand::Register(target)
    }

    /// The result of a binary operation.
    pub fn binary(&mut self, operation: Binary, width: Width, a: Operand, b: Operand) -> Operand {
        let result = match operation.is_comparison() {
            true => Width::BIT,
            false => width,
        };
        self.compute(result, Expression::Binary(operation, width, a, b))
    }

    /// The result of a unary operation.
    pub fn unary(&mut self, operation: Unary, width: Width, a: Operand) -> Operand {
        self.compute(width, Expression::Unary(operation, width, a))
    }

    /// The operand, zero-extended or cut to a width.
    pub fn resize(&mut self, width: Width, a: Operand) -> Operand {
        self.compute(width, Expression::Copy(a))
    }

    /// The low `from` bits of the operand, sign-extended to a width.
    pub fn sign_extend(&mut self, from: Width, width: Width, a: Operand) -> Operand {
        if from == width {
            return self.resize(width, a);
        }
        self.compute(width, Expression::SignExtend(from, a))
    }

    /// One of two operands.
    pub fn select(&mut self, width: Width, condition: Operand, a: Operand, b: Operand) -> Operand {
        self.compute(width, Expression::Select(condition, a, b))
    }

    /// An address some bytes further.
    pub fn offset(&mut self, address: Operand, bytes: u64) -> Operand {
        self.binary(Binary::Add, Width::W64, address, Operand::Constant(bytes))
    }

    /// What an expression is known to be.
    fn known(&self, width: Width, value: &Expression) -> Option<Operand> {
        match *value {
            Expression::Own(_) => return None,
            Expression::Copy(Operand::Register(a)) => {
                return (self.width(a) == width).then_some(Operand::Register(a));
            }
            Expression::Copy(Operand::Address(a)) if width == Width::W64 => return Some(a.into()),
            Expression::Select(condition, a, b) => {
                let chosen = match (condition, a == b) {
                    (_, true) => a,
                    (Operand::Constant(0), _) => b,
                    (Operand::Constant(_) | Operand::Address(_), _) => a,
                    (Operand::Register(_), _) => return None,
                };
                return match chosen {
                    Operand::Register(a) => (self.width(a) == width).then_some(chosen),
                    _ => Some(chosen),
                };
            }
            Expression::Binary(operation, of, a, b) => {
                if let Some(simple) = self.simple(operation, of, a, b) {
                    return Some(simple);
                }
            }
            _ => {}
        }
        let words: Option<Vec<Word>> = value.operands().map(word).collect();
        let words = words?;
        if let Expression::Binary(operation, of, ..) = value
            && operation.fails(*of, of.truncate(words[0]), of.truncate(words[1]))
        {
            return None;
        }
        Some(Operand::Constant(value.evaluate(&words, width)))
    }

    /// Operations that do nothing, and places in objects.
    fn simple(&self, operation: Binary, width: Width, a: Operand, b: Operand) -> Option<Operand> {
        use Binary::*;
        let same = |operand: Operand| match operand {
            Operand::Register(register) => self.width(register) == width,
            _ => width == Width::W64,
        };
        match (operation, a, b) {
            (Add, Operand::Address(address), Operand::Constant(by))
            | (Add, Operand::Constant(by), Operand::Address(address))
                if width == Width::W64 =>
            {
                moved(address, by as i64)
            }
            (Sub, Operand::Address(address), Operand::Constant(by)) if width == Width::W64 => {
                moved(address, (by as i64).wrapping_neg())
            }
            (Add | Sub | Or | Xor | Shl | Shr | Sar, a, Operand::Constant(0)) if same(a) => Some(a),
            (Add | Or | Xor, Operand::Constant(0), b) if same(b) => Some(b),
            (And | Or, a, b) if a == b && same(a) => Some(a),
            (Mul, a, Operand::Constant(1)) if same(a) => Some(a),
            (Mul, Operand::Constant(1), b) if same(b) => Some(b),
            (Shl | Shr, _, Operand::Constant(by)) if by >= u64::from(width.bits()) => {
                Some(Operand::Constant(0))
            }
            (And | Mul, _, Operand::Constant(0)) => Some(Operand::Constant(0)),
            (And, a, Operand::Constant(mask)) if mask == width.truncate(Word::MAX) && same(a) => {
                Some(a)
            }
            _ => None,
        }
    }

    /// The finished function. Registers that nothing uses are gone.
    pub fn into_function(mut self, name: String, parameters: usize) -> Function {
        self.drop_unused(parameters);
        let mut number = 0;
        for index in 0..self.registers.len() {
            if self.registers[index].name.is_empty() {
                number += 1;
                let name = self.names.unique(&format!("t{number}"));
                self.registers[index].name = name;
            }
        }
        Function {
            name,
            parameters: parameters as u32,
            registers: self.registers,
            blocks: self.blocks,
        }
    }

    fn drop_unused(&mut self, parameters: usize) {
        let mut used = vec![false; self.registers.len()];
        used[..parameters].fill(true);
        let mut mark = |operand: &mut Operand| {
            if let Operand::Register(register) = operand {
                used[register.index()] = true;
            }
        };
        for block in &mut self.blocks {
            for instruction in &mut block.instructions {
                each_operand(&mut instruction.kind, &mut mark);
                each_target(&mut instruction.kind, &mut |register| {
                    mark(&mut Operand::Register(*register));
                });
            }
            terminator_operands(&mut block.terminator, &mut mark);
        }
        let mut next = 0;
        let places: Vec<u32> = used
            .iter()
            .map(|used| {
                next += u32::from(*used);
                next.wrapping_sub(1)
            })
            .collect();
        let move_register =
            |register: &mut RegisterId| *register = RegisterId(places[register.index()]);
        let mut move_operand = |operand: &mut Operand| {
            if let Operand::Register(register) = operand {
                move_register(register);
            }
        };
        for block in &mut self.blocks {
            for instruction in &mut block.instructions {
                each_operand(&mut instruction.kind, &mut move_operand);
                each_target(&mut instruction.kind, &mut |register| {
                    move_register(register)
                });
            }
            terminator_operands(&mut block.terminator, &mut move_operand);
        }
        let mut used = used.into_iter();
        self.registers.retain(|_| used.next().unwrap_or(true));
    }
}

fn word(operand: Operand) -> Option<Word> {
    match operand {
        Operand::Constant(word) => Some(word),
        Operand::Address(address) => Some(address.to_word()),
        Operand::Register(_) => None,
    }
}

/// An address some bytes further, if it still reads as a place of its object.
fn moved(address: Address, by: i64) -> Option<Operand> {
    let offset = i64::from(address.offset).checked_add(by)?;
    let offset = u32::try_from(offset).ok()?;
    Some(Operand::Address(Address { offset, ..address }))
}

fn each_target(kind: &mut InstructionKind, visit: &mut impl FnMut(&mut RegisterId)) {
    use InstructionKind::*;
    match kind {
        Assign { target, .. }
        | Load { target, .. }
        | Update { target, .. }
        | Allocate { target, .. }
        | Choose { target, .. } => visit(target),
        CompareExchange {
            target, succeeded, ..
        } => {
            visit(target);
            succeeded.iter_mut().for_each(visit);
        }
        Call { targets, .. } => targets.iter_mut().for_each(visit),
        Store { .. }
        | Fence(_)
        | Assert { .. }
        | Assume { .. }
        | Observe { .. }
        | AtomicBegin
        | AtomicEnd => {}
    }
}

fn each_operand(kind: &mut InstructionKind, visit: &mut impl FnMut(&mut Operand)) {
    use InstructionKind::*;
    match kind {
        Assign { value, .. } => match value {
            Expression::Copy(a)
            | Expression::SignExtend(_, a)
            | Expression::Unary(_, _, a)
            | Expression::Convert(_, _, a) => visit(a),
            Expression::Binary(_, _, a, b) => {
                visit(a);
                visit(b);
            }
            Expression::Select(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            Expression::Own(_) => {}
        },
        Load { address, .. } => visit(address),
        Store { address, value, .. } => {
            visit(address);
            visit(value);
        }
        Update {
            address, operand, ..
        } => {
            visit(address);
            visit(operand);
        }
        CompareExchange {
            address,
            expected,
            desired,
            ..
        } => {
            visit(address);
            visit(expected);
            visit(desired);
        }
        Call {
            callee, arguments, ..
        } => {
            if let program::Callee::Pointer(pointer) = callee {
                visit(pointer);
            }
            arguments.iter_mut().for_each(visit);
        }
        Allocate { size, .. } => visit(size),
        Assert { condition } | Assume { condition } => visit(condition),
        Choose { count, .. } => visit(count),
        Observe { value, .. } => visit(value),
        Fence(_) | AtomicBegin | AtomicEnd => {}
    }
}

fn terminator_operands(terminator: &mut Terminator, visit: &mut impl FnMut(&mut Operand)) {
    match terminator {
        Terminator::Branch {
            condition: operand, ..
        }
        | Terminator::Switch { value: operand, .. } => visit(operand),
        Terminator::Return(values) => values.iter_mut().for_each(visit),
        Terminator::Jump(_) | Terminator::Unreachable => {}
    }
}
