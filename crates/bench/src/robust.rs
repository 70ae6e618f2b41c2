//! Robustness from executions of SC alone: how many are borderline, how soon one is found, and
//! what the monitor costs.
//!
//! The first table repeats an experiment of 2008 and has its figures ([`crate::sober`]) beside it;
//! the second is about larger programs. Programs are compiled before the clock starts. Times are
//! CPU time of one worker, where the system tells it.

use crate::clock::cpu_seconds;
use crate::compile;
use crate::sober::{self, Row};
use answer::{Counts, Verdict};
use check::{Checker, Explore, NonSequential};
use frontend::c::Compiler;
use memory::Model;
use program::Program;
use std::path::Path;

/// Rounds of which the best counts, at most.
const ROUNDS: u32 = 3;

/// A program of `examples/robust`.
struct Subject {
    file: &'static str,
    /// What the threads do, all in all.
    work: &'static str,
    options: &'static [&'static str],
    /// It does what the one of the paper did.
    compared: bool,
}

const SUBJECTS: [Subject; 6] = [
    Subject {
        file: "store_buffering",
        work: "",
        options: &[],
        compared: true,
    },
    Subject {
        file: "dekker",
        work: "2 sections",
        options: &["-DSECTIONS=1"],
        compared: true,
    },
    Subject {
        file: "dekker",
        work: "4 sections",
        options: &[],
        compared: false,
    },
    Subject {
        file: "bakery",
        work: "3 sections",
        options: &[],
        compared: true,
    },
    Subject {
        file: "take_queue",
        work: "6 operations",
        options: &[],
        compared: true,
    },
    Subject {
        file: "block_on_idle",
        work: "",
        options: &[],
        compared: false,
    },
];

/// Programs of `tests/counts`. The last two are not robust: what the monitor finds in them has
/// to be shown on store buffers.
const LARGE: [&str; 8] = [
    "ainc8",
    "lastzero10",
    "lock7",
    "mpn4",
    "readers14",
    "writers8",
    "fib5",
    "sbrfi5",
];

/// Measures both tables.
pub fn measure(examples: &Path, counts: &Path, rounds: u32) {
    let rounds = rounds.min(ROUNDS);
    let compiler = Compiler::find(None).unwrap_or_else(|error| panic!("{error}"));
    experiment(examples, &compiler, rounds);
    overhead(counts, &compiler, rounds);
}

/// What is explored.
#[derive(Clone, Copy)]
struct Search {
    model: Model,
    monitor: bool,
    preemptions: Option<u32>,
    /// Go on after the first violation.
    all: bool,
}

impl Search {
    fn run(self, program: &Program) -> (Counts, Verdict) {
        let engine = Explore {
            explain: false,
            monitor: self.monitor,
            robust: NonSequential::ReportOnly,
            preemptions: self.preemptions,
            all: self.all,
            ..Explore::default()
        };
        let result = engine.check(program, self.model);
        let result = result.expect("a program that runs");
        (result.counts, result.verdict)
    }
}

fn monitored(preemptions: Option<u32>) -> Search {
    Search {
        model: Model::Tso,
        monitor: true,
        preemptions,
        all: true,
    }
}

fn plain(preemptions: Option<u32>) -> Search {
    Search {
        model: Model::Sc,
        monitor: false,
        ..monitored(preemptions)
    }
}

fn experiment(directory: &Path, compiler: &Compiler, rounds: u32) {
    let table = sober::table();
    println!("\nrobustness under TSO, from executions of SC alone, one worker");
    println!(
        "{:28}{:13}{:35}{:23}│ Sober on C# programs, 2008, seconds",
        "", "preemptions", "without fences", "with fences, ms"
    );
    println!(
        "  program          work         at most  executions  borderline  ms to one  monitored   plain  +%  │ interleavings  borderline  to one  monitored  plain"
    );
    for subject in &SUBJECTS {
        let read = |fences: &[&str]| {
            let options = subject.options.iter().chain(fences);
            let options: Vec<String> = options.map(|&option| option.to_owned()).collect();
            let path = directory.join(format!("{}.c", subject.file));
            compile(&path, &options, compiler)
        };
        let programs = [read(&[]), read(&["-DFENCED"])];
        let rows = table.iter().filter(|row| row.program == subject.file);
        let rows: Vec<&Row> = rows.collect();
        for row in rows.iter().filter(|row| row.preemptions.is_some()) {
            let beside = subject.compared.then_some(*row);
            print_row(subject, &programs, row.preemptions, beside, rounds);
        }
        let whole = rows.into_iter().find(|row| row.preemptions.is_none());
        print_row(subject, &programs, None, whole, rounds);
    }
    println!(
        "  Sober's interleavings are all that there are within the bound; ours leave out those that"
    );
    println!(
        "  repeat a trace. Row `all`: one execution per trace, with any number of preemptions"
    );
}

fn print_row(
    subject: &Subject,
    [original, fenced]: &[Program; 2],
    preemptions: Option<u32>,
    beside: Option<&Row>,
    rounds: u32,
) {
    let search = monitored(preemptions);
    let (counts, _) = search.run(original);
    let first = Search {
        all: false,
        ..search
    };
    let (seconds, (_, verdict)) = cpu_seconds(rounds, || first.run(original));
    let first = match verdict {
        Verdict::Violated => format!("{:.3}", seconds * 1e3),
        _ => "n.a.".to_owned(),
    };
    let (with, (monitored, verdict)) = cpu_seconds(rounds, || search.run(fenced));
    let (without, (plain, _)) = cpu_seconds(rounds, || plain(preemptions).run(fenced));
    assert!(verdict != Verdict::Violated, "{} is robust", subject.file);
    assert_eq!(monitored.executions, plain.executions, "{}", subject.file);
    print!(
        "  {:15}  {:12}  {:>6}  {:>10}  {:>10}  {first:>9}  {:>9.3}  {:>6.3} {:>3.0}  │",
        subject.file,
        subject.work,
        preemptions.map_or("all".to_owned(), |most| most.to_string()),
        counts.executions,
        counts.borderline,
        with * 1e3,
        without * 1e3,
        (with / without - 1.0) * 1e2,
    );
    match beside {
        Some(row) => println!(
            " {:>13}  {:>10}  {:>6}  {:>9}  {:>5}",
            row.interleavings, row.borderline, row.violation, row.monitored, row.plain
        ),
        None => println!(),
    }
}

/// What the monitor costs where all executions are explored, and what the executions of TSO
/// would cost instead.
fn overhead(directory: &Path, compiler: &Compiler, rounds: u32) {
    println!("\n  all executions of larger programs, one worker, ms");
    println!("  program     executions  borderline  monitored     plain   +%  instead, under TSO");
    for name in LARGE {
        let program = compile(&directory.join(format!("{name}.c")), &[], compiler);
        let time = |search: Search| cpu_seconds(rounds, || search.run(&program));
        let (with, (counts, _)) = time(monitored(None));
        let (without, (plain, _)) = time(plain(None));
        let (instead, (relaxed, _)) = time(Search {
            monitor: false,
            ..monitored(None)
        });
        assert_eq!(counts.executions, plain.executions, "{name}");
        println!(
            "  {name:10}  {:>10}  {:>10}  {:>9.1}  {:>8.1}  {:>3.0}  {:.1} for {} executions",
            counts.executions,
            counts.borderline,
            with * 1e3,
            without * 1e3,
            (with / without - 1.0) * 1e2,
            instead * 1e3,
            relaxed.executions + relaxed.blocked,
        );
    }
}
