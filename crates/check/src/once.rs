//! One execution of a C program.

use crate::guard;
use crate::options::Options;
use crate::refusal::Refused;
use answer::Bound;
use memory::Model;
use program::Program;
use std::sync::Arc;

pub use states::{Once, OnceSchedule};

/// Runs a C program once. If a limit is reached and the run does not end, nothing of it is known.
pub fn run_once(
    program: &Arc<Program>,
    model: Model,
    options: &Options,
    schedule: OnceSchedule,
) -> Result<Result<Once, Bound>, Refused> {
    let search = options.states(options.left());
    let (work, asked) = (program.clone(), search.clone());
    let done = guard::within(&search.control, move || {
        states::run_once(&work, model, &asked, schedule)
    });
    match done {
        Ok(once) => {
            let mut once = once?;
            options.name_whole_time(&mut once.result);
            Ok(Ok(once))
        }
        Err(bound) => Ok(Err(bound)),
    }
}
