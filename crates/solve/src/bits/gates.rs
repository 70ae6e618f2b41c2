//! Gates: literals that stand for functions of others, each made once.

use crate::sat::{Lit, Solver};
use rustc_hash::FxHashMap;

/// A solver, and the gates in it.
pub struct Gates {
    /// The solver.
    pub solver: Solver,
    ands: FxHashMap<(Lit, Lit), Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
    choices: FxHashMap<(Lit, Lit, Lit), Lit>,
}

impl Gates {
    /// No gates.
    pub fn new(solver: Solver) -> Self {
        Gates {
            solver,
            ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            choices: FxHashMap::default(),
        }
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (Lit::TRUE, other) | (other, Lit::TRUE) => return other,
            (Lit::FALSE, _) | (_, Lit::FALSE) => return Lit::FALSE,
            _ if a == b => return a,
            _ if a == !b => return Lit::FALSE,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.ands.get(&key) {
            return known;
        }
        let both = self.solver.variable();
        self.solver.clause(&[!both, a]);
        self.solver.clause(&[!both, b]);
        self.solver.clause(&[both, !a, !b]);
        self.ands.insert(key, both);
        both
    }

    /// One of them.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// All of them.
    pub fn all(&mut self, literals: &[Lit]) -> Lit {
        let mut needed: Vec<Lit> = literals
            .iter()
            .copied()
            .filter(|&l| l != Lit::TRUE)
            .collect();
        needed.sort_unstable();
        needed.dedup();
        if needed.contains(&Lit::FALSE) || needed.iter().any(|&l| needed.binary_search(&!l).is_ok())
        {
            return Lit::FALSE;
        }
        match needed[..] {
            [] => Lit::TRUE,
            [one] => one,
            [a, b] => self.and(a, b),
            _ => {
                let all = self.solver.variable();
                for &literal in &needed {
                    self.solver.clause(&[!all, literal]);
                }
                let mut clause: Vec<Lit> = needed.iter().map(|&literal| !literal).collect();
                clause.push(all);
                self.solver.clause(&clause);
                all
            }
        }
    }

    /// One of them.
    pub fn any(&mut self, literals: &[Lit]) -> Lit {
        let none: Vec<Lit> = literals.iter().map(|&literal| !literal).collect();
        !self.all(&none)
    }

    /// Exactly one of the two.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (Lit::FALSE, other) | (other, Lit::FALSE) => return other,
            (Lit::TRUE, other) | (other, Lit::TRUE) => return !other,
            _ if a == b => return Lit::FALSE,
            _ if a == !b => return Lit::TRUE,
            _ => {}
        }
        // The signs of the inputs come out at the output.
        let flipped = a.is_positive() != b.is_positive();
        let (x, y) = (positive(a), positive(b));
        let key = (x.min(y), x.max(y));
        let differ = match self.xors.get(&key) {
            Some(&known) => known,
            None => {
                let differ = self.solver.variable();
                self.solver.clause(&[!differ, x, y]);
                self.solver.clause(&[!differ, !x, !y]);
                self.solver.clause(&[differ, !x, y]);
                self.solver.clause(&[differ, x, !y]);
                self.xors.insert(key, differ);
                differ
            }
        };
        if flipped { !differ } else { differ }
    }

    /// The second where the first is true, else the third.
    pub fn choose(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        match (condition, a, b) {
            (Lit::TRUE, ..) => return a,
            (Lit::FALSE, ..) => return b,
            _ if a == b => return a,
            _ if a == !b => return !self.xor(condition, a),
            (_, Lit::TRUE, _) => return self.or(condition, b),
            (_, Lit::FALSE, _) => return self.and(!condition, b),
            (_, _, Lit::TRUE) => return self.or(!condition, a),
            (_, _, Lit::FALSE) => return self.and(condition, a),
            _ if condition == a => return self.or(condition, b),
            _ if condition == !a => return self.and(!condition, b),
            _ if condition == b => return self.and(condition, a),
            _ if condition == !b => return self.or(!condition, a),
            _ => {}
        }
        let (condition, a, b) = match condition.is_positive() {
            true => (condition, a, b),
            false => (!condition, b, a),
        };
        if let Some(&known) = self.choices.get(&(condition, a, b)) {
            return known;
        }
        let chosen = self.solver.variable();
        self.solver.clause(&[!condition, !a, chosen]);
        self.solver.clause(&[!condition, a, !chosen]);
        self.solver.clause(&[condition, !b, chosen]);
        self.solver.clause(&[condition, b, !chosen]);
        self.solver.clause(&[!a, !b, chosen]);
        self.solver.clause(&[a, b, !chosen]);
        self.choices.insert((condition, a, b), chosen);
        chosen
    }

    /// At least two of three.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let either = self.or(b, c);
        let both = self.and(b, c);
        self.choose(a, either, both)
    }
}

fn positive(literal: Lit) -> Lit {
    if literal.is_positive() {
        literal
    } else {
        !literal
    }
}
