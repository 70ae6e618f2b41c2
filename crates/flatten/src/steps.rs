//! Locks: the accesses of a call to the word of its lock, as [`CallSteps`] has them, written as instructions.
//!
//! Waiting becomes an assumption, since the threads of a flat program do not wait, and misuse a failed assertion. Semaphores
//! are refused: no instruction subtracts on a condition.

use super::known::initial;
use super::specialise::Specialiser;
use super::{NotFlat, refuse};
use memory::{CallStep, CallSteps, Condition, Failure, NewWord, Owner};
use program::{
    Access, Address, Binary, Expression, Family, InstructionKind as Kind, MemoryOrder, Operand,
    RegisterId, Routine, ThreadId, Width, mutex,
};

impl Specialiser<'_, '_> {
    /// Makes the accesses of a call; its result.
    pub(super) fn follow_steps(
        &mut self,
        routine: Routine,
        arguments: &[Operand],
    ) -> Result<Operand, NotFlat> {
        let CallSteps {
            steps,
            failure,
            kind,
        } = CallSteps::of(routine);
        let kind = kind.map_or(Operand::Constant(0), |index| arguments[index]);
        self.check_plain(routine, arguments[0], kind)?;
        let mut succeeds = None;
        let mut failed = Vec::new();
        for (index, step) in steps.into_iter().flatten().enumerate() {
            let Some(condition) = self.follow_step(routine, arguments[0], step)? else {
                continue;
            };
            match failure {
                Failure::Never => {}
                Failure::Wait => self.push(Kind::Assume { condition }),
                Failure::Misuse(_) => self.push(Kind::Assert { condition }),
                Failure::Return(_) => {
                    let register =
                        *succeeds.get_or_insert_with(|| self.register("taken", Width::BIT));
                    self.set(register, Expression::Copy(condition));
                    if steps.get(index + 1).is_some_and(Option::is_some) {
                        failed.push(self.branch_off(condition));
                    }
                }
            }
        }
        while let Some(block) = failed.pop() {
            self.join(block);
        }
        let (Some(succeeds), Failure::Return(code)) = (succeeds, failure) else {
            return Ok(Operand::Constant(0));
        };
        let [success, code] = [0, code].map(Operand::Constant);
        let value = Expression::Select(succeeds.into(), success, code);
        Ok(self.compute("busy", Width::W32, value))
    }

    /// Makes one access; its condition, if it has one.
    fn follow_step(
        &mut self,
        routine: Routine,
        lock: Operand,
        step: CallStep,
    ) -> Result<Option<Operand>, NotFlat> {
        let (owner, loaded) = match step {
            CallStep::Look(Condition::Owned(owner)) => {
                let loaded = self.register("owner", Width::W32);
                self.load(loaded, lock, Width::W32);
                (owner, loaded)
            }
            CallStep::Update(Condition::Owned(owner), NewWord::Owner(new), order) => {
                (owner, self.exchange(lock, owner, new, order))
            }
            CallStep::Store(NewWord::Owner(owner), order) => {
                let access = Access::ordered(order, 1);
                self.store_known(lock, self.word_of(owner), Width::W32, access);
                return Ok(None);
            }
            CallStep::Look(_)
            | CallStep::Update(..)
            | CallStep::Store(..)
            | CallStep::Report(_) => return refuse(routine.name(), self.span),
        };
        let owner = self.word_of(owner);
        let equal = Expression::Binary(Binary::Eq, Width::W32, loaded.into(), owner);
        Ok(Some(self.compute("owned", Width::BIT, equal)))
    }

    fn word_of(&self, owner: Owner) -> Operand {
        Operand::Constant(owner.word(ThreadId::from(self.thread)))
    }

    /// Exchanges the owner of a lock if it is this one; the register has who it was.
    fn exchange(
        &mut self,
        lock: Operand,
        owner: Owner,
        new: Owner,
        order: MemoryOrder,
    ) -> RegisterId {
        let target = self.register("owner", Width::W32);
        self.push(Kind::CompareExchange {
            target,
            address: lock,
            expected: self.word_of(owner),
            desired: self.word_of(new),
            width: Width::W32,
            access: Access::ordered(order, 1),
            failure: MemoryOrder::Relaxed,
            weak: false,
            succeeded: None,
        });
        target
    }

    /// Checks that a mutex is of the plain kind, from its start on.
    fn check_plain(&self, routine: Routine, lock: Operand, kind: Operand) -> Result<(), NotFlat> {
        let other = "a mutex of another kind than the plain one";
        if kind != Operand::Constant(0) {
            return refuse(other, self.span);
        }
        let Operand::Address(lock) = lock else {
            let text = format!("{} of something that is computed", routine.name());
            return refuse(text, self.span);
        };
        let object = &self.draft.objects[lock.object.index()];
        let end = object.size().min(u64::from(lock.offset + mutex::BYTES)) as u32;
        let is_zero = |offset| {
            let address = Address { offset, ..lock };
            initial(&self.draft.objects, address, Width::W8) == Some(Operand::Constant(0))
        };
        let is_mutex = routine.row().family == Family::Mutexes;
        if is_mutex && !(lock.offset..end).all(is_zero) {
            return refuse(other, self.span);
        }
        Ok(())
    }
}
