//! What becomes of calls of the library: threads, locks, memory, ends; the rest is refused,
//! but for what does nothing that others could see.

use super::flow::Flow;
use super::instructions::{Access, At};
use super::values::Value;
use super::{Dependences, FenceAt, Object, Parting, Result, Thread, Unroller, refuse};
use crate::guard::Guard;
use crate::term::Term;
use answer::FaultKind;
use memory::Effects;
use program::{
    Allocation, Class, ObjectKind, Orderings, Printing, Routine, Span, StartArguments, ThreadId,
    Width, Word,
};

/// What a program knows the thread of this number by.
pub fn handle(thread: usize) -> Word {
    ThreadId::from(thread).handle()
}

/// A call of a library function.
pub struct LibraryCall {
    pub thread: usize,
    pub routine: Routine,
    pub arguments: Vec<Value>,
    pub span: Span,
}

impl LibraryCall {
    pub(super) fn at(&self, flow: &Flow) -> At {
        flow.at(self.thread, self.span)
    }

    /// The address of the lock, semaphore or other object that it is about.
    pub(super) fn object(&self) -> &Value {
        &self.arguments[0]
    }
}

impl Unroller<'_> {
    /// Makes a call; its result, if it has one.
    pub(super) fn routine(&mut self, flow: &mut Flow, call: &LibraryCall) -> Result<Value> {
        let mut result = Value::new(self.unrolled.terms.constant(0, Width::W64));
        match call.routine.row().class {
            Class::CreateThread(standard) => {
                self.create_thread(flow, call, standard.start_arguments())?;
            }
            Class::JoinThread(standard) => {
                self.join_thread(flow, call, standard.joined_width());
            }
            Class::DetachThread => self.part(flow, call),
            Class::OwnThread => {
                let me = self
                    .unrolled
                    .terms
                    .constant(handle(call.thread), Width::W64);
                result = Value::new(me);
            }
            Class::EndThread => {
                let ended = (call.thread, flow.guard, call.arguments[0].term);
                self.early.push(ended);
                flow.guard = Guard::FALSE;
            }
            Class::DestroyMutex => {
                self.unrolled.ends_lives = true;
                self.follow_steps(flow, call)?;
            }
            // Implementations make no access here. Waiting on a barrier, a condition variable or a read-write lock is refused.
            Class::DestroySpin | Class::Destroy => self.unrolled.ends_lives = true,
            Class::CreateKey => self.create_key(flow, call),
            // A barrier for no threads is none: the call fails.
            Class::Initialise if call.routine == Routine::BarrierInit && !self.is_barrier(call) => {
                let what = "a barrier for a number of threads that is computed or 0";
                return refuse(what, call.span);
            }
            Class::InitialiseLock
            | Class::Initialise
            | Class::Lock
            | Class::TryLock(_)
            | Class::TimedLock(_)
            | Class::Unlock
            | Class::InitialiseSemaphore
            | Class::TakeSemaphore
            | Class::TryTakeSemaphore
            | Class::PostSemaphore
            | Class::ReadSemaphore
            | Class::Signal => result = self.follow_steps(flow, call)?,
            Class::FailAssertion => {
                self.end_by_fault(flow, call, FaultKind::Assertion, "assertion failed");
            }
            Class::Abort => {
                let text = format!("{} was called", call.routine.name());
                self.end_by_fault(flow, call, FaultKind::Abort, &text);
            }
            Class::ChooseBool => {
                result = Value::new(self.unrolled.terms.choice(2, Width::BIT));
            }
            Class::Exit => return refuse("exit, which ends all threads", call.span),
            Class::Allocate(allocation) => result = self.allocate(call, allocation)?,
            Class::Free => self.unrolled.ends_lives = true,
            Class::Nothing => {}
            Class::Print => self.print(call)?,
            Class::Process => return refuse(call.routine.name(), call.span),
        }
        Ok(result)
    }

    /// True if a call initialises a barrier for some threads, a number that is known.
    fn is_barrier(&self, call: &LibraryCall) -> bool {
        let threads = self.unrolled.terms.known(call.arguments[2].term);
        threads.is_some_and(|threads| threads as u32 > 0)
    }

    /// Leaves a call out that only prints.
    fn print(&mut self, call: &LibraryCall) -> Result<()> {
        let known = |value: &Value| self.unrolled.terms.known(value.term);
        let arguments: Vec<Option<Word>> = call.arguments.iter().map(known).collect();
        match self.program.printing(call.routine, &arguments) {
            Printing::Text => {}
            Printing::Numbers => self.unrolled.prints_numbers = true,
            Printing::More => return refuse(call.routine.name(), call.span),
        }
        self.noise += 1;
        Ok(())
    }

    fn end_by_fault(&mut self, flow: &mut Flow, call: &LibraryCall, kind: FaultKind, text: &str) {
        self.fault(call.thread, call.span, flow.guard, kind, text);
        flow.guard = Guard::FALSE;
    }

    /// Stores a word.
    pub(super) fn store_word(&mut self, at: At, address: &Value, value: Value) {
        self.access(at, word_of(address, false), Some((value, at.guard)));
    }

    /// Stores a new key. No thread can have a value of it, as setting one is refused.
    fn create_key(&mut self, flow: &Flow, call: &LibraryCall) {
        let orders = self.internal_update(call.routine);
        self.fence(call.at(flow), orders);
        self.heap += 1;
        let key = self.unrolled.terms.constant(self.heap.into(), Width::W32);
        self.store_word(call.at(flow), call.object(), Value::new(key));
    }

    /// The address of a new object, whose size must be known.
    fn allocate(&mut self, call: &LibraryCall, allocation: Allocation) -> Result<Value> {
        let LibraryCall { routine, span, .. } = *call;
        let known = |index: usize| self.unrolled.terms.known(call.arguments[index].term);
        let Some(size) = allocation.size(known) else {
            let text = format!("{} of a size that is computed", routine.name());
            return refuse(text, span);
        };
        self.heap += 1;
        let layout = self.program.allocated_type(span);
        let address = self.make(Object {
            name: self.program.heap_name(layout, 0, self.heap),
            size,
            of_program: None,
            made_by: Some(call.thread),
            local: false,
            zeroed: allocation.is_zeroed(),
            kind: ObjectKind::Shared,
            layout,
            span,
        });
        Ok(Value::new(
            self.unrolled.terms.constant(address, Width::W64),
        ))
    }

    /// Starts a thread, and follows it.
    fn create_thread(
        &mut self,
        flow: &Flow,
        call: &LibraryCall,
        start: StartArguments,
    ) -> Result<()> {
        let LibraryCall { thread, span, .. } = *call;
        let known = |index: usize| self.unrolled.terms.known(call.arguments[index].term);
        if start
            .attributes
            .is_some_and(|index| known(index) != Some(0))
        {
            return refuse("attributes of a thread", span);
        }
        let [function, argument] =
            [start.function, start.argument].map(|index| &call.arguments[index]);
        let known = self.unrolled.terms.known(function.term);
        let Some(function) = known.and_then(|word| self.function_at(word)) else {
            return refuse("a thread whose function is computed", span);
        };
        let code = &self.program.functions[function.index()];
        if code.parameters > 1 {
            return refuse(
                format!("{} as a thread, with other parameters", code.name),
                span,
            );
        }
        if flow.section.is_some() {
            return refuse("a thread that starts in an atomic section", span);
        }
        self.noise += 1;
        let started = self.unrolled.threads.len();
        self.unrolled.threads.push(Thread {
            name: format!("thread {started} ({})", code.name),
            ended: Guard::FALSE,
            result: None,
        });
        self.decided.push(Dependences::new());
        let handle = Value::new(self.unrolled.terms.constant(handle(started), Width::W64));
        let mut access = word_of(call.object(), false);
        access.width = Width::W64;
        self.access(call.at(flow), access, Some((handle, flow.guard)));
        let orders = Effects::of_routine(call.routine).before;
        self.fence_of(call.at(flow), orders, FenceAt::Start(started));
        let parameters = match code.parameters {
            0 => Vec::new(),
            _ => {
                let width = code.registers[0].width;
                let term = self.unrolled.terms.copy(argument.term, width);
                vec![Value {
                    term,
                    ..argument.clone()
                }]
            }
        };
        self.handed_over.push((thread, argument.term, flow.guard));
        let callers = std::mem::take(&mut self.callers);
        let end = self.call(started, function, parameters, flow.guard, None)?;
        self.callers = callers;
        let result = end.values.first().map(|value| value.term);
        self.ends(started, end.guard, result);
        Ok(())
    }

    /// What the thread of a handle returned.
    fn result_of(&mut self, handle: &Value) -> Value {
        let terms = &mut self.unrolled.terms;
        let mut result = terms.constant(0, Width::W64);
        for (thread, started) in self.unrolled.threads.iter().enumerate() {
            let Some(value) = started.result else {
                continue;
            };
            let number = terms.constant(self::handle(thread), Width::W64);
            let this = terms.equal(handle.term, number);
            let this = terms.holds(this);
            let value = terms.copy(value, Width::W64);
            result = terms.select(this, value, result);
        }
        Value::new(result)
    }

    /// Waits for a thread, and stores its result if that is asked for.
    fn join_thread(&mut self, flow: &mut Flow, call: &LibraryCall, width: Width) {
        self.part(flow, call);
        let [handle, result] = [0, 1].map(|index| &call.arguments[index]);
        let terms = &mut self.unrolled.terms;
        let ended = terms.term(Term::Ended(handle.term), Width::BIT);
        let ended = terms.holds(ended);
        self.assume(flow, ended);
        let orders = self.internal_update(call.routine);
        self.fence_of(call.at(flow), orders, FenceAt::Join(handle.term));
        if self.unrolled.terms.known(result.term) != Some(0) {
            let value = self.result_of(handle);
            let mut access = word_of(result, false);
            access.width = width;
            self.access(call.at(flow), access, Some((value, flow.guard)));
        }
    }

    /// Notes that a thread is joined or detached: there must be one.
    fn part(&mut self, flow: &mut Flow, call: &LibraryCall) {
        let LibraryCall {
            thread,
            routine,
            span,
            ..
        } = *call;
        let handle = &call.arguments[0];
        self.check_defined(call.at(flow), handle);
        // No thread has the handle 0: it was never written.
        let some = self.unrolled.terms.holds(handle.term);
        let none = self.unrolled.terms.guards.minus(flow.guard, some);
        let text = format!("{}: there is no such thread", routine.name());
        self.fault(thread, span, none, FaultKind::Misuse, &text);
        flow.guard = self.unrolled.terms.guards.and(flow.guard, some);
        self.position += 1;
        self.unrolled.partings.push(Parting {
            guard: flow.guard,
            thread,
            position: self.position,
            handle: handle.term,
            routine,
            span,
        });
    }

    /// What a read-modify-write orders of which the program does not see the location. Where
    /// stores keep their order, any is a fence.
    fn internal_update(&self, routine: Routine) -> Orderings {
        let Effects { before, after, .. } = Effects::of_routine(routine);
        if self.model.row().keeps.contains(Orderings::STORE_STORE) {
            Orderings::ALL
        } else {
            before.union(after)
        }
    }
}

/// An access of the first word of a lock.
pub(super) fn word_of(address: &Value, loads: bool) -> Access {
    Access {
        address: address.clone(),
        width: Width::W32,
        alignment: 0,
        loads,
    }
}
