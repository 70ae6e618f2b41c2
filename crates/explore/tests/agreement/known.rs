//! Small programs of which the number of traces is known.

use crate::MODELS;
use crate::interleavings::{Ending, executions};
use crate::sketch::{Guard, Order, Part, Place, Sketch, Statement, Value};
use crate::text::program;
use memory::Model;
use program::Program;

const X: u8 = 0;
const Y: u8 = 1;

fn sketch(threads: Vec<Vec<Statement>>) -> Sketch {
    Sketch {
        main: Vec::new(),
        threads,
        children: Vec::new(),
        joins: true,
        forgets: false,
    }
}

fn load(target: u8, cell: u8) -> Statement {
    Statement::Load {
        target,
        place: Place::of(cell),
        order: Order::Relaxed,
    }
}

fn store(cell: u8, constant: u8) -> Statement {
    write(cell, constant, None)
}

fn write(cell: u8, constant: u8, register: Option<u8>) -> Statement {
    Statement::Store {
        place: Place::of(cell),
        value: Value { constant, register },
        order: Order::Relaxed,
    }
}

fn place(cell: u8, part: Part) -> Place {
    Place {
        part,
        ..Place::of(cell)
    }
}

fn store_part(cell: u8, part: Part, value: u8) -> Statement {
    Statement::Store {
        place: place(cell, part),
        value: constant(value),
        order: Order::Relaxed,
    }
}

/// An increment that is not atomic.
fn increment(cell: u8) -> Vec<Statement> {
    vec![load(0, cell), write(cell, 1, Some(0))]
}

fn fence() -> Statement {
    Statement::Fence(Order::Sequential)
}

fn constant(constant: u8) -> Value {
    Value {
        constant,
        register: None,
    }
}

fn compare_exchange(cell: u8, expected: Value, desired: Value, weak: bool) -> Statement {
    Statement::CompareExchange {
        target: 0,
        place: Place::of(cell),
        expected,
        desired,
        order: Order::Relaxed,
        weak,
    }
}

/// A compare-exchange of what the first register holds for one more.
fn swap(cell: u8) -> Statement {
    let plus = |constant| Value {
        constant,
        register: Some(0),
    };
    compare_exchange(cell, plus(0), plus(1), false)
}

fn add(cell: u8) -> Statement {
    Statement::Update {
        target: 0,
        adds: true,
        place: Place::of(cell),
        value: constant(1),
        order: Order::Relaxed,
    }
}

fn locked(second: bool, body: Vec<Statement>) -> Statement {
    Statement::Guarded {
        guard: Guard::Mutex(second),
        body,
    }
}

/// How the executions of a program end, one for each trace.
fn endings(program: &Program, model: Model) -> Vec<Ending> {
    let executions = executions(program, model, usize::MAX).expect("there is no limit");
    executions.traces.into_values().collect()
}

/// Traces under SC, TSO and PSO, once the exploration has found them as well.
fn numbers(sketch: &Sketch) -> [usize; 3] {
    crate::exploring::exploration_is_right(sketch).unwrap_or_else(|wrong| panic!("{wrong}"));
    let program = program(sketch);
    MODELS.map(|model| endings(&program, model).len())
}

/// Traces under SC, TSO and PSO that sequential consistency does not have.
fn cyclic(sketch: &Sketch) -> [usize; 3] {
    let program = program(sketch);
    MODELS.map(|model| {
        let endings = endings(&program, model);
        endings.iter().filter(|end| !end.sequential).count()
    })
}

#[test]
fn store_buffering() {
    let plain = sketch(vec![
        vec![store(X, 1), load(0, Y)],
        vec![store(Y, 1), load(0, X)],
    ]);
    assert_eq!(numbers(&plain), [3, 4, 4]);
    assert_eq!(cyclic(&plain), [0, 1, 1]);
    let fenced = sketch(vec![
        vec![store(X, 1), fence(), load(0, Y)],
        vec![store(Y, 1), fence(), load(0, X)],
    ]);
    assert_eq!(numbers(&fenced), [3, 3, 3]);
    assert_eq!(cyclic(&fenced), [0, 0, 0]);
}

