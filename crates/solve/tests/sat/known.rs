//! Small problems with known answers.

use solve::sat::{Answer, Lit, OrderBy, Solver, Stop, never};
use std::cell::Cell;
use std::rc::Rc;

const ORDERS: [OrderBy; 3] = [OrderBy::Theory, OrderBy::Conflicts, OrderBy::Clauses];

#[test]
fn an_empty_problem_has_a_model() {
    for order in ORDERS {
        let mut solver = Solver::new(order);
        assert_eq!(solver.solve(&[], &never()), Answer::Satisfiable);
        assert!(solver.value(Lit::TRUE) && !solver.value(Lit::FALSE));
        assert!(solver.order().is_empty());
    }
}

#[test]
fn edges_without_literals_can_make_a_cycle() {
    for order in ORDERS {
        let mut solver = Solver::new(order);
        let nodes = [solver.node(), solver.node(), solver.node()];
        solver.edge(nodes[0], nodes[1], &[]);
        solver.edge(nodes[1], nodes[2], &[Lit::TRUE]);
        solver.edge(nodes[2], nodes[0], &[Lit::FALSE]);
        assert_eq!(solver.solve(&[], &never()), Answer::Satisfiable);
        assert_eq!(solver.order(), [0, 1, 2]);
        solver.edge(nodes[2], nodes[0], &[]);
        assert_eq!(solver.solve(&[], &never()), Answer::Unsatisfiable);
    }
}

#[test]
fn a_node_is_not_before_itself() {
    for order in ORDERS {
        let mut solver = Solver::new(order);
        let (node, lit) = (solver.node(), solver.variable());
        solver.edge(node, node, &[lit]);
        assert_eq!(solver.solve(&[lit], &never()), Answer::Unsatisfiable);
        assert!(solver.failed(lit));
        assert_eq!(solver.solve(&[], &never()), Answer::Satisfiable);
        assert!(!solver.value(lit));
    }
}

#[test]
fn a_false_assumption_fails() {
    let mut solver = Solver::new(OrderBy::Theory);
    let lit = solver.variable();
    assert_eq!(
        solver.solve(&[lit, Lit::FALSE], &never()),
        Answer::Unsatisfiable
    );
    assert!(solver.failed(Lit::FALSE) && !solver.failed(lit));
}

#[test]
fn a_search_can_be_stopped() {
    let mut solver = Solver::new(OrderBy::Theory);
    assert_eq!(solver.solve(&[], &(Rc::new(|| true) as _)), Answer::Stopped);
    assert_eq!(solver.solve(&[], &never()), Answer::Satisfiable);
}

#[test]
fn a_search_can_be_stopped_in_the_middle() {
    // Ten things in nine places.
    let mut solver = Solver::new(OrderBy::Theory);
    let places: Vec<Vec<Lit>> = (0..10)
        .map(|_| (0..9).map(|_| solver.variable()).collect())
        .collect();
    for (at, thing) in places.iter().enumerate() {
        solver.clause(thing);
        for other in &places[..at] {
            (0..9).for_each(|place| solver.clause(&[!thing[place], !other[place]]));
        }
    }
    let asked = Rc::new(Cell::new(0));
    let counter = asked.clone();
    let stop: Stop = Rc::new(move || {
        counter.set(counter.get() + 1);
        counter.get() > 20
    });
    assert_eq!(solver.solve(&[], &stop), Answer::Stopped);
    assert_eq!(asked.get(), 21);
    let together = [places[0][0], places[1][0]];
    assert_eq!(solver.solve(&together, &never()), Answer::Unsatisfiable);
}

#[test]
fn the_preferred_value_is_tried_first() {
    for order in ORDERS {
        let mut solver = Solver::new(order);
        let lits: Vec<Lit> = (0..6).map(|_| solver.variable()).collect();
        solver.clause(&lits);
        solver.clause(&lits.iter().map(|&lit| !lit).collect::<Vec<_>>());
        let preferred = |index: usize| {
            if index < 3 { lits[index] } else { !lits[index] }
        };
        (0..6).for_each(|index| solver.phase(preferred(index)));
        assert_eq!(solver.solve(&[], &never()), Answer::Satisfiable);
        assert!((0..6).all(|index| solver.value(preferred(index))));
    }
}

#[test]
fn an_order_of_store_buffering() {
    // x = 1; r = y  ||  y = 1; s = x: under sequential consistency not both read zero.
    for order in ORDERS {
        let mut solver = Solver::new(order);
        let [wx, ry, wy, rx] = [(); 4].map(|()| solver.node());
        let (first, second) = (solver.variable(), solver.variable());
        solver.edge(wx, ry, &[]);
        solver.edge(wy, rx, &[]);
        solver.edge(ry, wy, &[first]);
        solver.edge(wy, ry, &[!first]);
        solver.edge(rx, wx, &[second]);
        solver.edge(wx, rx, &[!second]);
        assert_eq!(
            solver.solve(&[first, second], &never()),
            Answer::Unsatisfiable
        );
        assert_eq!(solver.solve(&[first], &never()), Answer::Satisfiable);
        assert!(!solver.value(second));
        let statistics = solver.statistics();
        assert_eq!((statistics.nodes, statistics.edges), (4, 6));
    }
}
