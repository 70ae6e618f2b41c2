//! Instructions: what one step of a thread does.

use crate::{Address, BlockId, FunctionId, Orderings, RegisterId, Span, Width, Word};

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The value of a register.
    Register(RegisterId),
    /// A constant.
    Constant(Word),
    /// The address of (a place in) a memory object.
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

macro_rules! operations {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// Every operation.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// The operation's name in printed programs.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The operation of this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|operation| operation.name() == name)
            }
        }
    };
}

operations! {
    /// Arithmetic and comparison on two values of one width.
    Binary {
        /// Sum.
        Add "add",
        /// Difference.
        Sub "sub",
        /// Product.
        Mul "mul",
        /// Bitwise and.
        And "and",
        /// Bitwise or.
        Or "or",
        /// Bitwise exclusive or.
        Xor "xor",
        /// Shift left; 0 when all bits are shifted out.
        Shl "shl",
        /// Logical shift right; 0 when all bits are shifted out.
        Shr "shr",
        /// Arithmetic shift right.
        Sar "sar",
        /// Equal; the result is one bit, as for all comparisons.
        Eq "eq",
        /// Not equal.
        Ne "ne",
        /// Unsigned less.
        Ult "ult",
        /// Unsigned less or equal.
        Ule "ule",
        /// Signed less.
        Slt "slt",
        /// Signed less or equal.
        Sle "sle",
    }
}

impl Binary {
    /// True for comparisons, whose result is one bit.
    pub fn is_comparison(self) -> bool {
        use Binary::*;
        matches!(self, Eq | Ne | Ult | Ule | Slt | Sle)
    }

    /// The result on two words of `width`.
    pub fn apply(self, width: Width, a: Word, b: Word) -> Word {
        let (sa, sb) = (width.signed(a), width.signed(b));
        let bits = Word::from(width.bits());
        let result = match self {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Shl if b >= bits => 0,
            Binary::Shl => a << b,
            Binary::Shr if b >= bits => 0,
            Binary::Shr => a >> b,
            Binary::Sar => (sa >> b.min(bits - 1)) as Word,
            Binary::Eq => Word::from(a == b),
            Binary::Ne => Word::from(a != b),
            Binary::Ult => Word::from(a < b),
            Binary::Ule => Word::from(a <= b),
            Binary::Slt => Word::from(sa < sb),
            Binary::Sle => Word::from(sa <= sb),
        };
        width.truncate(result)
    }
}

operations! {
    /// What an atomic read-modify-write makes of the old value and its operand.
    UpdateOp {
        /// The operand.
        Exchange "xchg",
        /// Sum.
        Add "add",
        /// Difference.
        Sub "sub",
        /// Bitwise and.
        And "and",
        /// Bitwise or.
        Or "or",
        /// Bitwise exclusive or.
        Xor "xor",
    }
}

impl UpdateOp {
    /// The new value of the location.
    pub fn apply(self, width: Width, old: Word, operand: Word) -> Word {
        let binary = match self {
            UpdateOp::Exchange => return width.truncate(operand),
            UpdateOp::Add => Binary::Add,
            UpdateOp::Sub => Binary::Sub,
            UpdateOp::And => Binary::And,
            UpdateOp::Or => Binary::Or,
            UpdateOp::Xor => Binary::Xor,
        };
        binary.apply(width, old, operand)
    }
}

