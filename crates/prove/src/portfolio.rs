//! Which searches decide whether goals can be reached, and in which order.
//!
//! What is wrong is found fastest with small buffers, and what is right is often seen in the over-approximation; both are
//! given a start, in growing turns; where the over-approximation has too many states, the search for attacks as well. After that the search for attacks, the backward and the bounded search take turns, each with twice the work of the turn before, and
//! the first to decide wins. Under SC the bounded search alone is complete. Under PSO, which has no backward search, it takes turns
//! with an over-approximation that merges older stores, and merges fewer of them each time that it says nothing.

use crate::attacks::{AttackSearch, Attacks};
use crate::automaton::System;
use crate::bounded::{Bounded, BoundedSearch};
use crate::certificate::Invariant;
use crate::dual::{Backward, DualSearch};
use crate::forward::{Reachable, maximal};
use crate::goal::Goal;
use crate::merged::{Found, MergedSearch};
use control::{Control, Stop};
use memory::Buffering;
use std::sync::atomic::Ordering;

/// States that the bounded search and the over-approximation explore, in turns, before anything else is tried.
const FIRST: [(usize, usize); 3] = [
    (BOUNDED_TURN, 60_000),
    (200_000, 250_000),
    (500_000, MOST_ABSTRACT),
];
/// States of the bounded search between two looks at the limits.
const BOUNDED_TURN: usize = 20_000;
/// States of the over-approximation at most.
const MOST_ABSTRACT: usize = 1_000_000;
/// States of the first turn of the over-approximation that merges stores.
const FIRST_MERGED: usize = 20_000;
/// Work of the first turn.
const FIRST_TURN: usize = 2_000;

/// Which search decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Nobody.
    Nobody,
    /// All states, with store buffers that never need more than this many stores.
    StoreBuffers(u32),
    /// The over-approximation by sets of values.
    ValueSets,
    /// The backward search with load buffers.
    LoadBuffers,
    /// The over-approximation in which older stores are merged.
    MergedStores,
    /// All states without store buffers, and that store buffers show nothing else.
    Attacks,
}

impl By {
    /// The machine, as results name it.
    pub fn name(self) -> &'static str {
        match self {
            By::Nobody => "none",
            By::StoreBuffers(_) => "store buffers",
            By::ValueSets => "value sets",
            By::LoadBuffers => "load buffers",
            By::MergedStores => "merged stores",
            By::Attacks => "attacks",
        }
    }
}

/// What is known of some goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// One is met ([`Bounded::Met`]).
    Met(Bounded),
    /// The goal of this number can be reached, but no run to it was found within the limits.
    Reachable(usize),
    /// None can be reached, with buffers of any size.
    Unreachable,
    /// Not decided within the limits: nothing with buffers of at most this many stores, less one.
    Unknown(u32),
}

/// What came of it, and how much work it was.
#[derive(Clone, Debug)]
pub struct Decided {
    /// What is known.
    pub decision: Decision,
    /// Which search decided.
    pub by: By,
    /// States and elements.
    pub states: u64,
    /// Why no goal can be reached, if it was asked for and could be made within the limits.
    pub invariant: Option<Invariant>,
}

/// Decides whether one of the goals can be reached; if not, with an invariant if that is asked for.
pub fn decide(
    system: &System,
    goals: &[Goal],
    buffering: Buffering,
    with_invariant: bool,
    control: &Control,
    stop: &Stop,
) -> Decided {
    let bounded = BoundedSearch::new(system, goals, buffering);
    let mut turns = Turns {
        bounded: if with_invariant {
            bounded.plain()
        } else {
            bounded
        },
        with_invariant,
        abstracted: 0,
        attacked: 0,
        elements: 0,
        control,
        stop,
    };
    if buffering == Buffering::None {
        return turns.bounded_only();
    }
    // An invariant is of states with buffers, which SC does not have.
    let mut attacks = (!with_invariant).then(|| AttackSearch::new(system, goals));
    let mut reachable = None;
    for (bounded, most) in FIRST {
        if let Some(decided) = turns.bounded_turn(bounded) {
            return decided;
        }
        if buffering != Buffering::PerThread {
            return turns.merging(goals, system);
        }
        reachable = Reachable::of(system, goals, most, stop);
        if let Some(reachable) = &reachable {
            turns.abstracted = reachable.states() as u64;
            if reachable.safe {
                let mut decided = turns.decided(Decision::Unreachable, By::ValueSets);
                if with_invariant {
                    let sets = maximal(system, MOST_ABSTRACT, stop);
                    decided.invariant = sets.map(Invariant::ValueSets);
                }
                return decided;
            }
            break;
        }
        // Without value sets there is less hope that the rest ends.
        if turns.is_robust(&mut attacks, most) {
            return turns.decided(Decision::Unreachable, By::Attacks);
        }
        if turns.is_over() {
            return turns.unknown();
        }
    }
    let Ok(mut dual) = DualSearch::new(system, goals, reachable.as_ref()) else {
        return turns.bounded_only();
    };
    for turn in 0.. {
        let work = FIRST_TURN << turn.min(20);
        if turns.is_robust(&mut attacks, work) {
            return turns.decided(Decision::Unreachable, By::Attacks);
        }
        let backward = dual.run(work, stop);
        turns.elements = dual.elements() as u64;
        match backward {
            Backward::Unreachable => {
                let mut decided = turns.decided(Decision::Unreachable, By::LoadBuffers);
                if with_invariant {
                    let sets = match reachable {
                        Some(_) => maximal(system, MOST_ABSTRACT, stop),
                        None => Some(Vec::new()),
                    };
                    decided.invariant =
                        sets.map(|sets| Invariant::LoadBuffers(sets, dual.minimal()));
                }
                return decided;
            }
            Backward::Reachable(goal) => {
                // There is a run: the bounded search finds it, given the time.
                let found = turns.bounded_only();
                return match found.decision {
                    Decision::Met(_) => found,
                    _ => turns.decided(Decision::Reachable(goal), By::LoadBuffers),
                };
            }
            Backward::Unknown => {}
        }
        if let Some(decided) = turns.bounded_turn(work) {
            return decided;
        }
        if turns.is_over() {
            break;
        }
    }
    turns.unknown()
}

