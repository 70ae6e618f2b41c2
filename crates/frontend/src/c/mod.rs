//! C programs: compiled by the user's clang, linked and lowered here.
//!
//! [`read_c`] makes one [`Program`] of all files of a program. C files (`.c`, and `.i` for
//! preprocessed ones) are compiled to LLVM IR by clang, whose messages reach standard error
//! unchanged; LLVM IR comes as text (`.ll`) or as bitcode (`.bc`), which clang turns into
//! text. The files of a program are compiled at the same time, and reported on in the order
//! given.
//!
//! `fencepost.h` is part of this crate ([`HEADER`]), and so are headers of other checkers; clang finds them in a temporary
//! directory that is gone when the files are compiled.

mod child;
mod compiler;

pub use child::Limit;
pub use compiler::Compiler;

pub use crate::llvm::lower::Entry;
use crate::llvm::{self, Module};
use program::{Diagnostic, Program, Source};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use thiserror::Error;

/// The text of `fencepost.h`.
pub const HEADER: &str = include_str!("../../include/fencepost.h");

/// The text of `pthread.h`, which stands before the system's.
const THREADS: &str = include_str!("../../include/pthread.h");

/// Headers of other checkers, by their names. One of the user's comes first.
const ANNOTATIONS: [(&str, &str); 2] = [
    ("genmc.h", include_str!("../../include/genmc.h")),
    ("dat3m.h", include_str!("../../include/dat3m.h")),
];

/// Where clang finds our headers.
struct Headers {
    directory: tempfile::TempDir,
}

impl Headers {
    fn new() -> std::io::Result<Self> {
        let directory = tempfile::tempdir()?;
        std::fs::write(directory.path().join("fencepost.h"), HEADER)?;
        std::fs::write(directory.path().join("pthread.h"), THREADS)?;
        let last = directory.path().join("last");
        std::fs::create_dir(&last)?;
        for (name, text) in ANNOTATIONS {
            std::fs::write(last.join(name), text)?;
        }
        Ok(Headers { directory })
    }

    /// The directory that comes before the user's.
    fn first(&self) -> &Path {
        self.directory.path()
    }

    /// The directory that comes after all others.
    fn last(&self) -> PathBuf {
        self.directory.path().join("last")
    }
}

/// Why there is no program.
#[derive(Debug, Error)]
pub enum Error {
    /// No clang at all.
    #[error(
        "no clang found, which C programs need
  Debian, Ubuntu:  apt-get install clang
  Fedora:          dnf install clang
  macOS:           brew install llvm
or say where it is: --clang PATH, or CLANG=PATH in the environment"
    )]
    NoCompiler,
    /// What should be a clang is none, or cannot be started.
    #[error("cannot use {} as clang: {why}", path.display())]
    DoesNotRun {
        /// What was to be started.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Clang has refused a file, and has reported why.
    #[error("clang does not compile {}", .0.display())]
    Refused(PathBuf),
    /// Clang has refused a file that is not the user's, and says why in these words, which have not been shown.
    #[error("clang does not compile {}:\n{messages}", path.display())]
    RefusedCopy {
        /// The file.
        path: PathBuf,
        /// What clang said.
        messages: String,
    },
    /// The [`Limit`] of the compiler was reached.
    #[error("stopped before clang was done")]
    Stopped,
    /// A file cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// There is no room for temporary files.
    #[error("cannot make a temporary directory: {0}")]
    NoDirectory(std::io::Error),
    /// Something is in the program that is not supported, or wrong.
    #[error(transparent)]
    Diagnostic(#[from] Box<Diagnostic>),
}

/// What a file of a C program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    C,
    Assembly,
    Bitcode,
}

fn language(path: &Path) -> Option<Language> {
    match path.extension()?.to_str()? {
        "c" | "i" => Some(Language::C),
        "ll" => Some(Language::Assembly),
        "bc" => Some(Language::Bitcode),
        _ => None,
    }
}

/// Whether a file belongs to a C program, by its name.
pub fn is_c(path: &Path) -> bool {
    language(path).is_some()
}

/// Whether reading a file takes clang.
pub fn needs_compiler(path: &Path) -> bool {
    !matches!(language(path), Some(Language::Assembly))
}

/// Reads the files of one program. `options` go to clang, for C files. `compiler` may be
/// missing if no file [needs](needs_compiler) it.
pub fn read_c(
    files: &[PathBuf],
    options: &[String],
    compiler: Option<&Compiler>,
) -> Result<Program, Error> {
    read_from(files, options, compiler, Entry::Main)
}

