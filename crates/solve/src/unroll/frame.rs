//! Functions: their blocks one after another, and their calls.

use super::code::Shape;
use super::dead::Caller;
use super::flow::{ControlPoint, Flow, Section};
use super::iterations::Iteration;
use super::values::Value;
use super::{Excess, LoopId, Result, Unroller, When, refuse};
use crate::guard::Guard;
use crate::term::{Term, TermId};
use answer::FaultKind;
use program::{
    Block, BlockId, Callee, Function, FunctionId, InstructionKind, Routine, Span, Terminator,
};
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Calls are nested at most this deep.
const MOST_CALLS: usize = 64;
/// A program has at most this many instructions, unrolled.
const MOST_INSTRUCTIONS: u64 = 300_000;
/// And at most this many accesses.
const MOST_EVENTS: usize = 4000;
/// A loop that is known to go on has at most this many iterations.
const MOST_ITERATIONS: u32 = 4096;

/// Control that has come back from a call.
pub struct Returned {
    pub guard: Guard,
    pub values: Vec<Value>,
    pub registers: Vec<Value>,
    pub section: Section,
}

/// A call that is being followed.
pub struct Frame<'a> {
    pub thread: usize,
    pub id: FunctionId,
    pub function: &'a Function,
    shape: Rc<Shape>,
    waiting: BTreeMap<ControlPoint, Flow>,
    iterations: BTreeMap<ControlPoint, Iteration>,
    returned: Option<Flow>,
    results: Vec<Value>,
}

impl<'a> Unroller<'a> {
    /// Follows a function from its first block on.
    pub fn call(
        &mut self,
        thread: usize,
        id: FunctionId,
        mut registers: Vec<Value>,
        guard: Guard,
        section: Section,
    ) -> Result<Returned> {
        let function = &self.program.functions[id.index()];
        if self.depth == MOST_CALLS {
            return refuse(
                format!("{}, called too deep", function.shown_name()),
                Span::NOWHERE,
            );
        }
        for register in &function.registers[registers.len()..] {
            let term = self.unrolled.terms.term(Term::Undefined, register.width);
            registers.push(Value::new(term));
        }
        let shape = self.code.shape(id)?;
        let start = ControlPoint::new(shape.rank[0], ranks(&shape, BlockId(0)));
        let mut frame = Frame {
            thread,
            id,
            function,
            shape,
            waiting: BTreeMap::new(),
            iterations: BTreeMap::new(),
            returned: None,
            results: Vec::new(),
        };
        let flow = Flow {
            block: BlockId(0),
            guard,
            registers,
            section,
        };
        frame.waiting.insert(start, flow);
        let locals = self.unrolled.objects.len();
        let (events, handed_over) = (self.unrolled.events.len(), self.handed_over.len());
        let early = self.early.len();
        let depth = self.calls.len();
        self.depth += 1;
        self.calls.push(id.0);
        while let Some((point, flow)) = frame.waiting.pop_first() {
            self.block(&mut frame, &point, flow)?;
        }
        self.calls.truncate(depth);
        self.depth -= 1;
        let locals = locals..self.unrolled.objects.len();
        // The locals of main are there until the program ends, unless it ends its thread.
        let stays = frame.thread == 0
            && self.depth == 0
            && !self.early.iter().any(|(thread, ..)| *thread == 0);
        let handed_over = if stays {
            self.handed_over.len()
        } else {
            handed_over
        };
        let mut out: Vec<TermId> = frame.results.iter().map(|value| value.term).collect();
        out.extend(self.early[early..].iter().map(|&(_, _, result)| result));
        out.extend(
            self.handed_over[handed_over..]
                .iter()
                .map(|&(_, term, _)| term),
        );
        self.note_escapes(out, locals, events);
        Ok(match frame.returned {
            Some(flow) => Returned {
                guard: flow.guard,
                values: frame.results,
                registers: flow.registers,
                section: flow.section,
            },
            None => Returned {
                guard: Guard::FALSE,
                values: Vec::new(),
                registers: Vec::new(),
                section,
            },
        })
    }