struct Turns<'s> {
    bounded: BoundedSearch<'s>,
    abstracted: u64,
    attacked: u64,
    elements: u64,
    with_invariant: bool,
    control: &'s Control,
    stop: &'s Stop,
}

impl Turns<'_> {
    fn states(&self) -> u64 {
        self.bounded.states() as u64 + self.abstracted + self.attacked + self.elements
    }

    fn is_over(&self) -> bool {
        let states = self.states();
        let progress = &self.control.progress;
        progress.states.store(states, Ordering::Relaxed);
        progress
            .depth
            .store(self.bounded.bound().into(), Ordering::Relaxed);
        let many = self.control.max_states.is_some_and(|most| states >= most);
        many || self.stop.look().is_some()
    }

    fn decided(&self, decision: Decision, by: By) -> Decided {
        Decided {
            decision,
            by,
            states: self.states(),
            invariant: None,
        }
    }

    fn unknown(&self) -> Decided {
        self.decided(Decision::Unknown(self.bounded.bound()), By::Nobody)
    }

    /// Whether there is no attack, and no goal is met without store buffers. A search that has found something is over.
    fn is_robust(&mut self, attacks: &mut Option<AttackSearch<'_>>, work: usize) -> bool {
        let Some(search) = attacks else {
            return false;
        };
        let found = search.run(work, self.stop);
        self.attacked = search.states() as u64;
        if matches!(found, Attacks::Feasible(_) | Attacks::Met(_)) {
            *attacks = None;
        }
        found == Attacks::Robust
    }

    fn bounded_turn(&mut self, work: usize) -> Option<Decided> {
        let decision = match self.bounded.run(work, self.stop) {
            Bounded::Unknown => return None,
            Bounded::Unreachable => Decision::Unreachable,
            met @ Bounded::Met { .. } => Decision::Met(met),
        };
        let by = By::StoreBuffers(self.bounded.bound());
        let mut decided = self.decided(decision, by);
        if self.with_invariant && decided.decision == Decision::Unreachable {
            let states = self.bounded.configurations().collect();
            decided.invariant = Some(Invariant::StoreBuffers(states));
        }
        Some(decided)
    }

    /// Under PSO: the bounded search, and over-approximations that keep more and more stores in order.
    fn merging(mut self, goals: &[Goal], system: &System) -> Decided {
        let plain = self.with_invariant;
        let search = |kept| {
            let search = MergedSearch::new(system, goals, kept);
            if plain { search.plain() } else { search }
        };
        let mut merged = search(1);
        let mut finished = 0;
        for turn in 0.. {
            let work = FIRST_MERGED << turn.min(20);
            let mut left = work;
            while left > 0 {
                let before = merged.states();
                let found = merged.run(left, self.stop);
                self.abstracted = finished + merged.states() as u64;
                match found {
                    Found::Unreachable => {
                        let mut decided = self.decided(Decision::Unreachable, By::MergedStores);
                        decided.invariant = self
                            .with_invariant
                            .then(|| Invariant::MergedStores(merged.kept(), merged.maximal()));
                        return decided;
                    }
                    Found::Met => {
                        finished += merged.states() as u64;
                        left = left.saturating_sub(merged.states() - before + 1);
                        merged = search(merged.kept() + 1);
                    }
                    Found::Unknown => break,
                }
            }
            if let Some(decided) = self.bounded_turn(work) {
                return decided;
            }
            if self.is_over() {
                break;
            }
        }
        self.unknown()
    }

    fn bounded_only(&mut self) -> Decided {
        loop {
            if let Some(decided) = self.bounded_turn(BOUNDED_TURN) {
                return decided;
            }
            if self.is_over() {
                return self.unknown();
            }
        }
    }
}
