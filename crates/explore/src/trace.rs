//! Chronological traces: the events of an execution and which happens before which.
//!
//! An event is a step of a thread or the update by which a store leaves a store buffer. The
//! six relations of a chronological trace are
//!
//! - *program order* between the steps of a thread;
//! - *store to update*: from the step that issued a store to its update;
//! - *update to update*: between updates of a thread, where the model keeps their order;
//! - *source*: from an update (or write) to a load of another thread that reads it;
//! - *conflict*: from what reads or writes a place to the next write of it;
//! - *update to fence*: from the updates of a thread to what waits for an empty buffer.
//!
//! Two rules leave edges out, so that executions with the same reads-from and coherence order
//! have the same trace: a load that reads its own thread's store has no source edge, whether it
//! took the value from the buffer or from memory, and a load that reads from the buffer comes
//! before the next write of the place only once its store has reached memory.
//!
//! What happens before an event is a row of bits, one for each earlier event. It is computed
//! once, when the event is added, from the rows of the events with an edge to it.

use crate::step::{Step, StepKind};
use machine::{Act, ActKind, Bytes, End, Mark};
use memory::Buffering;
use program::{Orderings, Span, ThreadId};
use rustc_hash::FxHashMap;

/// The number of an event: its place in the execution.
pub type EventId = usize;

/// An event of an execution.
#[derive(Clone, Debug)]
pub struct Event {
    /// The step.
    pub step: Step,
    /// It was the scheduler's own choice, not something that another event needed first.
    pub primary: bool,
    /// The event before which the scheduler stood when it chose this one, or the one that needs
    /// it.
    pub node: EventId,
    /// The machine before it.
    pub mark: Mark,
    /// How it ended its thread for good, if it did.
    pub ended: Option<Ended>,
    /// Where it stands in the source.
    pub span: Span,
    /// The thread was known to wait before it.
    pub arrived: bool,
    /// What it uses may depend on what it reads.
    pub fickle: bool,
    past: usize,
    edges: usize,
    touches: usize,
    undo: usize,
}

/// How a step ended its thread for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Something went wrong.
    Failed,
    /// The program ended.
    Exited,
    /// An assumption failed.
    Discarded,
    /// A bound cut it off.
    Cut,
}

impl Ended {
    /// What the machine says, in short.
    pub fn of(end: &End) -> Self {
        match end {
            End::Fault(..) => Ended::Failed,
            End::Exit(_) => Ended::Exited,
            End::Discarded => Ended::Discarded,
            End::Cut(_) => Ended::Cut,
        }
    }
}

/// An edge into an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From.
    pub from: EventId,
    /// Both use the same memory, so that they could come in the other order.
    pub conflict: bool,
    /// The edge is there only as long as this update comes before: its thread reads its own
    /// store.
    pub through: Option<EventId>,
}

/// A word that an event uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The word's number in the trace.
    word: u32,
    /// Bytes of the word.
    mask: u8,
    /// They are written.
    writes: bool,
}

impl Touch {
    /// True if bytes are written.
    pub fn writes(self) -> bool {
        self.writes
    }

    /// True if two events that do this could come in two ways.
    pub fn clashes(self, other: Touch) -> bool {
        self.word == other.word && self.mask & other.mask != 0 && (self.writes || other.writes)
    }

    /// True if this is part of the other.
    pub fn is_within(self, other: Touch) -> bool {
        self.word == other.word && self.mask & !other.mask == 0 && self.writes <= other.writes
    }
}

/// Who used a place.
#[derive(Clone, Copy, Debug)]
struct Use {
    event: u32,
    thread: u32,
    /// Bytes of the word.
    mask: u8,
    writes: bool,
    /// The update of the thread's own store that it reads, plus one.
    own: u32,
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
    /// Its stores before this one have to be in memory before its next load.
    fence_load: u32,
    /// And are, as far as its last step knows, up to here.
    fenced: u32,
    /// Its stores before this one leave before those after.
    fence_store: u32,
}

#[derive(Clone, Debug, Default)]
struct Stored {
    /// Where to: address and size.
    bytes: (u64, u32),
    /// The step that issued it, plus one.
    issued: u32,
    /// Stores before this one leave first.
    after: u32,
    /// Its update, plus one.
    update: u32,
    /// Loads that read it while it was in the buffer.
    readers: Vec<u32>,
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
    Late,
}

