//! The verdict on a program under a model, or how many executions it is likely to have.

use crate::beyond_buffers::for_every_size;
use crate::choice::{Asked, Choice, Chosen};
use crate::confirm::confirmed;
use crate::engines::{Equivalence, Explore, NonSequential, Sat, States};
use crate::events::Running;
use crate::guard;
use crate::options::{Models, Options, Preemptions};
use crate::portfolio::{Portfolio, Search, Wanted};
use crate::proof::{Proof, Subject};
use crate::question::Question;
use crate::refusal::{Refused, each_model};
use crate::sequential::compared;
use crate::series::explore_series;
use answer::{Engine, Estimate, ModelResult, Verdict};
use memory::{Buffering, Model};
use program::{Diagnostic, Program};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Does anything go wrong in an execution of a program?
///
/// ```
/// # fn main() -> Result<(), Box<program::Diagnostic>> {
/// use check::{Check, Question};
/// use memory::Model;
/// use answer::{Verdict, Violation};
/// use program::Source;
///
/// // The flag y announces the data x.
/// let text = "X86 MP
///     { x=0; y=0; }
///      P0         | P1          ;
///      MOV [x],$1 | MOV EAX,[y] ;
///      MOV [y],$1 | MOV EBX,[x] ;
///     ~exists (1:EAX=1 /\\ 1:EBX=0)";
/// let program = frontend::read(&Source::new("MP.litmus", text))?.into();
/// let strong = Check::default().answers(&program, &Model::Tso.into())?;
/// assert_eq!(strong[0].verdict, Verdict::Holds);
/// let weak = Check::default().answers(&program, &Model::Pso.into())?;
/// assert_eq!(weak[0].verdict, Verdict::Violated);
/// assert!(matches!(weak[0].violation, Some(Violation::FinalState(_))));
/// assert!(weak[0].execution.is_some()); // an execution that shows it
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// How to search.
    pub options: Options,
    /// The engine.
    pub engine: Choice,
    /// Look for data races of C programs, too.
    pub races: bool,
    /// Continue after the first violation, to one for each location in the source.
    pub all: bool,
    /// Continue after the first violation, to the end, and count.
    pub count: bool,
    /// Executions that sequential consistency does not have are violations, too; under SC, those that the store
    /// buffers of TSO would show.
    pub robust: bool,
    /// Look only at executions with few preemptions.
    pub preemptions: Option<Preemptions>,
    /// Write a proof to this file if nothing is wrong.
    pub proof: Option<PathBuf>,
}

/// How many executions there may be, and how long a search would take.
#[derive(Clone, Copy, Debug)]
pub struct Estimated {
    /// The model.
    pub model: Model,
    /// The number of executions. If no walk has ended, nothing is known.
    pub estimate: Estimate,
    /// Seconds for all of them, by one worker.
    pub seconds: f64,
}

impl Question for Check {
    fn options(&self) -> &Options {
        &self.options
    }

    fn run(&self, program: &Arc<Program>, model: Model) -> Result<ModelResult, Refused> {
        let bounded_by_us = self.engine == Choice::Auto && self.options.buffer.is_none();
        self.options.timed(|| {
            let control = self.options.left();
            let result = self.search(program, model)?;
            let result = match !bounded_by_us || self.count || self.all {
                true => result,
                false => for_every_size(program, model, &control, result),
            };
            Ok(compared(self, program, model, result))
        })
    }
}

impl Check {
    /// An estimate of the number of executions under each model; see [`each_model`].
    pub fn estimates(
        &self,
        program: &Arc<Program>,
        models: &Models,
    ) -> Result<Vec<Estimated>, Box<Diagnostic>> {
        each_model(program, models, &self.options.listener, |model| {
            self.estimate(program, model)
        })
    }

    /// An estimate of the number of executions.
    pub fn estimate(&self, program: &Arc<Program>, model: Model) -> Result<Estimated, Refused> {
        let checking = self.begin(program, true);
        checking.asked.choose(program, model)?;
        let started = Instant::now();
        let (work, options) = (program.clone(), checking.exploration);
        let control = options.control.clone();
        let done = guard::within(&control, move || explore::estimate(&work, model, &options));
        // No walk has ended.
        let estimate = done.unwrap_or_else(|_| Ok(Estimate::default()))?;
        let each = started.elapsed().as_secs_f64() / estimate.explored.max(1) as f64;
        Ok(Estimated {
            model,
            estimate,
            seconds: each * estimate.executions,
        })
    }

