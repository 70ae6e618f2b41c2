//! Building programs by hand: for front ends and tests.
//!
//! ```
//! use program::{ProgramBuilder, Width};
//!
//! let mut program = ProgramBuilder::new("SB");
//! let x = program.object("x", Width::W32, 0);
//! let y = program.object("y", Width::W32, 0);
//! for (mine, other) in [(x, y), (y, x)] {
//!     let mut thread = program.thread();
//!     let seen = thread.register("r", Width::W32);
//!     thread.store(mine, 1u64, Width::W32);
//!     thread.load(seen, other, Width::W32);
//!     thread.finish();
//! }
//! program.observe_everything();
//! let program = program.finish().unwrap();
//! assert_eq!(program.threads.len(), 2);
//! ```

use crate::{
    Access, Address, Block, BlockId, Expression, Function, FunctionId, Instruction,
    InstructionKind, Object, ObjectId, ObjectKind, Observable, ObservedLocation, Operand,
    Orderings, Program, Properties, Register, RegisterId, Source, Span, Terminator, Thread,
    ThreadId, UpdateOp, ValidationError, Width, Word,
};

impl From<Word> for Operand {
    fn from(constant: Word) -> Self {
        Operand::Constant(constant)
    }
}

impl From<ObjectId> for Operand {
    fn from(object: ObjectId) -> Self {
        Operand::Address(Address::of(object))
    }
}

/// Builds a [`Program`].
pub struct ProgramBuilder {
    program: Program,
}

impl ProgramBuilder {
    /// A program of this name, with nothing in it and no source text.
    pub fn new(name: &str) -> Self {
        ProgramBuilder {
            program: Program::empty(name.to_owned(), Source::new(name, "")),
        }
    }

    /// Sets the source text that spans refer to.
    pub fn source(&mut self, source: Source) {
        self.program.source = source;
    }

    /// The program so far.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Adds an object of one cell, shown as a signed number.
    pub fn object(&mut self, name: &str, cell: Width, initial: Word) -> ObjectId {
        self.add_object(Object {
            name: name.to_owned(),
            cell,
            initial: vec![cell.truncate(initial)],
            zeros: 0,
            kind: ObjectKind::Shared,
            layout: None,
            signed: true,
            span: Span::NOWHERE,
        })
    }

    /// Adds an object.
    pub fn add_object(&mut self, object: Object) -> ObjectId {
        self.program.objects.push(object);
        ObjectId::from(self.program.objects.len() - 1)
    }

    /// Starts a function of this name.
    pub fn function(&mut self, name: &str) -> FunctionBuilder<'_> {
        FunctionBuilder::new(&mut self.program, name, None)
    }

    /// Starts the next thread, `P0`, `P1`, …, and its function of the same name.
    pub fn thread(&mut self) -> FunctionBuilder<'_> {
        let thread = ThreadId::from(self.program.threads.len());
        FunctionBuilder::new(&mut self.program, &thread.to_string(), Some(Vec::new()))
    }

    /// What makes up an outcome.
    pub fn observe(&mut self, observable: Observable) {
        if !self.program.observed.contains(&observable) {
            self.program.observed.push(observable);
        }
    }

    /// Makes every memory cell and every register of a thread part of the outcome,
    /// registers first.
    pub fn observe_everything(&mut self) {
        for thread in (0..self.program.threads.len()).map(ThreadId::from) {
            for register in 0..self.program.function_of(thread).registers.len() {
                let observable = self.program.observable_register(thread, register.into());
                self.observe(observable);
            }
        }
        for object in 0..self.program.objects.len() {
            for cell in 0..self.program.objects[object].cells() {
                let observable = self.program.observable_cell(object.into(), cell);
                self.observe(observable);
            }
        }
    }

    /// What must hold.
    pub fn properties(&mut self) -> &mut Properties {
        &mut self.program.properties
    }

    /// The program, if it is well formed.
    pub fn finish(self) -> Result<Program, ValidationError> {
        self.program.validate()?;
        Ok(self.program)
    }
}

impl Program {
    /// A whole register of a thread as an observable, named like `0:EAX`.
    pub fn observable_register(&self, thread: ThreadId, register: RegisterId) -> Observable {
        let found = &self.function_of(thread).registers[register.index()];
        Observable {
            name: format!("{}:{}", thread.0, found.name),
            location: ObservedLocation::Register(thread, register),
            width: found.width,
            signed: true,
        }
    }

    /// A memory cell as an observable, named like `x` or `a[2]`.
    pub fn observable_cell(&self, object: ObjectId, cell: usize) -> Observable {
        let found = &self.objects[object.index()];
        let address = Address {
            object,
            offset: cell as u32 * found.cell.bytes(),
        };
        Observable {
            name: self.location_name(address),
            location: ObservedLocation::Memory(address),
            width: found.cell,
            signed: found.signed,
        }
    }
}

