//! The options of the command, all in one place; `--help` is made from this.

use check::{
    Check, Choice, Control, MachineKind, Models, OnceSchedule, Options, Preemptions, Prove, Robust,
};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use memory::{Buffering, Model};
use repair::{Costs, Effort};
use report::Format;
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
    /// Check conditions, invariants, assertions, deadlock, liveness and bad accesses in all executions
    Check(CheckOptions),
    /// Tell from executions of SC alone whether store buffers show anything that SC does not
    Robust(RobustOptions),
    /// Prove assertions and final states for loops that never end and store buffers of any size, or refute them
    Prove(ProveOptions),
    /// Run a C program once, with its output on standard output
    Run(RunOptions),
    /// Tell whether a data type in C looks atomic to its clients, by small tests such as 'e(ed|de)'
    // An argument that is changed comes behind the others, so the last one follows it.
    #[command(mut_arg("files", |files| files.help(OF_DATA_TYPE)), mut_arg("compiler_options", |o| o))]
    Refine(RefineOptions),
    /// Find the cheapest set of fences that makes a program right, and check that it does
    Fences(FencesOptions),
    /// Check a proof that --proof or --certificate has written
    Certify(CertifyOptions),
    /// Look through an event log of a running program for points where store buffers could make a
    /// difference
    Monitor(MonitorOptions),
    /// Print the program as Fencepost sees it
    Ir(InputOptions),
    /// List the library functions that C programs may call
    Functions,
}

/// What the files of `refine` are.
const OF_DATA_TYPE: &str = "The files (.c, .i, .ll, .bc) of a data type, which declare its \
                            operations through fencepost.h";

/// What is looked at.
#[derive(Clone, Debug, Args)]
pub struct InputOptions {
    /// Litmus tests, or the files (.c, .i, .ll, .bc) of one C program; a directory stands for all
    /// *.litmus files in it, - for a litmus test on standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The clang that compiles C programs [default: CLANG in the environment, else the newest in
    /// PATH]
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    /// Options for clang, such as -DNAME, -IFOLDER or -O2
    #[arg(last = true, value_name = "CLANG OPTIONS")]
    pub compiler_options: Vec<String>,
}

#[derive(Debug, Args)]
pub struct OutcomesOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// Memory models: sc, tso, pso, rmo, relaxed, several with commas, or all, which leaves out those
    /// under which there is no answer [default: all but relaxed]
    #[arg(long, value_name = "MODELS", value_parser = models)]
    model: Option<Models>,

    /// The engine that searches: states searches states, sat asks a solver; auto takes sat under
    /// relaxed, both side by side under rmo, and otherwise states
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: Engine,

    /// Show the shortest execution to an outcome: its number in the table, or a condition such as
    /// '0:EAX=0 /\ x=1'
    #[arg(long, value_name = "OUTCOME")]
    pub trace: Option<String>,
}

#[derive(Debug, Args)]
pub struct CheckOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// Memory models: sc, tso, pso, rmo, relaxed, several with commas, or all, which leaves out those
    /// under which there is no answer
    #[arg(long, value_name = "MODELS", default_value = "tso", value_parser = models)]
    pub model: Models,

    /// Look for data races of C programs, too
    #[arg(long)]
    races: bool,

    /// The engine that searches: explore visits one execution of each kind, under sc, tso
    /// and pso; states searches states; sat asks a solver for executions; auto takes all that
    /// suit the program, the model and the other options, side by side
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: Engine,

    /// Write a proof to this file if nothing is wrong, by the engine sat; `fencepost certify` checks
    /// it
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,

    /// Go on after the first violation, to one for each place in the source
    #[arg(long)]
    all: bool,

    /// Go on after the first violation, to the end, and print how much there was to search
    #[arg(long)]
    pub count: bool,

    /// Say how many executions there are likely to be, and search nothing
    #[arg(long, conflicts_with_all = ["all", "count", "preemptions"])]
    pub estimate: bool,

    /// Take executions that sequential consistency does not have for violations; under sc, those
    /// that the store buffers of tso would show
    #[arg(long)]
    robust: bool,

    /// Look at executions with at most N preemptions only; N.. begins there and allows one more
    /// each time until nothing is left out, all is 0..
    #[arg(long, value_name = "N", value_parser = preemptions)]
    pub preemptions: Option<Preemptions>,
}

