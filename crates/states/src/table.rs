//! The set of states seen so far: exact, sharded, compact.
//!
//! A state is a [`Key`]: the numbers of its components packed into a few words. Keys
//! lie in open-addressing tables of their own size, with nothing beside them; a
//! table is half to four fifths full, so a state of one word costs 10 to 16 bytes.
//!
//! A small set is one table. A large one is many, each with its lock, and workers
//! bring keys in [`Batches`], one per table: a batch takes the lock once, and asks
//! for all the cache lines that it needs before it needs the first.

use std::hint::black_box;
use std::sync::Mutex;

/// A packed state. The key of all zeros is no state.
pub type Key<const W: usize> = [u64; W];

/// A set of keys that many workers add to.
pub struct Table<const W: usize> {
    /// One, or [`SHARDS`].
    shards: Vec<Mutex<Shard<W>>>,
}

struct Shard<const W: usize> {
    /// Free slots hold the key of all zeros.
    slots: Vec<Key<W>>,
    len: usize,
}

/// Keys on their way to the tables, for one worker.
pub struct Batches<const W: usize> {
    /// The shard to begin with when everything is brought in: another for each
    /// worker, so that they do not queue up at the same locks.
    start: usize,
    waiting: Vec<Vec<Key<W>>>,
    homes: Vec<usize>,
}

const SHARDS: usize = 256;
const SMALLEST: usize = 16;
/// A set larger than this is cut into shards.
const LARGEST_UNCUT: usize = 1 << 12;
/// Keys in a batch.
const BATCH: usize = 256;

impl<const W: usize> Table<W> {
    /// An empty set.
    pub fn new() -> Self {
        Table {
            shards: vec![Mutex::new(Shard::new(SMALLEST))],
        }
    }

    /// Cuts the set into shards if it has grown large. True if it is cut.
    pub fn cut_if_large(&mut self) -> bool {
        if self.shards.len() == 1 && self.len() > LARGEST_UNCUT {
            let old = std::mem::take(&mut self.shards).swap_remove(0);
            let old = old.into_inner().expect("no worker panics");
            let size = (old.slots.len() / SHARDS * 2).max(SMALLEST);
            let mut shards: Vec<Shard<W>> = (0..SHARDS).map(|_| Shard::new(size)).collect();
            for key in old.slots.into_iter().filter(|key| *key != [0; W]) {
                let hash = hash(key);
                shards[hash as usize % SHARDS].insert(key, hash);
            }
            self.shards = shards.into_iter().map(Mutex::new).collect();
        }
        self.shards.len() > 1
    }

    /// Adds a key to a set that is not cut; false if it was there.
    pub fn insert(&self, key: Key<W>) -> bool {
        self.lock(0).insert(key, hash(key))
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        (0..self.shards.len()).map(|n| self.lock(n).len).sum()
    }

    /// Bytes taken.
    pub fn bytes(&self) -> usize {
        let shards = 0..self.shards.len();
        let slots: usize = shards.map(|n| self.lock(n).slots.capacity()).sum();
        slots * size_of::<Key<W>>()
    }

    fn lock(&self, shard: usize) -> std::sync::MutexGuard<'_, Shard<W>> {
        self.shards[shard].lock().expect("no worker panics")
    }
}

impl<const W: usize> Batches<W> {
    /// Nothing on its way, for one worker of several.
    pub fn new(worker: usize, workers: usize) -> Self {
        Batches {
            start: worker * SHARDS / workers,
            waiting: Vec::new(),
            homes: Vec::new(),
        }
    }

    /// Adds a key to a set that is cut, now or by the next [`Batches::finish`]. Keys
    /// that turn out to be new go to `fresh`.
    #[inline]
    pub fn insert(&mut self, table: &Table<W>, key: Key<W>, fresh: &mut Vec<Key<W>>) {
        if self.waiting.is_empty() {
            self.waiting
                .resize_with(SHARDS, || Vec::with_capacity(BATCH));
        }
        let shard = hash(key) as usize % SHARDS;
        self.waiting[shard].push(key);
        if self.waiting[shard].len() == BATCH {
            self.bring(table, shard, fresh);
        }
    }

