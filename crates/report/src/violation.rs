//! Violations in plain words.

use crate::explanation::Place;
use crate::operands;
use crate::sites::{site, thread_name};
use crate::values::outcome_text;
use answer::{Execution, Fault, FaultKind, Link, Violation, Waiting};
use program::{Address, Formula, Program, Quantifier, Span, ThreadId};

/// One sentence on what is wrong.
pub(crate) fn sentence(program: &Program, started: &[String], violation: &Violation) -> String {
    match violation {
        Violation::FinalState(outcome) => {
            let outcome = outcome_text(program, outcome);
            match condition(program) {
                Some((Quantifier::Forall, formula)) => {
                    format!("the final state {outcome} does not satisfy {formula}")
                }
                Some((_, formula)) => {
                    format!("the final state {outcome} satisfies {formula}, which none may")
                }
                None => format!("the final state {outcome} breaks the condition"),
            }
        }
        Violation::NoWitness => match condition(program) {
            Some((_, formula)) => format!("no final state satisfies {formula}"),
            None => "no final state satisfies the condition".to_owned(),
        },
        Violation::Invariant(formula) => {
            format!("a reachable state breaks the invariant {formula}")
        }
        Violation::Liveness(liveness) => {
            let formula = &liveness.property.formula;
            if liveness.repeatedly {
                format!("a fair execution satisfies {formula} only finitely often")
            } else {
                format!("a fair execution never satisfies {formula}")
            }
        }
        Violation::Deadlock(waiting) => {
            format!(
                "deadlock: {} can never go on",
                thread_names(program, started, waiting)
            )
        }
        Violation::Fault {
            thread,
            span,
            fault,
        } => {
            let thread = thread_name(program, started, *thread);
            format!("{}, in {thread}{}", fault.message, site(program, *span))
        }
        Violation::NotSequential(_) => {
            "store buffers show an execution that sequential consistency does not have, by a cycle of \
             accesses"
                .to_owned()
        }
        Violation::NotSerial(_) => {
            "the client sees what the operations never show one after another, in no order".to_owned()
        }
        Violation::Assertion { thread, span } => {
            let thread = thread_name(program, started, *thread);
            format!("an assertion of {thread} fails{}", site(program, *span))
        }
        Violation::BadAccess {
            thread,
            span,
            address,
        } => {
            let thread = thread_name(program, started, *thread);
            bad_access(program, &thread, *address) + &site(program, *span)
        }
    }
}

fn bad_access(program: &Program, thread: &str, address: u64) -> String {
    let location = Address::from_word(address);
    match location.filter(|location| program.cell_at(*location).is_some()) {
        Some(location) => {
            let name = program.location_name(location);
            format!("{thread} accesses {name} in a width that is not its own")
        }
        None => format!("{thread} accesses {address:#x}, which is no location of the program"),
    }
}

fn condition(program: &Program) -> Option<(Quantifier, String)> {
    let condition = program.properties.condition.as_ref()?;
    let formula = condition.property.formula.to_string();
    Some((condition.quantifier, formula))
}

/// What failed, and where.
pub(crate) struct Headline {
    /// In a line.
    pub text: String,
    /// Where it failed.
    pub primary: Option<Place>,
    /// The other places that the violation names.
    pub secondary: Vec<Place>,
}

