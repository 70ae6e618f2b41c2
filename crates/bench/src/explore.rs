//! Exploration: one execution for each trace of the programs of `tests/counts`, beside what
//! other stateless model checkers take for them.
//!
//! Programs are compiled before the clock starts. One worker is measured in CPU time where the
//! system tells it, as the others were; two are measured by the clock.

use crate::clock::cpu_seconds;
use crate::peers::{Row, table};
use crate::{best, compile};
use answer::Counts;
use check::{Checker, Explore};
use frontend::c::Compiler;
use memory::Model;
use program::Program;
use std::path::Path;
use std::time::{Duration, Instant};

/// Rounds of which the best counts, at most.
const ROUNDS: u32 = 3;
/// Programs with fewer executions are too small to be shared by two workers.
const LARGE: u64 = 3_000;
/// How many times as fast as Nidhugg and as GenMC a row should be.
const AIMS: (f64, f64) = (20.0, 5.0);

/// A row of the table as it was measured.
struct Measured {
    row: Row,
    /// Seconds of an exploration by one worker.
    seconds: f64,
    counts: Counts,
}

/// Measures executions per second.
pub fn measure(directory: &Path, rounds: u32) {
    let rounds = rounds.min(ROUNDS);
    let compiler = Compiler::find(None).unwrap_or_else(|error| panic!("{error}"));
    let rows = table();
    let mut measured = Vec::new();
    println!("\none execution per trace, all of them, one worker");
    println!(
        "                                                                        Nidhugg          GenMC"
    );
    println!(
        "  program      model  executions  executions/s         ms  events/exec.        ms  times       ms  times"
    );
    let started = Instant::now();
    let mut compiling = Duration::ZERO;
    for group in rows.chunk_by(|a, b| a.program == b.program) {
        let before = Instant::now();
        let path = directory.join(format!("{}.c", group[0].program));
        let program = compile(&path, &[], &compiler);
        compiling += before.elapsed();
        for &row in group {
            let (seconds, counts) = cpu_seconds(rounds, || explore(&program, row.model, 1));
            let measure = Measured {
                row,
                seconds,
                counts,
            };
            print_row(&measure);
            measured.push((measure, program.clone()));
        }
    }
    let programs = rows.chunk_by(|a, b| a.program == b.program).count();
    println!(
        "  * less than {} times Nidhugg's or {} times GenMC's speed",
        AIMS.0, AIMS.1
    );
    println!(
        "  their CPU time, without start and clang, was measured once, on a machine of this kind"
    );
    println!(
        "  not in it: {:.0} ms for each program to compile and read it",
        compiling.as_secs_f64() * 1e3 / programs as f64
    );
    two_workers(&measured, rounds);
    models(&measured);
    if let Some(kilobytes) = peak_memory() {
        let nidhugg = rows.iter().map(|row| row.nidhugg_memory).max();
        let genmc = rows.iter().filter_map(|row| row.genmc_memory).max();
        println!(
            "  peak memory of all this {:.1} MB; Nidhugg's {} MB, GenMC's {} MB",
            kilobytes as f64 / 1024.0,
            nidhugg.unwrap_or(0),
            genmc.unwrap_or(0)
        );
    }
    println!("  all this took {:.0} s", started.elapsed().as_secs_f64());
}

/// Explores everything.
fn explore(program: &Program, model: Model, jobs: usize) -> Counts {
    let engine = Explore {
        jobs,
        explain: false,
        all: true,
        ..Explore::default()
    };
    let result = engine.check(program, model);
    result.expect("a program that runs").counts
}

fn print_row(measured: &Measured) {
    let Measured {
        row,
        seconds,
        counts,
    } = measured;
    let executions = counts.executions;
    assert_eq!(
        executions, row.executions,
        "{} under {}",
        row.program, row.model
    );
    let mark = |ratio: f64, aim: f64| if ratio < aim { '*' } else { ' ' };
    let times = |peer: f64, aim: f64| {
        let ratio = peer / seconds;
        format!("{:>9.1} {ratio:>6.1}{}", peer * 1e3, mark(ratio, aim))
    };
    println!(
        "  {:11}  {:5}  {executions:>10}  {:>12.0}  {:>9.3}  {:>12.1} {}{}",
        row.program,
        row.model.name(),
        executions as f64 / seconds,
        seconds * 1e3,
        counts.events as f64 / executions as f64,
        times(row.nidhugg, AIMS.0),
        match row.genmc {
            Some(genmc) => times(genmc, AIMS.1),
            None => "        -".to_owned(),
        }
    );
}

/// How much faster two workers are.
fn two_workers(measured: &[(Measured, Program)], rounds: u32) {
    println!("\n  program      model  two workers, times the speed of one");
    for (Measured { row, .. }, program) in measured {
        if row.executions >= LARGE {
            let time = |jobs| best(rounds, || explore(program, row.model, jobs)).0;
            let speed = time(1).as_secs_f64() / time(2).as_secs_f64();
            println!("  {:11}  {:5}  {speed:.2}", row.program, row.model.name());
        }
    }
}

/// What an execution costs under TSO and PSO.
fn models(measured: &[(Measured, Program)]) {
    println!("\n  program      cost of an execution relative to SC: TSO   PSO");
    for group in measured.chunk_by(|(a, _), (b, _)| a.row.program == b.row.program) {
        let cost = |model: Model| {
            let (found, _) = group
                .iter()
                .find(|(measured, _)| measured.row.model == model)?;
            Some(found.seconds / found.counts.executions as f64)
        };
        if let (Some(sc), Some(tso), Some(pso)) =
            (cost(Model::Sc), cost(Model::Tso), cost(Model::Pso))
        {
            let name = group[0].0.row.program;
            println!("  {name:11}  {:>40.2}  {:>4.2}", tso / sc, pso / sc);
        }
    }
    println!();
}

/// Kilobytes that the process has had at most, where Linux tells.
fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
