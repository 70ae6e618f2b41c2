//! One thread's code, with calls inlined and what is known worked in.
//!
//! Polyvariant specialisation, as in partial evaluation: a block of the result stands for a
//! block of the source in a chain of calls *with the registers that are known there*. A
//! counted loop comes to each iteration with another counter, which unrolls it; a loop that waits
//! comes to the same point with the same knowledge, and stays a loop. A point that is reached
//! with too many different values is made once for all of them.
//!
//! Registers belong to a chain of calls, so a function that is called from two calls has
//! its registers twice.

mod code;
mod emit;

use super::known::{Known, cut, fold, initial, substitute};
use super::paths::{comes_back, is_on_every_path};
use super::{Draft, Facts, Local, Loops, NotFlat, refuse};
use program::{
    Access, Address, Binary, Block, BlockId, Callee, Expression, Function, FunctionId, Instruction,
    InstructionKind as Kind, MemoryOrder, ObjectId, ObjectKind, Operand, Orderings, Register,
    RegisterId, Span, Terminator, Width, Word,
};
use std::collections::{HashMap, HashSet};

/// A point is made at most this many times for different values, and then once for all.
const MOST_VARIANTS: usize = 64;
const MOST_BLOCKS: usize = 4000;

/// A point of the source, in a chain of calls, and what is known there.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Point {
    frame: usize,
    block: BlockId,
    index: usize,
    known: Known,
}

/// A function in a chain of calls.
struct Frame {
    function: FunctionId,
    /// Where its registers start.
    registers: u32,
    /// The call that it was entered by: frame, block, instruction.
    caller: Option<(usize, BlockId, usize)>,
}

/// What must hold of a block, once the whole thread is there.
enum Demand {
    /// It starts a thread, so control must come there, once.
    Starts,
    /// It makes an object, so control may come there at most once.
    Once(&'static str),
}

/// Makes the code of the next thread of a draft.
pub(super) struct Specialiser<'d, 'p> {
    pub draft: &'d mut Draft<'p>,
    facts: &'d Facts,
    /// The thread's number.
    pub thread: usize,
    frames: Vec<Frame>,
    callees: HashMap<(usize, BlockId, usize, FunctionId), usize>,
    registers: Vec<Register>,
    names: HashSet<String>,
    /// The registers of private locals, by location.
    private: HashMap<Address, (RegisterId, Width)>,
    private_objects: HashMap<ObjectId, usize>,
    /// Objects of locals, by frame and instruction of the first block.
    locals: HashMap<(usize, usize), ObjectId>,
    own: HashMap<ObjectId, ObjectId>,
    observers: HashMap<String, RegisterId>,
    blocks: Vec<Block>,
    made: HashMap<Point, BlockId>,
    variants: HashMap<(usize, BlockId, usize), usize>,
    work: Vec<(Point, BlockId)>,
    demands: Vec<(BlockId, Demand, Span)>,
    /// The block that is being made.
    current: BlockId,
    /// What is known where it is being made.
    pub known: Known,
    pub span: Span,
}

/// Where control goes after an instruction.
pub(super) enum Next {
    /// To the next.
    On,
    /// The block has its terminator.
    Left,
}

impl<'d, 'p> Specialiser<'d, 'p> {
    pub fn new(draft: &'d mut Draft<'p>, facts: &'d Facts) -> Self {
        let thread = draft.functions.len();
        Specialiser {
            draft,
            facts,
            thread,
            frames: Vec::new(),
            callees: HashMap::new(),
            registers: Vec::new(),
            names: HashSet::new(),
            private: HashMap::new(),
            private_objects: HashMap::new(),
            locals: HashMap::new(),
            own: HashMap::new(),
            observers: HashMap::new(),
            blocks: Vec::new(),
            made: HashMap::new(),
            variants: HashMap::new(),
            work: Vec::new(),
            demands: Vec::new(),
            current: BlockId(0),
            known: Known::new(),
            span: Span::NOWHERE,
        }
    }

    /// The whole thread.
    pub fn thread(mut self) -> Result<Function, NotFlat> {
        let start = &self.draft.starts[self.thread];
        let (function, argument, span) = (start.function, start.argument, start.span);
        self.span = span;
        // Nobody writes this one.
        self.register("nothing", Width::W64);
        self.current = self.block("start");
        let frame = self.frame(function, None);
        if self.thread > 0 {
            self.wait_for_start();
            let parameter = RegisterId(self.frames[frame].registers);
            match argument {
                Some(argument) => self.set(parameter, Expression::Copy(argument)),
                None => {
                    let location = self.draft.signal(self.draft.signals.argument, self.thread);
                    self.load(parameter, location, Width::W64);
                }
            }
        }
        let first = self.target(frame, BlockId(0), 0)?;
        self.end(Terminator::Jump(first));
        while let Some((point, block)) = self.work.pop() {
            self.current = block;
            self.known = point.known.clone();
            self.follow(&point)?;
        }
        self.check_demands()?;
        let name = self.draft.starts[self.thread].name.clone();
        let number = self.thread;
        Ok(Function {
            name: format!("{name} {number}"),
            parameters: 0,
            registers: self.registers,
            blocks: self.blocks,
        })
    }

