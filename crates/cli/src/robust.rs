//! `fencepost robust`: whether store buffers show anything that sequential consistency does not.

use crate::arguments::{Format, Preemptions, RobustOptions};
use crate::engine::{Refused, each_model, timed};
use crate::exit::Exit;
use crate::guard;
use crate::run::{Files, Read, print, print_json, print_results};
use crate::series::explore_series;
use crate::watch::{Watch, interrupts};
use machine::Unsupported;
use memory::Model;
use program::{Bound, Diagnostic, ModelResult, Program};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Executions after which those with few preemptions are looked at first.
const EXECUTIONS_FIRST: u64 = 1_000_000;

/// Tells of every program whether it is robust.
pub fn robust(options: &RobustOptions) -> Exit {
    let mut exploration = options.exploration();
    exploration.search.interrupt = interrupts();
    let files = Files {
        options: &options.common,
        models: &options.model,
        search: &exploration.search,
    };
    let show = |read: &Read, results: &[ModelResult]| show(options, read, results);
    files.each(show, |read| {
        let program = &read.program;
        let mut exploration = exploration.clone();
        let most = exploration.search.max_time;
        exploration.search.max_time = read.left(most);
        let asked = Robust {
            options,
            read,
            program,
            process: Arc::new(program.as_process()),
            most,
            exploration,
        };
        asked.answer()
    })
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

/// What is asked about one program.
struct Robust<'a> {
    options: &'a RobustOptions,
    read: &'a Read,
    program: &'a Program,
    /// The same for the machine of C programs.
    process: Arc<Program>,
    /// The time that the user gave, for reading and searching.
    most: Option<Duration>,
    /// Its time is what reading has left.
    exploration: explore::Options,
}

impl Robust<'_> {
    fn answer(&self) -> Result<Exit, Box<Diagnostic>> {
        let models = &self.options.model;
        let results = each_model(self.program, models, |model| {
            if self.exploration.search.buffer.is_some() {
                let text = "robust does not understand --buffer; it looks at buffers of any size";
                return Err(Refused::Engine(text.to_owned()));
            }
            timed(self.most, || Ok(self.run(model)?))
        })?;
        show(self.options, self.read, &results);
        Ok(Exit::of(&results))
    }

    fn run(&self, model: Model) -> Result<ModelResult, Unsupported> {
        let time = self.exploration.search.max_time;
        match self.options.preemptions {
            Some(Preemptions::From(first)) => self.series(model, first, time),
            Some(Preemptions::AtMost(_)) => self.explore(model, &self.exploration),
            None => self.all_or_few(model),
        }
    }

    /// Goes through all executions, or, if there are too many, through those with few preemptions.
    fn all_or_few(&self, model: Model) -> Result<ModelResult, Unsupported> {
        let started = Instant::now();
        let search = &self.exploration.search;
        let mut options = self.exploration.clone();
        options.search.max_states = search.max_states.or(Some(EXECUTIONS_FIRST));
        options.search.max_time = search.max_time.map(|time| time / 2);
        let all = self.explore(model, &options)?;
        let open = all.bounds.iter().any(|bound| bound.is_too_much());
        if !open || search.max_states.is_some() || all.violation.is_some() {
            return Ok(all);
        }
        if self.options.common.format == Format::Text {
            let endless = all
                .bounds
                .iter()
                .any(|bound| matches!(bound, Bound::Events(_)));
            let why = match endless {
                true => "an execution that does not end".to_owned(),
                false => {
                    let seen = all.counts.executions + all.counts.blocked;
                    format!("more than {} executions", report::grouped(seen))
                }
            };
            print(&format!(
                "{model}: {why}; first those with few preemptions\n"
            ));
        }
        let left = search
            .max_time
            .map(|time| time.saturating_sub(started.elapsed()));
        self.series(model, 0, left)
    }

    /// Searches with one preemption more each time, with a line on each bound.
    fn series(
        &self,
        model: Model,
        first: u32,
        time: Option<Duration>,
    ) -> Result<ModelResult, Unsupported> {
        let (exploration, format) = (&self.exploration, self.options.common.format);
        let result = explore_series(exploration, format, first, time, |options| {
            self.explore(model, options)
        });
        if format == Format::Text {
            print("\n");
        }
        result
    }

    /// Explores executions of SC, or, where the monitor cannot tell, those of the model.
    fn explore(
        &self,
        model: Model,
        options: &explore::Options,
    ) -> Result<ModelResult, Unsupported> {
        let _watch = Watch::over(&options.search.progress, model.name());
        let started = Instant::now();
        guard::explore(&self.process, model, options).or_else(|_| {
            let mut options = explore::Options {
                monitor: false,
                ..options.clone()
            };
            let left = |time: Duration| time.saturating_sub(started.elapsed());
            options.search.max_time = options.search.max_time.map(left);
            guard::explore(&self.process, model, &options)
        })
    }
}
