//! The proof of one trace, or values for which it can be run.
//!
//! A trace is a sequence of guarded updates. From the start, where all variables are known, it is run forwards with terms: if all guards hold, for some values of what
//! is chosen on the way, it is an execution. If not, a short part of it that cannot be run is looked for, best one that cannot be run from
//! *any* state, as late as possible: such a reason speaks of what the steps do, not of how often a loop came round
//! before. Of its guards only those are kept that are needed. Going backwards through the part, the weakest precondition of "some of these guards fails"
//! is a predicate for every position: it follows at the first, each gives the next, and the last says that the trace ends there.
//!
//! Values that are chosen must not occur in a predicate: it would have to hold for all of them. A disjunct with one is left out, and the
//! proof is given up if it needs the disjunct.

use super::Abandoned;
use super::solver::{Answer, Solver};
use super::steps::Effect;
use super::term::{Term, Terms, Valuation, Variable};
use program::Binary;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Choices of one step at most.
const MOST_CHOICES: u32 = 64;

/// Words are compared up to this difference.
const FAR_APART: u64 = 4;

/// What comes of a trace.
pub enum Outcome {
    /// It is an execution, with these values chosen.
    Execution(Valuation),
    /// It is none; predicates that show it.
    Infeasible(Vec<Term>),
}

/// A trace that is looked at.
pub struct Trace<'a> {
    pub terms: &'a mut Terms,
    pub solver: &'a mut Solver,
    pub initial: &'a Valuation,
    pub effects: &'a [Rc<Effect>],
}

/// A condition on the state at the beginning of a part: a conjunct of the guard of the step at this position.
#[derive(Clone, Copy)]
struct Needed {
    position: usize,
    conjunct: Term,
    condition: Term,
}

/// The term of a value that is chosen in the step at a position of a trace.
pub fn chosen(terms: &mut Terms, position: usize, variable: Variable) -> Option<Term> {
    let Variable::Choice(index, width) = variable else {
        return None;
    };
    let number = position as u32 * MOST_CHOICES + index;
    Some(terms.variable(Variable::Chosen(number, width), width))
}

