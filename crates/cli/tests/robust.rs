//! Robust programs: those that have no other executions under a model than under SC.
//!
//! Whatever is right under SC and robust under a model is right under it. So an example that
//! is wrong without its fences is not robust, and with enough fences it is both, save for a few
//! that are right without being robust.

mod command_line;
mod json_report;

use command_line::repository;
use json_report::check;
use serde_json::Value;
use std::path::Path;

/// Examples that are right and not robust: file, fences, model.
const RIGHT_NOT_ROBUST: [(&str, &str, &str); 3] = [
    // x is seen before the sign that its writer tries, or has ceased to.
    ("lamport_fast_mutex.c", "PSO_FENCES", "pso"),
    // The counter of readers goes down before the side in use changes.
    ("qrcu.c", "TSO_FENCES", "pso"),
    ("qrcu.c", "PSO_FENCES", "pso"),
];

/// Programs of `tests/c/right` that leave all ordering to mutexes and the like.
const LOCKED: [&str; 7] = [
    "c11_threads.c",
    "condition_variable.c",
    "lock_based_stack.c",
    "once_and_keys.c",
    "rwlock_write_after_read.c",
    "semaphore_barrier_rwlock.c",
    "static_mutex.c",
];

const ROBUST: [&str; 4] = ["--robust", "--all", "--model", "sc,tso,pso"];

fn count(result: &Value, name: &str) -> u64 {
    result["counts"][name].as_u64().expect("a count")
}

/// True if one of the violations is an execution that SC does not have.
fn is_robust(result: &Value) -> bool {
    let others = result["others"].as_array().into_iter().flatten();
    let mut violations = others.chain([&result["violation"]]);
    !violations.any(|violation| violation["kind"] == "not-sequential")
}

/// What does not fit together in the result under a model, given that under SC and whether the
/// program is robust.
fn wrong(result: &Value, sc: &Value, robust: bool) -> Option<String> {
    let executions = count(result, "executions");
    let blocked = count(result, "blocked");
    let others = count(result, "not_sequential");
    if is_robust(result) != robust || (others == 0) != robust {
        return Some(format!("{others} executions are not sequential"));
    }
    if robust && (blocked > 0 || executions != count(sc, "executions")) {
        return Some(format!("{executions} executions, {blocked} blocked"));
    }
    // Those of SC are among them, once each.
    let sequential = executions + blocked - others;
    if sequential != count(sc, "executions") || count(result, "redundant") > 0 {
        return Some(format!("{sequential} sequential executions"));
    }
    None
}

/// What the monitor says under TSO and PSO.
fn monitored(path: &Path, defines: &[&str]) -> Value {
    json_report::report("robust", path, &["--count", "--model", "tso,pso"], defines)
}

/// What the monitor says that is not so, given whether the program is robust.
fn differs(result: &Value, model: &str, robust: bool) -> Option<String> {
    assert_eq!(result["model"], model);
    let expected = if robust { "holds" } else { "violated" };
    let borderline = count(result, "borderline");
    let agrees = result["verdict"] == expected && (borderline == 0) == robust;
    (!agrees).then(|| format!("{} with {borderline} borderline", result["verdict"]))
}

