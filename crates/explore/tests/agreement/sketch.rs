//! Small random programs of several threads, as plain data that shrinks well.
//!
//! Threads race on a few cells through loads, stores, read-modify-writes and
//! compare-exchanges, of several memory orders, whole cells and parts of them, with
//! dependencies, conditions, fences and locks. [`Sketch::tidy`] cuts what the strategies make
//! to a size at which every interleaving can be tried.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::Union;

/// Cells of four bytes each, which start as zero.
pub const CELLS: u8 = 3;
/// Registers of a thread, which start as zero.
pub const REGISTERS: u8 = 4;

/// A program: `main` starts the threads, runs statements of its own, joins the threads, and
/// observes what they loaded and what memory holds.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sketch {
    /// What `main` does between starting the threads and joining them.
    pub main: Vec<Statement>,
    /// The threads.
    pub threads: Vec<Vec<Statement>>,
    /// Threads that those start first of all, and join in the end; none where there are no statements, or no vector.
    pub children: Vec<Vec<Statement>>,
    /// `main` joins the threads; else it ends before them, perhaps.
    pub joins: bool,
    /// `main` does not look at memory in the end.
    pub forgets: bool,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Load {
        target: u8,
        place: Place,
        order: Order,
    },
    Store {
        place: Place,
        value: Value,
        order: Order,
    },
    /// A fetch-and-add, or an exchange.
    Update {
        target: u8,
        adds: bool,
        place: Place,
        value: Value,
        order: Order,
    },
    CompareExchange {
        target: u8,
        place: Place,
        expected: Value,
        desired: Value,
        order: Order,
        weak: bool,
    },
    Fence(Order),
    /// Runs the body if the register is, or is not, equal to the constant.
    If {
        register: u8,
        equal: bool,
        constant: u8,
        body: Vec<Statement>,
    },
    /// Takes a lock, runs the body if that worked, and gives it back.
    Guarded {
        guard: Guard,
        body: Vec<Statement>,
    },
    /// Runs the body without anything of other threads in between.
    Atomic {
        body: Vec<Statement>,
    },
    /// Adds one to a semaphore, or waits until one can be taken from it.
    Post,
    Wait,
    /// The execution does not count, or fails, unless the register differs from the constant.
    Check {
        fails: bool,
        register: u8,
        constant: u8,
    },
    /// Makes an object, writes it, and stores its address for others; done by the first thread
    /// only.
    Publish {
        constant: u8,
        order: Order,
        /// Writes the object again after that.
        again: bool,
    },
    /// Adds to what nobody else can reach, atomically; done by the first thread only.
    Count,
    /// Loads the address of the object and, if there is one, writes or reads the object, or first one, then the other.
    Follow {
        target: u8,
        writes: bool,
        reads: bool,
    },
    /// Loads the address of the object and, if there is one, reads the object until it is a constant.
    AwaitObject {
        constant: u8,
    },
    /// Waits for another thread to arrive at the barrier.
    Barrier,
    /// Waits on the condition variable, with the first mutex; nothing unless it holds that.
    Sleep,
    /// Wakes one of those that wait on it, or all.
    Wake {
        all: bool,
    },
    /// Loads until the value is not zero, or is zero.
    Await {
        place: Place,
        zero: bool,
    },
    /// Loads two cells through one function until they are equal.
    AwaitEqual {
        first: Place,
        second: Place,
    },
    /// Takes a lock made of a read-modify-write in a loop, runs the body, and gives it back with
    /// a store.
    Spinning {
        exchanges: bool,
        order: Order,
        body: Vec<Statement>,
    },
    /// Frees the object that was published last; done by the first thread only.
    Retire,
    /// A read-modify-write whose result nobody uses.
    Accumulate {
        operation: Operation,
        place: Place,
        value: Value,
        order: Order,
    },
    /// Adds to a place by compare-exchanges, until one succeeds.
    Retry {
        place: Place,
        value: u8,
        order: Order,
        weak: bool,
        /// Each iteration begins with a load; else it goes on with what the exchange found.
        reloads: bool,
        note: Note,
    },
}

