//! Dead stores: private memory that a thread never reads before it overwrites it.
//!
//! An iteration that stores to private memory is silent only if that is not read before it is
//! overwritten (`iterations.rs`, 2b), and unrolling alone cannot tell what is read beyond the bounds. [`Unroller::is_dead`]
//! shows it for all that can follow, without bounds: it explores the code from the start of the next
//! iteration, through calls and returns, to the end of the thread, with an abstract value for each register.
//! An abstract value is the number that the register is known to hold, if any; whether it may be
//! computed from the address of the object (*tainted*); and whether it may be computed from what a load found
//! in the location (*stale*). Branches on known numbers are taken one way
//! only; `return false` from a loop does not lead to the code for `true`. A path ends where the thread
//! ends or stores to all of the location. The answer is "not dead" where a path
//!
//! - uses a stale value for anything but to compute others, or to pass them to functions and back: it
//!   is an address, stored, observed, decided on, divided by, given to a library function;
//! - makes a read-modify-write of the location, or through a tainted pointer that is not known;
//! - gives a tainted value away: stores it, passes it to a library function, returns it from the thread; or
//! - is not followed: a call of an unknown function, calls nested too deep, too many states.
//!
//! *Invariant:* every concrete state that the thread can be in is described by a state that was explored,
//! unless the location was overwritten before: registers start from the terms that they hold, each step
//! is one of the instruction on the described values, and where states are joined, the result describes both.
//! What is loaded is not tainted, as no tainted value was stored: not later, by the rule above, and not
//! before, which [`Unroller::is_dead`] checks in the accesses so far, but for those that exclude the iteration.
//! At the start a number counts as tainted unless it is small, minus something small or an address in another
//! object: constants are folded, so shifted and tagged addresses are numbers as any other.
//!
//! *Assumption:* the thread gets to the object only by numbers that are computed from its address as data, of more than
//! one bit at a time. Taint does not follow decisions: a thread that takes an address apart by comparisons and branches,
//! or into single bits, and puts an equal number together from constants, or that guesses the number, reaches the object
//! by a pointer that is not tainted here. Such a pointer has no provenance, and what C says of its use is up to the
//! implementation; the machines run it. If what it reads is a store of a silent iteration, the formula does not have
//! that execution. Accesses beyond the end of another object, which could reach this one as well, are violations of their own.

use super::frame::Frame;
use super::iterations::{Written, covers, overlaps};
use super::values::Value;
use super::{Flow, Unroller};
use crate::guard::Guard;
use crate::term::TermId;
use program::{
    Address, BlockId, Callee, Class, Expression, FunctionId, Instruction, InstructionKind as Kind,
    Operand, Routine, Terminator, Width, Word,
};
use rustc_hash::FxHashMap;

/// At most this many states of one point are kept apart.
const MOST_STATES: usize = 8;
/// At most this many instructions are explored.
const MOST_STEPS: u32 = 20_000;
/// Calls are nested at most this deep.
const MOST_CALLS: usize = 64;

/// A call that is being followed: where control goes on after it, with what in the registers.
pub struct Caller {
    pub function: FunctionId,
    pub block: BlockId,
    pub next: usize,
    pub registers: Vec<Value>,
}

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Abstract {
    /// invariant: none if it is stale.
    word: Option<Word>,
    tainted: bool,
    stale: bool,
}

impl Abstract {
    const ANYTHING_ELSE: Abstract = Abstract {
        word: None,
        tainted: false,
        stale: false,
    };
    const LOADED: Abstract = Abstract {
        stale: true,
        ..Abstract::ANYTHING_ELSE
    };

    fn describes(self, other: Abstract) -> bool {
        (self.word.is_none() || self.word == other.word)
            && self.tainted >= other.tainted
            && self.stale >= other.stale
    }

    fn join(self, other: Abstract) -> Abstract {
        Abstract {
            word: self.word.filter(|_| self.word == other.word),
            tainted: self.tainted || other.tainted,
            stale: self.stale || other.stale,
        }
    }
}

/// A call with what is known of its registers, before an instruction.
#[derive(Clone)]
struct Activation {
    function: FunctionId,
    block: BlockId,
    next: usize,
    registers: Vec<Abstract>,
}

