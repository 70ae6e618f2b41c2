//! Children of nodes: doing a segment and its primary, and whether the version is found here.

use crate::child::{Child, Known};
use crate::explorer::{Explorer, Visitor};
use crate::step::{Step, StepKind};
use crate::trace::{EventId, Touch};
use program::ThreadId;
use std::sync::Arc;

/// The last event of a segment that uses more than it would after the primary: it has versions of
/// its own.
#[derive(Clone, Debug)]
pub(crate) struct Grown {
    pub event: EventId,
    /// The first event before it that is there for the sake of what else it uses.
    pub first: EventId,
    /// The primary of the segment.
    pub primary: Step,
    /// What both use in the opposite order.
    pub known: Arc<Known>,
}

impl Explorer<'_> {
    /// How many steps of a child's segment the execution at hand has behind the node already. The last step is none of them,
    /// since its choices are opened before it.
    pub(crate) fn shared_steps(&self, node: EventId, child: &Child) -> usize {
        let events = self.trace.events()[node..].iter();
        let earlier = child
            .segment
            .split_last()
            .map_or(&[][..], |(_, earlier)| earlier);
        let shared = events.zip(earlier).take_while(|(event, step)| {
            event.step == **step && event.node == node && !event.primary
        });
        shared.count()
    }

    /// Does a child's segment, as far as the execution does not have it, and its primary, then goes on to the end of the execution.
    pub(crate) fn enter(
        &mut self,
        node: EventId,
        child: &Child,
        visitor: &mut impl Visitor,
    ) -> bool {
        let mut needed_by_last = Vec::new();
        let done = self.trace.len() - node;
        for (index, step) in child.segment.iter().enumerate().skip(done) {
            if index + 1 == child.segment.len() {
                self.open_segment(node, child);
                needed_by_last = self.needed_writers(*step);
            }
            let done = self.ways(*step) > step.choice() && self.perform(*step, false, node);
            if !done || !self.look_at_end(visitor) {
                self.redundant += u64::from(!self.stopped);
                return !self.stopped;
            }
        }
        let end = self.trace.len();
        let primary = child.primary;
        let needed = self.needed_writers(primary);
        let ways = self.ways(primary);
        let others = match child.opens_primary {
            true => self.other_choices(primary, ways),
            false => Vec::new(),
        };
        let happens = ways > primary.choice() && self.perform(primary, true, node);
        if end > node && !self.is_found_here(node, end, child, happens) {
            return true;
        }
        if happens {
            self.defer_choices(node, &child.segment, primary, &others);
        }
        if end > node && primary.choice() == 0 {
            self.note_growth(end - 1, child);
            self.find_races(end - 1, &needed_by_last);
        }
        if happens {
            self.find_races(end, &needed);
            self.find_waiting(end);
            if !self.look_at_end(visitor) {
                return false;
            }
        }
        self.descend(visitor)
    }

    /// Notes the other choices of the last step of a segment as children.
    fn open_segment(&mut self, node: EventId, child: &Child) {
        let Some((last, earlier)) = child.segment.split_last() else {
            return;
        };
        if !child.opens_segment {
            return;
        }
        let ways = self.ways(*last);
        for choice in self.other_choices(*last, ways) {
            let mut segment = earlier.to_vec();
            segment.push(last.choosing(choice));
            let other = Child {
                segment,
                opens_segment: false,
                ..child.clone()
            };
            self.pending.push(node, other);
        }
    }

    /// Notes the other choices of a primary as children.
    pub(crate) fn open_ways(&mut self, node: EventId, step: Step, ways: u32) {
        let others = self.other_choices(step, ways);
        self.defer_choices(node, &[], step, &others);
    }

    /// The choices of a step that may happen in several ways now, but for the first, and for those that come to nothing; the
    /// last one first.
    fn other_choices(&mut self, step: Step, ways: u32) -> Vec<u32> {
        let choices = (1..ways).rev();
        choices
            .filter(|choice| !self.process.only_repeats(step.thread, *choice))
            .collect()
    }

    fn defer_choices(&mut self, node: EventId, segment: &[Step], step: Step, choices: &[u32]) {
        for &choice in choices {
            let child = Child {
                segment: segment.to_vec(),
                primary: step.choosing(choice),
                opens_segment: false,
                opens_primary: false,
                known: None,
                extra: 0,
            };
            self.pending.push(node, child);
        }
    }

    /// Rule 2 for the segment from `node` to `end` and the primary after it, if it happened.
    fn is_found_here(&mut self, node: EventId, end: EventId, child: &Child, happens: bool) -> bool {
        let last = end - 1;
        let ends: Vec<EventId> = (node..last).filter(|id| self.is_last(*id, last)).collect();
        if !happens {
            // A single event keeps the primary from happening.
            return ends.is_empty();
        }
        let leads_to = |id: EventId| self.trace.edges_of(end).iter().any(|edge| edge.from == id);
        if !leads_to(last) || !ends.iter().all(|id| leads_to(*id)) {
            return false;
        }
        let key = order_of(self.trace.event(last).step);
        let later = |id: &EventId| order_of(self.trace.event(*id).step) > key;
        let later: Vec<EventId> = ends.into_iter().filter(later).collect();
        if later.iter().any(|id| self.could_be_missing(*id, node, end)) {
            return false;
        }
        self.extra_is_found_here(last, child)
    }

    /// True if nothing of the segment up to `last` comes after an event of it.
    fn is_last(&self, id: EventId, last: EventId) -> bool {
        !(id + 1..=last).any(|later| self.trace.precedes(id, later))
    }

    /// True if the primary at `end` would come after all other last events of its segment without
    /// this one, too.
    fn could_be_missing(&mut self, id: EventId, node: EventId, end: EventId) -> bool {
        let edges = self.trace.edges_of(end).iter();
        let mut through = edges.clone().filter(|edge| edge.through == Some(id));
        let stays = |from: EventId| {
            let mut others = edges
                .clone()
                .filter(|e| e.from != id && e.through != Some(id));
            others.any(|edge| self.trace.precedes(from, edge.from))
        };
        if through.any(|edge| !stays(edge.from)) {
            return false;
        }
        if !self.trace.event(end).footprint_depends_on_value {
            return true;
        }
        let steps: Vec<Step> = (node..=end).map(|id| self.trace.event(id).step).collect();
        // Later events are one earlier without this one. Their steps would not tell them apart: those of one
        // thread look the same.
        let ends = (node..end).filter(|other| *other != id && self.is_last(*other, end - 1));
        let ends: Vec<EventId> = ends.map(|other| other - usize::from(other > id)).collect();
        let (events, redundant) = (self.events, self.redundant);
        self.back_to(node);
        let without = (node..=end).zip(&steps).filter(|(other, _)| *other != id);
        let done = without
            .clone()
            .all(|(other, step)| self.perform(*step, other == end, node));
        let all = done && {
            let primary = self.trace.len() - 1;
            let edges = self.trace.edges_of(primary);
            let from = |end: &EventId| edges.iter().any(|edge| edge.from == *end);
            ends.iter().all(from)
        };
        self.back_to(node);
        for (other, step) in (node..=end).zip(&steps) {
            self.perform(*step, other == end, node);
        }
        (self.events, self.redundant) = (events, redundant);
        // A limit may have cut the steps short; the version is given up then.
        all || self.trace.len() <= end
    }

    /// Rule 2 for what is there for the sake of what else the last event of a segment uses.
    fn extra_is_found_here(&self, last: EventId, child: &Child) -> bool {
        let Some(found) = last.checked_sub(1).filter(|_| child.extra > 0) else {
            return true;
        };
        // It may write here what it only read after the last event.
        let known = child.known.as_deref();
        if known.is_some_and(|known| self.is_in_all_orders(found, known, child.primary)) {
            return false;
        }
        let key = order_of(self.trace.event(found).step);
        let mut extra = last - child.extra..found;
        extra.all(|id| {
            order_of(self.trace.event(id).step) < key
                || (id + 1..last).any(|later| self.trace.precedes(id, later))
        })
    }

    /// Remembers the last event of a segment if it uses more than after the primary.
    fn note_growth(&mut self, last: EventId, child: &Child) {
        let Some(known) = &child.known else {
            return;
        };
        let is_known = |touch: &Touch| known.second.iter().any(|known| touch.is_within(*known));
        if !self.trace.touches_of(last).iter().all(is_known) {
            self.grown.push(Grown {
                event: last,
                first: last - child.extra,
                primary: child.primary,
                known: known.clone(),
            });
        }
    }
}

/// The order of steps that are last in a segment: the same in every execution that has them.
fn order_of(step: Step) -> (ThreadId, bool, u32) {
    match step.kind {
        StepKind::Run(_) => (step.thread, false, 0),
        StepKind::Commit(number) => (step.thread, true, number),
    }
}
