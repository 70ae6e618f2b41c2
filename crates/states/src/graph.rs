//! What one worker remembers: for each local state of a thread its actions and
//! what came of them, for each content of memory what writes make of it.

use crate::components::{Components, Memory};
use machine::{Action, Cell, Processor, Status};
use program::{ThreadId, Word};
use std::sync::Arc;

/// The local states of a thread that a worker has met, by number.
pub struct ThreadGraph<L> {
    nodes: Vec<Option<Box<Node<L>>>>,
}

/// A local state.
pub struct Node<L> {
    /// The state.
    pub local: Arc<L>,
    /// How the thread stands.
    pub status: Status,
    /// Whether it [bets](Processor::is_betting).
    pub betting: bool,
    /// What it may do.
    pub edges: Box<[Edge]>,
}

/// An action, and what came of it so far.
pub struct Edge {
    /// The action.
    pub action: Action,
    /// The first answer lies right beside the action: most have no other.
    first: Option<Answer>,
    others: Vec<Answer>,
}

/// What comes of an action, given the value seen.
pub struct Answer {
    seen: Word,
    /// What an update writes.
    pub written: Option<Word>,
    targets: Targets,
}

enum Targets {
    One(u32),
    Several(Box<[u32]>),
}

/// The contents of memory that a worker has met, by number.
#[derive(Default)]
pub struct MemoryGraph {
    nodes: Vec<Option<Box<MemoryNode>>>,
}

/// A content of memory.
pub struct MemoryNode {
    /// The value of each cell.
    pub values: Arc<Memory>,
    /// Whether it breaks an invariant by itself.
    pub breaks_invariant: bool,
    writes: Vec<(Cell, Word, u32)>,
}

impl<L> Default for ThreadGraph<L> {
    fn default() -> Self {
        ThreadGraph { nodes: Vec::new() }
    }
}

impl<L> ThreadGraph<L> {
    /// The local state of number `id`.
    #[inline]
    pub fn node<P: Processor<Local = L>>(
        &mut self,
        components: &Components<'_, P>,
        representative: usize,
        id: u32,
    ) -> &mut Node<L> {
        let index = id as usize;
        if self.nodes.len() <= index {
            self.nodes.resize_with(index + 1, || None);
        }
        self.nodes[index].get_or_insert_with(|| meet(components, representative, id))
    }

    /// Bytes taken, roughly.
    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.iter().flatten().map(|node| {
            let answers = node.edges.iter().map(|edge| edge.others.len());
            size_of::<Node<L>>()
                + size_of_val(&*node.edges)
                + answers.sum::<usize>() * size_of::<Answer>()
        });
        nodes.sum::<usize>() + self.nodes.len() * size_of::<usize>()
    }
}

#[cold]
fn meet<P: Processor>(
    components: &Components<'_, P>,
    representative: usize,
    id: u32,
) -> Box<Node<P::Local>> {
    let local = components.local(representative, id);
    let thread = ThreadId::from(representative);
    let mut actions = Vec::new();
    components.processor.actions(thread, &local, &mut actions);
    let edge = |action| Edge {
        action,
        first: None,
        others: Vec::new(),
    };
    Box::new(Node {
        status: components.processor.status(thread, &local),
        betting: components.processor.is_betting(thread, &local),
        local,
        edges: actions.into_iter().map(edge).collect(),
    })
}

impl Edge {
    /// What comes of the action when it sees `seen`.
    #[inline]
    pub fn answer<P: Processor>(
        &mut self,
        components: &Components<'_, P>,
        representative: usize,
        local: &P::Local,
        seen: Word,
    ) -> &Answer {
        let action = self.action;
        let ask = || ask(components, representative, local, action, seen);
        let first = self.first.get_or_insert_with(ask);
        if first.seen == seen {
            return first;
        }
        let known = self.others.iter().position(|answer| answer.seen == seen);
        let index = known.unwrap_or_else(|| {
            self.others.push(ask());
            self.others.len() - 1
        });
        &self.others[index]
    }
}

/// Lets the machine perform an action on a value not met before.
#[cold]
fn ask<P: Processor>(
    components: &Components<'_, P>,
    representative: usize,
    local: &P::Local,
    action: Action,
    seen: Word,
) -> Answer {
    let thread = ThreadId::from(representative);
    let performed = components
        .processor
        .perform(thread, local, action, seen, false);
    let locals = performed.next.into_iter().map(|(local, _)| local).collect();
    let targets = components.number_locals(representative, locals);
    Answer {
        seen,
        written: performed.written,
        targets: match targets[..] {
            [only] => Targets::One(only),
            _ => Targets::Several(targets.into()),
        },
    }
}

impl Answer {
    /// The thread's possible next states.
    #[inline]
    pub fn targets(&self) -> &[u32] {
        match &self.targets {
            Targets::One(target) => std::slice::from_ref(target),
            Targets::Several(targets) => targets,
        }
    }
}

impl MemoryGraph {
    /// The content of number `id`.
    #[inline]
    pub fn node<P: Processor>(
        &mut self,
        components: &Components<'_, P>,
        id: u32,
    ) -> &mut MemoryNode {
        let index = id as usize;
        if self.nodes.len() <= index {
            self.nodes.resize_with(index + 1, || None);
        }
        self.nodes[index].get_or_insert_with(|| {
            let values = components.memory(id);
            Box::new(MemoryNode {
                breaks_invariant: components.breaks_invariant(&values),
                values,
                writes: Vec::new(),
            })
        })
    }

    /// The value of a cell.
    #[inline]
    pub fn value<P: Processor>(
        &mut self,
        components: &Components<'_, P>,
        id: u32,
        cell: Cell,
    ) -> Word {
        self.node(components, id).values[cell.0 as usize]
    }

    /// The content after a write.
    #[inline]
    pub fn write<P: Processor>(
        &mut self,
        components: &Components<'_, P>,
        id: u32,
        cell: Cell,
        value: Word,
    ) -> u32 {
        let node = self.node(components, id);
        let mut writes = node.writes.iter();
        if let Some(known) = writes.find(|write| write.0 == cell && write.1 == value) {
            return known.2;
        }
        let mut values: Memory = (**node.values).into();
        values[cell.0 as usize] = value;
        let target = components.number_memory(values);
        node.writes.push((cell, value, target));
        target
    }

    /// Bytes taken, roughly.
    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.iter().flatten().map(|node| {
            size_of::<MemoryNode>() + node.writes.capacity() * size_of::<(Cell, Word, u32)>()
        });
        nodes.sum::<usize>() + self.nodes.len() * size_of::<usize>()
    }
}
