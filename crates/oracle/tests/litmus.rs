//! Classic litmus tests, with the models that allow their weak outcome.

use OracleModel::*;
use oracle::generate::{GeneratedProgram, Statement, Value, build};
use oracle::{OracleModel, StoreDependence, outcomes, outcomes_with};
use program::{
    Address, Binary, Expression, InstructionKind, Orderings, Program, ProgramBuilder, Terminator,
    ThreadId, UpdateOp, Width, Word,
};
use std::collections::BTreeSet;

const X: u8 = 0;
const Y: u8 = 1;
const Z: u8 = 2;
const ALL: Orderings = Orderings::ALL;
const LOAD_LOAD: Orderings = Orderings::LOAD_LOAD;
const STORE_LOAD: Orderings = Orderings::STORE_LOAD;
const STORE_STORE: Orderings = Orderings::STORE_STORE;
const BUFFERED: [OracleModel; 4] = [Tso, Pso, Rmo, Relaxed];
const REORDERED: [OracleModel; 2] = [Rmo, Relaxed];

fn load(target: u8, place: u8) -> Statement {
    Statement::Load { target, place }
}

fn store(place: u8, constant: Word) -> Statement {
    let value = Value::Constant(constant);
    Statement::Store { place, value }
}

fn store_register(place: u8, register: u8) -> Statement {
    let value = Value::Register(register);
    Statement::Store { place, value }
}

fn fence(orderings: Orderings) -> Statement {
    Statement::Fence(orderings)
}

/// Passes over the next statement unless the register is 1.
fn only_if_one(register: u8) -> Statement {
    Statement::Branch {
        register,
        equal: false,
        constant: 1,
        skip: 1,
    }
}

fn update(target: u8, operation: UpdateOp, place: u8, constant: Word) -> Statement {
    Statement::Update {
        target,
        operation,
        place,
        value: Value::Constant(constant),
        locked: false,
    }
}

fn locked_exchange(target: u8, place: u8, constant: Word) -> Statement {
    Statement::Update {
        target,
        operation: UpdateOp::Exchange,
        place,
        value: Value::Constant(constant),
        locked: true,
    }
}

/// Threads over `x`, `y` and `z`, all zero at first.
fn litmus<const N: usize>(threads: [&[Statement]; N]) -> Program {
    build(&GeneratedProgram {
        places: 3,
        array: false,
        threads: threads.iter().map(|thread| thread.to_vec()).collect(),
    })
}

/// Whether an outcome has values like `0:r0=1 x=2`.
fn matches(program: &Program, outcome: &[Word], wanted: &str) -> bool {
    wanted.split_whitespace().all(|equation| {
        let (name, value) = equation.split_once('=').unwrap();
        outcome[column(program, name)] == value.parse::<Word>().unwrap()
    })
}

fn column(program: &Program, name: &str) -> usize {
    let names = program.observed.iter().map(|observable| &observable.name);
    names.into_iter().position(|n| n == name).unwrap()
}

fn allowed_by(program: &Program, wanted: &str) -> Vec<OracleModel> {
    OracleModel::ALL
        .into_iter()
        .filter(|&model| {
            outcomes(program, model)
                .iter()
                .any(|outcome| matches(program, outcome, wanted))
        })
        .collect()
}

#[test]
fn store_buffering() {
    let sb = litmus([&[store(X, 1), load(0, Y)], &[store(Y, 1), load(0, X)]]);
    assert_eq!(allowed_by(&sb, "0:r0=0 1:r0=0"), BUFFERED);
    assert_eq!(allowed_by(&sb, "0:r0=1 1:r0=1"), OracleModel::ALL);
}

#[test]
fn store_buffering_with_fences() {
    for (orderings, allowed) in [
        (ALL, [].as_slice()),
        (STORE_LOAD, &[]),
        (ALL.minus(STORE_LOAD), &BUFFERED),
    ] {
        let sb = litmus([
            &[store(X, 1), fence(orderings), load(0, Y)],
            &[store(Y, 1), fence(orderings), load(0, X)],
        ]);
        assert_eq!(allowed_by(&sb, "0:r0=0 1:r0=0"), allowed, "{orderings}");
    }
}

/// A load may read its thread's own store early, which orders neither.
#[test]
fn store_buffering_with_forwarding() {
    let sb = litmus([
        &[store(X, 1), load(0, X), load(1, Y)],
        &[store(Y, 1), load(0, Y), load(1, X)],
    ]);
    assert_eq!(allowed_by(&sb, "0:r0=1 0:r1=0 1:r0=1 1:r1=0"), BUFFERED);
    assert_eq!(allowed_by(&sb, "0:r0=0"), []);
}

