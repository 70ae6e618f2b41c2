//! What would still happen before what if stores could wait: the relaxed happens-before relation of
//! a sequentially consistent execution, and the accesses at which store buffers could make a
//! difference.
//!
//! Burckhardt and Musuvathi (*Effective Program Verification for Relaxed Memory Models*, CAV 2008)
//! look at executions of sequential consistency only. An access is *borderline* if some write
//! of its place happens before it, and so cannot be missed, but only because of the order
//! of a store and what follows it in its thread, which a store buffer does not keep. Under TSO
//! only loads need to be looked at: an execution that is not sequentially consistent can be put
//! together in the order in which its stores reach memory. Under PSO it is put together in the order
//! in which they are issued; then stores and read-modify-writes may be the first to come too
//! early, too, and what they come before is always a store that waits.
//!
//! As in [`super::Trace`], what comes before an event is a row of bits. Stores to what others
//! cannot reach yet wait under PSO like any other, so they have rows of their own.

use super::uses::{Touch, words_of};
use super::{EventId, Trace};
use machine::{Act, ActKind, Bytes};
use memory::Buffering;
use program::{Orderings, ThreadId};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// An access that could have missed a write that happens before it, if stores waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Borderline {
    /// The access.
    pub event: EventId,
    /// What would come after it instead: the write, and all that comes after it even so.
    pub missed: NodeId,
}

/// A row of the relation: an event, or stores that it takes along.
pub type NodeId = usize;

/// What is known of a thread.
#[derive(Clone, Copy, Debug, Default)]
struct Front {
    /// The last node that cannot wait, plus one.
    last: u32,
    /// Loads come after so many of its stores.
    fence_load: u32,
    /// Of which so many come before its last node that cannot wait.
    settled: u32,
    /// Stores come after so many of its stores.
    fence_store: u32,
    /// Of which those from here on come after the others.
    epoch: u32,
    /// So many stores were issued that may wait.
    issued: u32,
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    Front(u32, Front),
    Store(u32),
    Prepared(u64),
}

/// A store to what others could not reach.
#[derive(Clone, Copy, Debug)]
struct Prepared {
    node: u32,
    thread: u32,
    mask: u8,
}

/// An event, or something that it takes along.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    row: usize,
    /// The event.
    pub event: u32,
    /// Whose.
    pub thread: ThreadId,
    /// The first of the stores that it stands for, which may wait, among those of the thread, and
    /// the first that comes after.
    stores: (u32, u32),
    is_event: bool,
}

impl Node {
    /// True if it is not just taken along by an event.
    pub fn is_event(&self) -> bool {
        self.is_event
    }

    /// The numbers of the stores that it stands for.
    pub fn stores(&self) -> Range<u32> {
        self.stores.0..self.stores.1
    }

    fn waits(&self) -> bool {
        self.stores.0 < self.stores.1
    }
}

/// The relaxed happens-before relation of a trace.
#[derive(Clone, Debug)]
pub struct Relaxed {
    /// Stores may overtake stores.
    stores_pass: bool,
    rows: Vec<u64>,
    nodes: Vec<Node>,
    /// For each event its node, and how much there was to undo before it.
    events: Vec<(u32, u32)>,
    fronts: Vec<Front>,
    /// The nodes of each thread that stand for stores that may wait.
    stores: Vec<Vec<u32>>,
    /// By word.
    prepared: FxHashMap<u64, Vec<Prepared>>,
    undo: Vec<Undo>,
    found: Vec<Borderline>,
    /// For each byte of each word, the bytes that it was first used with.
    together: Vec<[u8; 8]>,
    /// Events use parts of what others use.
    uneven: bool,
    /// A step both read and stored, as copying from one shared object to another does: its store
    /// may wait, its loads do not.
    pub mixed: bool,
}

/// What an event does, in short.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    reads: bool,
    /// Writes memory at once.
    writes: bool,
    /// Stores that may wait.
    stores: u32,
    /// Comes after all earlier stores.
    drains: bool,
    /// Comes after earlier stores to the same place, and those before a fence.
    settles: bool,
}

