//! Limits that hold whatever the work is.
//!
//! Readers and engines look at their limits themselves ([`control::Stop`]), but now and then one does something
//! long in a single piece: it reads a file of a million lines, sorts what it has found, or frees
//! gigabytes. So all work is done in a thread of its own ([`within`]), and whoever needs it waits
//! until a limit is reached and then a moment longer, in which work that looks at its limits
//! ends with what it has found so far. After that the work is left behind: it goes on until it looks at
//! its limits or the process ends, but nothing of it is used, and the answer is *undecided*.

use crate::Refused;
use crate::engines::{Checker, SatOptions, remove_unfinished_proof};
use answer::{Bound, Counts, Engine, ModelResult, Warning};
use control::{Control, Progress};
use memory::Model;
use program::Program;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Time between two looks at the limits.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
/// How long work that has reached a limit may take to end.
const MOMENT: Duration = Duration::from_millis(300);
/// This part of the time limit is added to it, up to some seconds.
const MOMENT_OF_TIME: u32 = 20;
const LONGEST_MOMENT: Duration = Duration::from_secs(3);
/// Bytes of the stack of a thread that works; only what is used takes memory.
const STACK: usize = 64 << 20;

/// What came of the work, or the limit at which it was left behind.
pub fn within<T: Send + 'static>(
    control: &Control,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Bound> {
    let moment = |bound: Bound| match bound {
        Bound::Time(most) => MOMENT + (most / MOMENT_OF_TIME).min(LONGEST_MOMENT),
        _ => MOMENT,
    };
    within_moment(control, moment, work)
}

/// The same for work that may take this long after a limit is reached.
pub fn within_moment<T: Send + 'static>(
    control: &Control,
    moment: impl Fn(Bound) -> Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Bound> {
    let stop = control.without_turn().stop();
    let (send, done) = channel();
    let worker = std::thread::Builder::new().stack_size(STACK);
    let spawned = worker.spawn(move || {
        // Whoever waited may have gone.
        let _ = send.send(catch_unwind(AssertUnwindSafe(work)));
    });
    if let Err(error) = spawned {
        panic!("no thread to work in: {error}");
    }
    let mut reached: Option<(Bound, Instant)> = None;
    loop {
        match done.recv_timeout(BETWEEN_LOOKS) {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Disconnected) => panic!("the work has ended without a word"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let now = || Some((stop.look()?, Instant::now()));
        reached = reached.or_else(now);
        if let Some((bound, since)) = reached
            && since.elapsed() >= moment(bound)
        {
            return Err(bound);
        }
    }
}

/// What an engine finds, or that it was left behind.
pub fn run<C: Checker>(
    checker: &C,
    program: &Arc<Program>,
    model: Model,
) -> Result<ModelResult, Refused> {
    let (work, asked) = (program.clone(), checker.clone());
    let done = within(checker.control(), move || asked.check(&work, model));
    done.unwrap_or_else(|bound| {
        checker.clean_up();
        let seen = seen(&checker.control().progress);
        Ok(given_up(model, checker.engine(), bound, seen))
    })
}

/// The result of a solver that was left behind.
pub(crate) fn unsolved(model: Model, bound: Bound, options: &SatOptions) -> ModelResult {
    remove_unfinished_proof(options);
    given_up(model, Engine::Sat, bound, Counts::default())
}

/// How far a search was when it was last heard of.
pub(crate) fn seen(progress: &Progress) -> Counts {
    Counts {
        states: progress.states.load(Ordering::Relaxed),
        depth: progress.depth.load(Ordering::Relaxed),
        executions: progress.executions.load(Ordering::Relaxed),
        ..Counts::default()
    }
}

/// The result of work that was left behind.
fn given_up(model: Model, engine: Engine, bound: Bound, counts: Counts) -> ModelResult {
    let bound = match bound {
        Bound::Interrupted(_) => Bound::Interrupted(counts.states.max(counts.executions)),
        other => other,
    };
    ModelResult {
        bounds: vec![bound],
        counts,
        ..ModelResult::undecided(model, engine)
    }
}

/// The result for a program that was not read.
pub fn unread(model: Model, bound: Bound, time: Duration) -> ModelResult {
    let warning = Warning {
        span: program::Span::NOWHERE,
        message: "a limit was reached before the program was read".to_owned(),
    };
    ModelResult {
        warnings: vec![warning],
        time,
        ..given_up(model, Engine::None, bound, Counts::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(max_time: Option<Duration>) -> Control {
        Control::default().with_time(max_time)
    }

    #[test]
    fn work_that_ends_in_time_is_used() {
        assert_eq!(within(&limits(None), || 3), Ok(3));
        let late = Some(Duration::ZERO);
        assert_eq!(within(&limits(late), || 3), Ok(3));
    }

    #[test]
    fn work_that_does_not_end_is_left_behind() {
        let time = Duration::from_millis(20);
        let (keep, end) = channel::<()>();
        let done = within(&limits(Some(time)), move || end.recv().is_ok());
        assert_eq!(done, Err(Bound::Time(time)));
        drop(keep);
        let interrupted = limits(None);
        interrupted.interrupt.store(true, Ordering::Relaxed);
        let (keep, end) = channel::<()>();
        let done = within(&interrupted, move || end.recv().is_ok());
        assert_eq!(done, Err(Bound::Interrupted(0)));
        drop(keep);
    }

    #[test]
    fn a_panic_of_the_work_is_one_of_whoever_waits() {
        let limits = limits(None);
        let done = catch_unwind(|| within(&limits, || resume_unwind(Box::new("lost"))));
        let done: Result<Result<(), Bound>, _> = done;
        assert!(done.is_err());
    }
}
