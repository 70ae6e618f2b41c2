//! A run of the automata as an execution of the program.

use crate::automaton::{Event as Happening, Location, System, Value};
use crate::bounded::{Action, RunStep};
use answer::{AccessEvent, Event, Execution, MemoryAccess, Step};
use machine::Failure;
use program::{Orderings, Program, Span, ThreadId, Word};

/// The execution that a run is, with what fails at its end. Computing and branching are not part of a run, so they are not in it.
pub(crate) fn execution(
    program: &Program,
    system: &System,
    run: &[RunStep],
    failure: Option<(ThreadId, Failure)>,
) -> Execution {
    let mut steps: Vec<Step> = run
        .iter()
        .filter_map(|step| step_of(system, step))
        .collect();
    if let Some((thread, failure)) = failure {
        let (span, event) = match failure {
            Failure::Assertion(span) => (span, Event::AssertFailed),
            Failure::BadAccess(span, address) => (span, Event::BadAccess { address }),
        };
        steps.push(Step::new(thread, span, event));
    }
    Execution::new(program, steps, None)
}

fn step_of(system: &System, step: &RunStep) -> Option<Step> {
    let access = |kind, location: Location, value: Value, written: Option<Value>| {
        let word = |value: Value| -> Word { system.word(location, value) };
        let address = system.locations[location.index()].address;
        let written = written.map(word);
        Event::Access(MemoryAccess::of_cell(kind, address, word(value), written))
    };
    let (span, event) = match step.action {
        // The step that put the store into the buffer says which instruction it is.
        Action::Flush(location, value) => (
            Span::NOWHERE,
            access(AccessEvent::Commit, location, value, None),
        ),
        Action::Take {
            transition,
            buffered,
        } => {
            let event = match transition.event {
                Happening::Skip => return None,
                Happening::Read(location, value) => {
                    let kind = if buffered {
                        AccessEvent::Forward
                    } else {
                        AccessEvent::Load
                    };
                    access(kind, location, value, None)
                }
                Happening::Write(location, value) => {
                    let kind = if buffered {
                        AccessEvent::Buffer
                    } else {
                        AccessEvent::Commit
                    };
                    access(kind, location, value, None)
                }
                Happening::Update {
                    location,
                    read,
                    written,
                } => access(AccessEvent::Update, location, read, written),
                Happening::Fence => Event::Fence(Orderings::ALL),
                Happening::Barrier(orderings) => Event::FenceWaits(orderings),
            };
            (transition.span, event)
        }
    };
    Some(Step::new(step.thread.into(), span, event))
}
