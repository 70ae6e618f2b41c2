//! Options of `fencepost run`.

use super::machine::ProcessOptions;
use super::values::seconds;
use super::{InputOptions, heading};
use check::{Control, OnceSchedule, Options};
use clap::{Args, ValueEnum};
use memory::Model;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunOptions {
    /// Memory model: sc, tso or pso
    #[arg(short, long, default_value = "tso")]
    pub model: Model,

    /// Who goes on where several threads can
    #[arg(long, value_enum, default_value = "random")]
    schedule: Schedule,

    /// The random schedule to take
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Print the execution instead of the program's output
    #[arg(long)]
    pub trace: bool,

    /// Write the execution to this file; `fencepost replay` runs it again
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    #[command(flatten)]
    process: ProcessOptions,

    /// Stop after about this time: seconds, or 500ms, 10s, 2m, 1h
    #[arg(short, long, visible_alias = "max-time", value_name = "TIME", value_parser = seconds,
          help_heading = heading::LIMITS)]
    timeout: Option<Duration>,

    #[command(flatten)]
    pub inputs: InputOptions,
}

const EXAMPLES: &str = "\
Examples:
  fencepost run lock.c                      once, with its output
  fencepost run lock.c --seed 3 --trace     another schedule, step by step";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Schedule {
    /// Anything that can happen, as the seed says
    Random,
    /// The first thread that can go on
    First,
}

impl RunOptions {
    /// What the run is asked to do.
    pub fn options(&self) -> Options {
        self.process.with(Options {
            explain: self.trace || self.save.is_some(),
            control: Control {
                max_time: self.timeout,
                max_bytes: super::values::limit_of_memory(None),
                ..Control::default()
            },
            ..Options::default()
        })
    }

    /// How it goes on where several things can happen.
    pub fn schedule(&self) -> OnceSchedule {
        match self.schedule {
            Schedule::Random => OnceSchedule::Random(self.seed),
            Schedule::First => OnceSchedule::First,
        }
    }
}
