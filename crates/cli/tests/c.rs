//! C programs from the command line: files, clang and its messages, exit codes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A directory of files for one test, with one for temporary files in it, deleted in the end.
struct Directory(PathBuf);

impl Directory {
    fn new(test: &str, files: &[(&str, &str)]) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        std::fs::create_dir_all(directory.join("temporary")).expect("a new directory");
        for (name, content) in files {
            std::fs::write(directory.join(name), content).expect("a new file");
        }
        Directory(directory)
    }

    /// Runs the command in the directory.
    fn fencepost(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the command runs")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
        command.args(arguments).current_dir(&self.0);
        command.env("TMPDIR", self.0.join("temporary"));
        command
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

const HELLO: &str = "#include <stdio.h>
int main(void) {
    printf(\"hello\\n\");
    return 0;
}
";

const WRONG: &str = "#include <assert.h>
#include <stdio.h>
int main(void) {
    printf(\"before\\n\");
    assert(1 + 1 == 3);
    return 0;
}
";

/// Store buffering.
const SB: &str = "#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#define store(place) atomic_store_explicit(place, 1, memory_order_relaxed)
#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#ifdef FENCES
#define fence() fp_fence(FP_STORE_LOAD)
#else
#define fence() ((void)0)
#endif
atomic_int x, y;
static void *left(void *unused) {
    store(&x);
    fence();
    fp_observe(\"left\", load(&y));
    return unused;
}
static void *right(void *unused) {
    store(&y);
    fence();
    fp_observe(\"right\", load(&x));
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

mod running {
    use super::*;

    #[test]
    fn a_run_prints_what_the_program_prints() {
        let directory = Directory::new("run_prints", &[("hello.c", HELLO)]);
        let output = directory.fencepost(&["run", "hello.c"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert_eq!((&*stdout(&output), &*stderr(&output)), ("hello\n", ""));
    }

    #[test]
    fn a_run_that_goes_wrong_says_so_on_standard_error() {
        let directory = Directory::new("run_wrong", &[("wrong.c", WRONG)]);
        let output = directory.fencepost(&["run", "wrong.c"]);
        assert_eq!(code(&output), 1);
        assert_eq!(stdout(&output), "before\n");
        let complaint = stderr(&output);
        assert!(complaint.contains("wrong.c:5"), "{complaint}");
        assert!(complaint.contains("1 + 1 == 3"), "{complaint}");
    }

    #[test]
    fn a_trace_takes_the_place_of_the_output() {
        let directory = Directory::new("run_trace", &[("sb.c", SB)]);
        let output = directory.fencepost(&["run", "sb.c", "--trace", "--schedule", "first"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains("store(&x)"), "{}", stdout(&output));
    }

    #[test]
    fn a_seed_gives_one_execution() {
        let directory = Directory::new("run_seed", &[("sb.c", SB)]);
        let trace = |seed| {
            let output = directory.fencepost(&["run", "sb.c", "--trace", "--seed", seed]);
            stdout(&output)
        };
        assert_eq!(trace("7"), trace("7"));
        let traces = ["0", "1", "2", "3", "4", "5"].map(trace);
        assert!(traces.iter().any(|other| *other != traces[0]));
    }

    #[test]
    fn a_run_that_is_cut_off_ends_with_three() {
        let program = "int main(void) { volatile int n = 0; while (n < 10) n++; return 0; }\n";
        let directory = Directory::new("run_cut_off", &[("loop.c", program)]);
        assert_eq!(code(&directory.fencepost(&["run", "loop.c"])), 0);
        let output = directory.fencepost(&["run", "loop.c", "--unroll", "3"]);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let complaint = stderr(&output);
        assert!(
            complaint.starts_with("fencepost: cut off after"),
            "{complaint}"
        );
    }

    #[test]
    fn litmus_tests_are_not_run() {
        let directory = Directory::new("run_litmus", &[]);
        let output = directory.fencepost(&["run", "SB.litmus"]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains("run takes one C program"));
    }
}

mod exploring {
    use super::*;
    use serde_json::Value;

    const COMPUTED_UPDATE: &str = "#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
int counts[2], at;
void *one(void *unused) {
    fp_atomic_begin();
    counts[at]++;
    fp_atomic_end();
    return unused;
}
void *two(void *unused) {
    at = 1;
    fp_atomic_begin();
    counts[at]++;
    fp_atomic_end();
    return unused;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counts[1] < 2);
}
";

    const WAITS: &str = "#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int full;
void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    if (!full) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_join(thread, 0);
}
";

    const VALUE: &str = "#include <pthread.h>
#include <semaphore.h>
sem_t semaphore;
void *nothing(void *unused) { return unused; }
void look(void) {
    int value = 7;
    sem_getvalue(&semaphore, &value);
}
int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, 0, nothing, 0);
    look();
    pthread_join(thread, 0);
}
";

    const COMPUTED_LOAD: &str = "#include <fencepost.h>
#include <pthread.h>
int values[2], at, seen;
void *writer(void *unused) {
    at = 1;
    values[0] = 5;
    return unused;
}
void *reader(void *unused) {
    fp_atomic_begin();
    seen = values[at];
    fp_atomic_end();
    return unused;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, reader, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
";

    /// The results of `check --format json` on store buffering.
    fn results(test: &str, arguments: &[&str]) -> Vec<Value> {
        let directory = Directory::new(test, &[("sb.c", SB)]);
        let line = [&["check", "sb.c", "--format", "json"], arguments].concat();
        let output = directory.fencepost(&line);
        let report: Value = serde_json::from_str(&stdout(&output))
            .unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
        report["results"].as_array().expect("results").clone()
    }

    #[test]
    fn executions_are_counted_under_each_model() {
        let results = results("counted", &["--model", "sc,tso,pso", "--count"]);
        let count = |name: &str| -> Vec<u64> {
            let numbers = results.iter().map(|result| &result["counts"][name]);
            let numbers = numbers.map(|number| number.as_u64().expect("a number"));
            numbers.collect()
        };
        assert_eq!(count("executions"), [3, 4, 4]);
        assert_eq!(count("not_sequential"), [0, 1, 1]);
        assert_eq!(count("blocked"), [0, 0, 0]);
        assert_eq!(results[0]["engine"], "explore");
        assert_eq!(results[0]["counts"]["states"], Value::Null);
    }

    #[test]
    fn an_execution_that_sc_does_not_have_is_a_violation_if_asked() {
        let found = results("robust", &["--model", "sc,tso", "--robust"]);
        let engines = found.iter().map(|result| &result["engine"]);
        assert!(engines.eq(["monitor", "explore"]));
        for result in &found {
            assert_eq!(result["violation"]["kind"], "not-sequential");
            let cycle = result["violation"]["cycle"].as_array().expect("a cycle");
            assert_eq!(cycle.len(), 4);
            assert!(cycle.iter().all(|link| link["line"].is_u64()));
            assert!(cycle.iter().any(|link| link["overtaken"] == true));
        }
        let fenced = results(
            "robust_fences",
            &["--model", "sc,tso", "--robust", "--", "-DFENCES"],
        );
        assert!(fenced.iter().all(|result| result["verdict"] == "holds"));
    }

    #[test]
    fn a_bound_on_preemptions_is_told() {
        let found = results("no_preemption", &["--model", "sc", "--preemptions", "0"]);
        assert_eq!(found[0]["verdict"], "holds");
        assert_eq!(found[0]["covers"], "executions without preemption");
    }

    #[test]
    fn more_preemptions_until_nothing_is_left_out() {
        let found = results("preemptions", &["--model", "tso", "--preemptions", "all"]);
        assert_eq!(found[0]["covers"], "everything");
        assert_eq!(found[0]["counts"]["executions"], 4);
    }

    /// An atomic section that uses another location after another value; with a bound on preemptions
    /// all schedules are explored even so.
    #[test]
    fn sections_with_computed_addresses_are_explored_with_few_preemptions() {
        let directory = Directory::new("computed_check", &[("counts.c", COMPUTED_UPDATE)]);
        for bound in ["0", "2", "all"] {
            let output = directory.fencepost(&["check", "counts.c", "--preemptions", bound]);
            assert_eq!(code(&output), 1, "{bound}: {}", stdout(&output));
        }
    }

    /// That a thread might wake up spuriously does not make a deadlock right.
    #[test]
    fn a_deadlock_is_found_with_few_preemptions_and_spurious_wakeups() {
        let directory = Directory::new("spurious_preemptions", &[("waits.c", WAITS)]);
        let arguments = ["check", "waits.c", "--spurious", "--preemptions", "all"];
        let output = directory.fencepost(&arguments);
        assert_eq!(code(&output), 1, "{}", stdout(&output));
    }

    /// Under PSO a join may leave a thread alone, which then flushes its stores in the same step.
    #[test]
    fn a_join_that_flushes_is_no_step_after_itself() {
        let directory = Directory::new("flush_at_join", &[("value.c", VALUE)]);
        let arguments = ["check", "value.c", "--model", "sc,tso,pso"];
        let output = directory.fencepost(&[&arguments[..], &["--preemptions", "all"]].concat());
        assert_eq!(code(&output), 0, "{}", stdout(&output));
    }

    /// The monitor would have to know what the section uses if it misses a write.
    #[test]
    fn sections_with_computed_addresses_are_not_monitored() {
        let directory = Directory::new("computed_robust", &[("reads.c", COMPUTED_LOAD)]);
        let answer = |model: &str, bound: &str| {
            let arguments = ["--model", model, "--preemptions", bound];
            code(&directory.fencepost(&[&["robust", "reads.c"], &arguments[..]].concat()))
        };
        for bound in ["0", "2", "all"] {
            assert_eq!(answer("pso", bound), 1, "{bound}");
            assert_eq!(answer("tso", bound), 0, "{bound}");
        }
    }

    #[test]
    fn states_can_be_asked_for() {
        let found = results("states", &["--engine", "states"]);
        assert_eq!(found[0]["engine"], "states");
        assert_eq!(found[0]["counts"]["executions"], Value::Null);
    }

    #[test]
    fn all_models_leave_out_what_explore_has_not() {
        let directory = Directory::new("all_models", &[("sb.c", SB)]);
        let output = directory.fencepost(&["check", "sb.c", "--robust", "--model", "all"]);
        assert_eq!(code(&output), 1);
        let told = stderr(&output);
        assert!(told.contains("rmo is left out: --robust needs"), "{told}");
    }

    #[test]
    fn an_estimate_searches_nothing() {
        let directory = Directory::new("estimate", &[("wrong.c", WRONG)]);
        let output = directory.fencepost(&["check", "wrong.c", "--estimate"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let text = stdout(&output);
        assert!(
            text.starts_with("tso: about one execution (1 to 1)"),
            "{text}"
        );
    }
}

mod files {
    use super::*;

    const MAIN: &str = "int twice(int);\nint main(void) { return twice(2) != 4; }\n";
    const TWICE: &str = "int twice(int n) { return 2 * n; }\n";

    #[test]
    fn several_files_are_one_program() {
        let directory = Directory::new("two_files", &[("main.c", MAIN), ("twice.c", TWICE)]);
        let output = directory.fencepost(&["ir", "main.c", "twice.c"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let text = stdout(&output);
        assert!(
            text.contains("fn main(") && text.contains("fn twice("),
            "{text}"
        );
        let alone = directory.fencepost(&["ir", "main.c"]);
        assert_eq!(code(&alone), 2);
        assert!(stderr(&alone).contains("twice"), "{}", stderr(&alone));
    }

    #[test]
    fn options_after_two_dashes_reach_clang() {
        let directory = Directory::new("clang_options", &[("sb.c", SB)]);
        let rows = |arguments: &[&str]| {
            let output = directory.fencepost(arguments);
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            let text = stdout(&output);
            text.lines().filter(|line| line.contains('│')).count() - 1
        };
        assert_eq!(rows(&["outcomes", "--model", "tso", "sb.c"]), 4);
        assert_eq!(
            rows(&["outcomes", "--model", "tso", "sb.c", "--", "-DFENCES"]),
            3
        );
    }

    /// A thread that outlives main and fails for ever, spuriously or not, does not keep the program from its outcome.
    #[test]
    fn a_thread_that_outlives_main_may_fail_for_ever() {
        let program = "#include <pthread.h>
#include <fencepost.h>
static int count;
static void *other(void *unused) {
    return unused;
}
static void *fail(void *unused) {
    int expected = __atomic_load_n(&count, __ATOMIC_RELAXED);
    for (;;) {
        expected |= 1;
        if (__atomic_compare_exchange_n(&count, &expected, 2, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            break;
    }
    fp_observe(\"expected\", expected);
    return unused;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, other, 0);
    pthread_create(&two, 0, fail, 0);
    return 0;
}
";
        let directory = Directory::new("outlives_main", &[("fails.c", program)]);
        for model in ["sc", "tso", "pso"] {
            let output = directory.fencepost(&["outcomes", "--model", model, "fails.c"]);
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            assert!(
                stdout(&output).contains("1 outcome "),
                "{}",
                stdout(&output)
            );
        }
    }

    #[test]
    fn programs_that_do_without_calls_run_under_rmo() {
        let directory = Directory::new("all_models", &[("sb.c", SB)]);
        let output = directory.fencepost(&["outcomes", "sb.c"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let first = "sb (sb.c) under sc, tso, pso, rmo\n";
        assert!(stdout(&output).starts_with(first), "{}", stdout(&output));
        let output =
            directory.fencepost(&["check", "--model", "rmo", "--engine", "states", "sb.c"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let line = "holds under rmo up to executions without deadlock or livelock";
        assert!(stdout(&output).contains(line), "{}", stdout(&output));
    }

    #[test]
    fn what_keeps_a_program_from_rmo_is_named() {
        let recursive = "int down(int n) {\n  return n ? down(n - 1) : 0;\n}\n\
                         int main(int argc, char **argv) { return down(argc); }\n";
        let directory = Directory::new("not_flat", &[("down.c", recursive)]);
        let by_machine = ["check", "--model", "rmo", "--engine", "states", "down.c"];
        let output = directory.fencepost(&by_machine);
        assert_eq!(code(&output), 2);
        for part in [
            "down.c:2:",
            "recursion through down",
            "C programs run under sc, tso and pso",
        ] {
            assert!(stderr(&output).contains(part), "{}", stderr(&output));
        }
        // The solver does what the machine refuses.
        let output = directory.fencepost(&["check", "--model", "rmo", "down.c"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains("under rmo, machine axioms, engine sat"));
    }

    #[test]
    fn models_under_which_nobody_has_an_answer_are_left_out() {
        let lock = "#include <pthread.h>\n\
                      static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;\n\
                      int main(void) { return pthread_rwlock_rdlock(&lock); }\n";
        let directory = Directory::new("left_out", &[("lock.c", lock)]);
        let output = directory.fencepost(&["check", "--model", "all", "lock.c"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let notes = "fencepost: rmo is left out: pthread_rwlock_rdlock (lock.c:3)\n\
                     fencepost: relaxed is left out: pthread_rwlock_rdlock (lock.c:3)\n";
        assert_eq!(stderr(&output), notes);
        assert!(!stdout(&output).contains("under rmo"));
        let output = directory.fencepost(&["check", "--model", "relaxed", "lock.c"]);
        assert_eq!(code(&output), 2);
        let parts = [
            "lock.c:3:",
            "the engine sat has no answer under relaxed",
            "pthread_rwlock_rdlock",
        ];
        for part in parts {
            assert!(stderr(&output).contains(part), "{}", stderr(&output));
        }
    }

    #[test]
    fn nothing_temporary_is_left() {
        let directory = Directory::new("temporary", &[("hello.c", HELLO), ("bad.c", "int main(")]);
        for file in ["hello.c", "bad.c"] {
            directory.fencepost(&["check", file]);
            let mut left = std::fs::read_dir(directory.0.join("temporary")).expect("a directory");
            assert!(left.next().is_none());
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let directory = Directory::new("missing_c_file", &[]);
        let output = directory.fencepost(&["check", "gone.c"]);
        assert_eq!(code(&output), 2);
        let complaint = stderr(&output);
        assert!(
            complaint.starts_with("fencepost: cannot read gone.c: "),
            "{complaint}"
        );
    }

    #[test]
    fn a_program_without_main_is_bad_input() {
        let directory = Directory::new("no_main", &[("twice.c", TWICE)]);
        let output = directory.fencepost(&["check", "twice.c"]);
        assert_eq!(code(&output), 2);
        let complaint = stderr(&output);
        assert!(complaint.contains("no function `main`"), "{complaint}");
    }
}

mod clang {
    use super::*;

    #[test]
    fn its_errors_and_warnings_are_shown() {
        let warned = "int main(void) { int unused; return 0; }\n";
        let files = [
            ("warned.c", warned),
            ("bad.c", "int main(void) { return gone; }\n"),
        ];
        let directory = Directory::new("clang_messages", &files);
        let output = directory.fencepost(&["check", "warned.c", "--", "-Wall"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let told = stderr(&output);
        assert!(
            told.contains("warned.c:1:22: warning: unused variable"),
            "{told}"
        );
        let output = directory.fencepost(&["check", "bad.c"]);
        assert_eq!(code(&output), 2);
        let told = stderr(&output);
        assert!(told.contains("bad.c:1:25: error: "), "{told}");
        assert!(
            told.ends_with("fencepost: clang does not compile bad.c\n"),
            "{told}"
        );
    }

    #[test]
    fn without_any_the_message_says_how_to_get_one() {
        let directory = Directory::new("no_clang", &[("hello.c", HELLO)]);
        let mut command = directory.command(&["check", "hello.c"]);
        command
            .env("PATH", directory.0.join("temporary"))
            .env_remove("CLANG");
        let output = command.output().expect("the command runs");
        assert_eq!(code(&output), 2);
        let complaint = stderr(&output);
        assert!(complaint.contains("apt-get install clang"), "{complaint}");
    }

    #[test]
    fn the_environment_names_one_and_an_option_another() {
        let directory = Directory::new("named_clang", &[("hello.c", HELLO)]);
        let mut command = directory.command(&["check", "hello.c"]);
        let output = command.env("CLANG", "from/environment").output();
        let told = stderr(&output.expect("the command runs"));
        assert!(
            told.starts_with("fencepost: cannot use from/environment"),
            "{told}"
        );
        let mut command = directory.command(&["check", "hello.c", "--clang", "from/option"]);
        let output = command.env("CLANG", "from/environment").output();
        let told = stderr(&output.expect("the command runs"));
        assert!(
            told.starts_with("fencepost: cannot use from/option"),
            "{told}"
        );
    }

    /// What a clang makes of a file, as text and as bitcode, is the program as well.
    #[test]
    fn its_output_can_be_given_instead() {
        let directory = Directory::new("compiled_before", &[("hello.c", HELLO)]);
        for version in [14, 16, 19] {
            let clang = format!("clang-{version}");
            for (kind, result) in [("-S", "hello.ll"), ("-c", "hello.bc")] {
                let mut compile = Command::new(&clang);
                compile.args([kind, "-g", "-emit-llvm", "hello.c", "-o", result]);
                let compiled = compile.current_dir(&directory.0).status();
                let status = compiled.unwrap_or_else(|error| {
                    panic!("this test needs {clang}, which scripts/setup installs: {error}")
                });
                assert!(status.success());
                let output = directory.fencepost(&["run", result, "--clang", &clang]);
                assert_eq!(code(&output), 0, "{}", stderr(&output));
                assert_eq!(stdout(&output), "hello\n");
            }
        }
    }

    /// The header says the same to the machine that the program is built for.
    #[test]
    fn the_header_serves_native_builds() {
        let directory = Directory::new("native_header", &[("sb.c", SB)]);
        let mut compile = Command::new("cc");
        compile.args(["-Wall", "-Wextra", "-Werror", "-pthread", "-DFENCES", "-I"]);
        compile.arg(repository().join("crates/frontend/include"));
        let compiled = compile
            .args(["sb.c", "-o", "sb"])
            .current_dir(&directory.0)
            .output();
        let compiled = compiled.expect("a C compiler");
        assert!(compiled.status.success(), "{}", stderr(&compiled));
        let status = Command::new(directory.0.join("sb")).status();
        assert!(status.expect("it runs").success());
    }
}

#[test]
fn the_functions_are_listed() {
    let directory = Directory::new("functions", &[]);
    let output = directory.fencepost(&["functions"]);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert!(
        text.contains("\nMutexes\n") && text.contains("  pthread_create\n"),
        "{text}"
    );
}
