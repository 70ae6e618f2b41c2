//! Options of `fencepost refine`.

use super::values::{TEXT_OR_JSON, format, models};
use super::{InputOptions, LimitOptions, heading};
use crate::pictures::PictureOptions;
use check::{Models, Options};
use clap::Args;
use report::Format;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("clients").required(true).multiple(true)))]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
pub struct RefineOptions {
    /// A client: which operations come first, and which each thread calls; ' behind an operation
    /// leaves out executions in which it starts over
    #[arg(long, value_name = "TEST", group = "clients")]
    pub test: Vec<String>,

    /// A file with a client in each line, as in 'T0 = (e|d)'
    #[arg(long, value_name = "FILE", group = "clients")]
    pub tests: Vec<PathBuf>,

    /// All clients of at most N operations, the smallest first, up to the first that fails
    #[arg(long, value_name = "N", group = "clients", value_parser = clap::value_parser!(u16).range(2..))]
    pub suite: Option<u16>,

    /// Memory models: sc, tso, pso, rmo, relaxed, several with commas, or all
    #[arg(short, long, value_name = "MODELS", default_value = "relaxed", value_parser = models)]
    pub model: Models,

    /// Take what clients may observe from the operations of this C file, one after another
    #[arg(long, value_name = "FILE", conflicts_with = "use_spec", help_heading = SPECIFICATIONS)]
    pub spec: Option<PathBuf>,

    /// Write what clients may observe to this file
    #[arg(long, value_name = "FILE", conflicts_with = "use_spec", help_heading = SPECIFICATIONS)]
    pub save_spec: Option<PathBuf>,

    /// Take what clients may observe from a file that --save-spec has written
    #[arg(long, value_name = "FILE", help_heading = SPECIFICATIONS)]
    pub use_spec: Option<PathBuf>,

    #[command(flatten)]
    pub limits: LimitOptions,

    /// Most iterations of a loop; loops iterate as often as they can up to that
    #[arg(short, long, value_name = "N", default_value_t = Options::ITERATIONS_OF_SAT,
          help_heading = heading::LIMITS, value_parser = clap::value_parser!(u32).range(1..))]
    unroll: u32,

    /// How to print results: json is one object
    #[arg(short, long, default_value = "text", value_parser = format(TEXT_OR_JSON),
          help_heading = heading::OUTPUT)]
    pub format: Format,

    /// Write a proof to this file if the client sees atomic operations; one test and one model only
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tests", "suite"], help_heading = heading::OUTPUT)]
    pub proof: Option<PathBuf>,

    /// Write the executions that are shown to this file; `fencepost replay` runs them again
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub save: Option<PathBuf>,

    /// Print how large the formulas are and what takes how long
    #[arg(long, help_heading = heading::OUTPUT)]
    pub stats: bool,

    #[command(flatten)]
    pub pictures: PictureOptions,

    #[command(flatten)]
    pub inputs: InputOptions,
}

/// Where the answer to what clients may observe comes from.
const SPECIFICATIONS: &str = "What clients may observe";

/// What clap makes of the group of clients is too wide.
const USAGE: &str = "\
fencepost refine [OPTIONS] --test <TEST> <FILE>... [-- CLANG OPTIONS]
       fencepost refine [OPTIONS] --tests <FILE> <FILE>... [-- CLANG OPTIONS]
       fencepost refine [OPTIONS] --suite <N> <FILE>... [-- CLANG OPTIONS]";

const EXAMPLES: &str = "\
Examples:
  fencepost refine queue.c --test 'e(ed|de)'    one client, under relaxed
  fencepost refine queue.c --suite 4 -m tso     all small clients, under tso";

impl RefineOptions {
    /// How clients are looked at.
    pub fn options(&self) -> Options {
        Options {
            control: self.limits.control(),
            unroll: Some(self.unroll),
            ..Options::default()
        }
    }
}
