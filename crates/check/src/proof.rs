//! Proofs: what they are for, and what they say of themselves.

use crate::engines::SatOptions;
use answer::{Bound, ModelResult, Verdict};
use memory::Model;
use program::{Program, Quantifier};
use prove::certificate::hash;
use solve::Specification;
use std::path::{Path, PathBuf};

/// A proof that is asked for.
pub(crate) struct Proof<'a> {
    /// The file that it is written to.
    pub path: &'a Path,
    /// What it is for.
    pub subject: Subject,
    /// What it shows, in lines.
    pub about: &'a [String],
}

/// What a proof is for: names and values, which `fencepost certify` compares.
pub(crate) struct Subject(Vec<(String, String)>);

/// The name of the question in the subject of a proof.
pub const QUESTION: &str = "question";
/// The name of the model.
pub const MODEL: &str = "model";
/// The name of the program's hash.
pub const PROGRAM: &str = "program";
/// The name of the specification's hash.
const SPECIFICATION: &str = "specification";

impl Subject {
    /// The question what goes wrong in a program.
    pub fn check(program: &Program, model: Model) -> Self {
        Subject::of("check".to_owned(), program, model)
    }

    /// The question whether a program is safe for every buffer size.
    pub fn prove(program: &Program, model: Model) -> Self {
        Subject::of(PROVE.to_owned(), program, model)
    }

    /// The question whether a client of a data type, which has a program of its own, observes
    /// what the specification does not have.
    pub fn refine(
        data_type: &Program,
        test: &str,
        model: Model,
        specification: &Specification,
    ) -> Self {
        let mut subject = Subject::of(refine_question(test), data_type, model);
        let mut text = specification.columns.join(" ");
        for outcome in &specification.observations {
            text += &format!("\n{:?}", outcome.0);
        }
        subject.0.push((SPECIFICATION.to_owned(), hash(&text)));
        subject
    }

    fn of(question: String, program: &Program, model: Model) -> Self {
        let values = [
            (QUESTION, question),
            (MODEL, model.name().to_owned()),
            (PROGRAM, program_hash(program)),
        ];
        Subject(values.map(|(name, value)| (name.to_owned(), value)).into())
    }
}

/// The question of a proof for a client, as one line with single spaces.
pub fn refine_question(test: &str) -> String {
    let words: Vec<&str> = test.split_whitespace().collect();
    format!("{REFINE}{}", words.join(" "))
}

/// The question of a proof for every buffer size.
pub const PROVE: &str = "prove";

/// What the questions of clients begin with.
pub const REFINE: &str = "refine ";

/// A hash of a program: of what `fencepost ir` prints but for the first line, which names files.
pub fn program_hash(program: &Program) -> String {
    let text = program.to_string();
    hash(text.split_once('\n').map_or("", |(_, rest)| rest))
}

impl Proof<'_> {
    /// The options of a search that writes it.
    pub fn wanted(&self, options: SatOptions) -> SatOptions {
        SatOptions {
            certificate: Some(PathBuf::from(self.path)),
            subject: self.subject.0.clone(),
            about: self.lines(),
            ..options
        }
    }

    /// What a prover writes.
    pub fn certificate(&self) -> prove::Certificate {
        prove::Certificate {
            path: PathBuf::from(self.path),
            subject: self.subject.0.clone(),
            about: self.lines(),
        }
    }

    fn lines(&self) -> Vec<String> {
        let version = format!("by fencepost {}", env!("CARGO_PKG_VERSION"));
        let lines = self.about.iter().chain([&version]);
        // A line is a line, whatever the names of files are.
        lines.map(|line| line.replace(['\n', '\r'], " ")).collect()
    }
}

/// A hash of the automata and goals of a program, which a proof for every buffer size must be about; `None` if it has none.
pub fn system_hash(program: &Program, model: Model) -> Option<String> {
    prove::system_hash(program, model).ok()
}

/// True if a result of `prove` comes with a certificate, if one was asked for. A witness is no matter of proof.
pub fn is_certified(program: &Program, result: &ModelResult) -> bool {
    let left_out = |bound: &Bound| !matches!(bound, Bound::Lifetimes | Bound::Undefined);
    let condition = program.properties.condition.as_ref();
    let exists = condition.is_some_and(|c| c.quantifier == Quantifier::Exists);
    result.verdict == Verdict::Holds && !exists && !result.bounds.iter().any(left_out)
}

/// True if the result comes with a proof, if one was asked for.
pub fn is_proved(result: &ModelResult) -> bool {
    let left_out = |bound: &Bound| !matches!(bound, Bound::Waiting | Bound::Lifetimes);
    result.verdict == Verdict::Holds && !result.bounds.iter().any(left_out)
}
