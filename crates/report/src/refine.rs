//! Whether a data type looks atomic to a client, in plain words: the verdict, and for a
//! counterexample what each operation was called with and gave back, what it could have given back, and
//! the execution.

use crate::check::warnings_text;
use crate::execution::{caption, execution_text};
use crate::explanation::Explanation;
use crate::explanation_text::{brief_text, explanation_text};
use crate::json::{SCHEMA, result_json};
use crate::measures::{count, time};
use crate::table::{Align, Column, Table};
use crate::values::{observed_text, word_json};
use crate::view::View;
use crate::violation::sentence;
use answer::{Event, Execution, ModelResult, Outcome, Step, Verdict, Violation};
use program::{Program, Span, Word};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// More results that the operations could have had than this are not listed.
const MOST_LISTED: usize = 8;

/// A call of an operation by a client, with what is observed of it: labels, and their places
/// among the program's observables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoked {
    /// The thread, from 1; 0 for the operations that come first.
    pub thread: usize,
    /// The position in the thread, from 1.
    pub position: usize,
    /// The operation as the test names it, with `'` if it is primed.
    pub operation: String,
    /// What it is called with.
    pub arguments: Vec<(String, usize)>,
    /// What it gives back.
    pub results: Vec<(String, usize)>,
}

/// How large the formula of a client is, and what took how long.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Observations of the specification.
    pub observations: usize,
    /// Instructions of the unrolled client.
    pub instructions: u64,
    /// Its loads.
    pub loads: u64,
    /// Its stores.
    pub stores: u64,
    /// Variables of the formula.
    pub variables: u64,
    /// Its clauses.
    pub clauses: u64,
    /// Times that the client was unrolled.
    pub rounds: u32,
    /// Time for the specification.
    pub mining: Duration,
    /// Time for unrolling and encoding.
    pub encoding: Duration,
    /// Time for solving.
    pub solving: Duration,
    /// All of it.
    pub total: Duration,
}

/// What came of a client under a model.
pub struct Refined<'a> {
    /// The test's name; may be empty.
    pub name: &'a str,
    /// The test.
    pub test: &'a str,
    /// The model.
    pub model: &'a str,
    /// The client.
    pub program: &'a Program,
    /// What it calls.
    pub invocations: &'a [Invoked],
    /// What it may observe.
    pub specification: &'a BTreeSet<Outcome>,
    /// The result is about operations one after another, which did not do.
    pub serial: bool,
    /// What was found.
    pub result: &'a ModelResult,
    /// If something is wrong: what was observed, in the order of the program's observables.
    pub observed: &'a [Option<Word>],
    /// How much work it was.
    pub work: Work,
}

impl Refined<'_> {
    /// `T0 = (e|d)`, or only the test.
    fn label(&self) -> String {
        match self.name {
            "" => self.test.to_owned(),
            name => format!("{name} = {}", self.test),
        }
    }

    /// What was observed, if the client came to its end.
    fn outcome(&self) -> Option<&Outcome> {
        match &self.result.violation {
            Some(Violation::NotSerial(outcome)) => Some(outcome),
            _ => None,
        }
    }

    /// What was observed in a place, if the client came to that.
    fn observed(&self, index: usize) -> Option<Word> {
        match self.outcome() {
            Some(outcome) => Some(outcome.0[index]),
            None => self.observed.get(index).copied().flatten(),
        }
    }

    /// What the operations give back one after another if they are called with the same.
    fn expected(&self, observed: &Outcome) -> Vec<&Outcome> {
        let arguments = self.invocations.iter().flat_map(|i| &i.arguments);
        let arguments: Vec<usize> = arguments.map(|(_, index)| *index).collect();
        let same = |outcome: &&Outcome| arguments.iter().all(|&i| outcome.0[i] == observed.0[i]);
        self.specification.iter().filter(same).collect()
    }

    /// The result, with the execution as it is shown.
    pub fn shown_result(&self) -> ModelResult {
        ModelResult {
            execution: self.result.execution.as_ref().map(in_source),
            ..self.result.clone()
        }
    }

    /// The client and the model.
    pub(crate) fn heading(&self) -> String {
        heading(self)
    }

    /// What was found, in a sentence.
    pub(crate) fn answer(&self) -> String {
        answer(self)
    }

    /// The calls of a counterexample, and what they could have given back.
    pub(crate) fn tables(&self) -> Vec<String> {
        let calls = self.result.violation.iter().map(|_| calls_table(self));
        let expected = self.outcome().map(|observed| expected_text(self, observed));
        calls.chain(expected).collect()
    }
}

