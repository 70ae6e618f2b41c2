//! Debug information: which source lines, variables and types stand behind the IR.
//!
//! Fields that nothing asks for are not kept. A node that is used and never defined
//! is [`Metadata::Missing`]; a node of a kind not listed is [`Metadata::Other`].

use super::module::{BlockId, MetadataId, Module, Operand};

/// A node of metadata.
#[derive(Clone, Debug, PartialEq)]
pub enum Metadata {
    /// Used, and defined nowhere.
    Missing,
    /// `!{!1, null}`
    Tuple(Vec<Option<MetadataId>>),
    /// `!"text"`
    String(Box<str>),
    /// `i32 7`, `ptr @x`
    Value(Operand),
    /// `!DIArgList(…)`: several values of one `dbg.value`.
    ArgumentList(Vec<Operand>),
    /// `!DIFile`
    File {
        /// As given to the compiler.
        filename: Box<str>,
        /// Where the compiler ran.
        directory: Box<str>,
    },
    /// `!DICompileUnit`
    CompileUnit {
        /// The main file.
        file: Option<MetadataId>,
        /// Who made it.
        producer: Box<str>,
        /// Such as `DW_LANG_C11`.
        language: Box<str>,
        /// A tuple of `DIGlobalVariableExpression`s.
        globals: Option<MetadataId>,
    },
    /// `!DISubprogram`
    Subprogram {
        /// The name in the source.
        name: Box<str>,
        /// The name of its symbol, if another one.
        linkage_name: Box<str>,
        /// Where it is declared: a file, type or namespace.
        scope: Option<MetadataId>,
        /// The file.
        file: Option<MetadataId>,
        /// The line of its name.
        line: u32,
        /// A `DISubroutineType`.
        subroutine: Option<MetadataId>,
    },
    /// `!DILexicalBlock`, `!DILexicalBlockFile`
    LexicalBlock {
        /// What it is in.
        scope: Option<MetadataId>,
        /// The file.
        file: Option<MetadataId>,
        /// Its line, 0 for a change of file only.
        line: u32,
        /// Its column.
        column: u32,
    },
    /// `!DILocation`
    Location {
        /// Line, from 1; 0 if the compiler made it up.
        line: u32,
        /// Column, from 1; 0 for the whole line.
        column: u32,
        /// A lexical block or subprogram.
        scope: Option<MetadataId>,
        /// The location of the call that was inlined.
        inlined_at: Option<MetadataId>,
    },
    /// `!DILocalVariable`
    LocalVariable {
        /// Its name.
        name: Box<str>,
        /// Number of the parameter, from 1; 0 for a variable.
        argument: u32,
        /// A lexical block or subprogram.
        scope: Option<MetadataId>,
        /// The file.
        file: Option<MetadataId>,
        /// The line.
        line: u32,
        /// The type.
        variable_type: Option<MetadataId>,
    },
    /// `!DIGlobalVariable`
    GlobalVariable {
        /// Its name.
        name: Box<str>,
        /// The name of its symbol, if another one.
        linkage_name: Box<str>,
        /// Where it is declared.
        scope: Option<MetadataId>,
        /// The file.
        file: Option<MetadataId>,
        /// The line.
        line: u32,
        /// The type.
        variable_type: Option<MetadataId>,
    },
    /// `!DIGlobalVariableExpression`
    GlobalVariableExpression {
        /// The variable.
        variable: Option<MetadataId>,
        /// How to find it, most often empty.
        expression: Option<MetadataId>,
    },
    /// `!DIExpression`
    Expression(Vec<DwarfOperation>),
    /// `!DIBasicType`
    BasicType {
        /// Such as `unsigned int`.
        name: Box<str>,
        /// Size in bits.
        size: u64,
        /// How its bits are read.
        encoding: Encoding,
    },
    /// `!DIDerivedType`
    DerivedType {
        /// What it makes of its base.
        tag: DerivedTag,
        /// Of a member or typedef.
        name: Box<str>,
        /// The file.
        file: Option<MetadataId>,
        /// The line.
        line: u32,
        /// The type it is made from; none is `void`.
        base: Option<MetadataId>,
        /// Size in bits.
        size: u64,
        /// Offset of a member in bits.
        offset: u64,
        /// Whether a member is a bit field.
        bit_field: bool,
    },
    /// `!DICompositeType`
    CompositeType {
        /// What it is.
        tag: CompositeTag,
        /// Its name, empty if it has none.
        name: Box<str>,
        /// The file.
        file: Option<MetadataId>,
        /// The line.
        line: u32,
        /// The element of an array, the integer of an enumeration.
        base: Option<MetadataId>,
        /// Size in bits.
        size: u64,
        /// A tuple of members, subranges or enumerators.
        elements: Option<MetadataId>,
        /// Its name for the linker; empty in C.
        identifier: Box<str>,
    },
    /// `!DISubroutineType`
    SubroutineType {
        /// A tuple: the result (null for `void`), then the parameters.
        types: Option<MetadataId>,
    },
    /// `!DISubrange`
    Subrange {
        /// Number of elements; none if it is not known or computed.
        count: Option<u64>,
    },
    /// `!DIEnumerator`
    Enumerator {
        /// Its name.
        name: Box<str>,
        /// Its value.
        value: i64,
    },
    /// `!DINamespace`, `!DIModule`
    Namespace {
        /// What it is in.
        scope: Option<MetadataId>,
        /// Its name.
        name: Box<str>,
    },
    /// Any other node, by its name without `!`.
    Other(Box<str>),
}

