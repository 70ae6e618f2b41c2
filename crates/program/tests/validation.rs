//! Every way for a program not to hang together, once.

use program::{
    Access, Address, Binary, BlockId, Callee, Comparison, Condition, Expression, Formula,
    FunctionId, InstructionKind, MemoryOrder, Object, ObjectId, ObjectKind, Observable,
    ObservedLocation, Operand, Position, Program, ProgramBuilder, Property, Quantifier, RegisterId,
    Routine, Span, Term, Terminator, ThreadId, Unary, UpdateOp, Width,
};

/// A well-formed program: thread `P0` with a 32-bit register `r`, and `f(argument)`.
fn sound() -> Program {
    let mut program = ProgramBuilder::new("sound");
    program.object("x", Width::W32, 0);
    let mut thread = program.thread();
    thread.register("r", Width::W32);
    thread.finish();
    let mut function = program.function("f");
    function.parameter("argument", Width::W32);
    function.finish();
    program.finish().unwrap()
}

/// The complaint about the sound program after `change`.
fn complaint(change: impl FnOnce(&mut Program)) -> String {
    let mut program = sound();
    change(&mut program);
    program.validate().unwrap_err().to_string()
}

/// The complaint about this instruction in `P0`.
fn about(kind: InstructionKind) -> String {
    let mut program = sound();
    let span = Span::new(3, 4, 5);
    let instruction = program::Instruction { kind, span };
    program.functions[0].blocks[0]
        .instructions
        .push(instruction);
    let error = program.validate().unwrap_err();
    assert_eq!(error.span, span);
    error.to_string()
}

const R: RegisterId = RegisterId(0);
const X: Operand = Operand::Address(Address {
    object: ObjectId(0),
    offset: 0,
});

#[test]
fn names_are_distinct() {
    let message = complaint(|p| p.objects.push(p.objects[0].clone()));
    assert_eq!(message, "two objects are called x");
    let message = complaint(|p| p.functions[1].name = "P0".to_owned());
    assert_eq!(message, "two functions are called P0");
    let message = complaint(|p| {
        let register = p.functions[0].registers[0].clone();
        p.functions[0].registers.push(register);
    });
    assert_eq!(message, "in P0: two registers are called r");
    let message = complaint(|p| {
        let block = p.functions[0].blocks[0].clone();
        p.functions[0].blocks.push(block);
    });
    assert_eq!(message, "in P0: two blocks are called entry");
}

#[test]
fn objects_have_a_size() {
    let impossible = "object x has an impossible size";
    assert_eq!(complaint(|p| p.objects[0].initial.clear()), impossible);
    assert_eq!(complaint(|p| p.objects[0].cell = Width::BIT), impossible);
    let message = complaint(|p| {
        p.objects[0].cell = Width::W64;
        p.objects[0].zeros = u32::MAX;
    });
    assert_eq!(message, "object x has no room behind it");
    let mut empty = sound();
    (empty.objects[0].cell, empty.objects[0].initial) = (Width::W8, vec![]);
    assert_eq!(empty.validate(), Ok(()));
    let message = complaint(|p| p.objects[0].initial[0] = 1 << 32);
    assert_eq!(message, "initial value of x does not fit i32");
    let message = complaint(|p| {
        let object = |index| Object {
            name: format!("x{index}"),
            ..p.objects[0].clone()
        };
        p.objects = (0..Address::MAX_OBJECTS + 1).map(object).collect();
    });
    assert_eq!(message, "too many objects");
}

#[test]
fn large_objects_have_room() {
    let mut program = sound();
    let object = |name: &str, zeros| Object {
        name: name.to_owned(),
        cell: Width::W8,
        initial: vec![],
        zeros,
        ..sound().objects[0].clone()
    };
    let large = 3 << Address::OFFSET_BITS;
    program.objects = vec![object("x", large), object("x1", 0), object("x2", 0)];
    assert_eq!(program.validate(), Ok(()));
    program.objects[0].zeros += 1;
    let error = program.validate().unwrap_err().to_string();
    assert_eq!(error, "object x has no room behind it");
    program.objects[0].zeros = large;
    program.objects[2].zeros = 1;
    let error = program.validate().unwrap_err().to_string();
    assert_eq!(error, "object x has no room behind it");
}

