//! Finding and reading what the user named.

use crate::arguments::InputOptions;
use answer::Bound;
use check::guard::within_moment;
use check::{Control, NoClient};
use frontend::c::{self, Compiler};
use program::{Diagnostic, Program, Source};
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What is looked at as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A litmus test.
    Litmus(PathBuf),
    /// All files of a C program.
    C(Vec<PathBuf>),
}

/// Its first file.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = match self {
            Input::Litmus(path) => Some(path),
            Input::C(paths) => paths.first(),
        };
        first.map_or(Ok(()), |path| path.display().fmt(f))
    }
}

/// What is wrong with an input.
pub enum Complaint {
    /// In a few words.
    Plain(String),
    /// With the place to look at.
    Diagnostic(Box<Diagnostic>),
    /// Nothing, but a limit was reached before it was read.
    Stopped,
}

impl Complaint {
    /// In a line, with the place to look at.
    pub fn parts(&self) -> (String, Option<&Diagnostic>) {
        match self {
            Complaint::Plain(text) => (text.clone(), None),
            Complaint::Diagnostic(diagnostic) => (diagnostic.message.clone(), Some(diagnostic)),
            Complaint::Stopped => {
                let text = "a limit was reached before the program was read";
                (text.to_owned(), None)
            }
        }
    }
}

impl Input {
    /// Its files.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Input::Litmus(path) => vec![path.clone()],
            Input::C(files) => files.clone(),
        }
    }
}

impl From<Box<Diagnostic>> for Complaint {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Complaint::Diagnostic(diagnostic)
    }
}

impl From<NoClient> for Complaint {
    fn from(error: NoClient) -> Self {
        match error {
            NoClient::Refused(diagnostic) => Complaint::Diagnostic(diagnostic),
            NoClient::Stopped => Complaint::Stopped,
        }
    }
}

impl From<c::Error> for Complaint {
    fn from(error: c::Error) -> Self {
        match error {
            c::Error::Diagnostic(diagnostic) => Complaint::Diagnostic(diagnostic),
            c::Error::Stopped => Complaint::Stopped,
            other => Complaint::Plain(other.to_string()),
        }
    }
}

/// Everything that the user named: a directory stands for the tests in it, sorted, and all files
/// of C programs are one program, which stands where the first of them does.
pub fn inputs(options: &InputOptions) -> Result<Vec<Input>, Complaint> {
    let complain = |text: &str| Err(Complaint::Plain(text.to_owned()));
    let mut inputs = Vec::new();
    for path in &options.files {
        if path.is_dir() {
            inputs.extend(tests_in(path).into_iter().map(Input::Litmus));
        } else if !c::is_c(path) {
            inputs.push(Input::Litmus(path.clone()));
        } else {
            let program = inputs.iter_mut().find_map(|input| match input {
                Input::C(files) => Some(files),
                Input::Litmus(_) => None,
            });
            match program {
                Some(files) => files.push(path.clone()),
                None => inputs.push(Input::C(vec![path.clone()])),
            }
        }
    }
    let any_c = inputs.iter().any(|input| matches!(input, Input::C(_)));
    if inputs.is_empty() {
        return complain("no *.litmus files there; name the files of a C program one by one");
    }
    if !any_c && !options.compiler_options.list.is_empty() {
        return complain("the options for clang do nothing: there is no C program");
    }
    Ok(inputs)
}

/// The same, where each C file with a `main` is a program by itself: files without one belong to every program.
pub fn programs(options: &InputOptions, limit: &c::Limit) -> Result<Vec<Input>, Complaint> {
    let mut found = Vec::new();
    for input in inputs(options)? {
        match input {
            Input::C(files) if files.len() > 1 => {
                found.extend(split(&files, options, limit)?.into_iter().map(Input::C));
            }
            one => found.push(one),
        }
    }
    Ok(found)
}

fn split(
    files: &[PathBuf],
    options: &InputOptions,
    limit: &c::Limit,
) -> Result<Vec<Vec<PathBuf>>, Complaint> {
    let compiler = compiler(files, options, limit)?;
    let clang = &options.compiler_options.list;
    let has_main = c::have_main(files, clang, compiler.as_ref())?;
    let programs = has_main.iter().filter(|has_main| **has_main).count();
    if programs < 2 {
        return Ok(vec![files.to_vec()]);
    }
    let starts = (0..files.len()).filter(|index| has_main[*index]);
    let program = |start: usize| {
        // The program has the name of its first file.
        let parts = (0..files.len()).filter(|index| !has_main[*index]);
        std::iter::once(start)
            .chain(parts)
            .map(|index| files[index].clone())
            .collect()
    };
    Ok(starts.map(program).collect())
}

