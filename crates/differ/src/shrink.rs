//! Making a program smaller while a disagreement stays.
//!
//! Delta debugging: all programs that are one step smaller are compiled together, and the first that still
//! shows the disagreement is taken, until none does. Steps remove threads and statements first, then
//! replace statements by what is in them, then simplify what is left.

use crate::sketch::{CellType, End, Order, Sketch, Statement};

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
        match statement {
            Statement::Load { at, .. }
            | Statement::Store { at, .. }
            | Statement::Update { at, .. }
            | Statement::CompareExchange { at, .. }
            | Statement::Stable { at, .. }
            | Statement::Insist { at, .. }
            | Statement::Retry { at, .. } => at.part = 0,
            Statement::Await { at, .. } => at.iter_mut().for_each(|at| at.part = 0),
            _ => {}
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

fn weaker_orders(order: Order) -> Vec<Order> {
    match order {
        Order::Relaxed => Vec::new(),
        _ => vec![Order::Relaxed],
    }
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
    let at_of =
        |statement: &mut Statement, edit: &dyn Fn(&mut crate::sketch::Location)| match statement {
            Statement::Load { at, .. }
            | Statement::Store { at, .. }
            | Statement::Update { at, .. }
            | Statement::CompareExchange { at, .. }
            | Statement::Stable { at, .. }
            | Statement::Insist { at, .. }
            | Statement::Retry { at, .. } => edit(at),
            Statement::Await { at, .. } => at.iter_mut().for_each(edit),
            _ => {}
        };
    with(&|other| at_of(other, &|at| at.index = None));
    with(&|other| at_of(other, &|at| at.part = 0));
    match statement {
        Statement::Load { order, .. }
        | Statement::Store { order, .. }
        | Statement::Update { order, .. }
        | Statement::Stable { order, .. }
        | Statement::Insist { order, .. } => {
            for weaker in weaker_orders(*order) {
                with(&|other| match other {
                    Statement::Load { order, .. }
                    | Statement::Store { order, .. }
                    | Statement::Update { order, .. }
                    | Statement::Stable { order, .. }
                    | Statement::Insist { order, .. } => *order = weaker,
                    _ => {}
                });
            }
        }
        _ => {}
    }
    match statement {
        Statement::Store { value, .. } | Statement::Update { value, .. }
            if value.register.is_some() =>
        {
            with(&|other| match other {
                Statement::Store { value, .. } | Statement::Update { value, .. } => {
                    value.register = None;
                }
                _ => {}
            });
        }
        Statement::CompareExchange { .. } | Statement::Retry { .. } => {
            with(&|other| match other {
                Statement::CompareExchange { weak, .. } | Statement::Retry { weak, .. } => {
                    *weak = false;
                }
                _ => {}
            });
            with(&|other| match other {
                Statement::CompareExchange { success, .. } | Statement::Retry { success, .. } => {
                    *success = Order::Relaxed;
                }
                _ => {}
            });
            with(&|other| match other {
                Statement::CompareExchange { failure, .. } | Statement::Retry { failure, .. } => {
                    *failure = Order::Relaxed;
                }
                _ => {}
            });
            with(&|other| {
                if let Statement::CompareExchange {
                    expected, desired, ..
                } = other
                {
                    (expected.register, desired.register) = (None, None);
                }
            });
        }
        Statement::Update { to, at, order, .. } => {
            let load = match order {
                Order::Release | Order::AcquireRelease => Order::Relaxed,
                other => *other,
            };
            let simple = Statement::Load {
                to: *to,
                at: *at,
                order: load,
            };
            with(&|other| *other = simple.clone());
        }
        Statement::Await { at, .. } => {
            for index in 0..at.len() {
                if at.len() > 1 {
                    with(&|other| {
                        if let Statement::Await { at, .. } = other {
                            at.remove(index);
                        }
                    });
                }
            }
            with(&|other| {
                if let Statement::Await { order, .. } = other {
                    *order = Order::Relaxed;
                }
            });
            with(&|other| {
                if let Statement::Await { all, .. } = other {
                    *all = false;
                }
            });
        }
        Statement::Guarded { .. } => {
            with(&|other| {
                if let Statement::Guarded { guard, .. } = other {
                    *guard = 0;
                }
            });
            with(&|other| {
                if let Statement::Guarded { lock, .. } = other {
                    *lock = 0;
                }
            });
        }
        Statement::Spin { .. } => {
            with(&|other| {
                if let Statement::Spin { kind, .. } = other {
                    *kind = crate::sketch::SpinKind::Exchange;
                }
            });
            with(&|other| {
                if let Statement::Spin { take, give, .. } = other {
                    (*take, *give) = (Order::Relaxed, Order::Relaxed);
                }
            });
        }
        Statement::Snippet { .. } => {
            with(&|other| {
                if let Statement::Snippet { constant, .. } = other {
                    *constant = 1;
                }
            });
            with(&|other| {
                if let Statement::Snippet { which, .. } = other {
                    *which = 0;
                }
            });
        }
        _ => {}
    }
    found
}