    fn check_demands(&self) -> Result<(), NotFlat> {
        for (block, demand, span) in &self.demands {
            let looped = comes_back(&self.blocks, *block);
            match demand {
                Demand::Starts if looped => return refuse("a thread is started in a loop", *span),
                Demand::Starts if !is_on_every_path(&self.blocks, *block) => {
                    return refuse("whether a thread is started depends on values", *span);
                }
                Demand::Once(what) if looped => return refuse(format!("{what} in a loop"), *span),
                _ => {}
            }
        }
        Ok(())
    }

    /// Asks that control comes to the current block, and once.
    pub fn starts_thread(&mut self) {
        self.demands.push((self.current, Demand::Starts, self.span));
    }

    /// Asks that control comes to the current block once at most.
    pub fn only_once(&mut self, what: &'static str) {
        self.demands
            .push((self.current, Demand::Once(what), self.span));
    }

    fn register_of(&self, frame: usize, register: RegisterId) -> RegisterId {
        RegisterId(self.frames[frame].registers + register.0)
    }

    /// What is known, of registers that may still be read at a point.
    fn known_at(&self, frame: usize, block: BlockId, index: usize) -> Known {
        let mut kept = Known::new();
        let mut at = Some((frame, block, index));
        let mut returning: Vec<RegisterId> = Vec::new();
        let mut chain = Vec::new();
        while let Some((frame, block, index)) = at {
            chain.push(frame);
            let Frame {
                function,
                registers,
                caller,
            } = self.frames[frame];
            let count = self.draft.program.functions[function.index()]
                .registers
                .len() as u32;
            let live = self.draft.live[function.index()].before(block.index(), index);
            let range = RegisterId(registers)..RegisterId(registers + count);
            for (register, value) in self.known.range(range) {
                let local = RegisterId(register.0 - registers);
                if live.contains(local) && !returning.contains(&local) {
                    kept.insert(*register, *value);
                }
            }
            at = caller.map(|(frame, block, index)| {
                let function = self.frames[frame].function;
                let code = &self.draft.program.functions[function.index()].blocks[block.index()];
                returning = code.instructions[index].kind.targets().collect();
                (frame, block, index + 1)
            });
        }
        for (location, (register, _)) in &self.private {
            if let Some(value) = self.known.get(register)
                && chain.contains(&self.private_objects[&location.object])
            {
                kept.insert(*register, *value);
            }
        }
        kept
    }

    /// The block for a point, with what is known now.
    fn target(&mut self, frame: usize, block: BlockId, index: usize) -> Result<BlockId, NotFlat> {
        let known = self.known_at(frame, block, index);
        let kept = self.general(frame, block, index, &known);
        let at = |known| Point {
            frame,
            block,
            index,
            known,
        };
        if kept == known {
            return self.point(at(known));
        }
        // For all values: the registers get them on the way.
        let edge = self.block("forget");
        let before = self.switch_to(edge);
        for (target, value) in known
            .into_iter()
            .filter(|(target, _)| !kept.contains_key(target))
        {
            let value = Expression::Copy(value);
            let kind = Kind::Assign { target, value };
            let span = self.span;
            self.blocks[edge.index()]
                .instructions
                .push(Instruction { kind, span });
        }
        let general = self.point(at(kept))?;
        self.end(Terminator::Jump(general));
        self.switch_to(before);
        Ok(edge)
    }

    /// What is kept of what is known at a point. Anything is sound that is a part of it.
    fn general(&mut self, frame: usize, block: BlockId, index: usize, known: &Known) -> Known {
        if self.draft.loops == Loops::Kept && self.thread > 0 {
            let point = (self.thread, frame, block, index);
            let general = self.draft.general.entry(point);
            let general = general.or_insert_with(|| known.clone());
            general.retain(|register, value| known.get(register) == Some(value));
            return general.clone();
        }
        let point = Point {
            frame,
            block,
            index,
            known: known.clone(),
        };
        if self.made.contains_key(&point) {
            return point.known;
        }
        let variants = self.variants.entry((frame, block, index)).or_default();
        *variants += 1;
        if *variants > MOST_VARIANTS {
            return Known::new();
        }
        point.known
    }

    fn point(&mut self, point: Point) -> Result<BlockId, NotFlat> {
        if let Some(made) = self.made.get(&point) {
            return Ok(*made);
        }
        let function = &self.draft.program.functions[self.frames[point.frame].function.index()];
        if self.blocks.len() >= MOST_BLOCKS {
            let message = format!(
                "too much code, with calls inlined and loops unrolled, in {}",
                function.name
            );
            return refuse(message, self.span);
        }
        let label = format!(
            "{}.{}",
            function.name,
            function.blocks[point.block.index()].label
        );
        let block = self.block(&label);
        self.made.insert(point.clone(), block);
        self.work.push((point, block));
        Ok(block)
    }

    /// Makes the code from a point on, to the end of its block.
    fn follow(&mut self, point: &Point) -> Result<(), NotFlat> {
        let function = self.frames[point.frame].function;
        let program = self.draft.program;
        let block = &program.functions[function.index()].blocks[point.block.index()];
        let rest = block.instructions.iter().enumerate().skip(point.index);
        for (index, instruction) in rest {
            self.span = instruction.span;
            let next = self.instruction(point.frame, point.block, index, &instruction.kind)?;
            if matches!(next, Next::Left) {
                return Ok(());
            }
        }
        self.span = block.terminator_span;
        self.terminator(point.frame, &block.terminator)
    }
}
