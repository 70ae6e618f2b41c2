//! Does a data type look atomic to its clients? (CheckFence, sections 2.2 and 3.2)
//!
//! A client is a small program that calls operations of a data type and observes their
//! arguments and results. [`mine`] finds every observation of its serial executions, in which
//! operations are atomic; [`include()`] looks for an execution under a memory model with an
//! observation that is not among them.

use crate::refusal::NotSolvable;
use crate::run::Found;
use crate::sat::Answer;
use crate::search::{BoundStatus, Effort, Options, Search};
use answer::{Bound, Execution, ModelResult, Outcome, Violation};
use memory::Model;
use program::{Program, Word};
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
    /// If they go wrong: what is observed before that, in the order of the columns.
    pub observed: Vec<Option<Word>>,
    /// How much work it was.
    pub effort: Effort,
}

/// What came of an inclusion check.
pub struct Included {
    /// What was found.
    pub result: ModelResult,
    /// If something is wrong: what is observed, in the order of the columns.
    pub observed: Vec<Option<Word>>,
    /// How much work it was.
    pub effort: Effort,
}

fn columns(program: &Program) -> Vec<String> {
    program.observed.iter().map(|o| o.name.clone()).collect()
}

/// Finds all observations of a client whose operations are atomic.
pub fn mine(serial: &Program, options: &Options) -> Result<Mined, NotSolvable> {
    let started = Instant::now();
    let mut search = match Search::new(serial, Model::Sc, options.without_certificate()) {
        Ok(search) => search,
        Err(halt) => {
            let bounds = vec![halt.stopped()?];
            let time = started.elapsed();
            return Ok(Mined {
                specification: Specification {
                    columns: columns(serial),
                    ..Specification::default()
                },
                result: found(None, bounds).result(serial, Model::Sc, None, time),
                observed: Vec::new(),
                effort: Effort::default(),
            });
        }
    };
    let (mut wrong, mut observed) = (None, Vec::new());
    search.find_bounds()?;
    if search.ask_wrong() == Answer::Satisfiable {
        wrong = Some(shown(serial, &search)?);
        observed = search.observed();
    }
    let mut bounds = search.bounds();
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
    Ok(Mined {
        specification: Specification {
            columns: columns(serial),
            observations,
        },
        result: found(wrong, bounds).result(serial, Model::Sc, Some(&search), started.elapsed()),
        observed,
        effort: search.effort,
    })
}

/// Looks for an execution of a client that goes wrong, or whose observation is not in the
/// specification. `swaps` are orders of the columns that make no difference.
pub fn include(
    client: &Program,
    model: Model,
    specification: &Specification,
    swaps: &[Vec<usize>],
    options: &Options,
) -> Result<Included, NotSolvable> {
    let started = Instant::now();
    let mut search = match Search::new(client, model, options.clone()) {
        Ok(search) => search,
        Err(halt) => {
            let bounds = vec![halt.stopped()?];
            return Ok(Included {
                result: found(None, bounds).result(client, model, None, started.elapsed()),
                observed: Vec::new(),
                effort: Effort::default(),
            });
        }
    };
    search.break_symmetry(swaps);
    for outcome in &specification.observations {
        search.exclude(outcome.clone());
    }
    let fails = search.look(|search| search.wrong_or_fresh())?;
    let wrong = match fails {
        true => Some(shown(client, &search)?),
        false => None,
    };
    let observed = match fails {
        true => search.observed(),
        false => Vec::new(),
    };
    let mut bounds = match wrong {
        Some(_) => Vec::new(),
        None => search.bounds(),
    };
    if wrong.is_none() && bounds.is_empty() {
        match search.ask_complete() {
            Answer::Satisfiable => {}
            Answer::Unsatisfiable => bounds.push(Bound::NoExecution),
            Answer::Stopped => bounds.push(search.stopped()),
        }
    }
    if wrong.is_none() && bounds.is_empty() {
        bounds.extend(search.certify(client, model)?);
    }
    if wrong.is_none() {
        bounds.extend(search.left_out());
    }
    let mut found = found(wrong, bounds);
    if let BoundStatus::Exceeded(..) = search.bounds
        && options.shows_excess
    {
        // The last model is one in which the loop goes on.
        found.execution = Some(search.encoding.execution(client));
    }
    Ok(Included {
        result: found.result(client, model, Some(&search), started.elapsed()),
        observed,
        effort: search.effort,
    })
}

/// The violation that was found, and its execution.
fn shown(program: &Program, search: &Search) -> Result<(Violation, Execution), NotSolvable> {
    let violation = search.violation()?;
    let violation = violation.unwrap_or_else(|| Violation::NotSerial(search.outcome()));
    Ok((violation, search.encoding.execution(program)))
}

fn found(wrong: Option<(Violation, Execution)>, bounds: Vec<Bound>) -> Found {
    let (violation, execution) = wrong.unzip();
    Found {
        violation,
        execution,
        bounds,
        ..Found::default()
    }
}
