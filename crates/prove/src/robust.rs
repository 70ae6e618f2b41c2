//! The question whether a program is robust against TSO, whatever the size of store buffers.

use crate::attacks::{AttackSearch, Attacks, links};
use crate::automaton::System;
use crate::run::{flat, left_out};
use crate::{Options, Refusal, witness};
use answer::{Bound, Counts, Engine, ModelResult, Verdict, Violation};
use memory::Model;
use program::Program;
use std::sync::atomic::Ordering;

/// States between two looks at the limits.
const TURN: usize = 20_000;

/// Whether every trace of a program under TSO, with store buffers of any size, is one of SC.
pub fn robust(program: &Program, model: Model, options: &Options) -> Result<ModelResult, Refusal> {
    if model != Model::Tso {
        return Err(Refusal::AttacksOf(model));
    }
    let stop = options.control.stop();
    let flat = flat(program)?;
    let system = System::with_all_locations(&flat, model)?;
    let mut search = AttackSearch::new(&system, &[]);
    let many = |search: &AttackSearch<'_>| {
        let states = search.states() as u64;
        let progress = &options.control.progress;
        progress.states.store(states, Ordering::Relaxed);
        options
            .control
            .max_states
            .is_some_and(|most| states >= most)
    };
    let attacks = loop {
        match search.run(TURN, &stop) {
            Attacks::Unknown if !many(&search) && stop.look().is_none() => {}
            attacks => break attacks,
        }
    };
    let names = flat.threads.iter().map(|thread| thread.name.clone());
    let mut result = ModelResult {
        machine: "attacks",
        counts: Counts {
            states: search.states() as u64,
            ..Counts::default()
        },
        started: names.skip(program.threads.len()).collect(),
        bounds: left_out(program, &flat),
        time: stop.elapsed(),
        ..ModelResult::undecided(model, Engine::Prove)
    };
    match attacks {
        Attacks::Robust => result.verdict = Verdict::Holds,
        Attacks::Feasible(run) => {
            result.verdict = Verdict::Violated;
            let cycle = links(&flat, &system, &run);
            result.violation = Some(Violation::NotSequential(cycle));
            let execution = || witness::execution(&flat, &system, &run, None);
            result.execution = options.explain.then(execution);
        }
        Attacks::Met(_) | Attacks::Unknown => {
            let states = Bound::States(result.counts.states);
            result.bounds.push(stop.look().unwrap_or(states));
        }
    }
    Ok(result)
}
