//! Questions other than verdict and outcomes: robustness, and data races.
//!
//! A program is robust under a model if no execution is there that sequential consistency does not have. The monitor
//! finds that out from executions of SC; the exploration with store buffers counts such executions. Races are
//! looked for by the exploration and by the search of states.

use crate::engines::{Answer, Engine, Limits, Status};
use crate::judge::{Between, Disagreement};
use answer::{ModelResult, Violation};
use explore::NonSequential;
use memory::Model;
use program::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What two ways to answer such a question disagree on.
pub fn disagreements(program: &Program, answers: &[Answer], limits: &Limits) -> Vec<Disagreement> {
    let mut found = Vec::new();
    let wrong = |answer: &Answer| answer.deadlock || !answer.faults.is_empty();
    if answers.iter().any(wrong) {
        return found;
    }
    for answer in answers {
        let known = answer.engine == Engine::Explore && answer.status == Status::Complete;
        if known && answer.model != Model::Sc {
            found.extend(robust(program, answer, limits));
        }
    }
    for model in [Model::Sc, Model::Tso] {
        let asked = answers.iter().filter(|answer| answer.model == model);
        let done = |answer: &Answer| {
            let searches = matches!(answer.engine, Engine::Explore | Engine::States);
            searches && answer.status == Status::Complete
        };
        if asked.filter(|answer| done(answer)).count() == 2 {
            found.extend(races(program, model, limits));
        }
    }
    found
}

fn is_complete(result: &ModelResult) -> bool {
    result.bounds.is_empty() || result.violation.is_some()
}

fn robust(program: &Program, answer: &Answer, limits: &Limits) -> Option<Disagreement> {
    let options = explore::Options {
        explain: false,
        control: limits.control(),
        monitor: true,
        robust: NonSequential::ReportOnly,
        ..explore::Options::default()
    };
    let run = || explore::run(program, answer.model, &options);
    // What the monitor refuses is explored with store buffers.
    let result = catch_unwind(AssertUnwindSafe(run)).ok()?.ok()?;
    if !is_complete(&result) {
        return None;
    }
    let monitored = matches!(result.violation, Some(Violation::NotSequential(_)));
    let explored = answer.not_sequential > 0;
    (monitored != explored).then(|| Disagreement {
        what: "robust".to_owned(),
        finder: (Engine::Explore, answer.model.name()),
        misser: (Engine::Explore, answer.model.name()),
        between: Between::Engines,
        detail: format!(
            "the monitor says robust: {}; the exploration with store buffers: {}",
            !monitored, !explored
        ),
    })
}

fn races(program: &Program, model: Model, limits: &Limits) -> Option<Disagreement> {
    let search = states::Options {
        races: true,
        explain: false,
        control: limits.control(),
        ..states::Options::default()
    };
    let options = explore::Options {
        races: true,
        explain: false,
        control: limits.control(),
        ..explore::Options::default()
    };
    let run = || explore::run(program, model, &options);
    let explored = catch_unwind(AssertUnwindSafe(run)).ok()?.ok()?;
    let run = || states::run(program, model, &search);
    let searched = catch_unwind(AssertUnwindSafe(run)).ok()?.ok()?;
    if !is_complete(&explored) || !is_complete(&searched) {
        return None;
    }
    let (one, other) = (explored.violation.is_some(), searched.violation.is_some());
    (one != other).then(|| Disagreement {
        what: "race".to_owned(),
        finder: (
            if one { Engine::Explore } else { Engine::States },
            model.name(),
        ),
        misser: (
            if one { Engine::States } else { Engine::Explore },
            model.name(),
        ),
        between: Between::Engines,
        detail: "with --races".to_owned(),
    })
}
