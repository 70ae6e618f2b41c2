//! Loops, dead writes, live registers and names of locations.

use program::{
    Address, Binary, Comparison, Expression, Formula, FunctionId, ObjectId, Program,
    ProgramBuilder, Property, Span, Term, Terminator, Width,
};

/// A thread whose blocks branch as listed; one target jumps, none returns.
fn function_with(edges: &[&[usize]]) -> Program {
    let mut program = ProgramBuilder::new("graph");
    let mut thread = program.thread();
    let r = thread.register("r", Width::W32);
    for index in 1..edges.len() {
        thread.block(&format!("b{index}"));
    }
    for (index, targets) in edges.iter().enumerate() {
        thread.go_to(index.into());
        match **targets {
            [] => thread.terminate(Terminator::Return(vec![])),
            [target] => thread.terminate(Terminator::Jump(target.into())),
            [then, otherwise, ..] => thread.branch(r, then.into(), otherwise.into()),
        }
    }
    thread.finish();
    program.finish().unwrap()
}

#[test]
fn finds_loops() {
    let has_loop = |edges: &[&[usize]]| function_with(edges).functions[0].has_loop();
    assert!(!has_loop(&[&[]]));
    assert!(has_loop(&[&[0]]));
    assert!(has_loop(&[&[1, 2], &[2], &[1]]));
    // Two ways to one block are no loop, and neither is a loop out of reach.
    assert!(!has_loop(&[&[1, 2], &[3], &[3], &[]]));
    assert!(!has_loop(&[&[1, 2], &[2], &[]]));
    assert!(!has_loop(&[&[2], &[1], &[]]));
    assert!(has_loop(&[&[1], &[2, 3], &[0], &[]]));
}

/// `a = 1; flag = a < 2; b = flag; r = load x; r = a` with `observed` observed.
fn writes(observed: &str) -> Program {
    let mut program = ProgramBuilder::new("writes");
    let x = program.object("x", Width::W32, 0);
    let mut thread = program.thread();
    let a = thread.register("a", Width::W32);
    let flag = thread.register("flag", Width::BIT);
    let b = thread.register("b", Width::W32);
    let r = thread.register("r", Width::W32);
    thread.assign(a, Expression::Copy(1u64.into()));
    thread.assign(
        flag,
        Expression::Binary(Binary::Slt, Width::W32, a.into(), 2u64.into()),
    );
    thread.assign(b, Expression::Copy(flag.into()));
    thread.load(r, x, Width::W32);
    thread.assign(r, Expression::Copy(a.into()));
    thread.finish();
    let thread = program::ThreadId(0);
    let register = program.program().functions[0].register_named(observed);
    if let Some(register) = register {
        let observable = program.program().observable_register(thread, register);
        program.observe(observable);
    }
    program.finish().unwrap()
}

