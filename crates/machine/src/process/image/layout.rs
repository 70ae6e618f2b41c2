//! Laying one function out: its blocks one behind the other, jumps between them, marks at loops.

use super::{Assertion, Entry, Image, LoopMark, Op, Pc};
use crate::process::loops::{self, Loop};
use memory::Effects;
use program::{
    BlockId, Callee, Function, FunctionId, InstructionKind, LiveAtStarts, Routine, Span,
    Terminator, Word,
};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// Lays one function out.
pub(super) struct Layout<'a> {
    pub(super) image: &'a mut Image,
    pub(super) constants: &'a mut HashMap<Word, i32>,
    pub(super) names: &'a HashMap<&'a str, u32>,
    pub(super) id: FunctionId,
    pub(super) function: &'a Function,
    /// For each function, whether it may come to a weak compare-and-exchange.
    pub(super) weak: &'a [bool],
    pub(super) assertions: &'a mut Vec<Assertion>,
    /// For each block in which an assertion fails, the assertion's number.
    pub(super) failing: Vec<Option<u32>>,
    /// Where each block starts.
    pub(super) starts: Vec<Pc>,
    /// Jumps to be filled in: the operation, which of its targets, the block.
    pub(super) patches: Vec<(Pc, Target, BlockId)>,
}

/// Which target of an operation.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Jump,
    Then,
    Otherwise,
    Case(Option<usize>),
}

const NOT_LIVE_KNOWN: u32 = u32::MAX;

impl Layout<'_> {
    pub(super) fn function(&mut self) {
        let live = LiveAtStarts::of(self.function);
        let found = loops::loops(self.function, &live, self.weak);
        let first_loop = self.image.loops.len() as u32;
        for each in &found {
            let header = &self.function.blocks[each.header.index()];
            let spans = header.instructions.iter().map(|i| i.span);
            let mut spans = spans.chain([header.terminator_span]);
            let span = spans.find(|span| *span != Span::NOWHERE);
            self.image.has_loop |= !each.may_wait;
            self.image.loops.push(LoopMark {
                carried: each.carried.iter().map(|r| r.0).collect(),
                may_wait: each.may_wait,
                has_weak_exchange: each.has_weak_exchange,
                span: span.unwrap_or(Span::NOWHERE),
            });
        }
        self.image.functions.push(Entry {
            name: self.function.shown_name(),
            start: self.image.ops.len() as Pc,
            registers: self.function.registers.len() as u32,
            parameters: self.function.parameters,
        });
        let function = self.function;
        for block in &function.blocks {
            let failure = block.instructions.iter().find(|i| fails(&i.kind));
            let number = failure.map(|failure| self.assertion(failure.span));
            self.failing.push(number);
        }
        let loops = Loops {
            found: &found,
            first: first_loop,
            live: &live,
        };

        let mut instructions = function.blocks.iter().flat_map(|it| &it.instructions);
        let asks = instructions.any(|instruction| may_go_unused(&instruction.kind));
        let needed = asks.then(|| LiveAtStarts::needed(function));
        for index in 0..self.function.blocks.len() {
            self.starts[index] = self.image.ops.len() as Pc;
            let unused = needed
                .as_ref()
                .map(|needed| self.unused_results(index, needed));
            self.block(index, &live, &unused.unwrap_or_default());
            self.terminator(index, &loops);
        }
        for each in &found {
            let start = self.starts[each.header.index()] as usize;
            if let Some(known) = self.image.live_at.get_mut(start)
                && *known == NOT_LIVE_KNOWN
            {
                *known = self.image.live.len() as u32;
                self.image.live.push(live.at_start(each.header).clone());
            }
        }
        for (pc, target, block) in std::mem::take(&mut self.patches) {
            self.aim(pc, target, self.starts[block.index()]);
        }
    }

    /// The number of a new assertion.
    fn assertion(&mut self, span: Span) -> u32 {
        self.assertions.push(Assertion {
            span,
            function: self.id,
            reached: AtomicBool::new(false),
        });
        self.assertions.len() as u32 - 1
    }

    /// The instructions of a block whose results nothing needs, of those where that makes a difference.
    fn unused_results(&self, index: usize, needed: &LiveAtStarts) -> Vec<usize> {
        let instructions = &self.function.blocks[index].instructions;
        let mut after = needed.at_terminator(self.function, index);
        let mut unused = Vec::new();
        for position in (0..instructions.len()).rev() {
            let kind = &instructions[position].kind;
            if may_go_unused(kind) && !kind.targets().any(|target| after.contains(target)) {
                unused.push(position);
            }
            needed.step_back(self.function, index, position, &mut after);
        }
        unused
    }

    fn block(&mut self, index: usize, starts: &LiveAtStarts, unused: &[usize]) {
        let function = self.function;
        let block = &function.blocks[index];
        // Live sets are only kept where a thread may stop: before accesses and calls.
        let mut live = starts.at_terminator(function, index);
        let mut kept = vec![NOT_LIVE_KNOWN; block.instructions.len()];
        for position in (0..block.instructions.len()).rev() {
            starts.step_back(function, index, position, &mut live);
            if Effects::of(&block.instructions[position].kind).stops {
                kept[position] = self.image.live.len() as u32;
                self.image.live.push(live.clone());
            }
        }
        for (position, (instruction, live)) in block.instructions.iter().zip(kept).enumerate() {
            let first = self.image.ops.len();
            let assertion = match instruction.kind {
                InstructionKind::Assert { .. } => Some(self.assertion(instruction.span)),
                _ if fails(&instruction.kind) => self.failing[index],
                _ => None,
            };
            if let Some(number) = assertion {
                self.push(Op::Reach(number));
            }
            self.instruction(&instruction.kind);
            if unused.contains(&position) {
                let ops = first..self.image.ops.len();
                self.image.unused.extend(ops.map(|pc| pc as Pc));
            }
            for _ in first..self.image.ops.len() {
                self.image.spans.push(instruction.span);
                self.image.live_at.push(live);
            }
        }
    }

    pub(super) fn push(&mut self, op: Op) -> Pc {
        self.image.ops.push(op);
        self.image.ops.len() as Pc - 1
    }

    /// Fills in a target of the operation at `pc`.
    fn aim(&mut self, pc: Pc, target: Target, to: Pc) {
        match (&mut self.image.ops[pc as usize], target) {
            (Op::Jump(at), _) | (Op::Branch(_, at, _), Target::Then) => *at = to,
            (Op::Branch(_, _, at), _) => *at = to,
            (Op::Switch(_, table), Target::Case(case)) => {
                let (cases, otherwise) = &mut self.image.switches[*table as usize];
                match case {
                    Some(case) => cases[case].1 = to,
                    None => *otherwise = to,
                }
            }
            _ => {}
        }
    }

    /// The operation that ends a block. Edges into or around loops go over marks, which stand behind it.
    fn terminator(&mut self, index: usize, loops: &Loops) {
        let function = self.function;
        let block = &function.blocks[index];
        let targets = block.terminator.successors();
        let mut reached: Vec<u32> = targets.filter_map(|to| self.failing[to.index()]).collect();
        reached.dedup();
        for number in reached {
            self.push(Op::Reach(number));
        }
        let pc = match &block.terminator {
            Terminator::Jump(_) => self.push(Op::Jump(0)),
            Terminator::Branch { condition, .. } => {
                let condition = self.slot(*condition);
                self.push(Op::Branch(condition, 0, 0))
            }
            Terminator::Switch { value, cases, .. } => {
                let value = self.slot(*value);
                let words = sorted(cases).iter().map(|(word, _)| (*word, 0)).collect();
                self.image.switches.push((words, 0));
                self.push(Op::Switch(value, self.image.switches.len() as u32 - 1))
            }
            Terminator::Return(values) => {
                let values = self.slots(values);
                self.push(Op::Return(values))
            }
            Terminator::Unreachable => self.push(Op::Unreachable),
        };
        for (target, to) in edges(&block.terminator) {
            let marks = loops.marks(index, to);
            if marks.is_empty() {
                self.patches.push((pc, target, to));
            } else {
                self.mark(pc, target, to, marks, loops.live);
            }
        }
        let end = self.image.ops.len();
        self.image.spans.resize(end, block.terminator_span);
        self.image.live_at.resize(end, NOT_LIVE_KNOWN);
    }

    /// Leads an edge over marks, where a thread may wait.
    fn mark(&mut self, pc: Pc, target: Target, to: BlockId, marks: Vec<Op>, live: &LiveAtStarts) {
        let here = self.image.ops.len() as Pc;
        self.image.live_at.resize(here as usize, NOT_LIVE_KNOWN);
        for op in marks {
            self.push(op);
        }
        let jump = self.push(Op::Jump(0));
        for _ in here..=jump {
            self.image.live_at.push(self.image.live.len() as u32);
        }
        self.image.live.push(live.at_start(to).clone());
        self.patches.push((jump, Target::Jump, to));
        self.aim(pc, target, here);
    }
}

