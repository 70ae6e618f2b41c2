//! The user's clang: which one, and how it is called.

use super::child::{self, Limit};
use super::{Error, Headers};
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Versions of clang that are looked for by name, such as `clang-19`.
const VERSIONS: std::ops::RangeInclusive<u32> = 11..=40;

/// What gcc only warns about and some versions of clang refuse: they warn as well.
const ACCEPTED: [&str; 6] = [
    "-Wno-unknown-warning-option",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
];

/// A clang.
///
/// One that was found by its name is taken to run until it does not give what clang gives, as asking each for its version takes
/// as long as compiling a small program.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// Its path, or its name if it is to be looked for in `PATH`.
    pub path: PathBuf,
    /// What else was found, which is used if it does not run.
    others: Vec<PathBuf>,
    /// What it says of a file that it compiles, or refuses, is shown.
    pub(super) shows_messages: bool,
    limit: Limit,
}

impl Compiler {
    /// The clang that the user wants: the one named, else what `CLANG` in the environment
    /// names, else the newest in `PATH`.
    pub fn find(explicit: Option<&Path>) -> Result<Compiler, Error> {
        Compiler::find_within(explicit, Limit::default())
    }

    /// The same, with a limit on all that it does, now and later.
    pub fn find_within(explicit: Option<&Path>, limit: Limit) -> Result<Compiler, Error> {
        let named = explicit.map(Path::to_owned).or_else(|| {
            let set = std::env::var_os("CLANG").filter(|set| !set.is_empty());
            set.map(PathBuf::from)
        });
        if let Some(path) = named {
            version(&path, &limit)?;
            return Ok(Compiler::new(path, limit));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut stopped = false;
        let found = newest_first(candidates(&path), |path| {
            let version = version(path, &limit);
            stopped |= matches!(version, Err(Error::Stopped));
            version.ok()
        });
        let mut found = found.into_iter();
        match found.next() {
            _ if stopped => Err(Error::Stopped),
            Some(path) => Ok(Compiler {
                others: found.collect(),
                ..Compiler::new(path, limit)
            }),
            None => Err(Error::NoCompiler),
        }
    }

    fn new(path: PathBuf, limit: Limit) -> Self {
        Compiler {
            path,
            others: Vec::new(),
            shows_messages: true,
            limit,
        }
    }

    /// The same, for files that are not the user's: what it says of them is not shown. If it refuses one, that is part of the
    /// [error](Error::RefusedCopy).
    pub fn for_copies(&self) -> Self {
        Compiler {
            shows_messages: false,
            ..self.clone()
        }
    }

    /// Has clang print the LLVM IR of a C file, with the names and lines that the user
    /// knows. The user's options come after ours, so that they win, but for what is done with the result.
    pub(super) fn compile(
        &self,
        file: &Path,
        headers: &Headers,
        options: &[String],
    ) -> Result<Output, Error> {
        let mut command = Call::default();
        command.args([
            "-O0",
            "-g",
            "-fstandalone-debug",
            "-fno-discard-value-names",
        ]);
        command
            .args(["-pthread", "-D__FENCEPOST__=1", "-I"])
            .arg(headers.first());
        command.args(ACCEPTED).args(options);
        command.arg("-idirafter").arg(headers.last());
        self.run(&command, file)
    }

    /// Has clang print a bitcode file as text.
    pub(super) fn disassemble(&self, file: &Path) -> Result<Output, Error> {
        let mut command = Call::default();
        command.args(["-O0", "-Xclang", "-disable-llvm-passes"]);
        self.run(&command, file)
    }

    /// Runs it, or the first of the others that is a clang.
    fn run(&self, call: &Call, file: &Path) -> Result<Output, Error> {
        let mut others = self.others.iter();
        let mut path = &self.path;
        loop {
            let called = self.call(path, call, file);
            let is_clang = match &called {
                Ok(output) if is_of_clang(output) => Ok(0),
                Err(Error::Stopped) => Ok(0),
                _ => version(path, &self.limit),
            };
            match (is_clang, others.next()) {
                (Ok(_), _) => return called,
                (Err(_), Some(other)) => path = other,
                (Err(why), None) => return Err(why),
            }
        }
    }

    fn call(&self, path: &Path, call: &Call, file: &Path) -> Result<Output, Error> {
        let mut command = Command::new(path);
        // Options for the linker, which users copy from their builds, are no mistake.
        command.arg("-Qunused-arguments");
        if std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
            command.arg("-fcolor-diagnostics");
        }
        command.args(&call.0);
        command
            .args(["-S", "-emit-llvm", "-o", "-"])
            .arg(as_file(file));
        let output = child::output(command, &self.limit).map_err(|error| Error::DoesNotRun {
            path: path.to_owned(),
            why: error.to_string(),
        })?;
        output.ok_or(Error::Stopped)
    }
}