/// What an iteration writes into an object of its own before the exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    Nothing,
    /// What it loaded; read after the loop.
    Last,
    /// The same, and others get the object after the loop.
    Linked,
    /// One more than the iteration before it.
    Count,
}

/// What a read-modify-write does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Add,
    Sub,
    Or,
    Xor,
    Max,
}

/// A cell, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The cell; if `index` names a register, cell 0 or 1 by the lowest bit of that.
    pub cell: u8,
    /// An address dependency.
    pub index: Option<u8>,
    /// Which of its bytes.
    pub part: Part,
}

/// Bytes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All four.
    Whole,
    /// The lower two.
    Half,
    /// The lowest.
    First,
    /// The one above it.
    Second,
}

/// A constant, with the value of a register added to it if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The constant.
    pub constant: u8,
    /// The register.
    pub register: Option<u8>,
}

/// A memory order, for loads and stores alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Not atomic; relaxed where only atomic accesses are.
    Plain,
    /// Relaxed.
    Relaxed,
    /// Acquire, release or both.
    Ordered,
    /// Sequentially consistent.
    Sequential,
}

/// How a lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// One of two mutexes.
    Mutex(bool),
    /// The same, without waiting.
    TryMutex(bool),
    /// A spin lock.
    Spin,
    /// A read-write lock, for reading.
    Read,
    /// The same, for writing.
    Write,
    /// The same, for writing, without waiting.
    TryWrite,
}

/// What kind of programs to make.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    /// Locks and semaphores.
    pub locks: bool,
    /// Sections that run without interruption.
    pub sections: bool,
    /// A condition variable and a barrier, with locks.
    pub sleeps: bool,
    /// Loops that wait for a value.
    pub awaits: bool,
    /// Assumptions and assertions.
    pub checks: bool,
    /// Objects that are made on the way.
    pub objects: bool,
    /// Objects that are freed, with the above.
    pub frees: bool,
    /// Locks made of read-modify-writes.
    pub spins: bool,
    /// Read-modify-writes whose results nobody uses, memory that nobody reads, and loops that retry a compare-exchange.
    pub unobserved: bool,
    /// Threads that start others.
    pub children: bool,
    /// Mostly compare-exchanges, of few cells and their parts: what a step uses depends on what came before it.
    pub exchanges: bool,
    /// Most accesses of all threads together; a lock counts as two.
    pub accesses: usize,
}

/// In raw statements: a register that nothing was written to yet.
const FRESH: u8 = REGISTERS;

/// Programs of a shape. They shrink towards few threads of few relaxed loads and stores.
pub fn sketches(shape: Shape) -> impl Strategy<Value = Sketch> {
    let threads = prop_oneof![
        6 => vec(statements(shape, 5), 2),
        4 => vec(statements(shape, 3), 3),
        2 => vec(statements(shape, 2), 4),
    ];
    let main = prop_oneof![4 => Just(Vec::new()), 1 => statements(shape, 2)];
    let one = if shape.exchanges { 5 } else { 1 };
    let details = (
        prop_oneof![one => Just(1), 5 => Just(2), 2 => Just(CELLS)],
        prop::bool::weighted(if shape.exchanges { 0.5 } else { 0.15 }),
        prop::bool::weighted(0.1),
    );
    let children = match shape.children {
        true => vec(statements(shape, 2), 0..=2).boxed(),
        false => Just(Vec::new()).boxed(),
    };
    let threads = (threads, children);
    let forgets = prop::bool::weighted(if shape.unobserved { 0.5 } else { 0.0 });
    (threads, main, details, forgets).prop_map(move |(threads, main, details, forgets)| {
        let ((threads, children), (cells, mixed, leaves)) = (threads, details);
        let mut sketch = Sketch {
            main,
            threads,
            children,
            joins: !leaves,
            forgets,
        };
        sketch.tidy(cells, mixed, shape.accesses);
        sketch
    })
}

