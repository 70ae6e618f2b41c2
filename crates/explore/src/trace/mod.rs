//! Chronological traces: the events of an execution and which happens before which.
//!
//! An event is a step of a thread or the update by which a store is flushed. The
//! six relations of a chronological trace are
//!
//! - *program order* between the steps of a thread;
//! - *store to update*: from the step that issued a store to its update;
//! - *update to update*: between updates of a thread, where the model keeps their order;
//! - *source*: from an update (or write) to a load of another thread that reads it;
//! - *conflict*: from what reads or writes a location to the next write of it;
//! - *update to fence*: from the updates of a thread to what waits for an empty buffer.
//!
//! Two rules leave edges out, so that executions with the same reads-from and coherence order
//! have the same trace: a load that reads its own thread's store has no source edge, whether it
//! took the value from the buffer or from memory, and a load that reads from the buffer comes
//! before the next write of the location only once its store has been flushed.
//!
//! What happens before an event is a row of bits, one for each earlier event. It is computed
//! once, when the event is added, from the rows of the events with an edge to it.

mod acts;
mod sequential;
mod unread;
mod uses;

pub use unread::overlap;
pub use uses::{Touch, Use, words_of};

use crate::step::{Step, StepKind};
use machine::{Act, ActKind, Bytes, Mark};
use memory::Buffering;
use program::{Span, ThreadId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of an event in the execution.
pub type EventId = usize;

/// An event of an execution.
#[derive(Clone, Debug)]
pub struct Event {
    /// The step.
    pub step: Step,
    /// It was the scheduler's own choice, not something that another event needed first.
    pub primary: bool,
    /// The number of events before the scheduler chose this one, or the one that needs it.
    pub node: EventId,
    /// The machine before it.
    pub mark: Mark,
    /// Its instruction in the source.
    pub span: Span,
    /// The thread was known to wait before it.
    pub arrived: bool,
    /// What it uses may depend on what it reads.
    pub footprint_depends_on_value: bool,
    /// Had it read something else, it might have been a read-modify-write; asked for a monitor only.
    pub may_update: bool,
    /// Its thread was in a loop that may turn out to wait.
    pub in_loop: bool,
    /// Where its thread was before it: the number of calls, and the operation.
    pub position: Option<(usize, u32)>,
    past: usize,
    edges: usize,
    touches: usize,
    undo: usize,
}

/// An edge into an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: EventId,
    /// Both use the same memory, so that they could come in the opposite order.
    pub conflict: bool,
    /// The edge is there only as long as this update comes before: its thread reads its own
    /// store.
    pub through: Option<EventId>,
}

/// What a trace knows of a thread.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    /// Its last step, plus one.
    last: u32,
    /// The step that started it, plus one.
    start: u32,
    /// The step that last woke it, plus one.
    woken: u32,
    /// Its stores before this one have to be flushed before its next load.
    fence_load: u32,
    /// Of these, the stores before this one come before its last step already.
    fenced: u32,
    /// Its stores before this one are flushed before those after.
    fence_store: u32,
}

#[derive(Clone, Debug, Default)]
struct Stored {
    /// Address and size.
    bytes: (u64, u32),
    /// The step that issued it, plus one.
    issued: u32,
    /// Stores before this one are flushed first.
    after: u32,
    /// Its update, plus one.
    update: u32,
    /// Loads that read it while it was in the buffer, with the bytes that they took from it.
    readers: Vec<(u32, Bytes)>,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    standing: Standing,
    stores: Vec<Stored>,
    /// Its steps.
    runs: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    Use(u32),
    Reader(u32, u32),
    Stored(u32),
    Update(u32, u32),
    Standing(u32, Standing),
    Run(u32),
    Cycle,
}

/// An execution as a trace.
#[derive(Clone, Debug)]
pub struct Trace {
    buffering: Buffering,
    /// Memory that nobody is expected to read.
    unread: Arc<[(u64, u32)]>,
    events: Vec<Event>,
    pasts: Vec<u64>,
    edges: Vec<Edge>,
    /// For each event, when an edge from it was last added, and which.
    slots: Vec<(u64, u32)>,
    /// Events that were ever added.
    pushes: u64,
    touches: Vec<Touch>,
    words: FxHashMap<u64, u32>,
    /// Numbers of words that were used before, by their addresses.
    recent: [u32; uses::RECENT],
    /// The address of each word, divided by 8.
    addresses: Vec<u64>,
    uses: Vec<Vec<Use>>,
    threads: Vec<Thread>,
    undo: Vec<Undo>,
    /// Late flushes that closed a cycle: see `sequential`.
    cycles: u32,
}

