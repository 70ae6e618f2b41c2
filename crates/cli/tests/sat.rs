//! Programs that the engine `sat` once answered wrongly, and others like them, under every model.

mod command_line;
mod json_report;

use command_line::repository;
use json_report::{check, report};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

const ALL: &[&str] = &["sc", "tso", "pso", "rmo", "relaxed"];
const WEAK: &[&str] = &["pso", "rmo", "relaxed"];
const STRONG: &[&str] = &["sc", "tso"];

/// A program of `tests/c/sat`, or one that every engine answers, in a directory beside it.
fn program(name: &str) -> PathBuf {
    repository().join("tests/c/sat").join(name)
}

/// The results of the engine under some models.
fn results(name: &str, models: &[&str], options: &[&str], compiler: &[&str]) -> Vec<Value> {
    let models = models.join(",");
    let options = [&["--engine", "sat", "--model", &models], options].concat();
    let report = check(&program(name), &options, compiler);
    report["results"].as_array().expect("results").clone()
}

#[track_caller]
fn answers(name: &str, models: &[&str], compiler: &[&str], verdict: &str) {
    for result in results(name, models, &[], compiler) {
        assert_eq!(result["verdict"], verdict, "{name} {compiler:?}: {result}");
    }
}

#[test]
fn an_execution_that_goes_wrong_counts_though_another_thread_hangs() {
    answers("../engines/failure_beside_waiting.c", WEAK, &[], "violated");
    answers("../engines/failure_beside_waiting.c", STRONG, &[], "holds");
    answers("stuck_at_lock.c", ALL, &[], "violated");
}

#[test]
fn a_failed_assumption_hides_nothing_that_does_not_come_after_it() {
    answers(
        "../engines/assumption_beside_failure.c",
        ALL,
        &[],
        "violated",
    );
}

#[test]
fn atomic_sections_contain_fences() {
    answers("../engines/fences_in_a_section.c", ALL, &[], "violated");
}

#[test]
fn what_a_thread_does_in_a_section_that_it_does_not_leave_is_not_seen() {
    for more in [&[][..], &["-DLOOP"]] {
        answers("section_that_stays.c", ALL, more, "holds");
        let fails = [more, &["-DFAILS"]].concat();
        answers("section_that_stays.c", ALL, &fails, "violated");
    }
}

#[test]
fn the_failure_order_of_an_exchange_counts() {
    let order = |name: &str, order: &str| format!("-D{name}=memory_order_{order}");
    // The load after it may only overtake it if neither order acquires.
    for success in ["relaxed", "acquire", "release", "acq_rel", "seq_cst"] {
        for failure in ["relaxed", "acquire", "seq_cst"] {
            let orders = [
                order("SU", success),
                order("FA", failure),
                order("LO", "relaxed"),
            ];
            let orders = orders.each_ref().map(String::as_str);
            let acquires = |order: &str| !matches!(order, "relaxed" | "release");
            let holds = acquires(success) || acquires(failure);
            let verdict = if holds { "holds" } else { "violated" };
            answers(
                "../engines/failure_order.c",
                &["rmo", "relaxed"],
                &orders,
                verdict,
            );
            let options = ["--engine", "states", "--model", "rmo"];
            let report = check(&program("../engines/failure_order.c"), &options, &orders);
            assert_eq!(report["results"][0]["verdict"], verdict, "{orders:?}");
        }
    }
}

#[test]
fn an_acquiring_load_of_what_never_changes_acquires() {
    for engine in ["states", "sat"] {
        let options = ["--engine", engine, "--model", "rmo"];
        let path = program("acquire_of_constant.c");
        let report = report("outcomes", &path, &options, &["-DLOOP"]);
        let outcomes = report["results"][0]["outcomes"].as_array();
        assert_eq!(outcomes.map(Vec::len), Some(2), "{engine}: {report}");
    }
}

#[test]
fn filters_speak_of_values_that_are_not_shown() {
    answers("filter_of_unobserved.litmus", ALL, &[], "violated");
}

#[test]
fn a_store_of_the_value_that_is_there_is_a_store() {
    answers("../engines/silent_store_in_a_loop.c", ALL, &[], "holds");
    answers("private_store_returned.c", ALL, &[], "violated");
    answers("private_store_read_after.c", ALL, &[], "violated");
    answers("private_store_of_a_guest.c", ALL, &[], "violated");
    for read in 0..18 {
        let read = format!("-DREAD={read}");
        answers("private_store_is_read.c", ALL, &[&read], "violated");
    }
}

