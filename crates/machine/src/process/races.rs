//! Data races as C11 defines them: two accesses to one location by different threads, at least
//! one of them a write, at least one not atomic, and neither happening before the other.
//!
//! Happens-before is kept as vector clocks, as in Lamport's and Mattern's work: a thread's
//! clock is what it knows of every thread. A release makes the clock known to who
//! acquires: through an atomic location (with release sequences through read-modify-writes,
//! and fences), a lock, a semaphore, a barrier, the start and the end of a thread.
//! A store counts when it is issued; what it releases is seen once it has left the store
//! buffer.
//!
//! Deviations: (1) the executions looked at are those of the memory model in use, not all
//! that C11 allows; (2) consume is acquire.

use super::Process;
use super::memory::{BlockId, Location};
use super::thread::Standing;
use answer::{Fault, FaultKind};
use program::{MemoryOrder, Orderings, Span, ThreadId, Word};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of each thread: the number of its releases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Clock(Vec<u32>);

impl Clock {
    fn get(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    fn join(&mut self, other: &[u32]) {
        if self.0.len() < other.len() {
            self.0.resize(other.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(other) {
            *mine = (*mine).max(*theirs);
        }
    }
}

/// An access that a later one may race with: the last of its kind by its thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Past {
    thread: ThreadId,
    writes: bool,
    atomic: bool,
    time: u32,
    span: Span,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct ThreadClocks {
    now: Clock,
    /// What an earlier release fence made known through later relaxed writes.
    fenced: Clock,
    /// What earlier relaxed reads will make known at an acquire fence.
    unfenced: Clock,
}

/// Everything that is known of who happened before whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Races {
    threads: Vec<ThreadClocks>,
    /// Past accesses to each byte.
    past: BTreeMap<(BlockId, u64), Vec<Past>>,
    /// What acquiring reads of a location make known.
    locations: BTreeMap<Location, Clock>,
    /// What taking a lock or the like makes known.
    objects: BTreeMap<Word, Clock>,
}

/// An access to be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Looked {
    /// Where.
    pub at: Location,
    /// Bytes.
    pub size: u64,
    /// It writes.
    pub writes: bool,
    /// Its order.
    pub order: MemoryOrder,
    /// Where it stands in the source.
    pub span: Span,
}

impl Races {
    fn thread(&mut self, id: ThreadId) -> &mut ThreadClocks {
        if self.threads.len() <= id.index() {
            self.threads
                .resize_with(id.index() + 1, ThreadClocks::default);
        }
        let clocks = &mut self.threads[id.index()];
        if clocks.now.0.len() <= id.index() {
            clocks.now.0.resize(id.index() + 1, 0);
            clocks.now.0[id.index()] = 1;
        }
        clocks
    }

    /// What the thread knows now is known to others; what it does later is not.
    fn release(&mut self, id: ThreadId) -> Clock {
        let clocks = self.thread(id);
        let known = clocks.now.clone();
        clocks.now.0[id.index()] += 1;
        known
    }

    /// The access that races with one of `id`, if there is one; notes the access.
    fn look(&mut self, id: ThreadId, looked: Looked) -> Option<Past> {
        let now = self.thread(id).now.clone();
        let atomic = looked.order != MemoryOrder::Plain;
        for byte in 0..looked.size {
            let key = (looked.at.block, looked.at.offset + byte);
            let races = |other: &&Past| {
                other.thread != id
                    && (other.writes || looked.writes)
                    && !(other.atomic && atomic)
                    && other.time > now.get(other.thread)
            };
            if let Some(other) = self.past.get(&key).and_then(|past| past.iter().find(races)) {
                return Some(other.clone());
            }
            let access = Past {
                thread: id,
                writes: looked.writes,
                atomic,
                time: now.get(id),
                span: looked.span,
            };
            self.note(key, access);
        }
        None
    }

    /// Notes an access, in the place of the last one of its kind.
    fn note(&mut self, at: (BlockId, u64), access: Past) {
        let kind = |past: &Past| (past.thread, past.writes, past.atomic);
        let past = self.past.entry(at).or_default();
        past.retain(|old| kind(old) != kind(&access));
        past.push(access);
        past.sort_unstable_by_key(kind);
    }

    /// The reads of a thread that are not among those known here.
    fn reads_missing_in(&self, known: &Races, id: ThreadId) -> Vec<((BlockId, u64), Past)> {
        let reads = self.past.iter().flat_map(|(at, past)| {
            let reads = past.iter().filter(|past| past.thread == id && !past.writes);
            reads.map(move |read| (*at, read.clone()))
        });
        let is_missing = |(at, read): &((BlockId, u64), Past)| {
            let known = known.past.get(at);
            known.is_none_or(|past| !past.contains(read))
        };
        reads.filter(is_missing).collect()
    }

