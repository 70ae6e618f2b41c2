//! Programs without calls and loops: what the threads do, as far as the bounds go.
//!
//! [`unroll`] follows every thread's code symbolically, into calls and around loops, and
//! keeps what comes of it: the accesses of memory in program order, each with the
//! [guard](crate::guard) under which it happens and [terms](crate::term) for its address and
//! value; fences; what may go wrong; what is observed. Where branches meet again, values are
//! selected by guard, so the result is as large as the code, not as its paths (the
//! thread-local formulas of CheckFence, section 3.2.1).
//!
//! A loop has at most as many iterations as its bound says. What would go further is kept as
//! [`Excess`], so that bounds can grow where they must (section 3.3).
//!
//! An iteration of a loop is *silent* if nobody could tell the execution without it from the
//! execution with it; [`iterations`] has the condition and its proof. Executions that end with silent iterations
//! in them are left out: a thread that waits waits by not being there yet. This is the paper's
//! reduction of spin loops, decided for each iteration by itself.

mod code;
mod dead;
mod escapes;
mod flow;
mod frame;
mod instructions;
mod iterations;
mod library;
mod sections;
mod steps;
mod unrolled;
mod values;

use crate::guard::Guard;
use crate::limits::Limits;
use crate::refusal::{Halt, NotSolvable};
use crate::term::TermId;
use answer::{Fault, FaultKind};
use code::Code;
use dead::Caller;
use flow::Flow;
use instructions::{Access, At};
use memory::Model;
use program::{
    Address, FunctionId, InstructionKind, ObjectKind, ObservedLocation, Program, Span, Width, Word,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

pub use frame::failed_assertion;
pub use iterations::overlaps;
pub use library::handle;
pub use unrolled::*;
pub use values::Value;

type Result<T> = std::result::Result<T, Halt>;

fn refuse<T>(message: impl Into<String>, span: Span) -> Result<T> {
    let message = message.into();
    Err(Halt::Refused(NotSolvable { message, span }))
}

/// Unrolls a program, for a model, within bounds.
pub fn unroll(
    program: &Program,
    model: Model,
    iterations: &IterationCounts,
    limits: &Limits,
) -> Result<Unrolled> {
    if let Some((routine, span)) = program.print_with_result() {
        return refuse(format!("the result of {}", routine.name()), span);
    }
    let mut unroller = Unroller {
        program,
        model,
        iterations,
        limits,
        code: Code::new(program),
        unrolled: Unrolled::default(),
        position: 0,
        steps: 0,
        observations: vec![Vec::new(); program.observed.len()],
        observers: vec![None; program.observed.len()],
        decided: vec![Dependences::new(); program.threads.len()],
        own: FxHashMap::default(),
        calls: Vec::new(),
        depth: 0,
        noise: 0,
        heap: 0,
        early: Vec::new(),
        stays: 0,
        has_sections: has_sections(program),
        stays_before: FxHashMap::default(),
        handed_over: Vec::new(),
        callers: Vec::new(),
        mentioned: FxHashMap::default(),
    };
    unroller.objects();
    for thread in 0..program.threads.len() {
        let start = &program.threads[thread];
        unroller.unrolled.threads.push(Thread {
            name: start.name.clone(),
            ended: Guard::FALSE,
            result: None,
        });
    }
    for thread in 0..program.threads.len() {
        unroller.root(thread)?;
    }
    unroller.observe_memory();
    unroller.finish();
    Ok(unroller.unrolled)
}

fn has_sections(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    let mut instructions = blocks.flat_map(|block| &block.instructions);
    instructions.any(|instruction| instruction.kind == InstructionKind::AtomicBegin)
}

/// What follows the code.
struct Unroller<'a> {
    program: &'a Program,
    model: Model,
    iterations: &'a IterationCounts,
    limits: &'a Limits,
    code: Code<'a>,
    unrolled: Unrolled,
    position: u32,
    steps: u32,
    /// What was observed under each name, in program order.
    observations: Vec<Vec<(Guard, TermId, When)>>,
    /// Which thread observes each name.
    observers: Vec<Option<usize>>,
    /// The loads that each thread's branches so far were decided by.
    decided: Vec<Dependences>,
    /// Each thread's own copies of per-thread objects.
    own: FxHashMap<(usize, usize), usize>,
    /// The calls that lead to here, for the names of loops.
    calls: Vec<u32>,
    /// How many of them are nested.
    depth: usize,
    /// Number of things so far that an iteration must not have done to be silent.
    noise: u32,
    /// Number of heap objects.
    heap: u32,
    /// Threads that end before their function does.
    early: Vec<(usize, Guard, TermId)>,
    /// Number of points so far at which a thread may stay, though nothing is wrong.
    stays: u32,
    /// Whether the program has atomic sections.
    has_sections: bool,
    /// That number when each atomic section, by its step, began.
    stays_before: FxHashMap<u32, u32>,
    /// Arguments of new threads: who hands them over, and when.
    handed_over: Vec<(usize, TermId, Guard)>,
    /// The calls of the thread that is followed, outermost first.
    callers: Vec<Caller>,
    /// The objects that terms mention.
    mentioned: FxHashMap<TermId, Rc<BTreeSet<Word>>>,
}