#[derive(Debug, Args)]
pub struct RobustOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// Memory models: tso, pso, or both with a comma
    #[arg(long, value_name = "MODELS", default_value = "tso", value_parser = buffered_models)]
    pub model: Models,

    /// Go on after the first execution that SC does not have, to one for each place in the source
    #[arg(long)]
    all: bool,

    /// Go on to the end, and print how many executions there are and how many are borderline
    #[arg(long)]
    pub count: bool,

    /// Decide it for loops that never end and store buffers of any size, under tso: one question of
    /// reachability without store buffers for each store that could be delayed
    #[arg(long, conflicts_with_all = ["all", "count", "preemptions"])]
    unbounded: bool,

    /// Look at executions with at most N preemptions only; N.. begins there and allows one more
    /// each time until nothing is left out, all is 0.. [default: all executions, or 0.. if there
    /// are too many]
    #[arg(long, value_name = "N", value_parser = preemptions)]
    pub preemptions: Option<Preemptions>,
}

#[derive(Debug, Args)]
pub struct ProveOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// Memory models: sc, tso, pso, several with commas
    #[arg(long, value_name = "MODELS", default_value = "tso", value_parser = models)]
    pub model: Models,

    /// Prove it for any number of threads that run this function, each like a thread that the
    /// program starts with it
    #[arg(long, value_name = "FUNCTION", conflicts_with = "certificate")]
    pub replicate: Vec<String>,

    /// Write the inductive invariant to this file if nothing is wrong; `fencepost certify` checks it
    #[arg(long, visible_alias = "proof", value_name = "FILE")]
    pub certificate: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("clients").required(true).multiple(true)))]
pub struct RefineOptions {
    #[command(flatten)]
    pub inputs: InputOptions,

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
    #[arg(long, value_name = "MODELS", default_value = "relaxed", value_parser = models)]
    pub model: Models,

    /// Take what clients may observe from the operations of this C file, one after another
    #[arg(long, value_name = "FILE", conflicts_with = "use_spec")]
    pub spec: Option<PathBuf>,

    /// Write what clients may observe to this file
    #[arg(long, value_name = "FILE", conflicts_with = "use_spec")]
    pub save_spec: Option<PathBuf>,

    /// Take what clients may observe from a file that --save-spec has written
    #[arg(long, value_name = "FILE")]
    pub use_spec: Option<PathBuf>,

    /// Write a proof to this file if the client sees atomic operations; one test and one model only
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tests", "suite"])]
    pub proof: Option<PathBuf>,

    /// Print how large the formulas are and what takes how long
    #[arg(long)]
    pub stats: bool,

    /// Most iterations of a loop; loops iterate as often as they can up to that
    #[arg(long, value_name = "N", default_value_t = Options::ITERATIONS_OF_SAT,
          value_parser = clap::value_parser!(u32).range(1..))]
    unroll: u32,

    /// Stop after about this many seconds
    #[arg(long, visible_alias = "max-time", value_name = "SECONDS")]
    timeout: Option<u64>,

    /// Stop when the process takes more megabytes than this [default: three quarters of the memory
    /// that is free]
    #[arg(long, value_name = "MB")]
    max_memory: Option<u64>,

    /// How to print results: json is one object
    #[arg(long, default_value = "text", value_parser = format(TEXT_OR_JSON))]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct FencesOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// The memory model: tso, pso, rmo or relaxed
    #[arg(long, default_value = "tso")]
    pub model: Model,

    /// What must hold: correct is what check asks, proved what prove asks, robust what robust
    /// asks, atomic what refine asks
    #[arg(long, value_enum, default_value = "correct")]
    pub goal: FencesGoal,

    /// A client of the data type, for the goal atomic
    #[arg(long, value_name = "TEST")]
    pub test: Vec<String>,

    /// A file with a client in each line, for the goal atomic
    #[arg(long, value_name = "FILE")]
    pub tests: Vec<PathBuf>,

    /// List every set of minimum cost
    #[arg(long, conflicts_with = "fast")]
    pub all: bool,

    /// Take a set of which no fence can be left out, without the search for the minimum
    #[arg(long)]
    pub fast: bool,

    /// Look for fences and orders of the program that can go or be weaker instead
    #[arg(long)]
    pub redundant: bool,

    /// What changes cost: full (a fence that orders stores before loads), one-sided (any other),
    /// ordering (each ordering of a one-sided fence beyond the first), loop (each loop around it),
    /// acquire, release and seq-cst (the order of an access)
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', value_parser = cost)]
    pub cost: Vec<(String, u64)>,

    /// Print a unified diff
    #[arg(long)]
    pub diff: bool,

    /// Edit the files, once the edited copies have been read and checked
    #[arg(long)]
    pub apply: bool,
}

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

