//! Limits hold in every engine, nothing holds of nothing, and output that is lost is an error.

mod command_line;

use command_line::repository;
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Limits are reached after seconds; without them the programs here run for minutes, or for ever.
const GENEROUS: Duration = Duration::from_secs(60);

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(arguments).current_dir(repository());
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the command runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The one result of a command, and its exit code.
fn result(arguments: &[&str]) -> (Value, i32) {
    let arguments = [&["--format", "json"], arguments].concat();
    let arguments = [&arguments[2..3], &arguments[..2], &arguments[3..]].concat();
    let output = run(&arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {errors}"));
    (report["results"][0].clone(), code(&output))
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

/// A litmus test in a file of its own.
fn litmus(name: &str, lines: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, lines).expect("a new file");
    path.display().to_string()
}

/// Waits until a process has a handler for interrupts; without one they would end it.
#[cfg(unix)]
fn wait_for_handler(process: u32) {
    const INTERRUPT: u64 = 1 << 1;
    let has_handler = |status: &str| {
        let caught = status.lines().find_map(|l| l.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
        caught.is_some_and(|bits| bits & INTERRUPT != 0)
    };
    for _ in 0..3000 {
        match std::fs::read_to_string(format!("/proc/{process}/status")) {
            Ok(status) if has_handler(&status) => return,
            Ok(_) => std::thread::sleep(Duration::from_millis(10)),
            // Where the system does not tell, it takes moments.
            Err(_) => return std::thread::sleep(Duration::from_secs(5)),
        }
    }
    panic!("no handler is set");
}

mod nothing {
    use super::*;

    const VACUOUS: &str = "tests/c/sat/vacuous.c";

    #[test]
    fn a_program_without_an_end_is_undecided_under_every_model_and_engine() {
        let auto = ["sc", "tso", "pso", "rmo", "relaxed"].map(|model| ("auto", model));
        let states = ["sc", "tso", "pso", "rmo"].map(|model| ("states", model));
        let explore = ["sc", "tso", "pso"].map(|model| ("explore", model));
        for (engine, model) in auto.into_iter().chain(states).chain(explore) {
            let arguments = ["check", VACUOUS, "--model", model, "--engine", engine];
            let (result, code) = result(&arguments);
            assert_eq!(code, 3, "{engine} {model}: {result}");
            assert_eq!(result["verdict"], "undecided", "{engine} {model}");
            let output = text(&run(&arguments));
            let line = format!("undecided under {model}: no execution reaches the end");
            assert!(output.contains(&line), "{output}");
        }
    }

    #[test]
    fn an_assertion_that_nothing_reaches_is_named() {
        for engine in ["explore", "states", "sat"] {
            let path = "tests/c/limits/unreached_assertion.c";
            let arguments = ["check", path, "--model", "tso", "--engine", engine];
            let output = run(&arguments);
            let (code, text) = (code(&output), text(&output));
            assert_eq!(code, 0, "{engine}: {text}");
            let lines = |line: u32| {
                let warning = format!("{path}:{line}: no execution reaches this assertion");
                text.contains(&warning)
            };
            let named: Vec<u32> = (1..30).filter(|line| lines(*line)).collect();
            assert_eq!(named, [5, 16], "{engine}: {text}");
        }
    }

    #[test]
    fn a_search_that_is_cut_names_no_assertion() {
        let path = "tests/c/limits/unreached_assertion.c";
        let limit = ["--engine", "states", "--max-states", "1"];
        let arguments = [&["check", path, "--model", "tso"][..], &limit].concat();
        let output = text(&run(&arguments));
        assert!(!output.contains("reaches this assertion"), "{output}");
    }

    #[test]
    fn a_server_that_main_leaves_behind_is_no_program_without_an_end() {
        let path = "tests/c/limits/server_with_assumption.c";
        for model in ["sc", "tso", "rmo"] {
            let arguments = ["check", path, "--model", model, "--engine", "states"];
            let (result, code) = result(&arguments);
            assert_eq!((code, &result["verdict"]), (0, &"holds".into()), "{model}");
        }
    }

    #[test]
    fn a_server_whose_main_is_never_done_is_one() {
        let path = "tests/c/limits/server_with_assumption.c";
        let arguments = ["check", path, "--model", "rmo", "--", "-DIMPOSSIBLE"];
        assert_eq!(code(&run(&arguments)), 3);
    }

    #[test]
    fn a_condition_on_final_states_that_are_not_there_is_undecided() {
        let filtered = "X86 filtered\n{ }\n P0 ;\n MOV [x],$1 ;\nfilter (x=2)\nforall (x=1)\n";
        let filtered = litmus("filtered.litmus", filtered);
        for engine in ["states", "sat"] {
            let (result, code) = result(&["check", &filtered, "--engine", engine]);
            assert_eq!(code, 3, "{engine}: {result}");
        }
    }

    #[test]
    fn invariants_of_tests_that_never_end_hold() {
        let test =
            "X86 forever\n{ }\n P0 ;\n L: ;\n MOV [x],$1 ;\n JMP L ;\ninvariant (x=0 \\/ x=1)\n";
        let (result, code) = result(&["check", &litmus("forever.litmus", test)]);
        assert_eq!(code, 0, "{result}");
    }
}

mod limits {
    use super::*;

    const MALLOC: &str = "tests/c/limits/malloc_loop.c";
    const COMPUTES: &str = "tests/c/limits/endless_computation.c";

    #[test]
    fn a_thread_on_its_own_looks_at_the_clock() {
        for path in [MALLOC, COMPUTES] {
            for engine in ["auto", "explore", "states"] {
                let started = Instant::now();
                let arguments = ["check", path, "--model", "sc", "--engine", engine];
                let limit = ["--timeout", "1", "--max-memory", "4000"];
                let (result, code) = result(&[&arguments[..], &limit].concat());
                assert_eq!(code, 3, "{path} {engine}: {result}");
                assert!(started.elapsed() < GENEROUS, "{path} {engine}");
            }
        }
    }

    #[test]
    fn a_thread_on_its_own_looks_at_the_memory_of_the_process() {
        for engine in ["auto", "explore", "states"] {
            let started = Instant::now();
            let arguments = ["check", MALLOC, "--model", "sc", "--engine", engine];
            let (result, code) = result(&[&arguments[..], &["--max-memory", "300"]].concat());
            assert_eq!(code, 3, "{engine}: {result}");
            assert_eq!(result["covers"], "what fits into 300 MB", "{engine}");
            assert!(started.elapsed() < GENEROUS, "{engine}");
        }
    }

    #[test]
    fn estimates_and_single_runs_have_limits() {
        let estimate = ["check", MALLOC, "--model", "sc", "--estimate"];
        for arguments in [&estimate[..], &["run", MALLOC]] {
            let started = Instant::now();
            let output = run(&[arguments, &["--timeout", "1"]].concat());
            assert_eq!(code(&output), 3, "{arguments:?}");
            assert!(started.elapsed() < GENEROUS, "{arguments:?}");
        }
    }

    #[test]
    fn the_time_is_that_of_all_engines() {
        // The engine explore has half of what reading leaves of the time, and states the rest.
        let arguments = ["check", COMPUTES, "--model", "sc", "--timeout", "1"];
        let started = Instant::now();
        let output = run(&[&arguments[..], &["--format", "json"]].concat());
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        let result = &report["results"][0];
        let number = |value: &Value| value.as_f64().expect("a number");
        let seconds = number(&result["seconds"]) + number(&report["reading_seconds"]);
        assert!(seconds <= started.elapsed().as_secs_f64());
        if result["covers"]
            .as_str()
            .is_some_and(|covers| covers.contains("seen in"))
        {
            assert!(seconds >= 0.9, "{result}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_interrupt_stops_a_thread_on_its_own() {
        for signal in ["-INT", "-TERM"] {
            let mut checked = command(&["check", MALLOC, "--model", "sc"]);
            checked.args(["--timeout", "50"]).stdout(Stdio::piped());
            let mut child = checked.spawn().expect("the command runs");
            wait_for_handler(child.id());
            // Reading, or running: both are to end.
            std::thread::sleep(Duration::from_secs(1));
            let mut kill = Command::new("kill");
            kill.args([signal, &child.id().to_string()]);
            assert!(kill.status().expect("kill runs").success());
            let started = Instant::now();
            let status = child.wait().expect("it ends");
            assert_eq!(status.code(), Some(3), "{signal}");
            assert!(started.elapsed() < Duration::from_secs(40), "{signal}");
        }
    }
}

/// Limits hold before there is anything to search.
#[cfg(unix)]
mod reading {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::{Path, PathBuf};

    const PROGRAM: &str = "tests/c/limits/buffer_bound.c";
    const DATA_TYPE: &str = "tests/c/sat/refine_spinlock.c";

    /// A compiler that tells its version, and its process, and then sleeps.
    fn sleepy_clang(name: &str) -> (PathBuf, PathBuf) {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (path, started) = (directory.join(name), directory.join(format!("{name}.pid")));
        let _ = std::fs::remove_file(&started);
        let script = format!(
            "#!/bin/sh\ncase $1 in --version) echo clang version 19.1.0; exit;; esac\n\
             sleep 600 & echo $! > '{}'; wait\n",
            started.display()
        );
        std::fs::write(&path, script).expect("a new file");
        let mut mode = path.metadata().expect("it is there").permissions();
        mode.set_mode(0o755);
        std::fs::set_permissions(&path, mode).expect("it is ours");
        (path, started)
    }

    /// The process that the compiler has started, once it has.
    fn started_by(started: &Path) -> String {
        for _ in 0..3000 {
            match std::fs::read_to_string(started) {
                Ok(process) if process.ends_with('\n') => return process.trim().to_owned(),
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        panic!("the compiler does not start");
    }

    fn is_gone(process: &str) -> bool {
        (0..3000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            let kill = Command::new("kill").args(["-0", process]).output();
            !kill.expect("kill runs").status.success()
        })
    }

    #[test]
    fn a_compiler_that_does_not_end_is_ended() {
        let (clang, started) = sleepy_clang("sleepy-clang");
        let clang = clang.display().to_string();
        for arguments in [
            &["check", PROGRAM, "--format", "json"][..],
            &["check", PROGRAM, "--estimate"],
            &["outcomes", PROGRAM],
            &["robust", PROGRAM],
            &["run", PROGRAM],
            &["refine", DATA_TYPE, "--suite", "2"],
        ] {
            let _ = std::fs::remove_file(&started);
            let begun = Instant::now();
            let output = run(&[arguments, &["--timeout", "1", "--clang", &clang]].concat());
            assert_eq!(code(&output), 3, "{arguments:?}");
            assert!(begun.elapsed() < GENEROUS, "{arguments:?}");
            // The machine may be too busy to start it in a second.
            if started.exists() {
                assert!(is_gone(&started_by(&started)), "{arguments:?}");
            }
            if arguments.contains(&"json") {
                let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
                let result = &report["results"][0];
                assert_eq!(result["verdict"], "undecided", "{report}");
                assert_eq!(result["engine"], "none", "{report}");
                assert!(report["reading_seconds"].as_f64() >= Some(0.9), "{report}");
            }
        }
    }

    #[test]
    fn a_wish_to_stop_ends_the_compiler() {
        for (signal, command) in [("-INT", "check"), ("-TERM", "robust")] {
            let (clang, started) = sleepy_clang(&format!("sleepy-clang{signal}"));
            let clang = clang.display().to_string();
            let mut checked = self::command(&[command, PROGRAM, "--clang", &clang]);
            let child = checked.stdout(Stdio::piped()).spawn();
            let mut child = child.expect("the command runs");
            let compiler = started_by(&started);
            let mut kill = Command::new("kill");
            kill.args([signal, &child.id().to_string()]);
            assert!(kill.status().expect("kill runs").success());
            let begun = Instant::now();
            assert_eq!(child.wait().expect("it ends").code(), Some(3), "{signal}");
            assert!(begun.elapsed() < GENEROUS, "{signal}");
            assert!(is_gone(&compiler), "{signal}");
        }
    }

    #[test]
    fn input_that_never_comes_is_given_up() {
        let mut checked = command(&["check", "-", "--timeout", "1", "--format", "json"]);
        let checked = checked.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut checked = checked.expect("the command runs");
        let open = checked.stdin.take();
        let output = checked.wait_with_output().expect("it ends");
        drop(open);
        assert_eq!(code(&output), 3);
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        assert_eq!(report["results"][0]["covers"], "the states seen in 1 s");
    }

    #[test]
    fn a_log_that_never_ends_is_given_up_when_the_user_wants() {
        let mut monitor = command(&["monitor", "-"]);
        let monitor = monitor.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut monitor = monitor.expect("the command runs");
        let mut open = monitor.stdin.take().expect("a pipe");
        let header = "thread,operation,address,value\n";
        std::io::Write::write_all(&mut open, header.as_bytes()).expect("it reads");
        wait_for_handler(monitor.id());
        let mut kill = Command::new("kill");
        kill.args(["-INT", &monitor.id().to_string()]);
        assert!(kill.status().expect("kill runs").success());
        let begun = Instant::now();
        assert_eq!(monitor.wait().expect("it ends").code(), Some(3));
        assert!(begun.elapsed() < GENEROUS);
        drop(open);
    }
}

mod buffers {
    use super::*;

    const PROGRAM: &str = "tests/c/limits/buffer_bound.c";

    #[test]
    fn a_bound_on_buffers_is_a_bound() {
        for engine in ["auto", "states"] {
            let arguments = ["check", PROGRAM, "--engine", engine, "--buffer", "1"];
            let (result, code) = result(&arguments);
            assert_eq!(code, 0, "{result}");
            assert_eq!(result["covers"], "store buffers of at most 1 entries");
        }
        let (result, code) = result(&["check", PROGRAM]);
        assert_eq!(code, 1, "{result}");
    }

    #[test]
    fn engines_without_such_a_bound_refuse_it() {
        for command in [
            &["check", PROGRAM, "--engine", "explore"][..],
            &["check", PROGRAM, "--engine", "sat"],
            &["check", PROGRAM, "--all"],
            &["check", PROGRAM, "--model", "relaxed"],
            &["outcomes", PROGRAM, "--engine", "sat"],
            &["robust", PROGRAM],
        ] {
            let output = run(&[command, &["--buffer", "1"]].concat());
            assert_eq!(code(&output), 2, "{command:?}");
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(complaint.contains("--buffer"), "{complaint}");
        }
    }
}

mod tables {
    use super::*;

    #[test]
    fn what_a_cut_search_does_not_know_is_marked() {
        let path = "tests/c/sat/outcomes_violation.c";
        let output = run(&["outcomes", path, "--model", "all", "--max-states", "5"]);
        let text = text(&output);
        assert!(text.contains("0  0 │ ?    ?    ?    +      ✓"), "{text}");
        assert!(text.contains("? not known"), "{text}");
        assert!(text.contains("violated under relaxed: "), "{text}");
        assert_eq!(code(&output), 1);
    }

    #[test]
    fn an_outcome_that_a_cut_search_did_not_come_to_is_not_known() {
        let path = "examples/x86/SB.litmus";
        let cut = ["outcomes", path, "--model", "tso", "--max-states", "1"];
        let output = run(&[&cut[..], &["--trace", "4"]].concat());
        assert_eq!(code(&output), 3, "{}", text(&output));
        let output = run(&["outcomes", path, "--model", "tso", "--trace", "40"]);
        assert_eq!(code(&output), 2, "{}", text(&output));
        let output = run(&[&cut[..], &["--trace", "x=1"]].concat());
        let told = "No execution to x=1 under tso was found before a limit was reached.";
        assert!(text(&output).contains(told), "{}", text(&output));
        assert_eq!(code(&output), 3);
    }

    #[test]
    fn what_a_whole_search_does_not_find_is_not_allowed() {
        let output = run(&["outcomes", "examples/x86/SB.litmus", "--model", "sc,tso"]);
        let text = text(&output);
        assert!(text.contains('·') && !text.contains('?'), "{text}");
    }
}

#[cfg(target_os = "linux")]
mod output {
    use super::*;

    fn full() -> File {
        let full = OpenOptions::new().write(true).open("/dev/full");
        full.expect("a device that is always full")
    }

    #[test]
    fn what_cannot_be_written_is_an_error() {
        let wrong = "tests/c/limits/buffer_bound.c";
        for arguments in [
            &["check", wrong][..],
            &["check", wrong, "--format", "json"],
            &["check", wrong, "--estimate"],
            &["outcomes", "examples/x86/SB.litmus"],
            &["outcomes", "examples/x86/SB.litmus", "--format", "json"],
            &["robust", wrong],
            &["ir", wrong],
            &["functions"],
            &["--help"],
            &["check", "--help"],
            &["--version"],
        ] {
            let output = command(arguments).stdout(full()).output();
            let output = output.expect("the command runs");
            assert_eq!(code(&output), 2, "{arguments:?}");
            let complaint = String::from_utf8_lossy(&output.stderr);
            let expected = "fencepost: cannot write the output: ";
            assert!(
                complaint.starts_with(expected),
                "{arguments:?}: {complaint}"
            );
        }
    }

    /// The device is behind a link: were anything but a file removed, it would be the link.
    #[test]
    fn a_proof_that_cannot_be_written_is_an_error_and_no_device_is_removed() {
        let link = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("full.proof");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink("/dev/full", &link).expect("a new link");
        let proof = link.display().to_string();
        let path = "tests/c/limits/buffer_bound.c";
        let options = ["--model", "sc", "--engine", "sat", "--proof", &proof];
        let output = run(&[&["check", path][..], &options].concat());
        assert_eq!(code(&output), 2);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains("cannot write "), "{complaint}");
        assert!(link.is_symlink(), "{proof} is gone");
    }

    #[test]
    fn complaints_that_nobody_can_read_change_no_exit_code() {
        let checked = command(&["check", "no/such/file.c"])
            .stderr(full())
            .output();
        assert_eq!(code(&checked.expect("the command runs")), 2);
    }
}
