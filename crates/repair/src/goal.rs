//! What a repaired program must do: any question of `check`.

use answer::{Engine, ModelResult, Verdict};
use check::specification::Specifications;
use check::{
    Check, Choice, DataType, NoClient, Options, Prove, Question, Refine, Refused, Robust,
    Specification,
};
use frontend::client::Test;
use memory::{Buffering, Model};
use program::{Diagnostic, Program, Quantifier};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
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
    /// The clients, the smallest first.
    tests: Vec<Test>,
    /// What they may observe, which no fence changes, as far as it has been found out.
    known: Arc<Mutex<BTreeMap<usize, Arc<Specification>>>>,
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

    /// The same question with less time, after what has been spent.
    pub(crate) fn within(&self, slice: Option<Duration>, spent: Duration) -> Cow<'_, Goal> {
        let Some(slice) = slice else {
            return Cow::Borrowed(self);
        };
        let mut goal = self.clone();
        let options = match &mut goal {
            Goal::Correct(check) => &mut check.options,
            Goal::Proved(prove) => &mut prove.options,
            Goal::Robust(robust) => &mut robust.options,
            Goal::Atomic(atomic) => &mut atomic.options,
        };
        let end = options.spent + spent + slice;
        let limit = options.control.max_time.map_or(end, |limit| limit.min(end));
        options.control.max_time = Some(limit);
        Cow::Owned(goal)
    }

    /// How many parts the question has. It holds if all parts do.
    pub(crate) fn parts(&self) -> usize {
        match self {
            Goal::Atomic(atomic) => atomic.tests.len().max(1),
            Goal::Correct(_) | Goal::Proved(_) | Goal::Robust(_) => 1,
        }
    }

    /// The answer for a program, about one part of the question or about all, given the time that has been spent so far.
    pub(crate) fn ask(
        &self,
        program: &Arc<Program>,
        model: Model,
        spent: Duration,
        part: Option<usize>,
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
            Goal::Atomic(atomic) => return atomic.ask(options, program, model, part),
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
        part: Option<usize>,
    ) -> Option<ModelResult> {
        let Goal::Correct(check) = self else {
            return None;
        };
        let solver = Check {
            engine: Choice::Sat,
            ..check.clone()
        };
        Goal::Correct(solver).ask(program, model, spent, part).ok()
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
    /// The question whether a data type looks atomic to these clients.
    pub fn new(options: Options, mut tests: Vec<Test>) -> Self {
        tests.sort_by_key(|test| (test.invocations().count(), test.threads.len()));
        Atomic {
            options,
            tests,
            known: Arc::default(),
        }
    }

    /// The answer for the first client to which the data type does not look atomic, or what holds of all.
    fn ask(
        &self,
        options: Options,
        program: &Arc<Program>,
        model: Model,
        part: Option<usize>,
    ) -> Result<ModelResult, Box<Diagnostic>> {
        let mut refine = Refine::new(DataType::new(Program::clone(program)));
        refine.options = options;
        let mut all: Option<ModelResult> = None;
        let tests = self.tests.iter().enumerate();
        for (index, test) in tests.filter(|(index, _)| part.is_none_or(|part| part == *index)) {
            refine.known = self.specification(index);
            let mut answers = Vec::new();
            match refine.test(test, &[model], |refined| answers.push(refined)) {
                Ok(_) => {}
                Err(NoClient::Refused(diagnostic)) => return Err(diagnostic),
                Err(NoClient::Stopped) => return Ok(ModelResult::undecided(model, Engine::Sat)),
            }
            for answer in answers {
                if !answer.serial {
                    self.keep(index, answer.specification);
                }
                let result = answer.result;
                if result.verdict == Verdict::Violated {
                    return Ok(result);
                }
                let open = all
                    .as_ref()
                    .is_some_and(|all| all.verdict != Verdict::Holds);
                if !open {
                    all = Some(result);
                }
            }
        }
        Ok(all.unwrap_or_else(|| ModelResult::undecided(model, Engine::Sat)))
    }

    fn specification(&self, index: usize) -> Option<Specifications> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let specification = Specification::clone(known.get(&index)?);
        let test = self.tests[index].to_string();
        Some(Specifications::of_one(&test, specification))
    }

    fn keep(&self, index: usize, specification: Arc<Specification>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(index, specification);
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
    goal.ask(&goal.subject(program), model, spent, None)
}