/// Which of some files are programs: those that define `main`. A file that clang refuses is taken for one, so that
/// whoever reads it reports what is wrong with it.
pub fn have_main(
    files: &[PathBuf],
    options: &[String],
    compiler: Option<&Compiler>,
) -> Result<Vec<bool>, Error> {
    let read = each_module(files, options, compiler)?;
    let has_main = |read: Result<Read, Error>| match read.and_then(|read| read.module) {
        Ok(module) => Ok(module.defines("main")),
        Err(Error::Stopped) => Err(Error::Stopped),
        Err(_) => Ok(true),
    };
    read.into_iter().map(has_main).collect()
}

/// Reads the operations of a data type, as [`read_c`] reads a program. What comes of it has no
/// threads; [`client`](crate::client) makes programs of it that have. The files may have a
/// `main`, which is ignored.
pub fn read_operations(
    files: &[PathBuf],
    options: &[String],
    compiler: Option<&Compiler>,
) -> Result<Program, Error> {
    read_from(files, options, compiler, Entry::Operations)
}

/// Many programs that were compiled together, so that clang is called once for all of them.
pub struct Batch {
    module: Module,
    /// As many empty lines as the file has: spans have the lines of the file, not its text.
    lines: String,
}

impl Batch {
    /// Compiles a file in which the names of each program have a start of their own.
    pub fn read(file: &Path, options: &[String], compiler: &Compiler) -> Result<Self, Error> {
        let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, error))?;
        let lines = "\n".repeat(text.lines().count());
        let modules = modules(&[file.to_owned()], options, Some(compiler))?;
        let module = llvm::link(modules).and_then(llvm::with_prelude);
        let module = module.map_err(|diagnostic| Error::from(Box::new(diagnostic)))?;
        Ok(Batch { module, lines })
    }

    /// The program that starts in a function, or the data type with some of the operations.
    pub fn program(&self, entry: Entry<'_>) -> Result<Program, Box<Diagnostic>> {
        let read = |_: &str, _: &str| Some(self.lines.clone());
        Ok(llvm::lower::lower(&self.module, &read, entry)?)
    }
}

fn read_from(
    files: &[PathBuf],
    options: &[String],
    compiler: Option<&Compiler>,
    entry: Entry<'_>,
) -> Result<Program, Error> {
    let modules = modules(files, options, compiler)?;
    let names = Names::new(files);
    let read = |directory: &str, file: &str| names.read(directory, file);
    let module = llvm::link(modules).and_then(llvm::with_prelude);
    let program = module.and_then(|module| llvm::lower::lower(&module, &read, entry));
    match program {
        Ok(mut program) => {
            let included = program.included.iter_mut();
            included
                .chain([&mut program.source])
                .for_each(|source| names.rename(source));
            Ok(program)
        }
        Err(mut diagnostic) => {
            names.rename(&mut diagnostic.source);
            Err(Box::new(diagnostic).into())
        }
    }
}

/// Compiles and reads each file, several at a time.
fn each_module(
    files: &[PathBuf],
    options: &[String],
    compiler: Option<&Compiler>,
) -> Result<Vec<Result<Read, Error>>, Error> {
    let headers = Headers::new().map_err(Error::NoDirectory)?;
    let compile = |path: &Path| -> Result<Read, Error> {
        let compiler = || {
            readable(path)?;
            compiler.ok_or(Error::NoCompiler)
        };
        match language(path) {
            Some(Language::Assembly) => assembly(path),
            Some(Language::Bitcode) => compiled(path, compiler()?.disassemble(path)?),
            _ => compiled(path, compiler()?.compile(path, &headers, options)?),
        }
    };
    Ok(in_parallel(files, compile))
}

/// The modules of files, with what clang says of them.
fn modules(
    files: &[PathBuf],
    options: &[String],
    compiler: Option<&Compiler>,
) -> Result<Vec<Module>, Error> {
    let mut modules = Vec::new();
    let mut refused = None;
    for read in each_module(files, options, compiler)? {
        let read = read?;
        // What clang said is shown as it is, in the order of the files.
        let shows = compiler.is_none_or(|compiler| compiler.shows_messages);
        if shows {
            let _ = std::io::stderr().write_all(&read.messages);
        }
        match read.module {
            Ok(module) => modules.push(module),
            Err(Error::Refused(path)) if !shows => {
                let messages = String::from_utf8_lossy(&read.messages).into_owned();
                refused = refused.or(Some(Error::RefusedCopy { path, messages }));
            }
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    refused.map_or(Ok(modules), Err)
}

/// What came of one file.
struct Read {
    /// What clang said.
    messages: Vec<u8>,
    module: Result<Module, Error>,
}

fn unreadable(path: &Path, why: impl ToString) -> Error {
    Error::Unreadable {
        path: path.to_owned(),
        why: why.to_string(),
    }
}

/// Asked before clang is, so that the message is as for other files.
fn readable(path: &Path) -> Result<(), Error> {
    match std::fs::File::open(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(unreadable(path, error)),
    }
}

fn assembly(path: &Path) -> Result<Read, Error> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, error))?;
    Ok(Read {
        messages: Vec::new(),
        module: parse(path, path.display().to_string(), bytes),
    })
}

