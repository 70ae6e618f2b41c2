//! What a file of LLVM IR says, as plain data.
//!
//! A [`Module`] is made by [`parse`](super::parse) from one file, or by
//! [`link`](super::link) from several. Everything is owned and found by index:
//! [`TypeId`] in [`Module::types`], [`SymbolId`] in [`Module::symbols`],
//! [`MetadataId`] in [`Module::metadata`], [`LocalId`] and [`BlockId`] in their
//! [`Function`]. Ids made by the reader are always in range.
//!
//! What the printed forms of different LLVM versions say differently is one form
//! here: a typed pointer is a pointer, `llvm.dbg.*` calls and `#dbg_*` records are
//! both [`DebugVariable`]s, and values without a name have ids like all others.
//!
//! Instructions are in [`instruction`](super::instruction), debug information in
//! [`metadata`](super::metadata).

use super::instruction::Instruction;
use super::metadata::{DebugVariable, Metadata};
use program::Source;
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The place in the table that this id belongs to.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A type: an index into [`Module::types`].
    TypeId,
    /// A name that starts with `@`: an index into [`Module::symbols`].
    SymbolId,
    /// A function: an index into [`Module::functions`].
    FunctionId,
    /// A global variable: an index into [`Module::globals`].
    GlobalId,
    /// An alias or ifunc: an index into [`Module::aliases`].
    AliasId,
    /// A node of metadata: an index into [`Module::metadata`].
    MetadataId,
    /// A value of one function: an index into [`Function::locals`].
    LocalId,
    /// A basic block: an index into [`Function::blocks`].
    BlockId,
    /// An `.ll` file: an index into [`Module::sources`].
    SourceId,
}

/// A whole module: one `.ll` file, or several linked.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The `.ll` files it was read from: one, or several once linked.
    pub sources: Vec<Source>,
    /// The `source_filename`s, one for each of `sources`; empty where not given.
    pub source_filenames: Vec<Box<str>>,
    /// The `target datalayout`, empty where not given.
    pub data_layout: Box<str>,
    /// The `target triple`, empty where not given.
    pub triple: Box<str>,
    /// Every type that occurs. Equal types without a name have equal ids.
    pub types: Vec<Type>,
    /// Every name that starts with `@`, and what stands behind it.
    pub symbols: Vec<Symbol>,
    /// Global variables, defined and declared.
    pub globals: Vec<Global>,
    /// Functions, defined and declared.
    pub functions: Vec<Function>,
    /// Aliases and ifuncs.
    pub aliases: Vec<Alias>,
    /// The lines of `module asm`.
    pub assembly: Vec<Box<str>>,
    /// Nodes of metadata.
    pub metadata: Vec<Metadata>,
    /// Named metadata, such as `llvm.dbg.cu`, with its nodes.
    pub named_metadata: Vec<(Box<str>, Vec<MetadataId>)>,
}

impl Module {
    /// The type behind an id.
    pub fn type_of(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// The symbol behind an id.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The node behind an id.
    pub fn node(&self, id: MetadataId) -> &Metadata {
        &self.metadata[id.index()]
    }

    /// The function of this name, defined or declared.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        let found = |function: &Function| &*self.symbol(function.symbol).name == name;
        let index = self.functions.iter().position(found)?;
        Some(FunctionId(index as u32))
    }

    /// True if it has the body of a function of this name.
    pub fn defines(&self, name: &str) -> bool {
        let found = self.function(name);
        found.is_some_and(|id| !self.functions[id.0 as usize].is_declaration())
    }

    /// A type as LLVM writes it, for messages.
    pub fn describe(&self, id: TypeId) -> String {
        super::types::describe(self, id)
    }
}

