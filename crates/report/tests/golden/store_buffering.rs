//! The store-buffering test and what engines find in it, built by hand.

use answer::*;
use program::*;
use std::time::Duration;

pub const TEXT: &str = "\
X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
";

pub const STORE_X: Span = span(4, 2, 10);
pub const LOAD_Y: Span = span(5, 2, 11);
pub const STORE_Y: Span = span(4, 16, 10);
pub const LOAD_X: Span = span(5, 16, 11);

const fn span(line: u32, column: u32, length: u32) -> Span {
    Span {
        file: 0,
        line,
        column,
        length,
    }
}

pub fn x() -> Address {
    Address::of(ObjectId(0))
}

pub fn y() -> Address {
    Address::of(ObjectId(1))
}

pub fn program() -> Program {
    let mut program = ProgramBuilder::new("SB");
    program.source(Source::new("SB.litmus", TEXT));
    let x = program.object("x", Width::W32, 0);
    let y = program.object("y", Width::W32, 0);
    let code = [(x, STORE_X, y, LOAD_Y), (y, STORE_Y, x, LOAD_X)];
    for (mine, store, other, load) in code {
        let mut thread = program.thread();
        let rax = thread.register("RAX", Width::W64);
        thread.at(store).store(mine, 1u64, Width::W32);
        thread.at(load).load(rax, other, Width::W32);
        thread.finish();
    }
    for thread in [0, 1] {
        program.observe(eax(thread));
    }
    program.properties().condition = Some(Condition {
        quantifier: Quantifier::Exists,
        property: Property {
            formula: both_zero(),
            span: span(6, 1, 28),
        },
    });
    program.finish().unwrap()
}

fn eax(thread: u32) -> Observable {
    Observable {
        name: format!("{thread}:EAX"),
        location: ObservedLocation::Register(ThreadId(thread), RegisterId(0)),
        width: Width::W32,
        signed: true,
    }
}

pub fn both_zero() -> Formula {
    let zero =
        |thread| Formula::Compare(Comparison::Equal, Term::Value(eax(thread)), Term::Number(0));
    Formula::And(vec![zero(0), zero(1)])
}

/// The program with another quantifier.
pub fn program_with(quantifier: Quantifier) -> Program {
    let mut program = program();
    program.properties.condition.as_mut().unwrap().quantifier = quantifier;
    program
}

/// The program without its condition.
pub fn program_without_condition() -> Program {
    let mut program = program();
    program.properties.condition = None;
    program
}

fn outcomes(values: &[[Word; 2]]) -> Vec<Outcome> {
    values
        .iter()
        .map(|values| Outcome(values.to_vec()))
        .collect()
}

pub fn step(thread: u32, span: Span, event: Event) -> Step {
    Step::new(ThreadId(thread), span, event)
}

/// An access to a cell.
pub fn access(kind: AccessEvent, location: Address, value: Word) -> Event {
    Event::Access(MemoryAccess::of_cell(kind, location, value, None))
}

/// A read-modify-write of a cell.
pub fn update(location: Address, old: Word, new: Option<Word>) -> Event {
    Event::Access(MemoryAccess::of_cell(
        AccessEvent::Update,
        location,
        old,
        new,
    ))
}

/// A thread that waits for nothing in particular.
pub fn stuck(thread: u32) -> Waiting {
    Waiting {
        thread: ThreadId(thread),
        span: Span::NOWHERE,
        reason: String::new(),
    }
}

/// Both stores wait while both loads read.
pub fn execution() -> Execution {
    let value = 1;
    let steps = vec![
        step(0, STORE_X, access(AccessEvent::Buffer, x(), value)),
        step(0, LOAD_Y, access(AccessEvent::Load, y(), 0)),
        step(1, STORE_Y, access(AccessEvent::Buffer, y(), value)),
        step(1, STORE_Y, access(AccessEvent::Commit, y(), value)),
        step(1, LOAD_X, access(AccessEvent::Load, x(), 0)),
        step(0, STORE_X, access(AccessEvent::Commit, x(), value)),
    ];
    Execution {
        replayed: true,
        ..Execution::new(&program(), steps, None)
    }
}

pub fn under_sc() -> ModelResult {
    ModelResult {
        model: memory::Model::Sc,
        engine: answer::Engine::States,
        machine: "store-buffer",
        verdict: Verdict::Violated,
        bounds: vec![],
        counts: Counts {
            states: 16,
            transitions: 22,
            depth: 4,
            bytes: 384,
            ..Counts::default()
        },
        outcomes: outcomes(&[[0, 1], [1, 0], [1, 1]]),
        observation: Some(Observation {
            positive: 0,
            negative: 3,
        }),
        violation: Some(Violation::NoWitness),
        others: vec![],
        warnings: vec![],
        started: vec![],
        execution: None,
        sequential: answer::Sequential::Unknown,
        time: Duration::from_micros(120),
        portfolio: vec![],
    }
}

pub fn under_tso() -> ModelResult {
    ModelResult {
        model: memory::Model::Tso,
        verdict: Verdict::Holds,
        counts: Counts {
            states: 40,
            transitions: 66,
            depth: 6,
            bytes: 1000,
            ..Counts::default()
        },
        outcomes: outcomes(&[[0, 0], [0, 1], [1, 0], [1, 1]]),
        observation: Some(Observation {
            positive: 1,
            negative: 3,
        }),
        violation: None,
        execution: Some(execution()),
        sequential: answer::Sequential::Unknown,
        time: Duration::from_micros(250),
        ..under_sc()
    }
}

/// A search with a bound that was reached.
pub fn under_rmo() -> ModelResult {
    ModelResult {
        model: memory::Model::Rmo,
        machine: "reorder-box",
        bounds: vec![Bound::ReorderBox(10)],
        execution: None,
        sequential: answer::Sequential::Unknown,
        time: Duration::from_millis(1500),
        ..under_tso()
    }
}
