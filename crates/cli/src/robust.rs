//! `fencepost robust`: whether store buffers show anything that sequential consistency does not.

use crate::arguments::RobustOptions;
use crate::exit::Exit;
use crate::run::{Files, Read, complain, print};
use crate::watch::{interrupts, listener};
use answer::ModelResult;
use check::{Event, Options, Question, Robust};
use report::{Command, Format};

/// Answers for every program whether it is robust.
pub fn robust(options: &RobustOptions) -> Exit {
    if let Err(complaint) = options.pictures.check(&options.common.inputs) {
        return complain(&complaint);
    }
    let mut question = options.question();
    let control = &mut question.options.control;
    control.interrupt = interrupts();
    let text = options.common.output.format == Format::Text;
    question.options.listener = listener(&control.progress, move |event| {
        if text {
            print_event(event);
        }
    });
    let files = Files {
        options: &options.common,
        models: &options.model,
        control: &question.options.control,
    };
    let format = options.common.output.format;
    let show = |read: &Read, results: &[ModelResult]| {
        let to = (format, &options.pictures);
        read.show(to, Command::Robust, results, options.count);
    };
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
