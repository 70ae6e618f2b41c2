//! Small random programs, for comparing engines with the oracle.
//!
//! A [`GeneratedProgram`] is plain data that shrinks well; [`build`] makes a
//! [`Program`](program::Program) of it. Threads race on a few cells through loads,
//! stores and updates, with dependencies, forward branches and fences between
//! them. Values and cells are few, so that accesses meet.
//!
//! Strategies make raw statements first and then tidy them: registers are read
//! only after something was loaded into them where possible, and programs are
//! cut to the number of accesses that the oracle decides fast. Tidying is a
//! function of the raw statements, so shrinking goes on working.
//!
//! ```
//! use oracle::{OracleModel, generate, outcomes};
//!
//! let generated = generate::sequence(1).next().unwrap();
//! let program = generate::build(&generated);
//! assert!(!outcomes(&program, OracleModel::Sc).is_empty());
//! ```

mod build;

pub use build::build;

use program::{Orderings, UpdateOp, Word};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::{Union, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::ops::RangeInclusive;

/// Registers that statements name, in each thread.
const REGISTERS: RegisterIndex = 4;
/// In raw statements: a register that nothing was written to yet, so that the
/// outcome shows what was loaded.
const FRESH: RegisterIndex = REGISTERS;
/// Names of the cells that are no array.
const NAMES: [&str; 3] = ["x", "y", "z"];

/// A program as plain data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedProgram {
    /// Number of memory cells, 1 to 3.
    pub places: u8,
    /// The first two cells are one array, `a`, if there are two.
    pub array: bool,
    /// The statements of each thread.
    pub threads: Vec<Vec<Statement>>,
}

/// A register of a thread, below 4.
pub type RegisterIndex = u8;
/// A cell, below [`GeneratedProgram::places`].
pub type PlaceIndex = u8;

/// A value to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A constant.
    Constant(Word),
    /// The value of a register: a data dependency.
    Register(RegisterIndex),
}

/// One statement of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are what they are called")]
pub enum Statement {
    Load {
        target: RegisterIndex,
        place: PlaceIndex,
    },
    Store {
        place: PlaceIndex,
        value: Value,
    },
    /// An exchange or a fetch-and-add, between two full fences if `locked`.
    Update {
        target: RegisterIndex,
        operation: UpdateOp,
        place: PlaceIndex,
        value: Value,
        locked: bool,
    },
    CompareExchange {
        target: RegisterIndex,
        place: PlaceIndex,
        expected: Value,
        desired: Value,
    },
    /// A load of cell `index & 1`: an address dependency.
    LoadIndirect {
        target: RegisterIndex,
        index: RegisterIndex,
    },
    /// A store to cell `index & 1`.
    StoreIndirect {
        index: RegisterIndex,
        value: Value,
    },
    /// `target = (source ^ source) + constant`: a dependency without effect.
    AddDependency {
        target: RegisterIndex,
        source: RegisterIndex,
        constant: Word,
    },
    /// Passes over the next `skip` statements if the register is equal (or is
    /// not equal) to the constant.
    Branch {
        register: RegisterIndex,
        equal: bool,
        constant: Word,
        skip: u8,
    },
    Fence(Orderings),
}

impl Statement {
    /// True if the statement accesses memory, which it does just once.
    pub fn is_access(&self) -> bool {
        use Statement::*;
        !matches!(self, AddDependency { .. } | Branch { .. } | Fence(_))
    }

    fn target_mut(&mut self) -> Option<&mut RegisterIndex> {
        use Statement::*;
        match self {
            Load { target, .. }
            | Update { target, .. }
            | CompareExchange { target, .. }
            | LoadIndirect { target, .. }
            | AddDependency { target, .. } => Some(target),
            Store { .. } | StoreIndirect { .. } | Branch { .. } | Fence(_) => None,
        }
    }
}

/// How large programs get.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Number of threads.
    pub threads: RangeInclusive<usize>,
    /// Most statements in one thread.
    pub statements: usize,
    /// Most memory accesses in all threads together.
    pub accesses: usize,
}

impl Default for Limits {
    /// Two to four threads of up to five statements, with at most eight accesses.
    fn default() -> Self {
        Limits {
            threads: 2..=4,
            statements: 5,
            accesses: 8,
        }
    }
}

/// Programs within `limits`. They shrink towards few threads of few plain loads
/// and stores.
pub fn programs(limits: Limits) -> impl Strategy<Value = GeneratedProgram> {
    let places = prop_oneof![5 => Just(2u8), 1 => Just(1), 2 => Just(3)];
    (places, any::<bool>(), threads(&limits)).prop_map(move |(places, array, threads)| {
        let mut program = GeneratedProgram {
            places,
            array: array && places >= 2,
            threads,
        };
        program.tidy(limits.accesses);
        program
    })
}

/// Raw threads, more often few than many and more often long than short: races
/// need long threads, and the accesses are limited. Statements are optional so
/// that shrinking can drop each.
fn threads(limits: &Limits) -> impl Strategy<Value = Vec<Vec<Statement>>> + use<> {
    let fewest = *limits.threads.start();
    let statement = prop::option::weighted(0.75, statement());
    let thread = vec(statement, limits.statements)
        .prop_map(|statements| statements.into_iter().flatten().collect());
    let up_to = |most| vec(thread.clone(), fewest..=most);
    Union::new(limits.threads.clone().map(up_to))
}

