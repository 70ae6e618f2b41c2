//! The backward search for any number of threads that run the same automaton.
//!
//! A configuration has any number of copies of some automata, the *replicated* ones, and one thread for each of the others. Load buffers, memory and steps are
//! those of `dual`, which has the paper's parameterised form in its section on parameterised verification: configurations are ordered by an injection of
//! threads into threads of the same automaton that is ≤ on locals. By Higman's lemma for multisets that is a well-quasi-order, and it is monotone, since threads that are not in
//! the image need not do anything. So the search of `dual` works as it is: an absent thread may be anywhere, and of a replicated automaton
//! there always is one more that is absent. The start has any number of copies, all at their starts with empty buffers.
//!
//! Elements that contain no reachable configuration are dropped: by `own`, and by what `forward::Views` knows of the threads of an element, two at a time.

use super::buffer::is_below;
use super::element::{Element, Local};
use super::own::{OwnSequences, TooManyOwnSequences};
use super::predecessors::predecessors;
use super::reverse::Reverse;
use crate::automaton::{System, Value};
use crate::forward::Views;
use crate::goal::Goal;
use control::Stop;
use rustc_hash::FxBuildHasher;
use std::collections::VecDeque;
use std::hash::BuildHasher;

/// How far the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyNumber {
    /// No goal can be reached, with any number of threads and store buffers of any size.
    Unreachable,
    /// A goal can be reached, with this many copies of replicated automata.
    Reachable(usize),
    /// The budget is spent, or a limit was reached.
    Unknown,
}

/// All configurations with threads like these, and perhaps more.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Crowd {
    /// The automaton of each thread that is present, and its local.
    ///
    /// invariant: sorted.
    locals: Vec<(usize, Local)>,
    memory: Box<[Option<Value>]>,
    /// A bit for the automaton and state of each thread: what covers it has no others.
    signature: u64,
}

/// The backward search.
pub struct AnyNumberSearch<'s> {
    system: &'s System,
    replicated: &'s [bool],
    views: Option<&'s Views>,
    threads: Vec<Reverse>,
    own: OwnSequences,
    /// Elements, without those in the place of which a smaller one has come.
    crowds: Vec<Option<Crowd>>,
    waiting: VecDeque<usize>,
    done: Option<AnyNumber>,
}

impl<'s> AnyNumberSearch<'s> {
    /// The search for some goals, in a system of which some automata are replicated.
    pub fn new(
        system: &'s System,
        replicated: &'s [bool],
        goals: &[Goal],
        views: Option<&'s Views>,
    ) -> Result<Self, TooManyOwnSequences> {
        let mut search = AnyNumberSearch {
            system,
            replicated,
            views,
            threads: Reverse::of(system),
            own: OwnSequences::of(system)?,
            crowds: Vec::new(),
            waiting: VecDeque::new(),
            done: None,
        };
        let automata: Vec<usize> = (0..system.automata.len()).collect();
        for goal in goals {
            search.add(Element::of(goal), &automata);
        }
        Ok(search)
    }

    /// Elements that were expanded or wait to be.
    pub fn elements(&self) -> usize {
        self.crowds.len()
    }

    /// Expands at most this many elements.
    pub fn run(&mut self, budget: usize, stop: &Stop) -> AnyNumber {
        let mut found = Vec::new();
        for expanded in 0..budget {
            if let Some(done) = self.done {
                return done;
            }
            if expanded % 64 == 0 && stop.look().is_some() {
                return AnyNumber::Unknown;
            }
            let Some(next) = self.waiting.pop_front() else {
                self.done = Some(AnyNumber::Unreachable);
                continue;
            };
            let Some(crowd) = &self.crowds[next] else {
                continue;
            };
            let (element, automata) = self.with_absent(crowd);
            let kinds = automata.iter().copied();
            predecessors(kinds, &self.threads, &self.own, &element, &mut found);
            for predecessor in found.drain(..) {
                self.add(predecessor, &automata);
            }
        }
        self.done.unwrap_or(AnyNumber::Unknown)
    }

    /// The element with a thread that is absent for each automaton that may have one more, and the automata of its threads.
    fn with_absent(&self, crowd: &Crowd) -> (Element, Vec<usize>) {
        let mut automata: Vec<usize> = crowd.locals.iter().map(|(kind, _)| *kind).collect();
        let present = crowd.locals.iter().map(|(_, local)| Some(local.clone()));
        let mut locals: Vec<Option<Local>> = present.collect();
        for (kind, replicated) in self.replicated.iter().enumerate() {
            if *replicated || !automata[..crowd.locals.len()].contains(&kind) {
                automata.push(kind);
                locals.push(None);
            }
        }
        let memory = crowd.memory.clone();
        (Element { locals, memory }, automata)
    }

    fn add(&mut self, mut element: Element, automata: &[usize]) {
        element.propagate_what_memory_holds();
        let starts = element.contains_start(self.system);
        let locals = automata.iter().zip(std::mem::take(&mut element.locals));
        let mut locals: Vec<(usize, Local)> = locals
            .filter_map(|(kind, local)| Some((*kind, local?)))
            .collect();
        locals.sort_unstable();
        let threads = locals.iter().map(|(kind, local)| (*kind, local.state));
        let threads: Vec<_> = threads.collect();
        let excluded = |views: &Views| !views.meet(self.replicated, &threads, &element.memory);
        if self.views.is_some_and(excluded) {
            return;
        }
        if starts {
            let copies = locals.iter().filter(|(kind, _)| self.replicated[*kind]);
            self.done = Some(AnyNumber::Reachable(copies.count()));
        }
        let bits = threads
            .iter()
            .map(|thread| 1 << (FxBuildHasher.hash_one(thread) >> 58));
        let crowd = Crowd {
            signature: bits.fold(0, |all, bit: u64| all | bit),
            locals,
            memory: element.memory,
        };
        let known = self.crowds.iter().flatten();
        if known.into_iter().any(|known| known.covers(&crowd)) {
            return;
        }
        for known in &mut self.crowds {
            if known.as_ref().is_some_and(|known| crowd.covers(known)) {
                *known = None;
            }
        }
        self.waiting.push_back(self.crowds.len());
        self.crowds.push(Some(crowd));
    }
}

impl Crowd {
    /// True if `other` is a subset: its threads are like these, and perhaps more.
    fn covers(&self, other: &Crowd) -> bool {
        let mut memory = self.memory.iter().zip(&other.memory);
        self.signature & !other.signature == 0
            && self.locals.len() <= other.locals.len()
            && memory.all(|(mine, theirs)| mine.is_none() || mine == theirs)
            && embeds(
                &self.locals,
                &other.locals,
                &mut vec![false; other.locals.len()],
            )
    }
}

/// Whether each of the locals of `small` has one of its own in `large` that is above it, apart from those that are used.
fn embeds(small: &[(usize, Local)], large: &[(usize, Local)], used: &mut [bool]) -> bool {
    let Some(((kind, local), rest)) = small.split_first() else {
        return true;
    };
    (0..large.len()).any(|place| {
        let (other_kind, other) = &large[place];
        let fits = !used[place]
            && kind == other_kind
            && local.state == other.state
            && is_below(&local.buffer, &other.buffer);
        if !fits {
            return false;
        }
        used[place] = true;
        let found = embeds(rest, large, used);
        used[place] = false;
        found
    })
}
