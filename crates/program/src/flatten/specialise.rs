//! One thread's code, with calls inlined and what is known worked in.
//!
//! Polyvariant specialisation, as in partial evaluation: a block of the result stands for a
//! block of the source in a chain of calls *with the registers that are known there*. A
//! counted loop comes to each turn with another counter, which unrolls it; a loop that waits
//! comes to the same point with the same knowledge, and stays a loop. A point that is reached
//! with too many different values is made once for all of them.
//!
//! Registers belong to a chain of calls, so a function that is called in two places has
//! its registers twice.

use super::known::{Known, cut, fold, initial, substitute};
use super::places::{comes_back, is_on_every_path};
use super::{Draft, Facts, Local, NotFlat, refuse};
use crate::{
    Access, Address, Binary, Block, BlockId, Callee, Expression, Function, FunctionId, Instruction,
    InstructionKind as Kind, MemoryOrder, ObjectId, ObjectKind, Operand, Orderings, Register,
    RegisterId, Span, Terminator, Width, Word,
};
use std::collections::{HashMap, HashSet};

/// So often a point is made, each time for other values, before it is made for all.
const MOST_VARIANTS: usize = 64;
const MOST_BLOCKS: usize = 4000;

/// A place in the source, in a chain of calls, and what is known there.
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
    /// It makes an object, so control may come there once at most.
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
    /// The registers of private locals, by place.
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
    span: Span,
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
                    let place = self.draft.signal(self.draft.signals.argument, self.thread);
                    self.load(parameter, place, Width::W64);
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

    /// A new register.
    pub fn register(&mut self, name: &str, width: Width) -> RegisterId {
        let mut unique = name.to_owned();
        let mut number = 1;
        while !self.names.insert(unique.clone()) {
            number += 1;
            unique = format!("{name} {number}");
        }
        self.registers.push(Register {
            name: unique,
            width,
        });
        RegisterId::from(self.registers.len() - 1)
    }

    fn frame(&mut self, function: FunctionId, caller: Option<(usize, BlockId, usize)>) -> usize {
        let code = &self.draft.program.functions[function.index()];
        let registers = self.registers.len() as u32;
        for register in &code.registers {
            let name = format!("{}.{}", code.name, register.name);
            self.register(&name, register.width);
        }
        self.frames.push(Frame {
            function,
            registers,
            caller,
        });
        self.frames.len() - 1
    }

    fn block(&mut self, label: &str) -> BlockId {
        let id = BlockId::from(self.blocks.len());
        self.blocks.push(Block {
            label: format!("{label} {}", id.0),
            instructions: Vec::new(),
            terminator: Terminator::Return(Vec::new()),
            terminator_span: self.span,
        });
        id
    }

    pub fn push(&mut self, kind: Kind) {
        let span = self.span;
        for target in kind.targets() {
            self.known.remove(&target);
        }
        self.blocks[self.current.index()]
            .instructions
            .push(Instruction { kind, span });
    }

    /// Gives a register a value, without code if it is known.
    pub fn set(&mut self, target: RegisterId, value: Expression) {
        let width = self.registers[target.index()].width;
        match fold(&value, width, &self.draft.objects) {
            Some(value) => {
                self.known.insert(target, value);
            }
            None => self.push(Kind::Assign { target, value }),
        }
    }

    /// Gives a new register a value.
    pub fn compute(&mut self, name: &str, width: Width, value: Expression) -> Operand {
        let register = self.register(name, width);
        self.set(register, value);
        substitute(&self.known, register.into())
    }

    pub fn load(&mut self, target: RegisterId, address: Operand, width: Width) {
        let access = Access::ordered(MemoryOrder::Relaxed, 1);
        self.push(Kind::Load {
            target,
            address,
            width,
            access,
        });
    }

    pub fn store(&mut self, address: Operand, value: Operand, width: Width) {
        let access = Access::ordered(MemoryOrder::Relaxed, 1);
        if let Operand::Address(place) = address
            && let Some(register) = self.private_register(place, width)
        {
            return self.set(register, Expression::Copy(value));
        }
        self.push(Kind::Store {
            address,
            value,
            width,
            access,
        });
    }

    pub fn full_fence(&mut self) {
        self.push(Kind::Fence(Orderings::ALL));
    }

    /// Gives the execution up unless the place holds something else than 0.
    pub fn wait_for(&mut self, address: Operand) {
        let seen = self.register("seen", Width::W64);
        self.load(seen, address, Width::W64);
        self.push(Kind::Assume {
            condition: seen.into(),
        });
        self.full_fence();
    }

    fn wait_for_start(&mut self) {
        self.wait_for(self.draft.signal(self.draft.signals.started, self.thread));
    }

    fn end(&mut self, terminator: Terminator) {
        let block = &mut self.blocks[self.current.index()];
        block.terminator = terminator;
        block.terminator_span = self.span;
    }

    /// Ends the thread.
    pub fn end_thread(&mut self, result: Operand) {
        if self.thread > 0 {
            let signals = self.draft.signals;
            if result != Operand::Constant(0) {
                let place = self.draft.signal(signals.result, self.thread);
                self.store(place, result, Width::W64);
            }
            self.full_fence();
            let place = self.draft.signal(signals.ended, self.thread);
            self.store(place, Operand::Constant(1), Width::W64);
        }
        self.end(Terminator::Return(Vec::new()));
    }

    /// The execution is wrong here.
    pub fn fail(&mut self) {
        self.push(Kind::Assert {
            condition: Operand::Constant(0),
        });
        self.end(Terminator::Return(Vec::new()));
    }

    /// Splits control: `then` goes on, if the condition holds; the other block is returned.
    pub fn branch_off(&mut self, condition: Operand) -> BlockId {
        let (then, otherwise) = (self.block("then"), self.block("else"));
        self.end(Terminator::Branch {
            condition,
            then,
            otherwise,
        });
        self.current = then;
        otherwise
    }

    /// Ends the current block and another one in a common new one, and goes on there.
    pub fn join(&mut self, other: BlockId) {
        let after = self.block("join");
        self.end(Terminator::Jump(after));
        self.current = other;
        self.end(Terminator::Jump(after));
        self.current = after;
    }

    /// Goes on in another block.
    pub fn switch_to(&mut self, block: BlockId) -> BlockId {
        std::mem::replace(&mut self.current, block)
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
        for (place, (register, _)) in &self.private {
            if let Some(value) = self.known.get(register)
                && chain.contains(&self.private_objects[&place.object])
            {
                kept.insert(*register, *value);
            }
        }
        kept
    }

    /// The block for a point, with what is known now.
    fn target(&mut self, frame: usize, block: BlockId, index: usize) -> Result<BlockId, NotFlat> {
        let mut known = self.known_at(frame, block, index);
        let point = Point {
            frame,
            block,
            index,
            known: known.clone(),
        };
        if let Some(made) = self.made.get(&point) {
            return Ok(*made);
        }
        let variants = self.variants.entry((frame, block, index)).or_default();
        *variants += 1;
        if *variants > MOST_VARIANTS && !known.is_empty() {
            // Once for all values: the registers get them on the way.
            let edge = self.block("forget");
            let before = self.switch_to(edge);
            let kept = std::mem::take(&mut known);
            for (target, value) in kept {
                let value = Expression::Copy(value);
                let kind = Kind::Assign { target, value };
                let span = self.span;
                self.blocks[edge.index()]
                    .instructions
                    .push(Instruction { kind, span });
            }
            let point = Point {
                frame,
                block,
                index,
                known,
            };
            let general = self.point(point)?;
            self.end(Terminator::Jump(general));
            self.switch_to(before);
            return Ok(edge);
        }
        self.point(point)
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

    /// The operand of an instruction in a frame: its register here, or what is known of it.
    fn operand(&self, frame: usize, operand: Operand) -> Operand {
        match operand {
            Operand::Register(register) => {
                let register = self.register_of(frame, register);
                substitute(&self.known, register.into())
            }
            Operand::Constant(_) | Operand::Address(_) => operand,
        }
    }

    fn expression(&mut self, frame: usize, value: Expression) -> Expression {
        use Expression::*;
        let of = |operand| self.operand(frame, operand);
        match value {
            Copy(a) => Copy(of(a)),
            SignExtend(width, a) => SignExtend(width, of(a)),
            Unary(operation, width, a) => Unary(operation, width, of(a)),
            Convert(conversion, width, a) => Convert(conversion, width, of(a)),
            Binary(operation, width, a, b) => Binary(operation, width, of(a), of(b)),
            Select(a, b, c) => Select(of(a), of(b), of(c)),
            Own(address) => Copy(Operand::Address(self.own(address))),
        }
    }

    /// The place of the thread's own copy of an object.
    fn own(&mut self, address: Address) -> Address {
        let object = match self.own.get(&address.object) {
            Some(object) => *object,
            None => {
                let model = self.draft.objects[address.object.index()].clone();
                let object = self.draft.add_object(&model.name, 0, model.span);
                let copy = &mut self.draft.objects[object.index()];
                (copy.initial, copy.zeros) = (model.initial, model.zeros);
                self.own.insert(address.object, object);
                object
            }
        };
        Address { object, ..address }
    }

    fn instruction(
        &mut self,
        frame: usize,
        block: BlockId,
        index: usize,
        kind: &Kind,
    ) -> Result<Next, NotFlat> {
        let of = |this: &Self, operand| this.operand(frame, operand);
        let to = |this: &Self, register| this.register_of(frame, register);
        match *kind {
            Kind::Assign { target, value } => {
                let value = self.expression(frame, value);
                let width = self.registers[to(self, target).index()].width;
                if value.may_fail() && fold(&value, width, &self.draft.objects).is_none() {
                    return refuse("a division by something that is computed", self.span);
                }
                let target = to(self, target);
                self.set(target, value);
            }
            Kind::Load {
                target,
                address,
                width,
                access,
            } => {
                let (target, address) = (to(self, target), of(self, address));
                match self.known_load(address, width) {
                    Some(value) => self.set(target, Expression::Copy(value)),
                    None => self.push(Kind::Load {
                        target,
                        address,
                        width,
                        access,
                    }),
                }
            }
            Kind::Store {
                address,
                value,
                width,
                access,
            } => {
                let (address, value) = (of(self, address), of(self, value));
                if let Operand::Address(place) = address
                    && let Some(register) = self.private_register(place, width)
                {
                    self.set(register, Expression::Copy(value));
                } else {
                    self.push(Kind::Store {
                        address,
                        value,
                        width,
                        access,
                    });
                }
            }
            Kind::Update {
                target,
                operation,
                address,
                operand,
                width,
                access,
            } => {
                let (address, operand) = (of(self, address), of(self, operand));
                let target = to(self, target);
                self.push(Kind::Update {
                    target,
                    operation,
                    address,
                    operand,
                    width,
                    access,
                });
            }
            Kind::CompareExchange { .. } => self.compare_exchange(frame, kind),
            Kind::Fence(orderings) => self.push(Kind::Fence(orderings)),
            Kind::Call {
                callee,
                ref targets,
                ref arguments,
            } => {
                return self.call((frame, block, index), callee, targets, arguments);
            }
            Kind::Allocate {
                target,
                size,
                ref name,
                ..
            } => {
                let size = of(self, size);
                let object = self.local(frame, block, index, size, name)?;
                let target = to(self, target);
                self.set(
                    target,
                    Expression::Copy(Operand::Address(Address::of(object))),
                );
            }
            Kind::Assert { condition } => match of(self, condition) {
                Operand::Constant(0) => {
                    self.fail();
                    return Ok(Next::Left);
                }
                condition @ Operand::Register(_) => self.push(Kind::Assert { condition }),
                Operand::Constant(_) | Operand::Address(_) => {}
            },
            Kind::Assume { condition } => match of(self, condition) {
                condition @ (Operand::Register(_) | Operand::Constant(0)) => {
                    self.push(Kind::Assume { condition });
                }
                Operand::Constant(_) | Operand::Address(_) => {}
            },
            Kind::Choose { target, count } => {
                let count = of(self, count);
                if !matches!(count, Operand::Constant(1..=0xffff)) {
                    return refuse(
                        "a choice among a number of values that is computed",
                        self.span,
                    );
                }
                let target = to(self, target);
                self.push(Kind::Choose { target, count });
            }
            Kind::Observe { ref name, value } => {
                let value = of(self, value);
                let register = self.observer(name)?;
                self.push(Kind::Assign {
                    target: register,
                    value: Expression::Copy(value),
                });
            }
            Kind::AtomicBegin | Kind::AtomicEnd => return refuse("an atomic section", self.span),
        }
        Ok(Next::On)
    }

    /// The register that holds what is observed under a name.
    fn observer(&mut self, name: &str) -> Result<RegisterId, NotFlat> {
        if let Some(register) = self.observers.get(name) {
            return Ok(*register);
        }
        let register = self.register(&format!("observed {name}"), Width::W64);
        self.observers.insert(name.to_owned(), register);
        let observed = &self.draft.program.observed;
        if let Some(number) = observed
            .iter()
            .position(|observable| observable.name == name)
        {
            let observer = &mut self.draft.observers[number];
            if observer.is_some() {
                return refuse(format!("{name} is observed by two threads"), self.span);
            }
            *observer = Some((self.thread, register));
        }
        Ok(register)
    }

    /// What a load gives without one.
    fn known_load(&mut self, address: Operand, width: Width) -> Option<Operand> {
        let Operand::Address(place) = address else {
            return None;
        };
        if let Some(register) = self.private_register(place, width) {
            return Some(substitute(&self.known, register.into()));
        }
        let object = self.draft.objects.get(place.object.index())?;
        let constant =
            object.kind == ObjectKind::Constant || self.facts.constant.contains(&place.object);
        let value = constant.then(|| initial(&self.draft.objects, place, width))?;
        value.and_then(|value| cut(value, width))
    }

    /// The register that a place of a private local is.
    fn private_register(&mut self, place: Address, width: Width) -> Option<RegisterId> {
        self.private_objects.get(&place.object)?;
        let end = u64::from(place.offset) + u64::from(width.bytes());
        if end > self.draft.objects[place.object.index()].size() {
            return None;
        }
        if let Some((register, known)) = self.private.get(&place) {
            return (*known == width).then_some(*register);
        }
        let name = self.draft.objects[place.object.index()].name.clone();
        let register = self.register(&name, width);
        self.private.insert(place, (register, width));
        Some(register)
    }

    /// The object of a local.
    fn local(
        &mut self,
        frame: usize,
        block: BlockId,
        index: usize,
        size: Operand,
        name: &str,
    ) -> Result<ObjectId, NotFlat> {
        let first = block == BlockId(0);
        if let Some(object) = self.locals.get(&(frame, index)).filter(|_| first) {
            return Ok(*object);
        }
        let Operand::Constant(size @ 0..=0xffff) = size else {
            return refuse("a local whose size is computed", self.span);
        };
        if !first {
            self.only_once("a local");
        }
        let function = self.frames[frame].function;
        let name = match name {
            "" => format!(
                "local of {}",
                self.draft.program.functions[function.index()].name
            ),
            _ => name.to_owned(),
        };
        let object = self.draft.add_object(&name, size as u32, self.span);
        let made_at = (function, block, index);
        if self.facts.private.contains(&made_at) {
            self.private_objects.insert(object, frame);
        }
        if first {
            self.locals.insert((frame, index), object);
        }
        self.draft.locals.push(Local { object, made_at });
        Ok(object)
    }

    fn compare_exchange(&mut self, frame: usize, kind: &Kind) {
        let Kind::CompareExchange {
            target,
            address,
            expected,
            desired,
            width,
            access,
            failure,
            weak,
            succeeded,
        } = *kind
        else {
            return;
        };
        let [address, expected, desired] =
            [address, expected, desired].map(|operand| self.operand(frame, operand));
        let old = self.register("old", width);
        let wrote = self.register("wrote", Width::BIT);
        let failing = weak.then(|| {
            let choice = self.register("succeeds", Width::BIT);
            self.push(Kind::Choose {
                target: choice,
                count: Operand::Constant(2),
            });
            self.branch_off(choice.into())
        });
        self.push(Kind::CompareExchange {
            target: old,
            address,
            expected,
            desired,
            width,
            access,
            failure,
            weak: false,
            succeeded: None,
        });
        let equal = Expression::Binary(Binary::Eq, width, old.into(), expected);
        self.push(Kind::Assign {
            target: wrote,
            value: equal,
        });
        if let Some(failing) = failing {
            let done = self.switch_to(failing);
            let access = Access {
                order: failure,
                ..access
            };
            self.push(Kind::Load {
                target: old,
                address,
                width,
                access,
            });
            let value = Expression::Copy(Operand::Constant(0));
            self.push(Kind::Assign {
                target: wrote,
                value,
            });
            self.join(done);
        }
        let target = self.register_of(frame, target);
        self.set(target, Expression::Copy(old.into()));
        if let Some(succeeded) = succeeded {
            let succeeded = self.register_of(frame, succeeded);
            self.set(succeeded, Expression::Copy(wrote.into()));
        }
    }

    fn call(
        &mut self,
        at: (usize, BlockId, usize),
        callee: Callee,
        targets: &[RegisterId],
        arguments: &[Operand],
    ) -> Result<Next, NotFlat> {
        let (frame, block, index) = at;
        let values: Vec<Operand> = arguments.iter().map(|a| self.operand(frame, *a)).collect();
        let function = match callee {
            Callee::Function(function) => function,
            Callee::Pointer(pointer) => {
                let pointer = self.operand(frame, pointer);
                match self.function_at(pointer) {
                    Some(function) => function,
                    None => return refuse("a call through a pointer", self.span),
                }
            }
            Callee::Routine(routine) => {
                let live = &self.draft.live[self.frames[frame].function.index()];
                let live = live.before(block.index(), index + 1);
                let target = targets.iter().find(|target| live.contains(**target));
                let target = target.map(|target| self.register_of(frame, *target));
                return self.routine(routine, &values, target, self.span);
            }
        };
        let code = &self.draft.program.functions[function.index()];
        let mut caller = Some(frame);
        while let Some(above) = caller {
            if self.frames[above].function == function {
                return refuse(format!("recursion through {}", code.name), self.span);
            }
            caller = self.frames[above].caller.map(|(frame, ..)| frame);
        }
        if code.parameters as usize != values.len() {
            return refuse(
                format!("a call of {} with other parameters", code.name),
                self.span,
            );
        }
        let key = (frame, block, index, function);
        let inner = match self.callees.get(&key) {
            Some(inner) => *inner,
            None => {
                let inner = self.frame(function, Some(at));
                self.callees.insert(key, inner);
                inner
            }
        };
        for (number, value) in values.into_iter().enumerate() {
            let parameter = self.register_of(inner, RegisterId::from(number));
            self.set(parameter, Expression::Copy(value));
        }
        let first = self.target(inner, BlockId(0), 0)?;
        self.end(Terminator::Jump(first));
        Ok(Next::Left)
    }

    /// The function at a known address.
    pub fn function_at(&self, pointer: Operand) -> Option<FunctionId> {
        let Operand::Address(Address { object, offset: 0 }) = pointer else {
            return None;
        };
        match self.draft.objects.get(object.index())?.kind {
            ObjectKind::Code(function) => Some(function),
            _ => None,
        }
    }

    fn terminator(&mut self, frame: usize, terminator: &Terminator) -> Result<(), NotFlat> {
        match terminator {
            Terminator::Jump(block) => {
                let target = self.target(frame, *block, 0)?;
                self.end(Terminator::Jump(target));
            }
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => match self.operand(frame, *condition) {
                condition @ Operand::Register(_) => {
                    let then = self.target(frame, *then, 0)?;
                    let otherwise = self.target(frame, *otherwise, 0)?;
                    self.end(Terminator::Branch {
                        condition,
                        then,
                        otherwise,
                    });
                }
                value => {
                    let zero = value == Operand::Constant(0);
                    let next = if zero { otherwise } else { then };
                    let target = self.target(frame, *next, 0)?;
                    self.end(Terminator::Jump(target));
                }
            },
            Terminator::Switch {
                value,
                cases,
                otherwise,
            } => {
                let value = self.operand(frame, *value);
                self.switch(frame, value, cases, *otherwise)?;
            }
            Terminator::Return(values) => {
                let values = values.iter().map(|value| self.operand(frame, *value));
                let values: Vec<Operand> = values.collect();
                self.leave(frame, &values)?;
            }
            Terminator::Unreachable => self.fail(),
        }
        Ok(())
    }

    fn switch(
        &mut self,
        frame: usize,
        value: Operand,
        cases: &[(Word, BlockId)],
        otherwise: BlockId,
    ) -> Result<(), NotFlat> {
        if let Operand::Constant(word) = value {
            let found = cases.iter().find(|(case, _)| *case == word);
            let block = found.map_or(otherwise, |(_, block)| *block);
            let target = self.target(frame, block, 0)?;
            self.end(Terminator::Jump(target));
            return Ok(());
        }
        for (case, block) in cases {
            let case = Operand::Constant(*case);
            let equal = Expression::Binary(Binary::Eq, Width::W64, value, case);
            let is = self.register("case", Width::BIT);
            self.push(Kind::Assign {
                target: is,
                value: equal,
            });
            let then = self.target(frame, *block, 0)?;
            let next = self.block("next case");
            self.end(Terminator::Branch {
                condition: is.into(),
                then,
                otherwise: next,
            });
            self.current = next;
        }
        let target = self.target(frame, otherwise, 0)?;
        self.end(Terminator::Jump(target));
        Ok(())
    }

    /// Returns from a function.
    fn leave(&mut self, frame: usize, values: &[Operand]) -> Result<(), NotFlat> {
        let Some((caller, block, index)) = self.frames[frame].caller else {
            self.end_thread(values.first().copied().unwrap_or(Operand::Constant(0)));
            return Ok(());
        };
        let function = self.frames[caller].function;
        let program = self.draft.program;
        let code = &program.functions[function.index()].blocks[block.index()];
        let targets: Vec<RegisterId> = code.instructions[index].kind.targets().collect();
        for (number, target) in targets.into_iter().enumerate() {
            let Some(value) = values.get(number) else {
                return refuse("a call whose result is not there", self.span);
            };
            let target = self.register_of(caller, target);
            self.set(target, Expression::Copy(*value));
        }
        let target = self.target(caller, block, index + 1)?;
        self.end(Terminator::Jump(target));
        Ok(())
    }
}