    /// Forgets what every thread that runs knows already: no later access can race with it,
    /// and nobody can learn from it.
    fn forget(&mut self, running: &[bool]) {
        let clocks: Vec<(usize, Clock)> = self
            .threads
            .iter()
            .enumerate()
            .filter(|(index, _)| running.get(*index).copied().unwrap_or(false))
            .map(|(index, thread)| (index, thread.now.clone()))
            .collect();
        let known_to_others = |past: &Past| {
            let mut others = clocks
                .iter()
                .filter(|(index, _)| *index != past.thread.index());
            others.all(|(_, now)| past.time <= now.get(past.thread))
        };
        for past in self.past.values_mut() {
            past.retain(|past| !known_to_others(past));
        }
        self.past.retain(|_, past| !past.is_empty());
        let is_known = |clock: &Clock| {
            let mut parts = clock.0.iter().enumerate();
            let known = |(thread, time): (usize, &u32)| {
                clocks
                    .iter()
                    .all(|(_, now)| *time <= now.get(ThreadId::from(thread)))
            };
            parts.all(known)
        };
        self.locations.retain(|_, clock| !is_known(clock));
        self.objects.retain(|_, clock| !is_known(clock));
        for thread in &mut self.threads {
            for clock in [&mut thread.fenced, &mut thread.unfenced] {
                if is_known(clock) {
                    clock.0.clear();
                }
            }
        }
    }

    /// Renumbers times by their rank: only their order matters, and states that differ in
    /// nothing else are one. `waiting` are the clocks of stores on their way.
    fn normalise(&mut self, waiting: &mut [&mut Arc<[u32]>]) {
        let mut times: Vec<Vec<u32>> = vec![Vec::new(); self.threads.len()];
        for past in self.past.values().flatten() {
            times[past.thread.index()].push(past.time);
        }
        let mut clocks: Vec<&mut [u32]> = Vec::new();
        for thread in &mut self.threads {
            let all = [&mut thread.now, &mut thread.fenced, &mut thread.unfenced];
            clocks.extend(all.map(|clock| &mut clock.0[..]));
        }
        let known = self.locations.values_mut().chain(self.objects.values_mut());
        clocks.extend(known.map(|clock| &mut clock.0[..]));
        clocks.extend(waiting.iter_mut().map(|clock| Arc::make_mut(clock)));
        for clock in &clocks {
            for (times, time) in times.iter_mut().zip(clock.iter()) {
                times.push(*time);
            }
        }
        for times in &mut times {
            // What is known of a thread starts at 0, what it does at 1.
            times.extend([0, 1]);
            times.sort_unstable();
            times.dedup();
        }
        let rank = |thread: usize, time: u32| match times[thread].binary_search(&time) {
            Ok(rank) | Err(rank) => rank as u32,
        };
        for clock in clocks {
            for (thread, time) in clock.iter_mut().enumerate() {
                *time = rank(thread, *time);
            }
        }
        for past in self.past.values_mut().flatten() {
            past.time = rank(past.thread.index(), past.time);
        }
    }

    fn acquire_place(&mut self, id: ThreadId, at: Location, order: MemoryOrder) {
        let Some(known) = self.locations.get(&at).cloned() else {
            return;
        };
        let clocks = self.thread(id);
        match order.acquires() {
            true => clocks.now.join(&known.0),
            false => clocks.unfenced.join(&known.0),
        }
    }

    /// What an atomic write makes known.
    fn released_by(&mut self, id: ThreadId, order: MemoryOrder) -> Clock {
        match order.releases() {
            true => self.release(id),
            false => self.thread(id).fenced.clone(),
        }
    }
}

impl Process<'_> {
    /// Gives states that only differ in how often something happened the same clocks.
    pub(super) fn races_normalise(&mut self) {
        let standing = self.threads.iter().map(|thread| thread.standing);
        let running: Vec<bool> = standing
            .map(|standing| standing != Standing::Joined)
            .collect();
        if let Some(races) = &mut self.races {
            let entries = self.threads.iter_mut().flat_map(|t| &mut t.buffer.entries);
            let mut waiting: Vec<_> = entries.filter_map(|entry| entry.release.as_mut()).collect();
            races.forget(&running);
            races.normalise(&mut waiting);
        }
    }

