//! All final states, models side by side.

use crate::check::warnings_text;
use crate::measures::{count, limits, memory, size, time};
use crate::table::{Align, Column, Table};
use crate::values::observed_text;
use crate::violation::sentence;
use answer::{Bound, ModelResult, Outcome, Violation, Warning};
use program::{Condition, Formula, ObservedLocation, Position, Program, StateView, ThreadId, Word};
use std::collections::{BTreeSet, HashSet};

/// The outcome is allowed, and by no model before.
const ADDED: &str = "+";
const ALLOWED: &str = "✓";
const NOT_ALLOWED: &str = "·";
/// The search was cut before it could tell.
const NOT_KNOWN: &str = "?";

/// The outcomes of all results in the order of the rows of [`outcomes_text`],
/// whose numbers count from 1.
pub fn outcome_rows<'a>(program: &Program, results: &'a [ModelResult]) -> Vec<&'a Outcome> {
    let rows: BTreeSet<&Outcome> = results.iter().flat_map(|r| &r.outcomes).collect();
    let mut rows: Vec<&Outcome> = rows.into_iter().collect();
    rows.sort_by_cached_key(|outcome| outcome.numbers(&program.observed));
    rows
}

/// One table: a row per outcome, a column per observed value and per model.
/// Results stand in the order of their models, strongest first.
pub fn outcomes_text(program: &Program, results: &[ModelResult]) -> String {
    let models: Vec<&str> = results.iter().map(|result| result.model.name()).collect();
    let (name, file) = (&program.name, &program.source.name);
    let mut text = format!("{name} ({file}) under {}\n\n", models.join(", "));
    let rows = outcome_rows(program, results);
    if rows.is_empty() {
        text += "  no final state\n";
    } else {
        text += &outcome_table(program, results, &rows);
        text += &legend(program, results, &rows);
    }
    text.push('\n');
    text += &summaries(program, results);
    text += &failures(program, results);
    let warnings = results.iter().flat_map(|result| &result.warnings);
    let warnings: BTreeSet<Warning> = warnings.cloned().collect();
    text += &warnings_text(program, &warnings.into_iter().collect::<Vec<_>>());
    text
}

fn outcome_table(program: &Program, results: &[ModelResult], rows: &[&Outcome]) -> String {
    let mut columns = vec![Column::new(Align::Right); 1 + program.observed.len()];
    for index in 0..results.len() {
        columns.push(Column {
            align: Align::Center,
            bar: index == 0,
        });
    }
    columns.push(Column::new(Align::Left));
    let mut table = Table::new(columns);
    let names = program.observed.iter().map(|observable| &observable.name);
    let models = results.iter().map(|result| result.model.to_string());
    table.row(
        [String::new()]
            .into_iter()
            .chain(names.cloned())
            .chain(models),
    );
    let found: Vec<HashSet<&Outcome>> = results
        .iter()
        .map(|result| result.outcomes.iter().collect())
        .collect();
    for (index, outcome) in rows.iter().enumerate() {
        let mut row = vec![(index + 1).to_string()];
        let values = program.observed.iter().zip(&outcome.0);
        row.extend(values.map(|(observable, word)| observed_text(program, observable, *word)));
        let mut before = false;
        for (found, result) in found.iter().zip(results) {
            let allowed = found.contains(*outcome);
            row.push(
                match (allowed, before) {
                    (false, _) if is_open(result) => NOT_KNOWN,
                    (false, _) => NOT_ALLOWED,
                    (true, false) => ADDED,
                    (true, true) => ALLOWED,
                }
                .to_owned(),
            );
            before |= allowed;
        }
        if satisfies(program, outcome) {
            row.push("*".to_owned());
        }
        table.row(row);
    }
    table.render()
}

/// True if a bound may have left out outcomes. That an execution that ends in a deadlock,
/// or memory that is freed, was not looked at takes no outcome away.
pub(crate) fn is_open(result: &ModelResult) -> bool {
    let keeps = |bound: &Bound| {
        matches!(
            bound,
            Bound::Waiting | Bound::Lifetimes | Bound::NoExecution
        )
    };
    !result.bounds.iter().all(keeps)
}

