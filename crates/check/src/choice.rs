//! Which engines answer a question about a program under a model.
//!
//! It is decided here and nowhere else, from what was asked for. Where several engines come into question they work side
//! by side, as a [`Portfolio`](crate::portfolio::Portfolio).

use crate::refusal::{NO_MACHINE, Refused};
use memory::Model;
use program::Program;

/// The engine that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// All that suit the program, the model and the question, side by side.
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
    /// What one engine counts is asked for.
    pub counts: bool,
}

/// Engines, once the choice is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// Executions are explored.
    Explore,
    /// States are searched.
    States,
    /// A solver is asked.
    Sat,
    /// These work side by side, the preferred one first.
    Several(&'static [Chosen]),
}

/// For C programs under models with store buffers: most have few executions.
const OF_BUFFERS: Chosen = Chosen::Several(&[Chosen::Explore, Chosen::States, Chosen::Sat]);
/// The same for questions that are not asked to a solver.
const OF_BUFFERS_WITHOUT_SAT: Chosen = Chosen::Several(&[Chosen::Explore, Chosen::States]);
/// For C programs under RMO: the solver also sees undefined values, and takes more programs.
const OF_BOXES: Chosen = Chosen::Several(&[Chosen::Sat, Chosen::States]);
/// For litmus tests, which have few states.
const OF_TESTS: Chosen = Chosen::Several(&[Chosen::States, Chosen::Sat]);

impl Asked {
    /// The engines for a program under a model.
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
            _ if buffers && self.refused_by_explore.is_none() => Ok(match self.refused_by_sat {
                _ if self.counts => Chosen::Explore,
                Some(_) => OF_BUFFERS_WITHOUT_SAT,
                None => OF_BUFFERS,
            }),
            _ if self.refused_by_sat.is_some() => Ok(Chosen::States),
            _ if program.process => Ok(OF_BOXES),
            _ => Ok(OF_TESTS),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(process: bool, model: Model, asked: Asked) -> Chosen {
        let source = program::Source::new("empty", "");
        let program = Program {
            process,
            ..Program::empty("empty".to_owned(), source)
        };
        asked.choose(&program, model).expect("an engine")
    }

    fn asked() -> Asked {
        Asked {
            engine: Choice::Auto,
            needs_explore: None,
            refused_by_sat: None,
            refused_by_explore: None,
            needs_sat: None,
            counts: false,
        }
    }

    #[test]
    fn who_names_no_engine_gets_all_that_suit() {
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            assert_eq!(chosen(true, model, asked()), OF_BUFFERS);
            assert_eq!(chosen(false, model, asked()), OF_TESTS);
        }
        assert_eq!(chosen(true, Model::Rmo, asked()), OF_BOXES);
        assert_eq!(chosen(false, Model::Rmo, asked()), OF_TESTS);
        assert_eq!(chosen(true, Model::Relaxed, asked()), Chosen::Sat);
        let named = Asked {
            engine: Choice::States,
            ..asked()
        };
        assert_eq!(chosen(true, Model::Tso, named), Chosen::States);
    }

    #[test]
    fn options_leave_engines_out() {
        let races = || Asked {
            refused_by_sat: Some("--races"),
            ..asked()
        };
        assert_eq!(chosen(true, Model::Tso, races()), OF_BUFFERS_WITHOUT_SAT);
        assert_eq!(chosen(false, Model::Tso, races()), Chosen::States);
        let counted = Asked {
            counts: true,
            ..races()
        };
        assert_eq!(chosen(true, Model::Tso, counted), Chosen::Explore);
        let buffers = Asked {
            refused_by_explore: Some("--buffer"),
            ..races()
        };
        assert_eq!(chosen(true, Model::Tso, buffers), Chosen::States);
    }
}
