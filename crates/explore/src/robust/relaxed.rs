//! What would still happen before what if stores could wait in store buffers: the relaxed
//! happens-before relation of a sequentially consistent execution.
//!
//! As in [`crate::trace::Trace`], what comes before an event is a row of bits. Rows are made when
//! the monitor needs one. Stores to memory that others cannot reach yet (*private* stores, which the
//! machine reports as `Prepare`) wait under PSO like any other, so they have rows of their own.

use super::kind::{DRAINS, Kind, STORES, first_access};
use crate::trace::{EventId, words_of};
use machine::{Act, ActKind, Bytes};
use memory::Buffering;
use program::{Orderings, ThreadId};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The number of a row of the relation: of an event, or of private stores in its step.
pub type NodeId = usize;

/// Stands for the event of private stores before the first event.
const BEFORE_ALL: EventId = u32::MAX as EventId;

/// What is known of a thread. A node *waits* if it stands for stores, which may be in the store buffer.
#[derive(Clone, Copy, Debug, Default)]
struct Front {
    /// The last node that does not wait, plus one.
    last: u32,
    /// Loads come after this many of its stores.
    fence_load: u32,
    /// The number of its stores that come before its last node that does not wait.
    settled: u32,
    /// Stores come after this many of its stores.
    fence_store: u32,
    /// Of these, the stores from this one on come after the others.
    epoch: u32,
    /// The number of stores issued to the store buffer.
    issued: u32,
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    Front(u32, Front),
    Prepared(u64),
}

/// A store to bytes of a word that was private to its thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prepared {
    pub node: u32,
    pub thread: u32,
    pub mask: u8,
}

/// An event, or private stores in its step.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    row: usize,
    event: u32,
    /// The thread of the event, or of the private stores.
    pub thread: ThreadId,
    /// The stores that it stands for, by their numbers in the thread: the first, and the first after
    /// them.
    stores: (u32, u32),
    is_event: bool,
}

impl Node {
    /// True if it is an event rather than private stores in the step of one.
    pub fn is_event(&self) -> bool {
        self.is_event
    }

    /// The event; none if it happened before the first.
    pub fn event(&self) -> Option<EventId> {
        let event = self.event as EventId;
        (event != BEFORE_ALL).then_some(event)
    }

    /// The numbers of the stores that it stands for.
    pub fn stores(&self) -> Range<u32> {
        self.stores.0..self.stores.1
    }

    /// True if it stands for private stores of a thread in the step of an event.
    fn is_private_to(&self, event: EventId, thread: ThreadId) -> bool {
        self.event == event as u32 && self.thread == thread && !self.is_event
    }

    /// True if it stands for stores, which may be in the store buffer.
    pub(super) fn waits(&self) -> bool {
        self.stores.0 < self.stores.1
    }
}

/// The relaxed happens-before relation of a trace.
#[derive(Clone, Debug)]
pub struct Relaxed {
    /// Stores may overtake stores.
    pub(super) stores_pass: bool,
    rows: Vec<u64>,
    nodes: Vec<Node>,
    /// What each event does.
    pub(super) kinds: Vec<Kind>,
    /// The events that have rows so far.
    events: Vec<Entry>,
    fronts: Vec<Front>,
    /// The nodes of each thread that wait.
    stores: Vec<Vec<u32>>,
    /// Private stores, by word.
    pub(super) prepared: FxHashMap<u64, Vec<Prepared>>,
    undo: Vec<Undo>,
    /// A row was needed once: from then on it is worth noting who read what.
    pub(super) asked: bool,
}

/// An event that has a row.
#[derive(Clone, Copy, Debug)]
struct Entry {
    node: u32,
    /// How much there was to undo before it.
    undo: u32,
    /// What was known of its thread.
    front: Front,
}

impl Relaxed {
    /// The relation for store buffers of a kind.
    pub fn new(buffering: Buffering) -> Self {
        Relaxed {
            stores_pass: buffering == Buffering::PerLocation,
            rows: Vec::new(),
            nodes: Vec::new(),
            kinds: Vec::new(),
            events: Vec::new(),
            fronts: Vec::new(),
            stores: Vec::new(),
            prepared: FxHashMap::default(),
            undo: Vec::new(),
            asked: false,
        }
    }

    fn room(&mut self, thread: ThreadId) -> usize {
        let index = thread.index();
        if self.fronts.len() <= index {
            self.fronts.resize(index + 1, Front::default());
            self.stores.resize(index + 1, Vec::new());
        }
        index
    }

