//! `fencepost prove`: whether a program is safe for every buffer size.

use crate::arguments::ProveOptions;
use crate::exit::Exit;
use crate::proof;
use crate::run::{Files, Read, complain};
use crate::watch::{interrupts, listener};
use answer::ModelResult;
use check::proof::is_certified;
use check::{Options, Prove, Question};
use report::Command;

/// Proves every program safe, or finds what is wrong.
pub fn prove(options: &ProveOptions) -> Exit {
    let mut question = options.question();
    let control = &mut question.options.control;
    control.interrupt = interrupts();
    question.options.listener = listener(&control.progress, |_| {});
    let certificate = options.certificate.as_deref();
    let pictures = options.pictures.check(&options.common.inputs);
    let proof = || proof::one(certificate, &options.common, &options.model);
    if let Err(complaint) = pictures.and_then(|()| proof()) {
        return complain(&complaint);
    }
    let files = Files {
        options: &options.common,
        models: &options.model,
        control: &question.options.control,
    };
    let format = options.common.output.format;
    let show = |read: &Read, results: &[ModelResult]| {
        read.show((format, &options.pictures), Command::Prove, results, false);
    };
    files.each(show, |read| {
        let question = Prove {
            options: Options {
                spent: read.time,
                ..question.options.clone()
            },
            ..question.clone()
        };
        let results = question.answers(&read.program, &options.model)?;
        show(read, &results);
        if let (Some(path), [result]) = (certificate, results.as_slice()) {
            proof::tell(path, is_certified(&read.program, result), format);
        }
        Ok(Exit::of(&results))
    })
}
