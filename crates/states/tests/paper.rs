//! What Park and Dill report of their verifier (*An Executable Specification and
//! Verifier for Relaxed Memory Order*, 1999): Fig. 4's outcomes, and the spin lock
//! of Fig. 6 with three processors and reorder boxes of ten entries.

mod reading;

use answer::{Bound, ModelResult, Verdict, Violation};
use memory::Model;
use reading::{both_machines, run, sparc_example};
use states::Options;

/// Fig. 4's table: r1, rx and ry; A, B and C always end as 3, 1 and 2.
const FIGURE_4: &[(Model, [u64; 3])] = &[
    (Model::Tso, [3, 0, 0]),
    (Model::Tso, [0, 0, 0]),
    (Model::Tso, [0, 0, 1]),
    (Model::Tso, [0, 2, 1]),
    (Model::Pso, [3, 0, 0]),
    (Model::Pso, [0, 0, 0]),
    (Model::Pso, [0, 0, 1]),
    (Model::Pso, [0, 2, 0]),
    (Model::Pso, [0, 2, 1]),
    (Model::Rmo, [3, 0, 0]),
    (Model::Rmo, [0, 0, 0]),
    (Model::Rmo, [3, 0, 1]),
    (Model::Rmo, [0, 0, 1]),
    (Model::Rmo, [3, 2, 0]),
    (Model::Rmo, [0, 2, 0]),
    (Model::Rmo, [0, 2, 1]),
    (Model::Rmo, [3, 2, 1]),
];

#[test]
fn figure_4_has_exactly_the_outcomes_of_the_paper() {
    let program = sparc_example("fig4");
    let names: Vec<&str> = program.observed.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(names, ["0:r1", "1:rx", "1:ry", "A", "B", "C"]);
    for model in [Model::Tso, Model::Pso, Model::Rmo] {
        let rows = FIGURE_4.iter().filter(|(of, _)| *of == model);
        let mut expected: Vec<Vec<u64>> = rows
            .map(|(_, [r1, rx, ry])| vec![*r1, *rx, *ry, 3, 1, 2])
            .collect();
        expected.sort();
        for options in both_machines(&Options::default()) {
            let result = run(&program, model, &options);
            let found: Vec<Vec<u64>> = result.outcomes.into_iter().map(|o| o.0).collect();
            assert_eq!(found, expected, "{model} on {}", result.machine);
        }
    }
}

/// The example under a model, with boxes of ten entries: with symmetry and without.
fn with_and_without_symmetry(example: &str, model: Model) -> [ModelResult; 2] {
    let program = sparc_example(example);
    assert_eq!(program.threads.len(), 3);
    [true, false].map(|symmetry| {
        let options = Options {
            reorder_box: Some(10),
            symmetry,
            ..Options::default()
        };
        run(&program, model, &options)
    })
}

#[test]
fn the_spin_lock_excludes_under_rmo_with_its_membars() {
    let results = with_and_without_symmetry("spinlock-ldstub-rmo", Model::Rmo);
    for result in &results {
        assert_eq!(result.verdict, Verdict::Holds);
        assert_eq!(result.bounds, [Bound::ReorderBox(10)]);
    }
    // Identical processors can stand in 3! = 6 orders.
    let [reduced, full] = results.map(|result| result.counts.states);
    assert!(
        full > 5 * reduced && full <= 6 * reduced,
        "{reduced}, {full}"
    );
}

#[test]
fn without_the_membar_of_the_unlock_two_are_in_under_pso_and_rmo() {
    for model in [Model::Pso, Model::Rmo] {
        let example = "spinlock-ldstub-rmo-no-storestore";
        for result in with_and_without_symmetry(example, model) {
            assert_eq!(result.verdict, Verdict::Violated, "{model}");
            assert!(matches!(result.violation, Some(Violation::Invariant(_))));
            assert!(result.execution.is_some());
        }
    }
    for model in [Model::Sc, Model::Tso] {
        let example = "spinlock-ldstub-rmo-no-storestore";
        for result in with_and_without_symmetry(example, model) {
            assert_eq!(result.verdict, Verdict::Holds, "{model}");
        }
    }
}

#[test]
fn one_processor_may_starve_but_not_all() {
    for result in with_and_without_symmetry("spinlock-starvation", Model::Rmo) {
        assert_eq!(result.verdict, Verdict::Violated);
        assert!(matches!(result.violation, Some(Violation::Liveness(_))));
        let execution = result.execution.expect("a lasso");
        let start = execution.repeats_from.expect("a lasso");
        assert!(start < execution.steps.len(), "somebody goes on for ever");
    }
    for result in with_and_without_symmetry("spinlock-progress", Model::Rmo) {
        assert_eq!(result.verdict, Verdict::Holds);
    }
}
