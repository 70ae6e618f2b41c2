//! From the plain data of a generated program to the program itself.

use super::{GeneratedProgram, NAMES, REGISTERS, RegisterIndex, Statement, Value};
use program::{
    Access, Address, Binary, BlockId, Expression, FunctionBuilder, InstructionKind, MemoryOrder,
    Object, ObjectKind, Operand, Orderings, Program, ProgramBuilder, RegisterId, Span, Width, Word,
};

/// Width of everything that is generated.
const WIDTH: Width = Width::W32;

/// The program, with all registers and all cells observed.
///
/// # Panics
///
/// If a statement names a register or a cell that does not exist, or branches
/// past the end of its thread.
pub fn build(generated: &GeneratedProgram) -> Program {
    let mut program = ProgramBuilder::new("generated");
    let places = add_places(&mut program, generated);
    for statements in &generated.threads {
        let mut thread = ThreadBuilder::new(program.thread(), &places, statements.len());
        for (index, statement) in statements.iter().enumerate() {
            thread.label(index);
            thread.statement(index, statement, generated.array);
        }
        thread.label(statements.len());
        thread.function.finish();
    }
    program.observe_everything();
    program
        .finish()
        .expect("generated programs are well formed")
}

fn add_places(program: &mut ProgramBuilder, generated: &GeneratedProgram) -> Vec<Address> {
    let mut places = Vec::new();
    if generated.array {
        let array = program.add_object(Object {
            name: "a".to_owned(),
            cell: WIDTH,
            initial: vec![0, 0],
            zeros: 0,
            kind: ObjectKind::Shared,
            layout: None,
            signed: true,
            span: Span::NOWHERE,
        });
        places.extend([0, WIDTH.bytes()].map(|offset| Address {
            object: array,
            offset,
        }));
    }
    while places.len() < usize::from(generated.places) {
        let object = program.object(NAMES[places.len()], WIDTH, 0);
        places.push(Address::of(object));
    }
    places
}

struct ThreadBuilder<'a> {
    function: FunctionBuilder<'a>,
    places: &'a [Address],
    registers: Vec<RegisterId>,
    /// The blocks that branches go to, by the statement that they start with.
    labels: Vec<Option<BlockId>>,
}

impl<'a> ThreadBuilder<'a> {
    fn new(mut function: FunctionBuilder<'a>, places: &'a [Address], length: usize) -> Self {
        let registers = (0..REGISTERS)
            .map(|index| function.register(&format!("r{index}"), WIDTH))
            .collect();
        ThreadBuilder {
            function,
            places,
            registers,
            labels: vec![None; length + 1],
        }
    }

    /// Starts the block of a statement if a branch goes to it.
    fn label(&mut self, index: usize) {
        if let Some(block) = self.labels[index] {
            self.function.go_to(block);
        }
    }

    fn register(&self, index: RegisterIndex) -> RegisterId {
        self.registers[usize::from(index)]
    }

    fn value(&self, value: Value) -> Operand {
        match value {
            Value::Constant(word) => Operand::Constant(word),
            Value::Register(register) => Operand::Register(self.register(register)),
        }
    }

    fn binary(
        &mut self,
        target: RegisterId,
        operation: Binary,
        left: RegisterId,
        right: impl Into<Operand>,
    ) {
        let value = Expression::Binary(operation, WIDTH, left.into(), right.into());
        self.function.assign(target, value);
    }

    fn statement(&mut self, index: usize, statement: &Statement, array: bool) {
        match *statement {
            Statement::Load { target, place } => {
                let place = self.places[usize::from(place)];
                self.function.load(self.register(target), place, WIDTH);
            }
            Statement::Store { place, value } => {
                let place = self.places[usize::from(place)];
                self.function.store(place, self.value(value), WIDTH);
            }
            Statement::Update {
                target,
                operation,
                place,
                value,
                locked,
            } => {
                let place = self.places[usize::from(place)];
                let (target, value) = (self.register(target), self.value(value));
                if locked {
                    self.function.fence(Orderings::ALL);
                }
                self.function.update(target, operation, place, value, WIDTH);
                if locked {
                    self.function.fence(Orderings::ALL);
                }
            }
            Statement::CompareExchange {
                target,
                place,
                expected,
                desired,
            } => {
                let access = InstructionKind::CompareExchange {
                    target: self.register(target),
                    address: self.places[usize::from(place)].into(),
                    expected: self.value(expected),
                    desired: self.value(desired),
                    width: WIDTH,
                    access: Access::default(),
                    failure: MemoryOrder::Relaxed,
                    weak: false,
                    succeeded: None,
                };
                self.function.push(access);
            }
            Statement::LoadIndirect { target, index } => {
                let address = self.address(index, array);
                self.function.load(self.register(target), address, WIDTH);
            }
            Statement::StoreIndirect { index, value } => {
                let address = self.address(index, array);
                self.function.store(address, self.value(value), WIDTH);
            }
            Statement::AddDependency {
                target,
                source,
                constant,
            } => {
                let (target, source) = (self.register(target), self.register(source));
                self.binary(target, Binary::Xor, source, source);
                self.binary(target, Binary::Add, target, constant);
            }
            Statement::Branch {
                register,
                equal,
                constant,
                skip,
            } => self.branch(index, self.register(register), equal, constant, skip),
            Statement::Fence(orderings) => self.function.fence(orderings),
        }
    }

    /// Computes the address of cell `index & 1` into a register: by arithmetic
    /// in an array, else by a choice between objects.
    fn address(&mut self, index: RegisterIndex, array: bool) -> RegisterId {
        let address = self.function.register("address", WIDTH);
        let (first, second) = (self.places[0], self.places[1 % self.places.len()]);
        self.binary(address, Binary::And, self.register(index), 1u64);
        if array {
            self.binary(address, Binary::Shl, address, 2u64);
            self.binary(address, Binary::Add, address, first);
        } else {
            let choice = Expression::Select(address.into(), second.into(), first.into());
            self.function.assign(address, choice);
        }
        address
    }

    fn branch(
        &mut self,
        index: usize,
        register: RegisterId,
        equal: bool,
        constant: Word,
        skip: u8,
    ) {
        let operation = if equal { Binary::Eq } else { Binary::Ne };
        let condition = self.function.register("condition", Width::BIT);
        self.binary(condition, operation, register, constant);
        let target = index + 1 + usize::from(skip);
        let label = *self.labels[target]
            .get_or_insert_with(|| self.function.block(&format!("before{target}")));
        let next = self.function.block(&format!("after{index}"));
        self.function.branch(condition, label, next);
        self.function.go_to(next);
    }
}