/// The options that clang is called with.
#[derive(Default)]
struct Call(Vec<OsString>);

impl Call {
    fn args<S: AsRef<OsStr>>(&mut self, arguments: impl IntoIterator<Item = S>) -> &mut Self {
        let arguments = arguments.into_iter();
        self.0.extend(arguments.map(|one| one.as_ref().to_owned()));
        self
    }

    fn arg(&mut self, argument: impl AsRef<OsStr>) -> &mut Self {
        self.args([argument])
    }
}

/// Whether what was printed is a module, as only clang prints it.
fn is_of_clang(output: &Output) -> bool {
    output.status.success() && output.stdout.starts_with(b"; ModuleID")
}

/// A path that clang does not take for an option.
fn as_file(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        true => Path::new(".").join(path),
        false => path.to_owned(),
    }
}

/// The files in the directories of `path` that have the name of a clang, each name once, with the
/// version that the name promises.
fn candidates(path: &OsStr) -> Vec<(PathBuf, Option<u32>)> {
    let directories: Vec<PathBuf> = std::env::split_paths(path).collect();
    let found = |name: OsString| {
        let paths = directories.iter().map(|directory| directory.join(&name));
        paths.into_iter().find(|path| path.is_file())
    };
    let versioned = VERSIONS.rev().filter_map(|version| {
        let path = found(format!("clang-{version}").into())?;
        Some((path, Some(version)))
    });
    let versioned: Vec<_> = versioned.collect();
    // A second name of a compiler says which version it is without being asked.
    let file = |path: &PathBuf| path.canonicalize().ok();
    let is_known = |plain: &PathBuf| {
        let mut known = versioned.iter();
        known.any(|(path, _)| file(path).is_some() && file(path) == file(plain))
    };
    let plain = found("clang".into()).filter(|plain| !is_known(plain));
    let plain = plain.map(|path| (path, None));
    plain.into_iter().chain(versioned).collect()
}

/// The candidates, the newest first, the first of equals first. A name's version is believed; one whose name has none is asked,
/// and left out if it does not run.
fn newest_first(
    candidates: Vec<(PathBuf, Option<u32>)>,
    mut version: impl FnMut(&Path) -> Option<u32>,
) -> Vec<PathBuf> {
    let promise = |(path, named): (PathBuf, Option<u32>)| {
        let promised = named.or_else(|| version(&path))?;
        Some((path, promised))
    };
    let mut known: Vec<_> = candidates.into_iter().filter_map(promise).collect();
    known.sort_by_key(|(_, promised)| std::cmp::Reverse(*promised));
    known.into_iter().map(|(path, _)| path).collect()
}

/// The major version of a clang, as it says itself.
fn version(path: &Path, limit: &Limit) -> Result<u32, Error> {
    let complain = |why: String| Error::DoesNotRun {
        path: path.to_owned(),
        why,
    };
    let mut command = Command::new(path);
    command.arg("--version");
    let output = child::output(command, limit).map_err(|error| complain(error.to_string()))?;
    let output = output.ok_or(Error::Stopped)?;
    let text = String::from_utf8_lossy(&output.stdout);
    major(&text).ok_or_else(|| {
        complain(match text.lines().next() {
            Some(line) => format!("it is no clang, but `{line}`"),
            None => format!("it gives no version ({})", output.status),
        })
    })
}

