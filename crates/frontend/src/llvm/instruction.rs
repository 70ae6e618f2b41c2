//! The instructions of LLVM IR.

use super::module::{BlockId, LocalId, MetadataId, Operand, Passing, TypeId, Value};

/// An instruction and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// The value it makes.
    pub result: Option<LocalId>,
    /// What it does.
    pub kind: InstructionKind,
    /// Its `!dbg`: a `DILocation`.
    pub debug: Option<MetadataId>,
    /// Its line in the `.ll` file of its function.
    pub line: u32,
}

/// What an instruction does. Constant expressions use it as well.
#[derive(Clone, Debug, PartialEq)]
pub enum InstructionKind {
    /// `add`, `fadd`, … `xor`
    Binary {
        /// The operation.
        operation: BinaryOperation,
        /// `nsw`, `nuw`, `exact`, `disjoint`
        flags: ArithmeticFlags,
        /// The type of both operands and the result.
        value_type: TypeId,
        /// First operand.
        left: Value,
        /// Second operand.
        right: Value,
    },
    /// `fneg`
    FloatNegate(Operand),
    /// `icmp`
    Compare {
        /// The comparison.
        predicate: IntegerPredicate,
        /// The type of both operands.
        value_type: TypeId,
        /// First operand.
        left: Value,
        /// Second operand.
        right: Value,
    },
    /// `fcmp`
    FloatCompare {
        /// The comparison.
        predicate: FloatPredicate,
        /// The type of both operands.
        value_type: TypeId,
        /// First operand.
        left: Value,
        /// Second operand.
        right: Value,
    },
    /// `trunc` … `addrspacecast`
    Cast {
        /// The conversion.
        operation: CastOperation,
        /// What is converted.
        operand: Operand,
        /// To which type.
        to: TypeId,
    },
    /// `getelementptr`
    GetElementPointer {
        /// The type that the first index steps over.
        element: TypeId,
        /// The pointer (or vector of pointers).
        base: Operand,
        /// The indices.
        indices: Vec<Operand>,
        /// Whether leaving the object is poison.
        in_bounds: bool,
    },
    /// `load`
    Load {
        /// What is read.
        value_type: TypeId,
        /// From where.
        pointer: Operand,
        /// How.
        access: Access,
    },
    /// `store`
    Store {
        /// What is written.
        value: Operand,
        /// Where.
        pointer: Operand,
        /// How.
        access: Access,
    },
    /// `alloca`
    Allocate {
        /// The type of one element.
        element: TypeId,
        /// Number of elements, 1 where not given.
        count: Option<Operand>,
        /// `align`, in bytes.
        align: Option<u64>,
    },
    /// `atomicrmw`
    AtomicUpdate {
        /// How the old and the given value become the new one.
        operation: UpdateOperation,
        /// Where.
        pointer: Operand,
        /// The given value.
        value: Operand,
        /// How; the ordering is there.
        access: Access,
    },
    /// `cmpxchg`; the result is `{ T, i1 }`.
    CompareExchange {
        /// Where.
        pointer: Operand,
        /// What is expected there.
        expected: Operand,
        /// What is written then.
        new: Operand,
        /// Whether it may fail spuriously.
        weak: bool,
        /// The ordering if it fails.
        failure: AtomicOrdering,
        /// How; its ordering is the one for success.
        access: Access,
    },
    /// `fence`
    Fence {
        /// Its strength.
        ordering: AtomicOrdering,
        /// Whether it is for signal handlers of the same thread only.
        single_thread: bool,
    },
    /// `select`
    Select {
        /// `i1`, or a vector of them.
        condition: Operand,
        /// If true.
        positive: Operand,
        /// If false.
        negative: Operand,
    },
    /// `phi`
    Phi {
        /// The type of the result.
        value_type: TypeId,
        /// A value for each block that may come before.
        incoming: Vec<(Value, BlockId)>,
    },
    /// `freeze`
    Freeze(Operand),
    /// `extractvalue`
    ExtractValue {
        /// The struct or array.
        aggregate: Operand,
        /// The way into it.
        indices: Vec<u32>,
    },
    /// `insertvalue`
    InsertValue {
        /// The struct or array.
        aggregate: Operand,
        /// What goes in.
        element: Operand,
        /// The way into it.
        indices: Vec<u32>,
    },
    /// `extractelement`
    ExtractElement {
        /// The vector.
        vector: Operand,
        /// Which element.
        index: Operand,
    },
    /// `insertelement`
    InsertElement {
        /// The vector.
        vector: Operand,
        /// What goes in.
        element: Operand,
        /// Where.
        index: Operand,
    },
    /// `shufflevector`
    ShuffleVector {
        /// First vector.
        left: Operand,
        /// Second vector, of the same type.
        right: Operand,
        /// Which elements of both.
        mask: Operand,
    },
    /// `call`
    Call(Box<Call>),
    /// `va_arg`
    VariadicArgument {
        /// The list.
        list: Operand,
        /// The type of the argument.
        value_type: TypeId,
    },
    /// `landingpad`
    LandingPad {
        /// The type of the result.
        value_type: TypeId,
        /// Whether it also cleans up.
        cleanup: bool,
        /// Number of `catch` and `filter` clauses.
        clauses: u32,
    },
    /// `ret`
    Return(Option<Operand>),
    /// `br label`
    Jump(BlockId),
    /// `br i1`
    Branch {
        /// `i1`
        condition: Value,
        /// If true.
        positive: BlockId,
        /// If false.
        negative: BlockId,
    },
    /// `switch`
    Switch {
        /// What is looked at.
        value: Operand,
        /// Where to go if no case fits.
        default: BlockId,
        /// The cases: constants of the type of `value`.
        cases: Vec<(Value, BlockId)>,
    },
    /// `indirectbr`
    IndirectJump {
        /// A block's address.
        address: Operand,
        /// The blocks that it may be.
        targets: Vec<BlockId>,
    },
    /// `unreachable`
    Unreachable,
    /// `invoke`
    Invoke {
        /// The call.
        call: Box<Call>,
        /// Where to go on.
        normal: BlockId,
        /// Where to go if it throws.
        unwind: BlockId,
    },
    /// `callbr`: assembly code that may jump.
    CallBranch {
        /// The call.
        call: Box<Call>,
        /// Where to go on.
        normal: BlockId,
        /// Where the code may jump.
        targets: Vec<BlockId>,
    },
    /// `resume`
    Resume(Operand),
    /// `catchswitch`, `catchpad`, `cleanuppad`, `catchret`, `cleanupret`: exceptions
    /// of Windows. Only the name is kept.
    Funclet {
        /// The instruction's name.
        name: &'static str,
    },
}

