//! The relations between the accesses of an execution: program order (po), reads-from (rf), coherence (co), from-read (fr).
//!
//! A store stands in them by the step that issues it, whether it waits in a store buffer or not. Coherence and from-read are given without
//! what follows from others: each leads to the next write only. Memory is followed byte by byte, so accesses of different
//! sizes are related where they overlap. A store that is never flushed comes last in the coherence order of its location; several
//! of them are not ordered among each other.

use super::{AccessEvent, Event, Execution, MemoryAccess, StepId};
use crate::LinkOrder;
use program::{ThreadId, Word};
use std::collections::{BTreeMap, HashMap};

/// Two accesses that are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Relation {
    /// The step that issues the access that comes first.
    pub from: StepId,
    /// The step that issues the other.
    pub to: StepId,
    /// How the first comes before the other.
    pub order: LinkOrder,
}

impl Execution {
    /// The step that issued what a step does: for a flush the store, else the step itself.
    pub fn issue(&self, step: StepId) -> StepId {
        let access = self.access(step);
        access.and_then(|access| access.issued_by).unwrap_or(step)
    }

    /// The steps of each thread in program order, without flushes; nothing where that order is not known.
    pub fn program_order(&self) -> BTreeMap<ThreadId, Vec<StepId>> {
        let mut threads: BTreeMap<ThreadId, Vec<StepId>> = BTreeMap::new();
        let has_positions = self.steps.iter().any(|step| step.position.is_some());
        let mut steps = self.steps.iter();
        if !has_positions && steps.any(|step| step.ahead_of.is_some() || step.speculative) {
            return threads;
        }
        for (id, step) in self.steps.iter().enumerate() {
            if self.issue(id) == id {
                threads.entry(step.thread).or_default().push(id);
            }
        }
        for thread in threads.values_mut() {
            thread.sort_by_key(|id| (self.steps[*id].position, *id));
        }
        threads
    }

    /// Reads-from, coherence and from-read, sorted.
    pub fn relations(&self) -> Vec<Relation> {
        let writes = Writes::of(self);
        let mut relations = Vec::new();
        for (id, step) in self.steps.iter().enumerate() {
            let Event::Access(access) = &step.event else {
                continue;
            };
            let mut relate = |from: StepId, to: StepId, order| {
                let (from, to) = (self.issue(from), self.issue(to));
                if from != to {
                    relations.push(Relation { from, to, order });
                }
            };
            if let Some(write) = access.overwrites {
                relate(write, id, LinkOrder::Coherence);
            }
            if access.kind == AccessEvent::Buffer && access.flushed_by.is_none() {
                let last = writes.last_before(access, Moment::Never);
                last.into_iter()
                    .for_each(|write| relate(write, id, LinkOrder::Coherence));
            }
            if !access.reads() {
                continue;
            }
            if let Some(write) = access.reads_from {
                relate(write, id, LinkOrder::ReadsFrom);
            }
            // An update that writes comes before what overwrites it.
            if access.written.is_none() {
                let read = access
                    .reads_from
                    .map(|write| writes.moment(self.issue(write)));
                for write in writes.next_after(access, read) {
                    relate(id, write, LinkOrder::FromRead);
                }
            }
        }
        relations.sort_unstable();
        relations.dedup();
        relations
    }

    fn access(&self, step: StepId) -> Option<&MemoryAccess> {
        match &self.steps.get(step)?.event {
            Event::Access(access) => Some(access),
            _ => None,
        }
    }
}

impl MemoryAccess {
    /// True if it reads.
    pub fn reads(&self) -> bool {
        match self.kind {
            AccessEvent::Load | AccessEvent::Forward | AccessEvent::Update => true,
            AccessEvent::Buffer | AccessEvent::Commit => false,
        }
    }

    fn bytes(&self) -> impl Iterator<Item = Word> + use<> {
        let start = self.location.address;
        let size = Word::from(self.location.size.max(1));
        (0..size).map(move |byte| start.wrapping_add(byte))
    }
}

/// When a write reaches memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    At(StepId),
    Never,
}

/// The writes of an execution.
struct Writes {
    /// For each byte the writes to it in coherence order, by the steps that issue them.
    bytes: HashMap<Word, Vec<(Moment, StepId)>>,
    moments: HashMap<StepId, Moment>,
}

impl Writes {
    fn of(execution: &Execution) -> Self {
        let (mut flushed, mut pending) = (Vec::new(), Vec::new());
        for (id, step) in execution.steps.iter().enumerate() {
            let Event::Access(access) = &step.event else {
                continue;
            };
            let issue = execution.issue(id);
            match access.kind {
                AccessEvent::Commit => flushed.push((Moment::At(id), issue, access)),
                AccessEvent::Update if access.written.is_some() => {
                    flushed.push((Moment::At(id), issue, access));
                }
                AccessEvent::Buffer if access.flushed_by.is_none() => {
                    pending.push((Moment::Never, issue, access));
                }
                _ => {}
            }
        }
        let mut writes = Writes {
            bytes: HashMap::new(),
            moments: HashMap::new(),
        };
        for (moment, issue, access) in flushed.into_iter().chain(pending) {
            writes.moments.insert(issue, moment);
            for byte in access.bytes() {
                let of_byte = writes.bytes.entry(byte).or_default();
                of_byte.push((moment, issue));
            }
        }
        writes
    }

    fn moment(&self, issue: StepId) -> Moment {
        self.moments.get(&issue).copied().unwrap_or(Moment::Never)
    }

    /// The writes that come next after a moment, or first of all: one that reaches memory, or all that never do.
    fn next_after(&self, access: &MemoryAccess, moment: Option<Moment>) -> Vec<StepId> {
        let of_bytes = access.bytes().filter_map(|byte| {
            let writes = self.bytes.get(&byte)?;
            let later =
                writes.partition_point(|(at, _)| moment.is_some_and(|moment| *at <= moment));
            Some(&writes[later..])
        });
        let later: Vec<&[(Moment, StepId)]> = of_bytes.collect();
        let first = later.iter().filter_map(|writes| writes.first()).min();
        match first {
            Some((Moment::At(_), issue)) => vec![*issue],
            Some((Moment::Never, _)) => {
                let mut all: Vec<StepId> = later.concat().iter().map(|write| write.1).collect();
                all.sort_unstable();
                all.dedup();
                all
            }
            None => Vec::new(),
        }
    }

    /// The last write before a moment.
    fn last_before(&self, access: &MemoryAccess, moment: Moment) -> Option<StepId> {
        let of_bytes = access.bytes().filter_map(|byte| {
            let writes = self.bytes.get(&byte)?;
            writes.iter().rev().find(|(at, _)| *at < moment)
        });
        of_bytes.max().map(|write| write.1)
    }
}
