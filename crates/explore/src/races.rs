//! Races: primaries and later events in conflict with them.

use crate::child::{Child, Known};
use crate::explorer::Explorer;
use crate::step::{Step, StepKind};
use crate::trace::{Edge, EventId, Touch, has};
use std::sync::Arc;

impl Explorer<'_> {
    /// Races of an event with primaries before it, but for those whose effect it needs.
    pub(crate) fn find_races(&mut self, second: EventId, needed: &[EventId]) {
        if self.trace.event(second).step.choice() != 0 {
            return;
        }
        let mut index = 0;
        while let Some(first) = self.next_race(second, needed, &mut index) {
            if self.trace.event(first).primary {
                self.reverse_race(first, second);
            } else {
                self.reverse_grown(first, second);
            }
        }
    }

    /// The next event that an event is in a race with, from an edge of this index on.
    fn next_race(&self, second: EventId, needed: &[EventId], index: &mut usize) -> Option<EventId> {
        let thread = self.trace.event(second).step.thread;
        let edges = &self.trace.edges_of(second)[*index..];
        let found = edges.iter().position(|edge| {
            let first = edge.from;
            let event = self.trace.event(first);
            edge.conflict
                && event.step.thread != thread
                && (event.primary || !self.grown.is_empty())
                && !needed.contains(&first)
                && self.is_direct(first, second)
                && self.needs_the_rest(first, second)
        })?;
        *index += found + 1;
        Some(edges[found].from)
    }

    /// True if nothing lies between two events that are in conflict.
    fn is_direct(&self, first: EventId, second: EventId) -> bool {
        let mut edges = self.trace.edges_of(second).iter();
        !edges.any(|other| self.trace.precedes(first, other.from))
    }

    /// Rule 1: whatever after `first` does not happen before `second` is as the scheduler has it.
    fn needs_the_rest(&self, first: EventId, second: EventId) -> bool {
        let past = self.trace.past(second);
        let needed = |ids: &[EventId]| {
            let after = ids.iter().rev().take_while(|id| **id > first);
            let mut others = after.filter(|id| **id != second);
            others.all(|id| has(past, *id))
        };
        self.trace.event(first).step.choice() == 0
            && needed(&self.secondaries)
            && needed(&self.chosen)
    }

    /// Notes the version of a primary after an event in conflict with it.
    fn reverse_race(&mut self, first: EventId, second: EventId) {
        let edges = self.trace.edges_of(second).iter();
        let through = |edge: &&Edge| edge.through == Some(first);
        let needed = |id: EventId| {
            let mut others = edges
                .clone()
                .filter(|edge| edge.from != first && !through(edge));
            id < first || others.any(|edge| edge.from == id || self.trace.precedes(id, edge.from))
        };
        if !edges.clone().filter(through).all(|edge| needed(edge.from)) {
            return;
        }
        let event = self.trace.event(second);
        let known = event.footprint_depends_on_value.then(|| {
            Arc::new(Known {
                first: self.trace.touches_of(first).to_vec(),
                second: self.trace.touches_of(second).to_vec(),
            })
        });
        let step = event.step;
        let past = self.trace.past(second);
        let middle: Vec<EventId> = (first + 1..second).filter(|id| has(past, *id)).collect();
        self.reverse(first, &middle, step, known);
    }

    /// Notes the version of a primary after these events and then `step`.
    pub(crate) fn reverse(
        &mut self,
        first: EventId,
        middle: &[EventId],
        step: Step,
        known: Option<Arc<Known>>,
    ) {
        let event = self.trace.event(first);
        let node = event.node;
        let primary = event.step;
        let before = (node..first).chain(middle.iter().copied());
        let mut segment = Vec::with_capacity(first - node + middle.len() + 1);
        segment.extend(before.map(|id| self.trace.event(id).step));
        segment.push(step);
        let child = Child {
            segment,
            primary,
            opens_segment: true,
            opens_primary: true,
            known,
            extra: 0,
        };
        self.pending.push(node, child);
    }

    /// Notes the version of the last event of a segment after an event in conflict with what only
    /// it uses.
    fn reverse_grown(&mut self, first: EventId, second: EventId) {
        let Some(grown) = self
            .grown
            .iter()
            .find(|grown| grown.event == first)
            .cloned()
        else {
            return;
        };
        if self.is_in_all_orders(second, &grown.known, grown.primary) {
            return;
        }
        // The primary has to stay after both.
        let primary = self.trace.events().get(first + 1);
        let is_primary = primary.is_some_and(|next| next.primary && next.step == grown.primary);
        if is_primary && self.trace.precedes(first + 1, second) {
            return;
        }
        let node = self.trace.event(first).node;
        let past = self.trace.past(second);
        let middle = (first + 1..second).filter(|id| has(past, *id));
        let before = (node..first).chain(middle).chain([second]);
        let before: Vec<EventId> = before.collect();
        let mut segment: Vec<Step> = before.iter().map(|id| self.trace.event(*id).step).collect();
        segment.push(self.trace.event(first).step);
        let child = Child {
            extra: before.len() - (grown.first - node),
            segment,
            primary: grown.primary,
            opens_segment: true,
            opens_primary: true,
            known: Some(grown.known),
        };
        self.pending.push(node, child);
    }

    /// True if an event is in conflict with what a primary or the last event of its segment use in the
    /// opposite order: it comes in all orders there. A thread that reads its own store is not in conflict with the update.
    pub(crate) fn is_in_all_orders(&self, id: EventId, known: &Known, primary: Step) -> bool {
        let touches = self.trace.touches_of(id);
        let Step { thread, kind } = primary;
        let own = matches!(kind, StepKind::Commit(_)) && self.trace.event(id).step.thread == thread;
        let before = known.first.iter().filter(|_| !own);
        let clashes = |touch: &Touch| touches.iter().any(|other| touch.clashes(*other));
        before.chain(&known.second).any(clashes)
    }
}
