//! Questions about every program, and how texts are printed.

use crate::arguments::{CommonOptions, InputOptions, OutcomesOptions};
use crate::exit::Exit;
use crate::inputs::{self, Complaint};
use crate::jobs::{self, Asks, Read};
use crate::page::Page;
use crate::pictures::PictureOptions;
use crate::view::view;
use crate::watch::{interrupts, listener};
use answer::{Engine, ModelResult, Outcome, Violation};
use check::{Control, Models, Options, Outcomes, Question, each_model};
use memory::Model;
use program::{Diagnostic, Formula, Program, Source, Span};
use report::{Command, Format};
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// `fencepost outcomes`.
pub fn outcomes(options: &OutcomesOptions) -> Exit {
    jobs::named(options, interrupts())
}

impl Asks for OutcomesOptions {
    fn command(&self) -> Command {
        Command::Outcomes
    }

    fn common(&self) -> &CommonOptions {
        &self.common
    }

    fn pictures(&self) -> &PictureOptions {
        &self.pictures
    }

    fn models(&self) -> Models {
        OutcomesOptions::models(self)
    }

    fn without_meaning(&self, c: bool, litmus: bool) -> Option<&'static str> {
        self.machines
            .without_meaning(c, litmus, &OutcomesOptions::models(self))
    }

    fn ask(&self, read: &Read) -> Result<Exit, Box<Diagnostic>> {
        let program = &read.program;
        let search = read.options(self.options());
        let listener = listener(&search.control.progress, read, |_| {});
        let question = Outcomes {
            options: Options { listener, ..search },
            engine: self.engine.into(),
        };
        let run = |model| Ok((model, question.run(program, model)?));
        let answers = each_model(program, &self.models(), &question.options.listener, run)?;
        let (models, mut results): (Vec<Model>, Vec<ModelResult>) = answers.into_iter().unzip();
        let mut cut = Vec::new();
        let mut trace = None;
        if let Some(wanted) = &self.trace {
            let searched = results.iter().flat_map(|result| &result.bounds);
            let searched = !searched.into_iter().any(|bound| bound.stops_search());
            match goal(program, &results, wanted) {
                Ok(goal) => {
                    for (model, result) in models.into_iter().zip(&mut results) {
                        let found = match &goal {
                            Goal::Formula(formula) => {
                                question.execution_to(program, model, result, formula)
                            }
                            Goal::Outcome(outcome) => {
                                question.execution_to_outcome(program, model, result, outcome)
                            }
                        };
                        let found = found.map_err(|refused| refused.diagnostic(program, model))?;
                        cut.push(found.is_err());
                        result.execution = found.unwrap_or(None);
                    }
                    trace = match goal {
                        Goal::Formula(formula) => Some(formula.to_string()),
                        Goal::Outcome(_) => None,
                    };
                }
                // It may be among those that were not found.
                Err(none) if !searched && wanted.trim().parse::<u64>().is_ok() => {
                    read.show(self, &results, None);
                    let text = format!("fencepost: {}: a limit was reached before", none.message);
                    read.page.tell(&text);
                    return Ok(Exit::Undecided);
                }
                Err(complaint) => return Err(complaint),
            }
        }
        if program.process && program.observed.is_empty() {
            let file = &program.source.name;
            read.page.tell(&format!(
                "fencepost: {file} observes nothing; fp_observe(\"name\", value) of fencepost.h makes a \
                 value part of its outcomes"
            ));
        }
        read.show(self, &results, trace.as_deref());
        if let (Format::Text, Some(wanted)) = (read.output.format, &self.trace) {
            print_traces(&read.page, program, &results, &cut, wanted);
        }
        Ok(exit_of_outcomes(&results, &cut))
    }
}

/// How the command ends: outcomes are neither good nor bad, but something may have gone wrong on the way.
fn exit_of_outcomes(results: &[ModelResult], cut: &[bool]) -> Exit {
    let stopped = |result: &ModelResult| result.bounds.iter().any(|b| !b.is_exhausted());
    let failed = |result: &ModelResult| {
        let violation = result.violation.as_ref();
        violation.is_some_and(|v| {
            matches!(
                v,
                Violation::Assertion { .. } | Violation::BadAccess { .. } | Violation::Fault { .. }
            )
        })
    };
    if results.iter().any(failed) {
        Exit::Violated
    } else if results.iter().any(stopped) || cut.contains(&true) {
        Exit::Undecided
    } else {
        Exit::Holds
    }
}

/// `fencepost ir`.
pub fn ir(options: &InputOptions) -> Exit {
    let inputs = match inputs::inputs(options) {
        Ok(inputs) => inputs,
        Err(complaint) => return complain(&complaint),
    };
    let limits = Control {
        interrupt: interrupts(),
        ..Control::default()
    };
    let mut exit = Exit::Holds;
    for (index, input) in inputs.iter().enumerate() {
        if index > 0 {
            print("\n");
        }
        let (named, by) = (input.clone(), options.clone());
        let read = inputs::read_within(&limits, move |limit| inputs::read(&named, &by, limit));
        match read.unwrap_or(Err(Complaint::Stopped)) {
            Ok(program) => print(&program.to_string()),
            Err(complaint) => exit = exit.max(complain(&complaint)),
        }
    }
    exit
}

