//! Executions of C programs as they are stored, and running them again.

use super::creations::Creation;
use super::{Commuting, Image, Limits, Process, StoreMode, Transition, replay};
use crate::{ReplayError, Replayed};
use answer::{ProcessRerun, Rerun, Turn, Violation};
use control::Stop;
use std::sync::Arc;

/// An execution to be stored: what happened, in a process that was asked to run like this.
pub fn recorded(image: &Image, limits: &Limits, turns: Vec<Turn>) -> Rerun {
    let reserved = limits.reserved.iter();
    let reserved = reserved.map(|creation| (creation.creator, creation.number));
    Rerun::Process(Box::new(ProcessRerun {
        model: image.model,
        immediate: limits.store_mode == StoreMode::Immediate,
        buffer: limits.buffer,
        unroll: limits.unroll,
        steps: limits.steps,
        spurious: limits.spurious,
        private: limits.private,
        plain: limits.plain,
        races: limits.races,
        cut_repeats: limits.cut_repeats,
        await_assumptions: limits.await_assumptions,
        attempts: limits.attempts,
        commuting_updates: limits.commuting.updates,
        commuting_arrivals: limits.commuting.arrivals,
        unread: limits.unread.to_vec(),
        reserved: reserved.collect(),
        traced: limits.traced,
        turns,
    }))
}

/// How the process of a stored execution was asked to run.
fn limits(stored: &ProcessRerun, stop: Arc<Stop>) -> Limits {
    let reserved = stored.reserved.iter();
    let reserved = reserved.map(|(creator, number)| Creation {
        creator: *creator,
        number: *number,
    });
    Limits {
        buffer: stored.buffer,
        unroll: stored.unroll,
        steps: stored.steps,
        spurious: stored.spurious,
        private: stored.private,
        plain: stored.plain,
        races: stored.races,
        cut_repeats: stored.cut_repeats,
        await_assumptions: stored.await_assumptions,
        attempts: stored.attempts,
        commuting: Commuting {
            updates: stored.commuting_updates,
            arrivals: stored.commuting_arrivals,
        },
        unread: stored.unread.clone().into(),
        reserved: reserved.collect(),
        traced: stored.traced,
        store_mode: match stored.immediate {
            true => StoreMode::Immediate,
            false => StoreMode::Buffered,
        },
        stop: Some(stop),
    }
}

/// Runs a stored execution again, on an image for its model, and makes sure that it comes to the violation if there is one.
pub fn rerun(
    image: &Image,
    stored: &ProcessRerun,
    violation: Option<&Violation>,
    stop: Arc<Stop>,
) -> Result<Replayed, ReplayError> {
    let limits = limits(stored, stop);
    let mut turns = stored.turns.iter();
    replay::run(image, &limits, violation, |process| {
        let mut turn = turns.next()?;
        while *turn == Turn::Resume {
            process.resume();
            turn = turns.next()?;
        }
        turn.transition()
    })
}

/// The transition that a turn is, unless it only goes on.
trait AsTransition {
    fn transition(&self) -> Option<Transition>;
}

impl AsTransition for Turn {
    fn transition(&self) -> Option<Transition> {
        match *self {
            Turn::Run(thread, way) => Some(Transition::Run(thread, way)),
            Turn::Flush(thread, index) => Some(Transition::Commit(thread, index)),
            Turn::Resume => None,
        }
    }
}

impl From<Transition> for Turn {
    fn from(transition: Transition) -> Self {
        match transition {
            Transition::Run(thread, way) => Turn::Run(thread, way),
            Transition::Commit(thread, index) => Turn::Flush(thread, index),
        }
    }
}

impl Process<'_> {
    /// What happened, as it is stored; `turns` are all that did.
    pub fn recorded(&self, turns: Vec<Turn>) -> Rerun {
        recorded(self.image, self.limits, turns)
    }
}
