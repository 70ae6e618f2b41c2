//! The engines, as results name them.

use crate::Unit;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What answered a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Nothing: a limit was reached before any engine began.
    None,
    /// The search of all states.
    States,
    /// The exploration of executions, one for each trace.
    Explore,
    /// The exploration of executions of SC, with a monitor for what store buffers would show.
    Monitor,
    /// The solver.
    Sat,
    /// The proof for buffers of any size.
    Prove,
}

impl Engine {
    /// Its name in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::None => "none",
            Engine::States => "states",
            Engine::Explore => "explore",
            Engine::Monitor => "monitor",
            Engine::Sat => "sat",
            Engine::Prove => "prove",
        }
    }

    /// What it goes through.
    pub fn unit(self) -> Unit {
        match self {
            Engine::Explore | Engine::Monitor | Engine::Sat => Unit::Execution,
            Engine::States | Engine::Prove | Engine::None => Unit::State,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
