//! Finding the threads that can change places.

use super::{Group, Symmetry};
use machine::{Cell, Code, Executable, Op};
use program::{Address, Formula, Observable, ObservedLocation, Operand, Program, Term, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// A final state is spelled out in all orders of all groups together: at most so
/// many, which is one group of seven threads.
const MOST_ORDERS: usize = 5040;

impl Symmetry {
    /// The threads of `program` that can change places, properties included.
    pub fn of(program: &Program, executable: &Executable) -> Self {
        let count = executable.threads.len();
        let mut symmetry = Symmetry::none(count);
        if handles_addresses(program, executable) {
            return symmetry;
        }
        let mut grouped = BTreeSet::new();
        let mut orders = 1;
        for first in 0..count {
            if grouped.contains(&first) {
                continue;
            }
            let group = group_of(executable, first, &grouped, MOST_ORDERS / orders);
            if group.threads.len() < 2 || !is_respected(program, executable, &group) {
                continue;
            }
            orders *= (1..=group.threads.len()).product::<usize>();
            for (member, &thread) in group.threads.iter().enumerate() {
                grouped.insert(thread);
                symmetry.representatives[thread] = first;
                let mut names: Vec<Cell> = (0..executable.cells.initial.len() as u32)
                    .map(Cell)
                    .collect();
                for (theirs, mine) in group.own[0].iter().zip(&group.own[member]) {
                    names[theirs.0 as usize] = *mine;
                }
                symmetry.names[thread] = (member > 0).then_some(names);
            }
            symmetry.groups.push(group);
        }
        symmetry
    }
}

/// True if an address may be a value: in a register, in memory, in a formula.
fn handles_addresses(program: &Program, executable: &Executable) -> bool {
    let is_address = |word: &u64| {
        let object = Address::from_word(*word).map(|address| address.object);
        object.is_some_and(|object| object.index() < program.objects.len())
    };
    let in_code = |code: &Code| {
        let operands = code.ops.iter().zip(&code.operands);
        operands.into_iter().any(|(op, operands)| {
            let values = match op {
                Op::Access(_) => &operands[1..],
                _ => operands,
            };
            let through_register =
                matches!(op, Op::Access(_)) && !matches!(operands[0], Operand::Address(_));
            through_register
                || values.iter().any(|operand| match operand {
                    Operand::Address(_) => true,
                    Operand::Constant(word) => is_address(word),
                    Operand::Register(_) => false,
                })
        })
    };
    let initial = executable.threads.iter().flat_map(|code| &code.initial);
    executable.threads.iter().any(in_code)
        || executable
            .cells
            .initial
            .iter()
            .chain(initial)
            .any(is_address)
        || program.threads.len() > usize::from(u8::MAX)
}

/// The cell that an access with a constant address touches.
fn cell(executable: &Executable, operand: Operand) -> Option<Cell> {
    match operand {
        Operand::Address(address) => executable.cells.at(address),
        _ => None,
    }
}

/// How the cells of one thread's code are called in another's, if that is the
/// only difference.
fn renaming(executable: &Executable, a: &Code, b: &Code) -> Option<BTreeMap<Cell, Cell>> {
    let same_shape = a.ops == b.ops
        && a.dead == b.dead
        && a.widths == b.widths
        && a.initial == b.initial
        && a.starts == b.starts;
    if !same_shape {
        return None;
    }
    let mut renaming = BTreeMap::new();
    for (x, y) in a.operands.iter().flatten().zip(b.operands.iter().flatten()) {
        match (cell(executable, *x), cell(executable, *y)) {
            (Some(from), Some(to)) => {
                if *renaming.entry(from).or_insert(to) != to {
                    return None;
                }
            }
            _ if x == y => {}
            _ => return None,
        }
    }
    let targets: BTreeSet<_> = renaming.values().collect();
    (targets.len() == renaming.len()).then_some(renaming)
}

/// The threads that can change places with `first`, as many as have at most so
/// many orders.
fn group_of(
    executable: &Executable,
    first: usize,
    taken: &BTreeSet<usize>,
    most_orders: usize,
) -> Group {
    let mut group = Group {
        threads: vec![first],
        own: vec![Vec::new()],
    };
    let used = |thread: usize| -> BTreeSet<Cell> {
        let operands = executable.threads[thread].operands.iter().flatten();
        operands
            .filter_map(|operand| cell(executable, *operand))
            .collect()
    };
    for thread in first + 1..executable.threads.len() {
        if taken.contains(&thread)
            || (1..=group.threads.len() + 1).product::<usize>() > most_orders
            || executable.watches[first] != executable.watches[thread]
        {
            continue;
        }
        let codes = &executable.threads;
        let Some(renaming) = renaming(executable, &codes[first], &codes[thread]) else {
            continue;
        };
        let (mine, theirs): (Vec<Cell>, Vec<Cell>) =
            renaming.into_iter().filter(|(from, to)| from != to).unzip();
        if group.threads.len() > 1 && group.own[0] != mine {
            continue;
        }
        let others = |owner: usize| (0..codes.len()).filter(move |&other| other != owner);
        let private = |owner: usize, cells: &[Cell]| {
            others(owner).all(|other| cells.iter().all(|cell| !used(other).contains(cell)))
        };
        let alike = mine.iter().zip(&theirs).all(|(a, b)| {
            let cells = &executable.cells;
            let kind = |cell: Cell| (cells.initial[cell.0 as usize], cells.width(cell));
            kind(*a) == kind(*b)
        });
        if alike && private(first, &mine) && private(thread, &theirs) {
            group.own[0] = mine;
            group.own.push(theirs);
            group.threads.push(thread);
        }
    }
    group
}

/// True if invariants say the same when threads of the group change places.
fn is_respected(program: &Program, executable: &Executable, group: &Group) -> bool {
    let invariants = &program.properties.invariants;
    let all = Formula::And(invariants.iter().map(|i| i.formula.clone()).collect());
    let plain = normal(&all);
    (1..group.threads.len()).all(|member| {
        let exchanged = exchange(
            &all,
            &|location| exchange_location(executable, group, member, location),
            &|thread| exchange_thread(group, member, thread),
        );
        normal(&exchanged) == plain
    })
}

fn exchange_thread(group: &Group, member: usize, thread: ThreadId) -> ThreadId {
    let (a, b) = (group.threads[member - 1], group.threads[member]);
    match thread.index() {
        index if index == a => b.into(),
        index if index == b => a.into(),
        _ => thread,
    }
}

fn exchange_location(
    executable: &Executable,
    group: &Group,
    member: usize,
    location: ObservedLocation,
) -> ObservedLocation {
    match location {
        ObservedLocation::Observation => location,
        ObservedLocation::Register(thread, register) => {
            ObservedLocation::Register(exchange_thread(group, member, thread), register)
        }
        ObservedLocation::Memory(address) => {
            let Some(cell) = executable.cells.at(address) else {
                return location;
            };
            let (a, b) = (&group.own[member - 1], &group.own[member]);
            let other = a.iter().zip(b).find_map(|(x, y)| match cell {
                _ if cell == *x => Some(*y),
                _ if cell == *y => Some(*x),
                _ => None,
            });
            other.map_or(location, |cell| {
                ObservedLocation::Memory(executable.cells.address(cell))
            })
        }
    }
}

fn exchange(
    formula: &Formula,
    location: &impl Fn(ObservedLocation) -> ObservedLocation,
    thread: &impl Fn(ThreadId) -> ThreadId,
) -> Formula {
    let term = |side: &Term| match side {
        Term::Value(observable) => Term::Value(Observable {
            location: location(observable.location),
            ..observable.clone()
        }),
        other => other.clone(),
    };
    let parts = |parts: &[Formula]| {
        parts
            .iter()
            .map(|p| exchange(p, location, thread))
            .collect()
    };
    match formula {
        Formula::Compare(comparison, a, b) => Formula::Compare(*comparison, term(a), term(b)),
        Formula::At(at, position) => Formula::At(thread(*at), position.clone()),
        Formula::Not(inner) => Formula::Not(Box::new(exchange(inner, location, thread))),
        Formula::And(list) => Formula::And(parts(list)),
        Formula::Or(list) => Formula::Or(parts(list)),
    }
}

/// Text that is equal for formulas that differ only in the order of their parts.
fn normal(formula: &Formula) -> String {
    let list = |parts: &[Formula], name: &str, same: fn(&Formula) -> Option<&[Formula]>| {
        let mut flat: Vec<&Formula> = Vec::new();
        let mut open: Vec<&Formula> = parts.iter().collect();
        while let Some(part) = open.pop() {
            match same(part) {
                Some(inner) => open.extend(inner),
                None => flat.push(part),
            }
        }
        let texts: BTreeSet<String> = flat.into_iter().map(normal).collect();
        format!("{name}({texts:?})")
    };
    match formula {
        Formula::Compare(comparison, a, b) => {
            let text = |term: &Term| match term {
                Term::Value(o) => format!("{:?} {} {}", o.location, o.width, o.signed),
                other => format!("{other:?}"),
            };
            format!("{comparison:?} {} {}", text(a), text(b))
        }
        Formula::At(thread, position) => format!("{thread} at {position:?}"),
        Formula::Not(inner) => format!("not {}", normal(inner)),
        Formula::And(parts) => list(parts, "and", |f| match f {
            Formula::And(inner) => Some(inner),
            _ => None,
        }),
        Formula::Or(parts) => list(parts, "or", |f| match f {
            Formula::Or(inner) => Some(inner),
            _ => None,
        }),
    }
}