/// The calls of a thread, outermost first.
type Stack = Vec<Activation>;

/// How a path goes on after an instruction.
enum Path {
    Continues,
    Calls(FunctionId, Vec<Abstract>),
    Ends,
    Reads,
}

/// The points of a stack.
type Points = Vec<(FunctionId, BlockId, usize)>;

struct Exploration<'u, 'a> {
    unroller: &'u mut Unroller<'a>,
    written: Written,
    open: Vec<Stack>,
    seen: FxHashMap<Points, Vec<Stack>>,
    steps: u32,
}

impl<'a> Unroller<'a> {
    /// Whether a thread that goes to a loop's header does not read private memory, whatever it
    /// does, before it overwrites that, if it has not given its address away when `guard` holds.
    pub(super) fn is_dead(
        &mut self,
        frame: &Frame<'a>,
        flow: &Flow,
        written: Written,
        guard: Guard,
    ) -> bool {
        let object = written.address >> Address::OFFSET_BITS;
        // Addresses in a larger object differ in their upper bits.
        let room = 1 << Address::OFFSET_BITS;
        let small = self
            .object(object)
            .is_some_and(|made| (1..room).contains(&made.size));
        if !small
            || !self.is_own(frame.thread, object)
            || self.may_have_given_away(frame.thread, object, guard)
        {
            return false;
        }
        let mut stack = Stack::new();
        for index in 0..self.callers.len() {
            let caller = &self.callers[index];
            let (function, block, next) = (caller.function, caller.block, caller.next);
            let terms: Vec<TermId> = caller.registers.iter().map(|value| value.term).collect();
            let registers = self.describe(&terms, object);
            stack.push(Activation {
                function,
                block,
                next,
                registers,
            });
        }
        let terms: Vec<TermId> = flow.registers.iter().map(|value| value.term).collect();
        stack.push(Activation {
            function: frame.id,
            block: flow.block,
            next: 0,
            registers: self.describe(&terms, object),
        });
        let mut exploration = Exploration {
            unroller: self,
            written,
            open: Vec::new(),
            seen: FxHashMap::default(),
            steps: 0,
        };
        exploration.arrive(stack);
        exploration.reads_nothing()
    }

    /// Whether a thread may have stored a value that is computed from an object's address
    /// when the guard holds.
    fn may_have_given_away(&mut self, thread: usize, object: Word, guard: Guard) -> bool {
        let mut out: Vec<(TermId, Guard)> = Vec::new();
        for event in self.unrolled.events.iter().filter(|e| e.thread == thread) {
            out.extend(event.stored.map(|stored| (stored.value, stored.guard)));
        }
        let handed_over = self.handed_over.iter().filter(|(by, ..)| *by == thread);
        out.extend(handed_over.map(|&(_, term, when)| (term, when)));
        out.into_iter().any(|(term, when)| {
            self.may_be_computed_from(term, object)
                && self.unrolled.terms.guards.and(when, guard) != Guard::FALSE
        })
    }

    /// What is known of registers.
    fn describe(&mut self, terms: &[TermId], object: Word) -> Vec<Abstract> {
        let describe = |&term: &TermId| Abstract {
            word: self.unrolled.terms.known(term),
            tainted: self.may_be_computed_from(term, object),
            stale: false,
        };
        terms.iter().map(describe).collect()
    }

    /// Whether a term may be computed from the address of an object.
    fn may_be_computed_from(&mut self, term: TermId, object: Word) -> bool {
        let base = Address::BASE >> Address::OFFSET_BITS;
        let others = base..base + self.unrolled.objects.len() as Word;
        let negative =
            [Width::W64, Width::W32].map(|width| width.truncate(Word::MAX) >> Address::OFFSET_BITS);
        let harmless = |number: &Word| {
            *number == 0
                || negative.contains(number)
                || others.contains(number) && *number != object
        };
        !self.mentions(term).iter().all(harmless)
    }
}

impl Exploration<'_, '_> {
    fn reads_nothing(&mut self) -> bool {
        while let Some(stack) = self.open.pop() {
            if self.reads(stack) {
                return false;
            }
        }
        true
    }

