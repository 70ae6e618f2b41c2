//! Verdicts and outcomes of programs.

use crate::refusal::NotSolvable;
use crate::sat::Answer;
use crate::search::{Effort, Options, Search};
use memory::Model;
use program::{
    Bound, Counts, Execution, Formula, ModelResult, Observation, Outcome, Place, Position, Program,
    Quantifier, StateView, ThreadId, Verdict, Violation, Word,
};
use std::time::{Duration, Instant};

/// The engine's name in results.
pub const ENGINE: &str = "sat";
/// What stands where other engines have their machine.
const AXIOMS: &str = "axioms";

/// Checks a program under a model. All outcomes are looked for if the program has a condition
/// on them, or if `outcomes` asks for them.
pub fn run(
    program: &Program,
    model: Model,
    options: &Options,
    outcomes: bool,
) -> Result<ModelResult, NotSolvable> {
    let started = Instant::now();
    refuse_states(program)?;
    let mut search = Search::new(program, model, options.clone())?;
    let mut found = Found::default();
    let wanted = outcomes || program.properties.condition.is_some();
    // What is wrong within bounds is wrong.
    if search.look(|search| vec![search.encoding.wrong])? {
        found.violation = search.violation()?;
        found.execution = Some(search.encoding.execution(program));
    }
    if found.violation.is_none() {
        found.bounds = search.bounds();
    }
    if found.violation.is_none() && wanted {
        found.outcomes(program, &mut search);
    }
    if found.bounds.is_empty() && found.violation.is_none() {
        search.certify(program, model)?;
    }
    found.bounds.extend(search.left_out());
    Ok(found.result(program, model, &search, started.elapsed()))
}

/// Refuses properties of states on the way: only executions as a whole are known.
fn refuse_states(program: &Program) -> Result<(), NotSolvable> {
    let mut formulas = program.properties.invariants.iter();
    let liveness = program.properties.liveness.iter().map(|l| &l.property);
    match formulas.next().or(liveness.into_iter().next()) {
        None => Ok(()),
        Some(property) => Err(NotSolvable {
            message: "a property of states on the way, which the engine sat does not see".into(),
            span: property.span,
        }),
    }
}

/// What a search has found.
#[derive(Default)]
pub struct Found {
    pub outcomes: Vec<Outcome>,
    pub violation: Option<Violation>,
    pub execution: Option<Execution>,
    pub observation: Option<Observation>,
    pub bounds: Vec<Bound>,
}

impl Found {
    fn outcomes(&mut self, program: &Program, search: &mut Search) {
        let condition = program.properties.condition.as_ref();
        let mut observation = Observation {
            positive: 0,
            negative: 0,
        };
        loop {
            match search.ask_fresh() {
                Answer::Unsatisfiable => break,
                Answer::Stopped => {
                    self.bounds.push(search.stopped());
                    break;
                }
                Answer::Satisfiable => {}
            }
            let outcome = search.outcome();
            let view = Final {
                program,
                outcome: &outcome,
            };
            let filter = program.properties.filter.as_ref();
            if filter.is_none_or(|filter| holds(filter, &view)) {
                if let Some(condition) = condition {
                    let holds = holds(&condition.property.formula, &view);
                    let shows = holds == (condition.quantifier != Quantifier::Forall);
                    if shows && self.execution.is_none() {
                        self.execution = Some(search.encoding.execution(program));
                        if condition.quantifier != Quantifier::Exists {
                            self.violation = Some(Violation::FinalState(outcome.clone()));
                        }
                    }
                    match holds {
                        true => observation.positive += 1,
                        false => observation.negative += 1,
                    }
                }
                self.outcomes.push(outcome.clone());
            }
            search.exclude(outcome);
        }
        Outcome::sort(&mut self.outcomes, &program.observed);
        let Some(condition) = condition else {
            return;
        };
        let missing = condition.quantifier == Quantifier::Exists && observation.positive == 0;
        if missing && self.bounds.is_empty() {
            self.violation = Some(Violation::NoWitness);
        }
        self.observation = Some(observation);
    }

    /// As a result of the engine.
    pub fn result(
        self,
        program: &Program,
        model: Model,
        search: &Search,
        time: Duration,
    ) -> ModelResult {
        let witness = self.observation.is_some_and(|o| o.positive > 0)
            && program.properties.ask_only_for_a_witness();
        let verdict = match witness {
            true => Verdict::Holds,
            false => Verdict::of(self.violation.is_some(), &self.bounds),
        };
        ModelResult {
            model: model.name(),
            engine: ENGINE,
            machine: AXIOMS,
            verdict,
            bounds: self.bounds,
            counts: counts(&search.effort),
            outcomes: self.outcomes,
            observation: self.observation,
            violation: self.violation,
            others: Vec::new(),
            warnings: Vec::new(),
            started: search.encoding.started(program),
            execution: self.execution,
            time,
        }
    }
}

/// The size of a search.
fn counts(effort: &Effort) -> Counts {
    Counts {
        events: effort.loads + effort.stores,
        ..Counts::default()
    }
}

/// A final state: what is observed of it.
struct Final<'a> {
    program: &'a Program,
    outcome: &'a Outcome,
}

impl StateView for Final<'_> {
    fn value(&self, place: Place) -> Option<Word> {
        let mut observed = self.program.observed.iter();
        let index = observed.position(|observable| observable.place == place)?;
        Some(self.outcome.0[index])
    }

    fn at(&self, _: ThreadId, position: &Position) -> Option<bool> {
        Some(*position == Position::End)
    }
}

fn holds(formula: &Formula, view: &Final) -> bool {
    formula.evaluate(view) == Some(true)
}
