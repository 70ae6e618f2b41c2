//! Robustness: whether store buffers show anything that sequential consistency does not.
//!
//! There are two ways to find out, and [`judge`] is where an exploration takes them:
//!
//! - In an execution with store buffers: SC has no execution with the same trace exactly if the
//!   trace and program order have a cycle ([`cycle`]).
//! - In executions of SC alone, as Sober does: a [`Monitor`] follows each event as it is added to
//!   the trace and taken back. An access is *borderline* if it could have missed a write that
//!   happens before it, had stores waited in store buffers ([`borderline`] has the question,
//!   [`relaxed`] the relation that answers it). What is borderline is confirmed at the end of the
//!   execution ([`confirm`]) by one that a machine with store buffers runs ([`witness`]).
//!
//! The rest of the crate knows of robustness only what is public in this module: an explorer has a
//! monitor if its machine has no store buffers, the judge of executions asks [`judge`], and the
//! driver asks [`ends_search`] and [`refusal`].

mod borderline;
mod confirm;
mod cycle;
mod kind;
mod known_reads;
mod monitor;
mod overlaps;
mod relaxed;
mod rows;
mod witness;

pub use monitor::Monitor;

use crate::Options;
use crate::explorer::Explorer;
use crate::judge::Found;
use answer::Violation;
use machine::Unsupported;
use program::Span;

/// What becomes of executions that sequential consistency does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NonSequential {
    /// They are no violations.
    #[default]
    Ignore,
    /// They are violations, among others.
    AlsoReport,
    /// They are the only violations that end the search.
    ReportOnly,
}

/// Looks at a finished execution; false to stop the search.
pub fn judge(explorer: &mut Explorer<'_>, options: &Options, found: &mut Found) -> bool {
    let mut go_on = true;
    let sequential = explorer.trace.is_sequential();
    debug_assert_eq!(sequential, cycle::cycle(&explorer.trace).is_none());
    if !sequential {
        found.counts.not_sequential += 1;
        if options.robust != NonSequential::Ignore
            && let Some(links) = cycle::links(explorer)
        {
            let violation = Violation::NotSequential(links);
            go_on = found.report(options, violation, || explorer.path());
        }
    }
    if let Some(mut monitor) = explorer.monitor.take() {
        go_on &= monitor.judge(explorer, options, found);
        explorer.monitor = Some(monitor);
    }
    go_on
}

/// True if a violation is what the search is for.
pub fn ends_search(options: &Options, violation: &Violation) -> bool {
    options.robust != NonSequential::ReportOnly || is_not_sequential(violation)
}

/// Why there is no answer, if the monitor could not follow some execution. A violation that it has
/// shown is an answer whatever else there was.
pub fn refusal(found: &Found) -> Option<Unsupported> {
    let shown = |(violation, _): &(Violation, _)| is_not_sequential(violation);
    (found.monitor_gave_up && !found.violations.iter().any(shown)).then_some(Unsupported {
        what: "monitoring of programs that copy shared memory",
        span: Span::NOWHERE,
    })
}

/// True if a violation is an execution that SC does not have.
fn is_not_sequential(violation: &Violation) -> bool {
    matches!(violation, Violation::NotSequential(_))
}
