//! `fencepost refine` and `fencepost certify`: answers, exit codes, files, complaints.

mod command_line;

use command_line::repository;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the command printed, what it complained about, and its exit code.
struct Said {
    out: String,
    err: String,
    code: i32,
}

fn fencepost(line: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(line)
        .current_dir(repository())
        .output()
        .expect("the command runs");
    Said {
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
        code: output.status.code().expect("it is not killed"),
    }
}

/// `refine` on a file of `tests/c/refine`.
fn refine(file: &str, rest: &[&str]) -> Said {
    let file = format!("tests/c/refine/{file}");
    fencepost(&[&["refine", &file], rest].concat())
}

/// A file for a test to write.
fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refine");
    std::fs::create_dir_all(&directory).expect("a new directory");
    directory.join(name)
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.out).unwrap_or_else(|e| panic!("{e}: {}\n{}", said.out, said.err))
}

fn complains(said: &Said, about: &[&str]) {
    assert_eq!(said.code, 2, "{}{}", said.out, said.err);
    for part in about {
        assert!(said.err.contains(part), "{part} is not in\n{}", said.err);
    }
}

#[test]
fn fences_decide_whether_a_mailbox_looks_atomic() {
    let plain = refine("mailbox.c", &["--test", "(put|take)", "--model", "all"]);
    assert_eq!(plain.code, 1, "{}", plain.err);
    for model in ["sc", "tso"] {
        let good = format!("(put|take) under {model}: looks atomic, 4 observations");
        assert!(plain.out.contains(&good), "{}", plain.out);
    }
    for model in ["pso", "rmo", "relaxed"] {
        let bad = format!("(put|take) under {model}: not atomic");
        assert!(plain.out.contains(&bad), "{}", plain.out);
    }
    let fenced = ["--test", "(put|take)", "--model", "all", "--", "-DFENCES"];
    let fenced = refine("mailbox.c", &fenced);
    assert_eq!(fenced.code, 0, "{}", fenced.err);
    assert_eq!(fenced.out.matches("looks atomic").count(), 5);
}

#[test]
fn the_model_is_relaxed_and_named_first() {
    let said = refine("mailbox.c", &["--test", "put(take|take)"]);
    let first = said.out.lines().next();
    let expected = "tests/c/refine/mailbox.c under relaxed, engine sat";
    assert_eq!(first, Some(expected));
}

#[test]
fn a_suite_ends_with_the_smallest_client_that_fails() {
    let said = refine("stack.c", &["--suite", "4", "--model", "sc"]);
    assert_eq!(said.code, 1);
    let clients = said.out.lines().filter(|line| line.starts_with('('));
    let clients: Vec<&str> = clients.collect();
    // Two operations are too few, and so are three without a push.
    assert_eq!(clients.len(), 1, "{}", said.out);
    assert!(clients[0].starts_with("(push pop|pop) "), "{}", clients[0]);
    let all = refine("mailbox.c", &["--suite", "3", "--model", "tso"]);
    let last = all.out.lines().last().expect("a line");
    assert!(
        last.starts_with("21 clients look atomic under tso, in "),
        "{last}"
    );
    assert!(last.ends_with(": all with at most 3 operations"), "{last}");
    assert_eq!(all.code, 0);
}

#[test]
fn a_suite_goes_on_under_models_that_have_not_failed() {
    let said = refine("mailbox.c", &["--suite", "3", "--model", "tso,pso"]);
    assert_eq!(said.code, 1);
    assert_eq!(said.out.matches("not atomic").count(), 1, "{}", said.out);
    assert!(said.out.contains("21 clients look atomic under tso, in "));
}

#[test]
fn tests_come_from_files_under_their_names() {
    let tests = scratch("mailbox.tests");
    std::fs::write(&tests, "# two\nT0 = (put|take)\n put(take|take)\n").expect("a new file");
    let tests = tests.to_string_lossy();
    let said = refine("mailbox.c", &["--tests", &tests, "--model", "sc"]);
    assert!(
        said.out
            .contains("\nT0 = (put|take) under sc: looks atomic")
    );
    assert!(said.out.contains("\nput(take|take) under sc: looks atomic"));
    assert_eq!(said.code, 0);
}

