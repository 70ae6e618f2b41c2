//! Which events used which memory.

use super::{EventId, Trace, Undo, overlap};
use crate::step::StepKind;
use machine::{Accumulation, Bytes};
use memory::Buffering;
use program::MemoryOrder;

/// Words whose numbers are found without a hash.
pub(super) const RECENT: usize = 64;

/// A word that an event uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The word's number in the trace.
    pub word: u32,
    /// Bytes of the word.
    pub mask: u8,
    /// They are written.
    pub writes: bool,
    /// By an operation that commutes with others of this kind.
    pub accumulates: Option<Accumulation>,
}

impl Touch {
    /// True if two events that do this are in conflict.
    pub fn clashes(self, other: Touch) -> bool {
        self.word == other.word
            && self.mask & other.mask != 0
            && (self.writes || other.writes)
            && !commute(
                (self.mask, self.accumulates),
                (other.mask, other.accumulates),
            )
    }

    /// True if this is part of the other.
    pub fn is_within(self, other: Touch) -> bool {
        self.word == other.word
            && self.mask & !other.mask == 0
            && self.writes <= other.writes
            && self.accumulates == other.accumulates
    }
}

/// True for accumulations of one kind into the same bytes.
fn commute(one: (u8, Option<Accumulation>), other: (u8, Option<Accumulation>)) -> bool {
    one.1.is_some() && one == other
}

/// A use of a word by an event.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    pub event: u32,
    pub thread: u32,
    /// Bytes of the word.
    pub mask: u8,
    pub writes: bool,
    /// They are, by an operation that commutes with others of this kind.
    pub accumulates: Option<Accumulation>,
    /// The update of the thread's own store that it reads, plus one.
    pub own: u32,
}

/// Runs of accumulations on the way back through the uses of a word. Those of a run are not ordered among each other, so what
/// conflicts with the last conflicts with each. Another write of the bytes comes before all of them, and ends the run.
#[derive(Default)]
struct Runs(Vec<(u8, Option<Accumulation>)>);

impl Runs {
    fn begin(&mut self, found: &Use) {
        if found.accumulates.is_some() {
            self.0.push((found.mask, found.accumulates));
        }
    }

    /// True if an earlier use is another one of a run.
    fn goes_on(&mut self, found: &Use) -> bool {
        if self.0.contains(&(found.mask, found.accumulates)) {
            return true;
        }
        if found.writes {
            self.0.retain(|(mask, _)| mask & found.mask == 0);
        }
        false
    }
}