/// A name that starts with `@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name without `@` and quotes. A symbol without a name has its number.
    pub name: Box<str>,
    /// What it names.
    pub target: SymbolTarget,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolTarget {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// Another name for something, or an ifunc.
    Alias(AliasId),
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// `i1` … `i8388607`
    Integer(u32),
    /// `half`
    Half,
    /// `bfloat`
    BFloat,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `x86_fp80`
    X86Fp80,
    /// `fp128`
    Fp128,
    /// `ppc_fp128`
    PpcFp128,
    /// `ptr`, and every typed pointer.
    Pointer {
        /// 0 for ordinary memory.
        address_space: u32,
    },
    /// `<4 x i32>`
    Vector {
        /// Number of elements, or the factor of `vscale`.
        count: u64,
        /// What it holds.
        element: TypeId,
        /// `<vscale x 4 x i32>`
        scalable: bool,
    },
    /// `[4 x i32]`
    Array {
        /// Number of elements.
        count: u64,
        /// What it holds.
        element: TypeId,
    },
    /// `{ i32, ptr }`, `<{ i8, i32 }>`, `%struct.pair`
    Struct {
        /// Its name without `%` (`struct.pair`); types without a name have none.
        name: Option<Box<str>>,
        /// Whether fields follow each other without gaps.
        packed: bool,
        /// The fields in order.
        fields: Vec<TypeId>,
    },
    /// `%name = type opaque`, or a named type that is used and never defined.
    Opaque {
        /// Its name without `%`.
        name: Box<str>,
    },
    /// `i32 (ptr, ...)`
    Function {
        /// What it returns.
        result: TypeId,
        /// What it takes.
        parameters: Vec<TypeId>,
        /// Whether `...` follows.
        variadic: bool,
    },
    /// `label`
    Label,
    /// `metadata`
    Metadata,
    /// `token`
    Token,
    /// `x86_mmx`, `x86_amx`, `target("…")`: types that only a target knows.
    Target {
        /// As written, `x86_amx` or the name within `target(…)`.
        name: Box<str>,
    },
}

/// Who else sees a symbol, and what happens if it is defined twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// Nothing written: seen by all files, defined once.
    #[default]
    External,
    /// `private`
    Private,
    /// `internal`
    Internal,
    /// `available_externally`: a copy of a definition that is elsewhere.
    AvailableExternally,
    /// `linkonce`
    LinkOnce,
    /// `linkonce_odr`
    LinkOnceOdr,
    /// `weak`
    Weak,
    /// `weak_odr`
    WeakOdr,
    /// `common`: C's tentative definition.
    Common,
    /// `appending`: arrays that are put one after the other.
    Appending,
    /// `extern_weak`: null if nothing defines it.
    ExternWeak,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub symbol: SymbolId,
    /// The type of what it holds.
    pub value_type: TypeId,
    /// What it holds at the start; none for a declaration.
    pub initial: Option<Constant>,
    /// `constant` rather than `global`.
    pub constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// 0 for ordinary memory.
    pub address_space: u32,
    /// `align`, in bytes.
    pub align: Option<u64>,
    /// `section`
    pub section: Option<Box<str>>,
    /// Who sees it.
    pub linkage: Linkage,
    /// Its `!dbg`: `DIGlobalVariableExpression` nodes.
    pub debug: Vec<MetadataId>,
    /// The file it is in.
    pub source: SourceId,
    /// The line in that file.
    pub line: u32,
}

/// Another name for something (`alias`), or a function chosen at load time (`ifunc`).
#[derive(Clone, Debug)]
pub struct Alias {
    /// Its name.
    pub symbol: SymbolId,
    /// What it stands for, or the resolver of an ifunc.
    pub target: Constant,
    /// Whether it is an ifunc.
    pub indirect: bool,
    /// The type of what it stands for.
    pub value_type: TypeId,
    /// Who sees it.
    pub linkage: Linkage,
    /// The file it is in.
    pub source: SourceId,
    /// The line in that file.
    pub line: u32,
}

/// A function. A declaration has no blocks.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub symbol: SymbolId,
    /// Who sees it.
    pub linkage: Linkage,
    /// What it returns.
    pub result: TypeId,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// Whether `...` follows.
    pub variadic: bool,
    /// Whether it is marked `noreturn`.
    pub no_return: bool,
    /// The basic blocks; the first is where it starts.
    pub blocks: Vec<Block>,
    /// Parameters first, then results, each where it is first made or used.
    pub locals: Vec<Local>,
    /// The source variables that debug information names.
    pub variables: Vec<DebugVariable>,
    /// Its `!dbg`: a `DISubprogram`.
    pub debug: Option<MetadataId>,
    /// The file it is in.
    pub source: SourceId,
    /// The line in that file.
    pub line: u32,
}

