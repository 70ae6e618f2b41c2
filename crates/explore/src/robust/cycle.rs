//! Why sequential consistency has no execution with the same trace: a cycle of accesses.

use crate::explorer::Explorer;
use crate::step::StepKind;
use crate::trace::{EventId, Trace};
use answer::{Link, LinkOrder};
use machine::Bytes;

/// A cycle of accesses in the execution at hand, if it has one.
pub fn links(explorer: &Explorer<'_>) -> Option<Vec<Link>> {
    let trace = &explorer.trace;
    let cycle = shortened(trace, cycle(trace)?);
    let next = cycle.iter().cycle().skip(1);
    let links = cycle.iter().zip(next).map(|(&id, &next)| {
        let event = trace.event(id);
        let other = trace.event(next);
        let order = if event.step.thread == other.step.thread {
            LinkOrder::Program
        } else {
            order(trace, id, next)
        };
        Link {
            thread: event.step.thread,
            span: event.span,
            access: access(explorer, id),
            order,
            overtaken: order == LinkOrder::Program && next < id,
        }
    });
    Some(links.collect())
}

/// Leaves out what lies between two others of the same thread, and begins with a store.
fn shortened(trace: &Trace, cycle: Vec<EventId>) -> Vec<EventId> {
    let count = cycle.len();
    let thread = |index: usize| trace.event(cycle[index % count]).step.thread;
    let kept = (0..count).filter(|&index| {
        thread(index + count - 1) != thread(index) || thread(index) != thread(index + 1)
    });
    let mut kept: Vec<EventId> = kept.map(|index| cycle[index]).collect();
    let is_update = |id: &EventId| matches!(trace.event(*id).step.kind, StepKind::Commit(_));
    if let Some(first) = kept.iter().position(is_update) {
        kept.rotate_left(first);
    }
    kept
}

/// How an event comes before one of another thread.
fn order(trace: &Trace, first: EventId, second: EventId) -> LinkOrder {
    let (before, after) = (trace.uses_of(first), trace.uses_of(second));
    let shared = |writes: bool, wrote: bool| {
        let mut locations = before.iter().filter(|(_, w)| *w == writes);
        locations.any(|(location, _)| after.contains(&(*location, wrote)))
    };
    if shared(true, true) {
        LinkOrder::Coherence
    } else if shared(true, false) {
        LinkOrder::ReadsFrom
    } else if shared(false, true) {
        LinkOrder::FromRead
    } else {
        LinkOrder::Program
    }
}

/// What an event does, as in `store to x`.
fn access(explorer: &Explorer<'_>, id: EventId) -> String {
    let uses = explorer.trace.uses_of(id);
    let Some((location, _)) = uses.iter().find(|(location, _)| *location >= Bytes::FIRST) else {
        return "step".to_owned();
    };
    let name = explorer.process.name_of(*location);
    let at = |writes: bool| uses.contains(&(*location, writes));
    match (at(false), at(true)) {
        (true, true) => format!("update of {name}"),
        (false, true) => format!("store to {name}"),
        _ => format!("load of {name}"),
    }
}

/// Events that cannot come in this order under sequential consistency: each has to come before
/// the next, by the trace or in program order, and the last before the first.
pub fn cycle(trace: &Trace) -> Option<Vec<EventId>> {
    // The store that comes before each event in program order. A cycle needs one that is flushed
    // after it.
    let mut store: Vec<Option<u32>> = vec![None; trace.len()];
    let mut late = Vec::new();
    for (id, event) in trace.events().iter().enumerate() {
        if let StepKind::Commit(number) = event.step.kind
            && let Some(next) = trace.next_in_program(event.step.thread.0, number)
        {
            store[next] = Some(id as u32);
            if next < id {
                late.push(id as u32);
            }
        }
    }
    // Backwards, depth first.
    let mut state = vec![State::New; trace.len()];
    let mut path: Vec<(u32, usize)> = Vec::new();
    for start in late {
        if state[start as usize] == State::New {
            state[start as usize] = State::OnPath;
            path.push((start, 0));
        }
        while let Some((id, tried)) = path.last_mut() {
            let here = *id as usize;
            let edges = trace.edges_of(here);
            let before = match (edges.get(*tried), store[here]) {
                (Some(edge), _) => edge.from,
                (None, Some(store)) if *tried == edges.len() => store as usize,
                (None, _) => {
                    state[here] = State::Done;
                    path.pop();
                    continue;
                }
            };
            *tried += 1;
            match state[before] {
                State::OnPath => {
                    let first = path.iter().position(|(id, _)| *id as usize == before);
                    let cycle = path[first.unwrap_or(0)..].iter().rev();
                    return Some(cycle.map(|(id, _)| *id as usize).collect());
                }
                State::New => {
                    state[before] = State::OnPath;
                    path.push((before as u32, 0));
                }
                State::Done => {}
            }
        }
    }
    None
}

/// How far a search for cycles is with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    OnPath,
    Done,
}
