//! `fencepost run`: one execution of a C program, as a user of the program would see it.

use crate::arguments::RunOptions;
use crate::engine::{tell_all_time, unsupported};
use crate::exit::Exit;
use crate::guard::{Limits, within};
use crate::inputs::{self, Complaint, Input, read_within};
use crate::run::{complain, print_bytes};
use crate::watch::interrupts;
use program::{Bound, ModelResult, Program, Verdict};
use states::{Once, Options};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs a program once.
pub fn once(options: &RunOptions) -> Exit {
    run(options).unwrap_or_else(|complaint| complain(&complaint))
}

fn run(options: &RunOptions) -> Result<Exit, Complaint> {
    let inputs = inputs::inputs(&options.inputs)?;
    let [input @ Input::C(_)] = inputs.as_slice() else {
        let text = "run takes one C program; outcomes --trace shows executions of litmus tests";
        return Err(Complaint::Plain(text.to_owned()));
    };
    let mut asked = Options {
        interrupt: interrupts(),
        ..options.options()
    };
    let (input, read_by) = (input.clone(), options.inputs.clone());
    let limits = Limits::from(&asked);
    let started = Instant::now();
    let read = read_within(&limits, move |limit| inputs::read(&input, &read_by, limit));
    let program = Arc::new(read.map_err(|_| Complaint::Stopped)??);
    let left = |time: Duration| time.saturating_sub(started.elapsed());
    let most = asked.max_time;
    asked.max_time = most.map(left);
    let (ran, model, schedule) = (program.clone(), options.model, options.schedule());
    let limits = Limits::from(&asked);
    let once = within(&limits, move || {
        states::run_once(&ran, model, &asked, schedule)
    });
    let Ok(once) = once else {
        tell!("fencepost: stopped by a limit; what the program printed is lost");
        return Ok(Exit::Undecided);
    };
    let unsupported =
        |error: machine::Unsupported| unsupported(&program, options.model, &error.into());
    let Once {
        output,
        errors,
        mut result,
        ..
    } = once.map_err(unsupported)?;
    tell_all_time(&mut result, most);
    match result.execution.take() {
        Some(execution) if options.trace => {
            let text = report::execution_text(&program, &result.started, &execution);
            print_bytes(text.as_bytes());
        }
        _ => {
            print_bytes(&output);
            let _ = std::io::stderr().write_all(&errors);
        }
    }
    Ok(judge(&program, &result))
}

/// Says on standard error what went wrong, if anything did.
fn judge(program: &Program, result: &ModelResult) -> Exit {
    let cut_off = result.bounds.iter().any(|bound| {
        let cuts = matches!(
            bound,
            Bound::Unroll(..) | Bound::Steps(..) | Bound::Events(_) | Bound::Unsupported(_)
        );
        cuts || bound.stops_search()
    });
    if result.verdict == Verdict::Violated || !result.warnings.is_empty() {
        // The first line says how large the search was, and there was none.
        let text = report::check_text(program, result);
        crate::run::write_error(format_args!(
            "{}",
            text.split_once('\n').map_or("", |(_, rest)| rest)
        ));
    }
    match result.verdict {
        Verdict::Violated => Exit::Violated,
        _ if cut_off => {
            tell!("fencepost: cut off after {}", result.covers());
            Exit::Undecided
        }
        verdict => verdict.into(),
    }
}