#[test]
fn message_passing() {
    let plain = sketch(vec![
        vec![store(X, 1), store(Y, 1)],
        vec![load(0, Y), load(1, X)],
    ]);
    assert_eq!(numbers(&plain), [3, 3, 4]);
    assert_eq!(cyclic(&plain), [0, 0, 1]);
}

#[test]
fn two_writers_each() {
    let plain = sketch(vec![
        vec![store(X, 1), store(Y, 2)],
        vec![store(Y, 1), store(X, 2)],
    ]);
    assert_eq!(numbers(&plain), [3, 3, 4]);
    assert_eq!(cyclic(&plain), [0, 0, 1]);
}

#[test]
fn independent_reads_of_independent_writes() {
    let plain = sketch(vec![
        vec![store(X, 1)],
        vec![store(Y, 1)],
        vec![load(0, X), load(1, Y)],
        vec![load(0, Y), load(1, X)],
    ]);
    assert_eq!(numbers(&plain), [15, 15, 15]);
    assert_eq!(cyclic(&plain), [0, 0, 0]);
}

#[test]
fn fibonacci() {
    let turn = |own, other| vec![load(0, own), load(1, other), write(own, 1, Some(0))];
    let twice = |own, other| [turn(own, other), turn(own, other)].concat();
    let sums = sketch(vec![twice(X, Y), twice(Y, X)]);
    assert_eq!(numbers(&sums), [19, 20, 20]);
    assert_eq!(cyclic(&sums), [0, 1, 1]);
}

#[test]
fn forwarding() {
    let turn = |value, own, other| vec![store(own, value), load(0, own), load(1, other)];
    let twice = |own, other| [turn(1, own, other), turn(2, own, other)].concat();
    let both = sketch(vec![twice(X, Y), twice(Y, X)]);
    assert_eq!(numbers(&both), [19, 35, 35]);
    assert_eq!(cyclic(&both), [0, 16, 16]);
}

#[test]
fn read_modify_writes() {
    let three = vec![vec![add(X)]; 3];
    assert_eq!(numbers(&sketch(three)), [6, 6, 6]);
    let swap = vec![load(0, X), swap(X), load(1, Y)];
    assert_eq!(numbers(&sketch(vec![swap; 2])), [4, 4, 4]);
}

#[test]
fn writers_and_readers() {
    let writers = vec![vec![store(X, 1)], vec![store(X, 2)], vec![store(X, 3)]];
    assert_eq!(numbers(&sketch(writers)), [6, 6, 6]);
    let readers = (0..3).map(|cell| vec![load(0, cell)]);
    let writer = (0..3).map(|cell| store(cell, 1)).collect();
    let threads = [writer].into_iter().chain(readers).collect();
    assert_eq!(numbers(&sketch(threads)), [8, 8, 8]);
}

#[test]
fn locks() {
    let three = vec![vec![locked(false, increment(X))]; 3];
    assert_eq!(numbers(&sketch(three.clone())), [6, 6, 6]);
    assert_eq!(cyclic(&sketch(three)), [0, 0, 0]);
    let opposite = sketch(vec![
        vec![locked(false, vec![locked(true, Vec::new())])],
        vec![locked(true, vec![locked(false, Vec::new())])],
    ]);
    let endings = endings(&program(&opposite), Model::Sc);
    let stuck = endings.iter().filter(|end| end.outcome.is_none());
    assert_eq!(stuck.count(), 1, "each holds one of the locks");
}

/// A store that is overwritten before its thread reads again must be seen to be, although the
/// read could have been forwarded.
#[test]
fn overwritten_before_it_is_read() {
    let two = vec![vec![store(X, 1)], vec![store(X, 2), load(0, X)]];
    assert_eq!(numbers(&sketch(two.clone())), [3, 3, 3]);
    let reader = vec![vec![load(0, X)]];
    assert_eq!(numbers(&sketch([two, reader].concat())), [9, 9, 9]);
}

/// A compare-exchange writes only where it succeeds, which here is in the middle of another
/// thread.
#[test]
fn success_in_the_middle() {
    let byte = |place: Place, part| Place { part, ..place };
    let second = Statement::Update {
        target: 0,
        adds: false,
        place: byte(Place::of(X), Part::Second),
        value: constant(1),
        order: Order::Relaxed,
    };
    let first = Statement::Load {
        target: 0,
        place: byte(Place::of(X), Part::First),
        order: Order::Relaxed,
    };
    let exchange = compare_exchange(X, constant(2), constant(1), false);
    let threads = vec![vec![store(X, 2), second], vec![first], vec![exchange]];
    assert_eq!(numbers(&sketch(threads)), [7, 7, 7]);
}