#[derive(Debug, Args)]
pub struct CertifyOptions {
    /// The proof; - for standard input
    #[arg(value_name = "PROOF")]
    pub proof: PathBuf,

    /// The program that the proof is to be for, as it was given to check, prove or refine; without it only
    /// the proof is checked, and what it is for is printed
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The memory model that the proof is to be for
    #[arg(long, value_name = "MODEL")]
    pub model: Option<Model>,

    /// The client that the proof is to be for, if it is one of refine
    #[arg(long, value_name = "TEST")]
    pub test: Option<String>,

    /// The clang that compiles C programs [default: CLANG in the environment, else the newest in
    /// PATH]
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    /// Options for clang, as they were given to check, prove or refine
    #[arg(last = true, value_name = "CLANG OPTIONS")]
    pub compiler_options: Vec<String>,
}

#[derive(Debug, Args)]
pub struct RunOptions {
    #[command(flatten)]
    pub inputs: InputOptions,

    #[command(flatten)]
    process: ProcessOptions,

    /// Memory model: sc, tso or pso
    #[arg(long, default_value = "tso")]
    pub model: Model,

    /// Who goes on where several threads can
    #[arg(long, value_enum, default_value = "random")]
    schedule: Schedule,

    /// The random schedule to take
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Print the execution instead of the program's output
    #[arg(long)]
    pub trace: bool,

    /// Stop after about this many seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
}

#[derive(Debug, Args)]
pub struct MonitorOptions {
    /// The log, JSON objects or CSV with a header, a row per access; - for standard input
    #[arg(value_name = "LOG")]
    pub log: PathBuf,

    /// Memory models: tso, pso, or both with a comma
    #[arg(long, value_name = "MODELS", default_value = "tso", value_parser = buffered_models)]
    pub model: Models,

    /// How to print results: json is one object
    #[arg(long, default_value = "text", value_parser = format(TEXT_OR_JSON))]
    pub format: Format,

    /// Show at most this many points under each model; the others are counted
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub max: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Schedule {
    /// Anything that can happen, as the seed says
    Random,
    /// The first thread that can go on
    First,
}

/// How C programs run.
#[derive(Debug, Args)]
struct ProcessOptions {
    /// Most stores that wait in a store buffer, for the engine states [default: no limit, or 8 if
    /// the program has loops]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    buffer: Option<u32>,

    /// Most iterations of a loop of a C program [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    unroll: Option<u32>,

    /// Let waits on condition variables of C programs end spuriously
    #[arg(long)]
    spurious: bool,
}

#[derive(Debug, Args)]
pub struct CommonOptions {
    #[command(flatten)]
    pub inputs: InputOptions,

    #[command(flatten)]
    process: ProcessOptions,

    /// How to print results: json is one object per file, a line each
    #[arg(long, default_value = "text", value_parser = format(Format::ALL.iter().copied()))]
    pub format: Format,

    /// Workers [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

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

    /// Stop after about this many states, or executions where the engine explores those
    #[arg(long, visible_alias = "max-executions", value_name = "N")]
    max_states: Option<u64>,

    /// Stop when the process takes more megabytes than this [default: three quarters of the memory
    /// that is free]
    #[arg(long, value_name = "MB")]
    max_memory: Option<u64>,

    /// Stop each search after about this many seconds, those for reading the program included
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
}

/// Formats, by name.
fn format(of: impl IntoIterator<Item = Format>) -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(of.into_iter().map(Format::name)).try_map(|name| {
        let mut formats = Format::ALL.iter().copied();
        let named = formats.find(|format| format.name() == name);
        named.ok_or("no such format")
    })
}

/// The formats of commands that answer something else than one question for each model.
const TEXT_OR_JSON: [Format; 2] = [Format::Text, Format::Json];

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Machine {
    Auto,
    ReorderBox,
}