#[test]
fn examples_are_robust_if_they_have_their_fences() {
    let directory = repository().join("examples/c");
    let table = std::fs::read_to_string(directory.join("expected.tsv")).expect("a table");
    let rows = table.lines().skip(1).map(|line| line.split('\t').collect());
    let rows: Vec<Vec<&str>> = rows.collect();
    let mut complaints = Vec::new();
    for group in rows.chunk_by(|a, b| a[..2] == b[..2]) {
        let (file, fences) = (group[0][0], group[0][1]);
        let define = format!("-D{fences}");
        let defines: &[&str] = match fences {
            "-" => &[],
            _ => &[&define],
        };
        let report = check(&directory.join(file), &ROBUST, defines);
        let monitored = monitored(&directory.join(file), defines);
        for (index, row) in group.iter().enumerate() {
            let (model, verdict) = (row[2], row[3]);
            let results = &report["results"];
            assert_eq!(results[index]["model"], model);
            if model == "sc" {
                // The monitor beside it looks for what TSO would show.
                assert_eq!(results[index]["engine"], "monitor");
                let agree = is_robust(&results[index]) == is_robust(&results[index + 1]);
                complaints.extend((!agree).then(|| format!("{file} {fences}: beside sc")));
                continue;
            }
            let robust = verdict == "holds" && !RIGHT_NOT_ROBUST.contains(&(file, fences, model));
            if let Some(wrong) = differs(&monitored["results"][index - 1], model, robust) {
                complaints.push(format!("{file} {fences} {model}, monitor: {wrong}"));
            }
            if let Some(wrong) = wrong(&results[index], &results[0], robust) {
                complaints.push(format!("{file} {fences} {model}: {wrong}"));
            }
        }
    }
    assert!(rows.len() >= 180);
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn locks_make_programs_robust() {
    for file in LOCKED {
        let path = repository().join("tests/c/right").join(file);
        let report = check(&path, &ROBUST, &[]);
        let results = report["results"].as_array().expect("results");
        assert_eq!(results.len(), 3, "{file}");
        for result in results {
            assert_eq!(result["verdict"], "holds", "{file}: {result}");
            assert!(is_robust(result), "{file}: {result}");
        }
        for result in &results[1..] {
            assert_eq!(wrong(result, &results[0], true), None, "{file}: {result}");
        }
        let monitored = monitored(&path, &[]);
        for (index, model) in ["tso", "pso"].into_iter().enumerate() {
            let result = &monitored["results"][index];
            // To make a key is to write memory and a variable at once: that is for the executions
            // with store buffers.
            match file {
                "once_and_keys.c" => {
                    assert_eq!(result["engine"], "explore", "{result}");
                    assert_eq!(result["verdict"], "holds", "{result}");
                }
                _ => assert_eq!(differs(result, model, true), None, "{file}"),
            }
        }
    }
}

/// What was written before others could reach it waits as well, where stores overtake stores.
#[test]
fn objects_are_published_in_time_if_they_have_their_fence() {
    let path = repository().join("tests/c/explore/publish.c");
    for (defines, robust) in [(&[][..], [true, false]), (&["-DFENCES"][..], [true, true])] {
        let report = monitored(&path, defines);
        for (index, model) in ["tso", "pso"].into_iter().enumerate() {
            let result = &report["results"][index];
            assert_eq!(result["engine"], "monitor");
            assert_eq!(differs(result, model, robust[index]), None, "{defines:?}");
        }
    }
}

#[test]
fn right_is_not_robust() {
    for (file, fences, model) in RIGHT_NOT_ROBUST {
        let path = repository().join("examples/c").join(file);
        let define = format!("-D{fences}");
        let verdict = |options: &[&str]| {
            let options = [options, &["--model", model]].concat();
            let report = check(&path, &options, &[&define]);
            let result = &report["results"][0];
            (
                result["verdict"].clone(),
                result["violation"]["kind"].clone(),
            )
        };
        assert_eq!(verdict(&[]).0, "holds", "{file}");
        let robust = verdict(&["--robust"]);
        assert_eq!(
            robust,
            ("violated".into(), "not-sequential".into()),
            "{file}"
        );
    }
}

/// The fence of a release store stands in front of it, also where both are one step of a library
/// function.
#[test]
fn stores_overtake_a_spin_unlock_under_pso() {
    let path = repository().join("tests/c/robust/spin_unlock_overtaken.c");
    for (define, under_pso) in [
        ("-DBOTH", "violated"),
        ("-DFENCE", "holds"),
        ("-DWITHOUT", "holds"),
    ] {
        let report = monitored(&path, &[define]);
        for (index, expected) in ["holds", under_pso].into_iter().enumerate() {
            let result = &report["results"][index];
            assert_eq!(result["verdict"], expected, "{define}: {result}");
            assert_eq!(result["engine"], "monitor", "{define}: {result}");
        }
    }
}

/// Stores of one call overtake each other.
#[test]
fn the_stores_of_one_call_overtake_each_other_under_pso() {
    let path = repository().join("tests/c/robust/stores_of_one_call.c");
    for options in [&[] as &[&str], &["-DMEMORY"], &["-DFENCES"]] {
        let report = monitored(&path, options);
        for (index, expected) in ["holds", "violated"].into_iter().enumerate() {
            let result = &report["results"][index];
            assert_eq!(result["verdict"], expected, "{options:?} {result}");
        }
    }
}

/// A library function that only looks is a load.
#[test]
fn a_library_function_looks_too_early() {
    let path = repository().join("tests/c/robust/semaphore_value_too_early.c");
    for (options, expected) in [
        (&[] as &[&str], "violated"),
        (&["-DTRY"], "violated"),
        (&["-DFENCE"], "holds"),
        (&["-DFENCE", "-DTRY"], "holds"),
    ] {
        let report = monitored(&path, options);
        let result = &report["results"][0];
        assert_eq!(result["verdict"], expected, "{options:?}: {result}");
    }
}

/// A load may take its bytes from several stores of its own thread.
#[test]
fn a_load_of_two_own_stores_is_robust() {
    let path = repository().join("tests/c/robust/load_of_two_own_stores.c");
    let report = json_report::check(&path, &ROBUST, &[]);
    for result in report["results"].as_array().expect("results") {
        assert_eq!(result["verdict"], "holds", "{result}");
    }
}

/// Unlocking a mutex that the thread does not hold is a load, if it is no error.
#[test]
fn an_unlock_that_fails_looks_too_early() {
    let path = repository().join("tests/c/robust/failed_unlock_overtakes.c");
    let explored = json_report::check(&path, &ROBUST, &[]);
    for report in [monitored(&path, &[]), explored] {
        for result in report["results"].as_array().expect("results") {
            assert_eq!(result["verdict"], "violated", "{result}");
        }
    }
}
