//! What must be so between answers.
//!
//! One rule judges all of it. What one engine finds under a model (a fault, a deadlock, an outcome), another engine that
//! covered everything must find under the same model and under every weaker one, as far as it looks for such things; for
//! the same program, for another shape of it, and for a version with weaker orderings. Differences that the documentation
//! states are left out:
//!
//! 1. `sat` and the machine for RMO find failed assertions and `abort`; they look for neither deadlocks nor
//!    lifetimes, so that outcomes of theirs may come from executions that others call wrong.
//! 2. `explore` tells what threads can do before another one calls `exit`, not what they may leave out; neither does
//!    a machine whose threads run ahead to something wrong.
//! 3. Where `main` ends before other threads, `sat` leaves out executions in which one of them
//!    is blocked for good, and so does the plain machine if it spins. A loop whose only store nobody reads is blocked
//!    for `observed`, and goes round for ever for others.
//! 4. What is observed behind the end of a program or thread that one shape cannot get past has no place in its outcomes.

use crate::engines::{Answer, Engine, Status};
use memory::Model;
use std::collections::BTreeSet;

/// How the behaviour of a shape relates to that of the program that it was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The same.
    Same,
    /// The same under SC; nothing is known under other models.
    SameUnderSc,
    /// The same under SC and TSO, and nothing that the program does not have under weaker models: pointers are
    /// loaded on the way, and a fence for loads then orders more.
    SameUnderTso,
    /// Nothing that the program does not have.
    Fewer,
    /// All that the program has.
    More,
}

/// A disagreement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Disagreement {
    /// What was found: a kind of fault, `deadlock`, `outcome`, `redundant`, `panic`.
    pub what: String,
    /// Who found it, under which model.
    pub finder: (Engine, &'static str),
    /// Who should have, under which model.
    pub misser: (Engine, &'static str),
    /// It was found in the shape and missed in the program, or the other way round.
    pub between: Between,
    /// In words.
    pub detail: String,
}

/// Between which programs a disagreement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Between {
    /// Two answers to one program.
    Engines,
    /// Found in the program, missed in the shape.
    ProgramShape,
    /// Found in the shape, missed in the program.
    ShapeProgram,
}

impl Disagreement {
    /// What stays the same while a program is made smaller.
    pub fn signature(&self) -> (String, Engine, Engine, Between) {
        let what = self.what.split(':').next().unwrap_or_default();
        (what.to_owned(), self.finder.0, self.misser.0, self.between)
    }
}

/// The place of a model in the order of strength.
pub fn strength(model: Model) -> usize {
    let all = [
        Model::Sc,
        Model::Tso,
        Model::Pso,
        Model::Rmo,
        Model::Relaxed,
    ];
    all.iter().position(|known| *known == model).unwrap_or(0)
}

/// Whether an engine under a model looks for faults of a kind.
fn looks_for(answer: &Answer, fault: &str) -> bool {
    match is_partial(answer) {
        true => matches!(fault, "assertion" | "abort"),
        false => true,
    }
}

/// Whether it leaves out deadlocks and lifetimes.
fn is_partial(answer: &Answer) -> bool {
    matches!(answer.engine, Engine::Sat | Engine::Axioms)
        || strength(answer.model) > strength(Model::Pso)
}

/// What the judge must know of a program.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// `main` joins all threads at its end.
    pub joins: bool,
    /// An address is chosen by a branch, or there is an atomic section: under models weaker than PSO it then matters
    /// how the program is written, by which dependences there are and what a section holds together.
    pub form_matters: bool,
    /// A thread may call `exit` while others run.
    pub exits: bool,
    /// A thread may end before the end of its function, by `exit` or otherwise.
    pub leaves: bool,
}

/// All disagreements among the answers to one program.
pub fn within(answers: &[Answer], facts: Facts) -> Vec<Disagreement> {
    let mut found: Vec<Disagreement> = Vec::new();
    for answer in answers {
        let one = |what: &str, detail: String| Disagreement {
            what: what.to_owned(),
            finder: (answer.engine, answer.model.name()),
            misser: (answer.engine, answer.model.name()),
            between: Between::Engines,
            detail,
        };
        if let Status::Panicked(text) = &answer.status {
            found.push(one(&format!("panic: {text}"), text.clone()));
        }
        if answer.redundant > 0 {
            found.push(one("redundant", format!("redundant {}", answer.redundant)));
        }
    }
    found.extend(contained(
        answers,
        answers,
        Between::Engines,
        facts,
        |_, _| true,
    ));
    found
}