/// An execution as a trace.
#[derive(Clone, Debug)]
pub struct Trace {
    buffering: Buffering,
    events: Vec<Event>,
    pasts: Vec<u64>,
    edges: Vec<Edge>,
    /// For each event, when an edge from it was last added, and which.
    slots: Vec<(u64, u32)>,
    /// Events that were ever added.
    pushes: u64,
    touches: Vec<Touch>,
    words: FxHashMap<u64, u32>,
    /// The address of each word, divided by 8.
    addresses: Vec<u64>,
    uses: Vec<Vec<Use>>,
    threads: Vec<Thread>,
    undo: Vec<Undo>,
    /// Updates that came after something later in the program.
    late: u32,
}

impl Trace {
    /// An empty trace.
    pub fn new(buffering: Buffering) -> Self {
        Trace {
            buffering,
            events: Vec::new(),
            pasts: Vec::new(),
            edges: Vec::new(),
            slots: Vec::new(),
            pushes: 0,
            touches: Vec::new(),
            words: FxHashMap::default(),
            addresses: Vec::new(),
            uses: Vec::new(),
            threads: Vec::new(),
            undo: Vec::new(),
            late: 0,
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

    /// The event of this number, to be marked.
    pub fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.events[id]
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

    /// The row of a thread's next step if it used no memory: what happens before it anyway. It
    /// `drains` if it waits for all the thread's stores, else only for those before a fence.
    pub fn past_of_next(&self, thread: ThreadId, drains: bool) -> Vec<u64> {
        let mut row = vec![0; words(self.len())];
        let mut add = |id: EventId| {
            for (word, more) in row.iter_mut().zip(self.past(id)) {
                *word |= more;
            }
            row[id / 64] |= 1 << (id % 64);
        };
        if let Some(last) = self.before_next(thread) {
            add(last);
        }
        if let Some(Thread {
            standing, stores, ..
        }) = self.threads.get(thread.index())
        {
            if let Some(woken) = standing.woken.checked_sub(1) {
                add(woken as usize);
            }
            let end = match drains {
                true => stores.len(),
                false => standing.fence_load as usize,
            };
            for store in stores
                .get(standing.fenced as usize..end)
                .unwrap_or_default()
            {
                if let Some(update) = store.update.checked_sub(1) {
                    add(update as usize);
                }
            }
        }
        row
    }

    /// The events that wrote bytes, all of them.
    pub fn writers(&self, address: u64, size: u32, mut each: impl FnMut(EventId)) {
        for (word, mask) in words_of(address, size) {
            let uses = self
                .words
                .get(&word)
                .map(|index| &self.uses[*index as usize]);
            for found in uses.into_iter().flatten() {
                if found.writes && found.mask & mask != 0 {
                    each(found.event as usize);
                }
            }
        }
    }

    /// The events that last wrote bytes.
    pub fn last_writers(&self, address: u64, size: u32, mut each: impl FnMut(EventId)) {
        for (word, mut mask) in words_of(address, size) {
            let uses = self
                .words
                .get(&word)
                .map(|index| &self.uses[*index as usize]);
            for found in uses.into_iter().flat_map(|uses| uses.iter().rev()) {
                if found.writes && found.mask & mask != 0 {
                    each(found.event as usize);
                    mask &= !found.mask;
                }
                if mask == 0 {
                    break;
                }
            }
        }
    }

    /// Parts of a stretch of memory (address and size), each with the event after which it holds
    /// what the last writer of those to keep wrote.
    pub fn kept(
        &self,
        address: u64,
        size: u32,
        keep: impl Fn(EventId) -> bool,
    ) -> Vec<(u64, u32, EventId)> {
        let mut parts: Vec<(u64, u32, EventId)> = Vec::new();
        for (word, mask) in words_of(address, size) {
            let uses = self
                .words
                .get(&word)
                .map(|index| &self.uses[*index as usize]);
            for byte in (0..8).filter(|byte| mask >> byte & 1 != 0) {
                let mut writers = uses.into_iter().flat_map(|uses| uses.iter().rev());
                let last = writers.find(|with| {
                    with.writes && with.mask >> byte & 1 != 0 && keep(with.event as usize)
                });
                let after = last.map_or(0, |with| with.event as usize + 1);
                let place = word * 8 + byte;
                match parts.last_mut() {
                    Some((start, size, known)) if *known == after && place % 8 != 0 => {
                        debug_assert_eq!(*start + u64::from(*size), place);
                        *size += 1;
                    }
                    _ => parts.push((place, 1, after)),
                }
            }
        }
        parts
    }

    /// The memory that an event uses.
    pub fn touches_of(&self, id: EventId) -> &[Touch] {
        let end = self
            .events
            .get(id + 1)
            .map_or(self.touches.len(), |next| next.touches);
        &self.touches[self.events[id].touches..end]
    }

    /// The memory that an event used: addresses, and whether it wrote there.
    pub fn uses_of(&self, id: EventId) -> Vec<(u64, bool)> {
        let touches = self.touches_of(id).iter();
        let place = |touch: &Touch| {
            let first = u64::from(touch.mask.trailing_zeros());
            (
                self.addresses[touch.word as usize] * 8 + first,
                touch.writes,
            )
        };
        touches.map(place).collect()
    }

    /// Takes in what happened before the first event.
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

    /// Adds an event that did these things.
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
            for (word, more) in row
                .iter_mut()
                .zip(&earlier[start..start + words(edge.from)])
            {
                *word |= more;
            }
            row[edge.from / 64] |= 1 << (edge.from % 64);
        }
        self.events.push(Event {
            step: event.step,
            primary: event.primary,
            node: event.node,
            mark: event.mark,
            ended: None,
            span,
            fickle: event.fickle,
            edges,
            touches,
            arrived: event.arrived,
            past,
            undo,
        });
        id
    }

