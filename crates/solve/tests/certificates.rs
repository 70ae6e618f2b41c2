//! "Holds" comes with a certificate that the independent checker accepts; what does not hold has
//! none.

use answer::Verdict;
use memory::Model;
use program::{Program, Source};
use solve::Options;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn litmus(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).expect("a readable test");
    let source = Source::new(path.display().to_string(), text);
    frontend::read(&source).expect("a litmus test")
}

/// A file for a certificate, which is not there yet.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn with_certificate(path: &Path) -> Options {
    Options {
        certificate: Some(path.to_owned()),
        ..Options::default()
    }
}

/// Every tenth of the stored tests: there is no outcome but those found.
#[test]
fn outcomes_of_litmus_tests_are_certified_to_be_all() {
    let entries = std::fs::read_dir(repository().join("tests/litmus")).expect("the stored tests");
    let paths = entries.map(|entry| entry.expect("a readable directory").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "litmus"))
        .collect();
    paths.sort();
    let certificate = scratch("litmus.proof");
    for path in paths.iter().step_by(10) {
        let mut program = litmus(path);
        program.properties = Default::default();
        for model in Model::ALL {
            let _ = std::fs::remove_file(&certificate);
            let result = solve::run(&program, model, &with_certificate(&certificate), true);
            let result = result.expect("a program that can be encoded");
            let what = format!("{} under {model}", path.display());
            assert_eq!(result.verdict, Verdict::Holds, "{what}");
            assert!(!result.outcomes.is_empty(), "{what}");
            let text = std::fs::read(&certificate).unwrap_or_else(|e| panic!("{what}: {e}"));
            let checked = certificate::check(&*text);
            assert!(checked.is_ok(), "{what}: {}", checked.unwrap_err());
        }
    }
}

#[test]
fn what_is_violated_has_no_certificate() {
    let path = scratch("violated.proof");
    // Somebody reads 0 twice under TSO, which the test forbids, and never under SC.
    let program = "X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
~exists (0:EAX=0 /\\ 1:EAX=0)
";
    let program = frontend::read(&Source::new("SB.litmus", program)).expect("a litmus test");
    let verdict = |model: Model| {
        let result = solve::run(&program, model, &with_certificate(&path), false);
        result.expect("a program that can be encoded").verdict
    };
    assert_eq!(verdict(Model::Tso), Verdict::Violated);
    assert!(!path.exists());
    assert_eq!(verdict(Model::Sc), Verdict::Holds);
    let text = std::fs::read(&path).expect("a certificate");
    assert!(certificate::check(&*text).is_ok());
}