    /// Control is at the start of a block, or has returned from a call.
    fn arrive(&mut self, mut stack: Stack) {
        for activation in &mut stack {
            let live = self.unroller.code.known_shape(activation.function);
            let Some(live) = live.as_ref().map(|shape| &shape.live) else {
                continue;
            };
            let live = live.before(activation.block.index(), activation.next);
            for (index, value) in activation.registers.iter_mut().enumerate() {
                if !live.contains(index.into()) {
                    *value = Abstract::ANYTHING_ELSE;
                }
            }
        }
        let points = stack
            .iter()
            .map(|a| (a.function, a.block, a.next))
            .collect();
        let seen = self.seen.entry(points).or_default();
        if seen.iter().any(|seen| describes(seen, &stack)) {
            return;
        }
        if seen.len() == MOST_STATES
            && let Some(last) = seen.pop()
        {
            stack = join(&last, &stack);
        }
        seen.push(stack.clone());
        self.open.push(stack);
    }

    /// Follows control to the end of its block, or into or out of a call; true if it reads the
    /// location, or is not followed further.
    fn reads(&mut self, mut stack: Stack) -> bool {
        let program = self.unroller.program;
        let Some(mut top) = stack.pop() else {
            return false;
        };
        let block = &program.functions[top.function.index()].blocks[top.block.index()];
        while let Some(instruction) = block.instructions.get(top.next) {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return true;
            }
            top.next += 1;
            match self.instruction(&mut top, instruction) {
                Path::Continues => {}
                Path::Ends => return false,
                Path::Reads => return true,
                Path::Calls(function, registers) => {
                    stack.push(top);
                    stack.push(Activation {
                        function,
                        block: BlockId(0),
                        next: 0,
                        registers,
                    });
                    self.arrive(stack.clone());
                    return stack.len() > MOST_CALLS;
                }
            }
        }
        match &block.terminator {
            Terminator::Return(operands) => {
                let results: Vec<Abstract> =
                    operands.iter().map(|&o| self.operand(&top, o)).collect();
                self.returns(stack, &results)
            }
            terminator => {
                let decides = terminator.operands().iter();
                if decides.into_iter().any(|&o| self.operand(&top, o).stale) {
                    return true;
                }
                for to in self.successors(&top, terminator) {
                    let mut stack = stack.clone();
                    stack.push(Activation {
                        block: to,
                        next: 0,
                        ..top.clone()
                    });
                    self.arrive(stack);
                }
                false
            }
        }
    }

    /// Control leaves a function; true if the thread returns a tainted or stale value.
    fn returns(&mut self, mut stack: Stack, results: &[Abstract]) -> bool {
        let program = self.unroller.program;
        let Some(caller) = stack.last_mut() else {
            return results.iter().any(|result| result.tainted || result.stale);
        };
        let function = &program.functions[caller.function.index()];
        let call = &function.blocks[caller.block.index()].instructions[caller.next - 1];
        let targets: Vec<_> = call.kind.targets().collect();
        for (target, &result) in targets.into_iter().zip(results) {
            self.set(caller, target, result);
        }
        self.arrive(stack);
        false
    }

    /// The blocks that control may go to.
    fn successors(&mut self, top: &Activation, terminator: &Terminator) -> Vec<BlockId> {
        let known = terminator.operands().first();
        let known = known.and_then(|&operand| self.operand(top, operand).word);
        match (terminator, known) {
            (
                Terminator::Branch {
                    then, otherwise, ..
                },
                Some(word),
            ) => vec![if word != 0 { *then } else { *otherwise }],
            (
                Terminator::Switch {
                    cases, otherwise, ..
                },
                Some(word),
            ) => {
                let case = cases.iter().find(|(case, _)| *case == word);
                vec![case.map_or(*otherwise, |&(_, to)| to)]
            }
            _ => terminator.successors().collect(),
        }
    }

    fn instruction(&mut self, top: &mut Activation, instruction: &Instruction) -> Path {
        if self.uses_stale(top, &instruction.kind) {
            return Path::Reads;
        }
        match &instruction.kind {
            Kind::Assign { target, value } => {
                let value = self.evaluate(top, *value, *target);
                self.set(top, *target, value);
                return Path::Continues;
            }
            Kind::Load {
                target,
                address,
                width,
                ..
            } => {
                if self.may_load(top, *address, *width) {
                    self.set(top, *target, Abstract::LOADED);
                    return Path::Continues;
                }
            }
            Kind::Store {
                address,
                value,
                width,
                ..
            } => {
                let to = self.operand(top, *address).word;
                if self.operand(top, *value).tainted {
                    return Path::Reads;
                }
                if to.is_some_and(|at| covers(at, width.bytes(), self.written)) {
                    return Path::Ends;
                }
            }
            Kind::Update {
                address,
                operand: value,
                width,
                ..
            }
            | Kind::CompareExchange {
                address,
                desired: value,
                width,
                ..
            } => {
                if self.may_load(top, *address, *width) || self.operand(top, *value).tainted {
                    return Path::Reads;
                }
            }
            Kind::Call {
                callee, arguments, ..
            } => match self.call_callee(top, *callee, arguments) {
                Path::Continues => {}
                path @ (Path::Calls(..) | Path::Ends | Path::Reads) => return path,
            },
            Kind::Fence(_)
            | Kind::Allocate { .. }
            | Kind::Assert { .. }
            | Kind::Assume { .. }
            | Kind::Choose { .. }
            | Kind::Observe { .. }
            | Kind::AtomicBegin
            | Kind::AtomicEnd => {}
        }
        self.forget_targets(top, &instruction.kind);
        Path::Continues
    }

    /// Whether an instruction uses a stale value for anything but to compute others, or to pass
    /// them to functions of the program.
    fn uses_stale(&mut self, top: &Activation, kind: &Kind) -> bool {
        let used = match kind {
            Kind::Assign {
                value: Expression::Select(condition, ..),
                ..
            } => vec![*condition],
            Kind::Assign { value, .. } if !value.may_fail() => Vec::new(),
            Kind::Call { callee, .. } if !matches!(callee, Callee::Routine(_)) => Vec::new(),
            // All others use whatever they read.
            _ => kind.operands().collect(),
        };
        used.into_iter().any(|o| self.operand(top, o).stale)
    }

    fn call_callee(&mut self, top: &Activation, callee: Callee, arguments: &[Operand]) -> Path {
        let arguments: Vec<Abstract> = arguments.iter().map(|&a| self.operand(top, a)).collect();
        match callee {
            Callee::Function(function) => self.call(function, &arguments),
            Callee::Routine(routine) => library(routine, &arguments),
            Callee::Pointer(pointer) => {
                let at = self.operand(top, pointer).word;
                match at.and_then(|at| self.unroller.function_at(at)) {
                    Some(function) => self.call(function, &arguments),
                    None => Path::Reads,
                }
            }
        }
    }

    fn call(&mut self, function: FunctionId, arguments: &[Abstract]) -> Path {
        let code = &self.unroller.program.functions[function.index()];
        if code.parameters as usize != arguments.len() {
            return Path::Reads;
        }
        let mut activation = Activation {
            function,
            block: BlockId(0),
            next: 0,
            registers: vec![Abstract::ANYTHING_ELSE; code.registers.len()],
        };
        for (index, &argument) in arguments.iter().enumerate() {
            self.set(&mut activation, index.into(), argument);
        }
        Path::Calls(function, activation.registers)
    }

    /// What an instruction writes to registers is not known, and not tainted.
    fn forget_targets(&mut self, top: &mut Activation, kind: &Kind) {
        for target in kind.targets() {
            top.registers[target.index()] = Abstract::ANYTHING_ELSE;
        }
    }

    fn may_load(&mut self, top: &Activation, address: Operand, width: Width) -> bool {
        let address = self.operand(top, address);
        match address.word {
            Some(at) => overlaps(at, width.bytes(), self.written),
            None => address.tainted,
        }
    }

    fn operand(&mut self, top: &Activation, operand: Operand) -> Abstract {
        let word = match operand {
            Operand::Register(register) => return top.registers[register.index()],
            Operand::Constant(word) => word,
            Operand::Address(address) => address.to_word(),
        };
        self.number(word, false)
    }

    /// A number, which is tainted if it is an address in the object.
    fn number(&self, word: Word, tainted: bool) -> Abstract {
        let object = |word: Word| word >> Address::OFFSET_BITS;
        Abstract {
            word: Some(word),
            tainted: tainted || object(word) == object(self.written.address),
            stale: false,
        }
    }

    fn set(&mut self, top: &mut Activation, target: program::RegisterId, value: Abstract) {
        let function = &self.unroller.program.functions[top.function.index()];
        let width = function.registers[target.index()].width;
        top.registers[target.index()] = Abstract {
            word: value.word.map(|word| width.truncate(word)),
            ..value
        };
    }

    fn evaluate(
        &mut self,
        top: &Activation,
        expression: Expression,
        target: program::RegisterId,
    ) -> Abstract {
        let operands = expression.operands();
        let values: Vec<Abstract> = operands.map(|o| self.operand(top, o)).collect();
        let function = &self.unroller.program.functions[top.function.index()];
        let to = function.registers[target.index()].width;
        if let (Expression::Select(..), [condition, yes, no]) = (&expression, values.as_slice()) {
            return match condition.word {
                Some(0) => *no,
                Some(_) => *yes,
                None => yes.join(*no),
            };
        }
        // One bit is no address.
        let tainted = to != Width::BIT && values.iter().any(|value| value.tainted);
        let unknown = Abstract {
            word: None,
            tainted,
            stale: values.iter().any(|value| value.stale),
        };
        let terms = &mut self.unroller.unrolled.terms;
        let mut constants = Vec::new();
        for value in &values {
            let Some(word) = value.word else {
                return unknown;
            };
            constants.push(terms.constant(word, Width::W64));
        }
        let result = match expression {
            Expression::Copy(_) => terms.copy(constants[0], to),
            Expression::SignExtend(from, _) => terms.sign_extend(from, constants[0], to),
            Expression::Unary(operation, width, _) => {
                terms.unary(operation, width, constants[0], to)
            }
            Expression::Convert(how, width, _) => terms.convert(how, width, constants[0], to),
            Expression::Binary(operation, width, ..) => {
                terms.binary(operation, width, constants[0], constants[1], to)
            }
            // A thread's own copy is an object of the program.
            Expression::Select(..) | Expression::Own(_) => return unknown,
        };
        match terms.known(result) {
            Some(word) => self.number(word, tainted),
            None => unknown,
        }
    }
}