/// The answer for one client under one model, with the execution that shows it.
pub fn refine_text(refined: &Refined, view: &View) -> String {
    let (program, result) = (refined.program, refined.result);
    let mut text = format!("{}: {}\n", heading(refined), answer(refined));
    text += &warnings_text(program, &result.warnings);
    let explanation = Explanation::new(program, result);
    if let Some(explanation) = &explanation {
        text += &format!("\n{}", explanation_text(program, explanation, view));
        text += &format!("\n{}", calls_table(refined));
    }
    if let Some(observed) = refined.outcome() {
        text += &expected_text(refined, observed);
    }
    if let Some(execution) = &result.execution {
        text += &caption("An execution that shows it", execution);
        text += &execution_text(program, &result.started, &in_source(execution), view);
        if let Some(explanation) = &explanation {
            text += &format!("\n{}", brief_text(program, explanation, view));
        }
    }
    text
}

/// The execution without what the client itself does to start its threads, and without what is in the table of calls.
fn in_source(execution: &Execution) -> Execution {
    let mut execution = execution.clone();
    let observes = |step: &Step| matches!(step.event, Event::Observe { .. });
    execution.retain(|step| step.span != Span::NOWHERE && !observes(step));
    execution
}

fn heading(refined: &Refined) -> String {
    match refined.serial {
        true => format!("{}, one operation after another", refined.label()),
        false => format!("{} under {}", refined.label(), refined.model),
    }
}

fn answer(refined: &Refined) -> String {
    let (program, result) = (refined.program, refined.result);
    let in_time = format!("in {}", time(refined.work.total));
    let observations = count(refined.work.observations as u64, "observation");
    match (result.verdict, &result.violation) {
        (Verdict::Holds, _) => {
            let covers = match result.bounds.is_empty() {
                true => String::new(),
                false => format!("; covers {}", result.covers()),
            };
            format!("looks atomic, {observations}, {in_time}{covers}")
        }
        (_, Some(Violation::NotSerial(_))) => {
            format!("not atomic: no order of the operations gives these results, {in_time}")
        }
        (_, Some(violation)) => {
            let sentence = sentence(program, &result.started, violation);
            let wrong = match refined.serial {
                true => "goes wrong already",
                false => "goes wrong",
            };
            format!("{wrong}: {sentence}, {in_time}")
        }
        _ if refined.serial && result.bounds.is_empty() => {
            format!("undecided: no serial execution of this client comes to its end, {in_time}")
        }
        _ if result.is_vacuous() => {
            format!("undecided: no execution of this client reaches the end, {in_time}")
        }
        _ if refined.serial => {
            format!(
                "undecided: the specification covers only {}, {in_time}",
                result.covers()
            )
        }
        _ => format!(
            "undecided: the search covers only {}, {in_time}",
            result.covers()
        ),
    }
}

/// The operations of each thread under each other.
fn calls_table(refined: &Refined) -> String {
    let threads = refined.invocations.iter().map(|i| i.thread).max();
    let first = refined.invocations.iter().map(|i| i.thread).min();
    let shown: Vec<usize> = (first.unwrap_or(0)..=threads.unwrap_or(0)).collect();
    let mut columns = vec![Column::new(Align::Left)];
    columns.resize(shown.len(), Column::behind_bar(Align::Left));
    let mut table = Table::new(columns);
    let title = |thread: &usize| match thread {
        0 => "first".to_owned(),
        thread => format!("thread {thread}"),
    };
    table.row(shown.iter().map(title));
    table.rule("");
    let calls = |thread: &usize| {
        let own = refined.invocations.iter().filter(|i| i.thread == *thread);
        own.map(|i| call_text(refined, i)).collect::<Vec<_>>()
    };
    table.tall_row(shown.iter().map(calls));
    table.render()
}

/// `e(value=1)`, `d() → found=1 value=0`; of arguments that the client did not come to the
/// labels, of such results nothing.
fn call_text(refined: &Refined, invoked: &Invoked) -> String {
    let text = |(label, index): &(String, usize)| {
        let value = refined.observed(*index)?;
        Some(value_text(refined.program, label, *index, value))
    };
    let arguments = invoked.arguments.iter();
    let arguments = arguments.map(|argument| text(argument).unwrap_or(argument.0.clone()));
    let arguments: Vec<String> = arguments.collect();
    let results: Vec<String> = invoked.results.iter().filter_map(text).collect();
    let call = format!("{}({})", invoked.operation, arguments.join(", "));
    match results.is_empty() {
        true => call,
        false => format!("{call} → {}", results.join(" ")),
    }
}

/// `found=1`.
fn value_text(program: &Program, label: &str, index: usize, value: Word) -> String {
    let value = observed_text(program, &program.observed[index], value);
    format!("{label}={value}")
}

/// `found=1 value=0`.
fn results_text(program: &Program, labels: &[(String, usize)], outcome: &Outcome) -> String {
    let values = labels.iter();
    let values = values.map(|(label, i)| value_text(program, label, *i, outcome.0[*i]));
    values.collect::<Vec<_>>().join(" ")
}

