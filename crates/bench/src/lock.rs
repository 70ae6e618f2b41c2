//! Explicit search: processors that take a test-and-set lock over TSO store
//! buffers of bounded size.
//!
//! Each processor, for ever: looks at the lock, writes 0 or 1 to a place of its own,
//! any number of times; then takes the lock with an atomic exchange, writes its
//! number to a shared place and gives the lock back with a plain store. The
//! buffers fill up with every sequence of zeros and ones.

use crate::best;
use check::{Checker, States};
use memory::Model;
use program::{
    Binary, Expression, InstructionKind, Program, ProgramBuilder, UpdateOp, Width, Word,
};

/// Measures states per second and bytes per state.
pub fn measure(jobs: &[usize], rounds: u32) {
    println!("\na lock over TSO store buffers, every state stored, no symmetry");
    println!("  processors  buffer  jobs    states  seconds  states/second  bytes/state");
    for (processors, buffer) in [(2, 6), (3, 3)] {
        let program = lock(processors);
        let mut first = None;
        for &jobs in jobs {
            let engine = States {
                jobs,
                buffer: Some(buffer),
                symmetry: false,
                ..States::default()
            };
            let (time, result) = best(rounds, || engine.check(&program, Model::Tso));
            let counts = result.expect("the lock runs").counts;
            let seconds = time.as_secs_f64();
            let rate = counts.states as f64 / seconds;
            let bytes = counts.bytes as f64 / counts.states as f64;
            print!(
                "  {processors:>10}  {buffer:>6}  {jobs:>4}  {:>8}  {seconds:>7.3}  {rate:>13.0}  {bytes:>11.1}",
                counts.states
            );
            match first {
                None => println!(),
                Some(first) => println!("  ({:.2} times the first)", first / seconds),
            }
            first.get_or_insert(seconds);
        }
    }
    println!(
        "  SPIN on a lock of this kind: 300,000 to 600,000 states/second, 450 to 500 bytes/state"
    );
}

fn lock(processors: usize) -> Program {
    let mut program = ProgramBuilder::new("lock");
    let lock = program.object("lock", Width::W8, 0);
    let data = program.object("data", Width::W8, 0);
    let own: Vec<_> = (0..processors)
        .map(|number| program.object(&format!("own{number}"), Width::W8, 0))
        .collect();
    for (number, &own) in own.iter().enumerate() {
        let mut code = program.thread();
        let choice = code.register("choice", Width::W8);
        let old = code.register("old", Width::W8);
        let busy = code.register("busy", Width::BIT);
        let again = code.block("again");
        let write = code.block("write");
        let take = code.block("take");
        let critical = code.block("critical");
        let is =
            |value: Word| Expression::Binary(Binary::Eq, Width::W8, choice.into(), value.into());
        code.go_to(again);
        code.load(old, lock, Width::W8);
        code.push(InstructionKind::Choose {
            target: choice,
            count: 3u64.into(),
        });
        code.assign(busy, is(2));
        code.branch(busy, take, write);
        code.go_to(write);
        code.store(own, choice, Width::W8);
        code.go_to(again);
        code.go_to(take);
        code.update(old, UpdateOp::Exchange, lock, 1u64, Width::W8);
        code.branch(old, take, critical);
        code.go_to(critical);
        code.store(data, number as Word + 1, Width::W8);
        code.store(lock, 0u64, Width::W8);
        code.terminate(program::Terminator::Jump(again));
        code.finish();
    }
    program.finish().expect("well formed")
}