#[test]
fn operations_that_fail_on_their_own_are_told() {
    let said = refine("counter.c", &["--test", "(divide|divide)"]);
    let expected = "(divide|divide), one operation after another: goes wrong already: \
                    division by zero";
    assert!(said.out.contains(expected), "{}", said.out);
    assert_eq!(said.code, 1);
}

#[test]
fn what_was_observed_before_a_failure_is_told() {
    let line = ["--test", "count(divide|count)"];
    let said = refine("counter.c", &line);
    // What is not known is not shown; one that failed has given nothing back.
    let calls = said.out.lines().find(|line| line.contains("divide("));
    let calls: Vec<&str> = calls
        .expect("the calls")
        .split('│')
        .map(str::trim)
        .collect();
    assert_eq!(
        calls[..2],
        ["count() → now=1", "divide(by=0)"],
        "{}",
        said.out
    );
    let report = json(&refine(
        "counter.c",
        &[&line[..], &["--format", "json"]].concat(),
    ));
    let result = &report["results"][0];
    assert_eq!(result["violation"]["kind"], "division", "{result}");
    let operations = &result["operations"];
    assert_eq!(operations[0]["results"]["now"], 1);
    assert_eq!(operations[1]["arguments"]["by"], 0);
    assert_eq!(operations[1]["results"]["quotient"], Value::Null);
}

#[test]
fn operations_that_never_end_say_nothing() {
    let path = scratch("endless.c");
    let operations = "#include <fencepost.h>
        #include <stdatomic.h>
        static atomic_int held;
        FP_OPERATION(take) { while (atomic_exchange(&held, 1)); }
        FP_OPERATION(pass) {}";
    std::fs::write(&path, operations).expect("a new file");
    let file = path.to_string_lossy();
    let said = fencepost(&["refine", &file, "--test", "(take|take)", "--model", "sc"]);
    let expected = "(take|take), one operation after another: undecided: no serial execution of \
                    this client comes to its end";
    assert!(said.out.contains(expected), "{}{}", said.out, said.err);
    assert_eq!(said.code, 3);
    // Clients of one of them are decided.
    let said = fencepost(&["refine", &file, "--suite", "2", "--model", "sc"]);
    assert!(
        said.out.contains("2 clients look atomic under sc"),
        "{}",
        said.out
    );
    assert_eq!(said.code, 3);
}

#[test]
fn what_observes_nothing_has_a_specification() {
    let path = scratch("silent.c");
    std::fs::write(&path, "#include <fencepost.h>\nFP_OPERATION(pass) {}").expect("a new file");
    let saved = scratch("silent.spec");
    let (file, saved) = (path.to_string_lossy(), saved.to_string_lossy());
    let line = ["refine", &file, "--test", "(pass|pass)", "--model", "sc"];
    for option in ["--save-spec", "--use-spec"] {
        let said = fencepost(&[&line[..], &[option, &saved]].concat());
        assert!(
            said.out.contains("looks atomic, 1 observation,"),
            "{}",
            said.out
        );
    }
}

