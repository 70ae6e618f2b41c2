//! All outcomes of a directory of litmus tests, model by model, on one core.

use crate::best;
use check::{Checker, States};
use memory::Model;
use program::Source;
use std::path::Path;

/// CPU seconds of herd7 7.58 on the same tests, in one process on a machine of this kind.
const HERD7: [(Model, f64); 3] = [(Model::Tso, 7.0), (Model::Pso, 7.3), (Model::Rmo, 7.1)];

/// Measures reading and exploring every test.
pub fn measure(tests: &Path, rounds: u32) {
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(tests).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|end| end == "litmus")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            sources.push(Source::new(path.display().to_string(), text));
        }
    }
    println!(
        "outcomes of {} litmus tests, reading included, one core",
        sources.len()
    );
    println!("  model  seconds  states  herd7  times faster");
    let engine = States {
        explain: false,
        stop_at_violation: false,
        ..States::default()
    };
    for model in Model::MACHINES {
        let (time, states) = best(rounds, || {
            let states = |source| {
                let program = frontend::read(source).expect("the tests are well formed");
                let result = engine.check(&program, model);
                result.expect("litmus tests run").counts.states
            };
            sources.iter().map(states).sum::<u64>()
        });
        let seconds = time.as_secs_f64();
        let herd7 = HERD7.iter().find(|(of, _)| *of == model);
        let herd7 = herd7.map_or(String::new(), |(_, peer)| {
            format!("{peer:>5.1}  {:>12.0}", peer / seconds)
        });
        println!("  {:5}  {seconds:>7.4}  {states:>6}  {herd7}", model.name());
    }
}
