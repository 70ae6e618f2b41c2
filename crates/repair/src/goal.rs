//! What a repaired program must do: any question of `check`.

use answer::{Engine, ModelResult, Verdict};
use check::{Check, Choice, DataType, NoClient, Options, Prove, Question, Refine, Refused, Robust};
use frontend::client::Test;
use memory::{Buffering, Model};
use program::{Diagnostic, Program, Quantifier};
use std::sync::Arc;
use std::time::Duration;

/// What must hold.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Nothing goes wrong.
    Correct(Check),
    /// Nothing goes wrong, with loops that never end and store buffers of any size.
    Proved(Prove),
    /// The model shows nothing that sequential consistency does not.
    Robust(Robust),
    /// A data type looks atomic to some clients.
    Atomic(Atomic),
}

/// Clients of a data type.
#[derive(Clone, Debug)]
pub struct Atomic {
    /// How to solve.
    pub options: Options,
    /// The clients.
    pub tests: Vec<Test>,
}

impl Goal {
    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Goal::Correct(_) => "correct",
            Goal::Proved(_) => "proved",
            Goal::Robust(_) => "robust",
            Goal::Atomic(_) => "atomic",
        }
    }

    /// How to search.
    pub fn options(&self) -> &Options {
        match self {
            Goal::Correct(check) => &check.options,
            Goal::Proved(prove) => &prove.options,
            Goal::Robust(robust) => &robust.options,
            Goal::Atomic(atomic) => &atomic.options,
        }
    }

    /// The answer for a program, given the time that has been spent so far.
    pub(crate) fn ask(
        &self,
        program: &Arc<Program>,
        model: Model,
        spent: Duration,
    ) -> Result<ModelResult, Box<Diagnostic>> {
        let options = Options {
            spent: self.options().spent + spent,
            ..self.options().clone()
        };
        let answer = match self {
            Goal::Correct(check) => Check {
                options,
                ..check.clone()
            }
            .run(program, model),
            Goal::Proved(prove) => Prove {
                options,
                ..prove.clone()
            }
            .run(program, model),
            Goal::Robust(robust) => run_robust(robust, options, program, model),
            Goal::Atomic(atomic) => return atomic.ask(options, program, model),
        };
        answer.map_err(|refused| refused.diagnostic(program, model))
    }

    /// An answer of the solver, whose executions say in which order their threads have accesses, if the question can be put
    /// to it.
    pub(crate) fn ask_solver(
        &self,
        program: &Arc<Program>,
        model: Model,
        spent: Duration,
    ) -> Option<ModelResult> {
        let Goal::Correct(check) = self else {
            return None;
        };
        let solver = Check {
            engine: Choice::Sat,
            ..check.clone()
        };
        Goal::Correct(solver).ask(program, model, spent).ok()
    }

    /// The program that the question is asked of.
    pub(crate) fn subject(&self, program: Program) -> Arc<Program> {
        Arc::new(match self {
            Goal::Correct(_) | Goal::Proved(_) => forbidding(program),
            Goal::Robust(_) | Goal::Atomic(_) => program,
        })
    }

    /// Whether the question makes sense under sequential consistency, where robustness is nothing to ask for.
    pub(crate) fn asks_of_sc(&self) -> bool {
        !matches!(self, Goal::Robust(_))
    }
}

/// Attacks decide it for loops that never end, where they decide it.
fn run_robust(
    robust: &Robust,
    options: Options,
    program: &Arc<Program>,
    model: Model,
) -> Result<ModelResult, Refused> {
    let ask = |unbounded| Robust {
        options: options.clone(),
        unbounded,
        ..robust.clone()
    };
    let attacks = model.row().buffering == Buffering::PerThread;
    let decided = attacks.then(|| ask(true).run(program, model));
    match decided {
        Some(Ok(decided)) if decided.verdict != Verdict::Undecided => Ok(decided),
        _ => ask(false).run(program, model),
    }
}

impl Atomic {
    /// The first client to which the data type does not look atomic, or what holds of all.
    fn ask(
        &self,
        options: Options,
        program: &Arc<Program>,
        model: Model,
    ) -> Result<ModelResult, Box<Diagnostic>> {
        let mut refine = Refine::new(DataType::new(Program::clone(program)));
        refine.options = options;
        let mut all: Option<ModelResult> = None;
        for test in &self.tests {
            let mut answers = Vec::new();
            match refine.test(test, &[model], |refined| answers.push(refined.result)) {
                Ok(_) => {}
                Err(NoClient::Refused(diagnostic)) => return Err(diagnostic),
                Err(NoClient::Stopped) => return Ok(ModelResult::undecided(model, Engine::Sat)),
            }
            for answer in answers {
                if answer.verdict == Verdict::Violated {
                    return Ok(answer);
                }
                let open = all
                    .as_ref()
                    .is_some_and(|all| all.verdict != Verdict::Holds);
                if !open {
                    all = Some(answer);
                }
            }
        }
        Ok(all.unwrap_or_else(|| ModelResult::undecided(model, Engine::Sat)))
    }
}

/// The program whose condition is what must hold: `exists` in a litmus test names the final state that a repair is to forbid.
fn forbidding(mut program: Program) -> Program {
    if let Some(condition) = &mut program.properties.condition
        && condition.quantifier == Quantifier::Exists
    {
        condition.quantifier = Quantifier::NotExists;
    }
    program
}

/// The answer for a program as it is, asked in the same way as for programs with fences, given the time that has been spent so far.
pub fn ask(
    goal: &Goal,
    program: Program,
    model: Model,
    spent: Duration,
) -> Result<ModelResult, Box<Diagnostic>> {
    goal.ask(&goal.subject(program), model, spent)
}
