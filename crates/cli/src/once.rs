//! `fencepost run`: one execution of a C program, as a user of the program would see it.

use crate::arguments::RunOptions;
use crate::exit::Exit;
use crate::inputs::{self, Complaint, Input, read_within};
use crate::run::{complain, print_bytes};
use crate::save::Saver;
use crate::view::{view, view_of_errors};
use crate::watch::interrupts;
use answer::{Bound, ModelResult, Verdict};
use check::{Once, run_once};
use program::Program;
use report::View;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

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
    let saver = options.save.as_deref().map(Saver::new).transpose()?;
    let files = input.files();
    let mut asked = options.options();
    asked.control.interrupt = interrupts();
    let (input, read_by) = (input.clone(), options.inputs.clone());
    let started = Instant::now();
    let read = read_within(&asked.control, move |limit| {
        inputs::read(&input, &read_by, limit)
    });
    let program = Arc::new(read.map_err(|_| Complaint::Stopped)??);
    asked.spent = started.elapsed();
    let once = run_once(&program, options.model, &asked, options.schedule());
    let once = once.map_err(|refused| refused.diagnostic(&program, options.model))?;
    let Ok(once) = once else {
        tell!("fencepost: stopped by a limit; what the program printed is lost");
        return Ok(Exit::Undecided);
    };
    let Once {
        output,
        errors,
        mut result,
        ..
    } = once;
    let mut view_of_errors = view_of_errors();
    if let Some(saver) = &saver {
        let of = ("run", files, &options.inputs, None);
        let results = std::slice::from_ref(&result);
        let kept = saver.keep(0, of, &program, results);
        kept.map_err(Complaint::Plain)?;
        view_of_errors.replay = Some(saver.command());
    }
    match result.execution.take() {
        Some(execution) if options.trace => {
            let text = report::execution_text(&program, &result.started, &execution, &view());
            print_bytes(text.as_bytes());
        }
        _ => {
            print_bytes(&output);
            let _ = std::io::stderr().write_all(&errors);
        }
    }
    Ok(judge(&program, &result, &view_of_errors))
}

/// Says on standard error what went wrong, if anything did.
fn judge(program: &Program, result: &ModelResult, view: &View) -> Exit {
    let cut_off = result.bounds.iter().any(|bound| {
        let cuts = matches!(
            bound,
            Bound::Unroll(..) | Bound::Steps(..) | Bound::Events(_) | Bound::Unsupported(_)
        );
        cuts || bound.stops_search()
    });
    if result.verdict == Verdict::Violated || !result.warnings.is_empty() {
        // The first line says how large the search was, and there was none.
        let text = report::check_text(program, result, view);
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
