//! What becomes of calls of the library: threads, locks, ends; the rest is refused, but for
//! what does nothing that others could see.

use super::known::initial;
use super::specialise::{Next, Specialiser};
use super::{NotFlat, Start, handle, refuse};
use program::{
    Access, Address, Binary, Class, Expression, InstructionKind as Kind, MemoryOrder, Operand,
    RegisterId, Routine, Span, Synchronisation, Width,
};

/// Bytes of a mutex.
const MUTEX: u32 = 40;

impl Specialiser<'_, '_> {
    /// A call of a routine; `target` receives its result, if anything reads it.
    pub(super) fn routine(
        &mut self,
        routine: Routine,
        arguments: &[Operand],
        target: Option<RegisterId>,
        span: Span,
    ) -> Result<Next, NotFlat> {
        let mut result = Operand::Constant(0);
        match routine.row().class {
            Class::CreateThread => self.create_thread(routine, arguments, span)?,
            Class::JoinThread => self.join_thread(routine, arguments[0], arguments[1]),
            Class::OwnThread => result = Operand::Constant(handle(self.thread)),
            Class::EndThread => {
                self.end_thread(arguments[0]);
                return Ok(Next::Left);
            }
            Class::InitialiseLock => {
                let plain = routine == Routine::SpinInit || arguments[1] == Operand::Constant(0);
                if !plain {
                    return refuse("a mutex of another kind than the plain one", span);
                }
                self.plain_mutex(routine, arguments[0], span)?;
                self.store(arguments[0], Operand::Constant(0), Width::W32);
            }
            Class::Lock => {
                self.plain_mutex(routine, arguments[0], span)?;
                let free = self.take(arguments[0], routine.row().synchronises.order());
                self.push(Kind::Assume { condition: free });
            }
            Class::TryLock => {
                self.plain_mutex(routine, arguments[0], span)?;
                result = self.try_lock(arguments[0], routine);
            }
            Class::Unlock => {
                self.plain_mutex(routine, arguments[0], span)?;
                self.unlock(arguments[0], routine);
            }
            Class::FailAssertion | Class::Abort => {
                self.fail();
                return Ok(Next::Left);
            }
            Class::Exit => return refuse("exit, which ends all threads", span),
            Class::Allocate => result = self.allocate(routine, arguments, span)?,
            Class::DetachThread
            | Class::DestroyMutex
            | Class::DestroySpin
            | Class::Free
            | Class::Nothing => {}
            Class::Print if target.is_none() => {}
            Class::ChooseBool => {
                let choice = self.register("any", Width::BIT);
                self.push(Kind::Choose {
                    target: choice,
                    count: Operand::Constant(2),
                });
                result = choice.into();
            }
            Class::Print
            | Class::Process
            | Class::TimedLock
            | Class::InitialiseSemaphore
            | Class::TakeSemaphore
            | Class::TryTakeSemaphore
            | Class::PostSemaphore
            | Class::ReadSemaphore
            | Class::Signal
            | Class::Initialise
            | Class::Destroy
            | Class::CreateKey
            | Class::AllocateAligned => return refuse(routine.name(), span),
        }
        if let Some(target) = target {
            self.set(target, Expression::Copy(result));
        }
        Ok(Next::On)
    }

    /// Starts a thread: it waits for a cell.
    fn create_thread(
        &mut self,
        routine: Routine,
        arguments: &[Operand],
        span: Span,
    ) -> Result<(), NotFlat> {
        let (location, [function, argument]) = if routine == Routine::ThreadCreate {
            if arguments[1] != Operand::Constant(0) {
                return refuse("attributes of a thread", span);
            }
            (arguments[0], [arguments[2], arguments[3]])
        } else {
            (arguments[0], [arguments[1], arguments[2]])
        };
        let Some(function) = self.function_at(function) else {
            return refuse("a thread whose function is computed", span);
        };
        let code = &self.draft.program.functions[function.index()];
        if code.parameters > 1 {
            return refuse(
                format!("{} as a thread, with other parameters", code.name),
                span,
            );
        }
        let thread = self.draft.starts.len();
        let signals = self.draft.signals;
        let known = match argument {
            Operand::Register(_) => {
                let cell = self.draft.signal(signals.argument, thread);
                self.store(cell, argument, Width::W64);
                None
            }
            Operand::Constant(_) | Operand::Address(_) => Some(argument),
        };
        self.draft.starts.push(Start {
            name: format!("thread {thread} ({})", code.name),
            function,
            argument: known,
            span,
        });
        self.store(location, Operand::Constant(handle(thread)), Width::W64);
        self.full_fence();
        let started = self.draft.signal(signals.started, thread);
        self.store(started, Operand::Constant(1), Width::W64);
        self.starts_thread();
        Ok(())
    }

    /// Waits for the end of the thread of a handle, and stores its result.
    fn join_thread(&mut self, routine: Routine, thread: Operand, location: Operand) {
        if !matches!(thread, Operand::Constant(1..)) {
            // No thread has the handle 0.
            self.push(Kind::Assert { condition: thread });
        }
        let eight = Operand::Constant(8);
        let offset = Expression::Binary(Binary::Mul, Width::W64, thread, eight);
        let offset = self.compute("offset", Width::W64, offset);
        let slot = |this: &mut Self, object| {
            let start = Operand::Address(Address::of(object));
            let address = Expression::Binary(Binary::Add, Width::W64, start, offset);
            this.compute("slot", Width::W64, address)
        };
        let signals = self.draft.signals;
        let ended = slot(self, signals.ended);
        self.wait_for(ended);
        if location != Operand::Constant(0) {
            let from = slot(self, signals.result);
            let result = self.register("result", Width::W64);
            self.load(result, from, Width::W64);
            if routine == Routine::C11ThreadJoin {
                let result = Expression::Copy(result.into());
                let result = self.compute("result", Width::W32, result);
                self.store(location, result, Width::W32);
            } else {
                self.store(location, result.into(), Width::W64);
            }
        }
    }

