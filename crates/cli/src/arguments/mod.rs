//! The options of the command: what they are called, which values they take, and what `--help` says of them.
//!
//! One file per command, with the groups of options that commands share in [`inputs`], [`common`] and [`machine`] and the
//! readers of values in [`values`]. The questions of the crate `check` are made from the options there, so that an option has one place.

mod certify;
mod check;
mod common;
mod fences;
mod inputs;
mod machine;
mod monitor;
mod outcomes;
mod prove;
mod refine;
mod robust;
mod run;
#[cfg(test)]
mod tests;
mod values;

pub use certify::CertifyOptions;
pub use check::CheckOptions;
pub use common::{CommonOptions, LimitOptions, OutputOptions};
pub use fences::{FencesGoal, FencesOptions};
pub use inputs::{CompilerOptions, InputOptions, with_standard_as_clang_has_it};
pub use machine::MachineOptions;
pub use monitor::MonitorOptions;
pub use outcomes::OutcomesOptions;
pub use prove::ProveOptions;
pub use refine::RefineOptions;
pub use robust::RobustOptions;
pub use run::RunOptions;
pub use values::format;

use crate::explain::ExplainOptions;
use crate::project::ProjectOptions;
use crate::replay::ReplayOptions;
use crate::view::ViewOptions;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

/// Columns of help: as wide as the narrowest terminal in use.
const HELP_WIDTH: usize = 80;

/// The headings of groups of options.
pub mod heading {
    pub const LOOK_FOR: &str = "What to look for";
    pub const LIMITS: &str = "Limits";
    pub const SEARCH: &str = "How to search";
    pub const OUTPUT: &str = "Output";
    pub const CLANG: &str = "C programs";
}

/// Checks concurrent programs under relaxed memory models.
///
/// Exit codes: 0 holds, 1 violated, 2 bad input or usage, 3 not decided.
#[derive(Debug, Parser)]
#[command(version, term_width = HELP_WIDTH, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    pub view: ViewOptions,

    #[command(flatten)]
    pub project: ProjectOptions,

    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  fencepost                                the programs of fencepost.toml
  fencepost check lock.c                   is anything wrong under TSO?
  fencepost check lock.c -m sc,tso,pso     the same under three models
  fencepost outcomes SB.litmus             all final states, models side by side
  fencepost fences lock.c --diff           where do the fences go?
  fencepost help check                     all options of a command";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check assertions, conditions, invariants, deadlock, liveness and bad
    /// accesses in all executions
    Check(CheckOptions),
    /// List every final state, models side by side
    Outcomes(OutcomesOptions),
    /// Find the cheapest set of fences that makes a program right
    Fences(FencesOptions),
    /// Tell whether store buffers show anything that SC does not
    Robust(RobustOptions),
    /// Prove a program for loops that never end and store buffers of any size
    Prove(ProveOptions),
    /// Tell whether a data type in C looks atomic to its clients
    // An argument that is changed comes behind the others, so the last one follows it.
    #[command(mut_arg("files", |files| files.help(OF_DATA_TYPE)), mut_arg("compiler_options", |o| o))]
    Refine(RefineOptions),
    /// Look for points in an event log where store buffers could matter
    Monitor(MonitorOptions),
    /// Run a C program once, with its output on standard output
    Run(RunOptions),
    /// Check a proof that --proof or --certificate has written
    Certify(CertifyOptions),
    /// Print the program as Fencepost sees it
    Ir(InputOptions),
    /// Run executions again that --save has written
    Replay(ReplayOptions),
    /// Explain a kind of violations, with an example
    Explain(ExplainOptions),
    /// List the library functions that C programs may call
    Functions,
    /// Print a script that completes commands and options in a shell
    #[command(after_help = "\
Examples:
  fencepost completions bash > ~/.local/share/bash-completion/completions/fencepost
  fencepost completions zsh > ~/.zfunc/_fencepost
  fencepost completions fish > ~/.config/fish/completions/fencepost.fish")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page of fencepost or of one of its commands
    #[command(after_help = "\
Examples:
  fencepost man > ~/.local/share/man/man1/fencepost.1
  fencepost man check | man -l -")]
    Man(ManOptions),
}

/// What the files of `refine` are.
const OF_DATA_TYPE: &str = "The files (.c, .i, .ll, .bc) of a data type, which declare its \
                            operations through fencepost.h";

#[derive(Debug, Args)]
pub struct ManOptions {
    /// The command [default: fencepost itself]
    pub command: Option<String>,
}
