//! Problems that need a real search: the theory against the clauses.

use certificate::check;
use proptest::collection::vec;
use proptest::prelude::*;
use solve::sat::{Answer, Lit, Node, OrderBy, Solver, never};

const ORDERS: [OrderBy; 3] = [OrderBy::Clauses, OrderBy::Theory, OrderBy::Conflicts];
const VARIABLES: i8 = 40;
const NODES: u8 = 14;

/// Clauses and edges that come in together, and what is assumed then.
#[derive(Clone, Debug)]
struct Round {
    clauses: Vec<[i8; 3]>,
    choices: Vec<(u8, u8, i8)>,
    edges: Vec<(u8, u8, i8, i8)>,
    assumptions: Vec<i8>,
}

fn literal() -> impl Strategy<Value = i8> {
    (1..=VARIABLES, any::<bool>()).prop_map(|(lit, positive)| if positive { lit } else { -lit })
}

fn round() -> impl Strategy<Value = Round> {
    let clauses = vec([literal(), literal(), literal()], 0..70);
    let choices = vec((0..NODES, 0..NODES, literal()), 0..30);
    let edges = vec((0..NODES, 0..NODES, literal(), literal()), 0..40);
    let all = (clauses, choices, edges, vec(literal(), 0..4));
    all.prop_map(|(clauses, choices, edges, assumptions)| Round {
        clauses,
        choices,
        edges,
        assumptions,
    })
}

struct Built {
    solver: Solver,
    lits: Vec<Lit>,
    nodes: Vec<Node>,
}

impl Built {
    fn new(mut solver: Solver) -> Built {
        let lits = (0..VARIABLES).map(|_| solver.variable()).collect();
        let nodes = (0..NODES).map(|_| solver.node()).collect();
        Built {
            solver,
            lits,
            nodes,
        }
    }

    fn lit(&self, number: i8) -> Lit {
        let lit = self.lits[usize::from(number.unsigned_abs()) - 1];
        if number > 0 { lit } else { !lit }
    }

    fn edge(&mut self, from: u8, to: u8, when: &[Lit]) {
        let (from, to) = (self.nodes[usize::from(from)], self.nodes[usize::from(to)]);
        if from != to {
            self.solver.edge(from, to, when);
        }
    }

    fn add(&mut self, round: &Round) {
        for clause in &round.clauses {
            let clause = clause.map(|number| self.lit(number));
            self.solver.clause(&clause);
        }
        for &(first, second, number) in &round.choices {
            let lit = self.lit(number);
            self.edge(first, second, &[lit]);
            self.edge(second, first, &[!lit]);
        }
        for &(from, to, first, second) in &round.edges {
            let when = [self.lit(first), self.lit(second)];
            self.edge(from, to, &when);
        }
    }

    /// Whether the model and its order respect a round.
    fn respects(&self, round: &Round) -> bool {
        let holds = |number: i8| self.solver.value(self.lit(number));
        let positions = self.solver.order();
        let before = |from: u8, to: u8| {
            from == to || positions[usize::from(from)] < positions[usize::from(to)]
        };
        round
            .clauses
            .iter()
            .all(|clause| clause.iter().any(|&lit| holds(lit)))
            && round
                .choices
                .iter()
                .all(|&(first, second, lit)| match holds(lit) {
                    true => before(first, second),
                    false => before(second, first),
                })
            && round.edges.iter().all(|&(from, to, first, second)| {
                !(holds(first) && holds(second)) || before(from, to)
            })
    }
}

/// The answers after each round, with the models checked.
fn answers(order: OrderBy, rounds: &[Round]) -> Result<Vec<Answer>, TestCaseError> {
    let mut built = Built::new(Solver::new(order));
    let mut answers = Vec::new();
    for (at, round) in rounds.iter().enumerate() {
        built.add(round);
        for assumptions in [&round.assumptions[..], &[]] {
            let assumed: Vec<Lit> = assumptions.iter().map(|&lit| built.lit(lit)).collect();
            let answer = built.solver.solve(&assumed, &never());
            if answer == Answer::Satisfiable {
                prop_assert!(rounds[..=at].iter().all(|round| built.respects(round)));
                prop_assert!(assumed.iter().all(|&lit| built.solver.value(lit)));
            }
            answers.push(answer);
        }
    }
    Ok(answers)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_theory_agrees_with_the_clauses(rounds in vec(round(), 1..6)) {
        let expected = answers(OrderBy::Clauses, &rounds)?;
        prop_assert_eq!(&answers(OrderBy::Theory, &rounds)?, &expected);
        prop_assert_eq!(&answers(OrderBy::Conflicts, &rounds)?, &expected);
    }

    #[test]
    fn certificates_are_right(rounds in vec(round(), 1..6)) {
        for order in ORDERS {
            let proof = crate::proof::proof(order, |solver| {
                let mut built = Built::new(std::mem::replace(solver, Solver::new(order)));
                rounds.iter().for_each(|round| built.add(round));
                *solver = built.solver;
            });
            if let Some(text) = proof {
                let checked = check(text.as_bytes());
                prop_assert!(checked.is_ok(), "{}\n{text}", checked.unwrap_err());
            }
        }
    }
}
