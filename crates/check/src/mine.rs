//! What clients of a data type may observe, from executions whose operations are atomic.

use crate::confirm::confirmed;
use crate::engines::{Checker, Effort, SatOptions, States};
use crate::refusal::Refused;
use answer::Outcome;
use control::{Control, Progress};
use memory::Model;
use program::Program;
use solve::{Mined, Specification};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// States that are searched before solving is tried instead.
const MOST_STATES: u64 = 300_000;

/// A client whose operations are atomic.
#[derive(Clone, Copy, Debug)]
pub struct Serial<'a> {
    /// With threads whose operations are atomic sections.
    pub program: &'a Program,
    /// With one thread that does what they do in every order, if there is such a program; up to
    /// `swaps`.
    pub in_one_thread: Option<&'a Program>,
    /// Columns in orders that make no difference.
    pub swaps: &'a [Vec<usize>],
}

/// Finds all observations of a client whose operations are atomic: by a search of the states of one thread, or
/// else by solving.
pub fn mine(serial: Serial<'_>, options: &SatOptions) -> Result<Mined, Refused> {
    let started = Instant::now();
    let searched = serial.in_one_thread.and_then(|program| {
        let search = States {
            control: Control {
                max_states: Some(MOST_STATES),
                progress: Arc::new(Progress::default()),
                ..options.control.clone()
            },
            ..States::default()
        };
        let result = search.check(program, Model::Sc).ok()?;
        // If it does not end at all, solving finds why.
        let some = result.violation.is_none() && !result.outcomes.is_empty();
        (some && result.bounds.is_empty()).then_some(result)
    });
    match searched {
        Some(mut result) => {
            let found = std::mem::take(&mut result.outcomes);
            let observed = serial.program.observed.iter();
            Ok(Mined {
                specification: Specification {
                    columns: observed.map(|column| column.name.clone()).collect(),
                    observations: closed(found, serial.swaps),
                },
                result,
                observed: Vec::new(),
                effort: Effort::default(),
            })
        }
        None => {
            let options = SatOptions {
                control: options.control.after(started.elapsed()),
                ..options.clone()
            };
            let mined = solve::mine(serial.program, &options)?;
            let found = confirmed(serial.program, Model::Sc, &options.control, mined.result);
            Ok(Mined {
                result: found.result,
                observed: found.observed.unwrap_or(mined.observed),
                ..mined
            })
        }
    }
}

/// The outcomes, and all that swaps make of them.
fn closed(found: Vec<Outcome>, swaps: &[Vec<usize>]) -> BTreeSet<Outcome> {
    let mut all: BTreeSet<Outcome> = found.iter().cloned().collect();
    let mut open = found;
    while let Some(outcome) = open.pop() {
        for swap in swaps {
            let swapped = Outcome(swap.iter().map(|&column| outcome.0[column]).collect());
            if all.insert(swapped.clone()) {
                open.push(swapped);
            }
        }
    }
    all
}
