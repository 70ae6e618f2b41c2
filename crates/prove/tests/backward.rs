//! The backward search by itself, on the programs of `examples/prove`: it needs neither bounds nor luck.

use control::Control;
use frontend::c::{self, Compiler};
use memory::{Buffering, Model};
use prove::automaton::{Standing, StateId, System};
use prove::bounded::{Bounded, BoundedSearch};
use prove::dual::{Backward, DualSearch};
use prove::forward::Reachable;
use prove::goal::Goal;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/prove")
}

fn system(file: &str, defines: &str) -> System {
    let compiler = Compiler::find(None).expect("a clang");
    let defines = defines.split(' ').filter(|name| *name != "-");
    let options: Vec<String> = defines.map(|name| format!("-D{name}")).collect();
    let program = c::read_c(&[folder().join(file)], &options, Some(&compiler))
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    let flat = flatten::flatten(&program).expect("a flat program");
    System::of(&flat, Model::Tso).expect("finite automata")
}

fn failures(system: &System) -> Vec<Goal> {
    let threads = system.automata.iter().enumerate();
    let goals = threads.flat_map(|(thread, automaton)| {
        let states = automaton.states.iter().enumerate();
        let failed = states.filter(|(_, state)| matches!(state.standing, Standing::Failed(_)));
        failed.map(move |(state, _)| Goal::thread_at(system, thread, StateId(state as u32)))
    });
    goals.collect()
}

/// `FENCEPOST_ONLY=peterson` runs those whose names begin so.
#[test]
fn it_decides_every_program_under_tso() {
    let only = std::env::var("FENCEPOST_ONLY").unwrap_or_default();
    let table = std::fs::read_to_string(folder().join("expected.tsv")).expect("the table");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    // What is wrong is found by other means, and faster.
    let rows = rows.filter(|row| row.ends_with("\ttso\tholds") || row.starts_with("unbounded"));
    let rows = rows.filter(|row| row.contains("\ttso\t"));
    for row in rows.filter(|row| row.starts_with(&only)) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [file, defines, _, expected] = columns[..] else {
            panic!("{row}");
        };
        let system = system(file, defines);
        let goals = failures(&system);
        let stop = Control::default().stop();
        let started = Instant::now();
        let reachable = Reachable::of(&system, &goals, 1_000_000, &stop);
        let abstracted = started.elapsed();
        for reachable in [reachable.as_ref(), None] {
            let started = Instant::now();
            let mut dual = DualSearch::new(&system, &goals, reachable).expect("few sequences");
            let found = dual.run(200_000, &stop);
            eprintln!(
                "{row}: {} states, forwards {:?} in {abstracted:?} ({:?} safe), {found:?}, {} elements in {:?}",
                system.states(),
                reachable.map(Reachable::states),
                reachable.map(|r| r.safe),
                dual.elements(),
                started.elapsed()
            );
            let unreachable = found == Backward::Unreachable;
            assert_ne!(found, Backward::Unknown, "{row}");
            assert_eq!(unreachable, expected == "holds", "{row}");
        }
    }
}

#[test]
fn a_violation_needs_two_stores_for_each_round() {
    for rounds in [1, 2, 3, 5, 10] {
        let system = system("unbounded.c", &format!("ROUNDS={rounds}"));
        let goals = failures(&system);
        let stop = Control::default().stop();
        let mut search = BoundedSearch::new(&system, &goals, Buffering::PerThread);
        let Bounded::Met { bound, .. } = search.run(1_000_000, &stop) else {
            panic!("not found with {rounds} rounds");
        };
        assert_eq!(bound, 2 * rounds);
    }
}
