//! Which engine answers a question about a program under a model.
//!
//! It is decided here and nowhere else: by [`Asked::choose`] from what was asked for, and, where two engines come into
//! question, by how far they get: executions or states in [`explore_or_search`], states or the solver in [`search_states`].

use crate::engines::{Explore, Sat, SatOptions, States};
use crate::events::Listener;
use crate::guard;
use crate::refusal::{NO_MACHINE, Refused};
use answer::{Bound, Engine, ModelResult, Verdict, Warning};
use control::Control;
use memory::{Buffering, Model};
use program::{Program, Span};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The engine that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Whichever suits the program, the model and the question.
    #[default]
    Auto,
    /// The exploration of executions.
    Explore,
    /// The search of states.
    States,
    /// The solver.
    Sat,
}

/// What the choice of an engine depends on, besides the program and the model.
pub(crate) struct Asked {
    /// What the user named.
    pub engine: Choice,
    /// An option that only the engine explore understands.
    pub needs_explore: Option<&'static str>,
    /// An option that the engine sat does not understand.
    pub refused_by_sat: Option<&'static str>,
    /// An option that the engine explore does not understand.
    pub refused_by_explore: Option<&'static str>,
    /// An option that only the engine sat understands.
    pub needs_sat: Option<&'static str>,
}

/// An engine, once the choice is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// Executions are explored.
    Explore,
    /// States are searched.
    States,
    /// States are searched or a solver is asked: for C programs under RMO, and where no machine runs the
    /// program.
    StatesOrSat,
    /// A solver is asked.
    Sat,
}

impl Asked {
    /// True if the user left the choice.
    pub fn is_open(&self) -> bool {
        self.engine == Choice::Auto && self.needs_explore.is_none()
    }

    /// The engine for a program under a model.
    pub fn choose(&self, program: &Program, model: Model) -> Result<Chosen, Refused> {
        const WHERE: &str = "explores executions of C programs, under sc, tso and pso only";
        let refuse = |text: String| Err(Refused::Engine(text));
        if self.engine == Choice::Sat || (self.engine == Choice::Auto && self.needs_sat.is_some()) {
            return self.choose_sat();
        }
        if let Some(option) = self.needs_sat {
            return refuse(format!("{option} needs the engine sat"));
        }
        if !model.has_machine() {
            return match (self.engine, self.needs_explore) {
                (Choice::Auto, None) => self.choose_sat(),
                (Choice::Auto, Some(option)) => {
                    refuse(format!("{option} needs the engine explore, which {WHERE}"))
                }
                _ => refuse(NO_MACHINE.to_owned()),
            };
        }
        let buffers = model.row().buffering.is_of_stores() && program.process;
        let explores = self.engine == Choice::Explore || self.needs_explore.is_some();
        if let Some(option) = self.refused_by_explore.filter(|_| explores && buffers) {
            return refuse(format!(
                "the engine explore does not understand {option}; the engine states does"
            ));
        }
        match (self.engine, self.needs_explore) {
            (Choice::States, Some(option)) => {
                refuse(format!("{option} needs the engine explore, not states"))
            }
            (Choice::States, None) => Ok(Chosen::States),
            (Choice::Explore, _) if !buffers => refuse(format!("the engine explore {WHERE}")),
            (Choice::Auto, Some(option)) if !buffers => {
                refuse(format!("{option} needs the engine explore, which {WHERE}"))
            }
            (Choice::Explore, _) | (Choice::Auto, Some(_)) => Ok(Chosen::Explore),
            _ if buffers && self.refused_by_explore.is_none() => Ok(Chosen::Explore),
            _ if self.refused_by_sat.is_some() => Ok(Chosen::States),
            _ => Ok(Chosen::StatesOrSat),
        }
    }

    fn choose_sat(&self) -> Result<Chosen, Refused> {
        match self.refused_by_sat {
            Some(option) => Err(Refused::Engine(format!(
                "the engine sat does not understand {option}"
            ))),
            None => Ok(Chosen::Sat),
        }
    }
}

/// Executions after which something else is tried first: states, or executions with few preemptions.
pub(crate) const EXECUTIONS_FIRST: u64 = 1_000_000;
/// States after which executions are explored to the end after all.
const STATES_NEXT: u64 = 500_000;

/// Explores executions, unless there are so many that a search of states may be faster, or one of them does
/// not end. `exploration` has the limits of both.
pub(crate) fn explore_or_search(
    exploration: &Explore,
    explore: impl Fn(&Explore) -> Result<ModelResult, Refused>,
    search: impl Fn(Control) -> Result<ModelResult, Refused>,
) -> Result<ModelResult, Refused> {
    let started = Instant::now();
    let control = &exploration.control;
    let left = || control.after(started.elapsed());
    let within = |control| Explore {
        control,
        ..exploration.clone()
    };
    let explored = explore(&match control.max_states {
        Some(_) => within(control.clone()),
        None => within(
            control
                .with_states(Some(EXECUTIONS_FIRST))
                .with_time(control.max_time.map(|time| time / 2)),
        ),
    });
    let Ok(explored) = explored else {
        // Programs whose executions cannot be explored may still have states.
        return search(left());
    };
    let open = explored.bounds.iter().any(|bound| bound.is_too_much());
    if !open || control.max_states.is_some() {
        return Ok(explored);
    }
    let mut searched = search(left().with_states(Some(STATES_NEXT)))?;
    if let Some(bound) = explored.bounds.iter().find(|bound| bound.is_mistake()) {
        searched.warnings.push(Warning {
            span: Span::NOWHERE,
            message: format!("the engine explore covered {bound}; states were searched instead"),
        });
    }
    let endless = |bound: &Bound| matches!(bound, Bound::Events(_));
    if searched.verdict != Verdict::Undecided || explored.bounds.iter().any(endless) {
        return Ok(searched);
    }
    // Both have had their time, unless they stopped for another reason.
    let time = control.max_time.unwrap_or(Duration::MAX);
    if left().max_time.is_some_and(|left| left < time / 10) {
        return Ok(explored);
    }
    explore(&within(left()))
}

