//! Times and sizes.

use program::{Counts, ModelResult};
use std::time::Duration;

pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        1.0.. => format!("{seconds:.2} s"),
        0.01.. => format!("{:.0} ms", seconds * 1e3),
        _ => format!("{:.2} ms", seconds * 1e3),
    }
}

/// `1 outcome`, `2 outcomes`.
pub(crate) fn count(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// Memory taken: in all for a small search, per state for one where it matters.
pub(crate) fn memory(counts: &Counts) -> String {
    const MANY: u64 = 10_000;
    if counts.states < MANY {
        return format!("{} kB", counts.bytes.div_ceil(1000));
    }
    let bytes = counts.bytes as f64 / counts.states as f64;
    format!("{bytes:.1} bytes/state")
}

/// What the result is limited to; empty if it covers everything.
pub(crate) fn limits(result: &ModelResult) -> String {
    if result.bounds.is_empty() {
        String::new()
    } else {
        format!("covers {}", result.covers())
    }
}
