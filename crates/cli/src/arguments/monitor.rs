//! Options of `fencepost monitor`.

use super::heading;
use super::values::{TEXT_OR_JSON, buffered_models, format};
use check::Models;
use clap::Args;
use report::Format;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct MonitorOptions {
    /// The log, JSON objects or CSV with a header, a row per access; - for standard input
    #[arg(value_name = "LOG")]
    pub log: PathBuf,

    /// Memory models: tso, pso, or both with a comma
    #[arg(short, long, value_name = "MODELS", default_value = "tso", value_parser = buffered_models)]
    pub model: Models,

    /// How to print results: json is one object
    #[arg(short, long, default_value = "text", value_parser = format(TEXT_OR_JSON),
          help_heading = heading::OUTPUT)]
    pub format: Format,

    /// Show at most this many points under each model; the others are counted
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = heading::OUTPUT)]
    pub max: usize,
}
