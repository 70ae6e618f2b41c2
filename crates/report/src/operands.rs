//! The values behind a failed assertion: `counter is 1, expected 2`.
//!
//! The machine tells what the last comparison compared, and the assertion's text says what that was. Where the two do not fit
//! together, as with `a || b`, the locations are listed that the assertion read, with their values.

use answer::{AccessEvent, Datum, Event, Execution, MemoryAccess, StepId};
use program::{Span, ThreadId};

/// Comparisons as C writes them, the longer ones first, each with how its right operand is expected to be. The machine has
/// the operands of `>` and `>=` the other way round.
const COMPARISONS: [(&str, &str, bool); 6] = [
    ("==", "", false),
    ("!=", "something else than ", false),
    ("<=", "at most ", false),
    (">=", "at least ", true),
    ("<", "less than ", false),
    (">", "more than ", true),
];

/// What is wrong with the values that an assertion of this text has, as far as they are known.
pub(crate) fn values(
    execution: &Execution,
    thread: ThreadId,
    span: Span,
    text: &str,
) -> Option<String> {
    let reads = reads(execution, thread, span);
    let compared = execution.steps.iter().rev().find_map(|step| {
        let Event::Compare { left, right } = &step.event else {
            return None;
        };
        (step.thread == thread).then_some((left, right))
    });
    compared
        .and_then(|compared| comparison(text, compared, &reads))
        .or_else(|| list(text, &reads))
}

/// What a thread read last of each location on the way into an assertion.
pub(crate) fn reads(execution: &Execution, thread: ThreadId, span: Span) -> Vec<&MemoryAccess> {
    let own = execution.steps.iter().rev();
    let own = own.filter(|step| step.thread == thread);
    let at = own.take_while(|step| {
        let called_there = step
            .stack
            .iter()
            .any(|call| call.span.line == span.line && call.span.file == span.file);
        (step.span.file, step.span.line) == (span.file, span.line)
            || called_there
            || is_flush(&step.event)
    });
    let mut found: Vec<&MemoryAccess> = Vec::new();
    for step in at {
        if let Event::Access(access) = &step.event
            && matches!(access.kind, AccessEvent::Load | AccessEvent::Forward)
            && !found.iter().any(|known| known.location == access.location)
        {
            found.push(access);
        }
    }
    found.reverse();
    found
}

/// The store that an access reads, if there is one.
pub(crate) fn source(access: &MemoryAccess) -> Option<StepId> {
    access.reads_from
}

fn is_flush(event: &Event) -> bool {
    matches!(event, Event::Access(access) if access.kind == AccessEvent::Commit && access.issued_by.is_some())
}

fn comparison(
    text: &str,
    (left, right): (&Datum, &Datum),
    reads: &[&MemoryAccess],
) -> Option<String> {
    let (written, expected, swapped, other) = split(text)?;
    let (left, right) = if swapped {
        (right, left)
    } else {
        (left, right)
    };
    // The literal may stand on either side.
    let literal = |text: &str| text.parse::<i64>().is_ok();
    let fits = |text: &str, value: &Datum| !literal(text) || text == value.to_string();
    if !fits(written, left) || !fits(other, right) {
        return None;
    }
    if literal(written) && !literal(other) {
        let name = name(other, right, reads);
        return Some(match expected {
            "" => format!("{name} is {right}, expected {written}"),
            _ => format!("{name} is {right}, but `{text}` is asserted"),
        });
    }
    let name = name(written, left, reads);
    Some(if literal(other) {
        format!("{name} is {left}, expected {expected}{right}")
    } else {
        let other = self::name(other, right, reads);
        format!("{name} is {left}, expected {expected}{other}, which is {right}")
    })
}

/// The operands of an assertion that is a single comparison.
fn split(text: &str) -> Option<(&str, &'static str, bool, &str)> {
    let mut depth = 0_i32;
    let mut found = None;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            // Other operators bind less tightly, or make a string of it.
            b'"' | b'\'' | b'?' => return None,
            _ => {}
        }
        let rest = text.get(at..).unwrap_or("");
        if depth == 0 {
            if rest.starts_with("&&") || rest.starts_with("||") {
                return None;
            }
            let shift = ["<<", ">>", "->"]
                .into_iter()
                .find(|sign| rest.starts_with(sign));
            let comparison = COMPARISONS.iter().find(|(sign, ..)| rest.starts_with(sign));
            match (shift, comparison) {
                (Some(shift), _) => at += shift.len() - 1,
                (None, Some(_)) if found.is_some() => return None,
                (None, Some((sign, expected, swapped))) => {
                    found = Some((at, at + sign.len(), *expected, *swapped));
                    at += sign.len() - 1;
                }
                (None, None) => {}
            }
        }
        at += 1;
    }
    let (end, start, expected, swapped) = found?;
    Some((text[..end].trim(), expected, swapped, text[start..].trim()))
}

/// An operand as people call it: the location that it loads, if it does nothing else.
fn name<'t>(text: &'t str, value: &Datum, reads: &[&'t MemoryAccess]) -> &'t str {
    let loads = |access: &&&MemoryAccess| {
        let name = access.location.name.as_str();
        access.value.to_string() == value.to_string() && is_load(text, name)
    };
    reads
        .iter()
        .find(loads)
        .map_or(text, |access| &access.location.name)
}

/// True for `x`, `load(&x)`, `atomic_load_explicit(&x, memory_order_relaxed)`.
fn is_load(text: &str, name: &str) -> bool {
    let inner = text.split_once('(').map_or(text, |(_, inner)| inner);
    let inner = inner.split([',', ')']).next().unwrap_or("");
    inner.trim().trim_start_matches('&') == name
}

fn list(text: &str, reads: &[&MemoryAccess]) -> Option<String> {
    let values = reads.iter();
    let values: Vec<String> = values
        .map(|access| format!("{} is {}", access.location.name, access.value))
        .collect();
    match values.as_slice() {
        [] => None,
        values => Some(format!("`{text}` fails: {}", values.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_comparisons_have_two_operands() {
        assert_eq!(split("x == 3"), Some(("x", "", false, "3")));
        assert_eq!(
            split("load(&n) <= 2"),
            Some(("load(&n)", "at most ", false, "2"))
        );
        assert_eq!(
            split("p->n > 1 << 3"),
            Some(("p->n", "more than ", true, "1 << 3"))
        );
        for text in [
            "a || b",
            "a == 1 && b == 2",
            "f(a == 1)",
            "a < b < c",
            "x",
            "x == 'a'",
        ] {
            assert_eq!(split(text), None, "{text}");
        }
    }

    #[test]
    fn loads_are_known_by_their_location() {
        assert!(is_load("counter", "counter"));
        assert!(is_load("load(&counter)", "counter"));
        assert!(is_load(
            "atomic_load_explicit(&x, memory_order_relaxed)",
            "x"
        ));
        assert!(!is_load("x + 1", "x"));
        assert!(!is_load("load(&xy)", "x"));
    }
}
