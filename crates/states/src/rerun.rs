//! Running a stored execution again, on the machine that it was found on.

use crate::flat;
use crate::options::{MachineKind, Options};
use crate::verdict::{Refusal, Run, Task, with_machine};
use answer::{CellsRerun, Execution, Rerun};
use control::Stop;
use machine::{Claim, Image, Machine, Processor, ReplayError};
use program::Program;
use std::sync::Arc;

/// Runs a stored execution of a program again, and makes sure that it shows what it is said to show.
pub fn rerun(
    program: &Program,
    stored: &Rerun,
    claim: Claim<'_>,
    stop: Arc<Stop>,
) -> Result<Result<Execution, ReplayError>, Refusal> {
    match stored {
        Rerun::Process(stored) => {
            // Robustness is a question about a process, whatever the program is.
            let process = program.as_process();
            let image = Image::with_buffers(&process, stored.model)?;
            let violation = match claim {
                Claim::Violation(violation) => Some(violation),
                Claim::Final(_) | Claim::Nothing => None,
            };
            let replayed = machine::rerun(&image, stored, violation, stop);
            Ok(replayed.map(|replayed| replayed.execution(&process)))
        }
        Rerun::Cells(stored) => {
            if !program.process {
                return on_cells(program, stored, claim);
            }
            let flat = flatten::flatten(program)?;
            let done = on_cells(&flat, stored, claim)?;
            Ok(done.map(flat::with_values_of_c))
        }
    }
}

fn on_cells(
    program: &Program,
    stored: &CellsRerun,
    claim: Claim<'_>,
) -> Result<Result<Execution, ReplayError>, Refusal> {
    let options = Options {
        machine: match stored.boxes {
            true => MachineKind::ReorderBoxes,
            false => MachineKind::Auto,
        },
        buffer: stored.size,
        reorder_box: stored.size,
        ..Options::default()
    };
    let mut program = program.clone();
    if let Claim::Final(goal) = claim {
        // As in the search for it.
        let read = goal.observables().into_iter().cloned();
        program.observed.extend(read);
    }
    let again = Again { stored, claim };
    Ok(with_machine(&program, stored.model, &options, again)?)
}

struct Again<'a> {
    stored: &'a CellsRerun,
    claim: Claim<'a>,
}

impl Task for Again<'_> {
    type Answer = Result<Execution, ReplayError>;

    fn perform<P: Processor>(self, run: &Run<'_, P>) -> Self::Answer {
        let replayed = Machine::rerun(run.processor, run.program, self.stored, self.claim)?;
        Ok(replayed.execution(run.program))
    }
}
