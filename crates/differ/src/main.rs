//! `cargo xtask differ`: see the library, and `generate` for litmus tests.

mod litmus;

use clap::{Parser, Subcommand};
use differ::by_hand;
use differ::engines::{Engine, Limits};
use differ::judge::Disagreement;
use differ::run::{Options, run};
use differ::write::{describe, figures, write_case};
use memory::Model;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[derive(Parser)]
#[command(name = "xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Looks for C programs, or litmus tests, on which the engines disagree.
    Differ(Differ),
    /// Compares the engines on C programs that are given.
    Judge(Judge),
    /// Prints a program or a litmus test.
    Show(Show),
}

#[derive(clap::Args)]
struct Differ {
    /// Look at litmus tests instead of C programs, under all models, by all engines.
    #[arg(long, conflicts_with_all = ["models", "engines", "refusals", "states", "milliseconds"])]
    litmus: bool,
    /// Programs or tests to look at, shapes included.
    #[arg(long, default_value_t = 10_000)]
    programs: u64,
    /// Other seeds make other programs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first program.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Families of programs, or languages of litmus tests (x86, sparc); all by default.
    #[arg(long, value_delimiter = ',')]
    families: Vec<String>,
    /// Memory models.
    #[arg(long, value_delimiter = ',', default_value = "sc,tso,pso,rmo,relaxed")]
    models: Vec<String>,
    /// Engines.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "explore,observed,schedules,states,plain,sat,axioms"
    )]
    engines: Vec<String>,
    /// Shapes of each program.
    #[arg(long, default_value_t = 2)]
    shapes: usize,
    /// Workers.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Milliseconds after which a search is given up.
    #[arg(long, default_value_t = 50)]
    milliseconds: u64,
    /// States, or executions, after which a search is given up.
    #[arg(long, default_value_t = 2_000)]
    states: u64,
    /// Run programs on the processor as well.
    #[arg(long)]
    native: bool,
    /// Leave out C programs that cannot be run there.
    #[arg(long, requires = "native", conflicts_with = "litmus")]
    native_only: bool,
    /// Milliseconds that each is run there.
    #[arg(long, default_value_t = 6)]
    native_milliseconds: u64,
    /// Where disagreements are written.
    #[arg(long, default_value = "target/differ")]
    out: PathBuf,
    /// Print why engines refused programs.
    #[arg(long)]
    refusals: bool,
}

#[derive(clap::Args)]
struct Judge {
    /// C programs.
    files: Vec<PathBuf>,
    /// Memory models.
    #[arg(long, value_delimiter = ',', default_value = "sc,tso,pso,rmo,relaxed")]
    models: Vec<String>,
    /// Engines.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "explore,observed,states,plain,sat"
    )]
    engines: Vec<String>,
    /// Milliseconds after which a search is given up.
    #[arg(long, default_value_t = 1_000)]
    milliseconds: u64,
    /// States, or executions, after which a search is given up.
    #[arg(long, default_value_t = 50_000)]
    states: u64,
    /// Print all answers.
    #[arg(long)]
    answers: bool,
}

