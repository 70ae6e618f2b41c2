//! What the engines answer to a program, in a form that can be compared.

use answer::{Bound, ModelResult, Verdict, Violation};
use check::{Checker, Equivalence, Explore, Sat, SatOptions, States};
use control::Control;
use memory::{Buffering, Model};
use program::Program;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// One execution per trace.
    Explore,
    /// One execution of those that differ in nothing that can be observed, as a plain check has it.
    Observed,
    /// One per trace by trying every schedule, as with `--preemptions`: shares nothing with races and their reversal.
    Schedules,
    /// Every state.
    States,
    /// Every state of the machine without its reductions.
    Plain,
    /// A solver.
    Sat,
    /// No engine: the axioms read literally.
    Axioms,
    /// No engine: the program compiled and run.
    Processor,
}

impl Engine {
    /// Every engine.
    pub const ALL: [Engine; 7] = [
        Engine::Explore,
        Engine::Observed,
        Engine::Schedules,
        Engine::States,
        Engine::Plain,
        Engine::Sat,
        Engine::Axioms,
    ];

    /// Its name, as the command has it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Explore => "explore",
            Engine::Observed => "observed",
            Engine::Schedules => "schedules",
            Engine::States => "states",
            Engine::Plain => "plain",
            Engine::Sat => "sat",
            Engine::Axioms => "axioms",
            Engine::Processor => "processor",
        }
    }

    /// Whether it explores executions, so that it goes on after the first thing that is wrong.
    pub fn explores(self) -> bool {
        match self {
            Engine::Explore | Engine::Observed | Engine::Schedules => true,
            Engine::States | Engine::Plain | Engine::Sat | Engine::Axioms | Engine::Processor => {
                false
            }
        }
    }

    /// Whether there is such an engine for C programs under a model.
    pub fn has(self, model: Model) -> bool {
        match self {
            Engine::Explore | Engine::Observed | Engine::Schedules | Engine::Plain => {
                matches!(model, Model::Sc | Model::Tso | Model::Pso)
            }
            Engine::States => model != Model::Relaxed,
            Engine::Axioms | Engine::Processor => false,
            Engine::Sat => true,
        }
    }
}

/// Limits of one search: programs that are larger are passed over.
#[derive(Clone, Debug)]
pub struct Limits {
    /// States, or executions.
    pub states: u64,
    /// Time.
    pub time: Duration,
}

impl Limits {
    /// The same for an engine.
    pub fn control(&self) -> Control {
        Control {
            max_states: Some(self.states),
            max_time: Some(self.time),
            ..Control::default()
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            states: 2_000,
            time: Duration::from_millis(50),
        }
    }
}

/// How an engine answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It looked at everything.
    Complete,
    /// Something was left out: this.
    Cut(String),
    /// It does not do such programs, for this reason.
    Refused(String),
    /// It panicked, or claims what the machine refutes.
    Panicked(String),
}

/// What an engine found under a model.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The engine.
    pub engine: Engine,
    /// The model.
    pub model: Model,
    /// How it ended.
    pub status: Status,
    /// Kinds of faults that were found; `states` and `sat` tell the first only.
    pub faults: BTreeSet<&'static str>,
    /// A deadlock, or an endless loop, was found.
    pub deadlock: bool,
    /// Outcomes, each as values in the order of the observables' names.
    pub outcomes: BTreeSet<Vec<i128>>,
    /// All outcomes are there, of executions that do not go wrong.
    pub all_outcomes: bool,
    /// Executions given up as redundant.
    pub redundant: u64,
    /// Executions that are not sequentially consistent.
    pub not_sequential: u64,
}