/// So many statements at most, each optional so that shrinking can drop it.
fn statements(shape: Shape, most: usize) -> impl Strategy<Value = Vec<Statement>> {
    let statement = prop::option::weighted(0.8, statement(shape));
    vec(statement, most).prop_map(|statements| statements.into_iter().flatten().collect())
}

fn statement(shape: Shape) -> BoxedStrategy<Statement> {
    let access = || access(shape);
    let mut leaves = vec![(30, access().boxed()), (3, fence().boxed())];
    if shape.locks {
        leaves.push((3, Just(Statement::Post).boxed()));
        leaves.push((1, Just(Statement::Wait).boxed()));
    }
    if shape.sections {
        let choices = [
            (2, access().boxed()),
            (1, condition(access().boxed()).boxed()),
        ];
        let body = vec(Union::new_weighted(choices.to_vec()), 1..=2);
        leaves.push((12, body.prop_map(|body| Statement::Atomic { body }).boxed()));
    }
    if shape.sleeps {
        let wake = any::<bool>().prop_map(|all| Statement::Wake { all });
        leaves.push((6, wake.boxed()));
        leaves.push((10, Just(Statement::Sleep).boxed()));
        leaves.push((3, Just(Statement::Barrier).boxed()));
    }
    if shape.checks {
        let check = (prop::bool::weighted(0.3), 0..REGISTERS, 0..=2u8);
        let check = check.prop_map(|(fails, register, constant)| Statement::Check {
            fails,
            register,
            constant,
        });
        leaves.push((8, check.boxed()));
    }
    if shape.objects {
        let publish = (1..=3u8, order(), any::<bool>());
        let publish = publish.prop_map(|(constant, order, again)| Statement::Publish {
            constant,
            order,
            again,
        });
        leaves.push((12, publish.boxed()));
        leaves.push((6, Just(Statement::Count).boxed()));
        let follow = (0..=FRESH, 0..8);
        let follow = follow.prop_map(|(target, access)| Statement::Follow {
            target,
            writes: access < 2,
            reads: access > 0,
        });
        leaves.push((12, follow.boxed()));
    }
    if shape.unobserved {
        let operation = prop_oneof![
            4 => Just(Operation::Add),
            1 => Just(Operation::Sub),
            1 => Just(Operation::Or),
            1 => Just(Operation::Xor),
            1 => Just(Operation::Max),
        ];
        let accumulate = (operation, place(), value(), order());
        let accumulate =
            accumulate.prop_map(|(operation, place, value, order)| Statement::Accumulate {
                operation,
                place,
                value,
                order,
            });
        leaves.push((30, accumulate.boxed()));
        let note = prop_oneof![
            3 => Just(Note::Nothing),
            3 => Just(Note::Last),
            2 => Just(Note::Linked),
            1 => Just(Note::Count),
        ];
        let retry = (
            place(),
            1..=2u8,
            order(),
            any::<bool>(),
            any::<bool>(),
            note,
        );
        let retry = retry.prop_map(
            |(place, value, order, weak, reloads, note)| Statement::Retry {
                place,
                value,
                order,
                // Else there is no end to what may be counted.
                weak: weak && note != Note::Count,
                reloads,
                note,
            },
        );
        leaves.push((10, retry.boxed()));
    }
    if shape.frees {
        leaves.push((6, Just(Statement::Retire).boxed()));
    }
    if shape.awaits && shape.objects {
        let awaiting = (0..=4u8).prop_map(|constant| Statement::AwaitObject { constant });
        leaves.push((12, awaiting.boxed()));
    }
    if shape.awaits {
        let awaiting = (place(), prop::bool::weighted(0.2));
        let awaiting = awaiting.prop_map(|(place, zero)| Statement::Await { place, zero });
        leaves.push((8, awaiting.boxed()));
        let equal = (place(), place());
        let equal = equal.prop_map(|(first, second)| Statement::AwaitEqual { first, second });
        leaves.push((4, equal.boxed()));
    }
    let nested = move |inner: BoxedStrategy<Statement>| {
        let mut choices = vec![(12, inner.clone()), (2, condition(inner.clone()).boxed())];
        if shape.spins {
            let spinning = (any::<bool>(), order(), vec(inner.clone(), 1..=2));
            let spinning = spinning.prop_map(|(exchanges, order, body)| Statement::Spinning {
                exchanges,
                order,
                body,
            });
            choices.push((10, spinning.boxed()));
        }
        if shape.locks {
            let guarded = (guard(), vec(inner, 1..=2));
            let guarded = guarded.prop_map(|(guard, body)| Statement::Guarded { guard, body });
            choices.push((8, guarded.boxed()));
        }
        Union::new_weighted(choices)
    };
    let leaf = Union::new_weighted(leaves);
    leaf.prop_recursive(2, 6, 2, nested).boxed()
}

