//! Printed programs read back as what they were, and nothing makes the reader panic.

mod generate;

use generate::Choices;
use program::{
    Access, Address, Binary, Callee, Comparison, Condition, Conversion, Expression, Formula,
    InstructionKind, Liveness, MemoryOrder, Object, ObjectKind, Observable, ObservedLocation,
    Operand, Orderings, Position, Program, ProgramBuilder, Property, Quantifier, RegisterId,
    Routine, Source, Span, Term, Terminator, ThreadId, Unary, UpdateOp, Width, parse,
};
use proptest::prelude::*;

const GOLDEN: &str = r#"program "every kind" from "dir/every kind.litmus", "list.h"
object x: i32 = 0                        @2:3+1
object a: unsigned i64 = [1, 18446744073709551615, &x]
object "end": i8 = -1
object text: constant unsigned i8 = [104, 105] and 30 zeros
object mine: own i64 = [] and 2 zeros
object "worker()": code worker unsigned i8 = [] @1/7:8+9
fn worker(argument: i64, "to do": i32) {
  register r: i64
start:
  switch r, start, 1 more, 0xffffffff start
more:
  return r, 2
}
fn P0() {
  register RAX, %o1: i64
  register flag: i1
entry:
  RAX = %o1                              @4:2+10
  RAX = sext i8 0xffffffff               @5:2+3
  flag = slt i32 RAX, 7
  RAX = select flag, RAX, &a+8
  RAX = ctpop i32 RAX
  RAX = fptosi i64 %o1
  RAX = own &mine+8
  RAX = load i32 &x
  RAX = load i32 seq_cst align 4 &x
  store i64 &a+16, RAX
  RAX = atomic xchg i32 &x, 1
  store i64 plain align 8 RAX, 1
  RAX = atomic nand i32 acq_rel &x, 1
  RAX = cmpxchg i32 &x, 0, 1
  RAX, flag = cmpxchg weak i32 acq_rel align 4 or acquire &x, 0, 1
  fence #LoadLoad #StoreStore
  fence #None
  RAX = call worker(1, RAX)
  call worker(&x, 2)
  RAX, %o1 = call worker(0, 0)
  RAX = call *RAX(1)
  call *&"worker()"()
  RAX = call library malloc(8)
  RAX = allocate node 8
  RAX = allocate "" RAX
  assert flag
  assume flag
  RAX = choose 3
  RAX = choose %o1
  observe "a b" = RAX
  begin atomic
  end atomic
  branch flag, "end", "the end"          @9:1+2
"end":
  jump entry
"the end":
  return
"no end":
  unreachable
}
thread 0: P0 runs P0 with RAX = &x, %o1 = 0x10000
thread 1: P0 runs P0
observe 0:RAX
observe 0:EAX = 0:RAX as i32
observe a[1]
observe mine[1]
observe seen = observation as unsigned i16
filter x!=-1
~exists (0:EAX=0 \/ {low = &a+8 as unsigned i8}>=3) /\ ~(a[1]=&x) @12:1+30
invariant ~(0@entry /\ 1@"the end" as "out")
invariant all(1@end)
eventually true
always eventually false \/ &a+4 as "inside"<0:RAX
"#;

