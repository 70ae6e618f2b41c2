//! Links between the steps of an execution: reads-from, coherence, and a store with its flush.
//!
//! Memory is followed byte by byte. A load that takes bytes of several stores is linked to the last of them. What an
//! engine has linked itself stays: a solver knows which store a load reads, even one that comes later in memory order.

use super::{AccessEvent, Event, MemoryAccess, Step, StepId};
use program::{Span, Word};
use std::collections::HashMap;

pub(super) fn link(steps: &mut [Step]) {
    // The step that wrote each byte last.
    let mut memory: HashMap<Word, StepId> = HashMap::new();
    // Stores in store buffers, oldest first.
    let mut waiting: Vec<StepId> = Vec::new();
    for index in 0..steps.len() {
        let Event::Access(access) = &steps[index].event else {
            continue;
        };
        let written = bytes(access).filter_map(|byte| memory.get(&byte)).max();
        let last = written.copied();
        let Step { thread, span, .. } = steps[index];
        let own = |&&store: &&StepId| {
            let of_thread = steps[store].thread == thread;
            of_thread && access_of(&steps[store]).is_some_and(|store| overlap(store, access))
        };
        // Some store buffers do not know which instruction a store was.
        let same =
            |store: &&StepId| own(store) && (span == Span::NOWHERE || steps[**store].span == span);
        let (mut reads_from, mut overwrites, mut issued_by) = (None, None, None);
        match access.kind {
            AccessEvent::Load => reads_from = last,
            AccessEvent::Forward => reads_from = waiting.iter().rev().find(own).copied(),
            AccessEvent::Buffer => waiting.push(index),
            AccessEvent::Commit => {
                issued_by = waiting.iter().find(same).copied();
                waiting.retain(|store| Some(*store) != issued_by);
                overwrites = last;
            }
            AccessEvent::Update => {
                reads_from = last;
                overwrites = last.filter(|_| access.written.is_some());
            }
        }
        let writes = match access.kind {
            AccessEvent::Commit => true,
            AccessEvent::Update => access.written.is_some(),
            AccessEvent::Load | AccessEvent::Forward | AccessEvent::Buffer => false,
        };
        if writes {
            memory.extend(bytes(access).map(|byte| (byte, index)));
        }
        let issued_at = issued_by.map(|issue| steps[issue].span);
        if let Some(issue) = issued_by.and_then(|issue| access_of_mut(&mut steps[issue])) {
            issue.flushed_by = Some(index);
        }
        let step = &mut steps[index];
        if step.span == Span::NOWHERE {
            step.span = issued_at.unwrap_or(Span::NOWHERE);
        }
        if let Some(access) = access_of_mut(step) {
            access.reads_from = access.reads_from.or(reads_from);
            access.overwrites = overwrites;
            access.issued_by = issued_by;
        }
    }
}

fn access_of(step: &Step) -> Option<&MemoryAccess> {
    match &step.event {
        Event::Access(access) => Some(access),
        _ => None,
    }
}

fn access_of_mut(step: &mut Step) -> Option<&mut MemoryAccess> {
    match &mut step.event {
        Event::Access(access) => Some(access),
        _ => None,
    }
}

fn bytes(access: &MemoryAccess) -> impl Iterator<Item = Word> + use<> {
    let start = access.location.address;
    (0..Word::from(access.location.size)).map(move |byte| start.wrapping_add(byte))
}

fn overlap(one: &MemoryAccess, other: &MemoryAccess) -> bool {
    let end = |access: &MemoryAccess| access.location.address + Word::from(access.location.size);
    one.location.address < end(other) && other.location.address < end(one)
}