    /// The address of a new object, whose size must be known.
    fn allocate(
        &mut self,
        routine: Routine,
        arguments: &[Operand],
        span: Span,
    ) -> Result<Operand, NotFlat> {
        use Routine::{Calloc, Malloc};
        let size = match (routine, arguments) {
            (Malloc, [Operand::Constant(size)]) => Some(*size),
            (Calloc, [Operand::Constant(a), Operand::Constant(b)]) => a.checked_mul(*b),
            _ => None,
        };
        let Some(size @ 1..=0xffff) = size else {
            return refuse(
                format!("{} of a size that is computed", routine.name()),
                span,
            );
        };
        self.only_once(routine.name());
        let object = self.draft.add_object("heap", size as u32, span);
        Ok(Operand::Address(Address::of(object)))
    }

    /// Checks that a mutex is one of the plain kind, from its start on.
    fn plain_mutex(&self, routine: Routine, mutex: Operand, span: Span) -> Result<(), NotFlat> {
        let Operand::Address(mutex) = mutex else {
            return refuse(
                format!("{} of something that is computed", routine.name()),
                span,
            );
        };
        let object = &self.draft.objects[mutex.object.index()];
        let end = object.size().min(u64::from(mutex.offset + MUTEX)) as u32;
        let byte = |offset| {
            let address = Address { offset, ..mutex };
            initial(&self.draft.objects, address, Width::W8)
        };
        let spin = matches!(
            routine,
            Routine::SpinInit | Routine::SpinLock | Routine::SpinTryLock | Routine::SpinUnlock
        );
        let zero = |offset| byte(offset) == Some(Operand::Constant(0));
        if !spin && !(mutex.offset..end).all(zero) {
            return refuse("a mutex of another kind than the plain one", span);
        }
        Ok(())
    }

    /// Takes a lock if it is free; the condition says whether it was.
    fn take(&mut self, mutex: Operand, order: MemoryOrder) -> Operand {
        let (free, mine) = (Operand::Constant(0), Operand::Constant(handle(self.thread)));
        let owner = self.exchange(mutex, free, mine, order);
        self.equals("free", owner, free)
    }

    /// Takes a lock if it is free; 0, or an error number if it is not.
    fn try_lock(&mut self, mutex: Operand, routine: Routine) -> Operand {
        let busy = Operand::Constant(routine.not_locked());
        let free = self.try_to_take(mutex, routine);
        let value = Expression::Select(free, Operand::Constant(0), busy);
        self.compute("busy", Width::W32, value)
    }

    /// Takes a lock if it is free, and looks first if the function does.
    fn try_to_take(&mut self, mutex: Operand, routine: Routine) -> Operand {
        let order = routine.row().synchronises.order();
        let Synchronisation::Attempt(..) = routine.row().synchronises else {
            return self.take(mutex, order);
        };
        let owner = self.register("owner", Width::W32);
        self.load(owner, mutex, Width::W32);
        let seen = self.equals("seen", owner, Operand::Constant(0));
        let taken = self.register("taken", Width::BIT);
        self.set(taken, Expression::Copy(seen));
        let otherwise = self.branch_off(seen);
        let free = self.take(mutex, order);
        self.set(taken, Expression::Copy(free));
        self.join(otherwise);
        taken.into()
    }

    /// Frees a lock, which the thread must hold: by a read-modify-write, or by a store.
    fn unlock(&mut self, mutex: Operand, routine: Routine) {
        let (free, mine) = (Operand::Constant(0), Operand::Constant(handle(self.thread)));
        let order = routine.row().synchronises.order();
        let stores = matches!(routine.row().synchronises, Synchronisation::Store(_));
        let owner = if stores {
            let owner = self.register("owner", Width::W32);
            self.load(owner, mutex, Width::W32);
            owner
        } else {
            self.exchange(mutex, mine, free, order)
        };
        let held = self.equals("held", owner, mine);
        self.push(Kind::Assert { condition: held });
        if stores {
            self.push(Kind::Store {
                address: mutex,
                value: free,
                width: Width::W32,
                access: Access::ordered(order, 1),
            });
        }
    }

    /// Exchanges the owner of a lock if it is this one; the register has who it was.
    fn exchange(
        &mut self,
        mutex: Operand,
        expected: Operand,
        desired: Operand,
        order: MemoryOrder,
    ) -> RegisterId {
        let owner = self.register("owner", Width::W32);
        self.push(Kind::CompareExchange {
            target: owner,
            address: mutex,
            expected,
            desired,
            width: Width::W32,
            access: Access::ordered(order, 1),
            failure: MemoryOrder::Relaxed,
            weak: false,
            succeeded: None,
        });
        owner
    }

    /// Whether an owner is this one.
    fn equals(&mut self, name: &str, owner: RegisterId, other: Operand) -> Operand {
        let target = self.register(name, Width::BIT);
        let value = Expression::Binary(Binary::Eq, Width::W32, owner.into(), other);
        self.push(Kind::Assign { target, value });
        target.into()
    }
}
