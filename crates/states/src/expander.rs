//! One worker's memory of what threads can do: successors of states at the price
//! of a few look-ups.

use crate::components::{Components, Memory, View};
use machine::{Action, Cell, Effect, Processor, Status};
use program::{Formula, Observable, Outcome, StateView, ThreadId, Word};
use rustc_hash::FxHashMap;
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
    /// Local states of each representative, by number.
    nodes: Vec<Vec<Option<Box<Node<P::Local>>>>>,
    memories: Vec<Option<Box<MemoryNode>>>,
    permuted: FxHashMap<(u32, Vec<u8>), u32>,
    bytes: usize,
}

struct Node<L> {
    local: Arc<L>,
    status: Status,
    edges: Vec<Edge>,
}

struct Edge {
    action: Action,
    answers: Vec<Answer>,
}

/// What comes of an action, given the value seen.
struct Answer {
    seen: Word,
    written: Option<Word>,
    targets: Box<[u32]>,
}

struct MemoryNode {
    values: Arc<Memory>,
    breaks_invariant: bool,
    writes: Vec<(Cell, Word, u32)>,
}

impl<'a, P: Processor> Expander<'a, P> {
    /// An expander that has seen nothing.
    pub fn new(components: &'a Components<'a, P>) -> Self {
        let nodes = (0..components.threads()).map(|_| Vec::new()).collect();
        Expander {
            components,
            nodes,
            memories: Vec::new(),
            permuted: FxHashMap::default(),
            bytes: 0,
        }
    }

    /// What all expanders share.
    pub fn components(&self) -> &'a Components<'a, P> {
        self.components
    }

    /// Bytes that the memory of this expander takes, roughly.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Calls `visit` with every combination of first states of the threads, each
    /// with memory as it is at the start, last.
    pub fn initial(&self, mut visit: impl FnMut(&[u32])) {
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
        let combinations = first.iter().map(Vec::len).product::<usize>();
        for mut number in 0..combinations {
            let mut ids = Vec::with_capacity(first.len() + 1);
            for ways in &first {
                ids.push(ways[number % ways.len()]);
                number /= ways.len();
            }
            ids.push(memory);
            visit(&ids);
        }
    }

