//! An execution that was saved, and what came of running it again.

use crate::execution::{caption, explained_execution};
use crate::explanation::Explanation;
use crate::explanation_text::{brief_text, explanation_text};
use crate::measures::count;
use crate::view::View;
use answer::ModelResult;
use program::Program;

/// An execution that was saved.
#[derive(Clone, Copy, Debug)]
pub struct Replayed<'r> {
    /// The subcommand that found it.
    pub command: &'r str,
    /// Its program.
    pub program: &'r Program,
    /// What it shows, with the execution.
    pub result: &'r ModelResult,
    /// A machine has run it again; otherwise it is shown as it was saved.
    pub again: bool,
}

/// The first line: what was run again, and that it went as it was saved.
pub fn replay_line(replayed: &Replayed) -> String {
    let Replayed {
        command,
        program,
        result,
        again,
    } = *replayed;
    let (file, model, engine) = (&program.source.name, result.model, result.engine);
    let steps = result.execution.as_ref().map_or(0, |e| e.steps.len());
    let steps = count(steps as u64, "step");
    let what = match again {
        true => format!("replayed, {steps}, as they were saved"),
        false => format!(
            "{steps} as they were saved, not run again: no machine has run what {engine} found under {model}"
        ),
    };
    format!("{file} under {model}, from {command}, engine {engine}: {what}\n")
}

/// What the execution shows, and its steps.
pub fn replay_text(replayed: &Replayed, view: &View) -> String {
    let Replayed {
        program, result, ..
    } = *replayed;
    let mut text = replay_line(replayed);
    let Some(execution) = &result.execution else {
        return text;
    };
    let model = result.model;
    let explanation = Explanation::new(program, result);
    if let Some(explanation) = &explanation {
        text += &format!("violated under {model}: {}\n", explanation.headline);
        text += &format!("\n{}", explanation_text(program, explanation, view));
    }
    let what = match explanation {
        Some(_) => "An execution that shows it",
        None => "The execution",
    };
    text += &caption(what, execution);
    text += &explained_execution(program, result, explanation.as_ref(), execution, view);
    if let Some(explanation) = &explanation {
        text += &format!("\n{}", brief_text(program, explanation, view));
    }
    text
}