impl Relaxed {
    /// The relation for store buffers of a kind.
    pub fn new(buffering: Buffering) -> Self {
        Relaxed {
            stores_pass: buffering == Buffering::PerPlace,
            rows: Vec::new(),
            nodes: Vec::new(),
            events: Vec::new(),
            fronts: Vec::new(),
            stores: Vec::new(),
            prepared: FxHashMap::default(),
            undo: Vec::new(),
            found: Vec::new(),
            together: Vec::new(),
            uneven: false,
            mixed: false,
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
    fn add(&mut self, from: NodeId) {
        let row = self.nodes[self.nodes.len() - 1].row;
        let start = self.nodes[from].row;
        let (earlier, last) = self.rows.split_at_mut(row);
        let before = &earlier[start..start + from.div_ceil(64)];
        for (word, more) in last.iter_mut().zip(before) {
            *word |= more;
        }
        last[from / 64] |= 1 << (from % 64);
    }

    /// A thread's stores in a range come before the last node.
    fn add_stores(&mut self, thread: usize, first: u32, end: u32) {
        // Without overtaking, the last one comes after all others.
        let first = match self.stores_pass {
            true => first,
            false => first.max(end.saturating_sub(1)),
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
        self.save(thread);
        let all = self.stores[thread].len() as u32;
        let front = &mut self.fronts[thread];
        if kind.stores > 0 {
            self.nodes[node].stores = (front.issued, front.issued + kind.stores);
            front.issued += kind.stores;
            self.stores[thread].push(node as u32);
            self.undo.push(Undo::Store(thread as u32));
            return;
        }
        front.last = node as u32 + 1;
        if kind.drains {
            front.settled = all;
        } else if kind.reads {
            front.settled = front.settled.max(front.fence_load);
        }
    }

    fn fence(&mut self, thread: usize, orderings: Orderings) {
        self.save(thread);
        let all = self.stores[thread].len() as u32;
        let front = &mut self.fronts[thread];
        if orderings.contains(Orderings::STORE_LOAD) {
            front.fence_load = all;
        }
        if orderings.contains(Orderings::STORE_STORE) && all > front.fence_store {
            front.epoch = front.fence_store;
            front.fence_store = all;
        }
    }

    /// A store to what others cannot reach yet, taken along by an event.
    fn prepare(&mut self, event: EventId, id: ThreadId, bytes: Bytes) {
        let thread = self.room(id);
        let last = self.nodes.len() - 1;
        let front = self.fronts[thread];
        // Several in a row, without a fence in between, are one.
        let node = &self.nodes[last];
        let count = self.stores[thread].len() as u32;
        let same = node.event as EventId == event
            && node.thread == id
            && node.waits()
            && self
                .events
                .last()
                .is_some_and(|(own, _)| *own < last as u32)
            && count > front.fence_store.max(front.fence_load);
        if same {
            self.save(thread);
            self.nodes[last].stores.1 += 1;
            self.fronts[thread].issued += 1;
        } else {
            let kind = Kind {
                stores: 1,
                ..Kind::default()
            };
            self.take_along(event, id, kind, None);
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

    /// A store or a read-modify-write of what others cannot reach, taken along by an event. The
    /// latter waits for stores to the same bytes.
    fn take_along(&mut self, event: EventId, id: ThreadId, kind: Kind, bytes: Option<Bytes>) {
        let thread = self.room(id);
        self.begin(event, id);
        self.add_own(thread, kind);
        let words = bytes.into_iter().flat_map(|b| words_of(b.address, b.size));
        for (word, mask) in words {
            let stores = self.prepared.get(&word).map_or(0, Vec::len);
            for index in 0..stores {
                let store = self.prepared[&word][index];
                if store.mask & mask != 0 {
                    self.add(store.node as NodeId);
                }
            }
        }
        self.put(thread, kind);
    }

    /// Notes that bytes of a word are used together.
    fn note_use(&mut self, touch: &Touch) {
        let word = touch.word as usize;
        if self.together.len() <= word {
            self.together.resize(word + 1, [0; 8]);
        }
        let known = &mut self.together[word];
        for byte in (0..8).filter(|byte| touch.mask >> byte & 1 != 0) {
            match known[byte] {
                0 => known[byte] = touch.mask,
                mask => self.uneven |= mask != touch.mask,
            }
        }
    }

    /// Takes back the last event.
    pub fn pop(&mut self) {
        let Some((node, undo)) = self.events.pop() else {
            return;
        };
        self.rows.truncate(self.nodes[node as usize].row);
        self.nodes.truncate(node as usize);
        while self.undo.len() > undo as usize
            && let Some(undo) = self.undo.pop()
        {
            match undo {
                Undo::Front(thread, front) => self.fronts[thread as usize] = front,
                Undo::Store(thread) => {
                    self.stores[thread as usize].pop();
                }
                Undo::Prepared(word) => {
                    if let Some(stores) = self.prepared.get_mut(&word) {
                        stores.pop();
                    }
                }
            }
        }
        let event = self.events.len();
        while self.found.last().is_some_and(|last| last.event >= event) {
            self.found.pop();
        }
    }

    /// The nodes, in the order of the execution.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of an event.
    pub fn node_of(&self, event: EventId) -> NodeId {
        self.events[event].0 as NodeId
    }

    /// True if `from` comes before `node` or is it.
    pub fn reaches(&self, from: NodeId, node: NodeId) -> bool {
        let row = self.nodes[node].row;
        from == node || from < node && self.rows[row + from / 64] >> (from % 64) & 1 != 0
    }
}

const DRAINS: Kind = Kind {
    reads: true,
    writes: true,
    stores: 0,
    drains: true,
    settles: false,
};

const SETTLES: Kind = Kind {
    settles: true,
    drains: false,
    ..DRAINS
};

impl Kind {
    fn of(acts: &[Act], thread: ThreadId) -> Self {
        let mut kind = Kind::default();
        for (index, act) in acts.iter().enumerate() {
            match act.kind {
                _ if act.thread != thread => {}
                ActKind::Read(..) => kind.reads = true,
                ActKind::Write(_) => kind.writes = true,
                ActKind::Store(_) => kind.stores += 1,
                ActKind::Drain => kind.drains |= index == 0,
                ActKind::Settle(_) => kind.settles |= index == 0,
                _ => {}
            }
        }
        kind
    }
}

impl Trace {
    /// The accesses at which store buffers could make a difference.
    pub fn borderline(&self) -> &[Borderline] {
        self.relaxed.as_ref().map_or(&[], |relaxed| &relaxed.found)
    }

    /// Events that might write if they missed a write, and then come after others that use part of
    /// what they use: those others have to come first to tell.
    pub fn might_write(&self) -> Vec<EventId> {
        let uneven = |relaxed: &Relaxed| relaxed.stores_pass && relaxed.uneven;
        let events = self.events.iter().enumerate();
        let events = events.filter(|_| self.relaxed.as_deref().is_some_and(uneven));
        let might = events.filter(|(id, event)| {
            event.fickle && self.touches_of(*id).iter().all(|touch| !touch.writes)
        });
        might.map(|(id, _)| id).collect()
    }

    /// Adds the last event to the relaxed relation, if it is kept, and looks whether it is
    /// borderline.
    pub(super) fn relax(&mut self, acts: &[Act]) {
        let Some(mut relaxed) = self.relaxed.take() else {
            return;
        };
        let id = self.len() - 1;
        let thread = self.event(id).step.thread;
        let own = relaxed.room(thread);
        let kind = Kind::of(acts, thread);
        relaxed.mixed |= kind.stores > 0 && (kind.reads || kind.writes);
        if !relaxed.uneven {
            let touches = self.touches_of(id);
            touches.iter().for_each(|touch| relaxed.note_use(touch));
            relaxed.uneven |= touches.iter().any(|touch| touch.word != touches[0].word);
        }
        let undo = relaxed.undo.len() as u32;
        let node = relaxed.begin(id, thread);
        relaxed.events.push((node as u32, undo));
        relaxed.add_own(own, kind);
        for edge in self.edges_of(id).iter().filter(|edge| !edge.conflict) {
            if self.event(edge.from).step.thread != thread {
                relaxed.add(relaxed.node_of(edge.from));
            }
        }
        if relaxed.stores_pass && (kind.stores > 0 || kind.settles) {
            self.keep_own_order(&mut relaxed, id);
        }
        for act in acts {
            if let ActKind::Join(child) = act.kind {
                let child = relaxed.room(child);
                relaxed.add_own(child, DRAINS);
            }
        }
        let checked = match relaxed.stores_pass {
            true => true,
            false => kind.reads && !kind.writes && !kind.drains,
        };
        if checked {
            self.look(&mut relaxed, id, node);
        }
        for edge in self.edges_of(id).iter().filter(|edge| edge.conflict) {
            if self.event(edge.from).step.thread != thread {
                relaxed.add(relaxed.node_of(edge.from));
            }
        }
        relaxed.put(own, kind);
        for (index, act) in acts.iter().enumerate() {
            match act.kind {
                ActKind::Fence(orderings) => {
                    let thread = relaxed.room(act.thread);
                    relaxed.fence(thread, orderings);
                }
                ActKind::Prepare(bytes) => relaxed.prepare(id, act.thread, bytes),
                ActKind::Drain if index > 0 => relaxed.take_along(id, act.thread, DRAINS, None),
                ActKind::Settle(bytes) if index > 0 => {
                    relaxed.take_along(id, act.thread, SETTLES, Some(bytes));
                }
                _ => {}
            }
        }
        self.relaxed = Some(relaxed);
    }

    /// Looks for writes that the last event could have missed.
    fn look(&self, relaxed: &mut Relaxed, id: EventId, node: NodeId) {
        let thread = self.event(id).step.thread.0;
        let writes = self.touches_of(id).iter().any(|touch| touch.writes);
        let might_write = writes || self.event(id).fickle;
        for touch in self.touches_of(id) {
            let mut rest = touch.mask;
            for found in self.uses[touch.word as usize].iter().rev() {
                let event = found.event as EventId;
                if !found.writes || found.mask & rest == 0 || event == id {
                    continue;
                }
                let from = relaxed.node_of(event);
                let mut stops = found.thread == thread || relaxed.reaches(from, node);
                if !stops && self.is_known(relaxed, event, id) {
                    // Nothing is written between what a read-modify-write reads and writes.
                    stops = might_write && !relaxed.nodes[from].waits();
                    if !stops {
                        relaxed.found.push(Borderline {
                            event: id,
                            missed: from,
                        });
                    }
                }
                if stops {
                    rest &= !found.mask;
                    if rest == 0 {
                        break;
                    }
                }
            }
            let address = self.addresses[touch.word as usize];
            if rest == 0 || relaxed.prepared.is_empty() {
                continue;
            }
            let Some(prepared) = relaxed.prepared.get(&address) else {
                continue;
            };
            for store in prepared.iter().rev() {
                let from = store.node as NodeId;
                if store.mask & rest == 0 {
                    continue;
                }
                if store.thread == thread || relaxed.reaches(from, node) {
                    rest &= !store.mask;
                } else {
                    relaxed.found.push(Borderline {
                        event: id,
                        missed: from,
                    });
                }
            }
        }
    }

    /// A store or read-modify-write comes after its thread's own stores to the same bytes.
    fn keep_own_order(&self, relaxed: &mut Relaxed, id: EventId) {
        let thread = self.event(id).step.thread.0;
        for touch in self.touches_of(id) {
            for found in self.uses[touch.word as usize].iter() {
                let event = found.event as EventId;
                let own = found.writes && found.thread == thread && event != id;
                if own && found.mask & touch.mask != 0 {
                    relaxed.add(relaxed.node_of(event));
                }
            }
        }
    }

    /// True if a write happens before an event even if the event could miss it: because of what
    /// else the event comes after.
    fn is_known(&self, relaxed: &Relaxed, write: EventId, id: EventId) -> bool {
        let precedes = |from: EventId| from == write || self.precedes(write, from);
        let edges = self.edges_of(id).iter();
        edges
            .filter(|edge| !edge.conflict)
            .any(|edge| precedes(edge.from))
            || relaxed.uneven && self.is_known_by_use(relaxed, write, id)
    }

    /// The same because of other bytes that the event uses: those that others use and that miss the
    /// write as well do not count.
    fn is_known_by_use(&self, relaxed: &Relaxed, write: EventId, id: EventId) -> bool {
        let misses = |from: EventId| relaxed.reaches(relaxed.node_of(write), relaxed.node_of(from));
        // With what it reads then, the event may write where it does not now.
        let might_write = self.event(id).fickle;
        self.touches_of(id).iter().any(|touch| {
            let mut uses = self.uses[touch.word as usize].iter();
            uses.any(|found| {
                let event = found.event as EventId;
                let own = (found.own as usize).checked_sub(1);
                found.mask & touch.mask != 0
                    && (found.writes || touch.writes || might_write)
                    && event != id
                    && self.precedes(write, event)
                    && !misses(event)
                    && !own.is_some_and(misses)
            })
        })
    }
}
