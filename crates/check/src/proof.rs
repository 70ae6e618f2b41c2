//! Proofs: what they are for, and what they say of themselves.

use crate::engines::SatOptions;
use answer::{Bound, ModelResult, Verdict};
use memory::Model;
use program::Program;
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

/// What the questions of clients begin with.
pub const REFINE: &str = "refine ";

/// A hash of a program: of what `fencepost ir` prints but for the first line, which names files.
pub fn program_hash(program: &Program) -> String {
    let text = program.to_string();
    hash(text.split_once('\n').map_or("", |(_, rest)| rest))
}

/// FNV-1a of 128 bits: proofs and programs get mixed up by mistake, not on purpose.
fn hash(text: &str) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mix = |hash: u128, &byte: &u8| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    format!("{:032x}", text.as_bytes().iter().fold(BASIS, mix))
}

impl Proof<'_> {
    /// The options of a search that writes it.
    pub fn wanted(&self, options: SatOptions) -> SatOptions {
        let version = format!("by fencepost {}", env!("CARGO_PKG_VERSION"));
        let lines = self.about.iter().chain([&version]);
        // A line is a line, whatever the names of files are.
        let about = lines.map(|line| line.replace(['\n', '\r'], " ")).collect();
        SatOptions {
            certificate: Some(PathBuf::from(self.path)),
            subject: self.subject.0.clone(),
            about,
            ..options
        }
    }
}

/// True if the result comes with a proof, if one was asked for.
pub fn is_proved(result: &ModelResult) -> bool {
    let left_out = |bound: &Bound| !matches!(bound, Bound::Waiting | Bound::Lifetimes);
    result.verdict == Verdict::Holds && !result.bounds.iter().any(left_out)
}
