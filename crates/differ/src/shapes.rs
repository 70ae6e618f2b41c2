//! Other shapes of the same program, and programs with stronger orderings.
//!
//! A [`Shape`] makes another program of a program; its [`Relation`] says what the answers must have to do with
//! each other. Shapes are data, so that they can be applied again while a program is made smaller.

use crate::judge::Relation;
use crate::library::{GUARDS, SNIPPETS};
use crate::random::Random;
use crate::sketch::{End, Fence, Order, Sketch, Spelling, Statement, Storage, each};
use std::collections::BTreeMap;

/// Groups of calls that wait on condition variables.
const WAITS: &[&str] = &["condition", "condition11", "timed wait"];

/// A way to write a program differently.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Threads are created in the opposite order, or in another one.
    Order(usize),
    /// `main` runs this thread itself.
    MainRuns(usize),
    /// Another thread starts this one and waits for it.
    Nested(usize),
    /// Threads are those of C11.
    C11,
    /// Cells are elsewhere.
    Storage(Storage),
    /// Accesses are spelled otherwise.
    Spelling(Spelling),
    /// Statements that do nothing stand between the others.
    Padded,
    /// Counted loops are written out.
    Unrolled,
    /// One more thread, which does nothing.
    Idle,
    /// All locks of the library are of another kind, this entry of the table.
    Guard(usize),
    /// The order of one access is stronger.
    Stronger(usize),
    /// One more fence stands before a statement.
    Fence(usize),
    /// Weak compare-and-exchanges are strong.
    Strong,
    /// Waits on condition variables may also end spuriously.
    Spurious,
}

impl Shape {
    /// What must be so.
    pub fn relation(&self, sketch: &Sketch) -> Relation {
        match self {
            Shape::Stronger(_) | Shape::Fence(_) | Shape::Strong => Relation::Fewer,
            Shape::Spurious => Relation::More,
            Shape::Storage(_) | Shape::Spelling(Spelling::Pointer) => Relation::SameUnderTso,
            Shape::Guard(guard) => {
                let class = GUARDS[*guard].class;
                let same = |statement: &Statement| match statement {
                    Statement::Guarded { guard, .. } => GUARDS[*guard].class != class,
                    _ => false,
                };
                match sketch.any(same) {
                    true => Relation::SameUnderSc,
                    false => Relation::Same,
                }
            }
            _ => Relation::Same,
        }
    }

    /// The other program, if there is one.
    pub fn apply(&self, sketch: &Sketch) -> Option<Sketch> {
        let mut other = sketch.clone();
        let threads = sketch.threads.len();
        match self {
            Shape::Order(0) => other.form.order.reverse(),
            Shape::Order(shift) => other.form.order.rotate_left(shift % threads),
            Shape::MainRuns(thread) => {
                let alone = !calls(
                    sketch,
                    &[
                        "thread end",
                        "key",
                        "keys deleted",
                        "storage",
                        "fixed",
                        "threads",
                    ],
                );
                let started = sketch.starter(*thread).is_some();
                if *thread >= threads || sketch.end != End::Join || !alone || started {
                    return None;
                }
                // A lock has an owner: what the thread locks `main` could unlock.
                if [&sketch.before, &sketch.after]
                    .iter()
                    .any(|list| list_calls(list, &["locks"]))
                {
                    return None;
                }
                other.form.main_runs = Some(*thread);
            }
            Shape::Nested(thread) => {
                if *thread >= threads || sketch.starter(*thread).is_some() {
                    return None;
                }
                // A thread that cannot be joined is joined at another time.
                if sketch.end != End::Join || calls(sketch, &["thread end"]) {
                    return None;
                }
                other.form.nested = Some(*thread);
            }
            Shape::C11 if calls(sketch, &["thread end"]) => return None,
            Shape::C11 => other.form.c11 = true,
            Shape::Storage(storage) => {
                if sketch.end != End::Join {
                    return None;
                }
                other.form.storage = *storage;
            }
            Shape::Spelling(spelling) => other.form.spelling = *spelling,
            Shape::Padded => other.form.padded = true,
            Shape::Unrolled => other.form.unrolled = true,
            Shape::Idle => {
                other.form.order.push(threads);
                other.threads.push(Vec::new());
            }
            Shape::Guard(guard) => {
                if calls(sketch, &["locks", "destroy", "semaphore"]) || calls(sketch, WAITS) {
                    return None;
                }
                if !exchange_guards(&mut other, *guard) {
                    return None;
                }
            }
            Shape::Stronger(wanted) => strengthen(&mut other, *wanted),
            Shape::Fence(wanted) => add_fence(&mut other, *wanted),
            Shape::Strong => make_strong(&mut other),
            Shape::Spurious if crate::families::waits_in_loop(sketch) => return None,
            Shape::Spurious => {
                other.spurious = calls(sketch, WAITS);
            }
        }
        (other != *sketch).then_some(other)
    }
}

/// Whether a program calls something of these groups.
fn calls(sketch: &Sketch, groups: &[&str]) -> bool {
    sketch.lists().iter().any(|list| list_calls(list, groups))
}

