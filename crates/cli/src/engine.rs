//! Which engine looks at a program under a model, and calling it under each.

use crate::arguments::{Engine, Models, solving};
use crate::guard;
use crate::watch::Watch;
use machine::Unsupported;
use memory::Model;
use program::{Bound, Diagnostic, ModelResult, Program, Span, Verdict};
use solve::NotSolvable;
use states::{Options, Refusal};
use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What keeps the engines that run a machine from a model.
const NO_MACHINE: &str =
    "it has axioms, but no machine that could be run; the engine sat asks a solver";

/// Why there is no answer under a model.
pub enum Refused {
    /// No machine runs the program.
    Program(Refusal),
    /// The engine that is asked for does not do this.
    Engine(String),
    /// No formula says what the program does.
    Formula(NotSolvable),
}

impl From<NotSolvable> for Refused {
    fn from(refusal: NotSolvable) -> Self {
        Refused::Formula(refusal)
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Refused::Program(refusal)
    }
}

impl From<Unsupported> for Refused {
    fn from(unsupported: Unsupported) -> Self {
        Refused::Program(unsupported.into())
    }
}

/// What the choice of an engine hangs on, besides the program and the model.
pub struct Asked {
    /// What the user named.
    pub engine: Engine,
    /// An option that only the engine explore understands.
    pub needs_explore: Option<&'static str>,
    /// An option that the engine sat does not understand.
    pub refused_by_sat: Option<&'static str>,
    /// An option that the engine explore does not understand.
    pub refused_by_explore: Option<&'static str>,
    /// An option that only the engine sat understands.
    pub needs_sat: Option<&'static str>,
}

/// An engine, once the choice is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Through executions.
    Explore,
    /// Through states.
    States,
    /// Through states, or by a solver: for C programs under RMO, and where no machine runs the
    /// program.
    StatesOrSat,
    /// By a solver.
    Sat,
}

impl Asked {
    /// True if the user left the choice.
    pub fn is_open(&self) -> bool {
        self.engine == Engine::Auto && self.needs_explore.is_none()
    }

    /// The engine for a program under a model.
    pub fn choose(&self, program: &Program, model: Model) -> Result<Chosen, Refused> {
        const WHERE: &str = "goes through executions of C programs, under sc, tso and pso only";
        let refuse = |text: String| Err(Refused::Engine(text));
        if self.engine == Engine::Sat || (self.engine == Engine::Auto && self.needs_sat.is_some()) {
            return self.choose_sat();
        }
        if let Some(option) = self.needs_sat {
            return refuse(format!("{option} needs the engine sat"));
        }
        if !model.has_machine() {
            return match (self.engine, self.needs_explore) {
                (Engine::Auto, None) => self.choose_sat(),
                (Engine::Auto, Some(option)) => {
                    refuse(format!("{option} needs the engine explore, which {WHERE}"))
                }
                _ => refuse(NO_MACHINE.to_owned()),
            };
        }
        let buffers = model.row().buffering.is_of_stores() && program.process;
        let explores = self.engine == Engine::Explore || self.needs_explore.is_some();
        if let Some(option) = self.refused_by_explore.filter(|_| explores && buffers) {
            return refuse(format!(
                "the engine explore does not understand {option}; the engine states does"
            ));
        }
        match (self.engine, self.needs_explore) {
            (Engine::States, Some(option)) => {
                refuse(format!("{option} needs the engine explore, not states"))
            }
            (Engine::States, None) => Ok(Chosen::States),
            (Engine::Explore, _) if !buffers => refuse(format!("the engine explore {WHERE}")),
            (Engine::Auto, Some(option)) if !buffers => {
                refuse(format!("{option} needs the engine explore, which {WHERE}"))
            }
            (Engine::Explore, _) | (Engine::Auto, Some(_)) => Ok(Chosen::Explore),
            _ if buffers && self.refused_by_explore.is_none() => Ok(Chosen::Explore),
            _ if self.refused_by_sat.is_some() => Ok(Chosen::States),
            _ => Ok(Chosen::StatesOrSat),
        }
    }

    fn choose_sat(&self) -> Result<Chosen, Refused> {
        match self.refused_by_sat {
            Some(option) => Err(Refused::Engine(format!(
                "the engine sat does not understand {option}"
            ))),
            None => Ok(Chosen::Sat),
        }
    }
}

/// The longest time that a solver gets before states are searched.
const SOLVER_FIRST: Duration = Duration::from_secs(5);

/// Searches states, or leaves it to the solver where the choice allows it: for C programs under RMO, and
/// where no machine runs the program.
pub fn search_states(
    program: &Arc<Program>,
    model: Model,
    search: &Options,
    chosen: Chosen,
    outcomes: bool,
) -> Result<ModelResult, Refused> {
    let started = Instant::now();
    if chosen == Chosen::StatesOrSat && model == Model::Rmo && program.process {
        // The solver also sees undefined values, which the machine for RMO does not.
        let time = search.max_time.map_or(SOLVER_FIRST, |time| time / 2);
        let first = Options {
            max_time: Some(time.min(SOLVER_FIRST)),
            ..search.clone()
        };
        let solved = ask_solver(program, model, &solving(&first), outcomes);
        if let Ok(result) = solved
            && result.verdict != Verdict::Undecided
        {
            return Ok(result);
        }
    }
    let left = search
        .max_time
        .map(|time| time.saturating_sub(started.elapsed()));
    let searched = {
        let _watch = Watch::over(&search.progress, model.name());
        let search = Options {
            max_time: left,
            ..search.clone()
        };
        guard::states(program, model, &search)
    };
    let refusal = match searched {
        Ok(result) => return Ok(result),
        Err(refusal) => refusal,
    };
    match chosen {
        // What stands in the way of the machine is the better answer if both refuse.
        Chosen::StatesOrSat if model == Model::Rmo => {
            let rest = Options {
                max_time: search
                    .max_time
                    .map(|time| time.saturating_sub(started.elapsed())),
                ..search.clone()
            };
            ask_solver(program, model, &solving(&rest), outcomes).map_err(|_| refusal.into())
        }
        _ => Err(refusal.into()),
    }
}

