//! C programs of one thread print under the interpreter what they print when they are
//! compiled natively: those in `tests/c/sequential`, and generated ones.
//!
//! `FENCEPOST_PROGRAMS=5000 cargo test --release -p fencepost --test native` generates
//! more. A program that differs is kept, and the message says where.

#[path = "native/expression.rs"]
mod expression;
#[path = "native/generate.rs"]
mod generate;
#[path = "native/prelude.rs"]
mod prelude;
#[path = "native/random.rs"]
mod random;
#[path = "native/scalar.rs"]
mod scalar;
#[path = "native/statement.rs"]
mod statement;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One program in so many is run once more with optimisations.
const OPTIMISED: usize = 4;

fn count() -> usize {
    let asked = std::env::var("FENCEPOST_PROGRAMS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(200)
}

/// A new directory for what one test makes.
fn directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&directory).expect("a new directory");
    directory
}

/// The newest clang on the path.
fn clang() -> String {
    let versioned = (14..40).rev().map(|version| format!("clang-{version}"));
    let mut names = versioned.chain(["clang".to_owned()]);
    let runs = |name: &String| Command::new(name).arg("--version").output().is_ok();
    names.find(runs).expect("clang is installed")
}

fn run(command: &mut Command) -> Output {
    let output = command.output();
    output.unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// What the program prints when clang compiles it for this machine.
fn native(clang: &str, source: &Path, executable: &Path) -> Result<Vec<u8>, String> {
    let mut compile = Command::new(clang);
    compile.args(["-O0", "-w", "-o"]).args([executable, source]);
    let compiled = run(compile.arg("-lm"));
    if !compiled.status.success() {
        let errors = String::from_utf8_lossy(&compiled.stderr);
        return Err(format!("{} does not compile:\n{errors}", source.display()));
    }
    let output = run(&mut Command::new(executable));
    std::fs::remove_file(executable).expect("it was just run");
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("{}: {}", source.display(), output.status)),
    }
}

/// Nothing, if the interpreter prints what is expected.
fn interpreted(source: &Path, flags: &[&str], expected: &[u8]) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.arg("run").arg(source);
    if !flags.is_empty() {
        command.arg("--").args(flags);
    }
    let output = run(&mut command);
    if output.status.success() && output.stdout == expected {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<_> = errors.lines().take(12).collect();
    Err(format!(
        "{} {}: {}\n{}{}",
        source.display(),
        flags.join(" "),
        output.status,
        first_difference(expected, &output.stdout),
        errors.join("\n")
    ))
}

fn first_difference(expected: &[u8], found: &[u8]) -> String {
    let expected: Vec<_> = expected.split(|byte| *byte == b'\n').collect();
    let found: Vec<_> = found.split(|byte| *byte == b'\n').collect();
    let length = expected.len().max(found.len());
    let Some(line) = (0..length).find(|line| expected.get(*line) != found.get(*line)) else {
        return String::new();
    };
    let show = |lines: &[&[u8]]| match lines.get(line) {
        Some(text) => String::from_utf8_lossy(text).into_owned(),
        None => "(nothing)".to_owned(),
    };
    let (native, interpreted) = (show(&expected), show(&found));
    format!(
        "line {}\n  native      {native}\n  interpreted {interpreted}\n",
        line + 1
    )
}

/// Runs the check for each number below `count`, on all cores, and fails with all
/// that went wrong, in order.
fn for_each(count: usize, check: impl Fn(usize) -> Result<(), String> + Sync) {
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    if let Err(failure) = check(index) {
                        failures.lock().expect("no panic").push((index, failure));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no panic");
    failures.sort();
    let shown = failures
        .iter()
        .take(20)
        .map(|(_, failure)| failure.as_str());
    let shown = shown.collect::<Vec<_>>().join("\n\n");
    assert!(
        failures.is_empty(),
        "{} of {count} differ\n\n{shown}",
        failures.len()
    );
}

fn compare(index: usize, clang: &str, source: &Path, executable: &Path) -> Result<(), String> {
    let expected = native(clang, source, executable)?;
    interpreted(source, &[], &expected)?;
    if index.is_multiple_of(OPTIMISED) {
        interpreted(source, &["-O2"], &expected)?;
    }
    Ok(())
}

#[test]
fn written_programs_print_what_they_print_natively() {
    let written = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/sequential");
    let entries = std::fs::read_dir(&written).expect("the directory of programs");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut sources: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    sources.sort();
    assert!(sources.len() > 200, "only {} programs", sources.len());
    let (clang, directory) = (clang(), directory("written"));
    for_each(sources.len(), |index| {
        let source = &sources[index];
        let executable = directory.join(source.file_stem().expect("a name"));
        compare(index, &clang, source, &executable)
    });
}

/// In Intel's syntax gcc says how wide memory is, as assemblers want it, and clang does not.
#[test]
fn assembly_in_intels_syntax_prints_what_it_prints_natively() {
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/sequential/assembly_moves.c");
    let executable = directory("intel").join("assembly_moves");
    let mut compile = Command::new("gcc");
    compile
        .args(["-O0", "-w", "-masm=intel", "-o"])
        .args([&executable, &source]);
    assert!(run(&mut compile).status.success(), "gcc compiles it");
    let expected = run(&mut Command::new(&executable)).stdout;
    assert!(expected.len() > 10_000);
    let result = interpreted(&source, &["-masm=intel"], &expected);
    assert_eq!(result, Ok(()));
}

#[test]
fn generated_programs_print_what_they_print_natively() {
    let (clang, directory) = (clang(), directory("generated"));
    for_each(count(), |seed| {
        let source = directory.join(format!("seed-{seed}.c"));
        std::fs::write(&source, generate::program(seed as u64)).expect("a new file");
        compare(
            seed,
            &clang,
            &source,
            &directory.join(format!("seed-{seed}")),
        )?;
        std::fs::remove_file(&source).expect("it was just read");
        Ok(())
    });
}

#[test]
fn a_seed_gives_one_program() {
    assert_eq!(generate::program(5), generate::program(5));
    assert_ne!(generate::program(5), generate::program(6));
}

#[test]
fn every_construct_is_generated() {
    let programs: Vec<_> = (0..40).map(generate::program).collect();
    let constructs = [
        "switch (",
        "goto over",
        "goto again",
        "while (",
        "do {",
        "for (int64_t",
        "break;",
        "continue;",
        " : 7;",
        "struct s0 m",
        "table[g0 & 3](",
        "total1(",
        "descend3(",
        "__atomic_fetch_nand",
        "__builtin_mul_overflow",
        "int128_t",
        "_Bool",
        "float",
        "memmove(",
        "volatile",
        "gu.real",
        "divide_int8_t(",
        "rest_uint64_t(",
        "__builtin_clz",
        "__builtin_sqrt",
        " ? ",
        "uint16_t_from(",
    ];
    for construct in constructs {
        let found = programs.iter().any(|text| {
            let own = text.strip_prefix(prelude::PRELUDE).unwrap_or(text);
            own.contains(construct)
        });
        assert!(found, "{construct:?} is never generated");
    }
}
