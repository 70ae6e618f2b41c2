//! Does a data type look atomic to its clients? (CheckFence, sections 2.2 and 3.2)
//!
//! A client is a small program that calls operations of a data type and observes their
//! arguments and results. [`mine`] finds every observation of its serial executions, in which
//! operations are atomic; [`include`] looks for an execution under a memory model with an
//! observation that is not among them.

use crate::run::{ENGINE, counts};
use crate::sat::Answer;
use crate::search::{Effort, NotSolvable, Options, Search, Turned};
use memory::Model;
use program::{Bound, Execution, ModelResult, Outcome, Program, Verdict, Violation};
use std::collections::BTreeSet;
use std::time::Instant;

/// What clients of a data type may observe: the specification of one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specification {
    /// The names of what is observed.
    pub columns: Vec<String>,
    /// The observations, each a value for every column.
    pub observations: BTreeSet<Outcome>,
}

/// What came of mining.
pub struct Mined {
    /// The observations that were found.
    pub specification: Specification,
    /// What was found under the model SC: violated if the operations go wrong one after the other,
    /// undecided if not all observations were found.
    pub result: ModelResult,
    /// How much work it was.
    pub effort: Effort,
}

/// What came of an inclusion check.
pub struct Included {
    /// What was found.
    pub result: ModelResult,
    /// How much work it was.
    pub effort: Effort,
}

/// Finds all observations of a client whose operations are atomic.
pub fn mine(serial: &Program, options: &Options) -> Result<Mined, NotSolvable> {
    let started = Instant::now();
    let mut search = Search::new(serial, Model::Sc, options.without_certificate())?;
    let mut wrong = None;
    search.turn_enough()?;
    if search.ask_wrong() == Answer::Satisfiable {
        wrong = Some(shown(serial, &search));
    }
    let mut bounds: Vec<Bound> = search.bounds();
    let mut observations = BTreeSet::new();
    while wrong.is_none() {
        match search.ask_fresh() {
            Answer::Satisfiable => {
                let outcome = search.outcome();
                observations.insert(outcome.clone());
                search.exclude(outcome);
            }
            Answer::Unsatisfiable => break,
            Answer::Stopped => {
                bounds.push(search.stopped());
                break;
            }
        }
    }
    let columns = serial.observed.iter().map(|o| o.name.clone()).collect();
    Ok(Mined {
        specification: Specification {
            columns,
            observations,
        },
        result: result(serial, Model::Sc, &search, wrong, bounds, started),
        effort: search.effort,
    })
}

/// Looks for an execution of a client that goes wrong, or whose observation is not in the
/// specification.
pub fn include(
    client: &Program,
    model: Model,
    specification: &Specification,
    options: &Options,
) -> Result<Included, NotSolvable> {
    let started = Instant::now();
    let mut search = Search::new(client, model, options.clone())?;
    for outcome in &specification.observations {
        search.exclude(outcome.clone());
    }
    let mut wrong = None;
    search.rounds(|search| {
        if search.ask_either() == Answer::Satisfiable {
            wrong = Some(shown(client, search));
        }
        Ok(wrong.is_some())
    })?;
    let bounds = match wrong {
        Some(_) => Vec::new(),
        None => search.bounds(),
    };
    if wrong.is_none() && bounds.is_empty() {
        search.certify(client, model)?;
    }
    Ok(Included {
        result: result(client, model, &search, wrong, bounds, started),
        effort: search.effort,
    })
}

/// The violation that was found, and its execution.
fn shown(program: &Program, search: &Search) -> (Violation, Execution) {
    let violation = search.encoding.violation(program);
    let violation = violation.unwrap_or_else(|| Violation::NotSerial(search.outcome()));
    (violation, search.encoding.execution(program))
}

fn result(
    program: &Program,
    model: Model,
    search: &Search,
    wrong: Option<(Violation, Execution)>,
    bounds: Vec<Bound>,
    started: Instant,
) -> ModelResult {
    let (violation, execution) = wrong.unzip();
    ModelResult {
        model: model.name(),
        engine: ENGINE,
        machine: "axioms",
        verdict: Verdict::of(violation.is_some(), &bounds),
        bounds,
        counts: counts(&search.effort),
        outcomes: Vec::new(),
        observation: None,
        violation,
        others: Vec::new(),
        warnings: Vec::new(),
        started: search.encoding.started(program),
        execution,
        time: started.elapsed(),
    }
}

impl Search<'_> {
    fn bounds(&self) -> Vec<Bound> {
        match self.turned {
            Turned::Enough => Vec::new(),
            Turned::TooFew(span, turns) => vec![Bound::Unroll(turns, span)],
            Turned::Stopped => vec![self.stopped()],
        }
    }
}
