//! The command as a user meets it: exit codes, what goes where, and bad input.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the command at the root of the repository.
fn fencepost(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(arguments).current_dir(repository());
    command.output().expect("the command runs")
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

/// A directory of files for one test, deleted in the end.
struct Directory(PathBuf);

impl Directory {
    fn new(test: &str, files: &[(&str, &[u8])]) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        std::fs::create_dir_all(&directory).expect("a new directory");
        for (name, content) in files {
            std::fs::write(directory.join(name), content).expect("a new file");
        }
        Directory(directory)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SB: &str = "examples/x86/SB.litmus";
const GOOD: &[u8] = b"X86 good\n{ }\n P0 ;\n MOV [x],$1 ;\nforall (x=1)\n";
const WRONG: &[u8] = b"X86 wrong\n{ }\n P0 ;\n MOW [x],$1 ;\nforall (x=1)\n";

mod exit_codes {
    use super::*;

    #[test]
    fn zero_if_everything_holds() {
        assert_eq!(code(&fencepost(&["check", "--model", "tso", SB])), 0);
    }

    #[test]
    fn one_if_something_is_violated() {
        assert_eq!(code(&fencepost(&["check", "--model", "sc", SB])), 1);
        assert_eq!(code(&fencepost(&["check", "--model", "sc,tso", SB])), 1);
    }

    #[test]
    fn two_for_bad_input_and_bad_usage() {
        assert_eq!(code(&fencepost(&["check", "no-such-file.litmus"])), 2);
        assert_eq!(code(&fencepost(&["check"])), 2);
        assert_eq!(code(&fencepost(&["frobnicate"])), 2);
        assert_eq!(code(&fencepost(&["check", "--jobs", "0", SB])), 2);
    }

    #[test]
    fn three_if_something_is_not_decided() {
        let lock = "examples/sparc/spinlock-ldstub-rmo.litmus";
        let stopped = fencepost(&["check", "--model", "rmo", "--max-states", "5", lock]);
        assert_eq!(code(&stopped), 3);
        let line = "\nundecided under rmo: the search covers only reorder boxes of at most 10 \
                    entries, the first 20 states\n";
        assert!(stdout(&stopped).contains(line), "{}", stdout(&stopped));
    }

    #[test]
    fn a_violation_outweighs_what_is_not_decided_and_bad_input_outweighs_both() {
        let dekker = "examples/sparc/dekker-tso.litmus";
        let mut arguments = vec!["check", "--model", "sc", "--max-states", "30", dekker];
        assert_eq!(code(&fencepost(&arguments)), 3);
        arguments.push(SB);
        assert_eq!(code(&fencepost(&arguments)), 1);
        arguments.push("no-such-file.litmus");
        assert_eq!(code(&fencepost(&arguments)), 2);
    }

    #[test]
    fn outcomes_ends_with_zero_whatever_the_condition_says() {
        assert_eq!(code(&fencepost(&["outcomes", "--model", "sc", SB])), 0);
        let stopped = fencepost(&["outcomes", "--max-states", "2", SB]);
        assert_eq!(code(&stopped), 3);
    }

    #[test]
    fn help_and_version_are_no_errors() {
        for asked in [["--help"], ["--version"]] {
            let output = fencepost(&asked);
            assert_eq!(code(&output), 0);
            assert!(output.stderr.is_empty() && !output.stdout.is_empty());
        }
    }
}

mod text {
    use super::*;

    #[test]
    fn the_first_line_names_the_file_and_the_model() {
        for model in ["sc", "tso", "pso", "rmo"] {
            let output = stdout(&fencepost(&["check", "--model", model, SB]));
            let first = output.lines().next().expect("a line");
            assert!(
                first.starts_with(&format!("{SB} under {model}, machine ")),
                "{first}"
            );
        }
        let output = stdout(&fencepost(&["outcomes", SB]));
        let first = output.lines().next().expect("a line");
        assert_eq!(first, format!("SB ({SB}) under sc, tso, pso, rmo"));
    }

    #[test]
    fn results_go_to_standard_output_and_nothing_else_does() {
        let output = fencepost(&["check", SB]);
        assert!(output.stderr.is_empty());
        let output = fencepost(&["check", "no-such-file.litmus"]);
        assert!(output.stdout.is_empty());
    }

    #[test]
    fn check_looks_at_tso_unless_told_otherwise() {
        assert!(stdout(&fencepost(&["check", SB])).contains("under tso"));
    }

    #[test]
    fn both_machines_can_be_asked_for() {
        let boxes = fencepost(&["check", "--model", "tso", "--machine", "reorder-box", SB]);
        assert!(stdout(&boxes).contains("machine reorder boxes"));
        assert_eq!(code(&boxes), 0);
    }
}

mod engines {
    use super::*;

    /// What standard error says of arguments that lead to no search.
    fn complaint(arguments: &[&str]) -> String {
        let output = fencepost(&[&["check"], arguments].concat());
        assert_eq!(code(&output), 2, "{}", stdout(&output));
        assert!(output.stdout.is_empty());
        stderr(&output)
    }

    #[test]
    fn states_of_litmus_tests_are_gone_through_unless_told_otherwise() {
        for arguments in [
            ["check", SB].as_slice(),
            &["check", "--engine", "states", SB],
        ] {
            let output = stdout(&fencepost(arguments));
            assert!(output.contains(", engine states: "), "{output}");
        }
    }

    #[test]
    fn explore_has_neither_rmo_nor_litmus_tests() {
        for model in ["rmo", "tso"] {
            let told = complaint(&["--engine", "explore", "--model", model, SB]);
            assert!(
                told.contains(&format!("no search under {model}: ")),
                "{told}"
            );
            assert!(
                told.contains("of C programs, under sc, tso and pso"),
                "{told}"
            );
        }
    }

    #[test]
    fn options_of_explore_are_refused_elsewhere() {
        let told = complaint(&["--robust", "--model", "rmo", SB]);
        assert!(
            told.contains("--robust needs the engine explore, "),
            "{told}"
        );
        let told = complaint(&["--engine", "states", "--preemptions", "1", SB]);
        let expected = "--preemptions needs the engine explore, not states";
        assert!(told.contains(expected), "{told}");
    }
}

mod json {
    use super::*;

    fn names(value: &Value) -> Vec<&str> {
        value
            .as_object()
            .expect("an object")
            .keys()
            .map(String::as_str)
            .collect()
    }

    /// The names in the first column of the table under a heading of `docs/reference/json.md`.
    fn documented(heading: &str) -> Vec<String> {
        let page =
            std::fs::read_to_string(repository().join("docs/reference/json.md")).expect("the page");
        let start = page.find(heading).unwrap_or_else(|| panic!("no {heading}"));
        let rows = page[start..]
            .lines()
            .skip_while(|line| !line.starts_with("| `"));
        let rows = rows.take_while(|line| line.starts_with("| `"));
        rows.map(|row| row.split('`').nth(1).expect("a name").to_owned())
            .collect()
    }

    #[test]
    fn an_object_has_exactly_the_documented_fields() {
        let output = fencepost(&["check", "--model", "all", "--format", "json", SB]);
        let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(names(&report), documented("The object has these fields"));
        assert_eq!(report["schema"], "fencepost/1");
        assert_eq!(report["command"], "check");
        assert_eq!(report["file"], SB);
        let results = report["results"].as_array().expect("a list");
        assert_eq!(results.len(), 5);
        let fields = documented("## Results");
        for result in results {
            let mut expected: Vec<&str> = Vec::new();
            for field in &fields {
                let name = field.split('.').next().expect("a name");
                if !expected.contains(&name) {
                    expected.push(name);
                }
            }
            assert_eq!(names(result), expected);
            let counts = fields
                .iter()
                .filter_map(|field| field.strip_prefix("counts."));
            assert_eq!(names(&result["counts"]), counts.collect::<Vec<_>>());
        }
        let models: Vec<&Value> = results.iter().map(|result| &result["model"]).collect();
        assert_eq!(models, ["sc", "tso", "pso", "rmo", "relaxed"]);
        assert_eq!(results[0]["verdict"], "violated");
        assert_eq!(results[0]["violation"]["kind"], "no-witness");
        assert_eq!(results[1]["verdict"], "holds");
        assert_eq!(results[1]["covers"], "everything");
        assert_eq!(results[1]["observation"]["word"], "Sometimes");
    }

    #[test]
    fn several_files_give_one_line_each() {
        let mp = "examples/x86/MP.litmus";
        let output = fencepost(&["outcomes", "--format", "json", SB, mp]);
        let text = stdout(&output);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        for (line, file) in lines.iter().zip([SB, mp]) {
            let report: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(report["file"], file);
            assert_eq!(report["command"], "outcomes");
        }
    }

    #[test]
    fn a_trace_is_part_of_the_object() {
        let goal = r"0:EAX=0 /\ 1:EAX=0";
        let output = fencepost(&["outcomes", "--format", "json", "--trace", goal, SB]);
        let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(report["results"][0]["execution"], Value::Null);
        let steps = report["results"][1]["execution"]["steps"]
            .as_array()
            .expect("steps");
        assert!(steps.iter().any(|step| step["event"] == "buffer"));
    }
}

mod inputs {
    use super::*;

    #[test]
    fn a_directory_stands_for_the_tests_in_it() {
        let files: &[(&str, &[u8])] = &[
            ("b.litmus", GOOD),
            ("a.litmus", GOOD),
            ("notes.txt", b"no test"),
        ];
        let directory = Directory::new("a_directory", files);
        let output = fencepost(&["check", &directory.path("")]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let text = stdout(&output);
        let order: Vec<usize> = ["a.litmus under tso", "b.litmus under tso"]
            .map(|file| text.find(file).expect("a result"))
            .to_vec();
        assert!(order.is_sorted());
        assert!(!text.contains("notes.txt"));
    }

    #[test]
    fn a_directory_without_tests_is_bad_input() {
        let directory = Directory::new("an_empty_directory", &[]);
        let output = fencepost(&["check", &directory.path("")]);
        assert_eq!(code(&output), 2);
        assert!(
            stderr(&output).contains("no *.litmus files"),
            "{}",
            stderr(&output)
        );
    }

    #[test]
    fn a_dash_stands_for_standard_input() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
        let command = command
            .args(["check", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("the command runs");
        child
            .stdin
            .take()
            .expect("a pipe")
            .write_all(GOOD)
            .expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).starts_with("<stdin> under tso"));
    }

    #[test]
    fn a_missing_file_is_named() {
        let output = fencepost(&["check", "no-such-file.litmus"]);
        let complaint = "fencepost: cannot read no-such-file.litmus: ";
        assert!(
            stderr(&output).starts_with(complaint),
            "{}",
            stderr(&output)
        );
    }

    #[test]
    fn a_file_that_is_no_text_is_named_with_its_line() {
        let directory = Directory::new("no_text", &[("t.litmus", b"X86 t\n{ x=\xff; }\n")]);
        let output = fencepost(&["check", &directory.path("t.litmus")]);
        assert_eq!(code(&output), 2);
        assert!(
            stderr(&output).contains("t.litmus:2: not UTF-8 text"),
            "{}",
            stderr(&output)
        );
    }

    #[test]
    fn an_empty_file_is_bad_input() {
        let directory = Directory::new("empty_file", &[("t.litmus", b"")]);
        let output = fencepost(&["check", &directory.path("t.litmus")]);
        assert_eq!(code(&output), 2);
        assert!(
            stderr(&output).contains("the file is empty"),
            "{}",
            stderr(&output)
        );
    }

    #[test]
    fn a_bad_model_name_is_answered_with_the_good_ones() {
        let output = fencepost(&["check", "--model", "x86", SB]);
        assert_eq!(code(&output), 2);
        let complaint = "no memory model `x86`; there are sc, tso, pso, rmo";
        assert!(stderr(&output).contains(complaint), "{}", stderr(&output));
    }

    #[test]
    fn a_bad_test_does_not_keep_others_from_being_checked() {
        let files: &[(&str, &[u8])] =
            &[("1.litmus", GOOD), ("2.litmus", WRONG), ("3.litmus", GOOD)];
        let directory = Directory::new("one_is_bad", files);
        for format in ["text", "json"] {
            let output = fencepost(&["check", "--format", format, &directory.path("")]);
            assert_eq!(code(&output), 2);
            let text = stdout(&output);
            assert!(
                text.contains("1.litmus") && text.contains("3.litmus"),
                "{text}"
            );
            assert!(!text.contains("2.litmus under"), "{text}");
            let complaint = stderr(&output);
            assert!(
                complaint.contains("unknown instruction `MOW`"),
                "{complaint}"
            );
            assert!(complaint.contains("2.litmus:4:2"), "{complaint}");
            assert!(complaint.contains("^^^"), "{complaint}");
        }
    }
}

mod traces {
    use super::*;

    fn trace(wanted: &str) -> Output {
        fencepost(&["outcomes", "--model", "sc,tso", "--trace", wanted, SB])
    }

    #[test]
    fn a_number_is_that_of_a_row() {
        let text = stdout(&trace("1"));
        assert!(
            text.contains("\nNo execution leads to 1 under sc.\n"),
            "{text}"
        );
        assert!(text.contains("waits in the buffer"), "{text}");
        let text = stdout(&trace("2"));
        assert!(!text.contains("No execution"), "{text}");
    }

    #[test]
    fn a_condition_is_looked_for() {
        let by_number = stdout(&trace("1"));
        let by_condition = stdout(&trace(r"0:EAX=0 /\ 1:EAX=0"));
        let table = |text: &str| {
            let lines = text
                .lines()
                .filter(|line| line.contains('│') && line.contains("MOV"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(!table(&by_number).is_empty());
        assert_eq!(table(&by_number), table(&by_condition));
    }

    #[test]
    fn a_condition_may_name_what_is_not_observed() {
        let mp = "examples/x86/MP.litmus";
        let output = fencepost(&["outcomes", "--model", "sc", "--trace", "x=1", mp]);
        assert_eq!(code(&output), 0);
        assert!(
            stdout(&output).contains("reaches memory"),
            "{}",
            stdout(&output)
        );
    }

    #[test]
    fn a_number_without_a_row_is_underlined() {
        let output = trace("99");
        assert_eq!(code(&output), 2);
        let complaint = stderr(&output);
        assert!(complaint.contains("there is no outcome 99"), "{complaint}");
        let underlined = "^^ expected a number from 1 to 4, or a condition";
        assert!(complaint.contains(underlined), "{complaint}");
    }

    #[test]
    fn a_condition_about_nothing_is_underlined() {
        let output = trace("0:EAX=0 and w=1");
        assert_eq!(code(&output), 2);
        let complaint = stderr(&output);
        assert!(complaint.contains("--trace:1:13"), "{complaint}");
        assert!(complaint.contains('^'), "{complaint}");
    }
}

/// Nobody reads any more, as when the output goes to `head`.
#[test]
fn a_broken_pipe_ends_the_command_quietly() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command
        .args(["outcomes", "examples/x86"])
        .current_dir(repository());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 0);
    assert_eq!(stderr(&output), "");
}
