//! Whether every trace is covered by the proofs so far.
//!
//! All controls are explored with the set of predicates that hold there for certain, breadth first: the predicates of all proofs, taken together, are
//! a Floyd–Hoare automaton (Heizmann, Hoenicke and Podelski, SAS 2009) whose states are sets of predicates, and what is explored is its product with
//! the interleavings. A trace is covered if on the way some step cannot be taken, given what holds. One that is not covered leads to something
//! wrong, and is what comes out.
//!
//! Invariant: every concrete state that the explored steps lead to is at a control with a set of predicates that all hold in it. What
//! is at the same control with fewer predicates stands for what has more.

use super::Abandoned;
use super::predicates::{Becomes, Predicates, Set};
use super::solver::Solver;
use super::steps::{ControlId, EffectId, Next, Step, Threads};
use super::term::{Terms, Valuation};
use control::Stop;
use rustc_hash::FxHashMap;

/// What came of it.
pub enum Covered {
    /// Every trace is covered, and whether a store found no room in some.
    All {
        /// Larger buffers may show more.
        full: bool,
    },
    /// This one is not, and leads to something wrong.
    Except(Vec<Step>),
}

struct Node {
    control: ControlId,
    set: Set,
    parent: Option<(usize, Step)>,
}

/// One exploration.
pub struct Search<'a, 'p> {
    pub terms: &'a mut Terms,
    pub solver: &'a mut Solver,
    pub threads: &'a mut Threads<'p>,
    pub predicates: &'a mut Predicates,
    pub initial: &'a Valuation,
    pub stop: &'a Stop,
    /// States at most, of all explorations together.
    pub most_states: u64,
    /// States so far, of all explorations together.
    pub states: &'a mut u64,
}

impl Search<'_, '_> {
    /// Explores until something wrong is reached, or nothing is left.
    pub fn run(mut self) -> Result<Covered, Abandoned> {
        let mut set = Set::default();
        for number in 0..self.predicates.count() {
            if self.terms.holds(self.predicates.term(number), self.initial) {
                set.insert(number);
            }
        }
        let mut live: FxHashMap<ControlId, Vec<bool>> = FxHashMap::default();
        let mut posts: FxHashMap<(EffectId, ControlId, Set), Option<Set>> = FxHashMap::default();
        let mut seen: FxHashMap<ControlId, Vec<Set>> = FxHashMap::default();
        let mut nodes = vec![Node {
            control: Threads::START,
            set,
            parent: None,
        }];
        let mut full = false;
        let mut next = 0;
        while next < nodes.len() {
            let index = next;
            next += 1;
            *self.states += 1;
            if self.stop.look().is_some() || *self.states >= self.most_states {
                return Err(Abandoned::Limit);
            }
            let (control, set) = (nodes[index].control, nodes[index].set.clone());
            full |= self.threads.is_full(control);
            for step in self.threads.steps(self.terms, control).iter() {
                match step.next {
                    Next::Wrong(_) => {
                        if self.can_be_taken(&set, step)? {
                            return Ok(Covered::Except(trace(&nodes, index, *step)));
                        }
                    }
                    Next::Control(target) => {
                        let live = live.entry(target).or_insert_with(|| self.live(target));
                        let key = (step.effect, target, set.clone());
                        let post = match posts.get(&key) {
                            Some(known) => known.clone(),
                            None => {
                                let post = self.post(&set, step, live)?;
                                posts.insert(key, post.clone());
                                post
                            }
                        };
                        let Some(post) = post else {
                            continue;
                        };
                        let known = seen.entry(target).or_default();
                        if known.iter().any(|known| known.is_subset(&post)) {
                            continue;
                        }
                        known.retain(|known| !post.is_subset(known));
                        known.push(post.clone());
                        nodes.push(Node {
                            control: target,
                            set: post,
                            parent: Some((index, *step)),
                        });
                    }
                }
            }
        }
        Ok(Covered::All { full })
    }

    /// Which predicates speak of nothing but what matters at a control.
    fn live(&self, control: ControlId) -> Vec<bool> {
        let predicates = (0..self.predicates.count()).map(|number| self.predicates.term(number));
        let is_live = |term| {
            let mut variables = self.terms.variables(term).iter();
            variables.all(|variable| self.threads.is_live(control, *variable))
        };
        predicates.map(is_live).collect()
    }

    fn can_be_taken(&mut self, set: &Set, step: &Step) -> Result<bool, Abandoned> {
        let guard = self.threads.effect(step.effect).guard;
        if self.terms.as_constant(guard).is_some_and(|word| word != 0) {
            return Ok(true);
        }
        let never = self.terms.truth(false);
        let predicates = &mut *self.predicates;
        Ok(!predicates.implied(self.terms, self.solver, set, guard, never)?)
    }

    /// What holds after a step, if it can be taken.
    fn post(&mut self, set: &Set, step: &Step, live: &[bool]) -> Result<Option<Set>, Abandoned> {
        if !self.can_be_taken(set, step)? {
            return Ok(None);
        }
        let effect = self.threads.effect(step.effect);
        let becomes = self
            .predicates
            .becomes(self.terms, step.effect, &effect)
            .to_vec();
        let mut post = Set::default();
        for (number, becomes) in becomes.into_iter().enumerate() {
            let holds = live[number]
                && match becomes {
                    Becomes::Untouched => set.contains(number),
                    Becomes::Precondition(before) => {
                        let predicates = &mut *self.predicates;
                        predicates.implied(self.terms, self.solver, set, effect.guard, before)?
                    }
                };
            if holds {
                post.insert(number);
            }
        }
        Ok(Some(post))
    }
}

fn trace(nodes: &[Node], mut index: usize, last: Step) -> Vec<Step> {
    let mut steps = vec![last];
    while let Some((parent, step)) = nodes[index].parent {
        steps.push(step);
        index = parent;
    }
    steps.reverse();
    steps
}
