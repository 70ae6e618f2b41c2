//! Reading instructions and terminators.

use super::Reader;
use super::cursor::{Cursor, Read};
use crate::{
    Binary, BlockId, Callee, Conversion, Expression, Function, FunctionId, InstructionKind,
    Operand, Orderings, RegisterId, Routine, Terminator, Unary, UpdateOp, Width,
};

/// A line of code.
pub(super) enum Code {
    Instruction(InstructionKind),
    Terminator(Terminator),
}

pub(super) fn register(function: &Function, line: &mut Cursor<'_>) -> Read<RegisterId> {
    let name = line.name("a register")?;
    let found = function.register_named(&name);
    found.ok_or_else(|| line.error(format!("there is no register {name}")))
}

fn block(function: &Function, line: &mut Cursor<'_>) -> Read<BlockId> {
    let name = line.name("a label")?;
    let found = function.block_labelled(&name);
    found.ok_or_else(|| line.error(format!("there is no label {name}")))
}

fn orderings(line: &mut Cursor<'_>) -> Read<Orderings> {
    let mut all = Orderings::NONE;
    line.expect("#")?;
    if line.eat_word("None") {
        return Ok(all);
    }
    loop {
        match Orderings::named(line.peek_word()) {
            Some(ordering) => all = all.union(ordering),
            None => return Err(line.expected("an ordering, such as LoadLoad")),
        }
        line.word();
        if !line.eat("#") {
            return Ok(all);
        }
    }
}

