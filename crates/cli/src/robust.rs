//! `fencepost robust`: whether store buffers show anything that sequential consistency does not.

use crate::arguments::{CommonOptions, RobustOptions};
use crate::exit::Exit;
use crate::jobs::{self, Asks, Read};
use crate::page::Page;
use crate::pictures::PictureOptions;
use crate::watch::{interrupts, listener};
use check::{Event, Models, Options, Question};
use program::Diagnostic;
use report::Command;

/// Answers for every program whether it is robust.
pub fn robust(options: &RobustOptions) -> Exit {
    jobs::named(options, interrupts())
}

impl Asks for RobustOptions {
    fn command(&self) -> Command {
        Command::Robust
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

    fn ask(&self, read: &Read) -> Result<Exit, Box<Diagnostic>> {
        let mut question = self.question();
        let search = read.options(question.options);
        let (page, text) = (read.page.clone(), read.output.is_full_text());
        let listener = listener(&search.control.progress, read, move |event| {
            if text {
                print_event(&page, event);
            }
        });
        question.options = Options { listener, ..search };
        let results = question.answers(&read.program, &self.model)?;
        read.show(self, &results, None);
        Ok(Exit::of(&results))
    }
}

/// A line on each bound of a series, and why there is one.
fn print_event(page: &Page, event: Event<'_>) {
    match event {
        Event::TooMany { model, executions } => {
            let why = match executions {
                None => "an execution that does not end".to_owned(),
                Some(seen) => format!("more than {} executions", report::grouped(seen)),
            };
            page.print(&format!(
                "{model}: {why}; first those with few preemptions\n"
            ));
        }
        Event::Bounded {
            preemptions,
            result,
        } => page.print(&report::bound_text(result, preemptions)),
        Event::SeriesEnded => page.print("\n"),
        _ => {}
    }
}