#[test]
fn locks_make_a_counter_atomic() {
    let said = refine("counter.c", &["--test", "(count count|count)"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    // Deadlocks are not looked for.
    let covers = "; covers executions without deadlock or livelock\n";
    assert!(said.out.contains(covers), "{}", said.out);
    let said = refine("counter.c", &["--test", "(add|add)", "--model", "sc"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
}

#[test]
fn too_few_turns_are_no_answer() {
    let queue = "examples/datatypes/nonblocking_queue.c";
    let line = ["refine", queue, "--test", "(e|e)", "--model", "sc"];
    let said = fencepost(&[&line[..], &["--unroll", "1"]].concat());
    assert!(said.out.contains("undecided: "), "{}{}", said.out, said.err);
    assert_eq!(said.code, 3);
    assert_eq!(fencepost(&line).code, 0);
}

#[test]
fn specifications_are_saved_and_used_again() {
    let path = scratch("mailbox.spec");
    let file = path.to_string_lossy();
    let saved = [
        "--test",
        "(put|take)",
        "--model",
        "sc",
        "--save-spec",
        &file,
    ];
    assert_eq!(refine("mailbox.c", &saved).code, 0);
    let expected = "fencepost specification 1\n\
                    # what clients of tests/c/refine/mailbox.c observe\n\n\
                    test (put|take)\ncolumn 1.1 put which\ncolumn 2.1 take found\n\
                    column 2.1 take message\n0 0 0\n0 1 1\n1 0 0\n1 1 2\n";
    assert_eq!(text(&path), expected);
    let used = ["--test", "(put|take)", "--model", "sc", "--use-spec", &file];
    let said = refine("mailbox.c", &used);
    assert_eq!(said.code, 0, "{}", said.err);
    // Another specification, another answer.
    std::fs::write(&path, expected.replace("1 1 2\n", "")).expect("the file");
    let said = refine("mailbox.c", &used);
    assert_eq!(said.code, 1);
    assert!(
        said.out.contains("take() → found=1 message=2"),
        "{}",
        said.out
    );
}

#[test]
fn a_specification_that_does_not_fit_is_told_with_its_line() {
    let path = scratch("other.spec");
    let file = path.to_string_lossy();
    let text =
        "fencepost specification 1\ntest (put|take)\ncolumn 1.1 put which\ncolumn 2.1 take\n";
    std::fs::write(&path, text).expect("a new file");
    let said = refine("mailbox.c", &["--test", "(put|take)", "--use-spec", &file]);
    complains(&said, &["other.spec:4:1", "observes `2.1 take found` here"]);
    let said = refine("mailbox.c", &["--test", "(put|put)", "--use-spec", &file]);
    complains(&said, &["there is no specification of (put|put)"]);
    let columns = "column 1.1 put which\ncolumn 2.1 take found\ncolumn 2.1 take message\n";
    let text = format!("fencepost specification 1\ntest (put|take)\n{columns}");
    std::fs::write(&path, text).expect("a new file");
    let said = refine("mailbox.c", &["--test", "(put|take)", "--use-spec", &file]);
    complains(&said, &["other.spec:2:1", "has no observations"]);
}

#[test]
fn a_reference_says_what_may_be_observed() {
    let reference = "tests/c/refine/mailbox_in_one_step.c";
    let line = ["--test", "(put|take)", "--spec", reference];
    assert_eq!(refine("mailbox.c", &line).code, 1);
    let fenced = [&line[..], &["--", "-DFENCES"]].concat();
    let said = refine("mailbox.c", &fenced);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let other = "tests/c/refine/mailbox_with_more.c";
    let said = refine("mailbox.c", &["--test", "(put|take)", "--spec", other]);
    let complaint = "the result `taken` of take is not there in what is checked";
    complains(&said, &[complaint, "mailbox_with_more.c"]);
    let other = "tests/c/refine/stack.c";
    let said = refine("mailbox.c", &["--test", "(put|take)", "--spec", other]);
    complains(&said, &["there is no operation `put`"]);
}

#[test]
fn proofs_are_written_and_certified() {
    let path = scratch("mailbox.proof");
    let file = path.to_string_lossy();
    let line = ["--test", "(put|take)", "--proof", &file, "--", "-DFENCES"];
    let said = refine("mailbox.c", &line);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let certified = fencepost(&["certify", &file]);
    assert_eq!(certified.code, 0, "{}{}", certified.out, certified.err);
    let about = "refine tests/c/refine/mailbox.c --test '(put|take)' --model relaxed";
    assert!(certified.out.contains(about), "{}", certified.out);
    assert!(certified.out.contains("one of 4 observations"));
    assert!(certified.out.contains("\nthe proof is right: "));
}

#[test]
fn a_proof_is_for_one_program_model_and_test() {
    let path = scratch("subject.proof");
    let file = path.to_string_lossy();
    let mailbox = "tests/c/refine/mailbox.c";
    let line = ["--test", "(put|take)", "--proof", &file, "--", "-DFENCES"];
    assert_eq!(refine("mailbox.c", &line).code, 0);
    let certify = |more: &[&str]| fencepost(&[&["certify", &file], more].concat());
    let all = [mailbox, "--model", "relaxed", "--test", "(put|take)"];
    let said = certify(&[&all[..], &["--", "-DFENCES"]].concat());
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(
        said.out.contains("  question: refine (put|take)\n"),
        "{}",
        said.out
    );
    assert!(said.out.contains("  model: relaxed\n"), "{}", said.out);
    for (other, complaint) in [
        // Without its fences it is another program, and so is another file.
        (&[mailbox][..], "it is for another program"),
        (&["tests/c/refine/stack.c"], "it is for another program"),
        (&["--model", "rmo"], "it is for the model relaxed, not rmo"),
        (
            &["--test", "(put|put)"],
            "it is for the question refine (put|take), not refine (put|put)",
        ),
    ] {
        let said = certify(other);
        assert_eq!(said.code, 1, "{other:?}: {}{}", said.out, said.err);
        assert!(said.out.contains(complaint), "{other:?}: {}", said.out);
    }
}

#[test]
fn a_proof_that_was_changed_is_refused() {
    let path = scratch("changed.proof");
    let file = path.to_string_lossy();
    let line = ["--test", "(put|take)", "--proof", &file, "--", "-DFENCES"];
    assert_eq!(refine("mailbox.c", &line).code, 0);
    let right = text(&path);
    let refused = |changed: String, reason: &str| {
        std::fs::write(&path, changed).expect("the file");
        let said = fencepost(&["certify", &file]);
        assert_eq!(said.code, 1, "{}{}", said.out, said.err);
        assert!(said.out.contains(": the proof is wrong: "), "{}", said.out);
        assert!(said.out.contains(reason), "{}", said.out);
    };
    // Without its last line it proves nothing, without its first clauses nothing follows.
    let (but_last, _) = right.trim_end().rsplit_once('\n').expect("many lines");
    refused(format!("{but_last}\n"), "ends without the empty clause");
    let lines: Vec<&str> = right.lines().collect();
    let clause = lines.iter().position(|line| line.starts_with("c "));
    let clause = clause.expect("a clause");
    let shorter = [&lines[..clause], &lines[clause + 1..]].concat();
    refused(shorter.join("\n"), "is not expected here");
    std::fs::write(&path, "something else\n").expect("the file");
    complains(
        &fencepost(&["certify", &file]),
        &["is no proof of Fencepost"],
    );
    complains(&fencepost(&["certify", "no such file"]), &["cannot read"]);
}

#[test]
fn what_does_not_hold_has_no_proof() {
    let path = scratch("wrong.proof");
    let _ = std::fs::remove_file(&path);
    let file = path.to_string_lossy();
    let said = refine("mailbox.c", &["--test", "(put|take)", "--proof", &file]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("no proof is written"), "{}", said.err);
    assert!(!path.exists());
}

#[test]
fn a_proof_is_of_one_question() {
    let one = "--proof takes one test and one model";
    let said = refine(
        "stack.c",
        &[
            "--test",
            "(pop|pop)",
            "--test",
            "(push|pop)",
            "--proof",
            "p",
        ],
    );
    complains(&said, &[one]);
    let said = refine(
        "stack.c",
        &["--test", "(pop|pop)", "--model", "sc,tso", "--proof", "p"],
    );
    complains(&said, &[one]);
    complains(
        &refine("stack.c", &["--suite", "2", "--proof", "p"]),
        &["--proof"],
    );
    let said = refine(
        "stack.c",
        &["--test", "(pop|pop)", "--proof", "no/such/directory/p"],
    );
    complains(&said, &["cannot write no/such/directory/p"]);
}

#[test]
fn check_writes_proofs_by_the_solver() {
    let path = scratch("check.proof");
    let file = path.to_string_lossy();
    let test = "examples/x86/MP.litmus";
    let said = fencepost(&["check", test, "--model", "tso", "--proof", &file]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(said.out.contains(", engine sat: "), "{}", said.out);
    assert_eq!(fencepost(&["certify", &file]).code, 0);
    let said = fencepost(&["check", test, "--model", "all", "--proof", &file]);
    complains(&said, &["--proof takes one program and one model"]);
    let said = fencepost(&["check", test, "--engine", "states", "--proof", &file]);
    complains(&said, &["--proof needs the engine sat"]);
}

#[test]
fn bad_tests_are_told_with_their_place() {
    let said = refine("stack.c", &["--test", "(push|peek)"]);
    complains(
        &said,
        &["--test:1:7", "no operation `peek`; there are push, pop"],
    );
    let said = refine("stack.c", &["--test", "(push|pop"]);
    complains(&said, &["--test:1:10", "expected an operation, `|` or `)`"]);
    let tests = scratch("bad.tests");
    std::fs::write(&tests, "T0 = (push|pop)\nT1 = push push)\n").expect("a new file");
    let said = refine("stack.c", &["--tests", &tests.to_string_lossy()]);
    complains(&said, &["bad.tests:2:15", "expected an operation or `(`"]);
    complains(
        &refine("stack.c", &["--tests", "none"]),
        &["cannot read none"],
    );
    complains(&refine("stack.c", &[]), &["--test <TEST>", "--suite <N>"]);
}

#[test]
fn what_is_no_data_type_is_told() {
    let said = fencepost(&["refine", "examples/c/peterson.c", "--suite", "2"]);
    complains(&said, &["the program has no operations", "FP_OPERATION"]);
    let said = fencepost(&["refine", "examples/x86/SB.litmus", "--suite", "2"]);
    complains(&said, &["refine takes one data type"]);
}

#[test]
fn what_the_engine_does_not_do_is_told_with_its_place() {
    let said = refine("counter.c", &["--test", "(leave|count)"]);
    complains(
        &said,
        &["counter.c:29:", "exit, which ends all threads", "exit(0)"],
    );
}

#[test]
fn json_has_the_client_and_what_it_saw() {
    let line = [
        "--test",
        "(put|take)",
        "--model",
        "tso,pso",
        "--format",
        "json",
    ];
    let said = refine("mailbox.c", &line);
    assert_eq!(said.code, 1);
    let report = json(&said);
    assert_eq!(report["schema"], "fencepost/1");
    assert_eq!(report["command"], "refine");
    let [tso, pso] = report["results"].as_array().expect("results").as_slice() else {
        panic!("two results");
    };
    for (result, model, verdict) in [(tso, "tso", "holds"), (pso, "pso", "violated")] {
        assert_eq!(result["model"], model);
        assert_eq!(result["verdict"], verdict);
        assert_eq!(result["client"], "(put|take)");
        assert_eq!(result["serial"], false);
        assert_eq!(result["work"]["observations"], 4);
        for number in ["instructions", "loads", "stores", "rounds"] {
            assert!(result["work"][number].as_u64() > Some(0), "{number}");
        }
    }
    assert_eq!(tso["violation"], Value::Null);
    assert_eq!(pso["violation"]["kind"], "not-serial");
    let operations = &pso["operations"];
    assert_eq!(operations[0]["operation"], "put");
    assert_eq!(operations[1]["thread"], 2);
    assert_eq!(operations[1]["results"]["found"], 1);
    assert_eq!(operations[1]["results"]["message"], 0);
    assert!(operations[0]["arguments"]["which"].is_u64());
    let steps = pso["execution"]["steps"].as_array().expect("steps");
    assert!(steps.iter().any(|step| step["event"] == "commit"));
}

/// Names in the first column of a table of `docs/reference/json.md`, without parts of objects.
fn documented(heading: &str) -> Vec<String> {
    let page = text(&repository().join("docs/reference/json.md"));
    let (_, section) = page.split_once(heading).expect("the section");
    let rows = section.lines().skip_while(|line| !line.starts_with("| `"));
    let rows = rows.take_while(|line| line.starts_with("| `"));
    let mut names: Vec<String> = rows
        .filter_map(|row| row.split(['`', '.']).nth(1))
        .map(str::to_owned)
        .collect();
    names.dedup();
    names
}

#[test]
fn json_has_exactly_the_documented_fields() {
    let line = ["--test", "(put|take)", "--format", "json"];
    let report = json(&refine("mailbox.c", &line));
    let result = report["results"][0].as_object().expect("an object");
    let expected = [documented("\n## Refine\n"), documented("\n## Results\n")].concat();
    assert_eq!(result.keys().cloned().collect::<Vec<_>>(), expected);
}

#[test]
fn the_work_is_told_if_asked_for() {
    let said = refine(
        "mailbox.c",
        &["--test", "(put|take)", "--model", "sc", "--stats"],
    );
    let line = said.out.lines().rev().nth(1).expect("a header");
    let names: Vec<&str> = line.split_whitespace().collect();
    let expected = [
        "test", "model", "observed", "instrs", "loads", "stores", "vars", "clauses", "rounds",
        "mining", "encoding", "solving", "total",
    ];
    assert_eq!(names, expected);
}