fn tests_in(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut tests: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "litmus"))
        .collect();
    tests.sort();
    tests
}

/// Bytes that clang takes for ordinary programs, which count for no limit.
const FOR_CLANG: u64 = 512_000_000;

/// What reading may take after a limit is reached; what it has read so far is of no use.
const TO_END_CLANG: Duration = Duration::from_millis(100);

/// Reads within limits; the limit that was reached is the outer error.
pub fn read_within<T: Send + 'static>(
    limits: &Control,
    read: impl FnOnce(&c::Limit) -> Result<T, Complaint> + Send + 'static,
) -> Result<Result<T, Complaint>, Bound> {
    let stop = Arc::new(limits.stop());
    let looked_at = stop.clone();
    let limit = c::Limit::new(move |clang| looked_at.look_beside(clang, FOR_CLANG).is_some());
    match within_moment(limits, |_| TO_END_CLANG, move || read(&limit))? {
        Err(Complaint::Stopped) => Err(stop.reached().unwrap_or(Bound::Interrupted(0))),
        read => Ok(read),
    }
}

/// The compiler for some files, if one of them needs it.
pub fn compiler(
    files: &[PathBuf],
    options: &InputOptions,
    limit: &c::Limit,
) -> Result<Option<Compiler>, Complaint> {
    let needed = files.iter().any(|file| c::needs_compiler(file));
    let clang = options.clang.as_deref();
    let compiler = needed.then(|| Compiler::find_within(clang, limit.clone()));
    Ok(compiler.transpose()?)
}

/// A program of which only the name is known.
pub fn nothing_of(input: &Input) -> Program {
    let file = input.to_string();
    let stem = Path::new(&file).file_stem();
    let name = stem.map_or_else(|| file.clone(), |stem| stem.to_string_lossy().into_owned());
    Program::empty(name, Source::new(file.as_str(), ""))
}

/// The program that an input is.
pub fn read(input: &Input, options: &InputOptions, limit: &c::Limit) -> Result<Program, Complaint> {
    match input {
        Input::Litmus(path) => {
            let source = text(path).map_err(Complaint::Plain)?;
            Ok(frontend::read(&source).map_err(Box::new)?)
        }
        Input::C(files) => {
            let compiler = compiler(files, options, limit)?;
            Ok(c::read_c(
                files,
                &options.compiler_options.list,
                compiler.as_ref(),
            )?)
        }
    }
}

/// The text of a file; `-` is standard input.
fn text(path: &Path) -> Result<Source, String> {
    let mut bytes = Vec::new();
    let name = if path == Path::new("-") {
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| format!("cannot read standard input: {error}"))?;
        "<stdin>".to_owned()
    } else {
        let name = path.display().to_string();
        bytes = std::fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
        name
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => {
            let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            Err(format!("{name}:{}: not UTF-8 text", line + 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::CompilerOptions;

    fn grouped(files: &[&str], compiler_options: &[&str]) -> Result<Vec<Input>, String> {
        let options = InputOptions {
            files: files.iter().map(PathBuf::from).collect(),
            clang: None,
            compiler_options: CompilerOptions {
                list: compiler_options.iter().map(|o| (*o).to_owned()).collect(),
            },
        };
        inputs(&options).map_err(|complaint| match complaint {
            Complaint::Plain(text) => text,
            Complaint::Diagnostic(diagnostic) => diagnostic.to_string(),
            Complaint::Stopped => String::new(),
        })
    }

    #[test]
    fn c_files_are_one_program_and_litmus_tests_one_each() {
        let litmus = |name: &str| Input::Litmus(name.into());
        let files = ["1.litmus", "a.c", "2.litmus", "b.ll", "-"];
        let expected = vec![
            litmus("1.litmus"),
            Input::C(vec!["a.c".into(), "b.ll".into()]),
            litmus("2.litmus"),
            litmus("-"),
        ];
        assert_eq!(grouped(&files, &[]), Ok(expected));
        let alone = Input::C(vec!["a.ll".into()]);
        assert_eq!(alone.to_string(), "a.ll");
        assert_eq!(grouped(&["a.ll"], &[]), Ok(vec![alone]));
    }

    #[test]
    fn options_for_clang_need_a_c_program() {
        assert!(grouped(&["a.c"], &["-O2"]).is_ok());
        let complaint = grouped(&["a.litmus"], &["-O2"]).expect_err("no C program");
        assert!(complaint.contains("there is no C program"), "{complaint}");
    }
}
