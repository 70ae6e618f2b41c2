//! Running an execution of a litmus test again as it was stored, and looking whether it still shows what it is said to show.
//!
//! A stored execution has the numbers of its steps among all that are possible, so it means something for this program and this machine
//! only. Whatever else was stored is not believed: every step must be possible, and the violation must be there in the
//! end. A lasso must come back to where its loop begins, without what should happen; that its loop is fair is not
//! looked at again.

use crate::machine::{Choice, Machine};
use crate::processor::Processor;
use crate::replay::{ReplayError, Replayed, Schedule};
use answer::{CellsRerun, Outcome, Violation, Waiting};
use program::{Formula, Liveness, Program, ThreadId};

/// What an execution is said to show.
#[derive(Clone, Copy, Debug)]
pub enum Claim<'a> {
    /// This is wrong.
    Violation(&'a Violation),
    /// Its final state satisfies the formula.
    Final(&'a Formula),
    /// Nothing: that it is possible is all.
    Nothing,
}

impl<'p, P: Processor> Machine<'p, P> {
    /// Runs a stored execution again.
    pub fn rerun(
        processor: &'p P,
        program: &Program,
        stored: &CellsRerun,
        claim: Claim<'_>,
    ) -> Result<Replayed, ReplayError> {
        let impossible = |step| ReplayError::Impossible { step };
        let mut machine = Machine::new(processor, &stored.starts).ok_or(impossible(0))?;
        let mut choices: Vec<Choice> = Vec::new();
        let mut walked = Lasso::new(claim, stored.repeats_from);
        for (step, number) in stored.choices.iter().enumerate() {
            walked.look(&machine, step);
            let choice = machine.choices().get(*number as usize).copied();
            let choice = choice.ok_or(impossible(step))?;
            machine.step(choice, None).ok_or(impossible(step))?;
            choices.push(choice);
        }
        walked.look(&machine, choices.len());
        let shown = match claim {
            Claim::Violation(Violation::Liveness(_)) => walked.is_right(&machine),
            Claim::Violation(violation) => machine.shows(program, violation),
            Claim::Final(formula) => machine.ends_with(program, formula),
            Claim::Nothing => true,
        };
        if !shown {
            return Err(ReplayError::Differs);
        }
        let schedule = Schedule {
            starts: stored.starts.clone(),
            choices,
            repeats_from: stored.repeats_from,
        };
        Ok(Machine::replay(processor, &schedule)?.1)
    }

    /// True if the machine stands in a state that has the violation.
    fn shows(&self, program: &Program, violation: &Violation) -> bool {
        match violation {
            Violation::FinalState(outcome) | Violation::NotSerial(outcome) => {
                self.has_ended() && self.outcome(&program.observed) == Outcome(outcome.0.clone())
            }
            Violation::Invariant(formula) => formula.evaluate(self) == Some(false),
            Violation::Deadlock(waiting) => {
                let stuck: Vec<ThreadId> = self.running();
                let claimed: Vec<ThreadId> = waiting.iter().map(|w: &Waiting| w.thread).collect();
                self.choices().is_empty() && self.failure().is_none() && stuck == claimed
            }
            Violation::Assertion { .. } | Violation::BadAccess { .. } | Violation::Fault { .. } => {
                !self.is_betting() && self.fails_as(violation)
            }
            Violation::NoWitness | Violation::Liveness(_) | Violation::NotSequential(_) => false,
        }
    }

    fn fails_as(&self, violation: &Violation) -> bool {
        use crate::Failure::{Assertion, BadAccess};
        match (violation, self.failure()) {
            (Violation::Assertion { thread, span }, Some((failed, Assertion(at)))) => {
                (*thread, *span) == (failed, at)
            }
            (
                Violation::BadAccess {
                    thread,
                    span,
                    address,
                },
                Some((failed, BadAccess(at, to))),
            ) => (*thread, *span, *address) == (failed, at, to),
            // The access of a C program, which has other words for it.
            (Violation::Fault { thread, span, .. }, Some((failed, BadAccess(at, _)))) => {
                (*thread, *span) == (failed, at)
            }
            _ => false,
        }
    }

    /// True in a final state that passes the filter and satisfies a formula.
    fn ends_with(&self, program: &Program, formula: &Formula) -> bool {
        let filter = program.properties.filter.as_ref();
        let mut wanted = [Some(formula), filter].into_iter().flatten();
        self.has_ended() && wanted.all(|formula| formula.evaluate(self) == Some(true))
    }

    fn has_ended(&self) -> bool {
        self.choices().is_empty() && self.is_final()
    }

    fn running(&self) -> Vec<ThreadId> {
        let threads = (0..self.state().locals.len()).map(ThreadId::from);
        threads
            .filter(|thread| self.status(*thread) == crate::Status::Running)
            .collect()
    }
}

/// The loop of a lasso, and whether what should happen has happened.
struct Lasso<'a, L> {
    liveness: Option<&'a Liveness>,
    begins: Option<usize>,
    first: Option<crate::State<L>>,
    satisfied: bool,
}

impl<'a, L: Clone + PartialEq> Lasso<'a, L> {
    fn new(claim: Claim<'a>, begins: Option<usize>) -> Self {
        let liveness = match claim {
            Claim::Violation(Violation::Liveness(liveness)) => Some(liveness),
            _ => None,
        };
        Lasso {
            liveness,
            begins,
            first: None,
            satisfied: false,
        }
    }

    /// Looks at the state before a step.
    fn look<P: Processor<Local = L>>(&mut self, machine: &Machine<'_, P>, step: usize) {
        let Some(liveness) = self.liveness else {
            return;
        };
        if self.begins == Some(step) {
            self.first = Some(machine.snapshot());
        }
        let counts = self.first.is_some() || !liveness.repeatedly;
        self.satisfied |= counts && liveness.property.formula.evaluate(machine) == Some(true);
    }

    /// True if the loop is one, and nothing in it is what should happen.
    fn is_right<P: Processor<Local = L>>(&self, machine: &Machine<'_, P>) -> bool {
        !self.satisfied && self.first.as_ref() == Some(machine.state())
    }
}
