//! What becomes of calls of the library: threads, locks, ends; the rest is refused, but for
//! what does nothing that others could see.

use super::specialise::{Next, Specialiser};
use super::{NotFlat, Start, handle, refuse};
use memory::Effects;
use program::{
    Address, Allocation, Binary, Class, Expression, InstructionKind as Kind, Operand, Printing,
    RegisterId, Routine, Span, StartArguments, Width, Word,
};

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
            Class::CreateThread(standard) => {
                let start = standard.start_arguments();
                self.create_thread(routine, start, arguments, span)?
            }
            Class::JoinThread(standard) => {
                self.join_thread(routine, standard.joined_width(), arguments)
            }
            Class::OwnThread => result = Operand::Constant(handle(self.thread)),
            Class::EndThread => {
                self.end_thread(arguments[0]);
                return Ok(Next::Left);
            }
            Class::InitialiseLock
            | Class::Lock
            | Class::TryLock(_)
            | Class::Unlock
            | Class::DestroyMutex => {
                result = self.follow_steps(routine, arguments)?;
            }
            Class::FailAssertion | Class::Abort => {
                self.fail();
                return Ok(Next::Left);
            }
            Class::Exit => return refuse("exit, which ends all threads", span),
            Class::Allocate(Allocation::Aligned) => return refuse(routine.name(), span),
            Class::Allocate(allocation) => {
                result = self.allocate(routine, allocation, arguments, span)?
            }
            Class::DetachThread | Class::DestroySpin | Class::Free | Class::Nothing => {}
            Class::Print if target.is_none() && self.only_prints(routine, arguments) => {}
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
            | Class::TimedLock(_)
            | Class::InitialiseSemaphore
            | Class::TakeSemaphore
            | Class::TryTakeSemaphore
            | Class::PostSemaphore
            | Class::ReadSemaphore
            | Class::Signal
            | Class::Initialise
            | Class::Destroy
            | Class::CreateKey => return refuse(routine.name(), span),
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
        start: StartArguments,
        arguments: &[Operand],
        span: Span,
    ) -> Result<(), NotFlat> {
        let attributes = start.attributes.map(|index| arguments[index]);
        if attributes.is_some_and(|attributes| attributes != Operand::Constant(0)) {
            return refuse("attributes of a thread", span);
        }
        let [location, function, argument] =
            [0, start.function, start.argument].map(|index| arguments[index]);
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
        self.push(Kind::Fence(Effects::of_routine(routine).before));
        let started = self.draft.signal(signals.started, thread);
        self.store(started, Operand::Constant(1), Width::W64);
        self.starts_thread();
        Ok(())
    }

    /// Waits for the end of the thread of a handle, and stores its result.
    fn join_thread(&mut self, routine: Routine, width: Width, arguments: &[Operand]) {
        let [thread, location] = [arguments[0], arguments[1]];
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
        self.wait_for(ended, Effects::of_routine(routine).after);
        if location != Operand::Constant(0) {
            let from = slot(self, signals.result);
            let result = self.register("result", Width::W64);
            self.load(result, from, Width::W64);
            let result = self.compute("result", width, Expression::Copy(result.into()));
            self.store(location, result, width);
        }
    }

    /// True if a call prints and does nothing else.
    fn only_prints(&self, routine: Routine, arguments: &[Operand]) -> bool {
        let known = |argument: &Operand| match argument {
            Operand::Constant(word) => Some(*word),
            Operand::Address(address) => Some(address.to_word()),
            Operand::Register(_) => None,
        };
        let arguments: Vec<Option<Word>> = arguments.iter().map(known).collect();
        self.draft.program.printing(routine, &arguments) != Printing::More
    }

    /// The address of a new object, whose size must be known.
    fn allocate(
        &mut self,
        routine: Routine,
        allocation: Allocation,
        arguments: &[Operand],
        span: Span,
    ) -> Result<Operand, NotFlat> {
        let known = |index: usize| match arguments[index] {
            Operand::Constant(word) => Some(word),
            Operand::Register(_) | Operand::Address(_) => None,
        };
        let Some(size @ 1..=0xffff) = allocation.size(known) else {
            return refuse(
                format!("{} of a size that is computed", routine.name()),
                span,
            );
        };
        self.only_once(routine.name());
        let object = self.draft.add_object("heap", size as u32, span);
        Ok(Operand::Address(Address::of(object)))
    }
}
