//! Certificates of real searches are right.

use crate::brute;
use crate::proof::{proof, proof_of};
use crate::sketch::part;
use certificate::{Proved, check};
use proptest::collection::vec;
use proptest::prelude::*;
use solve::sat::{Lit, Node, OrderBy, Solver};

const ORDERS: [OrderBy; 3] = [OrderBy::Theory, OrderBy::Conflicts, OrderBy::Clauses];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn small_searches_have_right_certificates(parts in vec(part(), 0..50)) {
        for order in ORDERS {
            let proof = proof_of(order, &parts);
            prop_assert_eq!(proof.is_some(), !brute::satisfiable(&parts, &[]));
            if let Some(text) = proof {
                let checked = check(text.as_bytes());
                prop_assert!(checked.is_ok(), "{}\n{text}", checked.unwrap_err());
            }
        }
    }
}

/// Says that each of some ordered nodes comes before another one. (The last one cannot.)
fn no_last(solver: &mut Solver, count: usize) {
    let nodes: Vec<Node> = (0..count).map(|_| solver.node()).collect();
    let mut before = vec![vec![Lit::FALSE; count]; count];
    for first in 0..count {
        for second in 0..first {
            let lit = solver.variable();
            (before[first][second], before[second][first]) = (lit, !lit);
            solver.edge(nodes[first], nodes[second], &[lit]);
            solver.edge(nodes[second], nodes[first], &[!lit]);
        }
    }
    before.iter().for_each(|clause| solver.clause(clause));
}

#[test]
fn long_searches_have_right_certificates() {
    for order in ORDERS {
        let text = proof(order, |solver| no_last(solver, 14)).expect("no model");
        let summary = check(text.as_bytes()).unwrap();
        assert_eq!(summary.about, ["a test", "in two", "or three lines"]);
        let Proved::NoSolution(size) = summary.proved else {
            panic!("{summary:?}");
        };
        assert!(size.steps > 14, "{size:?}");
        assert_eq!(size.lemmas > 0, order != OrderBy::Clauses);
    }
}
