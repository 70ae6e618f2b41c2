//! Well-formed programs made from a stream of numbers, with everything in them
//! that a program can hold and names that are hard to print.

use program::*;

/// A stream of choices; once it runs dry, every choice is the first.
pub struct Choices(pub std::vec::IntoIter<u64>);

const NAMES: &[&str] = &[
    "x",
    "y",
    "RAX",
    "%o1",
    "_",
    "load",
    "end",
    "true",
    "add",
    "lock",
    "acquire",
    "align",
    "library",
    "observation",
    "constant",
    "object",
    "0:EAX",
    "a[2]",
    "a",
    "i32",
    "as",
    "with",
    "",
    " ",
    "a b",
    "\"",
    "\\",
    "\n",
    "\u{1}\u{7f}",
    "é→",
    "//",
    "#x",
    "@1:2+3",
    "1",
    "-1",
    "0x1",
    "(",
    "}",
    "x:",
    "P0",
    "{x = &x as i32}",
    "\u{2028}",
];

const WIDTHS: [Width; 4] = [Width::W8, Width::W16, Width::W32, Width::W64];

impl Choices {
    fn word(&mut self) -> u64 {
        self.0.next().unwrap_or(0)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 1
    }

    fn name(&mut self) -> String {
        self.of(NAMES).to_owned()
    }

    /// A name that is not in `taken`.
    fn fresh(&mut self, taken: &[String]) -> String {
        let mut name = self.name();
        while taken.contains(&name) {
            name.push('_');
        }
        name
    }

    fn fresh_names(&mut self, count: usize) -> Vec<String> {
        let mut names = Vec::new();
        for _ in 0..count {
            let name = self.fresh(&names);
            names.push(name);
        }
        names
    }

    fn any_word(&mut self, width: Width) -> Word {
        let word = match self.below(4) {
            0 => self.below(4) as Word,
            1 => Word::MAX - self.below(4) as Word,
            2 => Address::of(ObjectId(self.below(4) as u32)).to_word() + self.below(6) as Word,
            _ => self.word(),
        };
        width.truncate(word)
    }

    fn any_width(&mut self, most: Width) -> Width {
        Width::of_bits(1 + self.below(most.bits() as usize) as u32).unwrap()
    }

    /// An order but the two that an access of some kind cannot have.
    fn order(&mut self, impossible: &[MemoryOrder]) -> MemoryOrder {
        let orders = MemoryOrder::NAMED.map(|(order, _)| order);
        let possible = orders.into_iter().filter(|o| !impossible.contains(o));
        self.of(&possible.collect::<Vec<_>>())
    }

    fn access(&mut self, impossible: &[MemoryOrder]) -> Access {
        if self.coin() {
            return Access::default();
        }
        Access {
            order: self.order(impossible),
            alignment: self.below(64) as u8,
        }
    }

    fn access_width(&mut self, most: Width) -> Width {
        let fitting: Vec<Width> = WIDTHS.into_iter().filter(|w| *w <= most).collect();
        self.of(&fitting)
    }

    fn span(&mut self) -> Span {
        match self.below(3) {
            0 => Span::NOWHERE,
            1 => Span::new(0, 0, 1),
            _ => Span {
                file: self.below(3) as u16,
                line: self.word() as u32,
                column: self.below(90) as u32,
                length: self.below(90) as u32,
            },
        }
    }
}

/// The parts of a function that others refer to.
struct Shape {
    parameters: usize,
    registers: Vec<Register>,
    blocks: usize,
}

impl Shape {
    fn register(&self, choices: &mut Choices) -> RegisterId {
        choices.below(self.registers.len()).into()
    }

    fn width(&self, register: RegisterId) -> Width {
        self.registers[register.index()].width
    }
}

