//! Limits that hold whatever the work is.
//!
//! Readers and engines look at their limits themselves ([`machine::Stop`]), but now and then one does something
//! long in a single piece: it reads a file of a million lines, sorts what it has found, or frees
//! gigabytes. So all work is done in a thread of its own ([`within`]), and whoever needs it waits
//! until a limit is reached and then a moment longer, in which work that looks at its limits
//! ends with what it has found so far. After that the work is left behind: it goes on until it looks at
//! its limits or the command ends, but nothing of it is used, and the answer is *undecided*.

use machine::{Stop, Unsupported};
use memory::Model;
use program::{Bound, Counts, Estimate, Execution, Formula, ModelResult, Program, Warning};
use solve::NotSolvable;
use states::{Progress, Refusal};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// What work may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The user's wish to stop.
    pub interrupt: Arc<AtomicBool>,
    /// The longest time.
    pub max_time: Option<Duration>,
    /// Most bytes of the whole process.
    pub max_bytes: Option<u64>,
}

impl From<&states::Options> for Limits {
    fn from(options: &states::Options) -> Self {
        Limits {
            interrupt: options.interrupt.clone(),
            max_time: options.max_time,
            max_bytes: options.max_bytes,
        }
    }
}

impl From<&solve::Options> for Limits {
    fn from(options: &solve::Options) -> Self {
        Limits {
            interrupt: options.interrupt.clone(),
            max_time: options.max_time,
            max_bytes: options.max_bytes,
        }
    }
}

impl Limits {
    /// Looks at the limits of work that begins now.
    pub fn stop(&self) -> Stop {
        Stop::new(&self.interrupt, self.max_time, self.max_bytes)
    }
}

/// What came of the work, or the limit at which it was left behind.
pub fn within<T: Send + 'static>(
    limits: &Limits,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Bound> {
    let moment = |bound: Bound| match bound {
        Bound::Time(most) => MOMENT + (most / MOMENT_OF_TIME).min(LONGEST_MOMENT),
        _ => MOMENT,
    };
    within_moment(limits, moment, work)
}

/// The same for work that may take this long after a limit is reached.
pub fn within_moment<T: Send + 'static>(
    limits: &Limits,
    moment: impl Fn(Bound) -> Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Bound> {
    let stop = limits.stop();
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

/// The engine `states`.
pub fn states(
    program: &Arc<Program>,
    model: Model,
    options: &states::Options,
) -> Result<ModelResult, Refusal> {
    let (work, asked) = (program.clone(), options.clone());
    let done = within(&options.into(), move || states::run(&work, model, &asked));
    done.unwrap_or_else(|bound| {
        let seen = seen(&options.progress);
        Ok(given_up(model.name(), "states", bound, seen))
    })
}

/// The shortest execution to a final state, by the engine `states`, or the limit that was reached
/// before it was found.
pub fn execution_to(
    program: &Arc<Program>,
    model: Model,
    options: &states::Options,
    goal: &Formula,
) -> Result<Result<Option<Execution>, Bound>, Unsupported> {
    let (work, asked, goal) = (program.clone(), options.clone(), goal.clone());
    let done = within(&options.into(), move || {
        states::execution_to(&work, model, &asked, &goal)
    });
    done.unwrap_or_else(|bound| Ok(Err(bound)))
}

/// The engine `explore`, or `monitor`.
pub fn explore(
    program: &Arc<Program>,
    model: Model,
    options: &explore::Options,
) -> Result<ModelResult, Unsupported> {
    let (work, asked) = (program.clone(), options.clone());
    let limits = Limits::from(&options.search);
    let done = within(&limits, move || explore::run(&work, model, &asked));
    done.unwrap_or_else(|bound| {
        let engine = if options.monitor {
            "monitor"
        } else {
            "explore"
        };
        let seen = seen(&options.search.progress);
        Ok(given_up(model.name(), engine, bound, seen))
    })
}

/// How many executions there may be.
pub fn estimate(
    program: &Arc<Program>,
    model: Model,
    options: &explore::Options,
) -> Result<Estimate, Unsupported> {
    let (work, asked) = (program.clone(), options.clone());
    let limits = Limits::from(&options.search);
    let done = within(&limits, move || explore::estimate(&work, model, &asked));
    // No walk has ended.
    done.unwrap_or_else(|_| Ok(Estimate::default()))
}

/// The engine `sat`.
pub fn solve(
    program: &Arc<Program>,
    model: Model,
    options: &solve::Options,
    outcomes: bool,
) -> Result<ModelResult, NotSolvable> {
    let (work, asked) = (program.clone(), options.clone());
    let run = move || solve::run(&work, model, &asked, outcomes);
    let done = within(&options.into(), run);
    done.unwrap_or_else(|bound| Ok(unsolved(model, bound, options)))
}

/// The result of a solver that was left behind.
pub fn unsolved(model: Model, bound: Bound, options: &solve::Options) -> ModelResult {
    // Half a proof is none. What is no file, such as a device, is not ours to remove.
    let is_file = |path: &&PathBuf| path.symlink_metadata().is_ok_and(|found| found.is_file());
    if let Some(proof) = options.certificate.as_ref().filter(is_file) {
        let _ = std::fs::remove_file(proof);
    }
    given_up(model.name(), solve::ENGINE, bound, Counts::default())
}

/// How far a search was when it was last heard of.
fn seen(progress: &Progress) -> Counts {
    Counts {
        states: progress.states.load(Ordering::Relaxed),
        depth: progress.depth.load(Ordering::Relaxed),
        executions: progress.executions.load(Ordering::Relaxed),
        ..Counts::default()
    }
}

/// The result of work that was left behind.
fn given_up(
    model: &'static str,
    engine: &'static str,
    bound: Bound,
    counts: Counts,
) -> ModelResult {
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
pub fn unread(model: &'static str, bound: Bound, time: Duration) -> ModelResult {
    let warning = Warning {
        span: program::Span::NOWHERE,
        message: "a limit was reached before the program was read".to_owned(),
    };
    ModelResult {
        warnings: vec![warning],
        time,
        ..given_up(model, "none", bound, Counts::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(max_time: Option<Duration>) -> Limits {
        Limits {
            interrupt: Arc::default(),
            max_time,
            max_bytes: None,
        }
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