fn compiled(path: &Path, output: Output) -> Result<Read, Error> {
    let module = match output.status.success() {
        true => parse(path, format!("{} (LLVM IR)", path.display()), output.stdout),
        false => Err(Error::Refused(path.to_owned())),
    };
    Ok(Read {
        messages: output.stderr,
        module,
    })
}

/// Reads the LLVM IR of a file under a name.
fn parse(path: &Path, name: String, bytes: Vec<u8>) -> Result<Module, Error> {
    let text = String::from_utf8(bytes).map_err(|_| unreadable(path, "not UTF-8 text"))?;
    let module = llvm::parse(&Source::new(name, text));
    module.map_err(|diagnostic| Box::new(diagnostic).into())
}

/// The work for each item, done on all cores; results in the order of the items.
fn in_parallel<T: Send>(items: &[PathBuf], work: impl Fn(&Path) -> T + Sync) -> Vec<T> {
    if let [only] = items {
        return vec![work(only)];
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let share = || {
        let mut done = Vec::new();
        while let Some((index, item)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            items.get(index).map(|item| (index, item))
        } {
            done.push((index, work(item)));
        }
        done
    };
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers.min(items.len()))
            .map(|_| scope.spawn(share))
            .collect();
        let finished = threads.into_iter().map(|thread| thread.join());
        finished
            .flat_map(|share| share.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// How files are named: as the user did, where debug information names them otherwise.
struct Names {
    /// The user's name for a file, by the one that the system has for it.
    given: HashMap<PathBuf, Arc<str>>,
    /// The name to show, by the one in debug information.
    shown: RefCell<HashMap<String, Arc<str>>>,
    current: PathBuf,
}

impl Names {
    fn new(files: &[PathBuf]) -> Self {
        let named = |path: &PathBuf| {
            let name = path.display().to_string();
            Some((std::fs::canonicalize(path).ok()?, name.into()))
        };
        Names {
            given: files.iter().filter_map(named).collect(),
            shown: RefCell::default(),
            current: std::env::current_dir().unwrap_or_default(),
        }
    }

    /// The text of a file that debug information names.
    fn read(&self, directory: &str, file: &str) -> Option<String> {
        let path = Path::new(directory).join(file);
        let text = std::fs::read(&path).ok()?;
        let given = std::fs::canonicalize(&path).ok();
        let given = given.and_then(|path| self.given.get(&path).cloned());
        let shown = given.unwrap_or_else(|| {
            let near = path.strip_prefix(&self.current).unwrap_or(&path);
            near.display().to_string().into()
        });
        self.shown
            .borrow_mut()
            .entry(file.to_owned())
            .or_insert(shown);
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    fn rename(&self, source: &mut Source) {
        if let Some(shown) = self.shown.borrow().get(&*source.name) {
            source.name = shown.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_names() {
        assert!(is_c(Path::new("a.c")) && is_c(Path::new("b/a.ll")) && is_c(Path::new("a.bc")));
        assert!(!is_c(Path::new("a.litmus")) && !is_c(Path::new("-")) && !is_c(Path::new("c")));
        assert!(needs_compiler(Path::new("a.i")) && !needs_compiler(Path::new("a.ll")));
    }

    #[test]
    fn results_come_in_the_order_of_the_files() {
        let items: Vec<PathBuf> = (0..50).map(|n| n.to_string().into()).collect();
        let results = in_parallel(&items, |path| path.to_owned());
        assert_eq!(results, items);
        assert_eq!(in_parallel(&[], |_| 1), Vec::<i32>::new());
    }

    #[test]
    fn files_are_named_as_the_user_did() {
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(directory.path().join("inner")).expect("a directory");
        let [given, header] = ["inner/a.c", "a.h"].map(|name| directory.path().join(name));
        std::fs::write(&given, "int x;\n").expect("a file");
        std::fs::write(&header, "int y;\n").expect("a file");
        let typed = directory.path().join("inner/../inner/a.c");
        let mut names = Names::new(std::slice::from_ref(&typed));
        names.current = directory.path().to_owned();
        let directory = directory.path().to_str().expect("a readable name");
        let shown = |file: &str| {
            let text = names.read(directory, file).unwrap_or_default();
            let mut source = Source::new(file, text);
            names.rename(&mut source);
            (source.name.to_string(), source.text.to_string())
        };
        let as_typed = typed.display().to_string();
        assert_eq!(shown("inner/a.c"), (as_typed, "int x;\n".to_owned()));
        assert_eq!(shown("./a.h"), ("a.h".to_owned(), "int y;\n".to_owned()));
        assert_eq!(shown("gone.h"), ("gone.h".to_owned(), String::new()));
    }
}
