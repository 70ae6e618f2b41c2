//! What the machines for litmus tests make of programs that come from elsewhere: memory
//! orders become fences, and what they do not run they refuse.

use machine::{Executable, Op, Unsupported};
use program::{Orderings, Program, Span, parse};

fn program(objects: &str, code: &str) -> Program {
    let text = format!(
        "program \"test\" from \"test\"\n{objects}\nfn f(a: i64) {{\nb:\nreturn\n}}\n\
         fn P0() {{\nregister r, s: i64\nentry:\n{code}\n}}\nthread 0: P0 runs P0\nobserve 0:r\n"
    );
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The fences before and after the one access of the code.
fn fences(access: &str) -> (Orderings, Orderings) {
    let program = program("object x: i32 = 0", &format!("{access}\nreturn"));
    let executable = Executable::new(&program).expect("accesses run");
    let code = &executable.threads[0];
    let lengths = [code.operands.len(), code.spans.len(), code.dead.len()];
    assert_eq!(lengths, [code.ops.len(); 3]);
    let is_access = |op: &Op| matches!(op, Op::Access(_));
    let at = code.ops.iter().position(is_access).expect("an access");
    let union = |ops: &[Op]| {
        let fences = ops.iter().filter_map(|op| match op {
            Op::Fence(orderings) => Some(*orderings),
            _ => None,
        });
        fences.fold(Orderings::NONE, Orderings::union)
    };
    (union(&code.ops[..at]), union(&code.ops[at + 1..]))
}

#[test]
fn memory_orders_become_fences() {
    let none = Orderings::NONE;
    let acquire = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);
    let release = Orderings::LOAD_STORE.union(Orderings::STORE_STORE);
    assert_eq!(fences("r = load i32 &x"), (none, none));
    assert_eq!(fences("r = load i32 plain align 4 &x"), (none, none));
    assert_eq!(fences("r = load i32 acquire &x"), (none, acquire));
    assert_eq!(fences("store i32 release &x, 1"), (release, none));
    assert_eq!(
        fences("store i32 seq_cst &x, 1"),
        (release, Orderings::STORE_LOAD)
    );
    assert_eq!(
        fences("r = atomic add i32 acq_rel &x, 1"),
        (release, acquire)
    );
    assert_eq!(
        fences("r = cmpxchg i32 release or acquire &x, 0, 1"),
        (release, acquire)
    );
    assert_eq!(
        fences("r = cmpxchg i32 seq_cst or seq_cst &x, 0, 1"),
        (release, Orderings::ALL)
    );
}

/// A label stands before the fences of the access behind it.
#[test]
fn blocks_start_before_their_fences() {
    let code = "store i32 seq_cst &x, 1\njump next\nnext:\nstore i32 release &x, 2\nreturn";
    let executable = Executable::new(&program("object x: i32 = 0", code)).expect("it runs");
    let code = &executable.threads[0];
    assert_eq!(code.starts, [0, 4]);
    assert!(matches!(code.ops[3], Op::Jump(4)));
    assert!(matches!(code.ops[4], Op::Fence(_)));
}

#[test]
fn further_cells_are_zero() {
    let program = program(
        "object x: i32 = [7] and 2 zeros\nobject y: i8 = 1",
        "return",
    );
    let cells = Executable::new(&program).expect("it runs").cells;
    assert_eq!(cells.initial, [7, 0, 0, 1]);
    assert_eq!(cells.addresses.len(), 4);
    assert_eq!(cells.addresses[2].offset, 8);
}

#[test]
fn what_the_machines_do_not_run_they_refuse() {
    let refusal = |objects: &str, code: &str| {
        let error = Executable::new(&program(objects, code)).unwrap_err();
        (error.what, error.span)
    };
    let span = Span::new(5, 6, 7);
    let object = "object x: i32 = 0";
    for (code, what) in [
        ("call f(1)", "a call"),
        ("r = call *r()", "a call"),
        ("r = call library malloc(8)", "a call"),
        ("r = allocate p 8", "dynamic memory"),
        ("observe seen = r", "observing a value on the way"),
        ("begin atomic", "an atomic section"),
        ("r = udiv i32 r, s", "division"),
        ("r = srem i32 r, 0", "division"),
        (
            "r = choose s",
            "a choice among a number of values that is computed",
        ),
        (
            "r = choose 0x100000000",
            "a choice among more than 2^32 values",
        ),
        (
            "r = cmpxchg weak i32 &x, 0, 1",
            "a weak compare-and-exchange",
        ),
        (
            "r, s = cmpxchg i32 &x, 0, 1",
            "a compare-and-exchange that tells whether it wrote",
        ),
        (
            "r = load i32 align 8 &x",
            "an access that is aligned to more than its width",
        ),
    ] {
        let code = format!("{code} @5:6+7\nreturn");
        assert_eq!(refusal(object, &code), (what, span), "{code}");
    }
    for (end, what) in [
        ("switch r, entry, 1 entry", "a switch"),
        ("unreachable", "code that must not be reached"),
    ] {
        let code = format!("{end} @5:6+7");
        assert_eq!(refusal(object, &code), (what, span), "{code}");
    }
    let own = "objects of which each thread has its own";
    for (object, what) in [
        ("object x: constant i32 = 0 @5:6+7", "constant objects"),
        ("object x: own i32 = 0 @5:6+7", own),
        (
            "object x: code f unsigned i8 = [] @5:6+7",
            "objects that stand for functions",
        ),
        (
            "object x: i8 = [] and 4097 zeros @5:6+7",
            "objects of more than 4096 bytes",
        ),
    ] {
        assert_eq!(refusal(object, "return"), (what, span), "{object}");
    }
    let code = "r = own &x @5:6+7\nreturn";
    assert_eq!(refusal("object x: own i32 = 0", code), (own, span));
}

#[test]
fn values_observed_on_the_way_are_refused() {
    let text = "program \"\" from \"\"\nfn P0() {\nentry:\nreturn\n}\nthread 0: P0 runs P0\n";
    for line in [
        "observe seen = observation as i32\n",
        "exists {seen = observation as i32}=1\n",
        "invariant {seen = observation as i32}=1\n",
    ] {
        let program = parse(&format!("{text}{line}")).expect("a program");
        let expected = Unsupported {
            what: "observing a value on the way",
            span: Span::NOWHERE,
        };
        assert_eq!(Executable::new(&program).err(), Some(expected));
    }
}
