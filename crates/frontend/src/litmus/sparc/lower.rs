//! What the instructions do, in loads, stores, updates and assignments.
//!
//! `ldstub`, `swap` and `cas` are one update each and order nothing else by
//! themselves. Arithmetic has 64 bits; the condition codes are those of its low
//! 32 bits.

use super::mnemonics::Operation;
use super::operands::{Argument, Instruction, RegisterName, What};
use crate::litmus::address::Memory;
use crate::litmus::code::{Code, Labels};
use crate::litmus::complaint::{Detail, complaint};
use crate::litmus::flags::{Computation, Flags};
use crate::litmus::locations::{Locations, in_width};
use program::{
    Access, Address, Binary, Diagnostic, Expression, InstructionKind, MemoryOrder, Operand,
    RegisterId, Source, UpdateOp, Width,
};

/// The condition codes.
pub const CODES: Flags = Flags {
    zero: "Z",
    sign: "N",
    carry: "C",
    overflow: "V",
    parity: None,
};

/// The translation of one thread.
pub struct Lowering<'a> {
    pub source: &'a Source,
    pub locations: &'a Locations<'a>,
    pub labels: &'a Labels,
    pub code: Code,
    /// Registers that receive values from memory.
    pub loaded: Vec<String>,
}

type Lowered<T = ()> = Result<T, Diagnostic>;

