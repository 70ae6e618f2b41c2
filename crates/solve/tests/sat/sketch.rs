//! Small random problems.

use proptest::collection::vec;
use proptest::prelude::*;
use solve::sat::{Lit, Node, OrderBy, Solver};

/// How many variables a sketch has.
pub const VARIABLES: i8 = 8;
/// How many nodes a sketch has.
pub const NODES: u8 = 6;

/// A part of a problem. Literals are numbers up to [`VARIABLES`], or one more for a constant.
#[derive(Clone, Debug)]
pub enum Part {
    /// A clause.
    Clause(Vec<i8>),
    /// An edge with the literals that make it hold.
    Edge(u8, u8, Vec<i8>),
}

/// A random literal, now and then a constant.
pub fn literal() -> impl Strategy<Value = i8> {
    (1..=VARIABLES + 1, any::<bool>()).prop_map(|(lit, positive)| if positive { lit } else { -lit })
}

/// A random literal that is not constant.
pub fn open_literal() -> impl Strategy<Value = i8> {
    (1..=VARIABLES, any::<bool>()).prop_map(|(lit, positive)| if positive { lit } else { -lit })
}

/// A random part of a problem.
pub fn part() -> impl Strategy<Value = Part> {
    let clause = vec(literal(), 1..5).prop_map(Part::Clause);
    let edge = (0..NODES, 0..NODES, vec(literal(), 0..3));
    let edge = edge.prop_map(|(from, to, when)| Part::Edge(from, to, when));
    let open = (0..NODES, 0..NODES, open_literal(), open_literal());
    let open = open.prop_map(|(from, to, first, second)| Part::Edge(from, to, vec![first, second]));
    let single = (0..NODES, 0..NODES, open_literal());
    let single = single.prop_map(|(from, to, lit)| Part::Edge(from, to, vec![lit]));
    prop_oneof![2 => clause, 1 => edge, 2 => open, 4 => single]
}

/// A solver with the variables and nodes of a sketch.
pub struct Built {
    pub solver: Solver,
    pub lits: Vec<Lit>,
    pub nodes: Vec<Node>,
}

impl Built {
    pub fn new(order: OrderBy) -> Built {
        Built::of(Solver::new(order))
    }

    pub fn of(mut solver: Solver) -> Built {
        let lits = (0..VARIABLES).map(|_| solver.variable()).collect();
        let nodes = (0..NODES).map(|_| solver.node()).collect();
        Built {
            solver,
            lits,
            nodes,
        }
    }

    pub fn lit(&self, number: i8) -> Lit {
        let index = usize::from(number.unsigned_abs()) - 1;
        let lit = self.lits.get(index).copied().unwrap_or(Lit::TRUE);
        if number > 0 { lit } else { !lit }
    }

    pub fn add(&mut self, part: &Part) {
        let lits = |numbers: &[i8]| numbers.iter().map(|&number| self.lit(number)).collect();
        match part {
            Part::Clause(literals) => {
                let literals: Vec<Lit> = lits(literals);
                self.solver.clause(&literals);
            }
            Part::Edge(from, to, when) => {
                let when: Vec<Lit> = lits(when);
                let (from, to) = (self.nodes[usize::from(*from)], self.nodes[usize::from(*to)]);
                self.solver.edge(from, to, &when);
            }
        }
    }
}
