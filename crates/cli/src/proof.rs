//! Files with proofs: where they go, and what they say of themselves.

use crate::arguments::Format;
use crate::inputs::Complaint;
use crate::run::print;
use program::{Bound, ModelResult, Verdict};
use std::path::{Path, PathBuf};

/// A proof that is asked for.
pub struct Proof<'a> {
    /// The file that it is written to.
    pub path: &'a Path,
    /// What it shows, in lines.
    pub about: &'a [String],
}

impl Proof<'_> {
    /// Complains early about a file that cannot be there.
    pub fn room_for(path: &Path) -> Result<(), Complaint> {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let missing = folder.is_some_and(|folder| !folder.is_dir());
        if missing || path.is_dir() {
            let text = format!("cannot write {}: no such folder", path.display());
            let folder = format!("cannot write {}: it is a folder", path.display());
            return Err(Complaint::Plain(if missing { text } else { folder }));
        }
        Ok(())
    }

    /// The options of a search that writes it.
    pub fn wanted(&self, options: solve::Options) -> solve::Options {
        let version = format!("by fencepost {}", env!("CARGO_PKG_VERSION"));
        let lines = self.about.iter().chain([&version]);
        // A line is a line, whatever the names of files are.
        let about = lines.map(|line| line.replace(['\n', '\r'], " ")).collect();
        solve::Options {
            certificate: Some(PathBuf::from(self.path)),
            about,
            ..options
        }
    }

    /// Says whether there is one.
    pub fn tell(path: &Path, proved: bool, format: Format) {
        let path = path.display();
        match (proved, format) {
            (true, Format::Text) => {
                print(&format!(
                    "the proof is in {path}; `fencepost certify {path}` checks it\n"
                ));
            }
            (true, Format::Json) => {}
            (false, _) => {
                eprintln!("fencepost: no proof is written: what does not hold has none");
            }
        }
    }
}

/// True if the result comes with a proof, if one was asked for.
pub fn is_proved(result: &ModelResult) -> bool {
    let left_out = |bound: &Bound| !matches!(bound, Bound::Waiting | Bound::Lifetimes);
    result.verdict == Verdict::Holds && !result.bounds.iter().any(left_out)
}
