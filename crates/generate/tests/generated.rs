//! Generated litmus tests, and some of the stored ones, get the same answer from all.

use std::path::Path;

#[test]
fn generated_tests_get_one_answer() {
    for seed in 0..150 {
        if let Err(disagreement) = generate::check_one(seed) {
            panic!("seed {seed}: {disagreement}");
        }
    }
}

/// Every mnemonic of the grammar occurs, and tests are not all alike.
#[test]
fn generated_tests_have_everything() {
    let all: String = (0..2000)
        .map(|seed| generate::litmus(seed).text())
        .collect();
    for word in [
        "LOCK XADD",
        "LOCK CMPXCHG",
        "LOCK NOT",
        "XCHG [",
        "MFENCE",
        "LFENCE",
        "SFENCE",
        "CMOV",
        "SET",
        "LEA",
        "MOVZX",
        "MOVSX",
        "MOVSXD",
        "PAUSE",
        "NEG",
        "ldstub",
        "swap",
        "cas",
        "membar",
        "stbar",
        "be,a",
        "filter",
        "exists",
        "~exists",
        "forall",
        "invariant",
        "eventually",
        "always eventually",
        "@end",
        "JE W",
    ] {
        assert!(all.contains(word), "no {word}");
    }
}

/// The stored tests, by the plain search as well; those of the collection differ little, so
/// every ninth will do.
#[test]
fn stored_tests_get_one_answer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/litmus");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the stored tests")
        .map(|entry| entry.expect("a readable directory").path())
        .filter(|path| path.extension().is_some_and(|end| end == "litmus"))
        .collect();
    paths.sort();
    for path in paths.iter().step_by(9) {
        let text = std::fs::read_to_string(path).expect("a readable file");
        if let Err(disagreement) = generate::check_text(&text, true) {
            panic!("{}: {disagreement}", path.display());
        }
    }
    assert!(paths.len() > 160, "only {}", paths.len());
}
