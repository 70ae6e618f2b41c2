//! How to search, whatever the question and the engine.

use crate::engines::{Explore, MachineKind, SatOptions, States};
use crate::events::Listener;
use answer::{Bound, ModelResult};
use control::Control;
use memory::Model;
use std::time::{Duration, Instant};

/// How to search. Each engine takes of it what it understands; a question refuses what its engine does not.
#[derive(Clone, Debug)]
pub struct Options {
    /// Limits, progress and interruption. The time is that of the whole answer.
    pub control: Control,
    /// Time that was spent before the question was asked, for reading the program, and counts as part of the
    /// limit.
    pub spent: Duration,
    /// Who hears of what happens meanwhile.
    pub listener: Listener,
    /// Workers.
    pub jobs: usize,
    /// The machine that runs litmus tests.
    pub machine: MachineKind,
    /// Most entries of a store buffer; see [`States::buffer`].
    pub buffer: Option<u32>,
    /// Most entries of a reorder box; see [`States::reorder_box`].
    pub reorder_box: Option<u32>,
    /// Most iterations of a loop of a C program. The solver has a limit anyway, [`Options::ITERATIONS_OF_SAT`].
    pub unroll: Option<u32>,
    /// Most work of a search by the solver, as [`SatOptions::max_work`] counts it: a limit that does not depend on the clock.
    pub max_work: Option<u64>,
    /// Where the solver finds that a loop of a data type goes on beyond the most iterations, show an execution in which it does.
    pub shows_excess: bool,
    /// Spurious wake-ups of waits on condition variables.
    pub spurious: bool,
    /// Count states that differ only in the order of identical threads once.
    pub symmetry: bool,
    /// Show an execution for a violation or a witness.
    pub explain: bool,
}

impl Default for Options {
    fn default() -> Self {
        let States {
            control,
            jobs,
            machine,
            buffer,
            reorder_box,
            unroll,
            spurious,
            symmetry,
            explain,
            ..
        } = States::default();
        Options {
            control,
            spent: Duration::ZERO,
            listener: Listener::default(),
            jobs,
            machine,
            buffer,
            reorder_box,
            unroll,
            max_work: None,
            shows_excess: false,
            spurious,
            symmetry,
            explain,
        }
    }
}

impl Options {
    /// Most iterations of a loop for the solver, unless [`unroll`](Options::unroll) is given.
    pub const ITERATIONS_OF_SAT: u32 = SatOptions::MOST_ITERATIONS;

    /// The search of states that they describe, within these limits.
    pub(crate) fn states(&self, control: Control) -> States {
        States {
            control,
            jobs: self.jobs,
            machine: self.machine,
            buffer: self.buffer,
            reorder_box: self.reorder_box,
            unroll: self.unroll,
            spurious: self.spurious,
            symmetry: self.symmetry,
            explain: self.explain,
            ..States::default()
        }
    }

    /// The exploration of executions that they describe, within these limits.
    pub(crate) fn explore(&self, control: Control) -> Explore {
        Explore {
            control,
            jobs: self.jobs,
            unroll: self.unroll,
            spurious: self.spurious,
            explain: self.explain,
            ..Explore::default()
        }
    }

    /// The questions to the solver that they describe, within these limits.
    pub(crate) fn sat(&self, control: Control) -> SatOptions {
        SatOptions {
            control,
            // Where the time is limited, bounds may grow until it is up.
            most_iterations: match (self.unroll, self.control.max_time) {
                (Some(most), _) => most,
                (None, Some(_)) => u32::MAX,
                (None, None) => Self::ITERATIONS_OF_SAT,
            },
            max_work: self.max_work,
            shows_excess: self.shows_excess,
            ..SatOptions::default()
        }
    }

    /// The limits for what begins now.
    pub(crate) fn left(&self) -> Control {
        self.control.after(self.spent)
    }

    /// A result whose time is all that was spent on it, by whichever engines.
    pub(crate) fn timed<E>(
        &self,
        run: impl FnOnce() -> Result<ModelResult, E>,
    ) -> Result<ModelResult, E> {
        let started = Instant::now();
        let mut result = run()?;
        self.name_whole_time(&mut result);
        result.time = started.elapsed();
        Ok(result)
    }

    /// Each engine knows the time that was left for it; the user gave the time for all.
    pub(crate) fn name_whole_time(&self, result: &mut ModelResult) {
        for bound in &mut result.bounds {
            if let (Bound::Time(time), Some(most)) = (bound, self.control.max_time) {
                *time = most;
            }
        }
    }
}

/// How many preemptions an execution may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preemptions {
    /// At most this many.
    AtMost(u32),
    /// At most this many, then one more each time.
    From(u32),
}

impl Preemptions {
    /// The bound, unless it is one of a series.
    pub(crate) fn at_most(preemptions: Option<Self>) -> Option<u32> {
        match preemptions {
            Some(Preemptions::AtMost(most)) => Some(most),
            Some(Preemptions::From(_)) | None => None,
        }
    }
}

/// A list of models.
#[derive(Clone, Debug)]
pub struct Models {
    /// The models, strongest first, each once.
    pub list: Vec<Model>,
    /// All were asked for, so that those without an answer are left out.
    pub all: bool,
}

impl Models {
    /// Those that machines run.
    pub fn of_machines() -> Self {
        Models {
            list: Model::MACHINES.to_vec(),
            all: true,
        }
    }
}

impl From<Model> for Models {
    fn from(model: Model) -> Self {
        Models {
            list: vec![model],
            all: false,
        }
    }
}
