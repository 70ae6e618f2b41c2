//! `fencepost check`: the verdict under each model, or how large the search may be.

use crate::arguments::{CheckOptions, Format, Preemptions, solving};
use crate::engine::{Asked, Chosen, Refused, ask_solver, each_model, search_states, timed};
use crate::exit::Exit;
use crate::guard;
use crate::inputs::{self, Complaint};
use crate::proof::{Proof, Subject, is_proved};
use crate::run::{Files, Read, complain, print, print_json, print_results};
use crate::series::explore_series;
use crate::watch::{Watch, interrupts};
use explore::Robust;
use machine::Unsupported;
use memory::Model;
use program::{Bound, Diagnostic, ModelResult, Program, Span, Verdict, Warning};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Executions after which it is worth a try to go through states instead.
const EXECUTIONS_FIRST: u64 = 1_000_000;
/// States after which executions are gone through to the end after all.
const STATES_NEXT: u64 = 500_000;

/// Checks every program, or says how large the searches may be.
pub fn check(options: &CheckOptions) -> Exit {
    let mut exploration = options.exploration();
    exploration.search.interrupt = interrupts();
    if let Err(complaint) = one_proof(options) {
        return complain(&complaint);
    }
    let files = Files {
        options: &options.common,
        models: &options.model,
        search: &exploration.search,
    };
    let show = |read: &Read, results: &[ModelResult]| match options.estimate {
        true => no_estimate(),
        false => show(options, read, results),
    };
    files.each(show, |read| {
        let program = &read.program;
        let check = Check {
            options,
            read,
            program,
            most: exploration.search.max_time,
            asked: Asked {
                engine: options.engine,
                needs_explore: options.needs_explore(),
                refused_by_sat: options.refused_by_sat(),
                refused_by_explore: exploration.search.buffer.map(|_| "--buffer"),
                needs_sat: options.proof.as_ref().map(|_| "--proof"),
            },
            exploration: explore::Options {
                outcomes: !program.observed.is_empty(),
                search: states::Options {
                    max_time: read.left(exploration.search.max_time),
                    ..exploration.search.clone()
                },
                ..exploration.clone()
            },
        };
        match options.estimate {
            true => check.estimate(),
            false => check.search(),
        }
    })
}

/// A proof is of one program under one model.
fn one_proof(options: &CheckOptions) -> Result<(), Complaint> {
    let Some(path) = &options.proof else {
        return Ok(());
    };
    let files = inputs::inputs(&options.common.inputs)?.len();
    let models = options.model.list.len();
    if files > 1 || models > 1 {
        let text = "--proof takes one program and one model; a proof is of one question";
        return Err(Complaint::Plain(text.to_owned()));
    }
    Proof::room_for(path)
}

fn show(options: &CheckOptions, read: &Read, results: &[ModelResult]) {
    match options.common.format {
        Format::Json => print_json("check", read, results),
        Format::Text => {
            // Lines on one bound each stand before.
            if let Some(Preemptions::From(_)) = options.preemptions {
                print("\n");
            }
            let text = |result: &ModelResult| report::check_text(&read.program, result);
            print_results(read, results, text, options.count);
        }
    }
}

fn no_estimate() {
    tell!("fencepost: no estimate: a limit was reached before the first walk ended");
}

/// What is asked about one program.
struct Check<'a> {
    options: &'a CheckOptions,
    read: &'a Read,
    program: &'a Arc<Program>,
    /// The time that the user gave, for reading and searching.
    most: Option<Duration>,
    asked: Asked,
    /// Its time is what reading has left.
    exploration: explore::Options,
}