/// What an atomic section reads depends on what it has read.
#[test]
fn section_with_a_condition() {
    let inner = Statement::If {
        register: 0,
        equal: true,
        constant: 0,
        body: vec![load(1, Y)],
    };
    let section = Statement::Atomic {
        body: vec![load(0, X), inner],
    };
    let threads = vec![vec![store(X, 1)], vec![store(Y, 1)], vec![section]];
    assert_eq!(numbers(&sketch(threads)), [3, 3, 3]);
}

/// A weak compare-exchange that could succeed may fail as well.
#[test]
fn failure_for_no_reason() {
    let weak = |expected| compare_exchange(X, constant(expected), constant(1), true);
    let alone = vec![vec![load(0, X)], vec![store(X, 1), weak(1)]];
    assert_eq!(numbers(&sketch(alone)), [5, 5, 5]);
    let readers = vec![
        vec![load(0, X), load(1, X)],
        vec![load(0, X)],
        vec![weak(1)],
        vec![store(X, 1)],
    ];
    assert_eq!(numbers(&sketch(readers)), [30, 30, 30]);
}

/// Who still waits when `main` has ended is stopped, which is no deadlock.
/// The exchange succeeds only before the store, and then writes what the load reads next to it.
#[test]
fn forwarding_of_a_part() {
    let part = store_part(X, Part::Second, 1);
    let exchange = compare_exchange(X, constant(0), constant(1), false);
    let sketch = sketch(vec![vec![part, load(0, X)], vec![exchange]]);
    assert_eq!(executions_of(&sketch), [2, 3, 3]);
    assert_eq!(cyclic(&sketch), [0, 1, 1]);
}

#[test]
fn main_ends_first() {
    let sketch = Sketch {
        joins: false,
        forgets: false,
        ..sketch(vec![vec![load(0, X)], vec![Statement::Wait]])
    };
    assert_eq!(numbers(&sketch), [1, 1, 1]);
}

/// Executions under SC, TSO and PSO of a program too large for trying every interleaving; the
/// same with one worker and with several.
fn executions_of(sketch: &Sketch) -> [u64; 3] {
    let program = program(sketch);
    MODELS.map(|model| {
        let counts = |jobs| {
            let options = explore::Options {
                jobs,
                ..explore::Options::default()
            };
            let result = explore::run(&program, model, &options);
            result.expect("the model is supported").counts
        };
        let one = counts(1);
        assert_eq!(one, counts(3), "workers make no difference");
        assert_eq!((one.blocked, one.redundant), (0, 0));
        one.executions
    })
}

#[test]
fn many_executions() {
    let writers = (1..=6).map(|value| vec![store(X, value)]).collect();
    assert_eq!(executions_of(&sketch(writers)), [720; 3]);
    assert_eq!(executions_of(&sketch(vec![vec![add(X)]; 6])), [720; 3]);
    let lockers = vec![vec![locked(false, increment(X))]; 6];
    assert_eq!(executions_of(&sketch(lockers)), [720; 3]);
    let turn = |own, other| vec![load(0, own), load(1, other), write(own, 1, Some(0))];
    let times = |count, own, other| vec![turn(own, other); count].concat();
    let sums = |count| sketch(vec![times(count, X, Y), times(count, Y, X)]);
    assert_eq!(executions_of(&sums(3)), [141, 175, 175]);
    assert_eq!(executions_of(&sums(4)), [1107, 1764, 1764]);
    let turn = |own, other| vec![store(own, 1), load(0, own), load(1, other)];
    let times = |count, own, other| vec![turn(own, other); count].concat();
    let forwards = |count| sketch(vec![times(count, X, Y), times(count, Y, X)]);
    assert_eq!(executions_of(&forwards(3)), [141, 364, 364]);
    assert_eq!(executions_of(&forwards(4)), [1107, 4116, 4116]);
}

