//! Times and sizes.

use answer::{Counts, Engine, ModelResult, Unit};
use std::time::Duration;

/// A time, with a few digits.
pub fn time(time: Duration) -> String {
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

/// How much a search went through: `40 states`, `6 executions and 2 blocked ones`.
pub(crate) fn size(result: &ModelResult) -> String {
    size_of(result.engine, &result.counts)
}

/// The same for an engine.
pub(crate) fn size_of(engine: Engine, counts: &Counts) -> String {
    // A solver explores nothing; what it is given has a size.
    if engine == Engine::Sat {
        return match counts.events {
            1 => "1 access".to_owned(),
            accesses => format!("{accesses} accesses"),
        };
    }
    match (engine.unit(), counts.blocked) {
        (Unit::State, _) => count(counts.states, "state"),
        (Unit::Execution, 0) => count(counts.executions, "execution"),
        (Unit::Execution, 1) => count(counts.executions, "execution") + " and a blocked one",
        (Unit::Execution, blocked) => {
            let executions = count(counts.executions, "execution");
            format!("{executions} and {blocked} blocked ones")
        }
    }
}

/// A number for people, in groups of three digits: `226,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time that is only guessed at.
pub fn rough_time(seconds: f64) -> String {
    const UNITS: [(f64, &str); 5] = [
        (1.0, "second"),
        (60.0, "minute"),
        (3600.0, "hour"),
        (86_400.0, "day"),
        (31_557_600.0, "year"),
    ];
    if seconds < 1.0 {
        return "less than a second".to_owned();
    }
    // A unit is used once there is more than one and a half of it.
    let fits = |(length, _): &&(f64, &str)| *length == 1.0 || seconds >= 1.6 * length;
    let (length, name) = UNITS.iter().rev().find(fits).unwrap_or(&UNITS[0]);
    let number = seconds / length;
    if number < 1e6 {
        format!("about {}", count(number.round() as u64, name))
    } else {
        "millions of years".to_owned()
    }
}

/// Memory taken: in all for a small search, per state for one where it matters.
pub(crate) fn memory(result: &ModelResult) -> String {
    const MANY: u64 = 10_000;
    let counts = &result.counts;
    if result.engine == Engine::Sat {
        return String::new();
    }
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