#[test]
fn a_private_store_that_is_dead_needs_no_more_iterations() {
    let queue = repository().join("examples/datatypes/nonblocking_queue.c");
    let result = report("refine", &queue, &["--test", "e(ed|de)"], &[]);
    let result = &result["results"][0];
    assert_eq!(result["verdict"], "holds", "{result}");
    assert_eq!(result["work"]["rounds"], 2, "{result}");
}

#[test]
fn an_exchange_of_the_value_that_is_there_is_noticed_by_forwarding() {
    let options = ["--engine", "sat", "--model", "relaxed"];
    let path = program("rewriting_forwarded.c");
    let report = report("outcomes", &path, &options, &[]);
    let outcomes = report["results"][0]["outcomes"]
        .as_array()
        .expect("outcomes");
    let both = outcomes
        .iter()
        .any(|outcome| outcome.to_string().matches('1').count() == 2);
    assert!(both, "{report}");
}

#[test]
fn threads_that_join_each_other_do_not_go_on() {
    answers("threads_join_each_other.c", ALL, &[], "holds");
}

#[test]
fn no_execution_is_no_success() {
    for result in results("vacuous.c", ALL, &[], &[]) {
        assert_eq!(result["verdict"], "undecided", "{result}");
        assert_eq!(result["covers"], "no execution: none reaches the end");
        let warnings = result["warnings"].to_string();
        assert!(
            warnings.contains("no execution reaches this assertion"),
            "{warnings}"
        );
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command
        .args(["check", "--engine", "sat", "--model", "sc"])
        .arg(program("vacuous.c"));
    let output = command.output().expect("the command runs");
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("undecided under sc: no execution reaches the end"),
        "{text}"
    );
}

#[test]
fn assertions_that_are_not_reached_are_named() {
    for result in results("unreached_assertion.c", ALL, &[], &[]) {
        assert_eq!(result["verdict"], "holds", "{result}");
        let warnings = result["warnings"].as_array().expect("warnings");
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(warnings[0]["line"], 6, "{warnings:?}");
    }
}

#[test]
fn an_iteration_that_observes_something_is_not_left_out() {
    let path = program("observed_while_waiting.c");
    let options = ["--engine", "sat", "--model", "all", "--unroll", "3"];
    let report = report("outcomes", &path, &options, &[]);
    for result in report["results"].as_array().expect("results") {
        let outcomes = result["outcomes"].as_array().map(Vec::len);
        assert_eq!(outcomes, Some(2), "{result}");
    }
}

