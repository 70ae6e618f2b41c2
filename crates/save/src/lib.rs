//! Executions in files: what `--save` writes and `fencepost replay` reads.
//!
//! A file has a version, and for each execution the question that it answers, the program's files, what is wrong, how a
//! machine runs it again, and its steps. `docs/reference/saved.md` says what every field means. Hashes tell whether an
//! execution is still one of the program: the numbers of its steps mean nothing for another one.
//!
//! Nothing is run here. [`SavedRun::changed`] compares files, [`SavedRun::is_of`] the program that was read from them.

mod file;
mod hash;
mod violation;

pub use file::{BadFile, Question, Saved, SavedFile, SavedRun, read};
pub use hash::{Hash, hash};