/// A store that goes wrong as it leaves its buffer, because the object was freed, leaves its thread alone: it may read
/// what it wrote, before the object is freed or too late, and goes on in the first case only.
#[test]
fn a_store_that_fails_behind_its_thread() {
    let freed = |retire: bool, reads: bool| {
        let publish = Statement::Publish {
            constant: 1,
            order: Order::Ordered,
            again: false,
        };
        let mut first = vec![publish, store(X, 1)];
        first.extend(retire.then_some(Statement::Retire));
        let follow = Statement::Follow {
            target: 0,
            writes: true,
            reads,
        };
        sketch(vec![first, vec![follow, load(0, X)]])
    };
    numbers(&freed(true, false));
    numbers(&freed(false, false));
    numbers(&freed(true, true));
    numbers(&freed(false, true));
}

/// A thread that reads its own store to a part of a cell: what another does to the whole comes after the load only
/// through that store.
#[test]
fn a_load_of_an_own_store_to_a_part() {
    let exchange = Statement::Update {
        target: 0,
        adds: false,
        place: Place::of(X),
        value: constant(1),
        order: Order::Relaxed,
    };
    let half = store_part(X, Part::Half, 2);
    let swap = compare_exchange(X, constant(2), constant(1), false);
    numbers(&sketch(vec![vec![swap], vec![exchange, half, load(1, X)]]));
}

/// A thread that a barrier has let go need not have left when the barrier opens again.
#[test]
fn a_barrier_that_opens_twice() {
    let three = sketch(vec![
        vec![Statement::Barrier, Statement::Barrier],
        vec![load(0, X), Statement::Barrier],
        vec![Statement::Barrier, store(X, 2)],
    ]);
    numbers(&three);
}

/// An exchange of a part that fails behind the exchange of the whole succeeds before it, and then the latter fails: it
/// uses no more before the store than after it.
#[test]
fn an_exchange_that_takes_from_another_what_it_wrote() {
    let part = Statement::CompareExchange {
        target: 0,
        place: place(X, Part::First),
        expected: constant(0),
        desired: constant(1),
        order: Order::Relaxed,
        weak: false,
    };
    let swap =
        |expected, desired| compare_exchange(X, constant(expected), constant(desired), false);
    numbers(&sketch(vec![
        vec![store_part(X, Part::Second, 1)],
        vec![store(X, 2), swap(2, 3)],
        vec![swap(0, 1)],
        vec![part],
    ]));
}

fn load_part(target: u8, cell: u8, part: Part) -> Statement {
    Statement::Load {
        target,
        place: place(cell, part),
        order: Order::Relaxed,
    }
}

/// The exchange succeeds only before the store to another part, and then writes what the loads read: each of them comes before
/// or after it, also where something else of its thread comes first, or where its thread is that of the store.
#[test]
fn loads_of_what_is_written_only_before_a_store() {
    let part = || vec![store_part(X, Part::Second, 1)];
    let exchange = || vec![compare_exchange(X, constant(0), constant(1), false)];
    let first = || load_part(0, X, Part::First);
    let two = vec![part(), exchange(), vec![first()], vec![first()]];
    numbers(&sketch(two));
    let behind = vec![
        part(),
        exchange(),
        vec![load(1, Y), first()],
        vec![store(Y, 1), first()],
    ];
    numbers(&sketch(behind));
    let own = [part(), vec![first(), store(X, 3)]].concat();
    numbers(&sketch(vec![own.clone(), exchange()]));
    numbers(&sketch(vec![own, exchange(), vec![first()]]));
}

/// A thread reads its own store, from the buffer or from memory; what comes after that load only because the
/// load comes before the store's way to memory may come after it for another reason as well.
#[test]
fn what_comes_after_a_load_of_an_own_store() {
    let own = || vec![store(X, 1), load(0, X), store(Y, 1)];
    numbers(&sketch(vec![own(), vec![load(0, Y), store(X, 2)]]));
    let three = vec![own(), vec![load(0, Y), load(1, X)], vec![store(X, 2)]];
    numbers(&sketch(three));
}

