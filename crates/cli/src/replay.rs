//! `fencepost replay`: executions that `--save` has written, run again.

use crate::arguments::{CompilerOptions, InputOptions, LimitOptions, heading};
use crate::clients::{self, invoked};
use crate::exit::Exit;
use crate::inputs::{self, Complaint, Input, read_within};
use crate::run::{complain, print};
use crate::save::rerun;
use crate::view::view;
use crate::watch::interrupts;
use answer::{ModelResult, Verdict};
use check::Control;
use clap::Args;
use frontend::client::{Client, Test};
use program::Program;
use report::{Replayed, Work};
use save::{Question, SavedRun};
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplayOptions {
    /// The file that --save has written
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Show one step after another, with store buffers and memory behind each; on a terminal the
    /// Enter key shows the next one, b the one before, and q ends
    #[arg(long, help_heading = heading::OUTPUT)]
    step: bool,

    #[command(flatten)]
    limits: LimitOptions,
}

const EXAMPLES: &str = "\
Examples:
  fencepost check lock.c --save lock.json   save the execution that is shown
  fencepost replay lock.json                run it again
  fencepost replay lock.json --step         step by step";

/// A program that was read again, and the client that it is, if it is one.
struct Again {
    program: Arc<Program>,
    client: Option<(Test, Client)>,
}

/// Shows every execution of the file again.
pub fn replay(options: &ReplayOptions) -> Exit {
    run(options).unwrap_or_else(|complaint| complain(&complaint))
}

fn run(options: &ReplayOptions) -> Result<Exit, Complaint> {
    let name = options.file.display().to_string();
    let text = clients::text_of(&options.file)?;
    let saved = save::read(&text.text)
        .map_err(|error| Complaint::Plain(format!("cannot replay {name}: {error}")))?;
    let mut control = options.limits.control();
    control.interrupt = interrupts();
    let mut exit = Exit::Holds;
    for (index, run) in saved.executions.iter().enumerate() {
        if index > 0 {
            print("\n");
        }
        exit = exit.max(one(options, run, &control)?);
    }
    Ok(exit)
}

fn one(options: &ReplayOptions, run: &SavedRun, control: &Control) -> Result<Exit, Complaint> {
    let name = options.file.display();
    let cannot = |why: String| Complaint::Plain(format!("cannot replay {name}: {why}"));
    if let Some(file) = run.changed() {
        let why = match Path::new(file).exists() {
            true => "has changed since the execution was saved",
            false => "is not there; replay where the execution was saved",
        };
        return Err(cannot(format!("{file} {why}")));
    }
    let question = run.question.clone();
    let read = read_within(control, move |limit| read(&question, limit));
    let again = read.map_err(|_| Complaint::Stopped)??;
    let program = &again.program;
    if !run.is_of(program) {
        let why = "its files are as they were, but the program that comes of them is not: another clang, \
                   other headers, or another version of fencepost";
        return Err(cannot(why.to_owned()));
    }
    if let Some(None) = run.violation(program) {
        return Err(cannot("the program has no such property".to_owned()));
    }
    let saved = run.result(program, run.execution.clone());
    let trace = run.question.trace.as_deref();
    let found = rerun(program, &saved, trace, &run.execution, control)
        .map_err(|error| cannot(format!("the execution is not possible any more: {error}")))?;
    let is_again = found.is_some();
    let result = run.result(program, found.unwrap_or_else(|| run.execution.clone()));
    if options.step {
        step(program, &result);
    } else {
        print(&text(run, &again, &result, is_again));
    }
    Ok(match result.verdict {
        Verdict::Violated => Exit::Violated,
        _ => Exit::Holds,
    })
}

/// Reads the program of a question again.
fn read(question: &Question, limit: &frontend::c::Limit) -> Result<Again, Complaint> {
    let by = InputOptions {
        files: question.inputs.clone(),
        clang: question.clang.clone(),
        compiler_options: CompilerOptions {
            list: question.clang_options.clone(),
        },
    };
    let Some(text) = &question.test else {
        let input = match question.inputs.as_slice() {
            [one] if !frontend::c::is_c(one) => Input::Litmus(one.clone()),
            files => Input::C(files.to_vec()),
        };
        return Ok(Again {
            program: Arc::new(inputs::read(&input, &by, limit)?),
            client: None,
        });
    };
    let data_type = clients::read_files(&by.files, &by, limit)?;
    let tests = clients::tests(&data_type, std::slice::from_ref(text), &[])?;
    let test = tests.into_iter().next().ok_or(Complaint::Stopped)?;
    let client = data_type.client(&test, question.serial)?;
    Ok(Again {
        program: Arc::new(client.program.clone()),
        client: Some((test, client)),
    })
}

/// What the execution shows; for a client as `refine` shows it.
fn text(run: &SavedRun, again: &Again, result: &ModelResult, is_again: bool) -> String {
    let replayed = Replayed {
        command: &run.question.command,
        program: &again.program,
        result,
        again: is_again,
    };
    let Some((test, client)) = &again.client else {
        return report::replay_text(&replayed, &view());
    };
    let label = test.to_string();
    let told = report::Refined {
        name: "",
        test: &label,
        model: result.model.name(),
        program: &again.program,
        invocations: &invoked(test, client),
        specification: &run.specification.iter().cloned().collect(),
        serial: run.question.serial,
        result,
        observed: &run.observed,
        work: Work::default(),
    };
    report::replay_line(&replayed) + &report::refine_text(&told, &view())
}

/// Shows steps, one after another; forwards and back on a terminal.
fn step(program: &Program, result: &ModelResult) {
    let steps = report::steps(program, result);
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        print(&steps.concat());
        return;
    }
    let mut lines = std::io::stdin().lock().lines();
    let mut at = 0;
    while let Some(text) = steps.get(at) {
        print(text);
        let Some(Ok(line)) = lines.next() else {
            return;
        };
        match line.trim() {
            "q" => return,
            "b" => at = at.saturating_sub(1),
            _ => at += 1,
        }
    }
}