/// The major version in what `clang --version` prints.
fn major(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("clang version ")?;
    let digits = rest.split(|character: char| !character.is_ascii_digit());
    digits.into_iter().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_clang_prints() {
        let debian = "Debian clang version 19.1.7 (3~deb12u1)\nTarget: x86_64-pc-linux-gnu\n";
        assert_eq!(major(debian), Some(19));
        assert_eq!(major("Ubuntu clang version 14.0.0-1ubuntu1.1\n"), Some(14));
        assert_eq!(
            major("Apple clang version 15.0.0 (clang-1500.3.9.4)\n"),
            Some(15)
        );
        assert_eq!(major("clang version 22.0.0git (https://x)\n"), Some(22));
        assert_eq!(major("gcc (Debian 12.2.0-14) 12.2.0\n"), None);
        assert_eq!(major(""), None);
    }

    fn list(names: &[(&str, Option<u32>)]) -> Vec<(PathBuf, Option<u32>)> {
        let listed = names.iter();
        listed
            .map(|(name, version)| (name.into(), *version))
            .collect()
    }

    #[test]
    fn the_newest_wins_and_plain_clang_wins_among_equals() {
        let all = [
            ("clang", None),
            ("clang-19", Some(19)),
            ("clang-14", Some(14)),
        ];
        for (plain, winner) in [(14, "clang-19"), (19, "clang"), (20, "clang")] {
            let found = newest_first(list(&all), |_| Some(plain));
            assert_eq!(found.first(), Some(&PathBuf::from(winner)));
        }
    }

    #[test]
    fn one_that_does_not_run_is_passed_over() {
        let all = [
            ("clang", None),
            ("clang-19", Some(19)),
            ("clang-14", Some(14)),
        ];
        let names: Vec<PathBuf> = vec!["clang-19".into(), "clang-14".into()];
        assert_eq!(newest_first(list(&all), |_| None), names);
        assert!(newest_first(Vec::new(), |_| Some(19)).is_empty());
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("empty.c");
        std::fs::write(&file, "int x;").expect("a file");
        let running = Compiler::find(None).expect("a clang");
        let broken = Compiler {
            others: vec!["false".into(), running.path.clone()],
            ..Compiler::new("no/such/clang".into(), Limit::default())
        };
        let headers = Headers::new().expect("a directory");
        let output = broken.compile(&file, &headers, &[]);
        assert!(is_of_clang(&output.expect("the last of them is a clang")));
    }

    #[test]
    fn the_path_is_searched_in_its_order() {
        let [first, second] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
        let file = |directory: &tempfile::TempDir, name: &str| {
            let path = directory.path().join(name);
            std::fs::write(&path, "").expect("a file");
            path
        };
        let plain = file(&second, "clang");
        let new = file(&first, "clang-19");
        file(&second, "clang-19");
        let old = file(&second, "clang-14");
        file(&first, "clang-format-19");
        let path = std::env::join_paths([first.path(), second.path()]).expect("a path");
        let expected = [(plain, None), (new, Some(19)), (old, Some(14))];
        assert_eq!(candidates(&path), expected);
        assert_eq!(candidates(OsStr::new("")), []);
    }

    #[test]
    fn a_clang_that_is_not_there_is_named() {
        let error = Compiler::find(Some(Path::new("no/such/clang"))).expect_err("it is not there");
        let text = error.to_string();
        assert!(
            text.starts_with("cannot use no/such/clang as clang: "),
            "{text}"
        );
    }

    #[test]
    fn without_any_clang_the_message_says_how_to_get_one() {
        let text = Error::NoCompiler.to_string();
        for word in [
            "apt-get install clang",
            "dnf install clang",
            "brew install llvm",
            "--clang",
        ] {
            assert!(text.contains(word), "{text}");
        }
    }

    #[test]
    fn no_file_is_taken_for_an_option() {
        assert_eq!(as_file(Path::new("-x.c")), Path::new("./-x.c"));
        assert_eq!(as_file(Path::new("x.c")), Path::new("x.c"));
    }
}