impl Trace<'_> {
    pub fn run(mut self) -> Result<Outcome, Abandoned> {
        let last = self.effects.len();
        let from_start = self.conditions(0, last, true);
        let falsehood = from_start
            .iter()
            .find(|needed| self.is(needed.condition, 0));
        let open: Vec<Term> = from_start.iter().map(|needed| needed.condition).collect();
        if falsehood.is_none() {
            let open: Vec<Term> = open
                .into_iter()
                .filter(|condition| !self.is(*condition, 1))
                .collect();
            match self.solver.ask(self.terms, &open)? {
                Answer::Satisfiable(chosen) => return Ok(Outcome::Execution(chosen)),
                Answer::Unsatisfiable(_) => {}
                Answer::Unknown => return Err(Abandoned::Solver),
            }
        }
        let end = falsehood.map_or(last, |needed| needed.position + 1);
        let mut found = Vec::new();
        if self.is_infeasible(0, last, false)? {
            found = self.late_reason(last)?;
        }
        // Late reasons alone may speak of ever longer ways to the same contradiction.
        found.extend(self.reason(0, end, true)?);
        Ok(Outcome::Infeasible(found))
    }

    /// Predicates for the latest part that cannot be run from any state; there is one.
    fn late_reason(&mut self, last: usize) -> Result<Vec<Term>, Abandoned> {
        let (mut begin, mut too_late) = (0, last);
        while too_late - begin > 1 {
            let middle = (begin + too_late) / 2;
            match self.is_infeasible(middle, last, false)? {
                true => begin = middle,
                false => too_late = middle,
            }
        }
        self.reason(begin, last, false)
    }

    /// Predicates for the shortest beginning of a part that cannot be run.
    fn reason(
        &mut self,
        begin: usize,
        mut end: usize,
        from_start: bool,
    ) -> Result<Vec<Term>, Abandoned> {
        let mut too_early = begin;
        while end - too_early > 1 {
            let middle = (end + too_early) / 2;
            match self.is_infeasible(begin, middle, from_start)? {
                true => end = middle,
                false => too_early = middle,
            }
        }
        let needed = self.needed(begin, end, from_start)?;
        self.predicates(begin, end, &needed)
    }

    fn is(&self, condition: Term, truth: u64) -> bool {
        self.terms.as_constant(condition) == Some(truth)
    }

    /// The conditions under which a part of the trace can be run, over the state at its beginning, or from the start of everything.
    fn conditions(&mut self, begin: usize, end: usize, from_start: bool) -> Vec<Needed> {
        let mut state: FxHashMap<Variable, Term> = FxHashMap::default();
        let mut conditions = Vec::new();
        for position in begin..end {
            let effect = self.effects[position].clone();
            for conjunct in self.terms.conjuncts(effect.guard) {
                let condition = self.at_beginning(conjunct, position, &state, from_start);
                conditions.push(Needed {
                    position,
                    conjunct,
                    condition,
                });
            }
            let updates = effect.updates.iter();
            let updates: Vec<(Variable, Term)> = updates
                .map(|(variable, term)| {
                    (
                        *variable,
                        self.at_beginning(*term, position, &state, from_start),
                    )
                })
                .collect();
            state.extend(updates);
        }
        conditions
    }

    /// A term over the state at a position, over the state at the beginning.
    fn at_beginning(
        &mut self,
        term: Term,
        position: usize,
        state: &FxHashMap<Variable, Term>,
        from_start: bool,
    ) -> Term {
        let variables = self.terms.variables(term).to_vec();
        let mut by: FxHashMap<Variable, Term> = FxHashMap::default();
        for variable in variables {
            let new = match (chosen(self.terms, position, variable), state.get(&variable)) {
                (Some(chosen), _) => chosen,
                (None, Some(known)) => *known,
                (None, None) if from_start => {
                    let word = self.initial.get(&variable).copied().unwrap_or_default();
                    let width = self.terms.width_of(variable, term);
                    self.terms.constant(word, width)
                }
                (None, None) => continue,
            };
            by.insert(variable, new);
        }
        self.terms
            .substitute(term, &|variable| by.get(&variable).copied())
    }

    fn is_infeasible(
        &mut self,
        begin: usize,
        end: usize,
        from_start: bool,
    ) -> Result<bool, Abandoned> {
        let conditions = self.conditions(begin, end, from_start);
        let conditions: Vec<Term> = conditions.iter().map(|needed| needed.condition).collect();
        self.is_contradiction(&conditions)
    }

    fn is_contradiction(&mut self, conditions: &[Term]) -> Result<bool, Abandoned> {
        if conditions.iter().any(|condition| self.is(*condition, 0)) {
            return Ok(true);
        }
        let open = conditions
            .iter()
            .copied()
            .filter(|condition| !self.is(*condition, 1));
        let open: Vec<Term> = open.collect();
        if open.is_empty() {
            return Ok(false);
        }
        let answer = self.solver.ask(self.terms, &open)?;
        Ok(matches!(answer, Answer::Unsatisfiable(_)))
    }

    /// Guards of a part without any of which it could be run, for all that is known.
    fn needed(
        &mut self,
        begin: usize,
        end: usize,
        from_start: bool,
    ) -> Result<Vec<Needed>, Abandoned> {
        let mut needed = self.conditions(begin, end, from_start);
        if let Some(alone) = needed
            .iter()
            .position(|needed| self.is(needed.condition, 0))
        {
            return Ok(vec![needed[alone]]);
        }
        needed.retain(|needed| !self.is(needed.condition, 1));
        let conditions: Vec<Term> = needed.iter().map(|needed| needed.condition).collect();
        if let Answer::Unsatisfiable(core) = self.solver.ask(self.terms, &conditions)? {
            let all = needed.iter().enumerate();
            let all = all.filter(|(index, _)| core.contains(index));
            needed = all.map(|(_, needed)| *needed).collect();
        }
        let mut index = 0;
        while index < needed.len() && needed.len() > 1 {
            let others = needed
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            let others: Vec<Term> = others.map(|(_, needed)| needed.condition).collect();
            match self.is_contradiction(&others)? {
                true => {
                    needed.remove(index);
                }
                false => index += 1,
            }
        }
        Ok(needed)
    }

    /// A predicate for each position of a part: that some of the guards that are needed fails from there on.
    fn predicates(
        &mut self,
        begin: usize,
        end: usize,
        needed: &[Needed],
    ) -> Result<Vec<Term>, Abandoned> {
        let states = self.states();
        let mut found = Vec::new();
        let mut disjuncts: Vec<Term> = Vec::new();
        for position in (begin..end).rev() {
            let after = self.disjunction(&disjuncts);
            let effect = self.effects[position].clone();
            let mut by: FxHashMap<Variable, Term> = FxHashMap::default();
            for (variable, term) in &effect.updates {
                by.insert(*variable, self.with_chosen(*term, position));
            }
            for disjunct in &mut disjuncts {
                *disjunct = self
                    .terms
                    .substitute(*disjunct, &|variable| by.get(&variable).copied());
            }
            for needed in needed.iter().filter(|needed| needed.position == position) {
                let conjunct = self.with_chosen(needed.conjunct, position);
                disjuncts.push(self.terms.not(conjunct));
            }
            let count = disjuncts.len();
            let terms = &*self.terms;
            let is_chosen = |variable: &Variable| matches!(variable, Variable::Chosen(..));
            disjuncts.retain(|disjunct| !terms.variables(*disjunct).iter().any(is_chosen));
            let left_out = count > disjuncts.len();
            let before = self.disjunction(&disjuncts);
            if left_out && !self.is_triple(before, position, after)? {
                return Err(Abandoned::Choices);
            }
            if position > begin {
                found.push(before);
                if let Some(state) = states.get(position) {
                    found.extend(self.equalities(&disjuncts, state));
                }
            }
        }
        Ok(found)
    }

    /// The states that the trace goes through from the start, up to a guard that does not hold.
    fn states(&self) -> Vec<Valuation> {
        let mut states = vec![self.initial.clone()];
        for effect in self.effects {
            let Some(state) = states.last().filter(|s| self.terms.holds(effect.guard, s)) else {
                break;
            };
            let updates = effect.updates.iter();
            let updates = updates.map(|(v, term)| (*v, self.terms.value(*term, state)));
            let mut next = state.clone();
            next.extend(updates);
            states.push(next);
        }
        states
    }

    /// For disjuncts that say that two words differ, how far they are apart in a state, if that is little. A proof that speaks of inequalities
    /// alone (`x` is not `y + 1`, not `y + 2`, …) need not end.
    fn equalities(&mut self, disjuncts: &[Term], state: &Valuation) -> Vec<Term> {
        let mut found = Vec::new();
        for disjunct in disjuncts {
            let Some((a, b)) = self.terms.as_inequality(*disjunct) else {
                continue;
            };
            let width = self.terms.width(a);
            let apart = self
                .terms
                .value(a, state)
                .wrapping_sub(self.terms.value(b, state));
            if width.signed(width.truncate(apart)).unsigned_abs() <= FAR_APART {
                let apart = self.terms.constant(apart, width);
                let b = self.terms.binary(Binary::Add, b, apart);
                found.push(self.terms.equal(a, b));
            }
        }
        found
    }

    fn with_chosen(&mut self, term: Term, position: usize) -> Term {
        let variables = self.terms.variables(term).to_vec();
        let mut by: FxHashMap<Variable, Term> = FxHashMap::default();
        for variable in variables {
            if let Some(chosen) = chosen(self.terms, position, variable) {
                by.insert(variable, chosen);
            }
        }
        self.terms
            .substitute(term, &|variable| by.get(&variable).copied())
    }

    fn disjunction(&mut self, disjuncts: &[Term]) -> Term {
        let never = self.terms.truth(false);
        let disjuncts = disjuncts.iter();
        disjuncts.fold(never, |all, disjunct| self.terms.or(all, *disjunct))
    }

    /// Whether the step at a position leads from where a condition holds only to where another does.
    fn is_triple(&mut self, before: Term, position: usize, after: Term) -> Result<bool, Abandoned> {
        let effect = self.effects[position].clone();
        let then = self
            .terms
            .substitute(after, &|variable| effect.update(variable));
        let not = self.terms.not(then);
        self.is_contradiction(&[before, effect.guard, not])
    }
}
