//! Programs that need an atomic read-modify-write rather than a fence.
//!
//! An execution that is wrong without any delay may have a *lost update*: a thread loads a location and stores to it, and another thread stores to it in
//! between. The load and the store are then made one step, in an atomic section, and the question is asked again. If it holds in the end,
//! after as many such pairs as its executions name, it is known that read-modify-writes in their places repair the
//! program, and pairs that it holds without are left out.
//!
//! Not guaranteed: that every such program is found. A pair counts only if both accesses are in one function, with nothing between them
//! that others can observe, and on the way from the load to the store each block has nothing else to do.

use crate::order::lost_updates;
use answer::{ModelResult, Verdict};
use memory::Effects;
use program::{
    AccessKind, Block, BlockId, Function, Instruction, InstructionKind, Program, Span, Terminator,
};
use std::collections::VecDeque;

/// A load and a store that have to be one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The function or processor.
    pub function: String,
    /// The statement of the load.
    pub load: Span,
    /// The statement of the store.
    pub store: Span,
    pair: Pair,
}

/// Where the two are: function, then block and index.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pair {
    function: usize,
    load: (usize, usize),
    store: (usize, usize),
    /// The blocks from the load to the store.
    way: Vec<usize>,
}

/// Most pairs that are tried together.
const MOST_PAIRS: usize = 6;

/// The read-modify-writes with which a program is right that is wrong in the execution of `result`; none if that is not known.
/// `ask` answers the question.
pub(crate) fn needed(
    program: &Program,
    result: &ModelResult,
    mut ask: impl FnMut(Program) -> Option<ModelResult>,
) -> Vec<Update> {
    let mut updates: Vec<Update> = Vec::new();
    let mut shown = result.clone();
    loop {
        let Some(update) = next_update(program, &shown, &updates) else {
            return Vec::new();
        };
        updates.push(update);
        match ask(with_sections(program, &updates)) {
            Some(answer) if answer.verdict == Verdict::Holds => break,
            Some(answer) if answer.verdict == Verdict::Violated && updates.len() < MOST_PAIRS => {
                shown = answer;
            }
            _ => return Vec::new(),
        }
    }
    for update in updates.clone() {
        let others = updates.iter().filter(|other| **other != update);
        let others: Vec<Update> = others.cloned().collect();
        let holds = |answer: ModelResult| answer.verdict == Verdict::Holds;
        if !others.is_empty() && ask(with_sections(program, &others)).is_some_and(holds) {
            updates = others;
        }
    }
    updates
}

/// A pair of an execution that is not known yet.
fn next_update(program: &Program, result: &ModelResult, known: &[Update]) -> Option<Update> {
    let execution = result.execution.as_ref()?;
    let mut pairs = lost_updates(execution).into_iter();
    pairs.find_map(|(load, store)| {
        let mut pairs = pairs_at(program, load, store).into_iter();
        let pair = pairs.find(|pair| known.iter().all(|update| update.pair.is_apart(pair)))?;
        Some(Update {
            function: program.functions[pair.function].name.clone(),
            load,
            store,
            pair,
        })
    })
}

/// The loads and stores of two statements that can be one step.
fn pairs_at(program: &Program, load: Span, store: Span) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        let at = |span: Span, kind: AccessKind| -> Vec<(usize, usize)> {
            let blocks = function.blocks.iter().enumerate();
            let all = blocks.flat_map(|(b, block)| {
                let instructions = block.instructions.iter().enumerate();
                instructions.map(move |(i, instruction)| ((b, i), instruction))
            });
            let wanted = all.filter(|(_, instruction)| {
                instruction.span == span && Effects::of(&instruction.kind).access == Some(kind)
            });
            wanted.map(|(at, _)| at).collect()
        };
        for load in at(load, AccessKind::LOAD) {
            for store in at(store, AccessKind::STORE) {
                if let Some(way) = way(function, load, store) {
                    pairs.push(Pair {
                        function: index,
                        load,
                        store,
                        way,
                    });
                }
            }
        }
    }
    pairs
}