/// Of two posts either lets a thread go on that waits, and neither has to come before it.
#[test]
fn semaphores() {
    let [post, wait] = [Statement::Post, Statement::Wait].map(|statement| vec![statement]);
    let both = [wait.clone(), post.clone()].concat();
    let turn = [post.clone(), wait.clone()].concat();
    for first in [&wait, &post, &both, &turn] {
        for second in [&wait, &post, &both, &turn] {
            numbers(&sketch(vec![first.clone(), post.clone(), second.clone()]));
            numbers(&sketch(vec![
                first.clone(),
                second.clone(),
                post.clone(),
                post.clone(),
            ]));
        }
    }
}

/// As above, where the exchange or what comes after it has choices of its own, or the exchange is not the first of its thread.
#[test]
fn choices_about_what_is_written_only_before_a_store() {
    let exchange = |weak| compare_exchange(X, constant(0), constant(1), weak);
    let part = |weak| Statement::CompareExchange {
        target: 1,
        place: place(X, Part::Second),
        expected: constant(0),
        desired: constant(1),
        order: Order::Relaxed,
        weak,
    };
    let store = || store_part(X, Part::Second, 1);
    let first = || vec![load_part(0, X, Part::First)];
    for threads in [
        vec![vec![store()], vec![exchange(true)], first(), first()],
        vec![vec![part(true)], vec![exchange(false)], first()],
        vec![vec![part(true)], vec![exchange(true)], first()],
        vec![
            vec![store()],
            vec![add(Y), exchange(false)],
            first(),
            first(),
        ],
        vec![
            vec![store()],
            vec![add(Y), exchange(false)],
            first(),
            vec![add(Y), load_part(0, X, Part::First)],
        ],
        vec![
            vec![store()],
            first(),
            first(),
            vec![add(Y), exchange(false)],
        ],
        vec![
            vec![store()],
            vec![exchange(false)],
            vec![load(1, X)],
            first(),
        ],
        vec![
            vec![store()],
            first(),
            vec![load(1, X)],
            vec![exchange(false)],
        ],
        vec![
            vec![store(), load_part(2, X, Part::First)],
            vec![exchange(false)],
            first(),
        ],
    ] {
        numbers(&sketch(threads));
    }
}

/// Exchanges and loads of which one decides whether another writes.
#[test]
fn exchanges_that_decide_about_others() {
    let swap = |expected, desired, weak| {
        vec![compare_exchange(
            X,
            constant(expected),
            constant(desired),
            weak,
        )]
    };
    let load = || vec![load(1, X)];
    for threads in [
        vec![
            swap(0, 1, false),
            swap(1, 2, false),
            swap(2, 3, false),
            load(),
        ],
        vec![swap(0, 5, true), load(), swap(0, 1, true), load()],
        vec![
            swap(0, 1, false),
            vec![store(X, 5)],
            vec![load()[0].clone(), store(Y, 3), load()[0].clone()],
            load(),
        ],
    ] {
        numbers(&sketch(threads));
    }
}

/// The exchange writes only after the store to one part, and only then comes after the load of the other part: of the
/// two the store could not be missing. What comes next races with the exchange.
#[test]
fn an_exchange_that_comes_after_a_load_because_of_a_store() {
    let exchange = vec![compare_exchange(X, constant(1), constant(2), false)];
    let other = vec![load_part(0, X, Part::Second)];
    let first = vec![store_part(X, Part::First, 1)];
    for next in [vec![load(1, X)], vec![store(X, 3)], vec![add(X)]] {
        let [exchange, other, first] = [&exchange, &other, &first].map(Vec::clone);
        numbers(&sketch(vec![exchange, other, first, next]));
    }
}

/// Threads that wait for a lock, each for any of those that release it.
#[test]
fn a_lock_that_several_wait_for() {
    let alone = || locked(false, Vec::new());
    let tried = Statement::Guarded {
        guard: Guard::TryMutex(false),
        body: Vec::new(),
    };
    let waiting = vec![store(X, 2), locked(false, vec![load(0, X)])];
    numbers(&Sketch {
        main: vec![alone()],
        threads: vec![
            vec![locked(false, vec![store(X, 1)])],
            waiting,
            vec![tried.clone()],
        ],
        children: Vec::new(),
        joins: true,
        forgets: false,
    });
    numbers(&sketch(vec![
        vec![alone()],
        vec![alone()],
        vec![alone()],
        vec![tried],
    ]));
}
