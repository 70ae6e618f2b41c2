//! Options of the machines that run programs, and what bounds them.

use super::heading;
use check::{MachineKind, Models, Options};
use clap::{Args, ValueEnum};
use memory::{Buffering, Model};

/// How C programs run, and what bounds it.
#[derive(Debug, Args)]
pub struct ProcessOptions {
    /// Most iterations of a loop of a C program [default: no limit]
    #[arg(short, long, value_name = "N", help_heading = heading::LIMITS,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub unroll: Option<u32>,

    /// Let waits on condition variables of C programs end spuriously
    #[arg(long, help_heading = heading::LOOK_FOR)]
    pub spurious: bool,
}

/// The machines of the engine states.
#[derive(Debug, Args)]
pub struct MachineOptions {
    #[command(flatten)]
    pub process: ProcessOptions,

    /// Most stores that wait in a store buffer, for the engine states [default: no limit, or 8 if
    /// the program has loops]
    #[arg(long, value_name = "N", help_heading = heading::LIMITS,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub buffer: Option<u32>,

    /// Most instructions that wait in a reorder box [default: no limit, or 10 if the program has
    /// loops]
    #[arg(long = "box", value_name = "N", help_heading = heading::LIMITS,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub reorder_box: Option<u32>,

    /// The machine that runs a litmus test: auto takes store buffers for sc, tso and pso
    #[arg(long, value_enum, default_value = "auto", help_heading = heading::SEARCH)]
    pub machine: Machine,

    /// Tell identical processors of a litmus test apart
    #[arg(long, help_heading = heading::SEARCH)]
    pub no_symmetry: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Machine {
    Auto,
    ReorderBox,
}

impl ProcessOptions {
    /// What they ask for, beside other options.
    pub fn with(&self, options: Options) -> Options {
        Options {
            unroll: self.unroll,
            spurious: self.spurious,
            ..options
        }
    }
}

impl MachineOptions {
    /// An option that was given and does nothing, if there is one, where these sorts of programs are run under these models.
    pub fn without_meaning(&self, c: bool, litmus: bool, models: &Models) -> Option<&'static str> {
        // C programs run on the machines of litmus tests where everything may be reordered.
        let flat = |model: &Model| model.row().buffering == Buffering::Everything;
        let has_cells = litmus || models.list.iter().any(flat);
        let given = [
            (self.process.unroll.is_some() && !c, "--unroll"),
            (self.process.spurious && !c, "--spurious"),
            (self.reorder_box.is_some() && !has_cells, "--box"),
            (self.machine != Machine::Auto && !has_cells, "--machine"),
            (self.no_symmetry && !has_cells, "--no-symmetry"),
        ];
        let mut given = given.into_iter().filter(|(given, _)| *given);
        given.next().map(|(_, option)| option)
    }

    /// What they ask for, beside other options.
    pub fn with(&self, options: Options) -> Options {
        Options {
            machine: match self.machine {
                Machine::Auto => MachineKind::Auto,
                Machine::ReorderBox => MachineKind::ReorderBoxes,
            },
            buffer: self.buffer,
            reorder_box: self.reorder_box,
            symmetry: !self.no_symmetry,
            ..self.process.with(options)
        }
    }
}
