//! What every renderer makes of results built by hand, to the letter.

mod c;
mod check;
mod diagnostic;
mod execution;
mod explore;
mod json;
mod outcomes;
mod pictures;
mod store_buffering;

use answer::ModelResult;
use program::Program;
use report::{Command, Format, Report, View};
use std::time::Duration;

/// What the JSON format makes of results, read back.
fn json(
    command: Command,
    program: &Program,
    reading: Duration,
    results: &[ModelResult],
) -> serde_json::Value {
    let view = View::default();
    let report = Report {
        view: &view,
        command,
        program,
        reading,
        results,
        counts: false,
    };
    serde_json::from_str(&Format::Json.show(&report)).expect("it is JSON")
}