/// A computation without side effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// The operand itself, zero-extended or cut to the target's width.
    Copy(Operand),
    /// The operand's low bits of the given width, sign-extended to the target's width.
    SignExtend(Width, Operand),
    /// A binary operation on operands of the given width.
    Binary(Binary, Width, Operand, Operand),
    /// The second operand if the first is not zero, else the third.
    Select(Operand, Operand, Operand),
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
    },
    /// Write memory.
    Store {
        /// Address written.
        address: Operand,
        /// Value written.
        value: Operand,
        /// Width of the access.
        width: Width,
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
    },
    /// Order earlier and later accesses of the thread.
    Fence(Orderings),
    /// Call a function.
    Call {
        /// Register that receives the result.
        target: Option<RegisterId>,
        /// Function called.
        callee: FunctionId,
        /// Arguments, one per parameter.
        arguments: Vec<Operand>,
    },
    /// Start a thread.
    Spawn {
        /// Register that receives the thread's handle.
        target: RegisterId,
        /// Function that the thread runs.
        callee: FunctionId,
        /// Arguments, one per parameter.
        arguments: Vec<Operand>,
    },
    /// Wait for a thread to end.
    Join {
        /// Register that receives the thread's result.
        target: Option<RegisterId>,
        /// The thread's handle.
        thread: Operand,
    },
    /// An operation on the mutex or condition variable at an address.
    Sync {
        /// Which operation.
        operation: SyncOp,
        /// Address of the mutex or condition variable.
        address: Operand,
        /// The mutex that [`SyncOp::Wait`] gives up meanwhile.
        mutex: Option<Operand>,
    },
    /// Make a new memory object.
    Allocate {
        /// Register that receives its address.
        target: RegisterId,
        /// Its size in bytes.
        size: Operand,
    },
    /// End the life of an allocated object.
    Free {
        /// Its address.
        address: Operand,
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
        count: u32,
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

operations! {
    /// Operations on mutexes and condition variables.
    SyncOp {
        /// Take a mutex, waiting for it.
        Lock "lock",
        /// Give a mutex back.
        Unlock "unlock",
        /// Wait on a condition variable.
        Wait "wait",
        /// Wake one waiter.
        Signal "signal",
        /// Wake all waiters.
        Broadcast "broadcast",
    }
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
    /// Return from the function; a thread's own function ends the thread.
    Return(Option<Operand>),
}

impl InstructionKind {
    /// The register that the instruction writes.
    pub fn target(&self) -> Option<RegisterId> {
        use InstructionKind::*;
        match self {
            Assign { target, .. }
            | Load { target, .. }
            | Update { target, .. }
            | CompareExchange { target, .. }
            | Spawn { target, .. }
            | Allocate { target, .. }
            | Choose { target, .. } => Some(*target),
            Call { target, .. } | Join { target, .. } => *target,
            Store { .. }
            | Fence(_)
            | Sync { .. }
            | Free { .. }
            | Assert { .. }
            | Assume { .. }
            | Observe { .. }
            | AtomicBegin
            | AtomicEnd => None,
        }
    }

    /// Everything that the instruction reads, in a fixed order.
    pub fn operands(&self) -> Vec<Operand> {
        use InstructionKind::*;
        match self {
            Assign { value, .. } => value.operands(),
            Load { address, .. } | Free { address } => vec![*address],
            Store { address, value, .. } => vec![*address, *value],
            Update {
                address, operand, ..
            } => vec![*address, *operand],
            CompareExchange {
                address,
                expected,
                desired,
                ..
            } => vec![*address, *expected, *desired],
            Call { arguments, .. } | Spawn { arguments, .. } => arguments.clone(),
            Join { thread, .. } => vec![*thread],
            Sync { address, mutex, .. } => [Some(*address), *mutex].into_iter().flatten().collect(),
            Allocate { size, .. } => vec![*size],
            Assert { condition } | Assume { condition } => vec![*condition],
            Observe { value, .. } => vec![*value],
            Fence(_) | Choose { .. } | AtomicBegin | AtomicEnd => vec![],
        }
    }
}

impl Expression {
    /// Everything that the expression reads.
    pub fn operands(&self) -> Vec<Operand> {
        match *self {
            Expression::Copy(a) | Expression::SignExtend(_, a) => vec![a],
            Expression::Binary(_, _, a, b) => vec![a, b],
            Expression::Select(a, b, c) => vec![a, b, c],
        }
    }

    /// The value, cut to `target` bits, given the operands in the order of
    /// [`Expression::operands`].
    pub fn evaluate(&self, operands: &[Word], target: Width) -> Word {
        target.truncate(match *self {
            Expression::Copy(_) => operands[0],
            Expression::SignExtend(from, _) => from.signed(operands[0]) as Word,
            Expression::Binary(operation, width, ..) => operation.apply(
                width,
                width.truncate(operands[0]),
                width.truncate(operands[1]),
            ),
            Expression::Select(..) => operands[if operands[0] != 0 { 1 } else { 2 }],
        })
    }
}