/// A result whose time is all that was spent on it, by whichever engines. `most` is the time that
/// the user gave.
pub fn timed<E>(
    most: Option<Duration>,
    run: impl FnOnce() -> Result<ModelResult, E>,
) -> Result<ModelResult, E> {
    let started = Instant::now();
    let mut result = run()?;
    tell_all_time(&mut result, most);
    result.time = started.elapsed();
    Ok(result)
}

/// Each engine knows the time that was left for it; the user gave the time for all.
pub fn tell_all_time(result: &mut ModelResult, most: Option<Duration>) {
    for bound in &mut result.bounds {
        if let (Bound::Time(time), Some(most)) = (bound, most) {
            *time = most;
        }
    }
}

/// Asks a solver for executions.
pub fn ask_solver(
    program: &Arc<Program>,
    model: Model,
    options: &solve::Options,
    outcomes: bool,
) -> Result<ModelResult, Refused> {
    let _watch = Watch::telling(move |time| {
        format!("{model}: solving for {} s; Ctrl-C stops", time.as_secs())
    });
    Ok(guard::solve(program, model, options, outcomes)?)
}

/// What there is to say under each model. All models are all that have an answer, the
/// strongest at least.
pub fn each_model<T>(
    program: &Program,
    models: &Models,
    run: impl Fn(Model) -> Result<T, Refused>,
) -> Result<Vec<T>, Box<Diagnostic>> {
    let mut results = Vec::new();
    for &model in &models.list {
        let spare = models.all && !results.is_empty();
        match run(model) {
            Ok(result) => results.push(result),
            Err(Refused::Engine(text)) if spare => {
                tell!("fencepost: {model} is left out: {text}");
            }
            Err(Refused::Program(refusal)) if spare && program.process => {
                let reason = reason(program, refusal.span(), &refusal);
                tell!("fencepost: {model} is left out: {reason}");
            }
            Err(Refused::Formula(refusal)) if spare => {
                let reason = reason(program, refusal.span, &refusal);
                tell!("fencepost: {model} is left out: {reason}");
            }
            Err(Refused::Engine(text)) => return Err(no_engine(program, model, &text)),
            Err(Refused::Formula(refusal)) => return Err(not_solvable(program, model, &refusal)),
            Err(Refused::Program(refusal)) => return Err(unsupported(program, model, &refusal)),
        }
    }
    Ok(results)
}

fn no_engine(program: &Program, model: Model, text: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic {
        source: program.source.clone(),
        message: format!("no search under {model}: {text}"),
        span: Span::NOWHERE,
        label: String::new(),
        others: Vec::new(),
        help: None,
    })
}

/// What keeps a program from running, and where.
fn reason(program: &Program, span: Span, refusal: &impl Display) -> String {
    match program.file(span).filter(|_| span != Span::NOWHERE) {
        Some(file) => format!("{refusal} ({}:{})", file.name, span.line),
        None => refusal.to_string(),
    }
}

/// A complaint about what no formula says.
pub fn not_solvable(program: &Program, model: Model, refusal: &NotSolvable) -> Box<Diagnostic> {
    let file = program.file(refusal.span).unwrap_or(&program.source);
    let help = "docs/refine.md lists what the engine sat does not do";
    Box::new(Diagnostic {
        source: file.clone(),
        message: format!("the engine sat has no answer under {model}"),
        span: refusal.span,
        label: refusal.message.clone(),
        others: Vec::new(),
        help: Some(help.to_owned()),
    })
}

/// A complaint about what no machine runs under a model.
pub fn unsupported(program: &Program, model: Model, refusal: &Refusal) -> Box<Diagnostic> {
    if !model.has_machine() {
        return no_engine(program, model, NO_MACHINE);
    }
    let c = program.process;
    let span = refusal.span();
    let file = program.file(span).unwrap_or(&program.source);
    let label = match refusal {
        Refusal::NotFlat(not_flat) => not_flat.to_string(),
        Refusal::Unsupported(_) => String::new(),
    };
    let help = "C programs run under sc, tso and pso; under rmo if they can do without calls, or \
                if the engine sat does them, see docs/c.md";
    Box::new(Diagnostic {
        source: file.clone(),
        message: match (c, span) {
            (true, Span::NOWHERE) => {
                format!("this C program does not run under {model}: {refusal}")
            }
            (true, _) => format!("this C program does not run under {model}"),
            (false, _) => refusal.to_string(),
        },
        span,
        label,
        others: Vec::new(),
        help: c.then(|| help.to_owned()),
    })
}