impl Unroller<'_> {
    fn objects(&mut self) {
        let objects = self.program.objects.iter().enumerate();
        self.unrolled.objects = objects
            .map(|(index, object)| Object {
                name: object.name.clone(),
                size: object.size(),
                of_program: Some(index),
                local: false,
                made_by: None,
                zeroed: true,
                kind: object.kind,
                layout: object.layout,
                span: object.span,
            })
            .collect();
    }

    /// A new object, and its address.
    fn make(&mut self, object: Object) -> Word {
        // An object that is larger than the room of one is followed by empty ones.
        let room = 1u64 << Address::OFFSET_BITS;
        let more = object.size / room;
        let number = self.unrolled.objects.len();
        let empty = Object {
            size: 0,
            ..object.clone()
        };
        self.unrolled.objects.push(object);
        for _ in 0..more {
            self.unrolled.objects.push(empty.clone());
        }
        Address::of(program::ObjectId::from(number)).to_word()
    }

    /// Follows a thread that is there from the start.
    fn root(&mut self, thread: usize) -> Result<()> {
        let start = &self.program.threads[thread];
        let function = start.function;
        let code = &self.program.functions[function.index()];
        let mut registers = Vec::with_capacity(code.registers.len());
        for register in &code.registers {
            let terms = &mut self.unrolled.terms;
            let term = if self.program.process {
                terms.term(crate::term::Term::Undefined, register.width)
            } else {
                terms.constant(0, register.width)
            };
            registers.push(Value::new(term));
        }
        for &(register, word) in &start.initial {
            let width = code.registers[register.index()].width;
            registers[register.index()] = Value::new(self.unrolled.terms.constant(word, width));
        }
        let end = self.call(thread, function, registers, Guard::TRUE, None)?;
        self.ends(thread, end.guard, None);
        for (index, observable) in self.program.observed.iter().enumerate() {
            if let ObservedLocation::Register(of, register) = observable.location
                && of.index() == thread
            {
                let value = end.registers.get(register.index()).map(|value| value.term);
                let position = self.position;
                let when = When { thread, position };
                self.observations[index].extend(value.map(|term| (end.guard, term, when)));
            }
        }
        Ok(())
    }

    /// A thread comes to the end of its function then, unless it ends before.
    fn ends(&mut self, thread: usize, guard: Guard, mut result: Option<TermId>) {
        let terms = &mut self.unrolled.terms;
        let mut ended = guard;
        for &(_, early, value) in self.early.iter().filter(|(of, ..)| *of == thread) {
            ended = terms.guards.or(ended, early);
            let value = terms.copy(value, Width::W64);
            result = Some(match result {
                None => value,
                Some(other) => {
                    let other = terms.copy(other, Width::W64);
                    terms.select(early, value, other)
                }
            });
        }
        self.unrolled.threads[thread].ended = ended;
        self.unrolled.threads[thread].result = result;
        self.drop_silent_iterations(thread);
    }

    /// Reads observed memory at the end, when everything has reached it.
    fn observe_memory(&mut self) {
        for (index, observable) in self.program.observed.iter().enumerate() {
            let ObservedLocation::Memory(address) = observable.location else {
                continue;
            };
            let address = self.unrolled.terms.constant(address.to_word(), Width::W64);
            let width = observable.width;
            let at = At {
                thread: FINALLY,
                span: Span::NOWHERE,
                guard: Guard::TRUE,
                section: None,
            };
            let access = Access {
                address: Value::new(address),
                width,
                alignment: 0,
                loads: true,
            };
            let value = self.access(at, access, None);
            let when = When {
                thread: FINALLY,
                position: self.position,
            };
            self.observations[index].push((Guard::TRUE, value.term, when));
        }
    }

    fn finish(&mut self) {
        let guards = &mut self.unrolled.terms.guards;
        for section in &mut self.unrolled.sections {
            let mut left = Guard::FALSE;
            for &(guard, _) in &section.ends {
                left = guards.or(left, guard);
            }
            section.may_stay |= left != section.guard;
        }
        self.unrolled.functions = self.code.visited().collect();
        for (index, observable) in self.program.observed.iter().enumerate() {
            let width = observable.width;
            let mut value = self.unrolled.terms.constant(0, width);
            for &(guard, term, _) in &self.observations[index] {
                let term = self.unrolled.terms.copy(term, width);
                value = self.unrolled.terms.select(guard, term, value);
            }
            self.unrolled.observed.push(value);
            let observing = self.observations[index].iter();
            let observing = observing.map(|&(guard, _, when)| (guard, when)).collect();
            self.unrolled.observing.push(observing);
        }
    }

    /// Control is at an assertion.
    fn note_assertion(&mut self, thread: usize, guard: Guard, span: Span) {
        let position = self.position + 1;
        let when = When { thread, position };
        self.unrolled.assertions.push((span, guard, when));
    }

    fn fail(&mut self, thread: usize, span: Span, guard: Guard, what: Failure) {
        if guard == Guard::FALSE {
            return;
        }
        self.position += 1;
        let position = self.position;
        self.unrolled.wrongs.push(Wrong {
            guard,
            thread,
            span,
            position,
            what,
        });
    }

    fn fault(&mut self, thread: usize, span: Span, guard: Guard, kind: FaultKind, text: &str) {
        self.fail(thread, span, guard, Failure::Fault(Fault::new(kind, text)));
    }

    /// The function that an address stands for.
    fn function_at(&self, word: Word) -> Option<FunctionId> {
        let address = Address::from_word(word).filter(|address| address.offset == 0)?;
        match self.unrolled.objects.get(address.object.index())?.kind {
            ObjectKind::Code(function) => Some(function),
            _ => None,
        }
    }
}
