//! `fencepost check`: the verdict under each model, or how large the search may be.

use crate::arguments::{CheckOptions, CommonOptions};
use crate::exit::Exit;
use crate::jobs::{self, Asks, Read};
use crate::pictures::PictureOptions;
use crate::proof;
use crate::run::{NO_ESTIMATE, complain};
use crate::watch::{interrupts, listener};
use check::proof::is_proved;
use check::{Check, Event, Models, Options, Preemptions, Question};
use program::Diagnostic;
use report::{Command, Format};

/// Checks every program, or prints how large the searches may be.
pub fn check(options: &CheckOptions) -> Exit {
    if let Err(complaint) = proof::one(options.proof.as_deref(), &options.common, &options.model) {
        return complain(&complaint);
    }
    jobs::named(options, interrupts())
}

impl Asks for CheckOptions {
    fn command(&self) -> Command {
        Command::Check
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

    fn counts(&self) -> bool {
        self.count
    }

    fn without_meaning(&self, c: bool, litmus: bool) -> Option<&'static str> {
        let races = (self.races && !c).then_some("--races");
        races.or_else(|| self.machines.without_meaning(c, litmus, &self.model))
    }

    fn shows_results(&self) -> bool {
        !self.estimate
    }

    fn ask(&self, read: &Read) -> Result<Exit, Box<Diagnostic>> {
        let mut question = self.question();
        let search = read.options(question.options);
        let page = read.page.clone();
        let text = read.output.is_full_text();
        let listener = listener(&search.control.progress, read, move |event| {
            if let (
                true,
                Event::Bounded {
                    preemptions,
                    result,
                },
            ) = (text, event)
            {
                page.print(&report::bound_text(result, preemptions));
            }
        });
        question.options = Options { listener, ..search };
        if self.estimate {
            estimate(self, &question, read)
        } else {
            search_for(self, &question, read)
        }
    }
}

fn search_for(
    options: &CheckOptions,
    question: &Check,
    read: &Read,
) -> Result<Exit, Box<Diagnostic>> {
    let results = question.answers(&read.program, &options.model)?;
    // Lines on one bound each stand before.
    if let (true, Some(Preemptions::From(_))) = (read.output.is_full_text(), options.preemptions) {
        read.page.print("\n");
    }
    read.show(options, &results, None);
    if let (Some(path), [result]) = (&options.proof, results.as_slice()) {
        proof::tell(path, is_proved(result), read.output.format);
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
        read.page.tell(NO_ESTIMATE);
        return Ok(Exit::Undecided);
    }
    let rows = estimates
        .iter()
        .map(|known| (known.model.name(), known.estimate, known.seconds));
    let rows: Vec<_> = rows.collect();
    if read.output.format == Format::Json {
        let estimates = report::estimates_json(&read.program, &rows);
        read.page.print(&format!("{estimates}\n"));
    } else {
        for (model, estimate, seconds) in &rows {
            let text = report::estimate_text(model, estimate, *seconds);
            read.page.print(&text);
        }
    }
    Ok(Exit::Holds)
}