/// Disagreements between a program and a shape of it.
pub fn between(
    program: &[Answer],
    shape: &[Answer],
    relation: Relation,
    facts: Facts,
) -> Vec<Disagreement> {
    let both = |a: Model, b: Model| match relation {
        Relation::SameUnderSc => a == Model::Sc && b == Model::Sc,
        _ => !facts.form_matters || strength(b) <= strength(Model::Pso),
    };
    let mut found = Vec::new();
    if relation != Relation::More {
        found = contained(shape, program, Between::ShapeProgram, facts, both);
    }
    if relation != Relation::Fewer {
        let tso = relation == Relation::SameUnderTso;
        let all = |a: Model, b: Model| both(a, b) && (!tso || strength(b) <= strength(Model::Tso));
        found.extend(contained(program, shape, Between::ProgramShape, facts, all));
    }
    found
}

/// What some found that others should have found and did not.
fn contained(
    finders: &[Answer],
    missers: &[Answer],
    between: Between,
    facts: Facts,
    models: impl Fn(Model, Model) -> bool,
) -> Vec<Disagreement> {
    let all = || finders.iter().chain(missers);
    let faults: BTreeSet<&str> = all()
        .flat_map(|answer| answer.faults.iter().copied())
        .collect();
    let mut found = Vec::new();
    for misser in missers {
        if misser.status != Status::Complete {
            continue;
        }
        for finder in finders {
            let weaker = strength(misser.model) >= strength(finder.model);
            if !weaker || !models(finder.model, misser.model) {
                continue;
            }
            if let Some((what, detail)) = missed(finder, misser, &faults, facts) {
                found.push(Disagreement {
                    what,
                    finder: (finder.engine, finder.model.name()),
                    misser: (misser.engine, misser.model.name()),
                    between,
                    detail,
                });
            }
        }
    }
    // Those under one model say most.
    found.sort_by_key(|disagreement| {
        let same_model = disagreement.finder.1 == disagreement.misser.1;
        (!same_model, disagreement.finder.0, disagreement.misser.0)
    });
    found
}

/// Something that one found and the other should have.
fn missed(
    finder: &Answer,
    misser: &Answer,
    faults: &BTreeSet<&str>,
    facts: Facts,
) -> Option<(String, String)> {
    // `states` and `sat` tell the first thing that is wrong only, and engines may call it by
    // different names.
    let first_only = !misser.engine.explores();
    let wrong = !misser.faults.is_empty() || (first_only && misser.deadlock);
    for fault in &finder.faults {
        if looks_for(misser, fault) && !wrong {
            return Some((format!("fault: {fault}"), String::new()));
        }
    }
    let wrong = misser.deadlock || (first_only && !misser.faults.is_empty());
    if finder.deadlock && !is_partial(misser) && !wrong {
        return Some(("deadlock".to_owned(), String::new()));
    }
    if !misser.all_outcomes {
        return None;
    }
    // Executions that one calls wrong and the other does not look at that way.
    let hidden = faults.iter().any(|fault| !looks_for(finder, fault))
        || is_partial(finder) && first_only && misser.deadlock;
    let waits = is_partial(misser) || misser.engine == Engine::Plain;
    let blocked = finder.engine == Engine::Observed && misser.engine != Engine::Observed;
    let left_out = (waits && !is_partial(finder) || blocked) && !facts.joins;
    let wrong = !misser.faults.is_empty();
    let exits = facts.exits && (misser.engine.explores() || wrong);
    let unreached = facts.leaves && differ_in_length(finder, misser);
    if hidden || left_out || exits || unreached {
        return None;
    }
    let outcome = finder.outcomes.difference(&misser.outcomes).next()?;
    Some(("outcome".to_owned(), format!("outcome {outcome:?}")))
}

/// True if both have outcomes, and those of one have more values.
fn differ_in_length(one: &Answer, other: &Answer) -> bool {
    let lengths = [one, other].map(|answer| answer.outcomes.first().map(Vec::len));
    matches!(lengths, [Some(one), Some(other)] if one != other)
}