#[test]
fn a_name_that_two_threads_observe_is_refused() {
    let path = program("observed_by_two.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.arg("outcomes").arg(path).args(["--engine", "sat"]);
    let output = command.output().expect("the command runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaint.contains("which two threads observe"),
        "{complaint}"
    );
}

#[test]
fn outcomes_are_listed_beside_a_violation_that_is_told() {
    let path = program("outcomes_violation.c");
    let report = report("outcomes", &path, &["--model", "all"], &[]);
    for result in report["results"].as_array().expect("results") {
        let outcomes = result["outcomes"].as_array().expect("outcomes");
        assert_eq!(outcomes.len(), 3, "{result}");
        let weak = WEAK.iter().any(|model| result["model"] == *model);
        assert_eq!(!result["violation"].is_null(), weak, "{result}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(["outcomes", "--model", "relaxed"]).arg(path);
    let text = command.output().expect("the command runs").stdout;
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("violated under relaxed: "), "{text}");
}

#[test]
fn time_and_memory_are_limits_of_every_phase() {
    // So many threads that unrolling, ordering or encoding them takes minutes.
    for (options, bound) in [
        (["--timeout", "2"], "the executions seen in 2 s"),
        (["--max-memory", "150"], "what fits into 150 MB"),
    ] {
        let started = Instant::now();
        for result in results("many_threads.c", &["tso"], &options, &["-DN=300"]) {
            assert_eq!(result["verdict"], "undecided", "{result}");
            assert_eq!(result["covers"], bound, "{result}");
        }
        assert!(started.elapsed() < Duration::from_secs(60));
    }
}

/// Checks that the engine refuses a program, with this reason.
#[track_caller]
fn refuses(name: &str, compiler: &[&str], reason: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.arg("check").arg(program(name));
    command.args(["--engine", "sat", "--model", "sc", "--"]);
    let output = command.args(compiler).output().expect("the command runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{name} {compiler:?}");
    assert!(complaint.contains(reason), "{complaint}");
}

#[test]
fn mutexes_of_other_kinds_are_refused() {
    let kind = "a mutex of another kind than the plain one";
    let checking = "-DINITIALISER=PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP";
    for place in ["-DWHERE=0", "-DWHERE=1", "-DWHERE=2", "-DWHERE=3"] {
        refuses("mutex_kinds.c", &[place], kind);
        refuses("mutex_kinds.c", &[place, checking], kind);
    }
    refuses("mutex_kinds.c", &["-DWHERE=4"], "pthread_mutexattr_init");
}

#[test]
fn joins_of_no_thread_of_oneself_and_in_a_circle_are_no_success() {
    for result in results("joins.c", ALL, &[], &["-DWHAT=0"]) {
        assert_eq!(result["verdict"], "holds", "{result}");
        assert_eq!(result["covers"], "everything", "{result}");
    }
    answers("joins.c", ALL, &["-DWHAT=1"], "violated");
    refuses("joins.c", &["-DWHAT=2"], "a thread that may join itself");
    for result in results("joins.c", ALL, &[], &["-DWHAT=3"]) {
        assert_eq!(result["verdict"], "undecided", "{result}");
        let covers = result["covers"].as_str().expect("covers");
        assert!(covers.contains("without deadlock or livelock"), "{result}");
    }
}

#[test]
fn uses_of_destroyed_objects_are_not_covered() {
    for what in ["-DWHAT=0", "-DWHAT=1", "-DWHAT=2"] {
        for result in results("destroyed.c", ALL, &[], &[what]) {
            let covers = result["covers"].as_str().expect("covers");
            assert!(covers.contains("neither freed nor destroyed"), "{result}");
        }
    }
}

/// What `refine` says of one client.
fn refined(name: &str, test: &str, model: &str, compiler: &[&str]) -> Value {
    let options = ["--test", test, "--model", model];
    let report = report("refine", &program(name), &options, compiler);
    report["results"][0].clone()
}

#[test]
fn a_client_that_goes_wrong_counts_though_another_operation_hangs() {
    for compiler in [&[][..], &["-DMUTEX"]] {
        for model in ALL {
            let result = refined("refine_spinlock.c", "(e|d)", model, compiler);
            let verdict = if WEAK.contains(model) {
                "violated"
            } else {
                "holds"
            };
            assert_eq!(result["verdict"], verdict, "{model} {compiler:?}: {result}");
        }
    }
}

#[test]
fn operations_have_atomic_sections_with_many_fences() {
    for model in ALL {
        let result = refined("refine_section.c", "(i|i)", model, &[]);
        assert_eq!(result["verdict"], "violated", "{model}: {result}");
    }
}

/// What is used after its end is not looked for in general, and the result says so.
#[test]
fn what_ends_with_its_thread_or_call_is_said_to_be_left_out() {
    let covers = |name: &str, define: &str| {
        for result in results(name, ALL, &[], &[define]) {
            assert_eq!(result["verdict"], "holds", "{name} {define}: {result}");
            let covers = result["covers"].as_str().unwrap_or_default();
            let said = covers.contains("neither freed nor destroyed");
            assert!(said, "{name} {define}: {result}");
        }
    };
    for define in ["-DSTORED", "-DARGUMENT", "-DFRAME", "-DEXITS"] {
        covers("../engines/storage_ends_with_its_thread.c", define);
    }
    covers("../engines/joined_twice.c", "-DBY_OTHERS");
}

/// The outcomes of the engine are those of executions in which every thread ends.
#[test]
fn outcomes_are_not_known_where_main_leaves_a_thread_behind_that_waits() {
    let path = program("main_leaves_a_waiting_thread.c");
    let outcomes = |compiler: &[&str]| {
        let options = ["--model", "sc,tso,pso,rmo,relaxed"];
        let report = report("outcomes", &path, &options, compiler);
        report["results"].as_array().expect("results").clone()
    };
    for compiler in [&[][..], &["-DLOCK"]] {
        for result in outcomes(compiler) {
            let all = result["outcomes"].as_array().map(Vec::len) == Some(2);
            let machine = matches!(result["model"].as_str(), Some("sc" | "tso" | "pso"));
            assert_eq!(all, machine, "{compiler:?} {result}");
            let expected = if all { "holds" } else { "undecided" };
            assert_eq!(result["verdict"], expected, "{compiler:?} {result}");
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
        command.args(["outcomes", "--model", "all"]).arg(&path);
        let output = command.arg("--").args(compiler).output();
        let output = output.expect("the command runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{text}");
        let row = "0 │ +    ✓    ✓    ?      ?";
        assert!(text.contains(row), "{text}");
    }
    for result in outcomes(&["-DENDS"]) {
        assert_eq!(result["outcomes"].as_array().map(Vec::len), Some(2));
        assert_eq!(result["verdict"], "holds", "{result}");
    }
}