/// A program with one of everything.
fn golden() -> Program {
    use InstructionKind::*;
    let mut program = ProgramBuilder::new("every kind");
    program.source(Source::new("dir/every kind.litmus", ""));
    let x = program.add_object(Object {
        name: "x".to_owned(),
        cell: Width::W32,
        initial: vec![0],
        zeros: 0,
        kind: ObjectKind::Shared,
        layout: None,
        signed: true,
        span: Span::new(2, 3, 1),
    });
    let a = program.add_object(Object {
        name: "a".to_owned(),
        cell: Width::W64,
        initial: vec![1, u64::MAX, Address::of(x).to_word()],
        zeros: 0,
        kind: ObjectKind::Shared,
        layout: None,
        signed: false,
        span: Span::NOWHERE,
    });
    program.object("end", Width::W8, 0xff);
    program.add_object(Object {
        name: "text".to_owned(),
        cell: Width::W8,
        initial: b"hi".map(u64::from).to_vec(),
        zeros: 30,
        kind: ObjectKind::Constant,
        layout: None,
        signed: false,
        span: Span::NOWHERE,
    });
    let mine = program.add_object(Object {
        name: "mine".to_owned(),
        cell: Width::W64,
        initial: vec![],
        zeros: 2,
        kind: ObjectKind::PerThread,
        layout: None,
        signed: true,
        span: Span::NOWHERE,
    });
    let code = program.add_object(Object {
        name: "worker()".to_owned(),
        cell: Width::W8,
        initial: vec![],
        zeros: 0,
        kind: ObjectKind::Code(program::FunctionId(0)),
        layout: None,
        signed: false,
        span: Span {
            file: 1,
            ..Span::new(7, 8, 9)
        },
    });
    let mut worker = program.function("worker");
    worker.parameter("argument", Width::W64);
    worker.parameter("to do", Width::W32);
    let r = worker.register("r", Width::W64);
    let start = worker.block("start");
    worker.go_to(start);
    let more = worker.block("more");
    // The builder's first block is removed below.
    worker.terminate(Terminator::Switch {
        value: r.into(),
        cases: vec![(1, program::BlockId(1)), (0xffff_ffff, program::BlockId(0))],
        otherwise: program::BlockId(0),
    });
    worker.go_to(more);
    worker.terminate(Terminator::Return(vec![r.into(), 2u64.into()]));
    let worker = worker.finish();

    let mut thread = program.thread();
    let rax = thread.register("RAX", Width::W64);
    let o1 = thread.register("%o1", Width::W64);
    let flag = thread.register("flag", Width::BIT);
    thread.initial(rax, Address::of(x).to_word());
    thread.initial(o1, 0x10000);
    let end = thread.block("end");
    let the_end = thread.block("the end");
    let no_end = thread.block("no end");
    let a8 = Operand::Address(Address {
        object: a,
        offset: 8,
    });
    thread.at(Span::new(4, 2, 10));
    thread.assign(rax, Expression::Copy(o1.into()));
    thread.at(Span::new(5, 2, 3));
    thread.assign(
        rax,
        Expression::SignExtend(Width::W8, 0xffff_ffffu64.into()),
    );
    thread.at(Span::NOWHERE);
    thread.assign(
        flag,
        Expression::Binary(Binary::Slt, Width::W32, rax.into(), 7u64.into()),
    );
    thread.assign(rax, Expression::Select(flag.into(), rax.into(), a8));
    let ones = Expression::Unary(Unary::CountOnes, Width::W32, rax.into());
    thread.assign(rax, ones);
    let number = Expression::Convert(Conversion::FloatToSigned, Width::W64, o1.into());
    thread.assign(rax, number);
    thread.assign(
        rax,
        Expression::Own(Address {
            object: mine,
            offset: 8,
        }),
    );
    thread.load(rax, x, Width::W32);
    thread.push(Load {
        target: rax,
        address: x.into(),
        width: Width::W32,
        access: Access::ordered(MemoryOrder::SequentiallyConsistent, 4),
    });
    thread.store(
        Address {
            object: a,
            offset: 16,
        },
        rax,
        Width::W64,
    );
    thread.update(rax, UpdateOp::Exchange, x, 1u64, Width::W32);
    let (address, width) = (x.into(), Width::W32);
    for kind in [
        Store {
            address: rax.into(),
            value: 1u64.into(),
            width: Width::W64,
            access: Access::plain(8),
        },
        Update {
            target: rax,
            operation: UpdateOp::Nand,
            address,
            operand: 1u64.into(),
            width,
            access: Access::ordered(MemoryOrder::AcquireRelease, 1),
        },
        CompareExchange {
            target: rax,
            address,
            expected: 0u64.into(),
            desired: 1u64.into(),
            width,
            access: Access::default(),
            failure: MemoryOrder::Relaxed,
            weak: false,
            succeeded: None,
        },
        CompareExchange {
            target: rax,
            address,
            expected: 0u64.into(),
            desired: 1u64.into(),
            width,
            access: Access::ordered(MemoryOrder::AcquireRelease, 4),
            failure: MemoryOrder::Acquire,
            weak: true,
            succeeded: Some(flag),
        },
        Fence(Orderings::LOAD_LOAD.union(Orderings::STORE_STORE)),
        Fence(Orderings::NONE),
        call(&[rax], Callee::Function(worker), &[1u64.into(), rax.into()]),
        call(&[], Callee::Function(worker), &[x.into(), 2u64.into()]),
        call(
            &[rax, o1],
            Callee::Function(worker),
            &[0u64.into(), 0u64.into()],
        ),
        call(&[rax], Callee::Pointer(rax.into()), &[1u64.into()]),
        call(&[], Callee::Pointer(code.into()), &[]),
        call(&[rax], Callee::Routine(Routine::Malloc), &[8u64.into()]),
        Allocate {
            target: rax,
            size: 8u64.into(),
            name: "node".to_owned(),
            layout: None,
        },
        Allocate {
            target: rax,
            size: rax.into(),
            name: String::new(),
            layout: None,
        },
        Assert {
            condition: flag.into(),
        },
        Assume {
            condition: flag.into(),
        },
        Choose {
            target: rax,
            count: 3u64.into(),
        },
        Choose {
            target: rax,
            count: o1.into(),
        },
        Observe {
            name: "a b".to_owned(),
            value: rax.into(),
        },
        AtomicBegin,
        AtomicEnd,
    ] {
        thread.push(kind);
    }
    thread.at(Span::new(9, 1, 2));
    thread.branch(flag, end, the_end);
    thread.go_to(end);
    thread.at(Span::NOWHERE);
    thread.terminate(Terminator::Jump(program::BlockId(0)));
    thread.go_to(the_end);
    thread.terminate(Terminator::Return(vec![]));
    thread.go_to(no_end);
    thread.terminate(Terminator::Unreachable);
    let p0 = thread.finish();
    let mut program = program.program().clone();
    // The builder starts every function with a block `entry`.
    let worker = &mut program.functions[worker.index()];
    worker.blocks.remove(0);
    program.included.push(Source::new("list.h", ""));
    let mut second = program.threads[0].clone();
    second.initial.clear();
    assert_eq!(second.function, p0);
    program.threads.push(second);
    program.observed = vec![
        program.observable_register(ThreadId(0), rax),
        eax(rax),
        program.observable_cell(a, 1),
        program.observable_cell(mine, 1),
        Observable {
            name: "seen".to_owned(),
            location: ObservedLocation::Observation,
            width: Width::W16,
            signed: false,
        },
    ];
    let formulas = golden_properties(&program, rax, x, a);
    program.properties = formulas;
    program
}

