//! The set of states seen so far: exact, sharded, compact.
//!
//! A state is a [`Key`]: the numbers of its components packed into a few words. Keys
//! lie in open-addressing tables of their own size, with nothing beside them; a
//! table is half to four fifths full, so a state of one word costs 10 to 16 bytes.

use std::sync::Mutex;

/// A packed state. The key of all zeros is no state.
pub type Key<const W: usize> = [u64; W];

/// A set of keys that many workers add to.
pub struct Table<const W: usize> {
    shards: Vec<Mutex<Shard<W>>>,
}

struct Shard<const W: usize> {
    /// Free slots hold the key of all zeros.
    slots: Vec<Key<W>>,
    len: usize,
}

const SHARDS: usize = 64;
const SMALLEST: usize = 16;

impl<const W: usize> Table<W> {
    /// An empty set. `workers` more than one makes it fit to be shared.
    pub fn new(workers: usize) -> Self {
        let shards = if workers > 1 { SHARDS } else { 1 };
        Table {
            shards: (0..shards).map(|_| Mutex::new(Shard::new())).collect(),
        }
    }

    /// Adds a key; false if it was there.
    pub fn insert(&self, key: Key<W>) -> bool {
        let hash = hash(key);
        let shard = (hash as usize) % self.shards.len();
        let mut shard = self.shards[shard].lock().expect("no worker panics");
        shard.insert(key, hash)
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.sum(|shard| shard.len)
    }

    /// Bytes taken.
    pub fn bytes(&self) -> usize {
        self.sum(|shard| shard.slots.capacity() * size_of::<Key<W>>())
    }

    fn sum(&self, size: impl Fn(&Shard<W>) -> usize) -> usize {
        let shards = self.shards.iter();
        shards
            .map(|shard| size(&shard.lock().expect("no worker panics")))
            .sum()
    }
}

impl<const W: usize> Shard<W> {
    fn new() -> Self {
        Shard {
            slots: vec![[0; W]; SMALLEST],
            len: 0,
        }
    }

    fn insert(&mut self, key: Key<W>, hash: u64) -> bool {
        if (self.len + 1) * 5 > self.slots.len() * 4 {
            self.grow();
        }
        let mut slot = self.home(hash);
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
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    fn grow(&mut self) {
        let size = if self.slots.len() < 1 << 16 {
            self.slots.len() * 2
        } else {
            self.slots.len() / 2 * 3
        };
        let old = std::mem::replace(&mut self.slots, vec![[0; W]; size]);
        self.len = 0;
        for key in old {
            if key != [0; W] {
                self.insert(key, hash(key));
            }
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

    #[test]
    fn each_key_is_new_once() {
        let table = Table::<2>::new(2);
        for round in 0..2 {
            for n in 1..20_000u64 {
                assert_eq!(table.insert([n, n * n]), round == 0);
            }
        }
        assert_eq!(table.len(), 19_999);
    }

    #[test]
    fn a_state_of_one_word_takes_at_most_sixteen_bytes_in_a_large_table() {
        let table = Table::<1>::new(1);
        for n in 1..=300_000u64 {
            table.insert([n]);
            if n > 100_000 && n % 1000 == 0 {
                assert!(table.bytes() <= 16 * table.len(), "{n}");
            }
        }
    }
}