    /// Looks at an access.
    pub(super) fn races_look(&mut self, id: ThreadId, looked: Looked) -> Result<(), Box<Fault>> {
        let Some(races) = &mut self.races else {
            return Ok(());
        };
        let Some(other) = races.look(id, looked) else {
            return Ok(());
        };
        let kind = |writes: bool, atomic: bool| match (writes, atomic) {
            (true, true) => "atomic write",
            (true, false) => "write",
            (false, true) => "atomic read",
            (false, false) => "read",
        };
        let mine = kind(looked.writes, looked.order != MemoryOrder::Plain);
        let theirs = kind(other.writes, other.atomic);
        let article = if other.atomic { "an" } else { "a" };
        let (location, name) = (
            self.location_name(looked.at),
            self.thread_name(other.thread),
        );
        let message =
            format!("data race on {location}: this {mine} and {article} {theirs} by {name}");
        let fault = Fault::new(FaultKind::Race, message);
        Err(Box::new(
            fault.with(other.span, format!("the {theirs} by {name}")),
        ))
    }

    /// Keeps what a thread read in an iteration that was taken back: later writes race with that as well. The clocks are as without the
    /// iteration, and so is the time of its reads, because it released nothing.
    pub(super) fn races_keep_reads(&mut self, id: ThreadId, tried: Option<Box<Races>>) {
        let (Some(tried), Some(races)) = (tried, &self.races) else {
            return;
        };
        let missing = tried.reads_missing_in(races, id);
        if missing.is_empty() {
            return;
        }
        self.save_races();
        if let Some(races) = &mut self.races {
            for (at, read) in missing {
                races.note(at, read);
            }
        }
    }

    /// The end of an object, which is a write of all its bytes.
    pub(super) fn races_end(
        &mut self,
        id: ThreadId,
        block: BlockId,
        span: Span,
    ) -> Result<(), Box<Fault>> {
        if self.races.is_none() || self.is_private(id, block) {
            return Ok(());
        }
        let size = self.memory.block(block).map_or(0, |b| b.bytes.size);
        let looked = Looked {
            at: Location { block, offset: 0 },
            size,
            writes: true,
            order: MemoryOrder::Plain,
            span,
        };
        self.races_look(id, looked)
    }

    /// A read that took its value from memory.
    pub(super) fn races_read(&mut self, id: ThreadId, at: Location, order: MemoryOrder) {
        if let Some(races) = &mut self.races
            && order != MemoryOrder::Plain
        {
            races.acquire_place(id, at, order);
        }
    }

    /// What a store that is issued now will make known.
    pub(super) fn races_issue(&mut self, id: ThreadId, order: MemoryOrder) -> Option<Arc<[u32]>> {
        let races = self.races.as_mut()?;
        let known = match order {
            MemoryOrder::Plain => Clock::default(),
            _ => races.released_by(id, order),
        };
        Some(known.0.into())
    }

    /// A store reached memory.
    pub(super) fn races_commit(&mut self, at: Location, known: Option<Arc<[u32]>>) {
        if let (Some(races), Some(known)) = (&mut self.races, known) {
            races.locations.insert(at, Clock(known.to_vec()));
        }
    }

    /// A read-modify-write: what earlier ones released stays known through it.
    pub(super) fn races_modify(
        &mut self,
        id: ThreadId,
        at: Location,
        order: MemoryOrder,
        writes: bool,
    ) {
        let Some(races) = &mut self.races else {
            return;
        };
        races.acquire_place(id, at, order);
        if writes {
            let known = races.released_by(id, order);
            races.locations.entry(at).or_default().join(&known.0);
        }
    }

    /// A fence.
    pub(super) fn races_fence(&mut self, id: ThreadId, orderings: Orderings) {
        let Some(races) = &mut self.races else {
            return;
        };
        let acquire = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);
        let release = Orderings::LOAD_STORE.union(Orderings::STORE_STORE);
        let clocks = races.thread(id);
        if orderings.contains(acquire) {
            let known = std::mem::take(&mut clocks.unfenced);
            clocks.now.join(&known.0);
        }
        if orderings.contains(release) {
            let known = races.release(id);
            races.thread(id).fenced = known;
        }
    }

    /// A lock or the like is taken.
    pub(super) fn races_acquire(&mut self, id: ThreadId, object: Word) {
        if let Some(races) = &mut self.races {
            let known = races.objects.get(&object).cloned().unwrap_or_default();
            races.thread(id).now.join(&known.0);
        }
    }

    /// A lock or the like is given back.
    pub(super) fn races_release(&mut self, id: ThreadId, object: Word) {
        if let Some(races) = &mut self.races {
            let known = races.release(id);
            races.objects.entry(object).or_default().join(&known.0);
        }
    }

    /// One thread starts another, or ends before another takes its result.
    pub(super) fn races_hand_over(&mut self, from: ThreadId, to: ThreadId) {
        if let Some(races) = &mut self.races {
            let known = races.release(from);
            races.thread(to).now.join(&known.0);
        }
    }
}
