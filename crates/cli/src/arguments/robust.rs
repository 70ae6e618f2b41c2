//! Options of `fencepost robust`.

use super::machine::ProcessOptions;
use super::values::{buffered_models, preemptions};
use super::{CommonOptions, heading};
use crate::pictures::PictureOptions;
use check::{Models, Preemptions, Robust};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RobustOptions {
    /// Memory models: tso, pso, or both with a comma
    #[arg(short, long, value_name = "MODELS", default_value = "tso", value_parser = buffered_models)]
    pub model: Models,

    /// Go on after the first execution that SC does not have, to one for each location in the
    /// source
    #[arg(short, long, help_heading = heading::LOOK_FOR)]
    all: bool,

    /// Decide it for loops that never end and store buffers of any size, under tso: one question
    /// of reachability without store buffers for each store that could be delayed
    #[arg(long, conflicts_with_all = ["all", "count", "preemptions"], help_heading = heading::SEARCH)]
    unbounded: bool,

    #[command(flatten)]
    pub common: CommonOptions,

    #[command(flatten)]
    pub process: ProcessOptions,

    #[command(flatten)]
    pub pictures: PictureOptions,

    /// Look at executions with at most N preemptions only; N.. begins there and allows one more
    /// each time until nothing is left out, all is 0.. [default: all executions, or 0.. if there
    /// are too many]
    #[arg(short, long, value_name = "N", value_parser = preemptions, help_heading = heading::LIMITS)]
    pub preemptions: Option<Preemptions>,

    /// Go on to the end, and print how many executions there are and how many are borderline
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub count: bool,
}

const EXAMPLES: &str = "\
Examples:
  fencepost robust dekker.c                 is any fence missing under TSO?
  fencepost robust dekker.c -m tso,pso      the same under both models
  fencepost robust dekker.c --unbounded     for store buffers of any size";

impl RobustOptions {
    /// What is asked of each program.
    pub fn question(&self) -> Robust {
        Robust {
            options: self.process.with(self.common.options()),
            all: self.all || self.count,
            preemptions: self.preemptions,
            unbounded: self.unbounded,
        }
    }
}
