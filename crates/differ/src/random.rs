//! Random numbers that are the same everywhere for the same seed.

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    /// The sequence for program `number` of a run with this seed.
    pub fn new(seed: u64, number: u64) -> Self {
        Random(fastrand::Rng::with_seed(seed.rotate_left(32) ^ number))
    }

    /// The next number.
    pub fn word(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    /// A number from `low` to `high`, both included.
    pub fn from(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// The index of one of the weights, as often as its weight says.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return index,
            }
        }
        0
    }
}