fn legend(program: &Program, results: &[ModelResult], rows: &[&Outcome]) -> String {
    let mut text = String::from("\n");
    if results.len() > 1 {
        text += &format!("  {ADDED} allowed, by this model first   ");
        text += &format!("{ALLOWED} allowed   {NOT_ALLOWED} not allowed");
        let is_marked = |result: &ModelResult| {
            is_open(result) && rows.iter().any(|row| !result.outcomes.contains(row))
        };
        if results.iter().any(is_marked) {
            text += &format!("   {NOT_KNOWN} not known: the search was cut");
        }
        text.push('\n');
    } else {
        text += &format!("  {ADDED} allowed\n");
    }
    if let Some(condition) = &program.properties.condition
        && rows.iter().any(|outcome| satisfies(program, outcome))
    {
        text += &format!("  * satisfies {}\n", condition.property.formula);
    }
    text
}

/// A line per model: how much there is and what it took.
fn summaries(program: &Program, results: &[ModelResult]) -> String {
    let mut table = Table::new(vec![Column::new(Align::Left); 7]);
    for result in results {
        let observation = result.observation.map_or(String::new(), |observation| {
            observation_text(&program.name, observation)
        });
        table.row([
            result.model.to_string(),
            count(result.outcomes.len() as u64, "outcome"),
            observation,
            size(result),
            time(result.time),
            memory(result),
            limits(result),
        ]);
    }
    table.render()
}

/// A line per model under which an execution goes wrong; such executions have no outcome.
fn failures(program: &Program, results: &[ModelResult]) -> String {
    let lines = results.iter().filter_map(|result| {
        let violation = result.violation.as_ref()?;
        let fails = matches!(
            violation,
            Violation::Assertion { .. } | Violation::BadAccess { .. } | Violation::Fault { .. }
        );
        let sentence = sentence(program, &result.started, violation);
        fails.then(|| format!("violated under {}: {sentence}\n", result.model))
    });
    lines.collect()
}

/// herd7's line: `Observation SB Sometimes 1 3`.
pub(crate) fn observation_text(name: &str, observation: answer::Observation) -> String {
    let (word, positive, negative) = (
        observation.word(),
        observation.positive,
        observation.negative,
    );
    format!("Observation {name} {word} {positive} {negative}")
}

/// Whether the outcome is known to satisfy the condition's formula.
pub(crate) fn satisfies(program: &Program, outcome: &Outcome) -> bool {
    let Some(Condition { property, .. }) = &program.properties.condition else {
        return false;
    };
    let state = FinalState { program, outcome };
    state.shows(&property.formula) && property.formula.evaluate(&state) == Some(true)
}

/// What an outcome says of the state in which it was observed.
struct FinalState<'a> {
    program: &'a Program,
    outcome: &'a Outcome,
}

impl FinalState<'_> {
    /// The observed value that shows most bits of a location, with their number.
    fn widest(&self, location: ObservedLocation) -> Option<(u32, Word)> {
        let values = self.program.observed.iter().zip(&self.outcome.0);
        values
            .filter(|(observable, _)| observable.location == location)
            .map(|(observable, word)| (observable.width.bits(), *word))
            .max()
    }

    /// True if the outcome has every bit that the formula reads. Values observed on the way
    /// are not told apart by their location, so none of them counts.
    fn shows(&self, formula: &Formula) -> bool {
        formula.observables().iter().all(|observable| {
            observable.location != ObservedLocation::Observation
                && self
                    .widest(observable.location)
                    .is_some_and(|(bits, _)| bits >= observable.width.bits())
        })
    }
}

impl StateView for FinalState<'_> {
    fn value(&self, location: ObservedLocation) -> Option<Word> {
        self.widest(location).map(|(_, word)| word)
    }

    /// In a final state every thread is at its end.
    fn at(&self, _: ThreadId, position: &Position) -> Option<bool> {
        Some(*position == Position::End)
    }
}