/// An update is a load too, so TSO and PSO keep it before a later load.
#[test]
fn store_buffering_with_updates() {
    let swap = |place| update(1, UpdateOp::Exchange, place, 1);
    let sb = litmus([&[swap(X), load(0, Y)], &[swap(Y), load(0, X)]]);
    assert_eq!(allowed_by(&sb, "0:r0=0 1:r0=0"), REORDERED);
    let sb = litmus([
        &[locked_exchange(1, X, 1), load(0, Y)],
        &[locked_exchange(1, Y, 1), load(0, X)],
    ]);
    assert_eq!(allowed_by(&sb, "0:r0=0 1:r0=0"), []);
}

#[test]
fn message_passing() {
    let mp = litmus([&[store(X, 1), store(Y, 1)], &[load(0, Y), load(1, X)]]);
    assert_eq!(allowed_by(&mp, "1:r0=1 1:r1=0"), [Pso, Rmo, Relaxed]);
    let writer = [store(X, 1), fence(STORE_STORE), store(Y, 1)];
    let mp = litmus([&writer, &[load(0, Y), load(1, X)]]);
    assert_eq!(allowed_by(&mp, "1:r0=1 1:r1=0"), REORDERED);
    let mp = litmus([&writer, &[load(0, Y), fence(LOAD_LOAD), load(1, X)]]);
    assert_eq!(allowed_by(&mp, "1:r0=1 1:r1=0"), []);
}

/// Loads are speculated past branches; loads do wait for their address.
#[test]
fn message_passing_with_dependencies() {
    let writer = [store(Y, 1), fence(STORE_STORE), store(X, 1)];
    let control = litmus([&writer, &[load(0, X), only_if_one(0), load(1, Y)]]);
    assert_eq!(allowed_by(&control, "1:r0=1 1:r1=0"), REORDERED);
    let indirect = Statement::LoadIndirect {
        target: 1,
        index: 0,
    };
    let address = litmus([&writer, &[load(0, X), indirect]]);
    assert_eq!(allowed_by(&address, "1:r0=1 1:r1=0"), [Relaxed]);
    assert_eq!(allowed_by(&address, "1:r0=1 1:r1=1"), OracleModel::ALL);
}

/// Stores are not speculated.
#[test]
fn store_after_branch() {
    let writer = [store(X, 2), fence(STORE_STORE), store(Y, 1)];
    let s = litmus([&writer, &[load(0, Y), store(X, 1)]]);
    assert_eq!(allowed_by(&s, "1:r0=1 x=2"), REORDERED);
    let control = litmus([&writer, &[load(0, Y), only_if_one(0), store(X, 1)]]);
    assert_eq!(allowed_by(&control, "1:r0=1 x=2"), [Relaxed]);
}

#[test]
fn load_buffering() {
    let lb = litmus([&[load(0, X), store(Y, 1)], &[load(0, Y), store(X, 1)]]);
    assert_eq!(allowed_by(&lb, "0:r0=1 1:r0=1"), REORDERED);
}

/// With data dependencies nothing comes out of thin air; a dependency without
/// effect counts all the same, but not one through a register that was reused.
#[test]
fn load_buffering_with_dependencies() {
    let copy = [
        [load(0, X), store_register(Y, 0)],
        [load(0, Y), store_register(X, 0)],
    ];
    let thin_air = litmus([&copy[0], &copy[1]]);
    assert_eq!(outcomes(&thin_air, Rmo), outcomes(&thin_air, Sc));
    assert_eq!(outcomes(&thin_air, Sc).len(), 1);

    let one = Statement::AddDependency {
        target: 1,
        source: 0,
        constant: 1,
    };
    let dependent = |from, to| [load(0, from), one, store_register(to, 1)];
    let lb = litmus([&dependent(X, Y), &dependent(Y, X)]);
    assert_eq!(allowed_by(&lb, "0:r0=1 1:r0=1"), [Relaxed]);

    let reused = |from, to| {
        [
            load(0, from),
            load(1, from),
            load(0, Z),
            store_register(to, 0),
        ]
    };
    let lb = litmus([&[store(Z, 1)], &reused(X, Y), &reused(Y, X)]);
    assert_eq!(allowed_by(&lb, "1:r1=1 2:r1=1"), REORDERED);
}

#[test]
fn independent_reads_of_independent_writes() {
    let iriw = |between: &[Statement]| {
        let reader = |first, second| [&[load(0, first)], between, &[load(1, second)]].concat();
        litmus([&[store(X, 1)], &[store(Y, 1)], &reader(X, Y), &reader(Y, X)])
    };
    let weak = "2:r0=1 2:r1=0 3:r0=1 3:r1=0";
    assert_eq!(allowed_by(&iriw(&[]), weak), REORDERED);
    assert_eq!(allowed_by(&iriw(&[fence(LOAD_LOAD)]), weak), []);
}

