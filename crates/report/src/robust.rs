//! Whether store buffers show anything that sequential consistency does not, in plain words.

use crate::check::{detail_lines, warnings_text};
use crate::execution::explained_execution;
use crate::explanation::Explanation;
use crate::explanation_text::explanation_text;
use crate::measures::{size, time};
use crate::view::View;
use crate::violation::sentence;
use answer::{Engine, ModelResult, Verdict, Violation};
use program::Program;

/// The answer under one model, with the execution that shows it.
pub fn robust_text(program: &Program, result: &ModelResult, view: &View) -> String {
    let (file, model) = (&program.source.name, result.model);
    let (size, time) = (size(result), time(result.time));
    let searched = match result.engine {
        Engine::Monitor => " of sc",
        _ => "",
    };
    let mut text = format!(
        "{file} under {model}, engine {}: {size}{searched} in {time}\n",
        result.engine
    );
    text += &warnings_text(program, &result.warnings);
    text += &answer(result);
    let explanation = Explanation::new(program, result);
    if let (Some(explanation), Some(violation)) = (&explanation, &result.violation) {
        text += &format!("\n{}", explanation_text(program, explanation, view));
        text += &format!("\nThe cycle:\n{}", detail_lines(program, result, violation));
    }
    for other in &result.others {
        text += &match other {
            Violation::NotSequential(_) => "and another one:\n".to_owned(),
            wrong => {
                let sentence = sentence(program, &result.started, wrong);
                format!("wrong without store buffers already: {sentence}\n")
            }
        };
        text += &detail_lines(program, result, other);
    }
    if let Some(execution) = &result.execution {
        text += "\nAn execution with store buffers that shows it:\n\n";
        text += &explained_execution(program, result, explanation.as_ref(), execution, view);
    }
    text
}

pub(crate) fn answer(result: &ModelResult) -> String {
    let (model, covers) = (result.model, result.covers());
    match result.verdict {
        Verdict::Violated => format!(
            "not robust: {model} shows an execution that sequential consistency does not have\n"
        ),
        Verdict::Holds if result.bounds.is_empty() => format!(
            "robust: {model} shows nothing that sequential consistency does not (everything \
             covered)\n"
        ),
        Verdict::Holds => format!(
            "robust up to {covers}: within that {model} shows nothing that sequential consistency \
             does not\n"
        ),
        Verdict::Undecided => format!("not decided: the search covers only {covers}\n"),
    }
}
