//! The subcommands.

use crate::arguments::{CheckOptions, CommonOptions, Format, OutcomesOptions};
use crate::exit::Exit;
use crate::inputs;
use crate::watch::{Watch, interrupts};
use memory::Model;
use program::{Comparison, Diagnostic, Formula, ModelResult, Program, Source, Term, Violation};
use states::Options;
use std::io::{IsTerminal, Write};
use std::sync::atomic::Ordering;

/// `fencepost outcomes`.
pub fn outcomes(options: &OutcomesOptions) -> Exit {
    let search = Options {
        stop_at_violation: false,
        explain: false,
        interrupt: interrupts(),
        ..options.common.search()
    };
    each_file(&options.common, &search, |program| {
        let mut results = explore(program, &options.model.0, &search)?;
        if let Some(wanted) = &options.trace {
            trace(program, &mut results, &options.model.0, &search, wanted)?;
        }
        match options.common.format {
            Format::Json => print_json("outcomes", program, &results),
            Format::Text => {
                print(&report::outcomes_text(program, &results));
                print_traces(program, &results, options.trace.as_deref());
            }
        }
        let stopped = |result: &ModelResult| result.bounds.iter().any(|b| !b.is_exhausted());
        let failed = |result: &ModelResult| {
            let violation = result.violation.as_ref();
            violation.is_some_and(|v| {
                matches!(v, Violation::Assertion { .. } | Violation::BadAccess { .. })
            })
        };
        Ok(if results.iter().any(failed) {
            Exit::Violated
        } else if results.iter().any(stopped) {
            Exit::Undecided
        } else {
            Exit::Holds
        })
    })
}

/// `fencepost check`.
pub fn check(options: &CheckOptions) -> Exit {
    let search = Options {
        interrupt: interrupts(),
        ..options.common.search()
    };
    each_file(&options.common, &search, |program| {
        let results = explore(program, &options.model.0, &search)?;
        match options.common.format {
            Format::Json => print_json("check", program, &results),
            Format::Text => {
                for (index, result) in results.iter().enumerate() {
                    if index > 0 {
                        print("\n");
                    }
                    print(&report::check_text(program, result));
                }
            }
        }
        let verdicts = results.iter().map(|result| Exit::from(result.verdict));
        Ok(verdicts.max().unwrap_or(Exit::Holds))
    })
}

/// Reads every file and does `work` on it; what is wrong with one does not keep
/// the others from being looked at.
fn each_file(
    options: &CommonOptions,
    search: &Options,
    work: impl Fn(&Program) -> Result<Exit, Box<Diagnostic>>,
) -> Exit {
    let mut exit = Exit::Holds;
    let files = inputs::expand(&options.files);
    if files.is_empty() {
        eprintln!("fencepost: no *.litmus files there");
        return Exit::BadInput;
    }
    for (index, file) in files.iter().enumerate() {
        if search.interrupt.load(Ordering::Relaxed) {
            eprintln!("fencepost: stopped before {}", file.display());
            return exit.max(Exit::Undecided);
        }
        if index > 0 && options.format == Format::Text {
            print("\n");
        }
        let source = match inputs::read(file) {
            Ok(source) => source,
            Err(message) => {
                eprintln!("fencepost: {message}");
                exit = Exit::BadInput;
                continue;
            }
        };
        let done = frontend::read(&source)
            .map_err(Box::new)
            .and_then(|program| work(&program));
        exit = exit.max(done.unwrap_or_else(|diagnostic| {
            complain(&diagnostic);
            Exit::BadInput
        }));
    }
    exit
}

fn explore(
    program: &Program,
    models: &[Model],
    search: &Options,
) -> Result<Vec<ModelResult>, Box<Diagnostic>> {
    let run = |&model: &Model| {
        let _watch = Watch::over(&search.progress, model.name());
        states::run(program, model, search).map_err(|error| unsupported(program, &error))
    };
    models.iter().map(run).collect()
}

/// Adds to each result the execution to the outcome that the user asked for.
fn trace(
    program: &Program,
    results: &mut [ModelResult],
    models: &[Model],
    search: &Options,
    wanted: &str,
) -> Result<(), Box<Diagnostic>> {
    let goal = goal(program, results, wanted)?;
    for (result, &model) in results.iter_mut().zip(models) {
        let found = states::execution_to(program, model, search, &goal);
        result.execution = found.map_err(|error| unsupported(program, &error))?;
    }
    Ok(())
}

/// What `--trace` asks for: the number of an outcome, or a condition.
fn goal(
    program: &Program,
    results: &[ModelResult],
    wanted: &str,
) -> Result<Formula, Box<Diagnostic>> {
    let text = Source::new("--trace", wanted);
    let Ok(number) = wanted.trim().trim_start_matches('#').parse::<usize>() else {
        return frontend::formula(&text, program).map_err(Box::new);
    };
    let rows = report::outcome_rows(program, results);
    let Some(outcome) = number.checked_sub(1).and_then(|index| rows.get(index)) else {
        return Err(Box::new(Diagnostic {
            source: text,
            message: format!("there is no outcome {number}"),
            span: program::Span::new(1, 1, wanted.chars().count() as u32),
            label: format!("expected a number from 1 to {}, or a condition", rows.len()),
            others: Vec::new(),
            help: None,
        }));
    };
    let equal = |(observable, word): (&program::Observable, &program::Word)| {
        let number = Term::Number(observable.number(*word));
        Formula::Compare(Comparison::Equal, Term::Value(observable.clone()), number)
    };
    let parts = program.observed.iter().zip(&outcome.0).map(equal);
    Ok(Formula::And(parts.collect()))
}

fn print_traces(program: &Program, results: &[ModelResult], wanted: Option<&str>) {
    let Some(wanted) = wanted else {
        return;
    };
    for result in results {
        match &result.execution {
            Some(execution) => {
                print(&format!(
                    "\nThe shortest execution to {wanted} under {}:\n\n",
                    result.model
                ));
                print(&report::execution_text(program, execution));
            }
            None if result.bounds.is_empty() => {
                print(&format!(
                    "\nNo execution leads to {wanted} under {}.\n",
                    result.model
                ));
            }
            None => {
                let covers = result.covers();
                print(&format!(
                    "\nNo execution to {wanted} under {} within {covers}.\n",
                    result.model
                ));
            }
        }
    }
}

fn unsupported(program: &Program, error: &machine::Unsupported) -> Box<Diagnostic> {
    Box::new(Diagnostic {
        source: program.source.clone(),
        message: error.to_string(),
        span: error.span,
        label: String::new(),
        others: Vec::new(),
        help: None,
    })
}

fn complain(diagnostic: &Diagnostic) {
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    eprintln!("{}", report::diagnostic(diagnostic, color).trim_end());
}

fn print_json(command: &str, program: &Program, results: &[ModelResult]) {
    print(&format!("{}\n", report::json(command, program, results)));
}

/// Prints, and ends quietly if nobody reads any more.
fn print(text: &str) {
    if std::io::stdout().write_all(text.as_bytes()).is_err() {
        std::process::exit(0);
    }
}
