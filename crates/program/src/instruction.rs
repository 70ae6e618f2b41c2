//! Instructions: what one step of a thread does.

use crate::{
    Access, Address, BlockId, Expression, FunctionId, MemoryOrder, Orderings, RegisterId, Routine,
    Span, TypeId, UpdateOp, Width, Word,
};

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The value of a register.
    Register(RegisterId),
    /// A constant.
    Constant(Word),
    /// The address of (a location in) a memory object.
    Address(Address),
}

impl From<RegisterId> for Operand {
    fn from(register: RegisterId) -> Self {
        Operand::Register(register)
    }
}

impl From<Address> for Operand {
    fn from(address: Address) -> Self {
        Operand::Address(address)
    }
}

/// An instruction and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// What it does.
    pub kind: InstructionKind,
    /// Where it stands in the source.
    pub span: Span,
}

/// What an instruction does. Loaded values are zero-extended to their register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InstructionKind {
    /// Compute a value.
    Assign {
        /// Register written.
        target: RegisterId,
        /// Value computed.
        value: Expression,
    },
    /// Read memory.
    Load {
        /// Register written.
        target: RegisterId,
        /// Address read.
        address: Operand,
        /// Width of the access.
        width: Width,
        /// How it is ordered and aligned.
        access: Access,
    },
    /// Write memory.
    Store {
        /// Address written.
        address: Operand,
        /// Value written.
        value: Operand,
        /// Width of the access.
        width: Width,
        /// How it is ordered and aligned.
        access: Access,
    },
    /// Read and write memory in one step. Orders nothing else by itself.
    Update {
        /// Register that receives the old value.
        target: RegisterId,
        /// How the new value is made.
        operation: UpdateOp,
        /// Address accessed.
        address: Operand,
        /// Second operand of the operation.
        operand: Operand,
        /// Width of the access.
        width: Width,
        /// How it is ordered and aligned.
        access: Access,
    },
    /// Write memory if it holds the expected value, in one step.
    CompareExchange {
        /// Register that receives the old value.
        target: RegisterId,
        /// Address accessed.
        address: Operand,
        /// Value expected.
        expected: Operand,
        /// Value written where the old one is the expected one.
        desired: Operand,
        /// Width of the access.
        width: Width,
        /// How it is ordered and aligned where it writes.
        access: Access,
        /// How it is ordered where it does not write.
        failure: MemoryOrder,
        /// It may fail although the old value is the expected one. The register
        /// `succeeded` tells.
        weak: bool,
        /// Register that receives 1 if it wrote, else 0.
        succeeded: Option<RegisterId>,
    },
    /// Order earlier and later accesses of the thread.
    Fence(Orderings),
    /// Call a function.
    Call {
        /// Registers that receive the results.
        targets: Vec<RegisterId>,
        /// What is called.
        callee: Callee,
        /// Arguments, one per parameter.
        arguments: Vec<Operand>,
    },
    /// Make a new memory object that lives until the function returns.
    Allocate {
        /// Register that receives its address.
        target: RegisterId,
        /// Its size in bytes.
        size: Operand,
        /// Its name in the source; may be empty.
        name: String,
        /// How it is laid out, for names of locations in it.
        layout: Option<TypeId>,
    },
    /// The execution is wrong if the condition is zero.
    Assert {
        /// The condition.
        condition: Operand,
    },
    /// The execution does not count if the condition is zero.
    Assume {
        /// The condition.
        condition: Operand,
    },
    /// Choose any number below a bound.
    Choose {
        /// Register that receives the choice.
        target: RegisterId,
        /// Number of choices.
        count: Operand,
    },
    /// Make a value part of the outcome.
    Observe {
        /// Its name in the outcome.
        name: String,
        /// The value.
        value: Operand,
    },
    /// No other thread runs until [`InstructionKind::AtomicEnd`].
    AtomicBegin,
    /// End of an atomic section.
    AtomicEnd,
}

