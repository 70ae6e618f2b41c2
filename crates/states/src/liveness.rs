//! Liveness: does every fair execution come to satisfy a formula?
//!
//! An execution is fair if no kind of [progress](machine::Action::progress) is
//! possible from some point on and never made: the oldest entry of every reorder
//! box is performed again and again, stores leave their buffers, and every thread
//! that can move moves. An execution that ends stays at its end for ever.
//!
//! `eventually P` fails if a fair execution never satisfies P; `always eventually P`
//! if one stops doing so. Either way there is a path into a strongly connected
//! part of the states without P that is fair taken as a whole: each kind of
//! progress is made in it, or is not possible somewhere in it. The counterexample
//! is a lasso: the path, then a tour through the part.

use crate::expander::{Expander, Move};
use crate::paths::{Limit, Paths};
use answer::Bound;
use machine::{Processor, Schedule};
use program::Liveness;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The graph of all states in question.
struct Graph {
    paths: Paths,
    /// Where the steps of each state begin in `steps`; one more at the end.
    first: Vec<u32>,
    steps: Vec<(Move, u32)>,
    /// Whether the formula does not hold.
    without: Vec<bool>,
}

/// A kind of progress of a thread.
type Kind = (usize, u32);

/// A fair execution that breaks `liveness`, if there is one. Fails if the limit does
/// not let it go through all states.
pub fn counterexample<P: Processor>(
    expander: &mut Expander<'_, P>,
    limit: &Limit<'_>,
    liveness: &Liveness,
) -> Result<Option<Schedule>, Bound> {
    let graph = Graph::explore(expander, limit, liveness)?;
    let parts = graph.strongly_connected();
    let part = parts.iter().find(|part| graph.is_fair(expander, part));
    Ok(part.map(|part| graph.lasso(expander, part)))
}

impl Graph {
    /// All states; for `eventually`, only those reached without meeting the formula.
    fn explore<P: Processor>(
        expander: &mut Expander<'_, P>,
        limit: &Limit<'_>,
        liveness: &Liveness,
    ) -> Result<Self, Bound> {
        let mut graph = Graph {
            paths: Paths::initial(expander, limit)?,
            first: Vec::new(),
            steps: Vec::new(),
            without: Vec::new(),
        };
        let formula = &liveness.property.formula;
        let mut found = Vec::new();
        let mut number = 0;
        while number < graph.paths.len() {
            limit.check(&graph.paths)?;
            let state: Box<[u32]> = graph.paths.state(number).into();
            let holds = expander.with_view(&state, |view| formula.evaluate(view)) == Some(true);
            graph.first.push(graph.steps.len() as u32);
            graph.without.push(!holds);
            if !holds || liveness.repeatedly {
                found.clear();
                expander.moves(&state, |step| found.push(step));
                for &step in &found {
                    let ids = graph.paths.after(number, step);
                    let (target, _) = graph.paths.add(ids, number, step);
                    graph.steps.push((step, target));
                }
            }
            number += 1;
        }
        graph.first.push(graph.steps.len() as u32);
        Ok(graph)
    }

    fn steps_of(&self, state: u32) -> &[(Move, u32)] {
        let (from, to) = (self.first[state as usize], self.first[state as usize + 1]);
        &self.steps[from as usize..to as usize]
    }

