//! Small clients of the data types of `examples/datatypes`: what is mined by going through states
//! is what is mined by solving, and what is included is what the other engines find.

use answer::{Engine, Outcome, Verdict};
use check::Serial;
use frontend::c::{self, Compiler};
use frontend::client::{Client, Test, client, operations, read_test, serial_client};
use memory::Model;
use program::Program;
use solve::{Mined, Options, Specification};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A data type and clients that are small enough for every engine.
struct Subject {
    file: &'static str,
    options: &'static [&'static str],
    /// Clients whose executions can be gone through.
    small: &'static [&'static str],
    /// Others, of which only the serial executions can.
    larger: &'static [&'static str],
}

const SUBJECTS: [Subject; 9] = [
    Subject {
        file: "two_lock_queue",
        options: &[],
        small: &["(e|d)", "e(d|d)", "(ed|d)", "(ee|dd)"],
        larger: &["e(ed|de)", "(e|e|d|d)"],
    },
    Subject {
        file: "nonblocking_queue",
        options: &[],
        small: &["(e|d)", "e(d|d)", "(ed|d)", "(ee|dd)"],
        larger: &["e(ed|de)", "(e|e|d|d)"],
    },
    Subject {
        file: "lazy_list",
        options: &[],
        small: &["(a|c)", "a(c|r)", "(a|r)"],
        larger: &["(a|c|r)", "a(cc|ar)", "(a'|c'|r'|r')"],
    },
    Subject {
        file: "harris_set",
        options: &[],
        small: &["(a|c)", "a(c|r)", "(a|r)"],
        larger: &["(a|c|r)", "a(a|c|r)"],
    },
    Subject {
        file: "snark_deque",
        options: &[],
        small: &["(al|rr)", "al(rl|rr)", "(al rr|ar rl)"],
        larger: &["(rr rl|ar|al)", "al al(rr rr|rl rl)"],
    },
    Subject {
        file: "snark_deque",
        options: &["-DFIXED"],
        small: &["(al|rr)", "al(rl|rr)"],
        larger: &["(al rr|ar rl)"],
    },
    Subject {
        file: "treiber_stack",
        options: &[],
        small: &["(p|o)", "p(o|o)"],
        larger: &["(po|po)", "(p|p|o)"],
    },
    Subject {
        file: "chase_lev_deque",
        options: &[],
        small: &["(p|s)", "p(t|s)", "(ppt|ss)"],
        larger: &["pp(t|s|s)", "(ppp|s)"],
    },
    Subject {
        file: "mpmc_ring",
        options: &[],
        small: &["(e|d)", "(e|ed)"],
        larger: &["(ee|dd)", "e(d|ed)"],
    },
];

impl Subject {
    fn read(&self, more: &[&str]) -> Program {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/datatypes");
        let path = directory.join(format!("{}.c", self.file));
        let options = self.options.iter().chain(more);
        let options: Vec<String> = options.map(|&option| option.to_owned()).collect();
        let compiler = Compiler::find(None).expect("a clang");
        c::read_operations(&[path], &options, Some(&compiler)).expect("a data type")
    }
}

fn test(program: &Program, text: &str) -> Test {
    read_test(text, &operations(program)).expect("a test")
}

fn mine(program: &Program, test: &Test) -> Mined {
    let serial = client(program, test, true).expect("a client");
    let alone = serial_client(program, test).expect("a client");
    let asked = Serial {
        program: &serial.program,
        in_one_thread: alone.as_ref().map(|client| &client.program),
        swaps: &serial.swaps,
    };
    check::mine(asked, &Options::default()).expect("a client that can be encoded")
}

#[test]
fn mining_by_states_and_by_solving_agree() {
    for subject in &SUBJECTS {
        let program = subject.read(&[]);
        for text in subject.small.iter().chain(subject.larger) {
            let test = test(&program, text);
            let by_states = mine(&program, &test);
            let what = format!("{} {test}", subject.file);
            assert_ne!(by_states.result.engine, Engine::Sat, "{what}");
            let serial = client(&program, &test, true).expect("a client");
            let solved = solve::mine(&serial.program, &Options::default());
            let solved = solved.expect("a client that can be encoded");
            assert_eq!(solved.result.verdict, Verdict::Holds, "{what}");
            assert_eq!(by_states.specification, solved.specification, "{what}");
            assert!(!solved.specification.observations.is_empty(), "{what}");
        }
    }
}

/// Whether each execution ends well, with one of the observations, by an engine that goes
/// through them.
fn included(client: &Client, model: Model, specification: &Specification) -> bool {
    let search = states::Options {
        explain: false,
        ..states::Options::default()
    };
    let options = explore::Options {
        explain: false,
        outcomes: true,
        ..explore::Options::default()
    };
    let what = format!("{} under {model}", client.program.name);
    let result = match explore::run(&client.program, model, &options) {
        Ok(result) => result,
        // Not with store buffers.
        Err(refused) => {
            assert!(refused.what.contains("atomic sections"), "{what}");
            states::run(&client.program, model, &search).expect("a result")
        }
    };
    assert_ne!(
        result.verdict,
        Verdict::Undecided,
        "{what}: {}",
        result.covers()
    );
    let found: BTreeSet<Outcome> = result.outcomes.into_iter().collect();
    result.violation.is_none() && found.is_subset(&specification.observations)
}

/// A file for a certificate, which is not there yet.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

/// With and without fences, with a certificate of what holds.
#[test]
fn inclusion_is_what_other_engines_find() {
    let certificate = scratch("datatype.proof");
    let options = Options {
        certificate: Some(certificate.clone()),
        ..Options::default()
    };
    let mut verdicts = BTreeSet::new();
    for subject in &SUBJECTS {
        for fences in [&[][..], &["-DNO_FENCES"]] {
            let program = subject.read(fences);
            for text in subject.small {
                let test = test(&program, text);
                let specification = mine(&program, &test).specification;
                let client = client(&program, &test, false).expect("a client");
                for model in [Model::Sc, Model::Tso, Model::Pso] {
                    let what = format!("{} {fences:?} {test} under {model}", subject.file);
                    let expected = included(&client, model, &specification);
                    let _ = std::fs::remove_file(&certificate);
                    let swaps = &client.swaps;
                    let found =
                        solve::include(&client.program, model, &specification, swaps, &options);
                    let found = found.expect("a client that can be encoded").result;
                    let verdict = match expected {
                        true => Verdict::Holds,
                        false => Verdict::Violated,
                    };
                    assert_eq!(found.verdict, verdict, "{what}");
                    assert_eq!(certificate.exists(), expected, "{what}");
                    if expected {
                        let text = std::fs::read(&certificate).expect("a certificate");
                        let checked = certificate::check(&*text);
                        assert!(checked.is_ok(), "{what}: {}", checked.unwrap_err());
                    }
                    verdicts.insert((model.name(), expected));
                }
            }
        }
    }
    // Under each model something holds and something does not.
    assert_eq!(verdicts.len(), 6, "{verdicts:?}");
}