/// Asks an engine.
pub fn ask(
    program: &Program,
    engine: Engine,
    model: Model,
    spurious: bool,
    limits: &Limits,
) -> Answer {
    let search = States {
        stop_at_violation: false,
        explain: false,
        spurious,
        plain: engine == Engine::Plain,
        control: limits.control(),
        ..States::default()
    };
    let asked = || -> Result<ModelResult, String> {
        let answer = match engine {
            Engine::Explore | Engine::Observed | Engine::Schedules => {
                let options = Explore {
                    preemptions: (engine == Engine::Schedules).then_some(u32::MAX),
                    explain: false,
                    spurious,
                    control: limits.control(),
                    all: true,
                    outcomes: true,
                    equivalence: match engine {
                        Engine::Observed => Equivalence::Observed,
                        _ => Equivalence::Traces,
                    },
                    ..Explore::default()
                };
                let stores_overtake = model.row().buffering == Buffering::PerLocation;
                let smaller = match engine {
                    Engine::Observed => program.without_unread(stores_overtake),
                    _ => None,
                };
                options.check(smaller.as_ref().unwrap_or(program), model)
            }
            // Plain, with every step on its own, nothing private and nothing silent, shares nothing with the
            // reductions of the others.
            Engine::States | Engine::Plain => search.check(program, model),
            Engine::Axioms | Engine::Processor => return Err("asked elsewhere".to_owned()),
            Engine::Sat => {
                let options = SatOptions {
                    control: limits.control(),
                    most_iterations: 12,
                    ..SatOptions::default()
                };
                let outcomes = true;
                Sat { options, outcomes }.check(program, model)
            }
        };
        answer.map_err(|refusal| refusal.to_string())
    };
    match catch_unwind(AssertUnwindSafe(asked)) {
        Ok(Ok(result)) => answer(program, engine, model, &result),
        Ok(Err(refusal)) => without(engine, model, Status::Refused(refusal)),
        Err(panic) => without(engine, model, Status::Panicked(message(&*panic))),
    }
}

/// What a panic said.
pub fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.unwrap_or_default()
}

fn without(engine: Engine, model: Model, status: Status) -> Answer {
    Answer {
        engine,
        model,
        status,
        faults: BTreeSet::new(),
        deadlock: false,
        outcomes: BTreeSet::new(),
        all_outcomes: false,
        redundant: 0,
        not_sequential: 0,
    }
}

fn answer(program: &Program, engine: Engine, model: Model, result: &ModelResult) -> Answer {
    // Every engine takes values without a range from the same few, and what `sat` and the machine
    // for RMO do not look for is left out of the comparison.
    let harmless = |bound: &Bound| {
        matches!(
            bound,
            Bound::Waiting | Bound::Lifetimes | Bound::Undefined | Bound::Values(_)
        )
    };
    let left_out = result.bounds.iter().find(|bound| !harmless(bound));
    let complete = left_out.is_none() && result.verdict != Verdict::Undecided;
    let status = match left_out {
        Some(Bound::Unconfirmed) => Status::Panicked("not confirmed by the machine".to_owned()),
        None if complete => Status::Complete,
        None => Status::Cut("undecided".to_owned()),
        Some(bound) => Status::Cut(
            format!("{bound:?}")
                .split(['(', ' '])
                .next()
                .unwrap_or_default()
                .to_owned(),
        ),
    };
    let mut found = without(engine, model, status);
    for violation in result.violation.iter().chain(&result.others) {
        match violation {
            Violation::Fault { fault, .. } if fault.kind.name() == "endless" => {
                found.deadlock = true;
            }
            Violation::Fault { fault, .. } => {
                found.faults.insert(fault.kind.name());
            }
            Violation::Deadlock(_) => found.deadlock = true,
            Violation::Assertion { .. } => {
                found.faults.insert("assertion");
            }
            Violation::BadAccess { .. } => {
                found.faults.insert("wild");
            }
            _ => {}
        }
    }
    let mut names: Vec<usize> = (0..program.observed.len()).collect();
    names.sort_by_key(|index| &program.observed[*index].name);
    found.outcomes = result
        .outcomes
        .iter()
        .map(|outcome| {
            let numbers = outcome.numbers(&program.observed);
            names.iter().map(|index| numbers[*index]).collect()
        })
        .collect();
    let stops = engine == Engine::Sat || (engine == Engine::States && model == Model::Rmo);
    found.all_outcomes = complete && !(stops && result.verdict == Verdict::Violated);
    found.redundant = result.counts.redundant;
    found.not_sequential = result.counts.not_sequential;
    found
}