/// What a library function does to the path.
fn library(routine: Routine, arguments: &[Abstract]) -> Path {
    let class = routine.row().class;
    if class != Class::Free && arguments.iter().any(|argument| argument.tainted) {
        return Path::Reads;
    }
    match class {
        Class::FailAssertion | Class::Abort | Class::EndThread => Path::Ends,
        Class::Process
        | Class::CreateThread(_)
        | Class::JoinThread(_)
        | Class::DetachThread
        | Class::OwnThread
        | Class::InitialiseLock
        | Class::DestroyMutex
        | Class::DestroySpin
        | Class::Lock
        | Class::TryLock(_)
        | Class::TimedLock(_)
        | Class::Unlock
        | Class::InitialiseSemaphore
        | Class::TakeSemaphore
        | Class::TryTakeSemaphore
        | Class::PostSemaphore
        | Class::ReadSemaphore
        | Class::Signal
        | Class::Initialise
        | Class::Destroy
        | Class::CreateKey
        | Class::Allocate(_)
        | Class::Free
        | Class::Nothing
        | Class::Print
        | Class::Exit
        | Class::ChooseBool => Path::Continues,
    }
}

/// Whether every concrete state that the second describes is one that the first does. Both
/// are at the same points.
fn describes(general: &Stack, special: &Stack) -> bool {
    general.iter().zip(special).all(|(general, special)| {
        let mut pairs = general.registers.iter().zip(&special.registers);
        pairs.all(|(general, special)| general.describes(*special))
    })
}

fn join(one: &Stack, other: &Stack) -> Stack {
    let mut joined = one.clone();
    for (mine, theirs) in joined.iter_mut().zip(other) {
        for (value, other) in mine.registers.iter_mut().zip(&theirs.registers) {
            *value = value.join(*other);
        }
    }
    joined
}
