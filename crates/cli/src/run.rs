//! The subcommands that look at every program they are given.

use crate::arguments::{CommonOptions, InputOptions, OutcomesOptions};
use crate::exit::Exit;
use crate::inputs::{self, Complaint};
use crate::pictures::PictureOptions;
use crate::view::view;
use crate::watch::{interrupts, listener};
use answer::{Bound, Engine, ModelResult, Violation};
use check::{Control, Models, Options, Outcomes, Question, each_model, guard};
use memory::Model;
use program::{Diagnostic, Formula, Program, Source, Span};
use report::{Command, Format, Report};
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// `fencepost outcomes`.
pub fn outcomes(options: &OutcomesOptions) -> Exit {
    if let Err(complaint) = options.pictures.check(&options.common.inputs) {
        return complain(&complaint);
    }
    let mut search = options.options();
    search.control.interrupt = interrupts();
    search.listener = listener(&search.control.progress, |_| {});
    let files = Files {
        options: &options.common,
        models: &options.models(),
        control: &search.control,
    };
    let show = |read: &Read, results: &[ModelResult]| {
        let to = (options.common.output.format, &options.pictures);
        read.show(to, Command::Outcomes, results, false);
    };
    files.each(show, |read| {
        let program = &read.program;
        let question = Outcomes {
            options: Options {
                spent: read.time,
                ..search.clone()
            },
            engine: options.engine.into(),
        };
        let run = |model| Ok((model, question.run(program, model)?));
        let answers = each_model(program, &options.models(), &search.listener, run)?;
        let (models, mut results): (Vec<Model>, Vec<ModelResult>) = answers.into_iter().unzip();
        let mut cut = Vec::new();
        if let Some(wanted) = &options.trace {
            let searched = results.iter().flat_map(|result| &result.bounds);
            let searched = !searched.into_iter().any(|bound| bound.stops_search());
            match goal(program, &results, wanted) {
                Ok(goal) => {
                    for (model, result) in models.into_iter().zip(&mut results) {
                        let found = question.execution_to(program, model, result, &goal);
                        let found = found.map_err(|refused| refused.diagnostic(program, model))?;
                        cut.push(found.is_err());
                        result.execution = found.unwrap_or(None);
                    }
                }
                // It may be among those that were not found.
                Err(none) if !searched && wanted.trim().parse::<u64>().is_ok() => {
                    show(read, &results);
                    tell!("fencepost: {}: a limit was reached before", none.message);
                    return Ok(Exit::Undecided);
                }
                Err(complaint) => return Err(complaint),
            }
        }
        show(read, &results);
        if let (Format::Text, Some(wanted)) = (options.common.output.format, &options.trace) {
            print_traces(program, &results, &cut, wanted);
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
        } else if results.iter().any(stopped) || cut.contains(&true) {
            Exit::Undecided
        } else {
            Exit::Holds
        })
    })
}

/// `fencepost ir`.
pub fn ir(options: &InputOptions) -> Exit {
    let show = |read: &Read| {
        print(&read.program.to_string());
        Ok(Exit::Holds)
    };
    let limits = Control {
        interrupt: interrupts(),
        ..Control::default()
    };
    let unread = |_: &Read, _| complain(&Complaint::Stopped);
    each_program(options, &limits, Format::Text, unread, show)
}

/// `fencepost functions`.
pub fn functions() -> Exit {
    print(&report::library_text());
    Exit::Holds
}

/// The programs that the user named, and under which models and limits they are looked at.
pub struct Files<'a> {
    pub options: &'a CommonOptions,
    pub models: &'a Models,
    pub control: &'a Control,
}

/// A program, and the time that it took to read it.
pub struct Read {
    pub program: Arc<Program>,
    pub time: Duration,
}

impl Read {
    /// Prints what a command found of the program, and writes its pictures.
    pub fn show(
        &self,
        (format, pictures): (Format, &PictureOptions),
        command: Command,
        results: &[ModelResult],
        counts: bool,
    ) {
        let report = Report {
            command,
            program: &self.program,
            reading: self.time,
            results,
            counts,
            view: &view(),
        };
        print(&format.show(&report));
        pictures.write(&report, format);
    }
}

impl Files<'_> {
    /// Does `work` on every program, and shows that there is no answer for one that was not read
    /// before a limit was reached.
    pub fn each(
        &self,
        show: impl Fn(&Read, &[ModelResult]),
        work: impl Fn(&Read) -> Result<Exit, Box<Diagnostic>>,
    ) -> Exit {
        let (inputs, format) = (&self.options.inputs, self.options.output.format);
        let unread = |read: &Read, bound| {
            let models = self.models.list.iter();
            let results = models.map(|model| guard::unread(*model, bound, read.time));
            show(read, &results.collect::<Vec<_>>());
            Exit::Undecided
        };
        each_program(inputs, self.control, format, unread, work)
    }
}

/// Reads every program and does `work` on it; what is wrong with one does not keep
/// the others from being looked at.
fn each_program(
    options: &InputOptions,
    limits: &Control,
    format: Format,
    unread: impl Fn(&Read, Bound) -> Exit,
    work: impl Fn(&Read) -> Result<Exit, Box<Diagnostic>>,
) -> Exit {
    let mut exit = Exit::Holds;
    let inputs = match inputs::inputs(options) {
        Ok(inputs) => inputs,
        Err(complaint) => return complain(&complaint),
    };
    for (index, input) in inputs.iter().enumerate() {
        if limits.is_interrupted() {
            tell!("fencepost: stopped before {input}");
            return exit.max(Exit::Undecided);
        }
        if index > 0 && format == Format::Text {
            print("\n");
        }
        let started = Instant::now();
        let (named, by) = (input.clone(), options.clone());
        let read = inputs::read_within(limits, move |limit| inputs::read(&named, &by, limit));
        let of = |program: Program| Read {
            program: Arc::new(program),
            time: started.elapsed(),
        };
        let done = match read {
            Ok(Ok(program)) => work(&of(program)).map_err(Complaint::from),
            Ok(Err(complaint)) => Err(complaint),
            Err(bound) => Ok(unread(&of(inputs::nothing_of(input)), bound)),
        };
        exit = exit.max(done.unwrap_or_else(|complaint| complain(&complaint)));
    }
    exit
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
    Ok(outcome.formula(&program.observed))
}

fn print_traces(program: &Program, results: &[ModelResult], cut: &[bool], wanted: &str) {
    for (result, cut) in results.iter().zip(cut) {
        match &result.execution {
            Some(execution) => {
                let one = match result.engine {
                    Engine::Sat => "An execution",
                    _ => "The shortest execution",
                };
                let what = format!("{one} to {wanted} under {}", result.model);
                print(&report::caption(&what, execution));
                print(&report::execution_text(
                    program,
                    &result.started,
                    execution,
                    &view(),
                ));
            }
            None if *cut => {
                print(&format!(
                    "\nNo execution to {wanted} under {} was found before a limit was reached.\n",
                    result.model
                ));
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

/// Says what is wrong with an input.
pub fn complain(complaint: &Complaint) -> Exit {
    match complaint {
        Complaint::Stopped => {
            tell!("fencepost: a limit was reached before the program was read");
            return Exit::Undecided;
        }
        Complaint::Plain(text) => tell!("fencepost: {text}"),
        Complaint::Diagnostic(diagnostic) => {
            let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            tell!("{}", report::diagnostic(diagnostic, color).trim_end());
        }
    }
    Exit::BadInput
}

/// Prints a text.
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
