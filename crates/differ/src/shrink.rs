//! Making a program smaller while a disagreement stays.
//!
//! Delta debugging: all programs that are one step smaller are compiled together, and the first that still
//! shows the disagreement is taken, until none does. Steps remove threads and statements first, then
//! replace statements by what is in them, then simplify what is left.

use crate::sketch::{Again, CellType, End, Location, Order, Sketch, SpinKind, Statement};

/// Programs that are a step smaller, the smallest first.
pub fn smaller(sketch: &Sketch) -> Vec<Sketch> {
    let mut found: Vec<Sketch> = Vec::new();
    for thread in 0..sketch.threads.len() {
        if sketch.threads.len() > 1 && sketch.starter(thread).is_none() {
            found.extend(without_thread(sketch, thread));
        }
    }
    let mut push = |other: Sketch| {
        if other != *sketch {
            found.push(other);
        }
    };
    for list in 0..sketch.lists().len() {
        for statements in reduced(sketch.lists()[list]) {
            let mut other = sketch.clone();
            *other.lists_mut()[list] = statements;
            push(other);
        }
    }
    for cell in 0..sketch.initial.len() {
        let mut other = sketch.clone();
        other.initial[cell] = 0;
        push(other);
    }
    let mut other = sketch.clone();
    other.cell = CellType::Int;
    for list in other.lists_mut() {
        whole_cells(list);
    }
    push(other);
    let mut other = sketch.clone();
    other.end = End::Join;
    push(other);
    let mut other = sketch.clone();
    other.spurious = false;
    push(other);
    found
}

fn whole_cells(statements: &mut [Statement]) {
    for statement in statements {
        for at in locations(statement) {
            at.part = 0;
        }
        for body in statement.bodies_mut() {
            whole_cells(body);
        }
    }
}

/// The program without a thread; those that start others by number keep doing so.
fn without_thread(sketch: &Sketch, thread: usize) -> Option<Sketch> {
    let mut other = sketch.clone();
    let mut starts = false;
    crate::sketch::each(&sketch.threads[thread], &mut |statement| {
        starts |= matches!(statement, Statement::Start { .. });
    });
    if starts {
        return None;
    }
    other.threads.remove(thread);
    other.form.order.retain(|number| *number != thread);
    for number in &mut other.form.order {
        *number -= usize::from(*number > thread);
    }
    for list in other.lists_mut() {
        for statement in list {
            if let Statement::Start {
                thread: started, ..
            } = statement
            {
                *started -= usize::from(*started > thread);
            }
        }
    }
    for one in [&mut other.form.main_runs, &mut other.form.nested] {
        match one {
            Some(number) if *number == thread => return None,
            Some(number) => *number -= usize::from(*number > thread),
            None => {}
        }
    }
    Some(other)
}

/// Lists that are a step smaller.
fn reduced(list: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    if list.len() > 2 {
        found.push(list[..list.len() / 2].to_vec());
        found.push(list[list.len() / 2..].to_vec());
    }
    for index in 0..list.len() {
        let mut other = list.to_vec();
        other.remove(index);
        found.push(other);
    }
    for (index, statement) in list.iter().enumerate() {
        for body in statement.bodies() {
            if !body.is_empty() {
                let mut other = list.to_vec();
                other.splice(index..=index, body.iter().cloned());
                found.push(other);
            }
        }
        for number in 0..statement.bodies().len() {
            for body in reduced(statement.bodies()[number]) {
                let mut other = list.to_vec();
                *other[index].bodies_mut()[number] = body;
                found.push(other);
            }
        }
        for simple in simpler(statement) {
            let mut other = list.to_vec();
            other[index] = simple;
            found.push(other);
        }
    }
    found
}

/// Simpler statements of the same kind.
fn simpler(statement: &Statement) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut with = |edit: &dyn Fn(&mut Statement)| {
        let mut other = statement.clone();
        edit(&mut other);
        if other != *statement {
            found.push(other);
        }
    };
    ACCESSES.iter().for_each(|edit| with(edit));
    if let Statement::Await { at, .. } = statement
        && at.len() > 1
    {
        for index in 0..at.len() {
            with(&|other| {
                if let Statement::Await { at, .. } = other {
                    at.remove(index);
                }
            });
        }
    }
    BLOCKS.iter().for_each(|edit| with(edit));
    found
}

