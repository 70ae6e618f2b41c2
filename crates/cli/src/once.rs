//! `fencepost run`: one execution of a C program, as a user of the program would see it.

use crate::arguments::RunOptions;
use crate::engine::unsupported;
use crate::exit::Exit;
use crate::inputs::{self, Complaint, Input};
use crate::run::{complain, print_bytes};
use crate::watch::interrupts;
use program::{Bound, ModelResult, Program, Verdict};
use states::{Once, Options};
use std::io::Write;

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
    let asked = Options {
        interrupt: interrupts(),
        ..options.options()
    };
    let program = inputs::read(input, &options.inputs)?;
    let once = states::run_once(&program, options.model, &asked, options.schedule());
    let unsupported =
        |error: machine::Unsupported| unsupported(&program, options.model, &error.into());
    let Once {
        output,
        errors,
        mut result,
        ..
    } = once.map_err(unsupported)?;
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
            Bound::Unroll(..) | Bound::Steps(..) | Bound::Events(_)
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
