//! Inline assembly of x86-64, one instruction after another.
//!
//! What the text says is [`asm`](crate::llvm::asm)'s to find out. Here it gets its meaning:
//!
//! - An operand in a register, and a register that the text names, is a register of the program (`cells`), which all
//!   instructions of the statement read and write; operands in the same register are one.
//! - Flags that some instruction asks for are registers of one bit (`flags`).
//! - An access to memory is one access of the program, as `memory` says; `lock` makes one of a load and a store.
//! - Labels are blocks, and jumps are jumps.
//!
//! What the compiler is free to do must not matter: a statement that writes a register which it does not declare, or an
//! output before it has read an input that may share its register, is refused (`declared`).

mod arithmetic;
mod bits;
mod cells;
mod declared;
mod exchange;
mod flags;
mod memory;
mod moves;
mod operands;

use super::functions::{Coder, Lowered};
use crate::llvm::asm::constraints::{self, Class, Constraints};
use crate::llvm::asm::foreign;
use crate::llvm::asm::instructions::{ACCEPTED, Condition, Flag, Operation};
use crate::llvm::asm::operands::Label;
use crate::llvm::asm::registers::Family;
use crate::llvm::asm::statements::{self, Instruction, LabelName, Statement};
use crate::llvm::asm::text::Dialect;
use crate::llvm::{BlockId, Call, Callee, InlineAssembly};
use cells::{Cell, Slot};
use program::{
    Callee as Called, InstructionKind as Kind, Operand, RegisterId, Routine, Terminator,
};

/// A statement of inline assembly while it is lowered.
struct Assembler<'c, 'a, 'm> {
    coder: &'c mut Coder<'a, 'm>,
    dialect: Dialect,
    statements: Vec<Statement>,
    constraints: Constraints,
    /// What stands for each operand of the C statement.
    slots: Vec<Slot>,
    /// The registers that the text or an operand names.
    families: [Option<RegisterId>; Family::COUNT],
    /// The flags that somebody asks for.
    flags: [Option<RegisterId>; Flag::ALL.len()],
    /// The block of each statement that is a label.
    labels: Vec<Option<program::BlockId>>,
    /// Registers that hold the same value have the same number here.
    values: [u32; Family::COUNT],
    next_value: u32,
    /// What was pushed.
    pushed: Vec<Operand>,
}

impl<'m> Coder<'_, 'm> {
    /// Lowers inline assembly; its results.
    pub fn assembly(
        &mut self,
        call: &'m Call,
        assembly: &'m InlineAssembly,
    ) -> Lowered<Vec<Operand>> {
        if let Some(fences) = foreign::fences(&assembly.text) {
            for orderings in fences.into_iter().filter(|orderings| !orderings.is_empty()) {
                self.body.push(Kind::Fence(orderings));
            }
            return self.undefined(call.result);
        }
        Assembler::new(self, call, assembly, &[])?.lower(call)
    }

    /// Lowers inline assembly that may jump to blocks of the function. It goes on in the current block where it does not.
    pub fn assembly_branch(
        &mut self,
        block: BlockId,
        call: &'m Call,
        targets: &[BlockId],
    ) -> Lowered<()> {
        let Callee::Assembly(assembly) = &call.callee else {
            return Err(self.refuse("a call that jumps"));
        };
        if !self.widths(call.result)?.is_empty() {
            return Err(self.refuse("inline assembly that jumps and has outputs"));
        }
        let from = self.body.current;
        let edges: Lowered<Vec<_>> = targets.iter().map(|to| self.edge(block, *to)).collect();
        let edges = edges?;
        self.body.current = from;
        Assembler::new(self, call, assembly, &edges)?.lower(call)?;
        Ok(())
    }
}

impl<'c, 'a, 'm> Assembler<'c, 'a, 'm> {
    fn new(
        coder: &'c mut Coder<'a, 'm>,
        call: &'m Call,
        assembly: &'m InlineAssembly,
        targets: &[program::BlockId],
    ) -> Lowered<Self> {
        let dialect = match assembly.intel {
            true => Dialect::Intel,
            false => Dialect::Att,
        };
        let mut assembler = Assembler {
            coder,
            dialect,
            statements: Vec::new(),
            constraints: Constraints::default(),
            slots: Vec::new(),
            families: [None; Family::COUNT],
            flags: [None; Flag::ALL.len()],
            labels: Vec::new(),
            values: [0; Family::COUNT],
            next_value: 0,
            pushed: Vec::new(),
        };
        let parsed = constraints::parse(&assembly.constraints);
        assembler.constraints = parsed.map_err(|what| assembler.refuse(&what))?;
        let initial = assembler.find_slots(call, targets)?;
        let width_of = |index: usize| assembler.slots.get(index).and_then(Slot::width);
        let parsed = statements::parse(&assembly.text, dialect, width_of);
        assembler.statements = parsed.map_err(|what| assembler.refuse(&what))?;
        assembler.check_declared()?;
        assembler.make_cells(&initial)?;
        assembler.make_flags();
        assembler.make_labels();
        assembler.forget_values();
        Ok(assembler)
    }

    /// The complaint that inline assembly does something that is not supported.
    fn refuse(&mut self, what: &str) -> program::Diagnostic {
        let message = format!("inline assembly is not supported: {what}");
        let help = format!("instructions that are: {ACCEPTED}; <stdatomic.h> has the rest");
        self.coder.complain(message, &help)
    }

