//! Verdicts and outcomes of programs.

use crate::refusal::NotSolvable;
use crate::sat::Answer;
use crate::search::{Effort, Options, Search};
use crate::unroll::failed_assertion;
use answer::{
    Bound, Counts, Engine, Execution, ModelResult, Observation, Outcome, Sequential, Verdict,
    Violation, Warning,
};
use memory::Model;
use program::{
    Formula, FunctionId, InstructionKind, Observable, ObservedLocation, Position, Program,
    Quantifier, Span, StateView, ThreadId, Word,
};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

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
    let asked = with_values_of_formulas(program);
    let mut found = Found::default();
    let mut search = match Search::new(&asked, model, options.clone()) {
        Ok(search) => search,
        Err(halt) => {
            found.bounds.push(halt.stopped()?);
            return Ok(found.result(program, model, None, started.elapsed()));
        }
    };
    let wanted = outcomes || program.properties.condition.is_some();
    // What is wrong within bounds is wrong.
    if search.look(|search| vec![search.encoding.wrong])? {
        found.violation = search.violation()?;
        found.execution = Some(search.encoding.execution(&asked));
    } else {
        found.bounds = search.bounds();
    }
    // The search for what is wrong stopped there: its bounds need not be those of executions
    // that end.
    if found.violation.is_some() && outcomes {
        search.find_bounds()?;
        found.bounds = search.bounds();
    }
    let mut reached = Reached::No;
    if wanted && (found.violation.is_none() || outcomes) {
        reached = found.outcomes(&asked, program.observed.len(), &mut search);
        found.look_for_waiting_threads(&mut search);
    }
    if found.bounds.is_empty() && found.violation.is_none() {
        found.end(program, &mut search, reached);
    }
    if found.bounds.is_empty() && found.violation.is_none() {
        found.bounds.extend(search.certify(&asked, model)?);
    }
    found.bounds.extend(search.left_out());
    Ok(found.result(program, model, Some(&search), started.elapsed()))
}

/// The program with the values observed, too, that its condition and its filter name.
fn with_values_of_formulas(program: &Program) -> Cow<'_, Program> {
    let properties = &program.properties;
    let condition = properties.condition.as_ref().map(|c| &c.property.formula);
    let formulas = condition.into_iter().chain(&properties.filter);
    let mut observed = program.observed.clone();
    for value in formulas.flat_map(|formula| formula.observables()) {
        // `AL` does not tell what `EAX` is.
        let tells =
            |known: &Observable| known.location == value.location && known.width >= value.width;
        if !observed.iter().any(tells) {
            observed.push(value.clone());
        }
    }
    match observed.len() == program.observed.len() {
        true => Cow::Borrowed(program),
        false => Cow::Owned(Program {
            observed,
            ..program.clone()
        }),
    }
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
    pub warnings: Vec<Warning>,
}

/// Whether an execution is known that comes to the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    Yes,
    No,
    /// Some do, but none passes the filter.
    Filtered,
}

/// Where the assertions of some functions stand.
fn assertions(program: &Program, functions: &[FunctionId]) -> BTreeSet<Span> {
    let functions = functions.iter().map(|id| &program.functions[id.index()]);
    let blocks = functions.flat_map(|function| &function.blocks);
    let spans = blocks.flat_map(|block| {
        let asserts = block
            .instructions
            .iter()
            .filter(|instruction| matches!(instruction.kind, InstructionKind::Assert { .. }));
        let asserts = asserts.map(|instruction| instruction.span);
        asserts.chain(failed_assertion(block))
    });
    spans.filter(|span| *span != Span::NOWHERE).collect()
}