/// The blocks from a load to a store with nothing between them but computing and fences.
fn way(function: &Function, load: (usize, usize), store: (usize, usize)) -> Option<Vec<usize>> {
    let is_quiet = |instructions: &[Instruction]| {
        let mut instructions = instructions.iter();
        instructions.all(|instruction| {
            let fence = matches!(instruction.kind, InstructionKind::Fence(_));
            fence || !Effects::of(&instruction.kind).stops
        })
    };
    let block = |index: usize| &function.blocks[index].instructions;
    if load.0 == store.0 && load.1 < store.1 {
        let between = &block(load.0)[load.1 + 1..store.1];
        return is_quiet(between).then(|| vec![load.0]);
    }
    if !is_quiet(&block(load.0)[load.1 + 1..]) || !is_quiet(&block(store.0)[..store.1]) {
        return None;
    }
    let mut before: Vec<Option<usize>> = vec![None; function.blocks.len()];
    let mut waiting = VecDeque::from([load.0]);
    while let Some(from) = waiting.pop_front() {
        for to in function.blocks[from].terminator.successors() {
            let to = to.index();
            if to == load.0 || before[to].is_some() {
                continue;
            }
            before[to] = Some(from);
            if to == store.0 {
                let mut way = vec![to];
                while let Some(from) = before[way[way.len() - 1]] {
                    way.push(from);
                }
                way.reverse();
                return Some(way);
            }
            if is_quiet(block(to)) {
                waiting.push_back(to);
            }
        }
    }
    None
}

impl Pair {
    /// Whether sections for two pairs do not meet.
    fn is_apart(&self, other: &Pair) -> bool {
        let apart = |(block, at): (usize, usize), pair: &Pair| {
            !pair.way.contains(&block)
                || pair.way.len() == 1 && (at < pair.load.1 || at > pair.store.1)
        };
        self.function != other.function
            || apart(self.load, other)
                && apart(self.store, other)
                && apart(other.load, self)
                && apart(other.store, self)
    }
}

/// The program with an atomic section around each pair.
fn with_sections(program: &Program, updates: &[Update]) -> Program {
    let mut program = program.clone();
    let mut inserted: Vec<(usize, (usize, usize), InstructionKind, Span)> = Vec::new();
    for Update {
        pair, load, store, ..
    } in updates
    {
        let function = &mut program.functions[pair.function];
        for step in pair.way.windows(2) {
            leave_section(function, step[0], step[1]);
        }
        let (block, at) = pair.store;
        let end = (block, at + 1);
        inserted.push((
            pair.function,
            pair.load,
            InstructionKind::AtomicBegin,
            *load,
        ));
        inserted.push((pair.function, end, InstructionKind::AtomicEnd, *store));
    }
    inserted.sort_by_key(|(function, at, _, _)| (*function, *at));
    for (function, (block, at), kind, span) in inserted.into_iter().rev() {
        let instructions = &mut program.functions[function].blocks[block].instructions;
        instructions.insert(at, Instruction { kind, span });
    }
    program
}

/// Ends the section on all ways from a block but one.
fn leave_section(function: &mut Function, from: usize, stays: usize) {
    let count = function.blocks.len();
    let mut ends: Vec<Block> = Vec::new();
    let span = function.blocks[from].terminator_span;
    let mut end = |to: &mut BlockId| {
        if to.index() != stays {
            ends.push(Block {
                label: format!("{}.leaves", count + ends.len()),
                instructions: vec![Instruction {
                    kind: InstructionKind::AtomicEnd,
                    span,
                }],
                terminator: Terminator::Jump(*to),
                terminator_span: span,
            });
            *to = BlockId::from(count + ends.len() - 1);
        }
    };
    match &mut function.blocks[from].terminator {
        Terminator::Jump(to) => end(to),
        Terminator::Branch {
            then, otherwise, ..
        } => {
            end(then);
            end(otherwise);
        }
        Terminator::Switch {
            cases, otherwise, ..
        } => {
            cases.iter_mut().for_each(|(_, to)| end(to));
            end(otherwise);
        }
        Terminator::Return(_) | Terminator::Unreachable => {}
    }
    function.blocks.extend(ends);
}