/// `fencepost functions`.
pub fn functions() -> Exit {
    print(&report::library_text());
    Exit::Holds
}

/// What `--trace` asks for.
enum Goal {
    /// A final state that satisfies a formula.
    Formula(Formula),
    /// An outcome of a C program.
    Outcome(Outcome),
}

/// What `--trace` asks for: the number of an outcome, or a condition.
fn goal(program: &Program, results: &[ModelResult], wanted: &str) -> Result<Goal, Box<Diagnostic>> {
    let text = Source::new("--trace", wanted);
    let wrong = |message: String, label: String| {
        Err(Box::new(Diagnostic {
            source: text.clone(),
            message,
            span: Span::new(1, 1, wanted.chars().count() as u32),
            label,
            others: Vec::new(),
            help: None,
        }))
    };
    let rows = report::outcome_rows(program, results);
    let Ok(number) = wanted.trim().trim_start_matches('#').parse::<usize>() else {
        if program.process {
            let label = format!("expected a number from 1 to {}", rows.len());
            return wrong("outcomes of C programs have numbers".to_owned(), label);
        }
        let formula = frontend::formula(&text, program).map_err(Box::new)?;
        return Ok(Goal::Formula(formula));
    };
    let Some(outcome) = number.checked_sub(1).and_then(|index| rows.get(index)) else {
        let condition = if program.process {
            ""
        } else {
            ", or a condition"
        };
        let label = format!("expected a number from 1 to {}{condition}", rows.len());
        return wrong(format!("there is no outcome {number}"), label);
    };
    Ok(match program.process {
        true => Goal::Outcome((*outcome).clone()),
        false => Goal::Formula(outcome.formula(&program.observed)),
    })
}

fn print_traces(
    page: &Page,
    program: &Program,
    results: &[ModelResult],
    cut: &[bool],
    wanted: &str,
) {
    for (result, cut) in results.iter().zip(cut) {
        match &result.execution {
            Some(execution) => {
                let one = match result.engine {
                    Engine::Sat => "An execution",
                    _ => "The shortest execution",
                };
                let what = format!("{one} to {wanted} under {}", result.model);
                page.print(&report::caption(&what, execution));
                page.print(&report::execution_text(
                    program,
                    &result.started,
                    execution,
                    &view(),
                ));
            }
            None if *cut => {
                page.print(&format!(
                    "\nNo execution to {wanted} under {} was found before a limit was reached.\n",
                    result.model
                ));
            }
            None if result.bounds.is_empty() => {
                page.print(&format!(
                    "\nNo execution leads to {wanted} under {}.\n",
                    result.model
                ));
            }
            None => {
                let covers = result.covers();
                page.print(&format!(
                    "\nNo execution to {wanted} under {} within {covers}.\n",
                    result.model
                ));
            }
        }
    }
}

/// Printed when a limit was reached before an estimate was made.
pub const NO_ESTIMATE: &str =
    "fencepost: no estimate: a limit was reached before the first walk ended";

/// Printed after a panic.
pub const BUG: &str =
    "fencepost: this is a bug in Fencepost, not in your program; please report it with the input";

/// What is wrong with an input.
pub fn complaint_text(complaint: &Complaint) -> String {
    match complaint {
        Complaint::Stopped => {
            "fencepost: a limit was reached before the program was read".to_owned()
        }
        Complaint::Plain(text) => format!("fencepost: {text}"),
        Complaint::Diagnostic(diagnostic) => {
            let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            report::diagnostic(diagnostic, color).trim_end().to_owned()
        }
    }
}

/// Says what is wrong with an input.
pub fn complain(complaint: &Complaint) -> Exit {
    tell!("{}", complaint_text(complaint));
    match complaint {
        Complaint::Stopped => Exit::Undecided,
        Complaint::Plain(_) | Complaint::Diagnostic(_) => Exit::BadInput,
    }
}

/// The same, in JSON as well if that is what is printed.
pub fn complain_in(format: Format, file: &str, complaint: &Complaint) -> Exit {
    if format == Format::Json {
        let (message, found) = complaint.parts();
        print(&format!("{}\n", report::error_json(file, &message, found)));
    }
    complain(complaint)
}

/// Nobody reads any more.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Prints a text.
pub fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// Prints. If nobody reads any more the command goes on to its answer, which is its exit code; it ends with a complaint if what was found cannot be
/// written for another reason.
pub fn print_bytes(bytes: &[u8]) {
    if CLOSED.load(Ordering::Relaxed) {
        return;
    }
    let mut out = std::io::stdout();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            CLOSED.store(true, Ordering::Relaxed);
        }
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
