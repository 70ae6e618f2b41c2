//! Which places a thread may have passed between two of its accesses.
//!
//! An execution lists accesses, not the way between them. The way is looked for in the control flow of the whole program, with
//! calls and returns but without their matching: first among ways that pass no other access, then among all. The
//! answer may have too many places, never too few if every access of the thread is listed; where accesses
//! are left out (those of memory that one thread has for itself) it may have too few, which the search confirms by asking.

use crate::place::{Marked, PlaceId};
use answer::AccessEvent;
use memory::Effects;
use program::{
    AccessKind, Callee, InstructionKind, ObjectKind, Orderings, Program, Span, Terminator,
};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

/// What lies between two accesses of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Between {
    /// Places that the thread may have passed.
    pub places: BTreeSet<PlaceId>,
    /// What fences and orders that the program has already may have ordered.
    pub orderings: Orderings,
}

/// An access of an execution, as far as the program is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Site {
    pub span: Span,
    pub kind: AccessKind,
}

impl Site {
    /// The access of a step.
    pub fn new(span: Span, event: AccessEvent) -> Self {
        let kind = match event {
            AccessEvent::Load | AccessEvent::Forward => AccessKind::LOAD,
            AccessEvent::Buffer | AccessEvent::Commit => AccessKind::STORE,
            AccessEvent::Update => AccessKind::UPDATE,
        };
        Site { span, kind }
    }
}

struct Node {
    span: Span,
    access: Option<AccessKind>,
    /// What fences order that belong to an access: before it and after it; of another instruction all is after it.
    orders: (Orderings, Orderings),
    place: Option<PlaceId>,
    next: Vec<usize>,
    previous: Vec<usize>,
}

/// The control flow of a program, instruction by instruction.
pub(crate) struct Flow {
    nodes: Vec<Node>,
    places: usize,
    known: RefCell<HashMap<(Site, Site), Rc<Between>>>,
}

impl Flow {
    pub fn new(marked: &Marked) -> Self {
        let program = marked.program();
        let mut flow = Flow {
            nodes: Vec::new(),
            places: marked.places.len(),
            known: RefCell::default(),
        };
        let starts = flow.add_nodes(marked);
        for (from, to) in edges(program, &starts) {
            flow.nodes[from].next.push(to);
            flow.nodes[to].previous.push(from);
        }
        flow
    }

    /// Nodes for instructions and terminators; gives the first node of each block.
    fn add_nodes(&mut self, marked: &Marked) -> Vec<Vec<usize>> {
        let mut starts = Vec::new();
        for (f, function) in marked.program().functions.iter().enumerate() {
            let mut blocks = Vec::new();
            for (b, block) in function.blocks.iter().enumerate() {
                blocks.push(self.nodes.len());
                for (i, instruction) in block.instructions.iter().enumerate() {
                    let effects = Effects::of(&instruction.kind);
                    let mark = marked.is_mark(f, b, i);
                    self.nodes.push(Node {
                        span: instruction.span,
                        access: effects.access,
                        orders: match mark {
                            true => (Orderings::NONE, Orderings::NONE),
                            false => (effects.before, effects.after),
                        },
                        place: marked.place_at(f, b, i),
                        next: Vec::new(),
                        previous: Vec::new(),
                    });
                }
                self.nodes.push(Node {
                    span: Span::NOWHERE,
                    access: None,
                    orders: (Orderings::NONE, Orderings::NONE),
                    place: None,
                    next: Vec::new(),
                    previous: Vec::new(),
                });
            }
            starts.push(blocks);
        }
        starts
    }

    /// The nearest accesses before and after a place.
    pub fn around(&self, place: PlaceId) -> (Option<Span>, Option<Span>) {
        (
            self.nearest(place, |node| &node.previous),
            self.nearest(place, |node| &node.next),
        )
    }

    fn nearest(&self, place: PlaceId, next: impl Fn(&Node) -> &Vec<usize>) -> Option<Span> {
        let mut seen = vec![false; self.nodes.len()];
        let nodes = self.nodes.iter().enumerate();
        let marks = nodes.filter(|(_, node)| node.place == Some(place));
        let mut queue: VecDeque<usize> = marks.map(|(index, _)| index).collect();
        while let Some(index) = queue.pop_front() {
            let node = &self.nodes[index];
            if node.access.is_some() {
                return Some(node.span);
            }
            for &other in next(node) {
                if !std::mem::replace(&mut seen[other], true) {
                    queue.push_back(other);
                }
            }
        }
        None
    }

