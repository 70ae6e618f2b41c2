//! What becomes of calls of the library: threads, locks, memory, ends; the rest is refused,
//! but for what does nothing that others could see.
//!
//! A function that synchronises makes the accesses of its row of the table, with the fences that
//! their orders become ([`Effects`]).

use super::flow::Flow;
use super::frame::Frame;
use super::instructions::{Access, At};
use super::values::Value;
use super::{Dependences, FenceAt, Object, Parting, Result, Thread, Unroller, refuse};
use crate::guard::Guard;
use crate::term::Term;
use answer::FaultKind;
use memory::Effects;
use program::{
    Binary, Class, ObjectKind, Orderings, RegisterId, Routine, Span, Synchronisation, Width, Word,
};

const EBUSY: Word = 16;
const ETIMEDOUT: Word = 110;
const THRD_BUSY: Word = 1;
const THRD_TIMEDOUT: Word = 4;
const FAILED: Word = 0xffff_ffff;

/// What a program knows a thread by. Never 0, and not a number that programs use.
pub fn handle(thread: usize) -> Word {
    thread as Word + 1
}

impl<'a> Unroller<'a> {
    pub(super) fn routine(
        &mut self,
        frame: &mut Frame<'a>,
        flow: &mut Flow,
        routine: Routine,
        arguments: Vec<Value>,
        targets: &[RegisterId],
        span: Span,
    ) -> Result<()> {
        use Routine::*;
        let thread = frame.thread;
        let mut result = Value::new(self.unrolled.terms.constant(0, Width::W64));
        match routine.row().class {
            Class::CreateThread => {
                let [place, rest @ ..] = &arguments[..] else {
                    return refuse(routine.name(), span);
                };
                // C11 has no attributes.
                let (attributes, rest) = rest.split_at(usize::from(routine == ThreadCreate));
                let known = |value: &Value| self.unrolled.terms.known(value.term);
                if attributes
                    .iter()
                    .any(|attributes| known(attributes) != Some(0))
                {
                    return refuse("attributes of a thread", span);
                }
                self.start(thread, flow, place, &rest[0], &rest[1], span)?;
            }
            Class::JoinThread => {
                self.join(thread, flow, &arguments[0], routine, span);
                if self.unrolled.terms.known(arguments[1].term) != Some(0) {
                    let value = self.result_of(&arguments[0]);
                    let mut access = word_of(&arguments[1], false);
                    access.width = match routine {
                        ThreadJoin => Width::W64,
                        _ => Width::W32,
                    };
                    self.access(flow.at(thread, span), access, Some((value, flow.guard)));
                }
            }
            Class::DetachThread => self.part(thread, flow, &arguments[0], routine, span),
            Class::OwnThread => {
                let me = self.unrolled.terms.constant(handle(thread), Width::W64);
                result = Value::new(me);
            }
            Class::EndThread => {
                self.early.push((thread, flow.guard, arguments[0].term));
                flow.guard = Guard::FALSE;
                return Ok(());
            }
            Class::InitialiseLock => {
                let kind = arguments.get(1);
                let kind = kind.map(|kind| self.unrolled.terms.known(kind.term));
                if routine != SpinInit && kind != Some(Some(0)) {
                    return refuse("a mutex of another kind than the plain one", span);
                }
                let free = Value::new(self.unrolled.terms.constant(0, Width::W32));
                self.store_word(flow.at(thread, span), &arguments[0], free);
            }
            Class::DestroyMutex => self.destroy_mutex(thread, flow, &arguments[0], span),
            // Implementations make no access here. Waiting on a barrier, a condition variable or a read-write lock is refused.
            Class::DestroySpin | Class::Destroy => {
                self.unrolled.ends_lives = true;
            }
            Class::Initialise => {}
            // No thread can have a value of it, as setting one is refused.
            Class::CreateKey => {
                let orders = self.internal_update(routine);
                self.fence(thread, flow, orders, span);
                self.heap += 1;
                let key = self.unrolled.terms.constant(self.heap.into(), Width::W32);
                self.store_word(flow.at(thread, span), &arguments[0], Value::new(key));
            }
            // Nobody waits, so all that a signal does is to look.
            Class::Signal => {
                self.access(flow.at(thread, span), word_of(&arguments[0], true), None);
            }
            Class::InitialiseSemaphore => {
                let value = arguments[2].clone();
                self.store_word(flow.at(thread, span), &arguments[0], value);
            }
            Class::TakeSemaphore => {
                self.unrolled.waits = true;
                let taken = self.take_one(thread, flow, &arguments[0], routine, span);
                self.assume(flow, taken);
            }
            Class::TryTakeSemaphore => {
                let place = &arguments[0];
                let taken = self.attempt(thread, flow, place, routine, span, Self::take_one);
                let [yes, no] = [0, FAILED].map(|n| self.unrolled.terms.constant(n, Width::W32));
                result = Value::new(self.unrolled.terms.select(taken, yes, no));
            }
            Class::ReadSemaphore => {
                let value = self.access(flow.at(thread, span), word_of(&arguments[0], true), None);
                self.store_word(flow.at(thread, span), &arguments[1], value);
            }
            Class::PostSemaphore => self.post(thread, flow, &arguments[0], routine, span),
            Class::Lock => {
                self.unrolled.waits = true;
                let taken = self.take(thread, flow, &arguments[0], routine, span);
                self.assume(flow, taken);
            }
            Class::TryLock | Class::TimedLock => {
                let busy = match routine {
                    C11MutexTryLock => THRD_BUSY,
                    MutexTimedLock => ETIMEDOUT,
                    C11MutexTimedLock => THRD_TIMEDOUT,
                    _ => EBUSY,
                };
                let taken = self.attempt(thread, flow, &arguments[0], routine, span, Self::take);
                let [yes, no] = [0, busy].map(|n| self.unrolled.terms.constant(n, Width::W32));
                result = Value::new(self.unrolled.terms.select(taken, yes, no));
            }
            Class::Unlock => {
                self.unlock(thread, flow, &arguments[0], routine, span);
            }
            Class::FailAssertion => {
                let text = "assertion failed";
                self.fault(thread, span, flow.guard, FaultKind::Assertion, text);
                flow.guard = Guard::FALSE;
                return Ok(());
            }
            Class::Abort => {
                let text = format!("{} was called", routine.name());
                self.fault(thread, span, flow.guard, FaultKind::Abort, &text);
                flow.guard = Guard::FALSE;
                return Ok(());
            }
            Class::ChooseBool => {
                result = Value::new(self.unrolled.terms.choice(2, Width::BIT));
            }
            Class::Exit => return refuse("exit, which ends all threads", span),
            Class::Allocate | Class::AllocateAligned => {
                result = self.allocate(thread, routine, &arguments, span)?;
            }
            Class::Free => self.unrolled.ends_lives = true,
            Class::Nothing => {}
            Class::Print => {
                self.noise += 1;
            }
            Class::Process => return refuse(routine.name(), span),
        }
        if let Some(target) = targets.first() {
            self.set(frame, flow, *target, result);
        }
        Ok(())
    }

