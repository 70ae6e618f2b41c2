//! Memory orders: every total order of the accesses of all threads that keeps
//! the ordering rules, and what the value axiom makes of it.
//!
//! An order is built by placing one access after the other. The value axiom
//! (Park and Dill, section 2.2) gives a load of a cell the store to it that is
//! last in memory order among those before the load in memory order or in
//! program order. When the load is placed, these are the stores placed so far
//! and the earlier stores of its own thread. Those of its own that are not
//! placed yet come after all that are, and among them (m3) makes the last in
//! program order the last. So the value is known as soon as the load is placed.
//!
//! What a store writes is known when it is placed, too: by (m1), all loads that
//! it depends on come before it. The same goes for an own store that a load
//! takes its value from, by (d3). An update or compare-and-exchange of the
//! load's own thread on the same cell is always placed before the load, by (d3)
//! and (m1), so only plain stores are taken from before they are placed.
//!
//! Two prefixes that placed the same accesses, with the same values, and left
//! memory the same have the same continuations, so only one is followed.

use crate::ordering::Ordered;
use crate::path::{Action, Cell, Effect, Input, Node};
use program::{ObservedLocation, Program, Width, Word};
use std::collections::{BTreeSet, HashSet};

/// One path for each thread, with the orderings that every memory order keeps.
pub struct Candidate<'a> {
    program: &'a Program,
    cells: &'a [Cell],
    /// The nodes of all threads, each thread's in program order.
    nodes: Vec<Node>,
    accesses: Vec<Access>,
    /// Where the final value of each thread's registers comes from.
    registers: Vec<Vec<Input>>,
}

struct Access {
    node: usize,
    cell: usize,
    width: Width,
    effect: Effect,
    /// The set of accesses that must be placed before this one.
    after: u64,
    /// The thread's earlier plain stores to the cell, in program order.
    own_stores: Vec<usize>,
}

/// A prefix of a memory order.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Prefix {
    /// The set of accesses placed.
    placed: u64,
    /// What each node wrote to its register, where known.
    values: Vec<Option<Word>>,
    /// For each cell, what the last store placed wrote.
    memory: Vec<Word>,
}