impl Trace {
    /// An empty trace.
    pub fn new(buffering: Buffering, unread: Arc<[(u64, u32)]>) -> Self {
        Trace {
            buffering,
            unread,
            events: Vec::new(),
            pasts: Vec::new(),
            edges: Vec::new(),
            slots: Vec::new(),
            pushes: 0,
            touches: Vec::new(),
            words: FxHashMap::default(),
            recent: [0; uses::RECENT],
            addresses: Vec::new(),
            uses: Vec::new(),
            threads: Vec::new(),
            undo: Vec::new(),
            cycles: 0,
        }
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// The events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The event of this number.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id]
    }

    /// The edges into an event.
    pub fn edges_of(&self, id: EventId) -> &[Edge] {
        let end = self
            .events
            .get(id + 1)
            .map_or(self.edges.len(), |next| next.edges);
        &self.edges[self.events[id].edges..end]
    }

    /// The row of an event: which events happen before it.
    pub fn past(&self, id: EventId) -> &[u64] {
        let start = self.events[id].past;
        &self.pasts[start..start + words(id)]
    }

    /// True if event `a` happens before event `b`.
    pub fn precedes(&self, a: EventId, b: EventId) -> bool {
        a < b && has(self.past(b), a)
    }

    /// The step after which a thread's next step comes: its last one, or the one that started it.
    pub fn before_next(&self, thread: ThreadId) -> Option<EventId> {
        let standing = self.threads.get(thread.index())?.standing;
        let last = if standing.last > 0 {
            standing.last
        } else {
            standing.start
        };
        (last as usize).checked_sub(1)
    }

    /// The row of a thread's next step but for conflicts: what happens before it anyway. The step
    /// comes after those of the thread's own stores that `after` names, and its fences.
    ///
    /// The edges are made by the functions that make those of the step itself, and taken back.
    pub fn past_of_next(&mut self, thread: ThreadId, after: Option<ActKind>) -> Vec<u64> {
        self.room(thread.0);
        let (edges, undo) = (self.edges.len(), self.undo.len());
        self.pushes += 1;
        if let Some(last) = self.before_next(thread) {
            self.edge(last, false);
        }
        let woken = self.threads[thread.index()].standing.woken;
        if let Some(woken) = (woken as usize).checked_sub(1) {
            self.edge(woken, false);
        }
        if self.buffering != Buffering::None {
            match after {
                Some(ActKind::Drain) => self.drain(thread.0),
                Some(ActKind::Settle(bytes)) => self.settle(thread.0, bytes),
                _ => {}
            }
            self.wait_for_fence(thread.0);
        }
        let mut row = vec![0; words(self.len())];
        for edge in &self.edges[edges..] {
            add_past(&mut row, self.past(edge.from), edge.from);
        }
        self.edges.truncate(edges);
        self.roll_back(undo);
        row
    }

    /// Takes in the acts before the first event.
    pub fn begin(&mut self, acts: &[Act]) {
        for act in acts {
            let thread = act.thread.0;
            self.room(thread);
            match act.kind {
                ActKind::Buffer(bytes, _) => self.issue(thread, 0, bytes),
                ActKind::Fence(orderings) => self.fence(thread, orderings),
                ActKind::Start(child) => self.room(child.0),
                _ => {}
            }
        }
        self.undo.clear();
    }

    /// Adds an event with its acts.
    pub fn push(&mut self, event: NewEvent, acts: &[Act]) -> EventId {
        let id = self.events.len();
        let undo = self.undo.len();
        let edges = self.edges.len();
        let touches = self.touches.len();
        self.pushes += 1;
        let thread = event.step.thread.0;
        self.room(thread);
        match event.step.kind {
            StepKind::Run(_) => {
                if let Some(last) = self.before_next(event.step.thread) {
                    self.edge(last, false);
                }
                self.save(thread);
                self.threads[thread as usize].runs.push(id as u32);
                self.undo.push(Undo::Run(thread));
                let standing = &mut self.threads[thread as usize].standing;
                standing.last = id as u32 + 1;
                let woken = std::mem::take(&mut standing.woken);
                if let Some(woken) = (woken as usize).checked_sub(1) {
                    self.edge(woken, false);
                }
            }
            StepKind::Commit(number) => self.update_order(thread, number),
        }
        for act in acts {
            self.act(id as u32, act);
        }
        let own = acts.iter().find(|act| act.thread == event.step.thread);
        let span = own.map_or(Span::NOWHERE, |act| act.span);
        let past = self.pasts.len();
        self.pasts.resize(past + words(id), 0);
        let (earlier, row) = self.pasts.split_at_mut(past);
        for edge in &self.edges[edges..] {
            let start = self.events[edge.from].past;
            add_past(row, &earlier[start..start + words(edge.from)], edge.from);
        }
        self.events.push(Event {
            step: event.step,
            primary: event.primary,
            node: event.node,
            mark: event.mark,
            span,
            footprint_depends_on_value: event.footprint_depends_on_value,
            may_update: event.may_update,
            in_loop: event.in_loop,
            position: event.position,
            edges,
            touches,
            arrived: event.arrived,
            past,
            undo,
        });
        if let StepKind::Commit(number) = event.step.kind {
            self.look_for_cycle(thread, number);
        }
        id
    }

