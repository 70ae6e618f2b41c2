//! What becomes of calls of the library: threads, locks, memory, ends; the rest is refused,
//! but for what does nothing that others could see.
//!
//! A function that synchronises makes the accesses of its row of the table, with the fences that
//! their orders become ([`Effects`]).

use super::flow::Flow;
use super::instructions::{Access, At};
use super::values::Value;
use super::{Dependences, FenceAt, Object, Parting, Result, Thread, Unroller, refuse};
use crate::guard::Guard;
use crate::term::Term;
use answer::FaultKind;
use memory::Effects;
use program::codes::FAILED;
use program::{
    Binary, Class, ObjectKind, Orderings, Routine, Span, Synchronisation, ThreadId, Width, Word,
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
    fn at(&self, flow: &Flow) -> At {
        flow.at(self.thread, self.span)
    }

    /// The address of the lock, semaphore or other object that it is about.
    fn object(&self) -> &Value {
        &self.arguments[0]
    }
}

impl Unroller<'_> {
    /// Makes a call; its result, if it has one.
    pub(super) fn routine(&mut self, flow: &mut Flow, call: &LibraryCall) -> Result<Value> {
        let mut result = Value::new(self.unrolled.terms.constant(0, Width::W64));
        match call.routine.row().class {
            Class::CreateThread => self.create_thread(flow, call)?,
            Class::JoinThread => self.join_thread(flow, call),
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
            Class::InitialiseLock => self.initialise_lock(flow, call)?,
            Class::DestroyMutex => self.destroy_mutex(flow, call),
            // Implementations make no access here. Waiting on a barrier, a condition variable or a read-write lock is refused.
            Class::DestroySpin | Class::Destroy => self.unrolled.ends_lives = true,
            Class::Initialise => {}
            Class::CreateKey => self.create_key(flow, call),
            // No thread waits, so a signal only looks.
            Class::Signal => {
                self.access(call.at(flow), word_of(call.object(), true), None);
            }
            Class::InitialiseSemaphore => {
                let value = call.arguments[2].clone();
                self.store_word(call.at(flow), call.object(), value);
            }
            Class::TakeSemaphore => {
                self.unrolled.waits = true;
                let taken = self.take_one(flow, call);
                self.assume(flow, taken);
            }
            Class::TryTakeSemaphore => {
                let taken = self.attempt(flow, call, Self::take_one);
                result = self.error_unless(taken, FAILED);
            }
            Class::ReadSemaphore => {
                let value = self.access(call.at(flow), word_of(call.object(), true), None);
                self.store_word(call.at(flow), &call.arguments[1], value);
            }
            Class::PostSemaphore => self.post(flow, call),
            Class::Lock => {
                self.unrolled.waits = true;
                let taken = self.take(flow, call);
                self.assume(flow, taken);
            }
            Class::TryLock | Class::TimedLock => {
                let taken = self.attempt(flow, call, Self::take);
                result = self.error_unless(taken, call.routine.not_locked());
            }
            Class::Unlock => self.unlock(flow, call),
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
            Class::Allocate | Class::AllocateAligned => result = self.allocate(call)?,
            Class::Free => self.unrolled.ends_lives = true,
            Class::Nothing => {}
            Class::Print => self.noise += 1,
            Class::Process => return refuse(call.routine.name(), call.span),
        }
        Ok(result)
    }

    /// 0, or an error number where the guard does not hold.
    fn error_unless(&mut self, guard: Guard, error: Word) -> Value {
        let [yes, no] = [0, error].map(|n| self.unrolled.terms.constant(n, Width::W32));
        Value::new(self.unrolled.terms.select(guard, yes, no))
    }

    fn end_by_fault(&mut self, flow: &mut Flow, call: &LibraryCall, kind: FaultKind, text: &str) {
        self.fault(call.thread, call.span, flow.guard, kind, text);
        flow.guard = Guard::FALSE;
    }

    /// Stores a word.
    fn store_word(&mut self, at: At, address: &Value, value: Value) {
        self.access(at, word_of(address, false), Some((value, at.guard)));
    }

    /// Makes a lock free.
    fn initialise_lock(&mut self, flow: &Flow, call: &LibraryCall) -> Result<()> {
        let kind = call.arguments.get(1);
        let kind = kind.map(|kind| self.unrolled.terms.known(kind.term));
        if call.routine != Routine::SpinInit && kind != Some(Some(0)) {
            return refuse("a mutex of another kind than the plain one", call.span);
        }
        let free = Value::new(self.unrolled.terms.constant(0, Width::W32));
        self.store_word(call.at(flow), call.object(), free);
        Ok(())
    }

    /// Ends the life of a mutex, which must be free.
    fn destroy_mutex(&mut self, flow: &Flow, call: &LibraryCall) {
        self.unrolled.ends_lives = true;
        let owner = self.access(call.at(flow), word_of(call.object(), true), None);
        let held = self.unrolled.terms.holds(owner.term);
        let wrong = self.unrolled.terms.guards.and(flow.guard, held);
        let text = "a mutex is destroyed that is held";
        self.fault(call.thread, call.span, wrong, FaultKind::Misuse, text);
    }

    /// Stores a new key. No thread can have a value of it, as setting one is refused.
    fn create_key(&mut self, flow: &Flow, call: &LibraryCall) {
        let orders = self.internal_update(call.routine);
        self.fence(call.at(flow), orders);
        self.heap += 1;
        let key = self.unrolled.terms.constant(self.heap.into(), Width::W32);
        self.store_word(call.at(flow), call.object(), Value::new(key));
    }

    /// Adds one to a semaphore.
    fn post(&mut self, flow: &Flow, call: &LibraryCall) {
        let at = call.at(flow);
        let Effects { before, after, .. } = Effects::of_routine(call.routine);
        self.fence(at, before);
        let loaded = self.coming(Width::W32);
        let terms = &mut self.unrolled.terms;
        let one = terms.constant(1, Width::W32);
        let more = terms.binary(Binary::Add, Width::W32, loaded, one, Width::W32);
        let stored = Some((Value::new(more), flow.guard));
        self.access(at, word_of(call.object(), true), stored);
        self.fence(at, after);
    }

    /// The address of a new object, whose size must be known.
    fn allocate(&mut self, call: &LibraryCall) -> Result<Value> {
        use Routine::{AlignedAlloc, Calloc, Malloc};
        let LibraryCall { routine, span, .. } = *call;
        let known = call.arguments.iter();
        let known = known.map(|argument| self.unrolled.terms.known(argument.term));
        let known: Vec<Option<Word>> = known.collect();
        let size = match (routine, known.as_slice()) {
            (Malloc, &[size]) | (AlignedAlloc, &[_, size]) => size,
            (Calloc, &[Some(count), Some(size)]) => count.checked_mul(size),
            _ => None,
        };
        let Some(size) = size else {
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
            zeroed: routine == Calloc,
            kind: ObjectKind::Shared,
            layout,
            span,
        });
        Ok(Value::new(
            self.unrolled.terms.constant(address, Width::W64),
        ))
    }

    /// Starts a thread, and follows it.
    fn create_thread(&mut self, flow: &Flow, call: &LibraryCall) -> Result<()> {
        let LibraryCall { thread, span, .. } = *call;
        let [location, rest @ ..] = &call.arguments[..] else {
            return refuse(call.routine.name(), span);
        };
        // C11 has no attributes.
        let has_attributes = call.routine == Routine::ThreadCreate;
        let (attributes, rest) = rest.split_at(usize::from(has_attributes));
        let known = |value: &Value| self.unrolled.terms.known(value.term);
        if attributes.iter().any(|value| known(value) != Some(0)) {
            return refuse("attributes of a thread", span);
        }
        let (function, argument) = (&rest[0], &rest[1]);
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
        let mut access = word_of(location, false);
        access.width = Width::W64;
        self.access(call.at(flow), access, Some((handle, flow.guard)));
        self.fence_of(call.at(flow), Orderings::ALL, FenceAt::Start(started));
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
    fn join_thread(&mut self, flow: &mut Flow, call: &LibraryCall) {
        self.part(flow, call);
        let [handle, result] = [0, 1].map(|index| &call.arguments[index]);
        let terms = &mut self.unrolled.terms;
        let ended = terms.term(Term::Ended(handle.term), Width::BIT);
        let ended = terms.holds(ended);
        self.assume(flow, ended);
        let orders = self.internal_update(Routine::ThreadJoin);
        self.fence_of(call.at(flow), orders, FenceAt::Join(handle.term));
        if self.unrolled.terms.known(result.term) != Some(0) {
            let value = self.result_of(handle);
            let mut access = word_of(result, false);
            access.width = match call.routine {
                Routine::ThreadJoin => Width::W64,
                _ => Width::W32,
            };
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

    /// Takes a lock if it is free; whether it was.
    fn take(&mut self, flow: &Flow, call: &LibraryCall) -> Guard {
        let at = call.at(flow);
        let Effects { before, after, .. } = Effects::of_routine(call.routine);
        self.fence(at, before);
        let loaded = self.coming(Width::W32);
        let zero = self.unrolled.terms.constant(0, Width::W32);
        let free = self.unrolled.terms.equal(loaded, zero);
        let free = self.unrolled.terms.holds(free);
        let mine = self
            .unrolled
            .terms
            .constant(handle(call.thread), Width::W32);
        let stores = self.unrolled.terms.guards.and(flow.guard, free);
        self.note_mutex(call.routine);
        let stored = Some((Value::new(mine), stores));
        let owner = self.access(at, word_of(call.object(), true), stored);
        self.check_defined(at, &owner);
        self.fence(at, after);
        free
    }

    /// The next access takes or frees a mutex, unless it is a spin lock.
    fn note_mutex(&mut self, routine: Routine) {
        if !matches!(
            routine,
            Routine::SpinLock | Routine::SpinTryLock | Routine::SpinUnlock
        ) {
            self.unrolled.mutexes.push(self.unrolled.events.len());
        }
    }

    /// Takes one from a semaphore if there is one; whether there was.
    fn take_one(&mut self, flow: &Flow, call: &LibraryCall) -> Guard {
        let at = call.at(flow);
        let Effects { before, after, .. } = Effects::of_routine(call.routine);
        self.fence(at, before);
        let loaded = self.coming(Width::W32);
        let terms = &mut self.unrolled.terms;
        let one = terms.constant(1, Width::W32);
        let some = terms.holds(loaded);
        let less = terms.binary(Binary::Sub, Width::W32, loaded, one, Width::W32);
        let stores = terms.guards.and(flow.guard, some);
        let stored = Some((Value::new(less), stores));
        self.access(at, word_of(call.object(), true), stored);
        self.fence(at, after);
        some
    }

    /// Takes a lock, or one from a semaphore, without waiting; whether it could. Some functions look
    /// first, and make no read-modify-write if it cannot be had.
    fn attempt(
        &mut self,
        flow: &mut Flow,
        call: &LibraryCall,
        take: impl FnOnce(&mut Self, &Flow, &LibraryCall) -> Guard,
    ) -> Guard {
        let Synchronisation::Attempt(..) = call.routine.row().synchronises else {
            return take(self, flow, call);
        };
        let all = flow.guard;
        let seen = self.access(call.at(flow), word_of(call.object(), true), None);
        self.check_defined(call.at(flow), &seen);
        let terms = &mut self.unrolled.terms;
        let seen = if call.routine == Routine::SemaphoreTryWait {
            terms.holds(seen.term)
        } else {
            let zero = terms.constant(0, Width::W32);
            let free = terms.equal(seen.term, zero);
            terms.holds(free)
        };
        flow.guard = self.unrolled.terms.guards.and(all, seen);
        let taken = take(self, flow, call);
        flow.guard = all;
        self.unrolled.terms.guards.and(seen, taken)
    }

    /// Frees a lock, which the thread must hold: by a read-modify-write, or by a store.
    fn unlock(&mut self, flow: &mut Flow, call: &LibraryCall) {
        let LibraryCall {
            thread,
            routine,
            span,
            ..
        } = *call;
        let Effects { before, after, .. } = Effects::of_routine(routine);
        let updates = matches!(routine.row().synchronises, Synchronisation::Update(_));
        if updates {
            self.fence(call.at(flow), before);
        }
        let loaded = self.coming(Width::W32);
        let mine = self.unrolled.terms.constant(handle(thread), Width::W32);
        let held = self.unrolled.terms.equal(loaded, mine);
        let held = self.unrolled.terms.holds(held);
        let frees = self.unrolled.terms.guards.and(flow.guard, held);
        let free = Value::new(self.unrolled.terms.constant(0, Width::W32));
        let stored = updates.then(|| (free.clone(), frees));
        self.note_mutex(routine);
        self.access(call.at(flow), word_of(call.object(), true), stored);
        let wrong = self.unrolled.terms.guards.minus(flow.guard, held);
        let text = "a mutex is unlocked that the thread does not hold";
        self.fault(thread, span, wrong, FaultKind::Misuse, text);
        flow.guard = frees;
        let at = call.at(flow);
        if !updates {
            self.fence(at, before);
            self.access(at, word_of(call.object(), false), Some((free, flow.guard)));
        }
        self.fence(at, after);
    }
}

/// An access of the first word of a lock.
fn word_of(address: &Value, loads: bool) -> Access {
    Access {
        address: address.clone(),
        width: Width::W32,
        alignment: 0,
        loads,
    }
}