    /// Calls `visit` with every step from the state `ids`. Returns false if there
    /// is no action at all, not even one whose end does not count.
    #[inline]
    pub fn moves(&mut self, ids: &[u32], mut visit: impl FnMut(Move)) -> bool {
        let memory = ids[ids.len() - 1];
        let mut any = false;
        for (thread, &id) in ids[..ids.len() - 1].iter().enumerate() {
            let representative = self.components.symmetry.representative(thread);
            let edges = self.node(representative, id).edges.len();
            any |= edges > 0;
            for edge in 0..edges {
                let (answer, memory) = self.answer(thread, representative, id, edge, memory);
                let node = self.nodes[representative][id as usize].as_ref();
                let targets =
                    node.map_or(&[][..], |node| &node.edges[edge].answers[answer].targets);
                for (way, &local) in targets.iter().enumerate() {
                    visit(Move {
                        thread,
                        edge: edge as u32,
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
        let representative = self.components.symmetry.representative(thread);
        self.node(representative, id).edges[edge as usize].action
    }

    /// The actions that a thread has in a local state.
    pub fn actions(&mut self, thread: usize, id: u32) -> impl Iterator<Item = Action> {
        let representative = self.components.symmetry.representative(thread);
        self.node(representative, id)
            .edges
            .iter()
            .map(|edge| edge.action)
    }

    /// True if memory alone breaks an invariant.
    #[inline]
    pub fn memory_breaks_invariant(&mut self, memory: u32) -> bool {
        self.memory(memory).breaks_invariant
    }

    /// How a thread stands in a local state.
    #[inline]
    pub fn status(&mut self, thread: usize, id: u32) -> Status {
        let representative = self.components.symmetry.representative(thread);
        self.node(representative, id).status
    }

    /// True if some thread has failed in the state `ids`.
    #[inline]
    pub fn any_failed(&mut self, ids: &[u32]) -> bool {
        let threads = ids.iter().take(ids.len() - 1).enumerate();
        threads
            .into_iter()
            .any(|(thread, &id)| matches!(self.status(thread, id), Status::Failed(_)))
    }

    /// True if every thread has ended in the state `ids`.
    pub fn is_final(&mut self, ids: &[u32]) -> bool {
        let mut threads = ids.iter().take(ids.len() - 1).enumerate();
        threads.all(|(thread, &id)| self.status(thread, id) == Status::Finished)
    }

    /// What is observed of the final state `ids`, and whether it satisfies the
    /// program's condition; nothing if it does not pass the filter.
    pub fn outcome(&mut self, ids: &[u32]) -> Option<(Outcome, bool)> {
        let program = self.components.program;
        let condition = program.properties.condition.as_ref();
        self.with_view(ids, |view| {
            let holds = |formula: &Formula| formula.evaluate(view) == Some(true);
            let value = |o: &Observable| o.width.truncate(view.value(o.place).unwrap_or(0));
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
        let symmetry = self.components.symmetry;
        let locals: Vec<Arc<P::Local>> = threads
            .iter()
            .enumerate()
            .map(|(thread, &id)| self.node(symmetry.representative(thread), id).local.clone())
            .collect();
        let memory = self.memory(memory).values.clone();
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
        let values = self.memory(memory).values.clone();
        let permuted = from.iter().map(|cell| values[cell.0 as usize]).collect();
        let id = self.components.number_memory(permuted);
        self.permuted.insert((memory, order.to_vec()), id);
        id
    }

    /// The value of a cell.
    #[inline]
    pub fn value(&mut self, memory: u32, cell: Cell) -> Word {
        self.memory(memory).values[cell.0 as usize]
    }

    #[inline]
    fn node(&mut self, representative: usize, id: u32) -> &mut Node<P::Local> {
        let nodes = &mut self.nodes[representative];
        if nodes.len() <= id as usize {
            nodes.resize_with(id as usize + 1, || None);
        }
        let components = self.components;
        let bytes = &mut self.bytes;
        nodes[id as usize].get_or_insert_with(|| {
            let local = components.local(representative, id);
            let thread = ThreadId::from(representative);
            let mut actions = Vec::new();
            components.processor.actions(thread, &local, &mut actions);
            *bytes += size_of::<Node<P::Local>>() + actions.len() * size_of::<Edge>();
            let edge = |action| Edge {
                action,
                answers: Vec::new(),
            };
            Box::new(Node {
                status: components.processor.status(thread, &local),
                local,
                edges: actions.into_iter().map(edge).collect(),
            })
        })
    }

    #[inline]
    fn memory(&mut self, id: u32) -> &mut MemoryNode {
        if self.memories.len() <= id as usize {
            self.memories.resize_with(id as usize + 1, || None);
        }
        let components = self.components;
        let bytes = &mut self.bytes;
        self.memories[id as usize].get_or_insert_with(|| {
            let values = components.memory(id);
            *bytes += size_of::<MemoryNode>();
            Box::new(MemoryNode {
                breaks_invariant: components.breaks_invariant(&values),
                values,
                writes: Vec::new(),
            })
        })
    }

    /// What comes of an edge in a content of memory: the index of the answer and
    /// the new content.
    #[inline]
    fn answer(
        &mut self,
        thread: usize,
        representative: usize,
        id: u32,
        edge: usize,
        memory: u32,
    ) -> (usize, u32) {
        let action = self.node(representative, id).edges[edge].action;
        let symmetry = self.components.symmetry;
        let seen = match action.effect {
            Effect::Read(cell) | Effect::Update(cell) => {
                self.value(memory, symmetry.cell(thread, cell))
            }
            Effect::Silent | Effect::Write(..) => 0,
        };
        let answers = &self.node(representative, id).edges[edge].answers;
        let index = match answers.iter().position(|answer| answer.seen == seen) {
            Some(index) => index,
            None => self.ask(representative, id, edge, seen),
        };
        let memory = match action.effect {
            Effect::Silent | Effect::Read(_) => memory,
            Effect::Write(cell, value) => self.write(memory, symmetry.cell(thread, cell), value),
            Effect::Update(cell) => {
                let written = self.node(representative, id).edges[edge].answers[index].written;
                match written {
                    Some(value) => self.write(memory, symmetry.cell(thread, cell), value),
                    None => memory,
                }
            }
        };
        (index, memory)
    }

    /// Lets the machine perform an action on a value not met before.
    #[cold]
    fn ask(&mut self, representative: usize, id: u32, edge: usize, seen: Word) -> usize {
        let components = self.components;
        let node = self.node(representative, id);
        let action = node.edges[edge].action;
        let thread = ThreadId::from(representative);
        let performed = components
            .processor
            .perform(thread, &node.local, action, seen, false);
        let locals = performed.next.into_iter().map(|(local, _)| local).collect();
        let targets: Box<[u32]> = components.number_locals(representative, locals).into();
        let size = size_of::<Answer>() + size_of_val(&*targets);
        let answers = &mut node.edges[edge].answers;
        answers.push(Answer {
            seen,
            written: performed.written,
            targets,
        });
        let index = answers.len() - 1;
        self.bytes += size;
        index
    }

    #[inline]
    fn write(&mut self, memory: u32, cell: Cell, value: Word) -> u32 {
        let node = self.memory(memory);
        let mut writes = node.writes.iter();
        match writes.find(|write| write.0 == cell && write.1 == value) {
            Some(found) => found.2,
            None => self.write_anew(memory, cell, value),
        }
    }

    #[cold]
    fn write_anew(&mut self, memory: u32, cell: Cell, value: Word) -> u32 {
        let mut values: Memory = (**self.memory(memory).values).into();
        values[cell.0 as usize] = value;
        let id = self.components.number_memory(values);
        self.memory(memory).writes.push((cell, value, id));
        self.bytes += size_of::<(Cell, Word, u32)>();
        id
    }
}
