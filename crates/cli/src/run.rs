//! The subcommands that look at every program they are given.

use crate::arguments::{
    CheckOptions, CommonOptions, Format, InputOptions, Models, OutcomesOptions,
};
use crate::exit::Exit;
use crate::inputs::{self, Complaint};
use crate::watch::{Watch, interrupts};
use memory::Model;
use program::{
    Comparison, Diagnostic, Formula, ModelResult, Program, Source, Span, Term, Violation,
};
use states::{Options, Refusal};
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
        let mut results = explore(program, &options.model, &search)?;
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

/// `fencepost check`.
pub fn check(options: &CheckOptions) -> Exit {
    let search = Options {
        races: options.races,
        interrupt: interrupts(),
        ..options.common.search()
    };
    each_file(&options.common, &search, |program| {
        let results = explore(program, &options.model, &search)?;
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

fn each_file(
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

/// What there is to say under each model. All models are all that run such a program.
fn explore(
    program: &Program,
    models: &Models,
    search: &Options,
) -> Result<Vec<ModelResult>, Box<Diagnostic>> {
    let mut results = Vec::new();
    for model in &models.list {
        let _watch = Watch::over(&search.progress, model.name());
        match states::run(program, *model, search) {
            Ok(result) => results.push(result),
            Err(refusal) if models.all && program.process && !results.is_empty() => {
                eprintln!(
                    "fencepost: {model} is left out: {}",
                    reason(program, &refusal)
                );
            }
            Err(error) => return Err(unsupported(program, *model, &error)),
        }
    }
    Ok(results)
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

/// What keeps a program from running, and where.
fn reason(program: &Program, refusal: &Refusal) -> String {
    let span = refusal.span();
    match program.file(span).filter(|_| span != Span::NOWHERE) {
        Some(file) => format!("{refusal} ({}:{})", file.name, span.line),
        None => refusal.to_string(),
    }
}

/// A complaint about what no machine runs under a model.
pub fn unsupported(program: &Program, model: Model, refusal: &Refusal) -> Box<Diagnostic> {
    let c = program.process;
    let span = refusal.span();
    let file = program.file(span).unwrap_or(&program.source);
    let label = match refusal {
        Refusal::NotFlat(not_flat) => not_flat.to_string(),
        Refusal::Unsupported(_) => String::new(),
    };
    let help = "C programs run under sc, tso and pso; under rmo if they can do without calls, \
                see docs/c.md";
    Box::new(Diagnostic {
        source: file.clone(),
        message: match (c, span) {
            (true, Span::NOWHERE) => {
                format!("this C program does not run under {model}: {refusal}")
            }
            (true, _) => format!("this C program does not run under {model}"),
            (false, _) => refusal.to_string(),
        },
        span,
        label,
        others: Vec::new(),
        help: c.then(|| help.to_owned()),
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

fn print_json(command: &str, program: &Program, results: &[ModelResult]) {
    print(&format!("{}\n", report::json(command, program, results)));
}

fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// Prints, and ends quietly if nobody reads any more.
pub fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}