/// A step of a `!DIExpression`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DwarfOperation {
    /// `DW_OP_deref`
    Dereference,
    /// `DW_OP_plus_uconst, n`
    PlusConstant(u64),
    /// `DW_OP_constu, n`
    Constant(u64),
    /// `DW_OP_stack_value`
    StackValue,
    /// `DW_OP_LLVM_fragment, offset, size`: only part of the variable, in bits.
    Fragment {
        /// First bit.
        offset: u64,
        /// Number of bits.
        size: u64,
    },
    /// Any other operation, with its numbers.
    Other(Box<str>, Vec<u64>),
}

/// How the bits of a basic type are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `DW_ATE_boolean`
    Boolean,
    /// `DW_ATE_signed`
    Signed,
    /// `DW_ATE_signed_char`
    SignedChar,
    /// `DW_ATE_unsigned`
    Unsigned,
    /// `DW_ATE_unsigned_char`
    UnsignedChar,
    /// `DW_ATE_float`
    Float,
    /// `DW_ATE_address`
    Address,
    /// `DW_ATE_UTF`
    Utf,
    /// Any other.
    #[default]
    Other,
}

/// What a derived type makes of its base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DerivedTag {
    /// A field of a struct or union.
    Member,
    /// A pointer.
    Pointer,
    /// A reference of C++.
    Reference,
    /// Another name.
    Typedef,
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `restrict`
    Restrict,
    /// `_Atomic`
    Atomic,
    /// The base class of a class.
    Inheritance,
    /// Any other.
    #[default]
    Other,
}

/// What a composite type is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CompositeTag {
    /// `struct`
    Structure,
    /// `class`
    Class,
    /// `union`
    Union,
    /// An array; its elements are subranges, outermost first.
    Array,
    /// `enum`
    Enumeration,
    /// The variants of a Rust enum.
    VariantPart,
    /// Any other.
    #[default]
    Other,
}

/// A source variable and where its value is: a `#dbg_declare` or `#dbg_value`
/// record, or a call of `llvm.dbg.declare` or `llvm.dbg.value`.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugVariable {
    /// Whether `values` is its address or its value.
    pub kind: DebugKind,
    /// The address or value: none if it was optimized away, several for `!DIArgList`.
    pub values: Vec<Operand>,
    /// Where it is in memory as well, for `Assign`.
    pub address: Option<Operand>,
    /// A `DILocalVariable`.
    pub variable: MetadataId,
    /// A `DIExpression`.
    pub expression: Option<MetadataId>,
    /// A `DILocation`.
    pub location: Option<MetadataId>,
    /// The block that it stands in.
    pub block: BlockId,
    /// It holds from before this instruction of the block.
    pub position: u32,
}

/// What a [`DebugVariable`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DebugKind {
    /// The variable lives at this address throughout.
    Declare,
    /// From here on the variable has this value.
    Value,
    /// From here on the variable has this value, and is in memory too.
    Assign,
}

/// A place in the user's source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file's name as the compiler was given it.
    pub filename: Box<str>,
    /// Where the compiler ran.
    pub directory: Box<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 for the whole line.
    pub column: u32,
    /// The function whose code it is; empty if not known.
    pub function: Box<str>,
}

impl Module {
    /// The places behind a `DILocation`: the place itself, then the call that it was
    /// inlined from, and so on outwards.
    pub fn places(&self, location: MetadataId) -> Vec<Place> {
        let mut places = Vec::new();
        let mut next = Some(location);
        while let Some(Metadata::Location {
            line,
            column,
            scope,
            inlined_at,
        }) = next.and_then(|id| self.metadata.get(id.index()))
        {
            let (file, function) = self.scope(*scope);
            let (filename, directory) = self.file(file);
            places.push(Place {
                filename,
                directory,
                line: *line,
                column: *column,
                function,
            });
            next = *inlined_at;
            if places.len() >= MAX_CHAIN {
                break;
            }
        }
        places
    }

    /// The file's name and directory behind a `DIFile`; empty if there is none.
    pub fn file(&self, file: Option<MetadataId>) -> (Box<str>, Box<str>) {
        match file.and_then(|id| self.metadata.get(id.index())) {
            Some(Metadata::File {
                filename,
                directory,
            }) => (filename.clone(), directory.clone()),
            _ => Default::default(),
        }
    }

    /// The file and the function that a scope is in. The innermost file counts.
    fn scope(&self, scope: Option<MetadataId>) -> (Option<MetadataId>, Box<str>) {
        let mut found = None;
        let mut next = scope;
        for _ in 0..MAX_CHAIN {
            match next.and_then(|id| self.metadata.get(id.index())) {
                Some(Metadata::LexicalBlock { scope, file, .. }) => {
                    found = found.or(*file);
                    next = *scope;
                }
                Some(Metadata::Subprogram { name, file, .. }) => {
                    return (found.or(*file), name.clone());
                }
                _ => break,
            }
        }
        (found, Box::default())
    }
}

/// Chains of scopes are short; a longer one is a circle.
const MAX_CHAIN: usize = 1000;
