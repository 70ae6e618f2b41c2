//! The programs of `examples/prove` whose data are not finite, with the verdicts in `unbounded_data.tsv` there.

use answer::Verdict;
use control::Control;
use frontend::c::{self, Compiler};
use memory::Model;
use program::Program;
use prove::{Certificate, Options, Refusal, prove};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/prove")
}

fn read(file: &str, defines: &str) -> Program {
    let compiler = Compiler::find(None).expect("a clang");
    let defines = defines.split(' ').filter(|name| *name != "-");
    let options: Vec<String> = defines.map(|name| format!("-D{name}")).collect();
    c::read_c(&[folder().join(file)], &options, Some(&compiler))
        .unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// `FENCEPOST_ONLY=mailbox` runs those whose names begin so.
#[test]
fn every_program_has_its_verdict() {
    let only = std::env::var("FENCEPOST_ONLY").unwrap_or_default();
    let table = std::fs::read_to_string(folder().join("unbounded_data.tsv")).expect("the table");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for row in rows.filter(|row| row.starts_with(&only)) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [file, defines, model, expected] = columns[..] else {
            panic!("{row}");
        };
        let program = read(file, defines);
        let model: Model = model.parse().expect("a model");
        let options = Options {
            control: Control::default().with_time(Some(Duration::from_secs(120))),
            ..Options::default()
        };
        let result = prove(&program, model, &options).unwrap_or_else(|e| panic!("{row}: {e}"));
        eprintln!(
            "{row}: {} states in {:?}",
            result.counts.states, result.time
        );
        // What is wrong may be found with few values, before there are more and more.
        let found_early = result.verdict == Verdict::Violated && result.machine == "store buffers";
        if !found_early {
            assert_eq!(result.machine, "symbolic traces", "{row}");
        }
        let covered = match result.verdict {
            Verdict::Holds => format!("holds, {}", result.covers()),
            verdict => verdict.to_string(),
        };
        assert_eq!(covered, expected, "{row}");
        assert_eq!(
            result.execution.is_some(),
            result.verdict == Verdict::Violated,
            "{row}"
        );
        let finite = Options {
            beyond_finite: false,
            ..options
        };
        // What holds, and most of what is wrong, the automata alone cannot tell.
        match prove(&program, model, &finite) {
            Ok(result) if found_early => assert_eq!(result.verdict, Verdict::Violated, "{row}"),
            Err(Refusal::NotFinite(_)) if !found_early => {}
            other => panic!("{row}: {other:?}"),
        }
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn what_has_no_certificate_is_refused() {
    let program = read("mailbox.c", "-");
    let path = std::env::temp_dir().join(format!("fencepost-traces-{}", std::process::id()));
    let options = Options {
        certificate: Some(Certificate {
            path: path.clone(),
            subject: Vec::new(),
            about: Vec::new(),
        }),
        ..Options::default()
    };
    let refusal = prove(&program, Model::Sc, &options).expect_err("a refusal");
    assert!(matches!(refusal, Refusal::NotCertified(_)));
    assert!(
        refusal
            .diagnostic(&program)
            .message
            .starts_with("no certificate")
    );
    assert!(!path.exists());
}