    fn save(&mut self, thread: usize) {
        let front = self.fronts[thread];
        self.undo.push(Undo::Front(thread as u32, front));
    }

    /// Number of events that have rows.
    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    /// Begins the row of the next event, with what comes before it on account of its thread.
    pub(super) fn begin_event(&mut self, kind: Kind) {
        let thread = ThreadId(kind.thread);
        let own = self.room(thread);
        let undo = self.undo.len() as u32;
        let node = self.begin(self.events.len(), thread);
        self.events.push(Entry {
            node: node as u32,
            undo,
            front: self.fronts[own],
        });
        if kind.first_keeps_loads || kind.first_keeps_stores {
            self.fence(own, kind.first_keeps_loads, kind.first_keeps_stores);
        }
        self.add_own(own, kind);
        if let Some(child) = kind.joins.checked_sub(1) {
            let child = self.room(ThreadId(child));
            self.add_own(child, DRAINS);
        }
    }

    /// Ends the row of the last event.
    pub(super) fn end_event(&mut self, kind: Kind) {
        let own = kind.thread as usize;
        self.put(own, kind);
        if !kind.special && (kind.keeps_loads || kind.keeps_stores) {
            self.fence(own, kind.keeps_loads, kind.keeps_stores);
        }
    }

    /// Takes in what happened before the first event.
    pub(super) fn start(&mut self, acts: &[Act]) {
        self.add_special(BEFORE_ALL, acts, None);
        self.undo.clear();
    }

    /// Takes in the acts of an event that its kind does not sum up.
    pub(super) fn add_special(&mut self, id: EventId, acts: &[Act], thread: Option<ThreadId>) {
        // Fences in front of its accesses are part of its row.
        let first = thread.map_or(0, |thread| first_access(acts, thread));
        for (index, act) in acts.iter().enumerate() {
            match act.kind {
                ActKind::Fence(_) if index < first && Some(act.thread) == thread => {}
                ActKind::Fence(orderings) => {
                    let thread = self.room(act.thread);
                    self.save(thread);
                    let keeps = |ordering| orderings.contains(ordering);
                    let (loads, stores) = (Orderings::STORE_LOAD, Orderings::STORE_STORE);
                    self.fence(thread, keeps(loads), keeps(stores));
                }
                ActKind::Prepare(bytes) => self.prepare(id, act.thread, bytes),
                _ => {}
            }
        }
    }

    /// A read-modify-write of private memory comes after the stores to it.
    pub(super) fn settle_private(&mut self, acts: &[Act]) {
        for act in acts {
            if let ActKind::Settle(bytes) = act.kind {
                for (word, mask) in words_of(bytes.address, bytes.size) {
                    self.add_prepared(word, mask, |thread| thread == act.thread.0);
                }
            }
        }
    }

    /// Private stores by some threads to bytes of a word come before the last node.
    pub(super) fn add_prepared(&mut self, word: u64, mask: u8, by: impl Fn(u32) -> bool) {
        let stores = self.prepared.get(&word).map_or(0, Vec::len);
        for index in 0..stores {
            let store = self.prepared[&word][index];
            if store.mask & mask != 0 && by(store.thread) {
                self.add(store.node as NodeId);
            }
        }
    }

    /// Begins a node; its row is still empty.
    fn begin(&mut self, event: EventId, thread: ThreadId) -> NodeId {
        let id = self.nodes.len();
        let row = self.rows.len();
        self.rows.resize(row + id.div_ceil(64), 0);
        self.nodes.push(Node {
            row,
            event: event as u32,
            thread,
            stores: (0, 0),
            is_event: self.events.len() == event,
        });
        id
    }

    /// `from` comes before the last node.
    pub(super) fn add(&mut self, from: NodeId) {
        let row = self.nodes[self.nodes.len() - 1].row;
        if self.rows[row + from / 64] >> (from % 64) & 1 != 0 {
            return;
        }
        let start = self.nodes[from].row;
        for word in 0..from.div_ceil(64) {
            self.rows[row + word] |= self.rows[start + word];
        }
        self.rows[row + from / 64] |= 1 << (from % 64);
    }

    /// A thread's stores in a range come before the last node.
    fn add_stores(&mut self, thread: usize, first: u32, end: u32) {
        // Without overtaking, the last one comes after all others.
        let first = if self.stores_pass {
            first
        } else {
            first.max(end.saturating_sub(1))
        };
        for index in first..end {
            let store = self.stores[thread][index as usize];
            self.add(store as NodeId);
        }
    }

