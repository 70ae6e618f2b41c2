//! Printed programs read back as what they were, and nothing makes the reader panic.

mod generate;

use generate::Choices;
use program::{
    Address, Binary, Comparison, Condition, Expression, Formula, InstructionKind, Liveness, Object,
    Observable, Operand, Orderings, Place, Position, Program, ProgramBuilder, Property, Quantifier,
    RegisterId, Source, Span, SyncOp, Term, Terminator, ThreadId, UpdateOp, Width, parse,
};
use proptest::prelude::*;

const GOLDEN: &str = r#"program "every kind" from "dir/every kind.litmus"
object x: i32 = 0                        @2:3+1
object a: unsigned i64 = [1, 18446744073709551615, &x]
object "end": i8 = -1
fn worker(argument: i64, "to do": i32) {
  register r: i64
start:
  return r
}
fn P0() {
  register RAX, %o1: i64
  register flag: i1
entry:
  RAX = %o1                              @4:2+10
  RAX = sext i8 0xffffffff               @5:2+3
  flag = slt i32 RAX, 7
  RAX = select flag, RAX, &a+8
  RAX = load i32 &x
  store i64 &a+16, RAX
  RAX = atomic xchg i32 &x, 1
  RAX = cmpxchg i32 &x, 0, 1
  fence #LoadLoad #StoreStore
  fence #None
  RAX = call worker(1, RAX)
  call worker(&x, 2)
  RAX = spawn worker(0, 0)
  join RAX
  %o1 = join RAX
  lock &x
  wait &x, &a
  RAX = allocate 8
  free RAX
  assert flag
  assume flag
  RAX = choose 3
  observe "a b" = RAX
  begin atomic
  end atomic
  branch flag, "end", "the end"          @9:1+2
"end":
  jump entry
"the end":
  return
}
thread 0: P0 runs P0 with RAX = &x, %o1 = 0x10000
thread 1: P0 runs P0
observe 0:RAX
observe 0:EAX = 0:RAX as i32
observe a[1]
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
        signed: true,
        span: Span::new(2, 3, 1),
    });
    let a = program.add_object(Object {
        name: "a".to_owned(),
        cell: Width::W64,
        initial: vec![1, u64::MAX, Address::of(x).to_word()],
        signed: false,
        span: Span::NOWHERE,
    });
    program.object("end", Width::W8, 0xff);
    let mut worker = program.function("worker");
    worker.parameter("argument", Width::W64);
    worker.parameter("to do", Width::W32);
    let r = worker.register("r", Width::W64);
    let start = worker.block("start");
    worker.go_to(start);
    worker.terminate(Terminator::Return(Some(r.into())));
    let worker = worker.finish();

    let mut thread = program.thread();
    let rax = thread.register("RAX", Width::W64);
    let o1 = thread.register("%o1", Width::W64);
    let flag = thread.register("flag", Width::BIT);
    thread.initial(rax, Address::of(x).to_word());
    thread.initial(o1, 0x10000);
    let end = thread.block("end");
    let the_end = thread.block("the end");
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
    thread.load(rax, x, Width::W32);
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
        CompareExchange {
            target: rax,
            address,
            expected: 0u64.into(),
            desired: 1u64.into(),
            width,
        },
        Fence(Orderings::LOAD_LOAD.union(Orderings::STORE_STORE)),
        Fence(Orderings::NONE),
        Call {
            target: Some(rax),
            callee: worker,
            arguments: vec![1u64.into(), rax.into()],
        },
        Call {
            target: None,
            callee: worker,
            arguments: vec![x.into(), 2u64.into()],
        },
        Spawn {
            target: rax,
            callee: worker,
            arguments: vec![0u64.into(), 0u64.into()],
        },
        Join {
            target: None,
            thread: rax.into(),
        },
        Join {
            target: Some(o1),
            thread: rax.into(),
        },
        Sync {
            operation: SyncOp::Lock,
            address,
            mutex: None,
        },
        Sync {
            operation: SyncOp::Wait,
            address,
            mutex: Some(a.into()),
        },
        Allocate {
            target: rax,
            size: 8u64.into(),
        },
        Free {
            address: rax.into(),
        },
        Assert {
            condition: flag.into(),
        },
        Assume {
            condition: flag.into(),
        },
        Choose {
            target: rax,
            count: 3,
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
    thread.terminate(Terminator::Return(None));
    let p0 = thread.finish();
    let mut program = program.program().clone();
    // The builder starts every function with a block `entry`.
    let worker = &mut program.functions[worker.index()];
    worker.blocks.remove(0);
    let mut second = program.threads[0].clone();
    second.initial.clear();
    assert_eq!(second.function, p0);
    program.threads.push(second);
    program.observed = vec![
        program.observable_register(ThreadId(0), rax),
        eax(rax),
        program.observable_cell(a, 1),
    ];
    let formulas = golden_properties(&program, rax, x, a);
    program.properties = formulas;
    program
}

fn eax(rax: RegisterId) -> Observable {
    Observable {
        name: "0:EAX".to_owned(),
        place: Place::Register(ThreadId(0), rax),
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
        place: Place::Memory(Address {
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
fn printing_a_broken_program_does_not_panic() {
    let mut program = golden();
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
    assert_eq!(error(&broken), "line 18: there is no object z");
    let broken = GOLDEN.replace("  jump entry\n", "");
    assert_eq!(
        error(&broken),
        "line 40: the block lacks its `jump`, `branch` or `return`"
    );
    let broken = GOLDEN.replace("  begin atomic", "  return");
    assert_eq!(
        error(&broken),
        "line 38: the block has already ended: a label is missing"
    );
    let broken = GOLDEN.replace("filter x!=-1", "filter x=1 /\\ x=2 \\/ x=3");
    assert_eq!(
        error(&broken),
        "line 50: /\\ and \\/ side by side need parentheses"
    );
    let broken = GOLDEN.replace("choose 3", "choose 0");
    assert_eq!(error(&broken), "line 10: in P0: a choice among nothing");
    let deep = format!("filter {}true", "~".repeat(100_000));
    let broken = GOLDEN.replace("filter x!=-1", &deep);
    assert_eq!(error(&broken), "line 50: the formula is nested too deeply");
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
        for (place, removed, scrap) in changes {
            let chars: Vec<char> = text.chars().collect();
            let at = place.index(chars.len() + 1);
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
