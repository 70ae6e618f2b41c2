//! Programs written by hand, asked and judged as generated ones are.
//!
//! An enemy writes what the grammar does not have. Files of `tests/c` can be given as they are: for each
//! line such as `//: sc: violated: -DWEAK` the program is read with the options behind the last colon.

use crate::engines::{Answer, Engine, Limits, Status, ask};
use crate::extra;
use crate::judge::{Disagreement, Facts, within};
use frontend::c::{Batch, Compiler, Entry};
use memory::Model;
use std::collections::BTreeSet;
use std::path::Path;

/// A program with options, and what came of it.
pub struct Judged {
    /// The options that it was compiled with.
    pub options: Vec<String>,
    /// What was answered.
    pub answers: Vec<Answer>,
    /// What is wrong.
    pub disagreements: Vec<Disagreement>,
}

/// Judges a file, with each set of options that it names.
pub fn judge(
    file: &Path,
    engines: &[Engine],
    models: &[Model],
    limits: &Limits,
) -> Result<Vec<Judged>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let compiler = Compiler::find(None).map_err(|error| error.to_string())?;
    let facts = Facts {
        joins: !text.contains("pthread_exit(") && text.contains("_join("),
        form_matters: false,
        exits: text.contains("exit("),
        leaves: text.contains("exit("),
    };
    let mut judged = Vec::new();
    for options in variants(&text) {
        let mut all = options.clone();
        all.push("-Wno-everything".to_owned());
        let batch = Batch::read(file, &all, &compiler).map_err(|error| error.to_string())?;
        let program = batch.program(Entry::Function("main"));
        let program = program.map_err(|diagnostic| diagnostic.to_string())?;
        let asked = engines.iter().flat_map(|engine| {
            let models = models.iter().filter(|model| engine.has(**model));
            models.map(|model| ask(&program, *engine, *model, false, limits))
        });
        let answers: Vec<Answer> = asked.collect();
        let mut disagreements = within(&answers, facts);
        disagreements.extend(extra::disagreements(&program, &answers, limits));
        judged.push(Judged {
            options,
            answers,
            disagreements,
        });
    }
    Ok(judged)
}

/// The sets of options in the comments of a file.
fn variants(text: &str) -> BTreeSet<Vec<String>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//:"));
    let mut variants: BTreeSet<Vec<String>> = lines
        .map(|line| {
            let options = line.splitn(3, ':').nth(2).unwrap_or_default();
            options.split_whitespace().map(str::to_owned).collect()
        })
        .collect();
    if variants.is_empty() {
        variants.insert(Vec::new());
    }
    variants
}

/// What an engine answered, in a word or two.
pub fn summary(answer: &Answer) -> String {
    let mut words: Vec<String> = answer
        .faults
        .iter()
        .map(|kind| (*kind).to_owned())
        .collect();
    if answer.deadlock {
        words.push("deadlock".to_owned());
    }
    match &answer.status {
        Status::Complete => {}
        Status::Cut(reason) => words.push(format!("cut by {reason}")),
        Status::Refused(reason) => words.push(format!("refused: {reason}")),
        Status::Panicked(text) => words.push(format!("panicked: {text}")),
    }
    words.push(format!("{} outcomes", answer.outcomes.len()));
    let (engine, model) = (answer.engine.name(), answer.model.name());
    format!("{engine} {model}: {}", words.join(", "))
}
