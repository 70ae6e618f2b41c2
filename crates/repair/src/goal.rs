//! What a repaired program must do: any question of `check`.

use crate::ask::Budget;
use answer::{Engine, ModelResult, Verdict};
use check::specification::Specifications;
use check::{
    Check, Choice, DataType, NoClient, Options, Prove, Question, Refine, Refused, Robust,
    Specification,
};
use frontend::client::Test;
use memory::{Buffering, Model};
use program::{Diagnostic, Program, Quantifier};
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

    /// How many parts the question has. It holds if all parts do.
    pub(crate) fn parts(&self) -> usize {
        match self {
            Goal::Atomic(atomic) => atomic.tests.len().max(1),
            Goal::Correct(_) | Goal::Proved(_) | Goal::Robust(_) => 1,
        }
    }

    /// Whether its parts are tests of a data type.
    pub(crate) fn has_tests(&self) -> bool {
        matches!(self, Goal::Atomic(_))
    }

    /// The answer for a program, about one part of the question or about all, given the time that has been spent so far.
    pub(crate) fn ask(
        &self,
        program: &Arc<Program>,
        model: Model,
        spent: Duration,
        part: Option<usize>,
        budget: Budget,
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
            Goal::Atomic(atomic) => return atomic.ask(options, program, model, part, budget),
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
        let goal = Goal::Correct(solver);
        goal.ask(program, model, spent, part, Budget::default())
            .ok()
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
        budget: Budget,
    ) -> Result<ModelResult, Box<Diagnostic>> {
        let mut refine = Refine::new(DataType::new(Program::clone(program)));
        refine.options = options;
        let mut all: Option<ModelResult> = None;
        for index in (0..self.tests.len()).filter(|index| part.is_none_or(|part| part == *index)) {
            let result = self.ask_test(&mut refine, index, model, budget);
            let result = match result {
                Ok(result) => result,
                Err(NoClient::Refused(diagnostic)) => return Err(diagnostic),
                Err(NoClient::Stopped) => ModelResult::undecided(model, Engine::Sat),
            };
            if result.verdict == Verdict::Violated {
                return Ok(result);
            }
            let is_open = |all: &ModelResult| all.verdict != Verdict::Holds;
            if !all.as_ref().is_some_and(is_open) {
                all = Some(result);
            }
        }
        Ok(all.unwrap_or_else(|| ModelResult::undecided(model, Engine::Sat)))
    }

    /// The answer for one client. What it may observe is found out without a budget, as that is done once.
    fn ask_test(
        &self,
        refine: &mut Refine,
        index: usize,
        model: Model,
        budget: Budget,
    ) -> Result<ModelResult, NoClient> {
        let test = &self.tests[index];
        let own = refine.options.clone();
        refine.known = self.specification(index);
        if refine.known.is_none() {
            let mut failed = None;
            let mined = refine.test(test, &[], |refined| failed = Some(refined.result))?;
            let Some(specification) = mined.specification else {
                return Ok(failed.unwrap_or_else(|| ModelResult::undecided(model, Engine::Sat)));
            };
            self.keep(index, specification);
            refine.known = self.specification(index);
        }
        let least = |most: u32| own.unroll.map_or(most, |unroll| unroll.min(most));
        refine.options.unroll = budget.iterations.map(least).or(own.unroll);
        refine.options.max_work = budget.work;
        refine.options.shows_excess = budget.iterations.is_some();
        let mut answer = None;
        let tested = refine.test(test, &[model], |refined| answer = Some(refined.result));
        refine.options = own;
        tested?;
        Ok(answer.unwrap_or_else(|| ModelResult::undecided(model, Engine::Sat)))
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
    let subject = goal.subject(program);
    goal.ask(&subject, model, spent, None, Budget::default())
}
