//! The monitor: what is known of an execution of SC as events are added to it and taken back.

use super::borderline::Borderline;
use super::confirm::Site;
use super::kind::Kind;
use super::known_reads::KnownReads;
use super::overlaps::Overlaps;
use super::relaxed::Relaxed;
use crate::trace::Trace;
use machine::Act;
use memory::Buffering;
use rustc_hash::FxHashSet;

/// Follows executions of SC and finds out what store buffers would show.
#[derive(Debug)]
pub struct Monitor {
    pub(super) relaxed: Relaxed,
    pub(super) reads: KnownReads,
    pub(super) overlaps: Overlaps,
    /// The borderline accesses of the execution, in its order.
    pub(super) borderline: Vec<Borderline>,
    /// A step was met that one row of the relation cannot stand for: it both read and stored, as
    /// copying from one shared object to another does (its store may wait, its loads do not), or
    /// has a fence between its accesses, or, where stores overtake stores, several stores.
    pub(super) mixed: bool,
    /// Borderline accesses at which store buffers were seen to make a difference, in any execution.
    pub(super) confirmed: FxHashSet<Site>,
}

impl Monitor {
    /// A monitor for store buffers of a kind.
    pub fn new(buffering: Buffering) -> Self {
        Monitor {
            relaxed: Relaxed::new(buffering),
            reads: KnownReads::new(),
            overlaps: Overlaps::default(),
            borderline: Vec::new(),
            mixed: false,
            confirmed: FxHashSet::default(),
        }
    }

    /// Takes in what happened before the first event.
    pub fn begin(&mut self, acts: &[Act]) {
        self.relaxed.start(acts);
    }

    /// Takes in the last event of a trace, which did these things, and looks whether it is
    /// borderline.
    pub fn add_event(&mut self, trace: &Trace, acts: &[Act]) {
        let id = trace.len() - 1;
        let thread = trace.event(id).step.thread;
        let kind = Kind::of(acts, thread);
        self.relaxed.kinds.push(kind);
        let stores_pass = self.relaxed.stores_pass;
        // Stores of one step may be flushed apart from each other, but have one row.
        let apart = stores_pass && kind.stores > 1;
        let beside = kind.reads || kind.writes || kind.fence_inside;
        self.mixed |= apart || kind.stores > 0 && beside;
        self.overlaps.note(trace.touches_of(id));
        if kind.special {
            self.relaxed.begin_row(trace, id);
            self.relaxed.settle_private(acts);
        }
        let looks = stores_pass || kind.reads && !kind.writes && !kind.drains;
        let notes = self.relaxed.asked && kind.reads && !stores_pass;
        // If it reads or overwrites writes of others, it has edges from them.
        let meets_others = (looks || notes) && trace.edges_of(id).iter().any(|edge| edge.conflict);
        if looks && (meets_others || !self.relaxed.prepared.is_empty()) {
            self.look(trace, id);
        }
        if notes && meets_others {
            for edge in trace.edges_of(id).iter().filter(|edge| edge.conflict) {
                self.reads.note(&self.relaxed.kinds, id, edge.from);
            }
        }
        self.relaxed.complete_row(trace, id);
        if kind.special {
            self.relaxed.add_special(id, acts, Some(thread));
        }
    }

    /// Takes back the last event.
    pub fn remove_event(&mut self) {
        self.relaxed.pop();
        let event = self.relaxed.kinds.len();
        while self
            .borderline
            .last()
            .is_some_and(|last| last.event >= event)
        {
            self.borderline.pop();
        }
        self.reads.back_to(event);
    }
}