    /// The answer of the engines, to a smaller program if there is memory that nobody reads.
    fn search(&self, program: &Arc<Program>, model: Model) -> Result<ModelResult, Refused> {
        let Some(smaller) = self.without_unread(program, model) else {
            return self.begin(program, false).run(model);
        };
        let result = self.begin(&Arc::new(smaller), false).run(model)?;
        // The execution that is shown is one of the program as it was written.
        Ok(confirmed(program, model, &self.options.left(), result).result)
    }

    /// The program without memory that nobody reads, if there is any and the question is not about traces, races, or that
    /// program itself.
    fn without_unread(&self, program: &Program, model: Model) -> Option<Program> {
        let asks_for_more = self.races
            || self.all
            || self.count
            || self.robust
            || self.preemptions.is_some()
            || self.proof.is_some()
            // A bound on store buffers counts the stores that would be left out.
            || self.options.buffer.is_some();
        let applies = program.process && model.row().buffering.is_of_stores() && !asks_for_more;
        let stores_overtake = model.row().buffering == Buffering::PerLocation;
        applies
            .then(|| program.without_unread(stores_overtake))
            .flatten()
    }

    fn begin<'a>(&'a self, program: &'a Arc<Program>, estimate: bool) -> Checking<'a> {
        let control = self.options.left();
        Checking {
            question: self,
            program,
            asked: Asked {
                engine: self.engine,
                needs_explore: self.needs_explore(estimate),
                refused_by_sat: self.refused_by_sat(estimate),
                refused_by_explore: self.options.buffer.map(|_| "--buffer"),
                needs_sat: self.proof.as_ref().map(|_| "--proof"),
                counts: self.count,
            },
            search: States {
                races: self.races,
                stop_at_violation: !self.count,
                ..self.options.states(control.clone())
            },
            exploration: Explore {
                races: self.races,
                all: self.all || self.count,
                robust: match self.robust {
                    true => NonSequential::AlsoReport,
                    false => NonSequential::Ignore,
                },
                preemptions: Preemptions::at_most(self.preemptions),
                outcomes: !program.observed.is_empty(),
                // Who counts executions counts traces.
                equivalence: match self.all || self.count || estimate {
                    true => Equivalence::Traces,
                    false => Equivalence::Observed,
                },
                ..self.options.explore(control)
            },
        }
    }

    /// An option that only the engine explore understands, if there is one.
    fn needs_explore(&self, estimate: bool) -> Option<&'static str> {
        let asked = [
            (self.all, "--all"),
            (estimate, "--estimate"),
            (self.robust, "--robust"),
            (self.preemptions.is_some(), "--preemptions"),
        ];
        let asked = asked.into_iter().find(|(asked, _)| *asked);
        asked.map(|(_, option)| option)
    }

    /// An option that the engine sat does not understand, if there is one.
    fn refused_by_sat(&self, estimate: bool) -> Option<&'static str> {
        let asked = [
            (self.count, "--count"),
            (self.races, "--races"),
            (self.options.buffer.is_some(), "--buffer"),
        ];
        let asked = asked.into_iter().find(|(asked, _)| *asked);
        self.needs_explore(estimate)
            .or(asked.map(|(_, option)| option))
    }
}

/// A question about one program, within what is left of its time.
struct Checking<'a> {
    question: &'a Check,
    program: &'a Arc<Program>,
    asked: Asked,
    search: States,
    exploration: Explore,
}

