//! The subcommands that look at every program they are given.

use crate::arguments::{CommonOptions, Format, InputOptions, OutcomesOptions};
use crate::engine::{each_model, unsupported};
use crate::exit::Exit;
use crate::inputs::{self, Complaint};
use crate::watch::{Watch, interrupts};
use memory::Model;
use program::{
    Comparison, Diagnostic, Formula, ModelResult, Program, Source, Span, Term, Violation,
};
use states::Options;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// `fencepost outcomes`.
pub fn outcomes(options: &OutcomesOptions) -> Exit {
    let search = Options {
        stop_at_violation: false,
        explain: false,
        interrupt: interrupts(),
        ..options.common.search()
    };
    each_file(&options.common, &search, |program| {
        let mut results = each_model(program, &options.model, |model| {
            let _watch = Watch::over(&search.progress, model.name());
            Ok(states::run(program, model, &search)?)
        })?;
        if let Some(wanted) = &options.trace {
            trace(program, &mut results, &search, wanted)?;
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
                matches!(
                    v,
                    Violation::Assertion { .. }
                        | Violation::BadAccess { .. }
                        | Violation::Fault { .. }
                )
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

/// `fencepost ir`.
pub fn ir(options: &InputOptions) -> Exit {
    let show = |program: &Program| {
        print(&program.to_string());
        Ok(Exit::Holds)
    };
    each_program(options, &interrupts(), Format::Text, show)
}

/// `fencepost functions`.
pub fn functions() -> Exit {
    print(&report::library_text());
    Exit::Holds
}

/// Does `work` on every program that the user named.
pub fn each_file(
    options: &CommonOptions,
    search: &Options,
    work: impl Fn(&Program) -> Result<Exit, Box<Diagnostic>>,
) -> Exit {
    each_program(&options.inputs, &search.interrupt, options.format, work)
}

/// Reads every program and does `work` on it; what is wrong with one does not keep
/// the others from being looked at.
fn each_program(
    options: &InputOptions,
    interrupt: &AtomicBool,
    format: Format,
    work: impl Fn(&Program) -> Result<Exit, Box<Diagnostic>>,
) -> Exit {
    let mut exit = Exit::Holds;
    let inputs = match inputs::inputs(options) {
        Ok(inputs) => inputs,
        Err(complaint) => return complain(&complaint),
    };
    for (index, input) in inputs.iter().enumerate() {
        if interrupt.load(Ordering::Relaxed) {
            eprintln!("fencepost: stopped before {input}");
            return exit.max(Exit::Undecided);
        }
        if index > 0 && format == Format::Text {
            print("\n");
        }
        let done = inputs::read(input, options).and_then(|program| Ok(work(&program)?));
        exit = exit.max(done.unwrap_or_else(|complaint| complain(&complaint)));
    }
    exit
}

/// Adds to each result the execution to the outcome that the user asked for.
fn trace(
    program: &Program,
    results: &mut [ModelResult],
    search: &Options,
    wanted: &str,
) -> Result<(), Box<Diagnostic>> {
    let goal = goal(program, results, wanted)?;
    for result in results {
        let Some(model) = Model::ALL.into_iter().find(|m| m.name() == result.model) else {
            continue;
        };
        let found = states::execution_to(program, model, search, &goal);
        result.execution = found.map_err(|error| match program.process {
            true => no_trace(program),
            false => unsupported(program, model, &error.into()),
        })?;
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
            span: Span::new(1, 1, wanted.chars().count() as u32),
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
                print(&report::execution_text(program, &result.started, execution));
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

fn no_trace(program: &Program) -> Box<Diagnostic> {
    let message = "no executions to outcomes of C programs are looked for".to_owned();
    let help = "`fencepost check` shows executions to errors; an assertion makes an outcome one";
    Box::new(Diagnostic {
        source: program.source.clone(),
        message,
        span: Span::NOWHERE,
        label: String::new(),
        others: Vec::new(),
        help: Some(help.to_owned()),
    })
}

/// Says what is wrong with an input.
pub fn complain(complaint: &Complaint) -> Exit {
    match complaint {
        Complaint::Plain(text) => eprintln!("fencepost: {text}"),
        Complaint::Diagnostic(diagnostic) => {
            let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            eprintln!("{}", report::diagnostic(diagnostic, color).trim_end());
        }
    }
    Exit::BadInput
}

/// Prints a text on each result, an empty line between them, and a table of counts if asked for.
pub fn print_results(results: &[ModelResult], text: impl Fn(&ModelResult) -> String, counts: bool) {
    for (index, result) in results.iter().enumerate() {
        if index > 0 {
            print("\n");
        }
        print(&text(result));
    }
    if counts {
        print("\n");
        print(&report::counts_text(results));
    }
}

pub fn print_json(command: &str, program: &Program, results: &[ModelResult]) {
    print(&format!("{}\n", report::json(command, program, results)));
}

pub fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// Prints, and ends quietly if nobody reads any more.
pub fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}