    /// Takes back the last event.
    pub fn pop(&mut self) -> Option<Event> {
        let event = self.events.pop()?;
        self.pasts.truncate(event.past);
        self.edges.truncate(event.edges);
        self.touches.truncate(event.touches);
        self.roll_back(event.undo);
        Some(event)
    }

    /// Takes back what was noted since there were this many entries to take back.
    fn roll_back(&mut self, undo: usize) {
        while self.undo.len() > undo
            && let Some(undo) = self.undo.pop()
        {
            match undo {
                Undo::Use(index) => {
                    self.uses[index as usize].pop();
                }
                Undo::Reader(thread, number) => {
                    self.threads[thread as usize].stores[number as usize]
                        .readers
                        .pop();
                }
                Undo::Stored(thread) => {
                    self.threads[thread as usize].stores.pop();
                }
                Undo::Update(thread, number) => {
                    self.threads[thread as usize].stores[number as usize].update = 0;
                }
                Undo::Standing(thread, standing) => {
                    self.threads[thread as usize].standing = standing;
                }
                Undo::Run(thread) => {
                    self.threads[thread as usize].runs.pop();
                }
                Undo::Cycle => self.cycles -= 1,
            }
        }
    }

    fn room(&mut self, thread: u32) {
        if self.threads.len() <= thread as usize {
            self.threads
                .resize_with(thread as usize + 1, Thread::default);
        }
    }

    fn save(&mut self, thread: u32) {
        let standing = self.threads[thread as usize].standing;
        self.undo.push(Undo::Standing(thread, standing));
    }

    fn edge(&mut self, from: EventId, conflict: bool) {
        self.edge_through(from, conflict, None);
    }

    fn edge_through(&mut self, from: EventId, conflict: bool, through: Option<EventId>) {
        // A thread that is left alone may flush its stores in the same step.
        if from == self.events.len() {
            return;
        }
        match self.slots.get(from) {
            Some((when, slot)) if *when == self.pushes => {
                let known = &mut self.edges[*slot as usize];
                known.conflict &= conflict;
                known.through = known.through.filter(|known| Some(*known) == through);
            }
            _ => {
                if self.slots.len() <= from {
                    self.slots.resize(from + 1, (0, 0));
                }
                self.slots[from] = (self.pushes, self.edges.len() as u32);
                self.edges.push(Edge {
                    from,
                    conflict,
                    through,
                });
            }
        }
    }
}

/// An event to be added to a trace.
#[derive(Clone, Copy, Debug)]
pub struct NewEvent {
    /// The step.
    pub step: Step,
    /// See [`Event::primary`].
    pub primary: bool,
    /// See [`Event::node`].
    pub node: EventId,
    /// The machine before it.
    pub mark: Mark,
    /// See [`Event::arrived`].
    pub arrived: bool,
    /// See [`Event::footprint_depends_on_value`].
    pub footprint_depends_on_value: bool,
    /// See [`Event::may_update`].
    pub may_update: bool,
    /// See [`Event::in_loop`].
    pub in_loop: bool,
    /// See [`Event::position`].
    pub position: Option<(usize, u32)>,
}

/// Adds an event and its past to a row.
fn add_past(row: &mut [u64], past: &[u64], id: EventId) {
    for (word, more) in row.iter_mut().zip(past) {
        *word |= more;
    }
    row[id / 64] |= 1 << (id % 64);
}

/// Words of a row for an event of this number.
fn words(id: EventId) -> usize {
    id.div_ceil(64)
}

/// True if a row has an event.
pub fn has(row: &[u64], id: EventId) -> bool {
    row.get(id / 64)
        .is_some_and(|word| word >> (id % 64) & 1 != 0)
}
