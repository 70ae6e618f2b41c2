//! The whole question: is a program safe under a model, with buffers of any size?

use crate::automaton::{NotFinite, System};
use crate::bounded::Bounded;
use crate::certificate::{Invariant, hash, system_text, text};
use crate::goal::Goal;
use crate::portfolio::{By, Decided, Decision, decide};
use crate::question::{Claim, FinalState, Question, violation};
use crate::replicate::{ForAnyNumber, NotReplicable, decide_any_number, replicated, with_copies};
use crate::{Certificate, Options, Refusal, partition, values, witness};
use answer::{Bound, Counts, Engine, ModelResult, Verdict, Violation, Warning};
use control::{Control, Stop};
use memory::Model;
use program::{Observable, Program, Span};
use std::borrow::Cow;

/// Proves a program safe under a model, or finds what is wrong.
///
/// The verdict is [`Holds`](Verdict::Holds) without a bound on buffers only if that was proved for every buffer size.
pub fn prove(program: &Program, model: Model, options: &Options) -> Result<ModelResult, Refusal> {
    if !model.row().buffering.is_of_stores() {
        return Err(Refusal::Model(model));
    }
    let properties = &program.properties;
    let of_all_states = properties.formulas_of_all_states().next().is_some();
    if of_all_states {
        return Err(Refusal::Properties);
    }
    let stop = options.control.stop();
    let flat = flat(program)?;
    if !options.replicate.is_empty() {
        return prove_any_number(program, &flat, model, options, &stop);
    }
    let system = match values::system(&flat, model, &stop) {
        Ok(system) => system,
        Err(NotFinite::Unsupported(unsupported)) => return Err(NotFinite::from(unsupported).into()),
        Err(not_finite) => {
            let proved = partition::prove(program, &flat, model, options, &stop, not_finite);
            return proved.map(|result| ModelResult {
                time: stop.elapsed(),
                ..result
            });
        }
    };
    let proving = Proving {
        program,
        flat: &flat,
        system: &system,
        model,
        options,
        stop: &stop,
    };
    let mut result = proving.run()?;
    result.time = stop.elapsed();
    Ok(result)
}

/// The same for any number of threads that run some functions.
fn prove_any_number(
    program: &Program,
    flat: &Program,
    model: Model,
    options: &Options,
    stop: &Stop,
) -> Result<ModelResult, Refusal> {
    if options.certificate.is_some() {
        return Err(NotReplicable::NotCertified.into());
    }
    let names = options.replicate.join(" and ");
    let replicated = replicated(program, flat, model, &options.replicate)?;
    let system = values::system_for_any_number(flat, model, &replicated, stop)?;
    let question = Question::failures(&system);
    let proving = |flat, system| Proving {
        program,
        flat,
        system,
        model,
        options,
        stop,
    };
    let decided = |decision, by, states| Decided {
        decision,
        by,
        states,
        invariant: None,
    };
    let buffering = model.row().buffering;
    let control = &options.control;
    let goals = &question.goals;
    let (mut result, said) =
        match decide_any_number(&system, &replicated, goals, buffering, control, stop) {
            ForAnyNumber::Unreachable(by, states) => {
                let decided = decided(Decision::Unreachable, by, states);
                let result = proving(flat, &system).result(decided, &question);
                (
                    result,
                    format!("this is for any number of threads that run {names}"),
                )
            }
            ForAnyNumber::Unknown(states) => {
                let decided = decided(Decision::Unknown(0), By::Nobody, states);
                let result = proving(flat, &system).result(decided, &question);
                (result, format!("any number of threads run {names}"))
            }
            ForAnyNumber::Wrong(wrong) => {
                let flat = with_copies(flat, &wrong.numbers);
                let result = proving(&flat, &wrong.instance).result(wrong.decided, &question);
                let copies = wrong.numbers.iter().zip(&replicated);
                let copies = copies.filter(|(_, replicated)| **replicated);
                let copies: usize = copies.map(|(number, _)| number).sum();
                let threads = if copies == 1 { "thread" } else { "threads" };
                let fewer = if wrong.fewest {
                    "no fewer show it"
                } else {
                    "whether fewer show it was not decided"
                };
                (
                    result,
                    format!("this takes {copies} {threads} that run {names}, and {fewer}"),
                )
            }
        };
    result.warnings.push(Warning {
        span: Span::NOWHERE,
        message: said,
    });
    result.time = stop.elapsed();
    Ok(result)
}