/// How control leaves a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Terminator {
    /// Go on at a block.
    Jump(BlockId),
    /// Go to the first block if the condition is not zero, else to the second.
    Branch {
        /// The condition.
        condition: Operand,
        /// Target for a condition other than zero.
        then: BlockId,
        /// Target for zero.
        otherwise: BlockId,
    },
    /// Go to the block of the case that equals the value, else to `otherwise`.
    Switch {
        /// The value.
        value: Operand,
        /// Values and their blocks.
        cases: Vec<(Word, BlockId)>,
        /// Target for every other value.
        otherwise: BlockId,
    },
    /// Return from the function; a thread's own function ends the thread.
    Return(Vec<Operand>),
    /// Control never comes here in a program that does nothing wrong.
    Unreachable,
}

/// What a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A function of the program.
    Function(FunctionId),
    /// The function at an address that is computed.
    Pointer(Operand),
    /// A function of the library.
    Routine(Routine),
}

impl InstructionKind {
    /// The registers that the instruction writes.
    pub fn targets(&self) -> impl Iterator<Item = RegisterId> + use<'_> {
        use InstructionKind::*;
        let (one, two, many): (_, _, &[RegisterId]) = match self {
            Assign { target, .. }
            | Load { target, .. }
            | Update { target, .. }
            | Allocate { target, .. }
            | Choose { target, .. } => (Some(*target), None, &[]),
            CompareExchange {
                target, succeeded, ..
            } => (Some(*target), *succeeded, &[]),
            Call { targets, .. } => (None, None, targets),
            Store { .. }
            | Fence(_)
            | Assert { .. }
            | Assume { .. }
            | Observe { .. }
            | AtomicBegin
            | AtomicEnd => (None, None, &[]),
        };
        one.into_iter().chain(two).chain(many.iter().copied())
    }

    /// Everything that the instruction reads, in a fixed order.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<'_> {
        use InstructionKind::*;
        let few = |first| [Some(first), None, None];
        let (few, many): (_, &[Operand]) = match self {
            Assign { value, .. } => (value.up_to_three(), &[]),
            Load { address, .. } => (few(*address), &[]),
            Store { address, value, .. } => ([Some(*address), Some(*value), None], &[]),
            Update {
                address, operand, ..
            } => ([Some(*address), Some(*operand), None], &[]),
            CompareExchange {
                address,
                expected,
                desired,
                ..
            } => ([*address, *expected, *desired].map(Some), &[]),
            Call {
                callee: Callee::Pointer(pointer),
                arguments,
                ..
            } => (few(*pointer), arguments),
            Call { arguments, .. } => ([None; 3], arguments),
            Allocate { size, .. } => (few(*size), &[]),
            Assert { condition } | Assume { condition } => (few(*condition), &[]),
            Choose { count, .. } => (few(*count), &[]),
            Observe { value, .. } => (few(*value), &[]),
            Fence(_) | AtomicBegin | AtomicEnd => ([None; 3], &[]),
        };
        few.into_iter().flatten().chain(many.iter().copied())
    }
}

impl Terminator {
    /// The blocks that control may go to.
    pub fn successors(&self) -> impl Iterator<Item = BlockId> + use<'_> {
        let (first, second, cases): (_, _, &[(Word, BlockId)]) = match self {
            Terminator::Jump(target) => (Some(*target), None, &[]),
            Terminator::Branch {
                then, otherwise, ..
            } => (Some(*then), Some(*otherwise), &[]),
            Terminator::Switch {
                cases, otherwise, ..
            } => (Some(*otherwise), None, cases),
            Terminator::Return(_) | Terminator::Unreachable => (None, None, &[]),
        };
        let cases = cases.iter().map(|(_, block)| *block);
        first.into_iter().chain(second).chain(cases)
    }

    /// Everything that the terminator reads.
    pub fn operands(&self) -> &[Operand] {
        match self {
            Terminator::Branch {
                condition: operand, ..
            }
            | Terminator::Switch { value: operand, .. } => std::slice::from_ref(operand),
            Terminator::Return(values) => values,
            Terminator::Jump(_) | Terminator::Unreachable => &[],
        }
    }
}