/// What failed, with values as far as the execution has them.
pub(crate) fn headline(
    program: &Program,
    started: &[String],
    violation: &Violation,
    execution: Option<&Execution>,
) -> Headline {
    let name = |thread: ThreadId| thread_name(program, started, thread);
    let place =
        |span: Span, label: String| (span != Span::NOWHERE).then_some(Place { span, label });
    let plain = |primary: Option<Place>| Headline {
        text: sentence(program, started, violation),
        primary,
        secondary: Vec::new(),
    };
    match violation {
        Violation::FinalState(_) | Violation::NoWitness => {
            let condition = program.properties.condition.as_ref();
            let span = condition.map_or(Span::NOWHERE, |condition| condition.property.span);
            plain(place(span, String::new()))
        }
        Violation::Invariant(formula) => plain(place(invariant(program, formula), String::new())),
        Violation::Liveness(liveness) => plain(place(liveness.property.span, String::new())),
        Violation::NotSequential(_) | Violation::NotSerial(_) => plain(None),
        Violation::Deadlock(waiting) => {
            // Who waits for the end of another thread is not to blame.
            let joins = |waiting: &&Waiting| waiting.reason.ends_with(" to end");
            let (joining, mut others): (Vec<&Waiting>, Vec<&Waiting>) =
                waiting.iter().partition(joins);
            others.extend(joining);
            let places = others.iter().filter_map(|waiting| {
                let name = name(waiting.thread);
                let reason = match waiting.reason.as_str() {
                    "" => "waits",
                    reason => reason,
                };
                place(waiting.span, format!("{name} {reason}"))
            });
            let mut places: Vec<Place> = places.collect();
            let primary = (!places.is_empty()).then(|| places.remove(0));
            Headline {
                secondary: places,
                ..plain(primary)
            }
        }
        Violation::Fault {
            thread,
            span,
            fault,
        } => {
            let values = execution
                .filter(|_| fault.kind == FaultKind::Assertion)
                .and_then(|execution| {
                    let text = asserted(program, *span, fault)?;
                    operands::values(execution, *thread, *span, &text)
                });
            let name = name(*thread);
            let label = match fault.kind {
                FaultKind::Assertion => format!("the assertion fails in {name}"),
                FaultKind::Race => format!("one access, by {name}"),
                _ => format!("in {name}"),
            };
            let others = fault.others.iter();
            let others = others.filter_map(|(span, what)| place(*span, what.clone()));
            Headline {
                text: values.unwrap_or_else(|| fault.message.clone()),
                primary: place(*span, label),
                secondary: others.collect(),
            }
        }
        Violation::Assertion { thread, span } => Headline {
            text: format!("an assertion of {} fails", name(*thread)),
            ..plain(place(*span, String::new()))
        },
        Violation::BadAccess {
            thread,
            span,
            address,
        } => Headline {
            text: bad_access(program, &name(*thread), *address),
            ..plain(place(*span, String::new()))
        },
    }
}

fn invariant(program: &Program, formula: &Formula) -> Span {
    let mut invariants = program.properties.invariants.iter();
    let found = invariants.find(|property| property.formula == *formula);
    found.map_or(Span::NOWHERE, |property| property.span)
}

/// The condition of an assertion, as its message or the source has it.
fn asserted(program: &Program, span: Span, fault: &Fault) -> Option<String> {
    let told = fault.message.strip_prefix("assertion `");
    if let Some(text) = told.and_then(|text| text.strip_suffix("` fails")) {
        return Some(text.to_owned());
    }
    let source = program.excerpt(span).strip_prefix("assert(")?;
    source
        .trim_end_matches(';')
        .strip_suffix(')')
        .map(str::to_owned)
}

/// The other places of a violation, or the accesses of a cycle, a line each.
pub(crate) fn details(program: &Program, started: &[String], violation: &Violation) -> Vec<String> {
    let line = |place: Place| format!("{}{}", place.label, site(program, place.span));
    match violation {
        Violation::Fault { .. } => {
            let places = headline(program, started, violation, None).secondary;
            places.into_iter().map(line).collect()
        }
        Violation::Deadlock(_) => {
            let Headline {
                primary, secondary, ..
            } = headline(program, started, violation, None);
            primary.into_iter().chain(secondary).map(line).collect()
        }
        Violation::NotSequential(cycle) => cycle_lines(program, started, cycle),
        _ => Vec::new(),
    }
}

/// Each access, and under it how it comes before the next.
fn cycle_lines(program: &Program, started: &[String], cycle: &[Link]) -> Vec<String> {
    let lines = cycle.iter().flat_map(|link| {
        let thread = thread_name(program, started, link.thread);
        let site = site(program, link.span);
        [
            format!("{}, by {thread}{site}", link.access),
            format!("  {}", link.order),
        ]
    });
    lines.chain(["the first of these".to_owned()]).collect()
}

fn thread_names(program: &Program, started: &[String], waiting: &[Waiting]) -> String {
    let names = waiting.iter();
    let names: Vec<String> = names
        .map(|waiting| thread_name(program, started, waiting.thread))
        .collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