impl Lowering<'_> {
    /// Translates an instruction other than a branch.
    pub fn instruction(&mut self, instruction: &Instruction) -> Lowered {
        self.code.at(instruction.span);
        match (instruction.operation, &instruction.arguments[..]) {
            (Operation::Nothing, []) => self.code.mark(),
            (Operation::StoreBarrier, []) => {
                let orderings = memory::fence_named("STBAR").unwrap_or_default();
                self.code.push(InstructionKind::Fence(orderings));
            }
            (Operation::Membar, [argument]) => {
                if let What::Orderings(orderings) = argument.what {
                    self.code.push(InstructionKind::Fence(orderings));
                }
            }
            (Operation::Load(width), [from, to]) => {
                let address = self.address(from)?;
                let target = self.receiver(to)?;
                self.code.push(InstructionKind::Load {
                    target,
                    address,
                    width,
                    access: Access::default(),
                });
            }
            (Operation::Store(width), [value, to]) => {
                let value = self.value(value, width)?;
                self.store(value, to, width)?;
            }
            (Operation::Clear, [to]) => match &to.what {
                What::Register(_) => self.assign(to, Expression::Copy(Operand::Constant(0)))?,
                _ => self.store(Operand::Constant(0), to, Width::W32)?,
            },
            (Operation::LoadStore, [place, to]) => {
                let ones = Operand::Constant(0xff);
                self.exchange(place, to, Some(ones), Width::W8)?;
            }
            (Operation::Swap, [place, to]) => self.exchange(place, to, None, Width::W32)?,
            (Operation::CompareSwap(width), [place, expected, to]) => {
                self.compare_swap(place, expected, to, width)?;
            }
            (_, arguments) => self.compute(instruction, arguments)?,
        }
        Ok(())
    }

    fn compute(&mut self, instruction: &Instruction, arguments: &[Argument]) -> Lowered {
        match (instruction.operation, arguments) {
            (Operation::Move, [from, to]) => {
                let value = self.value(from, Width::W64)?;
                self.assign(to, Expression::Copy(value))
            }
            (
                Operation::Arithmetic {
                    operation,
                    sets_codes,
                },
                [a, b, to],
            ) => {
                let a = self.register_value(a)?;
                let b = self.value(b, Width::W64)?;
                if sets_codes {
                    self.set_codes(operation, a, b);
                }
                self.assign(to, Expression::Binary(operation, Width::W64, a, b))
            }
            (Operation::Compare, [a, b]) => {
                self.code.mark();
                let a = self.register_value(a)?;
                let b = self.value(b, Width::W64)?;
                self.set_codes(Binary::Sub, a, b);
                Ok(())
            }
            (Operation::Test, [only]) => {
                self.code.mark();
                // The same codes as an `orcc` with zero, in fewer steps.
                let value = self.register_value(only)?;
                self.set_codes(Binary::Sub, value, Operand::Constant(0));
                Ok(())
            }
            (Operation::Step(operation), [to]) => {
                let old = self.register_value(to)?;
                let one = Operand::Constant(1);
                self.assign(to, Expression::Binary(operation, Width::W64, old, one))
            }
            (Operation::Step(operation), [by, to]) => {
                let old = self.register_value(to)?;
                let by = self.value(by, Width::W64)?;
                self.assign(to, Expression::Binary(operation, Width::W64, old, by))
            }
            _ => Err(self.wrong_count(instruction)),
        }
    }

    fn wrong_count(&self, instruction: &Instruction) -> Diagnostic {
        let wanted = match instruction.operation {
            Operation::Nothing | Operation::StoreBarrier => "no operands",
            Operation::Load(_) | Operation::LoadStore | Operation::Swap => {
                "memory, then a register"
            }
            Operation::Store(_) => "a register or a constant, then memory",
            Operation::CompareSwap(_) => "memory, then two registers",
            Operation::Move => "a register or a constant, then a register",
            Operation::Arithmetic { .. } => "a register, a register or a constant, then a register",
            Operation::Compare => "a register, then a register or a constant",
            Operation::Test => "a register",
            Operation::Clear => "a register or memory",
            Operation::Step(_) => "a register, with or without a number before it",
            Operation::Membar => "orderings",
            Operation::Branch(_) => "a label",
        };
        let count = instruction.arguments.len();
        let message = format!("this instruction does not have {count} operands");
        complaint(self.source, instruction.span, message).expected(wanted)
    }

    /// Sets the condition codes; logic leaves carry and overflow zero.
    fn set_codes(&mut self, operation: Binary, a: Operand, b: Operand) {
        let computation = match operation {
            Binary::Add => Computation::Add,
            Binary::Sub => Computation::Subtract,
            logic => Computation::Logic(logic),
        };
        CODES.set(&mut self.code, computation, Width::W32, a, b);
    }

    fn store(&mut self, value: Operand, to: &Argument, width: Width) -> Lowered {
        let address = self.address(to)?;
        self.code.push(InstructionKind::Store {
            address,
            value,
            width,
            access: Access::default(),
        });
        Ok(())
    }

    /// `ldstub` and `swap`; without a value the register's own is written.
    fn exchange(
        &mut self,
        place: &Argument,
        to: &Argument,
        value: Option<Operand>,
        width: Width,
    ) -> Lowered {
        let address = self.address(place)?;
        let operand = match value {
            Some(value) => value,
            None => self.register_value(to)?,
        };
        let target = self.receiver(to)?;
        self.code.push(InstructionKind::Update {
            target,
            operation: UpdateOp::Exchange,
            address,
            operand,
            width,
            access: Access::default(),
        });
        Ok(())
    }

    fn compare_swap(
        &mut self,
        place: &Argument,
        expected: &Argument,
        to: &Argument,
        width: Width,
    ) -> Lowered {
        let address = self.address(place)?;
        let expected = self.register_value(expected)?;
        let desired = self.register_value(to)?;
        let target = self.receiver(to)?;
        self.code.push(InstructionKind::CompareExchange {
            target,
            address,
            expected,
            desired,
            width,
            access: Access::default(),
            failure: MemoryOrder::Relaxed,
            weak: false,
            succeeded: None,
        });
        Ok(())
    }

    fn address(&mut self, argument: &Argument) -> Lowered<Operand> {
        let place;
        let memory: &Memory<RegisterName> = match &argument.what {
            What::Memory(memory) => memory,
            What::Location(name) => {
                place = Memory::location(name.clone(), argument.span);
                &place
            }
            _ => return Err(self.refuse(argument, "memory such as `[lock]`")),
        };
        memory.lower(&mut self.code, self.locations, Width::W64, read_register)
    }

    /// A register or a constant; a location's name stands for its address.
    fn value(&mut self, argument: &Argument, width: Width) -> Lowered<Operand> {
        match &argument.what {
            What::Register(name) => Ok(read_register(&mut self.code, name)),
            What::Number(number) => match in_width(*number, width) {
                Some(word) => Ok(Operand::Constant(word)),
                None => {
                    let message = format!("{number} does not fit {} bits", width.bits());
                    Err(complaint(self.source, argument.span, message))
                }
            },
            What::Location(name) if width >= Width::W32 => {
                let object = self.locations.object(name).map(Address::of);
                object
                    .map(Operand::Address)
                    .ok_or_else(|| self.refuse(argument, "a known location"))
            }
            _ => Err(self.refuse(argument, "a register or a constant")),
        }
    }

    fn register_value(&mut self, argument: &Argument) -> Lowered<Operand> {
        match &argument.what {
            What::Register(name) => Ok(read_register(&mut self.code, name)),
            _ => Err(self.refuse(argument, "a register")),
        }
    }

    /// The register that a value goes to. What goes to `%g0` goes nowhere.
    fn target(&mut self, argument: &Argument) -> Lowered<RegisterId> {
        match &argument.what {
            What::Register(name) if name == "g0" => Ok(self.code.word()),
            What::Register(name) => Ok(self.code.register(name, Width::W64)),
            _ => Err(self.refuse(argument, "a register")),
        }
    }

    /// The register that a value from memory goes to.
    fn receiver(&mut self, argument: &Argument) -> Lowered<RegisterId> {
        if let What::Register(name) = &argument.what {
            self.loaded.push(name.clone());
        }
        self.target(argument)
    }

    fn assign(&mut self, to: &Argument, value: Expression) -> Lowered {
        let target = self.target(to)?;
        if matches!(&to.what, What::Register(name) if name == "g0") {
            self.code.mark();
        }
        self.code.assign(target, value);
        Ok(())
    }

    fn refuse(&self, argument: &Argument, expected: &str) -> Diagnostic {
        let written = self.source.excerpt(argument.span);
        let message = format!("`{written}` cannot stand here");
        complaint(self.source, argument.span, message).expected(expected)
    }
}

/// The value of a register; `%g0` is always zero.
fn read_register(code: &mut Code, name: &RegisterName) -> Operand {
    match name.as_str() {
        "g0" => Operand::Constant(0),
        name => code.register(name, Width::W64).into(),
    }
}
