//! Spin locks and semaphores: the accesses of a call to the word of its object, as [`CallSteps`] has them.

use super::{Caller, Flow, Run};
use crate::process::value::Value;
use memory::{CallStep, CallSteps, Failure, NewWord};
use program::Word;

impl Caller<'_, '_> {
    /// Makes the accesses of a call; it returns 0 if all its conditions hold.
    pub(super) fn follow_steps(&mut self, object: Word) -> Run<Flow> {
        let CallSteps { steps, failure, .. } = CallSteps::of(self.routine);
        // That a call looks first is a step of its own, which came before.
        let looks = self.routine.row().synchronises.looks_first();
        let mut loaded = 0;
        for step in steps.into_iter().flatten().skip(looks.into()) {
            if self.follow_step(object, step, failure, &mut loaded)? {
                continue;
            }
            return match failure {
                Failure::Never | Failure::Wait => Ok(Flow::Stays),
                Failure::Return(code) => Ok(Flow::Returns(code)),
                Failure::Misuse(_) => Err(self.misuse(self.not_held(object))),
            };
        }
        Ok(Flow::Returns(0))
    }

    /// Makes one access; whether its condition holds.
    fn follow_step(
        &mut self,
        object: Word,
        step: CallStep,
        failure: Failure,
        loaded: &mut Word,
    ) -> Run<bool> {
        match step {
            CallStep::Look(condition) => {
                *loaded = match failure {
                    // Implementations do not look whether they are misused.
                    Failure::Misuse(_) => self.looking(|this| this.field(object, 4))?,
                    Failure::Never | Failure::Wait | Failure::Return(_) => self.field(object, 4)?,
                };
                return Ok(condition.holds(*loaded, self.id));
            }
            CallStep::Update(condition, new, _) => {
                *loaded = self.field(object, 4)?;
                if !condition.holds(*loaded, self.id) {
                    return Ok(false);
                }
                let new = self.new_word(new, *loaded)?;
                self.set_field(object, 4, new)?;
            }
            CallStep::Store(new, _) => {
                let new = self.new_word(new, *loaded)?;
                self.store_field(object, new)?;
            }
            CallStep::Report(index) => {
                self.write_word(self.word(index)?, 4, Value::new(*loaded))?;
            }
        }
        Ok(true)
    }

    /// What a step stores that has loaded this.
    fn new_word(&mut self, new: NewWord, loaded: Word) -> Run<Word> {
        Ok(match new {
            NewWord::Owner(owner) => owner.word(self.id),
            NewWord::OneLess => loaded - 1,
            NewWord::OneMore => loaded + 1,
            NewWord::Argument(index) => self.word(index)?,
        })
    }

    /// True if a call can go on: what its steps ask of the word holds. What is wrong with the word is found when it does.
    pub(super) fn can_follow(&mut self, object: Word) -> bool {
        let Some(CallStep::Look(condition) | CallStep::Update(condition, ..)) =
            CallSteps::of(self.routine).steps[0]
        else {
            return true;
        };
        self.field_if_initialised(object)
            .is_none_or(|word| condition.holds(word, self.id))
    }
}
