//! Unbounded TSO: whether a goal can be reached with store buffers of any size, by a backward search that always ends.
//!
//! After Abdulla, Atig, Bouajjani and Ngo, *The Benefits of Duality in Verifying Concurrent Programs under TSO* (CONCUR
//! 2016; LMCS 14(1), 2018). Their machine has **load buffers** instead of store buffers:
//!
//! - a write of `x := v` by thread *p* reaches memory at once, and leaves an *own* message `(x, v, own)` at the tail of
//!   *p*'s load buffer;
//! - memory may *propagate*: append a plain message `(x, mem(x))` to the tail of any load buffer at any time;
//! - the message at the head of a load buffer may be *deleted* at any time;
//! - *p* reads *x* from its newest own message of *x*, if there is one, else from the head of its buffer, which must be a
//!   plain message of *x* and stays there;
//! - a fence and a read-modify-write need *p*'s buffer to be empty; the latter works on memory and leaves no message.
//!
//! A thread performs its instructions when, under TSO, its stores are flushed, and what it reads early waits in its buffer.
//! So both machines reach the same states in which no store waits in a buffer, memory included (Theorem 1 of the
//! paper); a goal that speaks of control only is reached in such a state if it is reached at all.
//!
//! # Normal form
//!
//! A write of *x* by *p* removes all older messages of *x* from *p*'s buffer (deviation 1). They can never be read: as
//! long as one of them is there, the own message behind it is, too, and the read takes that. Whatever a thread can do with
//! them it can do without them, and the other way round: delete them instead. So in every buffer there is at most one own
//! message for each location, and no plain message of a location before the own one.
//!
//! # The order
//!
//! Cut a buffer at its own messages: *b* = *w₀ o₁ w₁ … oₙ wₙ*, with the *wᵢ* plain. The paper's *b* ⊑ *b′* asks for the same
//! own messages in the same order, and *wᵢ* a subword of *wᵢ′* for all *i*. Here (deviation 2) *b* ≤ *b′* if *b* ⊑ *b″*
//! for some **suffix** *b″* of *b′*: the head of *b′* may be deleted first. Locals are ordered by ≤ with equal control;
//! configurations by their locals and by equality of memory.
//!
//! - *Well-quasi-order.* There are finitely many controls, memories and sequences of own messages with one for each location;
//!   for each, ⊑ is a product of subword orders over a finite alphabet (Higman). A quasi-order that contains a
//!   well-quasi-order is one, and ≤ contains ⊑.
//! - *Monotone.* If *c* ≤ *d* and *c* can do a step to *c′*, then *d* can get to some *d′* ≥ *c′*: *d* deletes until its
//!   buffers are suffixes as above, and deletes plain messages at the head as far as a read needs it (before a fence, all:
//!   then *b* is empty, so *b″* has no own message). What is then at the tail behaves alike. So the set of configurations from which a
//!   goal can be reached is upward closed under ≤, and is the closure of finitely many.
//!
//! # The search
//!
//! An `Element` stands for all configurations above it. Two more things may be left open in it (deviation 3), which only
//! makes one element of finitely many: the value of a location, and a thread as a whole (its control and
//! its buffer, *absent*), until somebody has to write what others read. `predecessors` has what comes before an element. Elements that
//! are above a known one are dropped; the search ends when none is left, or when one contains the start: all
//! threads present are at their starts with empty buffers, and memory agrees with the initial one.
//!
//! Elements that contain no reachable configuration are dropped as well (deviation 4):
//!
//! - `own` knows which sequences of own messages a thread can have in a state, from its automaton alone;
//! - `forward` knows which controls and memories occur together, in an over-approximation.
//!
//! Every element is made of configurations from which the goal is reached, so what contains the start is a real
//! violation; nothing but unreachable configurations is ever dropped, so if the search ends without one, the goal is out of reach for
//! every buffer size. Neither depends on the order in which elements are expanded.

mod any_number;
mod buffer;
mod element;
mod index;
mod own;
mod predecessors;
mod reverse;

pub use any_number::{AnyNumber, AnyNumberSearch};
pub use element::Element;
pub use own::TooManyOwnSequences;

use crate::automaton::System;
use crate::forward::Reachable;
use crate::goal::Goal;
use control::Stop;
use index::Index;
use own::OwnSequences;
use reverse::Reverse;
use std::collections::VecDeque;

/// How far the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backward {
    /// The goal is out of reach, with store buffers of any size.
    Unreachable,
    /// The goal of this number can be reached.
    Reachable(usize),
    /// The budget is spent, or a limit was reached.
    Unknown,
}

/// The backward search.
pub struct DualSearch<'s> {
    system: &'s System,
    threads: Vec<Reverse>,
    own: OwnSequences,
    reachable: Option<&'s Reachable>,
    index: Index,
    /// For each element, the goal that it leads to.
    origins: Vec<usize>,
    waiting: VecDeque<u32>,
    done: Option<Backward>,
}

impl<'s> DualSearch<'s> {
    /// The search for some goals, without what `reachable` excludes.
    pub fn new(
        system: &'s System,
        goals: &[Goal],
        reachable: Option<&'s Reachable>,
    ) -> Result<Self, TooManyOwnSequences> {
        let mut search = DualSearch {
            system,
            threads: Reverse::of(system),
            own: OwnSequences::of(system)?,
            reachable,
            index: Index::default(),
            origins: Vec::new(),
            waiting: VecDeque::new(),
            done: None,
        };
        for (number, goal) in goals.iter().enumerate() {
            search.add(Element::of(goal), number);
        }
        Ok(search)
    }

    /// Elements that were expanded or wait to be.
    pub fn elements(&self) -> usize {
        self.index.len()
    }

    /// Expands at most this many elements.
    pub fn run(&mut self, budget: usize, stop: &Stop) -> Backward {
        let mut predecessors = Vec::new();
        for expanded in 0..budget {
            if let Some(done) = self.done {
                return done;
            }
            if expanded % 256 == 0 && stop.look().is_some() {
                return Backward::Unknown;
            }
            let Some(next) = self.waiting.pop_front() else {
                self.done = Some(Backward::Unreachable);
                continue;
            };
            // A smaller element that came later has taken its place.
            let Some(element) = self.index.get(next) else {
                continue;
            };
            let element = element.clone();
            let automata = 0..self.threads.len();
            predecessors::predecessors(
                automata,
                &self.threads,
                &self.own,
                &element,
                &mut predecessors,
            );
            let goal = self.origins[next as usize];
            for predecessor in predecessors.drain(..) {
                self.add(predecessor, goal);
            }
        }
        self.done.unwrap_or(Backward::Unknown)
    }

    /// The minimal elements: from all that is in none of them no goal is reached.
    pub fn minimal(&self) -> Vec<Element> {
        self.index.minimal()
    }

    fn add(&mut self, mut element: Element, goal: usize) {
        element.propagate_what_memory_holds();
        let excluded = self.reachable.is_some_and(|reachable| {
            !reachable.meets(|thread| element.control(thread), &element.memory)
        });
        if excluded {
            return;
        }
        if element.contains_start(self.system) {
            self.done = Some(Backward::Reachable(goal));
        }
        if let Some(id) = self.index.insert(element) {
            self.origins.push(goal);
            self.waiting.push_back(id);
        }
    }
}