    /// Adds everything that is still on its way.
    pub fn finish(&mut self, table: &Table<W>, fresh: &mut Vec<Key<W>>) {
        for number in 0..self.waiting.len() {
            self.bring(table, (self.start + number) % SHARDS, fresh);
        }
    }

    /// Bytes taken.
    pub fn bytes(&self) -> usize {
        let waiting: usize = self.waiting.iter().map(Vec::capacity).sum();
        waiting * size_of::<Key<W>>()
    }

    fn bring(&mut self, table: &Table<W>, shard: usize, fresh: &mut Vec<Key<W>>) {
        let waiting = &mut self.waiting[shard];
        let mut shard = table.lock(shard);
        shard.reserve(waiting.len());
        self.homes.clear();
        let mut touched = 0;
        for key in &*waiting {
            let home = shard.home(hash(*key));
            touched |= shard.slots[home][0];
            self.homes.push(home);
        }
        black_box(touched);
        for (key, home) in waiting.drain(..).zip(&self.homes) {
            if shard.insert_from(key, *home) {
                fresh.push(key);
            }
        }
    }
}

impl<const W: usize> Shard<W> {
    fn new(size: usize) -> Self {
        Shard {
            slots: vec![[0; W]; size],
            len: 0,
        }
    }

    fn insert(&mut self, key: Key<W>, hash: u64) -> bool {
        self.reserve(1);
        self.insert_from(key, self.home(hash))
    }

    /// Makes room for this many more keys.
    fn reserve(&mut self, more: usize) {
        while (self.len + more) * 5 > self.slots.len() * 4 {
            self.grow();
        }
    }

    /// Adds a key, for which there is room, at or after its home.
    #[inline]
    fn insert_from(&mut self, key: Key<W>, home: usize) -> bool {
        let mut slot = home;
        loop {
            let found = self.slots[slot];
            if found == key {
                return false;
            }
            if found == [0; W] {
                self.slots[slot] = key;
                self.len += 1;
                return true;
            }
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
    }

    /// The slot where the search for a hash begins: its upper bits, scaled.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    fn grow(&mut self) {
        let size = if self.slots.len() < 1 << 10 {
            self.slots.len() * 2
        } else {
            self.slots.len() / 2 * 3
        };
        let old = std::mem::replace(&mut self.slots, vec![[0; W]; size]);
        self.len = 0;
        for key in old.into_iter().filter(|key| *key != [0; W]) {
            self.insert_from(key, self.home(hash(key)));
        }
    }
}

/// A fixed hash, so that runs repeat: multiply and fold, word by word.
pub fn hash<const W: usize>(key: Key<W>) -> u64 {
    const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
    const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
    let mut hash = SEED;
    for word in key {
        let product = u128::from(hash ^ word) * u128::from(FACTOR);
        hash = (product as u64) ^ ((product >> 64) as u64);
    }
    hash.wrapping_mul(SEED) ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u64) -> Key<2> {
        [n, n * n]
    }

    #[test]
    fn each_key_is_new_once_before_and_after_the_cut() {
        let mut table = Table::<2>::new();
        let small = LARGEST_UNCUT as u64 + 1;
        for round in 0..2 {
            for n in 1..=small {
                assert_eq!(table.insert(key(n)), round == 0);
            }
        }
        assert!(table.cut_if_large());
        let mut batches = Batches::new(0, 1);
        let mut fresh = Vec::new();
        for _ in 0..2 {
            for n in 1..=2 * small {
                batches.insert(&table, key(n), &mut fresh);
            }
            batches.finish(&table, &mut fresh);
        }
        fresh.sort_unstable();
        let new: Vec<_> = (small + 1..=2 * small).map(key).collect();
        assert_eq!(fresh, new);
        assert_eq!(table.len() as u64, 2 * small);
    }

    #[test]
    fn a_state_of_one_word_takes_at_most_sixteen_bytes_in_a_large_set() {
        let mut table = Table::<1>::new();
        for n in 1..=LARGEST_UNCUT as u64 + 1 {
            table.insert([n]);
        }
        table.cut_if_large();
        let mut batches = Batches::new(0, 1);
        for n in 1..=1_000_000 {
            batches.insert(&table, [n], &mut Vec::new());
        }
        batches.finish(&table, &mut Vec::new());
        assert!(table.bytes() <= 16 * table.len());
    }
}
