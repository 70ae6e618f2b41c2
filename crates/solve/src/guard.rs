//! Conditions under which control comes somewhere, as binary decision diagrams.
//!
//! A guard is a truth function of *atoms*: the conditions on which the threads' branches
//! decide, numbered in the order in which they come up. Diagrams are reduced and shared, so
//! equal guards are the same guard, and where two branches meet again their condition is gone.

use crate::term::TermId;
use rustc_hash::FxHashMap;

/// A guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guard(u32);

impl Guard {
    /// Never.
    pub const FALSE: Guard = Guard(0);
    /// Always.
    pub const TRUE: Guard = Guard(1);

    /// The guard that always or never holds.
    pub fn constant(holds: bool) -> Guard {
        if holds { Guard::TRUE } else { Guard::FALSE }
    }

    /// Its number, smaller than that of every guard made later.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a guard that is no constant decides on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// The atom's number.
    pub atom: u32,
    /// What is left if the atom holds.
    pub then: Guard,
    /// What is left if it does not.
    pub otherwise: Guard,
}

/// All guards of a program.
#[derive(Debug)]
pub struct Guards {
    decisions: Vec<Decision>,
    numbers: FxHashMap<Decision, Guard>,
    atoms: Vec<TermId>,
    atom_numbers: FxHashMap<TermId, u32>,
    choices: FxHashMap<(Guard, Guard, Guard), Guard>,
    simplified: FxHashMap<(Guard, Guard), Guard>,
}

const NO_ATOM: u32 = u32::MAX;

impl Guards {
    /// No guards but the constants.
    pub fn new() -> Self {
        let constant = |guard| Decision {
            atom: NO_ATOM,
            then: guard,
            otherwise: guard,
        };
        Guards {
            decisions: vec![constant(Guard::FALSE), constant(Guard::TRUE)],
            numbers: FxHashMap::default(),
            atoms: Vec::new(),
            atom_numbers: FxHashMap::default(),
            choices: FxHashMap::default(),
            simplified: FxHashMap::default(),
        }
    }

    /// That a term of one bit is 1.
    pub fn atom(&mut self, term: TermId) -> Guard {
        let next = self.atoms.len() as u32;
        let atom = *self.atom_numbers.entry(term).or_insert(next);
        if atom == next {
            self.atoms.push(term);
        }
        self.node(atom, Guard::TRUE, Guard::FALSE)
    }

    /// The term of an atom.
    pub fn term(&self, atom: u32) -> TermId {
        self.atoms[atom as usize]
    }

    /// What a guard decides on; `None` for the constants.
    pub fn decision(&self, guard: Guard) -> Option<Decision> {
        let decision = self.decisions[guard.index()];
        (decision.atom != NO_ATOM).then_some(decision)
    }

    fn node(&mut self, atom: u32, then: Guard, otherwise: Guard) -> Guard {
        if then == otherwise {
            return then;
        }
        let decision = Decision {
            atom,
            then,
            otherwise,
        };
        let next = Guard(self.decisions.len() as u32);
        let guard = *self.numbers.entry(decision).or_insert(next);
        if guard == next {
            self.decisions.push(decision);
        }
        guard
    }

    /// What is left of a guard if an atom, not after its first one, holds or not.
    fn part(&self, guard: Guard, atom: u32, holds: bool) -> Guard {
        let decision = self.decisions[guard.index()];
        match decision.atom == atom {
            true if holds => decision.then,
            true => decision.otherwise,
            false => guard,
        }
    }

    /// The second guard where the first holds, else the third.
    pub fn choose(&mut self, condition: Guard, then: Guard, otherwise: Guard) -> Guard {
        match (condition, then, otherwise) {
            (Guard::TRUE, ..) => return then,
            (Guard::FALSE, ..) => return otherwise,
            (_, Guard::TRUE, Guard::FALSE) => return condition,
            _ if then == otherwise => return then,
            _ => {}
        }
        let key = (condition, then, otherwise);
        if let Some(&known) = self.choices.get(&key) {
            return known;
        }
        let atoms = [condition, then, otherwise].map(|guard| self.decisions[guard.index()].atom);
        let atom = atoms.into_iter().min().unwrap_or(NO_ATOM);
        let [yes, no] = [true, false].map(|holds| {
            let [a, b, c] = [condition, then, otherwise].map(|g| self.part(g, atom, holds));
            self.choose(a, b, c)
        });
        let guard = self.node(atom, yes, no);
        self.choices.insert(key, guard);
        guard
    }

    /// Both.
    pub fn and(&mut self, a: Guard, b: Guard) -> Guard {
        self.choose(a, b, Guard::FALSE)
    }

    /// One of them.
    pub fn or(&mut self, a: Guard, b: Guard) -> Guard {
        self.choose(a, Guard::TRUE, b)
    }

    /// Not.
    pub fn not(&mut self, guard: Guard) -> Guard {
        self.choose(guard, Guard::FALSE, Guard::TRUE)
    }

    /// The first but not the second.
    pub fn minus(&mut self, a: Guard, b: Guard) -> Guard {
        self.choose(b, Guard::FALSE, a)
    }

    /// True if the second holds wherever the first does.
    pub fn implies(&mut self, a: Guard, b: Guard) -> bool {
        b == Guard::TRUE || a == b || self.minus(a, b) == Guard::FALSE
    }

    /// A guard, simpler if possible, that agrees with `guard` wherever `care` holds
    /// (Coudert and Madre's restriction).
    pub fn simplify(&mut self, guard: Guard, care: Guard) -> Guard {
        if care == Guard::FALSE {
            return Guard::FALSE;
        }
        if care == Guard::TRUE || guard == Guard::TRUE || guard == Guard::FALSE {
            return guard;
        }
        if guard == care {
            return Guard::TRUE;
        }
        if let Some(&known) = self.simplified.get(&(guard, care)) {
            return known;
        }
        let simpler = self.simplify_decision(guard, care);
        self.simplified.insert((guard, care), simpler);
        simpler
    }

    fn simplify_decision(&mut self, guard: Guard, care: Guard) -> Guard {
        let [mine, theirs] = [guard, care].map(|g| self.decisions[g.index()].atom);
        if theirs < mine {
            let decision = self.decisions[care.index()];
            let either = self.or(decision.then, decision.otherwise);
            return self.simplify(guard, either);
        }
        let decision = self.decisions[guard.index()];
        let [when, unless] = [true, false].map(|holds| self.part(care, mine, holds));
        if when == Guard::FALSE {
            return self.simplify(decision.otherwise, unless);
        }
        if unless == Guard::FALSE {
            return self.simplify(decision.then, when);
        }
        let then = self.simplify(decision.then, when);
        let otherwise = self.simplify(decision.otherwise, unless);
        self.node(mine, then, otherwise)
    }
}

impl Default for Guards {
    fn default() -> Self {
        Guards::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_that_meet_again_leave_no_condition() {
        let mut guards = Guards::new();
        let [a, b, c] = [0, 1, 2].map(|number| guards.atom(TermId(number)));
        let start = guards.and(a, b);
        let then = guards.and(start, c);
        let otherwise = guards.minus(start, c);
        assert_ne!(then, otherwise);
        assert_eq!(guards.or(then, otherwise), start);
        assert!(guards.implies(then, a));
        assert!(!guards.implies(a, then));
        assert_eq!(guards.simplify(then, start), c);
    }
}
