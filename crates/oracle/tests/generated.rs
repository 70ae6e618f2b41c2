//! What must hold of every generated program.

use oracle::generate::{GeneratedProgram, Limits, Statement, build, programs, sequence};
use oracle::{OracleModel, StoreDependence, outcomes, outcomes_with};
use program::Orderings;
use proptest::prelude::*;
use std::collections::HashSet;
use std::mem::discriminant;

/// The program with a full fence after every statement.
fn fenced(program: &GeneratedProgram) -> GeneratedProgram {
    let mut program = program.clone();
    for thread in &mut program.threads {
        *thread = thread
            .iter()
            .flat_map(|&statement| [lengthened(statement), Statement::Fence(Orderings::ALL)])
            .collect();
    }
    program
}

/// A branch over twice as many statements.
fn lengthened(mut statement: Statement) -> Statement {
    if let Statement::Branch { skip, .. } = &mut statement {
        *skip *= 2;
    }
    statement
}

/// The models that can be asked about a program: Relaxed tries all values of all loads.
fn models(generated: &GeneratedProgram) -> &'static [OracleModel] {
    match generated.accesses() {
        0..=5 => &OracleModel::ALL,
        _ => &OracleModel::ALL[..4],
    }
}

proptest! {
    #[test]
    fn weaker_models_allow_more(generated in programs(Limits::default())) {
        let program = build(&generated);
        let models = models(&generated).iter();
        let found: Vec<_> = models.map(|&model| outcomes(&program, model)).collect();
        prop_assert!(!found[0].is_empty());
        for pair in found.windows(2) {
            prop_assert!(pair[0].is_subset(&pair[1]));
        }
        let dependence = StoreDependence::LastEarlierStore;
        let more = outcomes_with(&program, OracleModel::Rmo, dependence);
        prop_assert!(found[3].is_subset(&more));
    }

    #[test]
    fn full_fences_restore_sequential_consistency(generated in programs(Limits::default())) {
        let expected = outcomes(&build(&generated), OracleModel::Sc);
        let fenced = build(&fenced(&generated));
        for &model in models(&generated) {
            prop_assert_eq!(&outcomes(&fenced, model), &expected);
        }
    }

    #[test]
    fn programs_keep_to_their_limits(generated in programs(Limits::default())) {
        prop_assert!((2..=4).contains(&generated.threads.len()));
        prop_assert!(generated.threads.iter().all(|thread| thread.len() <= 5));
        prop_assert!(generated.accesses() <= 8);
        prop_assert!((1..=3).contains(&generated.places));
    }
}

#[test]
fn sequences_are_reproducible() {
    let first: Vec<_> = sequence(7).take(20).collect();
    assert_eq!(sequence(7).take(20).collect::<Vec<_>>(), first);
    assert_ne!(sequence(8).take(20).collect::<Vec<_>>(), first);
}

#[test]
fn all_statements_and_fences_occur() {
    let statements: Vec<Statement> = sequence(0)
        .take(500)
        .flat_map(|program| program.threads.concat())
        .collect();
    let kinds: HashSet<_> = statements.iter().map(discriminant).collect();
    assert_eq!(kinds.len(), 9);
    let fences: HashSet<_> = statements
        .iter()
        .filter_map(|statement| match statement {
            Statement::Fence(orderings) => Some(orderings),
            _ => None,
        })
        .collect();
    assert_eq!(fences.len(), 15);
}
