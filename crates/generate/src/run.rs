//! Many tests: generating, judging, running them on the processor, and making small what is wrong.

use crate::check::{Disagreement, Judged, check};
use crate::grammar;
use crate::instruction::Language;
use crate::native;
use crate::shrink::shrink;
use crate::test::Test;
use crate::workers::in_parallel;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Tests that a worker takes at a time.
const CHUNK: u64 = 50;
/// Tests that are assembled together.
const BATCH: usize = 100;
/// Disagreements of one kind that are made small.
const KEPT: usize = 3;

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of tests, shapes included.
    pub tests: u64,
    /// Other seeds make other tests.
    pub seed: u64,
    /// The number of the first test.
    pub first: u64,
    /// The languages of tests.
    pub languages: Vec<Language>,
    /// Most shapes of each test.
    pub shapes: usize,
    /// Workers.
    pub jobs: usize,
    /// Run tests of X86 on the processor as well, each for this long.
    pub native: Option<Duration>,
    /// Where temporary files are.
    pub directory: PathBuf,
    /// Print how far it is.
    pub progress: bool,
}

impl Default for Options {
    /// One test of either language, without shapes.
    fn default() -> Self {
        Options {
            tests: 1,
            seed: 1,
            first: 0,
            languages: Language::ALL.to_vec(),
            shapes: 0,
            jobs: 1,
            native: None,
            directory: std::env::temp_dir(),
            progress: false,
        }
    }
}

/// A disagreement with the test that shows it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The number of the test that it was found in.
    pub number: u64,
    /// The test, made small.
    pub test: Test,
    /// What is wrong with it.
    pub disagreement: Disagreement,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Tests by language, without shapes.
    pub tests: BTreeMap<&'static str, u64>,
    /// Shapes of them.
    pub shapes: u64,
    /// Pairs of answers that were compared.
    pub comparisons: u64,
    /// Tests that the processor ran, and how often in all.
    pub native: (u64, u64),
    /// Of those, the tests that showed more than one outcome.
    pub varied: u64,
    /// The first few of each kind, made small.
    pub cases: Vec<Case>,
    /// How often each kind of disagreement occurred.
    pub kinds: BTreeMap<String, u64>,
    /// The time that it took.
    pub time: Duration,
}

impl Summary {
    fn add(&mut self, other: Summary) {
        for (language, count) in other.tests {
            *self.tests.entry(language).or_default() += count;
        }
        self.shapes += other.shapes;
        self.comparisons += other.comparisons;
        self.native.0 += other.native.0;
        self.native.1 += other.native.1;
        self.varied += other.varied;
        self.cases.extend(other.cases);
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }

    /// Tests and shapes.
    pub fn count(&self) -> u64 {
        self.tests.values().sum::<u64>() + self.shapes
    }

    /// What was done, as figures.
    pub fn figures(&self) -> String {
        let tests = self.tests.iter();
        let tests: Vec<String> = tests
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        let (native, runs) = self.native;
        format!(
            "tests {}, shapes {}, comparisons {}, native tests {native} ({runs} runs, {} with several outcomes), disagreements {}, seconds {:.1}\n",
            if tests.is_empty() {
                "0".to_owned()
            } else {
                tests.join(" + ")
            },
            self.shapes,
            self.comparisons,
            self.varied,
            self.kinds.values().sum::<u64>(),
            self.time.as_secs_f64(),
        )
    }
}

/// The seed of a test in a run.
pub fn seed_of(seed: u64, number: u64) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(17)
        .wrapping_add(number)
}

/// The test of a number.
pub fn test(options: &Options, number: u64) -> Test {
    grammar::test(seed_of(options.seed, number), &options.languages)
}

/// Runs until all tests are done or `stop` is set.
pub fn run(options: &Options, stop: &AtomicBool) -> Result<Summary, String> {
    let started = Instant::now();
    let next = AtomicU64::new(options.first);
    let total = Mutex::new(Summary::default());
    let shared = Shared {
        kept: Mutex::default(),
        processor: Mutex::new(()),
    };
    in_parallel(options.jobs, |job| {
        let mut worker = Worker {
            options,
            directory: options.directory.join(job.to_string()),
            native: Vec::new(),
            shared: &shared,
            stop,
            found: Summary::default(),
        };
        let mut done = false;
        while !done {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            worker.chunk(first, &total);
            done = {
                let mut total = total.lock().expect("no worker panics with it");
                total.add(std::mem::take(&mut worker.found));
                total.count() >= options.tests || stop.load(Ordering::Relaxed)
            };
            worker.run_natively(done)?;
            let mut total = total.lock().expect("no worker panics with it");
            total.add(std::mem::take(&mut worker.found));
            if options.progress {
                let seconds = started.elapsed().as_secs_f64();
                eprint!(
                    "\r{} tests, {:.0} a second, {} run natively, {} disagreements of {} kinds ",
                    total.count(),
                    total.count() as f64 / seconds,
                    total.native.0,
                    total.kinds.values().sum::<u64>(),
                    total.kinds.len(),
                );
            }
        }
        Ok(())
    })?;
    if options.progress {
        eprintln!();
    }
    let mut total = total.into_inner().expect("no worker panicked");
    total.time = started.elapsed();
    total.cases.sort_by_key(|case| case.number);
    Ok(total)
}

