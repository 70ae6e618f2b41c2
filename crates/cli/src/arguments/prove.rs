//! Options of `fencepost prove`.

use super::values::models;
use super::{CommonOptions, heading};
use crate::pictures::PictureOptions;
use check::{Models, Prove};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ProveOptions {
    /// Memory models: sc, tso, pso, several with commas
    #[arg(short, long, value_name = "MODELS", default_value = "tso", value_parser = models)]
    pub model: Models,

    /// Prove it for any number of threads that run this function, each like a thread that the
    /// program starts with it
    #[arg(long, value_name = "FUNCTION", conflicts_with = "certificate")]
    pub replicate: Vec<String>,

    #[command(flatten)]
    pub common: CommonOptions,

    #[command(flatten)]
    pub pictures: PictureOptions,

    /// Write the inductive invariant to this file if nothing is wrong; `fencepost certify` checks
    /// it
    #[arg(long, visible_alias = "proof", value_name = "FILE", help_heading = heading::OUTPUT)]
    pub certificate: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fencepost prove peterson.c -DFENCES             for store buffers of any size
  fencepost prove lock.c --replicate worker       for any number of workers
  fencepost prove lock.c --certificate lock.cert  and write down why";

impl ProveOptions {
    /// What is asked of each program.
    pub fn question(&self) -> Prove {
        Prove {
            options: self.common.options(),
            replicate: self.replicate.clone(),
            certificate: self.certificate.clone(),
        }
    }
}
