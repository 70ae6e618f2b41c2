//! Options that most commands have.

use super::values::{format, limit_of_memory, seconds};
use super::{InputOptions, heading};
use check::{Control, Options};
use clap::Args;
use report::Format;
use std::path::PathBuf;
use std::time::Duration;

/// What all commands have that search.
#[derive(Debug, Args)]
pub struct CommonOptions {
    #[command(flatten)]
    pub limits: LimitOptions,

    /// Stop after about this many states, or executions where the engine explores those
    #[arg(long, visible_alias = "max-executions", value_name = "N", help_heading = heading::LIMITS)]
    max_states: Option<u64>,

    /// Workers [default: all cores]
    #[arg(short, long, value_name = "N", help_heading = heading::SEARCH,
          value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    #[command(flatten)]
    pub output: OutputOptions,

    #[command(flatten)]
    pub inputs: InputOptions,
}

/// How long and with how much memory.
#[derive(Debug, Args)]
pub struct LimitOptions {
    /// Stop each search after about this time, reading the program included: seconds, or 500ms,
    /// 10s, 2m, 1h
    #[arg(short, long, visible_alias = "max-time", value_name = "TIME", value_parser = seconds,
          help_heading = heading::LIMITS)]
    timeout: Option<Duration>,

    /// Stop when the process takes more megabytes than this [default: three quarters of the memory
    /// that is free]
    #[arg(long, value_name = "MB", help_heading = heading::LIMITS)]
    max_memory: Option<u64>,
}

/// How results are printed.
#[derive(Clone, Debug, Args)]
pub struct OutputOptions {
    /// How to print results
    #[arg(short, long, default_value = "text", value_parser = format(Format::ALL.iter().copied()),
          help_heading = heading::OUTPUT)]
    pub format: Format,

    /// Print a line for each program that does not hold, and nothing else
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,

    /// Write the executions that are shown to this file; `fencepost replay` runs them again
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub save: Option<PathBuf>,
}

impl OutputOptions {
    /// Texts are printed, and not only a line.
    pub fn is_full_text(&self) -> bool {
        self.format == Format::Text && !self.quiet
    }
}

impl LimitOptions {
    /// As a search has them.
    pub fn control(&self) -> Control {
        Control {
            max_time: self.timeout,
            max_bytes: limit_of_memory(self.max_memory),
            ..Control::default()
        }
    }
}

impl CommonOptions {
    /// What the search is asked to do.
    pub fn options(&self) -> Options {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            jobs: self.jobs.map_or_else(cores, usize::from),
            control: self.limits.control().with_states(self.max_states),
            ..Options::default()
        }
    }
}
