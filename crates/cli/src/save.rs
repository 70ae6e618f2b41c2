//! Executions that are saved as they are shown.

use crate::arguments::InputOptions;
use crate::inputs::Complaint;
use crate::proof::room_for;
use answer::{Execution, ModelResult, Verdict};
use check::{Claim, Control};
use program::{Formula, Program, Source};
use report::explanation_json;
use save::{Question, Saved, SavedRun};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A file of executions that grows while programs are looked at.
pub struct Saver {
    path: PathBuf,
    /// Executions, each with the position of its program.
    runs: Mutex<Vec<(usize, SavedRun)>>,
}

/// Where the executions of a program come from: the command, its files, how they are read, and the final state that was asked for.
pub type Origin<'a> = (&'a str, Vec<PathBuf>, &'a InputOptions, Option<&'a str>);

impl Saver {
    /// A file at this path; complains early if there cannot be one.
    pub fn new(path: &Path) -> Result<Self, Complaint> {
        room_for(path)?;
        Ok(Saver {
            path: path.to_owned(),
            runs: Mutex::default(),
        })
    }

    /// Where it is.
    pub fn path(&self) -> std::path::Display<'_> {
        self.path.display()
    }

    /// The command that shows the executions again.
    pub fn command(&self) -> String {
        let path = self.path.display().to_string();
        let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
        match path.chars().all(plain) {
            true => format!("fencepost replay {path}"),
            false => format!("fencepost replay '{}'", path.replace('\'', r"'\''")),
        }
    }

    /// True if nothing was saved.
    pub fn is_empty(&self) -> bool {
        self.runs().is_empty()
    }

    fn runs(&self) -> MutexGuard<'_, Vec<(usize, SavedRun)>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Saves the executions of results; how many there are, or why they cannot be written.
    pub fn keep(
        &self,
        index: usize,
        of: Origin<'_>,
        program: &Arc<Program>,
        results: &[ModelResult],
    ) -> Result<usize, String> {
        let (command, files, inputs, trace) = of;
        let mut kept = 0;
        for result in results {
            // An execution to an outcome shows that outcome, whatever is wrong in others.
            let of_outcome = ModelResult {
                verdict: Verdict::Holds,
                violation: None,
                ..result.clone()
            };
            let result = if command == "outcomes" {
                &of_outcome
            } else {
                result
            };
            let question = Question {
                command: command.to_owned(),
                model: result.model,
                engine: result.engine,
                inputs: files.clone(),
                clang: inputs.clang.clone(),
                clang_options: inputs.compiler_options.list.clone(),
                test: None,
                serial: false,
                trace: trace.map(str::to_owned),
            };
            let run = SavedRun::new(question, program, result, explanation_json(program, result));
            if let Some(run) = run {
                self.add(index, run, program, result)?;
                kept += 1;
            }
        }
        Ok(kept)
    }

    /// Saves one execution. It is run again first: where that fails it is saved to be shown only.
    pub fn add(
        &self,
        index: usize,
        mut run: SavedRun,
        program: &Arc<Program>,
        result: &ModelResult,
    ) -> Result<(), String> {
        let goal = run.question.trace.as_deref();
        let again = rerun(program, result, goal, &run.execution, &Control::default());
        if !matches!(again, Ok(Some(_))) {
            run.execution.rerun = None;
        }
        let mut runs = self.runs();
        runs.push((index, run));
        runs.sort_by_key(|(index, _)| *index);
        let saved = Saved::new(runs.iter().map(|(_, run)| run.clone()).collect());
        let path = self.path.display();
        let cannot = |error: String| format!("cannot write {path}: {error}");
        let text = saved.text().map_err(|error| cannot(error.to_string()))?;
        std::fs::write(&self.path, text).map_err(|error| cannot(error.to_string()))
    }
}

/// An execution that a machine has run again; nothing if no machine runs it.
pub fn rerun(
    program: &Arc<Program>,
    result: &ModelResult,
    goal: Option<&str>,
    saved: &Execution,
    control: &Control,
) -> Result<Option<Execution>, String> {
    let Some(stored) = &saved.rerun else {
        return Ok(None);
    };
    let wanted: Option<Formula> = match (goal, &program.properties.condition) {
        (Some(goal), _) => {
            let read = frontend::formula(&Source::new("the saved condition", goal), program);
            Some(read.map_err(|diagnostic| diagnostic.to_string())?)
        }
        // The witness of an `exists`.
        (None, Some(condition)) => Some(condition.property.formula.clone()),
        (None, None) => None,
    };
    let claim = match (&result.violation, &wanted) {
        (Some(violation), _) => Claim::Violation(violation),
        (None, Some(formula)) => Claim::Final(formula),
        (None, None) => Claim::Nothing,
    };
    let again = check::rerun(program, stored, claim, control).map_err(|error| error.to_string())?;
    match again.steps == saved.steps && again.repeats_from == saved.repeats_from {
        true => Ok(Some(again)),
        false => Err("its steps are not those that were saved".to_owned()),
    }
}
