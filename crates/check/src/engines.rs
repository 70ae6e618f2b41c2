//! The engines, side by side behind one trait.
//!
//! An engine is the value that says how to search: [`States`], [`Explore`], [`Sat`] or [`Prover`]. None of them knows of another;
//! which one answers is decided in `choice` and by the questions that use it.

use crate::Refused;
use crate::confirm::confirmed;
use answer::{Engine, ModelResult};
use control::Control;
use memory::Model;
use program::Program;
use std::path::PathBuf;

pub use explore::{Equivalence, NonSequential, Options as Explore};
pub use prove::Options as Prover;
pub use solve::sat::OrderBy;
pub use solve::{Effort, Options as SatOptions};
pub use states::{MachineKind, Options as States};

/// An engine, with what it is asked to do.
pub trait Checker: Clone + Send + 'static {
    /// The engine, as results name it.
    fn engine(&self) -> Engine;

    /// Limits, progress and interruption of its search.
    fn control(&self) -> &Control;

    /// Searches, in this thread. The engine looks at its limits itself; [`guard::run`](crate::guard::run) also holds where it
    /// does not for a while.
    fn check(&self, program: &Program, model: Model) -> Result<ModelResult, Refused>;

    /// Removes what an unfinished search has left, after it was abandoned.
    fn clean_up(&self) {}
}

impl Checker for States {
    fn engine(&self) -> Engine {
        Engine::States
    }

    fn control(&self) -> &Control {
        &self.control
    }

    fn check(&self, program: &Program, model: Model) -> Result<ModelResult, Refused> {
        Ok(states::run(program, model, self)?)
    }
}

impl Checker for Explore {
    fn engine(&self) -> Engine {
        if self.monitor {
            Engine::Monitor
        } else {
            Engine::Explore
        }
    }

    fn control(&self) -> &Control {
        &self.control
    }

    fn check(&self, program: &Program, model: Model) -> Result<ModelResult, Refused> {
        Ok(explore::run(program, model, self)?)
    }
}

impl Checker for Prover {
    fn engine(&self) -> Engine {
        Engine::Prove
    }

    fn control(&self) -> &Control {
        &self.control
    }

    fn check(&self, program: &Program, model: Model) -> Result<ModelResult, Refused> {
        let result = prove::prove(program, model, self)?;
        if !self.replicate.is_empty() {
            // The program itself may have fewer threads.
            return Ok(result);
        }
        Ok(confirmed(program, model, self.control(), result).result)
    }
}

/// The search for attacks: robustness for every buffer size.
#[derive(Clone, Debug)]
pub struct Attacker(pub Prover);

impl Checker for Attacker {
    fn engine(&self) -> Engine {
        Engine::Prove
    }

    fn control(&self) -> &Control {
        &self.0.control
    }

    fn check(&self, program: &Program, model: Model) -> Result<ModelResult, Refused> {
        Ok(prove::robust(program, model, &self.0)?)
    }
}

/// The solver, and what it is asked for.
#[derive(Clone, Debug, Default)]
pub struct Sat {
    /// How to solve.
    pub options: SatOptions,
    /// List all outcomes, though no condition needs them.
    pub outcomes: bool,
}

impl Checker for Sat {
    fn engine(&self) -> Engine {
        Engine::Sat
    }

    fn control(&self) -> &Control {
        &self.options.control
    }

    fn check(&self, program: &Program, model: Model) -> Result<ModelResult, Refused> {
        let result = solve::run(program, model, &self.options, self.outcomes)?;
        Ok(confirmed(program, model, self.control(), result).result)
    }

    fn clean_up(&self) {
        remove_unfinished_proof(&self.options);
    }
}

/// Half a proof is none. What is no file, such as a device, is not ours to remove.
pub(crate) fn remove_unfinished_proof(options: &SatOptions) {
    let is_file = |path: &&PathBuf| path.symlink_metadata().is_ok_and(|found| found.is_file());
    if let Some(proof) = options.certificate.as_ref().filter(is_file) {
        let _ = std::fs::remove_file(proof);
    }
}
