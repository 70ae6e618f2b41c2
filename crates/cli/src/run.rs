//! The subcommands that look at every program they are given.

use crate::arguments::{CommonOptions, Engine, Format, InputOptions, OutcomesOptions, solving};
use crate::engine::{
    Asked, Chosen, Refused, ask_solver, each_model, not_solvable, search_states, timed, unsupported,
};
use crate::exit::Exit;
use crate::inputs::{self, Complaint};
use crate::watch::interrupts;
use memory::Model;
use program::{
    Comparison, Condition, Diagnostic, Execution, Formula, ModelResult, Program, Properties,
    Property, Quantifier, Source, Span, Term, Violation,
};
use states::Options;
use std::io::{ErrorKind, IsTerminal, Write};
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
        let mut results = each_model(program, &options.models(), |model| {
            timed(|| list(options.engine, program, model, &search))
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

/// All outcomes under a model.
fn list(
    engine: Engine,
    program: &Program,
    model: Model,
    search: &Options,
) -> Result<ModelResult, Refused> {
    let asked = Asked {
        // Executions are gone through for what goes wrong in them.
        engine: match engine {
            Engine::Auto if model != Model::Rmo && model.has_machine() => Engine::States,
            engine => engine,
        },
        needs_explore: None,
        refused_by_sat: search.buffer.map(|_| "--buffer"),
        refused_by_explore: None,
        needs_sat: None,
    };
    match asked.choose(program, model)? {
        Chosen::Explore => {
            let text = "the engine explore lists no outcomes; states and sat do";
            Err(Refused::Engine(text.to_owned()))
        }
        Chosen::Sat => ask_solver(program, model, &solving(search), true),
        states => search_states(program, model, search, states, true),
    }
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
            tell!("fencepost: stopped before {input}");
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
        result.execution = match result.engine {
            solve::ENGINE if program.process => return Err(no_trace(program)),
            solve::ENGINE => solved_execution_to(program, model, search, &goal)?,
            _ => {
                let found = states::execution_to(program, model, search, &goal);
                found.map_err(|error| match program.process {
                    true => no_trace(program),
                    false => unsupported(program, model, &error.into()),
                })?
            }
        };
    }
    Ok(())
}

/// An execution to a state that satisfies the formula, by the solver.
fn solved_execution_to(
    program: &Program,
    model: Model,
    search: &Options,
    goal: &Formula,
) -> Result<Option<Execution>, Box<Diagnostic>> {
    let property = Property {
        formula: goal.clone(),
        span: Span::NOWHERE,
    };
    let asked = Program {
        properties: Properties {
            condition: Some(Condition {
                quantifier: Quantifier::Exists,
                property,
            }),
            filter: None,
            ..program.properties.clone()
        },
        ..program.clone()
    };
    let result = solve::run(&asked, model, &solving(search), true);
    let result = result.map_err(|refusal| not_solvable(program, model, &refusal))?;
    Ok(result.execution)
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
                let one = match result.engine {
                    solve::ENGINE => "An execution",
                    _ => "The shortest execution",
                };
                print(&format!("\n{one} to {wanted} under {}:\n\n", result.model));
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
        Complaint::Plain(text) => tell!("fencepost: {text}"),
        Complaint::Diagnostic(diagnostic) => {
            let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            tell!("{}", report::diagnostic(diagnostic, color).trim_end());
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

/// Prints. Ends the command quietly if nobody reads any more, and with a complaint if what was
/// found cannot be written for another reason.
pub fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            tell!("fencepost: cannot write the output: {error}");
            std::process::exit(2);
        }
    }
}

/// Writes to standard error, where possible.
pub fn write_error(text: std::fmt::Arguments<'_>) {
    let _ = std::io::stderr().write_fmt(text);
}
