//! The theory, the clauses and all assignments one by one give the same answers.

use crate::brute;
use crate::sketch::{Built, NODES, Part, VARIABLES, literal, part};
use proptest::collection::vec;
use proptest::prelude::*;
use solve::sat::{Answer, Lit, OrderBy, never};

/// Solves and compares, and checks the model or the failed assumptions.
fn compare(built: &mut Built, parts: &[Part], assumptions: &[i8]) -> Result<(), TestCaseError> {
    let assumed: Vec<Lit> = assumptions.iter().map(|&lit| built.lit(lit)).collect();
    let answer = built.solver.solve(&assumed, &never());
    let expected = match brute::satisfiable(parts, assumptions) {
        true => Answer::Satisfiable,
        false => Answer::Unsatisfiable,
    };
    prop_assert_eq!(answer, expected);
    match answer {
        Answer::Satisfiable => check_model(built, parts, assumptions),
        _ => {
            let failed = |lit: &i8| built.solver.failed(built.lit(*lit));
            let failed: Vec<i8> = assumptions.iter().copied().filter(failed).collect();
            prop_assert!(
                !brute::satisfiable(parts, &failed),
                "{failed:?} is not enough"
            );
            Ok(())
        }
    }
}

fn check_model(built: &Built, parts: &[Part], assumptions: &[i8]) -> Result<(), TestCaseError> {
    let value = |variable: i8| u16::from(built.solver.value(built.lit(variable + 1)));
    let assignment = (0..VARIABLES).fold(0, |all, variable| all | value(variable) << variable);
    prop_assert!(brute::is_model(parts, assignment));
    prop_assert!(assumptions.iter().all(|&lit| brute::holds(assignment, lit)));
    let positions = built.solver.order();
    let mut sorted = positions.clone();
    sorted.sort();
    prop_assert_eq!(sorted, (0..u32::from(NODES)).collect::<Vec<_>>());
    for part in parts {
        if let Part::Edge(from, to, when) = part
            && when.iter().all(|&lit| brute::holds(assignment, lit))
        {
            prop_assert!(positions[usize::from(*from)] < positions[usize::from(*to)]);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn all_ways_agree(
        rounds in vec((vec(part(), 0..14), vec(vec(literal(), 0..4), 1..3)), 1..5),
    ) {
        for order in [OrderBy::Theory, OrderBy::Conflicts, OrderBy::Clauses] {
            let mut built = Built::new(order);
            let mut parts = Vec::new();
            for (more, questions) in &rounds {
                more.iter().for_each(|part| built.add(part));
                parts.extend(more.iter().cloned());
                for assumptions in questions {
                    compare(&mut built, &parts, assumptions)?;
                }
            }
        }
    }
}