/// Builds a [`Function`], block by block. Instructions go to the current block.
pub struct FunctionBuilder<'a> {
    program: &'a mut Program,
    function: Function,
    /// Initial registers, if a thread runs this function.
    thread: Option<Vec<(RegisterId, Word)>>,
    current: BlockId,
    /// Blocks that already have their terminator.
    closed: Vec<bool>,
    span: Span,
}

impl<'a> FunctionBuilder<'a> {
    fn new(
        program: &'a mut Program,
        name: &str,
        thread: Option<Vec<(RegisterId, Word)>>,
    ) -> FunctionBuilder<'a> {
        let mut builder = FunctionBuilder {
            program,
            function: Function {
                name: name.to_owned(),
                parameters: 0,
                registers: Vec::new(),
                blocks: Vec::new(),
            },
            thread,
            current: BlockId(0),
            closed: Vec::new(),
            span: Span::NOWHERE,
        };
        builder.block("entry");
        builder
    }

    /// Adds a parameter. Parameters come before all other registers.
    pub fn parameter(&mut self, name: &str, width: Width) -> RegisterId {
        assert_eq!(
            self.function.parameters as usize,
            self.function.registers.len(),
            "parameters come before other registers"
        );
        self.function.parameters += 1;
        self.register(name, width)
    }

    /// The register of this name, made if there is none yet.
    pub fn register(&mut self, name: &str, width: Width) -> RegisterId {
        self.function.register_named(name).unwrap_or_else(|| {
            self.function.registers.push(Register {
                name: name.to_owned(),
                width,
            });
            RegisterId::from(self.function.registers.len() - 1)
        })
    }

    /// Gives a register of a thread its value at the start.
    pub fn initial(&mut self, register: RegisterId, value: Word) {
        let width = self.function.registers[register.index()].width;
        self.thread
            .as_mut()
            .expect("only threads have initial registers")
            .push((register, width.truncate(value)));
    }

    /// Sets the span of what is added from here on.
    pub fn at(&mut self, span: Span) -> &mut Self {
        self.span = span;
        self
    }

    /// Adds an empty block, without going there.
    pub fn block(&mut self, label: &str) -> BlockId {
        self.function.blocks.push(Block {
            label: label.to_owned(),
            instructions: Vec::new(),
            terminator: Terminator::Return(Vec::new()),
            terminator_span: Span::NOWHERE,
        });
        self.closed.push(false);
        BlockId::from(self.function.blocks.len() - 1)
    }

    /// Goes on building at `block`. The block left behind falls through to it
    /// unless it already ends.
    pub fn go_to(&mut self, block: BlockId) {
        if !self.closed[self.current.index()] && self.current != block {
            self.terminate(Terminator::Jump(block));
        }
        self.current = block;
    }

    /// Ends the current block.
    pub fn terminate(&mut self, terminator: Terminator) {
        let block = &mut self.function.blocks[self.current.index()];
        block.terminator = terminator;
        block.terminator_span = self.span;
        self.closed[self.current.index()] = true;
    }

    /// Ends the current block with a branch.
    pub fn branch(&mut self, condition: impl Into<Operand>, then: BlockId, otherwise: BlockId) {
        self.terminate(Terminator::Branch {
            condition: condition.into(),
            then,
            otherwise,
        });
    }

    /// Adds an instruction to the current block.
    pub fn push(&mut self, kind: InstructionKind) {
        self.function.blocks[self.current.index()]
            .instructions
            .push(Instruction {
                kind,
                span: self.span,
            });
    }

    /// Adds an assignment.
    pub fn assign(&mut self, target: RegisterId, value: Expression) {
        self.push(InstructionKind::Assign { target, value });
    }

    /// Adds a load.
    pub fn load(&mut self, target: RegisterId, address: impl Into<Operand>, width: Width) {
        self.push(InstructionKind::Load {
            target,
            address: address.into(),
            width,
            access: Access::default(),
        });
    }

    /// Adds a store.
    pub fn store(&mut self, address: impl Into<Operand>, value: impl Into<Operand>, width: Width) {
        self.push(InstructionKind::Store {
            address: address.into(),
            value: value.into(),
            width,
            access: Access::default(),
        });
    }

    /// Adds an atomic read-modify-write.
    pub fn update(
        &mut self,
        target: RegisterId,
        operation: UpdateOp,
        address: impl Into<Operand>,
        operand: impl Into<Operand>,
        width: Width,
    ) {
        self.push(InstructionKind::Update {
            target,
            operation,
            address: address.into(),
            operand: operand.into(),
            width,
            access: Access::default(),
        });
    }

    /// Adds a fence.
    pub fn fence(&mut self, orderings: Orderings) {
        self.push(InstructionKind::Fence(orderings));
    }

    /// Adds the function, and the thread that runs it, to the program.
    pub fn finish(self) -> FunctionId {
        let id = FunctionId::from(self.program.functions.len());
        if let Some(initial) = self.thread {
            self.program.threads.push(Thread {
                name: self.function.name.clone(),
                function: id,
                initial,
            });
        }
        self.program.functions.push(self.function);
        id
    }
}
