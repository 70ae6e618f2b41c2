//! How outcomes grow with the program: *n* threads, each writing two of *n*
//! places, and *n* writers of one place.

use crate::best;
use check::{Checker, States};
use memory::Model;
use program::{Program, ProgramBuilder, Width, Word};

/// Measures both families under every model.
pub fn measure(rounds: u32) {
    println!("\ngrowth, one core, seconds");
    println!("  program        n     sc      tso      pso      rmo");
    for n in 4..=7 {
        row("n threads n W", n, &writers_of_two(n), rounds);
    }
    for n in 6..=9 {
        row("n writers", n, &writers_of_one(n), rounds);
    }
    println!(
        "  herd7: n threads n W under tso: n=5 0.6, n=6 31; n writers under sc: n=8 2.3, n=9 24"
    );
}

fn row(name: &str, n: usize, program: &Program, rounds: u32) {
    print!("  {name:13}  {n}");
    for model in Model::MACHINES {
        let engine = States {
            explain: false,
            ..States::default()
        };
        let (time, _) = best(rounds, || engine.check(program, model));
        print!("  {:.5}", time.as_secs_f64());
    }
    println!();
}

fn writers_of_two(n: usize) -> Program {
    let mut program = ProgramBuilder::new("n+nW");
    let places: Vec<_> = (0..n)
        .map(|place| program.object(&format!("x{place}"), Width::W32, 0))
        .collect();
    for thread in 0..n {
        let mut code = program.thread();
        code.store(places[thread], 1u64, Width::W32);
        code.store(places[(thread + 1) % n], 2u64, Width::W32);
        code.finish();
    }
    program.observe_everything();
    program.finish().expect("well formed")
}

fn writers_of_one(n: usize) -> Program {
    let mut program = ProgramBuilder::new("writers");
    let place = program.object("x", Width::W32, 0);
    for thread in 0..n {
        let mut code = program.thread();
        code.store(place, thread as Word + 1, Width::W32);
        code.finish();
    }
    program.observe_everything();
    program.finish().expect("well formed")
}
