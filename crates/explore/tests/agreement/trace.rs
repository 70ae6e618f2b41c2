//! Shasha–Snir traces, straight from their definition.
//!
//! The trace of an execution in which every store has reached memory says what each thread
//! did in the order of the program, which write each byte that was read comes from, and in
//! which order the writes to each byte reached memory. Two executions are the same if these
//! are. (Abdulla, Aronis, Atig, Jonsson, Leonardsson, Sagonas: Stateless model checking
//! for TSO and PSO, section 3, by bytes instead of locations.) Nothing here knows what a
//! happens-before relation is.

use machine::{Act, ActKind, Bytes};
use program::Word;
use std::collections::BTreeMap;

/// A write: its thread, and how many the thread issued before it.
pub type Write = (usize, usize);

/// Something that a thread did.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// A byte was read: its address, and the write it comes from unless it is the initial one.
    Read(Word, Option<Write>),
    /// Bytes were written: the first, and how many. Under TSO and PSO this is when the store
    /// was issued.
    Write(Word, u32),
    /// A thread was started.
    Start(usize),
    /// A thread was joined.
    Join(usize),
    /// A thread that slept was woken.
    Wake(usize),
}

/// A Shasha–Snir trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trace {
    /// What each thread did, in the order of the program.
    pub threads: Vec<Vec<Access>>,
    /// The writes to each byte, in the order in which they reached memory.
    pub coherence: BTreeMap<Word, Vec<Write>>,
}

/// A trace in the making.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The trace so far.
    pub trace: Trace,
    /// The event that each access belongs to, for each thread.
    events: Vec<Vec<usize>>,
    /// For each thread, the writes so far, with their accesses.
    writes: Vec<Vec<usize>>,
    /// Stores that were issued and have not reached memory: thread, number, write. Oldest first.
    waiting: Vec<(usize, u32, Write)>,
    /// Writes that are no accesses, such as the end of an object.
    changes: Vec<Write>,
}

impl Recorder {
    /// Adds what one step did. Its accesses are one event: those of a read-modify-write, of a
    /// call of a library function, or of an atomic section. But each store that goes into a store
    /// buffer is one of its own.
    pub fn step(&mut self, acts: &[Act]) {
        let accesses = acts.iter().filter(|act| {
            use ActKind::*;
            matches!(
                act.kind,
                Read(..)
                    | Write(..)
                    | Change(..)
                    | Buffer(..)
                    | Commit(..)
                    | Lapse(..)
                    | Stray(..)
                    | Start(_)
                    | Join(_)
                    | Wake(_)
            )
        });
        let is_alone = |act: &Act| {
            use ActKind::*;
            matches!(act.kind, Buffer(..) | Commit(..) | Lapse(..) | Stray(..))
        };
        let mut last: Option<&Act> = None;
        for act in accesses {
            let same = last
                .is_some_and(|last| last.thread == act.thread && !is_alone(last) && !is_alone(act));
            self.act(act, same);
            last = Some(act);
        }
    }

    fn act(&mut self, act: &Act, same_event: bool) {
        let thread = act.thread.index();
        match act.kind {
            ActKind::Read(bytes, from) => {
                for address in addresses(bytes) {
                    let source = self.source(thread, address);
                    let forwarded = self.forwarded(thread, address);
                    assert_eq!(forwarded.map(|(number, _)| number), from, "the right store");
                    let same_event = same_event || address > bytes.address;
                    self.add(thread, Access::Read(address, source), same_event);
                }
            }
            ActKind::Write(bytes) => {
                let write = self.issue(thread, bytes, same_event);
                self.reach_memory(write, bytes);
            }
            ActKind::Change(bytes) => {
                let write = self.issue(thread, bytes, same_event);
                self.reach_memory(write, bytes);
                self.changes.push(write);
            }
            ActKind::Buffer(bytes, number) => {
                let write = self.issue(thread, bytes, same_event);
                self.waiting.push((thread, number, write));
            }
            ActKind::Commit(bytes, number) => {
                let write = self.leave_buffer(thread, number);
                assert_eq!(self.extent(write), (bytes.address, bytes.size));
                self.reach_memory(write, bytes);
            }
            // As if it had reached memory just before the end of its object.
            ActKind::Lapse(bytes, number) => {
                let write = self.leave_buffer(thread, number);
                for address in addresses(bytes) {
                    let order = self.trace.coherence.entry(address).or_default();
                    let later = |end: &Write| end.0 == thread && end.1 > write.1;
                    let is_end = |end: &Write| later(end) && self.changes.contains(end);
                    let end = order.iter().position(is_end).unwrap_or(order.len());
                    order.insert(end, write);
                }
            }
            // It finds the end of its object, as a read does.
            ActKind::Stray(bytes, number) => {
                let (thread, write) = self.leave_buffer(thread, number);
                let end = self.end(bytes.address);
                let access = self.writes[thread][write];
                self.trace.threads[thread][access] = Access::Read(bytes.address, end);
            }
            ActKind::Start(other) => {
                self.add(thread, Access::Start(other.index()), same_event);
            }
            ActKind::Join(other) => self.add(thread, Access::Join(other.index()), same_event),
            ActKind::Wake(other) => self.add(thread, Access::Wake(other.index()), same_event),
            // What has to wait for what is nothing of a trace.
            _ => {}
        }
    }

    fn add(&mut self, thread: usize, access: Access, same_event: bool) {
        if self.trace.threads.len() <= thread {
            self.trace.threads.resize(thread + 1, Vec::new());
            self.events.resize(thread + 1, Vec::new());
            self.writes.resize(thread + 1, Vec::new());
        }
        let event = match self.events[thread].last() {
            Some(event) if same_event => *event,
            Some(event) => event + 1,
            None => 0,
        };
        self.trace.threads[thread].push(access);
        self.events[thread].push(event);
    }