impl Checking<'_> {
    fn run(&self, model: Model) -> Result<ModelResult, Refused> {
        let chosen = self.asked.choose(self.program, model)?;
        match (chosen, self.question.preemptions) {
            (Chosen::Explore, Some(Preemptions::From(first))) => {
                let listener = &self.question.options.listener;
                explore_series(&self.exploration, listener, first, |exploration| {
                    self.explore(model, exploration)
                })
            }
            (Chosen::Explore, _) => self.explore(model, &self.exploration),
            (Chosen::Several(several), _) => self.ask_several(model, several),
            (one, _) => self.ask(model, &[self.search_by(one, model)]),
        }
    }

    /// Asks engines side by side, or, if there is a limit on what one of them goes through, the first that takes the
    /// program.
    fn ask_several(&self, model: Model, several: &[Chosen]) -> Result<ModelResult, Refused> {
        let searches = several.iter().map(|one| self.search_by(*one, model));
        let searches: Vec<Search> = searches.collect();
        let limited = self.search.control.max_states.is_some();
        if !limited || several[0] == Chosen::Sat {
            return self.ask(model, &searches);
        }
        let started = Instant::now();
        let mut refused = None;
        for search in &searches {
            let control = self.search.control.after(started.elapsed());
            match self.ask(model, &[search.with_control(control)]) {
                Ok(result) => return Ok(result),
                // What stands in the way of the search of states says most.
                Err(refusal) if refused.is_none() || matches!(search, Search::States(_)) => {
                    refused = Some(refusal);
                }
                Err(_) => {}
            }
        }
        Err(refused.unwrap_or(Refused::NoTrace))
    }

    fn ask(&self, model: Model, searches: &[Search]) -> Result<ModelResult, Refused> {
        let portfolio = Portfolio {
            program: self.program,
            model,
            wanted: Wanted::Verdict,
            control: &self.search.control,
            jobs: self.question.options.jobs,
            listener: &self.question.options.listener,
        };
        portfolio.run(searches)
    }

    fn search_by(&self, engine: Chosen, model: Model) -> Search {
        match engine {
            Chosen::Explore | Chosen::Several(_) => Search::Explore(self.exploration.clone()),
            Chosen::States => Search::States(self.search.clone()),
            Chosen::Sat => Search::Sat(self.solver(model)),
        }
    }

    /// The question to the solver, for a proof if there is to be one.
    fn solver(&self, model: Model) -> Sat {
        let question = &self.question.options;
        let mut options = question.sat(self.search.control.clone());
        if let Some(path) = &self.question.proof {
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
        // As the other engines that may answer have them.
        let outcomes = self.exploration.outcomes
            && self.question.engine == Choice::Auto
            && model.row().buffering.is_of_stores()
            && self.program.process;
        Sat { options, outcomes }
    }

    fn explore(&self, model: Model, exploration: &Explore) -> Result<ModelResult, Refused> {
        let _running = self.begin(model, Engine::Explore);
        if model == Model::Sc && exploration.robust != NonSequential::Ignore {
            self.explore_and_monitor(exploration)
        } else {
            guard::run(exploration, self.program, model)
        }
    }

    /// Explores executions of SC, and finds what the store buffers of TSO would show: a program that is right and
    /// robust is right with store buffers.
    fn explore_and_monitor(&self, exploration: &Explore) -> Result<ModelResult, Refused> {
        let started = Instant::now();
        let monitored = Explore {
            monitor: true,
            ..exploration.clone()
        };
        let left = |robust: NonSequential| Explore {
            robust,
            control: exploration.control.after(started.elapsed()),
            ..exploration.clone()
        };
        let result = guard::run(&monitored, self.program, Model::Tso).or_else(|_| {
            // Where the monitor refuses, the executions of TSO are explored.
            let first = guard::run(&left(exploration.robust), self.program, Model::Sc)?;
            if first.verdict != Verdict::Holds {
                return Ok(first);
            }
            guard::run(&left(NonSequential::ReportOnly), self.program, Model::Tso)
        })?;
        Ok(ModelResult {
            model: Model::Sc,
            ..result
        })
    }

    fn begin(&self, model: Model, engine: Engine) -> Running<'_> {
        let listener = &self.question.options.listener;
        listener.search(model, engine, &self.search.control.progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_options_need_explore() {
        let preemptions = Check {
            preemptions: Some(Preemptions::From(0)),
            ..Check::default()
        };
        assert_eq!(preemptions.needs_explore(false), Some("--preemptions"));
        assert_eq!(preemptions.refused_by_sat(false), Some("--preemptions"));
        let counting = Check {
            count: true,
            races: true,
            ..Check::default()
        };
        assert_eq!(counting.needs_explore(false), None);
        assert_eq!(counting.refused_by_sat(false), Some("--count"));
        assert_eq!(counting.needs_explore(true), Some("--estimate"));
    }

    fn begun(check: &Check) -> (Option<u32>, bool, bool) {
        let source = program::Source::new("empty", "");
        let program = Arc::new(Program::empty("empty".to_owned(), source));
        let checking = check.begin(&program, false);
        let Checking {
            search,
            exploration,
            ..
        } = checking;
        (
            exploration.preemptions,
            exploration.all,
            search.stop_at_violation,
        )
    }

    #[test]
    fn a_series_of_bounds_is_no_bound() {
        let bound = |preemptions| {
            let check = Check {
                preemptions: Some(preemptions),
                ..Check::default()
            };
            begun(&check).0
        };
        assert_eq!(bound(Preemptions::AtMost(3)), Some(3));
        assert_eq!(bound(Preemptions::From(3)), None);
    }

    #[test]
    fn counting_searches_everything() {
        let counting = Check {
            count: true,
            ..Check::default()
        };
        assert_eq!(begun(&counting), (None, true, false));
        assert_eq!(begun(&Check::default()), (None, false, true));
    }
}