    fn block(&mut self, frame: &mut Frame<'a>, point: &ControlPoint, mut flow: Flow) -> Result<()> {
        if frame.shape.loops[flow.block.index()].last() == Some(&flow.block) {
            let iteration = self.begin_iteration(&flow);
            frame.iterations.insert(point.clone(), iteration);
        }
        let block = &frame.function.blocks[flow.block.index()];
        let depth = self.calls.len();
        for (index, instruction) in block.instructions.iter().enumerate() {
            if flow.guard == Guard::FALSE {
                return Ok(());
            }
            self.check_size(instruction.span)?;
            self.calls.extend(point.numbers());
            self.calls.push(index as u32);
            let follows = enters(&instruction.kind);
            if follows {
                self.callers.push(Caller {
                    function: frame.id,
                    block: flow.block,
                    next: index + 1,
                    registers: flow.registers.clone(),
                });
            }
            self.instruction(frame, &mut flow, &instruction.kind, instruction.span)?;
            if follows {
                self.callers.pop();
            }
            self.calls.truncate(depth);
        }
        if flow.guard == Guard::FALSE {
            return Ok(());
        }
        self.terminator(frame, point, flow, block)
    }

    /// Counts an instruction, and refuses a program that is too large.
    fn check_size(&mut self, span: Span) -> Result<()> {
        self.limits.check()?;
        self.unrolled.instructions += 1;
        if self.unrolled.instructions > MOST_INSTRUCTIONS
            || self.unrolled.events.len() > MOST_EVENTS
        {
            return refuse("more than a formula can hold", span);
        }
        Ok(())
    }

