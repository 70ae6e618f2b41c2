//! Options of `fencepost fences`.

use super::{CommonOptions, MachineOptions, heading};
use check::Options;
use clap::{Args, ValueEnum};
use memory::Model;
use repair::{Costs, Effort};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FencesOptions {
    /// The memory model: tso, pso, rmo or relaxed
    #[arg(short, long, default_value = "tso")]
    pub model: Model,

    /// What must hold: correct is what check asks, proved what prove asks, robust what robust
    /// asks, atomic what refine asks
    #[arg(short, long, value_enum, default_value = "correct")]
    pub goal: FencesGoal,

    /// A client of the data type, for the goal atomic
    #[arg(long, value_name = "TEST")]
    pub test: Vec<String>,

    /// A file with a client in each line, for the goal atomic
    #[arg(long, value_name = "FILE")]
    pub tests: Vec<PathBuf>,

    /// Look for fences and orders of the program that can go or be weaker instead
    #[arg(long)]
    pub redundant: bool,

    /// Edit the files, once the edited copies have been read and checked
    #[arg(long)]
    pub apply: bool,

    #[command(flatten)]
    pub common: CommonOptions,

    #[command(flatten)]
    pub machines: MachineOptions,

    /// List every set of minimum cost
    #[arg(short, long, conflicts_with = "fast", help_heading = heading::SEARCH)]
    pub all: bool,

    /// Take a set of which no fence can be left out, without the search for the minimum
    #[arg(long, help_heading = heading::SEARCH)]
    pub fast: bool,

    /// What changes cost: full (a fence that orders stores before loads), one-sided (any other),
    /// ordering (each ordering of a one-sided fence beyond the first), loop (each loop around it),
    /// acquire, release and seq-cst (the order of an access)
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', value_parser = cost,
          help_heading = heading::SEARCH)]
    pub cost: Vec<(String, u64)>,

    /// Print a unified diff
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub diff: bool,
}

const EXAMPLES: &str = "\
Examples:
  fencepost fences lock.c --diff                the fences that lock.c lacks
  fencepost fences lock.c -m pso --apply        the same under pso, written to lock.c
  fencepost fences lock.c --redundant           fences that it can do without";

/// What fences are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FencesGoal {
    Correct,
    Proved,
    Robust,
    Atomic,
}

fn cost(text: &str) -> Result<(String, u64), String> {
    let names = Costs::NAMES.join(", ");
    let wrong = || format!("expected NAME=N with a name of {names}");
    let (name, number) = text.split_once('=').ok_or_else(wrong)?;
    let number = number.parse().map_err(|_| wrong())?;
    let known = Costs::NAMES.contains(&name);
    known.then(|| (name.to_owned(), number)).ok_or_else(wrong)
}

impl FencesOptions {
    /// How to search.
    pub fn options(&self) -> Options {
        self.machines.with(self.common.options())
    }

    /// What fences cost.
    pub fn costs(&self) -> Costs {
        let mut costs = Costs::default();
        for (name, cost) in &self.cost {
            costs.set(name, *cost);
        }
        costs
    }

    /// How far to search.
    pub fn effort(&self) -> Effort {
        match (self.all, self.fast) {
            (true, _) => Effort::AllMinimum,
            (_, true) => Effort::Irredundant,
            _ => Effort::Minimum,
        }
    }
}
