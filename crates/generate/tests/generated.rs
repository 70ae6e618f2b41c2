//! Generated litmus tests, and some of the stored ones, get the same answer from all.

use generate::run::{Options, run};
use generate::{Language, check, check_text, litmus};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[test]
fn generated_tests_get_one_answer() {
    for seed in 0..150 {
        if let Err(disagreement) = check(&litmus(seed), seed, 4) {
            panic!("seed {seed}: {disagreement}");
        }
    }
}

/// What the processor does is allowed under TSO.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_processor_shows_nothing_else() {
    let directory = format!("fencepost-litmus-{}", std::process::id());
    let options = Options {
        tests: 100,
        seed: 2026,
        languages: vec![Language::X86],
        native: Some(Duration::from_millis(2)),
        directory: std::env::temp_dir().join(directory),
        ..Options::default()
    };
    let summary = run(&options, &AtomicBool::new(false)).expect("gcc is there");
    let _ = std::fs::remove_dir_all(&options.directory);
    let wrong: Vec<String> = summary
        .cases
        .iter()
        .map(|case| case.disagreement.to_string())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let (tests, runs) = summary.native;
    assert!(tests > 40 && runs > 40 * 256, "{}", summary.figures());
}

/// The stored tests, by the plain search as well; those of the collection differ little, so
/// every ninth will do.
#[test]
fn stored_tests_get_one_answer() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/litmus");
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .expect("the stored tests")
        .map(|entry| entry.expect("a readable directory").path())
        .filter(|path| path.extension().is_some_and(|end| end == "litmus"))
        .collect();
    paths.sort();
    for path in paths.iter().step_by(9) {
        let text = std::fs::read_to_string(path).expect("a readable file");
        if let Err(disagreement) = check_text(&text, true) {
            panic!("{}: {disagreement}", path.display());
        }
    }
    assert!(paths.len() > 160, "only {}", paths.len());
}
