//! Predicates that proofs of traces are made of, and what each step makes of them.
//!
//! [`Predicates::implied`] asks whether, in every state where some predicates and a guard hold, a condition holds: a Hoare triple, by its weakest
//! precondition. What was found out is kept: of a triple that holds the predicates that it needs, of one that does not a state that
//! shows it. So most questions are answered without the solver, in the next round and for the next buffer size as well. What the solver does not
//! decide does not hold: that makes proofs harder to find, and never wrong.

use super::solver::{Answer, Solver};
use super::steps::{Effect, EffectId};
use super::term::{Term, Terms, Valuation, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io;
use std::rc::Rc;

/// States that are kept because they show that a triple does not hold.
const MOST_MODELS: usize = 3_000;

/// A set of predicates, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set(Vec<u64>);

impl Set {
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub fn contains(&self, number: usize) -> bool {
        let word = self.0.get(number / 64);
        word.is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Whether all of these are in another set.
    pub fn is_subset(&self, other: &Set) -> bool {
        let more = self.0.get(other.0.len()..).unwrap_or_default();
        let mut pairs = self.0.iter().zip(&other.0);
        pairs.all(|(a, b)| a & !b == 0) && more.iter().all(|word| *word == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(index, word)| {
            (0..64)
                .filter(move |bit| word & (1 << bit) != 0)
                .map(move |bit| index * 64 + bit)
        })
    }
}

/// A state that shows that something does not follow.
struct Model {
    valuation: Valuation,
    predicates: Set,
    conditions: FxHashMap<Term, bool>,
}

/// What becomes of a predicate in a step.
#[derive(Clone, Copy)]
pub enum Becomes {
    /// It stays as it is.
    Untouched,
    /// It holds afterwards where this holds before, and the guard.
    Precondition(Term),
}

/// All predicates.
#[derive(Default)]
pub struct Predicates {
    terms: Vec<Term>,
    numbers: FxHashMap<Term, usize>,
    becomes: FxHashMap<EffectId, Vec<Becomes>>,
    /// For a guard and a condition, the sets of predicates from which it follows.
    cores: FxHashMap<(Term, Term), Vec<Vec<usize>>>,
    models: Vec<Model>,
    open: FxHashSet<(Term, Term, Set)>,
}

impl Predicates {
    pub fn count(&self) -> usize {
        self.terms.len()
    }

    pub fn term(&self, number: usize) -> Term {
        self.terms[number]
    }

    /// Adds a predicate; whether it is new.
    pub fn add(&mut self, terms: &Terms, term: Term) -> bool {
        if terms.as_constant(term).is_some() || self.numbers.contains_key(&term) {
            return false;
        }
        let number = self.terms.len();
        self.terms.push(term);
        self.numbers.insert(term, number);
        for model in &mut self.models {
            if terms.holds(term, &model.valuation) {
                model.predicates.insert(number);
            }
        }
        true
    }

    /// What becomes of every predicate in a step.
    pub fn becomes(&mut self, terms: &mut Terms, id: EffectId, effect: &Rc<Effect>) -> &[Becomes] {
        let known = self.becomes.entry(id).or_default();
        for predicate in &self.terms[known.len()..] {
            let before = terms.substitute(*predicate, &|variable| effect.update(variable));
            let shares = |variable: &Variable| terms.variables(effect.guard).contains(variable);
            let touched = before != *predicate || terms.variables(before).iter().any(shares);
            known.push(match touched {
                true => Becomes::Precondition(before),
                false => Becomes::Untouched,
            });
        }
        known
    }

    /// Whether a condition holds in every state where the guard and these predicates do.
    pub fn implied(
        &mut self,
        terms: &mut Terms,
        solver: &mut Solver,
        set: &Set,
        guard: Term,
        condition: Term,
    ) -> io::Result<bool> {
        if terms.as_constant(condition) == Some(1) || terms.as_constant(guard) == Some(0) {
            return Ok(true);
        }
        let known = self.numbers.get(&condition);
        if known.is_some_and(|known| set.contains(*known)) {
            return Ok(true);
        }
        if let Some(cores) = self.cores.get(&(guard, condition)) {
            let follows = |core: &Vec<usize>| core.iter().all(|number| set.contains(*number));
            if cores.iter().any(follows) {
                return Ok(true);
            }
        }
        if self.is_refuted(terms, set, guard, condition) {
            return Ok(false);
        }
        let key = (guard, condition, set.clone());
        if self.open.contains(&key) {
            return Ok(false);
        }
        let mut asked = vec![guard, terms.not(condition)];
        let numbers: Vec<usize> = set.iter().collect();
        asked.extend(numbers.iter().map(|number| self.terms[*number]));
        match solver.ask(terms, &asked)? {
            Answer::Unsatisfiable(core) => {
                let core = core
                    .into_iter()
                    .filter_map(|position| position.checked_sub(2));
                let core = core.map(|position| numbers[position]).collect();
                self.cores.entry((guard, condition)).or_default().push(core);
                Ok(true)
            }
            Answer::Satisfiable(valuation) => {
                self.keep(terms, valuation);
                Ok(false)
            }
            Answer::Unknown => {
                self.open.insert(key);
                Ok(false)
            }
        }
    }

    /// Whether a state is known where the predicates and the guard hold and the condition does not.
    fn is_refuted(&mut self, terms: &Terms, set: &Set, guard: Term, condition: Term) -> bool {
        let mut models = self.models.iter_mut().rev();
        models.any(|model| {
            let Model {
                valuation,
                predicates,
                conditions,
            } = model;
            let mut holds = |term| {
                let known = conditions.entry(term);
                *known.or_insert_with(|| terms.holds(term, valuation))
            };
            set.is_subset(predicates) && holds(guard) && !holds(condition)
        })
    }

    fn keep(&mut self, terms: &Terms, valuation: Valuation) {
        if self.models.len() >= MOST_MODELS {
            self.models.drain(..MOST_MODELS / 2);
        }
        let mut predicates = Set::default();
        for (number, term) in self.terms.iter().enumerate() {
            if terms.holds(*term, &valuation) {
                predicates.insert(number);
            }
        }
        self.models.push(Model {
            valuation,
            predicates,
            conditions: FxHashMap::default(),
        });
    }
}