/// The longest time that a solver gets before states are searched.
const SOLVER_FIRST: Duration = Duration::from_secs(5);

/// Searches states, or leaves it to the solver where the choice allows it: for C programs under RMO, and
/// where no machine runs the program.
pub(crate) fn search_states(
    program: &Arc<Program>,
    model: Model,
    search: &States,
    chosen: Chosen,
    outcomes: bool,
    listener: &Listener,
) -> Result<ModelResult, Refused> {
    let started = Instant::now();
    let solve = |control| {
        let options = SatOptions {
            control,
            most_iterations: search.unroll.unwrap_or(SatOptions::MOST_ITERATIONS),
            ..SatOptions::default()
        };
        ask_solver(program, model, &Sat { options, outcomes }, listener)
    };
    let in_boxes = model.row().buffering == Buffering::Everything;
    if chosen == Chosen::StatesOrSat && in_boxes && program.process {
        // The solver also sees undefined values, which the machine for RMO does not.
        let time = search.control.max_time;
        let time = time.map_or(SOLVER_FIRST, |time| time / 2).min(SOLVER_FIRST);
        if let Ok(result) = solve(search.control.with_time(Some(time)))
            && result.verdict != Verdict::Undecided
        {
            return Ok(result);
        }
    }
    let searched = {
        let progress = &search.control.progress;
        let _running = listener.search(model, Engine::States, progress);
        let search = States {
            control: search.control.after(started.elapsed()),
            ..search.clone()
        };
        guard::run(&search, program, model)
    };
    match searched {
        // What stands in the way of the machine is the better answer if both refuse.
        Err(refused) if chosen == Chosen::StatesOrSat && in_boxes => {
            solve(search.control.after(started.elapsed())).map_err(|_| refused)
        }
        searched => searched,
    }
}

/// Asks a solver for executions.
pub(crate) fn ask_solver(
    program: &Arc<Program>,
    model: Model,
    sat: &Sat,
    listener: &Listener,
) -> Result<ModelResult, Refused> {
    let _running = listener.search(model, Engine::Sat, &sat.options.control.progress);
    guard::run(sat, program, model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn result(engine: Engine, bounds: &[Bound]) -> ModelResult {
        ModelResult {
            verdict: Verdict::of(false, bounds),
            bounds: bounds.to_vec(),
            ..ModelResult::undecided(Model::Tso, engine)
        }
    }

    /// The engine that answers, and the limits of the searches before.
    fn answered(
        exploration: &Explore,
        few: Result<&[Bound], Refused>,
        states: &[Bound],
    ) -> (Engine, Vec<Option<u64>>) {
        let limits = RefCell::new(Vec::new());
        let result = explore_or_search(
            exploration,
            |exploration| {
                let limit = exploration.control.max_states;
                limits.borrow_mut().push(limit);
                match limit {
                    None => Ok(result(Engine::Explore, &[])),
                    Some(_) => few.clone().map(|few| result(Engine::Explore, few)),
                }
            },
            |control| {
                limits.borrow_mut().push(control.max_states);
                Ok(result(Engine::States, states))
            },
        );
        let engine = result.expect("a result").engine;
        (engine, limits.into_inner())
    }

    #[test]
    fn few_executions_need_no_states() {
        let found = answered(&Explore::default(), Ok(&[]), &[]);
        assert_eq!(found, (Engine::Explore, vec![Some(EXECUTIONS_FIRST)]));
    }

    #[test]
    fn many_executions_may_have_few_states() {
        let many: &[Bound] = &[Bound::Executions(EXECUTIONS_FIRST)];
        let (engine, limits) = answered(&Explore::default(), Ok(many), &[]);
        assert_eq!((engine, limits.len()), (Engine::States, 2));
        let (engine, limits) = answered(&Explore::default(), Ok(many), &[Bound::States(1)]);
        assert_eq!((engine, limits.last()), (Engine::Explore, Some(&None)));
        // An execution that does not end has no end to explore to.
        let (engine, _) = answered(
            &Explore::default(),
            Ok(&[Bound::Events(1)]),
            &[Bound::States(1)],
        );
        assert_eq!(engine, Engine::States);
    }

    #[test]
    fn a_limit_of_the_user_is_kept() {
        let exploration = Explore {
            control: Control::default().with_states(Some(7)),
            ..Explore::default()
        };
        let found = answered(&exploration, Ok(&[Bound::Executions(7)]), &[]);
        assert_eq!(found, (Engine::Explore, vec![Some(7)]));
        let refused = Refused::Engine("no executions".to_owned());
        let found = answered(&exploration, Err(refused), &[]);
        assert_eq!(found, (Engine::States, vec![Some(7), Some(7)]));
    }
}
