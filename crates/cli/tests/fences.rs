//! `fencepost fences`: how many fences, where, and what becomes of the files.

mod command_line;

use command_line::repository;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fencepost(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.current_dir(directory).args(arguments);
    command.output().expect("the command runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn found(arguments: &[&str]) -> Value {
    let arguments = [&["fences", "--format", "json"], arguments].concat();
    let output = fencepost(&repository(), &arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        panic!("{arguments:?}: {error}: {complaint}")
    })
}

fn count(report: &Value) -> usize {
    report["fences"].as_array().expect("fences").len()
}

/// A directory with copies of files, gone when it is dropped.
struct Copies(PathBuf);

impl Copies {
    fn new(name: &str, files: &[&str]) -> Self {
        let directory = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory");
        for file in files {
            let path = repository().join(file);
            let copy = directory.join(path.file_name().expect("a name"));
            std::fs::copy(&path, copy).expect("a copy");
        }
        Copies(directory)
    }

    fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(&self.0).expect("a directory");
        let mut names: Vec<String> = files
            .map(|file| {
                file.expect("a file")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The algorithms of the paper on proofs by trace partitioning, Fig. 8: both threads run one text, so fences are fewer here than
/// there. Each is proved for every buffer size.
#[test]
fn algorithms_need_at_most_the_fences_of_the_paper() {
    let rows = [
        ("peterson", 1),
        ("dekker", 2),
        ("lamport", 2),
        ("szymanski", 2),
        ("dijkstra", 1),
        ("pgsql", 0),
        ("rwlock", 2),
        ("simple_dekker", 1),
        ("clh", 0),
        ("alternating_bit", 0),
        ("qrcu", 0),
    ];
    for (name, fences) in rows {
        let report = found(&[&format!("examples/prove/{name}.c"), "--goal", "proved"]);
        assert_eq!(count(&report), fences, "{name}: {report}");
        assert_eq!(report["verdict"], "holds", "{name}");
        assert_eq!(report["minimum"], true, "{name}");
        assert_eq!(report["result"]["covers"], "everything", "{name}");
        assert_eq!(report["forced"].as_array().expect("a list").len(), fences);
    }
}

/// The examples are right under SC, and under PSO with fences between their statements.
#[test]
fn every_example_can_be_repaired() {
    let files = std::fs::read_dir(repository().join("examples/c")).expect("a directory");
    let mut repaired = 0;
    for file in files {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|end| end != "c") {
            continue;
        }
        let report = found(&[path.to_str().expect("a name"), "--model", "pso"]);
        assert_eq!(report["verdict"], "holds", "{}: {report}", path.display());
        assert_eq!(report["minimum"], true, "{}", path.display());
        repaired += usize::from(count(&report) > 0);
    }
    assert!(repaired >= 20, "{repaired}");
}

#[test]
fn a_fence_is_named_by_what_it_separates() {
    let report = found(&["examples/prove/peterson.c", "--goal", "proved"]);
    let fence = &report["fences"][0];
    assert_eq!(fence["function"], "worker");
    assert_eq!(fence["after"], "store(&turn, other)");
    assert_eq!(fence["text"], "atomic_thread_fence(memory_order_seq_cst)");
    assert_eq!(fence["line"], 12);
}

/// Clang keeps `x` in memory between two marks, and would not without them.
#[test]
fn code_that_marks_change_has_no_known_minimum() {
    let copies = Copies::new("fencepost-optimised", &[]);
    let text = "#include <pthread.h>\n#include <assert.h>\nint x, y, a, b, c;\n\
        void *p(void *u) {\n  x = 1;\n  x = 2;\n  a = y;\n  return 0;\n}\n\
        void *q(void *u) {\n  y = 1;\n  b = x;\n  return 0;\n}\n\
        int main(void) {\n  pthread_t s, t;\n  pthread_create(&s, 0, p, 0);\n  pthread_create(&t, 0, q, 0);\n\
        pthread_join(s, 0);\n  pthread_join(t, 0);\n  assert(a || b);\n  return 0;\n}\n";
    std::fs::write(copies.0.join("sb.c"), text).expect("a file");
    let minimum = |option: &str| {
        let output = fencepost(
            &copies.0,
            &["fences", "sb.c", "--format=json", "--", option],
        );
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        assert_eq!(report["verdict"], "holds", "{report}");
        report["minimum"].as_bool()
    };
    assert_eq!(minimum("-O0"), Some(true));
    assert_eq!(minimum("-O2"), Some(false));
}

#[test]
fn what_is_wrong_under_sc_needs_something_else() {
    let report = found(&["examples/x86/inc-lost.litmus"]);
    assert_eq!(report["outcome"], "wrong-under-sc");
    assert_eq!(report["verdict"], "violated");
    assert_eq!(report["result"]["model"], "sc");
    assert!(report["result"]["execution"].is_object());
    assert_eq!(count(&report), 0);
}

#[test]
fn goals_costs_and_efforts() {
    let robust = found(&["examples/prove/dekker.c", "--goal", "robust"]);
    assert_eq!((count(&robust), &robust["verdict"]), (3, &"holds".into()));
    // Two one-sided fences, or a full one instead of one of them, as they cost.
    let test = "examples/x86/MP.litmus";
    let weak = found(&[test, "--model", "relaxed"]);
    assert_eq!(weak["fences"][0]["text"], "SFENCE");
    let dear = found(&[test, "--model", "relaxed", "--cost", "one-sided=900,full=1"]);
    assert_eq!(dear["fences"][0]["text"], "MFENCE");
    let fast = found(&[test, "--model", "relaxed", "--fast"]);
    assert_eq!((count(&fast), &fast["minimum"]), (2, &false.into()));
    let all = found(&["examples/x86/peterson.litmus", "--all"]);
    assert_eq!(all["sets"][0], all["fences"]);
    let type_ = found(&[
        "examples/datatypes/treiber_stack.c",
        "--goal=atomic",
        "--test=(p|o)",
        "--model=relaxed",
        "--",
        "-DNO_FENCES",
    ]);
    assert_eq!(type_["outcome"], "repaired", "{type_}");
    assert!(count(&type_) > 0);
}

#[test]
fn files_are_edited_and_right_afterwards() {
    let files = [
        "examples/prove/peterson.c",
        "examples/prove/rwlock.c",
        "examples/prove/endless.h",
        "examples/x86/peterson.litmus",
        "examples/sparc/dekker-tso.litmus",
    ];
    let copies = Copies::new("fencepost-apply", &files);
    let names = copies.names();
    let edits: [(&str, &[&str]); 4] = [
        ("peterson.c", &["--goal", "proved"]),
        ("rwlock.c", &["--goal", "proved"]),
        ("peterson.litmus", &[]),
        ("dekker-tso.litmus", &["--model", "pso"]),
    ];
    for (file, options) in edits {
        let before = std::fs::read_to_string(copies.0.join(file)).expect("a file");
        let arguments = [&["fences", file, "--apply", "--diff"], options].concat();
        let output = fencepost(&copies.0, &arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{file}: {complaint}");
        assert_eq!(complaint, "", "{file}");
        let after = std::fs::read_to_string(copies.0.join(file)).expect("a file");
        assert_ne!(before, after, "{file}");
        let text = stdout(&output);
        let added = text
            .lines()
            .filter(|line| line.starts_with('+') && !line.starts_with("+++"));
        for line in added {
            assert!(after.lines().any(|edited| edited == &line[1..]), "{line}");
        }
        let again = fencepost(&copies.0, &arguments);
        assert!(stdout(&again).contains("no fence is needed"), "{file}");
    }
    assert_eq!(copies.names(), names);
}

/// Message passing, with an order for each of its accesses.
fn message_passing(orders: [&str; 4]) -> String {
    let [data, flag, seen, read] = orders;
    format!(
        "#include <stdatomic.h>\n#include <pthread.h>\n#include <assert.h>\nstatic atomic_int data, flag;\n\
        static void *writer(void *u) {{\n    atomic_store_explicit(&data, 1, memory_order_{data});\n    \
        atomic_store_explicit(&flag, 1, memory_order_{flag});\n    return u;\n}}\n\
        static void *reader(void *u) {{\n    if (atomic_load_explicit(&flag, memory_order_{seen}))\n        \
        assert(__atomic_load_n((int *)&data, __ATOMIC_{read}) == 1);\n    return u;\n}}\n\
        int main(void) {{\n    pthread_t a, b;\n    pthread_create(&a, 0, writer, 0);\n    \
        pthread_create(&b, 0, reader, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n    return 0;\n}}\n"
    )
}

/// Orders on accesses are cheaper than fences, and each can be taken back; what is right with less is found again.
#[test]
fn orders_of_accesses_are_repairs_and_can_be_redundant() {
    let copies = Copies::new("fencepost-orders", &[]);
    let file = copies.0.join("mp.c");
    let run = |options: &[&str]| {
        let arguments = [&["fences", "mp.c", "--format=json", "--apply"], options].concat();
        let output = fencepost(&copies.0, &arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {complaint}"));
        assert_eq!(report["verdict"], "holds", "{report}");
        assert_eq!(report["minimum"], true, "{report}");
        (report, std::fs::read_to_string(&file).expect("a file"))
    };
    let relaxed = message_passing(["relaxed", "relaxed", "relaxed", "RELAXED"]);
    let right = message_passing(["relaxed", "release", "acquire", "RELAXED"]);
    let full = message_passing(["seq_cst", "seq_cst", "seq_cst", "RELAXED"]);
    std::fs::write(&file, &relaxed).expect("a file");
    let (report, text) = run(&["--model=relaxed"]);
    assert_eq!(
        (text.as_str(), report["cost"].as_u64()),
        (right.as_str(), Some(320))
    );
    assert_eq!(
        report["fences"][0]["replaces"],
        "atomic_store_explicit(&flag, 1, memory_order_relaxed)"
    );
    assert_eq!(report["forced"].as_array().map(Vec::len), Some(2));
    // With what is cheapest it is the same program from the other side.
    std::fs::write(&file, &full).expect("a file");
    let (report, text) = run(&["--model=relaxed", "--redundant"]);
    assert_eq!(
        (text.as_str(), report["cost"].as_u64()),
        (right.as_str(), Some(320))
    );
    assert_eq!(report["redundant"].as_array().map(Vec::len), Some(3));
    let (report, text) = run(&["--model=relaxed", "--redundant"]);
    assert_eq!(
        (text.as_str(), report["redundant"].as_array().map(Vec::len)),
        (right.as_str(), Some(0))
    );
    // Stores need no fence behind them under TSO, and nothing is said of what has no effect there.
    std::fs::write(&file, &full).expect("a file");
    let (_, text) = run(&["--model=tso", "--redundant"]);
    assert_eq!(
        text,
        message_passing(["release", "release", "seq_cst", "RELAXED"])
    );
    // Orders that are dearer than fences are not taken.
    std::fs::write(&file, &relaxed).expect("a file");
    let (report, text) = run(&[
        "--model=relaxed",
        "--cost=release=900,acquire=900,seq-cst=900",
    ]);
    // No statement can be added in front of the body of the `if`, so that there the order is all that helps.
    let replaced = |index: usize| report["fences"][index]["replaces"].is_null();
    assert!(!replaced(0) && replaced(1), "{report}");
    assert!(
        text.contains("    atomic_thread_fence(memory_order_release);\n"),
        "{text}"
    );
}

/// Each fence of an example is needed or goes, and what is left is right.
#[test]
fn fences_that_can_go_are_taken_out() {
    let files = ["examples/c/peterson.c", "examples/sparc/dekker-tso.litmus"];
    let copies = Copies::new("fencepost-redundant", &files);
    let file = copies.0.join("peterson.c");
    let old = std::fs::read_to_string(&file).expect("a file");
    let more = old.replacen(
        "store_load();",
        "store_load();\n    atomic_thread_fence(memory_order_seq_cst); /* again */",
        1,
    );
    assert_ne!(more, old);
    std::fs::write(&file, more).expect("a file");
    let arguments = [
        "fences",
        "peterson.c",
        "--redundant",
        "--apply",
        "--",
        "-DTSO_FENCES",
    ];
    let output = fencepost(&copies.0, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(
        stdout(&output).contains("1 fence or order is more than is needed"),
        "{}",
        stdout(&output)
    );
    let left = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(
        left.matches("seq_cst").count(),
        old.matches("seq_cst").count()
    );
    // What is wrong has nothing too much.
    let wrong = fencepost(&copies.0, &["fences", "peterson.c", "--redundant"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(
        stdout(&wrong).contains("wrong as it is"),
        "{}",
        stdout(&wrong)
    );
}

/// Store buffering in two functions with these bodies, with what stands before them.
fn store_buffering(before: &str, first: &str, second: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <assert.h>\n{before}\nvolatile int x, y;\nint a = 1, b = 1;\n\
        static void *p(void *u) {{\n{first}\n    return u;\n}}\nstatic void *q(void *u) {{\n{second}\n    return u;\n}}\n\
        int main(void) {{\n    pthread_t s, t;\n    pthread_create(&s, 0, p, 0);\n    pthread_create(&t, 0, q, 0);\n    \
        pthread_join(s, 0);\n    pthread_join(t, 0);\n    assert(a || b);\n    return 0;\n}}\n"
    )
}

/// Fences stand where a person would write them, and as the file and its headers write them.
#[test]
fn fences_look_like_those_of_the_file() {
    let copies = Copies::new("fencepost-style", &[]);
    let header = "#define smp_mb() __asm__ __volatile__(\"mfence\" : : : \"memory\")\n";
    std::fs::write(copies.0.join("barrier.h"), header).expect("a file");
    let plain = "    y = 1;\n    b = x;";
    let rows = [
        (
            "#include \"barrier.h\"",
            "    x = 1;\n    a = y;",
            "    x = 1;\n    smp_mb();\n    a = y;",
        ),
        (
            "static inline void full(void) { __sync_synchronize(); }",
            "    x = 1; a = y;",
            "    x = 1; full(); a = y;",
        ),
        (
            "#define each(i, n) for (int i = 0; i < (n); i++)",
            "    each(i, 1) {\n        x = 1;\n    }\n    if (x)\n        a = y;",
            "    each(i, 1) {\n        x = 1;\n    }\n    __atomic_thread_fence(__ATOMIC_SEQ_CST);\n    if (x)\n        a = y;",
        ),
        (
            "#define UNLESS(c) if (!(c))\n#define OTHERWISE else",
            "    x = 1;\n    UNLESS(u)\n        a = y;\n    OTHERWISE\n        a = 2;",
            "    x = 1;\n    __atomic_thread_fence(__ATOMIC_SEQ_CST);\n    UNLESS(u)\n        a = y;\n    OTHERWISE\n        a = 2;",
        ),
        (
            "",
            "    switch (x = 1, (long)u) {\n    case 0: {\n        int v = y;\n        a = v;\n    }\n    }",
            "    switch (x = 1, (long)u) {\n    case 0: {\n        __atomic_thread_fence(__ATOMIC_SEQ_CST);\n        int v = y;\n        a = v;\n    }\n    }",
        ),
    ];
    for (before, first, repaired) in rows {
        let file = copies.0.join("sb.c");
        std::fs::write(&file, store_buffering(before, first, plain)).expect("a file");
        let output = fencepost(&copies.0, &["fences", "sb.c", "--apply"]);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{first}: {complaint}");
        assert_eq!(complaint, "", "{first}");
        let text = std::fs::read_to_string(&file).expect("a file");
        assert!(text.contains(repaired), "{text}");
        let clang = Command::new("clang-19")
            .current_dir(&copies.0)
            .args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "sb.c"])
            .status();
        assert!(clang.expect("clang-19").success(), "{text}");
        let again = fencepost(&copies.0, &["fences", "sb.c"]);
        assert!(stdout(&again).contains("no fence is needed"), "{first}");
    }
}

/// Where nothing can be edited, that is said rather than that nothing is redundant.
#[test]
fn what_cannot_be_edited_is_listed() {
    let copies = Copies::new("fencepost-fixed", &[]);
    let before = "#include <stdatomic.h>\natomic_int z;\n#define set(v) atomic_store(&z, v)";
    let text = store_buffering(before, "    set(1);", "    b = 2;");
    std::fs::write(copies.0.join("set.c"), text).expect("a file");
    let output = fencepost(&copies.0, &["fences", "set.c", "--redundant"]);
    let told = stdout(&output);
    assert!(told.contains("none is where it can be edited"), "{told}");
    assert!(
        told.contains("not looked at, as it cannot be edited:\n  set.c:9: set(1)"),
        "{told}"
    );
}

/// A litmus test loses the fences that it does not need.
#[test]
fn fences_of_litmus_tests_go() {
    let copies = Copies::new("fencepost-redundant-litmus", &[]);
    let text = "X86 SB\n{ x=0; y=0; }\n P0          | P1          ;\n MFENCE      | MOV [y],$1  ;\n\
        MOV [x],$1  | MFENCE      ;\n MFENCE      | MOV EAX,[x] ;\n MOV EAX,[y] |             ;\n\
        ~exists (0:EAX=0 /\\ 1:EAX=0)\n";
    let file = copies.0.join("sb.litmus");
    std::fs::write(&file, text).expect("a file");
    let output = fencepost(
        &copies.0,
        &["fences", "sb.litmus", "--redundant", "--apply"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let left = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(left, text.replacen(" MFENCE      |", "             |", 1));
}

/// Lost updates are no question of fences, and the answer says what has to be one step.
#[test]
fn updates_that_are_lost_are_named() {
    let report = found(&["examples/x86/inc-lost.litmus"]);
    assert_eq!(
        report["updates"].as_array().map(Vec::len),
        Some(2),
        "{report}"
    );
    let copies = Copies::new("fencepost-updates", &[]);
    let program = |body: &str| {
        format!(
            "#include <stdatomic.h>\n#include <pthread.h>\n#include <assert.h>\nstatic atomic_int x, l, n;\n\
            static void *p(void *u) {{\n{body}\n  return u;\n}}\nint main(void) {{\n  pthread_t a, b;\n  \
            pthread_create(&a, 0, p, 0);\n  pthread_create(&b, 0, p, 0);\n  pthread_join(a, 0);\n  \
            pthread_join(b, 0);\n  assert(x == 2);\n  return 0;\n}}\n"
        )
    };
    let lock = "  while (atomic_load(&l) != 0)\n    ;\n  atomic_store(&l, 1);\n  \
        int t = atomic_load(&x);\n  atomic_store(&x, t + 1);\n  atomic_store(&l, 0);";
    // One of the two pairs is enough.
    let rows = [
        ("  int t = atomic_load(&x);\n  atomic_store(&x, t + 1);", 1),
        (lock, 1),
        ("  atomic_fetch_add(&x, 2);", 0),
    ];
    for (body, updates) in rows {
        std::fs::write(copies.0.join("p.c"), program(body)).expect("a file");
        let output = fencepost(&copies.0, &["fences", "p.c", "--format=json"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        assert_eq!(report["outcome"], "wrong-under-sc", "{body}");
        assert_eq!(
            report["updates"].as_array().map(Vec::len),
            Some(updates),
            "{body}: {report}"
        );
    }
}

/// Every command of the page runs, and ends as the page says.
#[test]
fn the_commands_of_the_page_run() {
    let page =
        std::fs::read_to_string(repository().join("docs/reference/fences.md")).expect("the page");
    let commands = page
        .lines()
        .filter_map(|line| line.strip_prefix("    fencepost "));
    let mut ran = 0;
    for command in commands {
        let arguments: Vec<&str> = command
            .split(' ')
            .map(|word| word.trim_matches('\''))
            .collect();
        let output = fencepost(&repository(), &arguments);
        let wrong = command.contains("inc-lost");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(i32::from(wrong)),
            "{command}: {complaint}"
        );
        ran += 1;
    }
    assert!(ran >= 6, "{ran}");
}

/// The fields of the report are those of `docs/reference/json.md`, in their order.
#[test]
fn the_page_on_json_names_every_field() {
    let page =
        std::fs::read_to_string(repository().join("docs/reference/json.md")).expect("the page");
    let (_, section) = page.split_once("\n## Fences\n").expect("a section");
    let (section, _) = section.split_once("\n## ").expect("a section behind it");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let names = rows.flat_map(|row| row.split(" |").next().unwrap_or("").split(", "));
    let names: Vec<String> = names
        .map(|name| name.trim_matches('`').to_owned())
        .collect();
    let report = found(&["examples/x86/SB.litmus"]);
    let fields: Vec<&String> = report.as_object().expect("an object").keys().collect();
    assert_eq!(fields, names.iter().collect::<Vec<_>>());
}

/// What is wrong with a program is said of the user's file, not of a copy with marks.
#[test]
fn complaints_are_about_the_users_text() {
    let copies = Copies::new(
        "complaints",
        &[
            "examples/datatypes/treiber_stack.c",
            "examples/datatypes/atomics.h",
        ],
    );
    let program =
        "#include <stdio.h>\nint main(void) {\n    char line[9];\n    fgets(line, 9, stdin);\n}\n";
    std::fs::write(copies.0.join("reads.c"), program).expect("a file");
    for (file, complaint) in [
        ("reads.c", "reads.c:4:5\n"),
        ("treiber_stack.c", "fencepost fences --goal atomic"),
    ] {
        let output = fencepost(&copies.0, &["fences", file]);
        assert_eq!(output.status.code(), Some(2), "{file}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(complaint), "{text}");
        assert!(!text.contains("fp_fence"), "{text}");
    }
}
