//! Logs with indices, read from text: the order of rows does not matter.

use crate::{MODELS, for_all, interleavings, monitored};
use frontend::log::Log;
use program::LogEvent;
use std::fmt::Write;

/// A log with each thread's rows after those of the threads before it, and the lines that they had.
fn log(events: &[LogEvent]) -> String {
    let mut written = [0; 3];
    let mut rows: Vec<(u32, String)> = Vec::new();
    for event in events {
        let LogEvent {
            thread,
            operation,
            address,
            line,
            ..
        } = event;
        let mut row = format!("{thread},{},", operation.name());
        if operation.is_access() {
            let index = &mut written[*address as usize];
            *index += u32::from(operation.writes());
            let _ = write!(row, "x{address},{index},{line}");
        } else {
            let _ = write!(row, "{address},,{line}");
        }
        rows.push((*thread, row));
    }
    rows.sort_by_key(|(thread, _)| *thread);
    let rows: Vec<String> = rows.into_iter().map(|(_, row)| row).collect();
    format!("thread,operation,address,index,at\n{}\n", rows.join("\n"))
}

/// The events of a log in the order in which it gives them, with the lines that they had at first.
fn read(text: &str) -> Result<Vec<LogEvent>, String> {
    let mut log = Log::open("log", text.as_bytes()).map_err(|error| error.to_string())?;
    let mut events = Vec::new();
    while let Some(event) = log.next().map_err(|error| error.to_string())? {
        let line = log.position(event.at).and_then(|line| line.parse().ok());
        events.push(LogEvent {
            line: line.ok_or("no line")?,
            ..event
        });
    }
    Ok(events)
}

#[test]
fn any_order_of_rows_gives_the_same_points() {
    for_all(&interleavings(8), 3000, |(_, events)| {
        // What starts and ends without an event leaves no trace in a log.
        if events.iter().all(|event| !event.operation.is_access()) {
            return Ok(());
        }
        let text = log(events);
        let again = read(&text).map_err(|error| format!("{error}\n{text}"))?;
        for model in MODELS {
            let (mut found, mut expected) = (monitored(model, &again), monitored(model, events));
            found.sort_unstable();
            expected.sort_unstable();
            if found != expected {
                return Err(format!(
                    "{model}: {found:?} instead of {expected:?}\n{text}"
                ));
            }
        }
        Ok(())
    });
}