/// A step that simplifies some kinds of statements, and leaves the others as they are.
type Edit = fn(&mut Statement);

/// Steps for accesses.
const ACCESSES: &[Edit] = &[
    |one| locations(one).into_iter().for_each(|at| at.index = None),
    |one| locations(one).into_iter().for_each(|at| at.part = 0),
    |one| {
        if let Statement::Load { order, .. }
        | Statement::Store { order, .. }
        | Statement::Update { order, .. }
        | Statement::Stable { order, .. }
        | Statement::Insist { order, .. } = one
        {
            *order = Order::Relaxed;
        }
    },
    constant_or_load,
    |one| {
        if let Statement::CompareExchange { weak, .. } | Statement::Retry { weak, .. } = one {
            *weak = false;
        }
    },
    |one| {
        if let Statement::CompareExchange { success, .. } | Statement::Retry { success, .. } = one {
            *success = Order::Relaxed;
        }
    },
    |one| {
        if let Statement::CompareExchange { failure, .. } | Statement::Retry { failure, .. } = one {
            *failure = Order::Relaxed;
        }
    },
    |one| {
        if let Statement::CompareExchange {
            expected, desired, ..
        } = one
        {
            (expected.register, desired.register) = (None, None);
        }
    },
    |one| {
        if let Statement::Retry { also, .. } = one {
            *also = None;
        }
    },
    |one| {
        if let Statement::Retry {
            apart,
            odd,
            gives_up,
            ..
        } = one
        {
            (*apart, *odd, *gives_up) = (false, false, false);
        }
    },
    |one| {
        if let Statement::Retry { first, again, .. } = one {
            (*first, *again) = (None, Again::Found);
        }
    },
];

/// Steps for what waits, for locks and for calls.
const BLOCKS: &[Edit] = &[
    |one| {
        if let Statement::Await { order, .. } = one {
            *order = Order::Relaxed;
        }
    },
    |one| {
        if let Statement::Await { all, .. } = one {
            *all = false;
        }
    },
    |one| {
        if let Statement::Guarded { guard, .. } = one {
            *guard = 0;
        }
    },
    |one| {
        if let Statement::Guarded { lock, .. } = one {
            *lock = 0;
        }
    },
    |one| {
        if let Statement::Spin { kind, .. } = one {
            *kind = SpinKind::Exchange;
        }
    },
    |one| {
        if let Statement::Spin { take, give, .. } = one {
            (*take, *give) = (Order::Relaxed, Order::Relaxed);
        }
    },
    |one| {
        if let Statement::Snippet { constant, .. } = one {
            *constant = 1;
        }
    },
    |one| {
        if let Statement::Snippet { which, .. } = one {
            *which = 0;
        }
    },
];

/// Writes a constant rather than a register; an update by a constant becomes a load.
fn constant_or_load(statement: &mut Statement) {
    match statement {
        Statement::Store { value, .. } | Statement::Update { value, .. }
            if value.register.is_some() =>
        {
            value.register = None;
        }
        Statement::Update { to, at, order, .. } => {
            let order = match order {
                Order::Release | Order::AcquireRelease => Order::Relaxed,
                other => *other,
            };
            *statement = Statement::Load {
                to: *to,
                at: *at,
                order,
            };
        }
        _ => {}
    }
}

/// The locations that a statement itself accesses, without those in its bodies.
fn locations(statement: &mut Statement) -> Vec<&mut Location> {
    match statement {
        Statement::Load { at, .. }
        | Statement::Store { at, .. }
        | Statement::Update { at, .. }
        | Statement::CompareExchange { at, .. }
        | Statement::Stable { at, .. }
        | Statement::Insist { at, .. } => vec![at],
        Statement::Retry { at, also, .. } => std::iter::once(at).chain(also).collect(),
        Statement::Await { at, .. } => at.iter_mut().collect(),
        Statement::Fence(_)
        | Statement::If { .. }
        | Statement::Repeat { .. }
        | Statement::Spin { .. }
        | Statement::Guarded { .. }
        | Statement::Section { .. }
        | Statement::Check { .. }
        | Statement::Start { .. }
        | Statement::Snippet { .. } => Vec::new(),
    }
}