/// Which engine searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    Auto,
    Explore,
    States,
    Sat,
}

impl From<Engine> for Choice {
    fn from(engine: Engine) -> Self {
        match engine {
            Engine::Auto => Choice::Auto,
            Engine::Explore => Choice::Explore,
            Engine::States => Choice::States,
            Engine::Sat => Choice::Sat,
        }
    }
}

fn preemptions(text: &str) -> Result<Preemptions, String> {
    let number = |text: &str| {
        let complaint = |_| "expected a number, N.. or all".to_owned();
        text.parse().map_err(complaint)
    };
    match text.strip_suffix("..") {
        _ if text == "all" => Ok(Preemptions::From(0)),
        Some(first) => Ok(Preemptions::From(number(first)?)),
        None => Ok(Preemptions::AtMost(number(text)?)),
    }
}

fn models(text: &str) -> Result<Models, memory::UnknownModel> {
    let (mut list, mut all) = (Vec::new(), false);
    for name in text.split(',').map(str::trim) {
        if name.eq_ignore_ascii_case("all") {
            list.extend(Model::ALL);
            all = true;
        } else {
            list.push(name.parse()?);
        }
    }
    list.sort_unstable();
    list.dedup();
    Ok(Models { list, all })
}

/// Models whose threads have store buffers.
fn buffered_models(text: &str) -> Result<Models, String> {
    let models = models(text).map_err(|unknown| unknown.to_string())?;
    let buffered = |model: &Model| {
        let buffering = model.row().buffering;
        buffering.is_of_stores() && buffering != Buffering::None
    };
    match models.list.iter().find(|model| !buffered(model)) {
        Some(model) => {
            let names = Model::ALL.into_iter().filter(buffered).map(Model::name);
            let names = names.collect::<Vec<_>>().join(" and ");
            Err(format!("{model} has no store buffers; there are {names}"))
        }
        None => Ok(models),
    }
}

/// Limits in the units of the command line.
fn control(seconds: Option<u64>, megabytes: Option<u64>) -> Control {
    Control {
        max_time: seconds.map(Duration::from_secs),
        max_bytes: megabytes
            .map(|mb| mb.saturating_mul(1_000_000))
            .or_else(free_memory),
        ..Control::default()
    }
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
    pub fn options(&self) -> Options {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            jobs: self.jobs.map_or_else(cores, usize::from),
            machine: match self.machine {
                Machine::Auto => MachineKind::Auto,
                Machine::ReorderBox => MachineKind::ReorderBoxes,
            },
            reorder_box: self.reorder_box,
            symmetry: !self.no_symmetry,
            control: control(self.timeout, self.max_memory).with_states(self.max_states),
            ..self.process.options()
        }
    }
}

impl CheckOptions {
    /// What is asked of each program.
    pub fn question(&self) -> Check {
        Check {
            options: self.common.options(),
            engine: self.engine.into(),
            races: self.races,
            all: self.all,
            count: self.count,
            robust: self.robust,
            preemptions: self.preemptions,
            proof: self.proof.clone(),
        }
    }
}

impl OutcomesOptions {
    /// The models that are asked for.
    pub fn models(&self) -> Models {
        self.model.clone().unwrap_or_else(Models::of_machines)
    }
}

impl RefineOptions {
    /// How clients are looked at.
    pub fn options(&self) -> Options {
        Options {
            control: control(self.timeout, self.max_memory),
            unroll: Some(self.unroll),
            ..Options::default()
        }
    }
}

impl RobustOptions {
    /// What is asked of each program.
    pub fn question(&self) -> Robust {
        Robust {
            options: self.common.options(),
            all: self.all || self.count,
            preemptions: self.preemptions,
            unbounded: self.unbounded,
        }
    }
}

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

impl FencesOptions {
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

impl ProcessOptions {
    fn options(&self) -> Options {
        Options {
            buffer: self.buffer,
            unroll: self.unroll,
            spurious: self.spurious,
            ..Options::default()
        }
    }
}

impl RunOptions {
    /// What the run is asked to do.
    pub fn options(&self) -> Options {
        Options {
            explain: self.trace,
            control: control(self.timeout, None),
            ..self.process.options()
        }
    }

