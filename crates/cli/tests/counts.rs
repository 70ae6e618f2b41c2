//! The programs of `tests/counts` have exactly the executions that other tools count: one for
//! each trace, none of them blocked or redundant, whatever the number of workers.

mod command_line;
mod json_report;

use command_line::repository;
use json_report::check;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Programs with more executions take too long for every day; with `FENCEPOST_COUNTS=all` they
/// are counted, too.
const MOST: u64 = 10_000;
/// With fewer executions there is nothing to share among workers.
const SHARED: u64 = 500;

/// A program, and its executions under SC, TSO and PSO.
struct Row {
    name: String,
    executions: Vec<u64>,
}

impl Row {
    fn most(&self) -> u64 {
        self.executions.iter().copied().max().unwrap_or(0)
    }

    /// What its executions come to, with these options.
    fn wrong(&self, options: &[&str]) -> Option<String> {
        let path = directory().join(format!("{}.c", self.name));
        let options = [&["--count", "--model", "sc,tso,pso"], options].concat();
        let report = check(&path, &options, &[]);
        let results = report["results"].as_array().into_iter().flatten();
        let counts: Vec<Value> = results.map(|result| result["counts"].clone()).collect();
        let all = |name: &str| -> Vec<u64> {
            let numbers = counts.iter().map(|counts| counts[name].as_u64());
            numbers.collect::<Option<_>>().unwrap_or_default()
        };
        let right = all("executions") == self.executions
            && all("blocked") == [0; 3]
            && all("redundant") == [0; 3];
        let message = || format!("{} {options:?}: {counts:?}", self.name);
        (!right).then(message)
    }
}

fn directory() -> PathBuf {
    repository().join("tests/counts")
}

fn table() -> Vec<Row> {
    let text = std::fs::read_to_string(directory().join("counts.tsv")).expect("a table");
    let row = |line: &str| {
        let mut fields = line.split('\t');
        let name = fields.next().unwrap_or_default().to_owned();
        let executions = fields.map(|field| field.parse().expect("a number"));
        Row {
            name,
            executions: executions.collect(),
        }
    };
    text.lines().skip(1).map(row).collect()
}

/// The rows to check.
fn rows() -> impl Iterator<Item = Row> {
    let all = std::env::var("FENCEPOST_COUNTS").is_ok_and(|wanted| wanted == "all");
    table()
        .into_iter()
        .filter(move |row| all || row.most() <= MOST)
}

/// Of ten ranges of `check --estimate` at least this many hold the true number.
const TRUE_OF_TEN: usize = 9;

