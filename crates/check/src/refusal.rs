//! Why there is no answer under a model, and what is reported of it.

use crate::events::{Event, Listener};
use crate::options::Models;
use machine::Unsupported;
use memory::Model;
use program::{Diagnostic, Program, Span};
use solve::NotSolvable;
use states::Refusal;
use std::fmt::{self, Display};

/// What keeps the engines that run a machine from a model.
pub(crate) const NO_MACHINE: &str =
    "it has axioms, but no machine that could be run; the engine sat asks a solver";

const NO_TRACE: &str = "executions to outcomes of C programs are looked for under sc, tso and pso";

/// Why there is no answer under a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// No machine runs the program.
    Program(Refusal),
    /// The engine that is asked for does not do this.
    Engine(String),
    /// No formula says what the program does.
    Formula(NotSolvable),
    /// There are no automata of the program's threads.
    Proof(prove::Refusal),
    /// No executions to outcomes of C programs are searched for.
    NoTrace,
}

impl From<NotSolvable> for Refused {
    fn from(refusal: NotSolvable) -> Self {
        Refused::Formula(refusal)
    }
}

impl From<prove::Refusal> for Refused {
    fn from(refusal: prove::Refusal) -> Self {
        Refused::Proof(refusal)
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

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Program(refusal) => refusal.fmt(f),
            Refused::Engine(text) => f.write_str(text),
            Refused::Formula(refusal) => refusal.fmt(f),
            Refused::Proof(refusal) => refusal.fmt(f),
            Refused::NoTrace => f.write_str(NO_TRACE),
        }
    }
}

impl std::error::Error for Refused {}

impl Refused {
    /// What is reported of a program that has no answer under a model.
    pub fn diagnostic(&self, program: &Program, model: Model) -> Box<Diagnostic> {
        match self {
            Refused::Program(refusal) => unsupported(program, model, refusal),
            Refused::Engine(text) => no_engine(program, model, text),
            Refused::Formula(refusal) => not_solvable(program, model, refusal),
            Refused::Proof(refusal) => refusal.diagnostic(program),
            Refused::NoTrace => no_trace(program),
        }
    }

    /// Why a model may be left out, if it may.
    fn reason_to_leave_out(&self, program: &Program) -> Option<String> {
        match self {
            Refused::Engine(text) => Some(text.clone()),
            Refused::Program(refusal) if program.process => {
                Some(reason(program, refusal.span(), refusal))
            }
            Refused::Formula(refusal) => Some(reason(program, refusal.span, refusal)),
            Refused::Proof(refusal) => Some(reason(program, refusal.span(), refusal)),
            Refused::Program(_) | Refused::NoTrace => None,
        }
    }
}

/// The answer under each model. All models are all that have an answer, the strongest at least.
pub fn each_model<T>(
    program: &Program,
    models: &Models,
    listener: &Listener,
    answer: impl Fn(Model) -> Result<T, Refused>,
) -> Result<Vec<T>, Box<Diagnostic>> {
    let mut answers = Vec::new();
    for &model in &models.list {
        let spare = models.all && !answers.is_empty();
        match answer(model) {
            Ok(found) => answers.push(found),
            Err(refused) => match refused.reason_to_leave_out(program).filter(|_| spare) {
                Some(reason) => listener.tell(Event::LeftOut {
                    model,
                    reason: &reason,
                }),
                None => return Err(refused.diagnostic(program, model)),
            },
        }
    }
    Ok(answers)
}

fn no_engine(program: &Program, model: Model, text: &str) -> Box<Diagnostic> {
    whole(program, format!("no search under {model}: {text}"), None)
}

fn no_trace(program: &Program) -> Box<Diagnostic> {
    let help = "`fencepost check` shows executions to errors; an assertion makes an outcome one";
    whole(program, NO_TRACE.to_owned(), Some(help))
}

/// About a program as a whole.
fn whole(program: &Program, message: String, help: Option<&str>) -> Box<Diagnostic> {
    Box::new(Diagnostic {
        source: program.source.clone(),
        message,
        span: Span::NOWHERE,
        label: String::new(),
        others: Vec::new(),
        help: help.map(str::to_owned),
    })
}

/// What keeps a program from running, and where.
fn reason(program: &Program, span: Span, refusal: &impl Display) -> String {
    match program.file(span).filter(|_| span != Span::NOWHERE) {
        Some(file) => format!("{refusal} ({}:{})", file.name, span.line),
        None => refusal.to_string(),
    }
}

/// About what no formula says.
fn not_solvable(program: &Program, model: Model, refusal: &NotSolvable) -> Box<Diagnostic> {
    let file = program.file(refusal.span).unwrap_or(&program.source);
    let help = "docs/reference/refine.md lists what the engine sat does not do";
    Box::new(Diagnostic {
        source: file.clone(),
        message: format!("the engine sat has no answer under {model}"),
        span: refusal.span,
        label: refusal.message.clone(),
        others: Vec::new(),
        help: Some(help.to_owned()),
    })
}

/// About what no machine runs under a model.
fn unsupported(program: &Program, model: Model, refusal: &Refusal) -> Box<Diagnostic> {
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
                if the engine sat does them, see docs/reference/c.md";
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
