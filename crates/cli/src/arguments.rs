//! The options of the command, all in one place; `--help` is made from this.

use clap::{Args, Parser, Subcommand, ValueEnum};
use memory::Model;
use states::{MachineKind, Options};
use std::path::PathBuf;
use std::time::Duration;

/// Checks concurrent programs under relaxed memory models.
///
/// Exit codes: 0 holds, 1 violated, 2 bad input or usage, 3 not decided.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List every final state, models side by side
    Outcomes(OutcomesOptions),
    /// Check the condition, invariants, deadlock and liveness of litmus tests
    Check(CheckOptions),
}

#[derive(Debug, Args)]
pub struct OutcomesOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// Memory models: sc, tso, pso, rmo, several with commas, or all
    #[arg(long, value_name = "MODELS", default_value = "all", value_parser = models)]
    pub model: Models,

    /// Show the shortest execution to an outcome: its number in the table, or a condition such as
    /// '0:EAX=0 /\ x=1'
    #[arg(long, value_name = "OUTCOME")]
    pub trace: Option<String>,
}

#[derive(Debug, Args)]
pub struct CheckOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// Memory models: sc, tso, pso, rmo, several with commas, or all
    #[arg(long, value_name = "MODELS", default_value = "tso", value_parser = models)]
    pub model: Models,
}

#[derive(Debug, Args)]
pub struct CommonOptions {
    /// Litmus tests; a folder stands for all *.litmus files in it, - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How to print results: json is one object per file, a line each
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    /// Workers [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// Most stores that wait in a store buffer [default: no limit, or 8 if the program has loops]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    buffer: Option<u32>,

    /// Most instructions that wait in a reorder box [default: no limit, or 10 if the program has
    /// loops]
    #[arg(long = "box", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    reorder_box: Option<u32>,

    /// The machine that runs the program: auto takes store buffers for sc, tso and pso
    #[arg(long, value_enum, default_value = "auto")]
    machine: Machine,

    /// Tell identical processors apart
    #[arg(long)]
    no_symmetry: bool,

    /// Stop after about so many states
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,

    /// Stop when stored states take about so many megabytes [default: three quarters of the memory
    /// that is free]
    #[arg(long, value_name = "MB")]
    max_memory: Option<u64>,

    /// Stop each search after about so many seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Machine {
    Auto,
    ReorderBox,
}

/// A list of models, strongest first, each once.
#[derive(Clone, Debug)]
pub struct Models(pub Vec<Model>);

fn models(text: &str) -> Result<Models, memory::UnknownModel> {
    let mut models = Vec::new();
    for name in text.split(',').map(str::trim) {
        if name.eq_ignore_ascii_case("all") {
            models.extend(Model::ALL);
        } else {
            models.push(name.parse()?);
        }
    }
    models.sort_unstable();
    models.dedup();
    Ok(Models(models))
}

/// Three quarters of the memory that is free, in bytes, where Linux tells.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024 / 4 * 3)
}

impl CommonOptions {
    /// What the search is asked to do.
    pub fn search(&self) -> Options {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            jobs: self.jobs.map_or_else(cores, usize::from),
            machine: match self.machine {
                Machine::Auto => MachineKind::Auto,
                Machine::ReorderBox => MachineKind::ReorderBoxes,
            },
            buffer: self.buffer,
            reorder_box: self.reorder_box,
            symmetry: !self.no_symmetry,
            max_states: self.max_states,
            max_bytes: self
                .max_memory
                .map(|mb| mb.saturating_mul(1_000_000))
                .or_else(free_memory),
            max_time: self.timeout.map(Duration::from_secs),
            ..Options::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_hang_together() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn help_names_the_real_defaults() {
        let help = Arguments::command()
            .find_subcommand_mut("outcomes")
            .map(|command| {
                command
                    .render_long_help()
                    .to_string()
                    .replace("\n          ", " ")
            })
            .unwrap_or_default();
        let buffer = format!("or {} if the program has loops", Options::BUFFER_IN_LOOPS);
        let reorder_box = format!("or {} if the program has loops", Options::BOX_IN_LOOPS);
        assert!(help.contains(&buffer), "{help}");
        assert!(help.contains(&reorder_box), "{help}");
    }

    #[test]
    fn models_are_listed_once_strongest_first() {
        let names = |text| models(text).map(|models| models.0);
        assert_eq!(names("rmo,SC,rmo"), Ok(vec![Model::Sc, Model::Rmo]));
        assert_eq!(names("all"), Ok(Model::ALL.to_vec()));
        assert!(names("tso,x86").is_err());
    }
}