#[derive(clap::Args)]
struct Show {
    #[arg(long)]
    litmus: bool,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, value_delimiter = ',')]
    families: Vec<String>,
    #[arg(long, default_value_t = 2)]
    shapes: usize,
    /// Its number.
    number: u64,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Differ(differ) if differ.litmus => litmus::look(&differ),
        Command::Differ(differ) => look(&differ),
        Command::Judge(judge) => judge_files(&judge),
        Command::Show(show) if show.litmus => litmus::show(&show),
        Command::Show(show) => {
            let options = Options {
                seed: show.seed,
                families: show.families,
                shapes: show.shapes,
                ..options()
            };
            let (sketch, others) = differ::run::program(&options, show.number);
            print!("{}", differ::print::standalone(&sketch));
            for (shape, other) in others {
                print!("/* {shape:?} */\n{}", differ::print::standalone(&other));
            }
            Ok(true)
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(text) => {
            eprintln!("differ: {text}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Options {
    Options {
        programs: 0,
        seed: 1,
        first: 0,
        families: Vec::new(),
        models: Vec::new(),
        engines: Vec::new(),
        shapes: 2,
        jobs: 1,
        directory: std::env::temp_dir().join(format!("fencepost-differ-{}", std::process::id())),
        limits: Limits::default(),
        native: None,
        native_only: false,
        progress: true,
    }
}

fn models(names: &[String]) -> Result<Vec<Model>, String> {
    let models = names.iter().map(|name| {
        let known = name.parse::<Model>();
        known.map_err(|_| format!("there is no model {name}"))
    });
    models.collect()
}

fn engines(names: &[String]) -> Result<Vec<Engine>, String> {
    let engines = names.iter().map(|name| {
        let known = Engine::ALL.into_iter().find(|engine| engine.name() == name);
        known.ok_or_else(|| format!("there is no engine {name}"))
    });
    engines.collect()
}

/// True if nothing disagrees.
fn judge_files(judge: &Judge) -> Result<bool, String> {
    let (engines, models) = (engines(&judge.engines)?, models(&judge.models)?);
    let limits = Limits {
        states: judge.states,
        time: Duration::from_millis(judge.milliseconds),
    };
    let mut agrees = true;
    for file in &judge.files {
        let name = file.display();
        let judged = by_hand::judge(file, &engines, &models, &limits);
        for judged in judged.map_err(|error| format!("{name}: {error}"))? {
            let options = judged.options.join(" ");
            let wrong = &judged.disagreements;
            println!("{name} {options}: {} disagreements", wrong.len());
            for disagreement in wrong {
                let Disagreement { what, detail, .. } = disagreement;
                let (finder, misser) = (disagreement.finder, disagreement.misser);
                println!("    {what} {detail}: {finder:?} against {misser:?}");
            }
            if judge.answers {
                for answer in &judged.answers {
                    println!("    {}", by_hand::summary(answer));
                }
            }
            agrees &= wrong.is_empty();
        }
    }
    Ok(agrees)
}

/// True if nothing disagrees.
fn look(differ: &Differ) -> Result<bool, String> {
    for name in &differ.families {
        if !differ::families::FAMILIES
            .iter()
            .any(|family| family.name == name)
        {
            return Err(format!("there is no family {name}"));
        }
    }
    let options = Options {
        programs: differ.programs,
        seed: differ.seed,
        first: differ.first,
        families: differ.families.clone(),
        models: models(&differ.models)?,
        engines: engines(&differ.engines)?,
        shapes: differ.shapes,
        jobs: differ.jobs,
        native: differ
            .native
            .then_some(Duration::from_millis(differ.native_milliseconds)),
        native_only: differ.native_only,
        limits: Limits {
            states: differ.states,
            time: Duration::from_millis(differ.milliseconds),
        },
        ..options()
    };
    let stop = prepare()?;
    let summary = run(&options, &stop);
    let _ = std::fs::remove_dir_all(&options.directory);
    let summary = summary?;
    for (index, case) in summary.cases.iter().enumerate() {
        let names = write_case(case, index, &options, &differ.out);
        let names = names.map_err(|error| error.to_string())?;
        println!("{}: {}", names.join(", "), describe(case));
    }
    for (kind, count) in &summary.kinds {
        println!("{count} × {kind}");
    }
    if differ.refusals {
        for ((engine, reason), count) in &summary.refused {
            println!("{} refused {count}: {reason}", engine.name());
        }
    }
    print!("{}", figures(&summary));
    Ok(summary.kinds.is_empty())
}

/// What Ctrl-C sets. Panics of engines are disagreements; their messages would be in the way.
fn prepare() -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = stop.clone();
    ctrlc::set_handler(move || set.store(true, Ordering::Relaxed)).map_err(|e| e.to_string())?;
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    Ok(stop)
}
