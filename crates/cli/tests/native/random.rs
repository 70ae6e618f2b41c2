//! A deterministic source of choices.

pub struct Random(fastrand::Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(fastrand::Rng::with_seed(seed))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number less than `limit`, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}
