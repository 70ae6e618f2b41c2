//! What an exploration is asked to do.

/// What an exploration is asked to do.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What it shares with other searches: workers, bounds, limits, progress.
    pub search: states::Options,
    /// Go on after the first violation, to one for each place in the source.
    pub all: bool,
    /// An execution that sequential consistency does not have is a violation.
    pub robust: bool,
    /// Explore executions of SC only, with the fences of the model, and tell from them what store
    /// buffers would show.
    pub monitor: Monitor,
    /// Explore executions with at most so many preemptions only.
    pub preemptions: Option<u32>,
    /// Keep the outcomes of all executions.
    pub outcomes: bool,
}

/// What executions of SC are explored for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Monitor {
    /// There is no monitor: the model's own executions are explored.
    #[default]
    Off,
    /// What goes wrong in them, and what store buffers would show.
    Beside,
    /// What store buffers would show: nothing else ends the search.
    Alone,
}
