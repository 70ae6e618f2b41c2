//! One worker's view of the program: successors of states at the price of a few
//! look-ups, and what formulas say of them.

use crate::components::{Components, View};
use crate::graph::{MemoryGraph, ThreadGraph};
use answer::Outcome;
use machine::{Action, Cell, Effect, Failure, Processor, Status};
use program::{Formula, Observable, StateView, ThreadId, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A step from one state to another.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// Who moves.
    pub thread: usize,
    /// Which of the thread's actions.
    pub edge: u32,
    /// Which of the action's possible ends.
    pub way: u32,
    /// The thread's new local state.
    pub local: u32,
    /// The new content of memory.
    pub memory: u32,
}

/// Successors, remembered.
pub struct Expander<'a, P: Processor> {
    components: &'a Components<'a, P>,
    /// What each representative can do.
    threads: Vec<ThreadGraph<P::Local>>,
    memories: MemoryGraph,
    permuted: FxHashMap<(u32, Vec<u8>), u32>,
}

impl<'a, P: Processor> Expander<'a, P> {
    /// An expander that has seen nothing.
    pub fn new(components: &'a Components<'a, P>) -> Self {
        let threads = 0..components.threads();
        Expander {
            components,
            threads: threads.map(|_| ThreadGraph::default()).collect(),
            memories: MemoryGraph::default(),
            permuted: FxHashMap::default(),
        }
    }

    /// What all expanders share.
    pub fn components(&self) -> &'a Components<'a, P> {
        self.components
    }

    /// Bytes that the memory of this expander takes, roughly.
    pub fn bytes(&self) -> usize {
        let threads: usize = self.threads.iter().map(ThreadGraph::bytes).sum();
        threads + self.memories.bytes()
    }

    /// Every combination of first states of the threads, each with memory as it is
    /// at the start, last.
    pub fn initial(&self) -> impl Iterator<Item = Vec<u32>> + use<P> {
        let components = self.components;
        let first: Vec<Vec<u32>> = (0..components.threads())
            .map(|thread| {
                let representative = components.symmetry.representative(thread);
                let ways = components.processor.start(representative.into(), false);
                let locals = ways.into_iter().map(|(local, _)| local).collect();
                components.number_locals(representative, locals)
            })
            .collect();
        let cells = &components.processor.executable().cells;
        let memory = components.number_memory(cells.initial.clone().into());
        let counts = first.iter().map(|ways| ways.len() as u128);
        let combinations = counts.fold(1, u128::saturating_mul);
        (0..combinations).map(move |mut number| {
            let pick = |ways: &Vec<u32>| {
                let way = ways[(number % ways.len() as u128) as usize];
                number /= ways.len() as u128;
                way
            };
            first.iter().map(pick).chain([memory]).collect()
        })
    }

    /// Calls `visit` with every step from the state `ids`. Returns false if there
    /// is no action at all, not even one whose end does not count.
    #[inline]
    pub fn moves(&mut self, ids: &[u32], mut visit: impl FnMut(Move)) -> bool {
        let Expander {
            components,
            threads,
            memories,
            ..
        } = self;
        let (&memory, locals) = ids.split_last().expect("memory is a component");
        let mut any = false;
        for (thread, &id) in locals.iter().enumerate() {
            let representative = components.symmetry.representative(thread);
            let node = threads[representative].node(components, representative, id);
            any |= !node.edges.is_empty();
            for (number, edge) in node.edges.iter_mut().enumerate() {
                let effect = edge.action.effect;
                let cell = |cell| components.symmetry.cell(thread, cell);
                let seen = match effect {
                    Effect::Read(read) | Effect::Update(read) => {
                        memories.value(components, memory, cell(read))
                    }
                    Effect::Silent | Effect::Write(..) => 0,
                };
                let answer = edge.answer(components, representative, &node.local, seen);
                let written = match effect {
                    Effect::Silent | Effect::Read(_) => None,
                    Effect::Write(location, value) => Some((location, value)),
                    Effect::Update(location) => answer.written.map(|value| (location, value)),
                };
                let memory = match written {
                    Some((location, value)) => {
                        memories.write(components, memory, cell(location), value)
                    }
                    None => memory,
                };
                for (way, &local) in answer.targets().iter().enumerate() {
                    visit(Move {
                        thread,
                        edge: number as u32,
                        way: way as u32,
                        local,
                        memory,
                    });
                }
            }
        }
        any
    }

    /// The action behind an edge of a thread's local state.
    pub fn action(&mut self, thread: usize, id: u32, edge: u32) -> Action {
        self.node(thread, id).edges[edge as usize].action
    }

    /// The actions that a thread has in a local state.
    pub fn actions(&mut self, thread: usize, id: u32) -> impl Iterator<Item = Action> {
        self.node(thread, id).edges.iter().map(|edge| edge.action)
    }