fn list_calls(list: &[Statement], groups: &[&str]) -> bool {
    let mut found = false;
    each(list, &mut |statement| {
        if let Statement::Snippet { snippet, .. } = statement {
            found |= groups.contains(&SNIPPETS[*snippet].group);
        }
    });
    found
}

/// Replaces locks that are taken by waiting; false if there are others, or none, or if locks of two makes would become one.
fn exchange_guards(sketch: &mut Sketch, wanted: usize) -> bool {
    let mut found: BTreeMap<u8, usize> = BTreeMap::new();
    let mut other = false;
    for list in sketch.lists_mut() {
        change(list, &mut |statement| {
            if let Statement::Guarded { guard, lock, body } = statement {
                let mut nested = false;
                each(body, &mut |inner| {
                    nested |= matches!(inner, Statement::Guarded { .. });
                });
                let make = *found.entry(*lock).or_insert(*guard);
                other |= GUARDS[*guard].class == 0 || nested || make != *guard;
                *guard = wanted;
            }
        });
    }
    !found.is_empty() && !other
}

/// Changes every statement, those inside others included.
fn change(statements: &mut [Statement], visit: &mut dyn FnMut(&mut Statement)) {
    for statement in statements {
        visit(statement);
        for body in statement.bodies_mut() {
            change(body, visit);
        }
    }
}

fn stronger_load(order: Order) -> Order {
    match order {
        Order::Plain => Order::Relaxed,
        Order::Relaxed => Order::Acquire,
        _ => Order::Sequential,
    }
}

fn stronger_store(order: Order) -> Order {
    match order {
        Order::Plain => Order::Relaxed,
        Order::Relaxed => Order::Release,
        _ => Order::Sequential,
    }
}

fn stronger_update(order: Order) -> Order {
    match order {
        Order::Plain | Order::Relaxed => Order::AcquireRelease,
        _ => Order::Sequential,
    }
}

/// Makes the order of one access stronger, counting from the first.
fn strengthen(sketch: &mut Sketch, mut wanted: usize) {
    for list in sketch.lists_mut() {
        change(list, &mut |statement| {
            let order = match statement {
                Statement::Load { order, .. }
                | Statement::Await { order, .. }
                | Statement::Stable { order, .. } => (order, stronger_load as fn(Order) -> Order),
                Statement::Store { order, .. } => (order, stronger_store as fn(Order) -> Order),
                Statement::Update { order, .. } => (order, stronger_update as fn(Order) -> Order),
                Statement::CompareExchange { success, .. }
                | Statement::Retry { success, .. }
                | Statement::Spin { take: success, .. } => {
                    (success, stronger_update as fn(Order) -> Order)
                }
                _ => return,
            };
            if wanted == 0 {
                *order.0 = order.1(*order.0);
            }
            wanted = wanted.wrapping_sub(1);
        });
    }
}

/// Puts a fence before one of the statements of the threads.
fn add_fence(sketch: &mut Sketch, mut wanted: usize) {
    for list in &mut sketch.threads {
        match wanted.checked_sub(list.len()) {
            Some(left) => wanted = left,
            None => {
                list.insert(wanted, Statement::Fence(Fence::Thread(Order::Sequential)));
                return;
            }
        }
    }
}

fn make_strong(sketch: &mut Sketch) {
    for list in sketch.lists_mut() {
        change(list, &mut |statement| match statement {
            Statement::CompareExchange { weak, .. } | Statement::Retry { weak, .. } => {
                *weak = false;
            }
            _ => {}
        });
    }
}

/// This many shapes of a program, each other than the program.
pub fn shapes(sketch: &Sketch, count: usize, random: &mut Random) -> Vec<(Shape, Sketch)> {
    let mut found: Vec<(Shape, Sketch)> = Vec::new();
    for _ in 0..4 * count {
        if found.len() == count {
            break;
        }
        let thread = random.below(sketch.threads.len());
        let shape = match random.below(16) {
            0 | 1 => Shape::Order(random.below(sketch.threads.len())),
            2 | 3 => Shape::MainRuns(thread),
            4 => Shape::Nested(thread),
            5 => Shape::C11,
            6 | 7 => {
                Shape::Storage(*random.pick(&[Storage::Heap, Storage::Frame, Storage::ThreadLocal]))
            }
            8 | 9 => Shape::Spelling(*random.pick(&[
                Spelling::C11,
                Spelling::Function,
                Spelling::Pointer,
            ])),
            10 => Shape::Padded,
            11 => match random.below(2) {
                0 => Shape::Unrolled,
                _ => Shape::Idle,
            },
            12 => {
                let waiting: Vec<usize> = (0..GUARDS.len())
                    .filter(|guard| GUARDS[*guard].class != 0)
                    .collect();
                Shape::Guard(*random.pick(&waiting))
            }
            13 => Shape::Stronger(random.below(8)),
            14 => Shape::Fence(random.below(8)),
            _ => match calls(sketch, WAITS) {
                true => Shape::Spurious,
                false => Shape::Strong,
            },
        };
        if found.iter().any(|(known, _)| *known == shape) {
            continue;
        }
        if let Some(other) = shape.apply(sketch) {
            found.push((shape, other));
        }
    }
    found
}
