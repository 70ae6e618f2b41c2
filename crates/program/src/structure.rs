//! Programs, their objects, functions and threads.

use crate::{
    Address, BlockId, FunctionId, Instruction, ObjectId, Observable, Properties, RegisterId,
    Source, Span, Terminator, ThreadId, Type, TypeId, Width, Word,
};

/// Everything that is checked: memory, code, threads and what must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The test's or program's name.
    pub name: String,
    /// It is a C program, which runs as a process: with byte memory, calls and the library.
    pub process: bool,
    /// The file it was read from, for messages.
    pub source: Source,
    /// Further files that spans point into, from file 1 on.
    pub included: Vec<Source>,
    /// Layouts of objects, for the names of locations in them.
    pub types: Vec<Type>,
    /// What calls of the library allocate, by where the call stands, as far as debug information tells. An object
    /// may be an array of it.
    pub allocations: Vec<(Span, TypeId)>,
    /// Memory objects, alive from the start.
    pub objects: Vec<Object>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Threads that run from the start.
    pub threads: Vec<Thread>,
    /// What makes up an outcome, in the order of its columns.
    pub observed: Vec<Observable>,
    /// What must hold.
    pub properties: Properties,
}

/// A memory object: one or more cells of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name in the source.
    pub name: String,
    /// Width of each cell, which is the width of every access to it.
    pub cell: Width,
    /// Values of the first cells at the start.
    pub initial: Vec<Word>,
    /// Number of further cells, which start at zero.
    pub zeros: u32,
    /// What it may be used for.
    pub kind: ObjectKind,
    /// How it is laid out, if more is known than its cells.
    pub layout: Option<TypeId>,
    /// Show its values as signed numbers.
    pub signed: bool,
    /// Where it is declared or first named.
    pub span: Span,
}

/// What an object may be used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObjectKind {
    /// Reading and writing, by all threads.
    #[default]
    Shared,
    /// Reading only.
    Constant,
    /// Each thread has a copy of its own.
    PerThread,
    /// Calling: it stands for a function.
    Code(FunctionId),
}

/// A function: registers and blocks; control starts at the first block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name in the source.
    pub name: String,
    /// Number of parameters; they arrive in the first registers.
    pub parameters: u32,
    /// Registers. They may be written more than once.
    pub registers: Vec<Register>,
    /// Basic blocks.
    pub blocks: Vec<Block>,
}

/// A register of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name in the source.
    pub name: String,
    /// Its width.
    pub width: Width,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its name: a label of the source, or one made up by the front end.
    pub label: String,
    /// Its instructions.
    pub instructions: Vec<Instruction>,
    /// How control leaves it.
    pub terminator: Terminator,
    /// Where the terminator stands in the source.
    pub terminator_span: Span,
}

/// A thread that runs from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its name in the source.
    pub name: String,
    /// What it runs.
    pub function: FunctionId,
    /// Values of registers at the start; the others start at zero.
    pub initial: Vec<(RegisterId, Word)>,
}

impl Program {
    /// A program of this name and source, with nothing in it.
    pub fn empty(name: String, source: Source) -> Self {
        Program {
            name,
            process: false,
            source,
            included: Vec::new(),
            types: Vec::new(),
            allocations: Vec::new(),
            objects: Vec::new(),
            functions: Vec::new(),
            threads: Vec::new(),
            observed: Vec::new(),
            properties: Properties::default(),
        }
    }

    /// The type of what the call at a span allocates.
    pub fn allocated_type(&self, span: Span) -> Option<TypeId> {
        let found = self.allocations.iter().find(|(at, _)| *at == span);
        found.map(|(_, layout)| *layout)
    }

    /// The name of the heap object of this number that a thread allocated: by its type, if it has one with a name.
    pub fn heap_name(&self, layout: Option<TypeId>, owner: u32, number: u32) -> String {
        let name = match layout.and_then(|layout| self.types.get(layout.index())) {
            Some(Type::Struct { name, .. }) if !name.is_empty() => name,
            _ if owner == 0 => return format!("heap{number}"),
            _ => return format!("heap{owner}.{number}"),
        };
        match owner {
            0 => format!("{name}#{number}"),
            owner => format!("{name}#{owner}:{number}"),
        }
    }

    /// The function that a thread runs.
    pub fn function_of(&self, thread: ThreadId) -> &Function {
        &self.functions[self.threads[thread.index()].function.index()]
    }

    /// The text under `span`.
    pub fn excerpt(&self, span: Span) -> &str {
        self.file(span).map_or("", |file| file.excerpt(span))
    }

    /// The file that `span` points into.
    pub fn file(&self, span: Span) -> Option<&Source> {
        match span.file.checked_sub(1) {
            None => Some(&self.source),
            Some(index) => self.included.get(usize::from(index)),
        }
    }

    /// The object of this name.
    pub fn object_named(&self, name: &str) -> Option<ObjectId> {
        self.objects
            .iter()
            .position(|object| object.name == name)
            .map(ObjectId::from)
    }

    /// The function of this name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions
            .iter()
            .position(|function| function.name == name)
            .map(FunctionId::from)
    }

    /// The cell at `address`, if `address` is where a cell of an object starts.
    pub fn cell_at(&self, address: Address) -> Option<(&Object, usize)> {
        let object = self.objects.get(address.object.index())?;
        let index = address.offset / object.cell.bytes();
        (address.offset.is_multiple_of(object.cell.bytes()) && (index as usize) < object.cells())
            .then_some((object, index as usize))
    }

    /// The name of the location at `address`: `x`, or `a[2]` in an object of several cells.
    pub fn location_name(&self, address: Address) -> String {
        match self.cell_at(address) {
            Some((object, 0)) if object.cells() == 1 => object.name.clone(),
            Some((object, index)) => format!("{}[{index}]", object.name),
            None => match self.objects.get(address.object.index()) {
                Some(object) => format!("{}+{}", object.name, address.offset),
                None => format!("{:#x}", address.to_word()),
            },
        }
    }

    /// A word as people read it: the name of a location if it is the address of one,
    /// else a number.
    pub fn word_text(&self, word: Word, width: Width, signed: bool) -> String {
        match Address::from_word(word) {
            Some(address) if self.cell_at(address).is_some() => self.location_name(address),
            _ if signed => width.signed(word).to_string(),
            _ => word.to_string(),
        }
    }
}

impl Object {
    /// Its number of cells.
    pub fn cells(&self) -> usize {
        self.initial.len() + self.zeros as usize
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.cells() as u64 * u64::from(self.cell.bytes())
    }
}

impl Function {
    /// Its name as users know it. A front end may make several functions of one of the source: their names differ in `'` at the end.
    pub fn shown_name(&self) -> String {
        self.name.replace('\'', "")
    }

    /// The register of this name.
    pub fn register_named(&self, name: &str) -> Option<RegisterId> {
        self.registers
            .iter()
            .position(|register| register.name == name)
            .map(RegisterId::from)
    }

    /// The block of this label.
    pub fn block_labelled(&self, label: &str) -> Option<BlockId> {
        self.blocks
            .iter()
            .position(|block| block.label == label)
            .map(BlockId::from)
    }
}
