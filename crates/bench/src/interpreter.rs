//! The interpreter on plain sequential code: a sieve, a recursion, a hash.
//!
//! `sequential.ll` is `sequential.c`, compiled by
//! `clang -S -emit-llvm -O0 -Xclang -disable-O0-optnone`. What is counted are the machine's
//! operations. LLVM's instructions are more: loads and stores of promoted locals
//! become copies or nothing.

use crate::best;
use check::{OnceSchedule, Options, run_once};
use memory::Model;
use program::Source;
use std::sync::Arc;

/// Prints operations per second on one core.
pub fn measure(rounds: u32) {
    let source = Source::new("sequential.ll", include_str!("../programs/sequential.ll"));
    let program = Arc::new(frontend::read_llvm(&source).expect("a program that reads"));
    let options = Options {
        explain: false,
        ..Options::default()
    };
    let run = || run_once(&program, Model::Sc, &options, OnceSchedule::First);
    let (time, once) = best(rounds, run);
    let once = once.expect("a program that runs");
    let operations = once.expect("no limit").operations;
    let seconds = time.as_secs_f64();
    println!("interpreter, sequential C, 1 core");
    println!(
        "  {} million operations in {seconds:.3} s: {:.0} million/s",
        operations / 1_000_000,
        operations as f64 / seconds / 1e6
    );
}