/// The programs of a seed, without end: the same ones each time.
pub fn sequence(seed: u64) -> impl Iterator<Item = GeneratedProgram> {
    sequence_within(seed, Limits::default())
}

/// The same within limits.
pub fn sequence_within(seed: u64, limits: Limits) -> impl Iterator<Item = GeneratedProgram> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let strategy = programs(limits);
    std::iter::from_fn(move || {
        let tree = strategy.new_tree(&mut runner);
        Some(tree.expect("nothing is filtered").current())
    })
}

fn statement() -> impl Strategy<Value = Statement> + Clone {
    use Statement::*;
    let register = || 0..REGISTERS;
    let target = || prop_oneof![3 => Just(FRESH), 1 => register()];
    // Taken modulo the number of cells, which divides 6.
    let place = || 0..6 as PlaceIndex;
    let written = || {
        prop_oneof![
            3 => (1..=3 as Word).prop_map(Value::Constant),
            1 => register().prop_map(Value::Register),
        ]
    };
    let expected = prop_oneof![
        3 => (0..=2 as Word).prop_map(Value::Constant),
        1 => register().prop_map(Value::Register),
    ];
    let operation = prop_oneof![Just(UpdateOp::Exchange), Just(UpdateOp::Add)];
    let update = (
        target(),
        operation,
        place(),
        written(),
        prop::bool::weighted(0.3),
    );
    let compare_exchange = (target(), place(), expected, written());
    let branch = (register(), any::<bool>(), 0..=2 as Word, 1..=3u8);
    prop_oneof![
        28 => (target(), place()).prop_map(|(target, place)| Load { target, place }),
        28 => (place(), written()).prop_map(|(place, value)| Store { place, value }),
        6 => update.prop_map(|(target, operation, place, value, locked)| {
            Update { target, operation, place, value, locked }
        }),
        4 => compare_exchange.prop_map(|(target, place, expected, desired)| {
            CompareExchange { target, place, expected, desired }
        }),
        6 => (target(), register()).prop_map(|(target, index)| LoadIndirect { target, index }),
        4 => (register(), written()).prop_map(|(index, value)| StoreIndirect { index, value }),
        4 => (target(), register(), 0..=3 as Word).prop_map(|(target, source, constant)| {
            AddDependency { target, source, constant }
        }),
        7 => branch.prop_map(|(register, equal, constant, skip)| {
            Branch { register, equal, constant, skip }
        }),
        8 => orderings().prop_map(Fence),
    ]
}

/// Any set of orderings but the empty one; single orderings and the full fence
/// more often.
fn orderings() -> impl Strategy<Value = Orderings> {
    let any = (1..16u8).prop_map(|set| {
        (0..Orderings::NAMED.len())
            .filter(|bit| set & 1 << bit != 0)
            .fold(Orderings::NONE, |all, bit| {
                all.union(Orderings::NAMED[bit].0)
            })
    });
    let single = (0..Orderings::NAMED.len()).prop_map(|bit| Orderings::NAMED[bit].0);
    prop_oneof![3 => any, 2 => single, 2 => Just(Orderings::ALL)]
}

impl GeneratedProgram {
    /// Number of statements that access memory.
    pub fn accesses(&self) -> usize {
        self.threads.iter().map(|thread| accesses(thread)).sum()
    }

    /// Makes a well-formed program of raw statements, with at most `limit` accesses.
    fn tidy(&mut self, limit: usize) {
        while self.accesses() > limit {
            let longest = self.threads.iter_mut().rev().max_by_key(|t| accesses(t));
            longest.expect("some thread has an access").pop();
        }
        for thread in &mut self.threads {
            let mut written = Vec::new();
            let length = thread.len();
            for (index, statement) in thread.iter_mut().enumerate() {
                connect(statement, self.places, &written, length - index - 1);
                if let Some(target) = statement.target_mut() {
                    if *target == FRESH {
                        let mut unused = (0..REGISTERS).filter(|r| !written.contains(r));
                        *target = unused.next().unwrap_or(0);
                    }
                    written.push(*target);
                }
            }
        }
    }
}

fn accesses(thread: &[Statement]) -> usize {
    thread.iter().filter(|s| s.is_access()).count()
}

/// Has a statement name cells that exist, read registers that are written
/// before, and branch no further than the thread's end. Where nothing is written
/// before, it reads zero.
fn connect(statement: &mut Statement, places: u8, written: &[RegisterIndex], following: usize) {
    use Statement::*;
    let source = |register: &mut RegisterIndex| {
        if !written.is_empty() {
            *register = written[written.len() - 1 - *register as usize % written.len()];
        }
    };
    let from_value = |value: &mut Value| match value {
        Value::Register(_) if written.is_empty() => *value = Value::Constant(1),
        Value::Register(register) => source(register),
        Value::Constant(_) => {}
    };
    match statement {
        Load { place, .. } => *place %= places,
        Store { place, value } | Update { place, value, .. } => {
            *place %= places;
            from_value(value);
        }
        CompareExchange {
            place,
            expected,
            desired,
            ..
        } => {
            *place %= places;
            from_value(expected);
            from_value(desired);
        }
        LoadIndirect { index, .. } => source(index),
        StoreIndirect { index, value } => {
            source(index);
            from_value(value);
        }
        AddDependency { source: from, .. } => source(from),
        Branch { register, skip, .. } => {
            source(register);
            *skip = (*skip).min(following as u8);
        }
        Fence(_) => {}
    }
}
