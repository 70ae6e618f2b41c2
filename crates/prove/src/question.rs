//! What is asked of a program, as goals: which states of its automata must not be reached, or must be.

use crate::Refusal;
use crate::automaton::{Standing, StateId, System, Value};
use crate::goal::Goal;
use answer::{Outcome, Violation};
use machine::Failure;
use program::{
    Formula, ObservedLocation, Position, Program, Quantifier, StateView, ThreadId, Word,
};

/// Final states that are tried at most.
const MOST_FINAL_STATES: usize = 200_000;

/// What it means that a goal is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A thread does something wrong.
    Failure(ThreadId, Failure),
    /// A final state breaks the condition.
    FinalState,
    /// A final state is what `exists` asks for.
    Witness,
}

/// Goals, and what each of them means.
pub struct Question {
    /// The goals.
    pub goals: Vec<Goal>,
    /// What each of them means.
    pub claims: Vec<Claim>,
}

impl Question {
    /// What must not go wrong in any state.
    pub fn failures(system: &System) -> Self {
        let mut question = Question {
            goals: Vec::new(),
            claims: Vec::new(),
        };
        for (thread, automaton) in system.automata.iter().enumerate() {
            for (index, state) in automaton.states.iter().enumerate() {
                if let Standing::Failed(failure) = state.standing {
                    let goal = Goal::thread_at(system, thread, StateId(index as u32));
                    question.goals.push(goal);
                    let claim = Claim::Failure(thread.into(), failure);
                    question.claims.push(claim);
                }
            }
        }
        question
    }

    /// The final states that decide the condition, if there is one.
    pub fn condition(program: &Program, system: &System) -> Result<Option<Self>, Refusal> {
        let Some(condition) = &program.properties.condition else {
            return Ok(None);
        };
        let formula = &condition.property.formula;
        let (claim, wanted) = match condition.quantifier {
            Quantifier::Exists => (Claim::Witness, true),
            Quantifier::NotExists => (Claim::FinalState, true),
            Quantifier::Forall => (Claim::FinalState, false),
        };
        let goals = final_states(program, system, |state| {
            formula.evaluate(state) == Some(wanted)
        })?;
        Ok(Some(Question {
            claims: vec![claim; goals.len()],
            goals,
        }))
    }

    /// All final states that count.
    pub fn ends(program: &Program, system: &System) -> Result<Vec<Goal>, Refusal> {
        final_states(program, system, |_| true)
    }

    /// Both.
    pub fn and(mut self, other: Question) -> Self {
        self.goals.extend(other.goals);
        self.claims.extend(other.claims);
        self
    }
}

/// The final states that pass the filter and that are wanted. Locations that no formula speaks of are left open.
fn final_states(
    program: &Program,
    system: &System,
    wanted: impl Fn(&FinalState) -> bool,
) -> Result<Vec<Goal>, Refusal> {
    let properties = &program.properties;
    let condition = properties.condition.iter().map(|c| &c.property.formula);
    let formulas = condition.chain(&properties.filter);
    let observed: Vec<ObservedLocation> = formulas
        .flat_map(Formula::observables)
        .map(|observable| observable.location)
        .collect();
    let mut partial = vec![Goal {
        controls: Vec::new(),
        memory: Vec::new(),
    }];
    for automaton in &system.automata {
        let states = automaton.states.iter().enumerate();
        let ends = states.filter(|(_, state)| state.standing == Standing::Ended);
        let ends: Vec<StateId> = ends.map(|(index, _)| StateId(index as u32)).collect();
        partial = extended(partial, &ends, |goal, end| goal.controls.push(Some(*end)))?;
    }
    for location in &system.locations {
        let spoken_of = observed.contains(&ObservedLocation::Memory(location.address));
        let values = 0..location.words.len() as u16;
        let values: Vec<Option<Value>> = match spoken_of {
            true => values.map(|value| Some(Value(value))).collect(),
            false => vec![None],
        };
        partial = extended(partial, &values, |goal, value| goal.memory.push(*value))?;
    }
    let passes = |state: &FinalState| {
        let filter = properties.filter.as_ref();
        filter.is_none_or(|filter| filter.evaluate(state) == Some(true))
    };
    partial.retain(|goal| {
        let state = FinalState {
            program,
            system,
            goal,
        };
        passes(&state) && wanted(&state)
    });
    Ok(partial)
}

fn extended<T>(
    partial: Vec<Goal>,
    choices: &[T],
    add: impl Fn(&mut Goal, &T),
) -> Result<Vec<Goal>, Refusal> {
    if partial.len() * choices.len() > MOST_FINAL_STATES {
        return Err(Refusal::TooManyFinalStates);
    }
    let longer = partial.iter().flat_map(|goal| {
        choices.iter().map(|choice| {
            let mut goal = goal.clone();
            add(&mut goal, choice);
            goal
        })
    });
    Ok(longer.collect())
}

/// A final state, as formulas see it.
pub(crate) struct FinalState<'a> {
    pub program: &'a Program,
    pub system: &'a System,
    pub goal: &'a Goal,
}

impl FinalState<'_> {
    /// The values that make up the outcome.
    pub fn outcome(&self) -> Outcome {
        let observed = self.program.observed.iter();
        let values = observed.map(|o| o.width.truncate(self.value(o.location).unwrap_or_default()));
        Outcome(values.collect())
    }
}

impl StateView for FinalState<'_> {
    fn value(&self, location: ObservedLocation) -> Option<Word> {
        match location {
            ObservedLocation::Memory(address) => {
                let locations = self.system.locations.iter();
                let known = locations.zip(&self.goal.memory);
                let mut known = known.filter(|(location, _)| location.address == address);
                match known.next() {
                    Some((location, value)) => value.map(|value| location.words[value.index()]),
                    // It holds what it held at the start.
                    None => {
                        let (object, cell) = self.program.cell_at(address)?;
                        Some(object.initial.get(cell).copied().unwrap_or_default())
                    }
                }
            }
            ObservedLocation::Register(thread, register) => {
                let automaton = &self.system.automata[thread.index()];
                let state = &automaton.states[self.goal.controls[thread.index()]?.index()];
                let mut observed = state.observed.iter();
                let found = observed.find(|(known, _)| *known == register);
                found.map(|(_, word)| *word)
            }
            ObservedLocation::Observation => None,
        }
    }

    fn at(&self, _: ThreadId, position: &Position) -> Option<bool> {
        Some(*position == Position::End)
    }
}

/// What is wrong where a goal is met, in a state with these controls and this memory.
pub(crate) fn violation(claim: Claim, last: &FinalState) -> Option<Violation> {
    match claim {
        Claim::Failure(thread, Failure::Assertion(span)) => {
            Some(Violation::Assertion { thread, span })
        }
        Claim::Failure(thread, Failure::BadAccess(span, address)) => Some(Violation::BadAccess {
            thread,
            span,
            address,
        }),
        Claim::FinalState => Some(Violation::FinalState(last.outcome())),
        Claim::Witness => None,
    }
}
