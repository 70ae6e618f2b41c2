//! What CI needs: several programs in one run, one exit code, and documents on the whole run.

mod sarif;

use quick_junit::{NonSuccessKind, TestCaseStatus};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(arguments).current_dir(directory);
    command.env("COLUMNS", "100").env("NO_COLOR", "1");
    command
}

fn fencepost(directory: &Path, arguments: &[&str]) -> Output {
    command(directory, arguments)
        .output()
        .expect("the command runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

/// Files of one test: litmus tests that hold, are violated and are none, and C programs that share a library.
struct Files(TempDir);

const HOLDS: &str = "X86 holds\n{ }\n P0 ;\n MOV [x],$1 ;\nforall (x=1)\n";
const VIOLATED: &str = "X86 violated\n{ }\n P0 ;\n MOV [x],$1 ;\nforall (x=2)\n";
const BAD: &str = "X86 bad\n{ }\n P0 ;\n MOW [x],$1 ;\nforall (x=1)\n";
const LIBRARY: &str = "int one(void) { return 1; }\n";
const RIGHT: &str =
    "#include <assert.h>\nint one(void);\nint main(void) {\n    assert(one() == 1);\n}\n";
const WRONG: &str =
    "#include <assert.h>\nint one(void);\nint main(void) {\n    assert(one() == 2);\n}\n";

impl Files {
    fn new(more: &[(&str, &str)]) -> Self {
        let files = Files(tempfile::tempdir().expect("a directory"));
        let all = [
            ("holds.litmus", HOLDS),
            ("violated.litmus", VIOLATED),
            ("bad.litmus", BAD),
            ("library.c", LIBRARY),
            ("right.c", RIGHT),
            ("wrong.c", WRONG),
        ];
        for (name, text) in all.iter().chain(more) {
            files.write(name, text);
        }
        files
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a new file");
    }

    fn run(&self, arguments: &[&str]) -> Output {
        fencepost(self.0.path(), arguments)
    }

    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }
}

#[test]
fn each_file_with_a_main_is_a_program_with_the_others_in_it() {
    let files = Files::new(&[]);
    let output = files.run(&["check", "right.c", "library.c", "wrong.c"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(
        text.contains("right.c under tso, ") && text.contains("wrong.c under tso, "),
        "{text}"
    );
    assert!(text.ends_with("\n1 of 2 hold\n"), "{text}");
    // With one main all files are one program.
    let output = files.run(&["check", "library.c", "right.c"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).starts_with("right.c under tso, "));
    // A file that clang refuses keeps nobody else from being looked at.
    files.write("broken.c", "int main(void) { return }\n");
    let output = files.run(&["check", "right.c", "library.c", "broken.c"]);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).contains("holds under tso"));
    assert!(stderr(&output).contains("clang does not compile broken.c"));
}

#[test]
fn a_report_does_not_depend_on_the_workers() {
    let files = Files::new(&[]);
    let report = |jobs: &str| {
        let programs = [
            "right.c",
            "library.c",
            "wrong.c",
            "holds.litmus",
            "bad.litmus",
            "violated.litmus",
        ];
        let output = files.run(&[&["check", "--jobs", jobs, "-q"], &programs[..]].concat());
        assert_eq!(code(&output), 2);
        (stdout(&output), stderr(&output))
    };
    assert_eq!(report("1"), report("4"));
    assert_eq!(report("1").0.lines().count(), 2);
}

const PROJECT: &str = "[defaults]\nmodels = \"tso\"\n\
    [[program]]\nfiles = [\"right.c\", \"library.c\"]\n\
    [[program]]\nname = \"twice\"\nfiles = [\"wrong.c\", \"library.c\"]\nexpect = \"assertion\"\n\
    [[program]]\nfiles = [\"violated.litmus\"]\nmodels = [\"sc\", \"tso\"]\nexpect = { sc = \"violated\", tso = \"FP020\" }\n";

#[test]
fn a_project_is_checked_from_any_directory_in_it() {
    let files = Files::new(&[("fencepost.toml", PROJECT), ("inner/deep/file", "")]);
    let output = files.run(&[]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert!(
        stdout(&output).ends_with("\n4 of 4 as expected\n"),
        "{}",
        stdout(&output)
    );
    let below = fencepost(&files.path().join("inner/deep"), &["--quiet"]);
    assert_eq!((code(&below), stdout(&below)), (0, String::new()));
}

#[test]
fn what_is_not_as_expected_is_the_exit_code() {
    let files = Files::new(&[]);
    let with = |program: &str| {
        files.write("fencepost.toml", &format!("[[program]]\n{program}"));
        let output = files.run(&["-q"]);
        (code(&output), stdout(&output) + &stderr(&output))
    };
    let (code, text) = with("files = [\"violated.litmus\"]\n");
    assert_eq!(code, 1);
    assert!(
        text.starts_with("violated.litmus: violated under tso, expected: holds: "),
        "{text}"
    );
    let (code, text) = with("files = [\"holds.litmus\"]\nexpect = \"violated\"\n");
    assert_eq!(code, 1);
    assert_eq!(text, "holds.litmus: holds under tso, expected: violated\n");
    // Another violation than the one that is expected is none of those.
    assert_eq!(
        with("files = [\"violated.litmus\"]\nexpect = \"deadlock\"\n").0,
        1
    );
    let stopped = "files = [\"holds.litmus\"]\noptions = [\"--max-states\", \"1\"]\n";
    assert_eq!(with(stopped).0, 3);
    assert_eq!(with(&format!("{stopped}expect = \"undecided\"\n")).0, 0);
    assert_eq!(
        with("files = [\"bad.litmus\"]\nexpect = \"violated\"\n").0,
        2
    );
    let (code, text) = with("files = [\"holds.litmus\"]\nexpects = \"violated\"\n");
    assert_eq!(code, 2);
    assert!(
        text.contains("unknown field `expects`") && text.contains("fencepost.toml:3:1"),
        "{text}"
    );
    let nothing = fencepost(Path::new("/"), &[]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(stderr(&nothing).contains("no fencepost.toml"));
}

/// Programs of every sort, in one run.
const ALL: [&str; 5] = [
    "holds.litmus",
    "violated.litmus",
    "bad.litmus",
    "wrong.c",
    "library.c",
];

#[test]
fn sarif_is_valid() {
    let files = Files::new(&[]);
    let output = files.run(&[&["check", "--format=sarif", "--max-states=1000"], &ALL[..]].concat());
    assert_eq!(code(&output), 2);
    let document: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(sarif::wrong(&document), [""; 0]);
    let run = &document["runs"][0];
    let rules: Vec<&str> = run["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter_map(|result| result["ruleId"].as_str())
        .collect();
    assert_eq!(rules, ["FP020", "FP001"]);
    let place = &run["results"][1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "wrong.c");
    assert_eq!(place["region"]["startLine"], 4);
    let notes = &run["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes[0]["level"], "error");
    assert_eq!(
        notes[0]["locations"][0]["physicalLocation"]["region"]["startLine"],
        4
    );
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn junit_is_read_by_others() {
    let files = Files::new(&[]);
    let output = files.run(&[&["check", "--format=junit"], &ALL[..]].concat());
    let report = quick_junit::Report::deserialize_from_str(&stdout(&output)).expect("JUnit");
    assert_eq!((report.tests, report.failures, report.errors), (4, 2, 1));
    let names: Vec<&str> = report
        .test_suites
        .iter()
        .map(|suite| suite.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["holds.litmus", "violated.litmus", "bad.litmus", "wrong.c"]
    );
    let status = &report.test_suites[3].test_cases[0].status;
    let TestCaseStatus::NonSuccess {
        kind,
        ty,
        description,
        ..
    } = status
    else {
        panic!("it fails: {status:?}");
    };
    assert_eq!(*kind, NonSuccessKind::Failure);
    assert_eq!(ty.as_ref().map(|ty| ty.as_str()), Some("FP001"));
    let text = description
        .as_ref()
        .map(|text| text.as_str())
        .unwrap_or_default();
    assert!(text.contains("violated under tso"), "{text}");
}

#[test]
fn annotations_have_a_line_each() {
    let files = Files::new(&[]);
    let output = files.run(&[&["check", "--format=github"], &ALL[..]].concat());
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(
        lines[0].starts_with("::error file=violated.litmus,line=5,"),
        "{text}"
    );
    assert!(
        lines[1].starts_with("::error file=bad.litmus,line=4,col="),
        "{text}"
    );
    assert!(
        lines[2].starts_with("::error file=wrong.c,line=4,"),
        "{text}"
    );
    assert!(
        lines[2].contains(",title=FP001%3A an assertion fails under tso::"),
        "{text}"
    );
}

#[test]
fn errors_of_input_are_json_as_well() {
    let files = Files::new(&[]);
    let error = |arguments: &[&str]| {
        let output = files.run(arguments);
        assert_eq!(code(&output), 2);
        assert!(!output.stderr.is_empty());
        let object: Value = serde_json::from_str(&stdout(&output)).expect("one object");
        object["error"].clone()
    };
    let bad = error(&["check", "--format=json", "bad.litmus"]);
    assert_eq!(
        (&bad["file"], &bad["line"]),
        (&"bad.litmus".into(), &4.into())
    );
    assert!(bad["message"].is_string() && bad["column"].is_u64());
    let missing = error(&["check", "--format=json", "missing.litmus"]);
    assert!(
        missing["message"]
            .as_str()
            .is_some_and(|text| text.contains("missing.litmus"))
    );
    assert!(missing["line"].is_null());
    let refused = error(&["prove", "--format=json", "--model=rmo", "holds.litmus"]);
    assert!(refused["message"].is_string());
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let files = Files::new(&[]);
    for (program, expected) in [("holds.litmus", 0), ("violated.litmus", 1)] {
        let mut command = command(&files.path(), &["check", program, program]);
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command runs");
        let mut first = [0];
        let mut pipe = child.stdout.take().expect("a pipe");
        pipe.read_exact(&mut first).expect("something is printed");
        drop(pipe);
        assert_eq!(child.wait().expect("it ends").code(), Some(expected));
    }
}

#[test]
fn options_of_a_project_are_refused_where_there_is_a_command() {
    let files = Files::new(&[]);
    let output = files.run(&["--format=json", "check", "holds.litmus"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("--format belongs behind the command"));
}
