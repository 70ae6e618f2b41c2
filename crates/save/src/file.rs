//! The file: its fields, and how it is written and read.

use crate::hash::{Hash, hash};
use crate::violation::Stored;
use answer::{Engine, Execution, ModelResult, Outcome, Sequential, Verdict, Violation};
use memory::Model;
use program::{Program, Word};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What this version writes and reads.
const SCHEMA: &str = "fencepost-execution/1";

/// A file of executions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    schema: String,
    /// The version of Fencepost that has written it.
    pub fencepost: String,
    /// The executions.
    pub executions: Vec<SavedRun>,
}

/// Why a file of executions is none.
#[derive(Debug, Error)]
pub enum BadFile {
    /// It is not JSON, or not of this form.
    #[error("line {}: {}", .0.line(), .0)]
    Form(#[from] serde_json::Error),
    /// It was written by another version, or by something else.
    #[error("it has the schema {0}, and this version reads {SCHEMA}")]
    Schema(String),
    /// It has been edited.
    #[error("the question in it is not the one that was saved")]
    Edited,
}

/// What was asked, and of which files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The subcommand.
    pub command: String,
    /// The model that was asked for.
    pub model: Model,
    /// The engine that answered.
    pub engine: Engine,
    /// The files that were named.
    pub inputs: Vec<PathBuf>,
    /// The clang that was named.
    pub clang: Option<PathBuf>,
    /// Options for clang.
    pub clang_options: Vec<String>,
    /// The client of a data type.
    pub test: Option<String>,
    /// The operations of the client are atomic.
    pub serial: bool,
    /// The final state that was asked for.
    pub trace: Option<String>,
}

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedFile {
    /// Its name.
    pub name: String,
    /// The hash of its text.
    pub hash: Hash,
}

/// One execution, with all that it takes to show it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedRun {
    /// What was asked.
    pub question: Question,
    /// The hash of that.
    question_hash: Hash,
    /// The files of the program.
    pub files: Vec<SavedFile>,
    /// The hash of the program that was made of them.
    program_hash: Hash,
    verdict: String,
    violation: Option<Stored>,
    sequential: Sequential,
    /// Names of threads beyond those of the program.
    started: Vec<String>,
    machine: String,
    /// What clients of a data type may observe, where that is what the execution is about.
    pub specification: Vec<Outcome>,
    /// What is observed in the execution, in the same order.
    pub observed: Vec<Option<Word>>,
    /// The execution.
    pub execution: Execution,
    /// Why it happens, for readers of the file.
    explanation: Value,
}

/// The text that a program is known by.
fn program_hash(program: &Program) -> Hash {
    hash(program.to_string())
}

fn question_hash(question: &Question) -> Hash {
    hash(serde_json::to_string(question).unwrap_or_default())
}

impl SavedRun {
    /// The execution of a result, if it has one.
    pub fn new(
        question: Question,
        program: &Program,
        result: &ModelResult,
        explanation: Value,
    ) -> Option<Self> {
        let execution = result.execution.clone()?;
        let violation = result.violation.as_ref();
        let violation = violation.map(|violation| Stored::new(program, violation));
        let sources = std::iter::once(&program.source).chain(&program.included);
        let mut files: Vec<SavedFile> = Vec::new();
        for name in &question.inputs {
            // Standard input is read once.
            let Ok(bytes) = std::fs::read(name) else {
                continue;
            };
            let (name, hash) = (name.display().to_string(), hash(bytes));
            files.push(SavedFile { name, hash });
        }
        for source in sources {
            let name = source.name.to_string();
            // What is part of the compiler has no file, or is found there again only if it is the same one.
            if files.iter().all(|file| file.name != name) && Path::new(&name).is_file() {
                let hash = hash(&*source.text);
                files.push(SavedFile { name, hash });
            }
        }
        Some(SavedRun {
            question_hash: question_hash(&question),
            question,
            files,
            program_hash: program_hash(program),
            verdict: result.verdict.to_string(),
            violation: match violation {
                Some(violation) => Some(violation?),
                None => None,
            },
            sequential: result.sequential,
            started: result.started.clone(),
            machine: result.machine.to_owned(),
            specification: Vec::new(),
            observed: Vec::new(),
            execution,
            explanation,
        })
    }

    /// The first file that is not as it was.
    pub fn changed(&self) -> Option<&str> {
        let changed = |file: &&SavedFile| {
            let now = std::fs::read(&file.name).map(hash);
            now.ok().as_ref() != Some(&file.hash)
        };
        self.files.iter().find(changed).map(|file| &*file.name)
    }

    /// True if a program is the one that the execution is of.
    pub fn is_of(&self, program: &Program) -> bool {
        self.program_hash == program_hash(program)
    }

    /// What is wrong in the execution, if anything; none inside if the program has no such property.
    pub fn violation(&self, program: &Program) -> Option<Option<Violation>> {
        let stored = self.violation.as_ref();
        stored.map(|violation| violation.violation(program))
    }

    /// The answer that the execution belongs to.
    pub fn result(&self, program: &Program, execution: Execution) -> ModelResult {
        let violation = self.violation(program).flatten();
        let Question { model, engine, .. } = self.question;
        ModelResult {
            verdict: match violation {
                Some(_) => Verdict::Violated,
                None => Verdict::Holds,
            },
            machine: machine_name(&self.machine),
            violation,
            sequential: self.sequential,
            started: self.started.clone(),
            execution: Some(execution),
            ..ModelResult::undecided(model, engine)
        }
    }
}

/// The name of a machine, as results have it.
fn machine_name(name: &str) -> &'static str {
    let names = ["process", "store buffers", "reorder boxes"];
    names
        .into_iter()
        .find(|known| *known == name)
        .unwrap_or("none")
}

impl Saved {
    /// A file of executions, written by this version.
    pub fn new(executions: Vec<SavedRun>) -> Self {
        Saved {
            schema: SCHEMA.to_owned(),
            fencepost: env!("CARGO_PKG_VERSION").to_owned(),
            executions,
        }
    }

    /// Its text.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// Reads the text of a file.
pub fn read(text: &str) -> Result<Saved, BadFile> {
    let value: Value = serde_json::from_str(text)?;
    let schema = value["schema"]
        .as_str()
        .unwrap_or("of no file of executions");
    if schema != SCHEMA {
        return Err(BadFile::Schema(schema.to_owned()));
    }
    // From the text, for the lines of what is wrong.
    let saved: Saved = serde_json::from_str(text)?;
    let edited = |run: &SavedRun| run.question_hash != question_hash(&run.question);
    match saved.executions.iter().any(edited) {
        true => Err(BadFile::Edited),
        false => Ok(saved),
    }
}
