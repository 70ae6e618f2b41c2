//! All final states of a program, and executions to them.

use crate::choice::{Asked, Choice, Chosen};
use crate::engines::{Sat, States};
use crate::guard;
use crate::options::Options;
use crate::outcome_path;
use crate::portfolio::{Portfolio, Search, Wanted};
use crate::question::Question;
use crate::refusal::Refused;
use answer::{Bound, Engine, Execution, ModelResult, Outcome};
use memory::Model;
use program::{Condition, Formula, Program, Properties, Property, Quantifier, Span};
use std::sync::Arc;
use std::time::Duration;

/// Which final states does a program have?
///
/// ```
/// # fn main() -> Result<(), Box<program::Diagnostic>> {
/// use check::{Models, Outcomes, Question};
/// use memory::Model;
/// use program::Source;
///
/// let text = "X86 SB
///     { x=0; y=0; }
///      P0          | P1          ;
///      MOV [x],$1  | MOV [y],$1  ;
///      MOV EAX,[y] | MOV EAX,[x] ;
///     exists (0:EAX=0 /\\ 1:EAX=0)";
/// let program = frontend::read(&Source::new("SB.litmus", text))?.into();
/// let models = Models {
///     list: vec![Model::Sc, Model::Tso],
///     all: false,
/// };
/// let results = Outcomes::default().answers(&program, &models)?;
/// assert_eq!(results[0].outcomes.len(), 3);
/// assert_eq!(results[1].outcomes.len(), 4); // both threads may load 0
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// How to search.
    pub options: Options,
    /// The engine; explore lists no outcomes.
    pub engine: Choice,
}

impl Question for Outcomes {
    fn options(&self) -> &Options {
        &self.options
    }

    fn run(&self, program: &Arc<Program>, model: Model) -> Result<ModelResult, Refused> {
        self.options.timed(|| self.list(program, model))
    }
}

impl Outcomes {
    fn list(&self, program: &Arc<Program>, model: Model) -> Result<ModelResult, Refused> {
        let asked = Asked {
            // Executions are explored for what goes wrong in them.
            engine: match self.engine {
                Choice::Auto if model.row().buffering.is_of_stores() => Choice::States,
                engine => engine,
            },
            needs_explore: None,
            refused_by_sat: self.options.buffer.map(|_| "--buffer"),
            refused_by_explore: None,
            needs_sat: None,
            counts: false,
        };
        let search = |chosen: &Chosen| match chosen {
            Chosen::States => Some(Search::States(self.search(Duration::ZERO))),
            Chosen::Sat => Some(Search::Sat(self.sat(Duration::ZERO))),
            Chosen::Explore | Chosen::Several(_) => None,
        };
        let chosen = asked.choose(program, model)?;
        let searches: Vec<Search> = match &chosen {
            Chosen::Several(several) => several.iter().filter_map(search).collect(),
            one => search(one).into_iter().collect(),
        };
        if searches.is_empty() {
            let text = "the engine explore lists no outcomes; states and sat do";
            return Err(Refused::Engine(text.to_owned()));
        }
        let portfolio = Portfolio {
            program,
            model,
            wanted: Wanted::Outcomes,
            control: &self.options.left(),
            jobs: self.options.jobs,
            listener: &self.options.listener,
        };
        portfolio.run(&searches)
    }

    /// A search of states, after this time of searching.
    fn search(&self, spent: Duration) -> States {
        States {
            stop_at_violation: false,
            explain: false,
            ..self.options.states(self.options.left().after(spent))
        }
    }

    /// The same by the solver.
    fn sat(&self, spent: Duration) -> Sat {
        Sat {
            options: self.options.sat(self.options.left().after(spent)),
            outcomes: true,
        }
    }

    /// An execution to a final state that satisfies the formula, by the engine of a result for the same model:
    /// the shortest one, unless that is the solver. The limit that was reached if it is not known whether
    /// there is one; the time is that of both searches.
    pub fn execution_to(
        &self,
        program: &Arc<Program>,
        model: Model,
        result: &ModelResult,
        goal: &Formula,
    ) -> Result<Result<Option<Execution>, Bound>, Refused> {
        match result.engine {
            Engine::Sat if program.process => Err(Refused::NoTrace),
            Engine::Sat => self.solved_execution_to(program, model, result.time, goal),
            _ => {
                let search = self.search(result.time);
                let (work, asked, goal) = (program.clone(), search.clone(), goal.clone());
                let done = guard::within(&search.control, move || {
                    states::execution_to(&work, model, &asked, &goal)
                });
                done.unwrap_or_else(|bound| Ok(Err(bound)))
                    .map_err(|unsupported| match program.process {
                        true => Refused::NoTrace,
                        false => unsupported.into(),
                    })
            }
        }
    }

    /// The same for an outcome of a C program that has a machine.
    pub fn execution_to_outcome(
        &self,
        program: &Arc<Program>,
        model: Model,
        result: &ModelResult,
        outcome: &Outcome,
    ) -> Result<Result<Option<Execution>, Bound>, Refused> {
        if !model.row().buffering.is_of_stores() {
            return Err(Refused::NoTrace);
        }
        let control = self.options.left().after(result.time);
        let (work, asked, wanted) = (program.clone(), self.options.clone(), outcome.clone());
        let limits = control.clone();
        let done = guard::within(&control, move || {
            outcome_path::execution_to(&work, model, &asked, &limits, &wanted)
        });
        done.unwrap_or_else(|bound| Ok(Err(bound)))
            .map_err(Refused::from)
    }

    /// The same by the solver, which is asked for a witness of the formula.
    fn solved_execution_to(
        &self,
        program: &Program,
        model: Model,
        spent: Duration,
        goal: &Formula,
    ) -> Result<Result<Option<Execution>, Bound>, Refused> {
        let property = Property {
            formula: goal.clone(),
            span: Span::NOWHERE,
        };
        let asked = Program {
            properties: Properties {
                condition: Some(Condition {
                    quantifier: Quantifier::Exists,
                    property,
                }),
                filter: None,
                ..program.properties.clone()
            },
            ..program.clone()
        };
        let result = guard::run(&self.sat(spent), &Arc::new(asked), model)?;
        let cut = result.bounds.iter().find(|bound| bound.stops_search());
        Ok(match (result.execution, cut) {
            (None, Some(cut)) => Err(*cut),
            (execution, _) => Ok(execution),
        })
    }
}