impl<'a> Candidate<'a> {
    pub fn new(program: &'a Program, cells: &'a [Cell], paths: &[&Ordered]) -> Candidate<'a> {
        let mut candidate = Candidate {
            program,
            cells,
            nodes: Vec::new(),
            accesses: Vec::new(),
            registers: Vec::new(),
        };
        for path in paths {
            candidate.add(path);
        }
        assert!(
            candidate.accesses.len() <= 64,
            "the oracle takes at most 64 accesses"
        );
        candidate
    }

    /// Adds a thread, moving its indices behind those of the threads before it.
    fn add(&mut self, thread: &Ordered) {
        let (first_node, first_access) = (self.nodes.len(), self.accesses.len());
        let shifted = |input: &Input| match *input {
            Input::Constant(word) => Input::Constant(word),
            Input::ResultOf(node) => Input::ResultOf(first_node + node),
        };
        self.nodes.extend(thread.path.nodes.iter().map(|node| Node {
            action: node.action,
            inputs: node.inputs.iter().map(shifted).collect(),
        }));
        self.registers
            .push(thread.path.registers.iter().map(shifted).collect());
        for (index, access) in thread.accesses.iter().enumerate() {
            let own_stores = (0..index).filter(|&earlier| {
                let earlier = &thread.accesses[earlier];
                earlier.cell == access.cell && matches!(earlier.effect, Effect::Store)
            });
            self.accesses.push(Access {
                node: first_node + access.node,
                cell: access.cell,
                width: self.cells[access.cell].width,
                effect: access.effect,
                after: access
                    .after
                    .iter()
                    .fold(0, |set, earlier| set | 1 << (first_access + earlier)),
                own_stores: own_stores.map(|store| first_access + store).collect(),
            });
        }
    }

    /// Adds the outcomes of all legal memory orders to `found`.
    pub fn collect_outcomes(&self, found: &mut BTreeSet<Vec<Word>>) {
        let empty = Prefix {
            placed: 0,
            values: vec![None; self.nodes.len()],
            memory: self.cells.iter().map(|cell| cell.initial).collect(),
        };
        let mut open: Vec<Prefix> = self.settle(empty).into_iter().collect();
        let mut seen: HashSet<Prefix> = HashSet::new();
        while let Some(prefix) = open.pop() {
            if prefix.placed.count_ones() as usize == self.accesses.len() {
                found.insert(self.outcome(&prefix));
                continue;
            }
            for access in 0..self.accesses.len() {
                let after = self.accesses[access].after;
                let ready = prefix.placed & 1 << access == 0 && prefix.placed & after == after;
                if !ready {
                    continue;
                }
                if let Some(longer) = self.place(&prefix, access)
                    && seen.insert(longer.clone())
                {
                    open.push(longer);
                }
            }
        }
    }

    /// The order with `access` placed next, if that fits the paths.
    fn place(&self, prefix: &Prefix, access: usize) -> Option<Prefix> {
        let mut longer = prefix.clone();
        longer.placed |= 1 << access;
        let access = &self.accesses[access];
        let old = self.visible(prefix, access);
        if access.effect.kind().load {
            longer.values[access.node] = Some(old);
        }
        let operand = |index| self.operand(prefix, access, index);
        let written = match access.effect {
            Effect::Load => None,
            Effect::Store => Some(operand(1)),
            Effect::Update(operation) => Some(operation.apply(access.width, old, operand(1))),
            Effect::CompareExchange => (old == operand(1)).then(|| operand(2)),
        };
        if let Some(written) = written {
            longer.memory[access.cell] = written;
        }
        self.settle(longer)
    }

    /// The value axiom: what a load sees if it is placed next. Plain stores have
    /// no use for it.
    fn visible(&self, prefix: &Prefix, load: &Access) -> Word {
        let not_placed = |store: &&usize| prefix.placed & 1 << **store == 0;
        match load.own_stores.iter().rev().find(not_placed) {
            Some(&store) => self.operand(prefix, &self.accesses[store], 1),
            None => prefix.memory[load.cell],
        }
    }

    /// An operand of an access, cut to the width of the access.
    fn operand(&self, prefix: &Prefix, access: &Access, index: usize) -> Word {
        let word = self
            .value(prefix, self.nodes[access.node].inputs[index])
            .expect("what an access needs comes before it, by (m1)");
        access.width.truncate(word)
    }

    fn value(&self, prefix: &Prefix, input: Input) -> Option<Word> {
        match input {
            Input::Constant(word) => Some(word),
            Input::ResultOf(node) => prefix.values[node],
        }
    }

    /// Computes what the values known so far allow, and drops the prefix if they
    /// contradict a path.
    fn settle(&self, mut prefix: Prefix) -> Option<Prefix> {
        for (index, node) in self.nodes.iter().enumerate() {
            let inputs = node.inputs.iter().map(|&input| self.value(&prefix, input));
            let fits = match node.action {
                Action::Compute(expression, width) => {
                    if let Some(inputs) = inputs.collect::<Option<Vec<Word>>>() {
                        prefix.values[index] = Some(expression.evaluate(&inputs, width));
                    }
                    true
                }
                Action::Branch { taken } => {
                    self.holds(&prefix, node, |condition| (condition != 0) == taken)
                }
                Action::Assume => self.holds(&prefix, node, |condition| condition != 0),
                Action::Access { cell, .. } => {
                    self.holds(&prefix, node, |address| address == self.cells[cell].address)
                }
                Action::Fence(_) => true,
            };
            if !fits {
                return None;
            }
        }
        Some(prefix)
    }

    /// Whether the first input of `node` passes, or is not known yet.
    fn holds(&self, prefix: &Prefix, node: &Node, passes: impl Fn(Word) -> bool) -> bool {
        self.value(prefix, node.inputs[0]).is_none_or(passes)
    }

    /// The outcome once everything is placed.
    fn outcome(&self, prefix: &Prefix) -> Vec<Word> {
        let observed = self.program.observed.iter().map(|observable| {
            let word = match observable.location {
                ObservedLocation::Observation => {
                    panic!("not supported by the oracle: {observable:?}")
                }
                ObservedLocation::Memory(address) => {
                    let address = address.to_word();
                    let cell = self.cells.iter().position(|cell| cell.address == address);
                    prefix.memory[cell.expect("observables are cells")]
                }
                ObservedLocation::Register(thread, register) => {
                    let input = self.registers[thread.index()][register.index()];
                    self.value(prefix, input)
                        .expect("all loads are placed, so all values are known")
                }
            };
            observable.width.truncate(word)
        });
        observed.collect()
    }
}
