//! Running an execution of a C program again: how every execution is checked before it is shown.
//!
//! An engine that found a violation hands over how it came about, one transition after another. Each must be possible
//! where it is taken, and at the end the violation must be there; otherwise somebody made a mistake, and neither the
//! execution nor the violation may be reported.

use super::{End, Image, Limits, Process, Transition};
use crate::{ReplayError, Replayed};
use answer::{FaultKind, Violation, Waiting};
use program::ThreadId;

/// Steps in which the threads of a deadlock must come to rest.
const MOST_STEPS_TO_REST: usize = 10_000;

/// Runs an execution from the start, with what `next` says comes next, until it says nothing, and makes sure that it
/// comes to the violation.
///
/// With [`Limits::traced`] threads go on after others have failed, as they do where traces are built. That an execution
/// is not sequentially consistent is a fact of its trace, which is not built here: of such an execution it is checked
/// that it is possible.
pub fn replay<'a>(
    image: &'a Image,
    limits: &'a Limits,
    violation: &Violation,
    next: impl FnMut(&mut Process<'a>) -> Option<Transition>,
) -> Result<Replayed, ReplayError> {
    run(image, limits, Some(violation), next)
}

/// The same; without a violation every step must be possible, and that is all.
pub(super) fn run<'a>(
    image: &'a Image,
    limits: &'a Limits,
    violation: Option<&Violation>,
    mut next: impl FnMut(&mut Process<'a>) -> Option<Transition>,
) -> Result<Replayed, ReplayError> {
    let stopped = || limits.stop.as_ref().is_some_and(|s| s.reached().is_some());
    let mut process = Process::new(image, limits, true, false);
    let mut ends: Vec<End> = Vec::new();
    let mut turns = Vec::new();
    for step in 0.. {
        if limits.traced {
            ends.extend(std::iter::from_fn(|| process.take_end()));
        }
        // What cannot be shown in time is still wrong.
        if stopped() {
            return Err(ReplayError::Stopped);
        }
        let Some(transition) = next(&mut process) else {
            break;
        };
        if !process.transitions().contains(&transition) {
            return Err(ReplayError::Impossible { step });
        }
        process.perform(transition);
        turns.push(transition.into());
    }
    ends.extend(process.end().cloned());
    let replayed = Replayed {
        steps: process.take_log(),
        repeats_from: None,
        started: process.started(),
        observed: process
            .observed
            .iter()
            .map(|value| value.map(|value| value.word))
            .collect(),
        rerun: Some(process.recorded(turns)),
    };
    let shown = violation.is_none_or(|violation| shows(&mut process, &ends, violation));
    match shown {
        _ if stopped() => Err(ReplayError::Stopped),
        true => Ok(replayed),
        false => Err(ReplayError::Differs),
    }
}

/// True if an execution that has come here, with these ends on the way, shows a violation.
fn shows(process: &mut Process<'_>, ends: &[End], violation: &Violation) -> bool {
    match violation {
        Violation::Fault {
            thread,
            span,
            fault,
        } => {
            let end = End::Fault(*thread, *span, Box::new(fault.clone()));
            // From a state out of which no end can be reached somebody goes on, and nothing has failed yet.
            let mut goes_on = || ends.is_empty() && process.busy() == Some((*thread, *span));
            ends.contains(&end) || fault.kind == FaultKind::Endless && goes_on()
        }
        Violation::Deadlock(waiting) => waits(process, waiting),
        Violation::NotSerial(outcome) | Violation::FinalState(outcome) => {
            process.is_over() && process.outcome() == outcome.0
        }
        Violation::NotSequential(_) => true,
        // Of programs that run on another machine.
        Violation::NoWitness
        | Violation::Invariant(_)
        | Violation::Liveness(_)
        | Violation::Assertion { .. }
        | Violation::BadAccess { .. } => false,
    }
}

/// True if exactly these threads wait, once all that can still happen has: threads that spin read what they wait for once
/// more, and stores leave their buffers. A spurious wake-up need not happen.
fn waits(process: &mut Process<'_>, claimed: &[Waiting]) -> bool {
    let threads = |waiting: &[Waiting]| -> Vec<ThreadId> {
        let threads = waiting.iter();
        threads.map(|waiting| waiting.thread).collect()
    };
    for _ in 0..MOST_STEPS_TO_REST {
        let mut transitions = process.transitions().into_iter();
        let next = transitions.find(|next| !process.is_spurious(*next));
        let Some(next) = next else {
            let waiting = process.waiting();
            return !waiting.is_empty() && threads(&waiting) == threads(claimed);
        };
        process.perform(next);
        // Threads go on after another one has failed if traces are built.
        while process.limits.traced && process.take_end().is_some() {}
    }
    false
}

impl Process<'_> {
    /// True for a spurious wake-up.
    pub fn is_spurious(&self, transition: Transition) -> bool {
        matches!(transition, Transition::Run(id, _) if self.can_only_wake_spuriously(id))
    }
}
