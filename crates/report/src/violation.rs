//! Violations in plain words.

use crate::sites::{site, thread_name};
use crate::values::outcome_text;
use answer::{Link, Violation, Waiting};
use program::{Address, Program, Quantifier, Span};

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
            let site = site(program, *span);
            let location = Address::from_word(*address);
            match location.filter(|location| program.cell_at(*location).is_some()) {
                Some(location) => {
                    let name = program.location_name(location);
                    format!("{thread} accesses {name} in a width that is not its own{site}")
                }
                None => {
                    format!(
                        "{thread} accesses {address:#x}, which is no location of the program{site}"
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

/// What else there is to say, a line each: the other places involved, what each thread
/// of a deadlock waits for, the accesses of a cycle.
pub(crate) fn details(program: &Program, started: &[String], violation: &Violation) -> Vec<String> {
    match violation {
        Violation::Fault { fault, .. } => {
            let others = fault.others.iter();
            let others = others.map(|(span, what)| format!("{what}{}", site(program, *span)));
            others.collect()
        }
        Violation::Deadlock(waiting) => {
            let told = waiting.iter().filter(|thread| !thread.reason.is_empty());
            told.map(|waiting| {
                let thread = thread_name(program, started, waiting.thread);
                format!("{thread} {}{}", waiting.reason, site(program, waiting.span))
            })
            .collect()
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
    let first = ["the first of these".to_owned()];
    let fences = fence_lines(program, started, cycle).into_iter();
    fences.chain(lines).chain(first).collect()
}

/// Which stores had to wait, and what would have kept them from it.
fn fence_lines(program: &Program, started: &[String], cycle: &[Link]) -> Vec<String> {
    let next = cycle.iter().cycle().skip(1);
    let overtaken = cycle.iter().zip(next).filter(|(link, _)| link.overtaken);
    let lines = overtaken.map(|(store, access)| {
        let thread = thread_name(program, started, store.thread);
        let fence = match (access.access.starts_with("store"), program.process) {
            (false, true) => "atomic_thread_fence(memory_order_seq_cst)",
            (true, true) => "atomic_thread_fence(memory_order_release)",
            (false, false) => "MFENCE, or membar #StoreLoad",
            (true, false) => "membar #StoreStore",
        };
        let line = |link: &Link| match link.span {
            Span::NOWHERE => String::new(),
            span => format!(" at line {}", span.line),
        };
        format!(
            "the {}{} waits while the {}{}, later in {thread}, overtakes it; a fence between them \
             would stop that: {fence}",
            store.access,
            line(store),
            access.access,
            line(access),
        )
    });
    lines.collect()
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