/// What workers share.
struct Shared {
    /// Cases kept of each kind.
    kept: Mutex<HashMap<String, usize>>,
    /// Held while tests run natively: they need all cores.
    processor: Mutex<()>,
}

struct Worker<'a> {
    options: &'a Options,
    directory: PathBuf,
    /// Tests for the processor, with their outcomes under TSO.
    native: Vec<(u64, Test, BTreeSet<Vec<u64>>)>,
    shared: &'a Shared,
    stop: &'a AtomicBool,
    found: Summary,
}

/// Judges a test; a panic is a disagreement.
fn judge(test: &Test, seed: u64, shapes: usize) -> Result<Judged, Disagreement> {
    let judged = catch_unwind(AssertUnwindSafe(|| check(test, seed, shapes)));
    judged.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(Disagreement {
            kind: "panic".to_owned(),
            what: text.unwrap_or_default(),
            text: test.text(),
            options: String::new(),
        })
    })
}

impl Worker<'_> {
    /// Judges the tests of a chunk, or as many as are still wanted.
    fn chunk(&mut self, first: u64, total: &Mutex<Summary>) {
        let before = total.lock().expect("no worker panics with it").count();
        for number in first..first + CHUNK {
            let enough = before + self.found.count() >= self.options.tests;
            if enough || self.stop.load(Ordering::Relaxed) {
                break;
            }
            self.one(number);
        }
    }

    fn one(&mut self, number: u64) {
        let test = test(self.options, number);
        let seed = seed_of(self.options.seed, number);
        *self.found.tests.entry(test.language.name()).or_default() += 1;
        match judge(&test, seed, self.options.shapes) {
            Ok(judged) => {
                self.found.shapes += judged.shapes;
                self.found.comparisons += judged.comparisons;
                if let Some(outcomes) = judged.tso
                    && self.options.native.is_some()
                    && native::is_native(&test)
                {
                    self.native.push((number, test, outcomes));
                }
            }
            Err(disagreement) => {
                let kind = disagreement.kind.clone();
                let fails = |candidate: &Test| {
                    // All shapes of the smaller test: another may be chosen of fewer.
                    let judged = judge(candidate, seed, usize::MAX);
                    judged.is_err_and(|found| found.kind == kind)
                };
                self.keep(number, &test, disagreement, fails, |test| {
                    judge(test, seed, usize::MAX).err()
                });
            }
        }
    }

    /// Runs the tests that wait for the processor, if they are enough or must not wait.
    fn run_natively(&mut self, now: bool) -> Result<(), String> {
        let Some(each) = self.options.native else {
            return Ok(());
        };
        while self.native.len() >= BATCH || (now && !self.native.is_empty()) {
            let count = self.native.len().min(BATCH);
            let batch: Vec<_> = self.native.drain(..count).collect();
            let tests: Vec<&Test> = batch.iter().map(|(_, test, _)| test).collect();
            let observed = {
                let _all_cores = self
                    .shared
                    .processor
                    .lock()
                    .expect("no worker panics with it");
                native::run(&tests, each, &self.directory)?
            };
            for ((number, test, outcomes), seen) in batch.iter().zip(observed) {
                self.compare(*number, test, outcomes, seen);
            }
        }
        Ok(())
    }

    fn compare(
        &mut self,
        number: u64,
        test: &Test,
        outcomes: &BTreeSet<Vec<u64>>,
        seen: Option<native::Observed>,
    ) {
        let what = match &seen {
            None => "it does not end".to_owned(),
            Some(seen) => {
                self.found.native.0 += 1;
                self.found.native.1 += seen.runs;
                self.found.varied += u64::from(seen.outcomes.len() > 1);
                match seen.beyond(outcomes) {
                    None => return,
                    Some(outcome) => format!("{:?} = {outcome:x?}", test.observed_names()),
                }
            }
        };
        let disagreement = |what: String, test: &Test| Disagreement {
            kind: "native".to_owned(),
            what,
            text: test.text(),
            options: "--model tso".to_owned(),
        };
        let found = disagreement(what, test);
        let directory = self.directory.clone();
        let again = move |test: &Test| beyond_tso(test, &directory).map(|w| disagreement(w, test));
        let fails = |test: &Test| again(test).is_some();
        self.keep(number, test, found, fails, &again);
    }

    /// Counts a disagreement and makes the test small, if it is one of the first of its kind.
    fn keep(
        &mut self,
        number: u64,
        test: &Test,
        disagreement: Disagreement,
        fails: impl FnMut(&Test) -> bool,
        again: impl Fn(&Test) -> Option<Disagreement>,
    ) {
        let kind = disagreement.kind.clone();
        *self.found.kinds.entry(kind.clone()).or_default() += 1;
        let first = {
            let mut kept = self.shared.kept.lock().expect("no worker panics with it");
            let count = kept.entry(kind).or_default();
            *count += 1;
            *count <= KEPT
        };
        if !first {
            return;
        }
        let small = shrink(test, fails);
        let disagreement = again(&small).unwrap_or(disagreement);
        self.found.cases.push(Case {
            number,
            test: small,
            disagreement,
        });
    }
}

