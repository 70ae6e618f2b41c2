//! Options of `fencepost certify`.

use super::{CompilerOptions, InputOptions, heading};
use clap::Args;
use memory::Model;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct CertifyOptions {
    /// The proof; - for standard input
    #[arg(value_name = "PROOF")]
    pub proof: PathBuf,

    /// The program that the proof is to be for, as it was given to check, prove or refine; without
    /// it only the proof is checked, and what it is for is printed
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The memory model that the proof is to be for
    #[arg(short, long, value_name = "MODEL")]
    pub model: Option<Model>,

    /// The client that the proof is to be for, if it is one of refine
    #[arg(long, value_name = "TEST")]
    pub test: Option<String>,

    /// The clang that compiles C programs [default: CLANG in the environment, else the newest in
    /// PATH]
    #[arg(long, value_name = "PATH", help_heading = heading::CLANG)]
    clang: Option<PathBuf>,

    #[command(flatten)]
    compiler_options: CompilerOptions,
}

impl CertifyOptions {
    /// The program.
    pub fn inputs(&self) -> InputOptions {
        InputOptions {
            files: self.files.clone(),
            clang: self.clang.clone(),
            compiler_options: self.compiler_options.clone(),
        }
    }
}