fn condition(inner: BoxedStrategy<Statement>) -> impl Strategy<Value = Statement> {
    let parts = (0..REGISTERS, any::<bool>(), 0..=2u8, vec(inner, 1..=2));
    parts.prop_map(|(register, equal, constant, body)| Statement::If {
        register,
        equal,
        constant,
        body,
    })
}

fn access(shape: Shape) -> impl Strategy<Value = Statement> {
    let exchanges = if shape.exchanges { 20 } else { 3 };
    let target = || prop_oneof![3 => Just(FRESH), 1 => 0..REGISTERS];
    let load = (target(), place(), order());
    let store = (place(), value(), order());
    let update = (target(), any::<bool>(), place(), value(), order());
    let weak = prop::bool::weighted(0.2);
    let exchange = (target(), place(), expected(), value(), order(), weak);
    prop_oneof![
        15 => load.prop_map(|(target, place, order)| Statement::Load {
            target,
            place,
            order,
        }),
        15 => store.prop_map(|(place, value, order)| Statement::Store {
            place,
            value,
            order,
        }),
        3 => update.prop_map(|(target, adds, place, value, order)| Statement::Update {
            target,
            adds,
            place,
            value,
            order,
        }),
        exchanges => exchange.prop_map(|(target, place, expected, desired, order, weak)| {
            Statement::CompareExchange {
                target,
                place,
                expected,
                desired,
                order,
                weak,
            }
        }),
    ]
}

fn fence() -> impl Strategy<Value = Statement> {
    let order = prop_oneof![1 => Just(Order::Ordered), 2 => Just(Order::Sequential)];
    order.prop_map(Statement::Fence)
}

