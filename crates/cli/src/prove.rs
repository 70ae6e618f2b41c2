//! `fencepost prove`: whether a program is safe for every buffer size.

use crate::arguments::{CommonOptions, ProveOptions};
use crate::exit::Exit;
use crate::jobs::{self, Asks, Read};
use crate::pictures::PictureOptions;
use crate::proof;
use crate::run::complain;
use crate::watch::{interrupts, listener};
use check::proof::is_certified;
use check::{Models, Options, Question};
use program::Diagnostic;
use report::Command;

/// Proves every program safe, or finds what is wrong.
pub fn prove(options: &ProveOptions) -> Exit {
    let certificate = options.certificate.as_deref();
    if let Err(complaint) = proof::one(certificate, &options.common, &options.model) {
        return complain(&complaint);
    }
    jobs::named(options, interrupts())
}

impl Asks for ProveOptions {
    fn command(&self) -> Command {
        Command::Prove
    }

    fn common(&self) -> &CommonOptions {
        &self.common
    }

    fn pictures(&self) -> &PictureOptions {
        &self.pictures
    }

    fn models(&self) -> Models {
        self.model.clone()
    }

    fn ask(&self, read: &Read) -> Result<Exit, Box<Diagnostic>> {
        let mut question = self.question();
        let search = read.options(question.options);
        let listener = listener(&search.control.progress, read, |_| {});
        question.options = Options { listener, ..search };
        let results = question.answers(&read.program, &self.model)?;
        read.show(self, &results, None);
        if let (Some(path), [result]) = (&self.certificate, results.as_slice()) {
            let certified = is_certified(&read.program, result);
            proof::tell(path, certified, read.output.format);
        }
        Ok(Exit::of(&results))
    }
}