impl InstructionKind {
    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        use InstructionKind::*;
        match self {
            Return(_) | Jump(_) | Branch { .. } | Switch { .. } | IndirectJump { .. } => true,
            Unreachable | Invoke { .. } | CallBranch { .. } | Resume(_) => true,
            Funclet { name } => matches!(*name, "catchswitch" | "catchret" | "cleanupret"),
            _ => false,
        }
    }

    /// The name that LLVM gives it, for messages.
    pub fn name(&self) -> &'static str {
        use InstructionKind::*;
        match self {
            Binary { operation, .. } => operation.name(),
            FloatNegate(_) => "fneg",
            Compare { .. } => "icmp",
            FloatCompare { .. } => "fcmp",
            Cast { operation, .. } => operation.name(),
            GetElementPointer { .. } => "getelementptr",
            Load { .. } => "load",
            Store { .. } => "store",
            Allocate { .. } => "alloca",
            AtomicUpdate { .. } => "atomicrmw",
            CompareExchange { .. } => "cmpxchg",
            Fence { .. } => "fence",
            Select { .. } => "select",
            Phi { .. } => "phi",
            Freeze(_) => "freeze",
            ExtractValue { .. } => "extractvalue",
            InsertValue { .. } => "insertvalue",
            ExtractElement { .. } => "extractelement",
            InsertElement { .. } => "insertelement",
            ShuffleVector { .. } => "shufflevector",
            Call(_) => "call",
            VariadicArgument { .. } => "va_arg",
            LandingPad { .. } => "landingpad",
            Return(_) => "ret",
            Jump(_) | Branch { .. } => "br",
            Switch { .. } => "switch",
            IndirectJump { .. } => "indirectbr",
            Unreachable => "unreachable",
            Invoke { .. } => "invoke",
            CallBranch { .. } => "callbr",
            Resume(_) => "resume",
            Funclet { name } => name,
        }
    }
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The ordering of an atomic access; none if it is not atomic.
    pub ordering: Option<AtomicOrdering>,
    /// Whether it is volatile.
    pub volatile: bool,
    /// `syncscope("singlethread")`: atomic for signal handlers of the same thread only.
    pub single_thread: bool,
    /// `align`, in bytes.
    pub align: Option<u64>,
}

/// A call, or the call within an `invoke` or `callbr`.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// What it returns.
    pub result: TypeId,
    /// The function's type where it is written out, as for variadic functions.
    pub function_type: Option<TypeId>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// `tail`, `musttail`, `notail`
    pub tail: TailKind,
    /// Whether the call is marked `noreturn`.
    pub no_return: bool,
    /// The tags of operand bundles, such as `clang.arc.attachedcall`; the operands of
    /// `align` and the like on `llvm.assume` do not matter to what it does.
    pub bundles: Vec<Box<str>>,
}

/// What is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function, most often `Constant::Symbol`, or a pointer to one.
    Value(Value),
    /// Assembly code.
    Assembly(Box<InlineAssembly>),
}