fn call(targets: &[RegisterId], callee: Callee, arguments: &[Operand]) -> InstructionKind {
    InstructionKind::Call {
        targets: targets.to_vec(),
        callee,
        arguments: arguments.to_vec(),
    }
}

fn eax(rax: RegisterId) -> Observable {
    Observable {
        name: "0:EAX".to_owned(),
        location: ObservedLocation::Register(ThreadId(0), rax),
        width: Width::W32,
        signed: true,
    }
}

fn golden_properties(
    program: &Program,
    rax: RegisterId,
    x: program::ObjectId,
    a: program::ObjectId,
) -> program::Properties {
    let compare = |sign, a, b| Formula::Compare(sign, a, b);
    let low = Observable {
        name: "low".to_owned(),
        location: ObservedLocation::Memory(Address {
            object: a,
            offset: 8,
        }),
        width: Width::W8,
        signed: false,
    };
    let condition = Formula::And(vec![
        Formula::Or(vec![
            compare(Comparison::Equal, Term::Value(eax(rax)), Term::Number(0)),
            compare(
                Comparison::GreaterOrEqual,
                Term::Value(low),
                Term::Number(3),
            ),
        ]),
        Formula::Not(Box::new(compare(
            Comparison::Equal,
            Term::Value(program.observable_cell(a, 1)),
            Term::Address(Address::of(x), "x".to_owned()),
        ))),
    ]);
    let at = |thread, block, label: &str| {
        Formula::At(
            ThreadId(thread),
            Position::Label(program::BlockId(block), label.to_owned()),
        )
    };
    let property = |formula| Property {
        formula,
        span: Span::NOWHERE,
    };
    program::Properties {
        filter: Some(compare(
            Comparison::NotEqual,
            Term::Value(program.observable_cell(x, 0)),
            Term::Number(-1),
        )),
        condition: Some(Condition {
            quantifier: Quantifier::NotExists,
            property: Property {
                formula: condition,
                span: Span::new(12, 1, 30),
            },
        }),
        invariants: vec![
            property(Formula::Not(Box::new(Formula::And(vec![
                at(0, 0, "entry"),
                at(1, 2, "out"),
            ])))),
            property(Formula::And(vec![Formula::At(ThreadId(1), Position::End)])),
        ],
        liveness: vec![
            Liveness {
                repeatedly: false,
                property: property(Formula::And(vec![])),
            },
            Liveness {
                repeatedly: true,
                property: property(Formula::Or(vec![
                    Formula::Or(vec![]),
                    compare(
                        Comparison::Less,
                        Term::Address(
                            Address {
                                object: a,
                                offset: 4,
                            },
                            "inside".to_owned(),
                        ),
                        Term::Value(program.observable_register(ThreadId(0), rax)),
                    ),
                ])),
            },
        ],
    }
}

#[test]
fn prints_everything_as_expected() {
    let program = golden();
    program.validate().unwrap();
    assert_eq!(program.to_string(), GOLDEN);
}

#[test]
fn reads_everything_back() {
    assert_eq!(parse(GOLDEN).unwrap(), golden());
}

#[test]
fn layouts_do_not_come_back() {
    let mut program = golden();
    program.types.push(program::Type::Scalar {
        size: 4,
        signed: true,
        kind: program::ScalarKind::Integer,
    });
    program.objects[0].layout = Some(program::TypeId(0));
    program.source = Source::new("dir/every kind.litmus", "text");
    assert_eq!(parse(&program.to_string()), Ok(golden()));
}