#[test]
fn objects_are_of_their_kind() {
    let code = |p: &mut Program, function| p.objects[0].kind = ObjectKind::Code(function);
    assert_eq!(
        complaint(|p| code(p, FunctionId(1))),
        "x stands for a function and has cells"
    );
    let message = complaint(|p| {
        code(p, FunctionId(9));
        (p.objects[0].cell, p.objects[0].initial) = (Width::W8, vec![]);
    });
    assert_eq!(message, "there is no fn9");
    let own = InstructionKind::Assign {
        target: R,
        value: Expression::Own(Address::of(ObjectId(0))),
    };
    assert_eq!(about(own), "in P0: no thread has its own x");
    let nowhere = InstructionKind::Assign {
        target: R,
        value: Expression::Own(Address::of(ObjectId(9))),
    };
    assert_eq!(about(nowhere), "in P0: there is no object9");
}

#[test]
fn functions_have_code() {
    assert_eq!(
        complaint(|p| p.functions[0].blocks.clear()),
        "in P0: no code"
    );
    let message = complaint(|p| p.functions[0].parameters = 2);
    assert_eq!(message, "in P0: more parameters than registers");
}

#[test]
fn threads_run_functions_without_parameters() {
    let message = complaint(|p| p.threads[0].function = FunctionId(7));
    assert_eq!(message, "P0 runs no function");
    let message = complaint(|p| p.threads[0].function = FunctionId(1));
    assert_eq!(message, "P0 runs a function with parameters");
    let message = complaint(|p| p.threads[0].initial.push((RegisterId(4), 0)));
    assert_eq!(message, "there is no register r4");
}

#[test]
fn control_stays_in_the_function() {
    let terminate = |terminator| complaint(|p| p.functions[0].blocks[0].terminator = terminator);
    let jump = Terminator::Jump(BlockId(9));
    assert_eq!(terminate(jump), "in P0: there is no block9");
    let value = Terminator::Return(vec![R.into(), RegisterId(4).into()]);
    assert_eq!(terminate(value), "in P0: there is no register r4");
    let branch = Terminator::Branch {
        condition: RegisterId(5).into(),
        then: BlockId(0),
        otherwise: BlockId(0),
    };
    assert_eq!(terminate(branch), "in P0: there is no register r5");
    let switch = |value: Operand, case| Terminator::Switch {
        value,
        cases: vec![(0, BlockId(0)), (1, case)],
        otherwise: BlockId(0),
    };
    assert_eq!(
        terminate(switch(R.into(), BlockId(9))),
        "in P0: there is no block9"
    );
    assert_eq!(
        terminate(switch(RegisterId(5).into(), BlockId(0))),
        "in P0: there is no register r5"
    );
}

#[test]
fn instructions_refer_to_what_exists() {
    use InstructionKind::*;
    let (width, address) = (Width::W32, X);
    let target = RegisterId(4);
    let access = Access::default();
    let load = Load {
        target,
        address,
        width,
        access,
    };
    assert_eq!(about(load), "in P0: there is no register r4");
    let value = RegisterId(4).into();
    let store = Store {
        address,
        value,
        width,
        access,
    };
    assert_eq!(about(store), "in P0: there is no register r4");
    let nowhere = Assert {
        condition: ObjectId(9).into(),
    };
    assert_eq!(about(nowhere), "in P0: there is no object9");
    let call = |callee, targets: &[RegisterId], arguments: &[Operand]| {
        about(Call {
            targets: targets.to_vec(),
            callee,
            arguments: arguments.to_vec(),
        })
    };
    let function = |id| Callee::Function(FunctionId(id));
    assert_eq!(call(function(9), &[], &[]), "in P0: there is no fn9");
    assert_eq!(
        call(function(1), &[], &[]),
        "in P0: f takes 1 arguments, not 0"
    );
    assert_eq!(
        call(function(1), &[R, RegisterId(4)], &[X]),
        "in P0: there is no register r4"
    );
    assert_eq!(
        call(function(1), &[R, R], &[X]),
        "in P0: r is written twice"
    );
    let pointer = Callee::Pointer(RegisterId(4).into());
    assert_eq!(call(pointer, &[], &[]), "in P0: there is no register r4");
    let exit = Callee::Routine(Routine::ThreadExit);
    assert_eq!(
        call(exit, &[], &[]),
        "in P0: pthread_exit takes 1 arguments, not 0"
    );
    assert_eq!(
        call(exit, &[R], &[X]),
        "in P0: pthread_exit does not have this many results"
    );
}