    /// Stores a word.
    fn store_word(&mut self, at: At, place: &Value, value: Value) {
        self.access(at, word_of(place, false), Some((value, at.guard)));
    }

    /// Ends the life of a mutex, which must be free.
    fn destroy_mutex(&mut self, thread: usize, flow: &Flow, mutex: &Value, span: Span) {
        self.unrolled.ends_lives = true;
        let owner = self.access(flow.at(thread, span), word_of(mutex, true), None);
        let held = self.unrolled.terms.holds(owner.term);
        let wrong = self.unrolled.terms.guards.and(flow.guard, held);
        let text = "a mutex is destroyed that is held";
        self.fault(thread, span, wrong, FaultKind::Misuse, text);
    }

    /// Adds one to a semaphore.
    fn post(&mut self, thread: usize, flow: &Flow, place: &Value, routine: Routine, span: Span) {
        let Effects { before, after, .. } = Effects::of_routine(routine);
        self.fence(thread, flow, before, span);
        let loaded = self.coming(Width::W32);
        let terms = &mut self.unrolled.terms;
        let one = terms.constant(1, Width::W32);
        let more = terms.binary(Binary::Add, Width::W32, loaded, one, Width::W32);
        let stored = Some((Value::new(more), flow.guard));
        self.access(flow.at(thread, span), word_of(place, true), stored);
        self.fence(thread, flow, after, span);
    }