    /// What a thread may have passed between two accesses, one after the other.
    pub fn between(&self, first: Site, second: Site) -> Rc<Between> {
        let known = self.known.borrow().get(&(first, second)).cloned();
        known.unwrap_or_else(|| {
            let found = Rc::new(self.search(first, second));
            let mut known = self.known.borrow_mut();
            known.insert((first, second), found.clone());
            found
        })
    }

    fn search(&self, first: Site, second: Site) -> Between {
        let (from, to) = (self.nodes_of(first), self.nodes_of(second));
        for around_accesses in [true, false] {
            let forwards = self.reach(&from, around_accesses, |node| &node.next);
            if !to.iter().any(|node| forwards[*node]) {
                continue;
            }
            let backwards = self.reach(&to, around_accesses, |node| &node.previous);
            let mut between = Between::default();
            for (index, node) in self.nodes.iter().enumerate() {
                let own = if from.contains(&index) {
                    node.orders.1
                } else if to.contains(&index) {
                    node.orders.0
                } else {
                    node.orders.0.union(node.orders.1)
                };
                let on_the_way = forwards[index] && backwards[index];
                if on_the_way || from.contains(&index) || to.contains(&index) {
                    between.orderings = between.orderings.union(own);
                }
                if on_the_way {
                    between.places.extend(node.place);
                }
            }
            return between;
        }
        // Nothing is known of the way.
        Between {
            places: (0..self.places).map(PlaceId).collect(),
            orderings: Orderings::ALL,
        }
    }

    /// The instructions that may be an access: by their kind and location in the source.
    fn nodes_of(&self, site: Site) -> Vec<usize> {
        let at = |same_kind: bool| -> Vec<usize> {
            let nodes = self.nodes.iter().enumerate();
            let nodes = nodes.filter(|(_, node)| {
                node.span == site.span
                    && node.place.is_none()
                    && (!same_kind || node.access == Some(site.kind))
            });
            nodes.map(|(index, _)| index).collect()
        };
        let exact = at(true);
        if exact.is_empty() { at(false) } else { exact }
    }

    /// What is reached from some nodes, in one or more steps; not beyond accesses if that is asked for.
    fn reach(
        &self,
        from: &[usize],
        around_accesses: bool,
        next: impl Fn(&Node) -> &Vec<usize>,
    ) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut stack: Vec<usize> = from.to_vec();
        while let Some(index) = stack.pop() {
            for &other in next(&self.nodes[index]) {
                if std::mem::replace(&mut reached[other], true) {
                    continue;
                }
                if !around_accesses || self.nodes[other].access.is_none() {
                    stack.push(other);
                }
            }
        }
        reached
    }
}

/// The edges between nodes, given the first node of each block of each function.
fn edges(program: &Program, starts: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    let mut called = vec![false; starts.len()];
    // Where each function goes on when it returns, and where it returns.
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); starts.len()];
    let mut returns: Vec<Vec<usize>> = vec![Vec::new(); starts.len()];
    let pointed_to: Vec<usize> = program
        .objects
        .iter()
        .filter_map(|object| match object.kind {
            ObjectKind::Code(function) => Some(function.index()),
            _ => None,
        })
        .collect();
    for (f, function) in program.functions.iter().enumerate() {
        for (b, block) in function.blocks.iter().enumerate() {
            let mut node = starts[f][b];
            for instruction in &block.instructions {
                let InstructionKind::Call { callee, .. } = &instruction.kind else {
                    edges.push((node, node + 1));
                    node += 1;
                    continue;
                };
                let callees: &[usize] = match callee {
                    Callee::Function(function) => &[function.index()],
                    Callee::Pointer(_) => &pointed_to,
                    Callee::Routine(_) => &[],
                };
                for &callee in callees {
                    called[callee] |= !matches!(
                        instruction.kind,
                        InstructionKind::Call {
                            callee: Callee::Pointer(_),
                            ..
                        }
                    );
                    edges.push((node, starts[callee][0]));
                    after[callee].push(node + 1);
                }
                if callees.is_empty() {
                    edges.push((node, node + 1));
                }
                node += 1;
            }
            match &block.terminator {
                Terminator::Return(_) => returns[f].push(node),
                other => edges.extend(other.successors().map(|to| (node, starts[f][to.index()]))),
            }
        }
    }
    // Clients call operations one after another.
    let roots: Vec<usize> = (0..starts.len()).filter(|f| !called[*f]).collect();
    for (f, returns) in returns.iter().enumerate() {
        let roots = roots.iter().filter(|_| !called[f]);
        let targets = roots
            .map(|root| starts[*root][0])
            .chain(after[f].iter().copied());
        let targets: Vec<usize> = targets.collect();
        edges.extend(
            returns
                .iter()
                .flat_map(|from| targets.iter().map(|to| (*from, *to))),
        );
    }
    edges
}