/// `asm "mfence", "~{memory}"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineAssembly {
    /// The code, with `$0` for operands.
    pub text: Box<str>,
    /// What operands there are, and what is clobbered.
    pub constraints: Box<str>,
    /// Whether it does more than compute its outputs.
    pub side_effect: bool,
    /// Whether the code is in Intel's syntax.
    pub intel: bool,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its type.
    pub value_type: TypeId,
    /// Its value.
    pub value: Value,
    /// How a pointer is passed.
    pub passing: Passing,
    /// `align` of a pointer, in bytes.
    pub align: Option<u64>,
}

/// Whether a call may reuse its caller's stack frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TailKind {
    /// Nothing written.
    #[default]
    None,
    /// `tail`
    Tail,
    /// `musttail`
    MustTail,
    /// `notail`
    NoTail,
}

/// What makes the result of an operation poison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArithmeticFlags {
    /// `nsw`
    pub no_signed_wrap: bool,
    /// `nuw`
    pub no_unsigned_wrap: bool,
    /// `exact`: nothing is shifted or divided away.
    pub exact: bool,
    /// `disjoint`: no bit is set in both operands of `or`.
    pub disjoint: bool,
}

/// The C++ memory orderings, as LLVM names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AtomicOrdering {
    /// `unordered`: Java's plain accesses.
    Unordered,
    /// `monotonic`: relaxed.
    Monotonic,
    /// `acquire`
    Acquire,
    /// `release`
    Release,
    /// `acq_rel`
    AcquireRelease,
    /// `seq_cst`
    SequentiallyConsistent,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`")] $variant,)*
        }

        impl $name {
            /// The word for it.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }

            /// What a word stands for.
            pub fn from_word(word: &[u8]) -> Option<Self> {
                $(if word == $word.as_bytes() { return Some($name::$variant); })*
                None
            }
        }
    };
}

words! {
    /// An operation on two values of one type.
    BinaryOperation {
        Add = "add", Sub = "sub", Multiply = "mul",
        UnsignedDivide = "udiv", SignedDivide = "sdiv",
        UnsignedRemainder = "urem", SignedRemainder = "srem",
        ShiftLeft = "shl", LogicalShiftRight = "lshr", ArithmeticShiftRight = "ashr",
        And = "and", Or = "or", Xor = "xor",
        FloatAdd = "fadd", FloatSub = "fsub", FloatMultiply = "fmul",
        FloatDivide = "fdiv", FloatRemainder = "frem",
    }
}

words! {
    /// A comparison of integers or pointers.
    IntegerPredicate {
        Equal = "eq", NotEqual = "ne",
        UnsignedGreater = "ugt", UnsignedGreaterEqual = "uge",
        UnsignedLess = "ult", UnsignedLessEqual = "ule",
        SignedGreater = "sgt", SignedGreaterEqual = "sge",
        SignedLess = "slt", SignedLessEqual = "sle",
    }
}

words! {
    /// A comparison of floating-point numbers; `u…` is also true if one is not a
    /// number.
    FloatPredicate {
        False = "false", OrderedEqual = "oeq", OrderedGreater = "ogt",
        OrderedGreaterEqual = "oge", OrderedLess = "olt", OrderedLessEqual = "ole",
        OrderedNotEqual = "one", Ordered = "ord", UnorderedEqual = "ueq",
        UnorderedGreater = "ugt", UnorderedGreaterEqual = "uge", UnorderedLess = "ult",
        UnorderedLessEqual = "ule", UnorderedNotEqual = "une", Unordered = "uno",
        True = "true",
    }
}

words! {
    /// A conversion.
    CastOperation {
        Truncate = "trunc", ZeroExtend = "zext", SignExtend = "sext",
        FloatTruncate = "fptrunc", FloatExtend = "fpext",
        FloatToUnsigned = "fptoui", FloatToSigned = "fptosi",
        UnsignedToFloat = "uitofp", SignedToFloat = "sitofp",
        PointerToInteger = "ptrtoint", PointerToAddress = "ptrtoaddr",
        IntegerToPointer = "inttoptr", Bitcast = "bitcast", AddressSpaceCast = "addrspacecast",
    }
}

words! {
    /// What `atomicrmw` does.
    UpdateOperation {
        Exchange = "xchg", Add = "add", Sub = "sub", And = "and", Nand = "nand", Or = "or",
        Xor = "xor", Max = "max", Min = "min", UnsignedMax = "umax", UnsignedMin = "umin",
        FloatAdd = "fadd", FloatSub = "fsub", FloatMax = "fmax", FloatMin = "fmin",
        FloatMaximum = "fmaximum", FloatMinimum = "fminimum",
        IncrementWrap = "uinc_wrap", DecrementWrap = "udec_wrap",
        SubConditional = "usub_cond", SubSaturate = "usub_sat",
    }
}