    fn issue(&mut self, thread: usize, bytes: Bytes, same_event: bool) -> Write {
        self.add(thread, Access::Write(bytes.address, bytes.size), same_event);
        let access = self.trace.threads[thread].len() - 1;
        self.writes[thread].push(access);
        (thread, self.writes[thread].len() - 1)
    }

    fn leave_buffer(&mut self, thread: usize, number: u32) -> Write {
        let mut waiting = self.waiting.iter();
        let index = waiting.position(|entry| (entry.0, entry.1) == (thread, number));
        self.waiting.remove(index.expect("the store was issued")).2
    }

    fn reach_memory(&mut self, write: Write, bytes: Bytes) {
        for address in addresses(bytes) {
            let order = self.trace.coherence.entry(address).or_default();
            order.push(write);
        }
    }

    /// What ended the object that a byte belonged to.
    fn end(&self, address: Word) -> Option<Write> {
        let last = self.trace.coherence.get(&address)?.last();
        last.filter(|last| self.changes.contains(last)).copied()
    }

    /// The youngest store of a thread to a byte that still waits, if the byte is still there.
    fn forwarded(&self, thread: usize, address: Word) -> Option<(u32, Write)> {
        if self.end(address).is_some() {
            return None;
        }
        let mut waiting = self.waiting.iter().rev();
        let covers =
            |(first, size): (Word, u32)| (first..first + Word::from(size)).contains(&address);
        let found = waiting.find(|entry| entry.0 == thread && covers(self.extent(entry.2)));
        found.map(|(_, number, write)| (*number, *write))
    }

    /// Where a byte that a thread reads now comes from.
    fn source(&self, thread: usize, address: Word) -> Option<Write> {
        let own = self.forwarded(thread, address).map(|(_, write)| write);
        let order = self.trace.coherence.get(&address);
        own.or_else(|| order.and_then(|order| order.last().copied()))
    }

    fn extent(&self, write: Write) -> (Word, u32) {
        match self.trace.threads[write.0][self.writes[write.0][write.1]] {
            Access::Write(address, size) => (address, size),
            _ => unreachable!("only writes are kept"),
        }
    }

    /// True if every store has reached memory.
    pub fn is_completed(&self) -> bool {
        self.waiting.is_empty()
    }

    /// True if program order, reads-from, coherence and from-read have no cycle: the execution
    /// is one of sequential consistency.
    pub fn is_sequential(&self) -> bool {
        let mut firsts = vec![0];
        for events in &self.events {
            let count = events.last().map_or(0, |last| last + 1);
            firsts.push(firsts[firsts.len() - 1] + count);
        }
        let node = |thread: usize, access: usize| firsts[thread] + self.events[thread][access];
        // The first and the last event of a thread that has any.
        let ends = |thread: usize| {
            let (first, next) = (*firsts.get(thread)?, *firsts.get(thread + 1)?);
            (first < next).then(|| (first, next - 1))
        };
        let of_write = |(thread, number): Write| node(thread, self.writes[thread][number]);
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for (thread, accesses) in self.trace.threads.iter().enumerate() {
            for (index, access) in accesses.iter().enumerate() {
                let here = node(thread, index);
                if index > 0 {
                    edges.push((node(thread, index - 1), here));
                }
                match access {
                    Access::Read(address, source) => {
                        edges.extend(source.map(|write| (of_write(write), here)));
                        let next = self.overwriter(*address, *source);
                        edges.extend(next.map(|write| (here, of_write(write))));
                    }
                    Access::Start(other) => {
                        edges.extend(ends(*other).map(|(first, _)| (here, first)));
                    }
                    Access::Join(other) => {
                        edges.extend(ends(*other).map(|(_, last)| (last, here)));
                    }
                    Access::Write(..) | Access::Wake(_) => {}
                }
            }
        }
        for order in self.trace.coherence.values() {
            let pairs = order.windows(2);
            edges.extend(pairs.map(|pair| (of_write(pair[0]), of_write(pair[1]))));
        }
        edges.retain(|(from, to)| from != to);
        is_acyclic(firsts[firsts.len() - 1], &edges)
    }

    /// The write that follows another, or the initial value, at a byte.
    fn overwriter(&self, address: Word, write: Option<Write>) -> Option<Write> {
        let order = self.trace.coherence.get(&address)?;
        let Some(write) = write else {
            return order.first().copied();
        };
        match order.iter().position(|other| *other == write) {
            Some(index) => order.get(index + 1).copied(),
            // A store that found its object gone.
            None => self.end(address),
        }
    }
}

/// True if so many nodes can be put into an order that all edges follow.
fn is_acyclic(nodes: usize, edges: &[(usize, usize)]) -> bool {
    let mut left: Vec<usize> = (0..nodes).collect();
    loop {
        let before = left.len();
        let has_predecessor = |node: usize| {
            let mut into = edges.iter().filter(|(_, to)| *to == node);
            into.any(|(from, _)| left.contains(from))
        };
        let rest: Vec<usize> = left
            .iter()
            .copied()
            .filter(|n| has_predecessor(*n))
            .collect();
        left = rest;
        if left.is_empty() || left.len() == before {
            return left.is_empty();
        }
    }
}

/// The trace of an execution.
pub fn trace(steps: &[Vec<Act>]) -> Trace {
    let mut recorder = Recorder::default();
    for step in steps {
        recorder.step(step);
    }
    recorder.trace
}

fn addresses(bytes: Bytes) -> std::ops::Range<Word> {
    bytes.address..bytes.address + Word::from(bytes.size)
}
