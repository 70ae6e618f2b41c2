//! Locks, semaphores and condition variables: the accesses of a call to the word of its object, as [`CallSteps`] has them.

use super::flow::Flow;
use super::instructions::At;
use super::library::{LibraryCall, word_of};
use super::values::Value;
use super::{Result, Unroller, refuse};
use crate::guard::Guard;
use crate::term::TermId;
use answer::{Fault, FaultKind};
use memory::{CallStep, CallSteps, Condition, Effects, Failure, NewWord};
use program::{AccessKind, Binary, Family, Width, Word};

impl Unroller<'_> {
    /// Makes the accesses of a call; its result.
    pub(super) fn follow_steps(&mut self, flow: &mut Flow, call: &LibraryCall) -> Result<Value> {
        let CallSteps {
            steps,
            failure,
            kind,
        } = CallSteps::of(call.routine);
        let known = |index: usize| self.unrolled.terms.known(call.arguments[index].term);
        if kind.is_some_and(|index| known(index) != Some(0)) {
            return refuse("a mutex of another kind than the plain one", call.span);
        }
        let start = flow.guard;
        let mut succeeds = Guard::TRUE;
        let mut loaded = self.word(0);
        for step in steps.into_iter().flatten() {
            let holds = self.follow_step(call.at(flow), call, step, &mut loaded);
            let guards = &mut self.unrolled.terms.guards;
            match failure {
                Failure::Never => {}
                Failure::Wait => {
                    self.unrolled.waits = true;
                    self.assume(flow, holds);
                }
                Failure::Return(_) => {
                    flow.guard = guards.and(flow.guard, holds);
                    succeeds = guards.and(succeeds, holds);
                }
                Failure::Misuse(text) => {
                    let wrong = guards.minus(flow.guard, holds);
                    flow.guard = guards.and(flow.guard, holds);
                    self.fault(call.thread, call.span, wrong, FaultKind::Misuse, text);
                }
            }
        }
        let Failure::Return(code) = failure else {
            return Ok(self.word(0));
        };
        flow.guard = start;
        let [success, error] = [0, code].map(|number| self.word(number).term);
        let result = self.unrolled.terms.select(succeeds, success, error);
        Ok(Value::new(result))
    }

    fn word(&mut self, word: Word) -> Value {
        Value::new(self.unrolled.terms.constant(word, Width::W32))
    }

    /// Makes one access; when its condition holds.
    fn follow_step(
        &mut self,
        at: At,
        call: &LibraryCall,
        step: CallStep,
        loaded: &mut Value,
    ) -> Guard {
        match step {
            CallStep::Look(condition) => {
                *loaded = self.access(at, word_of(call.object(), true), None);
                self.check_initialised(at, call, loaded);
                self.condition(call, condition, loaded.term)
            }
            CallStep::Update(condition, new, order) => {
                let Effects { before, after, .. } = Effects::of_access(AccessKind::UPDATE, order);
                self.fence(at, before);
                let coming = self.coming(Width::W32);
                let holds = self.condition(call, condition, coming);
                let new = self.new_word(call, new, coming);
                let stores = self.unrolled.terms.guards.and(at.guard, holds);
                if call.routine.row().family == Family::Mutexes {
                    self.unrolled.mutexes.push(self.unrolled.events.len());
                }
                *loaded = self.access(at, word_of(call.object(), true), Some((new, stores)));
                self.check_initialised(at, call, loaded);
                self.fence(at, after);
                holds
            }
            CallStep::Store(new, order) => {
                let Effects { before, after, .. } = Effects::of_access(AccessKind::STORE, order);
                self.fence(at, before);
                let new = self.new_word(call, new, loaded.term);
                self.store_word(at, call.object(), new);
                self.fence(at, after);
                Guard::TRUE
            }
            CallStep::Report(index) => {
                self.store_word(at, &call.arguments[index], loaded.clone());
                Guard::TRUE
            }
        }
    }

    /// It is wrong to use an object that was never initialised.
    fn check_initialised(&mut self, at: At, call: &LibraryCall, word: &Value) {
        self.fail_if_undefined(at, word.term, || {
            let text = format!("{}: the object is not initialised", call.routine.name());
            Fault::new(FaultKind::Misuse, text)
        });
    }

    /// When a condition holds of the word.
    fn condition(&mut self, call: &LibraryCall, condition: Condition, word: TermId) -> Guard {
        match condition {
            Condition::Always => Guard::TRUE,
            Condition::Owned(owner) => {
                let owner = self.word(owner.word(call.thread.into()));
                let equal = self.unrolled.terms.equal(word, owner.term);
                self.unrolled.terms.holds(equal)
            }
            Condition::Positive => self.unrolled.terms.holds(word),
        }
    }

    /// What a step stores that has loaded this.
    fn new_word(&mut self, call: &LibraryCall, new: NewWord, loaded: TermId) -> Value {
        let operation = match new {
            NewWord::Owner(owner) => return self.word(owner.word(call.thread.into())),
            NewWord::Argument(index) => return call.arguments[index].clone(),
            NewWord::OneLess => Binary::Sub,
            NewWord::OneMore => Binary::Add,
        };
        let one = self.word(1).term;
        let terms = &mut self.unrolled.terms;
        Value::new(terms.binary(operation, Width::W32, loaded, one, Width::W32))
    }
}
