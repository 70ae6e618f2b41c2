//! What an exploration is asked to do.

/// What an exploration is asked to do.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What it shares with other searches: workers, bounds, limits, progress.
    pub search: states::Options,
    /// Go on after the first violation, to one for each place in the source.
    pub all: bool,
    /// What executions are that sequential consistency does not have.
    pub robust: Robust,
    /// Explore executions of SC only, with the fences of the model, and tell from them what store
    /// buffers would show.
    pub monitor: bool,
    /// Explore executions with at most so many preemptions only.
    pub preemptions: Option<u32>,
    /// Keep the outcomes of all executions.
    pub outcomes: bool,
}

/// What executions are that sequential consistency does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Robust {
    /// As good as others.
    #[default]
    Ignored,
    /// Violations, among others.
    Beside,
    /// The only violations that end the search.
    Alone,
}