impl Check<'_> {
    fn search(&self) -> Result<Exit, Box<Diagnostic>> {
        let (program, models) = (self.program, &self.options.model);
        let results = each_model(program, models, |model| {
            timed(self.most, || self.run(model))
        })?;
        show(self.options, self.read, &results);
        if let (Some(path), [result]) = (&self.options.proof, results.as_slice()) {
            Proof::tell(path, is_proved(result), self.options.common.format);
        }
        Ok(Exit::of(&results))
    }

    fn run(&self, model: Model) -> Result<ModelResult, Refused> {
        let search = &self.exploration.search;
        match self.asked.choose(self.program, model)? {
            Chosen::Explore => {}
            Chosen::Sat => return self.solve(model),
            states => return search_states(self.program, model, search, states, false),
        }
        Ok(match self.options.preemptions {
            Some(Preemptions::From(first)) => self.series(model, first)?,
            _ if self.asked.is_open() && !self.options.count => self.explore_and_search(model)?,
            _ => self.explore(model, &self.exploration)?,
        })
    }

    /// Asks a solver, for a proof if there is to be one.
    fn solve(&self, model: Model) -> Result<ModelResult, Refused> {
        let mut options = solving(&self.exploration.search);
        if let Some(path) = &self.options.proof {
            let file = &self.program.source.name;
            let lines = [
                format!("check {file} --model {model}"),
                "no execution goes wrong, and no loop has more iterations than the bounds"
                    .to_owned(),
            ];
            let proof = Proof {
                path,
                subject: Subject::check(self.program, model),
                about: &lines,
            };
            options = proof.wanted(options);
        }
        ask_solver(self.program, model, &options, false)
    }

    /// Goes through executions, unless there are so many that going through states may be
    /// faster, or one of them does not end.
    fn explore_and_search(&self, model: Model) -> Result<ModelResult, Refused> {
        let started = Instant::now();
        let search = &self.exploration.search;
        let left = || {
            search
                .max_time
                .map(|time| time.saturating_sub(started.elapsed()))
        };
        let mut options = self.exploration.clone();
        options.search.max_states = search.max_states.or(Some(EXECUTIONS_FIRST));
        if search.max_states.is_none() {
            options.search.max_time = search.max_time.map(|time| time / 2);
        }
        let explored = match self.explore(model, &options) {
            Ok(explored) => explored,
            // What executions cannot be gone through may still have its states.
            Err(_) => {
                let _watch = self.watch(model);
                let search = states::Options {
                    max_time: left(),
                    ..search.clone()
                };
                return Ok(guard::states(self.program, model, &search)?);
            }
        };
        let open = explored.bounds.iter().any(|bound| bound.is_too_much());
        if !open || search.max_states.is_some() {
            return Ok(explored);
        }
        let mut searched = {
            let _watch = self.watch(model);
            let search = states::Options {
                max_states: Some(STATES_NEXT),
                max_time: left(),
                ..search.clone()
            };
            guard::states(self.program, model, &search)?
        };
        if let Some(bound) = explored.bounds.iter().find(|bound| bound.is_mistake()) {
            searched.warnings.push(Warning {
                span: Span::NOWHERE,
                message: format!(
                    "the engine explore covered {bound}; states were searched instead"
                ),
            });
        }
        let endless = explored
            .bounds
            .iter()
            .any(|bound| matches!(bound, Bound::Events(_)));
        if searched.verdict != Verdict::Undecided || endless {
            return Ok(searched);
        }
        // Both have had their time, unless they stopped for another reason.
        let time = search.max_time.unwrap_or(Duration::MAX);
        if left().is_some_and(|left| left < time / 10) {
            return Ok(explored);
        }
        options.search.max_states = None;
        options.search.max_time = left();
        Ok(self.explore(model, &options)?)
    }

    fn explore(
        &self,
        model: Model,
        options: &explore::Options,
    ) -> Result<ModelResult, Unsupported> {
        let _watch = self.watch(model);
        match model == Model::Sc && options.robust != Robust::Ignored {
            true => self.explore_and_monitor(options),
            false => guard::explore(self.program, model, options),
        }
    }

    /// Explores executions of SC, and tells what the store buffers of TSO would show: what is right
    /// and robust is right with store buffers.
    fn explore_and_monitor(&self, options: &explore::Options) -> Result<ModelResult, Unsupported> {
        let started = Instant::now();
        let watched = explore::Options {
            monitor: true,
            ..options.clone()
        };
        let left = |robust: Robust| {
            let mut left = explore::Options {
                robust,
                ..options.clone()
            };
            let rest = |time: Duration| time.saturating_sub(started.elapsed());
            left.search.max_time = options.search.max_time.map(rest);
            left
        };
        let result = guard::explore(self.program, Model::Tso, &watched).or_else(|_| {
            // Where the monitor cannot tell, the executions of TSO do.
            let first = guard::explore(self.program, Model::Sc, &left(options.robust))?;
            if first.verdict != Verdict::Holds {
                return Ok(first);
            }
            guard::explore(self.program, Model::Tso, &left(Robust::Alone))
        })?;
        Ok(ModelResult {
            model: Model::Sc.name(),
            ..result
        })
    }

    fn watch(&self, model: Model) -> Watch {
        Watch::over(&self.exploration.search.progress, model.name())
    }

    /// Searches with one preemption more each time, with a line on each bound.
    fn series(&self, model: Model, first: u32) -> Result<ModelResult, Unsupported> {
        let (exploration, format) = (&self.exploration, self.options.common.format);
        let time = exploration.search.max_time;
        explore_series(exploration, format, first, time, |options| {
            self.explore(model, options)
        })
    }

    /// Says how many executions there are likely to be.
    fn estimate(&self) -> Result<Exit, Box<Diagnostic>> {
        let estimates = each_model(self.program, &self.options.model, |model| {
            self.asked.choose(self.program, model)?;
            let started = Instant::now();
            let estimate = guard::estimate(self.program, model, &self.exploration)?;
            let each = started.elapsed().as_secs_f64() / estimate.explored.max(1) as f64;
            Ok((model.name(), estimate, each * estimate.executions))
        })?;
        if estimates.iter().any(|(_, estimate, _)| estimate.walks == 0) {
            no_estimate();
            return Ok(Exit::Undecided);
        }
        match self.options.common.format {
            Format::Json => {
                let estimates = report::estimates_json(self.program, &estimates);
                print(&format!("{estimates}\n"));
            }
            Format::Text => {
                for (model, estimate, seconds) in &estimates {
                    print(&report::estimate_text(model, estimate, *seconds));
                }
            }
        }
        Ok(Exit::Holds)
    }
}
