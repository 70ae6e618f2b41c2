//! No program that the front end lets through makes the machine for C programs panic or
//! hang: LLVM IR is mutated by a seeded generator, and what can still be read is run.

use control::Control;
use memory::Model;
use program::Source;
use states::{OnceSchedule, Options};
use std::time::Duration;

/// Mutants of each sample.
const MUTANTS: u64 = 300;

fn samples() -> Vec<String> {
    let directory = format!("{}/../frontend/tests/ll", env!("CARGO_MANIFEST_DIR"));
    let names = [
        "process-clang-14.ll",
        "process-clang-19.ll",
        "sequential-clang-19-O2.ll",
    ];
    let read = |name| std::fs::read_to_string(format!("{directory}/{name}")).expect("a sample");
    names.map(read).into()
}

/// Numbers, names and words are what a program can differ in and still be one.
fn mutate(text: &str, random: &mut impl FnMut(usize) -> usize) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random(3) {
        let (at, from) = (random(lines.len()), random(lines.len()));
        match random(4) {
            0 => {
                lines.remove(at);
            }
            1 => lines.insert(at, lines[from].clone()),
            2 => lines.swap(at, from),
            _ => {
                let words = [
                    "0",
                    "1",
                    "-1",
                    "null",
                    "undef",
                    "8",
                    "4294967295",
                    "i8",
                    "i64",
                    "%0",
                ];
                let word = words[random(words.len())];
                let mut parts: Vec<&str> = lines[at].split(' ').collect();
                let part = random(parts.len());
                parts[part] = word;
                lines[at] = parts.join(" ");
            }
        }
    }
    lines.join("\n")
}

#[test]
fn whatever_reads_also_runs() {
    let mut generator = fastrand::Rng::with_seed(1);
    let mut random = |limit: usize| generator.usize(..limit.max(1));
    let options = Options {
        control: Control {
            max_states: Some(2_000),
            max_time: Some(Duration::from_millis(200)),
            ..Control::default()
        },
        ..Options::default()
    };
    let mut ran = 0;
    for sample in samples() {
        for number in 0..MUTANTS {
            let text = mutate(&sample, &mut random);
            let Ok(program) = frontend::read_llvm(&Source::new("mutant.ll", text)) else {
                continue;
            };
            ran += 1;
            let model = [Model::Sc, Model::Tso, Model::Pso][number as usize % 3];
            let schedule = OnceSchedule::Random(number);
            states::run_once(&program, model, &options, schedule).expect("a C program");
            states::run(&program, model, &options).expect("a C program");
        }
    }
    assert!(ran > 100, "only {ran} mutants could be read");
}
