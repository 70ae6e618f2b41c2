//! What an exploration is asked to do.

use crate::NonSequential;
use control::Control;

/// Which executions are taken for the same, so that one of them is explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Equivalence {
    /// Those with the same Shasha–Snir trace.
    #[default]
    Traces,
    /// Those that go wrong in the same ways, and come to the same final states: what a thread does that nobody can
    /// observe makes no difference. `docs/explanation/exploration.md` has what that is.
    Observed,
}

/// What an exploration is asked to do. There is no bound on store buffers: where a step ends would depend on
/// which stores of a full one have been flushed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Limits, progress and interruption.
    pub control: Control,
    /// The number of workers.
    pub jobs: usize,
    /// Most iterations of a loop.
    pub unroll: Option<u32>,
    /// Spurious wake-ups of waits on condition variables.
    pub spurious: bool,
    /// Look for data races.
    pub races: bool,
    /// Show an execution for a violation.
    pub explain: bool,
    /// Go on after the first violation, to one for each location in the source.
    pub all: bool,
    /// What executions are that sequential consistency does not have.
    pub robust: NonSequential,
    /// Explore executions of SC only, with the fences of the model, and find out from them what store
    /// buffers would show.
    pub monitor: bool,
    /// Explore only executions with at most this many preemptions.
    pub preemptions: Option<u32>,
    /// Keep the outcomes of all executions.
    pub outcomes: bool,
    /// Which executions are taken for the same, where the question allows it: that of robustness is about traces, and
    /// a bound on preemptions about schedules.
    pub equivalence: Equivalence,
}

impl Options {
    /// True if the search goes wrong where the locations that a step uses depend on what it reads: so
    /// do races and the monitor. With a bound on preemptions every schedule within it is tried.
    pub(crate) fn needs_fixed_footprints(&self) -> bool {
        self.monitor || self.preemptions.is_none()
    }

    /// True if what nobody can observe makes no difference.
    pub(crate) fn is_coarse(&self) -> bool {
        self.equivalence == Equivalence::Observed
            && self.robust == NonSequential::Ignore
            && !self.monitor
            && self.preemptions.is_none()
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            control: Control::default(),
            jobs: 1,
            unroll: None,
            spurious: false,
            races: false,
            explain: true,
            all: false,
            robust: NonSequential::default(),
            monitor: false,
            preemptions: None,
            outcomes: false,
            equivalence: Equivalence::default(),
        }
    }
}
