//! Telling why an execution is not sequentially consistent.

use crate::explorer::Explorer;
use crate::step::StepKind;
use crate::trace::{EventId, Trace};
use answer::{Link, LinkOrder};
use machine::Bytes;

/// A cycle of accesses in the execution at hand, if it has one.
pub fn links(explorer: &Explorer<'_>) -> Option<Vec<Link>> {
    let trace = &explorer.trace;
    let cycle = shortened(trace, trace.cycle()?);
    let next = cycle.iter().cycle().skip(1);
    let links = cycle.iter().zip(next).map(|(&id, &next)| {
        let event = trace.event(id);
        let other = trace.event(next);
        let order = match event.step.thread == other.step.thread {
            true => LinkOrder::Program,
            false => order(trace, id, next),
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
        let mut places = before.iter().filter(|(_, w)| *w == writes);
        places.any(|(place, _)| after.contains(&(*place, wrote)))
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
    let Some((place, _)) = uses.iter().find(|(place, _)| *place >= Bytes::FIRST) else {
        return "step".to_owned();
    };
    let name = explorer.process.name_of(*place);
    let at = |writes: bool| uses.contains(&(*place, writes));
    match (at(false), at(true)) {
        (true, true) => format!("update of {name}"),
        (false, true) => format!("store to {name}"),
        _ => format!("load of {name}"),
    }
}