    /// The address of a new object, whose size must be known.
    fn allocate(
        &mut self,
        thread: usize,
        routine: Routine,
        arguments: &[Value],
        span: Span,
    ) -> Result<Value> {
        use Routine::{AlignedAlloc, Calloc, Malloc};
        let known = arguments.iter();
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
            made_by: Some(thread),
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
    fn start(
        &mut self,
        thread: usize,
        flow: &mut Flow,
        place: &Value,
        function: &Value,
        argument: &Value,
        span: Span,
    ) -> Result<()> {
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
        let mut access = word_of(place, false);
        access.width = Width::W64;
        self.access(flow.at(thread, span), access, Some((handle, flow.guard)));
        self.fence_at(thread, flow, Orderings::ALL, FenceAt::Start(started), span);
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

    /// Waits for a thread.
    fn join(
        &mut self,
        thread: usize,
        flow: &mut Flow,
        handle: &Value,
        routine: Routine,
        span: Span,
    ) {
        self.part(thread, flow, handle, routine, span);
        let ended = self
            .unrolled
            .terms
            .term(Term::Ended(handle.term), Width::BIT);
        let ended = self.unrolled.terms.holds(ended);
        self.assume(flow, ended);
        let orders = self.internal_update(Routine::ThreadJoin);
        let at = FenceAt::Join(handle.term);
        self.fence_at(thread, flow, orders, at, span);
    }

    /// Notes that a thread is joined or detached: there must be one.
    fn part(
        &mut self,
        thread: usize,
        flow: &mut Flow,
        handle: &Value,
        routine: Routine,
        span: Span,
    ) {
        self.check_defined(thread, flow, handle, span);
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
        match self.model.row().keeps.contains(Orderings::STORE_STORE) {
            true => Orderings::ALL,
            false => before.union(after),
        }
    }

    /// Takes a lock if it is free; whether it was.
    fn take(
        &mut self,
        thread: usize,
        flow: &mut Flow,
        mutex: &Value,
        routine: Routine,
        span: Span,
    ) -> Guard {
        let Effects { before, after, .. } = Effects::of_routine(routine);
        self.fence(thread, flow, before, span);
        let loaded = self.coming(Width::W32);
        let zero = self.unrolled.terms.constant(0, Width::W32);
        let free = self.unrolled.terms.equal(loaded, zero);
        let free = self.unrolled.terms.holds(free);
        let mine = Value::new(self.unrolled.terms.constant(handle(thread), Width::W32));
        let stores = self.unrolled.terms.guards.and(flow.guard, free);
        let at = flow.at(thread, span);
        self.note_mutex(routine);
        let owner = self.access(at, word_of(mutex, true), Some((mine, stores)));
        self.check_defined(thread, flow, &owner, span);
        self.fence(thread, flow, after, span);
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
    fn take_one(
        &mut self,
        thread: usize,
        flow: &mut Flow,
        place: &Value,
        routine: Routine,
        span: Span,
    ) -> Guard {
        let Effects { before, after, .. } = Effects::of_routine(routine);
        self.fence(thread, flow, before, span);
        let loaded = self.coming(Width::W32);
        let terms = &mut self.unrolled.terms;
        let one = terms.constant(1, Width::W32);
        let some = terms.holds(loaded);
        let less = terms.binary(Binary::Sub, Width::W32, loaded, one, Width::W32);
        let stores = terms.guards.and(flow.guard, some);
        let access = word_of(place, true);
        self.access(
            flow.at(thread, span),
            access,
            Some((Value::new(less), stores)),
        );
        self.fence(thread, flow, after, span);
        some
    }

    /// Takes a lock, or one from a semaphore, without waiting; whether it could. Some functions look
    /// first, and make no read-modify-write if it cannot be had.
    fn attempt(
        &mut self,
        thread: usize,
        flow: &mut Flow,
        place: &Value,
        routine: Routine,
        span: Span,
        take: impl FnOnce(&mut Self, usize, &mut Flow, &Value, Routine, Span) -> Guard,
    ) -> Guard {
        let Synchronisation::Attempt(..) = routine.row().synchronises else {
            return take(self, thread, flow, place, routine, span);
        };
        let all = flow.guard;
        let seen = self.access(flow.at(thread, span), word_of(place, true), None);
        self.check_defined(thread, flow, &seen, span);
        let terms = &mut self.unrolled.terms;
        let seen = if routine == Routine::SemaphoreTryWait {
            terms.holds(seen.term)
        } else {
            let zero = terms.constant(0, Width::W32);
            let free = terms.equal(seen.term, zero);
            terms.holds(free)
        };
        flow.guard = self.unrolled.terms.guards.and(all, seen);
        let taken = take(self, thread, flow, place, routine, span);
        flow.guard = all;
        self.unrolled.terms.guards.and(seen, taken)
    }

    /// Frees a lock, which the thread must hold: by a read-modify-write, or by a store.
    fn unlock(
        &mut self,
        thread: usize,
        flow: &mut Flow,
        mutex: &Value,
        routine: Routine,
        span: Span,
    ) {
        let Effects { before, after, .. } = Effects::of_routine(routine);
        let updates = matches!(routine.row().synchronises, Synchronisation::Update(_));
        if updates {
            self.fence(thread, flow, before, span);
        }
        let loaded = self.coming(Width::W32);
        let mine = self.unrolled.terms.constant(handle(thread), Width::W32);
        let held = self.unrolled.terms.equal(loaded, mine);
        let held = self.unrolled.terms.holds(held);
        let frees = self.unrolled.terms.guards.and(flow.guard, held);
        let free = Value::new(self.unrolled.terms.constant(0, Width::W32));
        let stored = updates.then(|| (free.clone(), frees));
        let at = flow.at(thread, span);
        self.note_mutex(routine);
        self.access(at, word_of(mutex, true), stored);
        let wrong = self.unrolled.terms.guards.minus(flow.guard, held);
        let text = "a mutex is unlocked that the thread does not hold";
        self.fault(thread, span, wrong, FaultKind::Misuse, text);
        flow.guard = frees;
        if !updates {
            self.fence(thread, flow, before, span);
            let at = flow.at(thread, span);
            self.access(at, word_of(mutex, false), Some((free, flow.guard)));
        }
        self.fence(thread, flow, after, span);
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
