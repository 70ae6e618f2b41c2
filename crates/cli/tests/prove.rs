//! `fencepost prove`: what it decides for every buffer size is what `check` finds within its bounds.

mod command_line;

use command_line::repository;
use serde_json::Value;
use std::process::{Command, Output};

fn fencepost(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.current_dir(repository()).args(arguments);
    command.output().expect("the command runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn results(command: &str, path: &str) -> Vec<Value> {
    let output = fencepost(&[command, "--model", "sc,tso,pso", "--format", "json", path]);
    let text = stdout(&output);
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
    // What is refused has an error instead.
    if report.get("error").is_some() {
        return Vec::new();
    }
    report["results"].as_array().expect("results").clone()
}

#[test]
fn litmus_tests_have_the_verdicts_of_check() {
    let mut compared = 0;
    for folder in ["examples/x86", "examples/sparc"] {
        let files = std::fs::read_dir(repository().join(folder)).expect("a folder");
        let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        files.sort();
        for file in files {
            let path = file.to_str().expect("a name");
            if !path.ends_with(".litmus") {
                continue;
            }
            // Invariants and liveness are refused.
            for (proved, checked) in results("prove", path).iter().zip(results("check", path)) {
                assert_eq!(proved["model"], checked["model"], "{path}");
                assert_eq!(proved["verdict"], checked["verdict"], "{path}: {proved}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 90, "{compared}");
}

#[test]
fn the_report_says_what_a_proof_covers() {
    let path = "examples/prove/peterson.c";
    let output = fencepost(&["prove", path, "--", "-DFENCES"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("holds under tso (everything covered)"));
    let output = fencepost(&["prove", path]);
    assert_eq!(code(&output), 1);
    // The machine has run it.
    let text = stdout(&output);
    assert!(text.contains("An execution that shows it:"), "{text}");
    assert!(text.contains("waits in the buffer"), "{text}");
}

#[test]
fn a_certificate_is_for_its_program() {
    let path = std::env::temp_dir().join(format!("fencepost-prove-{}.proof", std::process::id()));
    let proof = path.to_str().expect("a name");
    let (program, fences) = ("examples/prove/dijkstra.c", ["--", "-DFENCES"]);
    let prove = ["prove", program, "--certificate", proof];
    let output = fencepost(&[&prove[..], &fences].concat());
    assert!(stdout(&output).contains("the proof is in"));
    let certify = |more: &[&str]| fencepost(&[&["certify", proof], more].concat());
    assert_eq!(code(&certify(&[])), 0);
    assert_eq!(
        code(&certify(&[program, "--model", "tso", "--", "-DFENCES"])),
        0
    );
    assert_eq!(
        code(&certify(&[program, "--model", "sc", "--", "-DFENCES"])),
        1
    );
    let output = certify(&[program]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("its automata are not those of the program"));
    let text = std::fs::read_to_string(&path).expect("a certificate");
    let shorter = text.lines().filter(|line| !line.starts_with("end"));
    let shorter: String = shorter.map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, shorter).expect("a file");
    let output = certify(&[]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("ends without its last line"));
    std::fs::remove_file(&path).expect("a file");
    // What does not hold has no certificate.
    let output = fencepost(&["prove", program, "--certificate", proof]);
    assert_eq!(code(&output), 1);
    assert!(!path.exists());
}

#[test]
fn robustness_is_decided_for_every_buffer_size() {
    let robust = |more: &[&str]| fencepost(&[&["robust", "--unbounded"], more].concat());
    let output = robust(&["examples/prove/clh.c"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("robust: tso shows nothing"));
    let output = robust(&["examples/prove/peterson.c"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.contains("not robust: tso"), "{text}");
    let fence = "this forbids it: atomic_thread_fence(memory_order_seq_cst) between line";
    assert!(text.contains(fence), "{text}");
    assert_eq!(
        code(&robust(&["examples/prove/peterson.c", "--", "-DFENCES"])),
        0
    );
    assert_eq!(
        code(&robust(&["--model", "pso", "examples/prove/clh.c"])),
        2
    );
}

/// The two ways to decide robustness, on programs in which no loop waits.
#[test]
fn robustness_of_litmus_tests_is_that_of_their_executions() {
    let folder = repository().join("examples/x86");
    let mut compared = 0;
    for file in std::fs::read_dir(folder).expect("a folder") {
        let file = file.expect("a file").path();
        let path = file.to_str().expect("a name");
        if !path.ends_with(".litmus") {
            continue;
        }
        let (unbounded, explored) = (
            fencepost(&["robust", "--unbounded", path]),
            fencepost(&["robust", path]),
        );
        // What has loops is not always explored to the end.
        if code(&unbounded) < 2 && code(&explored) < 2 {
            assert_eq!(code(&unbounded), code(&explored), "{path}");
            compared += 1;
        }
    }
    assert!(compared > 15, "{compared}");
}

/// What takes buffers of ten stores is not found with eight.
#[test]
fn check_asks_for_a_proof_where_it_bounds_buffers() {
    let check = |more: &[&str]| {
        let program = ["check", "examples/prove/unbounded.c"];
        fencepost(&[&program[..], more].concat())
    };
    let proved = "assertions and bad accesses are proved for store buffers of any size";
    let output = check(&["--", "-DROUNDS=5"]);
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    let output = check(&["--", "-DROUNDS=5", "-DFENCES"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains(proved), "{}", stdout(&output));
    // Who asks for a size or an engine gets what was asked for.
    let output = check(&["--engine", "states", "--", "-DROUNDS=5"]);
    assert_eq!(code(&output), 0);
    assert!(!stdout(&output).contains(proved));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let output = fencepost(&["prove", "examples/prove/peterson.c", "--buffer", "3"]);
    assert_eq!(code(&output), 2);
    let output = fencepost(&["prove", "--model", "rmo", "examples/x86/SB.litmus"]);
    assert_eq!(code(&output), 2);
}

#[test]
fn a_program_may_say_what_is_replicated() {
    let text = |lock: &str| {
        format!(
            "#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uchar taken, inside;
static void *worker(void *arg) {{
    for (;;) {{
        {lock};
        assert(atomic_exchange(&inside, 1) == 0);
        atomic_store(&inside, 0);
        atomic_store(&taken, 0);
    }}
    return arg;
}}
int main(void) {{
    pthread_t thread;
    fp_replicate(worker);
    pthread_create(&thread, NULL, worker, NULL);
    return 0;
}}"
        )
    };
    let file = std::env::temp_dir().join(format!("fencepost-replicate-{}.c", std::process::id()));
    let path = file.to_str().expect("a name");
    let prove = |lock: &str| {
        std::fs::write(&file, text(lock)).expect("a file");
        fencepost(&["prove", path])
    };
    let output = prove("fp_assume(atomic_exchange(&taken, 1) == 0)");
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("any number of threads that run worker"));
    // One thread alone does nothing wrong.
    let output = prove("atomic_store(&taken, 1)");
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    assert!(stdout(&output).contains("this takes 2 threads that run worker"));
    assert_eq!(code(&fencepost(&["check", path])), 0);
    let output = fencepost(&["prove", path, "--certificate", "/dev/null"]);
    assert_eq!(code(&output), 2);
    std::fs::remove_file(&file).expect("a file");
}

#[test]
fn data_without_bounds_are_followed_symbolically() {
    let path = "examples/prove/mailbox.c";
    let output = fencepost(&["prove", path]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    let text = stdout(&output);
    assert!(text.contains("machine symbolic traces"), "{text}");
    assert!(
        text.contains("holds under tso (everything covered)"),
        "{text}"
    );
    let output = fencepost(&["prove", path, "--format", "json", "--", "-DBROKEN"]);
    assert_eq!(code(&output), 1);
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    // The machine has run it.
    assert_eq!(report["results"][0]["execution"]["replayed"], true);
}

#[test]
fn a_missing_solver_is_named() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    let clang = std::env::var("PATH").unwrap_or_default();
    let clang = clang.split(':').find_map(|folder| {
        let found = (11..40).map(|version| format!("{folder}/clang-{version}"));
        std::iter::once(format!("{folder}/clang"))
            .chain(found)
            .find(|path| std::path::Path::new(path).exists())
    });
    let folder = std::env::temp_dir().join(format!("fencepost-path-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::os::unix::fs::symlink(clang.expect("a clang"), folder.join("clang")).expect("a link");
    command.current_dir(repository()).env("PATH", &folder);
    let output = command
        .args(["prove", "examples/prove/mailbox.c"])
        .output()
        .expect("it runs");
    std::fs::remove_dir_all(&folder).expect("a folder");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(code(&output), 2, "{text}");
    assert!(text.contains("install z3"), "{text}");
}