impl Function {
    /// Whether the body is elsewhere.
    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The type of a local value.
    pub fn type_of(&self, id: LocalId) -> TypeId {
        self.locals[id.index()].value_type
    }
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its type.
    pub value_type: TypeId,
    /// Its local value; none in a declaration.
    pub local: Option<LocalId>,
    /// How a pointer is passed.
    pub passing: Passing,
}

/// What stands behind a pointer that is passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passing {
    /// Just a value.
    #[default]
    Plain,
    /// `byval(T)`: the callee gets its own copy of a `T`.
    ByValue(TypeId),
    /// `sret(T)`: the callee writes its result there.
    StructReturn(TypeId),
    /// `elementtype(T)`: where assembly code finds a `T`.
    Element(TypeId),
    /// `byref(T)`, `inalloca(T)`, `preallocated(T)`.
    Other(TypeId),
}

/// A value that an instruction or parameter makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The name without `%` and quotes; values without a name have none.
    pub name: Option<Box<str>>,
    /// The number of a value without a name, as in `%7`.
    pub number: Option<u32>,
    /// Its type.
    pub value_type: TypeId,
}

/// The name as LLVM writes it, `%x` or `%7`.
impl fmt::Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.name, self.number) {
            (Some(name), _) => write!(f, "%{name}"),
            (None, Some(number)) => write!(f, "%{number}"),
            (None, None) => write!(f, "%?"),
        }
    }
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Its label; blocks without one have none.
    pub name: Option<Box<str>>,
    /// invariant: never empty; the last one, and only that, is a terminator.
    pub instructions: Vec<Instruction>,
}

/// An operand with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Its type.
    pub value_type: TypeId,
    /// Its value.
    pub value: Value,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The value of an instruction or parameter.
    Local(LocalId),
    /// A constant.
    Constant(Constant),
    /// Metadata, an argument of some intrinsics.
    Metadata(MetadataId),
}

/// A constant. Its type stands beside it: in the [`Operand`], the [`Global`] or the
/// instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// An integer of at most 64 bits, zero-extended; `i8 -1` is 255.
    Integer(u64),
    /// A wider integer, least significant word first, cut to its width and without
    /// leading zero words.
    Wide(Box<[u64]>),
    /// A `half`, `bfloat`, `float` or `double`, as the bits of the `double` of the
    /// same value.
    Float(u64),
    /// An `x86_fp80`, `fp128` or `ppc_fp128`: its bits.
    WideFloat(Box<u128>),
    /// `null`
    Null,
    /// `undef`
    Undefined,
    /// `poison`
    Poison,
    /// `zeroinitializer`
    Zero,
    /// `none`
    None,
    /// The address of a function or global.
    Symbol(SymbolId),
    /// `c"…"`: an array of `i8`.
    Bytes(Box<[u8]>),
    /// The elements of an array, vector or struct; the type says which.
    Aggregate(Box<[Operand]>),
    /// `splat (i32 7)`: a vector of equal elements.
    Splat(Box<Operand>),
    /// `blockaddress(@f, %b)`
    BlockAddress {
        /// The function.
        function: SymbolId,
        /// The block, by name or number.
        block: Box<str>,
    },
    /// `dso_local_equivalent @f`, `no_cfi @f`: the address of a function.
    FunctionAddress(SymbolId),
    /// `ptrauth (…)`: a signed pointer.
    SignedPointer(Box<Operand>),
    /// An operation on constants: one of `GetElementPointer`, `Cast`, `Binary`,
    /// `Compare`, `FloatCompare`, `Select`, `ExtractElement`, `InsertElement`,
    /// `ShuffleVector`, `ExtractValue`, `InsertValue`, `FloatNegate`.
    Expression(Box<super::instruction::InstructionKind>),
}
