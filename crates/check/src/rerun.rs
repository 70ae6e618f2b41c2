//! Running an execution again that was stored.

use crate::refusal::Refused;
use answer::{Bound, Execution, Rerun};
use control::Control;
use machine::ReplayError;
use memory::Buffering;
use program::Program;
use std::sync::Arc;
use thiserror::Error;

pub use machine::Claim;

/// Why a stored execution is not shown again.
#[derive(Debug, Error)]
pub enum NotRerun {
    /// No machine runs the program.
    #[error(transparent)]
    Refused(Refused),
    /// The execution is not what it is said to be.
    #[error(transparent)]
    Differs(#[from] ReplayError),
    /// A limit was reached before its end.
    #[error("a limit was reached before the end of the execution")]
    Stopped(Bound),
}

/// Runs a stored execution of a program again, within limits of time and memory. Each step must be possible, and what is claimed must be
/// there in the end.
pub fn rerun(
    program: &Arc<Program>,
    stored: &Rerun,
    claim: Claim<'_>,
    control: &Control,
) -> Result<Execution, NotRerun> {
    let again = |program: &Program| {
        let stop = Arc::new(control.stop());
        let done = states::rerun(program, stored, claim, stop.clone());
        match done.map_err(|refusal| NotRerun::Refused(refusal.into()))? {
            Err(ReplayError::Stopped) => {
                let bound = stop.reached().unwrap_or(Bound::Interrupted(0));
                Err(NotRerun::Stopped(bound))
            }
            done => Ok(done?),
        }
    };
    match (again(program), without_unread(program, stored)) {
        // A check may have left out memory that nobody reads.
        (Err(NotRerun::Differs(error)), Some(smaller)) => {
            again(&smaller).map_err(|_| NotRerun::Differs(error))
        }
        (done, _) => done,
    }
}

fn without_unread(program: &Program, stored: &Rerun) -> Option<Program> {
    let Rerun::Process(stored) = stored else {
        return None;
    };
    let stores_overtake = stored.model.row().buffering == Buffering::PerLocation;
    let applies = program.process;
    applies
        .then(|| program.without_unread(stores_overtake))
        .flatten()
}
