//! Fencepost's speed, measured: `cargo run --profile dist -p fencepost-bench`.
//!
//! Times are the best of several rounds within one run, on the cores that the
//! table names. Peers' figures, where there are any, stand beside them.

mod checkfence;
mod clock;
mod explore;
mod growth;
mod interpreter;
mod litmus;
mod lock;
mod monitor;
mod peak;
mod peers;
mod reading;
mod refine;
mod robust;
mod sober;

use clap::Parser;
use frontend::c::{Compiler, read_c};
use program::Program;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Measures Fencepost's speed.
#[derive(Debug, Parser)]
struct Arguments {
    /// What to measure: litmus, growth, lock, reading, interpreter, explore, monitor, robust, refine, order [default: everything]
    what: Vec<String>,

    /// Directory with litmus tests
    #[arg(long, default_value = "tests/litmus")]
    tests: PathBuf,

    /// Directory with programs whose executions are counted
    #[arg(long, default_value = "tests/counts")]
    counts: PathBuf,

    /// Directory with programs that are robust with their fences
    #[arg(long, default_value = "examples/robust")]
    robust: PathBuf,

    /// Directory with data types
    #[arg(long, default_value = "examples/datatypes")]
    datatypes: PathBuf,

    /// Numbers of workers for the lock
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    jobs: Vec<usize>,

    /// Rounds, of which the best counts
    #[arg(long, default_value_t = 5)]
    rounds: u32,
}

fn main() {
    let arguments = Arguments::parse();
    let wanted =
        |name: &str| arguments.what.is_empty() || arguments.what.iter().any(|what| what == name);
    if wanted("litmus") {
        litmus::measure(&arguments.tests, arguments.rounds);
    }
    if wanted("growth") {
        growth::measure(arguments.rounds);
    }
    if wanted("lock") {
        lock::measure(&arguments.jobs, arguments.rounds);
    }
    if wanted("reading") {
        reading::measure(arguments.rounds);
    }
    if wanted("interpreter") {
        interpreter::measure(arguments.rounds);
    }
    if wanted("explore") {
        explore::measure(&arguments.counts, arguments.rounds);
    }
    if wanted("monitor") {
        monitor::measure();
    }
    if wanted("robust") {
        robust::measure(&arguments.robust, &arguments.counts, arguments.rounds);
    }
    if wanted("refine") {
        refine::measure(&arguments.datatypes, arguments.rounds);
    }
    if wanted("order") {
        refine::compare(&arguments.datatypes, arguments.rounds);
    }
}

/// A C program, compiled with these options.
fn compile(path: &Path, options: &[String], compiler: &Compiler) -> Program {
    let program = read_c(&[path.to_owned()], options, Some(compiler));
    program.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The shortest of several runs, and what the last one gave.
fn best<T>(rounds: u32, mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut time = || {
        let start = Instant::now();
        let value = run();
        (start.elapsed(), value)
    };
    let (mut shortest, mut value) = time();
    for _ in 1..rounds {
        let (taken, again) = time();
        shortest = shortest.min(taken);
        value = again;
    }
    (shortest, value)
}
