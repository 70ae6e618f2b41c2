//! Executions that are longer than the monitor's memory, with more threads than it has room for at
//! first.

use crate::{MODELS, for_all, naive};
use monitor::Monitor;
use program::{LogEvent, LogOperation};
use proptest::prelude::*;

/// Events of up to 20 threads; few threads and locations are more likely than many.
fn executions() -> impl Strategy<Value = Vec<LogEvent>> {
    let operation = prop_oneof![
        8 => Just(LogOperation::Load),
        8 => Just(LogOperation::Store),
        1 => Just(LogOperation::Interlocked),
        1 => Just(LogOperation::FailedInterlocked),
        1 => Just(LogOperation::Fence),
        1 => Just(LogOperation::StoreStoreFence),
        1 => Just(LogOperation::StoreLoadFence),
    ];
    (2..20u32, 1..4u32).prop_flat_map(move |(threads, locations)| {
        let row = (0..threads, 0..threads, operation.clone(), 0..locations);
        proptest::collection::vec(row, 200..400).prop_map(|rows| {
            let rows = rows.into_iter().zip(1..);
            rows.map(|((thread, other, operation, address), line)| LogEvent {
                // Threads of high numbers are slow.
                thread: thread.min(other),
                operation,
                address,
                line,
                at: LogEvent::NOWHERE,
            })
            .collect()
        })
    })
}

/// What is dropped hides points at most, and only if the monitor says so.
#[test]
fn what_is_dropped_makes_nothing_up() {
    for_all(&executions(), 60, |events| {
        for model in MODELS {
            let mut monitor = Monitor::new(model).expect("a model with store buffers");
            let found = events.iter().filter_map(|event| monitor.event(event));
            let found: Vec<_> = found.map(|p| (p.event.line, p.write.line)).collect();
            let expected = naive::monitor(model, events);
            let all = found == expected;
            if !all && monitor.forgotten() == 0 {
                return Err(format!("{model}: {found:?} instead of {expected:?}"));
            }
            if let Some(point) = found.iter().find(|point| !expected.contains(point)) {
                return Err(format!("{model}: {point:?} is made up"));
            }
        }
        Ok(())
    });
}
