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

    fn access(&mut self, most: Width) -> Width {
        let fitting: Vec<Width> = WIDTHS.into_iter().filter(|w| *w <= most).collect();
        self.of(&fitting)
    }

    fn span(&mut self) -> Span {
        match self.below(3) {
            0 => Span::NOWHERE,
            1 => Span::new(0, 0, 1),
            _ => Span::new(
                self.word() as u32,
                self.below(90) as u32,
                self.below(90) as u32,
            ),
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
    let objects = objects(choices);
    let shapes = shapes(choices);
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
                    .map(|label| block(choices, label, shape, &shapes, objects.len()))
                    .collect(),
            }
        })
        .collect();
    let mut program = Program {
        name: choices.name(),
        source: Source::new(choices.name(), ""),
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

fn objects(choices: &mut Choices) -> Vec<Object> {
    let count = 1 + choices.below(3);
    let names = choices.fresh_names(count);
    let object = |name| {
        let cell = choices.of(&WIDTHS);
        let cells = 1 + choices.below(3);
        Object {
            name,
            cell,
            initial: (0..cells).map(|_| choices.any_word(cell)).collect(),
            signed: choices.coin(),
            span: choices.span(),
        }
    };
    names.into_iter().map(object).collect()
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
    objects: usize,
) -> Block {
    let instructions = (0..choices.below(6))
        .map(|_| Instruction {
            kind: instruction(choices, shape, shapes, objects),
            span: choices.span(),
        })
        .collect();
    let terminator = match choices.below(4) {
        0 => Terminator::Return(None),
        1 => Terminator::Return(Some(operand(choices, shape, objects))),
        2 => Terminator::Jump(choices.below(shape.blocks).into()),
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

fn address(choices: &mut Choices, objects: usize) -> Address {
    Address {
        object: choices.below(objects).into(),
        offset: choices.below(3) as u32 * 4,
    }
}

fn operand(choices: &mut Choices, shape: &Shape, objects: usize) -> Operand {
    match choices.below(3) {
        0 => Operand::Constant(choices.any_word(Width::W64)),
        1 => Operand::Register(shape.register(choices)),
        _ => Operand::Address(address(choices, objects)),
    }
}

fn instruction(
    choices: &mut Choices,
    shape: &Shape,
    shapes: &[Shape],
    objects: usize,
) -> InstructionKind {
    use InstructionKind::*;
    let target = shape.register(choices);
    let width = choices.access(shape.width(target));
    let callee = choices.below(shapes.len());
    let kind = choices.below(21);
    let optional = choices.coin().then_some(target);
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
        1 => Load {
            target,
            address: some(),
            width,
        },
        2 => Store {
            address: some(),
            value: some(),
            width: choices.of(&WIDTHS),
        },
        3 => Update {
            address: some(),
            operand: some(),
            target,
            operation: choices.of(UpdateOp::ALL),
            width,
        },
        4 => CompareExchange {
            target,
            address: some(),
            expected: some(),
            desired: some(),
            width,
        },
        5 => {
            let arguments = (0..shapes[callee].parameters).map(|_| some()).collect();
            Call {
                target: optional,
                callee: callee.into(),
                arguments,
            }
        }
        6 => {
            let arguments = (0..shapes[callee].parameters).map(|_| some()).collect();
            Spawn {
                target,
                callee: callee.into(),
                arguments,
            }
        }
        7 => Join {
            target: optional,
            thread: some(),
        },
        8 => Sync {
            address: some(),
            mutex: Some(some()),
            operation: SyncOp::Wait,
        },
        9 => Sync {
            address: some(),
            mutex: None,
            operation: choices.of(&[
                SyncOp::Lock,
                SyncOp::Unlock,
                SyncOp::Signal,
                SyncOp::Broadcast,
            ]),
        },
        10 => Allocate {
            target,
            size: some(),
        },
        11 => Free { address: some() },
        12 => Assert { condition: some() },
        13 => Assume { condition: some() },
        14 => Choose {
            target,
            count: 1 + choices.below(9) as u32,
        },
        15 => Observe {
            value: some(),
            name: choices.name(),
        },
        16 => AtomicBegin,
        17 => AtomicEnd,
        18 => Assign {
            target,
            value: Expression::Copy(some()),
        },
        19 => Assign {
            target,
            value: Expression::Select(some(), some(), some()),
        },
        _ => {
            let (a, b) = (some(), some());
            let width = choices.any_width(shape.width(target));
            let value = match choices.coin() {
                true => Expression::SignExtend(width, a),
                false => Expression::Binary(choices.of(Binary::ALL), width, a, b),
            };
            Assign { target, value }
        }
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
    let cell = choices.below(program.objects[object].initial.len());
    let mut observable = match choices.coin() {
        true => program.observable_register(thread, choices.below(registers).into()),
        false => program.observable_cell(object.into(), cell),
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
            let address = address(choices, program.objects.len());
            let name = match choices.coin() {
                true => program.place_name(address),
                false => choices.name(),
            };
            Term::Address(address, name)
        }
    }
}
