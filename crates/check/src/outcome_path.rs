//! The shortest execution of a C program to an outcome: a search of its states that remembers how each was reached.
//!
//! It is one of its own, by one worker, as executions of litmus tests are searched for after their outcomes. What it finds is
//! run again before it is shown.

use crate::options::Options;
use answer::{Bound, Execution, Outcome, Rerun, Turn};
use control::Control;
use machine::{End, Image, Limits, Process, Transition, Unsupported};
use memory::Model;
use program::Program;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

/// What a search comes to: an execution, none, or a bound that was in the way.
type Found = Result<Option<Execution>, Bound>;

/// The shortest execution to an outcome, if there is one.
pub(crate) fn execution_to(
    program: &Program,
    model: Model,
    options: &Options,
    control: &Control,
    outcome: &Outcome,
) -> Result<Found, Unsupported> {
    let image = Image::with_buffers(program, model)?;
    let in_loops = image
        .has_loop
        .then_some(crate::engines::States::BUFFER_IN_LOOPS);
    let limits = |private| Limits {
        buffer: options.buffer.or(in_loops),
        unroll: options.unroll,
        spurious: options.spurious,
        private,
        stop: Some(Arc::new(control.stop())),
        ..Limits::default()
    };
    let mut limits_of_search = limits(true);
    let path = match search(&image, &limits_of_search, control, outcome) {
        // An escaped pointer reached a private object.
        None => {
            limits_of_search = limits(false);
            search(&image, &limits_of_search, control, outcome).unwrap_or(Ok(None))
        }
        Some(path) => path,
    };
    let turns: Vec<Turn> = match path {
        Ok(Some(path)) => path.into_iter().map(Turn::from).collect(),
        Ok(None) => return Ok(Ok(None)),
        Err(bound) => return Ok(Err(bound)),
    };
    let Rerun::Process(recorded) = machine::recorded(&image, &limits_of_search, turns) else {
        return Ok(Ok(None));
    };
    let replayed = machine::rerun(&image, &recorded, None, Arc::new(control.stop()));
    Ok(Ok(replayed
        .ok()
        .map(|replayed| replayed.execution(program))))
}

/// How a state was reached, if not from the start.
type Origin = Option<(usize, Transition)>;

/// The way to the outcome; nothing at all if an object that was taken to be private is not.
fn search(
    image: &Image,
    limits: &Limits,
    control: &Control,
    outcome: &Outcome,
) -> Option<Result<Option<Vec<Transition>>, Bound>> {
    let started = Instant::now();
    let mut origins: Vec<Origin> = vec![None];
    let mut seen = HashSet::new();
    let mut waiting = VecDeque::from([(0, Process::new(image, limits, false, false))]);
    let mut bytes = 0;
    while let Some((number, mut process)) = waiting.pop_front() {
        bytes -= process.size().min(bytes);
        if let Some(bound) = control.limit_reached(started, || origins.len(), || bytes) {
            return Some(Err(bound));
        }
        let transitions = process.transitions();
        if process.escaped() {
            return None;
        }
        if transitions.is_empty() {
            if ends_with(&mut process, outcome) {
                let step = |at: &usize| origins[*at].map(|(before, _)| before);
                let states = std::iter::successors(Some(number), step);
                let way = states.filter_map(|at| origins[at].map(|(_, transition)| transition));
                let mut way: Vec<Transition> = way.collect();
                way.reverse();
                return Some(Ok(Some(way)));
            }
            continue;
        }
        for transition in transitions {
            let mut next = process.clone();
            next.perform(transition);
            if seen.insert(next.fingerprint()) {
                bytes += next.size();
                origins.push(Some((number, transition)));
                waiting.push_back((origins.len() - 1, next));
            }
        }
    }
    Some(Ok(None))
}

/// True if an execution that counts has ended here, with the outcome.
fn ends_with(process: &mut Process<'_>, outcome: &Outcome) -> bool {
    let counts = match process.end() {
        Some(End::Exit(_)) => true,
        Some(_) => false,
        None => !process.is_discarded() && process.waiting().is_empty(),
    };
    counts && process.outcome() == outcome.0
}