/// An outcome that the processor shows and TSO does not have.
fn beyond_tso(test: &Test, directory: &Path) -> Option<String> {
    let outcomes = judge(test, 0, 0)
        .ok()?
        .tso
        .filter(|_| native::is_native(test))?;
    let seen = native::run(&[test], Duration::from_millis(30), directory).ok()?;
    let seen = seen.into_iter().next()??;
    let outcome = seen.beyond(&outcomes)?;
    Some(format!("{:?} = {outcome:x?}", test.observed_names()))
}

/// The command that finds a case again.
pub fn command(options: &Options, number: u64) -> String {
    let mut command = format!(
        "cargo xtask differ --litmus --seed {} --first {number} --programs 1 --jobs 1",
        options.seed
    );
    if options.languages.len() == 1 {
        let _ = write!(command, " --families {}", options.languages[0].name());
    }
    let _ = write!(command, " --shapes {}", options.shapes);
    if let Some(each) = options.native {
        let _ = write!(
            command,
            " --native --native-milliseconds {}",
            each.as_millis()
        );
    }
    command
}

/// Writes a case as a litmus file; gives its path.
pub fn write_case(
    case: &Case,
    index: usize,
    options: &Options,
    directory: &Path,
) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(directory)?;
    let found = &case.disagreement;
    let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let kind: String = found.kind.chars().map(word).collect();
    let path = directory.join(format!("{index:03}-litmus-{kind}.litmus"));
    let comment = |text: &str| text.replace("(*", "( *").replace("*)", "* )");
    let mut text = found.text.clone();
    let _ = writeln!(text, "(* {}", comment(&command(options, case.number)));
    let _ = writeln!(
        text,
        "   fencepost check {} {}",
        found.options,
        path.display()
    );
    let _ = writeln!(text, "   {}: {} *)", found.kind, comment(&found.what));
    std::fs::write(&path, text)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written can be read, and says how it is found again.
    #[test]
    fn a_case_is_a_litmus_test_with_its_commands() {
        let options = Options {
            seed: 5,
            languages: vec![Language::Sparc],
            shapes: 2,
            ..Options::default()
        };
        let found = test(&options, 17);
        let case = Case {
            number: 17,
            disagreement: Disagreement {
                kind: "shape, one more NOP".to_owned(),
                what: "a comment (* or *) two".to_owned(),
                text: found.text(),
                options: "--model rmo".to_owned(),
            },
            test: found,
        };
        let name = format!("fencepost-case-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let path = write_case(&case, 3, &options, &directory).expect("a new file");
        let text = std::fs::read_to_string(&path).expect("the file");
        let _ = std::fs::remove_dir_all(&directory);
        assert!(path.ends_with("003-litmus-shape--one-more-NOP.litmus"));
        frontend::read(&program::Source::new("case.litmus", text.clone())).expect("a test");
        let again = "cargo xtask differ --litmus --seed 5 --first 17 --programs 1 --jobs 1 --families sparc --shapes 2";
        assert!(text.contains(again), "{text}");
        assert!(text.contains("fencepost check --model rmo /"), "{text}");
    }

    #[test]
    fn figures_count_tests_and_shapes() {
        let options = Options {
            tests: 30,
            seed: 3,
            first: 0,
            languages: Language::ALL.to_vec(),
            shapes: 1,
            jobs: 2,
            native: None,
            directory: std::env::temp_dir(),
            progress: false,
        };
        let summary = run(&options, &AtomicBool::new(false)).expect("nothing native");
        assert!(summary.count() >= 30, "{}", summary.figures());
        assert_eq!(summary.kinds.len(), 0, "{:?}", summary.cases);
        assert!(
            summary
                .figures()
                .contains(&format!("shapes {}", summary.shapes))
        );
    }
}