    /// What comes before the next node of a thread on account of the thread itself.
    fn add_own(&mut self, thread: usize, kind: Kind) {
        let front = self.fronts[thread];
        if let Some(last) = front.last.checked_sub(1) {
            self.add(last as NodeId);
        }
        let all = self.stores[thread].len() as u32;
        if kind.drains || kind.stores > 0 && !self.stores_pass {
            self.add_stores(thread, front.settled, all);
        } else if kind.stores > 0 || kind.settles {
            self.add_stores(thread, front.epoch, front.fence_store);
        }
        if kind.reads && front.settled < front.fence_load {
            self.add_stores(thread, front.settled, front.fence_load);
        }
    }

    /// Notes the last node as one of a thread.
    fn put(&mut self, thread: usize, kind: Kind) {
        let node = self.nodes.len() - 1;
        let all = self.stores[thread].len() as u32;
        let front = &mut self.fronts[thread];
        if kind.stores > 0 {
            self.nodes[node].stores = (front.issued, front.issued + kind.stores);
            front.issued += kind.stores;
            self.stores[thread].push(node as u32);
            return;
        }
        front.last = node as u32 + 1;
        if kind.drains {
            front.settled = all;
        } else if kind.reads {
            front.settled = front.settled.max(front.fence_load);
        }
    }

    /// A fence of a thread keeps later loads, or stores, behind its stores so far.
    fn fence(&mut self, thread: usize, loads: bool, stores: bool) {
        let all = self.stores[thread].len() as u32;
        let front = &mut self.fronts[thread];
        if loads {
            front.fence_load = all;
        }
        if stores && all > front.fence_store {
            front.epoch = front.fence_store;
            front.fence_store = all;
        }
    }

    /// A private store in the step of an event.
    fn prepare(&mut self, event: EventId, id: ThreadId, bytes: Bytes) {
        let thread = self.room(id);
        self.save(thread);
        let front = &mut self.fronts[thread];
        // Several in a row, without a fence in between, share a node.
        let count = self.stores[thread].len() as u32;
        let fenced = count == front.fence_store.max(front.fence_load);
        match self.nodes.last_mut() {
            Some(last) if last.is_private_to(event, id) && last.waits() && !fenced => {
                last.stores.1 += 1;
                front.issued += 1;
            }
            _ => self.add_private_node(event, id),
        }
        let node = self.nodes.len() as u32 - 1;
        for (word, mask) in words_of(bytes.address, bytes.size) {
            self.prepared.entry(word).or_default().push(Prepared {
                node,
                thread: thread as u32,
                mask,
            });
            self.undo.push(Undo::Prepared(word));
        }
    }

    /// Adds a node for private stores in the step of an event.
    fn add_private_node(&mut self, event: EventId, id: ThreadId) {
        let thread = self.room(id);
        self.begin(event, id);
        self.add_own(thread, STORES);
        // What a thread does while it is started comes after its start.
        if event != BEFORE_ALL && self.kinds[event].thread != id.0 {
            self.add(self.node_of(event));
        }
        self.put(thread, STORES);
    }

    /// Takes back the last event.
    pub fn pop(&mut self) {
        self.kinds.pop();
        if self.events.len() <= self.kinds.len() {
            return;
        }
        let Some(Entry { node, undo, front }) = self.events.pop() else {
            return;
        };
        while self.undo.len() > undo as usize
            && let Some(undo) = self.undo.pop()
        {
            match undo {
                Undo::Front(thread, front) => self.fronts[thread as usize] = front,
                Undo::Prepared(word) => {
                    if let Some(stores) = self.prepared.get_mut(&word) {
                        stores.pop();
                    }
                }
            }
        }
        for gone in self.nodes[node as usize..].iter().rev() {
            if gone.waits() {
                self.stores[gone.thread.index()].pop();
            }
        }
        let first = self.nodes[node as usize];
        self.fronts[first.thread.index()] = front;
        self.rows.truncate(first.row);
        self.nodes.truncate(node as usize);
    }

    /// The nodes, in the order of the execution.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of an event.
    pub fn node_of(&self, event: EventId) -> NodeId {
        self.events[event].node as NodeId
    }

    /// True if `from` comes before `node` or is it.
    pub fn reaches(&self, from: NodeId, node: NodeId) -> bool {
        let row = self.nodes[node].row;
        from == node || from < node && self.rows[row + from / 64] >> (from % 64) & 1 != 0
    }
}