impl Reader<'_> {
    /// A line of code up to its span.
    pub(super) fn code(&self, function: FunctionId, line: &mut Cursor<'_>) -> Read<Code> {
        let function = &self.program.functions[function.index()];
        if let Some(terminator) = self.terminator(function, line)? {
            return Ok(Code::Terminator(terminator));
        }
        let instruction = match self.effect(function, line)? {
            Some(instruction) => instruction,
            None => {
                let mut targets = vec![register(function, line)?];
                while line.eat(",") {
                    targets.push(register(function, line)?);
                }
                line.expect("=")?;
                self.assignment(function, targets, line)?
            }
        };
        Ok(Code::Instruction(instruction))
    }

    fn terminator(&self, function: &Function, line: &mut Cursor<'_>) -> Read<Option<Terminator>> {
        Ok(Some(if line.eat_word("jump") {
            Terminator::Jump(block(function, line)?)
        } else if line.eat_word("branch") {
            let condition = self.operand(function, line)?;
            line.expect(",")?;
            let then = block(function, line)?;
            line.expect(",")?;
            let otherwise = block(function, line)?;
            Terminator::Branch {
                condition,
                then,
                otherwise,
            }
        } else if line.eat_word("switch") {
            let value = self.operand(function, line)?;
            line.expect(",")?;
            let otherwise = block(function, line)?;
            let mut cases = Vec::new();
            while line.eat(",") {
                let case = line.word_number()?;
                cases.push((case, block(function, line)?));
            }
            Terminator::Switch {
                value,
                cases,
                otherwise,
            }
        } else if line.eat_word("return") {
            let mut values = Vec::new();
            if !line.is_empty() && !line.starts_with("@") {
                values.push(self.operand(function, line)?);
                while line.eat(",") {
                    values.push(self.operand(function, line)?);
                }
            }
            Terminator::Return(values)
        } else if line.eat_word("unreachable") {
            Terminator::Unreachable
        } else {
            return Ok(None);
        }))
    }

    /// An instruction that writes no register.
    fn effect(&self, function: &Function, line: &mut Cursor<'_>) -> Read<Option<InstructionKind>> {
        use InstructionKind::*;
        let word = line.peek_word();
        if !matches!(
            word,
            "store" | "fence" | "call" | "assert" | "assume" | "observe" | "begin" | "end"
        ) {
            return Ok(None);
        }
        line.word();
        Ok(Some(match word {
            "store" => {
                let (width, access) = (line.width()?, line.access()?);
                let [address, value] = self.operands(function, line)?;
                Store {
                    address,
                    value,
                    width,
                    access,
                }
            }
            "fence" => Fence(orderings(line)?),
            "call" => self.call(function, Vec::new(), line)?,
            "assert" => Assert {
                condition: self.operand(function, line)?,
            },
            "assume" => Assume {
                condition: self.operand(function, line)?,
            },
            "observe" => {
                let name = line.observable_name()?;
                line.expect("=")?;
                let value = self.operand(function, line)?;
                Observe { name, value }
            }
            _ => {
                line.expect_word("atomic")?;
                match word {
                    "begin" => AtomicBegin,
                    _ => AtomicEnd,
                }
            }
        }))
    }

    /// What follows the registers that are written and `=`.
    fn assignment(
        &self,
        function: &Function,
        targets: Vec<RegisterId>,
        line: &mut Cursor<'_>,
    ) -> Read<InstructionKind> {
        if line.eat_word("call") {
            return self.call(function, targets, line);
        }
        if line.eat_word("cmpxchg") {
            return match targets[..] {
                [target] => self.compare_exchange(function, target, None, line),
                [target, succeeded] => {
                    self.compare_exchange(function, target, Some(succeeded), line)
                }
                _ => Err(line.error("a compare-and-exchange writes one or two registers")),
            };
        }
        let [target] = targets[..] else {
            return Err(line.error("only calls and compare-and-exchanges write several registers"));
        };
        self.single_assignment(function, target, line)
    }

    fn single_assignment(
        &self,
        function: &Function,
        target: RegisterId,
        line: &mut Cursor<'_>,
    ) -> Read<InstructionKind> {
        use InstructionKind::*;
        let word = line.peek_word();
        if !matches!(word, "load" | "atomic" | "allocate" | "choose") {
            let value = self.expression(function, line)?;
            return Ok(Assign { target, value });
        }
        line.word();
        Ok(match word {
            "load" => {
                let (width, access) = (line.width()?, line.access()?);
                let [address] = self.operands(function, line)?;
                Load {
                    target,
                    address,
                    width,
                    access,
                }
            }
            "atomic" => {
                let operation = UpdateOp::named(line.peek_word())
                    .ok_or_else(|| line.expected("an atomic operation, such as add"))?;
                line.word();
                let (width, access) = (line.width()?, line.access()?);
                let [address, operand] = self.operands(function, line)?;
                Update {
                    target,
                    operation,
                    address,
                    operand,
                    width,
                    access,
                }
            }
            "allocate" => Allocate {
                target,
                name: line.name("the object's name")?,
                size: self.operand(function, line)?,
                layout: None,
            },
            _ => Choose {
                target,
                count: self.operand(function, line)?,
            },
        })
    }

    fn compare_exchange(
        &self,
        function: &Function,
        target: RegisterId,
        succeeded: Option<RegisterId>,
        line: &mut Cursor<'_>,
    ) -> Read<InstructionKind> {
        let weak = line.eat_word("weak");
        let (width, access) = (line.width()?, line.access()?);
        let failure = line.failure_order()?;
        let [address, expected, desired] = self.operands(function, line)?;
        Ok(InstructionKind::CompareExchange {
            target,
            address,
            expected,
            desired,
            width,
            access,
            failure,
            weak,
            succeeded,
        })
    }

    fn expression(&self, function: &Function, line: &mut Cursor<'_>) -> Read<Expression> {
        if line.eat_word("sext") {
            let width: Width = line.width()?;
            let operand = self.operand(function, line)?;
            return Ok(Expression::SignExtend(width, operand));
        }
        if line.eat_word("select") {
            let [condition, then, otherwise] = self.operands(function, line)?;
            return Ok(Expression::Select(condition, then, otherwise));
        }
        if let Some(operation) = Binary::named(line.peek_word()) {
            line.word();
            let width = line.width()?;
            let [a, b] = self.operands(function, line)?;
            return Ok(Expression::Binary(operation, width, a, b));
        }
        if let Some(operation) = Unary::named(line.peek_word()) {
            line.word();
            let width = line.width()?;
            let operand = self.operand(function, line)?;
            return Ok(Expression::Unary(operation, width, operand));
        }
        if let Some(conversion) = Conversion::named(line.peek_word()) {
            line.word();
            let width = line.width()?;
            let operand = self.operand(function, line)?;
            return Ok(Expression::Convert(conversion, width, operand));
        }
        if line.eat_word("own") {
            return Ok(Expression::Own(self.address(line)?));
        }
        Ok(Expression::Copy(self.operand(function, line)?))
    }

    fn call(
        &self,
        function: &Function,
        targets: Vec<RegisterId>,
        line: &mut Cursor<'_>,
    ) -> Read<InstructionKind> {
        let callee = if line.eat("*") {
            Callee::Pointer(self.operand(function, line)?)
        } else if line.eat_word("library") {
            let routine = Routine::named(line.peek_word())
                .ok_or_else(|| line.expected("a function of the library"))?;
            line.word();
            Callee::Routine(routine)
        } else {
            Callee::Function(self.function(line)?)
        };
        line.expect("(")?;
        let mut arguments = Vec::new();
        while !line.eat(")") {
            if !arguments.is_empty() {
                line.expect(",")?;
            }
            arguments.push(self.operand(function, line)?);
        }
        Ok(InstructionKind::Call {
            targets,
            callee,
            arguments,
        })
    }

    /// So many operands, with commas between.
    fn operands<const COUNT: usize>(
        &self,
        function: &Function,
        line: &mut Cursor<'_>,
    ) -> Read<[Operand; COUNT]> {
        let mut operands = [Operand::Constant(0); COUNT];
        for (index, operand) in operands.iter_mut().enumerate() {
            if index > 0 {
                line.expect(",")?;
            }
            *operand = self.operand(function, line)?;
        }
        Ok(operands)
    }

    fn operand(&self, function: &Function, line: &mut Cursor<'_>) -> Read<Operand> {
        if line.starts_with("&") {
            Ok(Operand::Address(self.address(line)?))
        } else if line.starts_with_number() {
            Ok(Operand::Constant(line.word_number()?))
        } else {
            Ok(Operand::Register(register(function, line)?))
        }
    }
}