fn place() -> impl Strategy<Value = Place> {
    let index = prop::option::weighted(0.1, 0..REGISTERS);
    let part = prop_oneof![
        3 => Just(Part::Whole),
        1 => Just(Part::Half),
        2 => Just(Part::First),
        2 => Just(Part::Second),
    ];
    // Taken modulo the number of cells, which divides 6.
    (0..6u8, index, part).prop_map(|(cell, index, part)| Place { cell, index, part })
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![
        10 => Just(Order::Relaxed),
        4 => Just(Order::Plain),
        2 => Just(Order::Ordered),
        1 => Just(Order::Sequential),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let register = prop::option::weighted(0.25, 0..REGISTERS);
    (1..=3u8, register).prop_map(|(constant, register)| Value { constant, register })
}

fn expected() -> impl Strategy<Value = Value> {
    let register = prop::option::weighted(0.2, 0..REGISTERS);
    (0..=2u8, register).prop_map(|(constant, register)| Value { constant, register })
}

fn guard() -> impl Strategy<Value = Guard> {
    prop_oneof![
        8 => Just(Guard::Mutex(false)),
        2 => Just(Guard::Mutex(true)),
        2 => any::<bool>().prop_map(Guard::TryMutex),
        1 => Just(Guard::Spin),
        1 => Just(Guard::Read),
        1 => Just(Guard::Write),
        1 => Just(Guard::TryWrite),
    ]
}

impl Sketch {
    /// Has statements name cells that exist and registers that are written before, and cuts the
    /// program to so many accesses.
    fn tidy(&mut self, cells: u8, mixed: bool, most: usize) {
        self.children.truncate(self.threads.len());
        let sum = |threads: &[Vec<Statement>]| threads.iter().map(|t| weight(t)).sum::<usize>();
        while weight(&self.main) + sum(&self.threads) + sum(&self.children) > most {
            let threads = self.threads.iter_mut().chain(&mut self.children);
            let threads = threads.chain([&mut self.main]);
            let longest = threads.max_by_key(|thread| weight(thread));
            longest.expect("there are threads").pop();
        }
        let threads = self.threads.iter_mut().chain(&mut self.children);
        for thread in threads.chain([&mut self.main]) {
            let mut registers = Registers::default();
            tidy(thread, cells, mixed, &mut registers);
        }
    }
}

/// Accesses of statements, a lock counting as two.
fn weight(statements: &[Statement]) -> usize {
    let one = |statement: &Statement| match statement {
        Statement::Fence(_) | Statement::Check { .. } => 0,
        Statement::If { body, .. } | Statement::Atomic { body } => weight(body),
        Statement::Guarded { body, .. } | Statement::Spinning { body, .. } => 2 + weight(body),
        Statement::Publish { .. }
        | Statement::Follow { .. }
        | Statement::AwaitObject { .. }
        | Statement::AwaitEqual { .. }
        | Statement::Retry { .. } => 2,
        _ => 1,
    };
    statements.iter().map(one).sum()
}

/// The registers that a thread has written so far.
#[derive(Default)]
struct Registers(Vec<u8>);

impl Registers {
    fn write(&mut self, target: &mut u8) {
        if *target == FRESH {
            let unused = (0..REGISTERS).find(|register| !self.0.contains(register));
            *target = unused.unwrap_or(0);
        }
        self.0.push(*target);
    }

    fn read(&self, register: &mut u8) {
        if let Some(last) = self.0.len().checked_sub(1) {
            *register = self.0[last - usize::from(*register) % self.0.len()];
        }
    }

    fn value(&self, value: &mut Value) {
        match &mut value.register {
            Some(_) if self.0.is_empty() => value.register = None,
            Some(register) => self.read(register),
            None => {}
        }
    }

    fn place(&self, place: &mut Place, cells: u8, mixed: bool) {
        place.cell %= cells;
        if !mixed {
            place.part = Part::Whole;
        }
        match &mut place.index {
            Some(_) if self.0.is_empty() => place.index = None,
            Some(register) => self.read(register),
            None => {}
        }
    }
}

fn tidy(statements: &mut [Statement], cells: u8, mixed: bool, registers: &mut Registers) {
    for statement in statements {
        match statement {
            Statement::Load { target, place, .. } => {
                registers.place(place, cells, mixed);
                registers.write(target);
            }
            Statement::Store { place, value, .. } | Statement::Accumulate { place, value, .. } => {
                registers.place(place, cells, mixed);
                registers.value(value);
            }
            Statement::Retry { place, .. } => registers.place(place, cells, mixed),
            Statement::Update {
                target,
                place,
                value,
                ..
            } => {
                registers.place(place, cells, mixed);
                registers.value(value);
                registers.write(target);
            }
            Statement::CompareExchange {
                target,
                place,
                expected,
                desired,
                ..
            } => {
                registers.place(place, cells, mixed);
                registers.value(expected);
                registers.value(desired);
                registers.write(target);
            }
            Statement::If { register, body, .. } => {
                registers.read(register);
                tidy(body, cells, mixed, registers);
            }
            Statement::Check { register, .. } => registers.read(register),
            Statement::Follow { target, .. } => registers.write(target),
            Statement::Guarded { body, .. }
            | Statement::Spinning { body, .. }
            | Statement::Atomic { body } => tidy(body, cells, mixed, registers),
            Statement::Await { place, .. } => registers.place(place, cells, mixed),
            Statement::AwaitEqual { first, second } => {
                registers.place(first, cells, false);
                registers.place(second, cells, false);
            }
            Statement::Fence(_)
            | Statement::Retire
            | Statement::Post
            | Statement::Wait
            | Statement::Publish { .. }
            | Statement::Count
            | Statement::AwaitObject { .. }
            | Statement::Barrier
            | Statement::Sleep
            | Statement::Wake { .. } => {}
        }
    }
}
