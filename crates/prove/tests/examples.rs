//! The programs of `examples/prove`, with the verdicts in `expected.tsv` there.

use answer::Verdict;
use control::Control;
use frontend::c::{self, Compiler};
use memory::Model;
use program::Program;
use prove::{Certificate, Options, prove, system_hash};
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

/// Asks for a certificate, and has it checked.
fn certified(program: &Program, model: Model) -> certificate::Summary {
    let name = format!("fencepost-prove-{}-{model}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let options = Options {
        certificate: Some(Certificate {
            path: path.clone(),
            subject: vec![("model".to_owned(), model.to_string())],
            about: Vec::new(),
        }),
        ..Options::default()
    };
    let result = prove(program, model, &options).expect("a finite program");
    assert_eq!(result.verdict, Verdict::Holds);
    let text = std::fs::read(&path).expect("a certificate");
    std::fs::remove_file(&path).expect("a file");
    certificate::check(&*text).expect("a right certificate")
}

/// What holds has a certificate that is about its automata, and not about those of the same program with other fences.
#[test]
fn every_proof_has_a_certificate() {
    let table = std::fs::read_to_string(folder().join("expected.tsv")).expect("the table");
    let mut systems = std::collections::HashSet::new();
    let rows = table.lines().filter(|row| row.ends_with("holds"));
    for row in rows {
        let columns: Vec<&str> = row.split('\t').collect();
        let program = read(columns[0], columns[1]);
        let model: Model = columns[2].parse().expect("a model");
        let summary = certified(&program, model);
        eprintln!("{row}: {:?}", summary.proved);
        let certificate::Proved::Unreachable(size) = summary.proved else {
            panic!("{row}");
        };
        assert_eq!(Ok(&size.system), system_hash(&program, model).as_ref());
        assert!(systems.insert(size.system), "{row}");
    }
    assert!(systems.len() > 15, "{}", systems.len());
}

/// `FENCEPOST_ONLY=peterson` runs those whose names begin so.
#[test]
fn every_program_has_its_verdict() {
    let only = std::env::var("FENCEPOST_ONLY").unwrap_or_default();
    let tables = ["expected.tsv", "locks.tsv"]
        .map(|name| std::fs::read_to_string(folder().join(name)).expect("a table"));
    let rows = tables.iter().flat_map(|table| table.lines());
    let rows = rows.filter(|line| !line.starts_with('#'));
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