/// What the results could have been, if that is not too much.
fn expected_text(refined: &Refined, observed: &Outcome) -> String {
    let expected = refined.expected(observed);
    if expected.is_empty() {
        return "\nThe specification has no execution with these arguments.\n".to_owned();
    }
    if expected.len() > MOST_LISTED {
        let number = expected.len();
        return format!("\nOne after another, with these arguments, they give {number} others.\n");
    }
    let giving: Vec<&Invoked> = refined
        .invocations
        .iter()
        .filter(|invoked| !invoked.results.is_empty())
        .collect();
    let mut columns = vec![Column::new(Align::Left)];
    columns.resize(1 + giving.len(), Column::behind_bar(Align::Left));
    let mut table = Table::new(columns);
    let title = |invoked: &&Invoked| match invoked.thread {
        0 => format!("first, {}", invoked.operation),
        thread => format!("thread {thread}, {}", invoked.operation),
    };
    table.row([String::new()].into_iter().chain(giving.iter().map(title)));
    table.rule("");
    let results = |outcome: &Outcome| -> Vec<String> {
        let texts = giving
            .iter()
            .map(|invoked| results_text(refined.program, &invoked.results, outcome));
        texts.collect()
    };
    for (index, outcome) in expected.iter().enumerate() {
        let label = if index == 0 { "one of" } else { "" };
        table.row([label.to_owned()].into_iter().chain(results(outcome)));
    }
    let label = "here".to_owned();
    table.row([label].into_iter().chain(results(observed)));
    format!(
        "\nOne after another, with these arguments, the results are\n\n{}",
        table.render()
    )
}

/// The numbers of several clients, a line each.
pub fn work_text(rows: &[(String, &str, Work)]) -> String {
    let mut columns = vec![Column::new(Align::Left); 2];
    columns.resize(13, Column::new(Align::Right));
    let mut table = Table::new(columns);
    let names = [
        "test", "model", "observed", "instrs", "loads", "stores", "vars", "clauses", "rounds",
        "mining", "encoding", "solving", "total",
    ];
    table.row(names.map(str::to_owned));
    for (test, model, work) in rows {
        let seconds = |time: Duration| format!("{:.3} s", time.as_secs_f64());
        table.row([
            test.clone(),
            (*model).to_owned(),
            work.observations.to_string(),
            work.instructions.to_string(),
            work.loads.to_string(),
            work.stores.to_string(),
            work.variables.to_string(),
            work.clauses.to_string(),
            work.rounds.to_string(),
            seconds(work.mining),
            seconds(work.encoding),
            seconds(work.solving),
            seconds(work.total),
        ]);
    }
    table.render()
}

/// One object with the results of all clients; reading the data type took the time given.
pub fn refine_json(program: &Program, reading: Duration, results: Vec<Value>) -> Value {
    json!({
        "schema": SCHEMA,
        "command": "refine",
        "file": &*program.source.name,
        "test": program.name,
        "results": results,
        "reading_seconds": reading.as_secs_f64(),
    })
}

/// A result: that of the search, and what it is about.
pub fn refined_json(refined: &Refined) -> Value {
    let value = |index: usize| match refined.observed(index) {
        Some(value) => value_json(refined.program, index, value),
        None => Value::Null,
    };
    let values = |labels: &[(String, usize)]| {
        let values = labels.iter().map(|(label, i)| (label.clone(), value(*i)));
        Value::Object(values.collect::<Map<_, _>>())
    };
    let operation = |invoked: &Invoked| {
        json!({
            "thread": invoked.thread,
            "position": invoked.position,
            "operation": invoked.operation,
            "arguments": values(&invoked.arguments),
            "results": values(&invoked.results),
        })
    };
    let expected = refined
        .outcome()
        .map(|outcome| refined.expected(outcome).len());
    let mut fields = Map::new();
    fields.insert("name".to_owned(), refined.name.into());
    fields.insert("client".to_owned(), refined.test.into());
    fields.insert("serial".to_owned(), refined.serial.into());
    let operations: Vec<Value> = refined.invocations.iter().map(operation).collect();
    fields.insert("operations".to_owned(), operations.into());
    fields.insert("expected".to_owned(), expected.into());
    fields.insert("work".to_owned(), work_json(&refined.work));
    if let Value::Object(result) = result_json(refined.program, refined.result) {
        fields.extend(result);
    }
    fields.insert("model".to_owned(), refined.model.into());
    Value::Object(fields)
}

fn value_json(program: &Program, index: usize, word: Word) -> Value {
    let observable = &program.observed[index];
    word_json(program, word, observable.width, observable.signed)
}

fn work_json(work: &Work) -> Value {
    json!({
        "observations": work.observations,
        "instructions": work.instructions,
        "loads": work.loads,
        "stores": work.stores,
        "variables": work.variables,
        "clauses": work.clauses,
        "rounds": work.rounds,
        "mining_seconds": work.mining.as_secs_f64(),
        "encoding_seconds": work.encoding.as_secs_f64(),
        "solving_seconds": work.solving.as_secs_f64(),
        "total_seconds": work.total.as_secs_f64(),
    })
}