/// The loops of a function.
struct Loops<'l> {
    found: &'l [Loop],
    /// The number of the first.
    first: u32,
    live: &'l LiveAtStarts,
}

impl Loops<'_> {
    /// What an edge between blocks does to loops: it enters or repeats them.
    fn marks(&self, from: usize, to: BlockId) -> Vec<Op> {
        let found = self.found.iter().zip(self.first..);
        let headed = found.filter(|(each, _)| each.header == to);
        let mark = |(each, number): (&Loop, u32)| {
            if each.blocks[from] {
                Op::RepeatLoop(number)
            } else {
                Op::EnterLoop(number)
            }
        };
        headed.map(mark).collect()
    }
}

/// The edges that leave a block, each with which target of its operation it is.
fn edges(terminator: &Terminator) -> Vec<(Target, BlockId)> {
    match terminator {
        Terminator::Jump(to) => vec![(Target::Jump, *to)],
        Terminator::Branch {
            then, otherwise, ..
        } => vec![(Target::Then, *then), (Target::Otherwise, *otherwise)],
        Terminator::Switch {
            cases, otherwise, ..
        } => {
            let cases = sorted(cases).into_iter().enumerate();
            let cases = cases.map(|(case, (_, to))| (Target::Case(Some(case)), to));
            cases.chain([(Target::Case(None), *otherwise)]).collect()
        }
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    }
}

/// The cases of a switch by their words; the first counts of those that are there twice.
fn sorted(cases: &[(Word, BlockId)]) -> Vec<(Word, BlockId)> {
    let mut sorted = cases.to_vec();
    sorted.sort_by_key(|(word, _)| *word);
    sorted.dedup_by_key(|(word, _)| *word);
    sorted
}

/// True for what commutes with others of its kind if nothing depends on its result.
fn may_go_unused(kind: &InstructionKind) -> bool {
    match kind {
        InstructionKind::Update { .. } => true,
        InstructionKind::Call { callee, .. } => *callee == Callee::Routine(Routine::BarrierWait),
        _ => false,
    }
}

/// True for the call with which an assertion fails.
fn fails(kind: &InstructionKind) -> bool {
    let InstructionKind::Call { callee, .. } = kind else {
        return false;
    };
    *callee == Callee::Routine(Routine::AssertFail)
}