    /// The strongly connected parts of the states without the formula, by Tarjan's
    /// algorithm with an explicit stack.
    fn strongly_connected(&self) -> Vec<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        let count = self.without.len();
        let mut index = vec![NEW; count];
        let mut low = vec![0; count];
        let mut on_stack = vec![false; count];
        let mut stack = Vec::new();
        let mut parts = Vec::new();
        let mut next = 0;
        for root in 0..count as u32 {
            if index[root as usize] != NEW || !self.without[root as usize] {
                continue;
            }
            let mut calls: Vec<(u32, usize)> = vec![(root, 0)];
            while let Some(&mut (state, ref mut position)) = calls.last_mut() {
                let at = state as usize;
                if *position == 0 && index[at] == NEW {
                    index[at] = next;
                    low[at] = next;
                    next += 1;
                    stack.push(state);
                    on_stack[at] = true;
                }
                if let Some(&(_, target)) = self.steps_of(state).get(*position) {
                    *position += 1;
                    let to = target as usize;
                    if !self.without[to] {
                        continue;
                    }
                    if index[to] == NEW {
                        calls.push((target, 0));
                    } else if on_stack[to] {
                        low[at] = low[at].min(index[to]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(parent, _)) = calls.last() {
                    low[parent as usize] = low[parent as usize].min(low[at]);
                }
                if low[at] == index[at] {
                    let start = stack.iter().rposition(|&s| s == state).unwrap_or(0);
                    let part = stack.split_off(start);
                    part.iter().for_each(|&s| on_stack[s as usize] = false);
                    parts.push(part);
                }
            }
        }
        parts
    }

    /// The kinds of progress that are possible in a state.
    fn possible<P: Processor>(&self, expander: &mut Expander<'_, P>, state: u32) -> BTreeSet<Kind> {
        let (_, locals) = self.paths.state(state).split_last().expect("memory");
        let mut kinds = BTreeSet::new();
        for (thread, &id) in locals.iter().enumerate() {
            let progress = expander
                .actions(thread, id)
                .filter_map(|action| action.progress);
            kinds.extend(progress.map(|kind| (thread, kind)));
        }
        kinds
    }

    /// The kind of progress that a step makes.
    fn kind<P: Processor>(
        &self,
        expander: &mut Expander<'_, P>,
        from: u32,
        step: Move,
    ) -> Option<Kind> {
        let local = self.paths.state(from)[step.thread];
        let action = expander.action(step.thread, local, step.edge);
        action.progress.map(|kind| (step.thread, kind))
    }

    /// The steps of a state that stay within `part`.
    fn inner<'a>(
        &'a self,
        part: &'a BTreeSet<u32>,
        state: u32,
    ) -> impl Iterator<Item = (Move, u32)> + 'a {
        let steps = self.steps_of(state).iter().copied();
        steps.filter(move |(_, target)| part.contains(target))
    }

    /// Whether an execution that stays in `part` for ever can be fair.
    fn is_fair<P: Processor>(&self, expander: &mut Expander<'_, P>, part: &[u32]) -> bool {
        let states: BTreeSet<u32> = part.iter().copied().collect();
        let moves = part
            .iter()
            .any(|&state| self.inner(&states, state).next().is_some());
        let mut owed: Option<BTreeSet<Kind>> = None;
        for &state in part {
            let possible = self.possible(expander, state);
            owed = Some(match owed {
                None => possible,
                Some(owed) => owed.intersection(&possible).copied().collect(),
            });
        }
        let mut owed = owed.unwrap_or_default();
        if !moves {
            // An end: fair if nothing at all is possible there.
            return self.steps_of(part[0]).is_empty() && owed.is_empty();
        }
        for &state in part {
            for (step, _) in self.inner(&states, state) {
                if let Some(kind) = self.kind(expander, state, step) {
                    owed.remove(&kind);
                }
            }
        }
        owed.is_empty()
    }

    /// A path to `part`, then a fair tour through it.
    fn lasso<P: Processor>(&self, expander: &mut Expander<'_, P>, part: &[u32]) -> Schedule {
        let states: BTreeSet<u32> = part.iter().copied().collect();
        let home = *states.first().expect("a part has states");
        let mut schedule = self.paths.schedule(expander, home);
        schedule.repeats_from = Some(schedule.choices.len());
        // Kinds still to be made, or found impossible, on the tour.
        let mut owed = self.possible(expander, home);
        let mut at = home;
        while let Some(&kind) = owed.first() {
            let mut wanted = |from: u32, step: Move, target: u32| {
                self.kind(expander, from, step) == Some(kind)
                    || !self.possible(expander, target).contains(&kind)
            };
            let Some(walk) = self.walk(&states, at, &mut wanted) else {
                owed.remove(&kind);
                continue;
            };
            for (from, step, target) in walk {
                if let Some(made) = self.kind(expander, from, step) {
                    owed.remove(&made);
                }
                let possible = self.possible(expander, target);
                owed.retain(|kind| possible.contains(kind));
                schedule
                    .choices
                    .push(self.paths.choice(expander, from, step));
                at = target;
            }
        }
        let start = schedule.repeats_from == Some(schedule.choices.len());
        if at != home || (start && part.len() > 1) {
            let back = self.walk(&states, at, &mut |_, _, target| target == home);
            for (from, step, _) in back.unwrap_or_default() {
                schedule
                    .choices
                    .push(self.paths.choice(expander, from, step));
            }
        }
        schedule
    }

    /// The shortest walk within `states` from `start` whose last step is `wanted`.
    fn walk(
        &self,
        states: &BTreeSet<u32>,
        start: u32,
        wanted: &mut dyn FnMut(u32, Move, u32) -> bool,
    ) -> Option<Vec<(u32, Move, u32)>> {
        let mut came: BTreeMap<u32, (u32, Move)> = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            for (step, target) in self.inner(states, state) {
                if wanted(state, step, target) {
                    let mut walk = vec![(state, step, target)];
                    let mut at = state;
                    while at != start {
                        let (before, step) = came[&at];
                        walk.push((before, step, at));
                        at = before;
                    }
                    walk.reverse();
                    return Some(walk);
                }
                if target != start && !came.contains_key(&target) {
                    came.insert(target, (state, step));
                    queue.push_back(target);
                }
            }
        }
        None
    }
}