    /// How it goes on where several things can happen.
    pub fn schedule(&self) -> OnceSchedule {
        match self.schedule {
            Schedule::Random => OnceSchedule::Random(self.seed),
            Schedule::First => OnceSchedule::First,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use check::States;
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
        let buffer = format!("or {} if the program has loops", States::BUFFER_IN_LOOPS);
        let reorder_box = format!("or {} if the program has loops", States::BOX_IN_LOOPS);
        assert!(help.contains(&buffer), "{help}");
        assert!(help.contains(&reorder_box), "{help}");
    }

    #[test]
    fn models_are_listed_once_strongest_first() {
        let names = |text| models(text).map(|models| models.list);
        assert_eq!(names("rmo,SC,rmo"), Ok(vec![Model::Sc, Model::Rmo]));
        assert_eq!(names("all"), Ok(Model::ALL.to_vec()));
        assert!(names("tso,x86").is_err());
        assert!(models("sc,all").is_ok_and(|models| models.all));
        assert!(models("sc,tso,pso,rmo").is_ok_and(|models| !models.all));
    }

    fn check(line: &[&str]) -> Result<CheckOptions, clap::Error> {
        let words = ["fencepost", "check", "a.c"].iter().chain(line);
        let Command::Check(options) = Arguments::try_parse_from(words)?.command else {
            panic!("it is check");
        };
        Ok(options)
    }

    #[test]
    fn preemptions_are_a_number_or_a_series() {
        let asked = |text| check(&["--preemptions", text]).map(|options| options.preemptions);
        let found = |text| asked(text).expect("good arguments");
        assert_eq!(found("2"), Some(Preemptions::AtMost(2)));
        assert_eq!(found("1.."), Some(Preemptions::From(1)));
        assert_eq!(found("all"), Some(Preemptions::From(0)));
        for wrong in ["", "..", "..3", "1..3", "few", "-1"] {
            assert!(asked(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_estimate_is_no_search() {
        assert!(check(&["--estimate"]).is_ok_and(|options| options.estimate));
        assert!(check(&["--estimate", "--count"]).is_err());
        assert!(check(&["--estimate", "--all"]).is_err());
    }

    #[test]
    fn executions_are_limited_as_states_are() {
        let options = check(&["--max-executions", "7"]).expect("good arguments");
        assert_eq!(options.question().options.control.max_states, Some(7));
    }

    fn inputs(line: &[&str]) -> (Vec<PathBuf>, Vec<String>) {
        let words = ["fencepost"].iter().chain(line);
        let arguments = Arguments::try_parse_from(words).expect("good arguments");
        let inputs = match arguments.command {
            Command::Check(options) => options.common.inputs,
            Command::Outcomes(options) => options.common.inputs,
            Command::Robust(options) => options.common.inputs,
            Command::Prove(options) => options.common.inputs,
            Command::Fences(options) => options.common.inputs,
            Command::Run(options) => options.inputs,
            Command::Ir(options) => options,
            Command::Refine(options) => options.inputs,
            Command::Monitor(_) | Command::Certify(_) | Command::Functions => {
                panic!("it takes no programs")
            }
        };
        (inputs.files, inputs.compiler_options)
    }

    #[test]
    fn options_after_two_dashes_are_clangs() {
        for command in [
            "check",
            "outcomes",
            "robust",
            "prove",
            "fences",
            "run",
            "ir",
            "refine --suite 2",
        ] {
            let command = command.split(' ');
            let rest = ["a.c", "b.c", "--", "-DX=1", "--clang", "-O2", "c.c"];
            let line: Vec<&str> = command.chain(rest).collect();
            let (files, options) = inputs(&line);
            assert_eq!(files, [PathBuf::from("a.c"), PathBuf::from("b.c")]);
            assert_eq!(options, ["-DX=1", "--clang", "-O2", "c.c"]);
        }
        let (files, options) = inputs(&["check", "a.c", "--model", "sc"]);
        assert_eq!((files.len(), options.len()), (1, 0));
        let (_, options) = inputs(&["check", "a.c", "--"]);
        assert!(options.is_empty());
    }

    #[test]
    fn an_option_of_clang_before_the_dashes_is_refused() {
        let wrong = ["fencepost", "check", "a.c", "-DX"];
        assert!(Arguments::try_parse_from(wrong).is_err());
    }
}