/// A hash of the automata and goals of a program, which a certificate must have to be of that program.
pub fn system_hash(program: &Program, model: Model) -> Result<String, Refusal> {
    let flat = flat(program)?;
    let system = values::system(&flat, model, &Control::default().stop())?;
    let question = Question::failures(&system);
    let condition = Question::condition(&flat, &system)?;
    let goals = match condition {
        Some(condition) => question.and(condition).goals,
        None => question.goals,
    };
    Ok(hash(&system_text(&system, &goals, model)))
}

/// A program without calls.
pub(crate) fn flat(program: &Program) -> Result<Cow<'_, Program>, Refusal> {
    if !program.process {
        return Ok(Cow::Borrowed(program));
    }
    let mut flat = flatten::flatten(program)?;
    // Nothing is asked about outcomes, and every register in one makes more states.
    flat.observed.clear();
    Ok(Cow::Owned(flat))
}

struct Proving<'a> {
    program: &'a Program,
    flat: &'a Program,
    system: &'a System,
    model: Model,
    options: &'a Options,
    stop: &'a Stop,
}

impl Proving<'_> {
    fn run(&self) -> Result<ModelResult, Refusal> {
        let failures = Question::failures(self.system);
        let condition = Question::condition(self.flat, self.system)?;
        let witness = |question: &Question| question.claims.contains(&Claim::Witness);
        let is_exists = self.flat.properties.ask_only_for_a_witness();
        match condition {
            Some(question) if is_exists || witness(&question) => {
                let failed = self.decide(&failures.goals);
                if failed.decision != Decision::Unreachable {
                    return Ok(self.result(failed, &failures));
                }
                let found = self.decide(&question.goals);
                Ok(self.exists(found, &question))
            }
            Some(question) => {
                let question = failures.and(question);
                let mut decided = self.decide(&question.goals);
                let invariant = decided.invariant.take();
                let mut result = self.result(decided, &question);
                if result.verdict == Verdict::Holds && !self.has_end()? {
                    result.bounds.push(Bound::NoExecution);
                    result.verdict = Verdict::Undecided;
                }
                self.certified(result, &question.goals, invariant)
            }
            None => {
                let mut decided = self.decide(&failures.goals);
                let invariant = decided.invariant.take();
                let result = self.result(decided, &failures);
                self.certified(result, &failures.goals, invariant)
            }
        }
    }

    /// Writes the proof of what holds, if it is asked for.
    fn certified(
        &self,
        mut result: ModelResult,
        goals: &[Goal],
        invariant: Option<Invariant>,
    ) -> Result<ModelResult, Refusal> {
        let Some(certificate) = &self.options.certificate else {
            return Ok(result);
        };
        if result.verdict != Verdict::Holds {
            return Ok(result);
        }
        let Some(invariant) = invariant else {
            let reached = self.stop.look();
            result
                .bounds
                .push(reached.unwrap_or(Bound::States(result.counts.states)));
            return Ok(result);
        };
        let system = system_text(self.system, goals, self.model);
        let Certificate {
            path,
            subject,
            about,
        } = certificate;
        let text = text(subject, about, &system, &invariant);
        let failed = |error| Refusal::Unwritable(format!("{}: {error}", path.display()));
        std::fs::write(path, text).map_err(failed)?;
        Ok(result)
    }

    fn decide(&self, goals: &[Goal]) -> Decided {
        let buffering = self.model.row().buffering;
        decide(
            self.system,
            goals,
            buffering,
            self.options.certificate.is_some(),
            &self.options.control,
            self.stop,
        )
    }

    /// Whether a final state that counts is reached: what holds of none is not known to hold.
    fn has_end(&self) -> Result<bool, Refusal> {
        let goals = Question::ends(self.flat, self.system)?;
        let met = self.decide(&goals).decision;
        Ok(matches!(met, Decision::Met(_) | Decision::Reachable(_)))
    }

    /// The result if the goals must not be reached.
    fn result(&self, decided: Decided, question: &Question) -> ModelResult {
        let result = self.begin(&decided);
        match decided.decision {
            Decision::Unreachable => ModelResult {
                verdict: Verdict::Holds,
                warnings: not_looked_for(self.program).into_iter().collect(),
                ..result
            },
            Decision::Met(met) => self.violated(result, question, met),
            Decision::Reachable(goal) => self.shown_backwards(result, question, goal),
            Decision::Unknown(bound) => self.unknown(result, bound),
        }
    }

    /// The result if one of the goals must be reached.
    fn exists(&self, decided: Decided, question: &Question) -> ModelResult {
        let result = self.begin(&decided);
        match decided.decision {
            Decision::Unreachable => ModelResult {
                verdict: Verdict::Violated,
                violation: Some(Violation::NoWitness),
                ..result
            },
            Decision::Met(met) => ModelResult {
                verdict: Verdict::Holds,
                ..self.violated(result, question, met)
            },
            Decision::Reachable(_) => ModelResult {
                verdict: Verdict::Holds,
                ..result
            },
            Decision::Unknown(bound) => self.unknown(result, bound),
        }
    }

    fn begin(&self, decided: &Decided) -> ModelResult {
        let names = self.flat.threads.iter().map(|thread| thread.name.clone());
        ModelResult {
            machine: decided.by.name(),
            counts: Counts {
                states: decided.states,
                ..Counts::default()
            },
            started: names.skip(self.program.threads.len()).collect(),
            bounds: left_out(self.program, self.flat),
            ..ModelResult::undecided(self.model, Engine::Prove)
        }
    }

    fn violated(&self, result: ModelResult, question: &Question, met: Bounded) -> ModelResult {
        let Bounded::Met {
            goal,
            run,
            controls,
            memory,
            ..
        } = met
        else {
            return result;
        };
        let claim = question.claims[goal];
        let failure = match claim {
            Claim::Failure(thread, failure) => Some((thread, failure)),
            Claim::FinalState | Claim::Witness => None,
        };
        let last = Goal {
            controls: controls.into_iter().map(Some).collect(),
            memory: memory.into_iter().map(Some).collect(),
        };
        let execution = self
            .options
            .explain
            .then(|| witness::execution(self.flat, self.system, &run, failure));
        ModelResult {
            verdict: Verdict::Violated,
            violation: self.violation(claim, &last),
            execution,
            ..result
        }
    }

    /// The backward search knows that there is a run, but none was found.
    fn shown_backwards(
        &self,
        mut result: ModelResult,
        question: &Question,
        goal: usize,
    ) -> ModelResult {
        let claim = question.claims[goal];
        result.warnings.push(Warning {
            span: Span::NOWHERE,
            message: "no execution was found within the limits, though there is one".to_owned(),
        });
        let known = |observable: &Observable| {
            let last = self.last(&question.goals[goal]);
            program::StateView::value(&last, observable.location).is_some()
        };
        if claim == Claim::FinalState && !self.flat.observed.iter().all(known) {
            return self.unknown(result, 0);
        }
        ModelResult {
            verdict: Verdict::Violated,
            violation: self.violation(claim, &question.goals[goal]),
            ..result
        }
    }

    fn last<'a>(&'a self, goal: &'a Goal) -> FinalState<'a> {
        FinalState {
            program: self.flat,
            system: self.system,
            goal,
        }
    }

    fn violation(&self, claim: Claim, last: &Goal) -> Option<Violation> {
        let found = violation(claim, &self.last(last))?;
        Some(if self.program.process {
            crate::fault::in_source(self.program, self.flat, found)
        } else {
            found
        })
    }

    fn unknown(&self, mut result: ModelResult, bound: u32) -> ModelResult {
        let reached = self.stop.look();
        let states = Bound::States(result.counts.states);
        if let Some(complete @ 1..) = bound.checked_sub(1) {
            result.bounds.push(Bound::StoreBuffer(complete));
        }
        result.bounds.push(reached.unwrap_or(states));
        result
    }
}

/// What a proof does not say.
pub(crate) fn not_looked_for(program: &Program) -> Option<Warning> {
    let message = "a proof is about assertions and bad accesses; deadlocks, data races, leaks and misuse of \
                   the library are not looked for";
    program.process.then(|| Warning {
        span: Span::NOWHERE,
        message: message.to_owned(),
    })
}

/// What a flat program leaves out of a C program.
pub(crate) fn left_out(program: &Program, flat: &Program) -> Vec<Bound> {
    if !program.process {
        return Vec::new();
    }
    let mut bounds = Vec::new();
    if crate::fault::has_objects_that_end(program, flat) {
        bounds.push(Bound::Lifetimes);
    }
    if crate::fault::may_read_undefined(program, flat) {
        bounds.push(Bound::Undefined);
    }
    bounds
}

impl From<NotFinite> for Refusal {
    fn from(not_finite: NotFinite) -> Self {
        Refusal::NotFinite(not_finite)
    }
}
