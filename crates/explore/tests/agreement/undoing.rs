//! A step that is taken back leaves no trace.

use crate::sketch::Sketch;
use crate::{CHECKS, LOCKS, MODELS, SLEEPS, for_all, text};
use machine::{Image, Limits, Process};

/// Most steps of a walk.
const LONGEST: usize = 200;

/// Everything that can happen is done and taken back, all along a random walk.
fn steps_can_be_taken_back(sketch: &Sketch) -> Result<(), String> {
    let program = text::program(sketch);
    for model in MODELS {
        let image = Image::new(&program, model);
        let limits = Limits {
            traced: true,
            ..Limits::default()
        };
        let mut process = Process::new(&image, &limits, false, false);
        // There is nothing to take back.
        if process.end().is_some() {
            continue;
        }
        process.keep_journal();
        let start = (process.mark(), process.fingerprint());
        for step in 0..LONGEST {
            let before = process.fingerprint();
            let mark = process.mark();
            let transitions = process.transitions();
            for transition in &transitions {
                process.perform(*transition);
                process.undo(mark);
                if process.fingerprint() != before {
                    return Err(format!(
                        "{model}: step {step}, {transition:?} left something"
                    ));
                }
            }
            match transitions.get(step * 7 % transitions.len().max(1)) {
                Some(transition) => process.perform(*transition),
                None => break,
            }
        }
        process.undo(start.0);
        if process.fingerprint() != start.1 {
            return Err(format!("{model}: the walk left something"));
        }
    }
    Ok(())
}

#[test]
fn everything_can_be_taken_back() {
    for shape in [LOCKS, SLEEPS, CHECKS] {
        for_all(shape, 25, steps_can_be_taken_back);
    }
}