#[test]
fn coherence() {
    let corr = litmus([&[store(X, 1)], &[load(0, X), load(1, X)]]);
    assert_eq!(allowed_by(&corr, "1:r0=1 1:r1=0"), REORDERED);
    let coww = litmus([&[store(X, 1), store(X, 2)]]);
    assert_eq!(allowed_by(&coww, "x=1"), []);
    let corw = litmus([&[load(0, X), store(X, 1)]]);
    assert_eq!(allowed_by(&corw, "0:r0=1"), []);
    let cowr = litmus([&[store(X, 1), load(0, X)], &[store(X, 2)]]);
    assert_eq!(allowed_by(&cowr, "0:r0=0"), []);
    assert_eq!(allowed_by(&cowr, "0:r0=2 x=1"), []);
    let corw = litmus([&[load(0, X), store(X, 1)], &[store(X, 2)]]);
    assert_eq!(allowed_by(&corw, "0:r0=2 x=2"), []);
}

#[test]
fn two_plus_two_writes() {
    let test = litmus([&[store(X, 1), store(Y, 2)], &[store(Y, 1), store(X, 2)]]);
    assert_eq!(allowed_by(&test, "x=1 y=1"), [Pso, Rmo, Relaxed]);
}

#[test]
fn updates_are_atomic() {
    let add = [update(0, UpdateOp::Add, X, 1)];
    let sum = litmus([&add, &add, &add]);
    for model in OracleModel::ALL {
        let found = outcomes(&sum, model);
        assert_eq!(found.len(), 6, "{model:?}: one for each order");
        assert!(found.iter().all(|outcome| matches(&sum, outcome, "x=3")));
    }
    let compare_exchange = |desired| Statement::CompareExchange {
        target: 0,
        place: X,
        expected: Value::Constant(0),
        desired: Value::Constant(desired),
    };
    let race = litmus([&[compare_exchange(1)], &[compare_exchange(2)]]);
    for model in OracleModel::ALL {
        assert_eq!(outcomes(&race, model).len(), 2);
    }
    assert_eq!(allowed_by(&race, "1:r0=1 x=1"), OracleModel::ALL);
    assert_eq!(allowed_by(&race, "0:r0=0 1:r0=0"), []);
}

/// Under Relaxed a value may come from nowhere, if it is one that occurs.
#[test]
fn thin_air() {
    let copies = [
        [load(0, X), store_register(Y, 0)],
        [load(0, Y), store_register(X, 0)],
    ];
    let nothing_else = litmus([&copies[0], &copies[1]]);
    assert_eq!(outcomes(&nothing_else, Relaxed).len(), 1);

    // The store of 2 never happens.
    let elsewhere = [load(0, Z), only_if_one(0), store(X, 2)];
    let test = litmus([&copies[0], &copies[1], &elsewhere]);
    assert_eq!(allowed_by(&test, "0:r0=2 1:r0=2 2:r0=0"), [Relaxed]);
    assert_eq!(allowed_by(&test, "0:r0=1"), []);

    let fenced = |from, to| {
        [
            load(0, from),
            fence(Orderings::LOAD_STORE),
            store_register(to, 0),
        ]
    };
    let test = litmus([&fenced(X, Y), &fenced(Y, X), &elsewhere]);
    assert_eq!(allowed_by(&test, "0:r0=2"), []);
}

/// Each value is one more than the other: that is no circle, and the sets are finite.
#[test]
fn values_that_would_grow() {
    let add = |from, to| {
        [
            load(0, from),
            store_register(to, 0),
            update(1, UpdateOp::Add, to, 1),
        ]
    };
    let test = litmus([&add(X, Y), &add(Y, X)]);
    let rmo = outcomes(&test, Rmo);
    let relaxed = outcomes(&test, Relaxed);
    assert!(rmo.is_subset(&relaxed));
    assert!(relaxed.iter().flatten().all(|word| *word <= 2));
}

/// A failing compare-and-exchange is a load, which a fence for stores does not order.
#[test]
fn failing_compare_exchange() {
    let writer = [store(X, 1), fence(STORE_STORE), store(Y, 1)];
    let fails = Statement::CompareExchange {
        target: 0,
        place: Y,
        expected: Value::Constant(7),
        desired: Value::Constant(8),
    };
    let mp = |orderings| litmus([&writer, &[fails, fence(orderings), load(1, X)]]);
    let weak = "1:r0=1 1:r1=0";
    assert_eq!(allowed_by(&mp(STORE_LOAD), weak), [Relaxed]);
    assert_eq!(allowed_by(&mp(LOAD_LOAD), weak), []);
}

