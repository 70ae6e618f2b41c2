//! Which engine looks at a program under a model, and calling it under each.

use crate::arguments::{Engine, Models};
use machine::Unsupported;
use memory::Model;
use program::{Diagnostic, Program, Span};
use states::Refusal;

/// What keeps the engines that run a machine from a model.
const NO_MACHINE: &str = "it has axioms, but no machine that could be run";

/// Why there is no answer under a model.
pub enum Refused {
    /// No machine runs the program.
    Program(Refusal),
    /// The engine that is asked for does not do this.
    Engine(String),
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
}

impl Asked {
    /// True if the user left the choice.
    pub fn is_open(&self) -> bool {
        self.engine == Engine::Auto && self.needs_explore.is_none()
    }

    /// True for the engine explore, false for states.
    pub fn explores(&self, program: &Program, model: Model) -> Result<bool, Refused> {
        const WHERE: &str = "goes through executions of C programs, under sc, tso and pso only";
        let refuse = |text: String| Err(Refused::Engine(text));
        if !model.has_machine() {
            return refuse(NO_MACHINE.to_owned());
        }
        let buffers = model.row().buffering.is_of_stores() && program.process;
        match (self.engine, self.needs_explore) {
            (Engine::States, Some(option)) => {
                refuse(format!("{option} needs the engine explore, not states"))
            }
            (Engine::States, None) => Ok(false),
            (Engine::Explore, _) if !buffers => refuse(format!("the engine explore {WHERE}")),
            (Engine::Auto, Some(option)) if !buffers => {
                refuse(format!("{option} needs the engine explore, which {WHERE}"))
            }
            (Engine::Explore, _) | (Engine::Auto, Some(_)) => Ok(true),
            (Engine::Auto, None) => Ok(buffers),
        }
    }
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
                eprintln!("fencepost: {model} is left out: {text}");
            }
            Err(Refused::Program(refusal)) if spare && program.process => {
                let reason = reason(program, &refusal);
                eprintln!("fencepost: {model} is left out: {reason}");
            }
            Err(Refused::Engine(text)) => return Err(no_engine(program, model, &text)),
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
fn reason(program: &Program, refusal: &Refusal) -> String {
    let span = refusal.span();
    match program.file(span).filter(|_| span != Span::NOWHERE) {
        Some(file) => format!("{refusal} ({}:{})", file.name, span.line),
        None => refusal.to_string(),
    }
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
    let help = "C programs run under sc, tso and pso; under rmo if they can do without calls, \
                see docs/c.md";
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
