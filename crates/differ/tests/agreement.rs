//! The engines agree on generated programs: a small part of what `cargo xtask differ` does, with a fixed seed.

use differ::engines::{Engine, Limits};
use differ::run::{Options, run};
use differ::write::{describe, figures};
use memory::Model;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn options(programs: u64, families: &[&str]) -> Options {
    Options {
        programs,
        seed: 2026,
        first: 0,
        families: families.iter().map(|name| (*name).to_owned()).collect(),
        models: Model::ALL.to_vec(),
        engines: Engine::ALL.to_vec(),
        shapes: 2,
        jobs: 2,
        directory: std::env::temp_dir()
            .join(format!("fencepost-differ-test-{}", std::process::id())),
        limits: Limits {
            time: Duration::from_millis(200),
            states: 2_000,
        },
        native: None,
        native_only: false,
        progress: false,
    }
}

/// `FENCEPOST_PROGRAMS` makes it more.
#[test]
fn engines_agree_on_generated_programs() {
    let asked = std::env::var("FENCEPOST_PROGRAMS").ok();
    let programs = asked.and_then(|text| text.parse().ok()).unwrap_or(600);
    let options = options(programs, &[]);
    let summary = run(&options, &AtomicBool::new(false)).expect("clang is there");
    let _ = std::fs::remove_dir_all(&options.directory);
    println!("{}", figures(&summary));
    let wrong: Vec<String> = summary
        .cases
        .iter()
        .map(|case| {
            let text = differ::print::standalone(&case.sketch);
            format!("{}\n{text}", describe(case))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Nothing was left out silently: every engine answered under every model that it has.
    for engine in [
        Engine::Explore,
        Engine::Schedules,
        Engine::States,
        Engine::Plain,
        Engine::Sat,
        Engine::Axioms,
    ] {
        assert!(
            summary.complete.keys().any(|(of, _)| *of == engine),
            "{engine:?}"
        );
    }
    assert!(summary.unread.is_empty(), "{:?}", summary.unread);
}
