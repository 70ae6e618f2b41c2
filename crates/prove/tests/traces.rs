//! Symbolic traces against the automata, on generated programs with finite data.

mod agreement {
    #[allow(dead_code)]
    pub mod generate;
}

use agreement::generate::Numbers;
use answer::{Bound, Verdict};
use control::Control;
use memory::Model;
use program::Program;
use prove::partition::{MOST_STORES, by_traces};
use prove::{Options, prove};
use std::fmt::Write;
use std::time::Duration;

const THREADS: usize = 2;
const LOCATIONS: [&str; 3] = ["x", "y", "z"];

/// One line of a thread: an access, a fence, or something that is computed, assumed or asserted of what was read.
fn line(numbers: &mut Numbers, thread: usize, text: &mut String) {
    let any = LOCATIONS[numbers.below(LOCATIONS.len())];
    // Mostly a thread stores where the other loads.
    let mostly = |numbers: &mut Numbers, thread: usize| match numbers.below(4) {
        0 => any,
        _ => LOCATIONS[thread],
    };
    let (own, other) = (mostly(numbers, thread), mostly(numbers, 1 - thread));
    let location = any;
    let register = ["r", "s"][numbers.below(2)];
    let value = numbers.below(3);
    let _ = match numbers.below(14) {
        0..=3 => writeln!(text, "  store i8 &{own}, {value}"),
        4 => writeln!(text, "  store i8 &{own}, {register}"),
        5..=8 => writeln!(text, "  {register} = load i8 &{other}"),
        9 => writeln!(text, "  {register} = atomic add i8 seq_cst &{location}, 1"),
        10 => writeln!(
            text,
            "  {register} = cmpxchg i8 seq_cst or seq_cst &{location}, {value}, {}",
            numbers.below(3)
        ),
        11 => writeln!(text, "  fence #StoreLoad"),
        12 => writeln!(
            text,
            "  {register} = add i8 {register}, 1\n  {register} = and i8 {register}, 3"
        ),
        _ => writeln!(text, "  ok = ule i8 {register}, {value}\n  assume ok"),
    };
}

/// Threads that may have a loop each, and an assertion behind it.
fn generated(seed: u64) -> Program {
    let mut numbers = Numbers::new(seed);
    let mut text = "program \"generated\" from \"generated\"\n".to_owned();
    for location in LOCATIONS {
        let _ = writeln!(text, "object {location}: unsigned i8 = 0");
    }
    let _ = writeln!(text, "object w: unsigned i8 = 0");
    for thread in 0..THREADS {
        let _ = writeln!(
            text,
            "fn P{thread}() {{\n  register r, s: i8\n  register ok: i1\nentry:"
        );
        for _ in 0..1 + numbers.below(3) {
            line(&mut numbers, thread, &mut text);
        }
        let loops = numbers.below(2) == 0;
        let _ = writeln!(text, "  jump round\nround:");
        // Store buffering, or anything.
        let shows_buffers = seed.is_multiple_of(3);
        if shows_buffers {
            let _ = writeln!(text, "  store i8 &{}, 1", LOCATIONS[thread]);
            if numbers.below(4) == 0 {
                let _ = writeln!(text, "  fence #StoreLoad");
            }
            let _ = writeln!(text, "  r = load i8 &{}", LOCATIONS[1 - thread]);
        }
        for _ in 0..(1 + numbers.below(4)) * usize::from(!shows_buffers) {
            line(&mut numbers, thread, &mut text);
        }
        let (register, value) = match shows_buffers {
            true => ("r", 0),
            false => (["r", "s"][numbers.below(2)], numbers.below(2)),
        };
        let _ = writeln!(text, "  ok = choose 2");
        let next = if loops { "round" } else { "done" };
        let _ = writeln!(text, "  branch ok, {next}, done\ndone:");
        // Both threads must not come here, each having read some value last.
        let _ = writeln!(text, "  ok = eq i8 {register}, {value}\n  assume ok");
        let _ = writeln!(text, "  s = atomic xchg i8 seq_cst &w, 1");
        let _ = writeln!(text, "  ok = eq i8 s, 0\n  assert ok @{}:1+1", thread + 1);
        let _ = writeln!(text, "  return\n}}");
    }
    for thread in 0..THREADS {
        let _ = writeln!(text, "thread {thread}: P{thread} runs P{thread}");
    }
    program::parse(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

/// `FENCEPOST_TRACES=N` tries N.
fn count() -> u64 {
    let asked = std::env::var("FENCEPOST_TRACES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(40)
}

#[test]
fn traces_and_automata_agree() {
    let options = Options {
        control: Control::default().with_time(Some(Duration::from_secs(5))),
        ..Options::default()
    };
    let (mut safe, mut wrong, mut by_buffers, mut bounded, mut open) = (0, 0, 0, 0, 0);
    for seed in 0..count() {
        let program = generated(seed);
        let mut verdicts = Vec::new();
        for model in [Model::Sc, Model::Tso] {
            let Ok(expected) = prove(&program, model, &options) else {
                continue;
            };
            let stop = options.control.stop();
            let traces = by_traces(&program, &program, model, &options, &stop);
            let traces = traces.expect("a program for traces");
            let limited = traces
                .bounds
                .contains(&Bound::StoreBuffer(MOST_STORES as u32));
            match (expected.verdict, traces.verdict) {
                (Verdict::Undecided, _) => continue,
                (_, Verdict::Undecided) => open += 1,
                (Verdict::Holds, Verdict::Holds) => safe += 1,
                (Verdict::Violated, Verdict::Violated) => wrong += 1,
                // It may take larger buffers.
                (Verdict::Violated, Verdict::Holds) if limited => {}
                (expected, traces) => {
                    panic!("seed {seed}: {traces}, but {expected} under {model}:\n{program}")
                }
            }
            bounded += usize::from(limited);
            verdicts.push(traces.verdict);
        }
        by_buffers += usize::from(verdicts == [Verdict::Holds, Verdict::Violated]);
    }
    eprintln!(
        "{safe} safe ({bounded} up to a size), {wrong} wrong ({by_buffers} by buffers), {open} open"
    );
    assert!(safe > 0 && wrong > 0 && by_buffers > 0);
    assert!(open * 10 <= safe + wrong, "{open} open");
}