#[test]
fn printing_a_broken_program_does_not_panic() {
    let mut program = golden();
    for instruction in &mut program.functions[1].blocks[0].instructions {
        if let InstructionKind::Load { access, .. } = &mut instruction.kind {
            access.alignment = 64;
        }
    }
    assert!(parse(&program.to_string()).is_err());
    program.objects.clear();
    program.functions.pop();
    program.functions[0].registers.clear();
    assert!(parse(&program.to_string()).is_err());
}

#[test]
fn errors_name_the_line() {
    let error = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(error(""), "line 1: no program");
    assert_eq!(
        error("\n\nprogram x"),
        "line 3: expected a name in quotes, but found `x`"
    );
    let broken = GOLDEN.replace("load i32 &x", "load i32 &z");
    assert_eq!(error(&broken), "line 26: there is no object z");
    let broken = GOLDEN.replace("align 8", "align 7");
    assert_eq!(error(&broken), "line 30: 7 is no power of 2");
    let broken = GOLDEN.replace("library malloc", "library mallocate");
    assert_eq!(
        error(&broken),
        "line 41: expected a function of the library, but found `mallocate(8)`"
    );
    let broken = GOLDEN.replace("RAX = own", "RAX, %o1 = own");
    assert_eq!(
        error(&broken),
        "line 25: only calls and compare-and-exchanges write several registers"
    );
    let broken = GOLDEN.replace("own &mine", "own &x");
    assert_eq!(error(&broken), "line 15: in P0: no thread has its own x");
    let broken = GOLDEN.replace("@1/7:8+9", "@65536/7:8+9");
    assert_eq!(error(&broken), "line 7: a file's number is at most 65535");
    let broken = GOLDEN.replace("  jump entry\n", "");
    assert_eq!(
        error(&broken),
        "line 52: the block lacks its end, such as `jump` or `return`"
    );
    let broken = GOLDEN.replace("  begin atomic", "  return");
    assert_eq!(
        error(&broken),
        "line 50: the block has already ended: a label is missing"
    );
    let broken = GOLDEN.replace("filter x!=-1", "filter x=1 /\\ x=2 \\/ x=3");
    assert_eq!(
        error(&broken),
        "line 66: /\\ and \\/ side by side need parentheses"
    );
    let broken = GOLDEN.replace("choose 3", "choose 0");
    assert_eq!(error(&broken), "line 15: in P0: a choice among nothing");
    let deep = format!("filter {}true", "~".repeat(100_000));
    let broken = GOLDEN.replace("filter x!=-1", &deep);
    assert_eq!(error(&broken), "line 66: the formula is nested too deeply");
}

/// Text to put into other text: what the reader looks for, and what it does not expect.
const SCRAPS: &[&str] = &[
    "\"",
    "\\",
    "\\u{",
    "}",
    "{",
    "@",
    "@1:2+",
    ":",
    "&",
    "&x",
    "0x",
    "-",
    "99999999999999999999",
    "~",
    "(",
    "é",
    "\n",
    "%",
    "+",
    " as ",
    "[",
    "]",
    "end",
    "0:",
    "1@",
    "i65",
    "i0",
    "#",
    "@1/2:3+4",
    " align 3",
    " or ",
    "acquire",
    "call *",
    "library",
    " and 3 zeros",
    ", ",
    "own ",
    "code ",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn reads_back_what_it_prints(stream in prop::collection::vec(any::<u64>(), 0..250)) {
        let program = generate::program(&mut Choices(stream.into_iter()));
        prop_assert_eq!(program.validate(), Ok(()));
        let text = program.to_string();
        let read = parse(&text);
        prop_assert_eq!(read.as_ref(), Ok(&program), "{}", text);
        prop_assert_eq!(read.unwrap().to_string(), text);
    }

    #[test]
    fn mutated_text_never_panics(
        stream in prop::collection::vec(any::<u64>(), 0..250),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, any::<prop::sample::Index>()), 1..6),
    ) {
        let mut text = generate::program(&mut Choices(stream.into_iter())).to_string();
        for (location, removed, scrap) in changes {
            let chars: Vec<char> = text.chars().collect();
            let at = location.index(chars.len() + 1);
            let rest = chars.iter().skip(at + removed);
            text = chars[..at].iter().collect::<String>() + SCRAPS[scrap.index(SCRAPS.len())] + &rest.collect::<String>();
        }
        if let Ok(program) = parse(&text) {
            prop_assert_eq!(parse(&program.to_string()), Ok(program));
        }
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,80}") {
        let _ = parse(&text);
        let _ = parse(&format!("program \"\" from \"\"\nfn f() {{\na:\n{text}\n}}\nobserve {text}\nfilter {text}"));
    }
}