    fn terminator(
        &mut self,
        frame: &mut Frame<'a>,
        point: &ControlPoint,
        mut flow: Flow,
        block: &Block,
    ) -> Result<()> {
        let span = block.terminator_span;
        let at = flow.at(frame.thread, span);
        match &block.terminator {
            Terminator::Jump(to) => self.go(frame, point, flow, *to, span),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                for to in [then, otherwise] {
                    if let Some(fails) = failed_assertion(&frame.function.blocks[to.index()]) {
                        self.note_assertion(frame.thread, flow.guard, fails);
                    }
                }
                let condition = self.operand(&flow, *condition);
                let taken = self.decide(at, &condition);
                let mut other = flow.clone();
                flow.guard = self.unrolled.terms.guards.and(flow.guard, taken);
                other.guard = self.unrolled.terms.guards.minus(other.guard, taken);
                self.go(frame, point, flow, *then, span)?;
                self.go(frame, point, other, *otherwise, span)
            }
            Terminator::Switch {
                value,
                cases,
                otherwise,
            } => {
                let value = self.operand(&flow, *value);
                self.check_defined(at, &value);
                self.depend_on_branch(at, &value);
                for (case, to) in cases {
                    let width = self.unrolled.terms.get(value.term).1;
                    let number = self.unrolled.terms.constant(*case, width);
                    let equal = self.unrolled.terms.equal(value.term, number);
                    let taken = self.unrolled.terms.holds(equal);
                    let mut case = flow.clone();
                    case.guard = self.unrolled.terms.guards.and(flow.guard, taken);
                    flow.guard = self.unrolled.terms.guards.minus(flow.guard, taken);
                    self.go(frame, point, case, *to, span)?;
                }
                self.go(frame, point, flow, *otherwise, span)
            }
            Terminator::Return(operands) => {
                let values: Vec<Value> = operands
                    .iter()
                    .map(|operand| self.operand(&flow, *operand))
                    .collect();
                self.leave(frame, flow, values, span)
            }
            Terminator::Unreachable => {
                let text = "code that must not be reached";
                self.fault(frame.thread, span, flow.guard, FaultKind::Unreachable, text);
                Ok(())
            }
        }
    }

    /// Control leaves the function.
    fn leave(
        &mut self,
        frame: &mut Frame<'a>,
        flow: Flow,
        values: Vec<Value>,
        span: Span,
    ) -> Result<()> {
        let terms = &mut self.unrolled.terms;
        let Some(before) = &mut frame.returned else {
            frame.returned = Some(flow);
            frame.results = values;
            return Ok(());
        };
        if before.section != flow.section {
            return refuse("an atomic section that may end or not", span);
        }
        let either = terms.guards.or(before.guard, flow.guard);
        let mine = terms.guards.simplify(before.guard, either);
        for (value, theirs) in frame.results.iter_mut().zip(&values) {
            value.join(theirs, mine, before.guard, flow.guard, terms);
        }
        before.join(flow, terms);
        Ok(())
    }

    /// Control goes to a block.
    fn go(
        &mut self,
        frame: &mut Frame<'a>,
        from: &ControlPoint,
        mut flow: Flow,
        to: BlockId,
        span: Span,
    ) -> Result<()> {
        if flow.guard == Guard::FALSE {
            return Ok(());
        }
        flow.block = to;
        let point = from.next(frame.shape.rank[to.index()], ranks(&frame.shape, to));
        let again = point.iteration() > 0 && frame.shape.loops[to.index()].last() == Some(&to);
        if again && !self.may_iterate(frame, &point, &flow, span) {
            return Ok(());
        }
        match frame.waiting.get_mut(&point) {
            Some(waiting) if waiting.section != flow.section => {
                refuse("an atomic section that may begin or not", span)
            }
            Some(waiting) => {
                waiting.join(flow, &mut self.unrolled.terms);
                Ok(())
            }
            None => {
                frame.waiting.insert(point, flow);
                Ok(())
            }
        }
    }

    /// Whether control goes on with another iteration of a loop, at its header. It does not where
    /// the iteration before was silent in any case, or where the bound of the loop is reached.
    fn may_iterate(
        &mut self,
        frame: &Frame<'a>,
        point: &ControlPoint,
        flow: &Flow,
        span: Span,
    ) -> bool {
        let before = frame.iterations.get(&point.iteration_before());
        let goes_on = before.is_some_and(|before| before.guard == flow.guard);
        if let Some(before) = before {
            let live = frame.shape.live.before(flow.block.index(), 0);
            let mut silence = self.silent(frame.thread, before, flow, live);
            let only_silent = silence.is_certain(flow.guard);
            self.find_dead(frame, flow, &mut silence);
            self.note_silent(silence, flow.guard, frame.thread);
            if only_silent {
                return false;
            }
        }
        let at = self.loop_id(frame, point);
        let iterations = self.iterations.of(at);
        let bound = if goes_on {
            iterations.max(MOST_ITERATIONS)
        } else {
            iterations
        };
        if point.iteration() < bound {
            return true;
        }
        self.stays += 1;
        let when = When {
            thread: frame.thread,
            position: self.position + 1,
        };
        self.unrolled.excesses.push(Excess {
            guard: flow.guard,
            at,
            span,
            iterations,
            when,
        });
        false
    }

    fn loop_id(&self, frame: &Frame, point: &ControlPoint) -> LoopId {
        let mut hasher = FxHasher::default();
        frame.thread.hash(&mut hasher);
        self.calls.hash(&mut hasher);
        for number in point.loop_numbers() {
            number.hash(&mut hasher);
        }
        LoopId(hasher.finish())
    }
}

/// Whether an instruction enters a function of the program.
fn enters(kind: &InstructionKind) -> bool {
    match kind {
        InstructionKind::Call { callee, .. } => !matches!(callee, Callee::Routine(_)),
        _ => false,
    }
}

/// Where a block tells that an assertion of a C program failed, if it does.
pub fn failed_assertion(block: &Block) -> Option<Span> {
    let mut instructions = block.instructions.iter();
    let call = instructions.find(|instruction| {
        let InstructionKind::Call { callee, .. } = &instruction.kind else {
            return false;
        };
        *callee == Callee::Routine(Routine::AssertFail)
    });
    call.map(|call| call.span)
}

/// The ranks of the headers of the loops around a block.
fn ranks(shape: &Shape, block: BlockId) -> impl Iterator<Item = u32> + '_ {
    let headers = shape.loops[block.index()].iter();
    headers.map(|header| shape.rank[header.index()])
}
