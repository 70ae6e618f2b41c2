//! The cycle of a run that SC does not have.

use super::access;
use crate::automaton::{Location, System};
use crate::bounded::{Action, RunStep};
use answer::{Link, LinkOrder};
use program::Program;
use std::collections::VecDeque;

/// An access of a run. Delayed stores come where they are flushed.
struct Accessed {
    thread: usize,
    /// Its position in the program order of its thread.
    position: usize,
    location: Location,
    reads: bool,
    writes: bool,
    step: usize,
}

/// The shortest cycle through a store that is overtaken, of which an attack is made.
pub fn links(program: &Program, system: &System, run: &[RunStep]) -> Vec<Link> {
    let accesses = in_memory_order(run);
    let delayed =
        |access: &Accessed| matches!(run[access.step].action, Action::Take { buffered: true, .. });
    let Some(store) = accesses.iter().position(|a| a.writes && delayed(a)) else {
        return Vec::new();
    };
    // From the store to the load by program order, from there by what happens in between.
    let Some(path) = path(&accesses, store) else {
        return Vec::new();
    };
    let next = path.iter().cycle().skip(1);
    let links = path.iter().zip(next).map(|(&this, &next)| {
        let access = &accesses[this];
        let (order, overtaken) = match order(access, &accesses[next]) {
            Some(order) => (order, order == LinkOrder::Program && this == store),
            None => (LinkOrder::Program, false),
        };
        let address = system.locations[access.location.index()].address;
        let name = program.location_name(address);
        let kind = match (access.reads, access.writes) {
            (true, true) => "update of",
            (false, true) => "store to",
            _ => "load of",
        };
        let span = match run[access.step].action {
            Action::Take { transition, .. } => transition.span,
            Action::Flush(..) => program::Span::NOWHERE,
        };
        Link {
            thread: access.thread.into(),
            span,
            access: format!("{kind} {name}"),
            order,
            overtaken,
        }
    });
    links.collect()
}

/// All accesses of memory in the order in which memory has them; loads of a thread's own delayed stores are none.
fn in_memory_order(run: &[RunStep]) -> Vec<Accessed> {
    let mut accesses = Vec::new();
    let mut delayed: VecDeque<Accessed> = VecDeque::new();
    for (step, RunStep { thread, action }) in run.iter().enumerate() {
        match action {
            Action::Flush(..) => accesses.extend(delayed.pop_front()),
            Action::Take {
                transition,
                buffered,
            } => {
                let Some((location, writes)) = access(transition.event) else {
                    continue;
                };
                let accessed = Accessed {
                    thread: *thread,
                    position: step,
                    location,
                    reads: !matches!(transition.event, crate::automaton::Event::Write(..)),
                    writes,
                    step,
                };
                match (buffered, writes) {
                    (true, true) => delayed.push_back(accessed),
                    (true, false) => {}
                    (false, _) => accesses.push(accessed),
                }
            }
        }
    }
    accesses
}

/// How an access comes right before another one, if it does.
fn order(this: &Accessed, next: &Accessed) -> Option<LinkOrder> {
    if this.thread == next.thread {
        return (this.position < next.position).then_some(LinkOrder::Program);
    }
    if this.location != next.location {
        return None;
    }
    match (this.writes, next.writes) {
        (true, true) => Some(LinkOrder::Coherence),
        (true, false) => Some(LinkOrder::ReadsFrom),
        (false, true) => Some(LinkOrder::FromRead),
        (false, false) => None,
    }
}

/// The shortest way from an access around to itself. Accesses of different threads come in the order of memory.
fn path(accesses: &[Accessed], start: usize) -> Option<Vec<usize>> {
    let mut before: Vec<Option<usize>> = vec![None; accesses.len()];
    let mut waiting = VecDeque::from([start]);
    while let Some(this) = waiting.pop_front() {
        for next in 0..accesses.len() {
            let ordered = order(&accesses[this], &accesses[next]).is_some();
            let in_order = accesses[this].thread == accesses[next].thread || this < next;
            if !ordered || !in_order || before[next].is_some() {
                continue;
            }
            before[next] = Some(this);
            if next == start {
                let mut path = vec![this];
                while path.last() != Some(&start) {
                    path.push(before[*path.last()?]?);
                }
                path.reverse();
                return Some(path);
            }
            waiting.push_back(next);
        }
    }
    None
}