/// A well-formed program.
pub fn program(choices: &mut Choices) -> Program {
    let shapes = shapes(choices);
    let objects = objects(choices, shapes.len());
    let names = choices.fresh_names(shapes.len());
    let functions: Vec<Function> = shapes
        .iter()
        .zip(names)
        .map(|(shape, name)| {
            let labels = choices.fresh_names(shape.blocks);
            Function {
                name,
                parameters: shape.parameters as u32,
                registers: shape.registers.clone(),
                blocks: labels
                    .into_iter()
                    .map(|label| block(choices, label, shape, &shapes, &objects))
                    .collect(),
            }
        })
        .collect();
    let mut program = Program {
        name: choices.name(),
        process: choices.below(2) == 1,
        source: Source::new(choices.name(), ""),
        included: (0..choices.below(3))
            .map(|_| Source::new(choices.name(), ""))
            .collect(),
        allocations: Vec::new(),
        types: Vec::new(),
        objects,
        functions,
        threads: Vec::new(),
        observed: Vec::new(),
        properties: Properties::default(),
    };
    for _ in 0..1 + choices.below(3) {
        let thread = thread(choices, &shapes);
        program.threads.push(thread);
    }
    for _ in 0..choices.below(4) {
        let observable = observable(choices, &program);
        program.observed.push(observable);
    }
    program.properties = properties(choices, &program);
    program
}

/// Objects; the first has a cell.
fn objects(choices: &mut Choices, functions: usize) -> Vec<Object> {
    let count = 1 + choices.below(4);
    let names = choices.fresh_names(count);
    let object = |(index, name)| {
        let cell = choices.of(&WIDTHS);
        let mut object = Object {
            name,
            cell,
            initial: (0..choices.below(4))
                .map(|_| choices.any_word(cell))
                .collect(),
            zeros: choices.of(&[0, 1, 2, 1000]),
            kind: choices.of(&[
                ObjectKind::Shared,
                ObjectKind::Constant,
                ObjectKind::PerThread,
                ObjectKind::Code(FunctionId(0)),
            ]),
            layout: None,
            signed: choices.coin(),
            span: choices.span(),
        };
        if index == 0 && matches!(object.kind, ObjectKind::Code(_)) {
            object.kind = ObjectKind::Shared;
        }
        if let ObjectKind::Code(function) = &mut object.kind {
            *function = choices.below(functions).into();
            (object.cell, object.initial, object.zeros) = (Width::W8, vec![], 0);
        } else if object.cells() == 0 && (index == 0 || cell != Width::W8) {
            object.zeros = 1;
        }
        object
    };
    names.into_iter().enumerate().map(object).collect()
}

/// The shapes of all functions; the first takes no parameters.
fn shapes(choices: &mut Choices) -> Vec<Shape> {
    (0..1 + choices.below(3))
        .map(|index| {
            let parameters = if index == 0 { 0 } else { choices.below(3) };
            let registers = parameters.max(1) + choices.below(3);
            let names = choices.fresh_names(registers);
            let register = |name| Register {
                name,
                width: Width::of_bits(8 + choices.below(57) as u32).unwrap(),
            };
            Shape {
                parameters,
                registers: names.into_iter().map(register).collect(),
                blocks: 1 + choices.below(3),
            }
        })
        .collect()
}

fn block(
    choices: &mut Choices,
    label: String,
    shape: &Shape,
    shapes: &[Shape],
    objects: &[Object],
) -> Block {
    let instructions = (0..choices.below(6))
        .map(|_| Instruction {
            kind: instruction(choices, shape, shapes, objects),
            span: choices.span(),
        })
        .collect();
    let terminator = match choices.below(6) {
        0 => Terminator::Return(vec![]),
        1 => {
            let values = 0..choices.below(4);
            Terminator::Return(values.map(|_| operand(choices, shape, objects)).collect())
        }
        2 => Terminator::Unreachable,
        3 => Terminator::Switch {
            value: operand(choices, shape, objects),
            cases: (0..choices.below(4))
                .map(|_| {
                    let case = choices.any_word(Width::W64);
                    (case, choices.below(shape.blocks).into())
                })
                .collect(),
            otherwise: choices.below(shape.blocks).into(),
        },
        4 => Terminator::Jump(choices.below(shape.blocks).into()),
        _ => Terminator::Branch {
            condition: operand(choices, shape, objects),
            then: choices.below(shape.blocks).into(),
            otherwise: choices.below(shape.blocks).into(),
        },
    };
    Block {
        label,
        instructions,
        terminator,
        terminator_span: choices.span(),
    }
}

fn address(choices: &mut Choices, objects: &[Object]) -> Address {
    Address {
        object: choices.below(objects.len()).into(),
        offset: choices.below(3) as u32 * 4,
    }
}