    /// True if memory alone breaks an invariant.
    #[inline]
    pub fn memory_breaks_invariant(&mut self, memory: u32) -> bool {
        self.memories.node(self.components, memory).breaks_invariant
    }

    #[inline]
    fn node(&mut self, thread: usize, id: u32) -> &mut crate::graph::Node<P::Local> {
        let representative = self.components.symmetry.representative(thread);
        self.threads[representative].node(self.components, representative, id)
    }

    /// Whether a thread [bets](Processor::is_betting) in the state `ids`.
    #[inline]
    pub fn is_betting(&mut self, ids: &[u32]) -> bool {
        let mut threads = ids[..ids.len() - 1].iter().enumerate();
        threads.any(|(thread, &id)| self.node(thread, id).betting)
    }

    /// Whether a state follows `ids` in which nobody bets, so that `ids` can be met.
    fn can_be_met(&mut self, ids: &[u32]) -> bool {
        let mut seen: FxHashSet<Box<[u32]>> = FxHashSet::default();
        let mut open: Vec<Box<[u32]>> = vec![ids.into()];
        while let Some(ids) = open.pop() {
            if !self.is_betting(&ids) {
                return true;
            }
            let mut next = Vec::new();
            self.moves(&ids, |step| next.push(step));
            for step in next {
                let mut after = ids.clone();
                after[step.thread] = step.local;
                after[ids.len() - 1] = step.memory;
                if seen.insert(after.clone()) {
                    open.push(after);
                }
            }
        }
        false
    }

    /// The first invariant that is broken in the state `ids`, if that can be met.
    pub fn broken_invariant(&mut self, ids: &[u32]) -> Option<usize> {
        let broken = self.with_view(ids, |view| view.broken_invariant());
        broken.filter(|_| self.can_be_met(ids))
    }

    /// What the first thread that failed in the state `ids` did wrong.
    #[inline]
    pub fn failure(&mut self, ids: &[u32]) -> Option<(ThreadId, Failure)> {
        let mut threads = ids[..ids.len() - 1].iter().enumerate();
        threads.find_map(|(thread, &id)| match self.node(thread, id).status {
            Status::Failed(failure) => Some((thread.into(), failure)),
            Status::Running | Status::Finished => None,
        })
    }

    /// True if every thread has ended in the state `ids`.
    pub fn is_final(&mut self, ids: &[u32]) -> bool {
        let mut threads = ids[..ids.len() - 1].iter().enumerate();
        threads.all(|(thread, &id)| self.node(thread, id).status == Status::Finished)
    }

    /// What is observed of the final state `ids`, and whether it satisfies the
    /// program's condition; nothing if it does not pass the filter.
    pub fn outcome(&mut self, ids: &[u32]) -> Option<(Outcome, bool)> {
        let program = self.components.program;
        let condition = program.properties.condition.as_ref();
        self.with_view(ids, |view| {
            let holds = |formula: &Formula| formula.evaluate(view) == Some(true);
            let value = |o: &Observable| o.width.truncate(view.value(o.location).unwrap_or(0));
            program.properties.filter.iter().all(holds).then(|| {
                let outcome = Outcome(program.observed.iter().map(value).collect());
                (
                    outcome,
                    condition.is_some_and(|c| holds(&c.property.formula)),
                )
            })
        })
    }

    /// The state `ids`, for formulas.
    pub fn with_view<R>(&mut self, ids: &[u32], look: impl FnOnce(&View<'_, '_, P>) -> R) -> R {
        let (&memory, threads) = ids.split_last().expect("memory is a component");
        let locals: Vec<Arc<P::Local>> = threads
            .iter()
            .enumerate()
            .map(|(thread, &id)| self.node(thread, id).local.clone())
            .collect();
        let memory = self.memories.node(self.components, memory).values.clone();
        look(&View {
            components: self.components,
            locals: &locals,
            memory: &memory,
        })
    }

    /// The content of memory with cells moved about: cell *n* gets the value of
    /// cell `from[n]`.
    pub fn permute_memory(&mut self, memory: u32, order: &[u8], from: &[Cell]) -> u32 {
        if let Some(found) = self.permuted.get(&(memory, order.to_vec())) {
            return *found;
        }
        let values = self.memories.node(self.components, memory).values.clone();
        let permuted = from.iter().map(|cell| values[cell.0 as usize]).collect();
        let id = self.components.number_memory(permuted);
        self.permuted.insert((memory, order.to_vec()), id);
        id
    }

    /// The value of a cell.
    #[inline]
    pub fn value(&mut self, memory: u32, cell: Cell) -> Word {
        self.memories.value(self.components, memory, cell)
    }
}
