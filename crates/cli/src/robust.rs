//! `fencepost robust`: whether store buffers show anything that sequential consistency does not.

use crate::arguments::{Format, RobustOptions};
use crate::exit::Exit;
use crate::run::{Files, Read, print, print_json, print_results};
use crate::watch::{interrupts, listener};
use answer::ModelResult;
use check::{Event, Options, Robust};

/// Answers for every program whether it is robust.
pub fn robust(options: &RobustOptions) -> Exit {
    let mut question = options.question();
    let control = &mut question.options.control;
    control.interrupt = interrupts();
    question.options.listener = match options.common.format {
        Format::Json => listener(&control.progress, |_| {}),
        Format::Text => listener(&control.progress, print_event),
    };
    let files = Files {
        options: &options.common,
        models: &options.model,
        control: &question.options.control,
    };
    let show = |read: &Read, results: &[ModelResult]| show(options, read, results);
    files.each(show, |read| {
        let question = Robust {
            options: Options {
                spent: read.time,
                ..question.options.clone()
            },
            ..question.clone()
        };
        let results = question.answers(&read.program, &options.model)?;
        show(read, &results);
        Ok(Exit::of(&results))
    })
}

/// A line on each bound of a series, and why there is one.
fn print_event(event: Event<'_>) {
    match event {
        Event::TooMany { model, executions } => {
            let why = match executions {
                None => "an execution that does not end".to_owned(),
                Some(seen) => format!("more than {} executions", report::grouped(seen)),
            };
            print(&format!(
                "{model}: {why}; first those with few preemptions\n"
            ));
        }
        Event::Bounded {
            preemptions,
            result,
        } => print(&report::bound_text(result, preemptions)),
        Event::SeriesEnded => print("\n"),
        _ => {}
    }
}

fn show(options: &RobustOptions, read: &Read, results: &[ModelResult]) {
    match options.common.format {
        Format::Json => print_json("robust", read, results),
        Format::Text => {
            let text = |result: &ModelResult| report::robust_text(&read.program, result);
            print_results(read, results, text, options.count);
        }
    }
}