fn operand(choices: &mut Choices, shape: &Shape, objects: &[Object]) -> Operand {
    match choices.below(3) {
        0 => Operand::Constant(choices.any_word(Width::W64)),
        1 => Operand::Register(shape.register(choices)),
        _ => Operand::Address(address(choices, objects)),
    }
}

/// Some registers, each once.
fn targets(choices: &mut Choices, shape: &Shape, most: usize) -> Vec<RegisterId> {
    let mut targets: Vec<RegisterId> = Vec::new();
    for _ in 0..choices.below(most + 1) {
        let target = shape.register(choices);
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    targets
}

fn call(
    choices: &mut Choices,
    shape: &Shape,
    shapes: &[Shape],
    objects: &[Object],
) -> InstructionKind {
    let (callee, most, arguments) = match choices.below(3) {
        0 => {
            let callee = choices.below(shapes.len());
            let arguments = shapes[callee].parameters;
            (Callee::Function(callee.into()), 3, arguments)
        }
        1 => {
            let pointer = operand(choices, shape, objects);
            (Callee::Pointer(pointer), 3, choices.below(4))
        }
        _ => {
            let row = &ROUTINES[choices.below(ROUTINES.len())];
            let arguments = row.parameters as usize + row.variadic as usize;
            (Callee::Routine(row.routine), row.result as usize, arguments)
        }
    };
    InstructionKind::Call {
        targets: targets(choices, shape, most),
        callee,
        arguments: (0..arguments)
            .map(|_| operand(choices, shape, objects))
            .collect(),
    }
}

fn memory_access(choices: &mut Choices, shape: &Shape, objects: &[Object]) -> InstructionKind {
    use InstructionKind::*;
    use MemoryOrder::{Acquire, AcquireRelease, Release};
    let target = shape.register(choices);
    let width = choices.access_width(shape.width(target));
    let kind = choices.below(4);
    let mut some = || operand(choices, shape, objects);
    match kind {
        0 => Load {
            target,
            address: some(),
            width,
            access: choices.access(&[Release, AcquireRelease]),
        },
        1 => Store {
            address: some(),
            value: some(),
            width: choices.of(&WIDTHS),
            access: choices.access(&[Acquire, AcquireRelease]),
        },
        2 => Update {
            address: some(),
            operand: some(),
            target,
            operation: choices.of(UpdateOp::ALL),
            width,
            access: choices.access(&[]),
        },
        _ => CompareExchange {
            target,
            address: some(),
            expected: some(),
            desired: some(),
            width,
            access: choices.access(&[]),
            failure: choices.order(&[Release, AcquireRelease]),
            weak: choices.coin(),
            succeeded: Some(shape.register(choices)).filter(|other| *other != target),
        },
    }
}

fn expression(
    choices: &mut Choices,
    shape: &Shape,
    target: RegisterId,
    objects: &[Object],
) -> Expression {
    let [a, b, c] = [(); 3].map(|()| operand(choices, shape, objects));
    let width = choices.any_width(shape.width(target));
    let own: Vec<usize> = (0..objects.len())
        .filter(|index| objects[*index].kind == ObjectKind::PerThread)
        .collect();
    match choices.below(7) {
        0 => Expression::Copy(a),
        1 => Expression::Select(a, b, c),
        2 => Expression::SignExtend(width, a),
        3 => Expression::Unary(choices.of(Unary::ALL), width, a),
        4 => Expression::Convert(choices.of(Conversion::ALL), width, a),
        5 if !own.is_empty() => Expression::Own(Address {
            object: choices.of(&own).into(),
            offset: choices.below(3) as u32 * 4,
        }),
        _ => Expression::Binary(choices.of(Binary::ALL), width, a, b),
    }
}

fn instruction(
    choices: &mut Choices,
    shape: &Shape,
    shapes: &[Shape],
    objects: &[Object],
) -> InstructionKind {
    use InstructionKind::*;
    let target = shape.register(choices);
    let kind = choices.below(16);
    let mut some = || operand(choices, shape, objects);
    match kind {
        0 => Fence(
            Orderings::NAMED
                .iter()
                .fold(Orderings::NONE, |set, (one, _)| match choices.coin() {
                    true => set.union(*one),
                    false => set,
                }),
        ),
        1..=4 => memory_access(choices, shape, objects),
        5 | 6 => call(choices, shape, shapes, objects),
        7 => Allocate {
            target,
            size: some(),
            name: choices.name(),
            layout: None,
        },
        8 => Assert { condition: some() },
        9 => Assume { condition: some() },
        10 => Choose {
            target,
            count: match some() {
                Operand::Constant(count) => Operand::Constant(count.max(1)),
                other => other,
            },
        },
        11 => Observe {
            value: some(),
            name: choices.name(),
        },
        12 => AtomicBegin,
        13 => AtomicEnd,
        _ => Assign {
            target,
            value: expression(choices, shape, target, objects),
        },
    }
}

fn thread(choices: &mut Choices, shapes: &[Shape]) -> Thread {
    let fitting: Vec<usize> = (0..shapes.len())
        .filter(|index| shapes[*index].parameters == 0)
        .collect();
    let function = choices.of(&fitting);
    let initial = (0..choices.below(3))
        .map(|_| {
            let register = shapes[function].register(choices);
            (register, choices.any_word(shapes[function].width(register)))
        })
        .collect();
    Thread {
        name: choices.name(),
        function: function.into(),
        initial,
    }
}

/// Whole cells and registers under their own names, and others.
fn observable(choices: &mut Choices, program: &Program) -> Observable {
    let thread: ThreadId = choices.below(program.threads.len()).into();
    let registers = program.function_of(thread).registers.len();
    let object = choices.below(program.objects.len());
    let object = match program.objects[object].cells() {
        0 => 0,
        _ => object,
    };
    let cell = choices.below(program.objects[object].cells());
    let mut observable = match choices.below(5) {
        0 | 1 => program.observable_register(thread, choices.below(registers).into()),
        2 | 3 => program.observable_cell(object.into(), cell),
        _ => Observable {
            name: choices.name(),
            location: ObservedLocation::Observation,
            width: choices.any_width(Width::W64),
            signed: choices.coin(),
        },
    };
    if choices.coin() {
        observable.name = choices.name();
        observable.width = choices.any_width(observable.width);
        observable.signed = choices.coin();
    }
    observable
}

fn properties(choices: &mut Choices, program: &Program) -> Properties {
    let property = |choices: &mut Choices| Property {
        formula: formula(choices, program, 3),
        span: choices.span(),
    };
    Properties {
        filter: choices.coin().then(|| formula(choices, program, 2)),
        condition: choices.coin().then(|| Condition {
            quantifier: choices.of(&[
                Quantifier::Exists,
                Quantifier::NotExists,
                Quantifier::Forall,
            ]),
            property: property(choices),
        }),
        invariants: (0..choices.below(3)).map(|_| property(choices)).collect(),
        liveness: (0..choices.below(3))
            .map(|_| Liveness {
                repeatedly: choices.coin(),
                property: property(choices),
            })
            .collect(),
    }
}

fn formula(choices: &mut Choices, program: &Program, depth: u32) -> Formula {
    match choices.below(if depth == 0 { 3 } else { 6 }) {
        0 | 1 => Formula::Compare(
            choices.of(&Comparison::SIGNS).0,
            term(choices, program),
            term(choices, program),
        ),
        2 => {
            let thread: ThreadId = choices.below(program.threads.len()).into();
            let blocks = &program.function_of(thread).blocks;
            let block = choices.below(blocks.len());
            let label = match choices.coin() {
                true => blocks[block].label.clone(),
                false => choices.name(),
            };
            match choices.below(3) {
                0 => Formula::At(thread, Position::End),
                _ => Formula::At(thread, Position::Label(block.into(), label)),
            }
        }
        3 => Formula::Not(Box::new(formula(choices, program, depth - 1))),
        kind => {
            let parts = (0..choices.below(4))
                .map(|_| formula(choices, program, depth - 1))
                .collect();
            match kind {
                4 => Formula::And(parts),
                _ => Formula::Or(parts),
            }
        }
    }
}

fn term(choices: &mut Choices, program: &Program) -> Term {
    match choices.below(4) {
        0 => Term::Number(choices.of(&[0, 1, -1, i128::MIN, i128::MAX])),
        1 if !program.observed.is_empty() => {
            Term::Value(program.observed[choices.below(program.observed.len())].clone())
        }
        1 | 2 => Term::Value(observable(choices, program)),
        _ => {
            let address = address(choices, &program.objects);
            let name = match choices.coin() {
                true => program.location_name(address),
                false => choices.name(),
            };
            Term::Address(address, name)
        }
    }
}
