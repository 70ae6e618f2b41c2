//! The programs of `examples/prove`, with the verdicts in `expected.tsv` there.

use answer::Verdict;
use control::Control;
use frontend::c::{self, Compiler};
use memory::Model;
use program::Program;
use prove::{Options, prove};
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

/// `FENCEPOST_ONLY=peterson` runs those whose names begin so.
#[test]
fn every_program_has_its_verdict() {
    let only = std::env::var("FENCEPOST_ONLY").unwrap_or_default();
    let table = std::fs::read_to_string(folder().join("expected.tsv")).expect("the table");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows.filter(|row| row.starts_with(&only)) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [file, defines, model, expected] = columns[..] else {
            panic!("{row}");
        };
        let program = read(file, defines);
        let model: Model = model.parse().expect("a model");
        let options = Options {
            control: Control::default().with_time(Some(Duration::from_secs(60))),
            ..Options::default()
        };
        let result = prove(&program, model, &options)
            .unwrap_or_else(|refusal| panic!("{row}: {refusal} at {}", refusal.span()));
        eprintln!(
            "{row}: {} by {}, {} states in {:?}, covers {}",
            result.verdict,
            result.machine,
            result.counts.states,
            result.time,
            result.covers()
        );
        if result.verdict.to_string() != expected {
            wrong.push(row.to_owned());
        }
        if result.verdict == Verdict::Holds {
            assert!(result.bounds.is_empty(), "{row}: {:?}", result.bounds);
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 0);
}
