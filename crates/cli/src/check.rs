//! `fencepost check`: the verdict under each model, or how large the search may be.

use crate::arguments::CheckOptions;
use crate::exit::Exit;
use crate::proof;
use crate::run::{Files, Read, complain, print};
use crate::watch::{interrupts, listener};
use answer::ModelResult;
use check::proof::is_proved;
use check::{Check, Event, Options, Preemptions, Question};
use program::Diagnostic;
use report::{Command, Format};

/// Checks every program, or prints how large the searches may be.
pub fn check(options: &CheckOptions) -> Exit {
    let mut question = options.question();
    let control = &mut question.options.control;
    control.interrupt = interrupts();
    let text = options.common.output.format == Format::Text;
    question.options.listener = listener(&control.progress, move |event| {
        if let (
            true,
            Event::Bounded {
                preemptions,
                result,
            },
        ) = (text, event)
        {
            print(&report::bound_text(result, preemptions));
        }
    });
    let pictures = options.pictures.check(&options.common.inputs);
    let proof = || proof::one(options.proof.as_deref(), &options.common, &options.model);
    if let Err(complaint) = pictures.and_then(|()| proof()) {
        return complain(&complaint);
    }
    let files = Files {
        options: &options.common,
        models: &options.model,
        control: &question.options.control,
    };
    let show = |read: &Read, results: &[ModelResult]| {
        if options.estimate {
            no_estimate();
        } else {
            show(options, read, results);
        }
    };
    files.each(show, |read| {
        let question = Check {
            options: Options {
                spent: read.time,
                ..question.options.clone()
            },
            ..question.clone()
        };
        if options.estimate {
            estimate(options, &question, read)
        } else {
            search(options, &question, read)
        }
    })
}

fn search(options: &CheckOptions, question: &Check, read: &Read) -> Result<Exit, Box<Diagnostic>> {
    let results = question.answers(&read.program, &options.model)?;
    show(options, read, &results);
    if let (Some(path), [result]) = (&options.proof, results.as_slice()) {
        proof::tell(path, is_proved(result), options.common.output.format);
    }
    Ok(Exit::of(&results))
}

/// Prints how many executions there are likely to be.
fn estimate(
    options: &CheckOptions,
    question: &Check,
    read: &Read,
) -> Result<Exit, Box<Diagnostic>> {
    let estimates = question.estimates(&read.program, &options.model)?;
    if estimates.iter().any(|known| known.estimate.walks == 0) {
        no_estimate();
        return Ok(Exit::Undecided);
    }
    let rows = estimates
        .iter()
        .map(|known| (known.model.name(), known.estimate, known.seconds));
    let rows: Vec<_> = rows.collect();
    if options.common.output.format == Format::Json {
        let estimates = report::estimates_json(&read.program, &rows);
        print(&format!("{estimates}\n"));
    } else {
        for (model, estimate, seconds) in &rows {
            print(&report::estimate_text(model, estimate, *seconds));
        }
    }
    Ok(Exit::Holds)
}

fn show(options: &CheckOptions, read: &Read, results: &[ModelResult]) {
    let format = options.common.output.format;
    // Lines on one bound each stand before.
    if let (Format::Text, Some(Preemptions::From(_))) = (format, options.preemptions) {
        print("\n");
    }
    let to = (format, &options.pictures);
    read.show(to, Command::Check, results, options.count);
}

fn no_estimate() {
    tell!("fencepost: no estimate: a limit was reached before the first walk ended");
}
