//! Violations in plain words.

use crate::values::outcome_text;
use program::{Address, Program, Quantifier, Span, ThreadId, Violation};

/// One sentence on what is wrong.
pub(crate) fn sentence(program: &Program, violation: &Violation) -> String {
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
        Violation::Deadlock(threads) => {
            format!(
                "deadlock: {} can never go on",
                thread_names(program, threads)
            )
        }
        Violation::Assertion { thread, span } => {
            let thread = thread_name(program, *thread);
            format!("an assertion of {thread} fails{}", site(program, *span))
        }
        Violation::BadAccess {
            thread,
            span,
            address,
        } => {
            let thread = thread_name(program, *thread);
            let site = site(program, *span);
            let place = Address::from_word(*address);
            match place.filter(|place| program.cell_at(*place).is_some()) {
                Some(place) => {
                    let name = program.place_name(place);
                    format!("{thread} accesses {name} in a width that is not its own{site}")
                }
                None => {
                    format!(
                        "{thread} accesses {address:#x}, which is no place of the program{site}"
                    )
                }
            }
        }
    }
}

fn condition(program: &Program) -> Option<(Quantifier, String)> {
    let condition = program.properties.condition.as_ref()?;
    let formula = condition.property.formula.to_string();
    Some((condition.quantifier, formula))
}

/// The name of a thread; threads started later have none and go by number.
pub(crate) fn thread_name(program: &Program, thread: ThreadId) -> String {
    match program.threads.get(thread.index()) {
        Some(found) => found.name.clone(),
        None => thread.to_string(),
    }
}

fn thread_names(program: &Program, threads: &[ThreadId]) -> String {
    let names: Vec<String> = threads.iter().map(|t| thread_name(program, *t)).collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// `: MOV [x],$1 (SB.litmus:4:2)`, or nothing for code without a place.
fn site(program: &Program, span: Span) -> String {
    if span == Span::NOWHERE {
        return String::new();
    }
    let text = program.source.excerpt(span);
    let gap = if text.is_empty() { "" } else { " " };
    format!(": {text}{gap}({}:{span})", program.source.name)
}