#[test]
fn the_ranges_of_estimates_hold_the_true_numbers() {
    let options = ["--estimate", "--model", "sc,tso,pso"];
    let (mut right, mut wrong) = (0, Vec::new());
    // Walks through large programs take long.
    let everything = rows().any(|row| row.most() > MOST);
    for row in rows().filter(|row| everything || row.most() <= SHARED) {
        let path = directory().join(format!("{}.c", row.name));
        let report = check(&path, &options, &[]);
        let estimates = report["estimates"].as_array().expect("an estimate");
        assert_eq!(estimates.len(), row.executions.len());
        for (estimate, executions) in estimates.iter().zip(&row.executions) {
            let number = |name: &str| estimate[name].as_f64().expect("a number");
            let range = number("low").floor()..=number("high").ceil();
            if range.contains(&(*executions as f64)) {
                right += 1;
            } else {
                wrong.push(format!("{} has {executions}: {estimate}", row.name));
            }
        }
    }
    let all = right + wrong.len();
    assert!(
        right * 10 >= all * TRUE_OF_TEN,
        "{right} of {all}\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_trace_is_explored_once() {
    let rows: Vec<Row> = rows().collect();
    assert!(rows.len() >= 36);
    let wrong: Vec<String> = rows.iter().filter_map(|row| row.wrong(&[])).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Executions that differ in nothing that can be observed are one to a check that does not count them.
#[test]
fn a_check_explores_what_can_be_observed() {
    let programs: [(&str, &[&str], u64); 10] = [
        ("tests/counts/ainc8.c", &[], 1),
        ("tests/counts/cas4.c", &[], 280),
        ("tests/c/explore/weak_exchanges.c", &[], 2),
        ("tests/c/explore/barrier_orders.c", &["-DN=4", "-DR=2"], 1),
        ("tests/c/explore/barrier_orders.c", &["-DN=2", "-DR=5"], 1),
        ("tests/counts/writers8.c", &[], 1),
        ("tests/counts/2+2w.c", &[], 1),
        ("tests/c/explore/unread_writes.c", &["-DN=6"], 1),
        ("tests/c/explore/nested_starts.c", &[], 1),
        ("tests/c/explore/nested_starts.c", &["-DLATE"], 8),
    ];
    for (name, compiler, executions) in programs {
        let options = ["--engine", "explore", "--model", "sc,tso,pso"];
        let report = check(&repository().join(name), &options, compiler);
        for result in report["results"].as_array().into_iter().flatten() {
            let counts = &result["counts"];
            assert_eq!(result["verdict"], "holds", "{name}");
            assert_eq!(counts["executions"], executions, "{name}");
            assert_eq!(counts["blocked"], 0, "{name}");
            assert_eq!(counts["redundant"], 0, "{name}");
        }
    }
}

/// Failed attempts of a stack without locks are no executions of their own, and few are begun.
#[test]
fn retries_are_not_observed() {
    let program = repository().join("tests/c/explore/treiber.c");
    let programs: [(&[&str], u64, u64); 6] = [
        (&["-DPUSH=2", "-DPOP=0"], 2, 0),
        (&["-DPUSH=3", "-DPOP=0"], 6, 0),
        (&["-DPUSH=3", "-DPOP=0", "-DKEEP"], 6, 0),
        (&["-DPUSH=2", "-DPOP=1"], 6, 2),
        (&["-DPUSH=2", "-DPOP=1", "-DKEEP"], 6, 2),
        (&["-DPUSH=3", "-DPOP=2", "-DKEEP"], 138, 132),
    ];
    for (compiler, executions, blocked) in programs {
        let options = ["--engine", "explore", "--model", "sc,tso"];
        let report = check(&program, &options, compiler);
        for result in report["results"].as_array().into_iter().flatten() {
            let counts = &result["counts"];
            assert_eq!(result["verdict"], "holds", "{compiler:?}");
            assert_eq!(counts["executions"], executions, "{compiler:?}");
            assert_eq!(counts["blocked"], blocked, "{compiler:?}");
            assert_eq!(counts["redundant"], 0, "{compiler:?}");
        }
    }
}

/// The read and the exchange of a retry loop on one location are one event. Where the first read is an exchange itself, what it
/// would store was computed before it, and nothing is known of that: its failure stays an event.
#[test]
fn attempts_are_one_event() {
    let program = repository().join("tests/c/explore/counter_by_exchange.c");
    for (how, models, executions) in [
        ("-DLOAD", "sc,tso,pso", 120),
        ("-DKEEP", "sc,tso,pso", 120),
        ("-DGUESS", "sc,tso", 7680),
    ] {
        let options = ["--engine", "explore", "--model", models];
        let report = check(&program, &options, &["-DTHREADS=5", how]);
        for result in report["results"].as_array().into_iter().flatten() {
            let counts = &result["counts"];
            assert_eq!(result["verdict"], "holds", "{how}");
            assert_eq!(counts["executions"], executions, "{how}");
            assert_eq!(counts["blocked"], 0, "{how}");
            assert_eq!(counts["redundant"], 0, "{how}");
        }
    }
}

/// Reads that make an assumption fail are no events, so that no execution ends with one that another could do without.
#[test]
fn failed_assumptions_are_not_observed() {
    let program = repository().join("tests/c/explore/assumptions.c");
    let programs: [(&[&str], &str, u64); 3] = [
        (&["-DN=1"], "holds", 2),
        (&["-DN=3"], "holds", 4),
        (&["-DEARLY"], "violated", 0),
    ];
    for (compiler, verdict, executions) in programs {
        let options = ["--engine", "explore", "--model", "sc,tso,pso"];
        let report = check(&program, &options, compiler);
        for result in report["results"].as_array().into_iter().flatten() {
            let counts = &result["counts"];
            assert_eq!(result["verdict"], verdict, "{compiler:?}");
            assert_eq!(counts["redundant"], 0, "{compiler:?}");
            if verdict == "holds" {
                assert_eq!(counts["executions"], executions, "{compiler:?}");
                assert_eq!(counts["blocked"], 0, "{compiler:?}");
            }
        }
    }
}

/// What one execution does not read others may.
#[test]
fn a_read_that_was_not_expected_is_found() {
    let program = repository().join("tests/c/explore/unread_writes.c");
    for read in 1..=4 {
        let options = ["--engine", "explore", "--model", "sc,tso,pso"];
        let report = check(&program, &options, &["-DN=3", &format!("-DREAD={read}")]);
        for result in report["results"].as_array().into_iter().flatten() {
            assert_eq!(result["verdict"], "violated", "{read}");
        }
    }
}

#[test]
fn workers_change_nothing() {
    let rows: Vec<Row> = rows().filter(|row| row.most() > SHARED).collect();
    assert!(rows.len() >= 6);
    let one = rows.iter().filter_map(|row| row.wrong(&["--jobs", "1"]));
    let three = rows.iter().filter_map(|row| row.wrong(&["--jobs", "3"]));
    let wrong: Vec<String> = one.chain(three).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_program_has_a_row() {
    let entries = std::fs::read_dir(directory()).expect("a directory of programs");
    let names = entries.map(|entry| entry.expect("a readable directory").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let files: BTreeSet<String> = names
        .filter_map(|name| name.strip_suffix(".c").map(str::to_owned))
        .collect();
    let rows: BTreeSet<String> = table().into_iter().map(|row| row.name).collect();
    assert_eq!(files, rows);
}
