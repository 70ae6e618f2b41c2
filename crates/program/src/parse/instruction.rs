//! Reading instructions and terminators.

use super::Reader;
use super::cursor::{Cursor, Read};
use crate::{
    Binary, BlockId, Expression, Function, FunctionId, InstructionKind, Operand, Orderings,
    RegisterId, SyncOp, Terminator, UpdateOp, Width,
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
                let target = register(function, line)?;
                line.expect("=")?;
                self.assignment(function, target, line)?
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
        } else if line.eat_word("return") {
            if line.is_empty() || line.starts_with("@") {
                Terminator::Return(None)
            } else {
                Terminator::Return(Some(self.operand(function, line)?))
            }
        } else {
            return Ok(None);
        }))
    }

    /// An instruction that writes no register.
    fn effect(&self, function: &Function, line: &mut Cursor<'_>) -> Read<Option<InstructionKind>> {
        use InstructionKind::*;
        let word = line.peek_word();
        if let Some(operation) = SyncOp::named(word) {
            line.word();
            let address = self.operand(function, line)?;
            let mutex = match line.eat(",") {
                true => Some(self.operand(function, line)?),
                false => None,
            };
            return Ok(Some(Sync {
                operation,
                address,
                mutex,
            }));
        }
        if !matches!(
            word,
            "store"
                | "fence"
                | "call"
                | "join"
                | "free"
                | "assert"
                | "assume"
                | "observe"
                | "begin"
                | "end"
        ) {
            return Ok(None);
        }
        line.word();
        Ok(Some(match word {
            "store" => {
                let width = line.width()?;
                let [address, value] = self.operands(function, line)?;
                Store {
                    address,
                    value,
                    width,
                }
            }
            "fence" => Fence(orderings(line)?),
            "call" => self.call(function, None, line)?,
            "join" => Join {
                target: None,
                thread: self.operand(function, line)?,
            },
            "free" => Free {
                address: self.operand(function, line)?,
            },
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

    /// What follows `target =`.
    fn assignment(
        &self,
        function: &Function,
        target: RegisterId,
        line: &mut Cursor<'_>,
    ) -> Read<InstructionKind> {
        use InstructionKind::*;
        let word = line.peek_word();
        if !matches!(
            word,
            "load" | "atomic" | "cmpxchg" | "call" | "spawn" | "join" | "allocate" | "choose"
        ) {
            let value = self.expression(function, line)?;
            return Ok(Assign { target, value });
        }
        line.word();
        Ok(match word {
            "load" => {
                let width = line.width()?;
                let [address] = self.operands(function, line)?;
                Load {
                    target,
                    address,
                    width,
                }
            }
            "atomic" => {
                let operation = UpdateOp::named(line.peek_word())
                    .ok_or_else(|| line.expected("an atomic operation, such as add"))?;
                line.word();
                let width = line.width()?;
                let [address, operand] = self.operands(function, line)?;
                Update {
                    target,
                    operation,
                    address,
                    operand,
                    width,
                }
            }
            "cmpxchg" => {
                let width = line.width()?;
                let [address, expected, desired] = self.operands(function, line)?;
                CompareExchange {
                    target,
                    address,
                    expected,
                    desired,
                    width,
                }
            }
            "call" => self.call(function, Some(target), line)?,
            "spawn" => {
                let (callee, arguments) = self.callee(function, line)?;
                Spawn {
                    target,
                    callee,
                    arguments,
                }
            }
            "join" => Join {
                target: Some(target),
                thread: self.operand(function, line)?,
            },
            "allocate" => Allocate {
                target,
                size: self.operand(function, line)?,
            },
            _ => Choose {
                target,
                count: line.count("the number of choices")?,
            },
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
        Ok(Expression::Copy(self.operand(function, line)?))
    }

    fn call(
        &self,
        function: &Function,
        target: Option<RegisterId>,
        line: &mut Cursor<'_>,
    ) -> Read<InstructionKind> {
        let (callee, arguments) = self.callee(function, line)?;
        Ok(InstructionKind::Call {
            target,
            callee,
            arguments,
        })
    }

    /// A function and its arguments.
    fn callee(
        &self,
        function: &Function,
        line: &mut Cursor<'_>,
    ) -> Read<(FunctionId, Vec<Operand>)> {
        let callee = self.function(line)?;
        line.expect("(")?;
        let mut arguments = Vec::new();
        while !line.eat(")") {
            if !arguments.is_empty() {
                line.expect(",")?;
            }
            arguments.push(self.operand(function, line)?);
        }
        Ok((callee, arguments))
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
