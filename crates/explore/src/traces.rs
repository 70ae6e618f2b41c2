//! The executions themselves, for those who want to look at them.

use crate::Options;
use crate::ends::Ended;
use crate::explorer::{Explorer, Visitor};
use crate::perform::PathStep;
use crate::run::{Exploration, MOST_EVENTS, transition};
use machine::{Act, End, Process, Unsupported};
use memory::Model;
use program::Program;

/// What others could notice of each step; what happened before the first step comes first.
pub type Steps = Vec<Vec<Act>>;

/// What happened in each execution that is explored, and whether it is complete.
pub fn traces(
    program: &Program,
    model: Model,
    options: &Options,
) -> Result<Vec<(Steps, bool)>, Unsupported> {
    let exploration = Exploration::new(program, model, options)?;
    let limits = exploration.limits(&exploration.reductions());
    let mut explorer = Explorer::new(&exploration.image, &limits, MOST_EVENTS);
    let mut recorder = Recorder::default();
    explorer.explore(None, &mut recorder);
    let acts = |path: &[PathStep]| {
        let mut process = Process::new(&exploration.image, &limits, false, false);
        while process.take_end().is_some() {}
        let mut acts = vec![process.take_acts()];
        for next in path {
            process.perform(transition(&process, next));
            while process.take_end().is_some() {}
            acts.push(process.take_acts());
        }
        acts
    };
    let paths = recorder.paths.iter();
    Ok(paths
        .map(|(path, complete)| (acts(path), *complete))
        .collect())
}

/// Keeps the paths of all executions.
#[derive(Default)]
struct Recorder {
    paths: Vec<(Vec<PathStep>, bool)>,
}

impl Visitor for Recorder {
    fn ended(&mut self, _explorer: &mut Explorer<'_>, _end: End) -> bool {
        true
    }

    fn stuck(&mut self, _: &mut Explorer<'_>) -> bool {
        true
    }

    fn leaf(&mut self, explorer: &mut Explorer<'_>) -> bool {
        let complete = explorer.process.is_over() && !explorer.has_ended(Ended::Failed);
        self.paths.push((explorer.path(), complete));
        true
    }
}