#[test]
fn accesses_are_ordered_and_aligned_as_they_can_be() {
    use InstructionKind::*;
    let (address, width, target) = (X, Width::W32, R);
    let load = |access| {
        about(Load {
            target,
            address,
            width,
            access,
        })
    };
    let order = |order| Access::ordered(order, 4);
    let message = "in P0: no load can be release";
    assert_eq!(load(order(MemoryOrder::Release)), message);
    let alignment = 64;
    let aligned = Access {
        alignment,
        ..Access::default()
    };
    assert_eq!(
        load(aligned),
        "in P0: no access can be aligned to 2^64 bytes"
    );
    let store = Store {
        address,
        value: X,
        width,
        access: order(MemoryOrder::AcquireRelease),
    };
    assert_eq!(about(store), "in P0: no store can be acq_rel");
    let exchange = CompareExchange {
        target,
        address,
        expected: X,
        desired: X,
        width,
        access: order(MemoryOrder::AcquireRelease),
        failure: MemoryOrder::Release,
        weak: false,
        succeeded: None,
    };
    assert_eq!(
        about(exchange),
        "in P0: no failed compare-and-exchange can be release"
    );
}

#[test]
fn widths_fit() {
    use InstructionKind::*;
    let (target, address) = (R, X);
    let store = Store {
        address,
        value: X,
        width: Width::BIT,
        access: Access::default(),
    };
    assert_eq!(about(store), "in P0: no access can be i1");
    let narrow = "in P0: r is i32, too narrow for i64";
    assert_eq!(
        about(Load {
            target,
            address,
            width: Width::W64,
            access: Access::default(),
        }),
        narrow
    );
    assert_eq!(
        about(Update {
            target,
            operation: UpdateOp::Nand,
            address,
            operand: X,
            width: Width::W64,
            access: Access::default(),
        }),
        narrow
    );
    let ones = Expression::Unary(Unary::CountOnes, Width::W64, X);
    assert_eq!(
        about(Assign {
            target,
            value: ones
        }),
        narrow
    );
    let add = |width| Expression::Binary(Binary::Add, width, X, X);
    assert_eq!(
        about(Assign {
            target,
            value: add(Width::W64)
        }),
        narrow
    );
    // The result of a comparison is one bit, however wide its operands.
    let mut program = sound();
    let value = Expression::Binary(Binary::Eq, Width::W64, X, X);
    let span = Span::NOWHERE;
    let kind = Assign { target, value };
    program.functions[0].blocks[0]
        .instructions
        .push(program::Instruction { kind, span });
    assert_eq!(program.validate(), Ok(()));
}

#[test]
fn choices_make_sense() {
    let choose = InstructionKind::Choose {
        target: R,
        count: 0u64.into(),
    };
    assert_eq!(about(choose), "in P0: a choice among nothing");
}

fn with_condition(program: &mut Program, formula: Formula) {
    program.properties.condition = Some(Condition {
        quantifier: Quantifier::Exists,
        property: Property {
            formula,
            span: Span::NOWHERE,
        },
    });
}

#[test]
fn properties_speak_of_what_exists() {
    let location = |location| Observable {
        name: "it".to_owned(),
        location,
        width: Width::W32,
        signed: true,
    };
    let offset = ObservedLocation::Memory(Address {
        object: ObjectId(0),
        offset: 2,
    });
    let observe = |observable| complaint(|p| p.observed.push(observable));
    assert_eq!(observe(location(offset)), "it is no memory cell");
    let mut wide = location(ObservedLocation::Memory(Address::of(ObjectId(0))));
    wide.width = Width::W64;
    assert_eq!(observe(wide), "it is no memory cell");
    let register = location(ObservedLocation::Register(ThreadId(0), RegisterId(4)));
    assert_eq!(observe(register), "there is no register r4");
    let thread = location(ObservedLocation::Register(ThreadId(4), R));
    assert_eq!(observe(thread), "there is no thread P4");

    let formula = |formula| complaint(|p| with_condition(p, Formula::Not(Box::new(formula))));
    let compare = |term| Formula::Compare(Comparison::Equal, Term::Number(0), term);
    let value = compare(Term::Value(location(offset)));
    assert_eq!(formula(value), "it is no memory cell");
    let address = Address::of(ObjectId(9));
    let address = compare(Term::Address(address, "it".to_owned()));
    assert_eq!(formula(address), "there is no object9");
    let label = Position::Label(BlockId(9), "L".to_owned());
    let label = Formula::At(ThreadId(0), label);
    assert_eq!(formula(label), "there is no block9");
    let end = Formula::At(ThreadId(4), Position::End);
    assert_eq!(formula(end), "there is no thread P4");
}