    /// Takes back the last event.
    pub fn pop(&mut self) -> Option<Event> {
        let event = self.events.pop()?;
        self.pasts.truncate(event.past);
        self.edges.truncate(event.edges);
        self.touches.truncate(event.touches);
        while self.undo.len() > event.undo
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
                Undo::Late => self.late -= 1,
            }
        }
        Some(event)
    }

    /// The event that comes next in the program after a store: the update of the next store, or
    /// the thread's next step; `None` if it has not happened.
    fn next_in_program(&self, thread: u32, number: u32) -> Option<EventId> {
        let Thread { stores, runs, .. } = &self.threads[thread as usize];
        let issued = stores[number as usize].issued;
        match stores.get(number as usize + 1) {
            Some(next) if next.issued == issued => (next.update as usize).checked_sub(1),
            _ => {
                let next = runs.partition_point(|run| *run < issued);
                runs.get(next).map(|run| *run as usize)
            }
        }
    }

    /// True if sequential consistency has an execution with the same trace.
    pub fn is_sequential(&self) -> bool {
        self.late == 0 || self.cycle().is_none()
    }

    /// Events that cannot come in this order under sequential consistency: each has to come before
    /// the next, by the trace or in the program, and the last before the first.
    pub fn cycle(&self) -> Option<Vec<EventId>> {
        const NONE: u32 = u32::MAX;
        // The store that comes before each event in the program. A cycle needs one that is late.
        let mut store = vec![NONE; self.len()];
        let mut late = Vec::new();
        for (id, event) in self.events.iter().enumerate() {
            if let StepKind::Commit(number) = event.step.kind
                && let Some(next) = self.next_in_program(event.step.thread.0, number)
            {
                store[next] = id as u32;
                if next < id {
                    late.push(id as u32);
                }
            }
        }
        // Backwards, depth first.
        let mut state = vec![State::New; self.len()];
        let mut path: Vec<(u32, usize)> = Vec::new();
        for start in late {
            if state[start as usize] == State::New {
                state[start as usize] = State::OnPath;
                path.push((start, 0));
            }
            while let Some((id, tried)) = path.last_mut() {
                let here = *id as usize;
                let edges = self.edges_of(here);
                let before = match edges.get(*tried) {
                    Some(edge) => edge.from,
                    None if *tried == edges.len() && store[here] != NONE => store[here] as usize,
                    None => {
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

    fn act(&mut self, id: u32, act: &Act) {
        let thread = act.thread.0;
        self.room(thread);
        match act.kind {
            ActKind::Read(bytes, source) => {
                self.wait_for_fence(thread);
                match source {
                    None => self.read(id, thread, bytes),
                    Some(number) => {
                        self.threads[thread as usize].stores[number as usize]
                            .readers
                            .push(id);
                        self.undo.push(Undo::Reader(thread, number));
                        for (word, mask) in words_of(bytes.address, bytes.size) {
                            let word = self.word(word);
                            self.touches.push(Touch {
                                word,
                                mask,
                                writes: false,
                            });
                        }
                    }
                }
            }
            ActKind::Write(bytes) => {
                let after = self.threads[thread as usize].standing.fence_store;
                self.updates_before(thread, after);
                self.write(id, thread, bytes);
            }
            ActKind::Buffer(bytes, _) => self.issue(thread, id + 1, bytes),
            ActKind::Commit(bytes, number) => {
                self.write(id, thread, bytes);
                self.threads[thread as usize].stores[number as usize].update = id + 1;
                self.undo.push(Undo::Update(thread, number));
                if self.next_in_program(thread, number).is_some() {
                    self.late += 1;
                    self.undo.push(Undo::Late);
                }
                let readers = self.threads[thread as usize].stores[number as usize]
                    .readers
                    .len();
                for index in 0..readers {
                    let stores = &self.threads[thread as usize].stores;
                    let event = stores[number as usize].readers[index];
                    self.put(
                        bytes,
                        Use {
                            event,
                            thread,
                            mask: 0,
                            writes: false,
                            own: id + 1,
                        },
                    );
                }
            }
            ActKind::Fence(orderings) => self.fence(thread, orderings),
            ActKind::Settle(bytes) => self.settle(thread, bytes),
            ActKind::Drain => {
                let count = self.threads[thread as usize].stores.len() as u32;
                self.save(thread);
                self.threads[thread as usize].standing.fence_load = count;
                self.wait_for_fence(thread);
            }
            ActKind::Start(child) => {
                self.room(child.0);
                self.save(child.0);
                self.threads[child.index()].standing.start = id + 1;
            }
            ActKind::Wake(other) => {
                self.room(other.0);
                self.save(other.0);
                self.threads[other.index()].standing.woken = id + 1;
            }
            ActKind::Join(child) => {
                self.room(child.0);
                let Thread {
                    standing, stores, ..
                } = &self.threads[child.index()];
                let count = stores.len() as u32;
                if let Some(last) = (standing.last.max(standing.start) as usize).checked_sub(1) {
                    self.edge(last, false);
                }
                self.updates(child.0, 0, count);
            }
        }
    }

    fn fence(&mut self, thread: u32, orderings: Orderings) {
        self.save(thread);
        let Thread {
            standing, stores, ..
        } = &mut self.threads[thread as usize];
        let count = stores.len() as u32;
        if orderings.contains(Orderings::STORE_LOAD) {
            standing.fence_load = count;
        }
        if orderings.contains(Orderings::STORE_STORE) {
            standing.fence_store = count;
        }
    }

    fn issue(&mut self, thread: u32, issued: u32, bytes: Bytes) {
        let Thread {
            standing, stores, ..
        } = &mut self.threads[thread as usize];
        stores.push(Stored {
            bytes: (bytes.address, bytes.size),
            issued,
            after: standing.fence_store,
            ..Stored::default()
        });
        self.undo.push(Undo::Stored(thread));
    }

    /// Update to fence: the stores before a fence are in memory before a load after it.
    fn wait_for_fence(&mut self, thread: u32) {
        let Standing {
            fenced, fence_load, ..
        } = self.threads[thread as usize].standing;
        if fenced < fence_load {
            self.updates(thread, fenced, fence_load);
            self.save(thread);
            self.threads[thread as usize].standing.fenced = fence_load;
        }
    }

    /// Update to read-modify-write: own stores to the same bytes, and those before a fence, are in
    /// memory.
    fn settle(&mut self, thread: u32, bytes: Bytes) {
        let after = self.threads[thread as usize].standing.fence_store;
        self.updates_before(thread, after);
        let end = bytes.address + u64::from(bytes.size);
        for number in after..self.threads[thread as usize].stores.len() as u32 {
            let (first, size) = self.threads[thread as usize].stores[number as usize].bytes;
            if first < end && bytes.address < first + u64::from(size) {
                self.updates(thread, number, number + 1);
            }
        }
    }

    /// Edges from the updates of a thread's stores in a range of numbers.
    fn updates(&mut self, thread: u32, first: u32, end: u32) {
        for number in first..end {
            let update = self.threads[thread as usize].stores[number as usize].update;
            if let Some(update) = (update as usize).checked_sub(1) {
                self.edge(update, false);
            }
        }
    }

    /// Edges from the updates of all stores before a StoreStore fence: those since the fence
    /// before it come after all others.
    fn updates_before(&mut self, thread: u32, fence: u32) {
        let edges = self.edges.len();
        let mut end = fence;
        while end > 0 && self.edges.len() == edges {
            let first = self.threads[thread as usize].stores[end as usize - 1].after;
            self.updates(thread, first, end);
            end = first;
        }
    }

    /// Store to update, and update to update.
    fn update_order(&mut self, thread: u32, number: u32) {
        let Stored { issued, after, .. } = self.threads[thread as usize].stores[number as usize];
        if let Some(issued) = (issued as usize).checked_sub(1) {
            self.edge(issued, false);
        }
        match self.buffering {
            Buffering::PerPlace => self.updates_before(thread, after),
            _ => {
                let earlier = &self.threads[thread as usize].stores[..number as usize];
                let last = earlier.iter().rev().find_map(|s| s.update.checked_sub(1));
                if let Some(last) = last {
                    self.edge(last as usize, false);
                }
            }
        }
    }

    /// Source edges of a load from memory.
    fn read(&mut self, id: u32, thread: u32, bytes: Bytes) {
        for (word, mask) in words_of(bytes.address, bytes.size) {
            let index = self.word(word);
            let mut rest = mask;
            let mut own = Vec::new();
            for position in (0..self.uses[index as usize].len()).rev() {
                let found = self.uses[index as usize][position];
                let read = found.mask & rest;
                if found.writes && read != 0 {
                    rest &= !read;
                    match found.thread == thread {
                        true => own.push((read, found.event + 1)),
                        false => self.edge(found.event as usize, true),
                    }
                    if rest == 0 {
                        break;
                    }
                }
            }
            let others = own.iter().fold(mask, |mask, (read, _)| mask & !read);
            if others != 0 {
                own.push((others, 0));
            }
            for (mask, own) in own {
                self.put_word(
                    index,
                    Use {
                        event: id,
                        thread,
                        mask,
                        writes: false,
                        own,
                    },
                );
            }
        }
    }

    /// Conflict edges of a write.
    fn write(&mut self, id: u32, thread: u32, bytes: Bytes) {
        for (word, mask) in words_of(bytes.address, bytes.size) {
            let index = self.word(word);
            let mut rest = mask;
            for position in (0..self.uses[index as usize].len()).rev() {
                let found = self.uses[index as usize][position];
                if found.mask & rest != 0 && found.event != id {
                    let through = (found.own as usize).checked_sub(1);
                    self.edge_through(found.event as usize, true, through);
                    if found.writes {
                        rest &= !found.mask;
                        if rest == 0 {
                            break;
                        }
                    }
                }
            }
        }
        self.put(
            bytes,
            Use {
                event: id,
                thread,
                mask: 0,
                writes: true,
                own: 0,
            },
        );
    }

    /// Notes a use of all words of a stretch of memory.
    fn put(&mut self, bytes: Bytes, with: Use) {
        for (word, mask) in words_of(bytes.address, bytes.size) {
            let index = self.word(word);
            self.put_word(index, Use { mask, ..with });
        }
    }

    fn put_word(&mut self, word: u32, with: Use) {
        self.uses[word as usize].push(with);
        self.undo.push(Undo::Use(word));
        if with.event as usize == self.events.len() {
            let Use { mask, writes, .. } = with;
            self.touches.push(Touch { word, mask, writes });
        }
    }

    fn word(&mut self, word: u64) -> u32 {
        let next = self.uses.len() as u32;
        let index = *self.words.entry(word).or_insert(next);
        if index == next {
            self.uses.push(Vec::new());
            self.addresses.push(word);
        }
        index
    }
}

/// How far a search for cycles is with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    OnPath,
    Done,
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
    /// See [`Event::fickle`].
    pub fickle: bool,
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

/// The words of 8 bytes that a stretch of memory touches, each with the bytes touched.
pub fn words_of(address: u64, size: u32) -> impl Iterator<Item = (u64, u8)> {
    let end = address + u64::from(size);
    (address / 8..end.div_ceil(8)).map(move |word| {
        let first = address.saturating_sub(word * 8).min(8);
        let last = (end - word * 8).min(8);
        let mask = ((1u32 << last) - (1u32 << first)) as u8;
        (word, mask)
    })
}
