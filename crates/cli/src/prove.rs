//! `fencepost prove`: whether a program is safe for every buffer size.

use crate::arguments::ProveOptions;
use crate::exit::Exit;
use crate::run::{Files, Read};
use crate::watch::{interrupts, listener};
use answer::ModelResult;
use check::{Options, Prove, Question};
use report::Command;

/// Proves every program safe, or finds what is wrong.
pub fn prove(options: &ProveOptions) -> Exit {
    let mut question = options.question();
    let control = &mut question.options.control;
    control.interrupt = interrupts();
    question.options.listener = listener(&control.progress, |_| {});
    let files = Files {
        options: &options.common,
        models: &options.model,
        control: &question.options.control,
    };
    let format = options.common.format;
    let show = |read: &Read, results: &[ModelResult]| {
        read.show(format, Command::Prove, results, false);
    };
    files.each(show, |read| {
        let question = Prove {
            options: Options {
                spent: read.time,
                ..question.options.clone()
            },
        };
        let results = question.answers(&read.program, &options.model)?;
        show(read, &results);
        Ok(Exit::of(&results))
    })
}
