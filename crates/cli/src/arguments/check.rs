//! Options of `fencepost check`.

use super::values::{Engine, models, preemptions};
use super::{CommonOptions, MachineOptions, heading};
use crate::pictures::PictureOptions;
use check::{Check, Models, Preemptions};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckOptions {
    /// Memory models: sc, tso, pso, rmo, relaxed, several with commas, or all, which leaves out
    /// those under which there is no answer
    #[arg(short, long, value_name = "MODELS", default_value = "tso", value_parser = models)]
    pub model: Models,

    /// Look for data races of C programs, too
    #[arg(short, long, help_heading = heading::LOOK_FOR)]
    pub races: bool,

    /// Go on after the first violation, to one for each location in the source
    #[arg(short, long, help_heading = heading::LOOK_FOR)]
    pub all: bool,

    /// Take executions that sequential consistency does not have for violations; under sc, those
    /// that the store buffers of tso would show
    #[arg(long, help_heading = heading::LOOK_FOR)]
    robust: bool,

    #[command(flatten)]
    pub common: CommonOptions,

    #[command(flatten)]
    pub machines: MachineOptions,

    #[command(flatten)]
    pub pictures: PictureOptions,

    /// Look at executions with at most N preemptions only; N.. begins there and allows one more
    /// each time until nothing is left out, all is 0..
    #[arg(short, long, value_name = "N", value_parser = preemptions, help_heading = heading::LIMITS)]
    pub preemptions: Option<Preemptions>,

    /// explore visits one execution of each kind, under sc, tso and pso; states searches states;
    /// sat asks a solver for executions; auto takes all that suit the program, the model and the
    /// other options, side by side
    #[arg(short, long, value_enum, default_value = "auto", help_heading = heading::SEARCH)]
    pub engine: Engine,

    /// Go on after the first violation, to the end, and print how much there was to search
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub count: bool,

    /// Say how many executions there are likely to be, and search nothing
    #[arg(long, conflicts_with_all = ["all", "count", "preemptions", "html", "dot", "svg"], help_heading = heading::OUTPUT)]
    pub estimate: bool,

    /// Write a proof to this file if nothing is wrong, by the engine sat; `fencepost certify`
    /// checks it
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub proof: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fencepost check lock.c                    is anything wrong under TSO?
  fencepost check lock.c -m all --races     every model, data races too
  fencepost check lock.c -DFENCES -O2       with options for clang
  fencepost check a.c b.c queue.c           two programs, with queue.c in each
  fencepost check tests/ -f junit > r.xml   litmus tests, for CI
  fencepost check lock.c -t 10s -u 3        at most 10 s, 3 iterations";

impl CheckOptions {
    /// What is asked of each program.
    pub fn question(&self) -> Check {
        Check {
            options: self.machines.with(self.common.options()),
            engine: self.engine.into(),
            races: self.races,
            all: self.all,
            count: self.count,
            robust: self.robust,
            preemptions: self.preemptions,
            proof: self.proof.clone(),
        }
    }
}