    fn lower(mut self, call: &'m Call) -> Lowered<Vec<Operand>> {
        let statements = std::mem::take(&mut self.statements);
        for (index, statement) in statements.iter().enumerate() {
            match statement {
                Statement::Label(_) => self.enter_label(index),
                Statement::Instruction(instruction) => {
                    if let Operation::Jump(condition) = instruction.operation {
                        self.jump(&statements, index, instruction, condition)?;
                    } else {
                        self.instruction(instruction)?;
                    }
                }
            }
        }
        if !self.pushed.is_empty() {
            return Err(self.refuse("`push` without `pop`"));
        }
        self.results(call)
    }

    fn make_labels(&mut self) {
        let labels = self.statements.iter().map(|statement| match statement {
            Statement::Label(_) => Some(self.coder.body.block("assembly")),
            Statement::Instruction(_) => None,
        });
        self.labels = labels.collect();
    }

    fn enter_label(&mut self, index: usize) {
        if let Some(block) = self.labels[index] {
            self.coder.body.finish(Terminator::Jump(block));
            self.coder.body.enter(block);
        }
        self.forget_values();
    }

    fn jump(
        &mut self,
        statements: &[Statement],
        index: usize,
        instruction: &Instruction,
        condition: Option<Condition>,
    ) -> Lowered<()> {
        let target = self.target(statements, index, instruction)?;
        if !self.pushed.is_empty() {
            return Err(self.refuse("a jump between `push` and `pop`"));
        }
        let next = self.coder.body.block("assembly");
        let terminator = match condition {
            None => Terminator::Jump(target),
            Some(condition) => Terminator::Branch {
                condition: self.condition(condition),
                then: target,
                otherwise: next,
            },
        };
        self.coder.body.finish(terminator);
        self.coder.body.enter(next);
        Ok(())
    }

    /// The block that a jump goes to.
    fn target(
        &mut self,
        statements: &[Statement],
        index: usize,
        instruction: &Instruction,
    ) -> Lowered<program::BlockId> {
        use crate::llvm::asm::operands::Operand as Written;
        let is = |at: usize, wanted: &LabelName| matches!(&statements[at], Statement::Label(name) if name == wanted);
        let found = match &instruction.operands[..] {
            [Written::Reference(reference)] => match self.slots.get(reference.index) {
                Some(Slot::Label(block)) => return Ok(*block),
                _ => None,
            },
            [Written::Label(Label::Named(name))] => {
                let name = LabelName::Name(name.clone());
                (0..statements.len()).find(|at| is(*at, &name))
            }
            [Written::Label(Label::Local { number, forward })] => {
                let number = LabelName::Number(*number);
                match forward {
                    true => (index..statements.len()).find(|at| is(*at, &number)),
                    false => (0..index).rev().find(|at| is(*at, &number)),
                }
            }
            _ => None,
        };
        match found.and_then(|at| self.labels[at]) {
            Some(block) => Ok(block),
            None => Err(self.refuse(&format!("the target of `{}`", instruction.text))),
        }
    }

    /// Lowers an instruction that goes on with the next.
    fn instruction(&mut self, instruction: &Instruction) -> Lowered<()> {
        match instruction.operation {
            Operation::Move
            | Operation::MoveZero(_)
            | Operation::MoveSign(_)
            | Operation::LoadAddress
            | Operation::SwapBytes
            | Operation::Push
            | Operation::Pop
            | Operation::Set(_)
            | Operation::MoveIf(_) => self.moving(instruction),
            Operation::Exchange
            | Operation::ExchangeAdd
            | Operation::CompareExchange
            | Operation::CompareExchangePair(_) => self.exchanging(instruction),
            Operation::Arithmetic(_)
            | Operation::Compare
            | Operation::Test
            | Operation::Not
            | Operation::Negate
            | Operation::Increment
            | Operation::Decrement
            | Operation::Multiply => self.calculating(instruction),
            Operation::Shift(_)
            | Operation::BitTest(_)
            | Operation::Scan { .. }
            | Operation::Count(_) => self.bits(instruction),
            Operation::Fence(orderings) => {
                self.coder.body.push(Kind::Fence(orderings));
                Ok(())
            }
            Operation::Nothing => Ok(()),
            Operation::TimeStamp => {
                self.write_family(Family::A, program::Width::W32, Operand::Constant(0));
                self.write_family(Family::D, program::Width::W32, Operand::Constant(0));
                Ok(())
            }
            Operation::Trap => {
                let routine = Called::Routine(Routine::Abort);
                self.coder.emit_call(routine, Vec::new(), &[]);
                Ok(())
            }
            Operation::Jump(_) => Err(self.refuse("a jump like this")),
        }
    }

    /// The results of the C statement, from what the outputs hold now.
    fn results(&mut self, call: &'m Call) -> Lowered<Vec<Operand>> {
        let widths = self.coder.widths(call.result)?;
        let mut results = Vec::with_capacity(widths.len());
        for index in 0..self.slots.len() {
            let constraint = self.constraints.operands[index];
            if !constraint.output || constraint.class == Class::Memory {
                continue;
            }
            let value = match self.slots[index] {
                Slot::Flag(condition, width) => {
                    let value = self.condition(condition);
                    self.coder.body.resize(width, value)
                }
                Slot::Register(Cell { storage, width, .. }) => {
                    let value = self.stored(storage);
                    self.coder.body.resize(width, value)
                }
                _ => return Err(self.refuse("an output like this")),
            };
            results.push(value);
        }
        Ok(results)
    }
}