fn left(mut program: Program) -> Vec<String> {
    program.remove_dead_writes(|_| false);
    let text = program.to_string();
    let code = text
        .lines()
        .filter(|line| line.contains(" = ") && line.starts_with("  "));
    code.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn removes_writes_that_nothing_reads() {
    // Loads stay: they are events of the execution.
    assert_eq!(left(writes("")), ["r = load i32 &x"]);
    assert_eq!(left(writes("r")), ["a = 1", "r = load i32 &x", "r = a"]);
    assert_eq!(
        left(writes("b")),
        [
            "a = 1",
            "flag = slt i32 a, 2",
            "b = flag",
            "r = load i32 &x"
        ]
    );
}

/// A loop that counts its iterations, and divides by the count or not.
fn counting(divides: &str) -> Program {
    let text = format!(
        "process \"test\" from \"test\"\nobject x: i32 = 0\nfn main() {{\n  register n, r, q: i32\nentry:\n  n = 1\n  jump again\nagain:\n  r = load i32 &x\n  n = add i32 n, 1\n{divides}  branch r, again, done\ndone:\n  return\n}}\nthread 0: main runs main\n"
    );
    program::parse(&text).unwrap()
}

#[test]
fn a_counter_that_only_counts_is_needless() {
    assert_eq!(left(counting("")), ["r = load i32 &x"]);
    // A division may fail, so what it divides by is needed.
    let divides = "  q = udiv i32 6, n\n";
    let all = [
        "n = 1",
        "r = load i32 &x",
        "n = add i32 n, 1",
        "q = udiv i32 6, n",
    ];
    assert_eq!(left(counting(divides)), all);
}

/// A program that does this to the objects x, y and p.
fn doing(body: &str) -> Program {
    let text = format!(
        "process \"test\" from \"test\"\nobject x: i64 = 0\nobject y: i64 = 0\nobject p: i64 = 0\nfn main() {{\n  register r, s: i64\nentry:\n{body}  return\n}}\nthread 0: main runs main\n"
    );
    program::parse(&text).unwrap()
}

/// The code of a program without what nobody reads.
fn code_without_unread(body: &str, stores_overtake: bool) -> Option<Vec<String>> {
    let program = doing(body).without_unread(stores_overtake)?;
    program.validate().unwrap();
    let text = program.to_string();
    let code = text.lines().skip_while(|line| !line.starts_with("entry"));
    let code = code.skip(1).take_while(|line| !line.contains("return"));
    let code = code.map(|line| line.trim().to_owned());
    Some(code.filter(|line| !line.contains(" = own ")).collect())
}

#[test]
fn a_counter_in_memory_that_only_counts_is_forgotten() {
    let counts = "  r = load i64 plain &x\n  r = add i64 r, 1\n  store i64 plain &x, r\n";
    let code = code_without_unread(counts, true).unwrap();
    assert_eq!(code.len(), 1, "{code:?}");
    assert!(code[0].starts_with("r = load"), "{code:?}");
    // Where stores keep their order, such a load orders nothing.
    assert!(code_without_unread(counts, false).unwrap().is_empty());
    // What goes from one such object to another is not needed either.
    let copies = "  r = load i64 plain &x\n  store i64 plain &y, r\n";
    assert_eq!(code_without_unread(copies, true).unwrap().len(), 1);
    // Read-modify-writes order others.
    let updates = "  r = atomic add i64 relaxed &x, 1\n";
    let code = code_without_unread(updates, true).unwrap();
    assert_eq!(code.len(), 1, "{code:?}");
    assert!(
        code[0].contains("or i64") && code[0].contains(", 0"),
        "{code:?}"
    );
}

#[test]
fn what_is_read_stays() {
    for body in [
        "  r = load i64 plain &x\n  assert r\n",
        "  store i64 plain &x, 1\n  r = load i64 plain &x\n  s = load i64 plain r\n",
        "  r = &x\n  store i64 plain r, 1\n",
        "  store i64 plain &p, &x\n  r = load i64 plain &p\n  assert r\n",
        "  r = load i64 plain &x\n  store i64 plain &y, r\n  r = load i64 plain &y\n  assert r\n",
    ] {
        let code = code_without_unread(body, false);
        let kept = |code: Vec<String>| {
            let lines = body.lines().map(str::trim);
            lines
                .filter(|line| line.contains("&x"))
                .all(|line| code.contains(&line.to_owned()))
        };
        assert!(code.is_none_or(kept), "{body}");
    }
}

#[test]
fn keeps_what_an_invariant_speaks_of() {
    let mut program = writes("r");
    let flag = program.functions[0].register_named("flag").unwrap();
    let flag = program.observable_register(program::ThreadId(0), flag);
    program.properties.invariants.push(Property {
        formula: Formula::Compare(Comparison::Equal, Term::Value(flag), Term::Number(0)),
        span: Span::NOWHERE,
    });
    assert_eq!(
        left(program),
        ["a = 1", "flag = slt i32 a, 2", "r = load i32 &x", "r = a"]
    );
}

#[test]
fn loops_keep_registers_alive() {
    let program = function_with(&[&[0, 1], &[]]);
    let live = program.live_registers(FunctionId(0));
    let r = program.functions[0].register_named("r").unwrap();
    assert!(live.before(0, 0).contains(r));
    assert!(!live.before(1, 0).contains(r));
}

#[test]
fn places_have_names() {
    let mut program = ProgramBuilder::new("locations");
    program.object("x", Width::W32, 0);
    let array = program.add_object(program::Object {
        name: "a".to_owned(),
        cell: Width::W16,
        initial: vec![0],
        zeros: 1,
        kind: program::ObjectKind::Shared,
        layout: None,
        signed: false,
        span: Span::NOWHERE,
    });
    let program = program.finish().unwrap();
    let name = |object, offset| program.location_name(Address { object, offset });
    assert_eq!(name(ObjectId(0), 0), "x");
    assert_eq!(name(array, 2), "a[1]");
    assert_eq!(name(array, 1), "a+1");
    assert_eq!(name(array, 4), "a+4");
    assert_eq!(name(ObjectId(9), 0), "0x40900000");
    let text = |word, signed| program.word_text(word, Width::W32, signed);
    assert_eq!(text(0xffff_ffff, true), "-1");
    assert_eq!(text(0xffff_ffff, false), "4294967295");
    assert_eq!(text(0x4010_0002, true), "a[1]");
    assert_eq!(text(0x4010_0001, true), "1074790401");
}
