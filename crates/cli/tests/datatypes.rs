//! The data types of `examples/datatypes`: which of them look atomic, and which fences that takes.
//!
//! What fails without a fence is read from the table of the directory's `README.md`. Clients that
//! pass are small here; the larger ones are measured by `fencepost-bench`.

mod command_line;

use command_line::repository;
use std::path::Path;
use std::process::Command;

struct Subject {
    file: &'static str,
    tests: &'static str,
    /// What mends it, where the published algorithm is wrong.
    fixed: &'static [&'static str],
    /// Tests that pass. The first one fails under `relaxed` without fences.
    pass: &'static [&'static str],
    /// It needs no fences under TSO.
    free_under_tso: bool,
}

const SUBJECTS: [Subject; 8] = [
    Subject {
        file: "two_lock_queue",
        tests: "queue",
        fixed: &[],
        pass: &["T0", "T1", "Tpc2", "Tpc3", "Ti2", "Ti3"],
        free_under_tso: true,
    },
    Subject {
        file: "nonblocking_queue",
        tests: "queue",
        fixed: &[],
        pass: &["T0", "Tpc2", "Tpc3", "Ti2"],
        free_under_tso: true,
    },
    Subject {
        file: "lazy_list",
        tests: "set",
        fixed: &[],
        pass: &["Sac", "Sar", "Sacr", "Saa"],
        free_under_tso: true,
    },
    Subject {
        file: "harris_set",
        tests: "set",
        fixed: &[],
        pass: &["Sac", "Sar", "Saa"],
        free_under_tso: true,
    },
    Subject {
        file: "snark_deque",
        tests: "deque",
        fixed: &["-DFIXED"],
        pass: &["D0", "Db"],
        free_under_tso: true,
    },
    Subject {
        file: "treiber_stack",
        tests: "stack",
        fixed: &[],
        pass: &["K0", "Kpp"],
        free_under_tso: true,
    },
    Subject {
        file: "chase_lev_deque",
        tests: "work_stealing",
        fixed: &[],
        pass: &["W0", "Wt", "Wpt"],
        free_under_tso: false,
    },
    Subject {
        file: "mpmc_ring",
        tests: "ring",
        fixed: &[],
        pass: &["R0", "Ree"],
        free_under_tso: true,
    },
];

fn directory() -> std::path::PathBuf {
    repository().join("examples/datatypes")
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Subject {
    /// A test of its file of tests, which stands there as `NAME = TEST`.
    fn test(&self, name: &str) -> String {
        let tests = text(&directory().join(format!("{}.tests", self.tests)));
        let mut lines = tests.lines().filter_map(|line| line.split_once('='));
        let found = lines.find(|(known, _)| known.trim() == name);
        let (_, test) = found.unwrap_or_else(|| panic!("{} has no test {name}", self.tests));
        test.trim().to_owned()
    }

    /// The exit code for these tests, which must be 0 or 1, and what is printed.
    fn refine(&self, tests: &[&str], model: &str, options: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
        command.arg("refine");
        command.arg(directory().join(format!("{}.c", self.file)));
        command.args(["--model", model]);
        for test in tests {
            command.args(["--test", &self.test(test)]);
        }
        let output = command.arg("--").args(options).output();
        let output = output.expect("the command runs");
        let code = output.status.code().expect("it is not killed");
        let [out, err] =
            [output.stdout, output.stderr].map(|t| String::from_utf8_lossy(&t).into_owned());
        let said = format!("{} {tests:?} {model} {options:?}:\n{out}{err}", self.file);
        assert!(code == 0 || code == 1, "{said}");
        (code, said)
    }

    fn passes(&self, tests: &[&str], model: &str, options: &[&str]) {
        let (code, said) = self.refine(tests, model, options);
        assert_eq!(code, 0, "{said}");
    }

    fn fails(&self, test: &str, model: &str, options: &[&str]) {
        let (code, said) = self.refine(&[test], model, options);
        assert_eq!(code, 1, "{said}");
    }
}

fn named(file: &str) -> &'static Subject {
    let mut subjects = SUBJECTS.iter();
    let subject = subjects.find(|subject| subject.file == file);
    subject.unwrap_or_else(|| panic!("no data type {file}"))
}

#[test]
fn with_fences_all_look_atomic_under_relaxed() {
    for subject in &SUBJECTS {
        subject.passes(subject.pass, "relaxed", subject.fixed);
    }
}

#[test]
fn under_tso_most_need_no_fences() {
    for subject in &SUBJECTS {
        let options = [subject.fixed, &["-DNO_FENCES"]].concat();
        match subject.free_under_tso {
            true => subject.passes(subject.pass, "tso", &options),
            false => subject.fails("Wpt", "tso", &options),
        }
    }
}

#[test]
fn without_fences_none_looks_atomic_under_relaxed() {
    for subject in &SUBJECTS {
        let options = [subject.fixed, &["-DNO_FENCES"]].concat();
        subject.fails(subject.pass[0], "relaxed", &options);
    }
}

/// A fence that is needed.
struct Fence {
    file: String,
    number: String,
    /// The test that fails without it.
    test: String,
    /// It is only there in the algorithm as published.
    published: bool,
}

/// The table of fences: numbers and tests stand in lists of the same length, or one test stands
/// for all.
fn fences() -> Vec<Fence> {
    let page = text(&directory().join("README.md"));
    let mut lines = page.lines();
    lines
        .find(|line| line.starts_with("| | fence |"))
        .expect("the table of fences");
    let mut file = String::new();
    let mut fences = Vec::new();
    for line in lines.skip(1).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, numbers, _, reason, tests, _] = cells[..] else {
            panic!("not a row of five cells: {line}");
        };
        if !name.is_empty() {
            file = name.trim_matches('`').to_owned();
        }
        let tests: Vec<&str> = tests.split(", ").collect();
        for (index, number) in numbers.split(", ").enumerate() {
            fences.push(Fence {
                file: file.clone(),
                number: number.to_owned(),
                test: tests[index.min(tests.len() - 1)].to_owned(),
                published: reason.starts_with("only as published"),
            });
        }
    }
    fences
}

#[test]
fn each_fence_is_needed_under_relaxed() {
    let fences = fences();
    for subject in &SUBJECTS {
        let own = fences.iter().filter(|fence| fence.file == subject.file);
        let own: Vec<&Fence> = own.collect();
        assert!(!own.is_empty(), "{} has no fences", subject.file);
        for fence in own {
            let fixed = if fence.published { &[] } else { subject.fixed };
            let without = format!("-DWITHOUT={}", fence.number);
            subject.fails(&fence.test, "relaxed", &[fixed, &[&without]].concat());
        }
    }
    assert!(
        fences
            .iter()
            .all(|fence| named(&fence.file).file == fence.file)
    );
}

#[test]
fn known_bugs_come_out_under_sc() {
    named("snark_deque").fails("D0", "sc", &[]);
    named("lazy_list").fails("Sac", "sc", &["-DUNINITIALISED_MARK"]);
    named("mpmc_ring").fails("Reed", "sc", &["-DAS_PUBLISHED"]);
}
