//! Each crate depends only on crates above it.

use std::path::Path;

/// From the top down; engines stand side by side.
const LAYERS: [&[&str]; 13] = [
    &["program"],
    &["memory"],
    &["frontend"],
    &["flatten"],
    &["answer"],
    &["control"],
    &["save"],
    &["machine"],
    &ENGINES,
    &["check"],
    &["repair"],
    &["report"],
    &["cli"],
];

const ENGINES: [&str; 5] = ["states", "explore", "solve", "prove", "monitor"];

/// Those that stand beside the rows.
const BESIDE: [&str; 6] = [
    "certificate",
    "oracle",
    "generate",
    "differ",
    "bench",
    "record",
];

/// The crates of the workspace that a crate depends on, tests aside.
fn dependencies(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../{name}/Cargo.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let (_, section) = text.split_once("\n[dependencies]\n").expect("a section");
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    let ours = |name: &&str| LAYERS.concat().contains(name) || BESIDE.contains(name);
    names.filter(ours).map(str::to_owned).collect()
}

#[test]
fn crates_depend_only_on_those_above_them() {
    for (index, row) in LAYERS.iter().enumerate() {
        let above = LAYERS[..index].concat();
        for name in *row {
            for dependency in dependencies(name) {
                let checks_proofs = (*name, dependency.as_str()) == ("cli", "certificate");
                assert!(
                    above.contains(&dependency.as_str()) || checks_proofs,
                    "{name} must not depend on {dependency}"
                );
            }
        }
    }
    // The list is read at all.
    assert!(dependencies("cli").contains(&"check".to_owned()));
}

/// Every question is asked through `check`.
#[test]
fn commands_know_no_engine() {
    for name in ["cli", "bench", "repair"] {
        for dependency in dependencies(name) {
            let hidden = ENGINES.contains(&dependency.as_str()) || dependency == "machine";
            assert!(!hidden, "{name} must not depend on {dependency}");
        }
    }
}

/// It would be no independent judge otherwise.
#[test]
fn the_oracle_knows_programs_only() {
    assert_eq!(dependencies("oracle"), ["program"]);
}

/// It judges what `solve` writes.
#[test]
fn the_checker_of_proofs_knows_nothing() {
    assert!(dependencies("certificate").is_empty());
}

/// Users take it into programs of their own.
#[test]
fn the_recorder_knows_nothing() {
    assert!(dependencies("record").is_empty());
}

#[test]
fn the_list_of_crates_is_complete() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in std::fs::read_dir(crates).expect("the crates") {
        let name = entry.expect("a readable directory").file_name();
        let name = name.to_string_lossy();
        let known = LAYERS.concat().contains(&&*name) || BESIDE.contains(&&*name);
        assert!(known, "{name} has no place in the order");
    }
}
