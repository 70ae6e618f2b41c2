//! Executions that are built by hand, step by step.

use answer::{AccessEvent, Datum, Event, Execution, Location, MemoryAccess, Step};
use program::{Program, Source, Span, ThreadId};

/// An access of `size` bytes.
pub fn access(thread: u32, kind: AccessEvent, address: u64, size: u32) -> Step {
    let location = Location {
        address,
        size,
        name: format!("at {address}"),
    };
    let value = || Datum::text(1, "1".to_owned());
    let written = (kind == AccessEvent::Update).then(value);
    let access = MemoryAccess::new(kind, location, value(), written);
    Step::new(ThreadId(thread), Span::NOWHERE, Event::Access(access))
}

/// An execution of a program that has nothing but these steps.
pub fn execution(steps: Vec<Step>) -> Execution {
    let program = Program::empty("test".to_owned(), Source::new("test", ""));
    Execution::new(&program, steps, None)
}