impl Trace {
    /// The events that wrote bytes, all of them.
    pub fn writers(&self, address: u64, size: u32, mut each: impl FnMut(EventId)) {
        for (word, mask) in words_of(address, size) {
            let uses = self.known_uses(word);
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
            let uses = self.known_uses(word);
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

    /// Parts of a range of memory (address and size), each with the event before which it holds
    /// what it would if only events to keep had happened: the first writer to leave out after the
    /// last one to keep. Not the moment after that last one, since a thread initialises
    /// what is still its own without an event.
    pub fn kept(
        &self,
        address: u64,
        size: u32,
        keep: impl Fn(EventId) -> bool,
    ) -> Vec<(u64, u32, EventId)> {
        let mut parts: Vec<(u64, u32, EventId)> = Vec::new();
        for (word, mask) in words_of(address, size) {
            let uses = self.known_uses(word);
            let mut rest = mask;
            while rest != 0 {
                let first = rest.trailing_zeros();
                let writers = uses.into_iter().flat_map(|uses| uses.iter().rev());
                // The bytes from there on that the same events wrote.
                let mut part = rest >> first;
                let mut before = self.len();
                for with in writers.filter(|with| with.writes) {
                    let written = with.mask >> first;
                    if written & 1 == 0 {
                        part &= !written;
                        continue;
                    }
                    part &= written;
                    if keep(with.event as usize) {
                        break;
                    }
                    before = with.event as usize;
                }
                let size = part.trailing_ones();
                parts.push((word * 8 + u64::from(first), size, before));
                rest &= !(((1u32 << size) - 1) << first) as u8;
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

    /// What an event that only reads these bytes uses.
    pub fn reads_of(&mut self, bytes: &[(u64, u32)]) -> Vec<Touch> {
        let words = bytes.iter().flat_map(|bytes| words_of(bytes.0, bytes.1));
        let touch = |(word, mask)| Touch {
            word: self.word(word),
            mask,
            writes: false,
            accumulates: None,
        };
        words.map(touch).collect()
    }

    /// True if an event uses more than one location.
    pub fn uses_several_locations(&self, id: EventId) -> bool {
        let touches = self.touches_of(id);
        let location = |touch: &Touch| (touch.word, touch.mask);
        touches
            .iter()
            .any(|touch| location(touch) != location(&touches[0]))
    }

    /// The memory that an event used: addresses, and whether it wrote there.
    pub fn uses_of(&self, id: EventId) -> Vec<(u64, bool)> {
        let touches = self.touches_of(id).iter();
        let location = |touch: &Touch| {
            let first = u64::from(touch.mask.trailing_zeros());
            (
                self.addresses[touch.word as usize] * 8 + first,
                touch.writes,
            )
        };
        touches.map(location).collect()
    }

    /// All uses of a word, in the order of the execution.
    pub fn uses_of_word(&self, word: u32) -> &[Use] {
        &self.uses[word as usize]
    }

    /// The address of a word, divided by 8.
    pub fn address_of_word(&self, word: u32) -> u64 {
        self.addresses[word as usize]
    }

    /// Source edges of a load from memory.
    pub(super) fn read(&mut self, id: u32, thread: u32, bytes: Bytes) {
        for (word, mask) in words_of(bytes.address, bytes.size) {
            let index = self.word(word);
            let mut rest = mask;
            // Own writes that it reads from, and the rest: one for each byte at most.
            let mut own = [(0, 0); 8];
            let mut parts = 0;
            let mut runs = Runs::default();
            for position in (0..self.uses[index as usize].len()).rev() {
                let found = self.uses[index as usize][position];
                let read = found.mask & rest;
                let more = runs.goes_on(&found);
                if found.writes && (read != 0 || more) {
                    rest &= !read;
                    if !more {
                        runs.begin(&found);
                    }
                    if found.thread != thread {
                        self.edge(found.event as usize, true);
                    } else if found.accumulates.is_none() {
                        own[parts] = (read, found.event + 1);
                        parts += 1;
                    }
                }
                if rest == 0 && runs.0.is_empty() {
                    break;
                }
            }
            let others = own.iter().fold(mask, |mask, (read, _)| mask & !read);
            if others != 0 {
                own[parts] = (others, 0);
                parts += 1;
            }
            for (mask, own) in own.into_iter().take(parts) {
                self.put_word(
                    index,
                    Use {
                        event: id,
                        thread,
                        mask,
                        writes: false,
                        accumulates: None,
                        own,
                    },
                );
            }
        }
    }

    /// Conflict edges of a write in a step of a thread.
    ///
    /// Own stores that were flushed are skipped. A read-modify-write records that it waits for them by acts
    /// of its own. The end of an object does not wait for them, and comes after what they came after.
    pub(super) fn write(&mut self, id: u32, thread: u32, bytes: Bytes, kind: Option<Accumulation>) {
        let updates = self.buffering != Buffering::None;
        self.conflicts(thread, bytes, kind, |trace, found| {
            found.event == id || updates && found.thread == thread && trace.is_update(found.event)
        });
        self.put_write(id, thread, bytes, kind);
    }

    /// Conflict edges of a change that is no access, such as the end of an object. It comes after loads of other threads from
    /// their own stores, too, whether the store was flushed or not: a load of what is gone fails.
    pub(super) fn change(&mut self, id: u32, thread: u32, bytes: Bytes) {
        self.write(id, thread, bytes, None);
        let changed = (bytes.address, bytes.size);
        let others = self.threads.iter().enumerate();
        let others = others.filter(|(other, _)| *other != thread as usize);
        let stores = others.flat_map(|(_, other)| &other.stores);
        let stores = stores.filter(|store| store.update == 0 && overlap(store.bytes, changed));
        let readers = stores.flat_map(|store| &store.readers);
        let readers = readers.filter(|(_, part)| overlap((part.address, part.size), changed));
        let mut events: Vec<u32> = readers.map(|(event, _)| *event).collect();
        for (word, mask) in words_of(bytes.address, bytes.size) {
            let uses = self.known_uses(word);
            let uses = uses.into_iter().flatten();
            let own = uses.filter(|found| found.own > 0 && found.mask & mask != 0);
            events.extend(
                own.filter(|found| found.thread != thread)
                    .map(|found| found.event),
            );
        }
        for event in events {
            self.edge(event as usize, true);
        }
    }

    /// Conflict edges of a store that is flushed.
    pub(super) fn commit(&mut self, id: u32, thread: u32, bytes: Bytes) {
        let kind = self.kind_of_write(bytes);
        self.conflicts(thread, bytes, kind, |_, found| found.event == id);
        self.put_write(id, thread, bytes, kind);
    }

    /// Conflict edges of a store that is flushed after its thread has ended the life of the object: those that
    /// it would have had before that. Later accesses get no edge from it.
    pub(super) fn lapse(&mut self, thread: u32, bytes: Bytes) {
        let own =
            |trace: &Self, found: &Use| found.thread == thread && !trace.is_update(found.event);
        let mut end = 0;
        for (word, mask) in words_of(bytes.address, bytes.size) {
            let index = self.word(word);
            let uses = self.uses[index as usize].iter();
            let mut ends = uses.filter(|found| found.writes && found.mask & mask != 0);
            let last = ends.rfind(|found| own(self, found));
            end = last.map_or(end, |last| end.max(last.event));
        }
        let kind = self.kind_of_write(bytes);
        self.conflicts(thread, bytes, kind, |trace, found| {
            found.event >= end || own(trace, found)
        });
    }

    pub(super) fn is_update(&self, event: u32) -> bool {
        let event = self.events.get(event as usize);
        event.is_some_and(|event| matches!(event.step.kind, StepKind::Commit(_)))
    }

    /// Conflict edges of a write to some bytes, from the last uses that are not left out and do not commute with it. Those of one thread
    /// never do: its own stores to a location stay in order.
    fn conflicts(
        &mut self,
        thread: u32,
        bytes: Bytes,
        kind: Option<Accumulation>,
        mut left_out: impl FnMut(&Self, &Use) -> bool,
    ) {
        for (word, mask) in words_of(bytes.address, bytes.size) {
            let index = self.word(word);
            let mut rest = mask;
            let mut runs = Runs::default();
            for position in (0..self.uses[index as usize].len()).rev() {
                let found = self.uses[index as usize][position];
                let more = runs.goes_on(&found);
                if found.mask & rest == 0 && !more || left_out(self, &found) {
                    continue;
                }
                if found.thread != thread && commute((mask, kind), (found.mask, found.accumulates))
                {
                    continue;
                }
                let through = (found.own as usize).checked_sub(1);
                self.edge_through(found.event as usize, true, through);
                if found.writes && !more {
                    runs.begin(&found);
                    rest &= !found.mask;
                }
                if rest == 0 && runs.0.is_empty() {
                    break;
                }
            }
        }
    }

    /// The arrivals at a barrier since it was initialised, with their threads: those that accumulate into these bytes.
    fn arrivals(&self, bytes: Bytes) -> Vec<(u32, EventId)> {
        let mut arrivals = Vec::new();
        for (word, mask) in words_of(bytes.address, bytes.size) {
            let uses = self.known_uses(word).into_iter().flatten();
            for found in uses.filter(|found| found.writes && found.mask & mask != 0) {
                match found.accumulates {
                    Some(_) => arrivals.push((found.thread, found.event as usize)),
                    None => arrivals.clear(),
                }
            }
        }
        arrivals
    }

    /// Edges from all arrivals of a round at a barrier to a thread that leaves it. Each thread arrives once in each round, so the
    /// round is that of as many arrivals of the thread itself.
    pub(super) fn pass(&mut self, thread: u32, bytes: Bytes) {
        let arrivals = self.arrivals(bytes);
        let own = |(of, _): &&(u32, EventId)| *of == thread;
        let round = arrivals.iter().filter(own).count();
        let mut counts: Vec<(u32, usize)> = Vec::new();
        for (of, event) in arrivals {
            let known = counts.iter().position(|(known, _)| *known == of);
            let at = known.unwrap_or_else(|| {
                counts.push((of, 0));
                counts.len() - 1
            });
            counts[at].1 += 1;
            if counts[at].1 == round {
                self.edge(event, false);
            }
        }
    }

    /// True if more threads have arrived at a barrier than it is for, given an arrival.
    pub fn is_crowded(&self, arrival: &Touch) -> bool {
        let Some(Accumulation::Arrivals(needed)) = arrival.accumulates else {
            return false;
        };
        let first = self.addresses[arrival.word as usize] * 8;
        let bytes = Bytes {
            address: first + u64::from(arrival.mask.trailing_zeros()),
            size: arrival.mask.count_ones(),
            order: MemoryOrder::Plain,
        };
        let mut threads: Vec<u32> = self.arrivals(bytes).iter().map(|(of, _)| *of).collect();
        threads.sort_unstable();
        threads.dedup();
        threads.len() > needed as usize
    }

    /// True if some bytes were accumulated into.
    pub fn has_accumulations(&self, address: u64, size: u32) -> bool {
        words_of(address, size).any(|(word, mask)| {
            let mut uses = self.known_uses(word).into_iter().flatten();
            uses.any(|found| found.accumulates.is_some() && found.mask & mask != 0)
        })
    }

    fn put_write(&mut self, id: u32, thread: u32, bytes: Bytes, kind: Option<Accumulation>) {
        self.put(
            bytes,
            Use {
                event: id,
                thread,
                mask: 0,
                writes: true,
                accumulates: kind,
                own: 0,
            },
        );
    }

    /// Notes a use of all words of a range of memory.
    pub(super) fn put(&mut self, bytes: Bytes, with: Use) {
        for (word, mask) in words_of(bytes.address, bytes.size) {
            let index = self.word(word);
            self.put_word(index, Use { mask, ..with });
        }
    }

    pub(super) fn put_word(&mut self, word: u32, with: Use) {
        self.uses[word as usize].push(with);
        self.undo.push(Undo::Use(word));
        if with.event as usize == self.events.len() {
            let Use {
                mask,
                writes,
                accumulates,
                ..
            } = with;
            self.touches.push(Touch {
                word,
                mask,
                writes,
                accumulates,
            });
        }
    }

    /// The uses of a word, if it was ever used.
    #[inline]
    fn known_uses(&self, word: u64) -> Option<&Vec<Use>> {
        let recent = self.recent[word as usize % RECENT];
        let index = match self.addresses.get(recent as usize) {
            Some(known) if *known == word => recent,
            _ => *self.words.get(&word)?,
        };
        Some(&self.uses[index as usize])
    }

    /// The number of a word.
    #[inline]
    pub(super) fn word(&mut self, word: u64) -> u32 {
        let recent = &mut self.recent[word as usize % RECENT];
        if self.addresses.get(*recent as usize) == Some(&word) {
            return *recent;
        }
        let next = self.uses.len() as u32;
        let index = *self.words.entry(word).or_insert(next);
        if index == next {
            self.uses.push(Vec::new());
            self.addresses.push(word);
        }
        *recent = index;
        index
    }
}

/// The words of 8 bytes that a range of memory touches, each with the bytes touched.
pub fn words_of(address: u64, size: u32) -> impl Iterator<Item = (u64, u8)> {
    let end = address + u64::from(size);
    (address / 8..end.div_ceil(8)).map(move |word| {
        let first = address.saturating_sub(word * 8).min(8);
        let last = (end - word * 8).min(8);
        let mask = ((1u32 << last) - (1u32 << first)) as u8;
        (word, mask)
    })
}