impl Found {
    /// Looks for all outcomes, of which the first `columns` values are told; whether there
    /// is one before any filter.
    fn outcomes(&mut self, program: &Program, columns: usize, search: &mut Search) -> Reached {
        let condition = program.properties.condition.as_ref();
        // Each outcome, with whether it satisfies the condition.
        let mut seen: BTreeSet<(Outcome, bool)> = BTreeSet::new();
        let mut reached = Reached::No;
        loop {
            match search.ask_fresh() {
                Answer::Unsatisfiable => break,
                Answer::Stopped => {
                    self.bounds.push(search.stopped());
                    break;
                }
                Answer::Satisfiable => reached = Reached::Yes,
            }
            let outcome = search.outcome();
            let view = Final {
                program,
                outcome: &outcome,
            };
            let filter = program.properties.filter.as_ref();
            if filter.is_none_or(|filter| holds(filter, &view)) {
                let shown = Outcome(outcome.0[..columns].to_vec());
                let satisfied = condition.is_some_and(|condition| {
                    let holds = holds(&condition.property.formula, &view);
                    let shows = holds == (condition.quantifier != Quantifier::Forall);
                    if shows && self.execution.is_none() {
                        self.execution = Some(search.encoding.execution(program));
                        if condition.quantifier != Quantifier::Exists {
                            self.violation = Some(Violation::FinalState(shown.clone()));
                        }
                    }
                    holds
                });
                seen.insert((shown, satisfied));
            }
            search.exclude(outcome);
        }
        // A filter that no end passes leaves a condition on nothing.
        if reached == Reached::Yes && seen.is_empty() && condition.is_some() {
            reached = Reached::Filtered;
        }
        let outcomes: BTreeSet<&Outcome> = seen.iter().map(|(outcome, _)| outcome).collect();
        self.outcomes = outcomes.into_iter().cloned().collect();
        Outcome::sort(&mut self.outcomes, &program.observed[..columns]);
        if let Some(condition) = condition {
            let positive = seen.iter().filter(|(_, satisfied)| *satisfied).count();
            let missing = condition.quantifier == Quantifier::Exists && positive == 0;
            if missing && self.bounds.is_empty() && self.violation.is_none() {
                self.violation = Some(Violation::NoWitness);
            }
            self.observation = Some(Observation {
                positive,
                negative: seen.len() - positive,
            });
        }
        reached
    }

    /// Notes if an outcome may be missing. Outcomes are those of executions in which every thread ends; a
    /// process ends with its first thread, and another may be in a deadlock then.
    fn look_for_waiting_threads(&mut self, search: &mut Search) {
        if self.bounds.iter().any(|bound| bound.stops_search()) {
            return;
        }
        match search.ask_end_with_others_left() {
            Answer::Unsatisfiable => {}
            Answer::Satisfiable => self.bounds.push(Bound::WaitingAtEnd),
            Answer::Stopped => self.bounds.push(search.stopped()),
        }
    }

    /// Sees whether some execution comes to the end, and to each assertion: what no execution does
    /// holds of all.
    fn end(&mut self, program: &Program, search: &mut Search, reached: Reached) {
        if reached == Reached::Filtered {
            self.bounds.push(Bound::NoExecution);
        }
        if reached == Reached::No {
            match search.ask_end() {
                Answer::Satisfiable => {}
                Answer::Unsatisfiable => self.bounds.push(Bound::NoExecution),
                Answer::Stopped => self.bounds.push(search.stopped()),
            }
        }
        let mut open = assertions(program, &search.encoding.unrolled.functions);
        while !open.is_empty() {
            match search.ask_assertions(&open) {
                Some(reached) if !reached.is_empty() => {
                    open.retain(|span| !reached.contains(span));
                }
                Some(_) => break,
                // What is not known is not told.
                None => return,
            }
        }
        self.warnings = open
            .into_iter()
            .map(|span| Warning {
                span,
                message: "no execution reaches this assertion".to_owned(),
            })
            .collect();
    }

    /// As a result of the engine; without a search if a limit was reached before there was one.
    pub fn result(
        self,
        program: &Program,
        model: Model,
        search: Option<&Search>,
        time: Duration,
    ) -> ModelResult {
        let witness = self.observation.is_some_and(|o| o.positive > 0)
            && program.properties.ask_only_for_a_witness();
        let verdict = match witness {
            true => Verdict::Holds,
            false => Verdict::of(self.violation.is_some(), &self.bounds),
        };
        ModelResult {
            model,
            engine: Engine::Sat,
            machine: AXIOMS,
            verdict,
            bounds: self.bounds,
            counts: search.map_or(Counts::default(), |search| counts(&search.effort)),
            outcomes: self.outcomes,
            observation: self.observation,
            violation: self.violation,
            others: Vec::new(),
            warnings: self.warnings,
            started: search.map_or(Vec::new(), |search| search.encoding.started(program)),
            execution: self.execution,
            sequential: Sequential::Unknown,
            time,
            portfolio: Vec::new(),
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
    /// The widest of the values that are observed of the location: a formula may name several parts of
    /// a register, and cuts the value to the part that it means.
    fn value(&self, location: ObservedLocation) -> Option<Word> {
        let values = self.program.observed.iter().zip(&self.outcome.0);
        let own = values.filter(|(observable, _)| observable.location == location);
        let widest = own.max_by_key(|(observable, _)| observable.width);
        widest.map(|(_, word)| *word)
    }

    fn at(&self, _: ThreadId, position: &Position) -> Option<bool> {
        Some(*position == Position::End)
    }
}

fn holds(formula: &Formula, view: &Final) -> bool {
    formula.evaluate(view) == Some(true)
}
