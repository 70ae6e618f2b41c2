//! Options of `fencepost outcomes`.

use super::values::{Engine, models};
use super::{CommonOptions, MachineOptions, heading};
use crate::pictures::PictureOptions;
use check::{Models, Options};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct OutcomesOptions {
    /// Memory models: sc, tso, pso, rmo, relaxed, several with commas, or all, which leaves out
    /// those under which there is no answer [default: all but relaxed]
    #[arg(short, long, value_name = "MODELS", value_parser = models)]
    model: Option<Models>,

    /// Show an execution to an outcome: its number in the table, or a condition such as
    /// '0:EAX=0 /\ x=1'
    #[arg(long, value_name = "OUTCOME")]
    pub trace: Option<String>,

    #[command(flatten)]
    pub common: CommonOptions,

    #[command(flatten)]
    pub machines: MachineOptions,

    #[command(flatten)]
    pub pictures: PictureOptions,

    /// states searches states, sat asks a solver; auto takes sat under relaxed, both side by side
    /// under rmo, and otherwise states
    #[arg(short, long, value_enum, default_value = "auto", help_heading = heading::SEARCH)]
    pub engine: Engine,
}

const EXAMPLES: &str = "\
Examples:
  fencepost outcomes SB.litmus             all models but relaxed
  fencepost outcomes SB.litmus --trace 1   and the shortest execution to row 1
  fencepost outcomes queue.c -m sc,tso     the values given to fp_observe";

impl OutcomesOptions {
    /// The models that are asked for.
    pub fn models(&self) -> Models {
        self.model.clone().unwrap_or_else(Models::of_machines)
    }

    /// How to search.
    pub fn options(&self) -> Options {
        self.machines.with(self.common.options())
    }
}