/// The two readings of (d3) differ where a load is fed by a constant store that
/// hides a store which depends on an earlier load.
#[test]
fn hidden_store() {
    let writer = [store(Y, 1), fence(STORE_STORE), store(X, 1)];
    let indirect = Statement::LoadIndirect {
        target: 2,
        index: 1,
    };
    let reader = [
        load(0, X),
        store_register(Z, 0),
        store(Z, 1),
        load(1, Z),
        indirect,
    ];
    let test = litmus([&writer, &reader]);
    let allows = |dependence| {
        outcomes_with(&test, Rmo, dependence)
            .iter()
            .any(|outcome| matches(&test, outcome, "1:r0=1 1:r1=1 1:r2=0"))
    };
    assert!(!allows(StoreDependence::EveryEarlierStore));
    assert!(allows(StoreDependence::LastEarlierStore));
}

/// Fig. 4 of Park and Dill, with all its outcomes.
#[test]
fn figure_4() {
    const LOAD_LOAD_STORE: Orderings = LOAD_LOAD.union(Orderings::LOAD_STORE);
    let (a, b, c) = (X, Y, Z);
    let program = litmus([
        &[load(0, a), store(b, 1), store(c, 2)],
        &[
            load(0, c),
            fence(LOAD_LOAD_STORE),
            load(1, b),
            fence(Orderings::LOAD_STORE),
            store(a, 3),
        ],
    ]);
    let tso = ["3 0 0", "0 0 0", "0 0 1", "0 2 1"];
    let pso = ["3 0 0", "0 0 0", "0 0 1", "0 2 0", "0 2 1"];
    let rmo = [
        "3 0 0", "0 0 0", "3 0 1", "0 0 1", "3 2 0", "0 2 0", "0 2 1", "3 2 1",
    ];
    for (model, rows) in [(Tso, &tso[..]), (Pso, &pso), (Rmo, &rmo)] {
        let expected: BTreeSet<String> = rows.iter().map(|row| row.to_string()).collect();
        let found = outcomes(&program, model);
        let [r1, rx, ry] = ["0:r0", "1:r0", "1:r1"].map(|name| column(&program, name));
        let r1_rx_ry = |o: &Vec<Word>| format!("{} {} {}", o[r1], o[rx], o[ry]);
        assert_eq!(
            found.iter().map(r1_rx_ry).collect::<BTreeSet<_>>(),
            expected,
            "{model:?}"
        );
        assert!(found.iter().all(|o| matches(&program, o, "x=3 y=1 z=2")));
    }
}

/// Of the choices 0 to 3, those below 3 are assumed, and only 0 and 1 are cells.
#[test]
fn choices_assumptions_and_bad_accesses() {
    let mut program = ProgramBuilder::new("choices");
    let x = program.object("x", Width::W8, 5);
    program.object("y", Width::W8, 6);
    let mut thread = program.thread();
    let choice = thread.register("choice", Width::W32);
    let target = choice;
    thread.push(InstructionKind::Choose {
        target,
        count: 4u64.into(),
    });
    let small = thread.register("small", Width::BIT);
    let less = Expression::Binary(Binary::Ult, Width::W32, choice.into(), 3.into());
    thread.assign(small, less);
    let condition = small.into();
    thread.push(InstructionKind::Assume { condition });
    let address = thread.register("address", Width::W32);
    let stride = u64::from(Address::OFFSET_BITS);
    let shifted = Expression::Binary(Binary::Shl, Width::W32, choice.into(), stride.into());
    thread.assign(address, shifted);
    let sum = Expression::Binary(Binary::Add, Width::W32, address.into(), x.into());
    thread.assign(address, sum);
    let seen = thread.register("seen", Width::W32);
    thread.load(seen, address, Width::W8);
    thread.finish();
    for name in ["choice", "seen"] {
        let register = program.program().functions[0].register_named(name);
        let observable = program
            .program()
            .observable_register(ThreadId(0), register.unwrap());
        program.observe(observable);
    }
    let found = outcomes(&program.finish().unwrap(), Sc);
    assert_eq!(found, BTreeSet::from([vec![0, 5], vec![1, 6]]));
}

#[test]
#[should_panic(expected = "does not support loops")]
fn loops_are_refused() {
    let mut program = ProgramBuilder::new("loop");
    let mut thread = program.thread();
    let block = thread.block("again");
    thread.go_to(block);
    thread.terminate(Terminator::Jump(block));
    thread.finish();
    outcomes(&program.finish().unwrap(), Sc);
}
